//! Reductions: states that need not be explored, because others show the same.

mod audiences;
mod obsolete;
mod ranks;

use std::fmt;

use everypath_explore::StateId;

pub(crate) use self::{
    audiences::MaximalAudiences,
    obsolete::ObsoletePackets,
    ranks::{Numbers, Ranks, keep},
};

use crate::nodes::Outcomes;

/// The reductions of a space. Each is refused where it would be unsound, and what it relies on is
/// verified.
///
/// ```
/// use everypath_network::Reductions;
///
/// let both = Reductions::default().ranks(true).obsolete(true);
/// assert_eq!(both.to_string(), "ranks,obsolete");
/// assert_eq!(Reductions::NONE.to_string(), "none");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reductions {
    /// Numbers that are only compared are renamed to their ranks, if the scenario
    /// [says so](everypath_model::Scenario::numbers_by_rank).
    pub ranks: bool,
    /// Packets that make no difference any more are dropped, if the scenario
    /// [says which](everypath_model::Scenario::obsolete).
    pub obsolete: bool,
    /// Of the possible audiences of a broadcast, only the largest are tried.
    pub audiences: bool,
}

everypath_model::setters!(Reductions { ranks: bool, obsolete: bool, audiences: bool });

impl Reductions {
    /// No reduction.
    pub const NONE: Self = Self { ranks: false, obsolete: false, audiences: false };

    /// The names of all reductions.
    pub const NAMES: [&'static str; 3] = ["ranks", "obsolete", "audiences"];

    /// The reductions with one more; nothing if there is none of this name.
    #[must_use]
    pub fn with(self, name: &str) -> Option<Self> {
        match name {
            "ranks" => Some(Self { ranks: true, ..self }),
            "obsolete" => Some(Self { obsolete: true, ..self }),
            "audiences" => Some(Self { audiences: true, ..self }),
            _ => None,
        }
    }

    /// The names of those that are on.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let on = [self.ranks, self.obsolete, self.audiences];
        Self::NAMES.into_iter().zip(on).filter(|(_, on)| *on).map(|(name, _)| name).collect()
    }
}

impl fmt::Display for Reductions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.names().as_slice() {
            [] => f.write_str("none"),
            names => f.write_str(&names.join(",")),
        }
    }
}

/// How often reductions were applied, and what was verified of what they rely on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReductionCounts {
    /// How many states were renamed.
    pub renamed: u64,
    /// How many handler executions were compared with one on other numbers.
    pub executions_compared: u64,
    /// How many pairs of node states before and after a renaming were judged alike.
    pub worlds_compared: u64,
    /// How many states were expanded before and after a renaming, with the same successors.
    pub states_compared: u64,
    /// How many steps led to a state from which obsolete packets were dropped.
    pub dropped: u64,
    /// How many pairs of a node state and an obsolete packet were verified.
    pub obsolete_verified: u64,
    /// How many steps were skipped because a larger audience shows the same.
    pub smaller_audiences: u64,
}

/// The data of the reductions that are on.
#[derive(Default)]
pub(crate) struct Reducer {
    pub(crate) ranks: Option<Ranks>,
    pub(crate) obsolete: Option<ObsoletePackets>,
    pub(crate) audiences: Option<MaximalAudiences>,
    pub(crate) counts: ReductionCounts,
    /// By outcome: what reductions need to know of it.
    pub(crate) facts: Vec<Option<Facts>>,
    /// The outcomes of the last event: its tuple and its name without a branch.
    pub(crate) last_event: Option<(u32, u64, Outcomes)>,
    /// The last state, and the nodes whose mailboxes have a packet there, as bits.
    pub(crate) last_occupied: Option<(StateId, u64)>,
    /// A buffer for the packets of a network.
    pub(crate) packets: Vec<u32>,
}

/// What reductions need to know of an outcome.
#[derive(Default)]
pub(crate) struct Facts {
    /// The nodes that each larger audience of one of its broadcasts has besides, as bits; no node,
    /// if it does not matter whether their mailboxes are empty.
    pub(crate) larger: Vec<u64>,
    /// The numbers in it that its input does not have.
    pub(crate) fresh: Numbers,
}

impl Reducer {
    /// The reducer of these reductions; nothing if there are none.
    pub(crate) fn new(reductions: Reductions, nodes: usize) -> Option<Box<Self>> {
        let Reductions { ranks, obsolete, audiences } = reductions;
        (reductions != Reductions::NONE).then(|| {
            Box::new(Self {
                ranks: ranks.then(|| Ranks::new(nodes)),
                obsolete: obsolete.then(ObsoletePackets::default),
                audiences: audiences.then(MaximalAudiences::default),
                ..Self::default()
            })
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.ranks.as_ref().map_or(0, Ranks::bytes)
            + self.obsolete.as_ref().map_or(0, ObsoletePackets::bytes)
            + self.facts.capacity() * size_of::<Option<Facts>>()
    }
}
