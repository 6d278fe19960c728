//! Warm-up, numbers of runs, and assertions during runs.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use everypath_model::{
    Downtime, Field, IdealRadio, Mobility, Never, Node, NodeId, Outage, Part, Path, Position,
    Protocol, Radio, Readings, Scenario, ScenarioError, Start, Topology, WarmUp,
};
use everypath_sim::{
    Answer, Certainty, Claim, Decision, Ending, Limits, Plan, Precision, Proportion, Question,
    Replications, Run, SequentialTest, SimError, Simulation, replicate,
};

/// A node that throws a die every second from second 1 on, and remembers the throws.
struct Dice;

const SECOND: Duration = Duration::from_secs(1);

impl Protocol for Dice {
    type State = Vec<u32>;
    type Message = Never;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Vec<u32> {
        node.set_timer((), SECOND);
        node.level("throws", 0.0);
        Vec::new()
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &()) {
        let throw = node.choose(6) + 1;
        node.state.push(throw);
        node.set_timer((), SECOND);
        node.count("thrown");
        node.sample("throw", f64::from(node.state[node.state.len() - 1]));
        node.level("throws", node.state.len() as f64);
    }
}

fn dice(seconds: u64) -> Scenario<Dice> {
    Scenario::new(Dice, Topology::chain(1)).simulation(|run| {
        run.duration(Duration::from_secs(seconds))
            .measure("throw", "", |run| run.mean("throw"))
            .measure("median", "", |run| run.quantile("throw", 0.5))
            .measure("rate", "per second", |run| run.count("thrown") as f64 / run.elapsed_s())
            .measure("throws", "", |run| run.mean("throws"))
    })
}

fn run<P: Protocol>(scenario: &Scenario<P>) -> Run {
    Simulation::new(scenario, 1, 0).unwrap().run(&Limits::default()).unwrap()
}

#[test]
fn quantiles_are_readings() {
    let run = run(&dice(999));
    let throws = run.distribution("throw").unwrap();
    assert_eq!(run.measure("median"), Some(throws.quantile(0.5)));
    assert!((run.quantile("throw", 0.95) - 6.0).abs() < 6.0 * 0.004);
    assert!(run.quantile("nothing", 0.5).is_nan());
}

#[test]
fn what_is_measured_before_a_warm_up_is_over_does_not_count() {
    let whole = run(&dice(10));
    assert_eq!(whole.count("thrown"), 10);
    // The throw at the very end of the warm-up counts: those at 4, 5, …, 10 s.
    let settled = run(&dice(10).simulation(|run| run.warm_up(WarmUp::Until(4 * SECOND))));
    assert_eq!(settled.count("thrown"), 7);
    assert_eq!(settled.distribution("throw").unwrap().count(), 7);
    assert_eq!((settled.elapsed, settled.measured_from), (10 * SECOND, 4 * SECOND));
    assert_eq!(settled.measure("rate"), Some(7.0 / 6.0));
    // 4 from second 4 on, 5 from second 5 on, … 9 from second 9 on.
    assert_eq!(settled.measure("throws"), Some(39.0 / 6.0));
    assert_eq!(settled.events, whole.events, "the run itself is the same");
    let moment =
        run(&dice(10).simulation(|run| run.warm_up(WarmUp::Until(Duration::from_nanos(1)))));
    assert_eq!(moment.count("thrown"), 10);
}

#[test]
fn a_warm_up_without_an_end_is_refused() {
    let scenario = dice(10).simulation(|run| run.warm_up(WarmUp::Until(10 * SECOND)));
    let refused = Simulation::new(&scenario, 1, 0).err();
    let (duration, warm_up) = (10 * SECOND, 10 * SECOND);
    let expected = SimError::Scenario(ScenarioError::WarmUp { duration, warm_up });
    assert_eq!(refused, Some(expected));
}

#[test]
fn a_limit_within_a_warm_up_leaves_nothing_measured() {
    let scenario = dice(10).simulation(|run| run.warm_up(WarmUp::Until(8 * SECOND)));
    let limits = Limits::default().events(3);
    let run = Simulation::new(&scenario, 1, 0).unwrap().run(&limits).unwrap();
    assert_eq!((run.ending, run.count("thrown")), (Ending::EventLimit, 0));
    assert_eq!(run.elapsed_s(), 0.0);
}

#[test]
fn mser5_says_how_much_of_each_distribution_is_cut() {
    let run = run(&dice(200).simulation(|run| run.warm_up(WarmUp::Mser5)));
    let [("throw", truncation)] = run.truncations[..] else { panic!("{:?}", run.truncations) };
    let left = run.distribution("throw").unwrap().count();
    assert_eq!(left as usize + truncation.cut, 200);
    // There is no rule for counters.
    assert_eq!(run.count("thrown"), 200);
}

/// Everything in the results of runs.
fn printed(results: &Replications) -> String {
    format!("{results:?}")
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let scenario = dice(50);
    let with = |workers| {
        let plan = Plan { workers, ..Plan::new(7, 30) };
        printed(&plan.replicate(&scenario, |_| ControlFlow::Continue(())).unwrap())
    };
    let one_by_one = replicate(&scenario, 7, 30, &Limits::default(), &mut ()).unwrap();
    for workers in [1, 2, 3, 64] {
        assert_eq!(with(workers), printed(&one_by_one), "{workers} workers");
    }
}

/// Runs until a precision is reached.
fn precisely(
    scenario: &Scenario<Dice>,
    precision: &Precision,
    most: u32,
    workers: u32,
) -> Replications {
    let plan = Plan { workers, ..Plan::new(1, most) };
    plan.replicate(scenario, |runs| {
        if precision.is_reached(runs) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap()
}

#[test]
fn runs_are_added_until_the_precision_is_reached_and_no_further() {
    let scenario = dice(20);
    let precision = Precision { share: 0.02, of: Some("throw".to_owned()) };
    let results = precisely(&scenario, &precision, 1000, 1);
    let runs = results.runs.len();
    assert!((10..200).contains(&runs), "{runs}");
    assert!(results.measure("throw").unwrap().precision() <= 0.02);
    for fewer in Precision::RUNS_MIN as usize..runs {
        assert!(!precision.is_reached(&results.runs[..fewer]), "{fewer} were enough");
    }
    for workers in [2, 5] {
        let others = precisely(&scenario, &precision, 1000, workers);
        assert_eq!(printed(&others), printed(&results), "{workers} workers");
    }
    // A measure without spread is known at once, but for the least number of runs.
    let certain = Precision { share: 0.02, of: Some("rate".to_owned()) };
    assert_eq!(precisely(&scenario, &certain, 1000, 1).runs.len(), 5);
    let all = Precision { share: 0.02, of: None };
    assert!(precisely(&scenario, &all, 1000, 1).runs.len() >= runs);
    let unknown = Precision { share: 0.02, of: Some("luck".to_owned()) };
    assert_eq!(precisely(&scenario, &unknown, 12, 1).runs.len(), 12);
}

/// Violates an assertion if the first throw is a six; another panics if the second is a five.
fn fragile() -> Scenario<Dice> {
    dice(5)
        .assert_always("begins low", |world| {
            world.nodes().all(|(_, throws)| throws.first() != Some(&6))
        })
        .assert_always("goes on without a five", |world| {
            assert_ne!(world.node(NodeId(0)).get(1), Some(&5), "a five");
            true
        })
}

#[test]
fn a_violation_ends_a_run_and_is_reported() {
    let limits = Limits::default().violation(true);
    let scenario = fragile();
    let (mut low, mut five, mut none) = (0, 0, 0);
    for replication in 0..60 {
        let mut whole = Simulation::new(&scenario, 3, replication).unwrap();
        whole.run_until(5 * SECOND).unwrap();
        let throws = whole.state(NodeId(0)).clone();
        let run = Simulation::new(&scenario, 3, replication).unwrap().run(&limits).unwrap();
        let found = run.violation.as_ref().map(|it| (it.assertion.as_str(), it.panic.is_some()));
        let expected = match throws[..2] {
            [6, _] => Some(("begins low", false)),
            [_, 5] => Some(("goes on without a five", true)),
            _ => None,
        };
        assert_eq!(found, expected, "{throws:?}");
        match expected {
            None => none += 1,
            Some((_, panicked)) => {
                assert_eq!(run.ending, Ending::Violated);
                assert_eq!(run.events, if panicked { 2 } else { 1 });
                assert_eq!(run.elapsed, if panicked { 2 * SECOND } else { SECOND });
                if panicked { five += 1 } else { low += 1 }
            }
        }
    }
    assert!(low > 0 && five > 0 && none > 0, "{low} {five} {none}");
}

#[test]
fn the_initial_world_is_asserted_too() {
    let scenario =
        dice(5).assert_always("something was thrown", |world| !world.node(NodeId(0)).is_empty());
    let limits = Limits::default().violation(true);
    let run = Simulation::new(&scenario, 1, 0).unwrap().run(&limits).unwrap();
    assert_eq!((run.ending, run.events), (Ending::Violated, 0));
}

#[test]
fn assertions_read_timers_and_packets_as_they_are_after_each_event() {
    let scenario = dice(5).assert_always("always about to throw", |world| {
        world.timers(NodeId(0)).len() == 1 && world.packets().len() == 0
    });
    let limits = Limits::default().violation(true);
    let run = Simulation::new(&scenario, 1, 0).unwrap().run(&limits).unwrap();
    assert_eq!(run.violation, None);
}

#[test]
fn the_first_violation_in_the_order_of_replications_is_found() {
    let scenario = fragile();
    let limits = Limits::default().violation(true);
    let found = |seed, workers| {
        let plan = Plan { workers, limits, ..Plan::new(seed, 100) };
        plan.replicate(&scenario, |_| ControlFlow::Continue(())).unwrap()
    };
    for seed in 0..5 {
        let first = found(seed, 1);
        let violated = first.violated.as_ref().unwrap();
        assert_eq!(violated.replication as usize, first.runs.len());
        assert_eq!(printed(&found(seed, 3)), printed(&first));
    }
}

/// Panics if it throws a six.
struct Panicking;

impl Protocol for Panicking {
    type State = ();
    type Message = Never;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        let thrown = fx.choose(6);
        assert!(thrown != 5, "{me} throws a six");
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}
}

#[test]
fn the_first_panic_in_the_order_of_replications_is_reported() {
    let scenario = Scenario::new(Panicking, Topology::chain(1));
    let error = |workers| {
        let plan = Plan { workers, ..Plan::new(1, 1000) };
        plan.replicate(&scenario, |_| ControlFlow::Continue(())).unwrap_err()
    };
    let first = error(1);
    assert!(matches!(first, SimError::HandlerPanicked { replication: 1..20, .. }), "{first}");
    for workers in [2, 8] {
        assert_eq!(error(workers), first);
    }
}

#[test]
fn runs_on_several_threads_can_be_stopped() {
    let scenario = dice(1_000_000_000);
    for workers in [1, 2] {
        let stop = AtomicBool::new(false);
        let limits = Limits::default().stop(Some(&stop));
        let plan = Plan { workers, limits, ..Plan::new(1, 10) };
        let results = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                stop.store(true, Ordering::Relaxed);
            });
            plan.replicate(&scenario, |_| ControlFlow::Continue(()))
        });
        let results = results.unwrap();
        assert!(results.stopped && results.runs.is_empty());
        assert_eq!(results.partial.unwrap().replication, 0);
    }
}

#[test]
fn variants_are_compared_under_the_same_random_numbers() {
    // A second longer: the same throws and one more.
    let (short, long) = (dice(20), dice(21));
    let compared = |workers| {
        let plan = Plan { workers, ..Plan::new(1, 25) };
        plan.compare(&short, &long, |_| ()).unwrap()
    };
    let paired = compared(1);
    assert_eq!((paired.runs.len(), paired.stopped), (25, false));
    let throw = &paired.measures[0];
    let alone = |scenario| {
        let results = replicate(scenario, 1, 25, &Limits::default(), &mut ()).unwrap();
        results.measure("throw").unwrap().clone()
    };
    assert_eq!((&throw.first, &throw.second), (&alone(&short), &alone(&long)));
    assert!(throw.difference.covers(0.0));
    // The difference of the means of 20 and of 21 throws varies by 1/20 - 1/21 of a throw's
    // variance, that of independent ones by 1/20 + 1/21: 41 times as much.
    assert!((throw.variance_reduction - (1.0 - 1.0 / 41.0)).abs() < 0.02, "{throw:?}");
    assert_eq!(format!("{:?}", compared(3)), format!("{paired:?}"));
    // What only one of them measures is named.
    let other = dice(20).simulation(|run| run.measure("luck", "", |_| 1.0));
    let paired = Plan::new(1, 2).compare(&short, &other, |_| ()).unwrap();
    assert_eq!((paired.measures.len(), paired.unpaired), (4, vec!["luck".to_owned()]));
}

/// A run is asked whether its one throw is a six, in three ways.
fn six(question: &Question, replications: u32, workers: u32) -> Result<Answer, SimError> {
    let scenario = dice(1).assert_always("no six", |world| !world.node(NodeId(0)).contains(&6));
    let plan = Plan { workers, ..Plan::new(1, replications) };
    plan.ask(&scenario, question, |_| ControlFlow::Continue(()))
}

#[test]
fn a_probability_is_that_of_the_die_however_it_is_asked_for() {
    let violated = six(&Question::Violated, 3000, 1).unwrap();
    let (low, high) = violated.seen.interval();
    assert!((low..high).contains(&(1.0 / 6.0)) && high - low < 0.03, "{violated:?}");
    assert_eq!(violated.seen.runs, 3000);
    for workers in [1, 2] {
        assert_eq!(six(&Question::Violated, 3000, workers).unwrap(), violated);
        assert_eq!(six(&"throw > 5.5".parse().unwrap(), 3000, workers).unwrap(), violated);
    }
    let others = six(&"throw<=5".parse().unwrap(), 3000, 1).unwrap();
    assert_eq!(others.seen.happened, 3000 - violated.seen.happened);
}

#[test]
fn a_panic_violates_and_an_unknown_or_undefined_measure_is_an_error() {
    let scenario = Scenario::new(Panicking, Topology::chain(1));
    let answer =
        Plan::new(1, 600).ask(&scenario, &Question::Violated, |_| ControlFlow::Continue(()));
    let seen = answer.unwrap().seen;
    let (low, high) = seen.interval();
    assert!((low..high).contains(&(1.0 / 6.0)), "{seen:?}");
    let unknown = six(&"luck > 1".parse().unwrap(), 3, 1);
    assert_eq!(unknown, Err(SimError::NoMeasure("luck".to_owned())));
    let undefined = dice(1).simulation(|run| run.measure("luck", "", |_| f64::NAN));
    let question = "luck > 1".parse().unwrap();
    let error = Plan::new(1, 3).ask(&undefined, &question, |_| ControlFlow::Continue(()));
    assert_eq!(error, Err(SimError::Undefined { replication: 0, name: "luck".to_owned() }));
}

#[test]
fn a_test_takes_the_same_runs_with_any_number_of_workers() {
    let scenario = dice(1).assert_always("no six", |world| !world.node(NodeId(0)).contains(&6));
    let tested = |claim, workers| {
        let mut test = SequentialTest::new(claim, Certainty::of(claim)).unwrap();
        let plan = Plan { workers, ..Plan::new(2, 100_000) };
        let answer = plan.ask(&scenario, &Question::Violated, |happened| {
            if test.observe(happened).is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(answer.unwrap().seen, test.seen());
        (test.decision(), test.seen())
    };
    for (claim, expected) in [
        (Claim::AtMost(0.1), Decision::Refuted),
        (Claim::AtMost(0.25), Decision::Accepted),
        (Claim::AtLeast(0.1), Decision::Accepted),
        (Claim::AtLeast(0.25), Decision::Refuted),
    ] {
        let (decision, seen) = tested(claim, 1);
        assert_eq!(decision, Some(expected), "{claim:?}: {seen:?}");
        let Proportion { runs, .. } = seen;
        assert!((10..1000).contains(&runs), "{claim:?}: {runs}");
        assert_eq!(tested(claim, 4), (decision, seen));
    }
}

/// Node 0 sends one message, which is passed on from each node to the next in the order of their numbers.
struct Relay;

impl Protocol for Relay {
    type State = ();
    type Message = u32;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) {
        if node.id == NodeId(0) {
            node.set_timer((), SECOND);
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, (): &()) {
        node.send(NodeId(1), 1);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, hops: &u32) {
        node.route("detour", NodeId(0), *hops);
        if node.neighbours().contains(&NodeId(node.id.0 + 1)) {
            node.send(NodeId(node.id.0 + 1), hops + 1);
        }
    }
}

/// By how much the ways to the nodes after 0 were longer than need be: mean, and how often it was known.
fn detours(scenario: Scenario<Relay>) -> (f64, u64) {
    let run = run(&scenario.simulation(|run| run.duration(2 * SECOND)));
    let detours = run.distribution("detour").unwrap();
    (detours.mean(), detours.count())
}

#[test]
fn ways_are_compared_with_the_shortest_of_the_moment() {
    // Once around a ring of six: 1, 2, 3, 4, 5 hops, where 1, 2, 3, 2, 1 would do.
    assert_eq!(detours(Scenario::new(Relay, Topology::ring(6))), (6.0 / 5.0, 5));
    // With the ring cut between the last and the first, there is no shorter way.
    let cut = |down, one, other| {
        let part = Part::Link(NodeId(one), NodeId(other));
        Outage { part, downtime: Downtime::Given { down, up: None } }
    };
    let ring = Scenario::new(Relay, Topology::ring(6));
    assert_eq!(detours(ring.simulation(|run| run.outage(cut(SECOND / 2, 5, 0)))), (0.0, 5));
    // The message takes 1 ms a hop and more. If the first link fails behind it, those further on are
    // nearer to node 0 the other way round; if both its links do, there is none.
    let behind = SECOND + Duration::from_micros(2500);
    let ring =
        Scenario::new(Relay, Topology::ring(6)).simulation(|run| run.outage(cut(behind, 0, 1)));
    assert_eq!(detours(ring), (6.0 / 5.0, 5));
    let ring = Scenario::new(Relay, Topology::ring(6));
    let ring = ring.simulation(|run| run.outage(cut(behind, 0, 1)).outage(cut(behind, 5, 0)));
    assert_eq!(detours(ring), (0.0, 2));
}

#[test]
fn ways_over_a_field_are_compared_with_the_shortest_of_the_moment() {
    // On a line, 100 m apart: every other node is within range, so half the hops would do.
    let points = (0..7).map(|node| Position::on_ground(100.0 * f64::from(node), 0.0));
    let radio = Radio::Ideal(IdealRadio::default());
    let field = Field::new(Mobility::Paths(points.map(Path::at).collect()), radio);
    let line = Scenario::new(Relay, Topology::unlinked(7)).simulation(|run| run.field(field));
    // 1, 2, …, 6 hops, where 1, 1, 2, 2, 3, 3 would do.
    assert_eq!(detours(line), (9.0 / 6.0, 6));
}
