//! Native nodes beside slots: which are kept, and how those are made again whose slots come from
//! bytes.
//!
//! A state of a native protocol knows the inputs that led to it, so it can make its node again. A
//! state from bytes (of a checkpoint, a memo or a graph) does not. For its slot the machine notes the
//! executions that lead there, and repeats them when a handler is to run.

use std::sync::Arc;

use everypath_model::{Keeper, NativeCounts, NativeMode, Protocol, are_histories_written};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ProtocolMachine;
use crate::{
    nodes::{Input, SavedOutcome, Slot},
    options::SpaceOptions,
    tables::Tables,
};

/// How many native nodes are kept by default.
const NODES_KEPT: usize = 4096;
/// About how many bytes the history of a slot takes, besides a copy of its last input.
const MOMENT_BYTES: usize = 160;

/// The native nodes of a space.
pub(crate) struct NativeNodes {
    keeper: Arc<Keeper>,
    /// For executions that verify others: each node is made again.
    fresh: Arc<Keeper>,
    /// By node and slot: the executions that lead to slots whose states come from bytes.
    lost: Vec<FxHashMap<u32, Vec<Way>>>,
}

/// An execution that leads to a slot.
#[derive(Clone)]
struct Way {
    /// The slot before; nothing at the first start.
    from: Option<u32>,
    input: Input,
    choices: Vec<u32>,
}

impl NativeNodes {
    pub(crate) fn new(options: &SpaceOptions, nodes: usize) -> Self {
        let mode = options.native.unwrap_or_default();
        Self {
            keeper: Arc::new(Keeper::new(mode, options.native_nodes.unwrap_or(NODES_KEPT))),
            fresh: Arc::new(Keeper::new(NativeMode::Eager, 0)),
            lost: vec![FxHashMap::default(); nodes],
        }
    }

    pub(crate) fn counts(&self) -> NativeCounts {
        self.keeper.counts()
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// Runs a handler. Its native node is one that is kept or, if `fresh`, one that is made again.
    #[inline]
    pub(super) fn keeping<T>(&self, fresh: bool, run: impl FnOnce() -> T) -> T {
        match &self.native {
            Some(native) if P::NATIVE => {
                let keeper = if fresh { &native.fresh } else { &native.keeper };
                keeper.within(run)
            }
            _ => run(),
        }
    }

    /// Notes that a slot comes from bytes, so that it is unknown how its node was made.
    pub(super) fn lose(&mut self, node: usize, slot: u32) {
        let is_running = matches!(self.nodes[node].slot(slot), Slot::Running { .. });
        if let Some(native) = self.native.as_mut().filter(|_| is_running) {
            native.lost[node].entry(slot).or_default();
        }
    }

    /// Notes an execution that leads to a slot whose state comes from bytes.
    pub(super) fn note_way(
        &mut self,
        node: usize,
        from: Option<u32>,
        input: Input,
        choices: &[u32],
        slot: u32,
    ) {
        let Some(native) = &mut self.native else { return };
        if let Some(ways) = native.lost[node].get_mut(&slot) {
            ways.push(Way { from, input, choices: choices.to_vec() });
        }
    }

    /// As [`note_way`](Self::note_way), for outcomes that were read.
    pub(super) fn note_ways(
        &mut self,
        node: usize,
        from: Option<u32>,
        input: Input,
        outcomes: &[SavedOutcome],
    ) {
        for SavedOutcome { slot, decided, .. } in outcomes {
            self.note_way(node, from, input, &decided.choices, *slot);
        }
    }

    /// Gives a slot from bytes the state of a node that is equal, and knows how it was made.
    pub(super) fn find(&mut self, node: usize, found: &Slot<P::State, P::Timer>) {
        let Some(native) = &mut self.native else { return };
        if native.lost[node].is_empty() {
            return;
        }
        let Some(slot) = self.nodes[node].slots.get_index_of(found) else { return };
        let slot = u32::try_from(slot).expect("slots fit in 32 bits");
        if native.lost[node].remove(&slot).is_some() {
            self.nodes[node].slots.replace(found.clone());
        }
    }

    /// The slot of a native node after an execution, which was executed or recalled from a memo.
    pub(super) fn intern_native(
        &mut self,
        tables: &mut Tables,
        node: usize,
        after: Slot<P::State, P::Timer>,
        is_recalled: bool,
    ) -> u32 {
        if is_recalled {
            return self.intern_read(tables, node, after);
        }
        self.find(node, &after);
        self.compare_ignored(tables, node, &after);
        self.intern_slot(tables, node, after)
    }

    /// A slot that comes from bytes.
    pub(super) fn intern_read(
        &mut self,
        tables: &mut Tables,
        node: usize,
        read: Slot<P::State, P::Timer>,
    ) -> u32 {
        let slots = self.nodes[node].slots.len();
        let slot = self.intern_slot(tables, node, read);
        if P::NATIVE && slot as usize == slots && !are_histories_written() {
            self.lose(node, slot);
        }
        slot
    }

    /// Repeats the executions that lead to a slot, if its state comes from bytes.
    pub(super) fn revive(&mut self, node: usize, slot: Option<u32>) {
        let Some(slot) = slot else { return };
        for (way, slot) in self.ways_to(node, slot) {
            let call = self.call(node, way.from, way.input);
            let execution = self.run(call, way.choices);
            let Ok(done) = execution.result else { return };
            let Slot::Running { timers, .. } = self.nodes[node].slot(slot) else { return };
            let found = Slot::Running { state: done.state, timers: timers.clone() };
            self.find(node, &found);
        }
    }

    /// The executions that lead to a slot from one whose node can be made, in order, each with the
    /// slot that it leads to. Nothing if the node of the slot itself can be made, or no way is known.
    fn ways_to(&self, node: usize, slot: u32) -> Vec<(Way, u32)> {
        let Some(native) = &self.native else { return Vec::new() };
        let lost = &native.lost[node];
        // Backwards, breadth-first: each slot that was met, and the step from it towards the goal.
        let mut known: FxHashSet<u32> = FxHashSet::from_iter([slot]);
        let mut met: Vec<(u32, Option<(Way, usize)>)> = vec![(slot, None)];
        let mut next = 0;
        while let Some(&(at, _)) = met.get(next) {
            for way in lost.get(&at).into_iter().flatten() {
                match way.from {
                    Some(from) if lost.contains_key(&from) => {
                        if known.insert(from) {
                            met.push((from, Some((way.clone(), next))));
                        }
                    }
                    _ => {
                        let mut ways = vec![(way.clone(), at)];
                        let mut place = next;
                        while let Some((way, after)) = &met[place].1 {
                            place = *after;
                            ways.push((way.clone(), met[place].0));
                        }
                        return ways;
                    }
                }
            }
            next += 1;
        }
        Vec::new()
    }

    /// Removals the states of the world in which the space starts, for slots from bytes.
    pub(super) fn find_start(&mut self) {
        let Some(start) = self.start.filter(|_| P::NATIVE) else { return };
        for (node, kept) in start.nodes.iter().enumerate() {
            let (state, timers) = (kept.state.clone(), kept.timers.clone().into());
            self.find(node, &Slot::Running { state, timers });
        }
    }

    /// About how many bytes histories and kept nodes take.
    pub(super) fn native_bytes(&self) -> usize {
        let Some(native) = &self.native else { return 0 };
        let slots: usize = self.nodes.iter().map(|node| node.slots.len()).sum();
        let contents: usize = self.nodes.iter().map(|node| node.heap_bytes).sum();
        let state = size_of::<P::State>() + contents / slots.max(1);
        let ways: usize =
            native.lost.iter().map(|lost| lost.values().map(Vec::len).sum::<usize>()).sum();
        slots * (MOMENT_BYTES + size_of::<P::Message>())
            + native.keeper.len() * 2 * state
            + ways * size_of::<Way>()
    }
}
