//! The report of a check as JSON.

use everypath_explore::{Judged, Space, StoreReport, Timings};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value, json};

use super::{Report, rows::operations};
use crate::{
    arguments::search::word,
    check::{findings::Counterexample, regressions::Earlier, vacuity::Vacuities},
    error::describe_refusal,
    kept::{graph::Reused, memo::Remembered},
    searching::{
        json::{conditions_json, search_json, store_name},
        verdict::verdict,
    },
    traces::story_json::StepsJson,
};

impl Report<'_, '_> {
    /// The report as JSON.
    pub(crate) fn to_json(&self) -> impl Serialize {
        ReportJson(self)
    }

    /// The report as JSON, without runs.
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
            "add": word(&self.spec.search.method.add),
            "relation": self.spec.search.method.relation,
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

    /// The options of the exploration that have no field of their own.
    fn options_json(&self) -> Value {
        let mut map = search_json(&self.spec.search.method, self.options);
        map.extend(conditions_json(&self.spec.search.conditions));
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
}

fn timings_json(timings: &Timings) -> Value {
    let rows =
        operations(timings).map(|(name, _, seconds)| (name.to_owned(), Value::from(seconds)));
    let mut map: Map<String, Value> = rows.into_iter().collect();
    map.insert("measuring".to_owned(), timings.measuring.as_secs_f64().into());
    map.into()
}

fn store_json(store: &StoreReport) -> Value {
    json!({
        "kind": word(&store_name(store.kind)),
        "bytes": store.bytes,
        "missed_probability": store.missed_probability,
        "coverage": store.coverage,
    })
}

/// Written step by step: a run may have a million steps, and occur twice.
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

/// A goal, and a run that reaches it.
#[derive(Serialize)]
struct GoalJson<'a> {
    goal: String,
    reached: bool,
    steps: Option<StepsJson<'a>>,
}
