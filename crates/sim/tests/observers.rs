//! The scenario's observers in simulations: they see every event of a run, and the nodes before and after it.

use std::time::Duration;

use everypath_model::{
    Downtime, Event, Field, IdealRadio, Mobility, Never, Node, NodeId, Nodes, Outage, Part, Path,
    Position, Protocol, Radio, Scenario, Start, Topology, World, data,
    history::{Counter, CounterAnswer, CounterOperation},
};
use everypath_sim::{Limits, SimError, Simulation, StartFrom, TimedEvent, play};

/// A node counts what it hears, and asks again as long as its timer is set.
struct Echo;

#[data]
struct Again;

impl Protocol for Echo {
    type State = u32;
    type Message = u8;
    type Timer = Again;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.set_timer(Again, Duration::from_millis(100));
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, hops: &u8) {
        *node.state += 1;
        if *hops < 3 {
            node.send(from, hops + 1);
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Again) {
        node.broadcast(0);
        if *node.state < 12 {
            node.set_timer(Again, Duration::from_millis(100));
        }
    }
}

/// How many events there were, how many of them changed a node or its timers, and by how much in all.
#[data]
#[derive(Default)]
struct Seen {
    events: u64,
    changes: u64,
    sum: u32,
    /// The node states after the last event.
    last: Vec<u32>,
}

fn observed(topology: Topology) -> Scenario<Echo> {
    Scenario::new(Echo, topology).observer("seen", Seen::default(), |seen, step| {
        let states = |nodes: &Nodes<'_, Echo>| -> Vec<u32> {
            nodes.nodes().map(|(_, &state)| state).collect()
        };
        let (before, after) = (states(&step.before), states(&step.after));
        // What was after the last event is what is before this one.
        assert!(seen.events == 0 || seen.last == before);
        let node = step.event.node();
        let timers = |nodes: &Nodes<'_, Echo>| nodes.timers(node).len();
        let is_timer = matches!(step.event, Event::Timer { .. });
        assert!(!is_timer || timers(&step.before) == 1, "a timer was set before it fired");
        seen.events += 1;
        seen.changes += u64::from(before != after || timers(&step.before) != timers(&step.after));
        seen.sum += after.iter().sum::<u32>() - before.iter().sum::<u32>();
        seen.last = after;
    })
}

#[test]
fn every_event_is_seen() -> Result<(), SimError> {
    let at = |x| Path::at(Position::on_ground(x, 0.0));
    let near = Mobility::Paths([0.0, 100.0, 200.0].map(at).to_vec());
    let field = Field::new(near, Radio::Ideal(IdealRadio::default()));
    for (topology, field) in [
        (Topology::chain(2), None),
        (Topology::full_mesh(4), None),
        (Topology::full_mesh(3), Some(field)),
    ] {
        let scenario = observed(topology).simulation(|run| {
            let run = run.duration(Duration::from_secs(5));
            match field {
                Some(field) => run.field(field),
                None => run,
            }
        });
        let mut run = Simulation::new(&scenario, 3, 0)?;
        run.run_until(Duration::from_secs(2))?;
        let events = run.events();
        let world = run.world();
        let seen = world.memory::<Seen>();
        let heard: u32 = world.nodes().map(|(_, &state)| state).sum();
        assert_eq!((seen.events, seen.sum), (events, heard));
        assert!(0 < seen.changes && seen.changes <= events);
        assert_eq!(seen.last, world.nodes().map(|(_, &state)| state).collect::<Vec<_>>());
    }
    Ok(())
}

#[test]
fn step_assertions_are_watched() -> Result<(), SimError> {
    let limits = Limits::default().violation(true);
    let scenario = |most: u32| {
        observed(Topology::chain(2)).assert_step("few greetings are heard", move |step| {
            step.after.nodes().all(|(_, &heard)| heard <= most)
        })
    };
    let (few, many) = (scenario(3), scenario(1000));
    let violation = Simulation::new(&few, 1, 0)?.run(&limits)?.violation;
    assert_eq!(violation.expect("they hear more").assertion, "few greetings are heard");
    assert!(Simulation::new(&many, 1, 0)?.run(&limits)?.violation.is_none());
    Ok(())
}

/// All greetings that are heard are numbered, as long as they are few.
#[test]
fn histories_are_watched() -> Result<(), SimError> {
    let limits = Limits::default().violation(true);
    let scenario = |most: i64| {
        Scenario::new(Echo, Topology::chain(2))
            .history("numbers", Counter(0), move |record, step| {
                let sum = |nodes: &Nodes<'_, Echo>| {
                    nodes.nodes().map(|(_, it)| i64::from(*it)).sum::<i64>()
                };
                if let Event::Deliver { node, .. } = step.event {
                    record.invoke(*node, CounterOperation::Next);
                    record.answer(*node, CounterAnswer::Value(sum(&step.before).min(most)));
                }
            })
            .assert_linearizable("every greeting has a number of its own")
    };
    let (few, many) = (scenario(3), scenario(1000));
    let violation = Simulation::new(&few, 1, 0)?.run(&limits)?.violation;
    assert_eq!(
        violation.expect("two have the same").assertion,
        "every greeting has a number of its own"
    );
    assert!(Simulation::new(&many, 1, 0)?.run(&limits)?.violation.is_none());
    Ok(())
}

/// Links that fail and nodes that reboot are seen as such.
#[test]
fn outages_are_seen() -> Result<(), SimError> {
    #[data]
    struct Kinds(std::collections::BTreeMap<String, u32>);
    let scenario = Scenario::new(Echo, Topology::chain(2))
        .observer("kinds", Kinds(Default::default()), |kinds, step| {
            *kinds.0.entry(step.event.kind().to_string()).or_default() += 1;
        })
        .simulation(|run| {
            let downtime = || Downtime::Given {
                down: Duration::from_millis(150),
                up: Some(Duration::from_millis(450)),
            };
            let parts = [Part::Node(NodeId(0)), Part::Link(NodeId(0), NodeId(1))];
            let outages = parts.map(|part| Outage { part, downtime: downtime() });
            let run = outages.into_iter().fold(run, |run, outage| run.outage(outage));
            run.duration(Duration::from_secs(2))
        });
    let mut run = Simulation::new(&scenario, 1, 0)?;
    run.run_until(Duration::from_secs(1))?;
    let events = run.events();
    let world = run.world();
    let kinds = &world.memory::<Kinds>().0;
    assert_eq!(u64::from(kinds.values().sum::<u32>()), events);
    assert!(kinds["timer"] > 0 && kinds["deliver"] > 0);
    for kind in ["reboot", "link-down", "link-up"] {
        assert_eq!(kinds[kind], 1, "{kind}");
    }
    Ok(())
}

/// A run that is given is observed as well, and a snapshot has what was remembered.
#[test]
fn a_played_run_goes_on_from_what_was_remembered() -> Result<(), SimError> {
    let scenario = observed(Topology::chain(2));
    let mut run = Simulation::new(&scenario, 1, 0)?;
    run.run_until(Duration::from_millis(150))?;
    let before = run.world().memory::<Seen>().events;
    let snapshot = run.snapshot()?;
    assert_eq!(snapshot.world().memory::<Seen>().events, before);
    let timer = TimedEvent {
        event: Event::Timer { node: NodeId(1), timer: &Again },
        decisions: Default::default(),
    };
    let mut after = Vec::new();
    let look = |_: usize, world: &World<'_, Echo>| {
        after.push(world.memory::<Seen>().events);
    };
    play(&scenario, &StartFrom::World(&snapshot), &[timer], &mut (), look).unwrap();
    assert_eq!(after, [before, before + 1]);
    Ok(())
}
