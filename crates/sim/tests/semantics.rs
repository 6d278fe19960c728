//! Promises of a simulation besides numbers: order, timers, determinism, errors, limits.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use everypath_model::{
    Audience, Bursts, Decisions, Event, LinkModel, Loss, NetworkKind, Never, Node, NodeId, Packet,
    Protocol, Readings, Scenario, ScenarioError, Start, Topology,
};
use everypath_sim::{
    Ending, Fate, Limits, Log, Observer, Run, SimError, Simulation, StartFrom, TimedEvent, play,
    replicate,
};

/// A node that follows orders.
struct Puppet;

#[everypath_model::data]
enum Order {
    Send(u32, u32),
    SendWithin(u32, u32, u64),
    Broadcast(u32),
    BroadcastWithin(u32, u64),
    Left(char),
    Set(char, u64),
    Cancel(char),
    Begin(u64),
    End(u64),
    Level(i32),
    Choose(u32),
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[allow(clippy::cast_possible_truncation)]
impl Protocol for Puppet {
    /// What happened, in order.
    type State = Vec<String>;
    type Message = u32;
    type Timer = char;
    type Command = Order;

    fn start(&self, _: &mut Start<'_, Self>) -> Vec<String> {
        Vec::new()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &u32) {
        node.count("received");
        node.state.push(format!("message {message}"));
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &char) {
        node.state.push(format!("timer {timer}"));
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Order) {
        node.state.push(format!("{command:?}"));
        match *command {
            Order::Send(to, message) => node.send(NodeId(to), message),
            Order::SendWithin(to, message, within) => {
                node.send_within(NodeId(to), message, ms(within));
            }
            Order::Broadcast(message) => node.broadcast(message),
            Order::BroadcastWithin(message, within) => node.broadcast_within(message, ms(within)),
            Order::Left(timer) => node.state.push(format!("{:?}", node.time_left(&timer))),
            Order::Set(timer, after) => node.set_timer(timer, ms(after)),
            Order::Cancel(timer) => node.cancel_timer(&timer),
            Order::Begin(key) => node.begin("span", key),
            Order::End(key) => node.end("span", key),
            Order::Level(value) => node.level("level", f64::from(value)),
            Order::Choose(options) => {
                let chosen = node.choose(options).to_string();
                node.state.push(chosen);
            }
        }
    }
}

/// Links that take 1 ms and nothing else.
fn puppets(nodes: usize) -> Scenario<Puppet> {
    let link = LinkModel::default().bandwidth_bps(None);
    Scenario::new(Puppet, Topology::full_mesh(nodes))
        .simulation(|run| run.link(link).duration(Duration::from_secs(1)))
}

fn ordered(scenario: Scenario<Puppet>, orders: &[(u64, u32, Order)]) -> Scenario<Puppet> {
    orders.iter().fold(scenario, |scenario, (at, node, order)| {
        scenario.simulation(|run| run.job(NodeId(*node), order.clone(), ms(*at), None))
    })
}

fn finished<P: Protocol>(scenario: &Scenario<P>) -> Run {
    let simulation = Simulation::new(scenario, 1, 0).unwrap();
    simulation.run(&Limits::default()).unwrap()
}

#[test]
fn at_one_moment_deliveries_then_timers_then_commands_then_insertion() {
    let scenario = ordered(
        puppets(2),
        &[
            (10, 0, Order::Cancel('x')),
            (10, 0, Order::Cancel('y')),
            (5, 0, Order::Set('b', 5)),
            (6, 0, Order::Set('a', 4)),
            (9, 1, Order::Send(0, 1)),
            (9, 1, Order::Send(0, 2)),
        ],
    );
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(ms(20)).unwrap();
    let expected = [
        "Set('b', 5)",
        "Set('a', 4)",
        "message 1",
        "message 2",
        "timer b",
        "timer a",
        "Cancel('x')",
        "Cancel('y')",
    ];
    assert_eq!(simulation.state(NodeId(0)), &expected);
    assert_eq!(simulation.now(), ms(20));
    assert_eq!(simulation.events(), 10);
}

#[test]
fn timers_fire_once_when_last_set_and_not_when_cancelled() {
    let scenario = ordered(
        puppets(1),
        &[
            (0, 0, Order::Set('a', 10)),
            (5, 0, Order::Set('a', 10)),
            (0, 0, Order::Set('b', 50)),
            (1, 0, Order::Set('b', 2)),
            (0, 0, Order::Set('c', 8)),
            (7, 0, Order::Cancel('c')),
            (20, 0, Order::Set('d', 10)),
            (21, 0, Order::Cancel('d')),
            (22, 0, Order::Set('d', 10)),
            (30, 0, Order::Cancel('a')),
        ],
    );
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    let mut fired = Vec::new();
    while simulation.step().unwrap() {
        let latest = simulation.state(NodeId(0)).last().unwrap();
        if let Some(timer) = latest.strip_prefix("timer ") {
            fired.push((simulation.now().as_millis(), timer.to_owned()));
        }
    }
    let expected = [(3, "b"), (15, "a"), (32, "d")];
    assert_eq!(fired, expected.map(|(at, timer)| (at, timer.to_owned())));
    // Entries that are left behind are no events and do not move the clock.
    assert_eq!(simulation.events(), 10 + 3);
    assert_eq!(simulation.now(), ms(32));
}

#[test]
fn a_full_queue_drops_the_newest() {
    // 64 bytes at 512 kbit/s: 1 ms each. Two wait, one is being sent.
    let link = LinkModel::default().bandwidth_bps(512_000).delay(ms(100)).queue(2);
    let mut orders: Vec<_> = (0..5).map(|i| (10, 0, Order::Send(1, i))).collect();
    orders.extend([
        (11, 0, Order::Send(1, 10)),
        (11, 0, Order::Send(1, 11)),
        (20, 0, Order::Send(1, 20)),
    ]);
    let scenario = ordered(puppets(2).simulation(|run| run.link(link)), &orders);
    let run = finished(&scenario);
    assert_eq!((run.packets.sent, run.packets.dropped), (8, 3));
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    let mut arrived = Vec::new();
    while simulation.step().unwrap() {
        let seen = simulation.state(NodeId(1));
        if seen.len() > arrived.len() {
            arrived.push(format!("{} {}", simulation.now().as_millis(), seen[arrived.len()]));
        }
    }
    let expected =
        ["111 message 0", "112 message 1", "113 message 2", "114 message 10", "121 message 20"];
    assert_eq!(arrived, expected);
}

#[test]
fn directions_are_independent_and_links_can_differ() {
    let mut scenario = ordered(puppets(2), &[(0, 0, Order::Send(1, 1)), (0, 1, Order::Send(0, 2))]);
    let slow = scenario.simulation.link.delay(ms(40));
    scenario.simulation.links.push(((NodeId(0), NodeId(1)), slow));
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(ms(1)).unwrap();
    assert_eq!(simulation.state(NodeId(0)).last().unwrap(), "message 2");
    simulation.run_until(ms(39)).unwrap();
    assert_eq!(simulation.world().packets().count(), 1);
    simulation.run_until(ms(40)).unwrap();
    assert_eq!(simulation.state(NodeId(1)).last().unwrap(), "message 1");
}

#[test]
fn jobs_are_repeated_up_to_the_very_end() {
    let scenario = puppets(3).simulation(|run| {
        run.job(NodeId(1), Order::Broadcast(7), ms(100), Some(ms(300))).measure(
            "received",
            "",
            |run| f64::from(u32::try_from(run.count("received")).unwrap()),
        )
    });
    let run = finished(&scenario);
    // At 100, 400, 700 and 1000 ms; the last two copies are still on their way.
    assert_eq!(run.packets.sent, 8);
    assert_eq!(run.packets.in_flight(), 2);
    assert_eq!((run.events, run.measure("received")), (10, Some(6.0)));
    assert_eq!((run.elapsed, run.ending), (ms(1000), Ending::Finished));
}

#[test]
fn durations_are_measured_across_nodes() {
    let scenario = ordered(
        puppets(2),
        &[
            (10, 0, Order::Begin(1)),
            (20, 0, Order::Begin(2)),
            (60, 1, Order::End(1)),
            (61, 1, Order::End(1)),
            (80, 1, Order::End(2)),
            (90, 0, Order::Begin(3)),
        ],
    );
    let run = finished(&scenario);
    let span = run.distribution("span").unwrap();
    assert_eq!((span.count(), span.min(), span.max()), (2, 0.05, 0.06));
    let matching = run.matching("span").unwrap();
    assert_eq!((matching.unmatched_ends, matching.open), (1, 1));
    assert_eq!(run.mean("span"), span.mean());
}

#[test]
fn levels_are_averaged_over_time() {
    let scenario = ordered(puppets(1), &[(200, 0, Order::Level(8)), (400, 0, Order::Level(0))]);
    let run = finished(&scenario);
    let level = run.series("level").unwrap();
    assert!((level.mean() - 2.0).abs() < 1e-12);
    assert_eq!((level.min(), level.max(), level.last()), (0.0, 8.0, 0.0));
    assert_eq!(run.mean("level"), level.mean());
    assert!(run.mean("nothing").is_nan());
    assert_eq!(run.count("nothing"), 0);
}

/// What becomes of the packets from node 0 to node 1.
#[derive(Default)]
struct Losses(Vec<bool>);

impl<P: Protocol> Observer<P> for Losses {
    fn packet(
        &mut self,
        _: Duration,
        _: u64,
        packet: everypath_model::Packet<'_, P>,
        _: usize,
        fate: Fate,
    ) {
        if (packet.from, packet.to) == (NodeId(0), NodeId(1)) {
            self.0.push(fate == Fate::Lost);
        }
    }
}

fn losses(nodes: usize, seed: u64, replication: u32) -> Vec<bool> {
    let link = LinkModel::default().loss(0.5);
    let scenario = puppets(nodes).simulation(|run| {
        run.link(link)
            .job(NodeId(0), Order::Broadcast(0), ms(1), Some(ms(2)))
            .job(NodeId(1), Order::Broadcast(0), ms(0), Some(ms(3)))
            .job(NodeId(1), Order::Choose(9), ms(0), Some(ms(3)))
    });
    let mut observer = Losses::default();
    let simulation = Simulation::observed(&scenario, seed, replication, &mut observer).unwrap();
    simulation.run(&Limits::default()).unwrap();
    observer.0
}

#[test]
fn a_stream_depends_on_seed_replication_and_purpose_alone() {
    let pair = losses(2, 7, 0);
    assert_eq!(pair.len(), 500);
    assert_eq!(pair, losses(2, 7, 0));
    assert_eq!(pair, losses(5, 7, 0), "other nodes do not matter");
    assert_ne!(pair, losses(2, 7, 1));
    assert_ne!(pair, losses(2, 8, 0));
}

#[test]
fn losses_are_the_same_on_every_machine() {
    let first: String =
        losses(2, 7, 0)[..32].iter().map(|&lost| if lost { 'x' } else { '.' }).collect();
    assert_eq!(first, "....xxx.xxxx......xxxxxxx...x..x");
}

fn log(seed: u64, replication: u32) -> String {
    let link = LinkModel::default().loss(0.3).bandwidth_bps(400_000).queue(0);
    let scenario = ordered(
        puppets(3).simulation(|run| run.link(link)),
        &[
            (1, 0, Order::Broadcast(1)),
            (2, 0, Order::Send(1, 2)),
            (3, 1, Order::Set('t', 4)),
            (4, 2, Order::Choose(1000)),
        ],
    );
    let mut log = Log::new(Vec::new());
    let simulation = Simulation::observed(&scenario, seed, replication, &mut log).unwrap();
    simulation.run(&Limits::default()).unwrap();
    String::from_utf8(log.finish().unwrap()).unwrap()
}

#[test]
fn the_log_tells_the_run() {
    let expected = "
   0.000000000 n0   start
   0.000000000 n1   start
   0.000000000 n2   start
   0.001000000 n0   command  Broadcast(1)
   0.001000000 n0   send     1 to n1, 64 B
   0.001000000 n0   lose     1 to n2, 64 B
   0.002000000 n0   command  Send(1, 2)
   0.002000000 n0   drop     2 to n1, 64 B
   0.003000000 n1   command  Set('t', 4)
   0.003280000 n1   deliver  1 from n0
   0.004000000 n2   command  Choose(1000)
   0.007000000 n1   timer    't'
";
    assert_eq!(log(5, 0), expected[1..]);
    assert_eq!(log(5, 0), log(5, 0));
}

/// Panics on command.
struct Faulty(&'static str);

impl Protocol for Faulty {
    type State = ();
    type Message = u32;
    type Timer = u8;
    type Command = u32;

    fn start(&self, node: &mut Start<'_, Self>) {
        assert!(self.0 != "start" || node.id != NodeId(1), "cannot start");
        if node.id == NodeId(0) && self.0 == "send" {
            node.send(NodeId(2), 5);
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, number: &u32) {
        node.send(NodeId(1), *number);
        node.set_timer(3, ms(5));
        if self.0 == "choose" {
            node.choose(0);
        }
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, n: &u32) {
        assert!(self.0 != "message", "{n} is too many");
    }
}

fn failure(fault: &'static str) -> SimError {
    let scenario = Scenario::new(Faulty(fault), Topology::chain(3)).simulation(|run| {
        run.job(NodeId(0), 9, ms(1), None).link(LinkModel::default().bandwidth_bps(None))
    });
    match Simulation::new(&scenario, 1, 4) {
        Err(error) => error,
        Ok(simulation) => simulation.run(&Limits::default()).unwrap_err(),
    }
}

#[test]
fn panics_of_handlers_are_reported() {
    let expected = [
        ("start", 0, 1, "start", "cannot start, at "),
        (
            "send",
            0,
            0,
            "start",
            "n0 sends 5 to n2, which is not its neighbour; its neighbours are n1, at ",
        ),
        ("message", 2, 1, "deliver 9 from n0", "9 is too many, at "),
        ("choose", 1, 0, "command 9", "n0 chooses among no options, at "),
        (
            "timer",
            6,
            0,
            "timer 3",
            "timer 3 fired at n0, but the protocol has no `on_timer` handler, at ",
        ),
    ];
    for (fault, at, at_node, during, said) in expected {
        let SimError::HandlerPanicked { replication, time, node, event, message } = failure(fault)
        else {
            panic!("{fault}: another error");
        };
        assert_eq!((replication, time, node), (4, ms(at), NodeId(at_node)));
        assert_eq!(event, during, "{fault}");
        assert!(message.starts_with(said), "{fault}: {message}");
        // The mistake is where it is made. That a handler is missing is said by the one that is there instead.
        assert_eq!(message.contains("semantics.rs:"), fault != "timer", "{message}");
    }
}

#[test]
fn after_a_panic_the_simulation_stands_still() {
    let scenario = Scenario::new(Faulty("message"), Topology::chain(3))
        .simulation(|run| run.job(NodeId(0), 9, ms(1), None));
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    let error = simulation.run_until(ms(100)).unwrap_err();
    assert_eq!(simulation.step().unwrap_err(), error);
    assert!(
        error
            .to_string()
            .contains("the handler of n1 for `deliver 9 from n0` panicked: 9 is too many")
    );
}

#[test]
fn a_measure_that_panics_is_named() {
    let scenario = puppets(1).simulation(|run| run.measure("ratio", "", |_| panic!("no data")));
    let error = Simulation::new(&scenario, 1, 0).unwrap().run(&Limits::default()).unwrap_err();
    assert!(
        matches!(&error, SimError::MeasurePanicked { name, message } if name == "ratio" && message.starts_with("no data"))
    );
}

#[test]
fn a_scenario_that_cannot_be_run_is_refused() {
    let result = Simulation::new(&puppets(0), 1, 0).map(|_| ());
    assert_eq!(result, Err(SimError::Scenario(ScenarioError::NoNodes)));
}

#[test]
fn losses_without_sense_are_refused() {
    let bursts = |good_loss, bad_loss, to_bad, to_good| {
        Loss::Bursts(Bursts { good_loss, bad_loss, to_bad, to_good })
    };
    let none = |text: &str| ScenarioError::Loss(text.to_owned());
    for (loss, expected) in [
        (Loss::Independent(1.5), none("1.5")),
        (Loss::Independent(f64::NAN), none("NaN")),
        (bursts(0.0, 1.0, -0.1, 0.5), none("-0.1")),
        (bursts(0.0, 2.0, 0.1, 0.5), none("2")),
        (bursts(0.0, 1.0, 0.0, 0.0), ScenarioError::Stuck),
        // Nine of ten packets cannot be lost one at a time.
        (Loss::in_bursts(0.9, 1.0), none(&(0.9 / (1.0 - 0.9)).to_string())),
    ] {
        let scenario = puppets(2).simulation(|run| run.link(LinkModel::default().loss(loss)));
        let result = Simulation::new(&scenario, 1, 0).map(|_| ());
        assert_eq!(result, Err(SimError::Scenario(expected)), "{loss:?}");
    }
}

/// Sends one message round and round, so that there is always a next event.
struct Endless;

impl Protocol for Endless {
    type State = ();
    type Message = ();
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) {
        if node.id == NodeId(0) {
            node.broadcast(());
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, (): &()) {
        node.send(from, ());
    }
}

/// Raises a flag after a number of events.
struct Raise<'a>(u64, &'a AtomicBool);

impl<P: Protocol> Observer<P> for Raise<'_> {
    fn event(&mut self, _: Duration, _: &Event<'_, P>, _: Option<u64>) {
        self.0 = self.0.saturating_sub(1);
        self.1.store(self.0 == 0, Ordering::Relaxed);
    }
}

#[test]
fn a_run_can_be_stopped() {
    let scenario =
        Scenario::new(Endless, Topology::chain(2)).simulation(|run| run.duration(Duration::MAX));
    let flag = AtomicBool::new(false);
    let limits = Limits::default().stop(Some(&flag));
    let simulation = Simulation::observed(&scenario, 1, 0, Raise(100_000, &flag)).unwrap();
    let run = simulation.run(&limits).unwrap();
    assert_eq!(run.ending, Ending::Stopped);
    assert!((100_000..110_000).contains(&run.events));
    assert_eq!(
        u128::from(run.events) * 1_051_200,
        run.elapsed.as_nanos(),
        "the clock is at the last event"
    );
}

#[test]
fn events_can_be_limited() {
    let scenario =
        Scenario::new(Endless, Topology::chain(2)).simulation(|run| run.duration(ms(100)));
    let run = |events| {
        let limits = Limits::default().events(events);
        let run = Simulation::new(&scenario, 1, 0).unwrap().run(&limits);
        let run = run.unwrap();
        (run.events, run.ending)
    };
    assert_eq!(run(0), (0, Ending::EventLimit));
    assert_eq!(run(94), (94, Ending::EventLimit));
    assert_eq!(run(95), (95, Ending::Finished));
    assert_eq!(run(96), (95, Ending::Finished));
}

#[test]
fn a_stopped_replication_is_in_no_estimate() {
    let scenario = Scenario::new(Endless, Topology::chain(2)).simulation(|run| {
        run.duration(Duration::from_secs(20)).measure("elapsed", "s", |run| run.elapsed_s())
    });
    let flag = AtomicBool::new(false);
    let limits = Limits::default().stop(Some(&flag));
    // One replication has 19025 events, so this is in the third.
    let replications = replicate(&scenario, 1, 10, &limits, &mut Raise(40_000, &flag)).unwrap();
    assert_eq!((replications.runs.len(), replications.stopped), (2, true));
    assert_eq!(replications.partial.unwrap().ending, Ending::Stopped);
    let elapsed = &replications.measures[0];
    assert_eq!((elapsed.runs, elapsed.mean), (2, 20.0));
    assert_eq!(elapsed.unit, "s");
}

#[test]
fn a_measure_that_is_undefined_in_some_runs_says_so() {
    let lossy = LinkModel::default().loss(0.5);
    let scenario =
        ordered(puppets(2).simulation(|run| run.link(lossy)), &[(0, 0, Order::Send(1, 1))])
            .simulation(|run| {
                run.measure("received, if any", "", |run| match run.count("received") {
                    0 => f64::NAN,
                    _ => 1.0,
                })
            });
    let replications = replicate(&scenario, 1, 20, &Limits::default(), &mut ()).unwrap();
    let [estimate] = &replications.measures[..] else {
        panic!("one measure");
    };
    assert!((1..20).contains(&estimate.undefined), "{estimate:?}");
    assert!(estimate.mean.is_nan());
    // A counter that is missing in a run is 0 there.
    let received = &replications.counters[0];
    assert_eq!(received.mean, 1.0 - f64::from(estimate.undefined) / 20.0, "{received:?}");
}

#[test]
fn a_world_shows_states_timers_and_packets() {
    let scenario = ordered(
        puppets(3),
        &[
            (0, 0, Order::Set('z', 50)),
            (0, 0, Order::Set('a', 80)),
            (0, 0, Order::Set('q', 20)),
            (1, 0, Order::Cancel('q')),
            (2, 1, Order::Send(2, 5)),
            (2, 2, Order::Send(0, 6)),
        ],
    )
    .assert_always("few packets", |world| world.packets().count() < 2);
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(ms(2)).unwrap();
    let world = simulation.world();
    assert_eq!(world.timers(NodeId(0)), ['a', 'z']);
    assert!(world.timers(NodeId(1)).is_empty());
    assert_eq!(world.node(NodeId(1)), &["Send(2, 5)"]);
    let packets: Vec<_> =
        world.packets().map(|packet| (packet.from.0, packet.to.0, *packet.message)).collect();
    assert_eq!(packets, [(1, 2, 5), (2, 0, 6)]);
    let few_packets = &scenario.assertions[0].holds;
    assert!(!few_packets(&simulation.world()));
    simulation.step().unwrap();
    assert!(few_packets(&simulation.world()));
}

struct Restless;

impl Protocol for Restless {
    type State = ();
    type Message = ();
    type Timer = u32;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) {
        node.set_timer(7, ms(2));
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, (): &()) {}

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u32) {
        node.set_timer(*timer, Duration::ZERO);
    }
}

#[test]
fn a_run_in_which_time_stands_still_ends_with_the_culprit() {
    let scenario = Scenario::new(Restless, Topology::chain(1));
    let error = Simulation::new(&scenario, 1, 0).unwrap().run(&Limits::default()).unwrap_err();
    let SimError::HandlerPanicked { time, node, event, message, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((time, node, event.as_str()), (ms(2), NodeId(0), "timer 7"));
    assert!(message.contains("time stands still"), "{message}");
}

/// When each packet arrived, by its message.
#[derive(Default)]
struct Arrivals(Vec<(u32, u32, Duration)>);

impl Observer<Puppet> for Arrivals {
    fn event(&mut self, time: Duration, event: &Event<'_, Puppet>, _: Option<u64>) {
        if let Event::Deliver { node, packet } = event {
            self.0.push((node.0, *packet.message, time));
        }
    }
}

fn arrivals(scenario: &Scenario<Puppet>, seed: u64) -> Vec<(u32, u32, Duration)> {
    let mut simulation = Simulation::observed(scenario, seed, 0, Arrivals::default()).unwrap();
    simulation.run_until(Duration::from_secs(1)).unwrap();
    simulation.observer().0.clone()
}

#[test]
fn what_is_sent_within_a_while_leaves_at_a_random_moment_of_it() {
    let orders: Vec<_> = (0..200).map(|n| (0, 0, Order::SendWithin(1, n, 10))).collect();
    let scenario = ordered(puppets(2), &orders);
    let found = arrivals(&scenario, 1);
    assert_eq!(found.len(), 200);
    assert_eq!(found, arrivals(&scenario, 1), "the same under one seed");
    assert_ne!(found, arrivals(&scenario, 2));
    let delays: Vec<f64> = found.iter().map(|(.., time)| time.as_secs_f64() * 1e3 - 1.0).collect();
    assert!(delays.iter().all(|delay| (0.0..=10.0).contains(delay)), "{delays:?}");
    // The mean of 200 draws is within four standard errors, 4 * 10 / sqrt(12 * 200), of 5.
    let mean = delays.iter().sum::<f64>() / 200.0;
    assert!((mean - 5.0).abs() < 0.82, "{mean}");
}

#[test]
fn the_copies_of_a_broadcast_leave_together_and_are_in_flight_before() {
    let scenario = ordered(puppets(4), &[(0, 0, Order::BroadcastWithin(7, 10))]);
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.world().packets().count(), 3);
    let found = arrivals(&scenario, 1);
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|(.., time)| *time == found[0].2), "{found:?}");
}

#[test]
fn a_handler_can_ask_how_long_a_timer_has_left() {
    let orders = [
        (0, 0, Order::Left('a')),
        (0, 0, Order::Set('a', 50)),
        (20, 0, Order::Left('a')),
        (30, 0, Order::Cancel('a')),
        (40, 0, Order::Left('a')),
    ];
    let scenario = ordered(puppets(2), &orders);
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(ms(100)).unwrap();
    let seen = simulation.state(NodeId(0));
    let answers: Vec<_> =
        seen.iter().filter(|line| line.contains("None") || line.contains("Some")).collect();
    assert_eq!(answers, ["None", "Some(30ms)", "None"]);
}

/// Who receives what a puppet sends: the node whose number was its last level; none before.
fn late(nodes: usize) -> Scenario<Puppet> {
    puppets(nodes).receivers(|seen, _| {
        let last = seen.iter().rev().find_map(|line| line.strip_prefix("Level("));
        last.map(|number| NodeId(number.trim_end_matches(')').parse().unwrap()))
    })
}

#[test]
fn with_late_addressing_a_packet_waits_for_a_receiver_and_follows_it() {
    let orders = [
        (0, 0, Order::Send(3, 10)),  // no node can receive it yet
        (5, 0, Order::Level(1)),     // it goes to node 1, where it is at 6 ms
        (10, 0, Order::Send(3, 11)), // this one would be there at 11 ms
        (10, 0, Order::Level(2)),    // but by then node 2 is the one who can: at 12 ms
    ];
    let scenario = ordered(late(4), &orders);
    assert_eq!(arrivals(&scenario, 1), [(1, 10, ms(6)), (2, 11, ms(12))]);
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(ms(1)).unwrap();
    assert_eq!(simulation.world().packets().count(), 1, "it waits");
    let run = simulation.run(&Limits::default()).unwrap();
    assert_eq!((run.packets.sent, run.packets.delivered, run.packets.in_flight()), (2, 2, 0));
    assert_eq!(run.events, 6, "neither waiting nor being redirected is an event");
}

#[test]
fn with_late_addressing_one_of_several_receives_over_its_own_link() {
    // Nodes that are no neighbours have a link as well, as packets can take it.
    let chain = Scenario::new(Puppet, Topology::chain(3))
        .receivers(|_, _| [NodeId(1), NodeId(2)])
        .simulation(|run| run.link(LinkModel::default().bandwidth_bps(None)));
    let orders: Vec<_> = (0..100).map(|n| (u64::from(n) * 5, 0, Order::Send(1, n))).collect();
    let found = arrivals(&ordered(chain, &orders), 1);
    assert_eq!(found.len(), 100);
    let by_one = found.iter().filter(|(node, ..)| *node == 1).count();
    assert!((30..=70).contains(&by_one), "{by_one} of 100, four standard deviations from half");
}

#[test]
fn late_addressing_to_a_node_that_does_not_exist_is_an_error() {
    let scenario = ordered(puppets(2).receivers(|_, _| [NodeId(9)]), &[(0, 0, Order::Send(1, 1))]);
    let error = Simulation::new(&scenario, 1, 0).unwrap().run(&Limits::default()).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("a packet of n0 can be received by n9, which does not exist"), "{said}");
}

/// The nodes that each broadcast came to; those that came to none are not listed.
fn hearers(scenario: &Scenario<Puppet>) -> BTreeMap<u32, Vec<u32>> {
    let mut heard: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (node, message, _) in arrivals(scenario, 1) {
        heard.entry(message).or_default().push(node);
    }
    heard.values_mut().for_each(|nodes| nodes.sort_unstable());
    heard
}

#[test]
fn each_audience_is_equally_likely() {
    const BROADCASTS: u32 = 2200;
    let orders: Vec<_> =
        (0..BROADCASTS).map(|n| (u64::from(n) % 900, 0, Order::Broadcast(n))).collect();
    let scenario = ordered(puppets(5).audience(Audience::AtMost(2)), &orders);
    let heard = hearers(&scenario);
    let mut times: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for n in 0..BROADCASTS {
        *times.entry(heard.get(&n).cloned().unwrap_or_default()).or_default() += 1;
    }
    assert_eq!(times.len(), 11, "two of four nodes, one, or none: {times:?}");
    let expected = f64::from(BROADCASTS) / 11.0;
    let square = |&found: &u32| (f64::from(found) - expected).powi(2) / expected;
    // With ten degrees of freedom, one seed in a thousand is above.
    let chi_square: f64 = times.values().map(square).sum();
    assert!(chi_square < 29.59, "{chi_square}: {times:?}");
}

/// Losses, choices and moments of sending are drawn as if there were no audience.
#[test]
fn audiences_have_random_numbers_of_their_own() {
    let orders: Vec<_> = (0..200)
        .flat_map(|n| {
            let at = u64::from(n) * 4;
            [(at, 0, Order::BroadcastWithin(n, 3)), (at, 0, Order::Choose(9))]
        })
        .collect();
    let of = |audience: Audience, loss| {
        let link = LinkModel::default().bandwidth_bps(None).loss(loss);
        let scenario = puppets(4).audience(audience).simulation(|run| run.link(link));
        let scenario = ordered(scenario, &orders);
        let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
        simulation.run_until(Duration::from_secs(1)).unwrap();
        let chosen = simulation.state(NodeId(0)).clone();
        (arrivals(&scenario, 1), chosen)
    };
    let everyone = || Audience::one_of(|_, neighbours| vec![neighbours.to_vec()]);
    assert_eq!(of(Audience::All, 0.5), of(everyone(), 0.5));
    let (all, choices) = of(Audience::All, 0.0);
    let (some, same_choices) = of(Audience::AtMost(2), 0.0);
    assert_eq!(choices, same_choices);
    assert!(some.len() < all.len() && some.iter().all(|arrival| all.contains(arrival)));
}

#[test]
fn with_late_addressing_an_audience_is_so_many_packets() {
    let orders = [
        (0, 0, Order::Level(1)),
        (1, 0, Order::Broadcast(7)),
        (2, 0, Order::BroadcastWithin(8, 1)),
    ];
    let came = |size: usize| {
        let audience = Audience::one_of(move |_, neighbours| vec![neighbours[..size].to_vec()]);
        hearers(&ordered(late(4).audience(audience), &orders))
    };
    assert_eq!(came(2), BTreeMap::from([(7, vec![1, 1]), (8, vec![1, 1])]));
    assert!(came(0).is_empty());
}

#[test]
fn audiences_that_make_no_sense_are_refused() {
    let refusal = |scenario: &Scenario<Puppet>| match Simulation::new(scenario, 1, 0) {
        Err(SimError::Scenario(error)) => error.to_string(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is accepted"),
    };
    let of = |audience| puppets(3).audience(audience);
    let larger = "an audience of at most 3 nodes, but no node has more than 2 neighbours; give at most 2, which is any set of neighbours, or `all`";
    assert_eq!(refusal(&of(Audience::AtMost(3))), larger);
    let zero = refusal(&of(Audience::AtMost(0)));
    assert!(zero.starts_with("an audience of at most 0 nodes: no broadcast would ever be heard"));
    let own = refusal(&of(Audience::one_of(|sender, _| vec![vec![sender]])));
    assert!(
        own.starts_with("the scenario lets n0 hear broadcasts of n0, which is not its neighbour")
    );
}

/// A run that is given has mailboxes: a packet more than one holds displaces the oldest, also if it
/// is a duplicate.
#[test]
fn a_run_that_is_given_has_mailboxes() {
    let sent = |message: &'static u32| Packet { from: NodeId(0), to: NodeId(1), message };
    let orders = [Order::Send(1, 7), Order::Send(1, 8), Order::Send(1, 9)];
    let command = |place: usize| Event::Command { node: NodeId(0), command: &orders[place] };
    for (capacity, expected) in [
        (1, vec![vec![7], vec![7], vec![8], vec![9]]),
        (2, vec![vec![7], vec![7; 2], vec![7, 8], vec![8, 9]]),
    ] {
        let scenario = puppets(2).network(NetworkKind::inbox(capacity));
        let events = [command(0), Event::Duplicate { packet: sent(&7) }, command(1), command(2)];
        let timed: Vec<_> = events
            .into_iter()
            .map(|event| TimedEvent { event, decisions: Decisions::default() })
            .collect();
        let mut found = Vec::new();
        play(&scenario, &StartFrom::Start(&[]), &timed, &mut (), |_, world| {
            found.push(world.packets().map(|packet| *packet.message).collect::<Vec<u32>>());
        })
        .unwrap();
        assert!(found[0].is_empty());
        assert_eq!(found[1..], expected, "mailboxes of {capacity}");
    }
}
