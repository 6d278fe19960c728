//! Whether it pays to use a graph.

use std::time::Duration;

use everypath_explore::Exploration;

use super::{Graph, GraphCounts, Pilot};

/// What the use of a graph takes and saves: the averages and proportions by which the thesis on incremental exploration tells whether it can
/// pay. Times are in nanoseconds for each event.
///
/// States are named by content, not by hash codes, so what that takes (the thesis's H) is part of executing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reckoning {
    /// X: executing an event, and naming the state it leads to.
    pub executing: f64,
    /// Y: judging a state.
    pub judging: f64,
    /// L: finding a step in the graph.
    pub finding: f64,
    /// F: reading and loading the graph.
    pub loading: f64,
    /// A and R: looking states up and storing them, if that was measured.
    pub storing: Option<f64>,
    /// U: computing ranks, if that was measured.
    pub ranking: Option<f64>,
    /// N: putting states into the frontier, if that was measured.
    pub waiting: Option<f64>,
    /// q: the proportion of events that are modified.
    pub modified: f64,
    /// p: the proportion of the others that are found.
    pub found: f64,
    /// t: the proportion of events that lead to a new state.
    pub tree: f64,
    /// v: the proportion of events that lead to a safe state.
    pub safe: f64,
    /// What was saved in all, in seconds; what was lost, if that is negative.
    pub saved: f64,
}

impl Reckoning {
    /// The left side of the necessary condition: what reuse costs for each event that it serves.
    #[must_use]
    pub fn cost(&self) -> f64 {
        let Self { found, modified, .. } = self;
        self.loading / (found * (1.0 - modified)) + self.finding / found
    }

    /// The right side: what it saves for each of them. The thesis executes what leads to a new state all the
    /// same; here, that is not needed.
    #[must_use]
    pub fn gain(&self) -> f64 {
        self.judging + (1.0 - self.tree) * self.executing
    }

    /// Whether the necessary condition holds.
    #[must_use]
    pub fn can_pay(&self) -> bool {
        self.cost() < self.gain()
    }
}

impl Graph {
    /// What the use of the graph took and saved in an exploration that has ended; nothing if no graph
    /// was read, or none of its states was met.
    #[must_use]
    pub fn reckoning(&self, found: &Exploration) -> Option<Reckoning> {
        let counts = &found.counts;
        let events = counts.events.max(1) as f64;
        let mut reckoning = self.piloted()?;
        reckoning.loading = nanoseconds(self.counts.loading) / events;
        let per_event = |time: Duration| nanoseconds(time) / events;
        reckoning.storing = found.timings.map(|timings| per_event(timings.store));
        reckoning.ranking = found.timings.map(|timings| per_event(timings.ranking));
        reckoning.waiting = found.timings.map(|timings| per_event(timings.frontier));
        reckoning.tree = counts.tree_events as f64 / events;
        reckoning.safe = 1.0 - counts.unsafe_events as f64 / events;
        Some(reckoning)
    }

    /// What is known of that while the exploration goes on.
    #[must_use]
    pub fn piloted(&self) -> Option<Reckoning> {
        let Pilot { reading, judging, .. } = &self.pilot;
        let GraphCounts { hits, misses, modified, whole_events, loading, .. } = self.counts;
        if reading.states == 0 {
            return None;
        }
        let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
        let finding = reading.per_event();
        let executing = self.pilot.executing()?;
        let saved = whole_events as f64 * (executing - finding) - nanoseconds(loading);
        Some(Reckoning {
            executing,
            judging: judging.per_event(),
            finding,
            loading: nanoseconds(loading) / (hits + misses + modified).max(1) as f64,
            modified: share(modified, hits + misses + modified),
            found: share(hits, hits + misses),
            safe: 1.0,
            saved: saved / 1e9,
            ..Reckoning::default()
        })
    }
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}
