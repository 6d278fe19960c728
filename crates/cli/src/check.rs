//! `check`: explore every path.

use std::{collections::BTreeMap, fmt::Write, path::PathBuf};

use everypath_explore::{
    Ended, Exploration, Finding, Limit, Limits, Options, Space, Stop, explore,
};
use everypath_model::{Parameters, Profile, Protocol};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_report::{Origin, Story, TraceFile};
use serde_json::{Map, Value, json};

use crate::{
    arguments::CheckArguments,
    chart::{chart_lines, draw},
    entry::Built,
    error::CliError,
    interrupt,
    numbers::{counted, grouped, significant, size},
    output::{Line, Outcome, bad, complain, good, print, print_json, program_path, unsure},
};

pub(crate) fn check<P: Protocol>(
    built: &Built<P>,
    arguments: &CheckArguments,
) -> Result<Outcome, CliError> {
    let Built { name, parameters, scenario } = built;
    let profile = parameters.profile();
    let options = SpaceOptions {
        profile,
        verify_determinism: arguments.verify_determinism,
        ..SpaceOptions::default()
    };
    let semantics = options.semantics();
    let mut space = built.space(options)?;
    let options = Options {
        max_depth: arguments.max_depth.or(scenario.max_depth),
        limits: Limits {
            states: arguments.max_states,
            bytes: arguments.max_memory,
            time: arguments.max_time,
        },
        stop: if arguments.keep_going { Stop::Never } else { Stop::First },
        semantics,
        ..Options::default()
    };
    interrupt::flag();
    let mut line = Line::new(!arguments.json);
    let found = built.guarded(|| explore(&mut space, &options, &mut line));
    drop(line);
    let found = found?.map_err(|refusal| CliError::Refused { refusal })?;
    let counterexample =
        found.finding().map(|finding| Counterexample::save(&space, finding, built, arguments));
    let report = Report {
        name,
        parameters,
        options,
        nothing_asserted: scenario.assertions.is_empty(),
        found: &found,
        counterexample: counterexample.as_ref(),
    };
    if arguments.json {
        print_json(&report.to_json());
    } else {
        let charts = counterexample.as_ref().map(|found| found.charts.as_slice());
        let charts = chart_lines(&arguments.charts, charts);
        print(&report.to_text(arguments.show_states, &charts));
    }
    Ok(report.outcome())
}

/// The values of all parameters by name.
pub(crate) fn values(parameters: &Parameters) -> BTreeMap<String, String> {
    let declared = parameters.declared().iter();
    declared.map(|parameter| (parameter.name.clone(), parameter.value.clone())).collect()
}

/// A violation in words and in a file.
struct Counterexample {
    assertion: String,
    explanation: Option<String>,
    story: Story,
    /// Where it was saved, if it could be.
    file: Option<PathBuf>,
    /// Where it was drawn.
    charts: Vec<String>,
}

impl Counterexample {
    fn save<P: Protocol>(
        space: &NetworkSpace<'_, P>,
        finding: &Finding,
        built: &Built<P>,
        arguments: &CheckArguments,
    ) -> Self {
        let Built { name, parameters, .. } = built;
        let assertion = space.assertions()[finding.assertion].clone();
        let origin = Origin {
            scenario: name.clone(),
            profile: parameters.profile().name().to_owned(),
            parameters: values(parameters),
            verify_determinism: arguments.verify_determinism,
        };
        let trace = TraceFile::record(space, &finding.trace, origin, &assertion);
        let file = arguments.trace.clone().unwrap_or_else(|| format!("{name}.trace.json").into());
        let file = match trace.write(&file) {
            Ok(()) => Some(file),
            // What was found is worth more than the file.
            Err(error) => {
                complain(error.into());
                None
            }
        };
        let explanation = space.explain(finding.trace.last(), finding.assertion);
        let story = Story::tell(space, &finding.trace);
        let broken = Some((assertion.as_str(), explanation.as_deref()));
        let charts = draw(&arguments.charts, &story, built, broken);
        Self { assertion, explanation, story, file, charts }
    }
}

/// What `check` says.
struct Report<'a> {
    name: &'a str,
    parameters: &'a Parameters,
    options: Options,
    nothing_asserted: bool,
    found: &'a Exploration,
    counterexample: Option<&'a Counterexample>,
}

impl Report<'_> {
    fn outcome(&self) -> Outcome {
        match (self.counterexample, self.found.ended.is_complete()) {
            (Some(_), _) => Outcome::Violation,
            (None, true) => Outcome::Fine,
            (None, false) => Outcome::Stopped,
        }
    }

    fn to_json(&self) -> Value {
        let found = self.found;
        json!({
            "scenario": self.name,
            "profile": self.parameters.profile().name(),
            "parameters": values(self.parameters),
            "verdict": match self.outcome() {
                Outcome::Violation => "violated",
                Outcome::Fine => "holds",
                Outcome::BadInput | Outcome::Stopped => "inconclusive",
            },
            "complete": found.ended.is_complete(),
            "ended": ended_name(found.ended),
            "max_depth": self.options.max_depth,
            "states_visited": found.states_visited,
            "states_waiting": found.states_waiting,
            "events": found.counts.events,
            "unsafe_events": found.counts.unsafe_events,
            "handler_executions": found.handler_executions,
            "depth": found.depth,
            "states_per_depth": found.states_per_depth(),
            "seconds": found.elapsed.as_secs_f64(),
            "bytes_per_state": found.bytes_per_state(),
            "counterexample": self.counterexample.map(counterexample_json),
        })
    }

    fn to_text(&self, whole_states: bool, charts: &str) -> String {
        let mut text = self.verdict_text();
        if self.nothing_asserted {
            text.push_str("nothing is asserted: only panics were looked for\n");
        }
        if let Some(counterexample) = self.counterexample {
            let _ = write!(text, "\n{}", counterexample.story.to_text(whole_states));
            let _ = writeln!(text, "\nbroken: {}", bad(&counterexample.assertion));
            if let Some(explanation) = &counterexample.explanation {
                let _ = writeln!(text, "        {explanation}");
            }
        }
        let _ = write!(text, "\n{}", self.statistics_text());
        if !charts.is_empty() {
            let _ = write!(text, "\n{charts}");
        }
        if let Some(file) = self.counterexample.and_then(|found| found.file.as_ref()) {
            let [program, file] = [program_path(), file.display().to_string()].map(shell_word);
            let _ = writeln!(text, "\nrun it again: {program} replay {file}");
        }
        text
    }

    fn verdict_text(&self) -> String {
        let found = self.found;
        let name = self.name;
        let mark = match self.parameters.profile() {
            Profile::Standard => "",
            Profile::Thesis => " (thesis profile: the published semantics)",
        };
        match (self.counterexample, found.ended) {
            (Some(counterexample), _) => {
                let steps = counted(counterexample.story.steps.len() as u64, "step");
                format!("{name}{mark}: {} in {steps}, the fewest possible\n", bad("VIOLATED"))
            }
            (None, Ended::Exhausted) => format!(
                "{name}{mark}: {} in every reachable state; no run needs more than {}\n",
                good("HOLDS"),
                counted(found.depth.into(), "event"),
            ),
            (None, Ended::Depth) => format!(
                "{name}{mark}: {} on every run of at most {}; longer runs were not explored (--max-depth)\n",
                good("HOLDS"),
                counted(self.options.max_depth.unwrap_or(0).into(), "event"),
            ),
            (None, ended) => format!(
                "{name}{mark}: {}, stopped by {}: nothing found so far; {} to be expanded\n",
                unsure("INCONCLUSIVE"),
                stopped_by(ended),
                counted(found.states_waiting, "state") + " left",
            ),
        }
    }

    fn statistics_text(&self) -> String {
        let found = self.found;
        let seconds = found.elapsed.as_secs_f64();
        let rate = found.counts.events as f64 / seconds.max(1e-9) / 1e6;
        let saved = found.counts.events as f64 / found.handler_executions.max(1) as f64;
        let handlers = counted(found.handler_executions, "execution");
        let handlers = if saved < 1.5 {
            handlers
        } else {
            format!("{handlers}, one for {} events", significant((saved * 10.0).round() / 10.0))
        };
        let complete = match found.ended {
            Ended::Violation => {
                "; stopped at the first violation (--keep-going goes on)".to_owned()
            }
            ended if ended.is_complete() => String::new(),
            ended => format!("; stopped by {}", stopped_by(ended)),
        };
        let rows = [
            (
                "states",
                format!(
                    "{} visited, {} waiting; depth {} reached{complete}",
                    grouped(found.states_visited),
                    grouped(found.states_waiting),
                    found.depth,
                ),
            ),
            (
                "events",
                format!(
                    "{}, of which {} unsafe; {rate:.1} million per second",
                    grouped(found.counts.events),
                    grouped(found.counts.unsafe_events),
                ),
            ),
            ("handlers", handlers),
            (
                "memory",
                format!(
                    "{}, {:.1} bytes per state",
                    size(found.bytes as u64),
                    found.bytes_per_state()
                ),
            ),
            ("time", format!("{seconds:.3} s")),
        ];
        rows.iter().fold(String::new(), |mut text, (what, value)| {
            let _ = writeln!(text, "{what:9} {value}");
            text
        })
    }
}

fn ended_name(ended: Ended) -> &'static str {
    match ended {
        Ended::Exhausted => "exhausted",
        Ended::Depth => "depth",
        Ended::Violation => "violation",
        Ended::Limit(Limit::States) => "max-states",
        Ended::Limit(Limit::Bytes) => "max-memory",
        Ended::Limit(Limit::Time) => "max-time",
        Ended::Limit(Limit::Capacity) => "capacity",
        Ended::Interrupted => "interrupted",
        Ended::Refused => "refused",
    }
}

fn stopped_by(ended: Ended) -> &'static str {
    match ended {
        Ended::Limit(Limit::States) => "--max-states",
        Ended::Limit(Limit::Bytes) => "--max-memory",
        Ended::Limit(Limit::Time) => "--max-time",
        Ended::Limit(Limit::Capacity) => "the number of networks that can be told apart",
        Ended::Interrupted => "the user",
        Ended::Exhausted | Ended::Depth | Ended::Violation | Ended::Refused => "nothing",
    }
}

fn counterexample_json(counterexample: &Counterexample) -> Value {
    json!({
        "assertion": counterexample.assertion,
        "explanation": counterexample.explanation,
        "steps": steps_json(&counterexample.story),
        "file": counterexample.file.as_ref().map(|file| file.display().to_string()),
        "charts": counterexample.charts,
    })
}

pub(crate) fn steps_json(story: &Story) -> Vec<Value> {
    let steps = story.steps.iter().map(|step| {
        let parameters = step.event.parameters.iter();
        let parameters: Map<String, Value> =
            parameters.map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect();
        json!({
            "node": step.event.node,
            "kind": step.event.kind,
            "parameters": parameters,
            "sentence": step.event.sentence,
            "changes": step.changes,
        })
    });
    steps.collect()
}

/// A text as a shell takes it for one word.
fn shell_word(text: String) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
