//! Simulation: one run of a scenario, step by step or in one go.

use std::{sync::atomic::Ordering, time::Duration};

use everypath_model::{
    Event, EventKind, Input, Job, Memory, NodeId, Packet, Part, Position, Protocol, Scenario,
    Topology, WarmUp, World, WorldView, panics,
    running::{self, Post},
};

use crate::{
    Ending, Entry, FrameFate, Limits, LossReason, Measured, Observer, Packets, Priority, Run,
    Sending, SimError, Violation, battery,
    clock::{LAST, Nanoseconds, nanoseconds},
    effects::NodeEffects,
    engine::Engine,
    field::{Frame, Hearing, Medium, OutgoingFrame},
    memories::Memories,
    observer::Described,
    outages::Change,
    sensing::Slot,
    world::{Flight, Picture},
};

/// The event that is being handled: kept outside the handler, so that it can be reported if the handler
/// panics.
enum Handling<P: Protocol> {
    Start(NodeId),
    Reboot(NodeId),
    Delivery(Flight<P::Message>),
    /// A frame, by the nodes that hear it, or by its sender; and how many of them have handled it.
    Frame(Frame<P::Message>, usize),
    Timer(NodeId, P::Timer),
    /// The link between two nodes comes up, or fails.
    Link(bool, (NodeId, NodeId)),
    /// A job of the scenario.
    Command(usize),
    /// What a node does about a stimulus.
    Sensed(NodeId, P::Command),
}

/// How many events can happen at one moment before time is considered to stand still.
const EVENTS_PER_MOMENT_MAX: u64 = 10_000_000;

/// The events between two looks at the stop flag: less than a millisecond's worth.
const EVENTS_BETWEEN_LOOKS: u64 = 4096;

/// One run of a scenario.
///
/// All nodes start at time 0, in order. Then events are handled in the order of time; at one moment
/// what goes down or comes up does so first, deliveries come before timers and timers before commands; and what is still tied goes in the
/// order in which it came about: packets as sent, timers as last set, commands as in the scenario.
///
/// If the scenario says [which nodes can receive a packet](everypath_model::Scenario::receivers), it is asked when
/// the handler that sent it has returned: the packet takes the link to that node (to one of several,
/// drawn at random), or waits until the sender's handlers have changed the answer. It is asked again
/// when the packet arrives: if the node cannot receive it any more, the packet takes the link to one
/// that can. So a packet is always received by a node that could receive it in an exploration.
///
/// ```
/// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
/// # struct PingPong;
/// # impl Protocol for PingPong {
/// #     type State = u32;
/// #     type Message = u32;
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) -> u32 {
/// #         if node.id == NodeId(0) { node.broadcast(1); }
/// #         0
/// #     }
/// #     fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, n: &u32) {
/// #         *node.state = *n;
/// #         node.send(from, n + 1);
/// #     }
/// # }
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(PingPong, Topology::chain(2));
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default())?;
/// assert_eq!(run.elapsed, scenario.simulation.duration);
/// assert_eq!(run.events, run.packets.delivered);
/// # Ok(())
/// # }
/// ```
pub struct Simulation<'a, P: Protocol, O = ()> {
    scenario: &'a Scenario<P>,
    seed: u64,
    replication: u32,
    engine: Engine<P>,
    /// The commands that are given.
    jobs: Vec<Job<P>>,
    picture: Picture<P>,
    /// What the scenario's observers remember, if it has any.
    memories: Option<Box<Memories<P>>>,
    handling: Handling<P>,
    events: u64,
    /// Where others see what is being executed.
    post: &'static Post,
    observer: O,
    /// When measuring began, and what had become of the packets by then.
    measured_from: (Nanoseconds, Packets),
    violation: Option<Violation>,
    /// What a handler said when it panicked: from then on the simulation stands still.
    panicked: Option<String>,
}

impl<'a, P: Protocol> Simulation<'a, P> {
    /// A run of the scenario, at time 0, with all nodes started.
    ///
    /// # Errors
    /// If the scenario cannot be run, or a node panics when it starts.
    pub fn new(scenario: &'a Scenario<P>, seed: u64, replication: u32) -> Result<Self, SimError> {
        Self::observed(scenario, seed, replication, ())
    }
}

impl<'a, P: Protocol, O: Observer<P>> Simulation<'a, P, O> {
    /// As [`new`](Simulation::new), with an observer of all that happens.
    ///
    /// # Errors
    /// If the scenario cannot be run, or a node panics when it starts.
    pub fn observed(
        scenario: &'a Scenario<P>,
        seed: u64,
        replication: u32,
        observer: O,
    ) -> Result<Self, SimError> {
        scenario.validate()?;
        let topology = &scenario.topology;
        let mut simulation = Self {
            scenario,
            seed,
            replication,
            engine: Engine::new(scenario, seed, replication),
            jobs: scenario.simulation.all_jobs().collect(),
            picture: Picture::new(topology.len()),
            memories: None,
            handling: Handling::Start(NodeId(0)),
            events: 0,
            post: running::post(),
            observer,
            measured_from: (0, Packets::default()),
            violation: None,
            panicked: None,
        };
        if scenario.simulation.warm_up == WarmUp::Mser5 {
            simulation.engine.measurements.keep_sequences();
        }
        simulation.catching(Self::start_all)?;
        Ok(simulation)
    }

    fn start_all(&mut self) {
        for node in self.scenario.topology.nodes() {
            self.handling = Handling::Start(node);
            self.post.handles(None, node, self.events);
            self.observer.started(node);
            let mut effects =
                NodeEffects::new(node, self.scenario, &mut self.engine, &mut self.observer);
            let state = self.scenario.protocol.bring_up(node, None, &mut effects);
            self.picture.states.push(state);
            self.address(node);
        }
        let timers = || self.engine.timers.armed();
        self.memories = match self.scenario.observers.is_empty() {
            true => None,
            false => Memories::of(self.scenario, &[], &self.picture.states, timers()),
        };
    }

    /// If addressing is late: what the node has sent, or could not be received so far, goes to a node that
    /// can receive it now.
    fn address(&mut self, node: NodeId) {
        if !self.engine.carrier.is_late() {
            return;
        }
        for flight in self.engine.carrier.late().take_waiting(node) {
            let receivers = self.receivers(&flight);
            let late = self.engine.carrier.late();
            match late.choose_receiver(node, &receivers) {
                None => late.wait(flight),
                Some(receiver) => {
                    let bytes = self.scenario.bytes_of(&flight.message);
                    let flight = Flight { receiver, ..flight };
                    self.engine.hand_to_receiver(flight, bytes, &mut self.observer);
                }
            }
        }
    }

    /// The nodes that can receive a packet now.
    fn receivers(&self, flight: &Flight<P::Message>) -> Vec<NodeId> {
        let sender = &self.picture.states[flight.from.index()];
        let receivers = match &self.scenario.receivers {
            Some(receivers) => receivers(sender, flight.packet()),
            None => vec![flight.to],
        };
        let nodes = self.scenario.topology.len();
        if let Some(stranger) = receivers.iter().find(|node| node.index() >= nodes) {
            panic!(
                "a packet of {} can be received by {stranger}, which does not exist",
                flight.from
            );
        }
        receivers
    }

    pub(crate) fn scenario(&self) -> &'a Scenario<P> {
        self.scenario
    }

    /// Copies of what the scenario's observers remember.
    pub(crate) fn memories(&self) -> Vec<Box<dyn Memory>> {
        self.memories.as_ref().map_or_else(Vec::new, |memories| memories.copies())
    }

    pub(crate) fn engine(&self) -> &Engine<P> {
        &self.engine
    }

    /// The simulated time that has passed.
    #[must_use]
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.engine.now)
    }

    /// The events so far.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The observer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The state of a node.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn state(&self, node: NodeId) -> &P::State {
        &self.picture.states[node.index()]
    }

    /// The states of all nodes, their timers, and the packets on their way, for assertions to
    /// read. Timers and packets are copied when they are asked for; states are read where they are.
    ///
    /// A packet that a link loses is not on its way: its loss is settled when it is sent. One that is
    /// [about to leave](everypath_model::Node::send_within) or waits for a
    /// [receiver](everypath_model::Scenario::receivers) is.
    pub fn world(&mut self) -> World<'_, P> {
        self.picture.forget_copies();
        World::new(self)
    }

    fn packets(&self) -> &[Flight<P::Message>] {
        self.picture
            .packets
            .get_or_init(|| self.in_flight().into_iter().map(|(flight, _)| flight).collect())
    }

    /// The packets on their way, the next to arrive first, with the moment at which they do, if that
    /// is settled.
    pub(crate) fn in_flight(&self) -> Vec<(Flight<P::Message>, Option<Nanoseconds>)> {
        let mut packets = Vec::new();
        if let Handling::Frame(frame, handled) = &self.handling {
            let rest = frame.flights().skip(*handled);
            packets.extend(rest.map(|flight| (flight, Some(self.engine.now))));
        }
        packets.extend(self.engine.in_flight());
        packets
    }

    /// Notes it if the world violates an assertion.
    fn is_violated(&mut self) -> bool {
        self.picture.forget_copies();
        let world = World::new(self);
        let assertions = &self.scenario.assertions;
        let violated = panics::catch(|| {
            assertions.iter().find(|it| {
                let ask = || panics::within(|| it.name.clone(), || (it.holds)(&world));
                !running::part(&it.name, ask)
            })
        });
        let (assertion, panic) = match violated {
            Ok(None) => return false,
            Ok(Some(assertion)) => (assertion.name.clone(), None),
            Err(panic) => {
                let message = panic.to_string();
                (panic.part.expect("it is within an assertion"), Some(message))
            }
        };
        self.violation = Some(Violation { assertion, panic });
        true
    }

    /// Where a node is now, if nodes are on a field.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn position(&self, node: NodeId) -> Option<Position> {
        self.engine.carrier.air().map(|air| air.position(node, self.engine.now))
    }

    /// Handles the next event, at whatever time it takes place; false if there is none.
    ///
    /// # Errors
    /// If a handler panics, or has panicked before.
    pub fn step(&mut self) -> Result<bool, SimError> {
        self.catching(|simulation| simulation.handle_next(LAST))
    }

    /// Handles all events up to and including a moment; afterwards it is that moment. If that is
    /// in the past, nothing happens.
    ///
    /// # Errors
    /// If a handler panics, or has panicked before.
    pub fn run_until(&mut self, time: Duration) -> Result<(), SimError> {
        let limits = Limits::default();
        self.catching(|simulation| simulation.advance(nanoseconds(time), &limits))?;
        Ok(())
    }

    /// Handles all events before a moment; afterwards it is that moment, and what happens then is still
    /// to come. If that is in the past, nothing happens.
    ///
    /// # Errors
    /// If a handler panics, or has panicked before.
    pub fn run_before(&mut self, time: Duration) -> Result<(), SimError> {
        let time = nanoseconds(time).min(LAST);
        if let Some(last) = time.checked_sub(1) {
            self.run_until(Duration::from_nanos(last))?;
            self.engine.now = self.engine.now.max(time);
        }
        Ok(())
    }

    /// Forgets what was measured before this moment, as after a
    /// [warm-up](everypath_model::WarmUp): counters begin at 0, distributions are empty, levels go on with the
    /// value that they have, and what has begun and not ended will not count. Nothing happens to
    /// the nodes.
    pub fn measure_from_now(&mut self) {
        let now = self.engine.now;
        self.engine.measurements.forget_until(now);
        self.measured_from = (now, self.engine.packets);
    }

    /// Runs to the end of the scenario's duration, what happens at that very moment included. What
    /// happens at the end of a warm-up, at that very moment, counts.
    ///
    /// # Errors
    /// If a handler panics, or a measure does.
    pub fn run(mut self, limits: &Limits<'_>) -> Result<Run, SimError> {
        if limits.violation && self.is_violated() {
            return self.result(Ending::Violated);
        }
        if let WarmUp::Until(warm_up) = self.scenario.simulation.warm_up {
            let last = nanoseconds(warm_up).saturating_sub(1);
            let ending = self.catching(|simulation| simulation.advance(last, limits))?;
            if ending == Ending::Finished {
                self.engine.now = nanoseconds(warm_up);
            }
            self.measure_from_now();
            if ending != Ending::Finished {
                return self.result(ending);
            }
        }
        let end = nanoseconds(self.scenario.simulation.duration);
        let ending = self.catching(|simulation| simulation.advance(end, limits))?;
        // It costs next to nothing to ask once.
        if ending == Ending::Finished && !limits.violation && self.scenario.required.is_none() {
            self.is_violated();
        }
        self.result(ending)
    }

    /// What the run has come to so far, if it were over now for this reason.
    ///
    /// # Errors
    /// If a measure panics.
    pub fn result(&self, ending: Ending) -> Result<Run, SimError> {
        let measurements = &self.engine.measurements;
        let air = self.engine.carrier.air();
        let batteries = air.and_then(|air| air.batteries(self.engine.now)).unwrap_or_default();
        let (mut distributions, truncations) = measurements.distributions();
        for (name, distribution) in battery::distributions(&batteries) {
            // What a protocol observes under the same name comes first.
            if !distributions.iter().any(|(other, _)| *other == name) {
                distributions.push((name, distribution));
            }
        }
        distributions.sort_by_key(|&(name, _)| name);
        let (measured_from, packets_before) = self.measured_from;
        let mut run = Run {
            seed: self.seed,
            replication: self.replication,
            ending,
            elapsed: self.now(),
            measured_from: Duration::from_nanos(measured_from),
            events: self.events,
            packets: self.engine.packets,
            packets_before,
            counters: measurements.counters(),
            distributions,
            truncations,
            series: measurements.series(self.engine.now),
            matchings: measurements.matchings(),
            batteries,
            measures: Vec::new(),
            violation: self.violation.clone(),
        };
        for measure in &self.scenario.simulation.measures {
            let name = measure.name.clone();
            let value = match panics::catch(|| (measure.compute)(&run)) {
                Ok(value) => value,
                Err(panic) => {
                    return Err(SimError::MeasurePanicked { name, message: panic.to_string() });
                }
            };
            let unit = measure.unit.clone();
            run.measures.push(Measured { name, unit, value });
        }
        Ok(run)
    }

    /// Runs handlers. Catching a panic is set up once for all of them: it costs nothing per event.
    fn catching<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> Result<T, SimError> {
        if let Some(message) = &self.panicked {
            return Err(self.handler_panicked(message.clone()));
        }
        let caught = panics::catch(|| run(self));
        self.post.rests();
        match caught {
            Ok(value) => Ok(value),
            Err(panic) => {
                let message = panic.to_string();
                self.panicked = Some(message.clone());
                Err(self.handler_panicked(message))
            }
        }
    }

    fn handler_panicked(&self, message: String) -> SimError {
        let described = |event: Event<'_, P>| {
            let text = format!("{} {}", event.kind(), Described(&event));
            (event.node(), text)
        };
        let (node, event) = match &self.handling {
            Handling::Start(node) => (*node, "start".to_owned()),
            Handling::Reboot(node) => described(Event::Reboot { node: *node }),
            Handling::Delivery(flight) => described(delivery(flight)),
            Handling::Frame(frame, handled) => described(frame_event(frame, *handled)),
            Handling::Timer(node, timer) => described(Event::Timer { node: *node, timer }),
            Handling::Link(true, ends) => described(Event::LinkUp { ends: *ends }),
            Handling::Link(false, ends) => described(Event::LinkDown { ends: *ends }),
            Handling::Sensed(node, command) => described(Event::Command { node: *node, command }),
            Handling::Command(index) => {
                let job = &self.jobs[*index];
                let (node, command) = (job.node, &job.command);
                described(Event::Command { node, command })
            }
        };
        SimError::HandlerPanicked {
            replication: self.replication,
            time: self.now(),
            node,
            event,
            message,
        }
    }

    /// Handles events until there is a reason to stop.
    fn advance(&mut self, until: Nanoseconds, limits: &Limits<'_>) -> Ending {
        let until = until.min(LAST);
        let (mut moment, mut events_before) = (self.engine.now, self.events);
        loop {
            if self.engine.now > moment {
                (moment, events_before) = (self.engine.now, self.events);
            }
            assert!(
                self.events - events_before < EVENTS_PER_MOMENT_MAX,
                "more than {EVENTS_PER_MOMENT_MAX} events at one moment: time stands still, \
                 as when a timer is set again and again to fire at once"
            );
            if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Ending::Stopped;
            }
            let left = limits.events.saturating_sub(self.events);
            let next = self.engine.queue.peek();
            let more = self.is_within_frame() || next.is_some_and(|entry| entry.time() <= until);
            if left == 0 && more {
                return Ending::EventLimit;
            }
            for _ in 0..left.clamp(1, EVENTS_BETWEEN_LOOKS) {
                if !self.handle_next(until) {
                    self.engine.now = self.engine.now.max(until);
                    return Ending::Finished;
                }
                if limits.violation && self.is_violated() {
                    return Ending::Violated;
                }
            }
        }
    }

    /// Handles the next event up to a moment, and shows it to the scenario's observers; false if there is
    /// none.
    #[inline]
    fn handle_next(&mut self, until: Nanoseconds) -> bool {
        let happened = self.happen_next(until);
        if happened && self.memories.is_some() {
            self.remember();
        }
        happened
    }

    /// Shows the event that was handled to the scenario's observers.
    #[cold]
    fn remember(&mut self) {
        self.picture.forget_copies();
        let mut memories = self.memories.take().expect("the scenario has observers");
        self.with_handled(|run, event| memories.observe(run.scenario, event, run));
        self.memories = Some(memories);
    }

    /// The event that was handled last.
    fn with_handled(&self, look: impl FnOnce(&Self, &Event<'_, P>)) {
        let event = match &self.handling {
            Handling::Start(_) => return,
            Handling::Reboot(node) => Event::Reboot { node: *node },
            Handling::Delivery(flight) => delivery(flight),
            Handling::Frame(frame, handled) => frame_event(frame, handled.saturating_sub(1)),
            Handling::Timer(node, timer) => Event::Timer { node: *node, timer },
            Handling::Link(true, ends) => Event::LinkUp { ends: *ends },
            Handling::Link(false, ends) => Event::LinkDown { ends: *ends },
            Handling::Sensed(node, command) => Event::Command { node: *node, command },
            Handling::Command(index) => {
                let job = &self.jobs[*index];
                Event::Command { node: job.node, command: &job.command }
            }
        };
        look(self, &event);
    }

    /// Lets the next event up to a moment happen; false if there is none.
    #[inline]
    fn happen_next(&mut self, until: Nanoseconds) -> bool {
        if self.is_within_frame() {
            self.hear();
            return true;
        }
        let late = self.engine.carrier.is_late();
        let may_vanish = late || self.engine.is_bounded();
        while let Some(entry) = self.engine.queue.pop_until(until) {
            if may_vanish && (self.is_displaced(entry) || self.is_redirected(entry)) {
                continue;
            }
            let happened = match entry.priority() {
                Priority::Outage => self.change(entry),
                Priority::Departure => self.depart(entry),
                Priority::Frame => self.take_frame(entry, until),
                Priority::Delivery => self.deliver(entry),
                Priority::Timer => self.fire(entry),
                Priority::Command => self.command(entry),
            };
            if happened {
                if late {
                    self.address_of_handled();
                }
                return true;
            }
        }
        false
    }

    /// If addressing is late: the packets of the node that has just handled something get receivers.
    #[cold]
    fn address_of_handled(&mut self) {
        let node = match &self.handling {
            Handling::Start(node) | Handling::Reboot(node) | Handling::Timer(node, _) => *node,
            Handling::Delivery(flight) if flight.returns => flight.from,
            Handling::Delivery(flight) => flight.receiver,
            Handling::Frame(..) => unreachable!("on a field, addressing is not late"),
            Handling::Link(..) => return,
            Handling::Sensed(node, _) => *node,
            Handling::Command(index) => self.jobs[*index].node,
        };
        self.address(node);
    }

    /// The clock moves on to an event.
    #[inline]
    fn tick(&mut self, entry: Entry) {
        debug_assert!(entry.time() >= self.engine.now, "time runs backwards");
        self.engine.now = entry.time();
        self.events += 1;
    }

    /// A postponed message leaves its node: not an event, as no other node notices.
    fn depart(&mut self, entry: Entry) -> bool {
        self.engine.now = entry.time();
        let Some(departure) = self.engine.take_departure(entry.slot()) else {
            return false;
        };
        let node = departure.from;
        if self.engine.carrier.is_empty(node) {
            return false;
        }
        NodeEffects::new(node, self.scenario, &mut self.engine, &mut self.observer)
            .depart(departure);
        self.address(node);
        false
    }

    /// Whether it is the delivery of a packet that made room for another on its link.
    #[cold]
    fn is_displaced(&mut self, entry: Entry) -> bool {
        entry.priority() == Priority::Delivery
            && self.engine.is_bounded()
            && !self.engine.is_still_there(entry.slot())
    }

    /// If a packet has come to a node that cannot receive it any more, it takes the way to one that
    /// can; true if so.
    #[cold]
    fn is_redirected(&mut self, entry: Entry) -> bool {
        if entry.priority() != Priority::Delivery || !self.engine.carrier.is_late() {
            return false;
        }
        let flight = self.engine.flights.get(entry.slot()).expect("it is on its way");
        if flight.returns || self.receivers(flight).contains(&flight.receiver) {
            return false;
        }
        self.engine.now = entry.time();
        let flight = self.engine.flights.remove(entry.slot());
        let node = flight.from;
        self.engine.carrier.late().wait(flight);
        self.address(node);
        true
    }

    #[inline]
    fn deliver(&mut self, entry: Entry) -> bool {
        self.tick(entry);
        self.handling = Handling::Delivery(self.engine.flights.remove(entry.slot()));
        let Handling::Delivery(flight) = &self.handling else {
            unreachable!("a delivery was just put there");
        };
        let now = Duration::from_nanos(entry.time());
        self.observer.event(now, &delivery(flight), Some(flight.sending));
        let &Flight { from, to, receiver, returns, ref message, .. } = flight;
        let protocol = &self.scenario.protocol;
        let packets = &mut self.engine.packets;
        if returns {
            packets.lost += 1;
            let state = &mut self.picture.states[from.index()];
            let mut effects =
                NodeEffects::new(from, self.scenario, &mut self.engine, &mut self.observer);
            self.post.handles(Some(EventKind::Undeliverable), from, self.events);
            protocol.handle(from, state, Input::Undeliverable { to, message }, &mut effects);
            return true;
        }
        packets.delivered += 1;
        let state = &mut self.picture.states[receiver.index()];
        let mut effects =
            NodeEffects::new(receiver, self.scenario, &mut self.engine, &mut self.observer);
        self.post.handles(Some(EventKind::Deliver), receiver, self.events);
        protocol.handle(receiver, state, Input::Message { from, message }, &mut effects);
        true
    }

    /// Something goes down or comes up; true if that is an event.
    fn change(&mut self, entry: Entry) -> bool {
        let engine = &mut self.engine;
        engine.now = entry.time();
        let now = Duration::from_nanos(entry.time());
        match engine.outages.change(entry.slot(), &mut engine.queue) {
            None => return false,
            Some(Change::Down(Part::Node(node))) => {
                self.observer.down(now, node);
                engine.go_down(node);
                self.show_frames();
                return false;
            }
            Some(Change::Up(Part::Node(node))) => {
                if !engine.carrier.come_up(node, engine.now, &mut engine.queue) {
                    return false;
                }
                self.reboot(node);
            }
            Some(Change::Down(Part::Link(one, other))) => {
                engine.carrier.cut(one, other);
                self.handling = Handling::Link(false, (one, other));
                self.observer.event(now, &Event::LinkDown { ends: (one, other) }, None);
            }
            Some(Change::Up(Part::Link(one, other))) => {
                self.handling = Handling::Link(true, (one, other));
                self.observer.event(now, &Event::LinkUp { ends: (one, other) }, None);
            }
        }
        self.events += 1;
        true
    }

    /// A node comes up again.
    fn reboot(&mut self, node: NodeId) {
        self.handling = Handling::Reboot(node);
        self.post.handles(Some(EventKind::Reboot), node, self.events);
        self.observer.event(self.now(), &Event::Reboot { node }, None);
        let mut effects =
            NodeEffects::new(node, self.scenario, &mut self.engine, &mut self.observer);
        let state = &mut self.picture.states[node.index()];
        *state = self.scenario.protocol.bring_up(node, Some(state), &mut effects);
    }

    /// A frame has come to the nodes that hear it, or back; the first of them handles it. Or something happens
    /// on the medium, which is not an event.
    fn take_frame(&mut self, entry: Entry, until: Nanoseconds) -> bool {
        let Engine { carrier, queue, packets, now, .. } = &mut self.engine;
        *now = entry.time();
        let air = carrier.air_mut().expect("frames are on a field");
        if let Some(reached) = air.happen(entry, until, queue) {
            *now = reached;
            self.show_frames();
            return false;
        }
        let mut frame = air.frames.remove(entry.slot());
        if air.medium().is_some() {
            let receivers = match &frame.hearing {
                Hearing::By(nodes) => nodes.len(),
                Hearing::Unheard(_) => 1,
            };
            packets.sent += receivers as u64;
            let left = leave_out(&mut frame, |node| air.is_off(node));
            packets.lost += (receivers - left) as u64;
            if left == 0 {
                return false;
            }
        }
        if let Hearing::By(nodes) = &frame.hearing {
            debug_assert!(!nodes.is_empty(), "some node hears it");
        }
        self.handling = Handling::Frame(frame, 0);
        self.hear();
        true
    }

    /// Shows the observer the fates that the medium knows by now, if there is one.
    #[inline(never)]
    fn show_frames(&mut self) {
        let Engine { carrier, packets, now, .. } = &mut self.engine;
        let Some(air) = carrier.air_mut() else { return };
        let now = Duration::from_nanos(*now);
        let Some(medium) = air.medium() else { return };
        for (missed, frame) in medium.take_missed() {
            packets.missed += 1;
            let time = Duration::from_nanos(missed.time);
            self.observer.missed(time, missed.node, &transmitted(frame), missed.loss);
        }
        while let Some(frame) = air.medium().and_then(Medium::take_finished) {
            let at = Duration::from_nanos(frame.heard_at);
            let is_heard = !frame.heard_by.is_empty();
            let fate = match (is_heard, frame.to, frame.loss) {
                (false, Some(_), reason) | (false, None, reason @ LossReason::Off) => {
                    FrameFate::Unheard { at: now, reason }
                }
                (false, None, _) => FrameFate::Heard { by: &[], at: now },
                (true, ..) => FrameFate::Heard { by: &frame.heard_by, at },
            };
            self.observer.frame(now, &transmitted(&frame), fate);
            packets.settle(&frame);
            air.recycle(frame.heard_by);
        }
    }

    /// Whether some node has not handled yet the frame that came to several.
    #[inline]
    fn is_within_frame(&self) -> bool {
        match &self.handling {
            Handling::Frame(Frame { hearing: Hearing::By(nodes), .. }, handled) => {
                *handled < nodes.len()
            }
            _ => false,
        }
    }

    /// The next node handles a frame.
    fn hear(&mut self) {
        self.events += 1;
        let Handling::Frame(frame, handled) = &mut self.handling else {
            unreachable!("a frame is being handled");
        };
        let now = Duration::from_nanos(self.engine.now);
        self.observer.event(now, &frame_event(frame, *handled), Some(frame.sending));
        let protocol = &self.scenario.protocol;
        let engine = &mut self.engine;
        let &mut Frame { from, ref message, ref mut hearing, .. } = frame;
        match hearing {
            Hearing::Unheard(to) => {
                engine.packets.lost += 1;
                let state = &mut self.picture.states[from.index()];
                let mut effects = NodeEffects::new(from, self.scenario, engine, &mut self.observer);
                self.post.handles(Some(EventKind::Undeliverable), from, self.events);
                protocol.handle(
                    from,
                    state,
                    Input::Undeliverable { to: *to, message },
                    &mut effects,
                );
                *handled += 1;
            }
            Hearing::By(nodes) => {
                engine.packets.delivered += 1;
                let node = nodes[*handled];
                let state = &mut self.picture.states[node.index()];
                let mut effects = NodeEffects::new(node, self.scenario, engine, &mut self.observer);
                self.post.handles(Some(EventKind::Deliver), node, self.events);
                protocol.handle(node, state, Input::Message { from, message }, &mut effects);
                *handled += 1;
                // Observers are shown the last event of a frame, too.
                if *handled == nodes.len() && self.memories.is_none() {
                    let air = self.engine.carrier.air_mut().expect("frames are on a field");
                    air.recycle(std::mem::take(nodes));
                }
            }
        }
    }

    /// False if no timer fires: the entry was left behind when its timer was cancelled or set again.
    #[inline]
    fn fire(&mut self, entry: Entry) -> bool {
        let engine = &mut self.engine;
        let Some((node, timer)) = engine.timers.fire(entry, &mut engine.queue) else {
            return false;
        };
        if engine.carrier.is_empty(node) {
            return false;
        }
        self.tick(entry);
        self.handling = Handling::Timer(node, timer);
        let Handling::Timer(_, timer) = &self.handling else {
            unreachable!("a timer was just put there");
        };
        let now = Duration::from_nanos(entry.time());
        self.observer.event(now, &Event::Timer { node, timer }, None);
        let state = &mut self.picture.states[node.index()];
        let mut effects =
            NodeEffects::new(node, self.scenario, &mut self.engine, &mut self.observer);
        let protocol = &self.scenario.protocol;
        self.post.handles(Some(EventKind::Timer), node, self.events);
        protocol.handle(node, state, Input::Timer(timer), &mut effects);
        true
    }

    /// False if the node is down; if its battery is empty, the command is not given again.
    fn command(&mut self, entry: Entry) -> bool {
        let index = entry.slot() as usize;
        if index >= self.jobs.len() {
            return self.sense(entry);
        }
        let node = self.jobs[index].node;
        if self.engine.carrier.is_empty(node) {
            return false;
        }
        self.engine.schedule_job(index);
        if self.engine.outages.is_node_down(node) {
            return false;
        }
        self.tick(entry);
        self.handling = Handling::Command(index);
        let now = Duration::from_nanos(entry.time());
        let command = &self.jobs[index].command;
        self.observer.event(now, &Event::Command { node, command }, None);
        let state = &mut self.picture.states[node.index()];
        let mut effects =
            NodeEffects::new(node, self.scenario, &mut self.engine, &mut self.observer);
        let protocol = &self.scenario.protocol;
        self.post.handles(Some(EventKind::Command), node, self.events);
        protocol.handle(node, state, Input::Command(command), &mut effects);
        true
    }
}

impl<P: Protocol, O: Observer<P>> Simulation<'_, P, O> {
    /// A target emits a stimulus, or a node does something about one; true if it does.
    fn sense(&mut self, entry: Entry) -> bool {
        let Engine { targets, carrier, now, queue, .. } = &mut self.engine;
        let targets = targets.as_mut().expect("there are no other commands");
        let (node, stimulus) = match targets.take(entry.slot()) {
            Slot::Sensed(node, stimulus) => (node, stimulus),
            Slot::Target(target) => {
                *now = entry.time();
                let air = carrier.air().expect("targets are on a field");
                let nodes = self.scenario.topology.nodes();
                let nodes = nodes.map(|node| (node, air.position(node, *now)));
                targets.emit(target, *now, nodes, queue);
                return false;
            }
        };
        if self.engine.outages.is_node_down(node) || self.engine.carrier.is_empty(node) {
            return false;
        }
        self.tick(entry);
        let command = self.scenario.simulation.stimulus_command.as_ref().expect("it was validated");
        self.handling = Handling::Sensed(node, command(stimulus));
        let Handling::Sensed(_, command) = &self.handling else {
            unreachable!("a command was just put there");
        };
        let now = Duration::from_nanos(entry.time());
        self.observer.event(now, &Event::Command { node, command }, None);
        let state = &mut self.picture.states[node.index()];
        let mut effects =
            NodeEffects::new(node, self.scenario, &mut self.engine, &mut self.observer);
        self.post.handles(Some(EventKind::Command), node, self.events);
        self.scenario.protocol.handle(node, state, Input::Command(command), &mut effects);
        true
    }
}

/// A running simulation as assertions see it.
impl<P: Protocol, O: Observer<P>> WorldView<P> for Simulation<'_, P, O> {
    fn topology(&self) -> &Topology {
        &self.scenario.topology
    }

    fn state(&self, node: NodeId) -> &P::State {
        &self.picture.states[node.index()]
    }

    fn timers(&self, node: NodeId) -> &[P::Timer] {
        &self.picture.timers.get_or_init(|| self.engine.timers.armed())[node.index()]
    }

    /// On a field, nodes within range are linked.
    fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        let topology = &self.scenario.topology;
        match self.picture.linked.get_or_init(|| self.engine.linked()) {
            None => topology.are_neighbours(a, b),
            Some(linked) => linked[a.index()].binary_search(&b).is_ok(),
        }
    }

    fn packet_count(&self) -> usize {
        self.packets().len()
    }

    fn first_packet(&self) -> u64 {
        0
    }

    fn next_packet(&self, place: &mut u64) -> Option<Packet<'_, P>> {
        let flight = self.packets().get(usize::try_from(*place).ok()?)?;
        *place += 1;
        Some(flight.packet())
    }

    fn memory(&self, observer: usize) -> Option<&dyn Memory> {
        self.memories.as_ref()?.get(observer)
    }
}

fn delivery<P: Protocol>(flight: &Flight<P::Message>) -> Event<'_, P> {
    let packet = flight.packet();
    match flight.returns {
        true => Event::Undeliverable { packet },
        false => Event::Deliver { node: flight.receiver, packet },
    }
}

/// A frame as an observer sees it.
fn transmitted<P: Protocol>(frame: &OutgoingFrame<P::Message>) -> Sending<'_, P> {
    let &OutgoingFrame { sending, from, to, ref message, bytes, .. } = frame;
    Sending { number: sending, from, to, message, bytes }
}

/// Removes nodes that are off from those that would handle a frame: how many remain.
fn leave_out<M>(frame: &mut Frame<M>, is_off: impl Fn(NodeId) -> bool) -> usize {
    match &mut frame.hearing {
        Hearing::By(nodes) => {
            nodes.retain(|&node| !is_off(node));
            nodes.len()
        }
        Hearing::Unheard(_) => usize::from(!is_off(frame.from)),
    }
}

/// The event in which the next node after `handled` handles a frame.
fn frame_event<P: Protocol>(frame: &Frame<P::Message>, handled: usize) -> Event<'_, P> {
    let Frame { from, ref message, ref hearing, .. } = *frame;
    match *hearing {
        Hearing::By(ref nodes) => {
            let node = nodes[handled];
            Event::Deliver { node, packet: Packet { from, to: node, message } }
        }
        Hearing::Unheard(to) => Event::Undeliverable { packet: Packet { from, to, message } },
    }
}
