//! Whether the schemas in `docs/schema` are those of the types of reports.

#[path = "../../../tests/schema/current.rs"]
mod current;

use current::{assert_current, one_of};
use schemars::JsonSchema;

use crate::{
    check::report::json::CheckReport,
    compare::json::CompareReport,
    instances::report::json::InstancesReport,
    list::json::{DriverReport, EntriesReport, ScenarioReport},
    replay::{
        json::{LogReplayReport, ReplayReport},
        play::PlayedReport,
    },
    reproduce::report::{ListReport, ReproduceReport},
    simulate::{json::MeasuredReport, probability::ProbabilityReport, versus::VersusReport},
    sweep::json::SweepReport,
};

/// What `everypath simulate --json` prints: depending on its options, the measures of one scenario, those of two variants
/// (`--versus`), a probability (`--probability`), a counterexample with times (`--replay`), or a sweep (a scenario file with
/// `[sweep]`, or `--out`).
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Simulate", transform = one_of)]
#[expect(dead_code, reason = "its schema is what counts")]
enum SimulateReport {
    Measured(Box<MeasuredReport>),
    Versus(VersusReport),
    Probability(ProbabilityReport),
    Played(PlayedReport),
    Swept(SweepReport),
}

/// What `everypath reproduce --json` prints: the tables that were made, or with `list` those that can be made.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Reproduce", transform = one_of)]
#[expect(dead_code, reason = "its schema is what counts")]
enum ReproducedReport {
    Made(ReproduceReport<'static>),
    Listed(ListReport),
}

/// What `everypath show --json` prints: a scenario, or a driver or subject.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Show", transform = one_of)]
#[expect(dead_code, reason = "its schema is what counts")]
enum ShowReport {
    Scenario(Box<ScenarioReport>),
    Driver(DriverReport),
}

/// What `everypath replay --json` prints: of a counterexample, or of an event log.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Replay", transform = one_of)]
#[expect(dead_code, reason = "its schema is what counts")]
enum ReplayedReport {
    Counterexample(Box<ReplayReport>),
    Log(LogReplayReport),
}

#[test]
fn of_list() {
    assert_current::<EntriesReport>("list.schema.json");
}

#[test]
fn of_show() {
    assert_current::<ShowReport>("show.schema.json");
}

#[test]
fn of_replay() {
    assert_current::<ReplayedReport>("replay.schema.json");
}

#[test]
fn of_reproduce() {
    assert_current::<ReproducedReport>("reproduce.schema.json");
}

#[test]
fn of_check() {
    assert_current::<CheckReport>("check.schema.json");
}

#[test]
fn of_compare() {
    assert_current::<CompareReport>("compare.schema.json");
}

#[test]
fn of_instances() {
    assert_current::<InstancesReport>("instances.schema.json");
}

#[test]
fn of_simulate() {
    assert_current::<SimulateReport>("simulate.schema.json");
}
