//! Traffic and measures of simulated AODV scenarios.

use std::time::Duration;

use everypath_model::{Flow, LinkModel, NodeId, Parameters, Rhythm, Scenario, SimulationSetup};

use super::{Aodv, Command, setting::NODES_MAX};

/// The flows of data, and the loss of links.
pub(super) struct Traffic {
    nodes: usize,
    flows: usize,
    interval: Duration,
    begin: Duration,
    loss_rate: f64,
    payload: usize,
}

/// The size of a packet's payload, in bytes.
pub(super) fn payload(parameters: &mut Parameters) -> usize {
    let about = "the payload of a packet of data in bytes, in a simulation";
    parameters.number("payload", 512, 0..=65_000, about)
}

/// The traffic of the parameters: the first nodes send to the last ones.
pub(super) fn simulated(parameters: &mut Parameters, nodes: usize) -> Traffic {
    let flows = parameters.number(
        "flows",
        1,
        1..=NODES_MAX / 2,
        "how many nodes send packets in a simulation: node 0 to the last, node 1 to the last but one, and so on",
    );
    if flows > nodes / 2 {
        let reason = format!("{nodes} nodes have at most {} such pairs; give fewer", nodes / 2);
        parameters.reject("flows", reason);
    }
    let interval = parameters.duration(
        "interval",
        Duration::from_millis(250),
        "how often each of them sends a packet, in a simulation",
    );
    // Not at the very end of a run, where packets have no time to arrive.
    let begin = Duration::from_millis(5100);
    let begin = parameters.duration("begin", begin, "when they begin to send, in a simulation");
    if interval.is_zero() {
        parameters.reject("interval", "packets would be sent endlessly; give more than 0s");
    }
    let loss_rate = parameters.number(
        "loss-rate",
        0.0,
        0.0..=1.0,
        "the share of packets that simulated links lose",
    );
    let payload = payload(parameters);
    Traffic { nodes, flows, interval, begin, loss_rate, payload }
}

impl Traffic {
    /// The scenario with this traffic and its measures.
    pub(super) fn measured_in(self, mut scenario: Scenario<Aodv>) -> Scenario<Aodv> {
        let link = LinkModel::default().loss(self.loss_rate);
        let every = Some(self.interval).filter(|every| !every.is_zero());
        let flow = |source| {
            let (from, to) = (NodeId::from(source), NodeId::from(self.nodes - 1 - source));
            Flow::new(from, to, self.begin).rhythm(Rhythm::from(every))
        };
        let flows = (0..self.flows.min(self.nodes / 2)).map(flow);
        scenario.protocol.payload_bytes = self.payload;
        scenario.simulation(|run| {
            let run = run.link(link).duration(Duration::from_secs(60));
            measured(flows.fold(run, SimulationSetup::flow))
        })
    }
}

/// Counters of transmissions that find and keep routes; a broadcast counts once.
const CONTROL: [&str; 5] = [
    "RREQ transmissions",
    "RREP transmissions",
    "RERR transmissions",
    "RREP-ACK transmissions",
    "HELLO transmissions",
];

/// The simulation, with its command to send data and its measures.
pub(super) fn measured(run: SimulationSetup<Aodv>) -> SimulationSetup<Aodv> {
    run.data_command(Command::Send)
        .measure("delivery ratio", "", |run| {
            run.count("data delivered") as f64 / run.count("data sent") as f64
        })
        .measure("delay", "s", |run| run.mean("delay"))
        .measure("throughput", "bit/s", |run| {
            run.count("bytes delivered") as f64 * 8.0 / run.elapsed_s()
        })
        .measure("hops", "", |run| run.mean("hops"))
        .measure("hops beyond the shortest", "", |run| run.mean("hops beyond the shortest"))
        .measure("normalised routing load", "", |run| {
            let control: u64 = CONTROL.iter().map(|name| run.count(name)).sum();
            control as f64 / run.count("data delivered") as f64
        })
        .measure_count("RREQ transmissions")
        .measure_count("RREP transmissions")
        .measure_count("RERR transmissions")
        .measure("data given up", "", |run| {
            (run.count("data dropped") + run.count("data without a route")) as f64
        })
}
