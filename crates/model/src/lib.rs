//! # The model layer
//!
//! Protocols, components and scenarios, without anything that runs them.
//!
//! ## Protocols
//!
//! A [`Protocol`] is a deterministic state machine without I/O: handlers for messages, timers and
//! commands receive their [`Node`] and act through it alone. [`Ignored`] wraps fields that do not
//! count for the identity of a state.
//!
//! A node need not be plain data: a [`Native`] protocol has nodes of any type, such as one of a crate
//! that knows nothing of Everypath, and [`Opaque`] makes a protocol of it.
//!
//! ## Components
//!
//! A node can consist of [components](component) with named, typed ports. The compiler checks that
//! connected ports have the same contract. Nodes of different roles are one struct under the
//! attribute [`macro@roles`].
//!
//! ## Scenarios
//!
//! A [`Scenario`] can be run by name. It holds protocol, [`Topology`], [`NetworkKind`], [`Faults`],
//! assumptions, assertions and rankings for exploration, and a [`SimulationSetup`] for simulation.
//! It declares its parameters where it reads them, through [`Parameters`]. Assertions and rankings
//! read a [`World`]. The modules [`routing`] and [`transport`] serve whole classes of protocols; with [`history`], what
//! clients ask for and what they are answered is compared with a specification.
//!
//! ## What is not here
//!
//! No clock, no queue, no random source, no search, no files. The crate depends on neither the
//! explorer nor the simulator, and both depend on it.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

// The attributes expand to `::everypath::…`; inside this crate that is the crate itself.
extern crate self as everypath;

mod audience;
mod capacity;
pub mod component;
mod data;
mod event;
mod event_text;
mod faults;
pub mod history;
pub mod medium;
mod memory;
mod native;
mod network_kind;
mod numbered;
mod observer;
pub mod panics;
mod parameters;
mod property;
mod protocol;
pub mod routing;
pub mod running;
mod scenario;
mod setters;
mod simulation_setup;
mod suggestion;
mod time_bounds;
mod timeouts;
mod timer_queue;
mod topology;
pub mod transport;
mod world;
mod world_snapshot;

pub use audience::{Audience, AudienceError};
pub use capacity::Capacity;
pub use data::{Data, Ignored, Never, shown};
pub use event::{Event, EventKind};
pub use everypath_macros::{composite, data, handlers, ports, roles};
pub use faults::{Budget, BudgetError, Faults};
pub use native::{Native, NativeMode, NativeNode, NativeStart, Opaque, OpaqueState};
pub use network_kind::NetworkKind;
pub use numbered::Numbered;
pub use observer::{Nodes, ObservedStep};
pub use parameters::{Parameter, ParameterError, ParameterKind, Parameters, Profile};
pub use property::Rank;
pub use protocol::{Did, Effects, Node, Protocol, Record, Recorder, Start};
pub use scenario::{Scenario, ScenarioError, scenario_name};
pub use simulation_setup::{
    Area, Bursts, DataCommand, Datagram, DcfRadio, Downtime, Energy, Field, FieldError, Flow,
    IdealRadio, Job, Leg, LinkModel, Loss, Measure, Mobility, Outage, OutageError, Part, Path,
    PathLoss, Position, Power, Propagation, PropagationDelay, Radio, Readings, Rhythm, RhythmError,
    Sensing, SensingError, SharedRadio, SimulationSetup, Stimulus, StimulusCommand, WarmUp, Wire,
};
pub use suggestion::{did_you_mean, nearest};
pub use time_bounds::{TimeBounds, TimeBoundsError};
pub use timeouts::TimeoutBudget;
pub use timer_queue::{TimerChange, TimerQueue, Timers};
pub use topology::{NodeId, Shape, ShapeError, Topology, TopologyError};
pub use world::{Packet, Packets, World};
pub use world_snapshot::WorldSnapshot;

// For code that the macros write.
pub use component::ComponentTrigger;
pub use protocol::{
    Actor, Code, Input, Outgoing, Outlet, PartEffects, Straight, Trigger, names_of_parts,
    names_within,
};

// For code that explores or simulates scenarios. The facade does not export it at its root.
pub use audience::{AudienceSyntaxError, AudiencesOf, Decisions};
pub use capacity::CapacityError;
pub use data::{notice_ignored, with_ignored};
pub use event_text::{HEARD_BY, HEARD_BY_NONE, link_text};
pub use memory::Memory;
pub use native::{Keeper, NativeCounts, are_histories_written, with_histories};
pub use network_kind::NetworkKindError;
pub use numbered::Numbers;
pub use observer::Observer;
pub use parameters::{Value, parse_duration};
pub use property::{
    ALWAYS_ASSERTED, Assumption, Condition, DETERMINISTIC, EQUAL, LEARNT, NEVER_STUCK, NOVELTY,
    Ranking, Relation, SIMULATED,
};
pub use protocol::not_a_neighbour;
pub use scenario::{
    CUT_AT_DEPTH, Canonical, Configuration, CoveringStarts, Cut, EarlyTimers, Obsolete, Receivers,
    RoleNames, ShownHops, TimerOrder,
};
pub use simulation_setup::MessageBytes;
pub use timeouts::TIMEOUT_BUDGETS_MAX;
pub use world::WorldView;
pub use world_snapshot::{NodeSnapshot, PacketSnapshot};

/// The serialisation framework that [`Data`] builds on, re-exported for the attributes.
pub use serde;
