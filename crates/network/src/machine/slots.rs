//! Slots met for the first time: their commands, and their local events.

use std::hash::BuildHasher;

use everypath_model::{
    EventKind, NodeId, Protocol, TimerQueue,
    panics::{self, Panic},
    running,
};
use rustc_hash::FxBuildHasher;

use super::{Describe, Execute, ProtocolMachine};
use crate::{
    heap::heap_estimate,
    nodes::{LocalEvent, Slot},
    tables::Tables,
    verify::Sort,
};

impl<P: Protocol> ProtocolMachine<'_, P> {
    pub(crate) fn intern_slot(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: Slot<P::State, P::Timer>,
    ) -> u32 {
        if let Some(known) = self.nodes[node].slots.get_index_of(&slot) {
            return u32::try_from(known).expect("slots fit in 32 bits");
        }
        let commands = match &slot {
            Slot::Broken(_) => Vec::new(),
            Slot::Running { state, .. } => {
                let me = NodeId::from(node);
                let list = || panics::catch(|| self.scenario.protocol.commands(me, state));
                let described = move || format!("the list of commands of {me}");
                match running::described(described, list) {
                    Ok(commands) => commands,
                    Err(panic) => {
                        let message = format!("while listing the commands: {}", panic.message);
                        let panic = Panic { message, ..panic };
                        return self.broken_slot(tables, node, panic.into());
                    }
                }
            }
        };
        let local = self.local_events(node, &slot, commands.len());
        if let Slot::Running { state, timers, .. } = &slot {
            let ignores = self.look_over(tables, node, state, timers, &commands);
            self.nodes[node].ignores |= ignores;
        }
        let table = &mut tables.interner.nodes[node];
        table.local_bytes += local.capacity() * size_of::<LocalEvent>();
        if let Slot::Broken(breakage) = &slot {
            let place = u32::try_from(table.slots()).expect("slots fit in 32 bits");
            table.broken.insert(place, breakage.clone());
        }
        table.local.push(local);
        let contents = &mut self.nodes[node];
        // Commands are similar, so one gives an estimate.
        let written = |command| postcard::to_stdvec(command).map_or(0, |bytes| bytes.len());
        let command_heap =
            commands.first().map_or(0, |it| heap_estimate::<P::Command>(written(it)));
        contents.heap_bytes +=
            command_heap * commands.len() + commands.capacity() * size_of::<P::Command>();
        contents.commands.push(commands);
        u32::try_from(contents.slots.insert_full(slot).0).expect("slots fit in 32 bits")
    }

    /// Examines a new state of a node, with its timers and commands: whether they can be written
    /// and read back, and whether the copy has the same commands. The result is whether something
    /// in it is ignored.
    fn look_over(
        &mut self,
        tables: &Tables,
        node: usize,
        state: &P::State,
        timers: &[P::Timer],
        commands: &[P::Command],
    ) -> bool {
        let whose = |what: &str| format!("{what} {}", self.name_of(node));
        let written = tables.verifier.write_back(Sort::State, state, || whose("a state of"));
        if written.chosen {
            for timer in timers {
                tables.verifier.reread(timer, || whose("a timer of"));
            }
            for command in commands {
                tables.verifier.reread(command, || whose("a command of"));
            }
        }
        if tables.verifier.is_due(Sort::Commands, || FxBuildHasher.hash_one(state)) {
            self.ask_for_commands_again(tables, node, state, commands);
        }
        self.nodes[node].heap_bytes +=
            heap_estimate::<P::State>(written.bytes) + size_of_val(timers);
        written.ignores
    }

    fn local_events(
        &self,
        node: usize,
        slot: &Slot<P::State, P::Timer>,
        commands: usize,
    ) -> Vec<LocalEvent> {
        let Slot::Running { state, timers } = slot else {
            return Vec::new();
        };
        let reboots = usize::from(self.scenario.can_reboot(NodeId::from(node)));
        let counts = [
            (EventKind::Command, commands),
            (EventKind::Timer, timers.len()),
            (EventKind::Reboot, reboots),
        ];
        let mut events: Vec<LocalEvent> = counts
            .into_iter()
            .flat_map(|(kind, count)| (0..count).map(move |which| (kind, which)))
            .filter(|&(kind, which)| {
                let preceded = |queue: &TimerQueue<_>| queue.is_preceded(&timers[which]);
                kind != EventKind::Timer || !timers.queue().is_some_and(preceded)
            })
            .map(|(kind, which)| LocalEvent {
                kind,
                tried_as: self.tried_as(kind, timers, which),
                which: u32::try_from(which).expect("a slot has few timers and commands"),
                outcomes: None,
            })
            .collect();
        if let Some(order) = &self.scenario.timer_order {
            // Only the order among timers matters: each kind is enumerated separately.
            events.sort_by_key(|event| match event.kind {
                EventKind::Timer => {
                    let ask = || order(state, &timers[event.which as usize]);
                    panics::within(|| "`timer_order`".to_owned(), ask)
                }
                _ => 0,
            });
        }
        events
    }

    /// The kind in whose place a local event is tried.
    fn tried_as(&self, kind: EventKind, timers: &[P::Timer], which: usize) -> EventKind {
        let is_early = self.scenario.early_timers.as_ref().is_some_and(|early| {
            let ask = || early(&timers[which]);
            kind == EventKind::Timer && panics::within(|| "`early_timers`".to_owned(), ask)
        });
        if is_early { EventKind::Command } else { kind }
    }
}
