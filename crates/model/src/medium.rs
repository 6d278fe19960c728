//! Medium access protocols as a class, with a shared assertion and rankings.
//!
//! Nodes that share a medium pass on the right to send: as a token, or by requests and grants. A
//! protocol that implements [`MediumAccess`] gains an [assertion](Scenario::assert_exclusive) that
//! at most one node may send, and [rankings](Scenario::medium_rankings).
//!
//! The class is about protocols whose nodes agree by messages. A medium that nodes sense, as in 802.11,
//! is a part of the simulator.

use crate::{NodeId, Protocol, Rank, Scenario, World};

/// The name of the ranking by rights to send.
const MEDIUM: &str = "medium";
/// The name of the ranking by rights in flight.
const MEDIUM_PACKETS: &str = "medium-packets";

/// What a message is about.
///
/// ```
/// use everypath_model::medium::Access;
///
/// assert_ne!(Access::Right, Access::Request);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It passes on the right to send: a token or a grant.
    Right,
    /// It asks for that right, or looks for it: a request or a probe.
    Request,
}

/// A protocol by which nodes share a medium.
///
/// ```
/// # mod baton { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/baton.rs")); }
/// # use baton::Baton;
/// use everypath_model::{Scenario, Topology};
///
/// // `Baton` implements `MediumAccess`: who has the baton may send.
/// let scenario = Scenario::new(Baton, Topology::ring(3))
///     .assert_exclusive("at most one node may send")
///     .medium_rankings();
/// assert!(scenario.validate().is_ok());
/// ```
pub trait MediumAccess: Protocol + Clone {
    /// Whether a node believes that it may send now.
    ///
    /// ```
    /// # mod baton { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/baton.rs")); }
    /// # use baton::Baton;
    /// use everypath_model::{NodeId, medium::MediumAccess};
    ///
    /// assert!(Baton.may_send(NodeId(0), &true));
    /// ```
    fn may_send(&self, me: NodeId, state: &Self::State) -> bool;

    /// What a message is about, if it is about the right to send.
    ///
    /// ```
    /// # mod baton { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/baton.rs")); }
    /// # use baton::Baton;
    /// use everypath_model::medium::{Access, MediumAccess};
    ///
    /// assert_eq!(Baton.access(&()), Some(Access::Right));
    /// ```
    fn access(&self, message: &Self::Message) -> Option<Access>;
}

/// How many nodes may send, and how many rights and requests are in flight.
fn counts<P: MediumAccess>(protocol: &P, world: &World<'_, P>) -> [i64; 3] {
    let [mut rights, mut requests] = [0, 0];
    for packet in world.packets() {
        match protocol.access(packet.message) {
            Some(Access::Right) => rights += 1,
            Some(Access::Request) => requests += 1,
            None => {}
        }
    }
    [senders(protocol, world), rights, requests]
}

fn senders<P: MediumAccess>(protocol: &P, world: &World<'_, P>) -> i64 {
    world.nodes().filter(|(node, state)| protocol.may_send(*node, state)).count() as i64
}

/// Properties of medium access protocols.
impl<P: MediumAccess> Scenario<P> {
    /// Asserts that at most one node may send.
    ///
    /// ```
    /// # mod baton { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/baton.rs")); }
    /// # use baton::Baton;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario =
    ///     Scenario::new(Baton, Topology::ring(3)).assert_exclusive("at most one node may send");
    /// assert_eq!(scenario.assertions[0].name, "at most one node may send");
    /// ```
    #[must_use]
    pub fn assert_exclusive(self, name: &str) -> Self {
        let protocol = self.protocol.clone();
        self.assert_always(name, move |world| senders(&protocol, world) <= 1)
    }

    /// Adds the rankings of the class.
    ///
    /// Two nodes send at once after the right to send was doubled: a node makes a new one while the old one
    /// is in flight or held. So `medium` compares how many rights there are, held or in flight, then how
    /// many of them are held, then requests in flight. `medium-packets` compares requests in flight
    /// first, for protocols that double the right only when one is answered late.
    ///
    /// ```
    /// # mod baton { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/baton.rs")); }
    /// # use baton::Baton;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Baton, Topology::ring(3)).medium_rankings();
    /// let names: Vec<_> = scenario.all_rankings().map(|ranking| &ranking.name[..]).collect();
    /// assert_eq!(names, ["medium", "medium-packets"]);
    /// ```
    #[must_use]
    pub fn medium_rankings(self) -> Self {
        let protocol = self.protocol.clone();
        let of_packets = protocol.clone();
        self.ranking(MEDIUM, move |world| {
            let [senders, rights, requests] = counts(&protocol, world);
            Rank(vec![senders + rights, senders, requests])
        })
        .ranking(MEDIUM_PACKETS, move |world| {
            let [senders, rights, requests] = counts(&of_packets, world);
            Rank(vec![requests, senders + rights, senders])
        })
    }
}
