//! Whether the schema of event logs in `docs/schema` is that of their lines.

#[path = "../../../tests/schema/current.rs"]
mod current;

use current::{assert_current, one_of};
use schemars::{JsonSchema, Schema};
use serde_json::json;

use crate::{LogHeader, log_file::FirstLine, log_line::LogLine};

/// One line of an event log, as `everypath simulate --event-log` writes it.
///
/// The first line is the header, the last one of kind `finish`. Fields are added in later versions; if one is removed or given
/// another meaning, the version in the header changes.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "EventLog", transform = one_of)]
#[expect(dead_code, reason = "its schema is what counts")]
enum AnyLine {
    Header(Box<FirstLine<LogHeader>>),
    Line(NumberedLine),
}

/// A line after the header.
#[derive(JsonSchema)]
#[schemars(rename = "Line", extend("not" = { "required": ["format"] }), transform = conditions)]
#[expect(dead_code, reason = "its schema is what counts")]
struct NumberedLine {
    /// The number of the line in the file.
    #[schemars(range(min = 1))]
    line: u64,
    /// The time since the start, in nanoseconds.
    ns: u64,
    /// The time since the start, in seconds.
    #[schemars(range(min = 0))]
    s: f64,
    #[serde(flatten)]
    rest: LogLine<'static>,
}

/// Says which kinds of lines have a node, and which a cause.
fn conditions(schema: &mut Schema) {
    let caused = [
        "deliver",
        "undeliverable",
        "timer",
        "send",
        "lose",
        "drop",
        "miss",
        "count",
        "sample",
        "level",
        "begin",
        "end",
        "route",
    ];
    let all = json!([
        {
            "if": { "properties": { "kind": { "const": "finish" } } },
            "then": { "properties": { "node": { "type": "null" } } },
            "else": { "properties": { "node": { "type": "integer" } } },
        },
        {
            "if": { "properties": { "kind": { "enum": caused } } },
            "then": { "properties": { "cause": { "type": "integer" } } },
            "else": { "properties": { "cause": { "type": "null" } } },
        },
    ]);
    schema.insert("allOf".to_owned(), all);
}

#[test]
fn of_event_logs() {
    assert_current::<AnyLine>("event-log.schema.json");
}
