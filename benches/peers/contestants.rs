//! Who explores what, each with one thread: the number of states within the bound and of the events
//! that lead to them.

use everypath::{
    Parameters, Profile, Protocol, Scenario,
    explore::{Explorable, Model, ModelAssertion, ModelSpace, Options, explore},
    network::{NetworkSpace, SpaceOptions},
    protocols::{aodv::aodv_1, arq::arq},
};
use stateright::{Checker, Property};

use crate::{aodv, arq, arq_structure};

/// What an exploration counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub events: u64,
}

/// A program that explores something to a depth.
pub struct Contestant {
    pub name: &'static str,
    pub explore: fn(u32) -> Counts,
}

/// How far to explore, and what must be found.
pub struct Bound {
    pub depth: u32,
    pub counts: Counts,
}

/// What is explored. The first contestant is what the others are compared with.
pub struct Subject {
    pub name: &'static str,
    pub contestants: &'static [Contestant],
    pub full: Bound,
    pub short: Bound,
}

pub const SUBJECTS: [Subject; 2] = [
    Subject {
        name: "ARQ",
        contestants: &[
            Contestant { name: "Everypath, scenario", explore: arq_scenario },
            Contestant { name: "Everypath, structure", explore: model::<ArqStructure> },
            Contestant { name: "Everypath, 64 bits", explore: model::<Arq> },
            Contestant { name: "Stateright, structure", explore: stateright::<ArqStructure> },
            Contestant { name: "Stateright, 64 bits", explore: stateright::<Arq> },
        ],
        full: Bound {
            depth: arq::DEPTH_MOST,
            counts: Counts { states: 969_571, events: 3_098_015 },
        },
        short: Bound { depth: 20, counts: Counts { states: 2_715, events: 7_888 } },
    },
    Subject {
        name: "AODV",
        contestants: &[
            Contestant { name: "Everypath, scenario", explore: aodv_scenario },
            Contestant { name: "Everypath, structure", explore: model::<Aodv> },
            Contestant { name: "Stateright, structure", explore: stateright::<Aodv> },
        ],
        full: Bound { depth: 12, counts: Counts { states: 273_474, events: 1_502_487 } },
        short: Bound { depth: 8, counts: Counts { states: 7_662, events: 32_670 } },
    },
];

/// The protocol as it is also simulated: components, ports, timers.
fn arq_scenario(depth: u32) -> Counts {
    let profile = Profile::Thesis;
    scenario(&arq(&mut Parameters::new().under(profile)), profile, depth)
}

/// The router that is also the standard's and ns-3's.
fn aodv_scenario(depth: u32) -> Counts {
    let mut scenario_1 = aodv_1(&mut Parameters::new());
    // States that break an assertion are not expanded by some and are by others.
    scenario_1.assertions.clear();
    let scenario_1 = scenario_1.assert_always("numbers are small", |world| {
        world.nodes().all(|(_, state)| state.number.0 < 200)
    });
    scenario(&scenario_1, Profile::Standard, depth)
}

fn scenario<P: Protocol>(scenario: &Scenario<P>, profile: Profile, depth: u32) -> Counts {
    let options = SpaceOptions::default().profile(profile);
    breadth_first_to(depth, &mut NetworkSpace::new(scenario, options).expect("it can be explored"))
}

fn model<M: ByHand>(depth: u32) -> Counts {
    breadth_first_to(depth, &mut ModelSpace::new(Plain(M::default())))
}

fn breadth_first_to(depth: u32, space: &mut impl Explorable) -> Counts {
    let options = Options::default().max_depth(depth);
    let found = explore(space, &options, &mut ()).expect("the options go together");
    Counts { states: found.states_visited, events: found.counts.events }
}

fn stateright<M: ByHand>(depth: u32) -> Counts {
    // Stateright gives the initial state depth 1, and does not expand states of the target depth.
    let checker = stateright::Model::checker(Plain(M::default()));
    let checker = checker.threads(1).target_max_depth(depth as usize + 1).spawn_bfs().join();
    checker.assert_properties();
    // It counts the initial state as generated.
    let events = checker.state_count() as u64 - 1;
    Counts { states: checker.unique_state_count() as u64, events }
}

/// A model by hand, for both checkers that take plain models.
trait ByHand: Default + Clone + Send + Sync + 'static {
    type State: Clone + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static;
    type Event: Copy + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static;
    const HOLDS: &'static str;
    fn initial() -> Self::State;
    fn enabled(state: &Self::State, events: &mut Vec<Self::Event>);
    fn after(state: &Self::State, event: Self::Event) -> Self::State;
    fn holds(state: &Self::State) -> bool;
}

#[derive(Clone, Default)]
struct Arq;

impl ByHand for Arq {
    type State = arq::State;
    type Event = arq::Event;
    const HOLDS: &'static str = "at most two ahead";

    fn initial() -> arq::State {
        arq::State::INITIAL
    }

    fn enabled(state: &arq::State, events: &mut Vec<arq::Event>) {
        events.extend(state.enabled());
    }

    fn after(state: &arq::State, event: arq::Event) -> arq::State {
        state.after(event)
    }

    fn holds(state: &arq::State) -> bool {
        state.at_most_two_ahead()
    }
}

#[derive(Clone, Default)]
struct ArqStructure;

impl ByHand for ArqStructure {
    type State = arq_structure::State;
    type Event = arq::Event;
    const HOLDS: &'static str = Arq::HOLDS;

    fn initial() -> arq_structure::State {
        arq_structure::State::initial()
    }

    fn enabled(state: &arq_structure::State, events: &mut Vec<arq::Event>) {
        state.enabled(events);
    }

    fn after(state: &arq_structure::State, event: arq::Event) -> arq_structure::State {
        state.after(event)
    }

    fn holds(state: &arq_structure::State) -> bool {
        state.at_most_two_ahead()
    }
}

#[derive(Clone, Default)]
struct Aodv;

impl ByHand for Aodv {
    type State = aodv::State;
    type Event = aodv::Event;
    const HOLDS: &'static str = "numbers are small";

    fn initial() -> aodv::State {
        aodv::State::initial()
    }

    fn enabled(state: &aodv::State, events: &mut Vec<aodv::Event>) {
        state.enabled(events);
    }

    fn after(state: &aodv::State, event: aodv::Event) -> aodv::State {
        state.after(event)
    }

    fn holds(state: &aodv::State) -> bool {
        state.numbers_are_small()
    }
}

/// A model by hand as each checker wants it.
struct Plain<M>(M);

impl<M: ByHand> Model for Plain<M> {
    type State = M::State;
    type Action = M::Event;

    fn initial(&self) -> Vec<M::State> {
        vec![M::initial()]
    }

    fn actions(&self, state: &M::State) -> Vec<M::Event> {
        let mut events = Vec::new();
        M::enabled(state, &mut events);
        events
    }

    fn next(&self, state: &M::State, event: &M::Event) -> Option<M::State> {
        Some(M::after(state, *event))
    }

    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        vec![ModelAssertion::new(M::HOLDS, |_, state: &M::State| M::holds(state))]
    }
}

impl<M: ByHand> stateright::Model for Plain<M> {
    type State = M::State;
    type Action = M::Event;

    fn init_states(&self) -> Vec<M::State> {
        vec![M::initial()]
    }

    fn actions(&self, state: &M::State, events: &mut Vec<M::Event>) {
        M::enabled(state, events);
    }

    fn next_state(&self, state: &M::State, event: M::Event) -> Option<M::State> {
        Some(M::after(state, event))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(M::HOLDS, |_, state: &M::State| M::holds(state))]
    }
}
