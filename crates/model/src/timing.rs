//! What a simulation needs to know beyond what an exploration does: how long things take.

use std::time::Duration;

use crate::{Field, Flow, Job, Loss, NodeId, Outage, Protocol, Sends, Senses, Sensing};

/// How a point-to-point link treats packets, in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkTiming {
    /// Bits per second; `None` for a link on which a packet takes no time.
    pub bandwidth_bps: Option<u64>,
    /// From the last bit sent to the last bit received.
    pub delay: Duration,
    /// Which packets are lost on the way.
    pub loss: Loss,
    /// How many packets can wait for the link; one more is dropped.
    pub queue: usize,
}

impl Default for LinkTiming {
    /// 10 Mbit/s, 1 ms, no loss, 100 packets.
    fn default() -> Self {
        Self {
            bandwidth_bps: Some(10_000_000),
            delay: Duration::from_millis(1),
            loss: Loss::NONE,
            queue: 100,
        }
    }
}

/// What of a simulation run does not count, because the run has not settled yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarmUp {
    /// Everything counts.
    #[default]
    None,
    /// What is measured before this moment does not count.
    Until(Duration),
    /// Of each distribution, as many of the first observations do not count as MSER-5 says. Counters
    /// and levels over time have no such rule: they are those of the whole run.
    Mser5,
}

/// What a finished simulation run has measured, after its [warm-up](WarmUp); a [`Measure`] is
/// computed from it.
pub trait Readings {
    /// The simulated time in which was measured, in seconds.
    fn elapsed_s(&self) -> f64;
    /// How many packets were handed to a link; a broadcast is one for every neighbour.
    fn packets_sent(&self) -> u64;
    /// How many packets arrived.
    fn packets_delivered(&self) -> u64;
    /// The value of a counter; 0 if nothing was counted under that name.
    fn count(&self, name: &str) -> u64;
    /// The mean of a distribution, or the time average of a series; not a number if nothing was
    /// observed under that name.
    fn mean(&self, name: &str) -> f64;
    /// The value that this fraction of the observations of a distribution does not exceed, to within
    /// 0.4 %; not a number if nothing was observed under that name. 0.5 gives the median.
    ///
    /// # Panics
    /// If the fraction is not from 0 to 1.
    fn quantile(&self, name: &str, fraction: f64) -> f64;
}

/// How a result is computed from what a run has measured.
type Formula = Box<dyn Fn(&dyn Readings) -> f64 + Send + Sync>;

/// A result of a simulation run, computed from its measurements.
pub struct Measure {
    /// What it is called.
    pub name: String,
    /// What it is measured in; empty if it is a plain number.
    pub unit: String,
    /// How it is computed.
    pub compute: Formula,
}

/// How many bytes a message takes on the wire.
pub type MessageBytes<P> = Box<dyn Fn(&P, &<P as Protocol>::Message) -> usize + Send + Sync>;

/// The part of a scenario that only a simulation reads.
pub struct Timing<P: Protocol> {
    /// How links treat packets, unless [`links`](Self::links) says otherwise.
    pub link: LinkTiming,
    /// Links that differ, by direction.
    pub links: Vec<((NodeId, NodeId), LinkTiming)>,
    /// Where nodes are and how they hear each other, if they talk by radio: then there are no links.
    pub field: Option<Field>,
    /// How many bytes a message takes on the wire, if somebody says.
    pub message_bytes: Option<MessageBytes<P>>,
    /// How long a run lasts.
    pub duration: Duration,
    /// What of a run does not count.
    pub warm_up: WarmUp,
    /// How many independent runs there are.
    pub replications: u32,
    /// The commands that are given.
    pub jobs: Vec<Job<P>>,
    /// The packets of data that are sent; it takes [`sends`](Self::sends) to send any.
    pub flows: Vec<Flow>,
    /// By which command a node sends a packet of data to another, if the protocol has such a thing.
    pub sends: Option<Sends<P>>,
    /// What nodes on a field sense, if they do; it takes [`senses`](Self::senses) to notice.
    pub sensing: Option<Sensing>,
    /// Which command a node gets that senses a stimulus, if the protocol has such a thing.
    pub senses: Option<Senses<P>>,
    /// What is down when.
    pub outages: Vec<Outage>,
    /// The results that are computed.
    pub measures: Vec<Measure>,
}

impl<P: Protocol> Default for Timing<P> {
    fn default() -> Self {
        Self {
            link: LinkTiming::default(),
            links: Vec::new(),
            field: None,
            message_bytes: None,
            duration: Duration::from_secs(10),
            warm_up: WarmUp::None,
            replications: 10,
            jobs: Vec::new(),
            flows: Vec::new(),
            sends: None,
            sensing: None,
            senses: None,
            outages: Vec::new(),
            measures: Vec::new(),
        }
    }
}

impl<P: Protocol> Timing<P> {
    /// The timing of a link in one direction.
    #[must_use]
    pub fn link(&self, from: NodeId, to: NodeId) -> LinkTiming {
        self.links.iter().find(|(ends, _)| *ends == (from, to)).map_or(self.link, |&(_, link)| link)
    }

    /// All commands that are given: the jobs, then those by which flows send.
    pub fn all_jobs(&self) -> impl Iterator<Item = Job<P>> {
        let sending = self.flows.iter().flat_map(|flow| {
            self.sends.as_ref().map(|sends| Job {
                node: flow.from,
                command: sends(flow.to),
                begin: flow.begin,
                rhythm: flow.rhythm,
                end: flow.end,
            })
        });
        self.jobs.iter().cloned().chain(sending)
    }
}
