//! A recorded run is run again, or the place is named where the model no longer does what was
//! recorded.

use everypath_explore::{
    Divergence, EventText, Model, ModelAssertion, ModelSpace, Options, Space, enabled, explore,
    replay,
};

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
fn events_that_read_alike_are_told_apart_by_their_states() {
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
