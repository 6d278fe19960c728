//! The ranking `learnt`: counterexamples of an earlier version lead to those of the next.

use crate::command;
use crate::schema;

use std::{fs, path::Path};

use command::{assert_refused, code, complaint, json, run_in};
use schema::assert_fits;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with the counterexample of a scenario, in `earlier.trace.json`.
fn folder_with(scenario: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let output = run_in(folder.path(), &["check", scenario, "--trace", "earlier.trace.json"]);
    assert_eq!(code(&output), 1, "{}", complaint(&output));
    folder
}

fn compared(folder: &Path, arguments: &[&str]) -> Value {
    let output = run_in(folder, &[&["compare", "--json", "--no-time"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let found = json(&output);
    assert_fits("compare.schema.json", &found);
    found
}

/// Whatever the order of events is, the run of the version before leads to the error sooner than
/// breadth-first search and each ranking that was made for the protocol.
#[test]
fn the_run_of_one_version_leads_to_the_error_of_another() {
    let folder = folder_with("aodv-2");
    let shuffled = ["--strategies", "bfs,best:each", "--shuffle", "--seeds", "1-10"];
    let learning = [&["aodv-1"], &shuffled[..], &["--learn-from", "earlier.trace.json"]].concat();
    let found = compared(folder.path(), &learning);
    let mean = |search: &Value| search["events"]["mean"].as_f64().unwrap();
    let searches = found["searches"].as_array().unwrap();
    let (learnt, others) = searches.split_last().unwrap();
    assert_eq!(learnt["search"], "best:learnt");
    assert_eq!(others.len(), 9);
    for other in others {
        assert!(mean(learnt) * 2.0 < mean(other), "{} and {}", learnt["events"], other["events"]);
    }
    assert_eq!(compared(folder.path(), &learning), found, "it is deterministic");
}

/// The ranking reads a file, a folder, the folder of `--regressions`; it stands beside others, and in
/// a checkpoint.
#[test]
fn it_learns_from_files_and_folders() {
    let folder = folder_with("arq-erroneous");
    let path = folder.path();
    fs::create_dir(path.join("kept")).unwrap();
    fs::copy(path.join("earlier.trace.json"), path.join("kept/one.trace.json")).unwrap();
    let best = ["check", "arq-erroneous", "--set", "network=unordered", "--strategy", "best"];
    let found = |more: &[&str]| {
        let output = run_in(path, &[&best[..], more, &["--json"]].concat());
        assert_eq!(code(&output), 1, "{}", complaint(&output));
        let found = json(&output);
        assert_fits("check.schema.json", &found);
        found["events"].clone()
    };
    let by_file = found(&["--ranking", "learnt", "--learn-from", "earlier.trace.json"]);
    assert_eq!(found(&["--ranking", "learnt", "--learn-from", "kept"]), by_file);
    let twice = ["--learn-from", "kept", "--learn-from", "earlier.trace.json"];
    assert_eq!(found(&[&["--ranking", "learnt"], &twice[..]].concat()), by_file);
    let none_near = ["--regressions", "kept", "--neighbourhood", "0"];
    assert_eq!(found(&[&["--ranking", "learnt"], &none_near[..]].concat()), by_file);
    found(&["--ranking", "learnt,novelty,arq-1", "--learn-from", "kept", "--add", "current"]);

    let long = ["check", "arq", "--max-depth", "16", "--strategy", "best", "--ranking", "learnt"];
    let long = [&long[..], &["--learn-from", "kept"]].concat();
    let stopped = [&long[..], &["--max-states", "50", "--checkpoint", "saved"]].concat();
    assert_eq!(code(&run_in(path, &stopped)), 3);
    let resumed = run_in(path, &[&long[..], &["--resume", "saved", "--json"]].concat());
    let whole = run_in(path, &[&long[..], &["--json"]].concat());
    assert_eq!(code(&resumed), 0, "{}", complaint(&resumed));
    let counts = |output| json(output)["events_per_depth"].clone();
    assert_eq!(counts(&resumed), counts(&whole));
    let unordered = ["check", "arq-erroneous", "--set", "network=unordered"];
    run_in(path, &[&unordered[..], &["--trace", "other.trace.json"]].concat());
    let other = [&long[..8], &["--learn-from", "other.trace.json", "--resume", "saved"]].concat();
    assert_refused(&run_in(path, &other), &["another search", "ranking learnt from"]);
}

#[test]
fn what_cannot_be_learnt_from_is_refused() {
    let folder = folder_with("arq-erroneous");
    let path = folder.path();
    let refused = |arguments: &[&str], words: &[&str]| {
        assert_refused(&run_in(path, arguments), words);
    };
    let best = ["check", "arq", "--strategy", "best", "--ranking"];
    refused(&[&best[..], &["learnt"]].concat(), &["needs counterexamples", "--learn-from"]);
    let from = |file: &'static str| [&best[..], &["learnt", "--learn-from", file]].concat();
    refused(&from("missing.trace.json"), &["cannot read missing.trace.json"]);
    fs::create_dir(path.join("empty")).unwrap();
    refused(&from("empty"), &["there is nothing to learn from empty", ".trace.json"]);
    let text = fs::read_to_string(path.join("earlier.trace.json")).unwrap();
    fs::write(path.join("cut.trace.json"), &text[..text.len() / 2]).unwrap();
    refused(&from("cut.trace.json"), &["was it cut off?"]);
    fs::write(path.join("changed.trace.json"), text.replace("D0", "D1")).unwrap();
    refused(&from("changed.trace.json"), &["its checksum does not match"]);
    let other = ["check", "aodv-1", "--strategy", "best", "--ranking", "learnt"];
    let other = [&other[..], &["--learn-from", "earlier.trace.json"]].concat();
    refused(&other, &["scenario `arq-erroneous`", "another protocol"]);
    refused(
        &["check", "arq", "--learn-from", "earlier.trace.json"],
        &["--learn-from", "without the ranking `learnt`"],
    );
    let compare = ["compare", "arq", "--strategies"];
    refused(
        &[&compare[..], &["bfs", "--learn-from", "earlier.trace.json"]].concat(),
        &["--learn-from", "without the ranking `learnt`"],
    );
    refused(&[&compare[..], &["best:learnt"]].concat(), &["needs counterexamples"]);
    refused(&[&compare[..], &["learnt"]].concat(), &["did you mean `best:learnt`?"]);
}
