//! `simulate`: run random paths, and measure.

mod job;
pub(crate) mod json;
mod pictures;
pub(crate) mod probability;
mod report;
pub(crate) mod versus;

use std::{ops::ControlFlow, path::Path, time::Instant};

use everypath_plot::Film;
use everypath_sim::{Limits, Plan, Replications, Run, SimError, readings, recorded, unrecorded};

use crate::{
    arguments::simulate::SimulateArguments,
    error::{CliError, not_simulated, unused},
    output::{
        Outcome, complain, ensure_unread, ensure_writable, numbers::counted, print, print_json,
    },
    replay::play::{PlaySpec, play},
    running::{interrupt, progress::Line},
    scenario_file::{Setting, Source, Table},
    scenarios::{
        any_scenario::{AnyScenario, CaptureFile, CaptureForm, Observers, RunNumber},
        entry::{self, Entry},
        used_file::folder_of,
    },
    simulating::{
        recorded::ensure_recorded,
        spec::{CaptureSpec, RunSpec},
    },
    sweep::sweep,
};
use job::Job;
use probability::probability;
use report::{Report, Violated};
use versus::versus;

/// Simulates a scenario, a scenario file, or a counterexample.
pub(crate) fn simulate(
    entries: &[Box<dyn Entry>],
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    if let Some(file) = &arguments.replay {
        let SimulateArguments { pictures, log, json, .. } = arguments;
        let page = pictures.report.as_deref();
        return play(entries, &PlaySpec { file, page, log: *log, json: *json });
    }
    let name = &arguments.which.scenario;
    let is_file = entry::is_file(name);
    if !is_file && arguments.out.is_none() {
        let entry = entry::find(entries, name)?;
        return simulate_entry(entry, &RunSpec::new(arguments, None), None);
    }
    let (source, table) = if is_file {
        Source::read(Path::new(name))?
    } else {
        (Source::none(), Table::naming(name, arguments.published.profile.into()))
    };
    if arguments.out.is_some() || table.get("sweep").is_some() {
        return finding(sweep(entries, &source, &table, arguments));
    }
    let setting = Setting::read(&source, &table, &arguments.which.set)?;
    setting.ensure_profile(arguments.published.profile.into())?;
    let spec = RunSpec::new(arguments, Some(&setting));
    let read = setting.files.iter().map(|named| named.path.as_path()).chain(setting.file());
    ensure_unread(spec.targets(), &read.collect::<Vec<_>>())?;
    simulate_entry(entry::named_by(entries, &setting)?, &spec, Some(&setting))
}

/// A handler that panics is a finding about the protocol, not a mistake of the user.
fn finding(result: Result<Outcome, CliError>) -> Result<Outcome, CliError> {
    match result {
        Err(error @ CliError::Simulation { error: SimError::HandlerPanicked { .. }, .. }) => {
            complain(error);
            Ok(Outcome::Violation)
        }
        result => result,
    }
}

/// Simulates a scenario, or two variants of it.
fn simulate_entry(
    entry: &dyn Entry,
    spec: &RunSpec,
    setting: Option<&Setting>,
) -> Result<Outcome, CliError> {
    let variant = match spec.versus.is_empty() {
        true => None,
        false => Some(second_variant(entry, spec, setting)?),
    };
    let built = entry::built(entry, spec.scenario.parameters(), setting)?;
    finding(simulate_built(built, variant, spec))
}

/// The variant that `--versus` describes.
fn second_variant(
    entry: &dyn Entry,
    spec: &RunSpec,
    setting: Option<&Setting>,
) -> Result<Box<dyn AnyScenario>, CliError> {
    let other = spec.scenario.with(&spec.versus);
    match setting {
        Some(setting) => entry.build_setting(&setting.with(&other.set)?),
        None => entry.build(other.parameters()),
    }
}

fn simulate_built(
    mut built: Box<dyn AnyScenario>,
    mut variant: Option<Box<dyn AnyScenario>>,
    spec: &RunSpec,
) -> Result<Outcome, CliError> {
    ensure_writable(spec.targets())?;
    for built in [&mut built].into_iter().chain(&mut variant) {
        spec.overrule(built.as_mut());
        spec.ensure_assertions(&built.origins().name, &built.outline())?;
    }
    let (built, variant) = (built.as_ref(), variant.as_deref());
    let job = Job {
        plan: Plan {
            first: spec.first,
            workers: spec.workers,
            limits: Limits::default().stop(interrupt::flag()).violation(spec.assert),
            ..Plan::new(spec.seed, built.timing().replications)
        },
        spec,
        started: Instant::now(),
    };
    ensure_pictures(built, variant, spec)?;
    spec.ensure_measured(built)?;
    let film = observe(built, &job)?;
    let outcome = match (variant, &spec.probability) {
        (Some(variant), _) => versus(built, variant, &job),
        (None, Some(asked)) => probability(built, &job, asked),
        (None, None) => measure(built, &job, film),
    };
    if outcome.is_ok() && !spec.json {
        for (_, path) in spec.captures.targets() {
            print(&format!("wrote {}\n", path.display()));
        }
    }
    outcome
}

/// Refuses pictures that cannot be drawn or written.
fn ensure_pictures(
    built: &dyn AnyScenario,
    variant: Option<&dyn AnyScenario>,
    spec: &RunSpec,
) -> Result<(), CliError> {
    let with = match (variant, &spec.probability) {
        (Some(_), _) => Some("--versus"),
        (None, Some(_)) => Some("--probability"),
        (None, None) => None,
    };
    if let (Some(option), Some(with)) = (spec.pictures.given(), with) {
        return Err(unused(option, with));
    }
    spec.pictures.ensure_possible(built.timing().duration)
}

/// Repeats the first run, with all its observers: files, the log, the film.
fn observe(built: &dyn AnyScenario, job: &Job<'_>) -> Result<Option<Film>, CliError> {
    let Job { plan, spec, .. } = job;
    let number = RunNumber { seed: plan.seed, replication: plan.first };
    let observers = Observers {
        files: capture_files(built, number, &spec.captures),
        log: spec.log,
        film: spec.pictures.report.is_some(),
    };
    if observers.is_empty() {
        return Ok(None);
    }
    let seen = built.observe(number, &plan.limits, &observers)?;
    if spec.log {
        if let Some(error) = seen.failed {
            return Err(not_simulated(&built.origins().name, error, ""));
        }
        print("\n");
    }
    Ok(seen.film)
}

/// The files of a run.
fn capture_files(
    built: &dyn AnyScenario,
    number: RunNumber,
    captures: &CaptureSpec,
) -> Vec<CaptureFile> {
    let form = |option: &'static str, path: &Path| match option {
        CaptureSpec::PCAP => CaptureForm::Packets,
        CaptureSpec::NS2_TRACE => CaptureForm::Ns2,
        _ => CaptureForm::EventLog(Box::new(built.log_header(number, folder_of(path)))),
    };
    let file = |(option, path): (&'static str, &Path)| CaptureFile {
        option,
        path: path.to_owned(),
        form: form(option, path),
    };
    captures.targets().map(file).collect()
}

fn measure(
    built: &dyn AnyScenario,
    job: &Job<'_>,
    film: Option<Film>,
) -> Result<Outcome, CliError> {
    let spec = job.spec;
    let results = &replicate(built, job)?;
    let readings = readings(built.measures());
    let unknown = unrecorded(&readings, &recorded(results));
    ensure_recorded(&unknown, &recorded(results), results.runs.len())?;
    let violated = results.violated.as_ref().map(|run| violated(built, job, run)).transpose()?;
    let subject = &built.subject();
    let precision = spec.precision.as_ref();
    let report = Report { built: subject, job, precision, readings, results, violated };
    // The measurements are not lost if pictures cannot be written.
    if !spec.json {
        print(&report.to_text());
    }
    let pictures = pictures::write(&spec.pictures, built, &job.plan, results, film)?;
    if spec.json {
        print_json(&report.to_json(&pictures));
    } else {
        pictures.iter().for_each(|path| print(&format!("drew {}\n", path.display())));
    }
    Ok(report.outcome())
}

/// Makes all runs, or as many as the precision needs.
fn replicate(built: &dyn AnyScenario, job: &Job<'_>) -> Result<Replications, CliError> {
    let precision = &job.spec.precision;
    let replications = job.plan.replications;
    let at_most = if precision.is_some() { "at most " } else { "" };
    let mut line = Line::new(!job.spec.json);
    let results = built.replicate(&job.plan, &mut |runs| {
        let events = runs.last().map_or(0, |run| run.events);
        let done = runs.len();
        line.update(|| {
            format!("run {done} of {at_most}{replications}, {} each", counted(events, "event"))
        });
        match precision {
            Some(precision) if precision.is_reached(runs) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    drop(line);
    results.map_err(|error| not_simulated(&built.origins().name, error, ""))
}

/// A run that violates an assertion, with the end of its log.
fn violated<'a>(
    built: &dyn AnyScenario,
    job: &Job<'_>,
    run: &'a Run,
) -> Result<Violated<'a>, CliError> {
    let number = RunNumber { seed: job.plan.seed, replication: run.replication };
    let log = built.log_tail(number);
    let log = log.map_err(|error| not_simulated(&built.origins().name, error, ""))?;
    let violation = run.violation.as_ref().expect("the run has ended by it");
    Ok(Violated { violation, run, log })
}
