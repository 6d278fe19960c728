//! Runs that are given event by event, in words.

use std::fmt::Display;

use everypath_explore::{Space, StateId, Trace, TraceStep, enabled};
use everypath_model::{Parameters, Protocol, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_report::Story;

use crate::{
    check::pattern,
    scenario::{Builder, Built},
};

/// Begins a run of the scenario that a function makes: its events are those that a story tells, in the same words.
/// `check --as-test` writes such a test.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # use everypath_model::{Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology};
/// # struct Token;
/// # impl Protocol for Token {
/// #     type State = ();
/// #     type Message = ();
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) { if node.id == NodeId(0) { node.broadcast(()); } }
/// #     fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, _: &()) {
/// #         node.send(from, ());
/// #     }
/// # }
/// use everypath_testing::replay;
///
/// fn token(_: &mut Parameters) -> Scenario<Token> {
///     Scenario::new(Token, Topology::chain(2)).assertion("it never comes back", |world| {
///         world.packets().all(|packet| packet.to == NodeId(1))
///     })
/// }
///
/// replay(token).steps(["() from n0 arrives at n1"]).assert_violates("it never comes back");
/// ```
#[must_use = "a run is made by what it asserts"]
pub fn replay<P: Protocol>(
    scenario: impl Fn(&mut Parameters) -> Scenario<P> + 'static,
) -> Replay<P> {
    let (builder, space) = (Builder::new(scenario), SpaceOptions::default());
    Replay { builder, space, steps: Vec::new() }
}

/// A run that is to be made.
#[must_use = "a run is made by what it asserts"]
pub struct Replay<P: Protocol> {
    builder: Builder<P>,
    space: SpaceOptions,
    steps: Vec<String>,
}

/// How far a run came.
struct Made {
    trace: Trace,
    /// The first assertion that it violates, if it does.
    violated: Option<String>,
    /// Why it came no further, if it did not come to its end.
    parted: Option<String>,
}

impl<P: Protocol> Replay<P> {
    /// Gives a parameter of the scenario a value.
    pub fn set(mut self, name: &str, value: impl Display) -> Self {
        self.builder.set(name, &value);
        self
    }

    /// Takes a world in which nothing can happen for a violation.
    pub fn never_stuck(mut self) -> Self {
        self.space.deadlock = true;
        self
    }

    /// Looks for violations only after an event that the pattern describes.
    ///
    /// # Panics
    /// If it is no pattern.
    #[track_caller]
    pub fn require(mut self, event: &str) -> Self {
        self.space.required = Some(pattern(event));
        self
    }

    /// The events, in the words of a story.
    pub fn steps<S: Into<String>>(mut self, steps: impl IntoIterator<Item = S>) -> Self {
        self.steps.extend(steps.into_iter().map(Into::into));
        self
    }

    /// Asserts that the run ends by violating an assertion.
    ///
    /// # Panics
    /// If it does not, or if one of its events cannot happen.
    #[track_caller]
    pub fn assert_violates(&self, assertion: &str) {
        let built = self.builder.build();
        let mut space = self.space(&built);
        let made = self.made(&mut space);
        if made.violated.as_deref() == Some(assertion) {
            return;
        }
        let story = Story::tell(&space, &made.trace).to_text(false);
        let why = match (made.violated, made.parted) {
            (Some(other), _) => format!("`{other}` is violated, not `{assertion}`"),
            (None, Some(parted)) => parted,
            (None, None) => format!("`{assertion}` is not violated"),
        };
        panic!("{}: {why}\n\n{story}", built.name);
    }

    /// Asserts that nothing is violated on the run, as far as its events can still happen: what mends a mistake may
    /// also keep the run from going on.
    ///
    /// # Panics
    /// If an assertion is violated, with the story of the run.
    #[track_caller]
    pub fn assert_holds(&self) {
        let built = self.builder.build();
        let mut space = self.space(&built);
        let made = self.made(&mut space);
        if let Some(assertion) = made.violated {
            let story = Story::tell(&space, &made.trace).to_text(false);
            let steps = made.trace.steps.len();
            panic!("{}: VIOLATED in step {steps}\n\n{story}\nbroken: {assertion}\n", built.name);
        }
    }

    #[track_caller]
    fn space<'a>(&self, built: &'a Built<P>) -> NetworkSpace<'a, P> {
        NetworkSpace::new(&built.scenario, self.space.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", built.name))
    }

    #[track_caller]
    fn made(&self, space: &mut NetworkSpace<'_, P>) -> Made {
        let mut initial = Vec::new();
        space.initial(&mut initial);
        let initial = *initial.first().expect("a scenario has a start");
        let mut trace = Trace { initial, steps: Vec::new() };
        let mut words = self.steps.iter();
        loop {
            let state = trace.last();
            let choices = enabled(space, state);
            if let Some(violated) = first_violated(space, state, choices.is_empty()) {
                return Made { trace, violated: Some(violated), parted: None };
            }
            let Some(sentence) = words.next() else {
                return Made { trace, violated: None, parted: None };
            };
            let Some((step, _)) = choices.iter().find(|(_, event)| event.sentence == *sentence)
            else {
                let possible = choices.iter().map(|(_, event)| event.sentence.as_str());
                let possible: Vec<&str> = possible.collect();
                let parted = format!(
                    "step {}, `{sentence}`, cannot happen; what can: `{}`",
                    trace.steps.len() + 1,
                    possible.join("`, `")
                );
                return Made { trace, violated: None, parted: Some(parted) };
            };
            trace.steps.push(TraceStep { event: step.event, state: step.target });
        }
    }
}

fn first_violated<P: Protocol>(
    space: &mut NetworkSpace<'_, P>,
    state: StateId,
    is_end: bool,
) -> Option<String> {
    let mut verdict = space.verdict(state);
    if verdict.is_safe() && is_end && !space.is_pruned(state) {
        verdict = space.verdict_at_end(state);
    }
    let violated = verdict.first().filter(|_| space.counts(state))?;
    Some(space.assertions()[violated].clone())
}
