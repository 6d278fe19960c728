//! The first line of the report of a check.

use everypath_explore::{Ended, Options, StoreKind};
use everypath_model::NEVER_STUCK;
use everypath_report::span;

use super::Report;
use crate::{
    arguments::time::TimersName,
    check::{
        findings::{Counterexample, Findings},
        regressions::Earlier,
        vacuity::Vacuities,
    },
    output::{
        bad, good,
        numbers::{counted, grouped},
        unsure,
    },
};

impl Report<'_, '_> {
    pub(super) fn verdict_text(&self, vacuities: Option<&Vacuities>) -> String {
        let found = self.found;
        let name = self.built.title();
        if self.tried.engines.as_ref().is_some_and(|engines| !engines.agrees) {
            return format!(
                "{name}: the two engines {}: nothing below can be relied on\n",
                bad("DISAGREE")
            );
        }
        if let Some(first) = self.findings.counterexamples.first() {
            return format!("{name}: {} in {}\n", bad("VIOLATED"), self.length_text(first));
        }
        if let Some(discounted) = self.discounted_text() {
            let inconclusive = unsure("INCONCLUSIVE");
            return format!(
                "{name}: {inconclusive}: {discounted}; other runs to the same violations were not looked for\n"
            );
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

    /// The counterexamples that are not counted because of their lateness, if there are any.
    pub(super) fn discounted_text(&self) -> Option<String> {
        let Findings { too_late, undecided, .. } = self.findings;
        let number = too_late.len() as u64;
        let (needs, was) = if number == 1 { ("needs", "was") } else { ("need", "were") };
        let most = span(self.spec.time.max_late?);
        let unless = if *undecided > 0 { ", or it could not be found out," } else { "" };
        let what = counted(number, "counterexample");
        let text = format!(
            "{what} {needs} more lateness than {most} (--max-late){unless} and {was} not counted"
        );
        (number > 0).then_some(text)
    }

    /// The conditions under which it holds: required events and pruned states.
    fn condition_text(&self) -> String {
        let conditions = &self.spec.search.conditions;
        let mut text = conditions
            .require
            .as_ref()
            .map_or(String::new(), |pattern| format!(" with an event `{pattern}`"));
        if self.spec.time.timers == TimersName::Ordered {
            text.push_str(", if timers of a node fire in the order of their durations");
        }
        if let Some(unit) = self.unit {
            text.push_str(&format!(", with time in units of {}", span(unit)));
        }
        text.push_str(&self.pruned_text());
        text
    }

    fn pruned_text(&self) -> String {
        match self.found.counts.pruned {
            0 => String::new(),
            pruned => format!(", but for what lies behind {}", counted(pruned, "pruned state")),
        }
    }

    /// The verdict if a finished search did not reach goals: a violation, unless they may be reached
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
            // A state that covers another, or has the same bits, may need more events to the violation.
            let exact = relation.is_none()
                && !matches!(store, StoreKind::Bitstate { .. })
                && self.findings.too_late.is_empty()
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
        let deadlock = self.spec.search.conditions.deadlock;
        let ends = scenario.end_assertions.iter().map(String::as_str);
        let mut ends = ends.chain(deadlock.then_some(NEVER_STUCK)).peekable();
        ends.peek().is_none() || ends.any(|name| name == counterexample.assertion)
    }
}
