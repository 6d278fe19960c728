//! The moving parts of a simulation, and the effects by which handlers move them.

use std::{cell::OnceCell, ops::Range, time::Duration};

use everypath_model::{
    Effects, LinkModel, NodeId, Outgoing, Protocol, Record, Scenario, Topology, not_a_neighbour,
};
use rustc_hash::FxHashMap;

use crate::{
    EventQueue, Fate, FrameFate, LossReason, Observer, Packets, Priority, Sending, Stream,
    clock::{Nanoseconds, nanoseconds},
    field::{Air, Frame, Hearing, OutgoingFrame, Settled},
    link::{Link, Passage},
    measurements::Measurements,
    outages::Outages,
    sensing::Targets,
    slab::Slab,
    timers::Timers,
    traffic::Occasions,
    world::Flight,
};

/// What a node sends after a while.
pub(crate) struct Departure<M> {
    /// Which sending of the run it is.
    sending: u64,
    from: NodeId,
    /// To whom; to all neighbours if to nobody.
    to: Option<NodeId>,
    message: M,
    /// How often the node had been down before.
    downs: u32,
}

/// All of a simulation but the states of the nodes.
pub(crate) struct Engine<P: Protocol> {
    pub(crate) now: Nanoseconds,
    pub(crate) queue: EventQueue,
    pub(crate) flights: Slab<Flight<P::Message>>,
    pub(crate) timers: Timers<P::Timer>,
    pub(crate) measurements: Measurements,
    pub(crate) packets: Packets,
    /// How many sendings there were; what was postponed is one already.
    sendings: u64,
    /// The links of node 0 in the order of its neighbours, then those of node 1, and so on.
    links: Vec<Link>,
    /// Where the links of each node begin.
    first_link: Vec<usize>,
    /// The links between nodes that are no neighbours, which only late addressing uses.
    far_links: FxHashMap<(NodeId, NodeId), Link>,
    departures: Slab<Departure<P::Message>>,
    /// What carries frames, if nodes talk by radio: then there are no links.
    pub(crate) air: Option<Air<P::Message>>,
    /// For each node, if addressing is late: the packets that nobody can receive, the oldest first.
    waiting: Option<Vec<Vec<Flight<P::Message>>>>,
    streams: Vec<NodeStreams>,
    pub(crate) outages: Outages,
    /// How often each node has gone down.
    downs: Vec<u32>,
    /// What nodes can sense, if there is something.
    pub(crate) targets: Option<Targets>,
    /// When each job is done.
    occasions: Vec<Occasions>,
    seed: u64,
    replication: u32,
}

/// What is random about one node.
struct NodeStreams {
    choices: Stream,
    jitter: Stream,
    receivers: Stream,
}

impl NodeStreams {
    fn new(seed: u64, replication: u32, node: NodeId) -> Self {
        let of = |purpose| Stream::new(seed, replication, &format!("node {} {purpose}", node.0));
        Self { choices: of("choose"), jitter: of("jitter"), receivers: of("receivers") }
    }
}

fn losses(seed: u64, replication: u32, from: NodeId, to: NodeId) -> Stream {
    Stream::new(seed, replication, &format!("link {}->{} loss", from.0, to.0))
}

impl<P: Protocol> Engine<P> {
    pub(crate) fn new(scenario: &Scenario<P>, seed: u64, replication: u32) -> Self {
        let topology = &scenario.topology;
        let mut links = Vec::new();
        let mut first_link = Vec::with_capacity(topology.len());
        // As `SimulationSetup::link_between`, but a large network may have as many exceptions as links.
        let mut exceptions = FxHashMap::<(NodeId, NodeId), LinkModel>::default();
        for &(ends, model) in &scenario.simulation.links {
            exceptions.entry(ends).or_insert(model);
        }
        for from in topology.nodes() {
            first_link.push(links.len());
            for &to in topology.neighbours(from) {
                let model = exceptions.get(&(from, to));
                let losses = losses(seed, replication, from, to);
                links.push(Link::new(to, *model.unwrap_or(&scenario.simulation.link), losses));
            }
        }
        let streams = topology.nodes().map(|node| NodeStreams::new(seed, replication, node));
        let waiting = || std::iter::repeat_with(Vec::new).take(topology.len()).collect();
        let mut machine = Self {
            now: 0,
            queue: EventQueue::new(),
            flights: Slab::new(),
            timers: Timers::new(topology.len()),
            measurements: Measurements::new(),
            packets: Packets::default(),
            sendings: 0,
            links,
            first_link,
            far_links: FxHashMap::default(),
            departures: Slab::new(),
            air: scenario
                .simulation
                .field
                .as_ref()
                .map(|field| Air::new(field, topology.len(), seed, replication)),
            waiting: scenario.receivers.is_some().then(waiting),
            streams: streams.collect(),
            outages: Outages::new(&scenario.simulation.outages, seed, replication),
            downs: vec![0; topology.len()],
            targets: None,
            occasions: Vec::new(),
            seed,
            replication,
        };
        machine.outages.schedule(&mut machine.queue);
        for (index, job) in scenario.simulation.all_jobs().enumerate() {
            let stream = || Stream::new(seed, replication, &format!("job {index}"));
            machine.occasions.push(Occasions::of(&job, stream));
            machine.schedule_job(index);
        }
        if let Some(sensing) = &scenario.simulation.sensing {
            let mut targets = Targets::new(sensing, machine.occasions.len(), seed, replication);
            targets.schedule(&mut machine.queue);
            machine.targets = Some(targets);
        }
        if let Some(air) = &mut machine.air {
            air.start(&mut machine.queue);
        }
        machine
    }

    /// Has a job done when it is to be done next, if it is.
    pub(crate) fn schedule_job(&mut self, index: usize) {
        if let Some(time) = self.occasions[index].next() {
            let slot = u32::try_from(index).expect("fewer than 2^32 jobs");
            self.queue.push(time, Priority::Command, slot);
        }
    }

    /// The packets on their way in the order in which they will arrive, then those that wait for a
    /// receiver, then those that are about to leave; each with the moment at which it arrives, if that
    /// is settled. One by radio is there for each node that will hear it.
    pub(crate) fn in_flight(
        &self,
        topology: &Topology,
    ) -> Vec<(Flight<P::Message>, Option<Nanoseconds>)> {
        let mut entries: Vec<_> = self.queue.entries().copied().collect();
        entries.sort_unstable_by_key(|entry| (entry.time(), entry.order()));
        let mut flights = Vec::new();
        for entry in &entries {
            let timed = |flight| (flight, Some(entry.time()));
            match entry.priority() {
                Priority::Delivery => {
                    flights.extend(self.flights.get(entry.slot()).cloned().map(timed));
                }
                Priority::Frame => {
                    let frame = self.air.as_ref().and_then(|air| air.frames.get(entry.slot()));
                    flights.extend(frame.into_iter().flat_map(Frame::flights).map(timed));
                }
                Priority::Outage | Priority::Departure | Priority::Timer | Priority::Command => {}
            }
        }
        for frame in self.air.iter().flat_map(Air::pending) {
            let &OutgoingFrame { sending, from, to, ref message, ref heard_by, .. } = frame;
            let receivers = match (to, &self.air) {
                (Some(to), _) => vec![to],
                (None, Some(air)) => air.near(from, self.now),
                (None, None) => Vec::new(),
            };
            let missing = receivers.into_iter().filter(|to| !heard_by.contains(to));
            let copy = |to| (Flight::new(sending, from, to, message.clone()), None);
            flights.extend(missing.map(copy));
        }
        let waiting = self.waiting.iter().flatten().flatten().cloned();
        flights.extend(waiting.map(|flight| (flight, None)));
        for entry in entries.iter().filter(|entry| entry.priority() == Priority::Departure) {
            let departure = self.departures.get(entry.slot()).expect("it is about to leave");
            let &Departure { sending, from, to, ref message, .. } = departure;
            if !self.is_still_to_leave(departure) {
                continue;
            }
            let receivers = match (to, &self.air) {
                (Some(to), _) => vec![to],
                (None, Some(air)) => air.near(from, self.now),
                (None, None) => topology.neighbours(from).to_vec(),
            };
            let copy = |to| (Flight::new(sending, from, to, message.clone()), None);
            flights.extend(receivers.into_iter().map(copy));
        }
        flights
    }

    /// Whether who receives a packet is settled when it arrives.
    #[inline]
    pub(crate) fn is_late(&self) -> bool {
        self.waiting.is_some()
    }

    /// What the node sent and nobody could receive so far, taken out.
    pub(crate) fn take_waiting(&mut self, node: NodeId) -> Vec<Flight<P::Message>> {
        self.waiting.as_mut().map_or_else(Vec::new, |all| std::mem::take(&mut all[node.index()]))
    }

    /// Lets a packet wait for a receiver.
    pub(crate) fn wait(&mut self, flight: Flight<P::Message>) {
        let all = self.waiting.as_mut().expect("only late addressing lets packets wait");
        all[flight.from.index()].push(flight);
    }

    /// One of the nodes that can receive a packet of the node, if there are any.
    pub(crate) fn draw_receiver(&mut self, node: NodeId, receivers: &[NodeId]) -> Option<NodeId> {
        match receivers {
            [] => None,
            [receiver] => Some(*receiver),
            several => {
                let options = u32::try_from(several.len()).expect("fewer than 2^32 nodes");
                let drawn = self.streams[node.index()].receivers.choose(options);
                Some(several[drawn as usize])
            }
        }
    }

    /// Hands a packet to the link to the node that receives it, if nothing happens to it there.
    pub(crate) fn hand_to_receiver(
        &mut self,
        scenario: &Scenario<P>,
        flight: Flight<P::Message>,
        observer: &mut impl Observer<P>,
    ) {
        let Flight { from, receiver, .. } = flight;
        let (seed, replication) = (self.seed, self.replication);
        let link = match scenario.topology.neighbours(from).binary_search(&receiver) {
            Ok(place) => &mut self.links[self.first_link[from.index()] + place],
            Err(_) => self.far_links.entry((from, receiver)).or_insert_with(|| {
                let losses = losses(seed, replication, from, receiver);
                Link::new(receiver, scenario.simulation.link, losses)
            }),
        };
        let bytes = scenario.bytes_of(&flight.message);
        let passage = passage(link, from, self.now, bytes, &mut self.outages);
        self.settle(flight, passage, bytes, observer);
    }

    /// A link has said what becomes of a packet.
    #[inline]
    fn settle(
        &mut self,
        flight: Flight<P::Message>,
        passage: Passage,
        bytes: usize,
        observer: &mut impl Observer<P>,
    ) {
        let fate = match passage {
            Passage::Arrives(time) => Fate::Arrives(Duration::from_nanos(time)),
            Passage::Lost => Fate::Lost,
            Passage::Dropped => Fate::Dropped,
            Passage::Returns(time) => Fate::Returns(Duration::from_nanos(time)),
        };
        let now = Duration::from_nanos(self.now);
        observer.packet(now, flight.sending, flight.packet(), bytes, fate);
        match passage {
            Passage::Lost => self.packets.lost += 1,
            Passage::Dropped => self.packets.dropped += 1,
            Passage::Arrives(time) | Passage::Returns(time) => {
                let returns = matches!(passage, Passage::Returns(_));
                let slot = self.flights.insert(Flight { returns, ..flight });
                self.queue.push(time, Priority::Delivery, slot);
            }
        }
    }

    /// The number of a sending that begins.
    #[inline]
    fn next_sending(&mut self) -> u64 {
        let sending = self.sendings;
        self.sendings += 1;
        sending
    }

    /// Whether a node's battery is empty.
    #[inline]
    pub(crate) fn is_empty(&self, node: NodeId) -> bool {
        self.air.as_ref().is_some_and(|air| air.is_empty(node))
    }

    /// What was to leave now, taken out; nothing, if the node has been down since.
    pub(crate) fn take_departure(&mut self, slot: u32) -> Option<Departure<P::Message>> {
        let departure = self.departures.remove(slot);
        self.is_still_to_leave(&departure).then_some(departure)
    }

    fn is_still_to_leave(&self, departure: &Departure<P::Message>) -> bool {
        departure.downs == self.downs[departure.from.index()]
    }

    /// A node goes down: what it had to do and to send is lost.
    pub(crate) fn go_down(&mut self, node: NodeId) {
        self.timers.cancel_all(node);
        self.downs[node.index()] += 1;
        self.packets.lost += self.take_waiting(node).len() as u64;
        self.links_of(node).iter_mut().for_each(Link::clear);
        let far = self.far_links.iter_mut().filter(|((from, _), _)| *from == node);
        far.for_each(|(_, link)| link.clear());
        if let Some(air) = &mut self.air {
            air.go_down(node, self.now);
        }
    }

    /// A node comes up; false if its battery is empty, and it does not.
    pub(crate) fn come_up(&mut self, node: NodeId) -> bool {
        self.air.as_mut().is_none_or(|air| air.come_up(node, self.now, &mut self.queue))
    }

    /// A link goes down: what it had to send is lost, or comes back.
    pub(crate) fn cut(&mut self, one: NodeId, other: NodeId) {
        for (from, to) in [(one, other), (other, one)] {
            let links = self.links_of(from).iter_mut();
            links.filter(|link| link.to == to).for_each(Link::clear);
        }
    }

    fn places_of_links(&self, node: NodeId) -> Range<usize> {
        let next = self.first_link.get(node.index() + 1).copied().unwrap_or(self.links.len());
        self.first_link[node.index()]..next
    }

    fn links_of(&mut self, node: NodeId) -> &mut [Link] {
        let places = self.places_of_links(node);
        &mut self.links[places]
    }

    /// For each node who can hear it, in order, if that changes with time.
    pub(crate) fn linked(&self, topology: &Topology) -> Option<Vec<Vec<NodeId>>> {
        if self.air.is_none() && self.outages.is_empty() {
            return None;
        }
        Some(topology.nodes().map(|node| self.linked_to(node)).collect())
    }

    /// Who can hear a node.
    fn linked_to(&self, node: NodeId) -> Vec<NodeId> {
        let outages = &self.outages;
        let mut linked = match &self.air {
            Some(air) => air.near(node, self.now),
            None => self.links[self.places_of_links(node)].iter().map(|link| link.to).collect(),
        };
        let is_there = |node: NodeId| !outages.is_node_down(node) && !self.is_empty(node);
        if !is_there(node) {
            linked.clear();
        }
        linked.retain(|&other| is_there(other) && !outages.is_link_down(node, other));
        linked
    }

    /// How many hops the shortest way from one node to another has, if there is one.
    fn distance(&self, from: NodeId, to: NodeId) -> Option<u32> {
        let mut seen = vec![false; self.streams.len()];
        seen[from.index()] = true;
        let (mut hops, mut rim) = (0, vec![from]);
        while !rim.is_empty() {
            if rim.contains(&to) {
                return Some(hops);
            }
            let further = rim.iter().flat_map(|&node| self.linked_to(node));
            rim =
                further.filter(|node| !std::mem::replace(&mut seen[node.index()], true)).collect();
            hops += 1;
        }
        None
    }
}

/// Hands a packet to a link: what becomes of it, given what is down or goes down meanwhile.
#[inline]
fn passage(
    link: &mut Link,
    from: NodeId,
    now: Nanoseconds,
    bytes: usize,
    outages: &mut Outages,
) -> Passage {
    match outages.is_empty() {
        true => link.offer(now, bytes),
        false => passage_among(outages, link, from, now, bytes),
    }
}

/// As [`passage`], if something can be down. Apart, so that the other case is short enough to be inlined.
#[inline(never)]
fn passage_among(
    outages: &mut Outages,
    link: &mut Link,
    from: NodeId,
    now: Nanoseconds,
    bytes: usize,
) -> Passage {
    let to = link.to;
    if outages.link_down(from, to, (now, now)).is_some() {
        return Passage::Returns(now);
    }
    let passage = link.offer(now, bytes);
    let Passage::Arrives(time) = passage else {
        return passage;
    };
    let sent = time.saturating_sub(link.delay);
    if let Some(cut) = outages.link_down(from, to, (now, time)) {
        // Who has been down since does not know what it sent.
        return match outages.node_down(from, (now, cut)) {
            Some(_) => Passage::Lost,
            None => Passage::Returns(cut),
        };
    }
    let is_sent = outages.node_down(from, (now, sent)).is_none();
    if is_sent && outages.node_down(to, (time, time)).is_none() {
        Passage::Arrives(time)
    } else {
        Passage::Lost
    }
}

/// Who hears a frame, given what is down or goes down meanwhile.
fn heard(
    settled: Settled,
    from: NodeId,
    to: Option<NodeId>,
    now: Nanoseconds,
    outages: &mut Outages,
) -> Settled {
    let Settled { hearing, time } = settled;
    if outages.node_down(from, (now, time)).is_some() {
        return Settled { hearing: Hearing::By(Vec::new()), time };
    }
    let Hearing::By(mut nodes) = hearing else {
        return Settled { hearing, time };
    };
    nodes.retain(|&node| outages.node_down(node, (time, time)).is_none());
    let hearing = match to {
        Some(to) if nodes.is_empty() => Hearing::Unheard(to),
        _ => Hearing::By(nodes),
    };
    Settled { hearing, time }
}

impl<M> Departure<M> {
    pub(crate) fn from(&self) -> NodeId {
        self.from
    }
}

/// What a handler of one node acts through. What it does takes place at once, which no other
/// node can notice before the handler returns.
pub(crate) struct Acting<'m, P: Protocol, O> {
    me: NodeId,
    scenario: &'m Scenario<P>,
    neighbours: &'m [NodeId],
    /// On a field: who is near, once it was asked for.
    near: OnceCell<Vec<NodeId>>,
    machine: &'m mut Engine<P>,
    observer: &'m mut O,
}

impl<'m, P: Protocol, O: Observer<P>> Acting<'m, P, O> {
    #[inline]
    pub(crate) fn new(
        me: NodeId,
        scenario: &'m Scenario<P>,
        machine: &'m mut Engine<P>,
        observer: &'m mut O,
    ) -> Self {
        Self {
            me,
            scenario,
            neighbours: scenario.topology.neighbours(me),
            near: OnceCell::new(),
            machine,
            observer,
        }
    }

    /// Sends what was to be sent after a while.
    pub(crate) fn depart(&mut self, departure: Departure<P::Message>) {
        match departure.to {
            Some(to) => self.send_to(to, departure.message, departure.sending),
            None => self.send_to_all(departure.message, departure.sending),
        }
    }

    /// Sends to one node.
    #[track_caller]
    #[inline]
    fn send_to(&mut self, to: NodeId, message: P::Message, sending: u64) {
        if self.machine.is_late() {
            self.tell_sent(sending, Some(to), &message);
            return self.address(to, message, sending);
        }
        if self.machine.air.is_some() {
            return self.transmit(Some(to), message, sending);
        }
        let Ok(place) = self.neighbours.binary_search(&to) else {
            not_a_neighbour(self.me, to, &message, self.neighbours);
        };
        let bytes = self.tell_sent(sending, Some(to), &message);
        self.hand_over(place, message, bytes, sending);
    }

    /// Sends to all neighbours.
    #[inline]
    fn send_to_all(&mut self, message: P::Message, sending: u64) {
        if self.machine.air.is_some() {
            return self.transmit(None, message, sending);
        }
        let bytes = self.tell_sent(sending, None, &message);
        if self.machine.is_late() {
            let neighbours = self.neighbours;
            return neighbours.iter().for_each(|&to| self.address(to, message.clone(), sending));
        }
        let Some(last) = self.neighbours.len().checked_sub(1) else {
            return;
        };
        for place in 0..last {
            self.hand_over(place, message.clone(), bytes, sending);
        }
        self.hand_over(last, message, bytes, sending);
    }

    /// Tells the observer of a sending; how many bytes it has.
    #[inline]
    fn tell_sent(&mut self, number: u64, to: Option<NodeId>, message: &P::Message) -> usize {
        let bytes = self.scenario.bytes_of(message);
        let now = Duration::from_nanos(self.machine.now);
        self.observer.sent(now, &Sending { number, from: self.me, to, message, bytes });
        bytes
    }

    /// Hands a message to the link to the neighbour at this place of the list.
    #[inline]
    fn hand_over(&mut self, place: usize, message: P::Message, bytes: usize, sending: u64) {
        let machine = &mut *self.machine;
        machine.packets.sent += 1;
        let link = &mut machine.links[machine.first_link[self.me.index()] + place];
        let to = link.to;
        let passage = passage(link, self.me, machine.now, bytes, &mut machine.outages);
        let flight = Flight::new(sending, self.me, to, message);
        machine.settle(flight, passage, bytes, self.observer);
    }

    /// Transmits a message by radio; to whoever hears it if to nobody.
    fn transmit(&mut self, to: Option<NodeId>, message: P::Message, sending: u64) {
        let (me, nodes) = (self.me, self.machine.streams.len());
        if let Some(to) = to {
            assert!(to.index() < nodes, "{me} sends {message:?} to {to}, which does not exist");
            assert!(to != me, "{me} sends {message:?} to itself");
        }
        let bytes = self.tell_sent(sending, to, &message);
        let Engine { air, now, queue, packets, outages, .. } = &mut *self.machine;
        let air = air.as_mut().expect("it is there on a field");
        if air.medium().is_some() {
            if let Some(message) = air.offer(*now, queue, (sending, me, to), message, bytes) {
                let frame = Sending { number: sending, from: me, to, message: &message, bytes };
                self.observer.frame(Duration::from_nanos(*now), &frame, FrameFate::Dropped);
                packets.count(FrameFate::Dropped);
            }
            return;
        }
        let mut settled = air.transmit(*now, me, to, bytes);
        if !outages.is_empty() {
            settled = settled.map(|settled| heard(settled, me, to, *now, outages));
        }
        let fate = match &settled {
            None => FrameFate::Dropped,
            Some(Settled { hearing: Hearing::By(nodes), time }) => {
                FrameFate::Heard { by: nodes, at: Duration::from_nanos(*time) }
            }
            Some(Settled { hearing: Hearing::Unheard(_), time }) => FrameFate::Unheard {
                at: Duration::from_nanos(*time),
                reason: LossReason::OutOfRange,
            },
        };
        let frame = Sending { number: sending, from: me, to, message: &message, bytes };
        self.observer.frame(Duration::from_nanos(*now), &frame, fate);
        packets.count(fate);
        match settled {
            None => {}
            Some(Settled { hearing: Hearing::By(nodes), .. }) if nodes.is_empty() => {
                air.recycle(nodes);
            }
            Some(Settled { hearing, time }) => {
                let slot = air.frames.insert(Frame { sending, from: me, message, hearing });
                queue.push(time, Priority::Frame, slot);
            }
        }
    }

    /// Lets a packet wait until the handler has returned: only then it is known who receives it.
    #[cold]
    fn address(&mut self, to: NodeId, message: P::Message, sending: u64) {
        let (me, nodes) = (self.me, self.machine.streams.len());
        assert!(to.index() < nodes, "{me} sends {message:?} to {to}, which does not exist");
        self.machine.packets.sent += 1;
        self.machine.wait(Flight::new(sending, me, to, message));
    }

    fn postpone(&mut self, to: Option<NodeId>, message: P::Message, within: Duration) {
        let sending = self.machine.next_sending();
        let (from, downs) = (self.me, self.machine.downs[self.me.index()]);
        let departure = Departure { sending, from, to, message, downs };
        if within.is_zero() {
            return self.depart(departure);
        }
        self.observer.postponed(sending);
        let machine = &mut *self.machine;
        let while_ns = machine.streams[self.me.index()].jitter.up_to(nanoseconds(within));
        let slot = machine.departures.insert(departure);
        let time = machine.now.saturating_add(while_ns);
        machine.queue.push(time, Priority::Departure, slot);
    }

    /// Takes a sample of how much longer a way is than it had to be.
    #[inline(never)]
    fn compare(&mut self, name: &'static str, from: NodeId, hops: u32) {
        let machine = &mut *self.machine;
        if let Some(shortest) = machine.distance(from, self.me) {
            let value = f64::from(hops) - f64::from(shortest);
            machine.measurements.record(machine.now, Record::Sample { name, value });
        }
    }
}

impl<P: Protocol, O: Observer<P>> Effects<P> for Acting<'_, P, O> {
    #[track_caller]
    #[inline]
    fn emit(&mut self, output: Outgoing<P::Message>) {
        match output {
            Outgoing::To(to, message) => {
                let sending = self.machine.next_sending();
                self.send_to(to, message, sending);
            }
            Outgoing::ToAll(message) => {
                let sending = self.machine.next_sending();
                self.send_to_all(message, sending);
            }
            Outgoing::ToWithin(to, message, within) => self.postpone(Some(to), message, within),
            Outgoing::ToAllWithin(message, within) => self.postpone(None, message, within),
        }
    }

    #[inline]
    fn set_timer(&mut self, timer: P::Timer, after: Duration) {
        let machine = &mut *self.machine;
        let due = machine.now.saturating_add(nanoseconds(after));
        self.observer.timer_set(self.me, &timer);
        machine.timers.set(self.me, timer, due, &mut machine.queue);
    }

    #[inline]
    fn prolong_timer(&mut self, timer: P::Timer, after: Duration) {
        let machine = &mut *self.machine;
        let due = machine.now.saturating_add(nanoseconds(after));
        if machine.timers.is_due_before(self.me, &timer, due) {
            self.observer.timer_set(self.me, &timer);
            machine.timers.set(self.me, timer, due, &mut machine.queue);
        }
    }

    #[inline]
    fn cancel_timer(&mut self, timer: &P::Timer) {
        self.machine.timers.cancel(self.me, timer);
    }

    fn time_left(&self, timer: &P::Timer) -> Option<Duration> {
        let due = self.machine.timers.due(self.me, timer)?;
        Some(Duration::from_nanos(due.saturating_sub(self.machine.now)))
    }

    #[track_caller]
    #[inline]
    fn choose(&mut self, options: u32) -> u32 {
        assert!(options > 0, "{} chooses among no options", self.me);
        self.machine.streams[self.me.index()].choices.choose(options)
    }

    #[inline]
    fn record(&mut self, record: Record) {
        let now = self.machine.now;
        self.observer.record(Duration::from_nanos(now), self.me, record);
        match record {
            Record::Route { name, from, hops } => self.compare(name, from, hops),
            _ => self.machine.measurements.record(now, record),
        }
    }

    fn neighbours(&self) -> &[NodeId] {
        match &self.machine.air {
            None => self.neighbours,
            Some(_) => self.near.get_or_init(|| self.machine.linked_to(self.me)),
        }
    }
}
