//! What a check that found nothing is worth: goals that may lie where nobody looked, and all that makes it say less than it
//! seems to.
//!
//! The test is also the program that it tests: started with [`AS_PROGRAM`], it has the command line for the scenarios of
//! `scenarios.rs`.

mod scenarios;
#[path = "../schema/mod.rs"]
mod schema;

use std::{
    env,
    process::{Command, ExitCode, Output},
};

use schema::assert_fits;
use serde_json::Value;
use tempfile::TempDir;

const AS_PROGRAM: &str = "EVERYPATH_TEST_AS_PROGRAM";

const TESTS: &[(&str, fn())] =
    &[("a_goal_may_lie_where_nobody_looked", a_goal_may_lie_where_nobody_looked)];

fn main() -> ExitCode {
    if env::var_os(AS_PROGRAM).is_some() {
        return everypath::cli::run(scenarios::all());
    }
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, test) in TESTS {
        if wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            test();
            println!("test {name} ... ok");
        }
    }
    ExitCode::SUCCESS
}

/// Runs this program in an empty folder: its exit code and what it prints.
fn run(arguments: &[&str]) -> (i32, String) {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    let Output { status, stdout, stderr } =
        command.args(arguments).env(AS_PROGRAM, "1").current_dir(folder.path()).output().unwrap();
    let (out, error) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    (status.code().unwrap_or_else(|| panic!("{error}")), out)
}

/// Checks a scenario: its exit code, the text, and the JSON, which fits its schema and goes with the same exit code.
fn check(arguments: &[&str]) -> (i32, String, Value) {
    let (code, text) = run(&[&["check"], arguments].concat());
    let (json_code, out) = run(&[&["check", "--json"], arguments].concat());
    let told: Value = serde_json::from_str(&out).expect("the output is JSON");
    assert_fits("check.schema.json", &told);
    assert_eq!(json_code, code, "{text}{out}");
    (code, text, told)
}

fn a_goal_may_lie_where_nobody_looked() {
    let (code, text, told) = check(&["counter"]);
    assert_eq!((code, &told["verdict"]), (0, &"holds".into()), "{text}");

    let (code, text, told) = check(&["counter", "--max-depth", "3"]);
    assert_eq!((code, &told["verdict"]), (3, &"inconclusive".into()), "{text}");
    assert_eq!(told["complete"], true);
    let bounded = "counter: INCONCLUSIVE: 1 goal not reached on any run of at most 3 events; longer runs were not explored (--max-depth)\n";
    assert!(text.starts_with(bounded), "{text}");
    assert!(text.contains("\nnot reached within the bound: as many as hoped arrive\n"), "{text}");
    let (code, text, _) = check(&["counter", "--max-depth", "5"]);
    assert_eq!(code, 0, "{text}");

    let (code, text, told) = check(&["counter", "--set", "pruned=3"]);
    assert_eq!((code, &told["verdict"]), (3, &"inconclusive".into()), "{text}");
    let behind = "counter: INCONCLUSIVE: 1 goal not reached on any run, but for what lies behind 1 pruned state\n";
    assert!(text.starts_with(behind), "{text}");
    assert!(text.contains("\nnot reached so far: as many as hoped arrive\n"), "{text}");

    let (code, text, told) = check(&["counter", "--set", "hoped=6"]);
    assert_eq!((code, &told["verdict"]), (1, &"violated".into()), "{text}");
    assert!(text.starts_with("counter: VIOLATED: 1 goal never reached on any run\n"), "{text}");
    let (code, text, _) = check(&["counter", "--set", "hoped=6", "--max-states", "2"]);
    assert_eq!(code, 3, "{text}");

    let (code, out) =
        run(&["compare", "counter", "--strategies", "bfs,dfs", "--max-depth", "3", "--json"]);
    let compared: Value = serde_json::from_str(&out).expect("the output is JSON");
    assert_fits("compare.schema.json", &compared);
    assert_eq!(code, 0, "{out}");
    for search in compared["searches"].as_array().unwrap() {
        assert_eq!((&search["inconclusive"], &search["stopped"]), (&1.into(), &0.into()), "{out}");
    }

    let (code, out) = run(&["watch", "counter", "--versions", "1", "--max-depth", "3"]);
    assert_eq!(code, 3, "{out}");
    let first = "version 1: inconclusive: a goal is not reached where was looked\n";
    assert!(out.starts_with(first), "{out}");
}
