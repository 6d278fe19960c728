//! The steps out of a state.

use everypath_explore::{EventId, StateId, Step};
use everypath_model::{Budget, Event, EventKind, NodeId, Protocol};

use crate::{
    NetworkSpace,
    execute::Input,
    groups::{Effect, Gate, Group, PacketEffects, Part},
    networks::{Fault, NO_OUTPUT, Order, Take},
    nodes::Outcomes,
    packed_world::Reading,
    space::{pack, unpack},
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
    /// Expands states; `LATE` says whether the scenario says who receives packets.
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
        let left = self.networks.past(network).left;
        let takes = self.networks.look_at(network);
        let mut from = 0;
        for node in 0..self.nodes.len() {
            let mut to = if LATE { takes } else { from };
            while to < takes && self.is_for(node, self.networks.take(to).packet) {
                to += 1;
            }
            let parts = self.groups.current.parts_of(node);
            for place in parts {
                match self.groups.current.parts[place] {
                    Part::Local { reboots: true, .. } if !left.reboot.some() => {}
                    Part::Local { start, end, .. } => {
                        self.local_steps(source, state, start..end, steps);
                    }
                    Part::Deliver => {
                        self.deliveries::<LATE>(source, state, node, from..to, steps);
                    }
                    Part::Lose if left.loss.some() => {
                        self.losses::<LATE>(source, state, node, from..to, steps);
                    }
                    Part::Duplicate if left.duplication.some() => {
                        self.duplications::<LATE>(source, state, node, from..to, steps);
                    }
                    Part::Lose | Part::Duplicate => {}
                }
            }
            if !LATE {
                from = to;
            }
        }
    }

    /// Whether a packet is addressed to a node.
    fn is_for(&self, node: usize, packet: u32) -> bool {
        self.networks.addressee(packet).index() == node
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

    /// Deliveries at a node of the packets at some places: of those that it can receive, if it may
    /// not be all.
    fn deliveries<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        node: usize,
        takes: std::ops::Range<usize>,
        steps: &mut Vec<Step>,
    ) {
        for place in takes {
            let take = self.networks.take(place);
            let PacketEffects { deliveries_start, deliveries_len, .. } =
                self.packet_effects(state, take.packet);
            for place in deliveries_start..deliveries_start + deliveries_len {
                let effect = self.groups.current.deliveries[place as usize];
                if !LATE || EventName::unpack(effect.event).node == node {
                    self.step(source, state, take.rest, effect, steps);
                }
            }
            if LATE
                && self.networks.order() == Order::PerReceiver
                && self.can_receive(unpack(state).0, node, take.packet)
            {
                return;
            }
        }
    }

    /// Losses of the packets at some places: of those addressed to the node, if it may not be all.
    fn losses<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        node: usize,
        takes: std::ops::Range<usize>,
        steps: &mut Vec<Step>,
    ) {
        for place in takes {
            let take = self.networks.take(place);
            if LATE && !self.is_for(node, take.packet) {
                continue;
            }
            let effect = self.packet_effects(state, take.packet).lose;
            self.step(source, state, take.rest, effect, steps);
            if LATE && self.networks.order() == Order::PerReceiver {
                return;
            }
        }
    }

    /// As [`losses`](Self::losses), for duplications.
    fn duplications<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        node: usize,
        takes: std::ops::Range<usize>,
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(state);
        for place in takes.clone() {
            let Take { packet, .. } = self.networks.take(place);
            if LATE && !self.is_for(node, packet) {
                continue;
            }
            let mut effect = self.packet_effects(state, packet).duplicate;
            // Only a list can give equal packets one by one; which of them is duplicated shows. (In a
            // list, no event is required: that is for the published semantics' search to see to.)
            let ahead = (takes.start..place)
                .filter(|&ahead| self.networks.take(ahead).packet == packet)
                .count();
            if ahead > 0 {
                let fault = Fault::Duplication { packet, ahead };
                effect.output = self.networks.output(Vec::new(), fault);
            }
            self.step(source, state, network, effect, steps);
            if LATE && self.networks.order() == Order::PerReceiver {
                return;
            }
        }
    }

    /// Takes one step, if the assumptions allow it: `remaining` is the network without what the
    /// event takes out of it.
    fn step(
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
                    EventKind::Lose | EventKind::Duplicate => {}
                    local => self.local_part(state, node, local, &mut group),
                }
            }
        }
        group.part_starts.push(len32(&group.parts));
        self.groups.current = group;
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

    fn packet_effects(&mut self, state: StateId, packet: u32) -> PacketEffects {
        match self.groups.current.packets.get(packet as usize) {
            Some(known) if known.stamp == self.groups.current.stamp => *known,
            _ => self.compute_packet_effects(state, packet),
        }
    }

    fn compute_packet_effects(&mut self, state: StateId, packet: u32) -> PacketEffects {
        let node = self.networks.addressee(packet).index();
        let name = |kind| EventName { kind, node, branch: 0, which: packet };
        let mut deliveries = std::mem::take(&mut self.groups.current.deliveries);
        let deliveries_start = len32(&deliveries);
        match self.scenario.receivers {
            None => self.delivery_effects(state, node, packet, &mut deliveries),
            Some(_) => self.late_delivery_effects(state, packet, &mut deliveries),
        }
        let deliveries_len = len32(&deliveries) - deliveries_start;
        self.groups.current.deliveries = deliveries;
        let faults = self.scenario.faults;
        let effects = PacketEffects {
            stamp: self.groups.current.stamp,
            deliveries_start,
            deliveries_len,
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

    /// One effect for each outcome of a packet's delivery at a node.
    pub(crate) fn delivery_effects(
        &mut self,
        state: StateId,
        node: usize,
        packet: u32,
        deliveries: &mut Vec<Effect>,
    ) {
        let (tuple, _) = unpack(state);
        let name = EventName { kind: EventKind::Deliver, node, branch: 0, which: packet };
        let gate = self.gate(state, name);
        if gate != Gate::Shut {
            let outcomes = self.delivery(node, self.tuples.slot(tuple, node), packet);
            self.effects(state, name, gate, outcomes, deliveries);
        }
    }

    /// What a fault around a packet does: nothing to the nodes.
    fn fault(&mut self, state: StateId, name: EventName, changes: bool, fault: Fault) -> Effect {
        let (tuple, _) = unpack(state);
        let output = if changes { self.networks.output(Vec::new(), fault) } else { NO_OUTPUT };
        let output = self.output_of(state, name, None, output);
        Effect { event: name.pack(), tuple, output, gate: self.gate(state, name) }
    }

    fn delivery(&mut self, node: usize, slot: u32, packet: u32) -> Outcomes {
        if let Some(&known) = self.nodes[node].deliveries.get(&(slot, packet)) {
            return known;
        }
        let outcomes = self.execute(node, Some(slot), Input::Message { packet });
        self.nodes[node].deliveries.insert((slot, packet), outcomes);
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
        }
    }

    fn timer(&self, tuple: u32, name: EventName) -> &P::Timer {
        match self.slot(tuple, name.node) {
            crate::nodes::Slot::Running { timers, .. } => &timers[name.which as usize],
            crate::nodes::Slot::Broken(_) => unreachable!("a broken node has no timers"),
        }
    }
}

fn len32<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("a group has less than 2^32 effects")
}
