//! A small scenario in which everything happens: packets, timers, commands, choices, faults.

use std::time::Duration;

use everypath::{
    explore::{Options, explore},
    network::{NetworkSpace, SpaceOptions},
    prelude::*,
};

/// Two nodes that send each other numbers.
pub struct Numbers;

#[data]
pub struct Sums {
    sum: u8,
    text: String,
}

#[data]
pub enum Number {
    Small(u8),
    Named { name: String, value: Option<u16> },
}

impl Protocol for Numbers {
    type State = Sums;
    type Message = Number;
    type Timer = u8;
    type Command = bool;

    fn start(&self, node: &mut Start<'_, Self>) -> Sums {
        node.set_timer(1, Duration::from_secs(1));
        node.broadcast(Number::Small(node.id.0 as u8));
        Sums { sum: 0, text: String::new() }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, number: &Number) {
        match number {
            Number::Small(value) => node.state.sum = (node.state.sum + value) % 3,
            Number::Named { name, value } => {
                node.state.text = format!("{name}{}", value.unwrap_or(0) % 3);
                if node.choose(2) == 1 {
                    node.send(from, Number::Small(1));
                }
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &u8) {
        node.broadcast(Number::Named { name: "n".to_owned(), value: Some(node.state.sum.into()) });
    }

    fn commands(&self, _: NodeId, state: &Sums) -> Vec<bool> {
        vec![state.sum == 0]
    }

    fn on_command(&self, node: &mut Node<'_, Self>, add: &bool) {
        node.state.sum = (node.state.sum + u8::from(*add)) % 3;
    }
}

/// The scenario.
pub fn scenario() -> Scenario<Numbers> {
    Scenario::new(Numbers, Topology::chain(2))
        .loss(Budget::AtMost(1))
        .duplication(Budget::AtMost(1))
        .reboot(Budget::AtMost(1))
        .assert_always("sums are small", |world| world.nodes().all(|(_, sums)| sums.sum < 3))
}

/// Its space.
pub fn space(scenario: &Scenario<Numbers>) -> NetworkSpace<'_> {
    NetworkSpace::new(scenario, SpaceOptions::default()).expect("it is a scenario")
}

/// How a target explores.
pub fn options() -> Options {
    let mut options = Options::default().max_depth(4);
    options.limits.states = Some(2_000);
    options
}

/// Explores, and says how many states there are.
#[allow(dead_code, reason = "one target resumes instead")]
pub fn explored(space: &mut NetworkSpace<'_>) -> u64 {
    explore(space, &options(), &mut ()).expect("it can be explored").states_visited
}
