//! Which packets are obsolete, and numbers by their ranks.

use everypath_model::{
    Numbers, Protocol,
    panics::{self, Panic},
};

use super::{
    ProtocolMachine,
    execute::{DoneBy, Execution, next_choices},
};
use crate::{
    memo::{Call, Done},
    nodes::{Input, Slot},
    packed::BRANCHES_MAX,
    tables::Tables,
};

/// The numbers from 1 to 63 in a value, as bits; nothing if it has a larger one.
pub(crate) type NumberSet = Option<u64>;

/// New names of numbers.
#[derive(Clone, Copy)]
pub(crate) struct Renaming<'r>(pub(crate) &'r dyn Fn(u32) -> u32);

/// Answers what reductions of a space need to know.
pub(crate) trait Reduce {
    /// Whether the addressee of a packet, in this slot, makes nothing of it, now and later.
    fn is_obsolete(&self, slot: u32, packet: u32) -> Result<bool, Panic>;

    /// The numbers in a slot.
    fn slot_numbers(&self, node: usize, slot: u32) -> NumberSet;

    /// The numbers in a packet.
    fn packet_numbers(&self, packet: u32) -> NumberSet;

    /// A slot with other numbers.
    fn rename_slot(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: u32,
        names: Renaming<'_>,
    ) -> u32;

    /// A packet with other numbers.
    fn rename_packet(&mut self, tables: &mut Tables, packet: u32, names: Renaming<'_>) -> u32;

    /// What a handler does differently if the numbers of its input have other names of the same
    /// order; nothing if it does not notice.
    fn notices_names(&self, node: usize, slot: u32, input: Input) -> Option<String>;
}

impl<P: Protocol> Reduce for ProtocolMachine<'_, P> {
    fn is_obsolete(&self, slot: u32, packet: u32) -> Result<bool, Panic> {
        let packet = self.packet(packet);
        match (&self.scenario.obsolete, self.nodes[packet.to.index()].slot(slot)) {
            (Some(is_obsolete), Slot::Running { state, .. }) => {
                panics::catch(|| is_obsolete(state, packet))
            }
            _ => Ok(false),
        }
    }

    fn slot_numbers(&self, node: usize, slot: u32) -> NumberSet {
        let mut seen = Seen::default();
        if let Slot::Running { state, timers, .. } = self.nodes[node].slot(slot) {
            let numbers = self.numbers();
            (numbers.state)(&mut state.clone(), &mut |number| seen.add(*number));
            for timer in timers.iter() {
                (numbers.timer)(&mut timer.clone(), &mut |number| seen.add(*number));
            }
        }
        seen.set()
    }

    fn packet_numbers(&self, packet: u32) -> NumberSet {
        let mut seen = Seen::default();
        let message = self.packet(packet).message;
        (self.numbers().message)(&mut message.clone(), &mut |number| seen.add(*number));
        seen.set()
    }

    fn rename_slot(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: u32,
        names: Renaming<'_>,
    ) -> u32 {
        match self.nodes[node].slot(slot) {
            Slot::Broken(_) => slot,
            Slot::Running { state, timers, .. } => {
                let state = self.renamed(self.numbers().state, state, names);
                let timers = self.renamed_timers(timers, names);
                self.intern_slot(tables, node, Slot::Running { state, timers: timers.into() })
            }
        }
    }

    fn rename_packet(&mut self, tables: &mut Tables, packet: u32, names: Renaming<'_>) -> u32 {
        let packet = self.packet(packet);
        let message = self.renamed(self.numbers().message, packet.message, names);
        let (from, to) = (packet.from, packet.to);
        self.intern_packet(tables, from, to, message)
    }

    fn notices_names(&self, node: usize, slot: u32, input: Input) -> Option<String> {
        // Gaps between all numbers, and all numbers moved: constants and sums are noticed.
        let others: [&dyn Fn(u32) -> u32; 2] =
            [&|number| if number == 0 { 0 } else { number * 2 + 1 }, &|number| {
                if number == 0 { 0 } else { number + 67 }
            }];
        let call = self.call(node, Some(slot), input);
        let before = self.numbers_of_call(call);
        others.into_iter().find_map(|names| self.notices(call, &before, Renaming(names)))
    }
}

/// Shows all numbers in a value.
type Visit<T> = fn(&mut T, &mut dyn FnMut(&mut u32));

impl<P: Protocol> ProtocolMachine<'_, P> {
    fn numbers(&self) -> &Numbers<P> {
        self.scenario.numbers.as_ref().expect("the scenario says where numbers are")
    }

    fn renamed<T: Clone>(&self, visit: Visit<T>, value: &T, names: Renaming<'_>) -> T {
        let mut value = value.clone();
        visit(&mut value, &mut |number| *number = names.0(*number));
        value
    }

    fn renamed_timers(&self, timers: &[P::Timer], names: Renaming<'_>) -> Vec<P::Timer> {
        let timers = timers.iter().map(|timer| self.renamed(self.numbers().timer, timer, names));
        let mut timers: Vec<P::Timer> = timers.collect();
        timers.sort_unstable();
        timers.dedup();
        timers
    }

    /// What differs between the executions of a call and of the call with other numbers, compared
    /// by the ranks of all numbers before and after.
    fn notices(&self, call: Call<'_, P>, before: &[u32], names: Renaming<'_>) -> Option<String> {
        let numbers = self.numbers();
        let state = call.state().map(|state| self.renamed(numbers.state, state, names));
        let state = state.as_ref();
        let (message, timer, command);
        let other = match call {
            Call::Start(me) => Call::Start(me),
            Call::Restart(me, _) => Call::Restart(me, state?),
            Call::Message(me, _, from, sent) => {
                message = self.renamed(numbers.message, sent, names);
                Call::Message(me, state?, from, &message)
            }
            Call::Undeliverable(me, _, to, sent) => {
                message = self.renamed(numbers.message, sent, names);
                Call::Undeliverable(me, state?, to, &message)
            }
            Call::Timer(me, _, fired) => {
                timer = self.renamed(numbers.timer, fired, names);
                Call::Timer(me, state?, &timer)
            }
            Call::Command(me, _, given) => {
                command = self.renamed(numbers.command, given, names);
                Call::Command(me, state?, &command)
            }
        };
        let others: Vec<u32> = before.iter().map(|&number| names.0(number)).collect();
        let mut prefix = Some(Vec::new());
        for _ in 0..BRANCHES_MAX {
            let choices = prefix?;
            let first = self.run(call, choices.clone());
            let second = self.run(other, choices);
            if !self.is_same_but_for_names(&first, before, &second, &others) {
                return Some(self.difference_by_names(&first, &second));
            }
            prefix = next_choices(&first);
        }
        None
    }

    fn is_same_but_for_names(
        &self,
        first: &Execution<P>,
        before: &[u32],
        second: &Execution<P>,
        others: &[u32],
    ) -> bool {
        if first.choices != second.choices || first.options != second.options {
            return false;
        }
        match (&first.result, &second.result) {
            (Ok(first), Ok(second)) => {
                let ranked = |done: &DoneBy<P>, before: &[u32]| {
                    let mut all = before.to_vec();
                    all.extend(self.numbers_of_done(done));
                    all.sort_unstable();
                    all.dedup();
                    all.retain(|&number| number > 0);
                    let rank = |number: u32| match all.binary_search(&number) {
                        Ok(place) => place as u32 + 1,
                        Err(_) => 0,
                    };
                    self.renamed_done(done, Renaming(&rank))
                };
                let (first, second) = (ranked(first, before), ranked(second, others));
                first.state == second.state
                    && first.timers == second.timers
                    && first.sent == second.sent
            }
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }

    fn difference_by_names(&self, first: &Execution<P>, second: &Execution<P>) -> String {
        let shown = |execution: &Execution<P>| match &execution.result {
            Ok(done) => format!("{:?}, sending {:?}", done.state, done.sent),
            Err(panic) => format!("panics: {panic}"),
        };
        format!("it leads to {}, and with other numbers to {}", shown(first), shown(second))
    }

    fn numbers_of_call(&self, call: Call<'_, P>) -> Vec<u32> {
        let numbers = self.numbers();
        let mut all = Vec::new();
        let mut add = |number: &mut u32| all.push(*number);
        if let Some(state) = call.state() {
            (numbers.state)(&mut state.clone(), &mut add);
        }
        match call {
            Call::Message(.., message) | Call::Undeliverable(.., message) => {
                (numbers.message)(&mut message.clone(), &mut add);
            }
            Call::Timer(.., timer) => (numbers.timer)(&mut timer.clone(), &mut add),
            Call::Command(.., command) => (numbers.command)(&mut command.clone(), &mut add),
            Call::Start(_) | Call::Restart(..) => {}
        }
        all
    }

    fn numbers_of_done(&self, done: &DoneBy<P>) -> Vec<u32> {
        let numbers = self.numbers();
        let mut all = Vec::new();
        let mut add = |number: &mut u32| all.push(*number);
        (numbers.state)(&mut done.state.clone(), &mut add);
        for (timer, _) in &done.timers {
            (numbers.timer)(&mut timer.clone(), &mut add);
        }
        for (_, message) in &done.sent {
            (numbers.message)(&mut message.clone(), &mut add);
        }
        all
    }

    fn renamed_done(&self, done: &DoneBy<P>, names: Renaming<'_>) -> DoneBy<P> {
        let numbers = self.numbers();
        let mut timers: Vec<_> = done
            .timers
            .iter()
            .map(|(timer, is_set)| (self.renamed(numbers.timer, timer, names), *is_set))
            .collect();
        timers.sort_unstable();
        let sent = done.sent.iter();
        let sent = sent.map(|(to, message)| (*to, self.renamed(numbers.message, message, names)));
        Done {
            state: self.renamed(numbers.state, &done.state, names),
            timers,
            sent: sent.collect(),
            changes: Vec::new(),
        }
    }
}

/// The numbers seen so far.
struct Seen(NumberSet);

impl Default for Seen {
    fn default() -> Self {
        Self(Some(0))
    }
}

impl Seen {
    fn add(&mut self, number: u32) {
        self.0 = match (self.0, number) {
            (seen, 0) => seen,
            (Some(seen), 1..=63) => Some(seen | 1 << number),
            _ => None,
        };
    }

    fn set(&self) -> NumberSet {
        self.0
    }
}
