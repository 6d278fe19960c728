//! The steps out of a world, node by node and kind by kind.

use everypath_explore::EventPattern;
use everypath_model::{EventKind, Ignored, Input, NodeId, Packet, Protocol, panics, shown};

use crate::{
    event::{EventOf, Happened, What},
    execute::{Branch, Cause},
    space::PlainSpace,
    timers::SetTimers,
    world::{Breakage, Flying, Node, WorldOf},
};

/// A step out of a world.
pub(crate) type StepOf<P> = (EventOf<P>, WorldOf<P>);

/// The steps of one local event, with the kind in whose place it is tried.
struct Local<P: Protocol> {
    tried_as: EventKind,
    is_allowed: bool,
    steps: Vec<StepOf<P>>,
}

/// Whether an event can happen in a world.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gate {
    Open,
    /// Not here, but perhaps where other packets are in flight.
    ShutHere,
    Shut,
}

/// How a packet can leave the network where that depends on more than its address.
struct Exit {
    kind: EventKind,
    node: NodeId,
    /// Whether it is possible now.
    is_open: bool,
    /// Whether the receiver is out of range.
    beyond: bool,
}

impl<P: Protocol> PlainSpace<'_, P> {
    /// All steps out of a world, now and after each time that can pass.
    pub(crate) fn steps(&mut self, world: &WorldOf<P>) -> Vec<StepOf<P>> {
        let mut steps = self.steps_now(world);
        if self.clock.is_none() || world.broken().is_some() {
            return steps;
        }
        for after in 1..=world.patience() {
            for (event, next) in self.steps_now(&world.later(after)) {
                // What is lost or duplicated is so just as well right after the event before.
                if !matches!(event.kind, EventKind::Lose | EventKind::Duplicate) {
                    steps.push((Happened { after, ..event }, next));
                }
            }
        }
        steps
    }

    /// The steps out of a world before time passes. After a handler has failed, there are none.
    fn steps_now(&mut self, world: &WorldOf<P>) -> Vec<StepOf<P>> {
        let mut steps = Vec::new();
        if self.is_pruned_world(world) || world.broken().is_some() {
            return steps;
        }
        // Which packets are sent first decides in which order the packets of a multiset are tried.
        // Commands, timers and reboots of all nodes come before packets.
        let mut local = Vec::new();
        for node in self.scenario.topology.nodes() {
            local.push(self.local_steps(world, node));
        }
        for (node, local) in self.scenario.topology.nodes().zip(local) {
            let mut local: Vec<Option<Local<P>>> = local.into_iter().map(Some).collect();
            for kind in self.scenario.event_order.clone() {
                for entry in &mut local {
                    if let Some(found) = entry.take_if(|entry| entry.tried_as == kind)
                        && found.is_allowed
                    {
                        steps.extend(found.steps);
                    }
                }
                self.network_steps(world, node, kind, &mut steps);
            }
        }
        for (event, next) in &mut steps {
            next.happened |=
                self.required.as_ref().is_some_and(|pattern| matches::<P>(pattern, event));
            next.memories = self.memories_after(world, event, next);
        }
        steps
    }

    /// The steps by the commands, timers and reboots of a node, in the order in which they are tried.
    fn local_steps(&mut self, world: &WorldOf<P>, node: NodeId) -> Vec<Local<P>> {
        let Node::Running { timers, .. } = &world.nodes[node.index()] else {
            unreachable!("nothing happens in a world with a broken node");
        };
        let mut all = Vec::new();
        for (tried_as, event) in self.local_events(world, node) {
            all.push(match &event.what {
                What::Command(command) => {
                    let cause = Cause::On(Input::Command(command));
                    self.local(world, event.clone(), tried_as, timers, &cause)
                }
                What::Timer(timer) => {
                    let others = timers.without(timer);
                    let cause = Cause::On(Input::Timer(timer));
                    let mut local = self.local(world, event.clone(), tried_as, &others, &cause);
                    local.steps.retain_mut(|(event, next)| self.spends_timeouts(event, next));
                    local
                }
                _ => self.reboot(world, event),
            });
        }
        all
    }

    /// Whether a timer may fire as often as that. It is counted in the world after it.
    fn spends_timeouts(&self, event: &EventOf<P>, next: &mut WorldOf<P>) -> bool {
        for ((pattern, _), left) in self.timeouts.iter().zip(&mut next.timeouts) {
            if matches::<P>(pattern, event) {
                match left.checked_sub(1) {
                    Some(fewer) => *left = fewer,
                    None => return false,
                }
            }
        }
        true
    }

    /// A reboot. The handler runs even if no reboot is left: what it sends is noted, and the step
    /// dropped.
    fn reboot(&mut self, world: &WorldOf<P>, event: EventOf<P>) -> Local<P> {
        let mut local =
            self.local(world, event, EventKind::Reboot, &SetTimers::default(), &Cause::Restart);
        local.is_allowed &= world.left.reboot.some();
        if self.scenario.faults.reboot.is_counted() && local.is_allowed {
            // A node that does not come up again has not rebooted.
            let rebooted = local.steps.iter_mut().filter(|(_, next)| next.broken().is_none());
            rebooted.for_each(|(_, next)| next.left.reboot.spend());
        }
        local
    }

    /// The commands, timers and reboots of a node, each with the kind in whose place it is tried.
    fn local_events(&self, world: &WorldOf<P>, node: NodeId) -> Vec<(EventKind, EventOf<P>)> {
        let Node::Running { state, timers } = &world.nodes[node.index()] else {
            unreachable!("nothing happens in a world with a broken node");
        };
        let mut all = Vec::new();
        for command in self.commands(node, state).unwrap_or_default() {
            let event = Happened::new(EventKind::Command, node, What::Command(command));
            all.push((0, EventKind::Command, event));
        }
        for timer in timers.next() {
            let order = self.scenario.timer_order.as_ref();
            let order = order.map_or(0, |order| {
                panics::within(|| "`timer_order`".to_owned(), || order(state, timer))
            });
            let early = self.scenario.early_timers.as_ref();
            let is_early = early.is_some_and(|early| {
                panics::within(|| "`early_timers`".to_owned(), || early(timer))
            });
            let tried_as = if is_early { EventKind::Command } else { EventKind::Timer };
            let event = Happened::new(EventKind::Timer, node, What::Timer(timer.clone()));
            all.push((order, tried_as, event));
        }
        if self.scenario.can_reboot(node) {
            let event = Happened::new(EventKind::Reboot, node, What::Reboot);
            all.push((0, EventKind::Reboot, event));
        }
        all.sort_by_key(|(order, ..)| *order);
        let place = |kind| self.scenario.event_order.iter().position(|&known| known == kind);
        all.sort_by_key(|&(_, tried_as, _)| place(tried_as));
        all.into_iter().map(|(_, tried_as, event)| (tried_as, event)).collect()
    }

    fn local(
        &mut self,
        world: &WorldOf<P>,
        event: EventOf<P>,
        tried_as: EventKind,
        timers: &SetTimers<P::Timer>,
        cause: &Cause<'_, P>,
    ) -> Local<P> {
        let gate = self.gate(world, &event);
        let steps = match gate {
            Gate::Shut => Vec::new(),
            Gate::Open | Gate::ShutHere => self.handled(world, &event, timers, cause),
        };
        Local { tried_as, is_allowed: gate == Gate::Open, steps }
    }

    /// The steps by the handler of an event.
    fn handled(
        &mut self,
        world: &WorldOf<P>,
        event: &EventOf<P>,
        timers: &SetTimers<P::Timer>,
        cause: &Cause<'_, P>,
    ) -> Vec<StepOf<P>> {
        let Node::Running { state, .. } = &world.nodes[event.node.index()] else {
            unreachable!("nothing happens in a world with a broken node");
        };
        let mut steps = Vec::new();
        for Branch { decisions, node, sent } in
            self.branches(event.node, Some(state), timers, cause)
        {
            let event = Happened {
                choices: decisions.choices,
                audiences: decisions.audiences,
                ..event.clone()
            };
            if !self.is_disabled(&event) {
                let mut next = world.clone();
                next.nodes[event.node.index()] = node;
                sent.into_iter().for_each(|packet| self.flight.put(&mut next.flight, packet));
                steps.push((event, next));
            }
        }
        steps
    }

    /// Whether an event can happen, whatever is decided in it.
    fn gate(&self, world: &WorldOf<P>, event: &EventOf<P>) -> Gate {
        if self.is_disabled(event) {
            return Gate::Shut;
        }
        match self.allows(world, event) {
            (true, _) => Gate::Open,
            (false, true) => Gate::ShutHere,
            (false, false) => Gate::Shut,
        }
    }

    fn is_disabled(&self, event: &EventOf<P>) -> bool {
        self.disabled.iter().any(|pattern| matches::<P>(pattern, event))
    }

    /// The steps of one kind at a node that concern packets and links.
    fn network_steps(
        &mut self,
        world: &WorldOf<P>,
        node: NodeId,
        kind: EventKind,
        steps: &mut Vec<StepOf<P>>,
    ) {
        match kind {
            EventKind::Deliver => self.arrivals(world, node, kind, steps),
            EventKind::Undeliverable
                if self.packets_return && (!world.links.down.is_empty() || self.by_radio) =>
            {
                self.arrivals(world, node, kind, steps);
            }
            EventKind::Lose if world.left.loss.some() => {
                self.packet_faults(world, node, kind, steps);
            }
            EventKind::Duplicate if world.left.duplication.some() => {
                self.packet_faults(world, node, kind, steps);
            }
            EventKind::LinkDown | EventKind::LinkUp => self.link_steps(world, node, kind, steps),
            _ => {}
        }
    }

    /// The deliveries at a node, or the returns to it.
    fn arrivals(
        &mut self,
        world: &WorldOf<P>,
        node: NodeId,
        kind: EventKind,
        steps: &mut Vec<StepOf<P>>,
    ) {
        for place in self.flight.removable(&world.flight) {
            let packet = &world.flight[place];
            if !packet.window.is_open() {
                continue;
            }
            match self.exits(world, packet) {
                Ok(exits) => {
                    let leads_here =
                        |exit: &Exit| exit.kind == kind && exit.node == node && exit.is_open;
                    if !exits.iter().any(leads_here) {
                        continue;
                    }
                    self.arrival(world, place, node, kind, steps);
                }
                Err(broken) if kind == EventKind::Deliver && packet.to == node => {
                    self.undoing(world, place, broken, steps);
                }
                Err(_) => continue,
            }
            if self.flight.is_per_receiver() {
                return;
            }
        }
    }

    fn arrival(
        &mut self,
        world: &WorldOf<P>,
        place: usize,
        node: NodeId,
        kind: EventKind,
        steps: &mut Vec<StepOf<P>>,
    ) {
        let packet = world.flight[place].clone();
        let event = Happened::new(kind, node, What::Packet(packet.clone()));
        let gate = self.gate(world, &event);
        if gate == Gate::Shut {
            return;
        }
        let Node::Running { timers, .. } = &world.nodes[node.index()] else {
            unreachable!("nothing happens in a world with a broken node");
        };
        let message = &packet.message;
        let cause = Cause::On(match kind {
            EventKind::Undeliverable => Input::Undeliverable { to: packet.to, message },
            _ => Input::Message { from: packet.from, message },
        });
        let mut rest = world.clone();
        rest.flight.remove(place);
        let found = self.handled(&rest, &event, timers, &cause);
        if gate == Gate::Open {
            steps.extend(found);
        }
    }

    /// An arrival that breaks the sender, because the receivers of the packet cannot be determined.
    fn undoing(
        &mut self,
        world: &WorldOf<P>,
        place: usize,
        broken: Breakage,
        steps: &mut Vec<StepOf<P>>,
    ) {
        let packet = world.flight[place].clone();
        let sender = packet.from.index();
        let event = Happened::new(EventKind::Deliver, packet.to, What::Packet(packet));
        if self.gate(world, &event) == Gate::Open {
            let mut next = world.clone();
            next.flight.remove(place);
            next.nodes[sender] = Node::Broken(broken);
            steps.push((event, next));
        }
    }

    /// The exits of a packet.
    fn exits(
        &self,
        world: &WorldOf<P>,
        packet: &Flying<P::Message>,
    ) -> Result<Vec<Exit>, Breakage> {
        let Flying { from, to, .. } = *packet;
        if self.by_radio && !self.scenario.topology.are_neighbours(from, to) {
            let kind = EventKind::Undeliverable;
            return Ok(vec![Exit { kind, node: from, is_open: true, beyond: true }]);
        }
        let mut exits = Vec::new();
        let mut some_down = false;
        for node in self.receivers(world, packet)? {
            let is_down = self.link(from, node).is_some_and(|it| world.links.down.contains(&it));
            some_down |= is_down;
            let kind = EventKind::Deliver;
            exits.push(Exit { kind, node, is_open: !is_down, beyond: false });
        }
        let kind = EventKind::Undeliverable;
        exits.push(Exit { kind, node: from, is_open: some_down, beyond: false });
        Ok(exits)
    }

    /// The nodes that can receive a packet now, in order.
    fn receivers(
        &self,
        world: &WorldOf<P>,
        packet: &Flying<P::Message>,
    ) -> Result<Vec<NodeId>, Breakage> {
        let Flying { from, to, message, .. } = packet;
        let Some(receivers) = &self.scenario.receivers else { return Ok(vec![*to]) };
        let Node::Running { state, .. } = &world.nodes[from.index()] else {
            unreachable!("nothing happens in a world with a broken node");
        };
        let read = Packet { from: *from, to: *to, message };
        let broken =
            |what: String, place| Breakage::Panicked { message: what, place: Ignored(place) };
        let mut nodes = panics::catch(|| receivers(state, read)).map_err(|panic| {
            let what =
                format!("{} from {} to {}", shown(message), self.name_of(*from), self.name_of(*to));
            let message = format!("while asking who receives {what}: {}", panic.message);
            broken(message, panic.place)
        })?;
        nodes.sort_unstable();
        nodes.dedup();
        match nodes.iter().find(|node| node.index() >= self.scenario.topology.len()) {
            Some(stranger) => {
                let what = format!("the answer names {stranger}, which does not exist");
                Err(broken(what, None))
            }
            None => Ok(nodes),
        }
    }

    /// The losses or duplications of the packets that are addressed to a node.
    fn packet_faults(
        &mut self,
        world: &WorldOf<P>,
        node: NodeId,
        kind: EventKind,
        steps: &mut Vec<StepOf<P>>,
    ) {
        for place in self.flight.removable(&world.flight) {
            let packet = &world.flight[place];
            if packet.to != node || self.waits(world, packet) {
                continue;
            }
            let event = Happened::new(kind, node, What::Packet(packet.clone()));
            if self.gate(world, &event) == Gate::Open {
                let mut next = world.clone();
                if kind == EventKind::Lose {
                    next.flight.remove(place);
                    next.left.loss.spend();
                } else {
                    next.flight = self.flight.duplicated(&world.flight, place);
                    next.left.duplication.spend();
                }
                steps.push((event, next));
            }
            if self.flight.is_per_receiver() {
                return;
            }
        }
    }

    /// Whether a packet cannot be received now, because links are down or its receiver is out of
    /// range.
    fn waits(&self, world: &WorldOf<P>, packet: &Flying<P::Message>) -> bool {
        if world.links.down.is_empty() && !self.by_radio {
            return false;
        }
        let Ok(exits) = self.exits(world, packet) else { return false };
        if exits.iter().any(|exit| exit.beyond) {
            return true;
        }
        let deliveries = exits.iter().filter(|exit| exit.kind == EventKind::Deliver);
        let mut deliveries = deliveries.peekable();
        deliveries.peek().is_some() && deliveries.all(|exit| !exit.is_open)
    }

    /// Links that fail or come back. Each belongs to its smaller end.
    fn link_steps(
        &mut self,
        world: &WorldOf<P>,
        node: NodeId,
        kind: EventKind,
        steps: &mut Vec<StepOf<P>>,
    ) {
        let up = kind == EventKind::LinkUp;
        let left = if up { world.links.returns } else { world.links.failures };
        if !left.some() {
            return;
        }
        for (link, ends) in self.links.clone().into_iter().enumerate() {
            if ends.0 != node || world.links.down.contains(&link) != up {
                continue;
            }
            let event = Happened::new(kind, node, What::Link(ends));
            if self.gate(world, &event) == Gate::Open {
                let mut next = world.clone();
                if up {
                    next.links.returns.spend();
                    next.links.down.remove(&link);
                } else {
                    next.links.failures.spend();
                    next.links.down.insert(link);
                }
                steps.push((event, next));
            }
        }
    }

    /// The link between two nodes that can fail, if there is one.
    fn link(&self, a: NodeId, b: NodeId) -> Option<usize> {
        self.links.iter().position(|&ends| ends == (a.min(b), a.max(b)))
    }
}

/// Whether a pattern matches an event.
pub(crate) fn matches<P: Protocol>(pattern: &EventPattern, event: &EventOf<P>) -> bool {
    pattern.kind.as_ref().is_none_or(|kind| kind == event.kind.name())
        && pattern.node.is_none_or(|node| node == event.node.0)
        && pattern.about.as_ref().is_none_or(|about| {
            let parameters = event.event::<P>().parameters(&event.decisions());
            parameters.iter().any(|(_, value)| value.contains(about.as_str()))
        })
}
