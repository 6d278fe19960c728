//! # Everypath
//!
//! Write a network protocol once, as an ordinary deterministic Rust state machine. Then
//! *simulate* it, to measure how well it performs; or *check* it: visit every state that it can
//! reach under loss, reordering, timeouts and reboots, and get the shortest run that breaks an
//! assertion.
//!
//! ## Write
//!
//! A [`Protocol`] is the state of a node and the handlers that change it. A [`Scenario`] is a protocol on a
//! [`Topology`], with what can go wrong and what must hold.
//!
//! ```
//! use everypath::prelude::*;
//!
//! /// The node that holds the token passes it to a neighbour.
//! struct Token;
//!
//! #[data]
//! struct Holder(bool);
//!
//! impl Protocol for Token {
//!     type State = Holder;
//!     type Message = ();
//!     type Timer = Never;
//!     type Command = Never;
//!
//!     fn start(&self, node: &mut Start<'_, Self>) -> Holder {
//!         if node.id == NodeId(0) {
//!             node.send(NodeId(1), ());
//!         }
//!         Holder(false)
//!     }
//!
//!     fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, _: &()) {
//!         node.state.0 = true;
//!         node.count("passed");
//!         node.send(from, ());
//!     }
//! }
//!
//! fn token(_: &mut Parameters) -> Scenario<Token> {
//!     Scenario::new(Token, Topology::chain(2))
//!         .about("a token between two nodes")
//!         .assert_always("one token", |world| world.packets().count() == 1)
//! }
//!
//! # #[cfg(feature = "testing")]
//! # {
//! everypath::testing::check(token).assert_holds();
//! everypath::testing::simulate(token).runs(5).measure("passed").assert_above(100.0);
//! # }
//! ```
//!
//! ## Test
//!
//! The last two lines are a test: `everypath::testing` (feature `testing`) checks, simulates,
//! replays and steps through protocols in `cargo test`.
//!
//! ## Check
//!
//! `everypath::main!(token);` gives a program the whole command line: `list`, `show`, `check`,
//! `watch`, `compare`, `simulate`, `replay`. (It is the feature `cli`, on by default.) `cargo run
//! -- check token` explores every path; `watch` repeats that after every build, and `compare`
//! compares searches.
//!
//! ## Simulate
//!
//! `cargo run -- simulate token` measures, with confidence intervals, captures and pictures. Links, radios, mobility and
//! traffic are parts of the [`Scenario`], or of a scenario file.
//!
//! ## Replay
//!
//! A check saves the run that breaks an assertion: `cargo run -- replay token.trace.json` repeats
//! it, `simulate --replay` with times, and `--as-test` prints it as a test.
//!
//! ## Layers
//!
//! - the model layer: protocols and scenarios, at the root and in [`component`], [`radio`],
//!   [`routing`], [`transport`] and [`traffic`];
//! - `testing`: checks and simulations in `cargo test` (feature `testing`);
//! - `sim`: one path, with time (feature `simulate`);
//! - `explore` and `network`: every path; `driver`: every sequence of calls on an ordinary Rust
//!   type; `heap`: the same on heaps of objects, in five modes of execution (feature `explore`);
//! - `formats`: files of other tools (feature `formats`);
//! - `protocols`, `structures` and the command line (feature `cli`).
//!
//! A build with the feature `simulate` alone links nothing of the explorer.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

pub use everypath_model::{
    Budget, BudgetError, Capacity, CapacityError, Data, Did, Effects, Event, EventKind, Faults,
    Ignored, LinkModel, Loss, Measure, Native, NativeMode, NativeNode, NativeStart, NetworkKind,
    Never, Node, NodeId, Nodes, ObservedStep, Opaque, OpaqueState, Packet, Parameter,
    ParameterError, ParameterKind, Parameters, Profile, Protocol, Rank, Readings, Record, Recorder,
    Scenario, ScenarioError, Shape, ShapeError, SimulationSetup, Start, TimeoutBudget, Topology,
    TopologyError, WarmUp, World, WorldSnapshot, component, composite, data, handlers, history,
    medium, ports, roles, routing, transport,
};
// For code that the macros write.
#[doc(hidden)]
pub use everypath_model::{
    Code, ComponentTrigger, Input, Outgoing, Outlet, PartEffects, Straight, Trigger,
    names_of_parts, names_within, serde,
};

/// The whole model layer, for authors of tools.
pub use everypath_model as model;

/// Nodes on a field: places, movement and radios.
pub mod radio {
    pub use everypath_model::{
        Area, DcfRadio, Energy, Field, FieldError, IdealRadio, Leg, Mobility, Path, PathLoss,
        Position, Power, Propagation, PropagationDelay, Radio, SharedRadio,
    };
}

/// The load of a simulated network: commands, flows, stimuli, outages, bursts of losses; and
/// packets for other tools.
pub mod traffic {
    pub use everypath_model::{
        Bursts, DataCommand, Datagram, Downtime, Flow, Job, Outage, OutageError, Part, Rhythm,
        RhythmError, Sensing, SensingError, Stimulus, StimulusCommand, Wire,
    };
}

#[cfg(feature = "explore")]
pub use everypath_driver as driver;
#[cfg(feature = "explore")]
pub use everypath_driver::Driver;
#[cfg(feature = "explore")]
pub use everypath_explore as explore;
#[cfg(feature = "formats")]
pub use everypath_formats as formats;
#[cfg(feature = "explore")]
pub use everypath_heap as heap;
#[cfg(feature = "explore")]
pub use everypath_network as network;
#[cfg(feature = "cli")]
pub use everypath_protocols as protocols;
#[cfg(feature = "simulate")]
pub use everypath_sim as sim;
#[cfg(feature = "cli")]
pub use everypath_structures as structures;
#[cfg(feature = "testing")]
pub use everypath_testing as testing;

/// The command line as a library; [`main!`](crate::main) is the short way to it.
#[cfg(feature = "cli")]
pub use everypath_cli as cli;

/// What most protocols need: `use everypath::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Budget, Capacity, Event, Ignored, LinkModel, Loss, NetworkKind, Never, Node, NodeId,
        Packet, Parameters, Protocol, Scenario, Start, Topology, World, data, handlers, roles,
    };
    pub use std::time::Duration;
}

/// Gives a program the whole command line for its own scenarios, drivers and subjects. Each is a function from
/// [`Parameters`] to a [`Scenario`], a [`Driver`] or a [`Bounded`](everypath_heap::Bounded) subject, and has the name of the function, with dashes
/// for underscores.
///
/// ```no_run
/// # use everypath::prelude::*;
/// # struct Idle;
/// # impl Protocol for Idle {
/// #     type State = ();
/// #     type Message = ();
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, _: &mut Start<'_, Self>) {}
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &()) {}
/// # }
/// fn two_idle_nodes(_: &mut Parameters) -> Scenario<Idle> {
///     Scenario::new(Idle, Topology::chain(2))
/// }
///
/// fn stack(_: &mut Parameters) -> everypath::Driver<Vec<u8>> {
///     everypath::Driver::new(Vec::<u8>::new)
///         .call("push", 1..=2, |stack, value| stack.push(value))
///         .call("pop", (), |stack, ()| stack.pop())
///         .max_depth(6)
/// }
///
/// everypath::main!(two_idle_nodes, stack); // everypath check two-idle-nodes
/// ```
#[cfg(feature = "cli")]
#[macro_export]
macro_rules! main {
    (@by $run:ident: $($scenario:path),+ $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            $crate::cli::$run(
                ::std::vec![$($crate::cli::entry(::std::stringify!($scenario), $scenario)),+],
                ::std::cfg!(panic = "unwind"),
            )
        }
    };
    ($($scenario:path),+ $(,)?) => {
        $crate::main!(@by run_main: $($scenario),+);
    };
}

/// The code in the README compiles.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The code in the page on testing runs.
#[cfg(all(doctest, feature = "testing"))]
#[doc = include_str!("../docs/testing.md")]
pub struct TestingPage;

/// The code in the page on data structures runs.
#[cfg(all(doctest, feature = "testing"))]
#[doc = include_str!("../docs/structures.md")]
pub struct StructuresPage;

/// The code in the page on delta execution runs.
#[cfg(all(doctest, feature = "testing"))]
#[doc = include_str!("../docs/delta.md")]
pub struct DeltaPage;

/// The code in the page on the field compiles.
#[cfg(doctest)]
#[doc = include_str!("../docs/field.md")]
pub struct FieldPage;
