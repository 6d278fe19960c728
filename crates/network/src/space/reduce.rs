//! Reducing the steps out of states: larger audiences only, no obsolete packets, numbers by rank.

use everypath_explore::{StateId, Step, Trace, TraceStep};
use everypath_model::{EventKind, NodeId};
use rustc_hash::FxHashSet;

use super::NetworkSpace;
use crate::{
    machine::Renaming,
    mix::mix,
    nodes::{Input, Outcome},
    packed::{EventName, pack, unpack},
    reduction::{
        Facts, Numbers, ObsoletePackets, Ranks, Reducer, ReductionCounts, Reductions, keep,
    },
    relations::Relations,
    transit::{NO_OUTPUT, Order},
};

/// Renamings in states with a smaller tuple than this are all compared by their successors.
const FIRST_COMPARED: u32 = 1024;
/// One in this many others.
const SHARE_COMPARED: u64 = 1024;
const NO_LONGER: &str = "says no, although it said yes in an earlier state";

impl NetworkSpace<'_> {
    /// The reductions that are on.
    #[must_use]
    pub fn reductions(&self) -> Reductions {
        self.tables.setup.reductions
    }

    /// How many combinations of nodes and memories of observers were met, and how many of nodes alone: what memories cost.
    /// Nothing, if there are no observers. This looks at all combinations.
    #[must_use]
    pub fn memory_counts(&self) -> Option<(u64, u64)> {
        if self.tables.setup.observers.is_empty() {
            return None;
        }
        let (tuples, nodes) = (&self.tables.interner.tuples, self.tables.interner.nodes.len());
        let all = 0..tuples.len() as u32;
        let of_nodes: FxHashSet<&[u32]> = all.map(|tuple| &tuples.get(tuple)[..nodes]).collect();
        Some((tuples.len() as u64, of_nodes.len() as u64))
    }

    /// How often reductions were applied, and what was verified.
    #[must_use]
    pub fn reduction_counts(&self) -> Option<ReductionCounts> {
        self.reducer.as_ref().map(|reducer| reducer.counts)
    }

    /// Reduces states at which a search starts.
    pub(super) fn reduce_starts(&mut self, states: &mut [StateId]) {
        if let Some(mut reducer) = self.reducer.take() {
            for state in states.iter_mut() {
                *state = self.normal(&mut reducer, *state);
            }
            self.reducer = Some(reducer);
        }
    }

    /// Reduces the steps out of states, from an index on.
    #[cold]
    pub(super) fn reduce_steps(&mut self, states: &[StateId], steps: &mut Vec<Step>, start: usize) {
        let Some(mut reducer) = self.reducer.take() else { return };
        let mut kept = start;
        for place in start..steps.len() {
            let step = steps[place];
            if let Some(target) = self.reduced(&mut reducer, states[step.source as usize], step) {
                steps[kept] = Step { target, ..step };
                kept += 1;
            }
        }
        steps.truncate(kept);
        self.refuse_readers(&reducer);
        self.reducer = Some(reducer);
    }

    /// Records a flaw if something reads packets, which some reductions change.
    fn refuse_readers(&self, reducer: &Reducer) {
        let (obsolete, audiences) = (reducer.obsolete.is_some(), reducer.audiences.is_some());
        if !(obsolete || audiences) {
            return;
        }
        if let Some(why) = Relations::unsound(&self.tables, &self.judgements.readers) {
            let name = if obsolete { "obsolete" } else { "audiences" };
            self.tables
                .verifier
                .accuse(|| format!("the reduction `{name}` is not possible: {why}"));
        }
    }

    /// The target of a step after all reductions; nothing if another step shows the same.
    fn reduced(&mut self, reducer: &mut Reducer, source: StateId, step: Step) -> Option<StateId> {
        let name = EventName::unpack(step.event);
        if let Some((outcome, facts)) = self.facts_of(reducer, unpack(source).0, name) {
            let fresh = facts.fresh;
            if !facts.larger.is_empty() && self.has_larger_audience(reducer, source, name, outcome)
            {
                reducer.counts.smaller_audiences += 1;
                return None;
            }
            self.verify_fresh(reducer, source, name, fresh);
        }
        Some(self.normal(reducer, step.target))
    }

    /// The outcome of an event, if it has a handler. Branches of one event come in a row.
    fn outcome_of(&self, reducer: &mut Reducer, tuple: u32, name: EventName) -> Option<u32> {
        let event = EventName { branch: 0, ..name }.pack().0;
        let outcomes = match reducer.last_event {
            Some((last_tuple, last, outcomes)) if (last_tuple, last) == (tuple, event) => outcomes,
            _ => {
                let outcomes = self.view().outcomes_at(tuple, name)?;
                reducer.last_event = Some((tuple, event, outcomes));
                outcomes
            }
        };
        Some(outcomes.start + u32::from(name.branch))
    }

    /// The outcome of an event, and what reductions need to know of it; nothing if it has no handler.
    fn facts_of<'r>(
        &mut self,
        reducer: &'r mut Reducer,
        tuple: u32,
        name: EventName,
    ) -> Option<(u32, &'r Facts)> {
        let outcome = self.outcome_of(reducer, tuple, name)?;
        if reducer.facts.get(outcome as usize).is_none_or(Option::is_none) {
            self.learn_facts(reducer, tuple, name, outcome);
        }
        Some((outcome, reducer.facts[outcome as usize].as_ref().expect("they were learned")))
    }

    /// Learns what reductions need to know of an outcome, and verifies what they rely on.
    #[cold]
    fn learn_facts(&mut self, reducer: &mut Reducer, tuple: u32, name: EventName, outcome: u32) {
        let slot = self.tables.interner.tuples.slot(tuple, name.node);
        self.verify_successor(reducer, name.node, slot, outcome);
        let facts = Facts {
            larger: self.larger_audiences(reducer, name.node, outcome),
            fresh: self.verify_numbers(reducer, name, slot, outcome),
        };
        let place = outcome as usize;
        if reducer.facts.len() <= place {
            reducer.facts.resize_with(place + 1, || None);
        }
        reducer.facts[place] = Some(facts);
    }

    /// A state without obsolete packets, and with ranks as numbers.
    fn normal(&mut self, reducer: &mut Reducer, state: StateId) -> StateId {
        let rest = self.without_obsolete(reducer, state);
        reducer.counts.dropped += u64::from(rest != state);
        let renamed = self.with_ranks(reducer, rest);
        if renamed != rest {
            reducer.counts.renamed += 1;
            self.compare_renamed(reducer, rest, renamed);
        }
        renamed
    }

    /// The nodes that each larger audience of a broadcast of an outcome has besides, as bits.
    fn larger_audiences(&self, reducer: &mut Reducer, node: usize, outcome: u32) -> Vec<u64> {
        let Some(larger) = &mut reducer.audiences else { return Vec::new() };
        let networks = &self.tables.interner.networks;
        let numbers = &self.tables.executor.decided_before(Some(outcome)).audiences;
        let bit = |node: NodeId| 1_u64 << (node.index() % 64);
        let bits = |nodes: &[NodeId]| nodes.iter().fold(0, |bits, &node| bits | bit(node));
        let sent = networks.sent(self.tables.executor.outcome(outcome).output);
        let sent = sent.iter().fold(0, |bits, &packet| bits | bit(networks.addressee(packet)));
        let mut all = Vec::new();
        for &number in numbers {
            let larger = larger.larger_than(node, number, &self.tables.setup.audiences[node]);
            match networks.order() {
                // With mailboxes, a further packet displaces another, unless the mailbox is empty.
                Order::Mailbox => {
                    all.extend(larger.iter().map(|extra| bits(extra)).filter(|it| it & sent == 0));
                }
                _ => all.extend(larger.iter().map(|_| 0)),
            }
        }
        all
    }

    /// Whether a step with a larger audience leads to a state that covers the target of this one.
    fn has_larger_audience(
        &self,
        reducer: &mut Reducer,
        source: StateId,
        name: EventName,
        outcome: u32,
    ) -> bool {
        let networks = &self.tables.interner.networks;
        let occupied = match reducer.last_occupied {
            Some((state, occupied)) if state == source => occupied,
            _ => {
                let (_, network) = unpack(source);
                reducer.packets.clear();
                networks.packets(network, &mut reducer.packets);
                let occupied = reducer.packets.iter().fold(0, |bits, &packet| {
                    bits | 1_u64 << (networks.addressee(packet).index() % 64)
                });
                reducer.last_occupied = Some((source, occupied));
                occupied
            }
        };
        // A packet that arrives leaves its mailbox.
        let left = match name.kind {
            EventKind::Deliver => 1_u64 << (name.node % 64),
            _ => 0,
        };
        let facts = reducer.facts[outcome as usize].as_ref();
        let larger = facts.map_or(&[][..], |facts| &facts.larger);
        larger.iter().any(|extra| extra & occupied & !left == 0)
    }

    /// Whether a packet is obsolete in a slot of its addressee. What is obsolete must be handled
    /// without any effect, and stay obsolete in the slots that follow.
    fn is_obsolete(
        &mut self,
        known: &mut ObsoletePackets,
        counts: &mut ReductionCounts,
        slot: u32,
        packet: u32,
    ) -> bool {
        if let Some(answer) = known.get(packet, slot) {
            return answer;
        }
        let node = self.tables.interner.networks.addressee(packet).index();
        let answer = self.ask_obsolete(known, counts, slot, packet);
        let mut yes: Vec<u32> = answer.then_some(slot).into_iter().collect();
        while let Some(slot) = yes.pop() {
            for next in known.after(node, slot) {
                let stays = known.get(packet, next).unwrap_or_else(|| {
                    let answer = self.ask_obsolete(known, counts, next, packet);
                    yes.extend(answer.then_some(next));
                    answer
                });
                if !stays {
                    self.accuse_obsolete(next, packet, NO_LONGER);
                }
            }
        }
        answer
    }

    /// Asks the scenario, and verifies that the handler agrees.
    fn ask_obsolete(
        &mut self,
        known: &mut ObsoletePackets,
        counts: &mut ReductionCounts,
        slot: u32,
        packet: u32,
    ) -> bool {
        let node = self.tables.interner.networks.addressee(packet).index();
        let answer = self.machine.is_obsolete(slot, packet);
        if answer != self.machine.is_obsolete(slot, packet) {
            self.accuse_obsolete(slot, packet, "changes its answer when it is asked again");
        }
        let answer = answer.unwrap_or_else(|panic| {
            self.accuse_obsolete(slot, packet, &format!("panics: {panic}"));
            false
        });
        known.learn(node, slot, packet, answer);
        if answer {
            counts.obsolete_verified += 1;
            let name = EventName { kind: EventKind::Deliver, node, branch: 0, which: packet };
            let outcomes = self.packet_handled(name, slot);
            let nothing = Outcome { slot, output: NO_OUTPUT };
            if self.tables.executor.outcomes_of(outcomes).iter().any(|it| *it != nothing) {
                self.accuse_obsolete(
                    slot,
                    packet,
                    "says so, but the handler changes or sends something",
                );
            }
        }
        answer
    }

    fn accuse_obsolete(&self, slot: u32, packet: u32, what: &str) {
        let node = self.tables.interner.networks.addressee(packet).index();
        self.tables.verifier.accuse(|| {
            let state = self.machine.slot_text(node, slot).map_or_else(String::new, |it| it.0);
            let packet = self.view().describe_packet(packet);
            format!("asked whether {packet} is obsolete in the state {state}, `obsolete` {what}")
        });
    }

    /// Whatever is obsolete in the slot of a node must be obsolete in the next one.
    fn verify_successor(&mut self, reducer: &mut Reducer, node: usize, slot: u32, outcome: u32) {
        let Reducer { obsolete: Some(known), counts, .. } = reducer else { return };
        let next = self.tables.executor.outcome(outcome).slot;
        if slot == next || self.tables.interner.nodes[node].broken.contains_key(&next) {
            return;
        }
        known.follow(node, slot, next);
        for packet in known.in_slot(node, slot) {
            if !self.is_obsolete(known, counts, next, packet) {
                self.accuse_obsolete(next, packet, NO_LONGER);
            }
        }
    }

    fn without_obsolete(&mut self, reducer: &mut Reducer, state: StateId) -> StateId {
        let Reducer { obsolete: Some(known), counts, packets, .. } = reducer else { return state };
        let (tuple, network) = unpack(state);
        if let Some(rest) = known.recent.get((tuple, network)) {
            return pack(tuple, rest);
        }
        packets.clear();
        self.tables.interner.networks.packets(network, packets);
        let before = packets.len();
        packets.retain(|&packet| {
            let node = self.tables.interner.networks.addressee(packet).index();
            let slot = self.tables.interner.tuples.slot(tuple, node);
            !self.is_obsolete(known, counts, slot, packet)
        });
        if packets.len() == before {
            return state;
        }
        // A run ends with a handler that fails: its node has no state that observers could be shown.
        let can_observe = self.tables.interner.breakage(tuple).is_none();
        if can_observe && !self.tables.setup.observers.is_empty() {
            self.verify_unobserved(tuple, network, packets);
        }
        let past = self.tables.interner.networks.past(network);
        let rest = self.tables.interner.networks.make(past, packets);
        known.recent.put((tuple, network), rest);
        pack(tuple, rest)
    }

    /// What observers remember must not change when a packet arrives that is dropped. They refuse to remember it: this
    /// asks them.
    #[cold]
    fn verify_unobserved(&mut self, tuple: u32, network: u32, kept: &[u32]) {
        let mut dropped = Vec::new();
        self.tables.interner.networks.packets(network, &mut dropped);
        dropped.retain(|packet| !kept.contains(packet));
        dropped.dedup();
        let slots = self.tables.interner.tuples.get(tuple).to_vec();
        for packet in dropped {
            let node = self.tables.interner.networks.addressee(packet).index();
            let name = EventName { kind: EventKind::Deliver, node, branch: 0, which: packet };
            let mut after = slots.clone();
            self.machine.observe(&self.tables, tuple, name, &mut after);
            if after != slots {
                self.tables.verifier.accuse(|| {
                    let packet = self.view().describe_packet(packet);
                    format!("the reduction `obsolete` is not possible: an observer remembers that {packet} arrives, which is obsolete")
                });
            }
        }
    }

    /// The numbers in a slot.
    fn slot_numbers(&self, ranks: &mut Ranks, node: usize, slot: u32) -> Numbers {
        ranks.of_slot(node, slot, || {
            Numbers(self.machine.slot_numbers(node, slot).unwrap_or_else(|| self.accuse_large()))
        })
    }

    fn packet_numbers(&self, ranks: &mut Ranks, packet: u32) -> Numbers {
        ranks.of_packet(packet, || {
            Numbers(self.machine.packet_numbers(packet).unwrap_or_else(|| self.accuse_large()))
        })
    }

    fn accuse_large(&self) -> u64 {
        self.tables.verifier.accuse(|| {
            "the reduction `ranks` is not possible: a state has numbers above 63, because more than 63 are in use at a time or because handlers make larger ones than the next".to_owned()
        });
        0
    }

    /// The numbers in a state.
    fn numbers_in(&self, ranks: &mut Ranks, state: StateId) -> Numbers {
        let (tuple, network) = unpack(state);
        let of_slot = |node, slot| {
            Numbers(self.machine.slot_numbers(node, slot).unwrap_or_else(|| self.accuse_large()))
        };
        let of_packet = |packet| {
            Numbers(self.machine.packet_numbers(packet).unwrap_or_else(|| self.accuse_large()))
        };
        let packets = || {
            let mut packets = Vec::new();
            self.tables.interner.networks.packets(network, &mut packets);
            packets
        };
        let slots = self.tables.interner.tuples.get(tuple);
        ranks.of_tuple(tuple, slots, of_slot).with(ranks.of_network(network, packets, of_packet))
    }

    fn with_ranks(&mut self, reducer: &mut Reducer, state: StateId) -> StateId {
        let Reducer { ranks: Some(ranks), packets, .. } = reducer else { return state };
        let numbers = self.numbers_in(ranks, state);
        if numbers.are_ranks() {
            return state;
        }
        let rank = |number| numbers.rank(number);
        let names = Renaming(&rank);
        let (tuple, network) = unpack(state);
        let renamed = ranks.renamed_tuples.get(&(tuple, numbers)).copied();
        let renamed_tuple = renamed.unwrap_or_else(|| {
            let mut slots = self.tables.interner.tuples.get(tuple).to_vec();
            for (node, slot) in slots.iter_mut().enumerate() {
                let before = *slot;
                *slot = ranks.renamed_slot((node, before), numbers, || {
                    self.machine.rename_slot(&mut self.tables, node, before, names)
                });
            }
            let renamed = self.tables.interner.tuples.intern(&slots);
            keep(&mut ranks.renamed_tuples, (tuple, numbers), renamed)
        });
        let renamed = ranks.renamed_networks.get(&(network, numbers)).copied();
        let renamed_network = renamed.unwrap_or_else(|| {
            packets.clear();
            self.tables.interner.networks.packets(network, packets);
            for packet in packets.iter_mut() {
                let before = *packet;
                *packet = ranks.renamed_packet(before, numbers, || {
                    self.machine.rename_packet(&mut self.tables, before, names)
                });
            }
            let past = self.tables.interner.networks.past(network);
            let renamed = self.tables.interner.networks.make(past, packets);
            keep(&mut ranks.renamed_networks, (network, numbers), renamed)
        });
        pack(renamed_tuple, renamed_network)
    }

    /// A handler may only compare numbers. The result is the numbers that it makes.
    fn verify_numbers(
        &mut self,
        reducer: &mut Reducer,
        name: EventName,
        slot: u32,
        outcome: u32,
    ) -> Numbers {
        let Reducer { ranks: Some(ranks), counts, facts, .. } = reducer else {
            return Numbers::default();
        };
        // The outcomes of one execution are next to each other: one of them is enough.
        let first = (outcome - u32::from(name.branch)) as usize;
        if name.branch == 0 || facts.get(first).is_none_or(Option::is_none) {
            counts.executions_compared += 1;
            let input = self.input_of(name);
            if let Some(what) = self.machine.notices_names(name.node, slot, input) {
                self.tables.verifier.accuse(|| {
                    let event = self.machine.describe_input(name.node, Some(slot), input);
                    format!("the reduction `ranks` is not possible, because a handler does more than compare numbers: on {event} {what}")
                });
            }
        }
        self.fresh_numbers(ranks, name, slot, outcome)
    }

    /// Numbers that a handler makes must be larger than all others.
    #[inline]
    fn verify_fresh(
        &self,
        reducer: &mut Reducer,
        source: StateId,
        name: EventName,
        fresh: Numbers,
    ) {
        let Some(ranks) = reducer.ranks.as_mut().filter(|_| fresh != Numbers::default()) else {
            return;
        };
        if fresh.are_not_above(self.numbers_in(ranks, source)) {
            self.tables.verifier.accuse(|| {
                let slot = self.tables.interner.tuples.slot(unpack(source).0, name.node);
                let event = self.machine.describe_input(name.node, Some(slot), self.input_of(name));
                format!("the reduction `ranks` is not possible: on {event}, the handler makes a number that is not larger than all others in the network")
            });
        }
    }

    /// The input of the handler of an event.
    fn input_of(&self, name: EventName) -> Input {
        match name.kind {
            EventKind::Deliver => Input::Message { packet: name.which },
            EventKind::Undeliverable => Input::Undeliverable { packet: name.which },
            EventKind::Timer => Input::Timer { which: name.which },
            EventKind::Command => Input::Command { which: name.which },
            _ => Input::Restart,
        }
    }

    /// The numbers of an outcome that its input does not have.
    fn fresh_numbers(
        &self,
        ranks: &mut Ranks,
        name: EventName,
        slot: u32,
        outcome: u32,
    ) -> Numbers {
        let mut before = self.slot_numbers(ranks, name.node, slot);
        if matches!(name.kind, EventKind::Deliver | EventKind::Undeliverable) {
            before = before.with(self.packet_numbers(ranks, name.which));
        }
        let Outcome { slot: next, output } = self.tables.executor.outcome(outcome);
        let after = self.slot_numbers(ranks, name.node, next);
        let sent = self.tables.interner.networks.sent(output);
        let after = sent
            .iter()
            .fold(after, |numbers, &packet| numbers.with(self.packet_numbers(ranks, packet)));
        after.without(before)
    }

    /// A state before and after a renaming must be judged alike, and have the same successors.
    fn compare_renamed(&mut self, reducer: &mut Reducer, state: StateId, renamed: StateId) {
        let (tuple, renamed_tuple) = (unpack(state).0, unpack(renamed).0);
        if self.tables.interner.breakage(tuple).is_some() {
            return;
        }
        let Some(ranks) = &mut reducer.ranks else { return };
        if ranks.judged.insert((tuple, renamed_tuple)) {
            reducer.counts.worlds_compared += 1;
            let [one, other] = [state, renamed].map(|state| {
                let Self { tables, machine, judgements, .. } = self;
                (
                    judgements.verdict(tables, &**machine, state, || false),
                    judgements.goals_reached(tables, &**machine, state),
                    judgements.is_pruned(tables, &**machine, state),
                )
            });
            if one != other {
                self.tables.verifier.accuse(|| {
                    "the reduction `ranks` is not possible: an assertion, goal or pruning answers differently when numbers have other names of the same order".to_owned()
                });
            }
        }
        if tuple < FIRST_COMPARED || mix(state.0).is_multiple_of(SHARE_COMPARED) {
            reducer.counts.states_compared += 1;
            let [one, other] = [state, renamed].map(|state| self.normal_successors(reducer, state));
            if one != other {
                self.tables.verifier.accuse(|| {
                    "the reduction `ranks` is not possible: other events are possible when numbers have other names of the same order; commands, timers or assumptions depend on them".to_owned()
                });
            }
        }
    }

    /// Kinds, nodes and normal forms of the successors of a state, in order.
    fn normal_successors(
        &mut self,
        reducer: &mut Reducer,
        state: StateId,
    ) -> Vec<(EventKind, usize, StateId)> {
        let mut steps = Vec::new();
        self.expand_anew(&[state], &mut steps);
        let tuple = unpack(state).0;
        let mut successors: Vec<_> = steps
            .into_iter()
            .map(|step| {
                let name = EventName::unpack(step.event);
                // A handler at fault is named before what it leads to.
                let fresh = self.facts_of(reducer, tuple, name).map(|(_, facts)| facts.fresh);
                self.verify_fresh(reducer, state, name, fresh.unwrap_or_default());
                let target = self.without_obsolete(reducer, step.target);
                (name.kind, name.node, self.with_ranks(reducer, target))
            })
            .collect();
        successors.sort_unstable();
        successors.dedup();
        successors
    }

    /// The run of the scenario itself that a run of the reduced space represents. It has the same
    /// events, but nothing is dropped or renamed after its first state. A run that does not begin
    /// where the scenario does begins where it did. Nothing, if there is none: then something that
    /// a reduction relies on is wrong.
    #[must_use]
    pub fn unreduced(&mut self, run: &Trace) -> Option<Trace> {
        let Some(mut reducer) = self.reducer.take() else { return Some(run.clone()) };
        let found = self.follow(&mut reducer, run);
        self.reducer = Some(reducer);
        found
    }

    fn follow(&mut self, reducer: &mut Reducer, run: &Trace) -> Option<Trace> {
        let mut initial = Vec::new();
        self.unreduced_initial(&mut initial);
        let is_start = |space: &mut Self, reducer: &mut Reducer, state| {
            let state = space.without_obsolete(reducer, state);
            space.with_ranks(reducer, state) == run.initial
        };
        let initial = initial.into_iter().find(|&state| is_start(self, reducer, state));
        let initial = initial.unwrap_or(run.initial);
        let (mut at, mut found) = (initial, Trace { initial, steps: Vec::new() });
        let mut steps = Vec::new();
        for wanted in &run.steps {
            let event = EventName::unpack(wanted.event);
            steps.clear();
            self.expand_anew(&[at], &mut steps);
            let next = steps.iter().copied().find(|step| {
                let name = EventName::unpack(step.event);
                (name.kind, name.node) == (event.kind, event.node) && {
                    let target = self.without_obsolete(reducer, step.target);
                    self.with_ranks(reducer, target) == wanted.state
                }
            })?;
            at = next.target;
            found.steps.push(TraceStep { event: next.event, state: next.target });
        }
        Some(found)
    }
}
