//! What is true of a graph, found in the plainest way.

use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry};

use everypath_explore::Ended;

use super::graph::{ASSERTIONS, Graph};

/// What a whole search within a bound finds.
pub struct Truth {
    /// The safe states with their distance from the start.
    pub safe: BTreeMap<usize, u32>,
    /// The unsafe states that are reached through safe ones, with their distance.
    pub unsafe_states: BTreeMap<usize, u32>,
    /// The states that are expanded.
    pub expanded: BTreeSet<usize>,
    /// Edges out of expanded states, and those of them that lead to unsafe ones.
    pub events: u64,
    pub unsafe_events: u64,
    /// Expanded states with nothing to happen, and with nothing to be looked at.
    pub ends: u64,
    pub pruned: u64,
    pub goals: u64,
    /// By assertion: after how many events a search by levels knows that it is violated. The end
    /// of a run is known only when its last state is expanded.
    pub known_after: [Option<u32>; ASSERTIONS],
    pub ended: Ended,
}

impl Truth {
    pub fn of(graph: &Graph, bound: Option<u32>) -> Self {
        let bound = bound.unwrap_or(u32::MAX);
        let mut truth = Self {
            safe: BTreeMap::new(),
            unsafe_states: BTreeMap::new(),
            expanded: BTreeSet::new(),
            events: 0,
            unsafe_events: 0,
            ends: 0,
            pruned: 0,
            goals: 0,
            known_after: [None; ASSERTIONS],
            ended: Ended::Exhausted,
        };
        let mut waiting = VecDeque::new();
        for &state in &graph.initial {
            truth.meet(graph, state, 0, &mut waiting);
        }
        while let Some(state) = waiting.pop_front() {
            let depth = truth.safe[&state];
            if depth == bound {
                truth.ended = Ended::Depth;
                continue;
            }
            truth.expanded.insert(state);
            let node = &graph.nodes[state];
            truth.pruned += u64::from(node.pruned);
            if !node.pruned && node.edges.is_empty() {
                truth.ends += 1;
                truth.violated(graph, state, node.verdict_at_end, depth + 1);
            }
            for &(_, target) in graph.edges(state) {
                truth.events += 1;
                truth.unsafe_events += u64::from(graph.breaks(target));
                truth.meet(graph, target, depth + 1, &mut waiting);
            }
        }
        truth
    }

    fn meet(&mut self, graph: &Graph, state: usize, depth: u32, waiting: &mut VecDeque<usize>) {
        let node = &graph.nodes[state];
        if graph.breaks(state) {
            self.unsafe_states.entry(state).or_insert(depth);
            self.violated(graph, state, node.verdict, depth);
        } else if let Entry::Vacant(place) = self.safe.entry(state) {
            place.insert(depth);
            self.goals |= node.goals;
            waiting.push_back(state);
        }
    }

    fn violated(&mut self, graph: &Graph, state: usize, verdict: u64, depth: u32) {
        for assertion in (0..ASSERTIONS).filter(|assertion| verdict >> assertion & 1 == 1) {
            if !graph.nodes[state].uncounted {
                let known = self.known_after[assertion].get_or_insert(depth);
                *known = depth.min(*known);
            }
        }
    }

    /// How many safe states there are at each distance.
    pub fn states_per_depth(&self) -> Vec<u64> {
        let mut states = Vec::new();
        for &depth in self.safe.values() {
            let depth = depth as usize;
            states.resize(states.len().max(depth + 1), 0);
            states[depth] += 1;
        }
        states
    }

    /// Edges of a tree of shortest runs to states that are expanded.
    pub fn tree_events(&self) -> u64 {
        self.expanded.iter().filter(|state| self.safe[state] > 0).count() as u64
    }

    pub fn violated_assertions(&self) -> BTreeSet<usize> {
        (0..ASSERTIONS).filter(|&at| self.known_after[at].is_some()).collect()
    }
}
