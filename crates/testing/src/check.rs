//! Checks: explorations of every path of a scenario or driver, in tests.

use std::{
    env,
    fmt::Display,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use everypath_driver::{CALLS_DETERMINISTIC, Driven};
use everypath_explore::{
    Ended, Exploration, Judged, Limit, Limits, Options, Searched, Stop, Trace, retrace,
};
use everypath_model::{DETERMINISTIC, Parameters, Protocol, Scenario, Timers};
use everypath_network::{Reductions, SpaceOptions, Verification};
use everypath_plot::SequenceChart;
use everypath_report::{
    Growth, Origin, ReplayTest, Story, Surroundings, Tool, TraceFile, counted, function_name,
    remedies_text, traces_in,
};

use crate::{
    driver::DriverBuilder,
    files::{self, REPLAY},
    scenario::Builder,
    subject::{
        Subject,
        sealed::{CheckedSpace, Explored},
    },
    timed::TimedBuilder,
};

/// The default limit of visited states.
const STATES_MAX: u64 = 2_000_000;
/// The default limit of memory, for the whole process of the test.
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
#[must_use = "a check runs only when it asserts something"]
pub fn check<P: Protocol>(
    scenario: impl Fn(&mut Parameters) -> Scenario<P> + 'static,
) -> Check<Builder<P>> {
    Check::new(Builder::new(scenario))
}

/// Begins a check of the driver that a function makes: every sequence of calls on an ordinary Rust
/// type.
///
/// ```
/// use everypath_driver::Driver;
/// use everypath_model::Parameters;
/// use everypath_testing::check_driver;
///
/// fn list(_: &mut Parameters) -> Driver<Vec<u8>> {
///     Driver::new(Vec::<u8>::new)
///         .call("push", 1..=2, |list, value| list.push(value))
///         .call("pop", (), |list, ()| list.pop())
///         .invariant("never two twos", |list| list.as_slice() != [2, 2])
/// }
///
/// check_driver(list).max_depth(5).assert_violates("never two twos").in_calls(2);
/// ```
#[must_use = "a check runs only when it asserts something"]
pub fn check_driver<D: Driven + 'static>(
    driver: impl Fn(&mut Parameters) -> D + 'static,
) -> Check<DriverBuilder> {
    Check::new(DriverBuilder::new(driver))
}

impl<S: Subject> Check<S> {
    fn new(builder: S) -> Self {
        Self {
            builder,
            max_depth: Bound::Scenario,
            limits: Limits::default().states(STATES_MAX).bytes(BYTES_MAX),
            space: SpaceOptions::default(),
            incomplete: false,
            regressions: None,
            is_timed: false,
        }
    }

    /// Kept runs do not say for how long timers were set.
    #[track_caller]
    fn without_kept_runs(self, order: &str) -> Self {
        assert!(
            self.regressions.is_none(),
            "`regressions` has no use with `{order}`, since what is kept of a run does not say for how long timers were set; use it in a check without time"
        );
        self
    }
}

/// A check that has not run yet.
#[must_use = "a check runs only when it asserts something"]
pub struct Check<S: Subject> {
    builder: S,
    max_depth: Bound,
    limits: Limits,
    space: SpaceOptions,
    incomplete: bool,
    regressions: Option<PathBuf>,
    is_timed: bool,
}

/// The bound on the events of a run.
#[derive(Clone, Copy)]
enum Bound {
    /// The bound of the scenario.
    Scenario,
    AtMost(u32),
    None,
}

impl<P: Protocol> Check<Builder<P>> {
    /// Counts only violations on runs with an event of the pattern.
    ///
    /// # Panics
    /// If the pattern is invalid.
    #[track_caller]
    pub fn require(mut self, event: &str) -> Self {
        self.space.required = Some(pattern(event));
        self
    }
}

impl<P: Protocol> Check<Builder<P>> {
    /// Lets timers of a node fire in the order that their durations force: as `check --timers ordered`.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Node, NodeId, Never, Parameters, Protocol, Scenario, Start, Topology, data};
    /// # struct Patient;
    /// # #[data]
    /// # enum Alarm { First, Second }
    /// # impl Protocol for Patient {
    /// #     type State = bool;
    /// #     type Message = Never;
    /// #     type Timer = Alarm;
    /// #     type Command = Never;
    /// #     fn start(&self, node: &mut Start<'_, Self>) -> bool {
    /// #         node.set_timer(Alarm::First, Duration::from_secs(1));
    /// #         node.set_timer(Alarm::Second, Duration::from_secs(2));
    /// #         false
    /// #     }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, never: &Never) { match *never {} }
    /// #     fn on_timer(&self, node: &mut Node<'_, Self>, alarm: &Alarm) {
    /// #         match alarm { Alarm::First => *node.state = true, Alarm::Second => assert!(*node.state) }
    /// #     }
    /// # }
    /// use std::time::Duration;
    /// use everypath_testing::check;
    ///
    /// // A handler panics unless the timer of 1 s has fired before that of 2 s.
    /// fn patient(_: &mut Parameters) -> Scenario<Patient> {
    ///     Scenario::new(Patient, Topology::chain(1))
    /// }
    ///
    /// check(patient).ordered_timers().assert_holds();
    /// check(patient).assert_violates("no handler panics").in_steps(1);
    /// ```
    ///
    /// # Panics
    /// If it is to replay [regressions](Self::regressions), which do not say for how long timers were set.
    #[track_caller]
    pub fn ordered_timers(mut self) -> Self {
        self.space.timers = Timers::Ordered;
        self.without_kept_runs("ordered_timers")
    }

    /// Lets packets and timers take their times, in the largest unit that divides them all: as `check --timed`.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Node, NodeId, Never, Parameters, Protocol, Scenario, Start, Topology};
    /// # struct Patient;
    /// # impl Protocol for Patient {
    /// #     type State = bool;
    /// #     type Message = ();
    /// #     type Timer = ();
    /// #     type Command = Never;
    /// #     fn start(&self, node: &mut Start<'_, Self>) -> bool {
    /// #         node.set_timer((), Duration::from_millis(4));
    /// #         node.broadcast(());
    /// #         false
    /// #     }
    /// #     fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &()) { node.cancel_timer(&()); }
    /// #     fn on_timer(&self, node: &mut Node<'_, Self>, _: &()) { *node.state = true; }
    /// # }
    /// use std::time::Duration;
    /// use everypath_testing::check;
    ///
    /// fn patient(_: &mut Parameters) -> Scenario<Patient> {
    ///     Scenario::new(Patient, Topology::chain(2))
    ///         .packet_time(Duration::from_millis(1), Duration::from_millis(3))
    ///         .assert_always("no timer fires", |world| world.nodes().all(|(_, &fired)| !fired))
    /// }
    ///
    /// check(patient).timed().assert_holds();
    /// // In any other network, a packet may be late.
    /// check(patient).assert_violates("no timer fires").in_steps(1);
    /// ```
    ///
    /// # Panics
    /// If it is to replay [regressions](Self::regressions), which do not say for how long timers were set.
    #[track_caller]
    pub fn timed(self) -> Check<TimedBuilder<P>> {
        let checked = self.without_kept_runs("timed");
        let Self { builder, max_depth, limits, space, incomplete, regressions, .. } = checked;
        let builder = TimedBuilder(builder);
        Check { builder, max_depth, limits, space, incomplete, regressions, is_timed: true }
    }
}

impl<S: Subject> Check<S> {
    /// Sets a parameter of the scenario.
    pub fn set(mut self, name: &str, value: impl Display) -> Self {
        self.builder.set(name, &value);
        self
    }

    /// Explores runs of at most this many events, instead of the scenario's bound.
    pub fn max_depth(mut self, events: u32) -> Self {
        self.max_depth = Bound::AtMost(events);
        self
    }

    /// Explores runs of any length, instead of the scenario's bound.
    pub fn unbounded(mut self) -> Self {
        self.max_depth = Bound::None;
        self
    }

    /// Ends the check after this many states; default two million.
    pub fn max_states(mut self, states: u64) -> Self {
        self.limits.states = Some(states);
        self
    }

    /// Ends the check when the process takes this many bytes; default 4 GiB. All tests of the
    /// process count.
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.limits.bytes = Some(bytes);
        self
    }

    /// Ends the check after this time. By default, time does not limit a check.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Reports deadlocks as violations of `something can always happen`.
    pub fn never_stuck(mut self) -> Self {
        self.space.deadlock = true;
        self
    }

    /// Excludes the events of a pattern, such as `lose` or `timer@0`.
    ///
    /// # Panics
    /// If the pattern is invalid.
    #[track_caller]
    pub fn disable(mut self, events: &str) -> Self {
        self.space.disabled.push(pattern(events));
        self
    }

    /// Executes every handler twice, to find nondeterministic ones; by default, only the first
    /// thousands and a share of the rest. For a driver, it also finds values that look equal and
    /// behave differently.
    pub fn verify_determinism(mut self) -> Self {
        self.space.verification = Verification::All;
        self
    }

    /// Lets a check pass if a limit ended it before it found a violation.
    pub fn allow_incomplete(mut self) -> Self {
        self.incomplete = true;
        self
    }

    /// Replays the counterexamples in a folder first, and adds new ones. A folder under version
    /// control thus guards against the return of every error ever found.
    ///
    /// # Panics
    /// If the check is timed, or timers fire in order: what is kept of a run does not say for how long timers were set.
    #[track_caller]
    pub fn regressions(mut self, folder: impl Into<PathBuf>) -> Self {
        self.regressions = Some(folder.into());
        match (self.is_timed, self.space.timers) {
            (true, _) => self.without_kept_runs("timed"),
            (false, Timers::Ordered) => self.without_kept_runs("ordered_timers"),
            (false, Timers::Any) => self,
        }
    }

    /// Runs the check and returns its result.
    ///
    /// # Panics
    /// If the scenario cannot be explored, or turns out to be nondeterministic.
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
        let own = files::own_file(built.name());
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
        // A file that cannot be read is from another version, and is overwritten.
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
            panic!("{}: {complaint}", built.name());
        }
        // A fixed failure leaves no files.
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
            panic!("{}: there is no assertion `{assertion}`; there are `{known}`", built.name());
        }
        let is_first = first.violations.iter().any(named);
        // Another assertion is violated first.
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
        panic!("{}: `{assertion}` is not violated; {text}{instead}", built.name());
    }

    /// Asserts that a goal is reachable, and returns the fewest steps to it.
    ///
    /// # Panics
    /// If it is not reached, or does not exist.
    #[track_caller]
    pub fn assert_reaches(&self, goal: &str) -> usize {
        let built = self.builder.build();
        let found = self.explored(&built, Stop::First);
        let reached = found.goals.iter().find(|(name, _)| name == goal);
        match reached {
            Some((_, Some(steps))) => *steps,
            Some((_, None)) => panic!("{}: `{goal}` is not reached; {}", built.name(), found.text),
            None => {
                let known: Vec<&str> = found.goals.iter().map(|(name, _)| name.as_str()).collect();
                panic!(
                    "{}: there is no goal `{goal}`; there are `{}`",
                    built.name(),
                    known.join("`, `")
                )
            }
        }
    }

    fn max_depth_of(&self, built: &S::Built) -> Option<u32> {
        match self.max_depth {
            Bound::Scenario => built.max_depth(),
            Bound::AtMost(events) => Some(events),
            Bound::None => None,
        }
    }

    #[track_caller]
    fn explored(&self, built: &S::Built, stop: Stop) -> Checked {
        let mut space = built.space(&self.space);
        let options =
            Options::default().max_depth(self.max_depth_of(built)).limits(self.limits).stop(stop);
        let found = space
            .explore(&options, &mut ())
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", built.name()));
        let violations = found.findings.iter();
        let violations = violations.map(|finding| {
            let run = space.unreduced(&finding.trace);
            self.violated(built, &space, finding.assertion, &run)
        });
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
            assertions: space.assertions(),
            empty: space.empty_assertions(),
            text: text_of(&found, &options),
            growth: growth_text(&found, &options, &mut space, &built.surroundings()),
        }
    }

    fn violated(
        &self,
        built: &S::Built,
        space: &impl CheckedSpace,
        assertion: usize,
        trace: &Trace,
    ) -> Violated {
        let explanation = space.explain(trace.last(), assertion);
        let assertion = space.assertions()[assertion].clone();
        let parameters = built.parameters().declared().iter();
        let SpaceOptions { disabled, required, deadlock, verification, .. } = &self.space;
        let origin = Origin {
            scenario: built.name().to_owned(),
            profile: built.parameters().profile().name().to_owned(),
            parameters: parameters.map(|it| (it.name.clone(), it.value.clone())).collect(),
            verify_determinism: *verification == Verification::All
                || [DETERMINISTIC, CALLS_DETERMINISTIC].contains(&assertion.as_str()),
            disabled: disabled.iter().map(ToString::to_string).collect(),
            required: required.as_ref().map(ToString::to_string),
            deadlock: *deadlock,
            start: None,
            files: Vec::new(),
            replaced: Default::default(),
        };
        let file = TraceFile::record(space, trace, origin, &assertion);
        let code = space.run_as_code(trace);
        Violated { assertion, explanation, story: Story::tell(space, trace), file, code }
    }

    /// Replays a counterexample if it belongs to this scenario, and returns its violation, if any.
    #[track_caller]
    fn run_again(&self, built: &S::Built, earlier: &TraceFile) -> Option<Violated> {
        let declared = built.parameters().declared().iter();
        let is_same = declared
            .clone()
            .all(|it| earlier.parameters.get(&it.name).is_none_or(|then| *then == it.value));
        let is_own = earlier.scenario == built.name() && is_same && earlier.files.is_empty();
        let (initial, digests) = earlier.digests().filter(|_| is_own && earlier.start.is_none())?;
        let mut space = built.space(&self.space.clone().reductions(Reductions::NONE));
        let steps = earlier.steps.iter().map(|step| &step.event).zip(digests);
        let again = retrace(&mut space, initial, steps, self.max_depth_of(built))?;
        let violated = again.verdict.first()?;
        Some(self.violated(built, &space, violated, &again.trace))
    }

    /// The message of a test that finds a violation. It also writes the run to a file.
    fn failure(&self, built: &S::Built, violation: &Violated, how: &str, own: &Path) -> String {
        let Violated { assertion, explanation, story, file, .. } = violation;
        let steps = counted(story.steps.len() as u64, "step");
        let mut text = format!("{}: VIOLATED in {steps}, {how}\n\n", built.name());
        text += &story.to_text(false);
        text += &format!("\nbroken: {assertion}\n");
        if let Some(explanation) = explanation {
            text += &format!("  {explanation}\n");
        }
        let broken = explanation.as_ref().map(|it| format!("{assertion}: {it}"));
        let links = built.links();
        let broken = Some(broken.as_deref().unwrap_or(assertion));
        let chart = SequenceChart { story, title: built.name(), broken, links: &links };
        match files::write(own, file, &chart.to_html()) {
            Ok(chart) => {
                let test = files::test_name().unwrap_or_default();
                text += &format!("\nchart: {}\n", shown(&chart));
                text += &format!("replay: {REPLAY}={} cargo test {test}\n", shown(own));
            }
            Err(error) => text += &format!("\nthe run could not be written: {error}\n"),
        }
        text += &self.tests(built, violation);
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

    /// The run of a driver as tests: a replay, and plain calls where it is known how a value is made.
    fn tests(&self, built: &S::Built, violation: &Violated) -> String {
        let Violated { assertion, story, code, .. } = violation;
        let (replay, steps) = built.replayed_by();
        if replay == "replay" {
            return String::new();
        }
        let declared = built.parameters().declared().iter().filter(|it| it.value != it.default);
        let test = ReplayTest {
            subject: built.name(),
            replay,
            steps,
            settings: declared.map(|it| format!(".set({:?}, {:?})", it.name, it.value)).collect(),
            events: story.steps.iter().map(|step| step.event.sentence.clone()).collect(),
            assertion,
        };
        let name = function_name(assertion);
        let plain = code.as_ref().map_or(String::new(), |code| {
            format!("\n#[test]\nfn {name}_in_plain_calls() {{\n{code}}}\n")
        });
        format!("\nas a test:\n\n{}{plain}", test.to_text())
    }

    /// The reason why a check without a violation does not pass, if there is one.
    fn complaint(&self, found: &Checked) -> Option<String> {
        let missed: Vec<&str> = found
            .goals
            .iter()
            .filter(|(_, steps)| steps.is_none())
            .map(|(name, _)| name.as_str())
            .collect();
        if !found.is_complete && !self.incomplete {
            return Some(format!(
                "INCONCLUSIVE: {}; raise the limit, bound the scenario, or `allow_incomplete`{}",
                found.text, found.growth
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

/// The result of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// How many states were visited.
    pub states: u64,
    /// How many events were explored.
    pub events: u64,
    /// The first violation found of each assertion.
    pub violations: Vec<Violated>,
    /// The goals, each with the fewest steps to it if it is reached.
    pub goals: Vec<(String, Option<usize>)>,
    /// Whether every run within the bound was explored.
    pub is_complete: bool,
    /// Whether every reachable state was visited.
    pub saw_everything: bool,
    assertions: Vec<String>,
    empty: Vec<String>,
    text: String,
    /// What grows, if a limit has ended the check.
    growth: String,
}

/// A violation, and a run to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Violated {
    /// The violated assertion.
    pub assertion: String,
    /// More about the violation, such as the message of a panic.
    pub explanation: Option<String>,
    /// The run in words.
    pub story: Story,
    /// The run as a file.
    pub file: TraceFile,
    /// The run as lines of Rust, where possible.
    pub code: Option<String>,
}

impl Violated {
    /// Asserts that the shortest run has this many steps.
    ///
    /// # Panics
    /// If it has more or fewer, with its story.
    #[track_caller]
    pub fn in_steps(&self, steps: usize) -> &Self {
        let found = self.story.steps.len();
        assert!(
            found == steps,
            "`{}` is violated in {}, not in {steps}:\n{}",
            self.assertion,
            counted(found as u64, "step"),
            self.story.to_text(false)
        );
        self
    }

    /// Asserts that the shortest sequence has this many calls.
    ///
    /// # Panics
    /// If it has more or fewer, with its story.
    #[track_caller]
    pub fn in_calls(&self, calls: usize) -> &Self {
        self.in_steps(calls)
    }
}

/// What grows, and what can be done, if a limit has ended a check.
fn growth_text(
    found: &Exploration,
    options: &Options,
    space: &mut impl Searched,
    around: &Surroundings,
) -> String {
    let Some(mut growth) = Growth::of(&found.sample, space) else { return String::new() };
    growth.find_causes(&found.sample, space);
    let whole = options.goes_by_levels().then_some(growth.depth);
    let remedies = growth.remedies(around, &Tool::Test, whole);
    format!("\n\n{}{}", growth.to_text(), remedies_text(&remedies)).trim_end().to_owned()
}

/// The extent of a check, in words.
fn text_of(found: &Exploration, options: &Options) -> String {
    let seen = match found.states_visited {
        1 => "1 state was visited".to_owned(),
        states => format!("{states} states were visited"),
    };
    let stopped = |what: &str| {
        format!("{seen} when {what} ended the check, {} wait to be expanded", found.states_waiting)
    };
    match found.ended {
        Ended::Exhausted | Ended::Violation => seen,
        Ended::Depth => {
            let depth = options.max_depth.unwrap_or_default();
            format!("{seen} on all runs of at most {}", counted(depth.into(), "event"))
        }
        Ended::Limit(Limit::States) => stopped("`max_states`"),
        Ended::Limit(Limit::Bytes) => stopped("`max_memory`"),
        Ended::Limit(Limit::Time) => stopped("`max_time`"),
        Ended::Limit(Limit::Capacity) => stopped("the largest number of networks"),
        _ => stopped("something else"),
    }
}

#[track_caller]
pub(crate) fn pattern(text: &str) -> everypath_explore::EventPattern {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A path relative to the folder in which cargo runs tests: that of the crate.
fn shown(path: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.as_deref().and_then(|folder| path.strip_prefix(folder).ok());
    below.unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_the_crate_are_printed_as_seen_from_there() {
        let crate_folder = env::current_dir().unwrap();
        assert_eq!(shown(&crate_folder.join("target").join("a.html")), "target/a.html");
        let elsewhere = env::temp_dir().join("a.html");
        assert_eq!(shown(&elsewhere), elsewhere.display().to_string());
    }
}
