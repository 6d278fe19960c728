//! What `check` says, in words and in JSON.

use std::{borrow::Cow, fmt::Write, path::Path};

use everypath_explore::{
    Ended, EventPattern, Exploration, Options, Space, Stop, StoreKind, StoreReport, Strategy,
    Timings,
};
use everypath_model::NEVER_STUCK;
use everypath_network::NetworkSpace;
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value, json};

use super::{
    findings::{Counterexample, Findings},
    regressions::Earlier,
    spec::CheckSpec,
    vacuity::Vacuities,
};
use crate::{
    arguments::search::word,
    error::describe_refusal,
    kept::{graph::Reused, memo::Remembered},
    output::{
        Outcome, bad, good, indented, lines,
        numbers::{counted, grouped, significant, size},
        program_path, unsure,
    },
    scenarios::subject::Subject,
    searching::{
        json::{conditions_json, search_json, store_name},
        spec::{Conditions, SearchSpec},
        verdict::{outcome, stopped_by, verdict},
    },
    traces::{chart::chart_lines, story_json::StepsJson},
};

/// What `check` says.
pub(crate) struct Report<'a, 'b> {
    pub(crate) built: &'a Subject<'a>,
    pub(crate) space: &'a NetworkSpace<'b>,
    pub(crate) options: &'a Options,
    pub(crate) spec: &'a CheckSpec,
    /// What decides the search, with the event that the scenario requires.
    pub(crate) search: &'a SearchSpec,
    pub(crate) found: &'a Exploration,
    /// How many of its executions of handlers were compared with a second one.
    pub(crate) verified: u64,
    pub(crate) findings: &'a Findings,
    /// Where the search was saved and how many bytes that took, if it was.
    pub(crate) saved: Option<(&'a Path, u64)>,
    /// What was taken from earlier checks, if that was asked for.
    pub(crate) remembered: Option<&'a Remembered>,
    /// What has become of earlier counterexamples, if that was asked for.
    pub(crate) earlier: Option<&'a Earlier>,
    pub(crate) reused: Option<&'a Reused>,
}

impl Report<'_, '_> {
    /// How many goals were not reached.
    fn missed_goals(&self) -> u64 {
        self.findings.witnesses.iter().filter(|witness| witness.is_none()).count() as u64
    }

    /// The patterns of events that matched nothing, each with its option.
    fn unmatched(&self) -> Vec<(&'static str, &EventPattern)> {
        let Conditions { require, disable, .. } = &self.search.conditions;
        let required = require.iter().filter(|pattern| {
            !self.space.required_has_happened().unwrap_or_else(|| self.space.has_met(pattern))
        });
        let disabled = disable.iter().filter(|pattern| !self.space.has_met(pattern));
        let required = required.map(|pattern| ("require", pattern));
        required.chain(disabled.map(|pattern| ("disable", pattern))).collect()
    }

    fn unmatched_text(&self) -> String {
        let so_far = match self.found.ended {
            _ if !self.found.is_complete() => "no state that was found so far has such an event",
            Ended::Depth => "no state within the bound has such an event",
            _ => "no reachable state has such an event",
        };
        let unmatched = self.unmatched().into_iter();
        let lines = unmatched.map(|(option, pattern)| {
            format!("--{option} {pattern} {}: {so_far}\n", unsure("matched nothing"))
        });
        lines.collect()
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match outcome(self.found, self.findings.witnesses.len()) {
            Outcome::Fine if self.spec.output.strict && self.is_vacuous() => Outcome::Vacuous,
            outcome => outcome,
        }
    }

    /// What makes it say less than it seems to, if it has seen enough to know.
    fn vacuities(&self) -> Option<Vacuities> {
        // What goes on, or copies steps, does not ask every assumption.
        let resumed = self.search.long_run.resume.is_some();
        let asked_all = !resumed && self.spec.graph.graph.is_none();
        Vacuities::of(self.space, self.found, asked_all)
    }

    fn is_vacuous(&self) -> bool {
        self.vacuities().is_some_and(|vacuities| !vacuities.is_empty())
    }

    /// What is told in JSON.
    pub(crate) fn to_json(&self) -> impl Serialize {
        ReportJson(self)
    }

    /// What is told in JSON, but for runs.
    fn to_json_without_runs(&self) -> Value {
        let Self { built, options, found, .. } = self;
        let counts = &found.counts;
        let mut told = json!({
            "scenario": built.name,
            "profile": built.parameters.profile().name(),
            "parameters": built.values(),
            "start": built.start.as_ref().map(|start| start.to_json(self.space.start_digest())),
            "verdict": verdict(self.outcome()),
            "complete": found.is_complete(),
            "incomplete_because": found.incomplete,
            "ended": found.ended.name(),
            "strategy": options.strategy.name(),
            "add": word(&self.search.method.add),
            "relation": self.search.method.relation,
            "max_depth": options.max_depth,
            "states_visited": found.states_visited,
            "states_waiting": found.states_waiting,
            "events": counts.events,
            "unsafe_events": counts.unsafe_events,
            "unsafe_without_required": counts.unsafe_without_required,
            "tree_events": counts.tree_events,
            "non_tree_events": counts.non_tree_events,
            "deepest_events": counts.deepest_events,
            "violations": self.violations_json(),
            "kinds": self.kinds_json(),
            "states_pruned": counts.pruned,
            "states_ending": counts.ends,
            "handler_executions": found.handler_executions,
            "memo": self.remembered.map(Remembered::to_json),
            "graph": self.reused.map(Reused::to_json),
            "depth": found.depth,
            "states_per_depth": found.states_per_depth(),
            "events_per_depth": counts.depths.iter().map(|depth| depth.events).collect::<Vec<_>>(),
            "seconds": found.elapsed.as_secs_f64(),
            "bytes_per_state": found.bytes_per_state(),
            "store": store_json(&found.store),
            "timings": found.timings.as_ref().map(timings_json),
            "counterexample": null,
            "counterexamples": null,
            "goals": null,
            "workers": options.workers,
            "options": self.options_json(),
            "unmatched": self.unmatched_json(),
            "checkpoint": self.saved.map(|(path, _)| path.display().to_string()),
        });
        told["used"] = built.used_json();
        told["unused_keys"] = json!(self.unexplored());
        told["handler_executions_verified"] = self.verified.into();
        told["refused_because"] = found.refusal.as_ref().map(describe_refusal).into();
        let vacuities = self.vacuities();
        told["vacuity"] = vacuities.as_ref().map(Vacuities::to_json).into();
        told["assumptions"] = vacuities.as_ref().map(Vacuities::exclusions_json).into();
        told["regressions"] = json!(self.earlier.map(Earlier::told));
        told
    }

    /// How it was explored, besides what has a field of its own: what the command line has said.
    fn options_json(&self) -> Value {
        let mut map = search_json(&self.search.method, self.options);
        map.extend(conditions_json(&self.search.conditions));
        map.into()
    }

    fn unmatched_json(&self) -> Vec<Value> {
        let unmatched = self.unmatched().into_iter();
        unmatched
            .map(|(option, pattern)| json!({ "option": option, "pattern": pattern.to_string() }))
            .collect()
    }

    fn violations_json(&self) -> Value {
        let names = self.space.assertions().into_iter();
        let counted = names.zip(self.found.counts.violations.iter().copied());
        counted.map(|(name, count)| (name, Value::from(count))).collect::<Map<_, _>>().into()
    }

    fn kinds_json(&self) -> Value {
        let kinds = self.space.event_kinds().into_iter().zip(&self.found.counts.kinds);
        let kinds = kinds.map(|(name, kind)| {
            (name, json!({ "events": kind.events, "enabled_states": kind.enabled_states }))
        });
        kinds.collect::<Map<_, _>>().into()
    }

    /// What of a scenario file an exploration has no use for.
    fn unexplored(&self) -> Vec<&str> {
        let Subject { file, start, .. } = self.built;
        file.map_or(Vec::new(), |file| file.unexplored(start.is_some()))
    }

    /// What a scenario file has made of the scenario, and what of it is not looked at.
    fn file_text(&self) -> String {
        let Some(file) = &self.built.file else { return String::new() };
        let mut text = lines(&self.built.used_facts());
        let unexplored = self.unexplored();
        let path = file.file.path.display();
        let readers = match &self.built.start {
            Some(_) => "`simulate`",
            None => "`simulate` and `check --from-simulation`",
        };
        if !unexplored.is_empty() {
            let keys = unexplored.join(", ");
            let _ = writeln!(text, "note: {keys} of {path} are for {readers}, and unused here");
        }
        if self.built.start.is_none() && self.built.scenario.simulation.field.is_some() {
            text.push_str(
                "note: without --from-simulation, nodes on a field hear nobody; at 0s, who is in range is linked\n",
            );
        }
        text
    }

    pub(crate) fn to_text(&self) -> String {
        let output = &self.spec.output;
        let vacuities = self.vacuities();
        let warnings = vacuities.as_ref().map_or(String::new(), Vacuities::to_text);
        let verdict = self.verdict_text(vacuities.as_ref());
        let mut text = verdict + &self.file_text() + &warnings + &self.unmatched_text();
        let scenario = &self.built.scenario;
        if scenario.assertions.is_empty()
            && scenario.end_assertions.is_empty()
            && scenario.goals.is_empty()
            && !self.search.conditions.deadlock
        {
            text.push_str("nothing is asserted: only panics were looked for\n");
        }
        for counterexample in &self.findings.counterexamples {
            let _ = write!(text, "\n{}", counterexample.story.to_text(output.show_states));
            let explanation = counterexample.explanation.as_deref().map(indented);
            let explanation = explanation.unwrap_or_default();
            let _ = writeln!(text, "\nbroken: {}{explanation}", bad(&counterexample.assertion));
        }
        text.push_str(&self.goals_text());
        text.push_str(&self.earlier.map_or(String::new(), Earlier::to_text));
        let _ = write!(text, "\n{}", rows_text(&self.rows()));
        if output.stats {
            text.push_str(&self.stats_text());
        }
        let drawn = self.findings.counterexamples.first().map(|found| found.charts.as_slice());
        let charts = chart_lines(&output.charts, drawn);
        if !charts.is_empty() {
            let _ = write!(text, "\n{charts}");
        }
        if output.as_test && self.findings.counterexamples.is_empty() {
            text.push_str("\nnothing was found: there is no test of it\n");
        }
        let tests = self.findings.counterexamples.iter().filter_map(|found| found.test.as_ref());
        tests.for_each(|test| {
            let _ = write!(text, "\n{test}");
        });
        text.push_str(&self.again_text());
        text
    }

    fn goals_text(&self) -> String {
        let mut text = String::new();
        let goals = self.space.goals().into_iter().zip(&self.findings.witnesses);
        for (number, (goal, witness)) in goals.enumerate() {
            if number == 0 {
                text.push('\n');
            }
            let _ = match witness {
                Some(story) => {
                    let steps = counted(story.steps.len() as u64, "step");
                    writeln!(text, "{}: {goal} (in {steps})", good("reached"))
                }
                None if self.found.saw_everything() => {
                    writeln!(text, "{}: {goal}", bad("never reached"))
                }
                None if self.found.ended == Ended::Depth && self.found.is_complete() => {
                    writeln!(text, "{}: {goal}", unsure("not reached within the bound"))
                }
                None => writeln!(text, "{}: {goal}", unsure("not reached so far")),
            };
        }
        text
    }

    fn again_text(&self) -> String {
        let files = self.findings.counterexamples.iter().filter_map(|found| found.file.as_ref());
        // What was written to a pipe cannot be read again.
        let files = files.filter(|file| file.is_file());
        let mut text = String::new();
        if let Some((path, bytes)) = self.saved.filter(|_| self.found.ended.is_stopped()) {
            let _ = writeln!(
                text,
                "\nsaved in {} ({}); go on with the same options and --resume {}",
                path.display(),
                size(bytes),
                shell_word(path.display().to_string()),
            );
        }
        for (number, file) in files.enumerate() {
            let [program, file] = [program_path(), file.display().to_string()].map(shell_word);
            let gap = if number == 0 { "\n" } else { "" };
            let _ = writeln!(text, "{gap}run it again: {program} replay {file}");
        }
        text
    }

    fn verdict_text(&self, vacuities: Option<&Vacuities>) -> String {
        let found = self.found;
        let name = self.built.title();
        if let Some(first) = self.findings.counterexamples.first() {
            return format!("{name}: {} in {}\n", bad("VIOLATED"), self.length_text(first));
        }
        if self.missed_goals() > 0 && found.is_complete() {
            return format!("{name}: {}\n", self.missed_text());
        }
        if let Some(why) = found.incomplete.filter(|_| found.ended.is_complete()) {
            return format!("{name}: {}: nothing found, but {why}\n", unsure("INCONCLUSIVE"));
        }
        match found.ended {
            Ended::Exhausted => {
                let nothing = vacuities.and_then(Vacuities::nothing_happens_text);
                let needed = counted(found.depth.into(), "event");
                let rest = nothing.unwrap_or(format!("; no run needs more than {needed}"));
                let condition = self.condition_text();
                format!("{name}: {} in every reachable state{condition}{rest}\n", good("HOLDS"))
            }
            Ended::Depth => format!(
                "{name}: {} on every run of at most {}{}; longer runs were not explored (--max-depth)\n",
                good("HOLDS"),
                counted(self.options.max_depth.unwrap_or(0).into(), "event"),
                self.condition_text(),
            ),
            _ => format!(
                "{name}: {}, stopped by {}: nothing found so far; {}\n",
                unsure("INCONCLUSIVE"),
                self.stopped_by(),
                if self.walks() {
                    "not all walks were made".to_owned()
                } else {
                    counted(found.states_waiting, "state") + " left to be expanded"
                },
            ),
        }
    }

    /// What has stopped the search.
    fn stopped_by(&self) -> Cow<'static, str> {
        stopped_by(self.found.ended, self.search.limits.memory)
    }

    /// Whether a violation was found before the search began.
    fn found_before(&self) -> bool {
        self.earlier.is_some_and(|earlier| earlier.found.is_some())
    }

    /// Whether the search stores no states.
    fn walks(&self) -> bool {
        !self.found_before() && matches!(self.options.strategy, Strategy::RandomWalk { .. })
    }

    /// Under which conditions it holds: what was required, and what was not looked at.
    fn condition_text(&self) -> String {
        let conditions = &self.search.conditions;
        let mut text = conditions
            .require
            .as_ref()
            .map_or(String::new(), |pattern| format!(" with an event `{pattern}`"));
        text.push_str(&self.pruned_text());
        text
    }

    fn pruned_text(&self) -> String {
        match self.found.counts.pruned {
            0 => String::new(),
            pruned => format!(", but for what lies behind {}", counted(pruned, "pruned state")),
        }
    }

    /// That goals were not reached by a search that came to its end: a violation, unless they may be reached
    /// where it did not look.
    fn missed_text(&self) -> String {
        let goals = counted(self.missed_goals(), "goal");
        let pruned = self.pruned_text();
        if self.found.saw_everything() {
            return format!("{}: {goals} never reached on any run", bad("VIOLATED"));
        }
        let unsure = unsure("INCONCLUSIVE");
        if self.found.ended == Ended::Depth {
            let depth = counted(self.options.max_depth.unwrap_or(0).into(), "event");
            let longer = "longer runs were not explored (--max-depth)";
            return format!(
                "{unsure}: {goals} not reached on any run of at most {depth}{pruned}; {longer}"
            );
        }
        format!("{unsure}: {goals} not reached on any run{pruned}")
    }

    fn length_text(&self, counterexample: &Counterexample) -> String {
        let steps = counterexample.story.steps.len();
        let steps_text = counted(steps as u64, "step");
        let Options { strategy, relation, store, .. } = self.options;
        if let Some(found) = self.earlier.and_then(Earlier::found_text) {
            return format!("{steps_text}, {found}");
        }
        if strategy.finds_shortest() {
            // What stands for a state, or looks like it, may need more events to the violation.
            let exact = relation.is_none()
                && !matches!(store, StoreKind::Bitstate { .. })
                && self.is_known_first(counterexample);
            return if exact { format!("{steps_text}, the fewest possible") } else { steps_text };
        }
        if steps < counterexample.steps_found {
            let before = grouped(counterexample.steps_found as u64);
            format!("{steps_text}, made from a run of {before} (bfs finds the fewest possible)")
        } else {
            format!("{steps_text} (bfs finds the fewest possible)")
        }
    }

    /// Whether nothing shorter can be found later: an end is known only when it is expanded, one
    /// event later than another violation of the same length.
    fn is_known_first(&self, counterexample: &Counterexample) -> bool {
        let scenario = &self.built.scenario;
        let deadlock = self.search.conditions.deadlock;
        let ends = scenario.end_assertions.iter().map(String::as_str);
        let mut ends = ends.chain(deadlock.then_some(NEVER_STUCK)).peekable();
        ends.peek().is_none() || ends.any(|name| name == counterexample.assertion)
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let found = self.found;
        let counts = &found.counts;
        let seconds = found.elapsed.as_secs_f64();
        let rate = counts.events as f64 / seconds.max(1e-9) / 1e6;
        let saved = counts.events as f64 / found.handler_executions.max(1) as f64;
        let handlers = counted(found.handler_executions, "execution");
        let handlers = if saved < 1.5 {
            handlers
        } else {
            format!("{handlers}, one for {} events", significant((saved * 10.0).round() / 10.0))
        };
        let handlers = match found.handler_executions {
            0 => counted(0, "execution"),
            _ => format!("{handlers}; {}", self.verified_text()),
        };
        let complete = match found.ended {
            _ if self.found_before() => "; no search was needed".to_owned(),
            Ended::Violation if self.search.conditions.stop == Stop::Each => {
                "; stopped when each assertion was violated (--keep-going goes on)".to_owned()
            }
            Ended::Violation => {
                "; stopped at the first violation (--keep-going goes on)".to_owned()
            }
            Ended::Refused => {
                let why = found.refusal.as_ref().map(describe_refusal).unwrap_or_default();
                format!("; stopped before the end, since {why}")
            }
            ended if ended.is_complete() => String::new(),
            _ => format!("; stopped by {}", self.stopped_by()),
        };
        let without = match counts.unsafe_without_required {
            0 => String::new(),
            lacking => format!(" ({} without the required event)", grouped(lacking)),
        };
        let start = self.built.start.as_ref().map(|start| ("start", start.to_text()));
        let mut rows: Vec<_> = start.into_iter().collect();
        rows.extend([
            (
                "states",
                if self.walks() {
                    format!("none stored; depth {} reached{complete}", found.depth)
                } else {
                    format!(
                        "{} visited, {} waiting; depth {} reached{complete}",
                        grouped(found.states_visited),
                        grouped(found.states_waiting),
                        found.depth,
                    )
                },
            ),
            (
                "events",
                format!(
                    "{}, of which {} unsafe{without}; {rate:.1} million per second",
                    grouped(counts.events),
                    grouped(counts.unsafe_events),
                ),
            ),
            ("handlers", handlers),
        ]);
        rows.extend(self.remembered.map(|remembered| ("memo", remembered.to_text())));
        rows.extend(self.reused.map(Reused::to_text).unwrap_or_default());
        rows.extend([
            (
                "memory",
                match found.states_visited {
                    // A walk stores none, nor does a search whose initial state breaks something.
                    0 => size(found.bytes as u64),
                    states => format!(
                        "{}, {:.1} bytes per state{}",
                        size(found.bytes as u64),
                        found.bytes_per_state(),
                        store_text(&found.store, states),
                    ),
                },
            ),
            ("time", format!("{seconds:.3} s")),
        ]);
        rows
    }

    /// How many executions of handlers were compared with a second one.
    fn verified_text(&self) -> String {
        if self.search.conditions.verifies_nothing() {
            return "none verified (--trust-handlers)".to_owned();
        }
        if self.verified >= self.found.handler_executions {
            return "all verified".to_owned();
        }
        format!("{} verified by a second one", grouped(self.verified))
    }

    fn stats_text(&self) -> String {
        let counts = &self.found.counts;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "\nsafe events: {} tree, {} non-tree, {} deepest",
            grouped(counts.tree_events),
            grouped(counts.non_tree_events),
            grouped(counts.deepest_events),
        );
        if counts.pruned + counts.ends > 0 {
            let _ = writeln!(
                text,
                "states without a successor: {} ends, {} pruned",
                grouped(counts.ends),
                grouped(counts.pruned),
            );
        }
        let _ = writeln!(text, "\n{:12}{:>15}{:>20}", "kind", "events", "enabled in states");
        for (name, kind) in self.space.event_kinds().iter().zip(&counts.kinds) {
            let (events, states) = (grouped(kind.events), grouped(kind.enabled_states));
            let _ = writeln!(text, "{name:12}{events:>15}{states:>20}");
        }
        let violated = self.space.assertions().into_iter().zip(&counts.violations);
        let violated: Vec<_> = violated.filter(|(_, count)| **count > 0).collect();
        if !violated.is_empty() {
            let _ = writeln!(text, "\n{:>15}  assertion", "violations");
        }
        for (assertion, count) in violated {
            let _ = writeln!(text, "{:>15}  {assertion}", grouped(*count));
        }
        let _ = writeln!(text, "\n{:>12}{:>15}{:>20}", "depth", "new states", "events to it");
        for (depth, at) in counts.depths.iter().enumerate() {
            let (states, events) = (grouped(at.states), grouped(at.events));
            let _ = writeln!(text, "{depth:>12}{states:>15}{events:>20}");
        }
        if let Some(timings) = &self.found.timings {
            text.push_str(&timings_text(timings));
        }
        text
    }
}

fn rows_text(rows: &[(&str, String)]) -> String {
    rows.iter().fold(String::new(), |mut text, (what, value)| {
        let _ = writeln!(text, "{what:9} {value}");
        text
    })
}

/// What the times are times of.
fn operations(timings: &Timings) -> [(&'static str, &'static str, f64); 6] {
    let seconds = |time: std::time::Duration| time.as_secs_f64();
    [
        (
            "expansion",
            "enabled events, and naming the states they lead to",
            seconds(timings.expansion),
        ),
        ("execution", "handlers of the protocol", seconds(timings.execution)),
        ("assertion", "assertions and goals", seconds(timings.assertion)),
        ("store", "hashing, look-up and insertion", seconds(timings.store)),
        ("ranking", "ranks of states", seconds(timings.ranking)),
        ("frontier", "putting states in and taking them out", seconds(timings.frontier)),
    ]
}

fn timings_text(timings: &Timings) -> String {
    let mut text = format!("\n{:12}{:>12}\n", "time in", "seconds");
    for (name, about, seconds) in operations(timings) {
        let _ = writeln!(text, "{name:12}{seconds:>12.3}  {about}");
    }
    let measuring = timings.measuring.as_secs_f64();
    let _ =
        writeln!(text, "{:12}{measuring:>12.3}  spread over the rows above, about", "measuring");
    text
}

fn timings_json(timings: &Timings) -> Value {
    let rows =
        operations(timings).map(|(name, _, seconds)| (name.to_owned(), Value::from(seconds)));
    let mut map: Map<String, Value> = rows.into_iter().collect();
    map.insert("measuring".to_owned(), timings.measuring.as_secs_f64().into());
    map.into()
}

fn store_text(store: &StoreReport, states: u64) -> String {
    let each = store.bytes as f64 / states.max(1) as f64;
    match store.kind {
        StoreKind::Exact => String::new(),
        StoreKind::Fingerprint => format!(
            ", {each:.1} of them fingerprints; a state was missed with probability {:.1e}",
            store.missed_probability
        ),
        StoreKind::Bitstate { hashes, .. } => format!(
            "; a table of {} with {hashes} bits per state: about {:.2} % of the states that were met were told apart",
            size(store.bytes as u64),
            store.coverage * 100.0
        ),
    }
}

fn store_json(store: &StoreReport) -> Value {
    json!({
        "kind": word(&store_name(store.kind)),
        "bytes": store.bytes,
        "missed_probability": store.missed_probability,
        "coverage": store.coverage,
    })
}

/// Is written step by step: a run may have a million of them, and be told twice.
struct ReportJson<'r, 'a, 'b>(&'r Report<'a, 'b>);

impl Serialize for ReportJson<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(report) = self;
        let told = report.to_json_without_runs();
        let told = told.as_object().expect("it is an object");
        let counterexamples = &report.findings.counterexamples;
        let goals = report.space.goals().into_iter().zip(&report.findings.witnesses);
        let goals: Vec<GoalJson<'_>> = goals
            .map(|(goal, witness)| GoalJson {
                goal,
                reached: witness.is_some(),
                steps: witness.as_ref().map(StepsJson),
            })
            .collect();
        let mut map = to.serialize_map(Some(told.len()))?;
        for (name, value) in told {
            match name.as_str() {
                "counterexample" => map.serialize_entry(name, &counterexamples.first()),
                "counterexamples" => map.serialize_entry(name, counterexamples),
                "goals" => map.serialize_entry(name, &goals),
                _ => map.serialize_entry(name, value),
            }?;
        }
        map.end()
    }
}

impl Serialize for Counterexample {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("assertion", &self.assertion)?;
        map.serialize_entry("explanation", &self.explanation)?;
        map.serialize_entry("steps", &StepsJson(&self.story))?;
        map.serialize_entry("steps_found", &self.steps_found)?;
        let file = self.file.as_ref().map(|file| file.display().to_string());
        map.serialize_entry("file", &file)?;
        map.serialize_entry("charts", &self.charts)?;
        map.serialize_entry("test", &self.test)?;
        map.end()
    }
}

/// A goal, and how it is reached.
#[derive(Serialize)]
struct GoalJson<'a> {
    goal: String,
    reached: bool,
    steps: Option<StepsJson<'a>>,
}

/// A text as a shell takes it for one word.
fn shell_word(text: String) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
