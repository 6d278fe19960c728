//! The schema of scenario files, generated from their keys.

use std::{env, fs};

use serde_json::{Map, Value, json};

use super::{
    keys::{Key, Keys, Rule, Takes},
    top::TOP,
};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/scenario.schema.json");

#[test]
fn the_schema_of_scenario_files_is_generated_from_their_keys() {
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if env::var_os("EVERYPATH_UPDATE").is_some() {
        fs::write(PATH, &text).unwrap();
    }
    let kept = fs::read_to_string(PATH).unwrap();
    assert!(kept == text, "the keys have another schema than {PATH}; EVERYPATH_UPDATE=1 renews it");
}

fn schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scenario file of Everypath",
        "description": "The content of a scenario file, as JSON. See docs/scenario-files.md.",
    });
    add(&mut schema, table(&TOP));
    add(&mut schema, json!({ "$defs": { "duration": duration(), "swept": swept() } }));
    schema
}

/// Adds the members of an object to another.
fn add(schema: &mut Value, more: Value) {
    let (Value::Object(schema), Value::Object(more)) = (schema, more) else {
        panic!("a schema is an object")
    };
    schema.extend(more);
}

fn table(keys: &Keys) -> Value {
    let properties: Map<String, Value> =
        keys.all().map(|key| (key.name.to_owned(), property(key))).collect();
    let mut schema =
        json!({ "type": "object", "additionalProperties": false, "properties": properties });
    let rules: Vec<Value> = keys.rules.iter().copied().flatten().map(rule).collect();
    if !rules.is_empty() {
        add(&mut schema, json!({ "allOf": rules }));
    }
    schema
}

fn rule(rule: &Rule) -> Value {
    match rule {
        Rule::All(keys, _) => json!({ "required": keys }),
        Rule::Any(keys, _) => {
            let each = keys.iter().map(|key| json!({ "required": [key] }));
            json!({ "anyOf": each.collect::<Vec<_>>() })
        }
        Rule::Needs(one, other, _) => json!({ "dependentRequired": { *one: [other] } }),
        Rule::NotBoth(one, other) => json!({ "not": { "required": [one, other] } }),
    }
}

fn property(key: &Key) -> Value {
    let mut schema = json!({ "description": sentence(key.about) });
    add(&mut schema, values(&key.takes));
    schema
}

fn sentence(about: &str) -> String {
    let mut letters = about.chars();
    let first = letters.next().expect("each key has a description");
    format!("{}{}.", first.to_uppercase(), letters.as_str())
}

fn values(takes: &Takes) -> Value {
    match takes {
        Takes::Text => json!({ "type": "string" }),
        Takes::Word(word) => json!({ "const": word }),
        Takes::Words(words) => json!({ "enum": words() }),
        Takes::Duration => json!({ "$ref": "#/$defs/duration" }),
        Takes::Number(range) => {
            json!({ "type": "number", "minimum": plain(*range.start()), "maximum": plain(*range.end()) })
        }
        Takes::Whole(range) => {
            let mut schema = json!({ "type": "integer", "minimum": range.start() });
            if *range.end() < u64::MAX {
                add(&mut schema, json!({ "maximum": range.end() }));
            }
            schema
        }
        Takes::List { of, count, .. } => {
            let mut schema = json!({ "type": "array", "items": values(of) });
            if *count.end() < usize::MAX {
                add(&mut schema, json!({ "minItems": count.start(), "maxItems": count.end() }));
            }
            schema
        }
        Takes::OneOf { all, .. } => {
            json!({ "oneOf": all.iter().map(values).collect::<Vec<_>>() })
        }
        Takes::Table(keys) => table(keys),
        Takes::Tables(keys) => json!({ "type": "array", "items": table(keys) }),
        Takes::Parameters => {
            json!({ "type": "object", "additionalProperties": { "type": ["string", "number", "boolean"] } })
        }
        Takes::Sweep => sweep(),
    }
}

/// A whole number without a decimal point.
fn plain(number: f64) -> Value {
    if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
}

/// The form of a duration; see `parse_duration`.
fn duration() -> Value {
    json!({
        "description": "A number with a unit, such as 10ms.",
        "type": "string",
        "pattern": "^ *[0-9.eE+-]+ *(ns|us|µs|ms|s|m|h)$",
    })
}

fn sweep() -> Value {
    let keys = json!({ "type": "array", "minItems": 2, "items": { "type": "string" } });
    json!({
        "type": "object",
        "properties": {
            "zip": {
                "description": "Lists of keys that change together.",
                "type": "array",
                "items": keys,
            },
            "exclude": {
                "description": "Combinations that are skipped.",
                "type": "array",
                "items": { "type": "object" },
            },
        },
        "additionalProperties": { "$ref": "#/$defs/swept" },
    })
}

/// The values of a key of a sweep: a list, a range, or the keys of a table.
fn swept() -> Value {
    let number = json!({ "type": "number" });
    json!({
        "oneOf": [
            { "type": "array", "minItems": 1 },
            {
                "type": "object",
                "additionalProperties": false,
                "required": ["from", "to", "step"],
                "properties": {
                    "from": number,
                    "to": number,
                    "step": { "type": "number", "exclusiveMinimum": 0 },
                },
            },
            {
                "type": "object",
                "minProperties": 1,
                "not": { "required": ["from"] },
                "additionalProperties": { "$ref": "#/$defs/swept" },
            },
        ],
    })
}
