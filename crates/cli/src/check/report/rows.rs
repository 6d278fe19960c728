//! The counts of a check, and its cost.

use std::fmt::Write;

use everypath_driver::BranchText;
use everypath_explore::{Ended, Stop, StoreKind, StoreReport, Timings};
use everypath_network::NetworkSpace;

use super::Report;
use crate::{
    arguments::trial::EngineName,
    check::trial::Tried,
    error::describe_refusal,
    kept::graph::Reused,
    output::numbers::{counted, grouped, significant, size},
};

impl Report<'_, '_> {
    /// Counts and costs, one line each.
    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let start = self.built.start.as_ref().map(|start| ("start", start.to_text()));
        let mut rows: Vec<_> = start.into_iter().collect();
        rows.push(("states", self.states_text()));
        rows.push(("events", self.events_text()));
        let executed = if self.built.is_driver() { "calls" } else { "handlers" };
        rows.push((executed, self.handlers_text()));
        rows.extend(self.tried_texts());
        rows.extend(self.branches_text().map(|text| ("branches", text)));
        rows.extend(self.native_text().map(|text| ("native", text)));
        rows.extend(self.reduction_texts().into_iter().map(|text| ("reduced", text)));
        rows.extend(self.remembered.map(|remembered| ("memo", remembered.to_text())));
        rows.extend(self.reused.map(Reused::to_text).unwrap_or_default());
        rows.push(("memory", self.memory_text()));
        rows.push(("time", format!("{:.3} s", self.found.elapsed.as_secs_f64())));
        rows
    }

    fn states_text(&self) -> String {
        let found = self.found;
        let stopped = self.stopped_text();
        if self.walks() {
            return format!("none stored; depth {} reached{stopped}", found.depth);
        }
        format!(
            "{} visited, {} waiting; depth {} reached{stopped}",
            grouped(found.states_visited),
            grouped(found.states_waiting),
            found.depth,
        )
    }

    /// Why the search stopped early, if it did.
    fn stopped_text(&self) -> String {
        match self.found.ended {
            _ if self.found_before() => "; no search was needed".to_owned(),
            Ended::Violation if self.spec.search.conditions.stop == Stop::Each => {
                "; stopped when each assertion was violated (--keep-going goes on)".to_owned()
            }
            Ended::Violation => {
                "; stopped at the first violation (--keep-going goes on)".to_owned()
            }
            Ended::Refused => {
                let why = self.found.refusal.as_ref().map(describe_refusal).unwrap_or_default();
                format!("; stopped before the end, since {why}")
            }
            ended if ended.is_complete() => String::new(),
            _ => format!("; stopped by {}", self.stopped_by()),
        }
    }

    fn events_text(&self) -> String {
        let counts = &self.found.counts;
        let rate = counts.events as f64 / self.found.elapsed.as_secs_f64().max(1e-9) / 1e6;
        let without = match counts.unsafe_without_required {
            0 => String::new(),
            lacking => format!(" ({} without the required event)", grouped(lacking)),
        };
        format!(
            "{}, of which {} unsafe{without}; {rate:.1} million per second",
            grouped(counts.events),
            grouped(counts.unsafe_events),
        )
    }

    fn handlers_text(&self) -> String {
        let found = self.found;
        let saved = found.counts.events as f64 / found.handler_executions.max(1) as f64;
        let handlers = counted(found.handler_executions, "execution");
        let for_each = match saved < 1.5 {
            true => String::new(),
            false => format!(", one for {} events", significant((saved * 10.0).round() / 10.0)),
        };
        match found.handler_executions {
            0 => handlers,
            _ => format!("{handlers}{for_each}{}", self.verified_text()),
        }
    }

    /// What was tried of what the check relies on.
    fn tried_texts(&self) -> Vec<(&'static str, String)> {
        let Tried { engines, relation, ignored } = self.tried;
        let mut rows = Vec::new();
        if self.spec.trial.engine == EngineName::Plain {
            let text = "plain: whole worlds, every handler executed every time";
            rows.push(("engine", text.to_owned()));
        }
        rows.extend(engines.as_ref().map(|engines| ("plain", engines.row())));
        rows.extend(relation.as_ref().map(|relation| ("relation", relation.row())));
        rows.extend(ignored.map(|compared| {
            let text = match compared {
                Some(compared) => {
                    format!("no difference by ignored values in {}", counted(compared, "execution"))
                }
                None => "nothing in the states is ignored".to_owned(),
            };
            ("ignored", text)
        }));
        rows
    }

    /// Where native nodes came from, if there are such.
    fn native_text(&self) -> Option<String> {
        let counts = self.network?.native_counts()?;
        Some(format!(
            "{}: {} at hand, {} made again by {}",
            self.spec.search.method.native.unwrap_or_default().name(),
            counted(counts.at_hand, "node"),
            grouped(counts.rebuilt),
            counted(counts.repeated, "repeated execution"),
        ))
    }

    /// What reductions have skipped, and what was verified of what they rely on.
    fn reduction_texts(&self) -> Vec<String> {
        let Some(network) = self.network else { return Vec::new() };
        let Some(counts) = network.reduction_counts() else { return Vec::new() };
        let on = network.reductions();
        let times = |number, what| counted(number, what);
        let ranks = on.ranks.then(|| {
            format!(
                "numbers to their ranks, in {}; that only their order matters was verified on {} and {}",
                times(counts.renamed, "step"),
                times(counts.executions_compared, "execution"),
                times(counts.worlds_compared + counts.states_compared, "state"),
            )
        });
        let obsolete = on.obsolete.then(|| {
            format!(
                "obsolete packets dropped, after {}; that they do not matter was verified on {}",
                times(counts.dropped, "step"),
                times(counts.obsolete_verified, "execution"),
            )
        });
        let audiences = on.audiences.then(|| {
            format!(
                "{} with a smaller audience than possible skipped",
                times(counts.smaller_audiences, "step")
            )
        });
        [ranks, obsolete, audiences].into_iter().flatten().collect()
    }

    fn memory_text(&self) -> String {
        let found = self.found;
        match found.states_visited {
            // A walk stores none, nor does a search whose initial state breaks something.
            0 => size(found.bytes as u64),
            states => format!(
                "{}, {:.1} bytes per state{}",
                size(found.bytes as u64),
                found.bytes_per_state(),
                store_text(&found.store, states),
            ),
        }
    }

    /// How many executions of handlers were compared with a second one.
    fn verified_text(&self) -> String {
        let Some(verified) = self.verified else { return String::new() };
        if self.spec.trial.engine == EngineName::Plain {
            return "; none of them a second time".to_owned();
        }
        if self.spec.search.conditions.verifies_nothing() {
            return "; none verified (--trust-handlers)".to_owned();
        }
        if verified >= self.found.handler_executions {
            return "; all verified".to_owned();
        }
        format!("; {} verified by a second one", grouped(verified))
    }

    /// How many branches of the code of calls were taken, if they are known.
    fn branches_text(&self) -> Option<String> {
        let branches = self.branches.as_ref()?;
        let taken: u64 = branches.iter().map(BranchText::taken).sum();
        let more = match branches.iter().any(|branch| branch.never().is_some()) {
            true if !self.spec.output.stats => " (--stats names the others)",
            _ => "",
        };
        Some(format!("{} of {} taken{more}", grouped(taken), 2 * branches.len()))
    }

    pub(super) fn stats_text(&self) -> String {
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
        if let Some((all, of_nodes)) = self.network.and_then(NetworkSpace::memory_counts) {
            let _ = writeln!(
                text,
                "memories of observers: {} combinations with nodes, {} of nodes alone",
                grouped(all),
                grouped(of_nodes),
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
        for (number, (what, cost)) in self.costs.iter().enumerate() {
            let _ = writeln!(text, "{}{what:9} {cost}", if number == 0 { "\n" } else { "" });
        }
        let never = self.branches.iter().flatten().filter_map(BranchText::never);
        for (number, branch) in never.enumerate() {
            let title = if number == 0 { "\nbranches that were not taken\n" } else { "" };
            let _ = writeln!(text, "{title}  {branch}");
        }
        text
    }
}

pub(super) fn rows_text(rows: &[(&str, String)]) -> String {
    rows.iter().fold(String::new(), |mut text, (what, value)| {
        let _ = writeln!(text, "{what:9} {value}");
        text
    })
}

/// What a timed operation is, by its name.
fn about_operation(name: &str) -> &'static str {
    match name {
        "expansion" => "enabled events, and naming the states they lead to",
        "shuffling" => "shuffling enabled events",
        "execution" => "handlers of the protocol",
        "assertion" => "assertions and goals",
        "hashing" => "fingerprints of states; exact states need none",
        "search" => "looking states up",
        "insertion" => "storing new states",
        "ranking" => "ranks of states",
        "frontier" => "putting states in and taking them out",
        "reading" => "what is kept of earlier checks",
        "look_up" => "steps that were read",
        _ => "counting, limits, progress, checkpoints",
    }
}

fn timings_text(timings: &Timings) -> String {
    let mut text = format!("\n{:12}{:>12}\n", "time in", "seconds");
    for (name, time) in timings.operations() {
        let (seconds, about) = (time.as_secs_f64(), about_operation(name));
        let _ = writeln!(text, "{:12}{seconds:>12.3}  {about}", name.replace('_', "-"));
    }
    let [measuring, total] = [timings.measuring, timings.total()].map(|it| it.as_secs_f64());
    let _ = writeln!(text, "{:12}{measuring:>12.3}  reading the clock, about", "measuring");
    let _ = writeln!(text, "{:12}{total:>12.3}  all of it", "total");
    text.push_str(
        "execution and reading are measured every time, the rest on a sample of the states\n",
    );
    text
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
            "; a table of {} with {hashes} bits per state: about {:.2} % of the states that were met were distinguished",
            size(store.bytes as u64),
            store.coverage * 100.0
        ),
    }
}
