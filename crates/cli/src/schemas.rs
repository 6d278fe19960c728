//! Whether the schemas in `docs/schema` are those of the types of reports.

use std::{env, fs, path::Path};

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::transform_subschemas};
use serde_json::{Map, Value};

use crate::{
    check::report::json::CheckReport,
    compare::json::CompareReport,
    replay::play::PlayedReport,
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

/// Makes a report that fits two variants invalid.
fn one_of(schema: &mut Schema) {
    if let Some(variants) = schema.remove("anyOf") {
        schema.insert("oneOf".to_owned(), variants);
    }
}

/// Compares a schema with that of what is written of a type.
fn assert_current<T: JsonSchema>(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(name);
    let schema = format!("{:#}\n", Value::Object(schema::<T>()));
    if env::var_os("EVERYPATH_UPDATE").is_some() {
        fs::write(&path, &schema).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == schema, "{name} differs from the types; renew it with EVERYPATH_UPDATE=1");
}

/// The schema of a type, with what it is about at its head.
fn schema<T: JsonSchema>() -> Map<String, Value> {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    simplify(&mut schema);
    let head = ["$schema", "title", "description"];
    let head = head.map(|key| (key.to_owned(), schema.remove(key).unwrap_or_default()));
    let rest = schema.as_object().cloned().unwrap_or_default();
    head.into_iter().chain(rest).collect()
}

/// Removes the widths of Rust's numbers and the line breaks of comments.
fn simplify(schema: &mut Schema) {
    schema.remove("format");
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.split("\n\n").map(|it| it.replace('\n', " ")).collect::<Vec<_>>().join("\n\n");
    }
    transform_subschemas(&mut simplify, schema);
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
fn of_simulate() {
    assert_current::<SimulateReport>("simulate.schema.json");
}
