//! Nodes and links that are down for a while.

use crate::validation;

use std::time::Duration;

use everypath_model::{
    Downtime, Energy, Event, EventKind, Field, IdealRadio, LinkModel, Mobility, Node, NodeId,
    Outage, Part, Path, Position, Protocol, Radio, Scenario, SharedRadio, Start, Topology,
};
use everypath_sim::{Estimate, Limits, Log, Observer, Simulation};

/// Tells its neighbours a number when it starts and every 10 ms, and writes down what happens to it.
struct Teller;

impl Protocol for Teller {
    type State = Vec<String>;
    type Message = u32;
    type Timer = u32;
    type Command = u32;

    fn start(&self, node: &mut Start<'_, Self>) -> Vec<String> {
        node.set_timer(0, ms(10));
        vec!["start".to_owned()]
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &Self::State) -> Self::State {
        let [_] = &self.start(node)[..] else { unreachable!() };
        [before, &["restart".to_owned()][..]].concat()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &u32) {
        node.state.push(format!("heard {message}"));
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &u32) {
        node.state.push(format!("{message} came back from {to}"));
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u32) {
        node.state.push(format!("timer {timer}"));
        node.set_timer(timer + 1, ms(10));
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &u32) {
        node.state.push(format!("tell {command}"));
        match command % 10 {
            0 => node.broadcast_within(*command, ms(4)),
            to => node.send(NodeId(to), *command),
        }
    }
}

impl Teller {
    fn message_bytes(&self, _: &u32) -> usize {
        1000
    }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Two nodes on a link that takes 1 ms to send and 1 ms to arrive.
fn pair() -> Scenario<Teller> {
    let link = LinkModel::default().bandwidth_bps(8_000_000);
    Scenario::new(Teller, Topology::chain(2))
        .simulation(|run| run.message_bytes(Teller::message_bytes).link(link).duration(ms(50)))
}

fn given(part: Part, down: u64, up: Option<u64>) -> Outage {
    Outage { part, downtime: Downtime::Given { down: ms(down), up: up.map(ms) } }
}

const NODE_1: Part = Part::Node(NodeId(1));
const LINK: Part = Part::Link(NodeId(1), NodeId(0));

/// What happened to the nodes, and how many packets were sent, delivered, lost.
fn ran(scenario: &Scenario<Teller>) -> (Vec<Vec<String>>, [u64; 3]) {
    let mut simulation = Simulation::new(scenario, 1, 0).unwrap();
    simulation.run_until(scenario.simulation.duration).unwrap();
    let nodes = scenario.topology.nodes();
    let states = nodes.map(|node| simulation.state(node).clone()).collect();
    let packets = simulation.result(everypath_sim::Ending::Finished).unwrap().packets;
    (states, [packets.sent, packets.delivered, packets.lost])
}

#[test]
fn a_node_that_is_down_does_and_hears_nothing() {
    let scenario = pair().simulation(|run| {
        run.outage(given(NODE_1, 12, Some(25)))
            .job(NodeId(1), 0, ms(15), None)
            .job(NodeId(0), 1, ms(9), None)
            .job(NodeId(0), 21, ms(13), None)
            .job(NodeId(0), 31, ms(24), None)
    });
    let (states, packets) = ran(&scenario);
    // Its timer of 20 ms is gone; it counts again from 25 ms on. What arrives at 26 ms is heard.
    assert_eq!(
        states[1],
        ["start", "timer 0", "heard 1", "restart", "heard 31", "timer 0", "timer 1"]
    );
    assert_eq!(packets, [3, 2, 1]);
}

#[test]
fn what_a_node_had_to_send_is_lost_when_it_goes_down() {
    // Three packets of 1 ms each, of which the node goes down in the middle of the third.
    let send = |scenario: Scenario<Teller>, at| {
        scenario.simulation(|run| run.job(NodeId(0), 1, ms(at), None))
    };
    let scenario = send(send(send(pair(), 1), 1), 1).simulation(|run| {
        run.outage(Outage {
            part: Part::Node(NodeId(0)),
            downtime: Downtime::Given { down: Duration::from_micros(3500), up: Some(ms(4)) },
        })
    });
    // After that the link is free at once.
    let (states, packets) = ran(&send(scenario, 5));
    assert_eq!(states[1].iter().filter(|seen| *seen == "heard 1").count(), 3);
    assert_eq!(packets, [4, 3, 1]);
    // The same of what was to leave after a while.
    let scenario = pair().simulation(|run| {
        run.job(NodeId(0), 10, ms(1), None).outage(given(Part::Node(NodeId(0)), 1, Some(2)))
    });
    let (states, packets) = ran(&scenario);
    assert_eq!((states[1].contains(&"heard 10".to_owned()), packets), (false, [0, 0, 0]));
}

#[test]
fn what_is_on_a_link_that_goes_down_comes_back() {
    let scenario = pair().simulation(|run| {
        run.outage(given(LINK, 10, Some(20)))
            .job(NodeId(0), 1, ms(8), None) // Arrives at 10 ms: too late.
            .job(NodeId(0), 11, ms(7), None)
            .job(NodeId(0), 21, ms(19), None)
            .job(NodeId(0), 31, ms(20), None)
    });
    let (states, packets) = ran(&scenario);
    assert_eq!(
        states[1],
        ["start", "heard 11", "timer 0", "timer 1", "heard 31", "timer 2", "timer 3", "timer 4"]
    );
    let back: Vec<_> = states[0].iter().filter(|seen| seen.contains("came back")).collect();
    assert_eq!(back, ["1 came back from n1", "21 came back from n1"]);
    assert_eq!(packets, [4, 2, 2]);
}

#[test]
fn a_node_that_has_been_down_gets_nothing_back() {
    let scenario = pair().simulation(|run| {
        run.job(NodeId(0), 1, ms(8), None).outage(given(LINK, 9, None)).outage(given(
            Part::Node(NodeId(0)),
            9,
            Some(9),
        ))
    });
    let (states, packets) = ran(&scenario);
    assert_eq!(states[0][..3], ["start", "tell 1", "restart"]);
    assert!(!states[0].iter().any(|seen| seen.contains("came back")));
    assert_eq!(packets, [1, 0, 1]);
}

#[test]
fn a_world_knows_who_can_hear_whom() {
    let scenario =
        Scenario::new(Teller, Topology::full_mesh(3)).simulation(|run| {
            run.message_bytes(Teller::message_bytes)
                .outage(given(LINK, 10, Some(20)))
                .outage(given(Part::Node(NodeId(2)), 15, Some(30)))
        });
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    let [a, b, c] = [0, 1, 2].map(NodeId);
    for (time, expected) in [
        (9, [true, true, true]),
        (10, [false, true, true]),
        (15, [false, false, false]),
        (20, [true, false, false]),
        (30, [true, true, true]),
    ] {
        simulation.run_until(ms(time)).unwrap();
        let world = simulation.world();
        let up = [world.is_up(a, b), world.is_up(b, c), world.is_up(c, a)];
        assert_eq!(up, expected, "at {time} ms");
    }
}

#[test]
fn a_log_tells_of_outages() {
    let scenario = pair().simulation(|run| {
        run.duration(ms(9))
            .job(NodeId(0), 1, ms(2), None)
            .outage(given(LINK, 2, Some(3)))
            .outage(given(NODE_1, 4, Some(5)))
    });
    let mut log = Log::new(Vec::new());
    let simulation = Simulation::observed(&scenario, 1, 0, &mut log).unwrap();
    simulation.run(&Limits::default()).unwrap();
    let log = String::from_utf8(log.finish().unwrap()).unwrap();
    assert_eq!(
        log,
        "   0.000000000 n0   start
   0.000000000 n1   start
   0.002000000 n0   link-down link to n1
   0.002000000 n0   command  1
   0.002000000 n0   lose     1 to n1, 1000 B
   0.002000000 n0   undeliverable 1 to n1
   0.003000000 n0   link-up  link to n1
   0.004000000 n1   down
   0.005000000 n1   reboot
"
    );
}

/// On a field: node 1 is near node 0 and node 2.
#[test]
fn on_a_field_no_node_hears_one_that_is_down() {
    let (range, bandwidth_bps) = (150.0, 8_000_000);
    let ideal = Radio::Ideal(IdealRadio::default().range(range).bandwidth_bps(bandwidth_bps));
    let shared = Radio::Shared(SharedRadio::default().range(range).bandwidth_bps(bandwidth_bps));
    check_on_field(ideal, None);
    check_on_field(ideal, Some(Energy::default()));
    check_on_field(shared, None);
}

fn check_on_field(radio: Radio, energy: Option<Energy>) {
    let at = |x| Path::at(Position::on_ground(x, 0.0));
    let mobility = Mobility::Paths(vec![at(0.0), at(100.0), at(200.0)]);
    let field = Field::new(mobility, radio).energy(energy);
    let scenario = Scenario::new(Teller, Topology::full_mesh(3)).simulation(|run| {
        run.message_bytes(Teller::message_bytes)
            .field(field)
            .duration(ms(50))
            .outage(given(Part::Node(NodeId(2)), 10, Some(20)))
            .outage(given(Part::Node(NodeId(0)), 35, None))
            .job(NodeId(1), 0, ms(5), None)
            .job(NodeId(1), 2, ms(12), None)
            .job(NodeId(1), 40, ms(13), None)
            .job(NodeId(1), 12, ms(22), None)
            // Down before it is sent.
            .job(NodeId(0), 1, Duration::from_micros(34_500), None)
    });
    let (states, packets) = ran(&scenario);
    let heard =
        |node: usize| states[node].iter().filter(|it| it.contains("heard")).collect::<Vec<_>>();
    assert_eq!(heard(0), ["heard 0", "heard 40"]);
    assert_eq!(heard(1), [""; 0]);
    assert_eq!(heard(2), ["heard 0", "heard 12"]);
    assert!(states[1].contains(&"2 came back from n2".to_owned()));
    assert_eq!(packets, [5, 4, 1], "{radio:?}");
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(ms(15)).unwrap();
    let world = simulation.world();
    assert!(world.is_up(NodeId(0), NodeId(1)) && !world.is_up(NodeId(1), NodeId(2)));
    if energy.is_some() {
        let run = simulation.run(&Limits::default()).unwrap();
        let off = run.batteries.iter().map(|battery| (battery.off_s * 1e3).round() as u32);
        assert_eq!(off.collect::<Vec<_>>(), [15, 0, 10], "who is down needs no energy");
        assert_eq!(run.first_death_s(), None);
    }
}

/// Sums up for how long node 1 was down.
#[derive(Default)]
struct Watch {
    since: Option<Duration>,
    down: Duration,
}

impl Observer<Teller> for Watch {
    fn down(&mut self, time: Duration, node: NodeId) {
        assert_eq!((node, self.since), (NodeId(1), None));
        self.since = Some(time);
    }

    fn event(&mut self, time: Duration, event: &Event<'_, Teller>, _: Option<u64>) {
        if event.kind() == EventKind::Reboot {
            self.down += time - self.since.take().expect("it was down");
        } else if event.node() == NodeId(1) {
            assert_eq!(self.since, None, "nothing happens at a node that is down");
        }
    }
}

/// A part that works for 1/f and is down for 1/r in the mean works the share r/(f+r) of the time, and, as
/// it works at the start, a little more: the surplus fades with the rate f+r.
#[test]
fn availability_is_the_time_to_failure_over_both_times() {
    let (to_failure, to_repair, elapsed) = (0.5, 0.2, 50.0);
    let downtime = Downtime::Random {
        to_failure: Duration::from_secs_f64(to_failure),
        to_repair: Duration::from_secs_f64(to_repair),
    };
    let scenario = pair().simulation(|run| {
        run.duration(Duration::from_secs_f64(elapsed)).outage(Outage { part: NODE_1, downtime })
    });
    let available = |replication| {
        let mut watch = Watch::default();
        let simulation = Simulation::observed(&scenario, 1, replication, &mut watch).unwrap();
        simulation.run(&Limits::default()).unwrap();
        let end = scenario.simulation.duration;
        let down = watch.down + watch.since.map_or(Duration::ZERO, |since| end - since);
        1.0 - down.as_secs_f64() / elapsed
    };
    let shares: Vec<f64> = (0..200).map(available).collect();
    let estimate = Estimate::of("availability", "", &shares);
    let settled = to_failure / (to_failure + to_repair);
    let fading = (1.0 / to_failure + 1.0 / to_repair) * elapsed;
    let expected = settled + (1.0 - settled) * (1.0 - (-fading).exp()) / fading;
    let what = "outages, 0.5 s to failure, 0.2 s to repair: availability in 50 s";
    validation::against_formula(what, &estimate, expected, 0.01);
}
