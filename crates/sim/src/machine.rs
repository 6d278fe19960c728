//! The moving parts of a simulation, and the effects by which handlers move them.

use std::time::Duration;

use everypath_model::{Effects, LinkTiming, NodeId, Packet, Protocol, Record, Scenario};
use rustc_hash::FxHashMap;

use crate::{
    EventQueue, Fate, Observer, Packets, Priority, Stream,
    clock::{NEVER, Nanoseconds, nanoseconds},
    link::{Link, Passage},
    measurements::Measurements,
    slab::Slab,
    timers::Timers,
    world::Flight,
};

/// All of a simulation but the states of the nodes.
pub(crate) struct Machine<P: Protocol> {
    pub(crate) now: Nanoseconds,
    pub(crate) queue: EventQueue,
    pub(crate) flights: Slab<Flight<P::Message>>,
    pub(crate) timers: Timers<P::Timer>,
    pub(crate) measurements: Measurements,
    pub(crate) packets: Packets,
    /// The links of node 0 in the order of its neighbours, then those of node 1, and so on.
    links: Vec<Link>,
    /// Where the links of each node begin.
    first_link: Vec<usize>,
    choices: Vec<Stream>,
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
                let purpose = format!("link {}->{} loss", from.0, to.0);
                let losses = Stream::new(seed, replication, &purpose);
                links.push(Link::new(to, *timing.unwrap_or(&scenario.timing.link), losses));
            }
        }
        let choices = topology
            .nodes()
            .map(|node| Stream::new(seed, replication, &format!("node {} choose", node.0)));
        let mut machine = Self {
            now: 0,
            queue: EventQueue::new(),
            flights: Slab::new(),
            timers: Timers::new(topology.len()),
            measurements: Measurements::new(),
            packets: Packets::default(),
            links,
            first_link,
            choices: choices.collect(),
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

    /// The packets on their way, in the order in which they will arrive.
    pub(crate) fn in_flight(&self) -> Vec<Flight<P::Message>> {
        let mut deliveries: Vec<_> =
            self.queue.entries().filter(|entry| entry.priority() == Priority::Delivery).collect();
        deliveries.sort_unstable_by_key(|entry| (entry.time(), entry.order()));
        deliveries.iter().filter_map(|entry| self.flights.get(entry.slot()).cloned()).collect()
    }
}

/// What a handler of one node acts through. What it does takes place at once, which no other
/// node can notice before the handler returns.
pub(crate) struct Acting<'m, P: Protocol, O> {
    me: NodeId,
    protocol: &'m P,
    neighbours: &'m [NodeId],
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
            machine,
            observer,
        }
    }

    /// Hands a message to the link to the neighbour at this place of the list.
    #[inline]
    fn hand_over(&mut self, place: usize, message: P::Message, bytes: usize) {
        let machine = &mut *self.machine;
        let link = &mut machine.links[machine.first_link[self.me.index()] + place];
        let to = link.to;
        let passage = link.offer(machine.now, bytes);
        let fate = match passage {
            Passage::Arrives(time) => Fate::Arrives(Duration::from_nanos(time)),
            Passage::Lost => Fate::Lost,
            Passage::Dropped => Fate::Dropped,
        };
        let packet = Packet { from: self.me, to, message: &message };
        let now = Duration::from_nanos(machine.now);
        self.observer.packet(now, packet, bytes, fate);
        machine.packets.sent += 1;
        match passage {
            Passage::Lost => machine.packets.lost += 1,
            Passage::Dropped => machine.packets.dropped += 1,
            Passage::Arrives(time) => {
                let from = self.me;
                let slot = machine.flights.insert(Flight { from, to, message });
                machine.queue.push(time, Priority::Delivery, slot);
            }
        }
    }

    #[cold]
    fn no_neighbour(&self, to: NodeId, message: &P::Message) -> ! {
        panic!("{} sends {message:?} to {to}, which is not its neighbour", self.me);
    }
}

impl<P: Protocol, O: Observer<P>> Effects<P> for Acting<'_, P, O> {
    #[inline]
    fn send(&mut self, to: NodeId, message: P::Message) {
        let Ok(place) = self.neighbours.binary_search(&to) else {
            self.no_neighbour(to, &message);
        };
        let bytes = self.protocol.message_bytes(self.me, &message);
        self.hand_over(place, message, bytes);
    }

    #[inline]
    fn broadcast(&mut self, message: P::Message) {
        let Some(last) = self.neighbours.len().checked_sub(1) else {
            return;
        };
        let bytes = self.protocol.message_bytes(self.me, &message);
        for place in 0..last {
            self.hand_over(place, message.clone(), bytes);
        }
        self.hand_over(last, message, bytes);
    }

    #[inline]
    fn set_timer(&mut self, timer: P::Timer, after: Duration) {
        let machine = &mut *self.machine;
        let due = machine.now.saturating_add(nanoseconds(after));
        machine.timers.set(self.me, timer, due, &mut machine.queue);
    }

    #[inline]
    fn prolong_timer(&mut self, timer: P::Timer, after: Duration) {
        let machine = &mut *self.machine;
        let due = machine.now.saturating_add(nanoseconds(after));
        machine.timers.prolong(self.me, timer, due, &mut machine.queue);
    }

    #[inline]
    fn cancel_timer(&mut self, timer: &P::Timer) {
        self.machine.timers.cancel(self.me, timer);
    }

    #[inline]
    fn choose(&mut self, options: u32) -> u32 {
        assert!(options > 0, "{} chooses among no options", self.me);
        self.machine.choices[self.me.index()].choose(options)
    }

    #[inline]
    fn record(&mut self, record: Record) {
        let now = self.machine.now;
        self.observer.record(Duration::from_nanos(now), self.me, record);
        self.machine.measurements.record(now, record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.neighbours
    }
}
