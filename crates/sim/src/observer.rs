//! Whoever wants to see what happens in a run.

use std::{
    fmt::{self, Display},
    io,
    time::Duration,
};

use everypath_model::{Event, NodeId, Packet, Protocol, Record};

use crate::Run;

/// What becomes of a packet when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives at this moment.
    Arrives(Duration),
    /// The link loses it, though it was sent.
    Lost,
    /// The link's queue was full.
    Dropped,
    /// The link is down, or goes down meanwhile: it comes back to its sender at this moment.
    Returns(Duration),
}

/// A frame that is handed to the transmitter of a node.
pub struct Transmitted<'a, P: Protocol> {
    /// Whose.
    pub from: NodeId,
    /// To whom; to whoever hears it if to nobody.
    pub to: Option<NodeId>,
    /// What it carries.
    pub message: &'a P::Message,
    /// Its size.
    pub bytes: usize,
}

/// Why a frame is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossReason {
    /// The one that it is for is too far away.
    OutOfRange,
    /// Another frame overlapped it.
    Collision,
    /// Who should have received it transmitted meanwhile.
    Transmitting,
    /// It was transmitted as often as it may be, and never acknowledged.
    RetryLimit,
    /// Too many were waiting for the transmitter.
    QueueFull,
    /// Its sender, or the one that it is for, was down, or its battery was empty.
    Off,
}

impl LossReason {
    /// As it is written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OutOfRange => "out-of-range",
            Self::Collision => "collision",
            Self::Transmitting => "transmitting",
            Self::RetryLimit => "retry-limit",
            Self::QueueFull => "queue-full",
            Self::Off => "off",
        }
    }
}

impl Display for LossReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFate<'a> {
    /// It is heard.
    Heard {
        /// By these, in order; by nobody, if nobody is near and it was for whoever hears it.
        by: &'a [NodeId],
        /// At this moment.
        at: Duration,
    },
    /// The one that it is for does not hear it.
    Unheard {
        /// At this moment its sender is told, unless it is off.
        at: Duration,
        /// Why.
        reason: LossReason,
    },
    /// The transmitter's queue was full.
    Dropped,
}

impl FrameFate<'_> {
    /// Why it is lost, if it is.
    #[must_use]
    pub fn loss(&self) -> Option<LossReason> {
        match self {
            Self::Heard { .. } => None,
            Self::Unheard { reason, .. } => Some(*reason),
            Self::Dropped => Some(LossReason::QueueFull),
        }
    }
}

/// Sees what happens in a run, and cannot change it. Every method does nothing unless it is
/// written anew; a run without an observer has `()` for one and pays nothing.
pub trait Observer<P: Protocol> {
    /// A node starts; its effects follow.
    fn started(&mut self, node: NodeId) {
        let _ = node;
    }

    /// A node goes down. When it comes up again, that is an event: a reboot.
    fn down(&mut self, time: Duration, node: NodeId) {
        let _ = (time, node);
    }

    /// An event is about to be handled; its effects follow.
    fn event(&mut self, time: Duration, event: &Event<'_, P>) {
        let _ = (time, event);
    }

    /// A packet of so many bytes is sent; what will become of it is settled.
    fn packet(&mut self, time: Duration, packet: Packet<'_, P>, bytes: usize, fate: Fate) {
        let _ = (time, packet, bytes, fate);
    }

    /// It is settled what becomes of a frame. With the idealised radio that is so when it is handed to a transmitter.
    /// On a shared medium, and where nodes need energy, it is so at its end, after the last transmission: who hears it has been told
    /// of by then. A frame of a medium that is heard although its sender never learns so counts as heard.
    fn frame(&mut self, time: Duration, frame: Transmitted<'_, P>, fate: FrameFate<'_>) {
        let _ = (time, frame, fate);
    }

    /// On a shared medium: a node that a transmission of the frame is for is near enough, but does not receive it. There may be
    /// another transmission.
    fn missed(
        &mut self,
        time: Duration,
        node: NodeId,
        frame: Transmitted<'_, P>,
        reason: LossReason,
    ) {
        let _ = (time, node, frame, reason);
    }

    /// A handler of the node takes a measurement.
    fn record(&mut self, time: Duration, node: NodeId, record: Record) {
        let _ = (time, node, record);
    }

    /// A run is over.
    fn finished(&mut self, run: &Run) {
        let _ = run;
    }
}

impl<P: Protocol> Observer<P> for () {}

impl<P: Protocol, O: Observer<P> + ?Sized> Observer<P> for &mut O {
    fn started(&mut self, node: NodeId) {
        (**self).started(node);
    }

    fn down(&mut self, time: Duration, node: NodeId) {
        (**self).down(time, node);
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>) {
        (**self).event(time, event);
    }

    fn packet(&mut self, time: Duration, packet: Packet<'_, P>, bytes: usize, fate: Fate) {
        (**self).packet(time, packet, bytes, fate);
    }

    fn frame(&mut self, time: Duration, frame: Transmitted<'_, P>, fate: FrameFate<'_>) {
        (**self).frame(time, frame, fate);
    }

    fn missed(
        &mut self,
        time: Duration,
        node: NodeId,
        frame: Transmitted<'_, P>,
        reason: LossReason,
    ) {
        (**self).missed(time, node, frame, reason);
    }

    fn record(&mut self, time: Duration, node: NodeId, record: Record) {
        (**self).record(time, node, record);
    }

    fn finished(&mut self, run: &Run) {
        (**self).finished(run);
    }
}

/// An observer that writes a line for everything that happens: time in seconds, node, kind,
/// description.
///
/// The kinds are `start`, `down`, and those of events for what is handled, and `send`, `lose`
/// and `drop` for what becomes of the packets that a handler sends. On a shared medium, `send`, `lose` and `drop` tell what became of
/// a frame, with the reason, and `miss` that a node did not receive a transmission. Measurements are left out.
/// Lines look like this:
///
/// ```text
///    0.001432800 n1   deliver  Data(0) from n0
///    0.001432800 n1   send     Ack(0) to n0, 40 B
/// ```
pub struct Log<W> {
    out: W,
    failed: Option<io::Error>,
}

impl<W: io::Write> Log<W> {
    /// A log that is written to `out`, line by line; give it a buffered one.
    pub fn new(out: W) -> Self {
        Self { out, failed: None }
    }

    /// Flushes and gives back what it was written to.
    ///
    /// # Errors
    /// The first error that writing met; nothing was written after it.
    pub fn finish(mut self) -> io::Result<W> {
        match self.failed {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn line(&mut self, time: Duration, node: NodeId, kind: &str, description: &dyn Display) {
        if self.failed.is_some() {
            return;
        }
        let (whole, fraction) = (time.as_secs(), time.subsec_nanos());
        let node = node.to_string();
        let line = format!("{whole:>4}.{fraction:09} {node:<4} {kind:<8} {description}");
        self.failed = writeln!(self.out, "{}", line.trim_end()).err();
    }
}

impl<P: Protocol, W: io::Write> Observer<P> for Log<W> {
    fn started(&mut self, node: NodeId) {
        self.line(Duration::ZERO, node, "start", &"");
    }

    fn down(&mut self, time: Duration, node: NodeId) {
        self.line(time, node, "down", &"");
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>) {
        self.line(time, event.node(), event.kind().name(), &Described(event));
    }

    fn packet(&mut self, time: Duration, packet: Packet<'_, P>, bytes: usize, fate: Fate) {
        let Packet { from, to, message } = packet;
        let kind = match fate {
            Fate::Arrives(_) => "send",
            Fate::Lost | Fate::Returns(_) => "lose",
            Fate::Dropped => "drop",
        };
        let description = format_args!("{message:?} to {to}, {bytes} B");
        self.line(time, from, kind, &description);
    }

    fn frame(&mut self, time: Duration, frame: Transmitted<'_, P>, fate: FrameFate<'_>) {
        let kind = match fate {
            FrameFate::Heard { .. } => "send",
            FrameFate::Unheard { .. } => "lose",
            FrameFate::Dropped => "drop",
        };
        match fate.loss() {
            None => self.line(time, frame.from, kind, &frame),
            Some(loss) => self.line(time, frame.from, kind, &format_args!("{frame}: {loss}")),
        }
    }

    fn missed(
        &mut self,
        time: Duration,
        node: NodeId,
        frame: Transmitted<'_, P>,
        reason: LossReason,
    ) {
        let Transmitted { from, message, .. } = frame;
        self.line(time, node, "miss", &format_args!("{message:?} from {from}: {reason}"));
    }
}

impl<P: Protocol> Display for Transmitted<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} to ", self.message)?;
        match self.to {
            Some(to) => write!(f, "{to}, {} B", self.bytes),
            None => write!(f, "all, {} B", self.bytes),
        }
    }
}

/// An observer that remembers the event that was handled last.
///
/// ```
/// # use everypath_model::{Effects, Never, NodeId, Protocol, Scenario, Topology};
/// # struct Greeting;
/// # impl Protocol for Greeting {
/// #     type State = ();
/// #     type Message = String;
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, _: NodeId, fx: &mut impl Effects<Self>) { fx.broadcast("hello".to_owned()); }
/// #     fn on_message(&self, _: NodeId, _: &mut (), _: NodeId, _: &String, _: &mut impl Effects<Self>) {}
/// # }
/// use everypath_sim::{LastEvent, Limits, Simulation};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let greeting = Scenario::new(Greeting, Topology::chain(2));
/// let mut last = LastEvent::default();
/// Simulation::observed(&greeting, 1, 0, &mut last)?.run(&Limits::default())?;
/// assert_eq!(last.0, Some((NodeId(0), "deliver \"hello\" from n1".to_owned())));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct LastEvent(
    /// Where it took place, and what it was, in words; none before the first.
    pub Option<(NodeId, String)>,
);

impl<P: Protocol> Observer<P> for LastEvent {
    fn event(&mut self, _: Duration, event: &Event<'_, P>) {
        self.0 = Some((event.node(), format!("{} {}", event.kind(), Described(event))));
    }
}

/// An event without its place and kind.
pub(crate) struct Described<'a, P: Protocol>(pub(crate) &'a Event<'a, P>);

impl<P: Protocol> Display for Described<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Event::Command { command, .. } => write!(f, "{command:?}"),
            Event::Timer { timer, .. } => write!(f, "{timer:?}"),
            Event::Deliver { packet, .. }
            | Event::Lose { packet }
            | Event::Duplicate { packet } => {
                write!(f, "{:?} from {}", packet.message, packet.from)
            }
            Event::Undeliverable { packet } => write!(f, "{:?} to {}", packet.message, packet.to),
            Event::LinkDown { ends: (_, other) } | Event::LinkUp { ends: (_, other) } => {
                write!(f, "link to {other}")
            }
            Event::Reboot { .. } => Ok(()),
        }
    }
}
