//! In which order the timers of a node are tried.

use std::time::Duration;

use everypath_explore::{Described, Space};
use everypath_model::{
    Budget, EventKind, Never, Node, NodeId, Protocol, Scenario, Start, Topology,
};
use everypath_network::{NetworkSpace, SpaceOptions};

/// A node with three timers, and a list of them in an order of its own.
struct Clocks;

impl Protocol for Clocks {
    type State = Vec<u32>;
    type Message = Never;
    type Timer = u32;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Vec<u32> {
        let order = vec![2, 0, 1];
        order.iter().for_each(|&timer| node.set_timer(timer, Duration::ZERO));
        order
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u32) {
        node.state.retain(|other| other != timer);
    }
}

fn timers(scenario: &Scenario<Clocks>) -> Vec<String> {
    let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
    let mut states = Vec::new();
    space.initial(&mut states);
    let mut steps = Vec::new();
    space.expand(&states, &mut steps);
    steps.iter().map(|step| space.event_text(states[0], step.event).sentence).collect()
}

#[test]
fn timers_are_tried_in_the_scenarios_order() {
    let fires = |timer: u32| format!("timer {timer} fires at n0");
    let scenario = Scenario::new(Clocks, Topology::chain(1));
    assert_eq!(timers(&scenario), [0, 1, 2].map(fires));
    let scenario = scenario
        .timer_order(|state, timer| state.iter().position(|other| other == timer).unwrap() as u64);
    assert_eq!(timers(&scenario), [2, 0, 1].map(fires));
}

#[test]
fn early_timers_are_tried_right_after_the_commands() {
    let scenario = Scenario::new(Clocks, Topology::chain(1))
        .reboot(Budget::Unlimited)
        .early_timers(|&timer| timer == 1);
    let mut order = scenario.event_order.clone();
    order.retain(|&kind| kind != EventKind::Timer);
    order.push(EventKind::Timer);
    let scenario = Scenario { event_order: order, ..scenario };
    let expected =
        ["timer 1 fires at n0", "n0 reboots", "timer 0 fires at n0", "timer 2 fires at n0"];
    assert_eq!(timers(&scenario), expected);
}
