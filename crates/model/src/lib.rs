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

mod code;
pub mod component;
mod data;
mod effects;
mod energy;
mod event;
mod field;
mod kept_world;
mod loss;
mod node;
mod outage;
pub mod panics;
mod parameters;
mod probe;
mod propagation;
mod property;
mod protocol;
mod radio;
mod recorder;
pub mod routing;
pub mod running;
mod scenario;
mod sensing;
mod setters;
mod simulation_setup;
mod suggestion;
mod topology;
mod traffic;
mod wire;
mod world;

pub use data::{Data, Ignored, Never};
pub use effects::{Effects, Record};
pub use energy::Energy;
pub use event::{Event, EventKind};
pub use everypath_macros::{composite, data, handlers, ports, roles};
pub use field::{Area, Field, FieldError, Leg, Mobility, Path, Position};
pub use loss::{Bursts, Loss};
pub use node::{Node, Start};
pub use outage::{Downtime, Outage, OutageError, Part};
pub use parameters::{Parameter, ParameterError, ParameterKind, Parameters, Profile};
pub use propagation::{PathLoss, Power, Propagation, PropagationDelay};
pub use property::Rank;
pub use protocol::Protocol;
pub use radio::{DcfRadio, IdealRadio, Radio, SharedRadio};
pub use recorder::{Did, Recorder};
pub use scenario::{
    Budget, BudgetError, Faults, NetworkKind, Scenario, ScenarioError, scenario_name,
};
pub use sensing::{Sensing, SensingError, Stimulus, StimulusCommand};
pub use simulation_setup::{LinkModel, Measure, Readings, SimulationSetup, WarmUp};
pub use suggestion::did_you_mean;
pub use topology::{NodeId, Shape, ShapeError, Topology, TopologyError};
pub use traffic::{DataCommand, Flow, Job, Rhythm, RhythmError};
pub use wire::{Datagram, Wire};
pub use world::{Packet, Packets, World};

// What the macros write.
pub use code::{Code, ComponentTrigger, Trigger, names_of_parts, names_within};
pub use effects::{Outlet, PartEffects, Straight};
pub use node::{Actor, Outgoing};
pub use protocol::Input;

// For what explores or simulates a scenario, and not for who writes one; the facade has none of it at its root.
pub use data::notice_ignored;
pub use effects::not_a_neighbour;
pub use kept_world::{KeptNode, KeptPacket, KeptWorld};
pub use parameters::{Value, nearest, parse_duration};
pub use property::{
    ALWAYS_ASSERTED, Assumption, Condition, DETERMINISTIC, EQUAL, NEVER_STUCK, NOVELTY, Ranking,
    Relation, SIMULATED,
};
pub use scenario::{
    Canonical, Configuration, EarlyTimers, Receivers, RoleNames, ShownHops, TimerOrder,
};
pub use simulation_setup::MessageBytes;
pub use world::Snapshot;

/// The serialisation framework that [`Data`] builds on, re-exported for the attributes.
pub use serde;
