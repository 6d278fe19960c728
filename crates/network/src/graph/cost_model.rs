//! The cost and the gain of using a graph.

use std::time::Duration;

use everypath_explore::Exploration;

use super::{Graph, GraphCounts, Timings};

/// The cost and the gain of using a graph. Times are in nanoseconds per event.
///
/// The letters are those of Sobeih's thesis on incremental exploration; w, z, s, y, P and E are
/// Everypath's own. The steps out of a state that is found whole (w of all events) are copied, which
/// takes L each. A state that is found in part is enumerated, and its known steps are not executed:
/// that takes P for each of its events (z). Both save X. Loading costs F for every event. If the
/// handler of every event is executed, a hit that leads to no new state (s) saves E. If the
/// assertions are the same, a hit (y) saves Y. So a graph saves time only if
/// F + wL + zP < (w+z)X + sE + yY: if [`cost`](Self::cost) < [`gain`](Self::gain).
///
/// States are named by content, not by hash codes. That cost (the thesis's H) is part of X.
/// Memoised executions of handlers are read from the graph, too. That gain is not part of X, and is
/// not counted.
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
/// // If nothing was found, neither was what finding costs.
/// assert_eq!(Reckoning::default().cost(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Reckoning {
    /// X: enumerating an event with the memoised outcome of its handler, and naming the state that it
    /// leads to; unknown if no state was expanded without the graph.
    pub executing: Option<f64>,
    /// E: executing the handler of an event, if that is done for every event.
    pub handling: Option<f64>,
    /// Y: judging a state; unknown if none was judged.
    pub judging: Option<f64>,
    /// L: finding a step of a state that is found whole; unknown if there is none.
    pub finding: Option<f64>,
    /// P: expanding a state that is found in part, for each event; unknown if there is none.
    pub completing: Option<f64>,
    /// F: reading and loading the graph.
    pub loading: f64,
    /// A and R: looking states up and storing them, if that was measured.
    pub storing: Option<f64>,
    /// U: computing ranks, if that was measured.
    pub ranking: Option<f64>,
    /// N: putting states into the frontier, if that was measured.
    pub waiting: Option<f64>,
    /// q: the proportion of explored events that are modified.
    pub modified: f64,
    /// p: the proportion of the others whose step is found.
    pub found: f64,
    /// w: the proportion of explored events out of states that are found whole.
    pub whole: f64,
    /// z: the proportion of explored events out of states that are found in part.
    pub part: f64,
    /// s: the proportion of explored events that are hits and lead to no new state.
    pub spared: f64,
    /// y: the proportion of explored events that are hits and lead to a state that is not judged.
    pub unjudged: f64,
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
    /// F + wL + zP: the time that the graph takes for each event; unknown if nothing was found.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        let Self { loading, whole, part, finding, completing, .. } = *self;
        let found = whole + part > 0.0;
        Some(loading + times(whole, finding)? + times(part, completing)?).filter(|_| found)
    }

    /// (w+z)X + sE + yY: what the same would have taken without it.
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        let Self { whole, part, spared, unjudged, .. } = *self;
        let handling = self.handling.map_or(0.0, |handling| spared * handling);
        let judging = self.judging.map_or(0.0, |judging| unjudged * judging);
        Some(times(whole + part, self.executing)? + handling + judging)
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

    /// Its right side, H + Y + (1-t)X. In the thesis, a step that is found is not judged, but executed
    /// if it leads to a new state. If the handler of every event is executed, E is the thesis's X, and
    /// our X its H; otherwise, H is a part of X.
    #[must_use]
    pub fn thesis_gain(&self) -> Option<f64> {
        let (naming, executing) = match self.handling {
            Some(handling) => (self.executing?, handling),
            None => (0.0, self.executing?),
        };
        Some(naming + self.judging? + (1.0 - self.tree) * executing)
    }

    /// Whether the thesis's condition holds.
    #[must_use]
    pub fn thesis_can_pay(&self) -> bool {
        is_less(self.thesis_cost(), self.thesis_gain())
    }
}

/// A share of a time; nothing of an unknown one is known only if there is no share.
fn times(share: f64, time: Option<f64>) -> Option<f64> {
    if share == 0.0 { Some(0.0) } else { time.map(|time| share * time) }
}

fn is_less(cost: Option<f64>, gain: Option<f64>) -> bool {
    cost.zip(gain).is_some_and(|(cost, gain)| cost < gain)
}

impl Graph {
    /// The cost and the gain of using the graph in an ended exploration; nothing if no graph was
    /// read.
    #[must_use]
    pub fn reckoning(&self, found: &Exploration) -> Option<Reckoning> {
        let Timings { reading, executing, completing, handling, .. } = &self.timings;
        let Timings { judging, judging_once_more, .. } = &self.timings;
        let GraphCounts { events, hits, misses, modified, kept_hits, .. } = self.counts;
        let GraphCounts { whole_events, part_events, unjudged, loading, .. } = self.counts;
        if events == 0 {
            return None;
        }
        let counts = &found.counts;
        let per_event = |time: Duration| nanoseconds(time) / counts.events.max(1) as f64;
        let of_events = |part: u64| share(part, counts.events);
        let mut reckoning = Reckoning {
            executing: executing.per_event(),
            handling: handling.per_event(),
            judging: judging_once_more.per_event().or(judging.per_event()),
            finding: reading.per_event(),
            completing: completing.per_event(),
            loading: nanoseconds(loading) / events as f64,
            storing: found.timings.map(|timings| per_event(timings.store())),
            ranking: found.timings.map(|timings| per_event(timings.ranking)),
            waiting: found.timings.map(|timings| per_event(timings.frontier)),
            modified: share(modified, events),
            found: share(hits, hits + misses),
            whole: share(whole_events, events),
            part: share(part_events, events),
            spared: share(hits - kept_hits, events),
            unjudged: share(unjudged, events),
            tree: of_events(counts.tree_events),
            non_tree: of_events(counts.non_tree_events),
            deepest: of_events(counts.deepest_events),
            safe: 1.0 - of_events(counts.unsafe_events),
            saved: -nanoseconds(loading) / 1e9,
        };
        if let (Some(cost), Some(gain)) = (reckoning.cost(), reckoning.gain()) {
            reckoning.saved = (gain - cost) * events as f64 / 1e9;
        }
        Some(reckoning)
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
        let times = [1.0, 3.0, 10.0, 40.0];
        let all = times.iter().flat_map(|x| times.iter().map(move |l| (*x, *l)));
        let all = all.flat_map(|(x, l)| times.iter().map(move |f| (x, l, *f)));
        for (x, l, f) in all {
            for (w, z, s, y) in [
                (0.0, 0.0, 0.0, 0.0),
                (0.25, 0.5, 0.3, 0.4),
                (1.0, 0.0, 0.9, 1.0),
                (0.0, 1.0, 0.2, 0.0),
            ] {
                let (e, j, p) = (7.0 * l, 2.0 * f, x * 1.1);
                let reckoning = Reckoning {
                    executing: Some(x),
                    handling: Some(e),
                    judging: Some(j),
                    finding: Some(l),
                    completing: Some(p),
                    loading: f,
                    whole: w,
                    part: z,
                    spared: s,
                    unjudged: y,
                    ..Reckoning::default()
                };
                let without = x + e + j;
                let with = f + w * l + z * p + (1.0 - w - z) * x + (1.0 - s) * e + (1.0 - y) * j;
                assert_eq!(reckoning.can_pay(), with < without && w + z > 0.0, "{reckoning:?}");
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
