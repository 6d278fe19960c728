//! Hops: messages as they are transmitted, received and lost at nodes.

use std::time::Duration;

use everypath_model::{Event, NodeId, Packet, Protocol, Scenario};
use everypath_sim::{Fate, FrameFate, LossReason, Sending};

/// A message at one end of a hop.
pub(crate) struct Hop<'a, P: Protocol> {
    pub(crate) time: Duration,
    /// Which sending of the run it belongs to.
    pub(crate) sending: u64,
    /// The node at which it is seen.
    pub(crate) at: NodeId,
    pub(crate) from: NodeId,
    /// The receiver; `None` for a broadcast.
    pub(crate) to: Option<NodeId>,
    pub(crate) message: &'a P::Message,
    pub(crate) fate: HopFate,
}

/// What happens to a message at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HopFate {
    Transmitted,
    Received,
    Lost(HopLoss),
}

/// Why a message is lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HopLoss {
    LinkLoss,
    LinkDown,
    Frame(LossReason),
}

/// A format of hops.
pub(crate) trait HopWriter<P: Protocol> {
    /// A hop that is ready to be written.
    type Encoded;

    /// Encodes a hop; `None` if the format does not show it.
    fn encode(&mut self, hop: &Hop<'_, P>) -> Option<Self::Encoded>;

    /// Writes a hop. After the first failure, nothing is written.
    fn write(&mut self, encoded: Self::Encoded);
}

/// Hops of a run, as its observer sees them, in one format.
pub(crate) struct Hops<E> {
    sendings: Sendings,
    /// What was handed to a transmitter last, and under which number: it is not known yet whether the
    /// transmitter's queue is full.
    handed: Option<(u64, E)>,
    by_radio: bool,
}

impl<E> Hops<E> {
    pub(crate) fn new<P: Protocol>(scenario: &Scenario<P>) -> Self {
        let by_radio = scenario.simulation.field.is_some();
        Self { sendings: Sendings::default(), handed: None, by_radio }
    }

    /// Writes what was handed to a transmitter last: the transmitter has accepted it.
    pub(crate) fn flush<P: Protocol>(&mut self, out: &mut impl HopWriter<P, Encoded = E>) {
        if let Some((_, encoded)) = self.handed.take() {
            out.write(encoded);
        }
    }

    pub(crate) fn sent<P: Protocol>(
        &mut self,
        out: &mut impl HopWriter<P, Encoded = E>,
        time: Duration,
        sending: &Sending<'_, P>,
    ) {
        self.sendings.add(sending.number, sending.to);
        self.flush(out);
        if self.by_radio {
            let encoded = out.encode(&hop_of(time, sending, HopFate::Transmitted));
            self.handed = encoded.map(|encoded| (sending.number, encoded));
        }
    }

    pub(crate) fn packet<P: Protocol>(
        &mut self,
        out: &mut impl HopWriter<P, Encoded = E>,
        time: Duration,
        sending: u64,
        packet: Packet<'_, P>,
        fate: Fate,
    ) {
        let Packet { from, to, message } = packet;
        let hop =
            Hop { time, sending, at: from, from, to: Some(to), message, fate: HopFate::Received };
        if fate != Fate::Dropped && self.sendings.is_transmission(sending) {
            let to = self.sendings.to(sending);
            put(out, &Hop { to, fate: HopFate::Transmitted, ..hop });
        }
        let loss = match fate {
            Fate::Arrives(_) => return,
            Fate::Lost => HopLoss::LinkLoss,
            Fate::Dropped => HopLoss::Frame(LossReason::QueueFull),
            Fate::Returns(_) => HopLoss::LinkDown,
        };
        put(out, &Hop { fate: HopFate::Lost(loss), ..hop });
    }

    pub(crate) fn frame<P: Protocol>(
        &mut self,
        out: &mut impl HopWriter<P, Encoded = E>,
        time: Duration,
        frame: &Sending<'_, P>,
        fate: FrameFate<'_>,
    ) {
        let Some(loss) = fate.loss() else { return };
        if fate == FrameFate::Dropped {
            // It was never transmitted.
            self.handed.take_if(|(handed, _)| *handed == frame.number);
        }
        self.flush(out);
        put(out, &hop_of(time, frame, HopFate::Lost(HopLoss::Frame(loss))));
    }

    pub(crate) fn event<P: Protocol>(
        &mut self,
        out: &mut impl HopWriter<P, Encoded = E>,
        time: Duration,
        event: &Event<'_, P>,
        sending: Option<u64>,
    ) {
        self.flush(out);
        if let (&Event::Deliver { node: at, packet }, Some(sending)) = (event, sending) {
            let (from, to, message) = (packet.from, self.sendings.to(sending), packet.message);
            put(out, &Hop { time, sending, at, from, to, message, fate: HopFate::Received });
        }
    }
}

fn hop_of<'a, P: Protocol>(time: Duration, sending: &Sending<'a, P>, fate: HopFate) -> Hop<'a, P> {
    let Sending { number, from, to, message, .. } = *sending;
    Hop { time, sending: number, at: from, from, to, message, fate }
}

fn put<P: Protocol>(out: &mut impl HopWriter<P>, hop: &Hop<'_, P>) {
    if let Some(encoded) = out.encode(hop) {
        out.write(encoded);
    }
}

/// Observes a run through the field `hops`, and writes to the field `out`.
macro_rules! observe_hops {
    ($capture:ident) => {
        impl<P: Protocol, W: io::Write> Observer<P> for $capture<'_, P, W> {
            fn sent(&mut self, time: Duration, sending: &Sending<'_, P>) {
                self.hops.sent(&mut self.out, time, sending);
            }

            fn packet(
                &mut self,
                time: Duration,
                sending: u64,
                packet: Packet<'_, P>,
                _: usize,
                fate: Fate,
            ) {
                self.hops.packet(&mut self.out, time, sending, packet, fate);
            }

            fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
                self.hops.frame(&mut self.out, time, frame, fate);
            }

            fn event(&mut self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
                self.hops.event(&mut self.out, time, event, sending);
            }
        }
    };
}
pub(crate) use observe_hops;

#[derive(Clone, Copy, Default)]
struct Known {
    to: Option<NodeId>,
    is_seen: bool,
}

/// The receivers of each sending: the packets of a broadcast alone do not show that they belong together.
#[derive(Default)]
struct Sendings(Vec<Known>);

impl Sendings {
    fn place(&mut self, sending: u64) -> &mut Known {
        let place = usize::try_from(sending).expect("sendings are counted from 0");
        if self.0.len() <= place {
            self.0.resize(place + 1, Known::default());
        }
        &mut self.0[place]
    }

    /// Notes a sending to one node, or to all.
    fn add(&mut self, sending: u64, to: Option<NodeId>) {
        *self.place(sending) = Known { to, is_seen: false };
    }

    /// The receiver of a sending; `None` for a broadcast.
    fn to(&mut self, sending: u64) -> Option<NodeId> {
        self.place(sending).to
    }

    /// Whether a packet of a sending is a transmission of its sender: a broadcast is one transmission, however
    /// many packets it has.
    fn is_transmission(&mut self, sending: u64) -> bool {
        let known = self.place(sending);
        known.to.is_some() || !std::mem::replace(&mut known.is_seen, true)
    }
}
