//! Who explores ARQ, each with one thread: the number of states within the bound and of the events
//! that lead to them.

use std::{fmt::Debug, hash::Hash};

use everypath::{
    Parameters, Profile,
    explore::{Model, ModelAssertion, ModelSpace, Options, Space, explore},
    network::{NetworkSpace, SpaceOptions},
    protocols::arq::arq,
};
use stateright::{Checker, Property};

use crate::{
    packed::{self, Event},
    plain,
};

/// What an exploration counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub events: u64,
}

/// A program that explores ARQ to a depth.
pub struct Contestant {
    pub name: &'static str,
    pub explore: fn(u32) -> Counts,
}

/// The first is what the others are compared with.
pub const CONTESTANTS: [Contestant; 5] = [
    Contestant { name: "Everypath, scenario", explore: scenario },
    Contestant { name: "Everypath, structure", explore: |depth| model(Plain, depth) },
    Contestant { name: "Everypath, 64 bits", explore: |depth| model(Packed, depth) },
    Contestant { name: "Stateright, structure", explore: |depth| stateright(Plain, depth) },
    Contestant { name: "Stateright, 64 bits", explore: |depth| stateright(Packed, depth) },
];

/// The protocol as it is also simulated: components, ports, timers.
fn scenario(depth: u32) -> Counts {
    let scenario = arq(&mut Parameters::new().under(Profile::Thesis));
    let options = SpaceOptions { profile: Profile::Thesis, ..SpaceOptions::default() };
    breadth_first_to(depth, &mut NetworkSpace::new(&scenario, options).expect("it can be explored"))
}

fn model<M: Model>(model: M, depth: u32) -> Counts {
    breadth_first_to(depth, &mut ModelSpace::new(model))
}

fn breadth_first_to(depth: u32, space: &mut impl Space) -> Counts {
    let options = Options { max_depth: Some(depth), ..Options::default() };
    let found = explore(space, &options, &mut ()).expect("the options go together");
    Counts { states: found.states_visited, events: found.counts.events }
}

fn stateright<M>(model: M, depth: u32) -> Counts
where
    M: stateright::Model + Send + Sync + 'static,
    M::State: Clone + Debug + PartialEq + Hash + Send + Sync,
    M::Action: Clone + Debug + PartialEq + Send + Sync,
{
    // Stateright gives the initial state depth 1, and does not expand states of the target depth.
    let checker = model.checker().threads(1).target_max_depth(depth as usize + 1);
    let checker = checker.spawn_bfs().join();
    checker.assert_properties();
    // It counts the initial state as generated.
    let events = checker.state_count() as u64 - 1;
    Counts { states: checker.unique_state_count() as u64, events }
}

/// A model by hand, for both checkers that take plain models.
macro_rules! model {
    ($model:ident, $state:ty, $initial:expr, $events:expr) => {
        impl Model for $model {
            type State = $state;
            type Action = Event;

            fn initial(&self) -> Vec<$state> {
                vec![$initial]
            }

            fn actions(&self, state: &$state) -> Vec<Event> {
                let mut events = Vec::new();
                $events(state, &mut events);
                events
            }

            fn next(&self, state: &$state, event: &Event) -> Option<$state> {
                Some(state.after(*event))
            }

            fn assertions(&self) -> Vec<ModelAssertion<Self>> {
                vec![ModelAssertion::new(AHEAD, |_, state: &$state| state.at_most_two_ahead())]
            }
        }

        impl stateright::Model for $model {
            type State = $state;
            type Action = Event;

            fn init_states(&self) -> Vec<$state> {
                vec![$initial]
            }

            fn actions(&self, state: &$state, events: &mut Vec<Event>) {
                $events(state, events);
            }

            fn next_state(&self, state: &$state, event: Event) -> Option<$state> {
                Some(state.after(event))
            }

            fn properties(&self) -> Vec<Property<Self>> {
                vec![Property::always(AHEAD, |_, state: &$state| state.at_most_two_ahead())]
            }
        }
    };
}

const AHEAD: &str = "at most two ahead";

/// The model whose states are structures.
struct Plain;

model!(Plain, plain::State, plain::State::initial(), plain::State::enabled);

/// The model whose states are numbers.
struct Packed;

model!(
    Packed,
    packed::State,
    packed::State::INITIAL,
    |state: &packed::State, events: &mut Vec<Event>| {
        events.extend(state.enabled());
    }
);
