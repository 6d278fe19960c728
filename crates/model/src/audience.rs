//! Audiences: which nodes hear a broadcast.

use std::{fmt, str::FromStr, sync::Arc};

use thiserror::Error;

use crate::{NodeId, panics};

/// The syntax of an audience, for messages.
pub(crate) const AUDIENCE_SYNTAX: &str =
    "all, or how many neighbours hear a broadcast at most (1 or more)";

/// The possible audiences of a sender with these neighbours.
type Sets = Arc<dyn Fn(NodeId, &[NodeId]) -> Vec<Vec<NodeId>> + Send + Sync>;

/// Which nodes hear a broadcast. It is decided when the broadcast is sent: an exploration tries
/// every possible audience, a simulation draws one. A message to one node always goes to that node.
///
/// With [`AtMost`](Self::AtMost), nodes move freely: each broadcast is heard by any set of at most
/// that many neighbours, whatever sets heard the broadcasts before.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Audience, NodeId, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::full_mesh(5)).audience(Audience::AtMost(2));
/// let heard_by = scenario.audience.of(NodeId(0), scenario.topology.neighbours(NodeId(0))).unwrap();
/// // Two of four nodes, one of them, or none.
/// assert_eq!(heard_by.len(), 6 + 4 + 1);
/// assert_eq!(heard_by.get(0), [NodeId(1), NodeId(2)]);
/// assert!(heard_by.get(10).is_empty());
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Audience {
    /// All neighbours.
    #[default]
    All,
    /// Any set of at most this many neighbours.
    AtMost(u32),
    /// One of the sets that a function gives for a sender and its neighbours; see
    /// [`one_of`](Self::one_of).
    OneOf(Sets),
}

impl Audience {
    /// One of the sets that a function gives. It must depend on the sender and its neighbours alone.
    ///
    /// ```
    /// use everypath_model::{Audience, NodeId};
    ///
    /// // Those on one side, or those on the other.
    /// let beam = Audience::one_of(|sender, neighbours| {
    ///     let (left, right) = neighbours.iter().partition(|&&node| node < sender);
    ///     vec![left, right]
    /// });
    /// let heard_by = beam.of(NodeId(1), &[NodeId(0), NodeId(2), NodeId(3)]).unwrap();
    /// assert_eq!(heard_by.get(0), [NodeId(2), NodeId(3)]);
    /// assert_eq!(heard_by.get(1), [NodeId(0)]);
    /// ```
    pub fn one_of(
        sets: impl Fn(NodeId, &[NodeId]) -> Vec<Vec<NodeId>> + Send + Sync + 'static,
    ) -> Self {
        Self::OneOf(Arc::new(sets))
    }

    /// Whether all neighbours hear every broadcast.
    #[must_use]
    pub fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }

    /// The possible audiences of a sender.
    ///
    /// # Errors
    /// If there are none, more than 2^64, or some that are not sets of neighbours.
    pub fn of(&self, sender: NodeId, neighbours: &[NodeId]) -> Result<AudiencesOf, AudienceError> {
        let most = match self {
            Self::All => return Ok(AudiencesOf::Listed(vec![neighbours.to_vec()])),
            Self::AtMost(most) => (*most as usize).min(neighbours.len()),
            Self::OneOf(sets) => return listed(sets, sender, neighbours),
        };
        let count = (0..=most)
            .try_fold(0_u64, |sum, size| sum.checked_add(sets_of_size(neighbours.len(), size)?));
        match count {
            Some(count) => Ok(AudiencesOf::Subsets { of: neighbours.to_vec(), most, count }),
            None => Err(AudienceError::TooMany { most, neighbours: neighbours.len() }),
        }
    }
}

/// The audiences that a function gives.
fn listed(
    sets: &Sets,
    sender: NodeId,
    neighbours: &[NodeId],
) -> Result<AudiencesOf, AudienceError> {
    let ask = || {
        let mut all = sets(sender, neighbours);
        for set in &mut all {
            set.sort_unstable();
            set.dedup();
        }
        all.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        all.dedup();
        all
    };
    let caught =
        |panic: panics::Panic| AudienceError::Panicked { sender, panic: panic.to_string() };
    let all = panics::catch(ask).map_err(caught)?;
    if panics::catch(ask).map_err(caught)? != all {
        return Err(AudienceError::Nondeterministic { sender });
    }
    if all.is_empty() {
        return Err(AudienceError::NoSet { sender });
    }
    match all.iter().flatten().find(|&node| !neighbours.contains(node)) {
        Some(&stranger) => Err(AudienceError::NoNeighbour { sender, stranger }),
        None => Ok(AudiencesOf::Listed(all)),
    }
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::AtMost(most) => write!(f, "{most}"),
            Self::OneOf(_) => f.write_str("one of the sets that the scenario gives"),
        }
    }
}

impl fmt::Debug for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Audience {
    type Err = AudienceSyntaxError;

    fn from_str(text: &str) -> Result<Self, AudienceSyntaxError> {
        match (text, text.parse()) {
            ("all", _) => Ok(Self::All),
            (_, Ok(most)) if most > 0 => Ok(Self::AtMost(most)),
            _ => Err(AudienceSyntaxError { text: text.to_owned() }),
        }
    }
}

/// A text that is not an audience.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is not an audience; write {AUDIENCE_SYNTAX}")]
#[non_exhaustive]
pub struct AudienceSyntaxError {
    /// The text.
    pub text: String,
}

/// Why the audiences of a sender cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AudienceError {
    /// No broadcast would ever be heard.
    #[error(
        "an audience of at most 0 nodes: no broadcast would ever be heard; give 1 or more, or `Audience::one_of` with the empty set alone"
    )]
    Zero,
    /// More than any node has neighbours.
    #[error(
        "an audience of at most {most} nodes, but no node has more than {neighbours} neighbours; give at most {neighbours}, which is any set of neighbours, or `all`"
    )]
    Larger {
        /// The size.
        most: u32,
        /// The largest number of neighbours.
        neighbours: usize,
    },
    /// More sets than can be numbered.
    #[error(
        "there are more than 2^64 sets of at most {most} of {neighbours} neighbours; make the audience or the neighbourhood smaller"
    )]
    TooMany {
        /// The size of the largest set.
        most: usize,
        /// The number of neighbours.
        neighbours: usize,
    },
    /// No set.
    #[error(
        "the scenario gives no audience for broadcasts of {sender}; give at least one set, which may be empty"
    )]
    NoSet {
        /// The sender.
        sender: NodeId,
    },
    /// A set with a node that is not a neighbour.
    #[error(
        "the scenario lets {stranger} hear broadcasts of {sender}, which is not its neighbour; name neighbours only, or link the two"
    )]
    NoNeighbour {
        /// The sender.
        sender: NodeId,
        /// The node.
        stranger: NodeId,
    },
    /// Other sets when asked again.
    #[error(
        "the scenario gives other audiences for broadcasts of {sender} when it is asked again; they must depend on the sender and its neighbours alone"
    )]
    Nondeterministic {
        /// The sender.
        sender: NodeId,
    },
    /// The function panicked.
    #[error("the audiences of {sender}: the function that gives them panicked: {panic}")]
    Panicked {
        /// The sender.
        sender: NodeId,
        /// The message of the panic.
        panic: String,
    },
}

/// The possible audiences of one sender: the largest first, those of one size in the order of their
/// nodes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AudiencesOf {
    /// All subsets up to a size.
    Subsets {
        /// The neighbours, in order.
        of: Vec<NodeId>,
        /// The largest size.
        most: usize,
        /// How many subsets there are.
        count: u64,
    },
    /// These sets.
    Listed(Vec<Vec<NodeId>>),
}

impl AudiencesOf {
    /// How many there are: at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> u64 {
        match self {
            Self::Subsets { count, .. } => *count,
            Self::Listed(sets) => sets.len() as u64,
        }
    }

    /// One of them.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn get(&self, mut index: u64) -> Vec<NodeId> {
        let (of, most) = match self {
            Self::Subsets { of, most, .. } => (of, *most),
            Self::Listed(sets) => {
                return sets[usize::try_from(index).unwrap_or(usize::MAX)].clone();
            }
        };
        for size in (0..=most).rev() {
            let sets = sets_of_size(of.len(), size).expect("all subsets can be counted");
            match index.checked_sub(sets) {
                Some(rest) => index = rest,
                None => return subset(of, size, index),
            }
        }
        panic!("there are only {} audiences", self.len());
    }
}

/// The subset of a size at an index, in the order of their members.
fn subset(of: &[NodeId], mut size: usize, mut index: u64) -> Vec<NodeId> {
    let mut members = Vec::with_capacity(size);
    for (place, &node) in of.iter().enumerate() {
        if size == 0 {
            break;
        }
        let with = sets_of_size(of.len() - place - 1, size - 1).expect("a part of all subsets");
        match index.checked_sub(with) {
            Some(rest) => index = rest,
            None => {
                members.push(node);
                size -= 1;
            }
        }
    }
    members
}

/// How many subsets of a size there are, if that fits.
fn sets_of_size(of: usize, size: usize) -> Option<u64> {
    if size > of {
        return Some(0);
    }
    let size = size.min(of - size);
    // Each intermediate result is itself a number of subsets, times at most the next factor.
    let product = (1..=size as u128)
        .try_fold(1_u128, |sets, factor| Some(sets.checked_mul(of as u128 - factor + 1)? / factor));
    u64::try_from(product?).ok()
}

/// The decisions in one event besides its input: what its handler chose, and which nodes heard its
/// broadcasts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// The choices of the handler.
    pub choices: Vec<u32>,
    /// The audience of each of its broadcasts; empty if all neighbours hear every broadcast.
    pub audiences: Vec<Vec<NodeId>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(numbers: &[u32]) -> Vec<NodeId> {
        numbers.iter().copied().map(NodeId).collect()
    }

    #[test]
    fn audiences_are_all_subsets_largest_first() {
        for neighbours in 0..8_u32 {
            let all = nodes(&(1..=neighbours).collect::<Vec<_>>());
            for most in 0..=neighbours {
                let audiences = Audience::AtMost(most).of(NodeId(0), &all).unwrap();
                let listed: Vec<Vec<NodeId>> =
                    (0..audiences.len()).map(|index| audiences.get(index)).collect();
                // The subsets as bits of a number.
                let mut expected: Vec<Vec<NodeId>> = (0..1_u32 << neighbours)
                    .filter(|bits| bits.count_ones() <= most)
                    .map(|bits| (0..neighbours).filter(move |bit| bits >> bit & 1 == 1))
                    .map(|members| members.map(|bit| NodeId(bit + 1)).collect())
                    .collect();
                expected.sort_by_key(|set| (usize::MAX - set.len(), set.clone()));
                assert_eq!(listed, expected, "{most} of {neighbours}");
            }
        }
    }

    #[test]
    fn five_nodes_of_which_two_hear_have_eleven_audiences() {
        let audiences = Audience::AtMost(2).of(NodeId(1), &nodes(&[2, 3, 4, 5])).unwrap();
        assert_eq!(audiences.len(), 11);
        let counts = (2..=6_usize).map(|size| {
            let others: Vec<NodeId> = (1..size as u32).map(NodeId).collect();
            Audience::AtMost(2).of(NodeId(0), &others).unwrap().len()
        });
        assert_eq!(counts.collect::<Vec<_>>(), [2, 4, 7, 11, 16]);
    }

    #[test]
    fn a_large_neighbourhood_is_counted_without_listing_it() {
        let all: Vec<NodeId> = (1..=63).map(NodeId).collect();
        let audiences = Audience::AtMost(63).of(NodeId(0), &all).unwrap();
        assert_eq!(audiences.len(), 1 << 63);
        assert_eq!(audiences.get(0), all);
        assert!(audiences.get((1 << 63) - 1).is_empty());
        let more: Vec<NodeId> = (1..=64).map(NodeId).collect();
        let error = Audience::AtMost(64).of(NodeId(0), &more).unwrap_err();
        assert_eq!(error, AudienceError::TooMany { most: 64, neighbours: 64 });
        assert_eq!(Audience::AtMost(2).of(NodeId(0), &more).unwrap().len(), 2016 + 64 + 1);
    }

    #[test]
    fn listed_sets_are_ordered_and_checked() {
        let of = |sets: &'static [&'static [u32]]| {
            Audience::one_of(move |_, _| sets.iter().map(|set| nodes(set)).collect())
                .of(NodeId(0), &nodes(&[1, 2, 3]))
        };
        let listed = of(&[&[], &[3, 1, 3], &[2], &[1, 3], &[1, 2]]).unwrap();
        let listed: Vec<_> = (0..listed.len()).map(|index| listed.get(index)).collect();
        assert_eq!(listed, [&[1, 2][..], &[1, 3], &[2], &[]].map(nodes));
        assert_eq!(of(&[]).unwrap_err(), AudienceError::NoSet { sender: NodeId(0) });
        let (sender, stranger) = (NodeId(0), NodeId(7));
        assert_eq!(of(&[&[7]]).unwrap_err(), AudienceError::NoNeighbour { sender, stranger });
    }

    #[test]
    fn a_function_that_changes_its_mind_or_panics_is_named() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let times = AtomicU32::new(0);
        let fickle = Audience::one_of(move |_, neighbours| {
            vec![neighbours[..times.fetch_add(1, Ordering::Relaxed) as usize % 2].to_vec()]
        });
        let sender = NodeId(0);
        let error = fickle.of(sender, &nodes(&[1])).unwrap_err();
        assert_eq!(error, AudienceError::Nondeterministic { sender });
        let error = Audience::one_of(|_, _| panic!("no map")).of(sender, &[]).unwrap_err();
        assert!(
            matches!(error, AudienceError::Panicked { panic, .. } if panic.starts_with("no map"))
        );
    }

    #[test]
    fn words_are_read_back() {
        for text in ["all", "1", "17"] {
            assert_eq!(text.parse::<Audience>().unwrap().to_string(), text);
        }
        for wrong in ["0", "-1", "some", "", "1.5"] {
            assert!(wrong.parse::<Audience>().is_err(), "{wrong}");
        }
    }
}
