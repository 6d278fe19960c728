//! Timers that may fire a limited number of times: how many states there are, and what is refused.

use std::{collections::HashSet, time::Duration};

use everypath_explore::{Ended, Options, Portable, Space, StateId, Stop, enabled, explore};
use everypath_model::{
    Budget, Never, Node, NodeId, Protocol, Scenario, ScenarioError, Start, Topology,
};
use everypath_network::{NetworkSpace, SpaceOptions};

use crate::resume::{interrupted, pieced_together, whole};

/// Nodes that count how often each of their timers has fired, and set it again.
struct Clock;

#[everypath_model::data]
enum Timer {
    Tick,
    Tock,
}

impl Protocol for Clock {
    type State = [u32; 2];
    type Message = Never;
    type Timer = Timer;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> [u32; 2] {
        node.set_timer(Timer::Tick, Duration::ZERO);
        node.set_timer(Timer::Tock, Duration::ZERO);
        [0, 0]
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        node.state[usize::from(*timer == Timer::Tock)] += 1;
        node.set_timer(timer.clone(), Duration::ZERO);
    }
}

fn clocks(nodes: usize, budgets: &[(&str, u32)]) -> Scenario<Clock> {
    let scenario = Scenario::new(Clock, Topology::full_mesh(nodes));
    budgets.iter().fold(scenario, |scenario, &(timers, most)| {
        scenario.timeouts_of(timers, Budget::AtMost(most))
    })
}

fn space(scenario: &Scenario<Clock>) -> NetworkSpace<'_> {
    NetworkSpace::new(scenario, SpaceOptions::default()).expect("it is small")
}

fn states(scenario: &Scenario<Clock>) -> u64 {
    let options = Options::default().stop(Stop::Never);
    let found = explore(&mut space(scenario), &options, &mut ()).expect("nothing panics");
    assert_eq!(found.ended, Ended::Exhausted);
    found.states_visited
}

#[test]
fn timers_fire_as_often_as_their_budgets_allow() {
    // The counts of both timers, with a sum of at most 4.
    assert_eq!(states(&clocks(1, &[("timer", 4)])), 15);
    // Each count by itself.
    assert_eq!(states(&clocks(1, &[("timer:Tick", 2), ("timer:Tock", 3)])), 3 * 4);
    // A timer that two budgets name needs both: at most 2 ticks, and at most 4 in all.
    assert_eq!(states(&clocks(1, &[("timer:Tick", 2), ("timer", 4)])), 5 + 4 + 3);
    // Four counts with a sum of at most 3; two of them with a sum of at most 1, and the others at most 2.
    assert_eq!(states(&clocks(2, &[("timer", 3)])), 35);
    assert_eq!(states(&clocks(2, &[("timer@0", 1), ("timer@n1", 2)])), 3 * 6);
    let never = clocks(1, &[("timer:Tick", 2)]).timeouts_of("timer:Tock", Budget::Off);
    assert_eq!(states(&never), 3);
    let always = clocks(1, &[("timer", 2)]).timeouts_of("timer:Tock", Budget::Unlimited);
    assert_eq!(states(&always), 6);
}

#[test]
fn a_budget_of_no_timer_is_known() {
    let scenario = clocks(1, &[("timer:Tick", 2), ("timer:Tack", 1), ("timer:Tock", 1)]);
    let mut space = space(&scenario);
    explore(&mut space, &Options::default(), &mut ()).unwrap();
    assert_eq!(space.unmet_timeouts(), ["timer:Tack"]);
}

/// A world in which only timers without a budget are set is an end.
#[test]
fn a_timer_that_may_not_fire_is_no_event() {
    let scenario = clocks(1, &[("timer", 2)])
        .assert_at_end("both have fired", |world| *world.node(NodeId(0)) == [1, 1]);
    let found = explore(&mut space(&scenario), &Options::default(), &mut ()).unwrap();
    assert_eq!(found.findings[0].trace.steps.len(), 2);
}

#[test]
fn states_are_written_and_read_back() {
    let scenario = clocks(2, &[("timer:Tick", 2), ("timer@1", 2)]);
    let mut space = space(&scenario);
    let mut seen: HashSet<StateId> = HashSet::new();
    let mut open = Vec::new();
    space.initial(&mut open);
    while let Some(state) = open.pop() {
        let bytes = space.encode(state);
        assert_eq!(space.decode(&bytes), Ok(state));
        assert!(space.decode(&bytes[..bytes.len() - 1]).is_err());
        let longer = [&bytes[..bytes.len() - 4], &[9, 0, 0, 0]].concat();
        assert!(space.decode(&longer).is_err(), "more than the budget is left");
        // The second budget bounds the number of states by depth; the first leaves tocks of n0 endless.
        if seen.insert(state) && seen.len() < 500 {
            open.extend(enabled(&mut space, state).iter().map(|(step, _)| step.target));
        }
    }
}

#[test]
fn a_search_goes_on_as_if_it_had_never_been_interrupted() {
    let scenario = clocks(2, &[("timer:Tick", 3), ("timer", 6)]);
    let options = Options::default().stop(Stop::Never);
    let (expected, asked) = whole(space(&scenario), &options);
    assert!(asked > 3, "{asked}");
    let saved = interrupted(space(&scenario), &options, 2);
    let found = pieced_together(|| space(&scenario), &options, saved.clone(), &[1]);
    assert_eq!(found, expected);
    let other = clocks(2, &[("timer:Tick", 3), ("timer", 7)]);
    let refused = pieced_together(|| space(&other), &options, saved, &[]);
    assert!(refused.unwrap_err().contains("faults"), "the budgets belong to the search");
}

#[test]
fn budgets_of_what_is_not_a_timer_are_refused() {
    let error = |timers: &str| clocks(2, &[(timers, 1)]).validate().unwrap_err();
    let pattern = |timers: &str| ScenarioError::TimeoutPattern(timers.to_owned());
    for wrong in ["deliver", "Tick", "timer:", "timer@x"] {
        assert_eq!(error(wrong), pattern(wrong));
    }
    let beyond = ScenarioError::TimeoutNode { pattern: "timer@2".to_owned(), node: 2 };
    assert_eq!(error("timer@2"), beyond);
    let twice = clocks(1, &[("timer", 1), ("timer", 2)]).validate();
    assert!(twice.unwrap_err().to_string().contains("two budgets of timeouts are called `timer`"));
    let five = ["a", "b", "c", "d", "e"].map(|text| format!("timer:{text}"));
    let five: Vec<(&str, u32)> = five.iter().map(|timers| (timers.as_str(), 1)).collect();
    assert_eq!(clocks(1, &five).validate(), Err(ScenarioError::Timeouts(5)));
}
