//! The steps out of a state.

use everypath_explore::{EventId, StateId, Step};
use everypath_model::{Budget, Event, EventKind, NodeId, Protocol};

use crate::{
    NetworkSpace,
    execute::Input,
    groups::{Effect, Gate, Group, PacketEffects, Part},
    networks::{Fault, NO_OUTPUT, Order},
    nodes::Outcomes,
    packed_world::Reading,
    space::{pack, unpack},
    takes::Take,
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

/// As many kinds of events as their bits can tell apart.
pub(crate) const EVENT_KINDS_MAX: usize = 16;

/// The number of an event's kind.
#[inline]
pub(crate) fn kind_number(event: EventId) -> usize {
    (event.0 >> 60) as usize
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
            kind: EventKind::ALL[kind_number(event)],
            node: (event.0 >> 48 & 0xfff) as usize,
            branch: (event.0 >> 32) as u16,
            which: event.0 as u32,
        }
    }
}

/// The packets at which to look for a node: those that are addressed to it or, with late
/// addressing, all.
#[derive(Clone, Copy)]
struct Own<'a> {
    node: NodeId,
    takes: &'a [Take],
}

impl<P: Protocol> NetworkSpace<'_, P> {
    /// Expands states; `LATE` says whether the scenario says who receives packets.
    pub(crate) fn expand_states<const LATE: bool>(
        &mut self,
        states: &[StateId],
        steps: &mut Vec<Step>,
    ) {
        // Out of the space while they are used, so that the compiler knows they stay as they are.
        let mut group = self.groups.take_current();
        let mut takes = std::mem::take(&mut self.takes);
        for (source, &state) in (0..).zip(states) {
            let (tuple, network) = unpack(state);
            if self.prunes(state) {
                continue;
            }
            if !group.is_of(tuple) {
                if self.breakage(tuple).is_some() {
                    // Where a handler has failed, nothing happens any more.
                    continue;
                }
                if !self.groups.change(&mut group, tuple) {
                    self.compute_group(state, &mut group);
                }
            }
            self.networks.look_at(network, &mut takes);
            self.expand_state::<LATE>(source, state, &mut group, &takes, steps);
        }
        self.takes = takes;
        self.groups.set_current(group);
    }

    fn expand_state<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        group: &mut Group,
        takes: &[Take],
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(state);
        let left = self.networks.left(network);
        let mut rest = takes;
        let mut own = Own { node: NodeId(0), takes };
        for place in 0..group.parts.len() {
            match group.parts[place] {
                Part::Node(node) if LATE => own.node = node,
                Part::Node(node) => {
                    let of_node = |take: &&Take| self.networks.addressee(take.packet) == node;
                    let (takes, later) = rest.split_at(rest.iter().take_while(of_node).count());
                    own = Own { node, takes };
                    rest = later;
                }
                Part::Local { reboots: true, .. } if !left.reboot.some() => {}
                Part::Local { start, end, .. } => {
                    for effect in &group.local[start as usize..end as usize] {
                        self.step(source, state, network, effect, steps);
                    }
                }
                Part::Deliver => self.deliveries::<LATE>(source, state, group, own, steps),
                Part::Lose if left.loss.some() => {
                    self.losses::<LATE>(source, state, group, own, steps);
                }
                Part::Duplicate if left.duplication.some() => {
                    self.duplications::<LATE>(source, state, group, own, steps);
                }
                Part::Lose | Part::Duplicate => {}
            }
        }
    }

    fn deliveries<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        group: &mut Group,
        own: Own<'_>,
        steps: &mut Vec<Step>,
    ) {
        for take in own.takes {
            let PacketEffects { deliveries_start, deliveries_len, .. } =
                *self.packet_effects(state, group, take.packet);
            let effects = &group.deliveries[deliveries_start as usize..][..deliveries_len as usize];
            for effect in effects {
                if !LATE || EventName::unpack(effect.event).node == own.node.index() {
                    self.step(source, state, take.rest, effect, steps);
                }
            }
            if LATE
                && self.networks.order() == Order::PerReceiver
                && self.can_receive(unpack(state).0, own.node.index(), take.packet)
            {
                return;
            }
        }
    }

    fn losses<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        group: &mut Group,
        own: Own<'_>,
        steps: &mut Vec<Step>,
    ) {
        for take in own.takes {
            if LATE && self.networks.addressee(take.packet) != own.node {
                continue;
            }
            let effect = &self.packet_effects(state, group, take.packet).lose;
            self.step(source, state, take.rest, effect, steps);
            if LATE && self.networks.order() == Order::PerReceiver {
                return;
            }
        }
    }

    fn duplications<const LATE: bool>(
        &mut self,
        source: u32,
        state: StateId,
        group: &mut Group,
        own: Own<'_>,
        steps: &mut Vec<Step>,
    ) {
        let (_, network) = unpack(state);
        for (place, &Take { packet, .. }) in own.takes.iter().enumerate() {
            if LATE && self.networks.addressee(packet) != own.node {
                continue;
            }
            let mut effect = self.packet_effects(state, group, packet).duplicate;
            // Only a list can give equal packets one by one; which of them is duplicated shows. (In a
            // list, no event is required: that is for the published semantics' search to see to.)
            let ahead = own.takes[..place].iter().filter(|ahead| ahead.packet == packet).count();
            if ahead > 0 {
                let fault = Fault::Duplication { packet, ahead };
                effect.output = self.networks.output(Vec::new(), fault);
            }
            self.step(source, state, network, &effect, steps);
            if LATE && self.networks.order() == Order::PerReceiver {
                return;
            }
        }
    }

    /// Takes one step, if the assumptions allow it: `remaining` is the network without what the
    /// event takes out of it.
    #[inline]
    fn step(
        &mut self,
        source: u32,
        state: StateId,
        remaining: u32,
        effect: &Effect,
        steps: &mut Vec<Step>,
    ) {
        let &Effect { event, tuple, output, gate } = effect;
        let allowed = match gate {
            Gate::Open => true,
            Gate::Shut => false,
            Gate::Ask => self.is_allowed(state, event),
        };
        if allowed {
            let network = self.networks.after(remaining, output);
            steps.push(Step { source, event, target: pack(tuple, network) });
        }
    }

    /// Whether the assumptions allow an event.
    fn is_allowed(&self, state: StateId, event: EventId) -> bool {
        self.allows(state, &self.event(state, EventName::unpack(event))).answer
    }

    /// Computes what the events that need no packet do to a group.
    fn compute_group(&mut self, state: StateId, group: &mut Group) {
        let faults = self.scenario.faults;
        for node in 0..self.nodes.len() {
            group.parts.push(Part::Node(NodeId::from(node)));
            for order in 0..self.scenario.event_order.len() {
                match self.scenario.event_order[order] {
                    EventKind::Deliver => group.parts.push(Part::Deliver),
                    EventKind::Lose if faults.loss != Budget::Off => group.parts.push(Part::Lose),
                    EventKind::Duplicate if faults.duplication != Budget::Off => {
                        group.parts.push(Part::Duplicate);
                    }
                    EventKind::Lose | EventKind::Duplicate => {}
                    local => self.local_part(state, node, local, group),
                }
            }
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

    /// What the events around a packet do to a group.
    #[inline]
    fn packet_effects<'g>(
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
        let node = self.networks.addressee(packet).index();
        let name = |kind| EventName { kind, node, branch: 0, which: packet };
        let deliveries_start = len32(&group.deliveries);
        match self.scenario.receivers {
            None => self.delivery_effects(state, node, packet, &mut group.deliveries),
            Some(_) => self.late_delivery_effects(state, packet, &mut group.deliveries),
        }
        let deliveries_len = len32(&group.deliveries) - deliveries_start;
        let faults = self.scenario.faults;
        let effects = PacketEffects {
            stamp: group.stamp,
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
        if group.packets.len() <= packet as usize {
            // Marked as belonging to no group: stamps are counted from 1.
            group.packets.resize(packet as usize + 1, PacketEffects { stamp: 0, ..effects });
        }
        group.packets[packet as usize] = effects;
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
