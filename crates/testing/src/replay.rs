//! Replays: runs given event by event, in words.

use std::fmt::Display;

use everypath_explore::{Divergence, Judged, Retraced, retrace_sentences};
use everypath_model::{Parameters, Protocol, Scenario};
use everypath_network::{NetworkSpace, Reductions, SpaceOptions};
use everypath_report::Story;

use crate::{check::pattern, scenario::Builder};

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
) -> Replay<P> {
    let space = SpaceOptions::default().reductions(Reductions::NONE);
    let builder = Builder::new(scenario);
    Replay { builder, space, steps: Vec::new() }
}

/// A replay that has not run yet.
#[must_use = "a replay runs only when it asserts something"]
pub struct Replay<P: Protocol> {
    builder: Builder<P>,
    space: SpaceOptions,
    steps: Vec<String>,
}

impl<P: Protocol> Replay<P> {
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

    /// Counts only violations after an event of the pattern.
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
        let mut space = built.space(&self.space);
        let Retraced { trace, verdict, divergence, .. } = self.made(&mut space);
        let names = space.assertions();
        let is_meant = |&place: &usize| names[place] == assertion;
        if (0..names.len()).filter(is_meant).any(|place| verdict.violates(place)) {
            return;
        }
        let why = match (verdict.first(), divergence) {
            (Some(other), _) => format!("`{}` is violated, not `{assertion}`", names[other]),
            (None, Some(Divergence::Event { step, enabled })) => format!(
                "step {step}, `{}`, cannot happen; possible events: `{}`",
                self.steps[step - 1],
                enabled.join("`, `")
            ),
            (None, _) => format!("`{assertion}` is not violated"),
        };
        let story = Story::tell(&space, &trace).to_text(false);
        panic!("{}: {why}\n\n{story}", built.name);
    }

    /// Asserts that the run violates nothing, up to the first event that cannot happen any more: a
    /// fix may also make the rest of the run impossible.
    ///
    /// # Panics
    /// If an assertion is violated, with the story of the run.
    #[track_caller]
    pub fn assert_holds(&self) {
        let built = self.builder.build();
        let mut space = built.space(&self.space);
        let Retraced { trace, verdict, .. } = self.made(&mut space);
        if let Some(violated) = verdict.first() {
            let story = Story::tell(&space, &trace).to_text(false);
            let (steps, assertion) = (trace.steps.len(), &space.assertions()[violated]);
            panic!("{}: VIOLATED in step {steps}\n\n{story}\nbroken: {assertion}\n", built.name);
        }
    }

    fn made(&self, space: &mut NetworkSpace<'_>) -> Retraced {
        let steps = self.steps.iter().map(String::as_str);
        retrace_sentences(space, steps).expect("a scenario has a start")
    }
}
