//! The steps out of a state.

use everypath_explore::{EventId, Measured, StateId, Step};
use everypath_model::{Budget, EventKind, Faults};

use super::{NetworkSpace, exits::Here};
use crate::{
    answers::Reading,
    groups::{Effect, Gate, Group, NodeSet, PacketEffects, Part},
    nodes::{Input, Outcomes},
    packed::{EventName, pack, unpack},
    transit::{Fault, NO_OUTPUT, Removal},
};

impl NetworkSpace<'_> {
    /// Expands states. With `LATE`, it is not known in advance whether and by whom a packet is
    /// received: the scenario decides, or links can fail. With `KNOWN`, some steps are known from a
    /// graph, and are taken from there.
    pub(crate) fn expand_states<const LATE: bool, const KNOWN: bool>(
        &mut self,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) {
        // Taken out of the space while they are used, so that the compiler knows that they do not
        // change.
        let mut group = self.groups.take_current();
        let mut removals = std::mem::take(&mut self.removals);
        for (source, &state) in (0..).zip(states) {
            let (tuple, network) = unpack(state);
            if self.judgements.is_pruned(&self.tables, &*self.machine, state) {
                continue;
            }
            if !group.is_of(tuple) {
                if self.tables.interner.breakage(tuple).is_some() {
                    // After a handler has failed, no event is enabled.
                    continue;
                }
                if !self.groups.change(&mut group, tuple) {
                    self.compute_group(state, &mut group);
                }
            }
            self.allow_steps(steps.len());
            self.tables.interner.networks.look_at(network, &mut removals);
            self.expand_state::<LATE, KNOWN>(source, state, &mut group, &removals, steps);
        }
        self.removals = removals;
        self.groups.set_current(group);
    }

    fn expand_state<const LATE: bool, const KNOWN: bool>(
        &mut self,
        source: u32,
        state: StateId,
        group: &mut Group,
        removals: &[Removal],
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(state);
        let past = self.tables.interner.networks.past(network);
        let left = past.left;
        let mut here = Here { source, state, node: 0, removals };
        let mut rest = removals;
        for place in 0..group.parts.len() {
            match group.parts[place] {
                Part::Node(node) => {
                    here.node = node;
                    if !LATE {
                        let of_node = |removal: &&Removal| {
                            self.tables.interner.networks.addressee(removal.packet).index() == node
                        };
                        let own = rest.iter().take_while(of_node).count();
                        (here.removals, rest) = rest.split_at(own);
                    }
                }
                Part::Local { reboots: true, .. } if !left.reboot.some() => {}
                Part::Local { start, end, .. } => {
                    for effect in &group.local[start as usize..end as usize] {
                        self.step::<KNOWN>(source, state, network, effect, steps);
                    }
                }
                Part::Limited { start, end } => {
                    for effect in &group.local[start as usize..end as usize] {
                        let networks = &self.tables.interner.networks;
                        if networks.is_within_budget(&past, effect.output) {
                            self.step::<KNOWN>(source, state, network, effect, steps);
                        }
                    }
                }
                part if LATE => self.late_steps::<KNOWN>(part, here, &past, group, steps),
                Part::Deliver => self.deliveries::<KNOWN>(here, group, steps),
                Part::Lose if left.loss.some() => {
                    for &removal in here.removals {
                        self.loss::<KNOWN>(here, removal, group, steps);
                    }
                }
                Part::Duplicate if left.duplication.some() => {
                    for place in 0..here.removals.len() {
                        self.duplication::<KNOWN>(here, place, group, steps);
                    }
                }
                Part::Lose | Part::Duplicate | Part::Undeliverable | Part::Links { .. } => {}
            }
        }
    }

    fn deliveries<const KNOWN: bool>(
        &mut self,
        here: Here<'_>,
        group: &mut Group,
        steps: &mut Vec<Step>,
    ) {
        let Here { source, state, .. } = here;
        for removal in here.removals {
            let PacketEffects { start, len, .. } =
                *self.packet_effects(state, group, removal.packet);
            for effect in &group.deliveries[start as usize..][..len as usize] {
                self.step::<KNOWN>(source, state, removal.rest, effect, steps);
            }
        }
    }

    /// The loss of a packet.
    #[inline]
    pub(crate) fn loss<const KNOWN: bool>(
        &mut self,
        here: Here<'_>,
        removal: Removal,
        group: &mut Group,
        steps: &mut Vec<Step>,
    ) {
        let effect = &self.packet_effects(here.state, group, removal.packet).lose;
        let effect = effect.as_ref().expect("packets can be lost");
        self.step::<KNOWN>(here.source, here.state, removal.rest, effect, steps);
    }

    /// The duplication of the packet at an index, behind packets of which some may be equal.
    pub(crate) fn duplication<const KNOWN: bool>(
        &mut self,
        here: Here<'_>,
        place: usize,
        group: &mut Group,
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(here.state);
        let Removal { packet, .. } = here.removals[place];
        let effect = self.packet_effects(here.state, group, packet).duplicate;
        let mut effect = effect.expect("packets can be duplicated");
        // Only a list can return equal packets separately; then it matters which of them is
        // duplicated. (No event is required in a list: in published semantics, the search looks for
        // it.)
        let ahead = here.removals[..place].iter().filter(|ahead| ahead.packet == packet).count();
        if ahead > 0 {
            let fault = Fault::Duplication { packet, ahead };
            effect.output = self.tables.interner.networks.output(Vec::new(), fault);
        }
        self.step::<KNOWN>(here.source, here.state, network, &effect, steps);
    }

    /// Removals one step, if the assumptions allow it. `remaining` is the network without the packet
    /// that the event removes.
    #[inline]
    pub(crate) fn step<const KNOWN: bool>(
        &mut self,
        source: u32,
        state: StateId,
        remaining: u32,
        effect: &Effect,
        steps: &mut Vec<Step>,
    ) {
        let &Effect { event, tuple, output, gate } = effect;
        if KNOWN
            && gate != Gate::Shut
            && let Some(target) = self.graph.known.take(event)
        {
            return steps.push(Step { source, event, target });
        }
        let allowed = match gate {
            Gate::Open => true,
            Gate::Shut => false,
            Gate::Ask => self.is_allowed(state, event),
        };
        if allowed {
            let network = self.tables.interner.networks.after(remaining, output);
            steps.push(Step { source, event, target: pack(tuple, network) });
        }
    }

    /// Ends the expansion if there is no memory for more steps.
    #[inline]
    fn allow_steps(&mut self, steps: usize) {
        if self.tables.executor.allowance.is_step_measured(steps) {
            self.allow_more_steps(steps);
        }
    }

    #[cold]
    fn allow_more_steps(&mut self, steps: usize) {
        let taken = (self.bytes(), self.bytes_soon());
        let allowance = &mut self.tables.executor.allowance;
        if allowance.refuses_steps(steps, taken) {
            allowance.give_up();
        }
    }

    /// Whether the assumptions allow an event, and whether the answer is valid for every network.
    fn allows(&self, state: StateId, name: EventName) -> Reading<bool> {
        self.judgements.allows(&self.tables, &*self.machine, state, name)
    }

    /// Whether the assumptions allow an event.
    fn is_allowed(&self, state: StateId, event: EventId) -> bool {
        self.allows(state, EventName::unpack(event)).answer
    }

    /// Computes the effects of the events without a packet on a group.
    fn compute_group(&mut self, state: StateId, group: &mut Group) {
        let faults = self.tables.setup.faults;
        for node in 0..self.tables.interner.nodes.len() {
            group.parts.push(Part::Node(node));
            for order in 0..self.tables.setup.event_order.len() {
                match self.tables.setup.event_order[order] {
                    EventKind::Deliver => group.parts.push(Part::Deliver),
                    EventKind::Lose if faults.loss != Budget::Off => group.parts.push(Part::Lose),
                    EventKind::Duplicate if faults.duplication != Budget::Off => {
                        group.parts.push(Part::Duplicate);
                    }
                    EventKind::Undeliverable if self.tables.setup.packets_return => {
                        group.parts.push(Part::Undeliverable);
                    }
                    kind @ (EventKind::LinkDown | EventKind::LinkUp) => {
                        self.links_part(state, node, kind, group);
                    }
                    EventKind::Lose | EventKind::Duplicate | EventKind::Undeliverable => {}
                    local => self.local_part(state, node, local, group),
                }
            }
        }
    }

    /// Computes the effects of failing and returning links. Each link belongs to its smaller end.
    fn links_part(&mut self, state: StateId, node: usize, kind: EventKind, group: &mut Group) {
        let up = kind == EventKind::LinkUp;
        let start = len32(&group.local);
        for link in 0..self.tables.setup.links.len() {
            if self.tables.setup.links[link].0.index() == node {
                let which = u32::try_from(link).expect("few links can fail");
                let name = EventName { kind, node, branch: 0, which };
                group.local.push(self.fault(state, name, true, Fault::Link { link, up }));
            }
        }
        let end = len32(&group.local);
        if start < end {
            group.parts.push(Part::Links { start, end, up });
        }
    }

    /// Computes the effects of the local events of one kind at a node.
    fn local_part(&mut self, state: StateId, node: usize, kind: EventKind, group: &mut Group) {
        let (tuple, _) = unpack(state);
        let slot = self.tables.interner.tuples.slot(tuple, node);
        let start = len32(&group.local);
        for place in 0..self.tables.interner.nodes[node].local[slot as usize].len() {
            if self.tables.interner.nodes[node].local[slot as usize][place].tried_as == kind {
                self.local_effects(state, node, slot, place, &mut group.local);
            }
        }
        let end = len32(&group.local);
        let reboots = kind == EventKind::Reboot;
        if start < end {
            group.parts.push(match self.tables.setup.timeouts.is_empty() || reboots {
                true => Part::Local { start, end, reboots },
                false => Part::Limited { start, end },
            });
        }
    }

    fn local_effects(
        &mut self,
        state: StateId,
        node: usize,
        slot: u32,
        place: usize,
        effects: &mut Vec<Effect>,
    ) {
        let local = self.tables.interner.nodes[node].local[slot as usize][place];
        let name = EventName { kind: local.kind, node, branch: 0, which: local.which };
        let gate = self.gate(state, name);
        if gate == Gate::Shut {
            return;
        }
        let outcomes = local.outcomes.unwrap_or_else(|| {
            let outcomes = self.execute(node, Some(slot), Input::of(local));
            self.tables.interner.nodes[node].local[slot as usize][place].outcomes = Some(outcomes);
            outcomes
        });
        self.effects(state, name, gate, outcomes, effects);
    }

    /// One effect per outcome.
    fn effects(
        &mut self,
        state: StateId,
        name: EventName,
        gate: Gate,
        outcomes: Outcomes,
        effects: &mut Vec<Effect>,
    ) {
        let (tuple, _) = unpack(state);
        for branch in 0..outcomes.len {
            let place = outcomes.start + branch;
            let outcome = self.tables.executor.outcome(place);
            let name = EventName { branch: branch as u16, ..name };
            if self.is_disabled(state, name, Some(place)) {
                continue;
            }
            let output = self.output_of(state, name, Some(place), outcome.output);
            effects.push(Effect {
                event: name.pack(),
                tuple: self.tuple_after(tuple, name, Some(outcome.slot)),
                output: self.limited(state, name, place, output),
                gate,
            });
        }
    }

    /// The output of an event with this outcome. It may spend budgets of timeouts.
    fn limited(&mut self, state: StateId, name: EventName, outcome: u32, output: u32) -> u32 {
        if name.kind != EventKind::Timer {
            return output;
        }
        let timeouts = self.tables.setup.timeouts.iter().enumerate();
        let budgets = timeouts.fold(0, |budgets, (place, (pattern, _))| {
            let decided = || self.tables.executor.decided_before(Some(outcome));
            let is_limited = self.view().describes(pattern, state, name, decided);
            budgets | u8::from(is_limited) << place
        });
        if budgets == 0 { output } else { self.tables.interner.networks.timeout(output, budgets) }
    }

    /// Whether an event is disabled: whatever its outcome is, or with this one.
    fn is_disabled(&self, state: StateId, name: EventName, outcome: Option<u32>) -> bool {
        let mut disabled = self.tables.setup.options.disabled.iter();
        disabled.any(|pattern| {
            self.view()
                .describes(pattern, state, name, || self.tables.executor.decided_before(outcome))
        })
    }

    /// The output of an event with this outcome, if it has outcomes. It may mark the required
    /// event.
    pub(crate) fn output_of(
        &mut self,
        state: StateId,
        name: EventName,
        outcome: Option<u32>,
        output: u32,
    ) -> u32 {
        match &self.tables.setup.options.required {
            Some(pattern)
                if self.view().describes(pattern, state, name, || {
                    self.tables.executor.decided_before(outcome)
                }) =>
            {
                self.tables.interner.networks.required(output)
            }
            _ => output,
        }
    }

    /// The effects of the events of a packet on a group.
    #[inline]
    pub(crate) fn packet_effects<'g>(
        &mut self,
        state: StateId,
        group: &'g mut Group,
        packet: u32,
    ) -> &'g PacketEffects {
        let known = group.packets.get(packet as usize);
        if known.is_none_or(|known| known.stamp != group.stamp) {
            self.compute_packet_effects(state, group, packet);
        }
        &group.packets[packet as usize]
    }

    #[cold]
    fn compute_packet_effects(&mut self, state: StateId, group: &mut Group, packet: u32) {
        let node = self.tables.interner.networks.addressee(packet).index();
        let name = |kind| EventName { kind, node, branch: 0, which: packet };
        let mut exits = NodeSet::default();
        let (start, len) = if self.tables.interner.networks.is_late() {
            let (start, len) = self.exits_of(state, group, packet);
            group.exits[start as usize..].iter().for_each(|exit| exits.add(exit.node));
            (start, len)
        } else {
            self.packet_outcomes(state, group, name(EventKind::Deliver))
        };
        let Faults { loss, duplication, .. } = self.tables.setup.faults;
        let lose = (loss != Budget::Off)
            .then(|| self.fault(state, name(EventKind::Lose), loss.is_counted(), Fault::Loss));
        let duplicate = (duplication != Budget::Off).then(|| {
            // Even if it costs no budget, it puts a packet in flight.
            let fault = Fault::Duplication { packet, ahead: 0 };
            self.fault(state, name(EventKind::Duplicate), true, fault)
        });
        let effects = PacketEffects { stamp: group.stamp, start, len, exits, lose, duplicate };
        if group.packets.len() <= packet as usize {
            // Stamp 0 belongs to no group: stamps start at 1.
            group.packets.resize(packet as usize + 1, PacketEffects { stamp: 0, ..effects });
        }
        group.packets[packet as usize] = effects;
    }

    /// Adds one effect to the group's deliveries for each outcome of a packet's delivery or return.
    /// The result is their range.
    pub(crate) fn packet_outcomes(
        &mut self,
        state: StateId,
        group: &mut Group,
        name: EventName,
    ) -> (u32, u32) {
        let (tuple, _) = unpack(state);
        let start = len32(&group.deliveries);
        let gate = self.gate(state, name);
        if gate != Gate::Shut {
            let outcomes =
                self.packet_handled(name, self.tables.interner.tuples.slot(tuple, name.node));
            self.effects(state, name, gate, outcomes, &mut group.deliveries);
        }
        (start, len32(&group.deliveries) - start)
    }

    /// The effect of a fault of a packet, which does not change nodes.
    fn fault(&mut self, state: StateId, name: EventName, changes: bool, fault: Fault) -> Effect {
        let (tuple, _) = unpack(state);
        let output = if changes {
            self.tables.interner.networks.output(Vec::new(), fault)
        } else {
            NO_OUTPUT
        };
        let output = self.output_of(state, name, None, output);
        let tuple = self.tuple_after(tuple, name, None);
        Effect { event: name.pack(), tuple, output, gate: self.gate(state, name) }
    }

    /// The tuple after an event: with the next slot of its node, if a handler has run, and with what
    /// observers remember of it.
    fn tuple_after(&mut self, tuple: u32, name: EventName, slot: Option<u32>) -> u32 {
        let Self { tables, machine, .. } = self;
        if tables.setup.observers.is_empty() {
            return slot
                .map_or(tuple, |slot| tables.interner.tuples.replace(tuple, name.node, slot));
        }
        let mut after = tables.interner.tuples.scratch_of(tuple);
        if let Some(slot) = slot {
            after[name.node] = slot;
        }
        // A handler that has failed ends the run.
        let has_failed =
            slot.is_some_and(|slot| tables.interner.nodes[name.node].broken.contains_key(&slot));
        if !has_failed {
            machine.observe(tables, tuple, name, &mut after);
        }
        tables.interner.tuples.intern_scratch(after)
    }

    /// The outcomes of a packet's delivery or return at a node in this slot.
    pub(crate) fn packet_handled(&mut self, name: EventName, slot: u32) -> Outcomes {
        let EventName { kind, node, which: packet, .. } = name;
        let table = &self.tables.interner.nodes[node];
        let (known, input) = match kind {
            EventKind::Undeliverable => (&table.returns, Input::Undeliverable { packet }),
            _ => (&table.deliveries, Input::Message { packet }),
        };
        if let Some(&known) = known.get(&(slot, packet)) {
            return known;
        }
        let outcomes = self.execute(node, Some(slot), input);
        let table = &mut self.tables.interner.nodes[node];
        let known = match kind {
            EventKind::Undeliverable => &mut table.returns,
            _ => &mut table.deliveries,
        };
        known.insert((slot, packet), outcomes);
        outcomes
    }

    /// Whether an event is enabled in all states with this tuple, to the extent that one of them
    /// shows it.
    pub(crate) fn gate(&self, state: StateId, name: EventName) -> Gate {
        if self.is_disabled(state, name, None) {
            return Gate::Shut;
        }
        if self.tables.setup.assumptions.is_empty() {
            return Gate::Open;
        }
        match self.allows(state, name) {
            Reading { network_read: true, .. } => Gate::Ask,
            Reading { answer: true, .. } => Gate::Open,
            Reading { answer: false, .. } => Gate::Shut,
        }
    }

    /// The outcomes of the first start of a node.
    pub(crate) fn start(&mut self, node: usize) -> Outcomes {
        if let Some(known) = self.tables.interner.nodes[node].start {
            return known;
        }
        let outcomes = self.execute(node, None, Input::Start);
        self.tables.interner.nodes[node].start = Some(outcomes);
        outcomes
    }

    /// The outcomes of a handler, one for all decisions of an execution.
    pub(crate) fn execute(&mut self, node: usize, slot: Option<u32>, input: Input) -> Outcomes {
        let Self { tables, machine, groups, judgements, relations, graph, .. } = self;
        let others = || {
            let bytes = groups.bytes() + judgements.bytes() + relations.bytes() + graph.bytes();
            (bytes, judgements.bytes_soon() + graph.bytes_soon())
        };
        let executed = machine.execute(tables, &others, node, slot, input);
        executed.unwrap_or_else(|| self.tables.executor.allowance.give_up())
    }
}

pub(crate) fn len32<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("a group has less than 2^32 effects")
}
