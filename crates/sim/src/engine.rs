//! Moving parts of a simulation.

use std::time::Duration;

use everypath_model::{NodeId, Protocol, Scenario};

use crate::{
    EventQueue, Fate, Observer, Packets, Priority, Stream,
    audiences::Audiences,
    carrier::Carrier,
    clock::Nanoseconds,
    held::{Held, Room},
    link::Passage,
    links::passage,
    measurements::Measurements,
    outages::Outages,
    sensing::Targets,
    slab::Slab,
    timers::Timers,
    traffic::Occasions,
    world::Flight,
};

/// A message that a node sends after a delay.
pub(crate) struct Departure<M> {
    /// Which sending of the run it is.
    pub(crate) sending: u64,
    pub(crate) from: NodeId,
    /// The receiver; `None` for all neighbours.
    pub(crate) to: Option<NodeId>,
    pub(crate) message: M,
    /// How often the node had been down before.
    pub(crate) downs: u32,
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
    pub(crate) carrier: Carrier<P::Message>,
    pub(crate) departures: Slab<Departure<P::Message>>,
    pub(crate) streams: Vec<NodeStreams>,
    /// Who hears broadcasts, if not all neighbours.
    pub(crate) audiences: Option<Audiences>,
    pub(crate) outages: Outages,
    /// What is on each link, if its capacity is limited.
    held: Option<Box<Held>>,
    /// How often each node has gone down.
    pub(crate) downs: Vec<u32>,
    /// The targets that nodes can sense, if there are any.
    pub(crate) targets: Option<Targets>,
    /// The occasions of each job.
    occasions: Vec<Occasions>,
}

/// The random numbers of one node.
pub(crate) struct NodeStreams {
    pub(crate) choices: Stream,
    pub(crate) jitter: Stream,
}

impl NodeStreams {
    fn new(seed: u64, replication: u32, node: NodeId) -> Self {
        let of = |purpose| Stream::new(seed, replication, &format!("node {} {purpose}", node.0));
        Self { choices: of("choose"), jitter: of("jitter") }
    }
}

impl<P: Protocol> Engine<P> {
    pub(crate) fn new(scenario: &Scenario<P>, seed: u64, replication: u32) -> Self {
        let topology = &scenario.topology;
        let streams = topology.nodes().map(|node| NodeStreams::new(seed, replication, node));
        let mut engine = Self {
            now: 0,
            queue: EventQueue::new(),
            flights: Slab::new(),
            timers: Timers::new(topology.len()),
            measurements: Measurements::new(),
            packets: Packets::default(),
            sendings: 0,
            carrier: Carrier::new(scenario, seed, replication),
            departures: Slab::new(),
            streams: streams.collect(),
            audiences: Audiences::new(scenario, seed, replication),
            outages: Outages::new(&scenario.simulation.outages, seed, replication),
            held: Held::of(scenario.capacity),
            downs: vec![0; topology.len()],
            targets: None,
            occasions: Vec::new(),
        };
        engine.outages.schedule(&mut engine.queue);
        for (index, job) in scenario.simulation.all_jobs().enumerate() {
            let stream = || Stream::new(seed, replication, &format!("job {index}"));
            engine.occasions.push(Occasions::of(&job, stream));
            engine.schedule_job(index);
        }
        if let Some(sensing) = &scenario.simulation.sensing {
            let mut targets = Targets::new(sensing, engine.occasions.len(), seed, replication);
            targets.schedule(&mut engine.queue);
            engine.targets = Some(targets);
        }
        engine.carrier.start(&mut engine.queue);
        engine
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> usize {
        self.downs.len()
    }

    /// Schedules a job for its next occasion, if there is one.
    pub(crate) fn schedule_job(&mut self, index: usize) {
        if let Some(time) = self.occasions[index].next() {
            let slot = u32::try_from(index).expect("fewer than 2^32 jobs");
            self.queue.push(time, Priority::Command, slot);
        }
    }

    /// The packets on their way in the order in which they will arrive, then those that wait for a
    /// receiver, then those that are about to leave; each with the moment at which it arrives, if that
    /// is settled. One by radio is there for each node that will hear it.
    pub(crate) fn in_flight(&self) -> Vec<(Flight<P::Message>, Option<Nanoseconds>)> {
        let mut entries: Vec<_> = self.queue.entries().copied().collect();
        entries.sort_unstable_by_key(|entry| (entry.time(), entry.order()));
        let mut flights = Vec::new();
        for entry in &entries {
            let timed = |flight| (flight, Some(entry.time()));
            match entry.priority() {
                Priority::Delivery => {
                    let flight = self.flights.get(entry.slot()).filter(|it| !it.is_displaced);
                    flights.extend(flight.cloned().map(timed));
                }
                Priority::Frame => flights.extend(self.carrier.arriving(entry.slot()).map(timed)),
                Priority::Outage | Priority::Departure | Priority::Timer | Priority::Command => {}
            }
        }
        let unsettled = self.carrier.unsettled(self.now).into_iter();
        flights.extend(unsettled.map(|flight| (flight, None)));
        for entry in entries.iter().filter(|entry| entry.priority() == Priority::Departure) {
            let departure = self.departures.get(entry.slot()).expect("it is about to leave");
            let &Departure { sending, from, to, ref message, .. } = departure;
            if !self.is_still_to_leave(departure) {
                continue;
            }
            let receivers =
                to.map_or_else(|| self.carrier.neighbours(from, self.now), |to| vec![to]);
            let copy = |to| (Flight::new(sending, from, to, message.clone()), None);
            flights.extend(receivers.into_iter().map(copy));
        }
        flights
    }

    /// Lets a packet that is sent wait for a receiver.
    pub(crate) fn let_wait(&mut self, flight: Flight<P::Message>) {
        self.packets.sent += 1;
        self.carrier.late().wait(flight);
    }

    /// Hands a packet to the link to the node that receives it, if nothing happens to it there.
    pub(crate) fn hand_to_receiver(
        &mut self,
        flight: Flight<P::Message>,
        bytes: usize,
        observer: &mut impl Observer<P>,
    ) {
        let Flight { from, receiver, .. } = flight;
        let link = self.carrier.late().between(from, receiver);
        let passage = passage(link, from, self.now, bytes, &mut self.outages);
        let copy = link.duplicates().then(|| flight.clone());
        self.settle(flight, passage, bytes, observer);
        self.settle_copy(copy, passage, bytes, observer);
    }

    /// A link has decided the fate of a packet.
    #[inline]
    pub(crate) fn settle(
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
                let way = (flight.from, flight.to);
                let slot = self.flights.insert(Flight { returns, ..flight });
                if let Some(held) = &mut self.held {
                    held.put(way, slot);
                }
                self.queue.push(time, Priority::Delivery, slot);
            }
        }
    }

    /// The fate of a copy, if there is one: it arrives right behind the packet, if that arrives and
    /// there is room on the link.
    #[inline]
    pub(crate) fn settle_copy(
        &mut self,
        copy: Option<Flight<P::Message>>,
        passage: Passage,
        bytes: usize,
        observer: &mut impl Observer<P>,
    ) {
        let Some(copy) = copy.filter(|_| matches!(passage, Passage::Arrives(_))) else {
            return;
        };
        let is_full = self.held.as_ref().is_some_and(|held| held.is_full((copy.from, copy.to)));
        let passage = if is_full { Passage::Dropped } else { passage };
        self.packets.sent += 1;
        self.settle(copy, passage, bytes, observer);
    }

    /// Whether the capacity of links is limited.
    #[inline]
    pub(crate) fn is_bounded(&self) -> bool {
        self.held.is_some()
    }

    /// Whether a link has room for one more packet, for which its oldest one may be lost.
    pub(crate) fn make_room(
        &mut self,
        (from, to): (NodeId, NodeId),
        scenario: &Scenario<P>,
        observer: &mut impl Observer<P>,
    ) -> bool {
        let held = self.held.as_mut().expect("the capacity of links is limited");
        match held.make_room((from, to)) {
            Room::Some => true,
            Room::None => false,
            Room::After(slot) => {
                let flight = self.flights.get_mut(slot).expect("it is on its way");
                flight.is_displaced = true;
                self.packets.dropped += 1;
                let now = Duration::from_nanos(self.now);
                let bytes = scenario.bytes_of(&flight.message);
                observer.packet(now, flight.sending, flight.packet(), bytes, Fate::Dropped);
                true
            }
        }
    }

    /// A packet is about to be delivered from a link of limited capacity, unless it was displaced.
    pub(crate) fn is_still_there(&mut self, slot: u32) -> bool {
        let flight = self.flights.get(slot).expect("it is on its way");
        if flight.is_displaced {
            self.flights.remove(slot);
            return false;
        }
        let held = self.held.as_mut().expect("the capacity of links is limited");
        held.take((flight.from, flight.to), slot);
        true
    }

    /// The number of a sending that begins.
    #[inline]
    pub(crate) fn next_sending(&mut self) -> u64 {
        let sending = self.sendings;
        self.sendings += 1;
        sending
    }

    /// A message that is to leave now, taken out; `None` if the node has been down since.
    pub(crate) fn take_departure(&mut self, slot: u32) -> Option<Departure<P::Message>> {
        let departure = self.departures.remove(slot);
        self.is_still_to_leave(&departure).then_some(departure)
    }

    fn is_still_to_leave(&self, departure: &Departure<P::Message>) -> bool {
        departure.downs == self.downs[departure.from.index()]
    }

    /// A node goes down: its timers are cancelled, and what it had to send is lost.
    pub(crate) fn go_down(&mut self, node: NodeId) {
        self.timers.cancel_all(node);
        self.downs[node.index()] += 1;
        self.packets.lost += self.carrier.go_down(node, self.now) as u64;
    }

    /// For each node the nodes that can hear it, in order, if that changes with time.
    pub(crate) fn linked(&self) -> Option<Vec<Vec<NodeId>>> {
        if self.carrier.air().is_none() && self.outages.is_empty() {
            return None;
        }
        Some((0..self.nodes()).map(|node| self.linked_to(NodeId::from(node))).collect())
    }

    /// The nodes that can hear a node.
    pub(crate) fn linked_to(&self, node: NodeId) -> Vec<NodeId> {
        let outages = &self.outages;
        let mut linked = self.carrier.neighbours(node, self.now);
        let is_on = |node: NodeId| !outages.is_node_down(node) && !self.carrier.is_empty(node);
        if !is_on(node) {
            linked.clear();
        }
        linked.retain(|&other| is_on(other) && !outages.is_link_down(node, other));
        linked
    }

    /// How many hops the shortest path from one node to another has, if there is one.
    pub(crate) fn distance(&self, from: NodeId, to: NodeId) -> Option<u32> {
        let mut seen = vec![false; self.nodes()];
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
