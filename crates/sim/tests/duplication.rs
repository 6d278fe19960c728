//! Links that duplicate packets: which arrive twice, exactly and on average.

use crate::validation;

use std::time::Duration;

use everypath_model::{
    Capacity, LinkModel, NetworkKind, Never, Node, NodeId, Protocol, Readings, Rhythm, Scenario,
    ScenarioError, Start, Topology,
};
use everypath_sim::{Estimate, Limits, Simulation, replicate};

/// Node 0 sends as many numbers as it is told to; the other notes what arrives.
struct Pair;

impl Protocol for Pair {
    type State = Vec<u32>;
    type Message = u32;
    type Timer = Never;
    type Command = u32;

    fn start(&self, _: &mut Start<'_, Self>) -> Vec<u32> {
        Vec::new()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, number: &u32) {
        node.state.push(*number);
        node.count("arrived");
    }

    fn on_command(&self, node: &mut Node<'_, Self>, many: &u32) {
        for number in 0..*many {
            node.broadcast(number);
            node.count("offered");
        }
    }
}

fn pair(link: LinkModel) -> Scenario<Pair> {
    Scenario::new(Pair, Topology::chain(2))
        .network(NetworkKind::FifoPerLink)
        .simulation(|run| run.link(link.bandwidth_bps(None)).duration(Duration::from_secs(10)))
}

#[test]
fn a_copy_arrives_right_behind_its_packet() {
    let heard = |scenario: Scenario<Pair>| {
        let scenario =
            scenario.simulation(|run| run.job(NodeId(0), 3, Duration::ZERO, Rhythm::Once));
        let mut run = Simulation::new(&scenario, 1, 0).unwrap();
        run.run_until(Duration::from_secs(1)).unwrap();
        let heard = run.state(NodeId(1)).clone();
        let packets = run.run(&Limits::default()).unwrap().packets;
        assert_eq!(packets.sent, packets.delivered + packets.lost + packets.dropped);
        (heard, packets.sent)
    };
    let always = LinkModel::default().duplication(1.0);
    assert_eq!(heard(pair(LinkModel::default())), (vec![0, 1, 2], 3));
    assert_eq!(heard(pair(always)), (vec![0, 0, 1, 1, 2, 2], 6));
    assert_eq!(heard(pair(always.loss(1.0))), (vec![], 3));
    // A copy on a full link is lost, whichever is lost there.
    assert_eq!(heard(pair(always).capacity(3)), (vec![0, 0, 1], 5));
    assert_eq!(heard(pair(always).capacity(Capacity::OldestLost(1))), (vec![2], 6));
}

#[test]
fn as_many_arrive_twice_as_the_probability_says() {
    let (loss, duplication) = (0.2, 0.3);
    let often = Rhythm::Every(Duration::from_millis(1));
    let scenario = pair(LinkModel::default().loss(loss).duplication(duplication))
        .simulation(|run| run.job(NodeId(0), 1, Duration::ZERO, often));
    let runs = replicate(&scenario, 1, 20, &Limits::default(), &mut ()).unwrap().runs;
    let shares = runs.iter().map(|run| run.count("arrived") as f64 / run.count("offered") as f64);
    let found = Estimate::of("arrivals per packet", "", &shares.collect::<Vec<_>>());
    let expected = (1.0 - loss) * (1.0 + duplication);
    let what = "loss 0.2, duplication 0.3: arrivals per packet";
    validation::against_formula(what, &found, expected, 0.01);
}

#[test]
fn what_is_no_probability_is_refused() {
    for wrong in [-0.1, 1.5, f64::NAN] {
        let scenario = pair(LinkModel::default().duplication(wrong));
        let error = ScenarioError::Duplication(wrong.to_string());
        assert_eq!(scenario.validate(), Err(error));
    }
}
