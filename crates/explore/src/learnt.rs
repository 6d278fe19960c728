//! What the counterexamples of an earlier version teach a search: their events in order.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Described, EventId, EventText, StateId, map_bytes};

/// Runs of an earlier version, to [rank](crate::RankingPart::Learnt) states by: the more events of one
/// of them have happened on the way to a state, in their order, and the fewer others, the better the
/// state.
///
/// Of an event only its kind, its node and the first word of each of its parameters count, such as
/// the variant of a message. So a run fits a program in which handlers, numbers in messages or the
/// states of nodes have changed.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{EventText, Learnt, ModelSpace, Options, RankBy, RankingPart, Strategy, explore};
///
/// let grow = |by: &str| EventText {
///     node: None,
///     kind: "action".into(),
///     parameters: vec![("action".into(), by.into())],
///     sentence: by.into(),
/// };
/// // An earlier version violated its assertion when the counter grew by one, and twice by three.
/// let run = [grow("1"), grow("3"), grow("3")];
/// let rank_by = RankBy(vec![RankingPart::Learnt(Learnt::new([&run[..]]))]);
/// let options = Options::default().strategy(Strategy::BestFirst(rank_by));
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// assert_eq!(found.finding().unwrap().trace.steps.len(), 3);
/// assert_eq!(found.states_visited, 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learnt {
    runs: Arc<[Vec<String>]>,
}

impl Learnt {
    /// What these runs teach.
    pub fn new<'a>(runs: impl IntoIterator<Item = &'a [EventText]>) -> Self {
        let shapes = |run: &[EventText]| run.iter().map(shape).collect();
        Self { runs: runs.into_iter().map(shapes).collect() }
    }

    /// A digest of the runs, to the extent that they count.
    #[must_use]
    pub fn digest(&self) -> u64 {
        xxh3_64(format!("{:?}", self.runs).as_bytes())
    }
}

/// What counts of an event, as text.
fn shape(event: &EventText) -> String {
    let word = |value: &str| -> String {
        value.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect()
    };
    let words = event.parameters.iter().map(|(name, value)| format!(" {name}={}", word(value)));
    let node = event.node.map_or(String::new(), |node| format!("@{node}"));
    format!("{}{node}{}", event.kind, words.collect::<String>())
}

/// How much of each run has happened on the way to each state that was ranked.
///
/// A run of m events takes m bits: bit i is 0 if the longest common subsequence of the path with the
/// first i+1 events is longer than with the first i. Hyyrö's method brings all of them up to date
/// by a few operations on words, so that a step costs little more than the text of its event.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Followed {
    /// The place of each state among the paths.
    places: FxHashMap<StateId, u32>,
    /// Of each path the bits of all runs, and last its number of events.
    paths: Vec<u64>,
    #[serde(skip)]
    known: FxHashMap<String, Vec<u64>>,
    #[serde(skip)]
    path: Vec<u64>,
}

impl Followed {
    /// The rank of a state that was reached by a step: of the events on the path to it, those that one
    /// of the runs has in the same order, less the others.
    pub(crate) fn rank(
        &mut self,
        learnt: &Learnt,
        space: &impl Described,
        state: StateId,
        by: Option<(StateId, EventId)>,
    ) -> i64 {
        let width = width(learnt);
        self.path.clear();
        match by.and_then(|(before, event)| Some((*self.places.get(&before)?, before, event))) {
            None => {
                self.path.resize(width - 1, u64::MAX);
                self.path.push(0);
            }
            Some((place, before, event)) => {
                let start = place as usize * width;
                self.path.extend_from_slice(&self.paths[start..start + width]);
                let shape = shape(&space.event_text(before, event));
                let matches =
                    self.known.entry(shape).or_insert_with_key(|shape| matches(learnt, shape));
                follow(learnt, &mut self.path, matches);
                self.path[width - 1] += 1;
            }
        }
        let rank = score(learnt, &self.path);
        self.keep(learnt, state, rank);
        rank
    }

    /// Keeps the path to a state, unless it was reached on a better one before.
    fn keep(&mut self, learnt: &Learnt, state: StateId, rank: i64) {
        let width = self.path.len();
        let fresh = u32::try_from(self.places.len()).expect("there are fewer states than 2^32");
        let start = *self.places.entry(state).or_insert(fresh) as usize * width;
        match self.paths.get_mut(start..start + width) {
            None => self.paths.extend_from_slice(&self.path),
            Some(kept) if score(learnt, kept) < rank => kept.copy_from_slice(&self.path),
            Some(_) => {}
        }
    }

    /// Whether what was restored is whole.
    pub(crate) fn fits(&self, learnt: &Learnt) -> bool {
        let lengths = self.paths.chunks(width(learnt)).filter_map(<[u64]>::last);
        self.paths.len() == self.places.len() * width(learnt)
            && self.places.values().all(|&place| (place as usize) < self.places.len())
            && lengths.into_iter().all(|&length| length < u64::from(u32::MAX))
    }

    pub(crate) fn bytes(&self) -> usize {
        map_bytes(self.places.capacity(), size_of::<(StateId, u32)>())
            + self.paths.capacity() * size_of::<u64>()
    }
}

/// How many words a path takes.
fn width(learnt: &Learnt) -> usize {
    learnt.runs.iter().map(|run| words_of(run)).sum::<usize>() + 1
}

fn words_of(run: &[String]) -> usize {
    run.len().div_ceil(64)
}

/// In which places each run has an event of this shape, as bits.
fn matches(learnt: &Learnt, shape: &str) -> Vec<u64> {
    let mut bits = Vec::new();
    for run in &*learnt.runs {
        for part in run.chunks(64) {
            let has = |(at, event): (usize, &String)| u64::from(event == shape) << at;
            bits.push(part.iter().enumerate().map(has).sum());
        }
    }
    bits
}

/// One more event, for all runs.
fn follow(learnt: &Learnt, words: &mut [u64], matches: &[u64]) {
    let mut at = 0;
    for run in &*learnt.runs {
        let mut carry = false;
        for _ in 0..words_of(run) {
            let before = words[at];
            let (sum, over) = before.overflowing_add(before & matches[at]);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over || again;
            words[at] = sum | (before & !matches[at]);
            at += 1;
        }
    }
}

/// Of the events on a path, those that one of the runs has in the same order, less the others. Without
/// the others, a search cannot leave a path on which much has happened and nothing more will: it took
/// three times as many events on average over the pairs of bundled scenarios.
fn score(learnt: &Learnt, path: &[u64]) -> i64 {
    let (length, mut rest) = path.split_last().expect("a path has its length");
    let of = |run: &Vec<String>| {
        let (own, others) = rest.split_at(words_of(run));
        rest = others;
        own.iter().map(|word| i64::from(word.count_zeros())).sum::<i64>()
    };
    let shared = learnt.runs.iter().map(of).max().unwrap_or_default();
    2 * shared - i64::try_from(*length).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The longest common subsequence, by the table of the textbook.
    fn longest(one: &[String], other: &[String]) -> i64 {
        let mut row = vec![0; other.len() + 1];
        for event in one {
            let mut diagonal = 0;
            for (at, its) in other.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if event == its { diagonal + 1 } else { above.max(row[at]) };
                diagonal = above;
            }
        }
        row[other.len()]
    }

    fn events(most: usize) -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec((0..4_u8).prop_map(|kind| kind.to_string()), 0..most)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_bits_count_common_subsequences(
            runs in prop::collection::vec(events(150), 1..4),
            path in events(150),
        ) {
            let learnt = Learnt { runs: runs.clone().into() };
            let mut words = vec![u64::MAX; width(&learnt) - 1];
            words.push(0);
            for (length, event) in (1..).zip(&path) {
                follow(&learnt, &mut words, &matches(&learnt, event));
                *words.last_mut().unwrap() = length;
            }
            let shared = runs.iter().map(|run| longest(&path, run)).max().unwrap_or_default();
            prop_assert_eq!(score(&learnt, &words), 2 * shared - path.len() as i64);
        }
    }

    #[test]
    fn of_an_event_only_the_first_words_count() {
        let event = |kind: &str, node, message: &str| EventText {
            node: Some(node),
            kind: kind.to_owned(),
            parameters: vec![
                ("from".to_owned(), "n0".to_owned()),
                ("message".to_owned(), message.to_owned()),
            ],
            sentence: "whatever".to_owned(),
        };
        let reply = shape(&event("deliver", 1, "Reply { number: 4 }"));
        assert_eq!(reply, "deliver@1 from=n0 message=Reply");
        assert_eq!(reply, shape(&event("deliver", 1, "Reply { number: 5 }")));
        for other in [
            event("lose", 1, "Reply { number: 4 }"),
            event("deliver", 2, "Reply { number: 4 }"),
            event("deliver", 1, "Request { number: 4 }"),
        ] {
            assert_ne!(reply, shape(&other));
        }
    }
}
