//! The order in which a network delivers packets.

/// The order in which a network delivers packets.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NetworkKind, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3)).network(NetworkKind::FifoPerLink);
/// assert_eq!(scenario.network.name(), "fifo");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkKind {
    /// Any packet can arrive next: a multiset.
    Unordered,
    /// Packets from one node to another arrive in the order of sending.
    FifoPerLink,
    /// One list for the whole network. A node receives the oldest packet that is addressed to it,
    /// or that it can receive by the scenario's [receivers](crate::Scenario::receivers).
    GlobalList,
}

impl NetworkKind {
    /// The kinds with their names, as options of a parameter.
    pub const WORDS: [(&'static str, Self); 3] =
        [("unordered", Self::Unordered), ("fifo", Self::FifoPerLink), ("list", Self::GlobalList)];

    /// The name of the kind in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).expect("every kind has a word").0
    }
}
