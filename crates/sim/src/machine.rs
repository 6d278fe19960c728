//! The moving parts of a simulation, and the effects by which handlers move them.

use std::{cell::OnceCell, time::Duration};

use everypath_model::{Effects, LinkTiming, NodeId, Protocol, Record, Scenario, Topology};
use rustc_hash::FxHashMap;

use crate::{
    EventQueue, Fate, FrameFate, Observer, Packets, Priority, Sending, Stream,
    clock::{NEVER, Nanoseconds, nanoseconds},
    field::{Air, Frame, Hearing, Settled},
    link::{Link, Passage},
    measurements::Measurements,
    slab::Slab,
    timers::Timers,
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
}

/// All of a simulation but the states of the nodes.
pub(crate) struct Machine<P: Protocol> {
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

impl<P: Protocol> Machine<P> {
    pub(crate) fn new(scenario: &Scenario<P>, seed: u64, replication: u32) -> Self {
        let topology = &scenario.topology;
        let mut links = Vec::new();
        let mut first_link = Vec::with_capacity(topology.len());
        // As `Timing::link`, but a large network may have as many exceptions as links.
        let mut exceptions = FxHashMap::<(NodeId, NodeId), LinkTiming>::default();
        for &(ends, timing) in &scenario.timing.links {
            exceptions.entry(ends).or_insert(timing);
        }
        for from in topology.nodes() {
            first_link.push(links.len());
            for &to in topology.neighbours(from) {
                let timing = exceptions.get(&(from, to));
                let losses = losses(seed, replication, from, to);
                links.push(Link::new(to, *timing.unwrap_or(&scenario.timing.link), losses));
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
                .timing
                .field
                .as_ref()
                .map(|field| Air::new(field, topology.len(), seed, replication)),
            waiting: scenario.receivers.is_some().then(waiting),
            streams: streams.collect(),
            seed,
            replication,
        };
        for (index, job) in scenario.timing.jobs.iter().enumerate() {
            machine.schedule_job(index, nanoseconds(job.first));
        }
        machine
    }

    /// Has a job of the scenario done at this time.
    pub(crate) fn schedule_job(&mut self, index: usize, time: Nanoseconds) {
        if time < NEVER {
            let slot = u32::try_from(index).expect("fewer than 2^32 jobs");
            self.queue.push(time, Priority::Command, slot);
        }
    }

    /// The packets on their way in the order in which they will arrive, then those that wait for a
    /// receiver, then those that are about to leave. One by radio is there for each node that will
    /// hear it.
    pub(crate) fn in_flight(&self, topology: &Topology) -> Vec<Flight<P::Message>> {
        let mut entries: Vec<_> = self.queue.entries().copied().collect();
        entries.sort_unstable_by_key(|entry| (entry.time(), entry.order()));
        let mut flights = Vec::new();
        for entry in &entries {
            match entry.priority() {
                Priority::Delivery => flights.extend(self.flights.get(entry.slot()).cloned()),
                Priority::Frame => {
                    let frame = self.air.as_ref().and_then(|air| air.frames.get(entry.slot()));
                    flights.extend(frame.into_iter().flat_map(Frame::flights));
                }
                Priority::Departure | Priority::Timer | Priority::Command => {}
            }
        }
        flights.extend(self.waiting.iter().flatten().flatten().cloned());
        for entry in entries.iter().filter(|entry| entry.priority() == Priority::Departure) {
            let departure = self.departures.get(entry.slot()).expect("it is about to leave");
            let &Departure { sending, from, to, ref message } = departure;
            let receivers = match (to, &self.air) {
                (Some(to), _) => vec![to],
                (None, Some(air)) => air.near(from, self.now),
                (None, None) => topology.neighbours(from).to_vec(),
            };
            let copy = |to| Flight { sending, from, to, receiver: to, message: message.clone() };
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
                Link::new(receiver, scenario.timing.link, losses)
            }),
        };
        let bytes = scenario.protocol.message_bytes(from, &flight.message);
        let passage = link.offer(self.now, bytes);
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
        };
        let now = Duration::from_nanos(self.now);
        observer.packet(now, flight.sending, flight.packet(), bytes, fate);
        match passage {
            Passage::Lost => self.packets.lost += 1,
            Passage::Dropped => self.packets.dropped += 1,
            Passage::Arrives(time) => {
                let slot = self.flights.insert(flight);
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

    /// What was to leave now, taken out.
    pub(crate) fn take_departure(&mut self, slot: u32) -> Departure<P::Message> {
        self.departures.remove(slot)
    }
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
    protocol: &'m P,
    neighbours: &'m [NodeId],
    /// On a field: who is near, once it was asked for.
    near: OnceCell<Vec<NodeId>>,
    machine: &'m mut Machine<P>,
    observer: &'m mut O,
}

impl<'m, P: Protocol, O: Observer<P>> Acting<'m, P, O> {
    #[inline]
    pub(crate) fn new(
        me: NodeId,
        scenario: &'m Scenario<P>,
        machine: &'m mut Machine<P>,
        observer: &'m mut O,
    ) -> Self {
        Self {
            me,
            protocol: &scenario.protocol,
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
            self.no_neighbour(to, &message);
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
        let bytes = self.protocol.message_bytes(self.me, message);
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
        let passage = link.offer(machine.now, bytes);
        let flight = Flight { sending, from: self.me, to, receiver: to, message };
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
        let Machine { air, now, queue, packets, .. } = &mut *self.machine;
        let air = air.as_mut().expect("it is there on a field");
        let settled = air.transmit(*now, me, to, bytes);
        let fate = match &settled {
            None => FrameFate::Dropped,
            Some(Settled { hearing: Hearing::By(nodes), time }) => {
                FrameFate::Heard { by: nodes, at: Duration::from_nanos(*time) }
            }
            Some(Settled { hearing: Hearing::Unheard(_), time }) => {
                FrameFate::Unheard { at: Duration::from_nanos(*time) }
            }
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
        self.machine.wait(Flight { sending, from: me, to, receiver: to, message });
    }

    fn postpone(&mut self, to: Option<NodeId>, message: P::Message, within: Duration) {
        let sending = self.machine.next_sending();
        if within.is_zero() {
            return self.depart(Departure { sending, from: self.me, to, message });
        }
        self.observer.postponed(sending);
        let machine = &mut *self.machine;
        let while_ns = machine.streams[self.me.index()].jitter.up_to(nanoseconds(within));
        let slot = machine.departures.insert(Departure { sending, from: self.me, to, message });
        let time = machine.now.saturating_add(while_ns);
        machine.queue.push(time, Priority::Departure, slot);
    }

    #[cold]
    fn no_neighbour(&self, to: NodeId, message: &P::Message) -> ! {
        panic!("{} sends {message:?} to {to}, which is not its neighbour", self.me);
    }
}

impl<P: Protocol, O: Observer<P>> Effects<P> for Acting<'_, P, O> {
    #[inline]
    fn send(&mut self, to: NodeId, message: P::Message) {
        let sending = self.machine.next_sending();
        self.send_to(to, message, sending);
    }

    #[inline]
    fn broadcast(&mut self, message: P::Message) {
        let sending = self.machine.next_sending();
        self.send_to_all(message, sending);
    }

    fn send_within(&mut self, to: NodeId, message: P::Message, within: Duration) {
        self.postpone(Some(to), message, within);
    }

    fn broadcast_within(&mut self, message: P::Message, within: Duration) {
        self.postpone(None, message, within);
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

    #[inline]
    fn choose(&mut self, options: u32) -> u32 {
        assert!(options > 0, "{} chooses among no options", self.me);
        self.machine.streams[self.me.index()].choices.choose(options)
    }

    #[inline]
    fn record(&mut self, record: Record) {
        let now = self.machine.now;
        self.observer.record(Duration::from_nanos(now), self.me, record);
        self.machine.measurements.record(now, record);
    }

    fn neighbours(&self) -> &[NodeId] {
        match &self.machine.air {
            None => self.neighbours,
            Some(air) => self.near.get_or_init(|| air.near(self.me, self.machine.now)),
        }
    }
}
