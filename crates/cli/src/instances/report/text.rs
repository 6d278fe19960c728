//! The report of an exploration in parts as text.

use std::fmt::Write;

use everypath_model::NEVER_STUCK;

use super::{Answer, End, InstanceReport};
use crate::{
    output::{
        Outcome, bad, good, indented,
        numbers::{counted, grouped},
        program_path, unsure,
    },
    traces::chart::chart_lines,
};

/// How many names of missing instances are printed.
const NAMES_MAX: usize = 5;

impl InstanceReport<'_> {
    pub(in super::super) fn to_text(&self) -> String {
        let output = &self.spec.output;
        let mut text = format!("{}: {}\n", self.built.title(), self.verdict_text());
        for (counterexample, found) in self.counterexamples.iter().zip(self.violations) {
            let _ = write!(text, "\n{}", counterexample.story.to_text(output.show_states));
            let explanation = counterexample.explanation.as_deref().map(indented);
            let explanation = explanation.unwrap_or_default();
            let _ = writeln!(text, "\nbroken: {}{explanation}", bad(&counterexample.assertion));
            if let Some(instance) = self.part_of(found) {
                let _ = writeln!(text, "found in the instance `{instance}`");
            }
        }
        text.push_str(&self.possible_text());
        text.push_str(&self.goals_text());
        let _ = writeln!(text);
        for (what, value) in self.rows() {
            let _ = writeln!(text, "{what:9} {value}");
        }
        if self.instances.rows {
            text.push_str(&self.instances_text());
        }
        let drawn = self.counterexamples.first().map(|found| found.charts.as_slice());
        let charts = chart_lines(&output.charts, drawn);
        if !charts.is_empty() {
            let _ = write!(text, "\n{charts}");
        }
        if output.as_test && self.counterexamples.is_empty() {
            text.push_str("\nnothing was found: there is no test of it\n");
        }
        for test in self.counterexamples.iter().filter_map(|found| found.test.as_ref()) {
            let _ = write!(text, "\n{test}");
        }
        text + &self.again_text()
    }

    fn verdict_text(&self) -> String {
        if let Some(first) = self.counterexamples.first() {
            let steps = counted(first.story.steps.len() as u64, "step");
            let fewest =
                if self.is_shortest(&first.assertion) { ", the fewest possible" } else { "" };
            return format!("{} in {steps}{fewest}", bad("VIOLATED"));
        }
        match self.outcome() {
            Outcome::Violation => {
                let goals = counted(self.missed_goals(), "goal");
                format!("{}: {goals} never reached on any run", bad("VIOLATED"))
            }
            Outcome::Fine => format!("{} {}", good("HOLDS"), self.holds_text()),
            _ => format!("{}: {}", unsure("INCONCLUSIVE"), self.unsure_text()),
        }
    }

    /// Where it holds.
    fn holds_text(&self) -> String {
        let most = counted(self.options.max_depth.unwrap_or(0).into(), "event");
        let longer = "longer runs were not explored (--max-depth)";
        let pruned = match self.sum(|answer| answer.pruned) {
            0 => String::new(),
            pruned => format!(", but for what lies behind {}", counted(pruned, "pruned state")),
        };
        let required = self.spec.search.conditions.require.as_ref();
        let required =
            required.map_or(String::new(), |pattern| format!(" with an event `{pattern}`"));
        let conditions = required + &pruned;
        match (self.answers.is_covering(), self.is_bounded()) {
            (false, false) => {
                let needed = counted(self.depth().into(), "event");
                format!("in every reachable state{conditions}; no run needs more than {needed}")
            }
            (false, true) => format!("on every run of at most {most}{conditions}; {longer}"),
            (true, is_bounded) => {
                let runs = match is_bounded {
                    true => format!("of at most {most} "),
                    false => String::new(),
                };
                let claim = "that these starts cover the protocol is the scenario's claim";
                format!("on every run {runs}from the starts that it gives{conditions}; {claim}")
            }
        }
    }

    /// Why nothing is known for certain.
    fn unsure_text(&self) -> String {
        if let Some(possible) = self.confirmed.and_then(|it| it.possible.as_ref()) {
            let steps = counted(possible.story.steps.len() as u64, "step");
            return format!(
                "a violation is possible in {steps} from a start of `{}`, but no run to this start was found, and not everything was searched",
                possible.instance
            );
        }
        let trunk = self.answers.trunk.as_ref().map(|trunk| &trunk.end);
        if let Some(End::Stopped(by)) = trunk {
            return format!("nothing found so far; the trunk was stopped by {by}");
        }
        let missing = self.missing_places.len();
        if missing > 0 {
            let all = counted(self.answers.instances.len() as u64, "instance");
            let why = self.missing.unwrap_or("they were not run");
            let (missing, are) = (grouped(missing as u64), if missing == 1 { "is" } else { "are" });
            return format!("nothing found so far; {missing} of {all} {are} missing: {why}");
        }
        let stopped = |answer: &&Answer| matches!(answer.end, End::Stopped(_));
        if let Some(Answer { end: End::Stopped(by), .. }) = self.answers.all().find(stopped) {
            let number = self.answers.all().filter(stopped).count() as u64;
            let were = if number == 1 { "was" } else { "were" };
            return format!(
                "nothing found so far; {} {were} stopped by {by}",
                counted(number, "instance")
            );
        }
        let goals = counted(self.missed_goals(), "goal");
        match self.answers.is_covering() {
            true => format!(
                "{goals} not reached by a search from the scenario's own start; check without --starts"
            ),
            false => format!("{goals} not reached within the bound or before pruned states"),
        }
    }

    /// Whether no violation can be shorter. An end is noticed one event late.
    fn is_shortest(&self, assertion: &str) -> bool {
        let ends = self.built.scenario.end_assertions.iter().map(String::as_str);
        let deadlock = self.spec.search.conditions.deadlock.then_some(NEVER_STUCK);
        let mut ends = ends.chain(deadlock).peekable();
        let known_first = ends.peek().is_none() || ends.any(|name| name == assertion);
        let is_there = self.missing_places.is_empty() && self.answers.all().all(Answer::is_final);
        known_first && is_there && !self.answers.is_covering()
    }

    /// A violation that may not be real.
    fn possible_text(&self) -> String {
        let possible = self.confirmed.and_then(|it| it.possible.as_ref());
        let Some(possible) = possible else { return String::new() };
        format!(
            "\npossible from a start of `{}`, which no known run reaches:\n{}\nbroken: {}\n",
            possible.instance,
            possible.story.to_text(self.spec.output.show_states),
            unsure(&possible.assertion),
        )
    }

    fn goals_text(&self) -> String {
        let mut text = String::new();
        let goals = self.built.scenario.goals.iter().zip(&self.witnesses);
        for (number, (goal, witness)) in goals.enumerate() {
            if number == 0 {
                text.push('\n');
            }
            let _ = match witness {
                Some(story) => {
                    let steps = counted(story.steps.len() as u64, "step");
                    writeln!(text, "{}: {goal} (in {steps})", good("reached"))
                }
                None if self.saw_everything() => {
                    writeln!(text, "{}: {goal}", bad("never reached"))
                }
                None => writeln!(text, "{}: {goal}", unsure("not reached so far")),
            };
        }
        text
    }

    /// Counts, one line each.
    fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        if let Some(start) = &self.built.start {
            rows.push(("start", start.to_text()));
        }
        let name = self.instances.division.name();
        match &self.answers.trunk {
            Some(trunk) => {
                rows.push(("cut", name));
                rows.push((
                    "trunk",
                    format!(
                        "{}, {}",
                        counted(trunk.states, "state"),
                        counted(trunk.events, "event")
                    ),
                ));
            }
            None => rows.push(("starts", name)),
        }
        rows.push(("instances", self.sizes_text()));
        if !self.missing_places.is_empty() {
            rows.push(("missing", self.missing_text()));
        }
        if let Some(confirmed) = self.confirmed {
            rows.push(("spurious", self.spurious_text(confirmed.spurious, confirmed.states)));
        }
        rows.push(("states", self.states_text()));
        let events = grouped(self.sum(|answer| answer.events));
        let unsafe_events = grouped(self.sum(|answer| answer.unsafe_events));
        rows.push(("events", format!("{events} in all parts, of which {unsafe_events} unsafe")));
        rows.push(("time", format!("{:.3} s", self.seconds)));
        rows
    }

    fn states_text(&self) -> String {
        let sum = grouped(self.sum(|answer| answer.states));
        let depth = self.depth();
        match (self.union, self.redundancy()) {
            (Some((union, _)), Some(redundancy)) => format!(
                "{sum} in all parts, {} distinct (each {redundancy:.2} times); depth {depth} reached",
                grouped(union)
            ),
            _ => format!("{sum} in all parts; depth {depth} reached"),
        }
    }

    fn sizes_text(&self) -> String {
        let all = self.instance_count();
        let starts: usize = self.answers.instances.iter().map(|named| named.starts).sum();
        let equal = all - self.answers.instances.len();
        let equal = match equal {
            0 => String::new(),
            equal => format!(", {} equal to another", grouped(equal as u64)),
        };
        let sizes = self.sizes();
        let run = match (sizes.first(), sizes.last()) {
            (Some(&smallest), Some(&largest)) => {
                let mut distinct = sizes.clone();
                distinct.dedup();
                format!(
                    "; {} run: {} to {} states, {}",
                    grouped(sizes.len() as u64),
                    grouped(smallest),
                    grouped(largest),
                    counted(distinct.len() as u64, "distinct size"),
                )
            }
            _ => "; none run".to_owned(),
        };
        format!("{} with {}{equal}{run}", grouped(all as u64), counted(starts as u64, "start"))
    }

    fn missing_text(&self) -> String {
        let names = self.missing_places.iter().take(NAMES_MAX);
        let names = names.map(|&place| self.answers.instances[place].name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        match self.missing_places.len().saturating_sub(NAMES_MAX) {
            0 => names,
            more => format!("{names} and {} more", grouped(more as u64)),
        }
    }

    fn spurious_text(&self, starts: u64, states: u64) -> String {
        let searched = counted(states, "state");
        format!(
            "{} with a violation cannot be reached, by a search of {searched}",
            counted(starts, "start")
        )
    }

    /// A row for each instance.
    fn instances_text(&self) -> String {
        let names = self.answers.instances.iter().map(|named| named.name.chars().count());
        let width = names.max().unwrap_or(0).max("instance".len());
        let mut text = format!(
            "\n{:width$}{:>8}{:>12}{:>12}{:>8}{:>8}  verdict\n",
            "instance", "starts", "states", "events", "depth", "times"
        );
        for (place, named) in self.answers.instances.iter().enumerate() {
            let answer = self.answers.answers.get(&place);
            let count = |count: fn(&Answer) -> u64| {
                answer.map_or("–".to_owned(), |answer| grouped(count(answer)))
            };
            let _ = writeln!(
                text,
                "{:width$}{:>8}{:>12}{:>12}{:>8}{:>8}  {}",
                named.name,
                grouped(named.starts as u64),
                count(|it| it.states),
                count(|it| it.events),
                count(|it| it.depth.into()),
                grouped(1 + named.equal.len() as u64),
                self.verdict_of(place),
            );
        }
        text
    }

    fn again_text(&self) -> String {
        let mut text = String::new();
        if let Some(part) = self.part {
            let _ = writeln!(
                text,
                "\nsaved in {}; when all shares are done: {} check --merge FILE…",
                part.display(),
                program_path()
            );
        }
        let files = self.counterexamples.iter().filter_map(|found| found.file.as_ref());
        for (number, file) in files.filter(|file| file.is_file()).enumerate() {
            let gap = if number == 0 { "\n" } else { "" };
            let _ =
                writeln!(text, "{gap}run it again: {} replay {}", program_path(), file.display());
        }
        text
    }
}
