//! Scenarios of ARQ, correct and erroneous.

use std::time::Duration;

use everypath_model::{
    Budget, Event, LinkModel, NetworkKind, Parameters, Profile, Scenario, Topology, World,
    component::Host,
};

use super::{
    Arq, Frame, Receiver, ReceivingEnd, Sender, SendingEnd, Sink, SinkState, Source, SourceState,
};
use crate::work::work;

/// Correct stop-and-wait ARQ.
#[must_use]
pub fn arq(parameters: &mut Parameters) -> Scenario<Arq> {
    scenario(parameters, false).about(
        "Stop-and-wait ARQ: no packet is lost, doubled or out of order, whatever the network loses",
    )
}

/// Stop-and-wait ARQ whose sender ignores the number in an acknowledgement.
#[must_use]
pub fn arq_erroneous(parameters: &mut Parameters) -> Scenario<Arq> {
    scenario(parameters, true)
        .about("Stop-and-wait ARQ whose sender ignores the ACK's number: simulates as well as the correct one, and is wrong")
        .version_of("arq")
}

fn scenario(parameters: &mut Parameters, erroneous: bool) -> Scenario<Arq> {
    let thesis = parameters.profile() == Profile::Thesis;
    let network = if thesis { NetworkKind::GlobalList } else { NetworkKind::FifoPerLink };
    let network = parameters.network(
        "network",
        network,
        "the order of delivery; with 1-bit numbers ARQ needs fifo or list",
    );
    let loss = parameters.budget("loss", Budget::Unlimited, "how often the network loses frames");
    let duplication =
        parameters.budget("duplication", Budget::Off, "how often the network duplicates frames");
    let numbered = parameters.flag(
        "numbered",
        !thesis,
        "whether packets are numbered, so that the receiver can check their order",
    );
    let numbers_acks = parameters.flag(
        "numbered-acks",
        true,
        "whether acknowledgements carry the number of the next packet; without it, the sender accepts any",
    );
    let frames = parameters.budget(
        "data-frames",
        Budget::Unlimited,
        "how many data frames the sender sends before it stops, repeated ones included",
    );
    let data_bytes =
        parameters.number("data-bytes", 1000, 1..=65_535, "size of a data frame, in bytes");
    let ack_bytes =
        parameters.number("ack-bytes", 40, 1..=65_535, "size of an acknowledgement, in bytes");
    let bandwidth_bps = parameters.number(
        "bandwidth",
        10_000_000,
        1..=1_000_000_000_000,
        "bandwidth of the simulated link, in bit/s",
    );
    let delay = parameters.duration(
        "delay",
        Duration::from_millis(1),
        "delay of the simulated link, one way",
    );
    let loss_rate = parameters.number(
        "loss-rate",
        0.0,
        0.0..=1.0,
        "the share of frames that the simulated link loses, each way",
    );
    let timeout = parameters.duration(
        "timeout",
        round_trip(data_bytes, ack_bytes, bandwidth_bps, delay) + Duration::from_micros(1),
        "how long the sender waits for an acknowledgement, in a simulation",
    );
    if timeout.is_zero() {
        parameters
            .reject("timeout", "the sender would send endlessly at one moment; give more than 0s");
    }
    let link = LinkModel::default().bandwidth_bps(bandwidth_bps).delay(delay).loss(loss_rate);
    let frame_s = bits(data_bytes) / bandwidth_bps as f64;

    let frames_max = match frames {
        Budget::Off => Some(0),
        Budget::AtMost(most) => Some(most),
        Budget::Unlimited => None,
    };
    let sender = Sender { receiver: Arq::RECEIVER, timeout, ignores_number: erroneous, frames_max };
    let protocol = Arq {
        sender: Host(SendingEnd { source: Source { numbered }, sender }),
        receiver: Host(ReceivingEnd { sink: Sink, receiver: Receiver { numbers_acks } }),
    };
    Scenario::new(protocol, Topology::chain(2))
        .configuration(move |arq| format!("{arq:?}, {data_bytes}, {ack_bytes}"))
        .network(network)
        .loss(loss)
        .duplication(duplication)
        .assume("the sender times out only when no data frame is in flight", |world, event| {
            !matches!(event, Event::Timer { .. }) || !data_in_flight(world)
        })
        .assert_always("the sender is at most two packets ahead of the receiver", |world| {
            ahead(world) <= 2
        })
        .assert_always("packets are delivered in order", |world| sink(world).in_order)
        .ranking("arq-1", ahead)
        .ranking("arq-2", |world| -ahead(world))
        .transport_rankings()
        .max_depth(30)
        .handler_work(work(parameters))
        .simulation(|run| {
            run.link(link)
                .message_bytes(move |_, frame| match frame {
                    Frame::Data { .. } => data_bytes,
                    Frame::Ack { .. } => ack_bytes,
                })
                .duration(Duration::from_secs(60))
                .measure("efficiency", "", move |run| frame_s / run.mean("frame time"))
                .measure("transmissions per packet", "", |run| {
                    run.count("transmissions") as f64 / run.count("delivered") as f64
                })
                .measure("packets delivered", "", |run| run.count("delivered") as f64)
                .measure("packets out of order", "", |run| run.count("out of order") as f64)
        })
}

fn bits(bytes: usize) -> f64 {
    bytes as f64 * 8.0
}

/// The time from the first bit of a data frame to the last bit of its acknowledgement.
fn round_trip(data: usize, ack: usize, bandwidth_bps: u64, delay: Duration) -> Duration {
    Duration::from_secs_f64(bits(data + ack) / bandwidth_bps as f64) + 2 * delay
}

fn source<'a>(world: &World<'a, Arq>) -> &'a SourceState {
    &world.node(Arq::SENDER).sender().expect("node 0 sends").source
}

fn sink<'a>(world: &World<'a, Arq>) -> &'a SinkState {
    &world.node(Arq::RECEIVER).receiver().expect("node 1 receives").sink
}

/// How many packets the sender is ahead of the receiver.
fn ahead(world: &World<'_, Arq>) -> i64 {
    i64::from(source(world).handed_down) - i64::from(sink(world).delivered)
}

fn data_in_flight(world: &World<'_, Arq>) -> bool {
    world.packets().any(|packet| matches!(packet.message, Frame::Data { .. }))
}
