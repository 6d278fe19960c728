//! What `check` and `simulate` find: counts, the error of an adapter that forgets, and that of `raftbare`.

use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Runs the program on the scenario in a folder, and gives what it tells as JSON.
fn run_in(folder: &TempDir, command: &str, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_raft"))
        .args([command, "raft", "--json"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program can be started");
    let told = serde_json::from_slice(&output.stdout);
    told.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn check(arguments: &[&str]) -> Value {
    run_in(&TempDir::new().unwrap(), "check", arguments)
}

/// How often each assertion was violated, without those that never were.
fn violated(told: &Value) -> Vec<&str> {
    let counts = told["violations"].as_object().unwrap();
    let broken = counts.iter().filter(|(_, count)| **count != 0);
    broken.map(|(name, _)| name.as_str()).collect()
}

#[test]
fn runs_of_few_events_are_safe_and_as_many_as_ever() {
    for (arguments, states, events, executions) in [
        (&["--max-depth", "6"][..], 23_037, 53_550, 1_620),
        (&["--max-depth", "5", "--set", "nodes=5"], 37_693, 102_280, 1_655),
        (&["--max-depth", "6", "--set", "duplication=1"], 49_099, 123_240, 1_662),
    ] {
        let told = check(arguments);
        assert_eq!(told["verdict"], "holds", "{arguments:?}");
        let counts = [&told["states_visited"], &told["events"], &told["handler_executions"]];
        assert_eq!(counts, [states, events, executions], "{arguments:?}");
    }
}

/// Whoever forgets its vote votes twice, and two lead. No run with fewer than seven events does it: two candidates, two
/// calls and two votes that arrive, and a reboot.
#[test]
fn an_adapter_that_forgets_votes_has_two_leaders() {
    let told = check(&["--set", "forget-vote=true"]);
    assert_eq!(violated(&told), ["at most one leader in a term"]);
    let steps = told["counterexample"]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 7);
    let told = check(&["--set", "forget-vote=true", "--set", "reboot=off", "--max-depth", "7"]);
    assert_eq!(told["verdict"], "holds");
}

#[test]
fn a_leader_that_lacks_what_is_committed_is_found() {
    let quiet = ["--set", "loss=off", "--set", "reboot=off", "--max-depth", "16"];
    let beam = ["--strategy", "beam", "--width", "300", "--ranking", "danger"];
    let told = check(&[&quiet[..], &beam, &["--relation", "simulated"]].concat());
    assert_eq!(violated(&told), ["a leader has all that is committed"]);
    assert_eq!(told["counterexample"]["steps"].as_array().unwrap().len(), 15);
}

/// What two explorations must have in common.
fn found(told: &Value) -> [&Value; 5] {
    ["verdict", "states_per_depth", "events_per_depth", "kinds", "handler_executions"]
        .map(|field| &told[field])
}

#[test]
fn where_nodes_come_from_changes_nothing() {
    let depth = ["--max-depth", "6"];
    let expected = check(&depth);
    assert_eq!(expected["native"]["mode"], "lazy");
    for mode in ["eager", "cached", "lazy"] {
        let told = check(&[&depth[..], &["--native", mode]].concat());
        assert_eq!(found(&told), found(&expected), "{mode}");
        assert_eq!(told["native"]["mode"], mode);
        assert_eq!(told["native"]["made_again"] == 0, mode != "eager");
    }
    for mode in ["cached", "lazy"] {
        let told = check(&[&depth[..], &["--native", mode, "--native-nodes", "3"]].concat());
        assert_eq!(found(&told), found(&expected), "{mode}");
        assert_ne!(told["native"]["made_again"], 0, "{mode}");
    }
}

#[test]
fn an_interrupted_search_is_resumed_in_another_mode() {
    let folder = TempDir::new().unwrap();
    let check = |arguments: &[&str]| run_in(&folder, "check", arguments);
    let depth = ["--max-depth", "6"];
    let stopped = ["--max-states", "3000", "--checkpoint", "raft.search", "--native", "eager"];
    let told = check(&[&depth[..], &stopped].concat());
    assert_eq!(told["ended"], "max-states");
    let told = check(&[&depth[..], &["--resume", "raft.search", "--native-nodes", "5"]].concat());
    assert_eq!(found(&told), found(&check(&depth)));
}

/// Instances start in states that were carried to spaces of their own.
#[test]
fn instances_visit_the_states_of_one_search() {
    let whole = check(&["--max-depth", "6"]);
    let parts = check(&["--max-depth", "6", "--cut", "depth:3"]);
    assert_eq!(parts["verdict"], "holds");
    assert_eq!(parts["states_union"], whole["states_visited"]);
}

#[test]
fn a_search_starts_in_a_simulated_run() {
    let told = check(&["--from-simulation", "500ms", "--max-depth", "4"]);
    assert_eq!(told["verdict"], "holds");
    assert!(told["states_visited"].as_u64().is_some_and(|states| states > 100), "{told}");
}

/// A node that looks different when it is made again would panic, and a panic is a violation.
#[test]
fn nodes_can_be_made_anew_wherever_random_runs_lead() {
    for (nodes, mode) in [("2", "eager"), ("3", "cached"), ("4", "lazy"), ("5", "eager")] {
        let set = format!("nodes={nodes}");
        let walk = ["--strategy", "walk", "--walks", "200", "--max-depth", "60", "--keep-going"];
        let faults = ["--set", "loss=3", "--set", "duplication=3", "--set", "reboot=3"];
        let others = ["--set", "proposals=3", "--set", &set, "--seed", nodes, "--native", mode];
        let arguments = [&walk[..], &faults, &others].concat();
        let told = check(&arguments);
        assert!(told["events"].as_u64().unwrap() > 1_000, "{nodes} nodes");
        assert_eq!(told["violations"]["no handler panics"], 0, "{nodes} nodes");
        assert_eq!(told["violations"]["at most one leader in a term"], 0, "{nodes} nodes");
    }
}

#[test]
fn what_handlers_did_is_taken_from_a_memo() {
    let folder = TempDir::new().unwrap();
    let check = |arguments: &[&str]| run_in(&folder, "check", arguments);
    let (memo, depth) = (["--memo", "raft.memo"], ["--max-depth", "6"]);
    let first = check(&[memo, depth].concat());
    assert_eq!(first["handler_executions"], 1_620);
    let again = check(&[memo, depth].concat());
    // A machine that is busy with other things may find that looking takes longer than executing.
    let [recalled, executed] = [&again["memo"]["recalled"], &again["handler_executions"]];
    assert!(recalled.as_u64().is_some_and(|number| number > 0), "{recalled} were recalled");
    assert!(executed.as_u64().is_some_and(|number| number < 1_620), "{executed} were executed");
    assert_eq!(again["states_per_depth"], first["states_per_depth"]);
}

/// Nodes time out after 150, 200 and 250 ms. The first is elected when a message of 64 bytes has gone over a link of the usual
/// 10 Mbit/s and 1 ms and back; an entry is committed when one has gone there and back.
#[test]
fn a_leader_is_elected_and_entries_are_committed_in_a_simulation() {
    let told = run_in(&TempDir::new().unwrap(), "simulate", &[]);
    let mean = |name: &str| {
        let measures = told["measures"].as_array().unwrap();
        measures.iter().find(|it| it["name"] == name).unwrap()["mean"].as_f64().unwrap()
    };
    let there_and_back = 2.0 * (0.001 + 64.0 * 8.0 / 10e6);
    assert_eq!(mean("elections"), 1.0);
    assert!((mean("time to elect") - (0.15 + there_and_back)).abs() < 1e-9);
    assert!(mean("time to commit") >= there_and_back);
    assert!(mean("time to commit") < 2.0 * there_and_back);
}
