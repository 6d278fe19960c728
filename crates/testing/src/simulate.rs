//! Simulations in tests, and assertions about their measures.

use std::{fmt::Display, ops::Range, time::Duration};

use everypath_model::{Parameters, Protocol, Scenario};
use everypath_report::counted;
use everypath_sim::{
    Estimate, Interval, Limits, Reading, Replications, readings, recorded, replicate, unrecorded,
};

use crate::{
    scenario::{Builder, Built},
    subject::sealed::Buildable,
};

/// Begins a simulation of the scenario that a function makes; a [measure](Simulate::measure) or
/// [`assert_holds`](Simulate::assert_holds) carries it out.
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
/// #         node.count("passed");
/// #         node.send(from, ());
/// #     }
/// # }
/// use everypath_testing::simulate;
///
/// fn token(_: &mut Parameters) -> Scenario<Token> {
///     Scenario::new(Token, Topology::chain(2))
/// }
///
/// simulate(token).runs(5).measure("passed").assert_above(100.0);
/// ```
#[must_use = "a simulation runs only when it asserts something"]
pub fn simulate<P: Protocol>(
    scenario: impl Fn(&mut Parameters) -> Scenario<P> + 'static,
) -> Simulate<P> {
    Simulate { builder: Builder::new(scenario), runs: 10, seed: 1, duration: None }
}

/// A simulation that has not run yet.
#[must_use = "a simulation runs only when it asserts something"]
pub struct Simulate<P: Protocol> {
    builder: Builder<P>,
    runs: u32,
    seed: u64,
    duration: Option<Duration>,
}

impl<P: Protocol> Simulate<P> {
    /// Gives a parameter of the scenario a value.
    pub fn set(mut self, name: &str, value: impl Display) -> Self {
        self.builder.set(name, &value);
        self
    }

    /// Sets the number of independent runs; default 10.
    pub fn runs(mut self, runs: u32) -> Self {
        self.runs = runs;
        self
    }

    /// Sets the seed of all random numbers; default 1. The same seed gives the same numbers on
    /// every machine.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the length of a run, instead of the scenario's.
    pub fn duration(mut self, duration: Duration) -> Self {
        self.duration = Some(duration);
        self
    }

    /// Runs the simulation and returns all measures.
    ///
    /// # Panics
    /// If the scenario cannot be simulated, a handler panics, or a measure reads an unknown name.
    #[track_caller]
    pub fn run(&self) -> Replications {
        self.simulated(&self.built(), &Limits::default())
    }

    /// Runs the simulation and returns the measure with a name: one of the scenario, or one that
    /// handlers count or observe.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn measure(&self, name: &str) -> Measured {
        let built = self.built();
        let results = self.simulated(&built, &Limits::default());
        let Replications { measures, counters, distributions, series, .. } = &results;
        let mut all = measures.iter().chain(distributions).chain(series).chain(counters);
        if let Some(estimate) = all.clone().find(|estimate| estimate.name == name) {
            return Measured { scenario: built.name, estimate: estimate.clone() };
        }
        let mut known: Vec<&str> = all.by_ref().map(|estimate| estimate.name.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        panic!("{}: there is no measure `{name}`; there are `{}`", built.name, known.join("`, `"));
    }

    /// Asserts that no run violates an assertion of the scenario: they are asked after every event.
    ///
    /// # Panics
    /// If it is violated, with the run that shows it.
    #[track_caller]
    pub fn assert_holds(&self) {
        let built = self.built();
        let limits = Limits::default().violation(true);
        let results = self.simulated(&built, &limits);
        let Some(run) = results.violated else { return };
        let Some(violation) = run.violation else { return };
        let panicked = violation.panic.map_or(String::new(), |panic| format!(" ({panic})"));
        panic!(
            "{}: VIOLATED at {} s, after {} of run {} under seed {}: {}{panicked}\n\
             `check` looks for the shortest run that breaks it",
            built.name,
            run.elapsed.as_secs_f64(),
            counted(run.events, "event"),
            run.replication,
            self.seed,
            violation.assertion,
        );
    }

    #[track_caller]
    fn built(&self) -> Built<P> {
        let mut built = self.builder.build();
        if let Some(duration) = self.duration {
            built.scenario.simulation.duration = duration;
        }
        built
    }

    #[track_caller]
    fn simulated(&self, built: &Built<P>, limits: &Limits<'_>) -> Replications {
        assert!(self.runs > 0, "{}: no run measures anything", built.name);
        let results = match replicate(&built.scenario, self.seed, self.runs, limits, &mut ()) {
            Ok(results) => results,
            Err(error) => panic!("{}: {error}", built.name),
        };
        // A mistyped name reads as 0, which may be just what a test asserts.
        let asked = readings(&built.scenario.simulation.measures);
        for missing in unrecorded(&asked, &recorded(&results)) {
            if let Some(hint) = missing.hint() {
                let Reading { measure, sort, name, .. } = &missing.reading;
                panic!(
                    "{}: measure `{measure}` reads `{name}`, and nothing was {sort} under that name; {hint}",
                    built.name
                );
            }
        }
        results
    }
}

/// A measure with its 95 % confidence interval.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measured {
    /// The name of the scenario.
    pub scenario: String,
    /// The estimate from all runs.
    pub estimate: Estimate,
}

impl Measured {
    /// Asserts that the whole interval is below a value.
    ///
    /// # Panics
    /// If not; the message tells whether more runs might help.
    #[track_caller]
    pub fn assert_below(&self, most: f64) -> &Self {
        self.assert_within(f64::NEG_INFINITY..most, &format!("below {most}"))
    }

    /// Asserts that the whole interval is above a value.
    ///
    /// # Panics
    /// If not; the message tells whether more runs might help.
    #[track_caller]
    pub fn assert_above(&self, least: f64) -> &Self {
        self.assert_within(least..f64::INFINITY, &format!("above {least}"))
    }

    /// Asserts that the whole interval is between two values.
    ///
    /// # Panics
    /// If not; the message tells whether more runs might help.
    #[track_caller]
    pub fn assert_between(&self, least: f64, most: f64) -> &Self {
        self.assert_within(least..most, &format!("between {least} and {most}"))
    }

    #[track_caller]
    fn assert_within(&self, range: Range<f64>, words: &str) -> &Self {
        let Estimate { name, unit, runs, undefined, mean, .. } = &self.estimate;
        let inside = |value: f64| value > range.start && value < range.end;
        let what = format!("{}: `{name}`", self.scenario);
        assert!(
            *undefined == 0,
            "{what} is undefined in {undefined} of {}",
            counted((*runs).into(), "run")
        );
        let interval = self.estimate.interval();
        let (low, high) = match interval {
            // One run, or equal runs: there is no spread.
            Interval::Constant { .. } | Interval::Unknown => (*mean, *mean),
            Interval::Student { low, high } | Interval::Proportion { low, high } => (low, high),
        };
        if inside(low) && inside(high) {
            return self;
        }
        let more = match inside(*mean) {
            true => "; the mean is, so more runs may decide",
            false => "",
        };
        let shown =
            format!("{mean} {unit} ({low} to {high}, 95 % of {})", counted((*runs).into(), "run"));
        panic!("{what} is {}, not {words}{more}", shown.replace("  ", " "));
    }
}
