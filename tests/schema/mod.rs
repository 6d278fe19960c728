//! Whether JSON is as its schema in `docs/schema` says.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, LazyLock, Mutex},
};

use jsonschema::Validator;
use serde_json::Value;

/// Each is compiled once, although logs have it asked for each of their lines.
static COMPILED: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

fn schema(name: &str) -> Arc<Validator> {
    let mut compiled = COMPILED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let schema = compiled.entry(name.to_owned()).or_insert_with(|| Arc::new(compile(name)));
    Arc::clone(schema)
}

fn compile(name: &str) -> Validator {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let path = above.map(|folder| folder.join("docs/schema")).find(|folder| folder.is_dir());
    let path = path.expect("it is above each of our crates").join(name);
    let text = std::fs::read_to_string(path).expect("the schema is in the repository");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

pub fn assert_fits(schema_name: &str, value: &Value) {
    let errors: Vec<String> =
        schema(schema_name).iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {value:#}");
}

#[allow(dead_code, reason = "not every test looks at what does not fit")]
pub fn fits(schema_name: &str, value: &Value) -> bool {
    schema(schema_name).is_valid(value)
}
