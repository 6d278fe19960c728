//! Links of a limited capacity: how many states there are, and what is refused.

use everypath_explore::{Ended, Options, Stop, explore};
use everypath_model::{
    Audience, Budget, Capacity, NetworkKind, Never, Node, NodeId, Protocol, Scenario,
    ScenarioError, Start, Topology,
};
use everypath_network::{NetworkSpace, Reductions, SpaceError, SpaceOptions};

/// Node 0 sends one of some numbers whenever it is asked; nothing else happens.
struct Source(u32);

impl Protocol for Source {
    type State = ();
    type Message = u32;
    type Timer = Never;
    type Command = u32;

    fn start(&self, _: &mut Start<'_, Self>) {}
    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u32) {}
    fn commands(&self, me: NodeId, (): &()) -> Vec<u32> {
        if me == NodeId(0) { (0..self.0).collect() } else { Vec::new() }
    }
    fn on_command(&self, node: &mut Node<'_, Self>, &number: &u32) {
        node.broadcast(number);
    }
}

fn source(numbers: u32, network: NetworkKind, capacity: impl Into<Capacity>) -> Scenario<Source> {
    Scenario::new(Source(numbers), Topology::star(2)).network(network).capacity(capacity)
}

fn states(scenario: &Scenario<Source>, workers: u32) -> u64 {
    let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).expect("it is small");
    let options = Options::default().workers(workers).stop(Stop::Never);
    let found = explore(&mut space, &options, &mut ()).expect("nothing panics");
    assert_eq!(found.ended, Ended::Exhausted);
    found.states_visited
}

/// How many ways there are to choose `few` of `many`.
fn choose(many: u64, few: u64) -> u64 {
    (1..=few).fold(1, |ways, place| ways * (many - few + place) / place)
}

/// At most this many packets of several kinds, in any order.
#[test]
fn an_unordered_link_holds_any_multiset_within_its_capacity() {
    for (numbers, most) in [(1, 1), (1, 5), (2, 3), (3, 4)] {
        let multisets = choose(u64::from(most + numbers), u64::from(numbers));
        let found = states(&source(numbers, NetworkKind::Unordered, most), 1);
        assert_eq!(found, multisets, "{most} packets of {numbers} kinds");
    }
}

#[test]
fn an_ordered_link_holds_any_sequence_within_its_capacity() {
    for network in [NetworkKind::FifoPerLink, NetworkKind::GlobalList] {
        for capacity in [Capacity::NewestLost, Capacity::OldestLost] {
            for (numbers, most) in [(1, 4), (2, 3), (3, 2)] {
                let sequences: u64 = (0..=most).map(|length| u64::from(numbers).pow(length)).sum();
                for workers in [1, 2] {
                    let found = states(&source(numbers, network, capacity(most)), workers);
                    assert_eq!(found, sequences, "{network}, {most} of {numbers}");
                }
            }
        }
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let unordered = || source(1, NetworkKind::Unordered, 2);
    let error = |scenario: Scenario<Source>| scenario.validate().unwrap_err();
    assert_eq!(error(unordered().capacity(0)), ScenarioError::NoCapacity);
    assert_eq!(error(unordered().capacity(Capacity::OldestLost(2))), ScenarioError::NoOldest);
    let inbox = NetworkKind::inbox(2);
    assert_eq!(error(unordered().network(inbox)), ScenarioError::CapacityOfMailboxes(inbox));
    let late = unordered().receivers(|(), packet| Some(packet.to));
    assert_eq!(error(late), ScenarioError::LateCapacity);
}

#[test]
fn what_would_be_unsound_is_refused() {
    let scenario = source(1, NetworkKind::Unordered, 2).loss(Budget::Unlimited);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).expect("it is small");
    let options = Options::default().relation(Some(0));
    let refused = match explore(&mut space, &options, &mut ()) {
        Err(error) => error.to_string(),
        Ok(found) => found.refusal.expect("the relation is unsound").to_string(),
    };
    assert!(refused.contains("the capacity of links is limited"), "{refused}");

    drop(space);
    let obsolete = scenario.obsolete(|(), _| false).audience(Audience::AtMost(1));
    for reductions in [Reductions::NONE.obsolete(true), Reductions::NONE.audiences(true)] {
        let options = SpaceOptions::default().reductions(reductions);
        let Err(SpaceError::Reduction { why, .. }) = NetworkSpace::new(&obsolete, options) else {
            panic!("the reduction is unsound");
        };
        assert!(why.contains("the capacity of links is limited"), "{why}");
    }
}
