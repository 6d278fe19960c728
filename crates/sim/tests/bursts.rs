//! Links that lose packets in bursts, against the formulas of Gilbert and Elliott.

use crate::validation;

use std::time::Duration;

use everypath_model::{
    Bursts, Event, LinkModel, Loss, Never, Node, NodeId, Protocol, Scenario, Start, Topology,
};
use everypath_sim::{Estimate, Observer, Simulation};

const PACKETS: u32 = 50_000;
const EVERY: Duration = Duration::from_micros(100);

/// Node 0 sends numbers to node 1, one after the other.
struct Stream;

impl Protocol for Stream {
    type State = u32;
    type Message = u32;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        if node.id == NodeId(0) {
            node.set_timer((), EVERY);
        }
        0
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, (): &()) {
        node.send(NodeId(1), *node.state);
        *node.state += 1;
        if *node.state < PACKETS {
            node.set_timer((), EVERY);
        }
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u32) {}
}

/// Which numbers have arrived.
struct Arrived(Vec<bool>);

impl Observer<Stream> for Arrived {
    fn event(&mut self, _: Duration, event: &Event<'_, Stream>, _: Option<u64>) {
        if let Event::Deliver { packet, .. } = event {
            self.0[*packet.message as usize] = true;
        }
    }
}

/// The share of lost packets, and how long a run of losses is on average.
fn observed(loss: Loss) -> (Estimate, Estimate) {
    let link = LinkModel::default().bandwidth_bps(None).loss(loss);
    let scenario = Scenario::new(Stream, Topology::chain(2)).simulation(|run| run.link(link));
    let (mut shares, mut lengths) = (Vec::new(), Vec::new());
    for replication in 0..20 {
        let arrived = Arrived(vec![false; PACKETS as usize]);
        let mut simulation = Simulation::observed(&scenario, 1, replication, arrived).unwrap();
        simulation.run_until(Duration::from_secs(10)).unwrap();
        let arrived = &simulation.observer().0;
        let lost = arrived.iter().filter(|&&it| !it).count() as f64;
        let runs = arrived.chunk_by(|a, b| a == b).filter(|run| !run[0]).count() as f64;
        shares.push(lost / f64::from(PACKETS));
        lengths.push(lost / runs);
    }
    (Estimate::of("share", "", &shares), Estimate::of("length", "", &lengths))
}

#[test]
fn the_mean_loss_is_that_of_the_states_weighed() {
    for (good_loss, bad_loss, to_bad, to_good) in
        [(0.0, 1.0, 0.02, 0.2), (0.01, 0.5, 0.05, 0.1), (0.1, 0.9, 0.5, 0.5), (0.2, 0.0, 1.0, 1.0)]
    {
        let (share, _) = observed(Loss::Bursts(Bursts { good_loss, bad_loss, to_bad, to_good }));
        // The stationary state of two states, and the weighed mean.
        let expected = (to_good * good_loss + to_bad * bad_loss) / (to_bad + to_good);
        let what = format!(
            "Gilbert-Elliott, loss {good_loss:.2} and {bad_loss:.2}, turns {to_bad:.2} and {to_good:.2}: mean loss"
        );
        validation::against_formula(&what, &share, expected, 0.02);
    }
}

#[test]
fn bursts_are_as_long_as_said() {
    for (share, length) in [(0.1, 5.0), (0.3, 2.0), (0.1, 20.0)] {
        let (shares, lengths) = observed(Loss::in_bursts(share, length));
        let what = format!("Gilbert, {share:.2} lost, {length} at a time");
        validation::against_formula(&format!("{what}: mean loss"), &shares, share, 0.06);
        validation::against_formula(&format!("{what}: length of bursts"), &lengths, length, 0.06);
    }
    // Independent losses also come in runs, but in short ones.
    let (_, lengths) = observed(Loss::Independent(0.1));
    validation::against_formula(
        "independent losses, 0.10: length of bursts",
        &lengths,
        1.0 / 0.9,
        0.01,
    );
}
