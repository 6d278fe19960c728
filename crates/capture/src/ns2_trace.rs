//! Traces in the wireless format of ns-2.

use std::{io, time::Duration};

use everypath_model::{Datagram, Event, NodeId, Packet, Protocol, Scenario};
use everypath_sim::{Fate, FrameFate, LossReason, Observer, Run, Sending, SimError};
use rustc_hash::FxHashMap;

use crate::{
    Capture,
    hops::{Hop, HopFate, HopLoss, HopWriter, Hops, observe_hops},
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
/// | 5 | why it was dropped: `IFQ` the queue was full, `ERR` lost on the link, `CBK` the next hop was out of range, or the link down, `RET` tried too often, `COL` other frames disturbed it, `OFF` a node was down or its battery empty; otherwise `---` |
/// | 6 | which packet: the same on all hops of one that is passed on |
/// | 7, 8 | the sort of traffic (`AODV`, `cbr`); the bytes of the IP packet |
/// | 9 | `[0 to from 800]`: the ends of this hop, in hexadecimal, `ffffffff` for all |
/// | 10 | no flags |
/// | 11 | `[source:port destination:port ttl next]`: -1 for all |
/// | 12 | what message it is: `(REQUEST)` |
pub struct Ns2Trace<'a, P: Protocol, W> {
    out: Lines<'a, P, W>,
    hops: Hops<String>,
}

/// The lines of a trace.
struct Lines<'a, P: Protocol, W> {
    scenario: &'a Scenario<P>,
    out: W,
    failed: Option<io::Error>,
    /// By its key: the number of a packet that is passed on.
    numbers: FxHashMap<(&'static str, u64), u64>,
    /// By sending: its number.
    by_sending: FxHashMap<u64, u64>,
    next_number: u64,
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
        let out = Lines {
            scenario,
            out,
            failed: None,
            numbers: FxHashMap::default(),
            by_sending: FxHashMap::default(),
            next_number: 0,
        };
        Self { out, hops: Hops::new(scenario) }
    }
}

impl<P: Protocol, W> Lines<'_, P, W> {
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
}

/// As ns-2 writes why a packet was dropped.
fn reason(loss: HopLoss) -> &'static str {
    match loss {
        HopLoss::LinkLoss => "ERR",
        HopLoss::LinkDown | HopLoss::Frame(LossReason::OutOfRange) => "CBK",
        HopLoss::Frame(LossReason::Collision | LossReason::Transmitting) => "COL",
        HopLoss::Frame(LossReason::RetryLimit) => "RET",
        HopLoss::Frame(LossReason::QueueFull) => "IFQ",
        HopLoss::Frame(LossReason::Off) => "OFF",
    }
}

/// The headers of IP and UDP.
const HEADERS_BYTES: usize = 28;

impl<P: Protocol, W: io::Write> HopWriter<P> for Lines<'_, P, W> {
    type Encoded = String;

    fn encode(&mut self, hop: &Hop<'_, P>) -> Option<String> {
        let &Hop { time, from, to, .. } = hop;
        let datagram = self.scenario.datagram(from, to, hop.message)?;
        let number = self.number(hop.sending, &datagram);
        let (event, reason) = match hop.fate {
            HopFate::Lost(loss) => ('D', Some(reason(loss))),
            HopFate::Received if hop.at != from => ('r', None),
            _ if datagram.source == from => ('s', None),
            _ => ('f', None),
        };
        let (seconds, nanoseconds) = (time.as_secs(), time.subsec_nanos());
        let (node, why, traffic) = (hop.at.0, reason.unwrap_or("---"), datagram.traffic);
        let size = HEADERS_BYTES + datagram.payload.len();
        let next_hop = to.map_or("ffffffff".to_owned(), |to| format!("{:x}", to.0));
        let signed = |node: Option<NodeId>| node.map_or(-1, |node| i64::from(node.0));
        let (source, destination) = (datagram.source.0, signed(datagram.destination));
        let (port, ttl, next) = (datagram.port, datagram.ttl, to.map_or(0, |to| to.0));
        Some(format!(
            "{event} {seconds}.{nanoseconds:09} _{node}_ RTR  {why} {number} {traffic} {size} [0 {next_hop} {:x} 800] ------- [{source}:{port} {destination}:{port} {ttl} {next}] ({})",
            from.0, datagram.kind
        ))
    }

    fn write(&mut self, line: String) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{line}").err();
        }
    }
}

observe_hops!(Ns2Trace);

impl<P: Protocol, W: io::Write> Capture<P, W> for Ns2Trace<'_, P, W> {
    fn finish(mut self: Box<Self>, _: &Result<Run, SimError>) -> io::Result<W> {
        self.hops.flush(&mut self.out);
        match self.out.failed {
            Some(error) => Err(error),
            None => Ok(self.out.out),
        }
    }
}
