//! The cost and the gain of using a graph.

use std::time::Duration;

use everypath_explore::Exploration;

use super::{Graph, GraphCounts, Timings};

/// The cost and the gain of using a graph. Times are in nanoseconds per event.
///
/// The letters are those of Sobeih's thesis on incremental exploration; w is Everypath's own. Steps
/// are taken from a graph state by state: all steps out of a state or none. So a step from the
/// graph saves all of X, even if it leads to a new state. It does not save Y: every state is
/// judged. Loading costs F for every step that is looked up. So a graph saves time only if
/// F + wL < wX: if [`cost`](Self::cost) < [`gain`](Self::gain).
///
/// States are named by content, not by hash codes. That cost (the thesis's H) is part of X. Handlers
/// are executed once for each state of a node, and their outcomes are read from the graph as well.
/// That gain is not part of X, and is not counted.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{Changes, NetworkSpace, Reckoning, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(3));
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// space.record_graph();
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// // No graph was read, so nothing was saved.
/// assert_eq!(space.graph().unwrap().reckoning(&found), None);
/// // Times that were not measured are unknown.
/// assert_eq!(Reckoning::default().gain(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Reckoning {
    /// X: executing an event, and naming the state that it leads to; unknown if no event was
    /// executed.
    pub executing: Option<f64>,
    /// Y: judging a state; unknown if no step was found.
    pub judging: Option<f64>,
    /// L: finding a step in the graph; unknown if no step was found.
    pub finding: Option<f64>,
    /// F: reading and loading the graph.
    pub loading: f64,
    /// A and R: looking states up and storing them, if that was measured.
    pub storing: Option<f64>,
    /// U: computing ranks, if that was measured.
    pub ranking: Option<f64>,
    /// N: putting states into the frontier, if that was measured.
    pub waiting: Option<f64>,
    /// q: the proportion of steps of modified events.
    pub modified: f64,
    /// p: the proportion of the other steps that are found.
    pub found: f64,
    /// w: the proportion of steps out of states that are found whole, which are not executed.
    pub whole: f64,
    /// t: the proportion of events that lead to a new state.
    pub tree: f64,
    /// n: the proportion of events that lead to a known state.
    pub non_tree: f64,
    /// d: the proportion of events that lead to a state at the depth bound.
    pub deepest: f64,
    /// v: the proportion of events that lead to a safe state.
    pub safe: f64,
    /// The time saved in all, in seconds; negative if time was lost.
    pub saved: f64,
}

impl Reckoning {
    /// F/w + L: the cost of reuse for each step that is not executed; unknown if there is no such
    /// step.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        self.finding.filter(|_| self.whole > 0.0).map(|finding| self.loading / self.whole + finding)
    }

    /// X: the gain for each of these steps.
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        self.executing
    }

    /// Whether the necessary condition holds: reuse costs less than it saves.
    #[must_use]
    pub fn can_pay(&self) -> bool {
        is_less(self.cost(), self.gain())
    }

    /// The left side of the thesis's condition, F/(p(1-q)) + L/p.
    #[must_use]
    pub fn thesis_cost(&self) -> Option<f64> {
        let Self { found, modified, .. } = self;
        let served = found * (1.0 - modified);
        self.finding.filter(|_| served > 0.0).map(|finding| self.loading / served + finding / found)
    }

    /// Its right side, H + Y + (1-t)X, with H as a part of X. In the thesis, a step that is found
    /// is not judged, but executed if it leads to a new state.
    #[must_use]
    pub fn thesis_gain(&self) -> Option<f64> {
        Some(self.judging? + (1.0 - self.tree) * self.executing?)
    }

    /// Whether the thesis's condition holds.
    #[must_use]
    pub fn thesis_can_pay(&self) -> bool {
        is_less(self.thesis_cost(), self.thesis_gain())
    }
}

fn is_less(cost: Option<f64>, gain: Option<f64>) -> bool {
    cost.zip(gain).is_some_and(|(cost, gain)| cost < gain)
}

impl Graph {
    /// The cost and the gain of using the graph in an ended exploration; nothing if no graph was
    /// read.
    #[must_use]
    pub fn reckoning(&self, found: &Exploration) -> Option<Reckoning> {
        let Timings { reading, judging, executing } = &self.timings;
        let GraphCounts { hits, misses, modified, whole_events, loading, .. } = self.counts;
        let steps = hits + misses + modified;
        if steps == 0 {
            return None;
        }
        let counts = &found.counts;
        let per_event = |time: Duration| nanoseconds(time) / counts.events.max(1) as f64;
        let of_events = |part: u64| share(part, counts.events);
        let [executing, finding] = [executing, reading].map(super::Samples::per_event);
        let spared = executing.zip(finding).map_or(0.0, |(executing, finding)| executing - finding);
        let saved = whole_events as f64 * spared - nanoseconds(loading);
        Some(Reckoning {
            executing,
            judging: judging.per_event(),
            finding,
            loading: nanoseconds(loading) / steps as f64,
            storing: found.timings.map(|timings| per_event(timings.store)),
            ranking: found.timings.map(|timings| per_event(timings.ranking)),
            waiting: found.timings.map(|timings| per_event(timings.frontier)),
            modified: share(modified, steps),
            found: share(hits, hits + misses),
            whole: share(whole_events, steps),
            tree: of_events(counts.tree_events),
            non_tree: of_events(counts.non_tree_events),
            deepest: of_events(counts.deepest_events),
            safe: 1.0 - of_events(counts.unsafe_events),
            saved: saved / 1e9,
        })
    }
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time per event with and without a graph, computed from its parts: the condition is that
    /// the first is less.
    #[test]
    fn the_condition_is_that_a_search_takes_less_time() {
        let numbers = [1.0, 3.0, 10.0, 40.0];
        let all = numbers.iter().flat_map(|x| numbers.iter().map(move |l| (*x, *l)));
        let all = all.flat_map(|(x, l)| numbers.iter().map(move |f| (x, l, *f)));
        for (executing, finding, loading) in all {
            for whole in [0.0, 0.25, 1.0] {
                let reckoning = Reckoning {
                    executing: Some(executing),
                    finding: Some(finding),
                    loading,
                    whole,
                    ..Reckoning::default()
                };
                let with = loading + whole * finding + (1.0 - whole) * executing;
                assert_eq!(reckoning.can_pay(), with < executing, "{reckoning:?}");
            }
        }
    }

    /// The thesis gives these numbers for a run of ARQ, and says that its condition is violated.
    #[test]
    fn the_condition_of_the_thesis_is_violated_where_it_says_so() {
        let reckoning = Reckoning {
            // In nanoseconds, and H with X.
            executing: Some(31_080.0 + 11_880.0),
            judging: Some(5_550.0),
            finding: Some(8_770.0),
            loading: 2_950.0,
            modified: 0.2499,
            found: 0.0239,
            tree: 0.2517,
            ..Reckoning::default()
        };
        assert!(!reckoning.thesis_can_pay());
        assert_eq!(reckoning.thesis_cost().map(f64::round), Some(531_498.0));
        assert!(Reckoning { found: 0.999, modified: 0.0, ..reckoning }.thesis_can_pay());
    }
}
