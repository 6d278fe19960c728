//! `replay`: run a saved counterexample again, or a simulation that was logged.

use std::{collections::BTreeMap, path::Path};

use everypath_capture::LogFile;
use everypath_explore::{Space, enabled, replay as replay_trace};
use everypath_model::{Parameters, Profile, Protocol};
use everypath_network::SpaceOptions;
use everypath_report::{Story, TraceFile};
use serde_json::json;

use crate::{
    arguments::ReplayArguments,
    chart::{ChartFile, chart_lines, draw},
    check::values,
    check_report::steps_json,
    entry::{self, Built, Entry},
    error::{CliError, describe_divergence},
    numbers::counted,
    output::{Outcome, bad, ensure_writable, good, print, print_json},
    replay_log::replay_log,
};

pub(crate) fn replay(
    entries: &[Box<dyn Entry>],
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    if LogFile::is_one(&arguments.file) {
        return replay_log(entries, arguments);
    }
    ensure_writable(arguments.charts.iter().map(ChartFile::target))?;
    let trace = TraceFile::read(&arguments.file)?;
    recorded_entry(entries, &arguments.file, &trace.scenario)?.replay(&trace, arguments)
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

pub(crate) fn replay_in<P: Protocol>(
    build: impl FnOnce(Parameters) -> Result<Built<P>, CliError>,
    trace: &TraceFile,
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let path = || arguments.file.clone();
    let damaged = |what| CliError::DamagedTrace { path: path(), what };
    let profile = profile_named(&trace.profile)
        .ok_or_else(|| damaged("it names a profile that does not exist"))?;
    let (initial, digests) =
        trace.digests().ok_or_else(|| damaged("a digest is not a hexadecimal number"))?;
    let built = rebuilt(build, &arguments.file, &trace.parameters, profile)?;
    let pattern = |text: &String| {
        text.parse().map_err(|_| damaged("it names events in a way that nobody understands"))
    };
    let options = SpaceOptions {
        profile,
        verify_determinism: trace.verify_determinism,
        disabled: trace.disabled.iter().map(pattern).collect::<Result<_, _>>()?,
        required: trace.required.as_ref().map(pattern).transpose()?,
        deadlock: trace.deadlock,
    };
    let mut space = built.space(options)?;
    let Built { name, parameters, .. } = &built;
    let steps = trace.steps.iter().map(|step| &step.event).zip(digests);
    let run = built.guarded(|| replay_trace(&mut space, initial, steps))?;
    let run = run.map_err(|divergence| CliError::Diverged {
        path: path(),
        what: describe_divergence(&divergence),
    })?;
    let (violated, explanation, story) = built.guarded(|| {
        let mut verdict = space.verdict(run.last());
        if verdict.is_safe() && enabled(&mut space, run.last()).is_empty() {
            verdict = space.verdict_at_end(run.last());
        }
        let assertion = space.assertions().iter().position(|name| *name == trace.assertion);
        let violated = assertion.filter(|&assertion| verdict.violates(assertion));
        let explanation = violated.and_then(|assertion| space.explain(run.last(), assertion));
        (violated.is_some(), explanation, Story::tell(&space, &run))
    })?;
    let broken = violated.then_some((trace.assertion.as_str(), explanation.as_deref()));
    let charts = draw(&arguments.charts, &story, &built, broken);
    if arguments.json {
        print_json(&json!({
            "scenario": name,
            "profile": profile.name(),
            "parameters": values(parameters),
            "verdict": if violated { "violated" } else { "holds" },
            "assertion": trace.assertion,
            "explanation": explanation,
            "steps": steps_json(&story),
            "file": arguments.file.display().to_string(),
            "charts": charts,
        }));
    } else {
        let steps = counted(story.steps.len() as u64, "step");
        let verdict = if violated {
            let explanation = explanation.map_or(String::new(), |more| format!("\n        {more}"));
            format!("broken, as recorded: {}{explanation}", bad(&trace.assertion))
        } else {
            format!("{}: {}", good("no longer broken"), trace.assertion)
        };
        print(&format!(
            "{name}: {steps}, every state as recorded\n\n{}\n{verdict}\n{}",
            story.to_text(arguments.show_states),
            chart_lines(&arguments.charts, Some(&charts)),
        ));
    }
    Ok(if violated { Outcome::Violation } else { Outcome::Fine })
}
