//! Event log: a line of JSON for everything that happens in a run.

use std::{fmt::Write as _, io, time::Duration};

use everypath_model::{Event, NodeId, Packet, Protocol, Record};
use everypath_sim::{
    Ending, Fate, FrameFate, LossReason, Movement, Observer, Packets, Run, Sending, SimError,
};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3;

use crate::{
    Capture, LogHeader,
    log_file::CHECKSUM_KEY,
    log_line::{Happening, LogLine, LoggedPacket},
};

/// An observer that writes the event log of a run.
///
/// The first line is the [header](LogHeader). Every other line has its number (`line`), the time in
/// nanoseconds and in seconds (`ns`, `s`), the node, the number of the line that caused it (`cause`),
/// its `kind`, and what belongs to the kind:
///
/// | kind | is | caused by | has |
/// | --- | --- | --- | --- |
/// | `move` | a node sets out for a point, or is there | nothing | `x`, `y`, `z`, `to_x`, `to_y`, `to_z` in metres, `until_ns` |
/// | `down`, `reboot` | a node goes down, and comes up again | nothing | |
/// | `link-down`, `link-up` | a link of the node does | nothing | `other` |
/// | `start` | a node starts | nothing | |
/// | `command` | the environment asks a node for something | nothing | `command` |
/// | `deliver` | a packet arrives at the node | the `send` | `from`, `to`, `message` |
/// | `undeliverable` | a packet comes back to the node | the `send` | `from`, `to`, `message` |
/// | `timer` | a timer fires | the line in whose handling it was last set | `timer` |
/// | `send` | a message leaves the node | the line in whose handling it was sent | `to` (null: to all that hear it), `message`, `bytes` |
/// | `lose`, `drop` | a packet of the node does not arrive | the `send` | `to`, `reason` |
/// | `miss` | the node was near enough for a frame, and did not receive it | the `send` | `from`, `reason` |
/// | `drop` with a `name` | the node gives up what was to be delivered | the line that is being handled | `name`, `reason` |
/// | `count`, `sample`, `level`, `begin`, `end` | the node takes a measurement | the line that is being handled | `name`, and `by`, `value` or `key` |
///
/// The last line, of kind `finish`, says how the run ended and what became of the packets, and has the
/// checksum.
///
/// ```
/// # mod recorded { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/recorded.rs")); }
/// # use recorded::{header, scenario};
/// use everypath_capture::{Capture, EventLog};
/// use everypath_sim::{Limits, Simulation, movements};
///
/// let scenario = scenario();
/// let mut log = EventLog::new(Vec::new(), &header(), movements(&scenario, 1, 0));
/// let run = Simulation::observed(&scenario, 1, 0, &mut log)
///     .and_then(|simulation| simulation.run(&Limits::default()));
/// let text = String::from_utf8(Box::new(log).finish(&run)?).unwrap();
/// assert_eq!(text.lines().filter(|line| line.contains(r#""kind":"deliver""#)).count(), 2);
/// assert!(text.lines().last().unwrap().contains(r#""kind":"finish""#));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct EventLog<P: Protocol, W> {
    out: W,
    failed: Option<io::Error>,
    checksum: Xxh3,
    /// The line that is being made.
    text: String,
    lines: u64,
    /// The line of the event that is being handled.
    handled: u64,
    /// By the number of a sending: its line, or that of what caused it, as long as it is postponed.
    sendings: Vec<u64>,
    /// By node and timer: the line in whose handling it was last set.
    timers: FxHashMap<(NodeId, P::Timer), u64>,
    /// The movements that have not begun yet, the last first.
    movements: Vec<Movement>,
}

impl<P: Protocol, W: io::Write> EventLog<P, W> {
    /// A log that is written to `out`, a line at a time; give it a buffered one. How nodes
    /// [move](everypath_sim::movements) is known in advance.
    pub fn new(out: W, header: &LogHeader, mut movements: Vec<Movement>) -> Self {
        movements.reverse();
        let mut log = Self {
            out,
            failed: None,
            checksum: Xxh3::new(),
            text: header.to_json(),
            lines: 1,
            handled: 0,
            sendings: Vec::new(),
            timers: FxHashMap::default(),
            movements,
        };
        log.put();
        log
    }

    /// Writes a line, after the movements that have begun since the last.
    fn line(
        &mut self,
        time: Duration,
        node: Option<NodeId>,
        cause: Option<u64>,
        happening: Happening<'_>,
    ) {
        self.compose(time, node, cause, happening);
        self.put();
    }

    /// Makes a line, and writes the movements that have begun since the last.
    fn compose(
        &mut self,
        time: Duration,
        node: Option<NodeId>,
        cause: Option<u64>,
        happening: Happening<'_>,
    ) {
        while let Some(movement) = self.movements.pop_if(|movement| movement.begin <= time) {
            let Movement { node, begin, from, to, end, .. } = movement;
            let (x, y, z) = (from.x, from.y, from.z);
            let (to_x, to_y, to_z) = (to.x, to.y, to.z);
            let until_ns = end.as_nanos();
            let moves = Happening::Move { x, y, z, to_x, to_y, to_z, until_ns };
            self.compose_now(begin, Some(node), None, moves);
            self.put();
        }
        self.compose_now(time, node, cause, happening);
    }

    fn compose_now(
        &mut self,
        time: Duration,
        node: Option<NodeId>,
        cause: Option<u64>,
        happening: Happening<'_>,
    ) {
        self.lines += 1;
        let line = LogLine { node: node.map(|node| node.0), cause, happening };
        line.write(self.lines, time, &mut self.text);
    }

    fn put(&mut self) {
        if self.failed.is_some() {
            return;
        }
        self.text.push('\n');
        self.checksum.update(self.text.as_bytes());
        self.failed = self.out.write_all(self.text.as_bytes()).err();
    }

    /// The line that caused a sending.
    fn cause_of(&self, sending: u64) -> Option<u64> {
        self.sendings.get(place(sending)).copied()
    }

    fn remember(&mut self, sending: u64, line: u64) {
        let place = place(sending);
        if self.sendings.len() <= place {
            self.sendings.resize(place + 1, 0);
        }
        self.sendings[place] = line;
    }
}

impl<P: Protocol, W: io::Write> Capture<P, W> for EventLog<P, W> {
    fn finish(mut self: Box<Self>, result: &Result<Run, SimError>) -> io::Result<W> {
        let (time, happening) = match result {
            Ok(run) => (run.elapsed, finish(run)),
            Err(error) => {
                let time = match error {
                    SimError::HandlerPanicked { time, .. } => *time,
                    _ => Duration::ZERO,
                };
                let error = error.to_string();
                (time, Happening::Fail { ending: "failed", error, checksum: "" })
            }
        };
        self.compose(time, None, None, happening);
        let covered = self.text.rfind(CHECKSUM_KEY).map_or(0, |at| at + CHECKSUM_KEY.len());
        self.text.truncate(covered);
        self.checksum.update(self.text.as_bytes());
        let checksum = self.checksum.digest();
        let _ = write!(self.text, "{checksum:016x}\"}}");
        self.put();
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }
}

/// The end of a run that did not fail, without the checksum.
fn finish(run: &Run) -> Happening<'static> {
    let Packets { sent, delivered, lost, dropped, .. } = run.packets;
    Happening::Finish {
        ending: match run.ending {
            Ending::Finished => "finished",
            Ending::EventLimit => "event limit",
            Ending::Stopped => "stopped",
            Ending::Violated => "violated",
        },
        events: run.events,
        sent,
        delivered,
        lost,
        dropped,
        checksum: "",
    }
}

fn place(sending: u64) -> usize {
    usize::try_from(sending).expect("sendings are counted from 0")
}

impl<P: Protocol, W: io::Write> Observer<P> for EventLog<P, W> {
    fn started(&mut self, node: NodeId) {
        self.line(Duration::ZERO, Some(node), None, Happening::Start);
        self.handled = self.lines;
    }

    fn down(&mut self, time: Duration, node: NodeId) {
        self.line(time, Some(node), None, Happening::Down);
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
        let cause = match event {
            Event::Timer { node, timer } => self.timers.remove(&(*node, (*timer).clone())),
            _ => sending.and_then(|sending| self.cause_of(sending)),
        };
        self.line(time, Some(event.node()), cause, handled(event));
        self.handled = self.lines;
    }

    fn postponed(&mut self, sending: u64) {
        self.remember(sending, self.handled);
    }

    fn sent(&mut self, time: Duration, sending: &Sending<'_, P>) {
        let cause = self.cause_of(sending.number).filter(|&line| line > 0);
        let send = Happening::Send {
            to: sending.to.map(|to| to.0),
            message: format!("{:?}", sending.message),
            bytes: sending.bytes,
        };
        self.line(time, Some(sending.from), Some(cause.unwrap_or(self.handled)), send);
        self.remember(sending.number, self.lines);
    }

    fn packet(
        &mut self,
        time: Duration,
        sending: u64,
        packet: Packet<'_, P>,
        _: usize,
        fate: Fate,
    ) {
        let (to, reason) = (Some(packet.to.0), fate.reason().unwrap_or_default());
        let happening = match fate {
            Fate::Arrives(_) => return,
            Fate::Lost | Fate::Returns(_) => Happening::Lose { to, reason },
            Fate::Dropped => Happening::Drop { to, reason },
        };
        self.line(time, Some(packet.from), self.cause_of(sending), happening);
    }

    fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        let to = frame.to.map(|to| to.0);
        let reason = fate.loss().map_or("", LossReason::name);
        let happening = match fate {
            FrameFate::Heard { .. } => return,
            FrameFate::Unheard { .. } => Happening::Lose { to, reason },
            FrameFate::Dropped => Happening::Drop { to, reason },
        };
        self.line(time, Some(frame.from), self.cause_of(frame.number), happening);
    }

    fn missed(&mut self, time: Duration, node: NodeId, frame: &Sending<'_, P>, reason: LossReason) {
        let miss = Happening::Miss { from: frame.from.0, reason: reason.name() };
        self.line(time, Some(node), self.cause_of(frame.number), miss);
    }

    fn timer_set(&mut self, node: NodeId, timer: &P::Timer) {
        self.timers.insert((node, timer.clone()), self.handled);
    }

    fn record(&mut self, time: Duration, node: NodeId, record: Record) {
        let happening = match record {
            Record::Count { name, by } => Happening::Count { name, by },
            Record::Drop { name, reason } => Happening::GiveUp { name, reason },
            Record::Sample { name, value } => Happening::Sample { name, value },
            Record::Level { name, value } => Happening::Level { name, value },
            Record::Begin { name, key } => Happening::Begin { name, key },
            Record::End { name, key } => Happening::End { name, key },
            Record::Route { name, from, hops } => Happening::Route { name, from: from.0, hops },
        };
        self.line(time, Some(node), Some(self.handled), happening);
    }
}

/// The line of an event that is handled.
fn handled<P: Protocol>(event: &Event<'_, P>) -> Happening<'static> {
    let logged = |packet: &Packet<'_, P>| LoggedPacket {
        from: packet.from.0,
        to: packet.to.0,
        message: format!("{:?}", packet.message),
    };
    match event {
        Event::Command { command, .. } => Happening::Command { command: format!("{command:?}") },
        Event::Timer { timer, .. } => Happening::Timer { timer: format!("{timer:?}") },
        Event::Deliver { packet, .. } => Happening::Deliver(logged(packet)),
        Event::Lose { packet } => Happening::PlayedLoss(logged(packet)),
        Event::Duplicate { packet } => Happening::Duplicate(logged(packet)),
        Event::Undeliverable { packet } => Happening::Undeliverable(logged(packet)),
        Event::LinkDown { ends: (_, other) } => Happening::LinkDown { other: other.0 },
        Event::LinkUp { ends: (_, other) } => Happening::LinkUp { other: other.0 },
        Event::Reboot { .. } => Happening::Reboot,
    }
}
