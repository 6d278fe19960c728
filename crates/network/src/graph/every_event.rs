//! Explored events: counted, and executed one by one if the space is to do without memoised
//! executions.

use std::time::Instant;

use everypath_explore::{Fate, StateId, Step};
use everypath_model::EventKind;

use crate::{
    NetworkSpace,
    nodes::Input,
    packed::{EventName, unpack},
};

/// One in this many executions is timed, for all of them.
const TIMED_ONE_OF: u64 = 16;

impl NetworkSpace<'_> {
    /// Follows an event that a search has explored.
    pub(crate) fn follow_event(&mut self, from: StateId, step: &Step, fate: Fate) {
        let (mut is_hit, mut is_judged) = (false, false);
        let mut graph = self.graph.kept.take();
        if let Some(graph) = graph.as_mut().filter(|graph| graph.was_read) {
            is_hit = graph.count(self.view(), from, step, fate);
            is_judged = is_hit && graph.has_same_print;
        }
        if self.tables.setup.options.every_event {
            // A new state has to be made; another one that is known already does not.
            let executes = !is_hit || fate == Fate::Kept;
            let number = self.followed;
            self.followed += 1;
            let timed = number.is_multiple_of(TIMED_ONE_OF).then(Instant::now);
            if executes {
                self.execute_once_more(from, step);
                if let Some(since) = timed {
                    let executor = &mut self.tables.executor;
                    executor.handler_time += since.elapsed() * TIMED_ONE_OF as u32;
                    if let Some(graph) = &mut graph {
                        graph.timings.handling.add(since, 1);
                    }
                }
            }
            if !is_judged {
                let since = timed.map(|_| Instant::now());
                self.judge_once_more(step.target);
                if let (Some(since), Some(graph)) = (since, &mut graph) {
                    graph.timings.judging_once_more.add(since, 1);
                }
            }
        }
        self.graph.kept = graph;
    }

    /// Executes the handler of an event, and compares the outcome with the memoised one.
    fn execute_once_more(&mut self, from: StateId, step: &Step) {
        let (tuple, _) = unpack(from);
        let name = EventName::unpack(step.event);
        let which = name.which;
        let input = match name.kind {
            EventKind::Command => Input::Command { which },
            EventKind::Timer => Input::Timer { which },
            EventKind::Reboot => Input::Restart,
            EventKind::Deliver => Input::Message { packet: which },
            EventKind::Undeliverable => Input::Undeliverable { packet: which },
            EventKind::Lose | EventKind::Duplicate | EventKind::LinkDown | EventKind::LinkUp => {
                return;
            }
        };
        let slot = self.tables.interner.tuples.slot(tuple, name.node);
        let Some(outcomes) = self.view().outcomes_at(tuple, name) else { return };
        let outcome = outcomes.start + u32::from(name.branch);
        self.machine.execute_once_more(&mut self.tables, name.node, slot, input, outcome);
    }

    fn judge_once_more(&self, state: StateId) {
        let (tuple, network) = unpack(state);
        if self.tables.interner.breakage(tuple).is_none() {
            let readers = &self.judgements.readers;
            let verdict = self.machine.failing(&self.tables, readers, tuple, network, false);
            std::hint::black_box(verdict.answer);
        }
    }
}
