//! A recorded run is run again, or the place is named where the model no longer does what was
//! recorded.

use std::collections::HashSet;

use everypath_explore::{
    Described, Divergence, Ended, EventText, Judged, Model, ModelAssertion, ModelSpace,
    Neighbourhood, Options, Retraced, Space, Trace, TraceStep, enabled, explore,
    explore_neighbourhood, replay, retrace,
};
use proptest::prelude::*;

/// A counter that grows by its steps until it reaches ten.
struct Counter {
    initial: Vec<u32>,
    steps: Vec<u32>,
    /// How much more it grows than the step says.
    error: u32,
}

impl Model for Counter {
    type State = u32;
    type Action = u32;

    fn initial(&self) -> Vec<u32> {
        self.initial.clone()
    }

    fn actions(&self, state: &u32) -> Vec<u32> {
        if *state < 10 { self.steps.clone() } else { Vec::new() }
    }

    fn next(&self, state: &u32, by: &u32) -> Option<u32> {
        Some(state + by + self.error)
    }

    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        vec![ModelAssertion::new("never eleven", |_, state| *state != 11)]
    }
}

fn counter() -> Counter {
    Counter { initial: vec![1, 0], steps: vec![1, 3], error: 0 }
}

/// A run as it is written to a file.
struct Recorded {
    initial: u64,
    steps: Vec<(EventText, u64)>,
}

fn recorded() -> Recorded {
    let mut space = ModelSpace::new(counter());
    let finding =
        explore(&mut space, &Options::default(), &mut ()).unwrap().finding().unwrap().clone();
    let steps = finding.trace.transitions();
    let steps = steps
        .map(|(before, step)| (space.event_text(before, step.event), space.digest(step.state)));
    Recorded { initial: space.digest(finding.trace.initial), steps: steps.collect() }
}

fn run_again(model: Counter, run: &Recorded) -> Result<Vec<u32>, Divergence> {
    let mut space = ModelSpace::new(model);
    let steps = run.steps.iter().map(|(text, digest)| (text, *digest));
    let trace = replay(&mut space, run.initial, steps)?;
    let states = trace.steps.iter().map(|step| step.state);
    Ok([trace.initial].into_iter().chain(states).map(|state| *space.state(state)).collect())
}

#[test]
fn a_run_can_be_run_again() {
    let run = recorded();
    let states = run_again(counter(), &run).unwrap();
    // From 1 by 1 and thrice by 3, in any order; from 0 it takes a step more.
    assert_eq!((states[0], states[4], states.len()), (1, 11, 5));
    assert!(states.is_sorted());
}

#[test]
fn a_run_without_steps_is_its_initial_state() {
    let run = Recorded { steps: Vec::new(), ..recorded() };
    assert_eq!(run_again(counter(), &run), Ok(vec![1]));
}

#[test]
fn the_order_of_the_initial_states_does_not_matter() {
    let turned = Counter { initial: vec![0, 1], ..counter() };
    assert!(run_again(turned, &recorded()).is_ok());
}

#[test]
fn another_initial_state_is_named() {
    let run = recorded();
    for initial in [vec![], vec![0], vec![2, 3]] {
        let model = Counter { initial, ..counter() };
        assert_eq!(run_again(model, &run), Err(Divergence::Initial));
    }
    let wrong = Recorded { initial: run.initial ^ 1, ..run };
    assert_eq!(run_again(counter(), &wrong), Err(Divergence::Initial));
}

#[test]
fn an_event_that_is_not_enabled_is_named_with_what_is() {
    let run = recorded();
    let first_one = run.steps.iter().position(|(text, _)| text.sentence == "1").unwrap();
    let model = Counter { steps: vec![3, 5], ..counter() };
    let enabled = vec!["3".to_owned(), "5".to_owned()];
    let expected = Divergence::Event { step: first_one + 1, enabled };
    assert_eq!(run_again(model, &run), Err(expected));
}

#[test]
fn an_event_after_the_end_is_named() {
    let mut run = recorded();
    run.steps.push(run.steps[0].clone());
    let expected = Divergence::Event { step: run.steps.len(), enabled: Vec::new() };
    assert_eq!(run_again(counter(), &run), Err(expected));
}

#[test]
fn a_state_that_differs_is_named() {
    let model = Counter { error: 1, ..counter() };
    assert_eq!(run_again(model, &recorded()), Err(Divergence::State { step: 1 }));
    for step in 0..4 {
        let mut run = recorded();
        run.steps[step].1 ^= 1;
        assert_eq!(run_again(counter(), &run), Err(Divergence::State { step: step + 1 }));
    }
}

#[test]
fn every_word_of_an_event_counts() {
    let spoil: [fn(&mut EventText); 4] = [
        |text| text.node = Some(0),
        |text| text.kind.push('!'),
        |text| text.parameters.clear(),
        |text| text.sentence.push('!'),
    ];
    for spoil in spoil {
        let mut run = recorded();
        spoil(&mut run.steps[1].0);
        let diverged = run_again(counter(), &run);
        assert!(matches!(diverged, Err(Divergence::Event { step: 2, .. })), "{diverged:?}");
    }
}

/// Two actions that read alike: only the states after them tell which was meant.
struct Ambiguous;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Toss(bool);

impl std::fmt::Debug for Toss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("toss")
    }
}

impl Model for Ambiguous {
    type State = Vec<bool>;
    type Action = Toss;

    fn initial(&self) -> Vec<Vec<bool>> {
        vec![Vec::new()]
    }

    fn actions(&self, _: &Vec<bool>) -> Vec<Toss> {
        vec![Toss(false), Toss(true)]
    }

    fn next(&self, state: &Vec<bool>, Toss(heads): &Toss) -> Option<Vec<bool>> {
        Some([state.as_slice(), &[*heads]].concat())
    }
}

#[test]
fn events_that_read_alike_are_distinguished_by_their_states() {
    let mut space = ModelSpace::new(Ambiguous);
    let mut states = Vec::new();
    space.initial(&mut states);
    let initial = space.digest(states[0]);
    let mut steps = Vec::new();
    let mut state = states[0];
    for heads in [true, false, true] {
        let (step, text) = enabled(&mut space, state).swap_remove(usize::from(heads));
        state = step.target;
        steps.push((text, space.digest(state)));
    }
    let mut fresh = ModelSpace::new(Ambiguous);
    let recorded = steps.iter().map(|(text, digest)| (text, *digest));
    let trace = replay(&mut fresh, initial, recorded).unwrap();
    assert_eq!(*fresh.state(trace.last()), [true, false, true]);
}

/// A recorded run, run again whatever states it leads to: the states, and how it ended.
fn retraced(model: Counter, run: &Recorded, max_depth: Option<u32>) -> (Vec<u32>, Retraced) {
    let mut space = ModelSpace::new(model);
    let steps = run.steps.iter().map(|(text, digest)| (text, *digest));
    let retraced = retrace(&mut space, run.initial, steps, max_depth).unwrap();
    let states = retraced.trace.steps.iter().map(|step| step.state);
    let states = [retraced.trace.initial].into_iter().chain(states);
    (states.map(|state| *space.state(state)).collect(), retraced)
}

#[test]
fn a_run_of_an_earlier_version_is_run_as_far_as_it_goes() {
    let run = recorded();
    let (states, same) = retraced(counter(), &run, None);
    assert_eq!((states[0], states[4], states.len()), (1, 11, 5));
    assert_eq!((same.verdict.first(), same.divergence), (Some(0), None));

    // Other states, and the same events, until they are larger than ten.
    let (states, larger) = retraced(Counter { error: 5, ..counter() }, &run, None);
    assert_eq!(larger.divergence, Some(Divergence::Event { step: 3, enabled: Vec::new() }));
    assert!(larger.verdict.is_safe() && states.len() == 3, "{states:?}");

    // It begins somewhere else, and goes past.
    let (states, moved) = retraced(Counter { initial: vec![0], ..counter() }, &run, None);
    assert_eq!((states.last(), moved.verdict.first(), moved.divergence), (Some(&10), None, None));

    let (states, cut) = retraced(counter(), &run, Some(3));
    assert_eq!((states.len(), cut.verdict.first(), cut.divergence), (4, None, None));
    assert!(
        retrace(&mut ModelSpace::new(Counter { initial: vec![], ..counter() }), 0, [], None)
            .is_none()
    );
}

/// A graph whose states are numbers, of which one is bad.
#[derive(Clone, Debug)]
struct Graph {
    successors: Vec<Vec<usize>>,
    bad: usize,
}

impl Model for Graph {
    type State = usize;
    type Action = usize;

    fn initial(&self) -> Vec<usize> {
        vec![0]
    }

    fn actions(&self, state: &usize) -> Vec<usize> {
        self.successors[*state].clone()
    }

    fn next(&self, _: &usize, to: &usize) -> Option<usize> {
        Some(*to)
    }

    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        vec![ModelAssertion::new("never there", |graph, state| *state != graph.bad)]
    }
}

fn graph() -> impl Strategy<Value = Graph> {
    let successors = prop::collection::vec(0..12_usize, 0..3);
    let successors = prop::collection::vec(successors, 12);
    (successors, 1..12_usize).prop_map(|(successors, bad)| Graph { successors, bad })
}

/// A run that takes the first, second, … of the enabled events, to where none is enabled or something is bad.
fn walk(space: &mut ModelSpace<Graph>, choices: &[usize]) -> Trace {
    let mut states = Vec::new();
    space.initial(&mut states);
    let mut run = Trace { initial: states[0], steps: Vec::new() };
    for choice in choices {
        let steps = enabled(space, run.last());
        if steps.is_empty() || !space.verdict(run.last()).is_safe() {
            break;
        }
        let (step, _) = &steps[choice % steps.len()];
        run.steps.push(TraceStep { event: step.event, state: step.target });
    }
    run
}

proptest! {
    #[test]
    fn what_is_near_a_run_is_found(
        graph in graph(),
        choices in prop::collection::vec(prop::collection::vec(0..3_usize, 0..6), 1..3),
        events in 0..4_u32,
    ) {
        let mut space = ModelSpace::new(graph.clone());
        let runs: Vec<Trace> = choices.iter().map(|choices| walk(&mut space, choices)).collect();
        let visited = runs.iter().flat_map(|run| {
            [run.initial].into_iter().chain(run.steps.iter().map(|step| step.state))
        });
        let mut near: HashSet<usize> = visited.map(|state| *space.state(state)).collect();
        for _ in 0..events {
            let next = near.iter().filter(|state| **state != graph.bad);
            let next: Vec<usize> = next.flat_map(|&state| graph.successors[state].clone()).collect();
            near.extend(next);
        }
        let around = Neighbourhood { events, ..Neighbourhood::default() };
        let found = explore_neighbourhood(&mut space, &runs, around, &mut ());
        prop_assert_eq!(found.ended == Ended::Violation, near.contains(&graph.bad));
        if let Some(finding) = found.finding() {
            // It is a run, from the start to what is bad.
            let mut state = 0;
            for (before, step) in finding.trace.transitions() {
                prop_assert_eq!(*space.state(before), state);
                state = *space.state(step.state);
                prop_assert!(graph.successors[*space.state(before)].contains(&state));
            }
            prop_assert_eq!(state, graph.bad);
        } else {
            prop_assert_eq!(found.states_visited, near.len() as u64);
        }
    }

    /// With a bound, nothing is found that a search with this bound does not find.
    #[test]
    fn what_is_near_a_run_is_within_the_bound(
        graph in graph(),
        choices in prop::collection::vec(prop::collection::vec(0..3_usize, 0..6), 1..4),
        events in 0..4_u32,
        most in 0..6_u32,
    ) {
        let mut space = ModelSpace::new(graph.clone());
        let walks = choices.iter().map(|choices| &choices[..choices.len().min(most as usize)]);
        let runs: Vec<Trace> = walks.map(|choices| walk(&mut space, choices)).collect();
        let around = Neighbourhood { events, max_depth: Some(most), ..Neighbourhood::default() };
        let found = explore_neighbourhood(&mut space, &runs, around, &mut ());
        let options = Options::default().max_depth(most);
        let searched = explore(&mut ModelSpace::new(graph), &options, &mut ()).unwrap();
        if let Some(finding) = found.finding() {
            prop_assert!(finding.trace.steps.len() <= most as usize);
            prop_assert!(searched.finding().is_some());
        }
    }
}
