//! Where a scenario can be cut, and the worlds from which it can start.

use everypath_explore::StateId;
use everypath_model::{NodeId, Protocol, WorldSnapshot};
use thiserror::Error;

use super::ProtocolMachine;
use crate::{packed::unpack, tables::Tables};

/// Why a start that a scenario gives is not a world of its protocol.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology, WorldSnapshot};
/// use everypath_network::{NetworkSpace, SpaceOptions, StartError};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(3))
///     .starts("greeted", || [("all", [WorldSnapshot::at_rest(&Topology::chain(3), [1, 1])])]);
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// let error = space.covering_starts(0).unwrap_err();
/// assert_eq!(error.place, "world 1 of `all`");
/// assert_eq!(error.reason, StartError::Nodes { found: 2, expected: 3 });
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartError {
    /// There are no starts.
    #[error("there are no starts; give at least one")]
    NoStarts,
    /// Two instances have the same name.
    #[error("two instances have this name; give each its own")]
    SameName,
    /// It has a wrong number of nodes.
    #[error("it has {found} nodes, and the scenario has {expected}; give each node a state")]
    Nodes {
        /// How many it has.
        found: usize,
        /// How many the scenario has.
        expected: usize,
    },
    /// Its nodes are linked in another way.
    #[error("its nodes are linked in another way; make it with the topology of the scenario")]
    Links,
    /// A link is down although links cannot fail.
    #[error(
        "the link from {0} to {1} is down, and links cannot fail here; leave it up, or allow failures (`link_failure`)"
    )]
    LinkDown(NodeId, NodeId),
    /// A packet of nodes that do not exist or cannot send to each other.
    #[error(
        "a packet is in flight from {from} to {to}, which no node can send; remove it, or link these nodes"
    )]
    Packet {
        /// The sender.
        from: NodeId,
        /// The addressee.
        to: NodeId,
    },
    /// The timers of a node are not in order.
    #[error("the timers of {0} are not in order; set them one by one (`with_timer`)")]
    Timers(NodeId),
    /// The protocol cannot list the commands of a node.
    #[error("the protocol cannot list the commands of {0} in this state; give it another one")]
    Commands(NodeId),
}

/// A start that is not a world of the protocol.
///
/// ```
/// use everypath_network::{BadStart, StartError};
///
/// let bad = BadStart { place: "`all`".to_owned(), reason: StartError::NoStarts };
/// assert_eq!(bad.to_string(), "`all`: there are no starts; give at least one");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {reason}")]
pub struct BadStart {
    /// Which start.
    pub place: String,
    /// Why not.
    pub reason: StartError,
}

/// States by the name of their instance.
pub(crate) type NamedStates = Vec<(String, Vec<StateId>)>;

/// Divides an exploration into a trunk and instances.
pub(crate) trait Divide {
    /// Whether a cut holds in a state.
    fn is_cut(&self, tables: &Tables, state: StateId, cut: usize, twice: bool) -> bool;

    /// The name of the instance to which a state belongs where a cut holds.
    fn cut_key(&self, tables: &Tables, state: StateId, cut: usize, twice: bool) -> String;

    /// The starts that the scenario gives.
    fn covering_starts(
        &mut self,
        tables: &mut Tables,
        starts: usize,
    ) -> Result<NamedStates, BadStart>;
}

impl<P: Protocol> Divide for ProtocolMachine<'_, P> {
    fn is_cut(&self, tables: &Tables, state: StateId, cut: usize, twice: bool) -> bool {
        let (tuple, network) = unpack(state);
        let cut = &self.scenario.cuts[cut];
        let reading = self.read(tables, tuple, network, |world| {
            tables.verifier.ask("cut", &cut.name, twice, || (cut.holds)(world))
        });
        reading.answer
    }

    fn cut_key(&self, tables: &Tables, state: StateId, cut: usize, twice: bool) -> String {
        let (tuple, network) = unpack(state);
        let cut = &self.scenario.cuts[cut];
        let reading = self.read(tables, tuple, network, |world| {
            tables.verifier.ask("key of the cut", &cut.name, twice, || (cut.key)(world))
        });
        reading.answer
    }

    fn covering_starts(
        &mut self,
        tables: &mut Tables,
        starts: usize,
    ) -> Result<NamedStates, BadStart> {
        let starts = &self.scenario.starts[starts];
        let worlds = everypath_model::panics::within(
            || format!("the list of starts `{}`", starts.name),
            || (starts.worlds)(),
        );
        let bad = |place: &str, reason| BadStart { place: place.to_owned(), reason };
        if worlds.is_empty() {
            return Err(bad(&format!("the list `{}`", starts.name), StartError::NoStarts));
        }
        let mut named = NamedStates::new();
        for (name, worlds) in worlds {
            if worlds.is_empty() {
                return Err(bad(&format!("`{name}`"), StartError::NoStarts));
            }
            if named.iter().any(|(other, _)| *other == name) {
                return Err(bad(&format!("`{name}`"), StartError::SameName));
            }
            let mut states = Vec::new();
            for (number, world) in (1..).zip(&worlds) {
                let state = self.validate_start(tables, world).and_then(|()| {
                    let state = self.put_into(tables, world);
                    let (tuple, _) = unpack(state);
                    match tables.interner.breakage(tuple) {
                        Some((node, _)) => Err(StartError::Commands(NodeId::from(node))),
                        None => Ok(state),
                    }
                });
                let place = || format!("world {number} of `{name}`");
                states.push(state.map_err(|reason| BadStart { place: place(), reason })?);
            }
            named.push((name, states));
        }
        Ok(named)
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// Refuses a world that is not one of this scenario.
    fn validate_start(&self, tables: &Tables, start: &WorldSnapshot<P>) -> Result<(), StartError> {
        let topology = &self.scenario.topology;
        let (found, expected) = (start.nodes.len(), topology.len());
        if found != expected {
            return Err(StartError::Nodes { found, expected });
        }
        if start.topology != *topology || start.by_radio != tables.setup.by_radio {
            return Err(StartError::Links);
        }
        let cannot_fail =
            |(one, other): &&(NodeId, NodeId)| tables.setup.link_between(*one, *other).is_empty();
        if let Some(&(one, other)) = start.down.iter().find(cannot_fail) {
            return Err(StartError::LinkDown(one, other));
        }
        for packet in &start.packets {
            let (from, to) = (packet.from, packet.to);
            let are_there = from.index().max(to.index()) < expected;
            let can_send = || tables.setup.can_address_all() || topology.are_neighbours(from, to);
            if !are_there || !can_send() {
                return Err(StartError::Packet { from, to });
            }
        }
        for (node, kept) in start.nodes.iter().enumerate() {
            if !kept.timers.is_sorted_by(|one, next| one < next) {
                return Err(StartError::Timers(NodeId::from(node)));
            }
        }
        Ok(())
    }
}
