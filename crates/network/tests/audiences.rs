//! Audiences of broadcasts: how many outcomes they make, and what they change and do not.

use std::collections::{BTreeSet, HashSet};

use everypath_explore::{
    Described, EventPattern, Judged, Options, Portable, Space, StateId, enabled, explore, replay,
    shrink,
};
use everypath_model::{
    Audience, Budget, Capacity, NetworkKind, Never, Node, NodeId, Profile, Protocol, Scenario,
    Start, Topology,
};
use everypath_network::{NetworkSpace, SpaceOptions};
use proptest::prelude::*;

use crate::{
    brute_force::{Node as OracleNode, Oracle, World},
    oracle::world_of,
    table::{Action, Case, Heard, Program, Table, case, cases, heard},
};

/// On command, a node broadcasts as often as it is told. It counts what it hears.
#[derive(Clone, Debug)]
struct Caller {
    at_start: u32,
    on_command: u32,
}

impl Protocol for Caller {
    type State = u32;
    type Message = u32;
    type Timer = Never;
    type Command = ();

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        (0..self.at_start).for_each(|number| node.broadcast(number));
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &u32) {
        *node.state += 1;
    }

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        (0..self.on_command).for_each(|number| node.broadcast(number));
    }

    fn commands(&self, me: NodeId, _: &u32) -> Vec<()> {
        vec![(); usize::from(me == NodeId(0))]
    }
}

fn calls(at_start: u32, on_command: u32, nodes: usize, most: u32) -> Scenario<Caller> {
    Scenario::new(Caller { at_start, on_command }, Topology::full_mesh(nodes))
        .audience(Audience::AtMost(most))
}

fn space(scenario: &Scenario<Caller>) -> NetworkSpace<'_> {
    NetworkSpace::new(scenario, SpaceOptions::default()).unwrap()
}

fn initial(space: &mut impl Space) -> Vec<StateId> {
    let mut states = Vec::new();
    space.initial(&mut states);
    states
}

/// How many sets of at most `most` of `of` there are, by Pascal's triangle.
fn sets(of: usize, most: usize) -> usize {
    let mut row = vec![1_usize];
    for _ in 0..of {
        let next: Vec<usize> = row.windows(2).map(|pair| pair[0] + pair[1]).collect();
        row = [&[1], &next[..], &[1]].concat();
    }
    row.iter().take(most + 1).sum()
}

#[test]
fn a_broadcast_has_an_outcome_for_each_audience() {
    for nodes in 2..=6 {
        for most in 1..nodes {
            for broadcasts in 1..=2 {
                let scenario = calls(0, broadcasts, nodes, most as u32);
                let mut space = space(&scenario);
                let start = initial(&mut space)[0];
                let steps = enabled(&mut space, start);
                let expected = sets(nodes - 1, most).pow(broadcasts);
                assert_eq!(steps.len(), expected, "{broadcasts} to {most} of {nodes}");
                // Each differs from all others in its text and in its bytes.
                let texts: BTreeSet<&str> =
                    steps.iter().map(|(_, text)| text.sentence.as_str()).collect();
                let bytes: BTreeSet<Vec<u8>> =
                    steps.iter().map(|(step, _)| space.encode_event(start, step.event)).collect();
                assert_eq!((texts.len(), bytes.len()), (expected, expected));
            }
        }
    }
}

#[test]
fn audiences_at_the_start_give_several_initial_states() {
    for (nodes, most) in [(2, 1), (3, 1), (3, 2), (4, 2)] {
        let scenario = calls(1, 0, nodes, most);
        let states = initial(&mut space(&scenario));
        let distinct: HashSet<StateId> = states.iter().copied().collect();
        let expected = sets(nodes - 1, most as usize).pow(nodes as u32);
        assert_eq!((states.len(), distinct.len()), (expected, expected), "{most} of {nodes}");
    }
}

#[test]
fn an_event_says_who_heard_it() {
    let scenario = calls(0, 2, 3, 2);
    let mut space = space(&scenario);
    let start = initial(&mut space)[0];
    let told: Vec<String> =
        enabled(&mut space, start).into_iter().map(|(_, text)| text.sentence).collect();
    let expected = [
        "command () at n0, heard by n1, n2; heard by n1, n2",
        "command () at n0, heard by n1, n2; heard by n1",
        "command () at n0, heard by n1, n2; heard by n2",
        "command () at n0, heard by n1, n2; heard by no node",
        "command () at n0, heard by n1; heard by n1, n2",
    ];
    assert_eq!(&told[..5], expected);
    assert_eq!(told[15], "command () at n0, heard by no node; heard by no node");
}

#[test]
fn patterns_can_name_an_audience() {
    let enabled_with = |disabled: &str| {
        let scenario = calls(0, 1, 3, 2);
        let disabled: EventPattern = disabled.parse().unwrap();
        let options = SpaceOptions::default().disabled(vec![disabled.clone()]);
        let mut space = NetworkSpace::new(&scenario, options).unwrap();
        let start = initial(&mut space)[0];
        let events = enabled(&mut space, start).into_iter();
        let heard: Vec<String> = events.map(|(_, text)| text.parameters[1].1.clone()).collect();
        assert!(space.has_met(&disabled), "{disabled}");
        heard
    };
    assert_eq!(enabled_with("command:heard by n1"), ["heard by n2", "heard by no node"]);
    let alone = ["heard by n1, n2", "heard by n1", "heard by n2"];
    assert_eq!(enabled_with("command:no node"), alone);
    assert_eq!(enabled_with("command:n2"), ["heard by n1", "heard by no node"]);
    assert!(enabled_with("command:heard by").is_empty());
}

/// A run with audiences can be replayed from its texts, and be made shorter.
#[test]
fn a_run_with_audiences_is_replayed_and_shrunk() {
    let scenario = calls(1, 1, 3, 2).assert_always("little is heard", |world| {
        *world.node(NodeId(2)) + 2 * *world.node(NodeId(1)) < 5
    });
    let mut deep = space(&scenario);
    let options = Options::default().strategy(everypath_explore::Strategy::DepthFirst).max_depth(9);
    let found = explore(&mut deep, &options, &mut ()).unwrap();
    let finding = found.finding().expect("much is heard");
    let shorter = shrink(&mut deep, &finding.trace, finding.assertion, None, &|| false);
    assert!(shorter.steps.len() <= finding.trace.steps.len());
    for trace in [&finding.trace, &shorter] {
        let steps: Vec<_> = trace
            .transitions()
            .map(|(before, step)| (deep.event_text(before, step.event), deep.digest(step.state)))
            .collect();
        let digest = deep.digest(trace.initial);
        let mut again = space(&scenario);
        let events = steps.iter().map(|(text, digest)| (text, *digest));
        let replayed = replay(&mut again, digest, events).expect("it can be replayed");
        let last = replayed.steps.last().expect("there is a step").state;
        assert!(!again.verdict(last).is_safe());
        // Another audience is another event.
        let mut wrong = steps.clone();
        let (text, _) = wrong.iter_mut().find(|(text, _)| text.kind == "command").unwrap();
        text.parameters[1].1 = "heard by n0".to_owned();
        let events = wrong.iter().map(|(text, digest)| (text, *digest));
        assert!(replay(&mut space(&scenario), digest, events).is_err());
    }
}

#[test]
fn too_many_audiences_are_refused_with_their_number() {
    let refusal = |nodes, most| {
        NetworkSpace::new(&calls(0, 1, nodes, most), SpaceOptions::default())
            .err()
            .map(|error| error.to_string())
    };
    assert_eq!(refusal(17, 16), None);
    assert_eq!(
        refusal(18, 17).unwrap(),
        "a broadcast of n0 has 131072 possible audiences, too many to explore: at most 65536 are possible; make the audience or the neighbourhood smaller"
    );
    // A chain of 20: only its inner nodes have two neighbours.
    let chain = Scenario::new(Caller { at_start: 0, on_command: 1 }, Topology::chain(20));
    let chain = chain.audience(Audience::AtMost(2));
    assert!(NetworkSpace::new(&chain, SpaceOptions::default()).is_ok());
}

/// That there are too many in all is known only when a handler has broadcast several times.
#[test]
fn too_many_outcomes_of_one_handler_are_a_finding() {
    for (broadcasts, outcomes) in [(2, None), (3, Some("16777216"))] {
        let scenario = calls(0, broadcasts, 9, 8);
        let mut space = space(&scenario);
        let found = explore(&mut space, &Options::default().max_depth(1), &mut ()).unwrap();
        let told = found
            .finding()
            .and_then(|finding| space.explain(finding.trace.last(), finding.assertion));
        match (told, outcomes) {
            (None, None) => assert_eq!(found.counts.events, 65536),
            (Some(told), Some(outcomes)) => {
                let expected = format!(
                    "one execution has {outcomes} branches, of which at most 65536 are possible: it broadcasts {broadcasts} times, each time with 256 possible audiences"
                );
                assert!(told.contains(&expected), "{told}");
            }
            other => panic!("{broadcasts} broadcasts: {other:?}"),
        }
    }
}

/// The worlds by depth, and what the steps to them are called.
fn levels(case: &Case, depth: usize) -> Vec<(HashSet<World>, BTreeSet<String>)> {
    let oracle = Oracle::new(case);
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let mut level = initial(&mut space);
    let mut seen = HashSet::new();
    let mut labels = BTreeSet::new();
    let mut levels = Vec::new();
    for _ in 0..=depth {
        level.retain(|&state| space.verdict(state).is_safe() && seen.insert(state));
        let worlds = level.iter().map(|&state| world_of(&oracle, &space, state)).collect();
        levels.push((worlds, std::mem::take(&mut labels)));
        if level.len() > LEVEL_MAX {
            break;
        }
        let mut next = Vec::new();
        for &state in &level {
            for (step, text) in enabled(&mut space, state) {
                labels.insert(text.sentence);
                next.push(step.target);
            }
        }
        level = next;
    }
    levels
}

/// No deeper once a level has this many worlds.
const LEVEL_MAX: usize = 300;

/// The nodes of all worlds up to each depth.
fn tuples(case: &Case) -> Vec<HashSet<Vec<OracleNode>>> {
    let mut known = HashSet::new();
    let levels = levels(case, 4).into_iter();
    levels
        .map(|(worlds, _)| {
            known.extend(worlds.into_iter().map(|world| world.nodes));
            known.clone()
        })
        .collect()
}

proptest! {
    #![proptest_config(cases(100))]

    /// Any subset is heard, and one of all subsets is heard: the same worlds by the same steps.
    #[test]
    fn as_many_as_there_are_neighbours_is_any_subset(case in case()) {
        let at_most = Case { heard: Heard::AtMost(2), ..case };
        let subsets = [vec![], vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2]];
        let one_of = Case { heard: Heard::OneOf(vec![subsets.to_vec()]), ..at_most.clone() };
        prop_assert_eq!(levels(&at_most, 3), levels(&one_of, 3));
    }

    /// Where packets wait for ever unless they are delivered, and nothing reads them, all neighbours may
    /// as well hear everything: the nodes reach the same states after as many events. The worlds
    /// where all hear are among the others.
    #[test]
    fn in_an_unordered_network_all_may_hear(case in case()) {
        let mut case = case;
        case.network = NetworkKind::Unordered;
        case.capacity = Capacity::Unlimited;
        case.profile = Profile::Standard;
        case.crowd = None;
        case.forbidden.iter_mut().for_each(|forbidden| forbidden.packets = 0);
        let all = Case { heard: Heard::All, ..case.clone() };
        let some = Case { heard: Heard::AtMost(2), ..case };
        let (alone, among) = (levels(&all, 3), levels(&some, 3));
        let known = |levels: &[(HashSet<World>, _)]| {
            levels.iter().flat_map(|(worlds, _)| worlds.clone()).collect::<HashSet<World>>()
        };
        for depth in 0..alone.len().min(among.len()) {
            prop_assert!(known(&alone[..=depth]).is_subset(&known(&among[..=depth])));
        }
        for (all, some) in tuples(&all).iter().zip(tuples(&some)) {
            prop_assert_eq!(all, &some);
        }
    }

    /// Audiences are decided after handlers are executed: a memo serves them all.
    #[test]
    fn a_memo_is_used_under_another_audience(case in case(), other in heard()) {
        use crate::memo::{explored, nothing};
        let taught = explored(&case, Some(&nothing()));
        let other = Case { heard: other, ..case };
        let (fresh, reused) = (explored(&other, None), explored(&other, Some(&taught.memo)));
        prop_assert_eq!(&reused.told, &fresh.told);
        prop_assert!(reused.executions <= fresh.executions);
    }
}

/// All that three nodes do was executed where all hear everything.
#[test]
fn nothing_is_executed_again_under_another_audience() {
    use crate::memo::{explored, nothing};
    let program = |actions: &[Action], next| Program { actions: actions.to_vec(), next };
    let broadcast = Action::Broadcast { message: 0 };
    // By node, state and input: n0 calls at its start, and those who hear it in their first state
    // call twice, or not.
    let mut programs = vec![program(&[], 0); 72];
    programs[0] = program(std::slice::from_ref(&broadcast), 1);
    let answer = Action::Broadcast { message: 1 };
    for node in 1..3 {
        let actions = [Action::Choose { options: 2 }, answer.clone(), answer.clone()];
        programs[node * 24 + 2] = program(&actions, 2);
    }
    let table = Table { programs, commands: vec![Vec::new()], late: None };
    let mesh = Case {
        nodes: 3,
        edges: vec![(0, 1), (0, 2), (1, 2)],
        loss: Budget::AtMost(1),
        ..Case::of(table, NetworkKind::inbox(2), Profile::Standard)
    };
    let hearers = [Heard::All, Heard::AtMost(1), Heard::AtMost(2)];
    for one in &hearers {
        // The audience with the most behaviour teaches all that there is.
        let taught = explored(&Case { heard: Heard::AtMost(2), ..mesh.clone() }, Some(&nothing()));
        let other = Case { heard: one.clone(), ..mesh.clone() };
        let (fresh, reused) = (explored(&other, None), explored(&other, Some(&taught.memo)));
        assert_eq!(reused.told, fresh.told);
        assert!(fresh.executions > 0);
        assert_eq!(reused.executions, 0, "{one:?}");
    }
}
