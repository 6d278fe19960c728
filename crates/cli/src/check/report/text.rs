//! The report of a check as text.

use std::fmt::Write;

use everypath_explore::Ended;
use everypath_report::span;

use super::{Report, rows::rows_text};
use crate::{
    check::{
        cross_check::CrossCheck,
        findings::Counterexample,
        growth::{self, Largeness},
        regressions::Earlier,
        vacuity::Vacuities,
    },
    output::{
        bad, good, indented, lines,
        numbers::{counted, size},
        program_path, shell_word, unsure,
    },
    traces::chart::chart_lines,
};

impl Report<'_, '_> {
    /// What a scenario file has changed, and which of its keys are not used.
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
                "note: without --from-simulation, nodes on a field hear no other node; with 0s, nodes in range are linked\n",
            );
        }
        text
    }

    pub(crate) fn to_text(&self) -> String {
        let output = &self.spec.output;
        let vacuities = self.vacuities();
        let warnings = vacuities.as_ref().map_or(String::new(), Vacuities::to_text);
        let verdict = self.verdict_text(vacuities.as_ref());
        let bound = growth::bound_text(self.spec);
        let mut text = verdict + &bound + &self.file_text() + &warnings + &self.unmatched_text();
        let scenario = &self.built.scenario;
        if scenario.assertions.is_empty()
            && scenario.end_assertions.is_empty()
            && scenario.goals.is_empty()
            && !self.spec.search.conditions.deadlock
        {
            text.push_str("nothing is asserted: only panics were looked for\n");
        }
        let is_violated = !self.findings.counterexamples.is_empty();
        if let Some(discounted) = self.discounted_text().filter(|_| is_violated) {
            let _ = writeln!(text, "note: {discounted}");
        }
        for counterexample in &self.findings.counterexamples {
            let _ = write!(text, "\n{}", counterexample.story.to_text(output.show_states));
            let explanation = counterexample.explanation.as_deref().map(indented);
            let explanation = explanation.unwrap_or_default();
            let _ = writeln!(text, "\nbroken: {}{explanation}", bad(&counterexample.assertion));
            text.push_str(&late_text(counterexample));
        }
        text.push_str(&self.goals_text());
        text.push_str(&self.earlier.map_or(String::new(), Earlier::to_text));
        let _ = write!(text, "\n{}", rows_text(&self.rows()));
        text.push_str(&self.tried_details());
        text.push_str(&self.largeness.map_or(String::new(), Largeness::to_text));
        if output.stats {
            text.push_str(&self.stats_text());
        }
        let drawn = self.findings.counterexamples.first().map(|found| found.charts.as_slice());
        let charts = chart_lines(&output.charts, drawn);
        if !charts.is_empty() {
            let _ = write!(text, "\n{charts}");
        }
        if let Some(path) = self.drawn {
            let between = if charts.is_empty() { "\n" } else { "" };
            let _ = writeln!(text, "{between}space: {}", path.display());
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

    /// What was tried and failed, and what was not compared.
    fn tried_details(&self) -> String {
        let engines = self.tried.engines.as_ref().map(CrossCheck::details).unwrap_or_default();
        let mut text: String = engines.into_iter().map(|line| format!("{line}\n")).collect();
        let failed = self.tried.relation.as_ref().and_then(|relation| relation.failure.as_deref());
        if let Some(failure) = failed {
            let relation = &self.spec.search.method.relation;
            let _ = write!(text, "\nthe relation `{relation}` is no simulation:\n{failure}");
        }
        if !text.is_empty() && !text.starts_with('\n') {
            text.insert(0, '\n');
        }
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
        // A file written to a pipe cannot be read again.
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
}

/// How late something must be in a counterexample, and what that assumes.
fn late_text(counterexample: &Counterexample) -> String {
    match &counterexample.lateness {
        Some(lateness) if !lateness.largest.is_zero() => format!(
            "late: something by at least {}, if links and timers take the times of the simulation, and handlers none\n",
            span(lateness.largest)
        ),
        _ => String::new(),
    }
}
