//! Links that hold a limited number of packets: what is lost, exactly and on average.

use crate::validation;

use std::time::Duration;

use everypath_model::{
    Capacity, LinkModel, NetworkKind, Never, Node, NodeId, Protocol, Readings, Rhythm, Scenario,
    Start, Topology,
};
use everypath_sim::{Estimate, Fate, Limits, Observer, Simulation, replicate};

/// Node 0 sends the numbers up to the one that it is told to send, at once; the others note what arrives.
struct Burst;

impl Protocol for Burst {
    type State = Vec<u32>;
    type Message = u32;
    type Timer = Never;
    type Command = u32;

    fn start(&self, _: &mut Start<'_, Self>) -> Vec<u32> {
        Vec::new()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, number: &u32) {
        node.state.push(*number);
    }

    fn on_command(&self, node: &mut Node<'_, Self>, many: &u32) {
        (0..*many).for_each(|number| node.broadcast(number));
        (0..*many).for_each(|_| node.count("offered"));
    }
}

const DELAY: Duration = Duration::from_millis(10);

/// One link on which only the delay takes time.
fn burst(capacity: Capacity) -> Scenario<Burst> {
    let link = LinkModel::default().bandwidth_bps(None).delay(DELAY);
    Scenario::new(Burst, Topology::chain(2))
        .network(NetworkKind::FifoPerLink)
        .capacity(capacity)
        .simulation(|run| run.link(link).duration(Duration::from_secs(60)))
}

/// Counts the packets that were dropped, and those that were to arrive.
#[derive(Default)]
struct Fates {
    dropped: u64,
    arrives: u64,
}

impl Observer<Burst> for Fates {
    fn packet(
        &mut self,
        _: Duration,
        _: u64,
        _: everypath_model::Packet<'_, Burst>,
        _: usize,
        fate: Fate,
    ) {
        match fate {
            Fate::Dropped => self.dropped += 1,
            Fate::Arrives(_) => self.arrives += 1,
            Fate::Lost | Fate::Returns(_) => unreachable!("the link loses nothing by itself"),
        }
    }
}

#[test]
fn a_full_link_loses_the_newest_or_the_oldest() {
    for (capacity, arrived, to_arrive) in [
        (Capacity::NewestLost(2), vec![0, 1], 2),
        (Capacity::OldestLost(2), vec![3, 4], 5),
        (Capacity::NewestLost(5), vec![0, 1, 2, 3, 4], 5),
        (Capacity::OldestLost(5), vec![0, 1, 2, 3, 4], 5),
        (Capacity::Unlimited, vec![0, 1, 2, 3, 4], 5),
    ] {
        let scenario =
            burst(capacity).simulation(|run| run.job(NodeId(0), 5, Duration::ZERO, Rhythm::Once));
        let mut fates = Fates::default();
        let mut run = Simulation::observed(&scenario, 1, 0, &mut fates).unwrap();
        run.run_until(DELAY / 2).unwrap();
        // An assertion reads what is on its way, and nothing that was displaced.
        let on_way: Vec<u32> = run.world().packets().map(|packet| *packet.message).collect();
        assert_eq!(on_way, arrived, "{capacity}");
        run.run_until(2 * DELAY).unwrap();
        assert_eq!(run.state(NodeId(1)), &arrived, "{capacity}");
        let packets = run.run(&Limits::default()).unwrap().packets;
        let lost = 5 - arrived.len() as u64;
        assert_eq!((packets.delivered, packets.dropped), (5 - lost, lost), "{capacity}");
        assert_eq!((fates.dropped, fates.arrives), (lost, to_arrive), "{capacity}");
    }
}

/// What has arrived makes room, also at the moment at which the next packet is sent.
#[test]
fn a_packet_that_arrives_makes_room() {
    let jobs = |run: everypath_model::SimulationSetup<Burst>| {
        let run = run.job(NodeId(0), 1, Duration::ZERO, Rhythm::Once);
        let run = run.job(NodeId(0), 1, DELAY - Duration::from_nanos(1), Rhythm::Once);
        run.job(NodeId(0), 1, DELAY, Rhythm::Once)
    };
    let scenario = burst(1.into()).simulation(jobs);
    let run = Simulation::new(&scenario, 1, 0).unwrap().run(&Limits::default()).unwrap();
    assert_eq!((run.packets.delivered, run.packets.dropped), (2, 1));
}

/// The share that a link loses of packets that come at random, `load` of them during its delay.
fn share_lost(capacity: Capacity, load: f64) -> Estimate {
    let mean = DELAY.div_f64(load);
    let scenario = burst(capacity)
        .simulation(|run| run.job(NodeId(0), 1, Duration::ZERO, Rhythm::Poisson(mean)));
    let runs = replicate(&scenario, 1, 20, &Limits::default(), &mut ()).unwrap().runs;
    let shares = runs.iter().map(|run| run.packets.dropped as f64 / run.count("offered") as f64);
    Estimate::of("share lost", "", &shares.collect::<Vec<_>>())
}

/// The probabilities of 0, 1, … arrivals during the delay, without their common factor e^-load.
fn weights(load: f64) -> impl Iterator<Item = f64> {
    (1..).scan(1.0, move |weight, number| {
        let this = *weight;
        *weight *= load / f64::from(number);
        Some(this)
    })
}

/// Where the newest is lost, the link is a loss system with as many servers: Erlang's formula, which holds
/// for any time of service.
#[test]
fn random_packets_find_a_full_link_as_erlang_says() {
    for (most, load) in [(1, 0.5), (3, 2.0), (5, 5.0)] {
        let all: Vec<f64> = weights(load).take(most as usize + 1).collect();
        let expected = all[most as usize] / all.iter().sum::<f64>();
        let what = format!("link of {most}, load {load:.1}, newest lost: share lost");
        let found = share_lost(Capacity::NewestLost(most), load);
        validation::against_formula(&what, &found, expected, 0.05);
    }
}

/// Where the oldest is lost, a packet arrives if fewer than the capacity come during its delay.
#[test]
fn random_packets_are_displaced_by_those_that_follow() {
    for (most, load) in [(1, 0.5), (3, 2.0), (5, 5.0)] {
        let fewer: f64 = weights(load).take(most as usize).sum();
        let expected = 1.0 - fewer * (-load).exp();
        let what = format!("link of {most}, load {load:.1}, oldest lost: share lost");
        let found = share_lost(Capacity::OldestLost(most), load);
        validation::against_formula(&what, &found, expected, 0.05);
    }
}
