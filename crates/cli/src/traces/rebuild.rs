//! Runs a recorded run again, through the protocol's own code.

use std::{collections::BTreeMap, path::Path};

use everypath_explore::{Explorable, Trace, enabled, replay};
use everypath_model::{Parameters, Profile};
use everypath_network::{NetworkSpace, Reductions, SpaceOptions, Verification};
use everypath_report::TraceFile;

use crate::{
    error::{CliError, not_simulated},
    scenario_file::Setting,
    scenarios::{
        any_scenario::AnyScenario,
        checked_space::CheckedSpace,
        driver::Built,
        entry::{self, Entry},
        start::{Moment, StartFacts},
        subject::Subject,
        used_file::Recorded,
    },
};

/// The scenario file with which a trace was recorded, if there was one.
fn recorded_setting(trace: &TraceFile, file: &Path) -> Result<Option<Setting>, CliError> {
    let files = trace.files.iter().map(|file| (file.path.as_str(), file.digest.as_str()));
    let recorded = Recorded {
        by: file,
        files: files.collect(),
        parameters: &trace.parameters,
        replaced: &trace.replaced,
    };
    recorded.setting()
}

/// The scenario of a recorded run.
pub(crate) fn recorded_entry<'a>(
    entries: &'a [Box<dyn Entry>],
    file: &Path,
    scenario: &str,
) -> Result<&'a dyn Entry, CliError> {
    let entry = entries.iter().find(|entry| entry.name() == scenario);
    entry.map(AsRef::as_ref).ok_or_else(|| CliError::ForeignScenario {
        path: file.to_owned(),
        scenario: scenario.to_owned(),
        help: entry::known_scenarios(entries, scenario),
    })
}

/// The scenario of a file as it was recorded.
pub(crate) fn rebuilt(
    entry: &dyn Entry,
    setting: Option<&Setting>,
    file: &Path,
    parameters: &BTreeMap<String, String>,
    profile: Profile,
) -> Result<Box<dyn AnyScenario>, CliError> {
    let parameters = Parameters::with(parameters.clone()).under(profile);
    entry::built(entry, parameters, setting).map_err(|error| foreign(file, error))
}

/// The error for parameters that no longer fit a recorded run.
fn foreign(file: &Path, error: CliError) -> CliError {
    match error {
        CliError::Parameter { scenario, error, .. } => {
            CliError::ForeignParameters { path: file.to_owned(), scenario, error }
        }
        other => other,
    }
}

/// The profile of a name.
pub(crate) fn profile_named(name: &str) -> Option<Profile> {
    Profile::ALL.into_iter().find(|profile| profile.name() == name)
}

/// The scenario or driver of a trace, and the options under which the trace is a run of it.
pub(crate) fn rebuild(
    entries: &[Box<dyn Entry>],
    trace: &TraceFile,
    file: &Path,
) -> Result<(Built, SpaceOptions), CliError> {
    let setting = recorded_setting(trace, file)?;
    let entry = recorded_entry(entries, file, &trace.scenario)?;
    let path = || file.to_owned();
    let damaged = |what| CliError::DamagedTrace { path: path(), what };
    let profile = profile_named(&trace.profile)
        .ok_or_else(|| damaged("it names a profile that does not exist"))?;
    let parameters = Parameters::with(trace.parameters.clone()).under(profile);
    let built = entry::built_any(entry, parameters, setting.as_ref());
    let mut built = built.map_err(|error| foreign(file, error))?;
    if let (Some(start), Built::Scenario(scenario)) = (&trace.start, &mut built) {
        let started = scenario.start_at(Moment::of(start));
        started.map_err(|error| not_simulated(&trace.scenario, error, ""))?;
    }
    let pattern = |text: &String| {
        text.parse().map_err(|_| damaged("it has an event pattern that cannot be parsed"))
    };
    let verification = match trace.verify_determinism {
        true => Verification::All,
        false => Verification::Nothing,
    };
    let options = SpaceOptions::default()
        .profile(profile)
        .verification(verification)
        .disabled(trace.disabled.iter().map(pattern).collect::<Result<_, _>>()?)
        .required(trace.required.as_ref().map(pattern).transpose()?)
        .deadlock(trace.deadlock)
        .reductions(Reductions::NONE);
    Ok((built, options))
}

/// Runs a trace again through the protocol's own code.
pub(crate) fn run_again<'a>(
    built: &Subject<'_>,
    space: &mut impl CheckedSpace<'a>,
    trace: &TraceFile,
    file: &Path,
) -> Result<Trace, CliError> {
    let path = || file.to_owned();
    let (initial, digests) = trace.digests().ok_or_else(|| CliError::DamagedTrace {
        path: path(),
        what: "a digest is not a hexadecimal number",
    })?;
    let start = trace.start.as_ref().map(|start| start.digest.clone());
    let now = space.network().and_then(NetworkSpace::start_digest);
    if start != now.map(|digest| format!("{digest:016x}")) {
        let what = "the simulated run from which it starts now leads to another world".to_owned();
        return Err(CliError::Diverged { path: path(), what });
    }
    let steps = trace.steps.iter().map(|step| &step.event).zip(digests);
    let run = built.guarded(|| replay(space, initial, steps))?;
    run.map_err(|divergence| CliError::Diverged { path: path(), what: divergence.to_string() })
}

/// Where a run starts, if not at the scenario's own start.
pub(crate) fn start_line(start: Option<StartFacts>) -> String {
    start.map_or(String::new(), |start| format!("starts {}\n", start.to_text()))
}

/// Whether the end of a run violates the recorded assertion.
pub(crate) struct Broken {
    pub(crate) violated: bool,
    pub(crate) explanation: Option<String>,
}

impl Broken {
    pub(crate) fn by(space: &mut impl Explorable, run: &Trace, trace: &TraceFile) -> Self {
        let mut verdict = space.verdict(run.last());
        if verdict.is_safe() && enabled(space, run.last()).is_empty() {
            verdict = space.verdict_at_end(run.last());
        }
        let assertion = space.assertions().iter().position(|name| *name == trace.assertion);
        let violated = assertion.filter(|&assertion| verdict.violates(assertion));
        let explanation = violated.and_then(|assertion| space.explain(run.last(), assertion));
        Self { violated: violated.is_some(), explanation }
    }
}
