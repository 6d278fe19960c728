//! Event log: a line of JSON for everything that happens in a run.

use std::{fmt::Write as _, io, time::Duration};

use everypath_model::{Event, NodeId, Packet, Protocol, Record};
use everypath_sim::{
    Ending, Fate, FrameFate, LossReason, Movement, Observer, Run, Sending, SimError,
};
use rustc_hash::FxHashMap;
use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use crate::{Capture, LogHeader, log_file::CHECKSUM_KEY};

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

    /// Begins a line, after the movements that have begun since the last.
    fn begin(&mut self, time: Duration, node: Option<NodeId>, cause: Option<u64>, kind: &str) {
        while let Some(movement) = self.movements.pop_if(|movement| movement.begin <= time) {
            self.begin_now(movement.begin, Some(movement.node), None, "move");
            let Movement { from, to, end, .. } = movement;
            for (key, value) in [
                ("x", from.x),
                ("y", from.y),
                ("z", from.z),
                ("to_x", to.x),
                ("to_y", to.y),
                ("to_z", to.z),
            ] {
                let _ = write!(self.text, r#","{key}":{}"#, Value::from(value));
            }
            self.number("until_ns", u64::try_from(end.as_nanos()).ok());
            self.end();
        }
        self.begin_now(time, node, cause, kind);
    }

    /// Writes the fields that all lines begin with.
    fn begin_now(&mut self, time: Duration, node: Option<NodeId>, cause: Option<u64>, kind: &str) {
        self.lines += 1;
        let (ns, line) = (time.as_nanos(), self.lines);
        let (whole, fraction) = (time.as_secs(), time.subsec_nanos());
        self.text.clear();
        let _ = write!(self.text, r#"{{"line":{line},"ns":{ns},"s":{whole}.{fraction:09}"#);
        self.number("node", node.map(|node| u64::from(node.0)));
        self.number("cause", cause);
        let _ = write!(self.text, r#","kind":"{kind}""#);
    }

    fn number(&mut self, key: &str, value: Option<u64>) {
        let _ = match value {
            Some(value) => write!(self.text, r#","{key}":{value}"#),
            None => write!(self.text, r#","{key}":null"#),
        };
    }

    fn string(&mut self, key: &str, value: &str) {
        let _ = write!(self.text, r#","{key}":{}"#, Value::from(value));
    }

    /// Ends a line, and writes it.
    fn end(&mut self) {
        self.text.push('}');
        self.put();
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
        match result {
            Ok(run) => {
                let ending = match run.ending {
                    Ending::Finished => "finished",
                    Ending::EventLimit => "event limit",
                    Ending::Stopped => "stopped",
                    Ending::Violated => "violated",
                };
                self.begin(run.elapsed, None, None, "finish");
                let packets = run.packets;
                let _ = write!(
                    self.text,
                    r#","ending":"{ending}","events":{},"sent":{},"delivered":{},"lost":{},"dropped":{}"#,
                    run.events, packets.sent, packets.delivered, packets.lost, packets.dropped
                );
            }
            Err(error) => {
                let time = match error {
                    SimError::HandlerPanicked { time, .. } => *time,
                    _ => Duration::ZERO,
                };
                self.begin(time, None, None, "finish");
                self.text.push_str(r#","ending":"failed""#);
                self.string("error", &error.to_string());
            }
        }
        self.text.push_str(CHECKSUM_KEY);
        self.checksum.update(self.text.as_bytes());
        let checksum = self.checksum.digest();
        let _ = write!(self.text, "{checksum:016x}\"");
        self.end();
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }
}

fn place(sending: u64) -> usize {
    usize::try_from(sending).expect("sendings are counted from 0")
}

impl<P: Protocol, W: io::Write> Observer<P> for EventLog<P, W> {
    fn started(&mut self, node: NodeId) {
        self.begin(Duration::ZERO, Some(node), None, "start");
        self.end();
        self.handled = self.lines;
    }

    fn down(&mut self, time: Duration, node: NodeId) {
        self.begin(time, Some(node), None, "down");
        self.end();
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
        let cause = match event {
            Event::Timer { node, timer } => self.timers.remove(&(*node, (*timer).clone())),
            _ => sending.and_then(|sending| self.cause_of(sending)),
        };
        self.begin(time, Some(event.node()), cause, event.kind().name());
        match event {
            Event::Command { command, .. } => self.string("command", &format!("{command:?}")),
            Event::Timer { timer, .. } => self.string("timer", &format!("{timer:?}")),
            Event::Deliver { packet, .. }
            | Event::Lose { packet }
            | Event::Duplicate { packet }
            | Event::Undeliverable { packet } => {
                self.number("from", Some(packet.from.0.into()));
                self.number("to", Some(packet.to.0.into()));
                self.string("message", &format!("{:?}", packet.message));
            }
            Event::LinkDown { ends: (_, other) } | Event::LinkUp { ends: (_, other) } => {
                self.number("other", Some(other.0.into()));
            }
            Event::Reboot { .. } => {}
        }
        self.end();
        self.handled = self.lines;
    }

    fn postponed(&mut self, sending: u64) {
        self.remember(sending, self.handled);
    }

    fn sent(&mut self, time: Duration, sending: &Sending<'_, P>) {
        let cause = self.cause_of(sending.number).filter(|&line| line > 0);
        self.begin(time, Some(sending.from), Some(cause.unwrap_or(self.handled)), "send");
        self.number("to", sending.to.map(|to| to.0.into()));
        self.string("message", &format!("{:?}", sending.message));
        self.number("bytes", Some(sending.bytes as u64));
        self.end();
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
        let kind = match fate {
            Fate::Arrives(_) => return,
            Fate::Lost | Fate::Returns(_) => "lose",
            Fate::Dropped => "drop",
        };
        self.begin(time, Some(packet.from), self.cause_of(sending), kind);
        self.number("to", Some(packet.to.0.into()));
        self.string("reason", fate.reason().unwrap_or_default());
        self.end();
    }

    fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        let kind = match fate {
            FrameFate::Heard { .. } => return,
            FrameFate::Unheard { .. } => "lose",
            FrameFate::Dropped => "drop",
        };
        self.begin(time, Some(frame.from), self.cause_of(frame.number), kind);
        self.number("to", frame.to.map(|to| to.0.into()));
        self.string("reason", fate.loss().map_or("", LossReason::name));
        self.end();
    }

    fn missed(&mut self, time: Duration, node: NodeId, frame: &Sending<'_, P>, reason: LossReason) {
        self.begin(time, Some(node), self.cause_of(frame.number), "miss");
        self.number("from", Some(frame.from.0.into()));
        self.string("reason", reason.name());
        self.end();
    }

    fn timer_set(&mut self, node: NodeId, timer: &P::Timer) {
        self.timers.insert((node, timer.clone()), self.handled);
    }

    fn record(&mut self, time: Duration, node: NodeId, record: Record) {
        let (kind, name) = match record {
            Record::Count { name, .. } => ("count", name),
            Record::Drop { name, .. } => ("drop", name),
            Record::Sample { name, .. } => ("sample", name),
            Record::Level { name, .. } => ("level", name),
            Record::Begin { name, .. } => ("begin", name),
            Record::End { name, .. } => ("end", name),
            Record::Route { name, .. } => ("route", name),
        };
        self.begin(time, Some(node), Some(self.handled), kind);
        self.string("name", name);
        match record {
            Record::Count { by, .. } => self.number("by", Some(by)),
            Record::Drop { reason, .. } => self.string("reason", reason),
            Record::Sample { value, .. } | Record::Level { value, .. } => {
                // What is not a number becomes null: JSON has no word for it.
                let _ = write!(self.text, r#","value":{}"#, Value::from(value));
            }
            Record::Begin { key, .. } | Record::End { key, .. } => self.number("key", Some(key)),
            Record::Route { from, hops, .. } => {
                self.number("from", Some(from.0.into()));
                self.number("hops", Some(hops.into()));
            }
        }
        self.end();
    }
}
