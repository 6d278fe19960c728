//! A slice of the campaign, small enough for every run of the tests; and that a wrong answer is noticed.

use std::sync::atomic::AtomicBool;

use everypath_fuzz::{
    campaign::Campaign,
    check,
    formula::Formula,
    protocol::{Input, Reaction, Then},
    scenario::{Allowed, Case, Hearers, Order},
    tally::Tally,
};

/// The first seed, unless `EVERYPATH_FUZZ_SEED` says another.
const SEED: u64 = 1;
const PROTOCOLS: u64 = 150;

#[test]
fn random_protocols_are_explored_as_by_brute_force() {
    let given = std::env::var("EVERYPATH_FUZZ_SEED").ok();
    let from = given.as_ref().map_or(SEED, |seed| seed.parse().expect("a seed is a number"));
    println!("seeds {from} to {}", from.wrapping_add(PROTOCOLS - 1));
    let campaign = Campaign { from, count: Some(PROTOCOLS), time: None, jobs: 1 };
    let outcome = campaign.run(&AtomicBool::new(false), &());
    let differences: Vec<String> = outcome.differences.iter().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    assert_eq!(outcome.tally.cases, PROTOCOLS);
    if given.is_none() {
        let never: Vec<_> = outcome.tally.rows().filter(|(_, count)| *count == 0).collect();
        assert!(never.is_empty(), "never compared: {never:?}");
    }
}

/// In how many cases it is noticed that the brute force is told of another one; nothing is compared where there is
/// nothing to tell wrongly.
fn noticed(tell_wrongly: impl Fn(&mut Case) -> bool) -> u32 {
    let (mut told, mut noticed) = (0, 0);
    for seed in 1..=40 {
        let case = Case::draw(seed);
        let mut wrong = case.clone();
        if tell_wrongly(&mut wrong) {
            told += 1;
            noticed += u32::from(check(&case, &wrong, &mut Tally::default()).is_err());
        }
    }
    println!("{noticed} of {told} noticed");
    noticed
}

#[test]
fn a_budget_that_is_off_by_one_is_noticed() {
    let noticed = noticed(|case| match &mut case.faults.loss {
        Allowed::Times(times @ 1..) => {
            *times -= 1;
            true
        }
        _ => false,
    });
    assert!(noticed >= 10, "{noticed}");
}

#[test]
fn a_handler_that_does_something_else_is_noticed() {
    let noticed = noticed(|case| {
        let table = &mut case.table;
        let Then::Become(value, disk) = table.reaction(0, 0, 0, Input::Start).then else {
            return false;
        };
        let then = Then::Become((value + 1) % table.values, disk);
        table.replace(0, 0, 0, Input::Start, Reaction { actions: Vec::new(), then });
        table.values > 1
    });
    assert!(noticed >= 10, "{noticed}");
}

#[test]
fn a_handler_that_panics_is_noticed() {
    let noticed = noticed(|case| {
        let panics = Reaction { actions: Vec::new(), then: Then::Panic };
        case.table.replace(0, 0, 0, Input::Start, panics);
        true
    });
    assert!(noticed >= 20, "{noticed}");
}

#[test]
fn an_assertion_that_says_the_opposite_is_noticed() {
    let noticed = noticed(|case| {
        let Some(said) = case.assertions.first_mut() else { return false };
        said.formula = Formula::Not(Box::new(said.formula.clone()));
        true
    });
    assert!(noticed >= 10, "{noticed}");
}

#[test]
fn an_audience_that_is_ignored_is_noticed() {
    let noticed = noticed(|case| {
        let hearers = std::mem::replace(&mut case.hearers, Hearers::All);
        hearers != Hearers::All
    });
    assert!(noticed >= 5, "{noticed}");
}

#[test]
fn a_mailbox_of_another_size_is_noticed() {
    let noticed = noticed(|case| match &mut case.order {
        Order::Inbox(capacity @ 1..=3) => {
            *capacity += 1;
            true
        }
        _ => false,
    });
    assert!(noticed >= 2, "{noticed}");
}

#[test]
fn a_network_of_another_order_is_noticed() {
    let noticed = noticed(|case| {
        let ordered = case.order == Order::Fifo;
        case.order = Order::Unordered;
        ordered
    });
    assert!(noticed >= 2, "{noticed}");
}

#[test]
fn a_link_of_another_capacity_is_noticed() {
    let noticed = noticed(|case| {
        let room = case.room.as_mut();
        room.map(|room| room.most += 1).is_some()
    });
    assert!(noticed >= 2, "{noticed}");
}

#[test]
fn a_full_link_that_loses_another_packet_is_noticed() {
    let noticed = noticed(|case| match &mut case.room {
        Some(room) if case.order != Order::Unordered => {
            room.oldest = !room.oldest;
            true
        }
        _ => false,
    });
    assert!(noticed >= 2, "{noticed}");
}

#[test]
fn a_timer_that_fires_once_more_is_noticed() {
    let noticed = noticed(|case| {
        let timeouts = case.timeouts.first_mut();
        timeouts.map(|(_, most)| *most += 1).is_some()
    });
    assert!(noticed >= 5, "{noticed}");
}

#[test]
fn a_node_that_reboots_although_it_may_not_is_noticed() {
    let noticed = noticed(|case| case.rebooting.take().is_some());
    assert!(noticed >= 2, "{noticed}");
}
