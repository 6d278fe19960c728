//! The steps out of a state.

use everypath_explore::{EventId, StateId, Step};
use everypath_model::{Budget, Event, EventKind, NodeId, Protocol};

use crate::{
    NetworkSpace,
    execute::Input,
    groups::{Effect, Gate, Group, PacketEffects, Part},
    networks::{Fault, NO_OUTPUT, Take},
    nodes::Outcomes,
    packed_world::Reading,
    space::{pack, unpack},
    ways::Here,
};

/// An event's name, packed: 4 bits kind, 12 bits node, 16 bits branch, 32 bits which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventName {
    pub(crate) kind: EventKind,
    pub(crate) node: usize,
    /// Which of the outcomes of a handler that chooses.
    pub(crate) branch: u16,
    /// Which packet, or which of the slot's timers or commands.
    pub(crate) which: u32,
}

impl EventName {
    pub(crate) fn pack(self) -> EventId {
        EventId(
            (self.kind as u64) << 60
                | (self.node as u64) << 48
                | u64::from(self.branch) << 32
                | u64::from(self.which),
        )
    }

    pub(crate) fn unpack(event: EventId) -> Self {
        Self {
            kind: EventKind::ALL[(event.0 >> 60) as usize],
            node: (event.0 >> 48 & 0xfff) as usize,
            branch: (event.0 >> 32) as u16,
            which: event.0 as u32,
        }
    }
}

impl<P: Protocol> NetworkSpace<'_, P> {
    /// Expands states; `LATE` says whether it is not known in advance who receives a packet, or
    /// whether it can be received: the scenario says so, or links can fail.
    pub(crate) fn expand_states<const LATE: bool>(
        &mut self,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) {
        for (source, &state) in (0..).zip(states) {
            self.expand_state::<LATE>(source, state, steps);
        }
    }

    fn expand_state<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        steps: &mut Vec<Step>,
    ) {
        let (tuple, network) = unpack(state);
        if self.prunes(state) {
            return;
        }
        if !self.groups.is_in(tuple) {
            if self.breakage(tuple).is_some() {
                // Where a handler has failed, nothing happens any more.
                return;
            }
            if !self.groups.change_to(tuple) {
                self.compute_group(state);
            }
        }
        let past = self.networks.past(network);
        let left = past.left;
        let takes = self.networks.look_at(network);
        let mut from = 0;
        for node in 0..self.nodes.len() {
            let mut to = from;
            while !LATE
                && to < takes
                && self.networks.addressee(self.networks.take(to).packet).index() == node
            {
                to += 1;
            }
            let parts = self.groups.current.parts_of(node);
            for place in parts {
                match self.groups.current.parts[place] {
                    Part::Local { reboots: true, .. } if !left.reboot.some() => {}
                    Part::Local { start, end, .. } => {
                        self.local_steps(source, state, start..end, steps);
                    }
                    part if LATE => {
                        self.late_steps(part, Here { source, state, node, takes, past }, steps);
                    }
                    Part::Deliver => self.deliveries(source, state, from..to, steps),
                    Part::Lose if left.loss.some() => {
                        self.losses(source, state, from..to, steps);
                    }
                    Part::Duplicate if left.duplication.some() => {
                        self.duplications(source, state, from..to, steps);
                    }
                    Part::Lose | Part::Duplicate | Part::Undeliverable | Part::Links { .. } => {}
                }
            }
            from = to;
        }
    }

    fn local_steps(
        &mut self,
        source: u32,
        state: StateId,
        places: std::ops::Range<u32>,
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(state);
        for place in places {
            let effect = self.groups.current.local[place as usize];
            self.step(source, state, network, effect, steps);
        }
    }

    fn deliveries(
        &mut self,
        source: u32,
        state: StateId,
        takes: std::ops::Range<usize>,
        steps: &mut Vec<Step>,
    ) {
        for place in takes {
            let take = self.networks.take(place);
            let PacketEffects { start, len, .. } = self.packet_effects(state, take.packet);
            for place in start..start + len {
                let effect = self.groups.current.deliveries[place as usize];
                self.step(source, state, take.rest, effect, steps);
            }
        }
    }

    fn losses(
        &mut self,
        source: u32,
        state: StateId,
        takes: std::ops::Range<usize>,
        steps: &mut Vec<Step>,
    ) {
        for place in takes {
            self.loss(source, state, place, steps);
        }
    }

    /// The loss of the packet at a place.
    pub(crate) fn loss(
        &mut self,
        source: u32,
        state: StateId,
        place: usize,
        steps: &mut Vec<Step>,
    ) {
        let take = self.networks.take(place);
        let effect = self.packet_effects(state, take.packet).lose;
        self.step(source, state, take.rest, effect, steps);
    }

    fn duplications(
        &mut self,
        source: u32,
        state: StateId,
        takes: std::ops::Range<usize>,
        steps: &mut Vec<Step>,
    ) {
        for place in takes.clone() {
            self.duplication(source, state, takes.start..place, steps);
        }
    }

    /// The duplication of the packet at a place, behind others of which some may be equal.
    pub(crate) fn duplication(
        &mut self,
        source: u32,
        state: StateId,
        others: std::ops::Range<usize>,
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(state);
        let Take { packet, .. } = self.networks.take(others.end);
        let mut effect = self.packet_effects(state, packet).duplicate;
        // Only a list can give equal packets one by one; which of them is duplicated shows. (In a
        // list, no event is required: that is for the published semantics' search to see to.)
        let ahead = others.filter(|&ahead| self.networks.take(ahead).packet == packet).count();
        if ahead > 0 {
            let fault = Fault::Duplication { packet, ahead };
            effect.output = self.networks.output(Vec::new(), fault);
        }
        self.step(source, state, network, effect, steps);
    }

    /// Takes one step, if the assumptions allow it: `remaining` is the network without what the
    /// event takes out of it.
    pub(crate) fn step(
        &mut self,
        source: u32,
        state: StateId,
        remaining: u32,
        effect: Effect,
        steps: &mut Vec<Step>,
    ) {
        let allowed = match effect.gate {
            Gate::Open => true,
            Gate::Shut => false,
            Gate::Ask => {
                let event = self.event(state, EventName::unpack(effect.event));
                self.allows(state, &event).answer
            }
        };
        if allowed {
            let network = self.networks.after(remaining, effect.output);
            steps.push(Step { source, event: effect.event, target: pack(effect.tuple, network) });
        }
    }

    /// Computes what the events that need no packet do to the current group.
    fn compute_group(&mut self, state: StateId) {
        let faults = self.scenario.faults;
        let mut group = std::mem::take(&mut self.groups.current);
        for node in 0..self.nodes.len() {
            group.part_starts.push(len32(&group.parts));
            for order in 0..self.scenario.event_order.len() {
                match self.scenario.event_order[order] {
                    EventKind::Deliver => group.parts.push(Part::Deliver),
                    EventKind::Lose if faults.loss != Budget::Off => group.parts.push(Part::Lose),
                    EventKind::Duplicate if faults.duplication != Budget::Off => {
                        group.parts.push(Part::Duplicate);
                    }
                    EventKind::Undeliverable if faults.break_links() => {
                        group.parts.push(Part::Undeliverable);
                    }
                    kind @ (EventKind::LinkDown | EventKind::LinkUp) => {
                        self.links_part(state, node, kind, &mut group);
                    }
                    EventKind::Lose | EventKind::Duplicate | EventKind::Undeliverable => {}
                    local => self.local_part(state, node, local, &mut group),
                }
            }
        }
        group.part_starts.push(len32(&group.parts));
        self.groups.current = group;
    }

    /// Computes what it does that the links of which a node is the smaller end fail or come back.
    fn links_part(&mut self, state: StateId, node: usize, kind: EventKind, group: &mut Group) {
        let up = kind == EventKind::LinkUp;
        let start = len32(&group.local);
        for link in 0..self.links.len() {
            if self.links[link].0.index() == node {
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

    /// Computes what the local events of one kind do at a node.
    fn local_part(&mut self, state: StateId, node: usize, kind: EventKind, group: &mut Group) {
        let (tuple, _) = unpack(state);
        let slot = self.tuples.slot(tuple, node);
        let start = len32(&group.local);
        for place in 0..self.nodes[node].local[slot as usize].len() {
            if self.nodes[node].local[slot as usize][place].kind == kind {
                self.local_effects(state, node, slot, place, &mut group.local);
            }
        }
        let end = len32(&group.local);
        if start < end {
            group.parts.push(Part::Local { start, end, reboots: kind == EventKind::Reboot });
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
        let local = self.nodes[node].local[slot as usize][place];
        let name = EventName { kind: local.kind, node, branch: 0, which: local.which };
        let gate = self.gate(state, name);
        if gate == Gate::Shut {
            return;
        }
        let outcomes = local.outcomes.unwrap_or_else(|| {
            let outcomes = self.execute(node, Some(slot), Input::of(local));
            self.nodes[node].local[slot as usize][place].outcomes = Some(outcomes);
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
            let outcome = self.outcomes[place as usize];
            let name = EventName { branch: branch as u16, ..name };
            if self.is_disabled(state, name, Some(place)) {
                continue;
            }
            effects.push(Effect {
                event: name.pack(),
                tuple: self.tuples.replace(tuple, name.node, outcome.slot),
                output: self.output_of(state, name, Some(place), outcome.output),
                gate,
            });
        }
    }

    /// Whether an event never happens: whatever its outcome is, or with this one.
    fn is_disabled(&self, state: StateId, name: EventName, outcome: Option<u32>) -> bool {
        let mut disabled = self.options.disabled.iter();
        disabled
            .any(|pattern| self.describes(pattern, state, name, || self.choices_before(outcome)))
    }

    /// The output of an event with this outcome, if it has outcomes, given what it puts into the
    /// network: it may be the required event.
    pub(crate) fn output_of(
        &mut self,
        state: StateId,
        name: EventName,
        outcome: Option<u32>,
        output: u32,
    ) -> u32 {
        match &self.options.required {
            Some(pattern)
                if self.describes(pattern, state, name, || self.choices_before(outcome)) =>
            {
                self.networks.required(output)
            }
            _ => output,
        }
    }

    pub(crate) fn packet_effects(&mut self, state: StateId, packet: u32) -> PacketEffects {
        match self.groups.current.packets.get(packet as usize) {
            Some(known) if known.stamp == self.groups.current.stamp => *known,
            _ => self.compute_packet_effects(state, packet),
        }
    }

    fn compute_packet_effects(&mut self, state: StateId, packet: u32) -> PacketEffects {
        let node = self.networks.addressee(packet).index();
        let name = |kind| EventName { kind, node, branch: 0, which: packet };
        let (start, len) = match self.networks.is_late() {
            false => self.packet_outcomes(state, name(EventKind::Deliver)),
            true => self.ways(state, packet),
        };
        let faults = self.scenario.faults;
        let effects = PacketEffects {
            stamp: self.groups.current.stamp,
            start,
            len,
            lose: self.fault(state, name(EventKind::Lose), faults.loss.is_counted(), Fault::Loss),
            duplicate: self.fault(
                state,
                name(EventKind::Duplicate),
                // Even if it costs nothing it puts a packet in flight.
                true,
                Fault::Duplication { packet, ahead: 0 },
            ),
        };
        let packets = &mut self.groups.current.packets;
        if packets.len() <= packet as usize {
            // Marked as belonging to no group: stamps are counted from 1.
            packets.resize(packet as usize + 1, PacketEffects { stamp: 0, ..effects });
        }
        packets[packet as usize] = effects;
        effects
    }

    /// Adds one effect to the group's deliveries for each outcome of a packet's delivery or return;
    /// their range.
    pub(crate) fn packet_outcomes(&mut self, state: StateId, name: EventName) -> (u32, u32) {
        let (tuple, _) = unpack(state);
        let mut deliveries = std::mem::take(&mut self.groups.current.deliveries);
        let start = len32(&deliveries);
        let gate = self.gate(state, name);
        if gate != Gate::Shut {
            let outcomes = self.packet_handled(name, self.tuples.slot(tuple, name.node));
            self.effects(state, name, gate, outcomes, &mut deliveries);
        }
        let len = len32(&deliveries) - start;
        self.groups.current.deliveries = deliveries;
        (start, len)
    }

    /// What a fault around a packet does: nothing to the nodes.
    fn fault(&mut self, state: StateId, name: EventName, changes: bool, fault: Fault) -> Effect {
        let (tuple, _) = unpack(state);
        let output = if changes { self.networks.output(Vec::new(), fault) } else { NO_OUTPUT };
        let output = self.output_of(state, name, None, output);
        Effect { event: name.pack(), tuple, output, gate: self.gate(state, name) }
    }

    /// What a packet's delivery or return leads to at a node in this slot.
    fn packet_handled(&mut self, name: EventName, slot: u32) -> Outcomes {
        let EventName { kind, node, which: packet, .. } = name;
        let table = &self.nodes[node];
        let (known, input) = match kind {
            EventKind::Undeliverable => (&table.returns, Input::Undeliverable { packet }),
            _ => (&table.deliveries, Input::Message { packet }),
        };
        if let Some(&known) = known.get(&(slot, packet)) {
            return known;
        }
        let outcomes = self.execute(node, Some(slot), input);
        let table = &mut self.nodes[node];
        let known = match kind {
            EventKind::Undeliverable => &mut table.returns,
            _ => &mut table.deliveries,
        };
        known.insert((slot, packet), outcomes);
        outcomes
    }

    /// Whether an event can happen in all states with this tuple, as far as one can tell from one
    /// of them.
    pub(crate) fn gate(&self, state: StateId, name: EventName) -> Gate {
        if self.is_disabled(state, name, None) {
            return Gate::Shut;
        }
        if self.scenario.assumptions.is_empty() {
            return Gate::Open;
        }
        match self.allows(state, &self.event(state, name)) {
            Reading { network_read: true, .. } => Gate::Ask,
            Reading { answer: true, .. } => Gate::Open,
            Reading { answer: false, .. } => Gate::Shut,
        }
    }

    /// The event of a name.
    pub(crate) fn event(&self, state: StateId, name: EventName) -> Event<'_, P> {
        let (tuple, _) = unpack(state);
        let node = NodeId::from(name.node);
        let slot = self.tuples.slot(tuple, name.node);
        match name.kind {
            EventKind::Command => {
                let commands = &self.nodes[name.node].commands[slot as usize];
                Event::Command { node, command: &commands[name.which as usize] }
            }
            EventKind::Timer => Event::Timer { node, timer: self.timer(tuple, name) },
            EventKind::Deliver => Event::Deliver { node, packet: self.packet(name.which) },
            EventKind::Lose => Event::Lose { packet: self.packet(name.which) },
            EventKind::Duplicate => Event::Duplicate { packet: self.packet(name.which) },
            EventKind::Reboot => Event::Reboot { node },
            EventKind::Undeliverable => Event::Undeliverable { packet: self.packet(name.which) },
            EventKind::LinkDown => Event::LinkDown { ends: self.links[name.which as usize] },
            EventKind::LinkUp => Event::LinkUp { ends: self.links[name.which as usize] },
        }
    }

    fn timer(&self, tuple: u32, name: EventName) -> &P::Timer {
        match self.slot(tuple, name.node) {
            crate::nodes::Slot::Running { timers, .. } => &timers[name.which as usize],
            crate::nodes::Slot::Broken(_) => unreachable!("a broken node has no timers"),
        }
    }
}

pub(crate) fn len32<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("a group has less than 2^32 effects")
}
