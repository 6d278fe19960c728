//! Samples of the visited states, for those who want to know what grows with depth.

use crate::StateId;

/// The most depths in a sample: in a deeper search, depths are taken at equal distances.
const DEPTHS_MAX: usize = 40;
/// How many states of each depth a sample has at least, if there are that many.
const STATES_PER_DEPTH: usize = 32;

/// States of one depth that a search has visited, chosen by their place in the order of the search alone: the first,
/// the last, and others at equal distances.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Limits, ModelSpace, Options, Stop, explore};
///
/// // A search that a limit ends has a sample of what it saw.
/// let options = Options::default().limits(Limits::default().states(50)).stop(Stop::Never);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// let first = &found.sample[0];
/// assert_eq!((first.depth, first.visited, first.states.len()), (0, 1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DepthSample {
    /// The number of events before these states.
    pub depth: u32,
    /// How many states the search has visited at this depth.
    pub visited: u64,
    /// Those of the sample, in the order of the search.
    pub states: Vec<StateId>,
}

/// Takes a sample of states, which come in any order of depths. `total` is about how many states it should have, if
/// more than a few of each depth.
pub(crate) fn sample(
    visited: &[u64],
    total: usize,
    states: impl Iterator<Item = (usize, StateId)>,
) -> Vec<DepthSample> {
    let depths: Vec<usize> = (0..visited.len()).filter(|&depth| visited[depth] > 0).collect();
    let all: u64 = visited.iter().sum();
    let taken = evenly(depths.len(), if total > 0 { depths.len() } else { DEPTHS_MAX });
    let mut pickers: Vec<Option<Picker>> = Vec::new();
    pickers.resize_with(visited.len(), || None);
    for depth in taken.map(|place| depths[place]) {
        let share = visited[depth] as f64 / all as f64 * total as f64;
        let most = STATES_PER_DEPTH.max(share.ceil() as usize);
        pickers[depth] = Some(Picker::new(visited[depth] as usize, most));
    }
    for (depth, state) in states {
        if let Some(picker) = pickers.get_mut(depth).and_then(Option::as_mut) {
            picker.offer(state);
        }
    }
    let picked = pickers.into_iter().zip(visited).enumerate();
    let sampled = picked.filter_map(|(depth, (picker, &visited))| {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        Some(DepthSample { depth, visited, states: picker?.states })
    });
    sampled.collect()
}

/// The places of at most this many of so long a list: the first, the last, and others at equal distances.
fn evenly(len: usize, most: usize) -> impl Iterator<Item = usize> {
    let taken = len.min(most.max(2));
    (0..taken).map(move |turn| if taken == 1 { 0 } else { turn * (len - 1) / (taken - 1) })
}

/// Picks some of a list whose elements pass by.
struct Picker {
    places: Vec<usize>,
    passed: usize,
    states: Vec<StateId>,
}

impl Picker {
    fn new(len: usize, most: usize) -> Self {
        let places = evenly(len, most).collect();
        Self { places, passed: 0, states: Vec::new() }
    }

    fn offer(&mut self, state: StateId) {
        if self.places.get(self.states.len()) == Some(&self.passed) {
            self.states.push(state);
        }
        self.passed += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(visited: &[u64], total: usize) -> Vec<DepthSample> {
        let states = visited.iter().enumerate();
        let states = states.flat_map(|(depth, &many)| {
            (0..many).map(move |place| (depth, StateId((depth as u64) << 32 | place)))
        });
        sample(visited, total, states)
    }

    #[test]
    fn the_first_and_the_last_of_each_depth_are_taken() {
        let taken = of(&[1, 2, 1000], 0);
        let lengths: Vec<usize> = taken.iter().map(|it| it.states.len()).collect();
        assert_eq!(lengths, [1, 2, STATES_PER_DEPTH]);
        let last = &taken[2].states;
        assert_eq!(
            (last[0], last[STATES_PER_DEPTH - 1]),
            (StateId(2 << 32), StateId(2 << 32 | 999))
        );
        assert!(last.is_sorted_by(|one, next| one < next), "each once");
    }

    #[test]
    fn a_deep_search_is_sampled_at_equal_distances() {
        let taken = of(&vec![1; 1001], 0);
        assert_eq!(taken.len(), DEPTHS_MAX);
        assert_eq!((taken[0].depth, taken[DEPTHS_MAX - 1].depth), (0, 1000));
        let steps = taken.windows(2).map(|pair| pair[1].depth - pair[0].depth);
        assert!(steps.into_iter().all(|step| (25..=26).contains(&step)));
    }

    #[test]
    fn a_large_sample_has_a_share_of_each_depth() {
        let taken = of(&[1, 0, 100, 9900], 1000);
        let lengths: Vec<(u32, usize)> =
            taken.iter().map(|it| (it.depth, it.states.len())).collect();
        assert_eq!(lengths, [(0, 1), (2, STATES_PER_DEPTH), (3, 990)]);
    }

    #[test]
    fn a_sample_of_nothing_is_empty() {
        assert_eq!(of(&[], 0), []);
        assert_eq!(of(&[0, 0], 10), []);
    }
}
