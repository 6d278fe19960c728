//! Counts of comparisons, by kind.

use std::collections::BTreeMap;

/// The kinds of comparisons.
pub const KINDS: &[&str] = &[
    "network unordered",
    "network fifo",
    "network list",
    "network inbox:1",
    "network inbox, larger",
    "capacity, the newest is lost",
    "capacity, the oldest is lost",
    "timeouts",
    "reboots of some nodes",
    "audiences",
    "late addressing",
    "loss",
    "duplication",
    "reboot",
    "link failure",
    "link return",
    "assumptions",
    "prunings",
    "goals",
    "assertions about ends",
    "bounds",
    "choices at the start",
    "orders of timers and events",
    "violated",
    "holds",
    "a handler panics",
    "an end is an error",
    "no depth bound",
    "depth bound",
    "bfs, every count",
    "bfs",
    "dfs",
    "dfs-r",
    "best",
    "biased",
    "deepening",
    "beam",
    "walk",
    "add current",
    "shuffle",
    "every count without a bound",
    "states by depth under a bound",
    "store fingerprint",
    "store bitstate",
    "relation simulated",
    "relation equal worlds",
    "relation fewer packets",
    "refused options",
    "refused conditions",
    "refused in the middle",
    "2 workers",
    "3 workers",
    "first violation",
    "each assertion",
    "keep going",
    "verify determinism",
    "require",
    "disable",
    "deadlock",
    "memo written",
    "memo read",
    "graph written",
    "graph read",
    "resumed",
    "shortest counterexample",
    "counterexample run again",
    "shorter counterexample run again",
    "witness run again",
];

/// How often each kind of comparison was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Protocols.
    pub cases: u64,
    /// Explorations by Everypath.
    pub searches: u64,
    /// Worlds of the brute force.
    pub states: u64,
    counts: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Counts a comparison of a kind.
    ///
    /// # Panics
    /// If there is no such kind.
    pub fn add(&mut self, kind: &'static str) {
        debug_assert!(KINDS.contains(&kind), "{kind}");
        *self.counts.entry(kind).or_default() += 1;
    }

    /// Counts a comparison of a kind, under a condition.
    pub fn add_if(&mut self, so: bool, kind: &'static str) {
        if so {
            self.add(kind);
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.cases += other.cases;
        self.searches += other.searches;
        self.states += other.states;
        for (kind, count) in &other.counts {
            *self.counts.entry(kind).or_default() += count;
        }
    }

    /// All kinds with their counts.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, u64)> {
        KINDS.iter().map(|kind| (*kind, self.counts.get(kind).copied().unwrap_or(0)))
    }
}
