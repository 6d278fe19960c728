//! `replay`: run a saved counterexample again, or a simulation that was logged.

pub(crate) mod log;
pub(crate) mod play;

use std::{collections::BTreeMap, path::Path};

use everypath_capture::LogFile;
use everypath_explore::{Space, Trace, enabled, replay as replay_trace};
use everypath_model::{Parameters, Profile, Protocol};
use everypath_network::{NetworkSpace, SpaceOptions, Verification};
use everypath_report::{Story, TraceFile};
use serde_json::json;

use crate::{
    arguments::ReplayArguments,
    error::CliError,
    output::{
        Outcome, bad, ensure_unread, ensure_writable, good, indented, numbers::counted, print,
        print_json,
    },
    replay::log::replay_log,
    scenario_file::Setting,
    scenarios::{
        entry::{self, Built, Entry},
        start::{Moment, StartFacts},
        subject::Subject,
        used::Recorded,
    },
    traces::{
        as_test::as_test,
        chart::{ChartFile, chart_lines, draw},
        story_json::StepsJson,
    },
};

pub(crate) fn replay(
    entries: &[Box<dyn Entry>],
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    if LogFile::is_one(&arguments.file) {
        return replay_log(entries, arguments);
    }
    ensure_unread(arguments.charts.iter().map(ChartFile::target), &[&arguments.file])?;
    ensure_writable(arguments.charts.iter().map(ChartFile::target))?;
    if !arguments.file.exists() {
        return Err(CliError::NoRun { path: arguments.file.clone() });
    }
    let trace = TraceFile::read(&arguments.file)?;
    let setting = recorded_setting(&trace, &arguments.file)?;
    let entry = recorded_entry(entries, &arguments.file, &trace.scenario)?;
    entry.replay(&trace, setting.as_ref(), arguments)
}

/// What the scenario file says with which a trace was recorded, if there was one.
pub(crate) fn recorded_setting(
    trace: &TraceFile,
    file: &Path,
) -> Result<Option<Setting>, CliError> {
    let files = trace.files.iter().map(|file| (file.path.as_str(), file.digest.as_str()));
    let recorded = Recorded {
        by: file,
        files: files.collect(),
        parameters: &trace.parameters,
        replaced: &trace.replaced,
    };
    recorded.setting()
}

/// The scenario that a file is a run of.
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
pub(crate) fn rebuilt<P: Protocol>(
    build: impl FnOnce(Parameters) -> Result<Built<P>, CliError>,
    file: &Path,
    parameters: &BTreeMap<String, String>,
    profile: Profile,
) -> Result<Built<P>, CliError> {
    build(Parameters::with(parameters.clone()).under(profile)).map_err(|error| match error {
        CliError::Parameter { scenario, error, .. } => {
            CliError::ForeignParameters { path: file.to_owned(), scenario, error }
        }
        other => other,
    })
}

/// The profile of a name.
pub(crate) fn profile_named(name: &str) -> Option<Profile> {
    Profile::ALL.into_iter().find(|profile| profile.name() == name)
}

/// The scenario of a trace, and the options under which the trace is a run of it.
pub(crate) fn rebuild<P: Protocol>(
    build: impl FnOnce(Parameters) -> Result<Built<P>, CliError>,
    trace: &TraceFile,
    file: &Path,
) -> Result<(Built<P>, SpaceOptions), CliError> {
    let path = || file.to_owned();
    let damaged = |what| CliError::DamagedTrace { path: path(), what };
    let profile = profile_named(&trace.profile)
        .ok_or_else(|| damaged("it names a profile that does not exist"))?;
    let mut built = rebuilt(build, file, &trace.parameters, profile)?;
    if let Some(start) = &trace.start {
        built = built.starting_at(Moment::of(start))?;
    }
    let pattern = |text: &String| {
        text.parse().map_err(|_| damaged("it names events in a way that nobody understands"))
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
        .deadlock(trace.deadlock);
    Ok((built, options))
}

/// Runs a trace again through the protocol's own code.
pub(crate) fn run_again(
    built: &Subject<'_>,
    space: &mut NetworkSpace<'_>,
    trace: &TraceFile,
    file: &Path,
) -> Result<Trace, CliError> {
    let path = || file.to_owned();
    let (initial, digests) = trace.digests().ok_or_else(|| CliError::DamagedTrace {
        path: path(),
        what: "a digest is not a hexadecimal number",
    })?;
    let start = trace.start.as_ref().map(|start| start.digest.clone());
    if start != space.start_digest().map(|digest| format!("{digest:016x}")) {
        let what = "the simulated run from which it starts comes to another world now".to_owned();
        return Err(CliError::Diverged { path: path(), what });
    }
    let steps = trace.steps.iter().map(|step| &step.event).zip(digests);
    let run = built.guarded(|| replay_trace(space, initial, steps))?;
    run.map_err(|divergence| CliError::Diverged { path: path(), what: divergence.to_string() })
}

pub(crate) fn replay_in<P: Protocol>(
    build: impl FnOnce(Parameters) -> Result<Built<P>, CliError>,
    trace: &TraceFile,
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let (built, options) = rebuild(build, trace, &arguments.file)?;
    replayed(&built.subject(), options, trace, arguments)
}

fn replayed(
    built: &Subject<'_>,
    options: SpaceOptions,
    trace: &TraceFile,
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let mut space = built.space(options)?;
    let run = run_again(built, &mut space, trace, &arguments.file)?;
    let Subject { name, parameters, .. } = built;
    let (broken, story) =
        built.guarded(|| (Broken::by(&mut space, &run, trace), Story::tell(&space, &run)))?;
    let Broken { violated, explanation } = broken;
    let broken = violated.then_some((trace.assertion.as_str(), explanation.as_deref()));
    let charts = draw(&arguments.charts, &story, built, broken);
    let test = arguments.as_test.then(|| as_test(built, trace));
    if arguments.json {
        print_json(&json!({
            "scenario": name,
            "profile": parameters.profile().name(),
            "parameters": built.values(),
            "used": built.used_json(),
            "start": built.start.map(|start| start.to_json(space.start_digest())),
            "verdict": if violated { "violated" } else { "holds" },
            "assertion": trace.assertion,
            "explanation": explanation,
            "steps": StepsJson(&story),
            "file": arguments.file.display().to_string(),
            "charts": charts,
            "test": test,
        }));
    } else {
        let steps = counted(story.steps.len() as u64, "step");
        let verdict = if violated {
            let explanation = explanation.as_deref().map(indented).unwrap_or_default();
            format!("broken, as recorded: {}{explanation}", bad(&trace.assertion))
        } else {
            format!("{}: {}", good("no longer broken"), trace.assertion)
        };
        print(&format!(
            "{name}: {steps}, every state as recorded\n{}\n{}\n{verdict}\n{}{}",
            start_line(built.start),
            story.to_text(arguments.show_states),
            chart_lines(&arguments.charts, Some(&charts)),
            test.map_or(String::new(), |test| format!("\n{test}")),
        ));
    }
    Ok(if violated { Outcome::Violation } else { Outcome::Fine })
}

/// From where a run starts, if not from the scenario's own start.
pub(crate) fn start_line(start: Option<StartFacts>) -> String {
    start.map_or(String::new(), |start| format!("starts {}\n", start.to_text()))
}

/// Whether the end of a run violates the assertion that it is recorded to violate.
pub(crate) struct Broken {
    pub(crate) violated: bool,
    pub(crate) explanation: Option<String>,
}

impl Broken {
    pub(crate) fn by(space: &mut NetworkSpace<'_>, run: &Trace, trace: &TraceFile) -> Self {
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
