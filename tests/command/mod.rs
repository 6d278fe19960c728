//! Running the command `everypath`, and looking at what it says.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// Runs the command in a folder.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.args(arguments).current_dir(folder).output().expect("the command can be started")
}

/// Runs the command in an empty folder, which vanishes.
pub fn run(arguments: &[&str]) -> Output {
    run_in(TempDir::new().expect("a folder can be made").path(), arguments)
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("the command was not killed")
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

/// What was printed to the standard error, without the wrapping of lines.
pub fn complaint(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("output is text");
    text.lines()
        .map(|line| line.trim_matches([' ', '│', '×', '╰', '─', '▶']))
        .collect::<Vec<_>>()
        .join(" ")
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("the output is one JSON object")
}

/// Bad input: exit code 2, nothing on the standard output, and a complaint with these words.
pub fn refuses(arguments: &[&str], words: &[&str]) {
    let output = run(arguments);
    assert_refused(&output, words);
}

pub fn assert_refused(output: &Output, words: &[&str]) {
    let complaint = complaint(output);
    assert_eq!(code(output), 2, "{complaint}");
    assert_eq!(out(output), "");
    for word in words {
        assert!(complaint.contains(word), "`{word}` is not in: {complaint}");
    }
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(name);
    let text = std::fs::read_to_string(path).expect("the schema is in the repository");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

pub fn assert_fits(schema_name: &str, value: &Value) {
    let errors: Vec<String> =
        schema(schema_name).iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {value:#}");
}
