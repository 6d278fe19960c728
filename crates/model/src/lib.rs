//! # The model layer
//!
//! What a protocol designer writes, and nothing that runs it.
//!
//! ## Protocols
//!
//! A [`Protocol`] is a deterministic state machine without I/O: handlers for messages, timers and
//! commands are given their [`Node`], and can do nothing else to the outside. Fields
//! that must not count for the identity of a state are wrapped in [`Ignored`].
//!
//! ## Components
//!
//! A node can be made of [components](component) with named, typed ports. Two ports fit if they speak the same contract; the
//! compiler checks it. Nodes of different roles are one struct under the attribute [`macro@roles`].
//!
//! ## Scenarios
//!
//! A [`Scenario`] is what a user runs by name: protocol, [`Topology`], [`NetworkKind`],
//! [`Faults`], assumptions, assertions and rankings for exploration, and a [`SimulationSetup`] for
//! simulation. Its parameters are declared where they are read, through [`Parameters`].
//! Assertions and rankings read a [`World`]. What a class of protocols has in common is in a module of
//! its own: [`routing`].
//!
//! ## What is not here
//!
//! No clock, no queue, no random source, no search, no files. The crate depends on neither the
//! explorer nor the simulator, and both depend on it.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

// The attributes expand to `::everypath::…`; inside this crate that is the crate itself.
extern crate self as everypath;

pub mod component;
mod data;
mod event;
mod faults;
mod kept_world;
mod network_kind;
pub mod panics;
mod parameters;
mod property;
mod protocol;
pub mod routing;
pub mod running;
mod scenario;
mod setters;
mod simulation_setup;
mod topology;
mod world;

pub use data::{Data, Ignored, Never};
pub use event::{Event, EventKind};
pub use everypath_macros::{composite, data, handlers, ports, roles};
pub use faults::{Budget, BudgetError, Faults};
pub use network_kind::NetworkKind;
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
pub use topology::{NodeId, Shape, ShapeError, Topology, TopologyError};
pub use world::{Packet, Packets, World};

// What the macros write.
pub use component::ComponentTrigger;
pub use protocol::{
    Actor, Code, Input, Outgoing, Outlet, PartEffects, Straight, Trigger, names_of_parts,
    names_within,
};

// For code that explores or simulates scenarios. The facade does not export it at its root.
pub use data::notice_ignored;
pub use kept_world::{KeptNode, KeptPacket, KeptWorld};
pub use parameters::{Value, nearest, parse_duration};
pub use property::{
    ALWAYS_ASSERTED, Assumption, Condition, DETERMINISTIC, EQUAL, NEVER_STUCK, NOVELTY, Ranking,
    Relation, SIMULATED,
};
pub use protocol::not_a_neighbour;
pub use scenario::{
    Canonical, Configuration, EarlyTimers, Receivers, RoleNames, ShownHops, TimerOrder,
};
pub use simulation_setup::MessageBytes;
pub use world::Snapshot;

/// The serialisation framework that [`Data`] builds on, re-exported for the attributes.
pub use serde;
