//! Mailboxes: what one holds, what is displaced, and when a packet more is harmless.

use std::collections::HashSet;

use everypath_explore::{Judged, Options, Related, Space, StateId, Stop, enabled, explore};
use everypath_model::{Budget, Capacity, NetworkKind, Profile};
use proptest::prelude::*;

use crate::{
    brute_force::{Oracle, Packet, World},
    oracle::world_of,
    table::{Action, Case, Program, Table, case, cases},
};

/// The worlds by depth, with packets for each receiver in the order of sending.
fn by_receiver(case: &Case, depth: usize) -> Vec<HashSet<World>> {
    let oracle = Oracle::new(case);
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let mut level = Vec::new();
    space.initial(&mut level);
    let mut seen: HashSet<World> = HashSet::new();
    let mut levels = Vec::new();
    for _ in 0..=depth {
        level.retain(|&state| space.verdict(state).is_safe());
        let mut new = HashSet::new();
        let mut next: Vec<StateId> = Vec::new();
        for &state in &level {
            let mut world = world_of(&oracle, &space, state);
            world.packets.sort_by_key(|&(_, to, _): &Packet| to);
            if !seen.contains(&world) && new.insert(world) && new.len() <= LEVEL_MAX {
                next.extend(enabled(&mut space, state).iter().map(|(step, _)| step.target));
            }
        }
        let is_full = new.len() > LEVEL_MAX;
        seen.extend(new.iter().cloned());
        levels.push(new);
        if is_full {
            break;
        }
        level = next;
    }
    levels
}

/// No deeper once a level has this many worlds.
const LEVEL_MAX: usize = 200;

proptest! {
    #![proptest_config(cases(100))]

    /// A mailbox that is never full is a queue for each receiver: so is a list, which also
    /// remembers the order between receivers. (Over links that are down, a list lets others pass.)
    #[test]
    fn a_large_mailbox_is_a_queue_for_each_receiver(case in case()) {
        let mut case = case;
        case.table.late = None;
        case.link_failure = Budget::Off;
        case.capacity = Capacity::Unlimited;
        case.network = NetworkKind::GlobalList;
        let list = by_receiver(&case, 4);
        case.network = NetworkKind::inbox(255);
        prop_assert_eq!(by_receiver(&case, 4), list);
    }

    /// The relation finds the same, wherever it is not refused.
    #[test]
    fn one_packet_more_is_harmless_in_mailboxes_of_one(case in case(), wide in any::<bool>()) {
        let mut case = case;
        case.table.late = None;
        case.profile = Profile::Standard;
        case.network = NetworkKind::inbox(if wide { 2 } else { 1 });
        case.crowd = None;
        let scenario = case.scenario();
        let violated = [None, Some(0)].map(|relation| {
            let mut space = case.space(&scenario);
            let options = Options::default().relation(relation).max_depth(5).stop(Stop::Never);
            let found = explore(&mut space, &options, &mut ()).map_err(|error| error.to_string())?;
            if let Some(refusal) = found.refusal {
                return Err(refusal.to_string());
            }
            let findings = found.findings.iter();
            let mut found: Vec<_> =
                findings.map(|it| (it.assertion, it.trace.steps.len())).collect();
            found.sort_unstable();
            Ok(found)
        });
        let [plain, related] = violated;
        match related {
            Ok(related) => {
                prop_assert!(!wide);
                prop_assert_eq!(plain.unwrap(), related);
            }
            Err(refusal) if wide => prop_assert!(refusal.contains("hold several packets")),
            Err(refusal) => prop_assert!(refusal.contains("reads the packets"), "{}", refusal),
        }
    }
}

/// One node sends 0, 0 and 1 at once; the other counts.
fn burst(network: NetworkKind) -> Case {
    let program = |actions: &[Action], next| Program { actions: actions.to_vec(), next };
    let send = |message| Action::Send { neighbour: 0, message };
    let mut programs = vec![program(&[], 0); 48];
    programs[0] = program(&[send(0), send(0), send(1)], 1);
    Case::of(Table { programs, commands: vec![Vec::new()], late: None }, network, Profile::Standard)
}

#[test]
fn the_oldest_packets_are_displaced() {
    let expected: [(u8, &[u32]); 4] = [(1, &[1]), (2, &[0, 1]), (3, &[0, 0, 1]), (255, &[0, 0, 1])];
    for (capacity, messages) in expected {
        let case = burst(NetworkKind::inbox(capacity));
        let scenario = case.scenario();
        let mut space = case.space(&scenario);
        let mut states = Vec::new();
        space.initial(&mut states);
        let world = world_of(&Oracle::new(&case), &space, states[0]);
        let found: Vec<u32> = world.packets.iter().map(|packet| packet.2).collect();
        assert_eq!(found, messages, "mailboxes of {capacity}");
        // One can be delivered: the first.
        let steps = enabled(&mut space, states[0]);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].1.parameters[2].1, messages[0].to_string());
    }
}

#[test]
fn the_relation_is_refused_with_the_reason() {
    let refusal = |network, reads: bool| {
        let case = burst(network);
        let mut scenario = case.scenario();
        if reads {
            scenario = scenario.assert_always("few", |world| world.packets().len() < 9);
        }
        let mut space = case.space(&scenario);
        explore(&mut space, &Options::default(), &mut ()).unwrap();
        space.relation_refusal(0)
    };
    assert_eq!(refusal(NetworkKind::inbox(1), false), None);
    assert_eq!(
        refusal(NetworkKind::inbox(1), true).unwrap(),
        "the assertion `few` reads the packets in flight, so one more packet can change its answer"
    );
    assert_eq!(
        refusal(NetworkKind::inbox(2), false).unwrap(),
        "the mailboxes of the network (inbox:2) hold several packets, so one more packet in flight can block or displace others"
    );
}
