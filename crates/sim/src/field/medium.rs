//! Shared medium: a transmission arrives at all nodes that notice it.
//!
//! Unlike with the idealised radio, the fate of a frame depends on later transmissions; so a transmission is
//! followed from its beginning to its end (`travel.rs`).

use std::collections::VecDeque;

use everypath_model::{
    DcfRadio, Field, IdealRadio, NodeId, Propagation, PropagationDelay, Radio, SharedRadio,
};

use super::{
    contention::Rules,
    energy::Meters,
    exchange::Exchange,
    frame::{Missed, OutgoingFrame},
    medium_context::MediumContext,
    medium_event::MediumEvent,
    propagation::{Path, milliwatts},
    receiver::Receiver,
    station::{Station, Supply},
    transmission::{Content, Listener, Transmission},
};
use crate::{
    LossReason,
    clock::{Nanoseconds, nanoseconds},
    slab::Slab,
    transmitter::airtime,
};

/// When nodes transmit, and what disturbs what.
#[derive(Clone, Copy)]
pub(super) enum Access {
    /// At once, and nothing does: the idealised radio, where the times of transmitting and receiving matter. What was sent
    /// is received after this delay.
    Ideal { bandwidth_bps: u64, delay: Nanoseconds },
    /// At once.
    AtOnce { bandwidth_bps: u64 },
    /// By the distributed coordination function.
    Dcf(Rules),
}

/// A medium.
pub(crate) struct Medium<M> {
    pub(super) access: Access,
    pub(super) path: Path,
    /// By how much a signal must be stronger than others; infinite, if they always destroy each other.
    pub(super) capture: f64,
    waiting_max: usize,
    pub(super) stations: Vec<Station>,
    pub(super) transmissions: Slab<Transmission>,
    pub(super) frames: Slab<OutgoingFrame<M>>,
    numbered: u64,
    pub(super) meters: Option<Meters>,
    /// To be shown to the observer.
    pub(super) missed: Vec<Missed>,
    /// The frames whose fate is known.
    finished: Vec<u32>,
    pub(super) spare_listeners: Vec<Vec<Listener>>,
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

    /// The frames whose fate is not known yet.
    pub(super) fn pending(&self) -> impl Iterator<Item = &OutgoingFrame<M>> {
        self.frames.iter()
    }

    /// Gives a node a frame to transmit; back, if too many are waiting already.
    #[inline(never)]
    pub(super) fn offer(
        &mut self,
        (sending, from, to): (u64, NodeId, Option<NodeId>),
        message: M,
        bytes: usize,
        context: &mut MediumContext<'_, M>,
    ) -> Option<M> {
        let station = &mut self.stations[from.index()];
        if station.current.is_some() && station.waiting.len() >= self.waiting_max {
            return Some(message);
        }
        self.numbered += 1;
        let frame = self.frames.insert(OutgoingFrame {
            sending,
            from,
            to,
            message,
            bytes,
            heard_by: context.list(),
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
            Access::Dcf(rules) => self.contend(from, &rules, context),
            Access::Ideal { .. } | Access::AtOnce { .. } => self.transmit_current(from, context),
        }
        None
    }

    /// Something happens. Kept out of the loop over events, which the idealised radio shares.
    #[inline(never)]
    pub(super) fn happen(
        &mut self,
        event: MediumEvent,
        order: u64,
        context: &mut MediumContext<'_, M>,
    ) {
        match event {
            MediumEvent::Front(transmission) => self.front(transmission, context),
            MediumEvent::Sent(transmission) => self.sent(transmission, context),
            MediumEvent::Tail(transmission) => self.tail(transmission, context),
            MediumEvent::Turn(node) => self.turn(node, order, context),
            MediumEvent::Answer(node) => self.answer(node, context),
            MediumEvent::Overdue(node) => self.overdue(node, order, context),
            MediumEvent::Empty(node) => {
                let meters = self.meters.as_mut().expect("only batteries run empty");
                if meters.is_empty(node, context.now, order) {
                    self.switch_off(node, Supply::Empty, context.now);
                } else {
                    self.watch(node, context);
                }
            }
        }
    }

    /// A frame whose fate is known, taken out.
    pub(crate) fn take_finished(&mut self) -> Option<OutgoingFrame<M>> {
        self.finished.pop().map(|frame| self.frames.remove(frame))
    }

    /// Transmits the frame that a node is busy with.
    pub(super) fn transmit_current(&mut self, node: NodeId, context: &mut MediumContext<'_, M>) {
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
        self.transmit(node, Content::Frame(frame), time, context);
    }

    /// The node is done with its frame and transmits the next.
    pub(super) fn send_next(&mut self, node: NodeId, context: &mut MediumContext<'_, M>) {
        self.take_next(node);
        if self.stations[node.index()].current.is_some() {
            self.transmit_current(node, context);
        }
    }

    /// The node is done with its frame; it turns to the next.
    pub(super) fn take_next(&mut self, node: NodeId) {
        let station = &mut self.stations[node.index()];
        let done = station.current.take().expect("it was busy with one");
        station.current = station.waiting.pop_front();
        self.release(done);
    }

    /// A holder does not need a frame any more.
    pub(super) fn release(&mut self, frame: u32) {
        let outgoing = self.frames.get_mut(frame).expect("it is still needed");
        outgoing.holders -= 1;
        if outgoing.holders == 0 {
            self.finished.push(frame);
        }
    }
}
