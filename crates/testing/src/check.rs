//! Checks: every path of a scenario.

use std::{
    env,
    fmt::Display,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use everypath_explore::{
    Ended, Exploration, Limit, Limits, Options, Space, Stop, Trace, explore, retrace,
};
use everypath_model::{DETERMINISTIC, Parameters, Protocol, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions, Verification};
use everypath_plot::SequenceChart;
use everypath_report::{Origin, Story, TraceFile, traces_in};

use crate::{
    files::{self, REPLAY},
    scenario::{Builder, Built},
};

/// How many states a check visits at most if nobody says.
const STATES_MAX: u64 = 2_000_000;
/// How much memory the test's process may take meanwhile, all its threads together.
const BYTES_MAX: u64 = 4 << 30;

/// Begins a check of the scenario that a function makes; an assertion such as [`assert_holds`](Check::assert_holds)
/// carries it out.
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
/// use everypath_testing::check;
///
/// fn token(_: &mut Parameters) -> Scenario<Token> {
///     Scenario::new(Token, Topology::chain(2))
///         .assert_always("one token", |world| world.packets().count() == 1)
///         .assert_always("it never comes back", |world| {
///             world.packets().all(|packet| packet.to == NodeId(1))
///         })
/// }
///
/// check(token).assert_violates("it never comes back").in_steps(1);
/// ```
#[must_use = "a check is carried out by what it asserts"]
pub fn check<P: Protocol>(scenario: impl Fn(&mut Parameters) -> Scenario<P> + 'static) -> Check<P> {
    Check {
        builder: Builder::new(scenario),
        max_depth: Bound::Scenario,
        limits: Limits::default().states(STATES_MAX).bytes(BYTES_MAX),
        space: SpaceOptions::default(),
        incomplete: false,
        regressions: None,
    }
}

/// A check that is to be carried out.
#[must_use = "a check is carried out by what it asserts"]
pub struct Check<P: Protocol> {
    builder: Builder<P>,
    max_depth: Bound,
    limits: Limits,
    space: SpaceOptions,
    incomplete: bool,
    regressions: Option<PathBuf>,
}

/// How many events a run has at most.
#[derive(Clone, Copy)]
enum Bound {
    /// What the scenario says.
    Scenario,
    AtMost(u32),
    None,
}

impl<P: Protocol> Check<P> {
    /// Gives a parameter of the scenario a value.
    pub fn set(mut self, name: &str, value: impl Display) -> Self {
        self.builder.set(name, &value);
        self
    }

    /// Looks at runs of at most so many events, whatever the scenario says.
    pub fn max_depth(mut self, events: u32) -> Self {
        self.max_depth = Bound::AtMost(events);
        self
    }

    /// Looks at runs of any length, whatever the scenario says.
    pub fn unbounded(mut self) -> Self {
        self.max_depth = Bound::None;
        self
    }

    /// Ends the check when it has visited so many states: two million if nobody says.
    pub fn max_states(mut self, states: u64) -> Self {
        self.limits.states = Some(states);
        self
    }

    /// Ends the check when the process takes so many bytes: 4 GiB if nobody says. All tests of the process count.
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.limits.bytes = Some(bytes);
        self
    }

    /// Ends the check after this time. Without it, a slow machine changes nothing.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Takes a world in which nothing can happen for a violation: of `something can always happen`.
    pub fn never_stuck(mut self) -> Self {
        self.space.deadlock = true;
        self
    }

    /// Leaves out the events that a pattern describes, such as `lose` or `timer@0`.
    ///
    /// # Panics
    /// If it is no pattern.
    #[track_caller]
    pub fn disable(mut self, events: &str) -> Self {
        self.space.disabled.push(pattern(events));
        self
    }

    /// Looks only at runs with an event that the pattern describes.
    ///
    /// # Panics
    /// If it is no pattern.
    #[track_caller]
    pub fn require(mut self, event: &str) -> Self {
        self.space.required = Some(pattern(event));
        self
    }

    /// Executes every handler twice, to find out whether it does the same, instead of the first thousands and a
    /// share of the rest.
    pub fn verify_determinism(mut self) -> Self {
        self.space.verification = Verification::All;
        self
    }

    /// Lets a check pass that a limit has ended: nothing was found as far as it came.
    pub fn allow_incomplete(mut self) -> Self {
        self.incomplete = true;
        self
    }

    /// Runs the counterexamples in a folder again before anything else, and adds those that are found. A folder beside
    /// the sources, under version control, keeps every mistake that was ever found from coming back.
    pub fn regressions(mut self, folder: impl Into<PathBuf>) -> Self {
        self.regressions = Some(folder.into());
        self
    }

    /// Carries it out, and says what was found.
    ///
    /// # Panics
    /// If the scenario cannot be explored, or turns out not to do the same twice.
    #[track_caller]
    pub fn run(&self) -> Checked {
        self.explored(&self.builder.build(), Stop::First)
    }

    /// Asserts that every assertion of the scenario holds on every run, and that every goal is reached.
    ///
    /// # Panics
    /// If not, with the story of the shortest run that breaks an assertion; if a limit has ended the check, unless that
    /// is [allowed](Self::allow_incomplete); and if nothing was in question.
    #[track_caller]
    pub fn assert_holds(&self) {
        let built = self.builder.build();
        let own = files::own_file(&built.name);
        let mut earlier = Vec::new();
        match files::named_run() {
            Some(Ok(run)) => earlier.push(run),
            Some(Err(error)) => panic!("{REPLAY}: {error}"),
            None => {}
        }
        if let Some(folder) = &self.regressions {
            let kept = traces_in(folder);
            for path in kept.unwrap_or_else(|error| panic!("{}: {error}", shown(folder))) {
                let trace = TraceFile::read(&path);
                earlier.push((path, trace.unwrap_or_else(|error| panic!("{error}"))));
            }
        }
        // What cannot be read was left by another version, and is written anew.
        earlier.extend(TraceFile::read(&own).ok().map(|trace| (own.clone(), trace)));
        let again = earlier.iter().find_map(|(path, trace)| {
            let again = self.run_again(&built, trace)?;
            Some((path, again))
        });
        if let Some((path, violation)) = again {
            let how = format!("the run in {}", shown(path));
            panic!("{}", self.failure(&built, &violation, &how, &own));
        }
        let found = self.explored(&built, Stop::First);
        if let Some(violation) = found.violations.first() {
            let how = "the fewest possible";
            panic!("{}", self.failure(&built, violation, how, &own));
        }
        if let Some(complaint) = self.complaint(&found) {
            panic!("{}: {complaint}", built.name);
        }
        // Nothing is left of a failure that is mended.
        let _ = fs::remove_file(&own);
        let _ = fs::remove_file(files::chart_of(&own));
    }

    /// Asserts that an assertion can be broken.
    ///
    /// # Panics
    /// If not, or if there is no such assertion.
    #[track_caller]
    pub fn assert_violates(&self, assertion: &str) -> Violated {
        let built = self.builder.build();
        let first = self.explored(&built, Stop::First);
        let named = |violation: &Violated| violation.assertion == assertion;
        if !first.assertions.iter().any(|name| name == assertion) {
            let known = first.assertions.join("`, `");
            panic!("{}: there is no assertion `{assertion}`; there are `{known}`", built.name);
        }
        let is_first = first.violations.iter().any(named);
        // Another one is broken before it.
        let goes_on = !is_first && !first.violations.is_empty();
        let found = if goes_on { self.explored(&built, Stop::Each) } else { first };
        let Checked { mut violations, text, .. } = found;
        if let Some(place) = violations.iter().position(named) {
            return violations.swap_remove(place);
        }
        let instead = violations.first().map_or(
            String::new(),
            |Violated { assertion, explanation, story, .. }| {
                let explained = explanation.as_ref().map_or(String::new(), |it| format!(" ({it})"));
                format!("\n\n`{assertion}` is{explained}:\n{}", story.to_text(false))
            },
        );
        panic!("{}: `{assertion}` is not violated; {text}{instead}", built.name);
    }

    /// Asserts that a goal can be reached; in how many steps at least.
    ///
    /// # Panics
    /// If not, or if there is no such goal.
    #[track_caller]
    pub fn assert_reaches(&self, goal: &str) -> usize {
        let built = self.builder.build();
        let found = self.explored(&built, Stop::First);
        let reached = found.goals.iter().find(|(name, _)| name == goal);
        match reached {
            Some((_, Some(steps))) => *steps,
            Some((_, None)) => panic!("{}: `{goal}` is not reached; {}", built.name, found.text),
            None => {
                let known: Vec<&str> = found.goals.iter().map(|(name, _)| name.as_str()).collect();
                panic!(
                    "{}: there is no goal `{goal}`; there are `{}`",
                    built.name,
                    known.join("`, `")
                )
            }
        }
    }

    fn max_depth_of(&self, scenario: &Scenario<P>) -> Option<u32> {
        match self.max_depth {
            Bound::Scenario => scenario.max_depth,
            Bound::AtMost(events) => Some(events),
            Bound::None => None,
        }
    }

    #[track_caller]
    fn explored(&self, built: &Built<P>, stop: Stop) -> Checked {
        let mut space = built.space(&self.space);
        let options = Options::default()
            .max_depth(self.max_depth_of(&built.scenario))
            .limits(self.limits)
            .stop(stop);
        let found = explore(&mut space, &options, &mut ())
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", built.name));
        let violations = found.findings.iter();
        let violations = violations
            .map(|finding| self.violated(built, &space, finding.assertion, &finding.trace));
        let violations = violations.collect();
        let steps = |goal: usize| {
            let witness = found.witnesses.iter().find(|witness| witness.goal == goal);
            witness.map(|witness| witness.trace.steps.len())
        };
        let goals = space.goals().into_iter().enumerate();
        let goals = goals.map(|(goal, name)| (name, steps(goal))).collect();
        Checked {
            states: found.states_visited,
            events: found.counts.events,
            violations,
            goals,
            is_complete: found.is_complete(),
            saw_everything: found.saw_everything(),
            assertions: space.assertions().to_vec(),
            empty: space.empty_assertions().into_iter().map(str::to_owned).collect(),
            text: text_of(&found, &options),
        }
    }

    fn violated(
        &self,
        built: &Built<P>,
        space: &NetworkSpace<'_>,
        assertion: usize,
        trace: &Trace,
    ) -> Violated {
        let explanation = space.explain(trace.last(), assertion);
        let assertion = space.assertions()[assertion].clone();
        let parameters = built.parameters.declared().iter();
        let SpaceOptions { disabled, required, deadlock, verification, .. } = &self.space;
        let origin = Origin {
            scenario: built.name.clone(),
            profile: built.parameters.profile().name().to_owned(),
            parameters: parameters.map(|it| (it.name.clone(), it.value.clone())).collect(),
            verify_determinism: *verification == Verification::All || assertion == DETERMINISTIC,
            disabled: disabled.iter().map(ToString::to_string).collect(),
            required: required.as_ref().map(ToString::to_string),
            deadlock: *deadlock,
            start: None,
            files: Vec::new(),
            replaced: Default::default(),
        };
        let file = TraceFile::record(space, trace, origin, &assertion);
        Violated { assertion, explanation, story: Story::tell(space, trace), file }
    }

    /// Runs a counterexample again, if it is one of this scenario; what it violates, if it does.
    #[track_caller]
    fn run_again(&self, built: &Built<P>, earlier: &TraceFile) -> Option<Violated> {
        let declared = built.parameters.declared().iter();
        let is_same = declared
            .clone()
            .all(|it| earlier.parameters.get(&it.name).is_none_or(|then| *then == it.value));
        let is_own = earlier.scenario == built.name && is_same && earlier.files.is_empty();
        let (initial, digests) = earlier.digests().filter(|_| is_own && earlier.start.is_none())?;
        let mut space = built.space(&self.space);
        let steps = earlier.steps.iter().map(|step| &step.event).zip(digests);
        let again = retrace(&mut space, initial, steps, self.max_depth_of(&built.scenario))?;
        let violated = again.verdict.first()?;
        Some(self.violated(built, &space, violated, &again.trace))
    }

    /// What a test says that finds a violation. The run is written down on the way.
    fn failure(&self, built: &Built<P>, violation: &Violated, how: &str, own: &Path) -> String {
        let Violated { assertion, explanation, story, file } = violation;
        let steps = story.steps.len();
        let plural = if steps == 1 { "" } else { "s" };
        let mut text = format!("{}: VIOLATED in {steps} step{plural}, {how}\n\n", built.name);
        text += &story.to_text(false);
        text += &format!("\nbroken: {assertion}\n");
        if let Some(explanation) = explanation {
            text += &format!("  {explanation}\n");
        }
        let broken = explanation.as_ref().map(|it| format!("{assertion}: {it}"));
        let links: Vec<_> = built.scenario.topology.links().map(|(a, b)| (a.0, b.0)).collect();
        let broken = Some(broken.as_deref().unwrap_or(assertion));
        let chart = SequenceChart { story, title: &built.name, broken, links: &links };
        match files::write(own, file, &chart.to_html()) {
            Ok(chart) => {
                let test = files::test_name().unwrap_or_default();
                text += &format!("\nchart: {}\n", shown(&chart));
                text += &format!("replay: {REPLAY}={} cargo test {test}\n", shown(own));
            }
            Err(error) => text += &format!("\nthe run could not be written: {error}\n"),
        }
        if let Some(folder) = &self.regressions {
            let path = folder.join(file.file_name());
            if !path.exists() {
                let kept = files::write_run(&path, file);
                text += &match kept {
                    Ok(()) => format!("kept: {}\n", shown(&path)),
                    Err(error) => format!("it could not be kept: {error}\n"),
                };
            }
        }
        text
    }

    /// Why a check that has found nothing does not pass, if it does not.
    fn complaint(&self, found: &Checked) -> Option<String> {
        let missed: Vec<&str> = found
            .goals
            .iter()
            .filter(|(_, steps)| steps.is_none())
            .map(|(name, _)| name.as_str())
            .collect();
        if !found.is_complete && !self.incomplete {
            return Some(format!(
                "INCONCLUSIVE: {}; raise the limit, bound the scenario, or `allow_incomplete`",
                found.text
            ));
        }
        if !missed.is_empty() && (found.is_complete || !self.incomplete) {
            return Some(format!("not reached: `{}`; {}", missed.join("`, `"), found.text));
        }
        if found.events == 0 {
            return Some("nothing ever happens, so nothing was checked".to_owned());
        }
        let empty = found.empty.first()?;
        Some(format!("the assertion `{empty}` holds without looking at the world"))
    }
}

/// What a check has found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// How many states were visited.
    pub states: u64,
    /// How many events were looked at.
    pub events: u64,
    /// The first violation of each assertion, as far as they were sought.
    pub violations: Vec<Violated>,
    /// The goals, each with how many steps it takes to reach it, if it is reached.
    pub goals: Vec<(String, Option<usize>)>,
    /// Whether every run within the bound was looked at.
    pub is_complete: bool,
    /// Whether every reachable state was visited.
    pub saw_everything: bool,
    assertions: Vec<String>,
    empty: Vec<String>,
    text: String,
}

/// A violation, and a run that leads to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Violated {
    /// What is violated.
    pub assertion: String,
    /// What there is to say besides.
    pub explanation: Option<String>,
    /// The run in words.
    pub story: Story,
    /// The run as a file.
    pub file: TraceFile,
}

impl Violated {
    /// Asserts that the shortest run has so many steps.
    ///
    /// # Panics
    /// If it has more or fewer, with its story.
    #[track_caller]
    pub fn in_steps(&self, steps: usize) -> &Self {
        let found = self.story.steps.len();
        assert!(
            found == steps,
            "`{}` is violated in {found} steps, not in {steps}:\n{}",
            self.assertion,
            self.story.to_text(false)
        );
        self
    }
}

/// How far a check came, in words.
fn text_of(found: &Exploration, options: &Options) -> String {
    let seen = format!("{} states were visited", found.states_visited);
    let stopped = |what: &str| {
        format!("{seen} when {what} ended the check, {} wait to be expanded", found.states_waiting)
    };
    match found.ended {
        Ended::Exhausted | Ended::Violation => seen,
        Ended::Depth => {
            let depth = options.max_depth.unwrap_or_default();
            format!("{seen} on all runs of at most {depth} events")
        }
        Ended::Limit(Limit::States) => stopped("`max_states`"),
        Ended::Limit(Limit::Bytes) => stopped("`max_memory`"),
        Ended::Limit(Limit::Time) => stopped("`max_time`"),
        Ended::Limit(Limit::Capacity) => stopped("the number of networks that can be told apart"),
        _ => stopped("something else"),
    }
}

#[track_caller]
pub(crate) fn pattern(text: &str) -> everypath_explore::EventPattern {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A path as one would type it where cargo runs tests: in the folder of the crate.
fn shown(path: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.as_deref().and_then(|folder| path.strip_prefix(folder).ok());
    below.unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_the_crate_are_told_as_seen_from_there() {
        let crate_folder = env::current_dir().unwrap();
        assert_eq!(shown(&crate_folder.join("target").join("a.html")), "target/a.html");
        let elsewhere = env::temp_dir().join("a.html");
        assert_eq!(shown(&elsewhere), elsewhere.display().to_string());
    }
}
