//! The network space and the breadth-first search against a brute-force oracle: whole worlds in a
//! hash set, and a successor function written down from the documentation. The oracle interns
//! nothing, remembers nothing and calls no handler; it reads the same table that the handlers
//! follow, so what both agree on is not the code's own opinion of itself.

mod table;

use std::collections::{BTreeSet, HashSet};

use everypath_explore::{
    Ended, EventText, Exploration, Options, Semantics, Space, StateId, Verdict, breadth_first,
    replay,
};
use everypath_model::{Budget, EventKind, NetworkKind, Profile, Scenario, Topology};
use everypath_network::NetworkSpace;
use proptest::prelude::*;
use serde::Deserialize;
use table::{Action, Case, Input, MESSAGES, Program, STATES, Table, case, cases};

/// How deep the oracle looks.
const DEPTH: usize = 6;
/// It looks no deeper once a level has this many worlds.
const LEVEL_MAX: usize = 120;

/// A node: its state and its timers, or nothing if its handler panicked.
type Node = Option<(u32, BTreeSet<u8>)>;

/// From, to, message.
type Packet = (u32, u32, u32);

/// Everything, plainly.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct World {
    nodes: Vec<Node>,
    packets: Vec<Packet>,
    /// Losses, duplications and reboots that are still possible; nothing means any number.
    left: [Option<u32>; 3],
}

/// An event as the space describes it: node, kind and parameters.
type Label = (u32, &'static str, Vec<(String, String)>);

/// One way in which a handler can go on.
struct Branch {
    choices: Vec<u32>,
    /// The next state and what was done; nothing, if it panicked.
    result: Option<(u32, Vec<Deed>)>,
}

#[derive(Clone)]
enum Deed {
    Send(u32, u32),
    Set(u8),
    Cancel(u8),
}

/// The oracle.
struct Oracle<'a> {
    case: &'a Case,
    topology: Topology,
}

impl<'a> Oracle<'a> {
    fn new(case: &'a Case) -> Self {
        Self {
            case,
            topology: case.topology(),
        }
    }

    fn neighbours(&self, node: u32) -> Vec<u32> {
        let node = everypath_model::NodeId(node);
        self.topology
            .neighbours(node)
            .iter()
            .map(|neighbour| neighbour.0)
            .collect()
    }

    /// All ways in which a handler can go on, by the answers to its choices.
    fn branches(&self, node: u32, state: u32, input: Input) -> Vec<Branch> {
        let Program { actions, next } = self.case.table.program(node, state, input);
        let mut branches = Vec::new();
        let mut open = vec![(actions.as_slice(), Vec::new(), Vec::new())];
        while let Some((actions, choices, deeds)) = open.pop() {
            let shift: u32 = choices.iter().sum();
            let Some((action, rest)) = actions.split_first() else {
                let result = Some(((next + shift) % STATES, deeds));
                branches.push(Branch { choices, result });
                continue;
            };
            match action {
                Action::Panic => branches.push(Branch {
                    choices,
                    result: None,
                }),
                Action::Choose { options } => {
                    // The last answer first, since the stack turns the order round.
                    for answer in (0..*options).rev() {
                        let rest = if answer == 0 { &[] } else { rest };
                        open.push((rest, [choices.as_slice(), &[answer]].concat(), deeds.clone()));
                    }
                }
                plain => {
                    let done = self.deeds(node, input, shift, plain);
                    open.push((rest, choices, [deeds, done].concat()));
                }
            }
        }
        branches
    }

    fn deeds(&self, node: u32, input: Input, shift: u32, action: &Action) -> Vec<Deed> {
        let neighbours = self.neighbours(node);
        let shifted = |message: u32| (message + shift) % MESSAGES;
        match (action, input) {
            (Action::Send { neighbour, message }, _) if !neighbours.is_empty() => {
                let to = neighbours[neighbour % neighbours.len()];
                vec![Deed::Send(to, shifted(*message))]
            }
            (Action::Reply { message }, Input::Message { from, .. }) => {
                vec![Deed::Send(from, shifted(*message))]
            }
            (Action::Broadcast { message }, _) => neighbours
                .into_iter()
                .map(|to| Deed::Send(to, shifted(*message)))
                .collect(),
            (Action::Set(timer), _) => vec![Deed::Set(*timer)],
            (Action::Cancel(timer), _) => vec![Deed::Cancel(*timer)],
            _ => Vec::new(),
        }
    }

    /// A node of a world after one branch of a handler.
    fn after(&self, mut world: World, node: u32, timers: BTreeSet<u8>, branch: &Branch) -> World {
        world.nodes[node as usize] = branch.result.as_ref().map(|(state, deeds)| {
            let mut timers = timers;
            for deed in deeds {
                match *deed {
                    Deed::Send(to, message) => world.packets.push((node, to, message)),
                    Deed::Set(timer) => drop(timers.insert(timer)),
                    Deed::Cancel(timer) => drop(timers.remove(&timer)),
                }
            }
            (*state, timers)
        });
        self.canonical(world)
    }

    /// Worlds that are the same in the documented semantics are made equal.
    fn canonical(&self, mut world: World) -> World {
        match self.case.network {
            NetworkKind::Unordered if self.case.profile == Profile::Standard => {
                world.packets.sort_unstable();
            }
            NetworkKind::FifoPerLink => world.packets.sort_by_key(|&(from, to, _)| (from, to)),
            NetworkKind::Unordered | NetworkKind::GlobalList => {}
        }
        if world.nodes.contains(&None) {
            // What else there is beside a node that panicked is never looked at.
            world.packets.clear();
            world.left = [None; 3];
        }
        world
    }

    fn initial(&self) -> Vec<World> {
        let left = [self.case.loss, self.case.duplication, self.case.reboot].map(|budget| {
            match budget {
                Budget::Off => Some(0),
                Budget::AtMost(times) => Some(times),
                Budget::Unlimited => None,
            }
        });
        let mut worlds = vec![World {
            nodes: vec![Some((0, BTreeSet::new())); self.case.nodes],
            packets: Vec::new(),
            left,
        }];
        for node in 0..self.case.nodes as u32 {
            let branches = self.branches(node, 0, Input::Start);
            let all = worlds.into_iter().flat_map(|world| {
                let start = |branch| self.after(world.clone(), node, BTreeSet::new(), branch);
                branches.iter().map(start).collect::<Vec<_>>()
            });
            worlds = all.collect();
        }
        worlds
    }

    /// The places of the packets that can arrive next, or be lost or duplicated.
    fn foremost(&self, world: &World) -> Vec<usize> {
        let packets = &world.packets;
        let first_of = |same: fn(&Packet, &Packet) -> bool| -> Vec<usize> {
            (0..packets.len())
                .filter(|&at| !packets[..at].iter().any(|earlier| same(earlier, &packets[at])))
                .collect()
        };
        match (self.case.network, self.case.profile) {
            (NetworkKind::Unordered, Profile::Thesis) => (0..packets.len()).collect(),
            (NetworkKind::Unordered, Profile::Standard) => first_of(|a, b| a == b),
            (NetworkKind::FifoPerLink, _) => first_of(|a, b| (a.0, a.1) == (b.0, b.1)),
            (NetworkKind::GlobalList, _) => first_of(|a, b| a.1 == b.1),
        }
    }

    /// All steps out of a world in which no node has panicked, node by node and kind by kind.
    fn successors(&self, world: &World) -> Vec<(Label, World)> {
        let mut steps = Vec::new();
        for node in 0..self.case.nodes as u32 {
            for &kind in &self.case.event_order {
                if self.assumed(world, node, kind) {
                    self.steps_of_kind(world, node, kind, &mut steps);
                }
            }
        }
        steps
    }

    fn assumed(&self, world: &World, node: u32, kind: EventKind) -> bool {
        let (state, _) = world.nodes[node as usize].as_ref().expect("it runs");
        self.case.forbidden.as_ref().is_none_or(|forbidden| {
            forbidden.kind != kind
                || forbidden.state != *state
                || world.packets.len() < forbidden.packets
        })
    }

    fn steps_of_kind(
        &self,
        world: &World,
        node: u32,
        kind: EventKind,
        steps: &mut Vec<(Label, World)>,
    ) {
        let (state, timers) = world.nodes[node as usize].as_ref().expect("it runs");
        let mine = self.foremost(world).into_iter();
        let mine = mine.filter(|&at| world.packets[at].1 == node);
        let spend = |which: usize| spend(world, which);
        let named = |what: &str, value: &dyn std::fmt::Debug| {
            vec![(what.to_owned(), format!("{value:?}"))]
        };
        let mut handle = |world: World, input: Input, timers: BTreeSet<u8>, words: Vec<_>| {
            for branch in self.branches(node, *state, input) {
                let mut words: Vec<(String, String)> = words.clone();
                if !branch.choices.is_empty() {
                    words.push(("choices".to_owned(), format!("{:?}", branch.choices)));
                }
                let next = self.after(world.clone(), node, timers.clone(), &branch);
                steps.push(((node, kind.name(), words), next));
            }
        };
        match kind {
            EventKind::Command => {
                for &command in self.case.table.commands_in(*state) {
                    let input = Input::Command(command);
                    let words = named("command", &command);
                    handle(world.clone(), input, timers.clone(), words);
                }
            }
            EventKind::Timer => {
                for &timer in timers {
                    let mut others = timers.clone();
                    others.remove(&timer);
                    let words = named("timer", &timer);
                    handle(world.clone(), Input::Timer(timer), others, words);
                }
            }
            EventKind::Reboot => {
                if let Some(world) = spend(2) {
                    handle(world, Input::Restart, BTreeSet::new(), Vec::new());
                }
            }
            EventKind::Deliver => {
                for at in mine {
                    let mut world = world.clone();
                    let packet = world.packets.remove(at);
                    let (from, _, message) = packet;
                    let input = Input::Message { from, message };
                    handle(world, input, timers.clone(), packet_words(packet));
                }
            }
            EventKind::Lose | EventKind::Duplicate => {
                let loses = kind == EventKind::Lose;
                let Some(after) = spend(usize::from(!loses)) else {
                    return;
                };
                for at in mine {
                    let mut next = after.clone();
                    let packet = next.packets.remove(at);
                    if !loses {
                        next.packets.splice(at..at, [packet, packet]);
                    }
                    let label = (node, kind.name(), packet_words(packet));
                    steps.push((label, self.canonical(next)));
                }
            }
        }
    }

    /// Which assertions a world violates, as the bits of a verdict.
    fn verdict(&self, world: &World) -> Verdict {
        let mut bits = Vec::new();
        let states = world.nodes.iter().flatten().map(|(state, _)| *state);
        let panicked = world.nodes.contains(&None);
        if let Some(never) = self.case.never_sum {
            bits.push(!panicked && states.clone().sum::<u32>() == never);
        }
        if let Some(crowd) = &self.case.crowd {
            let alike = |packet: &&Packet| packet.2 == crowd.message;
            let count = world.packets.iter().filter(alike).count();
            let applies = states.last() == Some(crowd.state);
            bits.push(!panicked && applies && count > crowd.most);
        }
        bits.push(panicked);
        let places = bits.into_iter().enumerate();
        Verdict(places.fold(0, |sum, (bit, violated)| sum | u64::from(violated) << bit))
    }

    /// The ranks of a world by all rankings of the scenario.
    fn ranks(&self, world: &World) -> Vec<Vec<i64>> {
        let running = |node: &Node| node.clone().expect("it runs");
        let sum = world.nodes.iter().map(|node| running(node).0).sum::<u32>();
        let packets = world.packets.len() as i64;
        let (state, timers) = running(&world.nodes[0]);
        let shown = if state == 1 { packets } else { 0 };
        vec![
            vec![i64::from(sum)],
            vec![packets],
            vec![timers.len() as i64, shown],
        ]
    }
}

fn packet_words((from, to, message): Packet) -> Vec<(String, String)> {
    vec![
        ("from".to_owned(), format!("n{from}")),
        ("to".to_owned(), format!("n{to}")),
        ("message".to_owned(), message.to_string()),
    ]
}

/// The world with one fault less to come, if there is one left.
fn spend(world: &World, which: usize) -> Option<World> {
    let mut spent = world.clone();
    if let Some(times) = &mut spent.left[which] {
        *times = times.checked_sub(1)?;
    }
    Some(spent)
}

/// All that a breadth-first search must find.
struct Truth {
    /// The distinct worlds by the length of the shortest run to them, to the depth bound.
    levels: Vec<HashSet<World>>,
    events: u64,
    unsafe_events: u64,
    /// Whether a world at the depth bound is safe, met before or not.
    safe_at_bound: bool,
    /// The length of the shortest run that violates an assertion.
    shortest: Option<usize>,
    /// All that handlers are executed on: node, state, timers, input, answers.
    inputs: HashSet<String>,
}

impl Truth {
    fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// New states per depth, as an exploration prints them.
    fn counts(&self, levels: usize) -> Vec<u64> {
        let counts = self.levels[..levels].iter();
        let mut counts: Vec<u64> = counts.map(|level| level.len() as u64).collect();
        while counts.last() == Some(&0) {
            counts.pop();
        }
        counts
    }
}

fn truth(oracle: &Oracle<'_>) -> Truth {
    let (unsafe_ones, safe): (Vec<_>, Vec<_>) = oracle
        .initial()
        .into_iter()
        .partition(|world| !oracle.verdict(world).is_safe());
    let mut truth = Truth {
        levels: vec![safe.into_iter().collect()],
        events: 0,
        unsafe_events: 0,
        safe_at_bound: false,
        shortest: (!unsafe_ones.is_empty()).then_some(0),
        inputs: HashSet::new(),
    };
    while truth.levels.len() <= DEPTH && truth.levels[truth.depth()].len() <= LEVEL_MAX {
        let mut next = HashSet::new();
        truth.safe_at_bound = false;
        for world in truth.levels[truth.depth()].clone() {
            for (label, successor) in oracle.successors(&world) {
                truth.events += 1;
                if !matches!(label.1, "lose" | "duplicate") {
                    let node = &world.nodes[label.0 as usize];
                    truth.inputs.insert(format!("{node:?} {label:?}"));
                }
                if !oracle.verdict(&successor).is_safe() {
                    truth.unsafe_events += 1;
                    truth.shortest.get_or_insert(truth.levels.len());
                    continue;
                }
                truth.safe_at_bound = true;
                if !truth.levels.iter().any(|level| level.contains(&successor)) {
                    next.insert(successor);
                }
            }
        }
        truth.levels.push(next);
    }
    truth
}

/// A state's bytes in a form of their own.
#[derive(Deserialize)]
struct Content {
    nodes: Vec<Result<(u32, Vec<u8>), Breakage>>,
    left: [Left; 3],
    packets: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
enum Breakage {
    Panicked(#[allow(dead_code)] String),
    Nondeterministic(#[allow(dead_code)] String),
}

#[derive(Deserialize)]
enum Left {
    Times(u32),
    Unlimited,
}

/// A state of the space as a world of the oracle.
fn world_of(oracle: &Oracle<'_>, space: &NetworkSpace<'_, Table>, state: StateId) -> World {
    let content: Content = postcard::from_bytes(&space.encode(state)).expect("states are readable");
    let nodes = content.nodes.into_iter().map(|node| match node {
        Ok((state, timers)) => {
            assert!(timers.is_sorted_by(|a, b| a < b), "timers are a set");
            Some((state, timers.into_iter().collect()))
        }
        Err(Breakage::Panicked(_)) => None,
        Err(Breakage::Nondeterministic(_)) => unreachable!("tables are deterministic"),
    });
    let packets = content.packets.iter();
    oracle.canonical(World {
        nodes: nodes.collect(),
        packets: packets
            .map(|packet| postcard::from_bytes(packet).expect("packets are readable"))
            .collect(),
        left: content.left.map(|left| match left {
            Left::Times(times) => Some(times),
            Left::Unlimited => None,
        }),
    })
}

/// Walks the space level by level as far as the oracle did, and compares every world and every
/// step out of it.
fn compare_graphs(oracle: &Oracle<'_>, truth: &Truth, scenario: &Scenario<Table>) {
    let mut space = oracle.case.space(scenario);
    let mut initial = Vec::new();
    space.initial(&mut initial);
    let worlds: Vec<World> = initial
        .iter()
        .map(|&state| world_of(oracle, &space, state))
        .collect();
    assert_eq!(worlds, oracle.initial(), "the initial worlds");
    let mut seen = HashSet::new();
    let mut level = safe_and_new(&mut space, initial, &mut seen);
    for (depth, expected) in truth.levels.iter().enumerate() {
        let worlds = level.iter().map(|&state| world_of(oracle, &space, state));
        let worlds: HashSet<World> = worlds.collect();
        assert_eq!(worlds.len(), level.len(), "each world once, depth {depth}");
        assert_eq!(&worlds, expected, "the worlds at depth {depth}");
        if depth == truth.depth() {
            break;
        }
        level.sort_unstable();
        let next = compare_steps(oracle, &mut space, &level);
        level = safe_and_new(&mut space, next, &mut seen);
    }
}

fn safe_and_new(
    space: &mut impl Space,
    states: Vec<StateId>,
    seen: &mut HashSet<StateId>,
) -> Vec<StateId> {
    let states = states.into_iter();
    states
        .filter(|&state| space.verdict(state).is_safe() && seen.insert(state))
        .collect()
}

/// Compares the steps out of a level's states, their verdicts and ranks; where the steps lead.
fn compare_steps(
    oracle: &Oracle<'_>,
    space: &mut NetworkSpace<'_, Table>,
    level: &[StateId],
) -> Vec<StateId> {
    let mut steps = Vec::new();
    space.expand(level, &mut steps);
    for (source, &state) in (0..).zip(level) {
        let world = world_of(oracle, space, state);
        let mut found = Vec::new();
        for step in steps.iter().filter(|step| step.source == source) {
            let next = world_of(oracle, space, step.target);
            assert_eq!(space.verdict(step.target), oracle.verdict(&next), "{next:?}");
            found.push((label_of(&space.event_text(state, step.event)), next));
        }
        let mut expected = oracle.successors(&world);
        if oracle.case.network == NetworkKind::Unordered && oracle.case.profile == Profile::Standard
        {
            // In which order the packets of a multiset are tried is the space's own business.
            found.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!(found, expected, "the steps out of {world:?}");
        for (ranking, expected) in oracle.ranks(&world).into_iter().enumerate() {
            let mut rank = Vec::new();
            space.rank(state, ranking, &mut rank);
            assert_eq!(rank, expected, "ranking {ranking} of {world:?}");
        }
    }
    steps.into_iter().map(|step| step.target).collect()
}

fn label_of(text: &EventText) -> Label {
    let kinds = EventKind::ALL.into_iter();
    let kind = kinds.map(EventKind::name).find(|name| *name == text.kind);
    (
        text.node.expect("events of a network have a node"),
        kind.expect("a kind of event"),
        text.parameters.clone(),
    )
}

fn explore(
    case: &Case,
    scenario: &Scenario<Table>,
    options: Options,
) -> (Exploration, Option<(u64, Vec<(EventText, u64)>)>) {
    let mut space = case.space(scenario);
    let found = breadth_first(&mut space, &options, &mut ());
    let recorded = found.finding.as_ref().map(|finding| {
        let steps = finding.trace.transitions().map(|(before, step)| {
            let text = space.event_text(before, step.event);
            (text, space.digest(step.state))
        });
        (space.digest(finding.trace.initial), steps.collect())
    });
    (found, recorded)
}

/// The whole space to the oracle's depth, by one of the semantics.
fn compare_counts(
    oracle: &Oracle<'_>,
    truth: &Truth,
    scenario: &Scenario<Table>,
    semantics: Semantics,
) {
    let options = Options {
        max_depth: Some(truth.depth() as u32),
        keep_going: true,
        semantics,
        ..Options::default()
    };
    let (found, _) = explore(oracle.case, scenario, options);
    let published = semantics == Semantics::Published;
    let stored_levels = if published && truth.depth() > 0 {
        truth.depth()
    } else {
        truth.levels.len()
    };
    let counts = truth.counts(stored_levels);
    assert_eq!(found.states_per_depth, counts);
    assert_eq!(found.states_visited, counts.iter().sum::<u64>());
    assert_eq!(found.events, truth.events);
    assert_eq!(found.unsafe_events, truth.unsafe_events);
    let cut_off = match published && truth.depth() > 0 {
        true => truth.safe_at_bound,
        false => !truth.levels[truth.depth()].is_empty(),
    };
    let ended = if cut_off { Ended::Depth } else { Ended::Exhausted };
    assert_eq!(found.ended, ended);
    assert_eq!(found.states_waiting, 0);
    let length = found.finding.map(|finding| finding.trace.steps.len());
    assert_eq!(length, truth.shortest, "the shortest counterexample");
    if oracle.case.forbidden.is_none() && !oracle.case.reboot.is_counted() {
        let starts = (0..oracle.case.nodes as u32)
            .map(|node| oracle.branches(node, 0, Input::Start).len())
            .sum::<usize>();
        let executions = truth.inputs.len() + starts;
        assert_eq!(found.handler_executions, executions as u64, "never twice");
    }
}

/// The first counterexample is a run of the oracle's, as short as can be, and can be replayed.
fn compare_trace(oracle: &Oracle<'_>, truth: &Truth, scenario: &Scenario<Table>) {
    let options = Options {
        max_depth: Some(truth.depth() as u32),
        ..Options::default()
    };
    let (found, recorded) = explore(oracle.case, scenario, options);
    assert_eq!(found.ended == Ended::Violation, truth.shortest.is_some());
    let Some((initial, steps)) = recorded else {
        assert_eq!(truth.shortest, None);
        return;
    };
    assert_eq!(Some(steps.len()), truth.shortest);
    let mut space = oracle.case.space(scenario);
    let recorded = steps.iter().map(|(text, digest)| (text, *digest));
    let trace = replay(&mut space, initial, recorded).expect("the run can be replayed");
    let mut world = world_of(oracle, &space, trace.initial);
    assert!(oracle.initial().contains(&world));
    for ((before, step), (text, _)) in trace.transitions().zip(&steps) {
        assert_eq!(&space.event_text(before, step.event), text);
        let taken = (label_of(text), world_of(oracle, &space, step.state));
        assert!(oracle.verdict(&world).is_safe());
        assert!(oracle.successors(&world).contains(&taken), "{taken:?}");
        world = taken.1;
    }
    let assertion = found.finding.map(|finding| finding.assertion);
    assert_eq!(assertion, oracle.verdict(&world).first());
}

proptest! {
    #![proptest_config(cases(400))]

    /// Worlds, steps, verdicts and ranks; numbers by both semantics; counterexamples.
    #[test]
    fn the_space_is_the_one_that_is_documented(case in case()) {
        let scenario = case.scenario();
        let oracle = Oracle::new(&case);
        let truth = truth(&oracle);
        compare_graphs(&oracle, &truth, &scenario);
        compare_counts(&oracle, &truth, &scenario, Semantics::Exact);
        compare_counts(&oracle, &truth, &scenario, Semantics::Published);
        compare_trace(&oracle, &truth, &scenario);
    }
}
