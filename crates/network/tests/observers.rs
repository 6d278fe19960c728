//! Observers and step assertions against a brute force that carries what they remember along with each world.

use std::collections::HashSet;

use everypath_explore::{
    Described, Ended, Limits, Options, Portable, Progress, Space, StateText, Stop, StoreKind,
    Watch, WriteSearch, explore, resume,
};
use everypath_model::{
    Event, Never, Node, NodeId, Nodes, Protocol, Scenario, ScenarioError, Start, Topology, data,
};
use everypath_network::{NetworkSpace, Reductions, SpaceOptions, Verification};
use proptest::prelude::*;

use crate::{
    brute_force::{Label, Oracle, World},
    table::{Case, Table, case, cases},
};

const DEPTH: usize = 5;
const LEVEL_MAX: usize = 150;

/// A number that depends on every step so far.
#[data]
struct Trail(u32);

impl Trail {
    fn follow(&mut self, kind: &str, node: u32, [before, after]: [u32; 2], timers: usize) {
        self.0 = (3 * self.0 + kind.len() as u32 + node + before + 2 * after + timers as u32) % 7;
    }

    fn is_fine(&self) -> bool {
        self.0 != 6
    }
}

/// The condition of every step.
fn is_step_fine(kind: &str, [before, after]: [u32; 2]) -> bool {
    kind != "timer" || after <= before + 1
}

fn sum(nodes: &Nodes<'_, Table>) -> u32 {
    nodes.nodes().map(|(_, &state)| state).sum()
}

fn observed(case: &Case) -> Scenario<Table> {
    case.scenario()
        .observer("trail", Trail(0), |trail, step| {
            let node = step.event.node();
            let sums = [sum(&step.before), sum(&step.after)];
            trail.follow(step.event.kind().name(), node.0, sums, step.after.timers(node).len());
        })
        .assert_always("the trail is fine", |world| world.memory::<Trail>().is_fine())
        .assert_step("the step is fine", |step| {
            is_step_fine(step.event.kind().name(), [sum(&step.before), sum(&step.after)])
        })
}

/// A world, what is remembered, and whether the last step was fine.
type Remembering = (World, u32, bool);

/// What is remembered after a step; as before, if a handler has failed.
fn remembered((world, trail, held): &Remembering, (label, next): (Label, World)) -> Remembering {
    if next.nodes.contains(&None) {
        return (next, *trail, *held);
    }
    let (node, kind, _) = label;
    let sum = |world: &World| world.nodes.iter().flatten().map(|(state, _)| state).sum();
    let sums = [sum(world), sum(&next)];
    let timers = next.nodes[node as usize].as_ref().map_or(0, |(_, timers)| timers.len());
    let mut after = Trail(*trail);
    after.follow(kind, node, sums, timers);
    (next, after.0, is_step_fine(kind, sums))
}

/// States per depth, events, unsafe events, and the length of the shortest run to a violation.
fn truth(oracle: &Oracle<'_>) -> (Vec<u64>, u64, u64, Option<usize>) {
    let is_safe = |(world, trail, held): &Remembering| {
        let is_broken = world.nodes.contains(&None);
        oracle.verdict(world).is_safe() && (is_broken || Trail(*trail).is_fine() && *held)
    };
    let initial = oracle.initial().into_iter().map(|world| (world, 0, true));
    let (safe, wrong): (Vec<_>, Vec<_>) = initial.partition(is_safe);
    let mut shortest = (!wrong.is_empty()).then_some(0);
    let mut levels: Vec<HashSet<Remembering>> = vec![safe.into_iter().collect()];
    let (mut events, mut unsafe_events) = (0, 0);
    while levels.len() <= DEPTH && levels.last().is_some_and(|level| level.len() <= LEVEL_MAX) {
        let mut next = HashSet::new();
        for state in levels.last().expect("there is a level") {
            for step in oracle.successors(&state.0) {
                let after = remembered(state, step);
                events += 1;
                if !is_safe(&after) {
                    unsafe_events += 1;
                    shortest.get_or_insert(levels.len());
                } else if !levels.iter().any(|level| level.contains(&after)) {
                    next.insert(after);
                }
            }
        }
        levels.push(next);
    }
    (levels.iter().map(|level| level.len() as u64).collect(), events, unsafe_events, shortest)
}

/// Saves a search when it ends early.
struct Keep(Vec<u8>);

impl Watch for Keep {
    fn progress(&mut self, _: &Progress) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        at_end
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        search(&mut self.0).expect("memory can be written");
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn worlds_that_are_remembered_differently_are_different_states(case in case()) {
        let oracle = Oracle::new(&case);
        let (levels, events, unsafe_events, shortest) = truth(&oracle);
        let depth = levels.len() as u32 - 1;
        let mut counts = levels.clone();
        while counts.last() == Some(&0) {
            counts.pop();
        }
        let scenario = observed(&case);
        let options = Options::default().max_depth(depth).stop(Stop::Never);
        let mut space = case.space(&scenario);
        let found = explore(&mut space, &options, &mut ()).unwrap();
        prop_assert_eq!(found.states_per_depth(), counts);
        prop_assert_eq!((found.counts.events, found.counts.unsafe_events), (events, unsafe_events));
        let length = found.finding().map(|finding| finding.trace.steps.len());
        prop_assert_eq!(length, shortest);

        // Nor does it matter how visited states are stored, or where a search was saved.
        let by_print = options.clone().store(StoreKind::Fingerprint);
        let printed = explore(&mut case.space(&scenario), &by_print, &mut ()).unwrap();
        prop_assert_eq!(printed.counts.events, events);
        let few = options.clone().limits(Limits::default().states(levels.iter().sum::<u64>() / 2 + 1));
        let mut kept = Keep(Vec::new());
        let part = explore(&mut case.space(&scenario), &few, &mut kept).unwrap();
        if matches!(part.ended, Ended::Limit(_)) {
            let again = &mut case.space(&scenario);
            let whole = resume(again, &options, &mut (), &mut &kept.0[..]).unwrap();
            prop_assert_eq!(whole.counts.events, events);
            prop_assert_eq!(whole.states_per_depth(), found.states_per_depth());
        }
    }

    /// States can be written and read by another process.
    #[test]
    fn memories_are_a_part_of_portable_states(case in case()) {
        let scenario = observed(&case);
        let (mut one, mut other) = (case.space(&scenario), case.space(&scenario));
        let (mut states, mut steps) = (Vec::new(), Vec::new());
        one.initial(&mut states);
        one.expand(&states, &mut steps);
        for step in &steps {
            let bytes = one.encode(step.target);
            let there = other.decode(&bytes).expect("it is a state of this scenario");
            prop_assert_eq!(other.encode(there), bytes);
            let trail = |text: StateText| text.parts.into_iter().find(|(part, _)| part == "trail");
            prop_assert_eq!(trail(other.state_text(there)), trail(one.state_text(step.target)));
        }
    }
}

/// A node counts what it hears, and answers while that is little.
struct Echo;

impl Protocol for Echo {
    type State = u32;
    type Message = u8;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        if node.id == NodeId(0) {
            node.send(NodeId(1), 0);
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, hops: &u8) {
        *node.state += 1;
        if *hops < 3 {
            node.send(from, hops + 1);
        }
    }
}

/// The nodes that heard something, in order.
#[data]
struct Heard(Vec<NodeId>);

fn echo() -> Scenario<Echo> {
    Scenario::new(Echo, Topology::chain(2)).observer("heard", Heard(Vec::new()), |heard, step| {
        if let Event::Deliver { node, .. } = step.event {
            heard.0.push(*node);
        }
    })
}

#[test]
fn a_run_shows_what_is_remembered() {
    let scenario = echo().assert_always("n0 hears little", |world| {
        world.memory::<Heard>().0.iter().filter(|node| **node == NodeId(0)).count() < 2
    });
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let trace = &found.finding().expect("it hears twice").trace;
    assert_eq!(trace.steps.len(), 4);
    let (before, last) = trace.transitions().last().unwrap();
    let changes = space.state_change(before, last.state);
    assert!(changes.iter().any(|(part, _)| part == "heard"), "{changes:?}");
    let text = space.state_text(last.state);
    let memory = text.parts.iter().find(|(part, _)| part == "heard").unwrap();
    assert!(format!("{:?}", memory.1).contains("[n1, n0, n1, n0]"), "{memory:?}");
}

#[test]
fn a_step_assertion_names_the_step() {
    let scenario = Scenario::new(Echo, Topology::chain(2)).assert_step(
        "hops are few",
        |step| !matches!(step.event, Event::Deliver { packet, .. } if *packet.message == 2),
    );
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let trace = &found.finding().expect("a packet makes three hops").trace;
    assert_eq!(trace.steps.len(), 3);
    // What a step assertion keeps is not shown.
    assert!(space.state_text(trace.initial).parts.iter().all(|(part, _)| part != "hops are few"));
}

#[test]
fn an_observer_that_reads_more_than_the_step_is_a_flaw() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CLOCK: AtomicU32 = AtomicU32::new(0);
    let scenario = Scenario::new(Echo, Topology::chain(2))
        .observer("clock", 0u32, |time, _| *time = CLOCK.fetch_add(1, Ordering::Relaxed));
    let options = SpaceOptions::default().verification(Verification::All);
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    let error = explore(&mut space, &Options::default(), &mut ()).unwrap_err();
    let words = "the observer `clock` answers differently when it is asked again";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn what_would_be_unsound_or_ambiguous_is_refused() {
    let reductions = Reductions::NONE.obsolete(true);
    let options = SpaceOptions::default().reductions(reductions);
    let scenario = echo().obsolete(|_, _| false);
    let refused = NetworkSpace::new(&scenario, options).err().expect("it is refused");
    assert!(refused.to_string().contains("observers and step assertions see every step"));
    let twice = echo().observer("again", Heard(Vec::new()), |_, _| {});
    let same = ScenarioError::SameMemory { one: "heard".to_owned(), other: "again".to_owned() };
    assert_eq!(twice.validate(), Err(same));
}
