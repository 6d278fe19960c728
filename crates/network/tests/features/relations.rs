//! Which states stand for which others, against multisets of packets.

use everypath_explore::{
    Described, Judged, Options, Portable, Related, Space, StateId, Stop, explore,
};
use everypath_model::{Capacity, NetworkKind, NodeId, Profile, Scenario};
use everypath_network::NetworkSpace;
use proptest::prelude::*;

use super::case::{Features, features, runs, sum};
use crate::{
    brute_force::{Oracle, Packet, World},
    oracle::{label_of, world_of},
    table::{Table, cases},
};

/// How many states of a space are looked at.
const STATES_MAX: usize = 40;

/// The first states that a walk meets in which no node has panicked, and their worlds.
fn first_states(oracle: &Oracle<'_>, space: &mut NetworkSpace<'_>) -> Vec<(StateId, World, bool)> {
    let mut waiting = Vec::new();
    space.initial(&mut waiting);
    let mut met: Vec<(StateId, World, bool)> = Vec::new();
    let mut next = 0;
    while next < waiting.len() && met.len() < STATES_MAX {
        let state = waiting[next];
        next += 1;
        let world = world_of(oracle, space, state);
        if runs(&world) && met.iter().all(|(known, ..)| *known != state) {
            // Everything is asked once, so that what reads the network is known.
            space.verdict(state);
            space.goals_reached(state);
            let mut steps = Vec::new();
            space.expand(&[state], &mut steps);
            waiting.extend(steps.iter().map(|step| step.target));
            let happened = space.counts(state);
            met.push((state, world, happened));
        }
    }
    met
}

fn times(packets: &[Packet], packet: Packet) -> usize {
    packets.iter().filter(|&&other| other == packet).count()
}

/// Whether one world stands for another by the relation that needs no code.
fn simulated(
    features: &Features,
    (world, happened): (&World, bool),
    (other, other_happened): (&World, bool),
) -> bool {
    let enough = |packet: &Packet| {
        let there = times(&other.packets, *packet);
        match features.case.profile {
            Profile::Standard => there >= times(&world.packets, *packet),
            Profile::Thesis => there > 0,
        }
    };
    let packets = match features.case.network {
        NetworkKind::Unordered => world.packets.iter().all(enough),
        // A mailbox of one packet is empty or has the same packet.
        network if network == NetworkKind::inbox(1) => world.packets.iter().all(enough),
        _ => world.packets == other.packets,
    };
    let ordered = ![NetworkKind::Unordered, NetworkKind::inbox(1)].contains(&features.case.network);
    let left = world.left.iter().zip(&other.left).all(|(here, there)| match (here, there) {
        (Some(here), Some(there)) => here == there || (!ordered && here < there),
        _ => here == there,
    });
    let past = happened == other_happened;
    world.nodes == other.nodes && packets && left && past && world.down == other.down
}

/// What can be said of the states of a space in advance.
fn own_relation(scenario: Scenario<Table>) -> Scenario<Table> {
    scenario.relation(
        "a smaller sum",
        |world| *world.node(NodeId(0)),
        |world, other| {
            let sum = |world: &everypath_model::World<'_, Table>| {
                world.nodes().map(|(_, &state)| state).sum::<u32>()
            };
            sum(world) <= sum(other)
        },
    )
}

fn own(features: &Features, world: &World, other: &World) -> bool {
    let first = |world: &World| world.nodes[0].as_ref().map(|(state, _)| *state);
    // With a fault more to come, a state may be no end where the other is one.
    let asks_of_ends = features.deadlock || features.end_sum.is_some();
    let enough = |(here, there)| if asks_of_ends { here == there } else { here <= there };
    let left = world.left.iter().zip(&other.left).all(enough);
    first(world) == first(other) && sum(world) <= sum(other) && left && world.down == other.down
}

/// All that a world shows.
fn content(world: &everypath_model::World<'_, Table>) -> String {
    let nodes = world.nodes().map(|(node, state)| (*state, world.timers(node).to_vec()));
    let nodes: Vec<_> = nodes.collect();
    let packets = world.packets().map(|packet| (packet.from, packet.to, *packet.message));
    let packets: Vec<_> = packets.collect();
    let all: Vec<NodeId> = world.nodes().map(|(node, _)| node).collect();
    let up = |&one: &NodeId| all.iter().map(move |&other| world.is_up(one, other)).collect();
    let links: Vec<Vec<bool>> = all.iter().map(up).collect();
    format!("{nodes:?} {packets:?} {links:?}")
}

/// Whether a state can do all that another can, one step long, and is then ahead again.
fn can_follow(space: &mut NetworkSpace<'_>, state: StateId, ahead: StateId) -> bool {
    let mut steps = [Vec::new(), Vec::new()];
    space.expand(&[state], &mut steps[0]);
    space.expand(&[ahead], &mut steps[1]);
    let [steps, ahead_steps] = steps;
    steps.iter().all(|step| {
        let label = label_of(&space.event_text(state, step.event));
        ahead_steps.iter().any(|other| {
            label_of(&space.event_text(ahead, other.event)) == label
                && space.is_simulated_by(step.target, other.target, 0)
        })
    }) && space.verdict(state) == space.verdict(ahead)
        && space.goals_reached(state) == space.goals_reached(ahead)
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn relations_are_what_is_documented(mut features in features()) {
        let scenario = own_relation(features.scenario());
        let mut space = features.space(&scenario);
        let case = features.case.clone();
        let oracle = Oracle::new(&case);
        prop_assert_eq!(space.relations(), ["simulated", "a smaller sum"]);
        let met = first_states(&oracle, &mut space);
        for (state, world, happened) in &met {
            for (other, other_world, other_happened) in &met {
                let expected =
                    simulated(&features, (world, *happened), (other_world, *other_happened));
                let found = space.is_simulated_by(*state, *other, 0);
                prop_assert_eq!(found, expected, "{:?} {:?}", world, other_world);
                let expected = own(&features, world, other_world) && happened == other_happened;
                let found = space.is_simulated_by(*state, *other, 1);
                prop_assert_eq!(found, expected, "{:?} {:?}", world, other_world);
                for relation in 0..2 {
                    if space.is_simulated_by(*state, *other, relation) {
                        let key = space.relation_key(*state, relation);
                        prop_assert_eq!(key, space.relation_key(*other, relation));
                        let signature = space.relation_signature(*state, relation);
                        let others = space.relation_signature(*other, relation);
                        for shift in (0..64).step_by(4) {
                            prop_assert!(signature >> shift & 15 <= others >> shift & 15);
                        }
                    }
                }
            }
        }
    }

    /// A relation of the user's that is equality of worlds changes nothing about what is found, at ends
    /// neither.
    #[test]
    fn equal_worlds_are_violated_alike(mut features in features()) {
        features.case.profile = Profile::Standard;
        let scenario = features.scenario().relation(
            "equal worlds",
            |world| content(world).bytes().fold(0, |sum: u64, byte| {
                sum.wrapping_mul(31).wrapping_add(byte.into())
            }),
            |world, other| content(world) == content(other),
        );
        let mut violated = [None, Some(1)].map(|relation| {
            let mut space = features.space(&scenario);
            let options =
                Options::default().relation(relation).max_depth(4).stop(Stop::Never);
            let found = explore(&mut space, &options, &mut ()).expect("equality is sound");
            let assertions = found.findings.iter().map(|finding| finding.assertion);
            let goals = found.witnesses.iter().map(|witness| witness.goal);
            (assertions.collect::<Vec<_>>(), goals.collect::<Vec<_>>())
        });
        for (assertions, goals) in &mut violated {
            assertions.sort_unstable();
            goals.sort_unstable();
        }
        prop_assert_eq!(&violated[0], &violated[1]);
    }

    #[test]
    fn nodes_that_mean_the_same_are_equal_to_the_relation(mut features in features()) {
        let scenario = features.scenario().canonical(|&state| state % 2);
        let mut space = features.space(&scenario);
        let case = features.case.clone();
        let oracle = Oracle::new(&case);
        let met = first_states(&oracle, &mut space);
        let meaning = |world: &World| {
            let mut world = world.clone();
            world.nodes.iter_mut().flatten().for_each(|(state, _)| *state %= 2);
            world
        };
        for (state, world, happened) in &met {
            for (other, other_world, other_happened) in &met {
                let worlds = [meaning(world), meaning(other_world)];
                let expected =
                    simulated(&features, (&worlds[0], *happened), (&worlds[1], *other_happened));
                let found = space.is_simulated_by(*state, *other, 0);
                prop_assert_eq!(found, expected, "{:?} {:?}", world, other_world);
                if found {
                    let key = space.relation_key(*state, 0);
                    prop_assert_eq!(key, space.relation_key(*other, 0));
                }
            }
        }
    }

    /// Where it is not refused, what is simulated can do nothing that the other cannot.
    #[test]
    fn what_is_simulated_can_be_followed(
        mut features in features(),
        mailboxes in any::<bool>(),
    ) {
        features.case.network =
            if mailboxes { NetworkKind::inbox(1) } else { NetworkKind::Unordered };
        features.case.table.late.take_if(|_| mailboxes);
        features.case.profile = Profile::Standard;
        // With one, a packet more can displace another.
        features.case.capacity = Capacity::Unlimited;
        features.case.crowd = None;
        features.pruned_packets = None;
        features.deadlock = false;
        features.end_sum = None;
        let features = &mut features;
        let mut scenario = features.scenario();
        scenario.goals.pop();
        let mut space = features.space(&scenario);
        let case = features.case.clone();
        let met = first_states(&Oracle::new(&case), &mut space);
        if let Some(refusal) = space.relation_refusal(0) {
            let reads = "the assumption `the table's` reads the packets in flight";
            prop_assert!(refusal.starts_with(reads), "{}", refusal);
            return Ok(());
        }
        for (state, ..) in &met {
            for (ahead, ..) in &met {
                if space.is_simulated_by(*state, *ahead, 0) {
                    let (here, there) = (space.encode(*state), space.encode(*ahead));
                    prop_assert!(can_follow(&mut space, *state, *ahead), "{here:?} {there:?}");
                }
            }
        }
    }
}
