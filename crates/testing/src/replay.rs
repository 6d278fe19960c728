//! Replays: runs given event by event, in words.

use std::fmt::Display;

use everypath_driver::Driven;
use everypath_explore::{Divergence, Judged, Retraced, retrace_sentences};
use everypath_model::{Parameters, Protocol, Scenario};
use everypath_network::{Reductions, SpaceOptions, Verification};
use everypath_report::Story;

use crate::{
    check::pattern,
    driver::DriverBuilder,
    scenario::Builder,
    subject::{
        Subject,
        sealed::{CheckedSpace, Explored},
    },
};

/// Begins a run of the scenario that a function makes. Its events are in the words of a story.
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
///     Scenario::new(Token, Topology::chain(2)).assert_always("it never comes back", |world| {
///         world.packets().all(|packet| packet.to == NodeId(1))
///     })
/// }
///
/// replay(token).steps(["() from n0 arrives at n1"]).assert_violates("it never comes back");
/// ```
#[must_use = "a replay runs only when it asserts something"]
pub fn replay<P: Protocol>(
    scenario: impl Fn(&mut Parameters) -> Scenario<P> + 'static,
) -> Replay<Builder<P>> {
    let space = SpaceOptions::default().reductions(Reductions::NONE);
    let builder = Builder::new(scenario);
    Replay { builder, space, steps: Vec::new() }
}

/// Begins a sequence of calls of the driver that a function makes. `check --as-test` and a failing
/// [`check_driver`](crate::check_driver) write such a test.
///
/// ```
/// use everypath_driver::Driver;
/// use everypath_model::Parameters;
/// use everypath_testing::replay_driver;
///
/// fn list(_: &mut Parameters) -> Driver<Vec<u8>> {
///     Driver::new(Vec::<u8>::new)
///         .call("push", 1..=2, |list, value| list.push(value))
///         .invariant("never two twos", |list| list.as_slice() != [2, 2])
/// }
///
/// replay_driver(list).calls(["push(2)", "push(2)"]).assert_violates("never two twos");
/// replay_driver(list).calls(["push(2)", "push(1)"]).assert_holds();
/// ```
#[must_use = "a replay runs only when it asserts something"]
pub fn replay_driver<D: Driven + 'static>(
    driver: impl Fn(&mut Parameters) -> D + 'static,
) -> Replay<DriverBuilder> {
    // So that calls that are not deterministic, and states that are not distinguished, fail here, too.
    let space = SpaceOptions::default().verification(Verification::All);
    Replay { builder: DriverBuilder::new(driver), space, steps: Vec::new() }
}

/// A replay that has not run yet.
#[must_use = "a replay runs only when it asserts something"]
pub struct Replay<S: Subject> {
    builder: S,
    space: SpaceOptions,
    steps: Vec<String>,
}

impl<P: Protocol> Replay<Builder<P>> {
    /// Counts only violations after an event of the pattern.
    ///
    /// # Panics
    /// If it is no pattern.
    #[track_caller]
    pub fn require(mut self, event: &str) -> Self {
        self.space.required = Some(pattern(event));
        self
    }
}

impl Replay<DriverBuilder> {
    /// The calls, as a story has them.
    pub fn calls<C: Into<String>>(self, calls: impl IntoIterator<Item = C>) -> Self {
        self.steps(calls)
    }
}

impl<S: Subject> Replay<S> {
    /// Gives a parameter of the scenario a value.
    pub fn set(mut self, name: &str, value: impl Display) -> Self {
        self.builder.set(name, &value);
        self
    }

    /// Reports deadlocks as violations.
    pub fn never_stuck(mut self) -> Self {
        self.space.deadlock = true;
        self
    }

    /// The events, in the words of a story.
    pub fn steps<E: Into<String>>(mut self, steps: impl IntoIterator<Item = E>) -> Self {
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
        let mut space = built.space(&self.space);
        let Retraced { trace, verdict, divergence, .. } = self.made(&mut space);
        let names = space.assertions();
        let is_meant = |&place: &usize| names[place] == assertion;
        if (0..names.len()).filter(is_meant).any(|place| verdict.violates(place)) {
            return;
        }
        let why = match (verdict.first(), divergence) {
            (Some(other), _) => format!("`{}` is violated, not `{assertion}`", names[other]),
            (None, Some(Divergence::Event { step, enabled })) => self.impossible(step, &enabled),
            (None, _) => format!("`{assertion}` is not violated"),
        };
        let story = Story::tell(&space, &trace).to_text(false);
        panic!("{}: {why}\n\n{story}", built.name());
    }

    /// Asserts that the run violates nothing, up to the first event that cannot happen any more: a
    /// fix may also make the rest of the run impossible.
    ///
    /// # Panics
    /// If an assertion is violated, with the story of the run; or if even the first event cannot happen, because then it is
    /// probably misspelt, and nothing was tested.
    #[track_caller]
    pub fn assert_holds(&self) {
        let built = self.builder.build();
        let mut space = built.space(&self.space);
        let Retraced { trace, verdict, divergence, .. } = self.made(&mut space);
        if let Some(Divergence::Event { step: 1, enabled }) = &divergence {
            panic!("{}: {}", built.name(), self.impossible(1, enabled));
        }
        if let Some(violated) = verdict.first() {
            let story = Story::tell(&space, &trace).to_text(false);
            let (steps, assertion) = (trace.steps.len(), &space.assertions()[violated]);
            panic!("{}: VIOLATED in step {steps}\n\n{story}\nbroken: {assertion}\n", built.name());
        }
    }

    fn impossible(&self, step: usize, enabled: &[String]) -> String {
        let (event, possible) = (&self.steps[step - 1], enabled.join("`, `"));
        format!("step {step}, `{event}`, cannot happen; possible events: `{possible}`")
    }

    fn made(&self, space: &mut impl CheckedSpace) -> Retraced {
        let steps = self.steps.iter().map(String::as_str);
        retrace_sentences(space, steps).expect("a scenario has a start")
    }
}
