//! `simulate`: run one path, again and again, and measure.

use std::{
    fmt::Write,
    io::{self, BufWriter},
    time::Instant,
};

use everypath_model::{Budget, Protocol};
use everypath_sim::{
    Estimate, Limits, Log, Observer, Replications, Run, SimError, Simulation, replicate,
};
use serde_json::{Value, json};

use crate::{
    arguments::SimulateArguments,
    check::values,
    entry::Built,
    error::CliError,
    interrupt,
    numbers::{counted, grouped, significant},
    output::{Line, Outcome, complain, ensure_writable, print, print_json, unsure},
};

pub(crate) fn simulate<P: Protocol>(
    built: Built<P>,
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    match measure(built, arguments) {
        // A finding about the protocol, and no mistake of the caller's.
        Err(error @ CliError::Simulation { error: SimError::HandlerPanicked { .. }, .. }) => {
            complain(error);
            Ok(Outcome::Violation)
        }
        result => result,
    }
}

fn measure<P: Protocol>(
    mut built: Built<P>,
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    ensure_writable(arguments.captures.targets())?;
    let timing = &mut built.scenario.timing;
    timing.duration = arguments.duration.unwrap_or(timing.duration);
    timing.replications = arguments.replications.unwrap_or(timing.replications);
    let failed = |error: SimError| CliError::Simulation {
        help: matches!(error, SimError::HandlerPanicked { .. })
            .then(|| format!("`check {}` looks for the shortest run to a panic", built.name)),
        scenario: built.name.clone(),
        error,
    };
    let limits = Limits { stop: Some(interrupt::flag()), ..Limits::default() };
    arguments.captures.capture(&built, arguments.seed, &limits)?;
    if arguments.log {
        log(&built, arguments.seed, &limits).map_err(failed)?;
    }
    let started = Instant::now();
    let replications = built.scenario.timing.replications;
    let mut counter = RunCounter { line: Line::new(!arguments.json), done: 0, replications };
    let results = replicate(&built.scenario, arguments.seed, replications, &limits, &mut counter)
        .map_err(failed)?;
    drop(counter);
    let report = Report {
        built: &built,
        seed: arguments.seed,
        results: &results,
        seconds: started.elapsed().as_secs_f64(),
    };
    if arguments.json {
        print_json(&report.to_json());
    } else {
        print(&report.to_text());
        arguments
            .captures
            .targets()
            .for_each(|(_, path)| print(&format!("wrote {}\n", path.display())));
    }
    Ok(if results.stopped { Outcome::Stopped } else { Outcome::Fine })
}

/// Prints what happens in the first run.
fn log<P: Protocol>(built: &Built<P>, seed: u64, limits: &Limits<'_>) -> Result<(), SimError> {
    let mut log = Log::new(BufWriter::new(io::stdout().lock()));
    Simulation::observed(&built.scenario, seed, 0, &mut log)?.run(limits)?;
    // A reader that has gone away, as `head` does, is no error.
    let _ = log.finish();
    print("\n");
    Ok(())
}

struct RunCounter {
    line: Line,
    done: u32,
    replications: u32,
}

impl<P: Protocol> Observer<P> for RunCounter {
    fn finished(&mut self, run: &Run) {
        self.done += 1;
        let (done, all, events) = (self.done, self.replications, run.events);
        self.line.update(|| format!("run {done} of {all}, {} events each", grouped(events)));
    }
}

/// What `simulate` says.
struct Report<'a, P: Protocol> {
    built: &'a Built<P>,
    seed: u64,
    results: &'a Replications,
    seconds: f64,
}

impl<P: Protocol> Report<'_, P> {
    fn events(&self) -> u64 {
        self.results.runs.iter().map(|run| run.events).sum()
    }

    /// The faults of the scenario that a simulation does not have.
    fn unsimulated(&self) -> Vec<&'static str> {
        let faults = self.built.scenario.faults;
        let kinds = [
            ("duplication", faults.duplication),
            ("reboot", faults.reboot),
            ("link failure", faults.link_failure),
        ];
        kinds
            .into_iter()
            .filter(|(_, budget)| *budget != Budget::Off)
            .map(|(name, _)| name)
            .collect()
    }

    fn to_json(&self) -> Value {
        let results = self.results;
        let list = |estimates: &[Estimate]| estimates.iter().map(estimate_json).collect::<Vec<_>>();
        let sum = |of: fn(&Run) -> u64| results.runs.iter().map(of).sum::<u64>();
        json!({
            "scenario": self.built.name,
            "profile": self.built.parameters.profile().name(),
            "parameters": values(&self.built.parameters),
            "seed": self.seed,
            "runs": results.runs.len(),
            "complete": !results.stopped,
            "simulated_seconds_per_run": self.built.scenario.timing.duration.as_secs_f64(),
            "events": self.events(),
            "seconds": self.seconds,
            "packets": {
                "sent": sum(|run| run.packets.sent),
                "delivered": sum(|run| run.packets.delivered),
                "lost": sum(|run| run.packets.lost),
                "dropped": sum(|run| run.packets.dropped),
            },
            "measures": list(&results.measures),
            "counters": list(&results.counters),
            "distributions": list(&results.distributions),
            "series": list(&results.series),
        })
    }

    fn to_text(&self) -> String {
        let results = self.results;
        let duration = self.built.scenario.timing.duration;
        let mut text = format!(
            "{}: {} of {duration:?}{}, seed {}\n",
            self.built.name,
            counted(results.runs.len() as u64, "run"),
            if results.runs.len() == 1 { "" } else { " each" },
            self.seed
        );
        let unsimulated = self.unsimulated();
        if !unsimulated.is_empty() {
            let faults = unsimulated.join(" and ");
            let _ = writeln!(text, "note: {faults} can happen in `check`, but not here");
        }
        if results.stopped {
            let _ = writeln!(text, "{}: fewer runs than asked for", unsure("STOPPED by the user"));
            if let Some(partial) = &results.partial {
                let _ = writeln!(
                    text,
                    "the run under way had come to {:?} and {}; it is not in the results",
                    partial.elapsed,
                    counted(partial.events, "event")
                );
            }
        }
        text.push('\n');
        table(&mut text, "measure", &results.measures);
        table(&mut text, "counted per run", &results.counters);
        table(&mut text, "mean of", &results.distributions);
        table(&mut text, "level of", &results.series);
        let rate = self.events() as f64 / self.seconds.max(1e-9) / 1e6;
        let _ = writeln!(
            text,
            "{} in {:.3} s, {rate:.1} million per second",
            counted(self.events(), "event"),
            self.seconds
        );
        text
    }
}

fn estimate_json(estimate: &Estimate) -> Value {
    json!({
        "name": estimate.name,
        "unit": estimate.unit,
        "mean": finite(estimate.mean),
        "half_width_95": finite(estimate.half_width),
        "deviation": finite(estimate.deviation),
        "runs": estimate.runs,
        "undefined_in": estimate.undefined,
    })
}

/// JSON has no word for what is not a number.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Estimates with their 95 % confidence intervals.
fn table(text: &mut String, title: &str, estimates: &[Estimate]) {
    if estimates.is_empty() {
        return;
    }
    let names = estimates.iter().map(|estimate| estimate.name.chars().count());
    let width = names.max().unwrap_or(0).max(title.len());
    let _ = writeln!(text, "{title:width$}  {:>12}  95 % interval", "mean");
    for estimate in estimates {
        let mean = format!("{:>12}", significant(estimate.mean));
        let interval = if estimate.undefined > 0 {
            format!("undefined in {} of {} runs", estimate.undefined, estimate.runs)
        } else if estimate.half_width.is_nan() {
            "needs at least two runs".to_owned()
        } else {
            format!("± {} {}", significant(estimate.half_width), estimate.unit)
        };
        let line = format!("{:width$}  {mean}  {interval}", estimate.name);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
}
