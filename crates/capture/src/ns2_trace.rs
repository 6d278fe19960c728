//! What nodes send, receive and lose, as ns-2 writes it.

use std::{io, time::Duration};

use everypath_model::{Datagram, Event, NodeId, Packet, Protocol, Scenario};
use everypath_sim::{Fate, FrameFate, LossReason, Observer, Run, Sending, SimError};
use rustc_hash::FxHashMap;

use crate::{
    Capture,
    sendings::{Handed, Sendings},
};

/// A trace in ns-2's format for wireless networks, as seen by the routing agents. A line looks like this:
///
/// ```text
/// s 5.100000000 _0_ RTR  --- 0 AODV 52 [0 ffffffff 0 800] ------- [0:654 -1:654 1 0] (REQUEST)
/// ```
///
/// | column | is |
/// | --- | --- |
/// | 1 | `s` sent by its source, `f` passed on, `r` received, `D` dropped |
/// | 2, 3 | when, in seconds; at which node |
/// | 4 | the layer, always `RTR` |
/// | 5 | why it was dropped: `IFQ` the queue was full, `ERR` lost on the link, `CBK` the next hop was out of range, or the link down, `RET` tried too often, `COL` other frames disturbed it, `OFF` a node was down or its battery empty; else `---` |
/// | 6 | which packet: the same on all hops of one that is passed on |
/// | 7, 8 | the sort of traffic (`AODV`, `cbr`); the bytes of the IP packet |
/// | 9 | `[0 to from 800]`: the ends of this hop, in hexadecimal, `ffffffff` for all |
/// | 10 | no flags |
/// | 11 | `[source:port destination:port ttl next]`: -1 for all |
/// | 12 | what message it is: `(REQUEST)` |
pub struct Ns2Trace<'a, P: Protocol, W> {
    scenario: &'a Scenario<P>,
    out: W,
    failed: Option<io::Error>,
    sendings: Sendings,
    /// Under which number a packet goes that is passed on, by its key.
    numbers: FxHashMap<(&'static str, u64), u64>,
    /// By sending: under which number it goes.
    by_sending: FxHashMap<u64, u64>,
    next_number: u64,
    /// The line of what was handed to a transmitter last.
    handed: Handed<String>,
}

impl<'a, P: Protocol, W: io::Write> Ns2Trace<'a, P, W> {
    /// A trace of a run of a scenario that is written to `out`, a line at a time; give it a buffered
    /// one. What the scenario does not show [on a wire](everypath_model::SimulationSetup::wire) is not traced.
    ///
    /// ```
    /// # mod recorded { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/recorded.rs")); }
    /// # use recorded::scenario;
    /// use everypath_capture::{Capture, Ns2Trace};
    /// use everypath_sim::{Limits, Simulation};
    ///
    /// let scenario = scenario();
    /// let mut trace = Ns2Trace::new(Vec::new(), &scenario);
    /// let run = Simulation::observed(&scenario, 1, 0, &mut trace)
    ///     .and_then(|simulation| simulation.run(&Limits::default()));
    /// let text = String::from_utf8(Box::new(trace).finish(&run)?).unwrap();
    /// assert!(text.lines().all(|line| line.ends_with("(HELLO)")));
    /// assert_eq!(text.lines().filter(|line| line.starts_with('r')).count(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(out: W, scenario: &'a Scenario<P>) -> Self {
        Self {
            scenario,
            out,
            failed: None,
            sendings: Sendings::default(),
            numbers: FxHashMap::default(),
            by_sending: FxHashMap::default(),
            next_number: 0,
            handed: Handed::default(),
        }
    }

    fn number(&mut self, sending: u64, datagram: &Datagram) -> u64 {
        let fresh = || {
            self.next_number += 1;
            self.next_number - 1
        };
        match datagram.key {
            Some(key) => *self.numbers.entry((datagram.traffic, key)).or_insert_with(fresh),
            None => *self.by_sending.entry(sending).or_insert_with(fresh),
        }
    }

    /// What a node sends to another, or to all, as it is seen at a node; nothing if the scenario does not
    /// show it on a wire. Nothing is said of why if it was not dropped.
    fn line(
        &mut self,
        time: Duration,
        at: NodeId,
        sending: u64,
        (from, to, message): (NodeId, Option<NodeId>, &P::Message),
        reason: Option<&str>,
    ) -> Option<String> {
        let datagram = self.scenario.datagram(from, to, message)?;
        let number = self.number(sending, &datagram);
        let event = match reason {
            Some(_) => 'D',
            None if at != from => 'r',
            None if datagram.source == from => 's',
            None => 'f',
        };
        let (seconds, nanoseconds) = (time.as_secs(), time.subsec_nanos());
        let (node, why, traffic) = (at.0, reason.unwrap_or("---"), datagram.traffic);
        let size = HEADERS_BYTES + datagram.payload.len();
        let hop = to.map_or("ffffffff".to_owned(), |to| format!("{:x}", to.0));
        let signed = |node: Option<NodeId>| node.map_or(-1, |node| i64::from(node.0));
        let (source, destination) = (datagram.source.0, signed(datagram.destination));
        let (port, ttl, next) = (datagram.port, datagram.ttl, to.map_or(0, |to| to.0));
        Some(format!(
            "{event} {seconds}.{nanoseconds:09} _{node}_ RTR  {why} {number} {traffic} {size} [0 {hop} {:x} 800] ------- [{source}:{port} {destination}:{port} {ttl} {next}] ({})",
            from.0, datagram.kind
        ))
    }

    fn put(&mut self, line: Option<String>) {
        if let (Some(line), None) = (line, &self.failed) {
            self.failed = writeln!(self.out, "{line}").err();
        }
    }

    /// The transmitter has taken what was handed to it last.
    fn take_handed(&mut self) {
        let handed = self.handed.take();
        self.put(handed);
    }
}

/// The headers of IP and UDP.
const HEADERS_BYTES: usize = 28;

impl<P: Protocol, W: io::Write> Observer<P> for Ns2Trace<'_, P, W> {
    fn sent(&mut self, time: Duration, sending: &Sending<'_, P>) {
        let Sending { number, from, to, message, .. } = *sending;
        self.sendings.add(number, to);
        self.take_handed();
        if self.scenario.simulation.field.is_some() {
            let line = self.line(time, from, number, (from, to, message), None);
            self.handed.hand_over(number, line);
        }
    }

    fn packet(
        &mut self,
        time: Duration,
        sending: u64,
        packet: Packet<'_, P>,
        _: usize,
        fate: Fate,
    ) {
        if fate != Fate::Dropped && self.sendings.is_transmission(sending) {
            let message = (packet.from, self.sendings.to(sending), packet.message);
            let line = self.line(time, packet.from, sending, message, None);
            self.put(line);
        }
        let reason = match fate {
            Fate::Arrives(_) => return,
            Fate::Lost => "ERR",
            Fate::Dropped => "IFQ",
            Fate::Returns(_) => "CBK",
        };
        let message = (packet.from, Some(packet.to), packet.message);
        let line = self.line(time, packet.from, sending, message, Some(reason));
        self.put(line);
    }

    fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        let Some(loss) = fate.loss() else { return };
        if fate == FrameFate::Dropped {
            self.handed.drop_if(frame.number);
        }
        self.take_handed();
        let reason = match loss {
            LossReason::OutOfRange => "CBK",
            LossReason::Collision | LossReason::Transmitting => "COL",
            LossReason::RetryLimit => "RET",
            LossReason::QueueFull => "IFQ",
            LossReason::Off => "OFF",
        };
        let message = (frame.from, frame.to, frame.message);
        let line = self.line(time, frame.from, frame.number, message, Some(reason));
        self.put(line);
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
        self.take_handed();
        if let (Event::Deliver { node, packet }, Some(sending)) = (event, sending) {
            let message = (packet.from, self.sendings.to(sending), packet.message);
            let line = self.line(time, *node, sending, message, None);
            self.put(line);
        }
    }
}

impl<P: Protocol, W: io::Write> Capture<P, W> for Ns2Trace<'_, P, W> {
    fn finish(mut self: Box<Self>, _: &Result<Run, SimError>) -> io::Result<W> {
        self.take_handed();
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }
}
