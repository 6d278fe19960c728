//! Observers of a run.

use std::{
    fmt::{self, Display},
    io,
    time::Duration,
};

use everypath_model::{Event, NodeId, Packet, Protocol, Record};

use crate::{Fate, FrameFate, LossReason, Run, Sending};

/// An observer of a run, which cannot change it. By default every method does nothing; a run without
/// an observer has `()` for one and pays nothing.
///
/// What a node sends is a *sending* with a number. Over links, a broadcast is one sending and a packet
/// for each neighbour; by radio, a sending is one frame, however many nodes hear it.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology};
/// use everypath_sim::{Limits, Observer, Sending, Simulation};
///
/// struct Beacon;
///
/// impl Protocol for Beacon {
///     type State = ();
///     type Message = u8;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, node: &mut Start<'_, Self>) { node.broadcast(7); }
///     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u8) {}
/// }
///
/// struct Sent(Vec<NodeId>);
///
/// impl Observer<Beacon> for Sent {
///     fn sent(&mut self, _: Duration, sending: &Sending<'_, Beacon>) { self.0.push(sending.from); }
/// }
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Beacon, Topology::full_mesh(3));
/// let mut sent = Sent(Vec::new());
/// let run = Simulation::observed(&scenario, 1, 0, &mut sent)?.run(&Limits::default())?;
/// assert_eq!((sent.0.len(), run.packets.sent), (3, 6));
/// # Ok(())
/// # }
/// ```
pub trait Observer<P: Protocol> {
    /// A node starts; its effects follow.
    fn started(&mut self, node: NodeId) {
        let _ = node;
    }

    /// A node goes down. When it comes up again, that is an event: a reboot.
    fn down(&mut self, time: Duration, node: NodeId) {
        let _ = (time, node);
    }

    /// An event is about to be handled; its effects follow. What is delivered or comes back belongs to
    /// a sending.
    fn event(&mut self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
        let _ = (time, event, sending);
    }

    /// A handler postpones a sending: under this number it will be
    /// [sent](Self::sent).
    fn postponed(&mut self, sending: u64) {
        let _ = sending;
    }

    /// A message leaves a node: because of what is being handled, unless it was
    /// [postponed](Self::postponed).
    fn sent(&mut self, time: Duration, sending: &Sending<'_, P>) {
        let _ = (time, sending);
    }

    /// The fate of a packet of a sending is settled; it has this many bytes.
    fn packet(
        &mut self,
        time: Duration,
        sending: u64,
        packet: Packet<'_, P>,
        bytes: usize,
        fate: Fate,
    ) {
        let _ = (time, sending, packet, bytes, fate);
    }

    /// A handler of the node sets a timer, or sets it again.
    fn timer_set(&mut self, node: NodeId, timer: &P::Timer) {
        let _ = (node, timer);
    }

    /// The fate of the frame of a sending is settled. With the idealised radio that is so when it is handed to a
    /// transmitter. On a shared medium, and where nodes need energy, it is so at its end, after the last transmission: the nodes that hear it have
    /// been reported by then. A frame of a medium that is heard although its sender never learns so counts as heard.
    fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        let _ = (time, frame, fate);
    }

    /// On a shared medium: a node that a transmission of the frame is for is near enough, but does not receive it. There may be
    /// another transmission.
    fn missed(&mut self, time: Duration, node: NodeId, frame: &Sending<'_, P>, reason: LossReason) {
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

/// Passes everything on to each of some observers.
macro_rules! pass_on {
    (|$self:ident| $($each:tt)+) => {
        fn started(&mut $self, node: NodeId) {
            pass_on!($($each)+, started(node));
        }

        fn down(&mut $self, time: Duration, node: NodeId) {
            pass_on!($($each)+, down(time, node));
        }

        fn event(&mut $self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
            pass_on!($($each)+, event(time, event, sending));
        }

        fn postponed(&mut $self, sending: u64) {
            pass_on!($($each)+, postponed(sending));
        }

        fn sent(&mut $self, time: Duration, sending: &Sending<'_, P>) {
            pass_on!($($each)+, sent(time, sending));
        }

        fn packet(
            &mut $self,
            time: Duration,
            sending: u64,
            packet: Packet<'_, P>,
            bytes: usize,
            fate: Fate,
        ) {
            pass_on!($($each)+, packet(time, sending, packet, bytes, fate));
        }

        fn frame(&mut $self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
            pass_on!($($each)+, frame(time, frame, fate));
        }

        fn missed(
            &mut $self,
            time: Duration,
            node: NodeId,
            frame: &Sending<'_, P>,
            reason: LossReason,
        ) {
            pass_on!($($each)+, missed(time, node, frame, reason));
        }

        fn timer_set(&mut $self, node: NodeId, timer: &P::Timer) {
            pass_on!($($each)+, timer_set(node, timer));
        }

        fn record(&mut $self, time: Duration, node: NodeId, record: Record) {
            pass_on!($($each)+, record(time, node, record));
        }

        fn finished(&mut $self, run: &Run) {
            pass_on!($($each)+, finished(run));
        }
    };
    ($observers:expr, $method:ident($($argument:ident),*)) => {
        for observer in $observers {
            observer.$method($($argument),*);
        }
    };
}

impl<P: Protocol, O: Observer<P> + ?Sized> Observer<P> for &mut O {
    pass_on!(|self| [&mut **self]);
}

impl<P: Protocol, O: Observer<P> + ?Sized> Observer<P> for Box<O> {
    pass_on!(|self| [&mut **self]);
}

/// All of them see everything, one after the other.
impl<P: Protocol, O: Observer<P>> Observer<P> for Vec<O> {
    pass_on!(|self| &mut *self);
}

/// An observer that writes a line for everything that happens: time in seconds, node, kind,
/// description.
///
/// The kinds are `start`, `down`, and those of events for what is handled, and `send`, `lose`
/// and `drop` for what becomes of the packets that a handler sends. On a shared medium, `send`, `lose` and `drop` report the fate of
/// a frame, with the reason, and `miss` that a node did not receive a transmission. Measurements are skipped.
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
        // However the protocol prints its data, it is one line.
        let line = line.trim_end().replace('\n', "\\n");
        self.failed = writeln!(self.out, "{line}").err();
    }
}

impl<P: Protocol, W: io::Write> Observer<P> for Log<W> {
    fn started(&mut self, node: NodeId) {
        self.line(Duration::ZERO, node, "start", &"");
    }

    fn down(&mut self, time: Duration, node: NodeId) {
        self.line(time, node, "down", &"");
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>, _: Option<u64>) {
        self.line(time, event.node(), event.kind().name(), &Described(event));
    }

    fn packet(&mut self, time: Duration, _: u64, packet: Packet<'_, P>, bytes: usize, fate: Fate) {
        let Packet { from, to, message } = packet;
        let kind = match fate {
            Fate::Arrives(_) => "send",
            Fate::Lost | Fate::Returns(_) => "lose",
            Fate::Dropped => "drop",
        };
        let description = format_args!("{message:?} to {to}, {bytes} B");
        self.line(time, from, kind, &description);
    }

    fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        let kind = match fate {
            FrameFate::Heard { .. } => "send",
            FrameFate::Unheard { .. } => "lose",
            FrameFate::Dropped => "drop",
        };
        match fate.loss() {
            None => self.line(time, frame.from, kind, frame),
            Some(loss) => self.line(time, frame.from, kind, &format_args!("{frame}: {loss}")),
        }
    }

    fn missed(&mut self, time: Duration, node: NodeId, frame: &Sending<'_, P>, reason: LossReason) {
        let Sending { from, message, .. } = frame;
        self.line(time, node, "miss", &format_args!("{message:?} from {from}: {reason}"));
    }
}

/// An observer that remembers the event that was handled last.
///
/// ```
/// # use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology};
/// # struct Greeting;
/// # impl Protocol for Greeting {
/// #     type State = ();
/// #     type Message = String;
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) { node.broadcast("hello".to_owned()); }
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &String) {}
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
    /// Its node, and the event in words; `None` before the first.
    pub Option<(NodeId, String)>,
);

impl<P: Protocol> Observer<P> for LastEvent {
    fn event(&mut self, _: Duration, event: &Event<'_, P>, _: Option<u64>) {
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
