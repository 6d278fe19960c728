//! A medium that nodes share: what is transmitted arrives at all who notice it.
//!
//! Unlike with the idealised radio, what becomes of a frame depends on what is transmitted later; so a transmission is
//! followed from its beginning to its end. Its front, and then its tail, travel from the nearest to the farthest who
//! notice it. If nothing else happens while they do, they need no entry of the event queue for each whom they reach.

use std::collections::VecDeque;

use everypath_model::{
    DcfRadio, Field, IdealRadio, NodeId, Propagation, PropagationDelay, Radio, SharedRadio,
};

use super::{
    contention::Rules,
    dcf::Exchange,
    energy::{Meters, Mode},
    frame::{Frame, Hearing, Outgoing},
    happening::Happening,
    places::Places,
    propagation::{Path, milliwatts},
    receiver::{Arrival, Passed, Receiver, Reception, TransmissionId},
};
use crate::{
    Battery, EventQueue, LossReason, Priority,
    clock::{Nanoseconds, nanoseconds},
    slab::Slab,
    transmitter::airtime,
};

/// When nodes transmit, and what disturbs what.
#[derive(Clone, Copy)]
pub(super) enum Access {
    /// At once, and nothing does: the idealised radio, where it matters who transmits and receives when. What was sent
    /// is received after so long.
    Ideal { bandwidth_bps: u64, delay: Nanoseconds },
    /// At once.
    AtOnce { bandwidth_bps: u64 },
    /// By the distributed coordination function.
    Dcf(Rules),
}

/// What a transmission carries.
#[derive(Clone, Copy)]
pub(super) enum Content {
    Frame(u32),
    Acknowledgement { to: NodeId },
}

/// Who notices a transmission.
struct Listener {
    node: NodeId,
    delay: Nanoseconds,
    is_near: bool,
    power: f64,
}

/// A transmission on its way.
struct Transmission {
    from: NodeId,
    content: Content,
    begins: Nanoseconds,
    ends: Nanoseconds,
    /// From the nearest to the farthest.
    listeners: Vec<Listener>,
    /// How many of them its front has reached, and its tail.
    fronts: usize,
    tails: usize,
    /// Its sender went off before it was over.
    is_cut: bool,
}

/// A node as the medium knows it.
pub(super) struct Station {
    pub(super) receiver: Receiver,
    /// What it transmits.
    pub(super) transmission: Option<TransmissionId>,
    transmits_until: Nanoseconds,
    /// The frame that it is busy with.
    pub(super) current: Option<u32>,
    waiting: VecDeque<u32>,
    /// With the distributed coordination function only.
    pub(super) exchange: Option<Exchange>,
    supply: Supply,
}

/// Whether a node is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Supply {
    On,
    /// It is down, and may come up.
    Down,
    /// Its battery is empty.
    Empty,
}

impl Station {
    fn is_off(&self) -> bool {
        self.supply != Supply::On
    }
}

/// What a medium acts upon besides itself.
pub(super) struct Around<'a, M> {
    pub(super) now: Nanoseconds,
    /// Beyond which moment nothing may happen yet.
    pub(super) until: Nanoseconds,
    pub(super) queue: &'a mut EventQueue,
    pub(super) places: &'a mut Places,
    /// What comes to the nodes' protocols.
    pub(super) frames: &'a mut Slab<Frame<M>>,
    /// Lists that are used again.
    pub(super) spare: &'a mut Vec<Vec<NodeId>>,
}

impl<M> Around<'_, M> {
    pub(super) fn schedule(&mut self, time: Nanoseconds, happening: Happening) -> u64 {
        self.queue.push(time, Priority::Frame, happening.slot())
    }

    /// Lets time go on to a moment, if nothing else happens before or at it: then no entry of the queue is needed. True if so.
    fn go_on(&mut self, time: Nanoseconds) -> bool {
        let is_next = self.queue.peek().is_none_or(|entry| entry.time() > time);
        let goes_on = time <= self.until && is_next;
        if goes_on {
            self.now = time;
        }
        goes_on
    }

    /// Lets a protocol handle a frame.
    pub(super) fn hand(&mut self, time: Nanoseconds, frame: Frame<M>) {
        let slot = self.frames.insert(frame);
        self.queue.push(time, Priority::Frame, slot);
    }

    fn list(&mut self) -> Vec<NodeId> {
        self.spare.pop().unwrap_or_default()
    }
}

/// A node that was near enough did not receive a frame.
pub(crate) struct Missed {
    pub(crate) time: Nanoseconds,
    pub(crate) frame: u32,
    pub(crate) node: NodeId,
    pub(crate) loss: LossReason,
}

/// A medium.
pub(crate) struct Medium<M> {
    pub(super) access: Access,
    path: Path,
    /// By how much a signal must be stronger than others; infinite, if they always destroy each other.
    capture: f64,
    waiting_max: usize,
    pub(super) stations: Vec<Station>,
    transmissions: Slab<Transmission>,
    pub(super) frames: Slab<Outgoing<M>>,
    numbered: u64,
    meters: Option<Meters>,
    /// To be told to who observes.
    missed: Vec<Missed>,
    /// The frames of which it is known what became of them.
    finished: Vec<u32>,
    spare_listeners: Vec<Vec<Listener>>,
}

impl<M: Clone> Medium<M> {
    /// How far signals of a radio get.
    pub(super) fn path(radio: &Radio) -> Path {
        match *radio {
            Radio::Ideal(IdealRadio { range, delay, .. }) => {
                Path::new(Propagation::disc(range), PropagationDelay::Constant(delay))
            }
            Radio::Shared(SharedRadio { range, delay, .. }) => {
                Path::new(Propagation::disc(range), delay)
            }
            Radio::Dcf(DcfRadio { propagation, delay, .. }) => Path::new(propagation, delay),
        }
    }

    pub(super) fn new(field: &Field, nodes: usize, (seed, replication): (u64, u32)) -> Self {
        let (access, waiting_max) = match field.radio {
            Radio::Ideal(IdealRadio { bandwidth_bps, delay, queue, .. }) => {
                (Access::Ideal { bandwidth_bps, delay: nanoseconds(delay) }, queue)
            }
            Radio::Shared(SharedRadio { bandwidth_bps, queue, .. }) => {
                (Access::AtOnce { bandwidth_bps }, queue)
            }
            Radio::Dcf(radio) => (Access::Dcf(Rules::new(&radio)), radio.queue),
        };
        let capture = match field.radio {
            Radio::Dcf(DcfRadio {
                capture_db: Some(ratio),
                propagation: Propagation::Power(_),
                ..
            }) => milliwatts(ratio),
            _ => f64::INFINITY,
        };
        let station = |node: usize| Station {
            receiver: Receiver::default(),
            transmission: None,
            transmits_until: 0,
            current: None,
            waiting: VecDeque::new(),
            exchange: match &access {
                Access::Dcf(rules) => Some(Exchange::new(node, seed, replication, rules)),
                Access::Ideal { .. } | Access::AtOnce { .. } => None,
            },
            supply: Supply::On,
        };
        Self {
            path: Self::path(&field.radio),
            capture,
            waiting_max,
            stations: (0..nodes).map(station).collect(),
            access,
            transmissions: Slab::new(),
            frames: Slab::new(),
            numbered: 0,
            meters: field.energy.map(|energy| Meters::new(energy, nodes)),
            missed: Vec::new(),
            finished: Vec::new(),
            spare_listeners: Vec::new(),
        }
    }

    /// Watches over all batteries.
    pub(super) fn start(&mut self, around: &mut Around<'_, M>) {
        for node in 0..self.stations.len() {
            self.watch(NodeId::from(node), around);
        }
    }

    /// Whether a node is down, or its battery is empty.
    pub(super) fn is_off(&self, node: NodeId) -> bool {
        self.stations[node.index()].is_off()
    }

    /// Whether the battery of a node is empty.
    pub(super) fn is_empty(&self, node: NodeId) -> bool {
        self.stations[node.index()].supply == Supply::Empty
    }

    /// What nodes have spent.
    pub(super) fn batteries(&self, now: Nanoseconds) -> Option<Vec<Battery>> {
        self.meters.as_ref().map(|meters| meters.read(now))
    }

    /// The frames of which it is not known yet what becomes of them.
    pub(super) fn pending(&self) -> impl Iterator<Item = &Outgoing<M>> {
        self.frames.iter()
    }

    /// Gives a node a frame to transmit; back, if too many are waiting already.
    pub(super) fn offer(
        &mut self,
        (sending, from, to): (u64, NodeId, Option<NodeId>),
        message: M,
        bytes: usize,
        around: &mut Around<'_, M>,
    ) -> Option<M> {
        let station = &mut self.stations[from.index()];
        if station.current.is_some() && station.waiting.len() >= self.waiting_max {
            return Some(message);
        }
        self.numbered += 1;
        let frame = self.frames.insert(Outgoing {
            sending,
            from,
            to,
            message,
            bytes,
            heard_by: around.list(),
            heard_at: 0,
            loss: LossReason::OutOfRange,
            number: self.numbered,
            tries: 0,
            holders: 1,
        });
        if station.current.is_some() {
            station.waiting.push_back(frame);
            return None;
        }
        station.current = Some(frame);
        match self.access {
            Access::Dcf(rules) => self.contend(from, &rules, around),
            Access::Ideal { .. } | Access::AtOnce { .. } => self.transmit_current(from, around),
        }
        None
    }

    /// Something happens.
    pub(super) fn happen(&mut self, happening: Happening, order: u64, around: &mut Around<'_, M>) {
        match happening {
            Happening::Front(transmission) => self.front(transmission, around),
            Happening::Sent(transmission) => self.sent(transmission, around),
            Happening::Tail(transmission) => self.tail(transmission, around),
            Happening::Turn(node) => self.turn(node, order, around),
            Happening::Answer(node) => self.answer(node, around),
            Happening::Overdue(node) => self.overdue(node, order, around),
            Happening::Empty(node) => {
                let meters = self.meters.as_mut().expect("only batteries run empty");
                if meters.is_empty(node, around.now, order) {
                    self.switch_off(node, Supply::Empty, around.now);
                } else {
                    self.watch(node, around);
                }
            }
        }
    }

    /// What was missed since this was asked last, each with its frame.
    pub(crate) fn take_missed(&mut self) -> impl Iterator<Item = (Missed, &Outgoing<M>)> {
        let frames = &self.frames;
        self.missed.drain(..).filter_map(|missed| {
            let frame = frames.get(missed.frame)?;
            Some((missed, frame))
        })
    }

    /// A frame of which it is known what became of it, taken out.
    pub(crate) fn take_finished(&mut self) -> Option<Outgoing<M>> {
        self.finished.pop().map(|frame| self.frames.remove(frame))
    }

    /// Transmits the frame that a node is busy with.
    pub(super) fn transmit_current(&mut self, node: NodeId, around: &mut Around<'_, M>) {
        let frame = self.stations[node.index()].current.expect("there is something to transmit");
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        outgoing.holders += 1;
        outgoing.tries += 1;
        let time = match &self.access {
            Access::Ideal { bandwidth_bps, .. } | Access::AtOnce { bandwidth_bps } => {
                airtime(outgoing.bytes, *bandwidth_bps)
            }
            Access::Dcf(rules) => rules.airtime(outgoing.bytes, outgoing.to.is_some()),
        };
        self.transmit(node, Content::Frame(frame), time, around);
    }

    /// A node begins to transmit.
    pub(super) fn transmit(
        &mut self,
        from: NodeId,
        content: Content,
        airtime: Nanoseconds,
        around: &mut Around<'_, M>,
    ) {
        let now = around.now;
        let ends = now.saturating_add(airtime);
        let mut listeners = self.spare_listeners.pop().unwrap_or_default();
        let (path, stations) = (&self.path, &self.stations);
        let has_capture = self.capture.is_finite();
        around.places.each_sensing(from, now, |node, distance_squared, is_near| {
            if !stations[node.index()].is_off() {
                let delay = path.delay(distance_squared);
                let power = if has_capture { path.power(distance_squared) } else { 1.0 };
                listeners.push(Listener { node, delay, is_near, power });
            }
        });
        if listeners.windows(2).any(|pair| pair[0].delay != pair[1].delay) {
            listeners.sort_by_key(|listener| listener.delay);
        }
        let first = listeners.first().map(|listener| listener.delay);
        let transmission = self.transmissions.insert(Transmission {
            from,
            content,
            begins: now,
            ends,
            listeners,
            fronts: 0,
            tails: 0,
            is_cut: false,
        });
        let station = &mut self.stations[from.index()];
        debug_assert!(station.transmission.is_none(), "one at a time");
        station.receiver.deafen(now);
        station.transmission = Some(transmission);
        station.transmits_until = ends;
        self.measure(from, around);
        if let Some(delay) = first {
            around.schedule(now.saturating_add(delay), Happening::Front(transmission));
        }
        around.schedule(ends, Happening::Sent(transmission));
    }

    /// A transmission begins to arrive at the next who notice it.
    fn front(&mut self, id: TransmissionId, around: &mut Around<'_, M>) {
        loop {
            let transmission = self.transmissions.get_mut(id).expect("it is on its way");
            let begins = transmission.begins;
            let place = transmission.fronts;
            let Some(&Listener { node, delay, is_near, power }) = transmission.listeners.get(place)
            else {
                return;
            };
            let reached = begins.saturating_add(delay);
            if reached > around.now && !around.go_on(reached) {
                around.schedule(reached, Happening::Front(id));
                return;
            }
            transmission.fronts += 1;
            let until = transmission.ends.saturating_add(delay);
            let capture = match self.access {
                // Nothing is weaker than nothing.
                Access::Ideal { .. } => 0.0,
                Access::AtOnce { .. } | Access::Dcf(_) => self.capture,
            };
            self.arrive(node, Arrival { transmission: id, is_near, power, until, capture }, around);
        }
    }

    /// A signal arrives at a node.
    fn arrive(&mut self, node: NodeId, arrival: Arrival, around: &mut Around<'_, M>) {
        let now = around.now;
        let station = &mut self.stations[node.index()];
        if station.is_off() {
            return;
        }
        let is_transmitting = station.transmission.is_some() && station.transmits_until > now;
        station.receiver.arrive(now, arrival, is_transmitting);
        if let (Access::Dcf(rules), Some(exchange)) = (&self.access, &mut station.exchange) {
            exchange.contention.freeze(now, station.current.is_some(), rules);
        }
        self.measure(node, around);
    }

    /// A transmission is over at its sender.
    fn sent(&mut self, id: TransmissionId, around: &mut Around<'_, M>) {
        let now = around.now;
        let transmission = self.transmissions.get(id).expect("it is on its way");
        let &Transmission { from, content, ref listeners, is_cut, .. } = transmission;
        let first = listeners.first().map(|listener| listener.delay);
        if let Some(delay) = first {
            around.schedule(now.saturating_add(delay), Happening::Tail(id));
        }
        if !is_cut {
            self.stations[from.index()].transmission = None;
            self.measure(from, around);
            match self.access {
                Access::Ideal { delay, .. } => {
                    self.hear_ideally(from, content, delay, around);
                    self.send_next(from, around);
                }
                Access::AtOnce { .. } => self.send_next(from, around),
                Access::Dcf(rules) => self.transmitted(from, content, &rules, around),
            }
        }
        if first.is_none() {
            self.pass(id, around);
        }
    }

    /// The node is done with its frame and transmits the next.
    fn send_next(&mut self, node: NodeId, around: &mut Around<'_, M>) {
        self.take_next(node);
        if self.stations[node.index()].current.is_some() {
            self.transmit_current(node, around);
        }
    }

    /// The node is done with its frame; it turns to the next.
    pub(super) fn take_next(&mut self, node: NodeId) {
        let station = &mut self.stations[node.index()];
        let done = station.current.take().expect("it was busy with one");
        station.current = station.waiting.pop_front();
        self.release(done);
    }

    /// A transmission has passed the next who notice it. Those whom it passes at one moment receive it together.
    fn tail(&mut self, id: TransmissionId, around: &mut Around<'_, M>) {
        let mut heard_by = around.list();
        loop {
            let transmission = self.transmissions.get_mut(id).expect("it is on its way");
            let &mut Transmission { content, ends, tails, ref listeners, .. } = transmission;
            let Some(&Listener { node, delay, .. }) = listeners.get(tails) else { break };
            let reached = ends.saturating_add(delay);
            if reached > around.now {
                if !heard_by.is_empty() {
                    self.deliver(content, heard_by, around);
                    heard_by = around.list();
                }
                if !around.go_on(reached) {
                    around.schedule(reached, Happening::Tail(id));
                    around.spare.push(heard_by);
                    return;
                }
            }
            let transmission = self.transmissions.get_mut(id).expect("it is on its way");
            transmission.tails += 1;
            if self.leave(node, id, around) {
                heard_by.push(node);
            }
        }
        let content = self.transmissions.get(id).expect("it is on its way").content;
        self.deliver(content, heard_by, around);
        self.pass(id, around);
    }

    /// A transmission has passed a node. Whether it receives a frame by it.
    fn leave(&mut self, node: NodeId, id: TransmissionId, around: &mut Around<'_, M>) -> bool {
        let Some(mut passed) = self.stations[node.index()].receiver.leave(id) else { return false };
        let transmission = self.transmissions.get(id).expect("it is on its way");
        let &Transmission { from, content, is_cut, .. } = transmission;
        if is_cut && passed.reception == Reception::Clear {
            passed.reception = Reception::Lost(LossReason::Off);
        }
        self.measure(node, around);
        match self.access {
            // Who hears it was settled when it was sent.
            Access::Ideal { .. } => false,
            Access::AtOnce { .. } => self.is_received(node, content, passed, around.now),
            Access::Dcf(rules) => {
                let is_received = self.is_received(node, content, passed, around.now)
                    && self.is_new(node, from, content);
                self.react(node, from, content, passed, &rules, around);
                is_received
            }
        }
    }

    /// Whether a node receives what has passed it, if that is a frame and for it.
    fn is_received(
        &mut self,
        node: NodeId,
        content: Content,
        passed: Passed,
        time: Nanoseconds,
    ) -> bool {
        let Content::Frame(frame) = content else { return false };
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        if outgoing.to.is_some_and(|to| to != node) {
            return false;
        }
        match passed.reception {
            Reception::Clear => true,
            Reception::Weak => false,
            Reception::Lost(loss) => {
                outgoing.loss = loss;
                self.missed.push(Missed { time, frame, node, loss });
                false
            }
        }
    }

    /// Who has received a frame at this moment is to handle it.
    fn deliver(&mut self, content: Content, heard_by: Vec<NodeId>, around: &mut Around<'_, M>) {
        let Content::Frame(frame) = content else {
            return around.spare.push(heard_by);
        };
        if heard_by.is_empty() {
            return around.spare.push(heard_by);
        }
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        outgoing.heard_by.extend_from_slice(&heard_by);
        outgoing.heard_at = around.now;
        let frame = outgoing.frame(Hearing::By(heard_by));
        around.hand(around.now, frame);
    }

    /// A frame of the idealised radio was sent: who is within range now will hear it.
    fn hear_ideally(
        &mut self,
        from: NodeId,
        content: Content,
        delay: Nanoseconds,
        around: &mut Around<'_, M>,
    ) {
        let Content::Frame(frame) = content else {
            unreachable!("nothing is acknowledged");
        };
        let now = around.now;
        let mut heard_by = around.list();
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        match outgoing.to {
            None => around.places.near(from, now, &mut heard_by),
            Some(to) if around.places.are_near(from, to, now) => heard_by.push(to),
            Some(_) => {}
        }
        let nearby = heard_by.len();
        heard_by.retain(|node| !self.stations[node.index()].is_off());
        if heard_by.len() < nearby && outgoing.to.is_some() {
            outgoing.loss = LossReason::Off;
        }
        if heard_by.is_empty() {
            around.spare.push(heard_by);
            return self.return_unheard(frame, around);
        }
        outgoing.heard_by.extend_from_slice(&heard_by);
        outgoing.heard_at = now.saturating_add(delay);
        let frame = outgoing.frame(Hearing::By(heard_by));
        around.hand(now.saturating_add(delay), frame);
    }

    /// A frame comes back to its sender, if it was for one node and that has not received it.
    fn return_unheard(&mut self, frame: u32, around: &mut Around<'_, M>) {
        let outgoing = self.frames.get(frame).expect("it is still needed");
        if outgoing.heard_by.is_empty() && !self.is_off(outgoing.from) {
            self.hand_back(frame, around);
        }
    }

    /// A frame comes back to its sender, if it was for one node.
    pub(super) fn hand_back(&mut self, frame: u32, around: &mut Around<'_, M>) {
        let outgoing = self.frames.get(frame).expect("it is still needed");
        if let Some(to) = outgoing.to {
            let frame = outgoing.frame(Hearing::Unheard(to));
            around.hand(around.now, frame);
        }
    }

    /// A transmission has passed all who notice it.
    fn pass(&mut self, id: TransmissionId, around: &mut Around<'_, M>) {
        let Transmission { content, mut listeners, .. } = self.transmissions.remove(id);
        listeners.clear();
        self.spare_listeners.push(listeners);
        if let Content::Frame(frame) = content {
            if matches!(self.access, Access::AtOnce { .. }) {
                self.return_unheard(frame, around);
            }
            self.release(frame);
        }
    }

    /// Somebody does not need a frame any more.
    pub(super) fn release(&mut self, frame: u32) {
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        outgoing.holders -= 1;
        if outgoing.holders == 0 {
            self.finished.push(frame);
        }
    }

    /// Notes what the radio of a node does now.
    fn measure(&mut self, node: NodeId, around: &mut Around<'_, M>) {
        let Some(meters) = &mut self.meters else { return };
        let station = &self.stations[node.index()];
        let mode = if station.transmission.is_some() {
            Mode::Transmitting
        } else if station.receiver.is_near_any() {
            Mode::Receiving
        } else {
            Mode::Idle
        };
        if let Some(due) = meters.change(node, mode, around.now) {
            let order = around.schedule(due, Happening::Empty(node));
            meters.queued(node, due, order);
        }
    }

    /// Sees to it that a battery is looked at when it will be empty.
    fn watch(&mut self, node: NodeId, around: &mut Around<'_, M>) {
        let Some(meters) = &mut self.meters else { return };
        if let Some(due) = meters.watch(node) {
            let order = around.schedule(due, Happening::Empty(node));
            meters.queued(node, due, order);
        }
    }

    /// A node goes down, unless its battery is empty anyway.
    pub(super) fn go_down(&mut self, node: NodeId, now: Nanoseconds) {
        if !self.is_off(node) {
            self.switch_off(node, Supply::Down, now);
        }
    }

    /// A node comes up; false if its battery is empty, and it does not. It notices what is transmitted from now on.
    pub(super) fn come_up(&mut self, node: NodeId, around: &mut Around<'_, M>) -> bool {
        let station = &mut self.stations[node.index()];
        if station.supply == Supply::Empty {
            return false;
        }
        station.supply = Supply::On;
        if let (Access::Dcf(rules), Some(exchange)) = (&self.access, &mut station.exchange) {
            exchange.contention.becomes_quiet(around.now, rules);
        }
        self.measure(node, around);
        true
    }

    /// A node is not there any more.
    fn switch_off(&mut self, node: NodeId, supply: Supply, now: Nanoseconds) {
        if let Some(meters) = &mut self.meters {
            meters.switch_off(node, now, supply == Supply::Empty);
        }
        let station = &mut self.stations[node.index()];
        station.supply = supply;
        station.receiver.switch_off();
        if let (Access::Dcf(rules), Some(exchange)) = (&self.access, &mut station.exchange) {
            exchange.reset(rules);
        }
        if let Some(transmission) = station.transmission.take() {
            let transmission = self.transmissions.get_mut(transmission);
            transmission.expect("it is on its way").is_cut = true;
        }
        let left: Vec<u32> =
            station.current.take().into_iter().chain(station.waiting.drain(..)).collect();
        for frame in left {
            self.frames.get_mut(frame).expect("it is still needed").loss = LossReason::Off;
            self.release(frame);
        }
    }
}
