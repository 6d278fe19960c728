//! # Everypath in `cargo test`
//!
//! [`check`] explores every path of a scenario, [`replay`] repeats one of them, [`simulate`]
//! measures, and [`Net`] steps through a protocol by hand. All of them fail as any test does: by a
//! panic with an explanation.
//!
//! ```
//! # extern crate everypath_model as everypath;
//! # use everypath_model::{Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology};
//! # struct Gossip;
//! # impl Protocol for Gossip {
//! #     type State = u32;
//! #     type Message = u32;
//! #     type Timer = Never;
//! #     type Command = Never;
//! #     fn start(&self, node: &mut Start<'_, Self>) -> u32 { node.broadcast(node.id.0); node.id.0 }
//! #     fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, heard: &u32) {
//! #         if heard > node.state { *node.state = *heard; node.broadcast(*heard); }
//! #     }
//! # }
//! use everypath_testing::{Net, check, simulate};
//!
//! fn gossip(parameters: &mut Parameters) -> Scenario<Gossip> {
//!     let nodes = parameters.number("nodes", 3, 1..=9, "how many nodes there are");
//!     Scenario::new(Gossip, Topology::chain(nodes))
//!         .assert_always("no number is invented", move |world| {
//!             world.nodes().all(|(_, largest)| (*largest as usize) < nodes)
//!         })
//!         .assert_at_end("all agree", |world| world.nodes().all(|(_, it)| *it == *world.node(NodeId(0))))
//! }
//!
//! check(gossip).set("nodes", 4).assert_holds();
//! simulate(gossip).runs(3).assert_holds();
//!
//! let mut net = Net::of(gossip);
//! net.expect(0, 1, &0).deliver();
//! assert_eq!(*net.state(1), 1);
//! ```
//!
//! A failing check prints the story of the shortest run that breaks the assertion, writes that run
//! to a file with a chart beside it, and prints how to replay it. The file is in
//! `target/everypath`, under the name of the test; while it exists, the test begins with it.
//!
//! [`check_driver`] and [`replay_driver`] do the same for an ordinary Rust type: events are then
//! calls.
//!
//! Explorations are generic code, compiled into the test. Without optimisation they take about six
//! times as long: for large explorations, set `[profile.dev] opt-level = 1` in `Cargo.toml`.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod check;
mod driver;
mod files;
mod net;
mod replay;
mod scenario;
mod simulate;
mod subject;
mod timed;

pub use check::{Check, Checked, Violated, check, check_driver};
pub use net::Net;
pub use replay::{Replay, replay, replay_driver};
pub use simulate::{Measured, Simulate, simulate};
pub use subject::Subject;
