//! The order in which a network delivers packets.

/// In which order a network delivers.
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
    /// Packets between the same two nodes, in the same direction, arrive in the order in which
    /// they were sent.
    FifoPerLink,
    /// One list for the whole network; a node receives the oldest packet that it can receive: that
    /// is addressed to it, unless the scenario says [who receives
    /// packets](crate::Scenario::receivers).
    GlobalList,
}

impl NetworkKind {
    /// The kinds with their words, as a choice for a parameter.
    pub const WORDS: [(&'static str, Self); 3] =
        [("unordered", Self::Unordered), ("fifo", Self::FifoPerLink), ("list", Self::GlobalList)];

    /// The kind as it is written in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).expect("every kind has a word").0
    }
}
