//! Reliable transport protocols as a class, with a shared assertion and rankings.
//!
//! A reliable transport accepts items at one end of a connection, delivers them at the other, and
//! learns from acknowledgements which have arrived. A protocol that implements [`Transport`] gains an
//! [assertion](Scenario::assert_reliable) that what is acknowledged was delivered, and
//! [rankings](Scenario::transport_rankings).

use std::fmt::Debug;

use crate::{NodeId, Protocol, Rank, Scenario, World};

/// The name of the ranking by what the sender is ahead.
const TRANSPORT: &str = "transport";
/// The name of the ranking by acknowledgements in flight.
const TRANSPORT_PACKETS: &str = "transport-packets";

/// How far the sending end of a connection is.
///
/// ```
/// use everypath_model::transport::Sent;
///
/// // Of eight items, three may still be under way.
/// let sent = Sent { accepted: 8, acknowledged: 5 };
/// assert!(sent.acknowledged <= sent.accepted);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// How many items it has accepted from the application.
    pub accepted: u64,
    /// Of how many of them it believes that they have arrived.
    pub acknowledged: u64,
}

/// What a message carries.
///
/// ```
/// use everypath_model::transport::Carried;
///
/// assert_ne!(Carried::Item, Carried::Acknowledgement);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// An item, or several, to the receiving end.
    Item,
    /// News for the sending end of what has arrived.
    Acknowledgement,
}

/// A protocol that transports items over connections.
///
/// A connection has one direction: where both ends send, there are two connections.
///
/// ```
/// # mod letters { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/letters.rs")); }
/// # use letters::Letters;
/// use everypath_model::{Scenario, Topology};
///
/// // `Letters` implements `Transport`: node 0 sends letters to node 1.
/// let scenario = Scenario::new(Letters, Topology::chain(2))
///     .assert_reliable("what is acknowledged was delivered")
///     .transport_rankings();
/// assert!(scenario.validate().is_ok());
/// ```
pub trait Transport: Protocol + Clone {
    /// What names a connection: often the nodes at its ends, or nothing where there is one.
    type Connection: Copy + Eq + Debug;

    /// The connections on which a node sends, and how far it is.
    ///
    /// ```
    /// # mod letters { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/letters.rs")); }
    /// # use letters::Letters;
    /// use everypath_model::{NodeId, transport::{Sent, Transport}};
    ///
    /// // Three letters are confirmed; the fourth is under way.
    /// let (_, sent) = Letters.sending(NodeId(0), &3).next().unwrap();
    /// assert_eq!(sent, Sent { accepted: 4, acknowledged: 3 });
    /// assert!(Letters.sending(NodeId(1), &3).next().is_none());
    /// ```
    fn sending(
        &self,
        me: NodeId,
        state: &Self::State,
    ) -> impl Iterator<Item = (Self::Connection, Sent)>;

    /// The connections on which a node receives, and how many items it has delivered to the
    /// application.
    ///
    /// ```
    /// # mod letters { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/letters.rs")); }
    /// # use letters::Letters;
    /// use everypath_model::{NodeId, transport::Transport};
    ///
    /// assert_eq!(Letters.delivered(NodeId(1), &3).next(), Some(((), 3)));
    /// ```
    fn delivered(
        &self,
        me: NodeId,
        state: &Self::State,
    ) -> impl Iterator<Item = (Self::Connection, u64)>;

    /// What a message carries, and on which connection; nothing if neither items nor
    /// acknowledgements.
    ///
    /// ```
    /// # mod letters { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/letters.rs")); }
    /// # use letters::Letters;
    /// use everypath_model::transport::{Carried, Transport};
    ///
    /// assert_eq!(Letters.carries(&Err(4)), Some(((), Carried::Acknowledgement)));
    /// ```
    fn carries(&self, message: &Self::Message) -> Option<(Self::Connection, Carried)>;
}

/// The connections of a world.
struct Connections<'a, P: Transport> {
    protocol: &'a P,
    world: &'a World<'a, P>,
}

impl<P: Transport> Connections<'_, P> {
    /// The sending ends.
    fn sending(&self) -> impl Iterator<Item = (P::Connection, Sent)> {
        self.world.nodes().flat_map(|(node, state)| self.protocol.sending(node, state))
    }

    /// How many items were delivered at the other end.
    fn delivered(&self, connection: P::Connection) -> u64 {
        let ends = self.world.nodes();
        let of = ends.flat_map(|(node, state)| self.protocol.delivered(node, state));
        of.filter(|(known, _)| *known == connection).map(|(_, items)| items).sum()
    }

    /// How far the senders are ahead of the other ends, together.
    fn ahead(&self) -> i64 {
        let ahead = |(connection, sent): (P::Connection, Sent)| {
            sent.accepted as i64 - self.delivered(connection) as i64
        };
        self.sending().map(ahead).sum()
    }

    /// How many messages in flight carry this.
    fn in_flight(&self, carried: Carried) -> i64 {
        let packets = self.world.packets();
        let all = packets.filter_map(|packet| self.protocol.carries(packet.message));
        all.filter(|(_, it)| *it == carried).count() as i64
    }
}

/// Properties of reliable transport protocols.
impl<P: Transport> Scenario<P> {
    /// Asserts of each connection that what the sender believes to have arrived was delivered, and that
    /// no more was delivered than accepted.
    ///
    /// ```
    /// # mod letters { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/letters.rs")); }
    /// # use letters::Letters;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Letters, Topology::chain(2))
    ///     .assert_reliable("what is acknowledged was delivered");
    /// assert_eq!(scenario.assertions[0].name, "what is acknowledged was delivered");
    /// ```
    #[must_use]
    pub fn assert_reliable(self, name: &str) -> Self {
        let protocol = self.protocol.clone();
        self.assert_always(name, move |world| {
            let connections = Connections { protocol: &protocol, world };
            connections.sending().all(|(connection, Sent { accepted, acknowledged })| {
                (acknowledged..=accepted).contains(&connections.delivered(connection))
            })
        })
    }

    /// Adds the rankings of the class.
    ///
    /// Items are lost when the sender takes an acknowledgement for one of a later item, and goes on. So
    /// `transport` compares how far senders are ahead of receivers, then acknowledgements in flight,
    /// then items in flight. `transport-packets` compares acknowledgements first, for protocols in
    /// which it takes long until there are several.
    ///
    /// ```
    /// # mod letters { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/letters.rs")); }
    /// # use letters::Letters;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Letters, Topology::chain(2)).transport_rankings();
    /// let names: Vec<_> = scenario.all_rankings().map(|ranking| &ranking.name[..]).collect();
    /// assert_eq!(names, ["transport", "transport-packets"]);
    /// ```
    #[must_use]
    pub fn transport_rankings(self) -> Self {
        let parts = |protocol: &P, world: &World<'_, P>| {
            let connections = Connections { protocol, world };
            let [acknowledgements, items] =
                [Carried::Acknowledgement, Carried::Item].map(|it| connections.in_flight(it));
            (connections.ahead(), acknowledgements, items)
        };
        let protocol = self.protocol.clone();
        let of_packets = protocol.clone();
        self.ranking(TRANSPORT, move |world| {
            let (ahead, acknowledgements, items) = parts(&protocol, world);
            Rank(vec![ahead, acknowledgements, items])
        })
        .ranking(TRANSPORT_PACKETS, move |world| {
            let (ahead, acknowledgements, items) = parts(&of_packets, world);
            Rank(vec![acknowledgements, ahead, items])
        })
    }
}
