//! What `check` and `simulate` find: agreement, the errors of versions that leave something out, and what is remembered.

use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Runs the program on the scenario in a folder, and gives what it tells as JSON.
fn run_in(folder: &TempDir, command: &str, arguments: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_signed"))
        .args([command, "generals", "--json"])
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .output()
        .expect("the program can be started");
    let told = serde_json::from_slice(&output.stdout);
    told.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn check(arguments: &str) -> Value {
    run_in(&TempDir::new().unwrap(), "check", arguments)
}

fn number(told: &Value, name: &str) -> u64 {
    told[name].as_u64().unwrap_or_else(|| panic!("{name} is a number"))
}

/// Whatever up to m traitors do, SM(m) comes to the same at all loyal lieutenants.
#[test]
fn loyal_lieutenants_agree() {
    for arguments in [
        "--set generals=3",
        "",
        "--set loyal-commander=true",
        "--set traitors=0 --set tolerated=1",
        "--set traitors=2 --max-depth 9",
    ] {
        let told = check(arguments);
        let violations = told["violations"].as_object().unwrap();
        assert!(violations.values().all(|count| *count == 0), "{arguments}: {violations:?}");
        assert!(number(&told, "states_visited") > 100, "{arguments}");
    }
}

/// With every error there is a run that goes wrong, and with as few events as it must have.
#[test]
fn every_error_is_found() {
    for (arguments, broken, steps) in [
        // An order arrives; two rounds end.
        ("--set version=one-round-less", "loyal lieutenants agree", 4),
        // An order arrives at both, if only through the other; so does a forged one at one; four rounds end, but the last
        // of the other.
        ("--set version=unverified --set loyal-commander=true", "a loyal commander is obeyed", 8),
        // The traitors' order arrives at one of them, then at a loyal one in the last of three rounds.
        ("--set version=repeated-signers --set traitors=2", "loyal lieutenants agree", 10),
        // The same with a round less.
        ("--set traitors=2 --set tolerated=1", "loyal lieutenants agree", 8),
    ] {
        let told = check(arguments);
        assert_eq!(told["violations"][broken], 1, "{arguments}");
        let found = told["counterexample"]["steps"].as_array().unwrap().len();
        assert_eq!(found, steps, "{arguments}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    for (arguments, reason) in [
        ("--set traitors=3", "at least two generals must be loyal"),
        ("--set version=one-round-less --set traitors=0", "there is only one round"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_signed"))
            .args(["check", "generals"])
            .args(arguments.split(' '))
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments}");
        assert!(told.contains(reason), "{arguments}: {told}");
    }
}

/// Handlers that take so long are worth remembering on any machine.
#[test]
fn what_handlers_did_is_taken_from_a_memo() {
    let folder = TempDir::new().unwrap();
    let check = |arguments: &str| run_in(&folder, "check", arguments);
    let fresh = check("--max-depth 8");
    let first = check("--max-depth 8 --memo generals.memo");
    assert_eq!(first["handler_executions"], fresh["handler_executions"]);
    let again = check("--max-depth 8 --memo generals.memo");
    assert_eq!(again["handler_executions"], 0);
    assert_eq!(again["states_per_depth"], fresh["states_per_depth"]);
    let error = check("--max-depth 8 --memo generals.memo --verify-reuse");
    assert_eq!(error["memo"]["verified"], true);
}

/// What four generals have done, five need not do again; and what is found is the same.
#[test]
fn four_generals_teach_five() {
    let folder = TempDir::new().unwrap();
    let check = |arguments: &str| run_in(&folder, "check", arguments);
    check("--max-depth 8 --memo generals.memo");
    let fresh = check("--max-depth 8 --set generals=5");
    let taught = check("--max-depth 8 --set generals=5 --memo generals.memo");
    assert_eq!(taught["states_per_depth"], fresh["states_per_depth"]);
    assert_eq!(taught["verdict"], fresh["verdict"]);
    let recalled = number(&taught["memo"], "recalled");
    assert!(recalled >= 100, "{recalled} were recalled");
    assert_eq!(
        number(&fresh, "handler_executions"),
        number(&taught, "handler_executions") + recalled,
    );
}

/// The commander tells lieutenants different things; all of them find out, and retreat.
#[test]
fn a_traitor_is_found_out_in_a_simulation() {
    let told = run_in(&TempDir::new().unwrap(), "simulate", "");
    let mean = |name: &str| {
        let measures = told["measures"].as_array().unwrap();
        measures.iter().find(|it| it["name"] == name).unwrap()["mean"].as_f64().unwrap()
    };
    // Each of three gets an order and passes it on; who hears of the other one last could not pass it on.
    assert_eq!(mean("orders passed on"), 3.0);
    // The order, and what the two others pass on.
    assert_eq!(mean("chains verified"), 3.0 * (1.0 + 2.0));
}
