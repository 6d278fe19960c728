//! Whether a schema in `docs/schema` is that of a type.

use std::{env, fs, path::Path};

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::transform_subschemas};
use serde_json::{Map, Value};

/// Compares a schema with that of what is written of a type.
pub(super) fn assert_current<T: JsonSchema>(name: &str) {
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

/// Removes the widths of Rust's numbers, and the line breaks and examples of comments.
fn simplify(schema: &mut Schema) {
    schema.remove("format");
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let prose = text.split("\n\n").take_while(|paragraph| !paragraph.starts_with("```"));
        *text = prose.map(|it| it.replace('\n', " ")).collect::<Vec<_>>().join("\n\n");
    }
    transform_subschemas(&mut simplify, schema);
}

/// Makes a value that fits two variants invalid.
pub(super) fn one_of(schema: &mut Schema) {
    if let Some(variants) = schema.remove("anyOf") {
        schema.insert("oneOf".to_owned(), variants);
    }
}
