//! Running the command `everypath`, and looking at what it says.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// Runs the command in a folder.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    command_in(folder, arguments).output().expect("the command can be started")
}

/// The same on a machine where no other program is installed.
pub fn run_alone_in(folder: &Path, arguments: &[&str]) -> Output {
    command_in(folder, arguments).env("PATH", "").output().expect("the command can be started")
}

fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.args(arguments).current_dir(folder);
    command
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
