//! `simulate`: run one path, again and again, and measure.

pub(crate) mod measuring;
pub(crate) mod pictures;
pub(crate) mod probability;
pub(crate) mod report;
pub(crate) mod versus;

use std::{
    collections::{BTreeSet, VecDeque},
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use everypath_model::{Protocol, Scenario, WarmUp};
use everypath_report::TraceFile;
use everypath_sim::{
    Estimate, LastEvent, Limits, Log, Observer, Plan, Run, SimError, Sort, Unrecorded, readings,
    recorded, unrecorded,
};
use serde_json::{Value, json};

use crate::{
    arguments::SimulateArguments,
    error::CliError,
    measured::interval::{half_width_json, interval_json},
    output::{
        Line, Outcome, Printer, Target, called, complain, ensure_unread, ensure_writable, names,
        numbers::{counted, grouped},
        print, print_json,
    },
    replay,
    running::interrupt,
    scenario_file::{Setting, Source, Table},
    scenarios::{
        entry::{self, Built, Entry},
        subject::Subject,
    },
    simulate::{
        probability::probability,
        report::{Report, Violated},
        versus::versus,
    },
    sweep::{entry_of, sweep},
    typed::observed::observed,
};

/// How many lines of its log are shown of a run that violates an assertion.
const LINES: usize = 20;

/// Simulates what is named: a scenario, or a file that describes one.
pub(crate) fn simulate_named(
    entries: &[Box<dyn Entry>],
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    if let Some(file) = &arguments.replay {
        ensure_unread(arguments.pictures.target(), &[file])?;
        ensure_writable(arguments.pictures.target())?;
        let trace = TraceFile::read(file)?;
        let setting = replay::recorded_setting(&trace, file)?;
        return replay::recorded_entry(entries, file, &trace.scenario)?.play(
            &trace,
            file,
            setting.as_ref(),
            arguments,
        );
    }
    let name = &arguments.which.scenario;
    let is_file = entry::is_file(name);
    if !is_file && arguments.out.is_none() {
        return entry::find(entries, name)?.simulate(arguments, None);
    }
    let (source, table) = if is_file {
        Source::read(Path::new(name))?
    } else {
        (Source::none(), Table::naming(name, arguments.which.profile.into()))
    };
    if arguments.out.is_some() || table.get("sweep").is_some() {
        if let Some((option, _)) = arguments.captures.targets().next() {
            let with = "a sweep; it is for one point of it".to_owned();
            return Err(CliError::Unused { option: option.to_owned(), with });
        }
        return finding(sweep(entries, &source, &table, arguments));
    }
    let setting = Setting::read(&source, &table, &arguments.which.set)?;
    setting.ensure_profile(arguments.which.profile.into())?;
    let read = setting.files.iter().map(|named| named.path.as_path()).chain(setting.file());
    ensure_unread(targets(arguments), &read.collect::<Vec<_>>())?;
    entry_of(entries, &setting)?.simulate(&setting.completed(arguments), Some(&setting))
}

/// The files that the user has named to be written.
fn targets(arguments: &SimulateArguments) -> impl Iterator<Item = Target<'_>> {
    arguments.captures.targets().chain(arguments.pictures.target())
}

/// A handler that panics is a finding about the protocol, and no mistake of the caller's.
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
pub(crate) fn simulate<P: Protocol>(
    built: Built<P>,
    variant: Option<Built<P>>,
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    finding(dispatch(built, variant, arguments))
}

/// What the command line says comes before what the scenario or a file says.
pub(crate) fn overrule<P: Protocol>(scenario: &mut Scenario<P>, arguments: &SimulateArguments) {
    let SimulateArguments { duration, replications, measuring, claims, .. } = arguments;
    let setup = &mut scenario.simulation;
    setup.duration = duration.unwrap_or(setup.duration);
    setup.warm_up = measuring.warm_up.unwrap_or(setup.warm_up);
    setup.replications = measuring.replications(claims, *replications, setup.replications);
}

fn dispatch<P: Protocol>(
    mut built: Built<P>,
    mut variant: Option<Built<P>>,
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    ensure_writable(targets(arguments))?;
    for built in [&mut built].into_iter().chain(&mut variant) {
        overrule(&mut built.scenario, arguments);
        arguments.claims.ensure_assertions(&built.name, &built.scenario)?;
    }
    let job = Job {
        plan: Plan {
            first: arguments.first,
            workers: arguments.workers,
            limits: Limits::default().stop(interrupt::flag()).violation(arguments.claims.assert),
            ..Plan::new(arguments.seed.unwrap_or(1), built.scenario.simulation.replications)
        },
        arguments,
        started: Instant::now(),
    };
    if let Some(option) = arguments.pictures.given() {
        let with = match (&variant, &arguments.claims.probability) {
            (Some(_), _) => Some("--versus"),
            (None, Some(_)) => Some("--probability"),
            (None, None) => None,
        };
        if let Some(with) = with {
            return Err(CliError::Unused { option: option.to_owned(), with: with.to_owned() });
        }
    }
    arguments.pictures.ensure_possible(built.scenario.simulation.duration)?;
    arguments.captures.capture(&built, &job.plan)?;
    let outcome = match (&variant, &arguments.claims.probability) {
        (Some(variant), _) => versus(&built, variant, &job),
        (None, Some(question)) => probability(&built, &job, question),
        (None, None) => measure(&built, &job),
    };
    if outcome.is_ok() && !arguments.json {
        for (_, path) in arguments.captures.targets() {
            print(&format!("wrote {}\n", path.display()));
        }
    }
    outcome
}

/// What is to be done, and since when it is.
pub(crate) struct Job<'a> {
    pub(crate) plan: Plan<'a>,
    pub(crate) arguments: &'a SimulateArguments,
    started: Instant,
}

impl Job<'_> {
    /// What was run and which files were written of it, for every object of JSON.
    pub(crate) fn heading(&self, built: &Subject<'_>, pictures: &[PathBuf]) -> Value {
        let captures = self.arguments.captures.targets().map(|(_, path)| path.to_owned());
        let written: Vec<PathBuf> = captures.chain(pictures.iter().cloned()).collect();
        let setup = &built.scenario.simulation;
        let (warm_up, seconds) = match setup.warm_up {
            WarmUp::None => ("none", None),
            WarmUp::Until(time) => ("until", Some(time.as_secs_f64())),
            WarmUp::Mser5 => ("mser5", None),
        };
        json!({
            "scenario": built.name,
            "profile": built.parameters.profile().name(),
            "parameters": built.values(),
            "used": built.used_json(),
            "seed": self.plan.seed,
            "first_replication": self.plan.first,
            "simulated_seconds_per_run": setup.duration.as_secs_f64(),
            "warm_up": warm_up,
            "warm_up_seconds": seconds,
            "written": names(&written),
        })
    }

    /// What was run, in a line.
    pub(crate) fn title(&self, built: &Subject<'_>, runs: u64, what: &str) -> String {
        let setup = &built.scenario.simulation;
        let each = if runs == 1 { "" } else { " each" };
        let warm_up = match setup.warm_up {
            WarmUp::None => String::new(),
            WarmUp::Until(time) => format!(", warm-up {time:?}"),
            WarmUp::Mser5 => ", warm-up by MSER-5".to_owned(),
        };
        let first = match self.plan.first {
            0 => String::new(),
            first => format!(", from replication {first} on"),
        };
        let runs = match what.split_once(' ') {
            Some((pair, of_runs)) => format!("{} {of_runs}", counted(runs, pair)),
            None => counted(runs, what),
        };
        let duration = setup.duration;
        let title = format!(
            "{}: {runs} of {duration:?}{each}, seed {}{first}{warm_up}\n",
            built.name, self.plan.seed
        );
        title + &lines(&built.used_facts())
    }

    /// How long it took, unless nobody wants to know.
    pub(crate) fn seconds(&self) -> Option<f64> {
        (!self.arguments.no_time).then(|| self.started.elapsed().as_secs_f64())
    }

    /// How many events there were, and how fast.
    pub(crate) fn speed(&self, events: u64) -> String {
        let counted = counted(events, "event");
        match self.seconds() {
            None => format!("{counted}\n"),
            Some(seconds) => {
                let rate = events as f64 / seconds.max(1e-9) / 1e6;
                format!("{counted} in {seconds:.3} s, {rate:.1} million per second\n")
            }
        }
    }
}

/// A line for each of some facts.
pub(crate) fn lines(facts: &[(String, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    facts.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect()
}

/// Why there is no result of a scenario, or of one of its variants.
pub(crate) fn failed(name: &str, error: SimError, which: &str) -> CliError {
    CliError::Simulation {
        help: matches!(error, SimError::HandlerPanicked { .. })
            .then(|| format!("`check {}` looks for the shortest run to a panic", name)),
        scenario: format!("{name}{which}"),
        error,
    }
}

fn measure<P: Protocol>(built: &Built<P>, job: &Job<'_>) -> Result<Outcome, CliError> {
    let arguments = job.arguments;
    let precision = arguments.measuring.precision(&built.scenario)?;
    let failed = |error| failed(&built.name, error, "");
    if arguments.log {
        log(built, job).map_err(failed)?;
    }
    let replications = job.plan.replications;
    let at_most = if precision.is_some() { "at most " } else { "" };
    let mut line = Line::new(!arguments.json);
    let results = job.plan.replicate(&built.scenario, |runs| {
        let events = runs.last().map_or(0, |run| run.events);
        let done = runs.len();
        line.update(|| {
            format!("run {done} of {at_most}{replications}, {} events each", grouped(events))
        });
        match &precision {
            Some(precision) if precision.is_reached(runs) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    drop(line);
    let results = results.map_err(failed)?;
    let readings = readings(&built.scenario.simulation.measures);
    let unknown = unrecorded(&readings, &recorded(&results));
    ensure_recorded(&unknown, &recorded(&results), results.runs.len())?;
    let violated = match &results.violated {
        Some(run) => Some(violated(built, job, run).map_err(failed)?),
        None => None,
    };
    let subject = &built.subject();
    let report = Report { built: subject, job, precision, readings, results: &results, violated };
    // What was measured is not lost if pictures cannot be written.
    if !arguments.json {
        print(&report.to_text());
    }
    let pictures = arguments.pictures.write(built, &job.plan, &results, &called())?;
    if arguments.json {
        print_json(&report.to_json(&pictures));
    } else {
        pictures.iter().for_each(|path| print(&format!("drew {}\n", path.display())));
    }
    Ok(report.outcome())
}

/// No measure may read a name that was probably mistyped.
pub(crate) fn ensure_recorded(
    unrecorded: &[Unrecorded],
    recorded: &BTreeSet<(Sort, String)>,
    runs: usize,
) -> Result<(), CliError> {
    let found = unrecorded.iter().find_map(|it| Some((&it.reading, it.hint()?)));
    let Some((reading, hint)) = found.filter(|_| runs > 0) else { return Ok(()) };
    let names = |sort: Sort| {
        let names = recorded.iter().filter(|(other, _)| *other == sort);
        let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    Err(CliError::Unrecorded {
        measure: reading.measure.clone(),
        name: reading.name.clone(),
        sort: reading.sort,
        runs: counted(runs as u64, "run"),
        help: format!(
            "{hint} Counted are: {}; observed are: {}",
            names(Sort::Counted),
            names(Sort::Observed)
        ),
    })
}

/// Prints what happens in the first run.
fn log<P: Protocol>(built: &Built<P>, job: &Job<'_>) -> Result<(), SimError> {
    let Plan { seed, first, ref limits, .. } = job.plan;
    let mut log = Log::new(Printer::default());
    let run = observed(&built.scenario, seed, first, &mut log)?.run(limits);
    log.finish().expect("what cannot be printed is told in the end");
    run?;
    print("\n");
    Ok(())
}

/// Runs a replication that violates an assertion again, for the end of its log.
fn violated<P: Protocol>(built: &Built<P>, job: &Job<'_>, run: &Run) -> Result<Violated, SimError> {
    let Plan { seed, .. } = job.plan;
    let (mut log, mut last) = (Log::new(Tail::default()), LastEvent::default());
    let limits = Limits::default().violation(true);
    let mut observers: Vec<&mut dyn Observer<P>> = vec![&mut log, &mut last];
    observed(&built.scenario, seed, run.replication, &mut observers)?.run(&limits)?;
    let tail = log.finish().expect("a list can be written to");
    Ok(Violated {
        violation: run.violation.clone().expect("the run has ended by it"),
        event: last.0,
        replication: run.replication,
        time: run.elapsed,
        events: run.events,
        lines: tail.lines.into(),
        lines_before: tail.lines_before,
    })
}

/// The last lines of what is written.
#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
    lines_before: u64,
    unfinished: Vec<u8>,
}

impl io::Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.unfinished.push(byte);
                continue;
            }
            if self.lines.len() == LINES {
                self.lines.pop_front();
                self.lines_before += 1;
            }
            self.lines.push_back(String::from_utf8_lossy(&self.unfinished).into_owned());
            self.unfinished.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn estimate_json(estimate: &Estimate) -> Value {
    json!({
        "name": estimate.name,
        "unit": estimate.unit,
        "mean": finite(estimate.mean),
        "half_width_95": half_width_json(estimate),
        "interval": interval_json(estimate),
        "deviation": finite(estimate.deviation),
        "runs": estimate.runs,
        "undefined_in": estimate.undefined,
    })
}

/// JSON has no word for what is not a number.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// A moment of a run, in seconds.
pub(crate) fn moment(time: Duration) -> String {
    format!("{}.{:09} s", time.as_secs(), time.subsec_nanos())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_tail_is_the_last_lines() {
        let mut tail = Tail::default();
        (0..50).for_each(|number| writeln!(tail, "line {number}").unwrap());
        assert_eq!((tail.lines.len(), tail.lines_before), (LINES, 30));
        assert_eq!((tail.lines[0].as_str(), tail.lines[19].as_str()), ("line 30", "line 49"));
    }
}
