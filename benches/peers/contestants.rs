//! Who explores ARQ, each with one thread: the number of states within the bound and of the events
//! that lead to them.

use everypath::{
    Parameters, Profile,
    explore::{Model, ModelAssertion, ModelSpace, Options, Space, explore},
    network::{NetworkSpace, SpaceOptions},
    protocols::arq::arq,
};
use stateright::{Checker, Model as _, Property};

use crate::packed::{Event, State};

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
pub const CONTESTANTS: [Contestant; 3] = [
    Contestant { name: "Everypath, scenario", explore: scenario },
    Contestant { name: "Everypath, model by hand", explore: model },
    Contestant { name: "Stateright, model by hand", explore: stateright },
];

/// The protocol as it is also simulated: components, ports, timers.
fn scenario(depth: u32) -> Counts {
    let scenario = arq(&mut Parameters::new().under(Profile::Thesis));
    let options = SpaceOptions { profile: Profile::Thesis, ..SpaceOptions::default() };
    breadth_first_to(depth, &mut NetworkSpace::new(&scenario, options).expect("it can be explored"))
}

fn model(depth: u32) -> Counts {
    breadth_first_to(depth, &mut ModelSpace::new(ByHand))
}

fn breadth_first_to(depth: u32, space: &mut impl Space) -> Counts {
    let options = Options { max_depth: Some(depth), ..Options::default() };
    let found = explore(space, &options, &mut ()).expect("the options go together");
    Counts { states: found.states_visited, events: found.counts.events }
}

fn stateright(depth: u32) -> Counts {
    // Stateright gives the initial state depth 1, and does not expand states of the target depth.
    let checker = ByHand.checker().threads(1).target_max_depth(depth as usize + 1);
    let checker = checker.spawn_bfs().join();
    checker.assert_properties();
    // It counts the initial state as generated.
    let events = checker.state_count() as u64 - 1;
    Counts { states: checker.unique_state_count() as u64, events }
}

/// The packed model, for both checkers that take plain models.
struct ByHand;

impl Model for ByHand {
    type State = State;
    type Action = Event;

    fn initial(&self) -> Vec<State> {
        vec![State::INITIAL]
    }

    fn actions(&self, state: &State) -> Vec<Event> {
        state.enabled().collect()
    }

    fn next(&self, state: &State, event: &Event) -> Option<State> {
        Some(state.after(*event))
    }

    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        vec![ModelAssertion::new("at most two ahead", |_, state: &State| state.at_most_two_ahead())]
    }
}

impl stateright::Model for ByHand {
    type State = State;
    type Action = Event;

    fn init_states(&self) -> Vec<State> {
        vec![State::INITIAL]
    }

    fn actions(&self, state: &State, events: &mut Vec<Event>) {
        events.extend(state.enabled());
    }

    fn next_state(&self, state: &State, event: Event) -> Option<State> {
        Some(state.after(event))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("at most two ahead", |_, state: &State| state.at_most_two_ahead())]
    }
}
