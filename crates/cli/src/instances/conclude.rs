//! The end of an exploration in parts: its verdict, its counterexamples, its report.

use std::path::PathBuf;

use everypath_explore::{Divergence, Judged, Stop};
use everypath_report::Story;

use super::{
    answer::{Answers, End, Found, first_of_each},
    confirm::{Standing, confirm, reached_goals},
    report::InstanceReport,
    run::Runner,
    spec::InstanceSpec,
};
use crate::{
    check::findings::{Counterexample, Teller},
    error::CliError,
    output::{Outcome, print, print_json},
    running::{interrupt, progress::Line, watchdog},
    scenarios::checked_space::CheckedSpace,
};

/// The joined answers of all parts that are there.
pub(super) struct Whole<'s> {
    pub(super) instances: &'s InstanceSpec,
    pub(super) answers: Answers,
    /// Why instances are missing.
    pub(super) missing: Option<String>,
    /// The part file that was written.
    pub(super) part: Option<PathBuf>,
}

/// Makes the report of all answers, and prints it.
pub(super) fn conclude(
    runner: &Runner<'_>,
    whole: Whole<'_>,
    mut line: Line,
) -> Result<Outcome, CliError> {
    let Whole { instances, mut answers, missing, part } = whole;
    let confirmed = match answers.is_covering() && !answers.violations.is_empty() {
        true => Some(confirm(runner, instances, &mut answers, &mut line)?),
        false => None,
    };
    let Runner { built, spec, options, started, .. } = runner;
    let violations = confirmed.as_ref().map_or(&answers.violations, |it| &it.violations);
    let mut violations = first_of_each(violations.clone());
    if options.stop == Stop::First {
        violations.truncate(1);
    }
    let teller = Teller { built, spec, options };
    let told = built.guarded(|| counterexamples(runner, &teller, &violations))?;
    let counterexamples = told?;
    let is_done = answers.missing().is_empty() && violations.is_empty();
    let witnesses = match answers.is_covering() {
        true if is_done => built.guarded(|| reached_goals(runner, &mut line))??,
        true => built.scenario.goals.iter().map(|_| None).collect(),
        false => built.guarded(|| witnesses(runner, &answers))??,
    };
    interrupt::forget();
    watchdog::watch(None);
    line.clear();
    let union = answers.seen.as_mut().map(|seen| seen.count());
    let missing_places = answers.missing();
    let report = InstanceReport {
        built,
        spec,
        options,
        instances,
        answers: &answers,
        union,
        violations: &violations,
        counterexamples,
        witnesses,
        confirmed: confirmed.as_ref(),
        missing_places,
        missing: missing.as_deref(),
        part: part.as_deref(),
        seconds: started.elapsed().as_secs_f64(),
    };
    match spec.output.json {
        true => print_json(&report.to_json()),
        false => print(&report.to_text()),
    }
    Ok(report.outcome())
}

/// The counterexamples, in words and in files.
fn counterexamples(
    runner: &Runner<'_>,
    teller: &Teller<'_>,
    violations: &[Found],
) -> Result<Vec<Counterexample>, CliError> {
    let told = (1..).zip(violations).map(|(number, found)| {
        let mut space = runner.built.space(runner.spec.search.space_options())?;
        let trace = found.run.replay(&mut space).map_err(unrepeated)?;
        let trace = CheckedSpace::unreduced(&mut space, &trace);
        let steps = trace.steps.len();
        Ok(teller.save(&mut space, (found.what, &trace), number, steps, None))
    });
    told.collect()
}

/// By goal: the shortest run to it.
fn witnesses(runner: &Runner<'_>, answers: &Answers) -> Result<Vec<Option<Story>>, CliError> {
    let mut space = runner.built.space(runner.spec.search.space_options())?;
    let mut witnesses: Vec<Option<Story>> = space.goals().iter().map(|_| None).collect();
    for Found { what, run, .. } in &answers.goals {
        let trace = run.replay(&mut space).map_err(unrepeated)?;
        let trace = CheckedSpace::unreduced(&mut space, &trace);
        if let Some(witness) = witnesses.get_mut(*what) {
            *witness = Some(Story::tell(&space, &trace));
        }
    }
    Ok(witnesses)
}

/// The error for a run that does not lead where it led before.
pub(super) fn unrepeated(divergence: Divergence) -> CliError {
    CliError::Unrepeated { divergence }
}

impl InstanceReport<'_> {
    /// How an exploration in parts ended. What is missing never holds.
    pub(super) fn outcome(&self) -> Outcome {
        let missed = self.missed_goals() > 0;
        if !self.counterexamples.is_empty() || missed && self.saw_everything() {
            Outcome::Violation
        } else if self.is_complete() && !missed {
            Outcome::Fine
        } else {
            Outcome::Stopped
        }
    }

    /// How many goals were not reached.
    pub(super) fn missed_goals(&self) -> u64 {
        self.witnesses.iter().filter(|witness| witness.is_none()).count() as u64
    }

    /// Whether an instance is violated only from starts that no run reaches.
    pub(super) fn is_spurious(&self, place: usize) -> bool {
        let standing = self.confirmed.and_then(|it| it.standings.get(&place));
        standing == Some(&Standing::Spurious)
    }

    /// Whether all parts are there, and each has visited everything within the bound.
    pub(super) fn is_complete(&self) -> bool {
        let trunk = self.answers.trunk.as_ref().is_none_or(|trunk| trunk.is_complete());
        let mut instances = self.answers.answers.iter();
        let possible = self.confirmed.is_some_and(|it| it.possible.is_some());
        let complete = instances.all(|(&place, it)| it.is_complete() || self.is_spurious(place));
        trunk && complete && self.missing_places.is_empty() && !possible
    }

    /// Whether every reachable state was visited: none lies beyond the bound or behind a pruned one.
    pub(super) fn saw_everything(&self) -> bool {
        let pruned = self.answers.all().any(|answer| answer.pruned > 0);
        self.is_complete() && !self.is_bounded() && !pruned && !self.answers.is_covering()
    }

    /// Whether the bound has kept states from being expanded. One that is at the bound in one instance may
    /// be expanded in another.
    pub(super) fn is_bounded(&self) -> bool {
        let is_bounded = self.answers.all().any(|answer| answer.end == End::Depth);
        self.union.map_or(is_bounded, |(_, waiting)| is_bounded && waiting > 0)
    }
}
