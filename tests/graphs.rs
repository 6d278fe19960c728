//! The graph of one check serves the next: on the command line.

mod command;

use std::{fs, path::Path};

use command::{assert_refused, code, complaint, json, refuses, run_in};
use serde_json::{Value, json};

const GRAPH: [&str; 3] = ["--graph", "run.graph", "--insist-on-graph"];

fn check(folder: &Path, scenario: &[&str], arguments: &[&str]) -> Value {
    let words = [&["check"], scenario, arguments, &["--json"]].concat();
    let output = run_in(folder, &words);
    assert_ne!(code(&output), 2, "{}", complaint(&output));
    json(&output)
}

/// What was found, without what depends on how.
fn found(mut told: Value) -> (Value, Value) {
    let graph = told["graph"].take();
    let fields = told.as_object_mut().expect("it is an object");
    let executed = ["handler_executions", "handler_executions_verified"];
    for field in
        ["seconds", "bytes_per_state", "store", "counterexample"].into_iter().chain(executed)
    {
        fields.remove(field).expect("the field is there");
    }
    (told, graph)
}

#[test]
fn what_one_check_has_written_serves_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let aodv = ["aodv-3", "--profile", "thesis", "--max-depth", "7", "--keep-going"];
    for scenario in [["arq", "--max-depth", "20"].as_slice(), &["two-phase-commit"], &aodv] {
        let (fresh, none) = found(check(folder.path(), scenario, &[]));
        assert_eq!(none, Value::Null);
        let _ = fs::remove_file(folder.path().join("run.graph"));
        let (first, wrote) = found(check(folder.path(), scenario, &GRAPH));
        assert_eq!(first, fresh);
        assert_eq!((&wrote["hits"], &wrote["given_up"]), (&json!(0), &json!(false)));
        let file = fs::read(folder.path().join("run.graph")).unwrap();
        assert_eq!(wrote["bytes"], json!(file.len()));
        for uses in [["--graph-use", "read"].as_slice(), &["--verify-reuse"], &[]] {
            let told = check(folder.path(), scenario, &[&GRAPH, uses].concat());
            let executions = told["handler_executions"].clone();
            let (again, read) = found(told);
            assert_eq!(again, fresh, "{uses:?}");
            let events = ["hits", "misses"].map(|field| read[field].as_u64().unwrap());
            assert_eq!(events[0] + events[1], fresh["events"].as_u64().unwrap());
            assert!(events[0] > 10 * events[1], "{read}");
            assert_eq!((&read["modified"], &read["changed"]), (&json!(0), &json!([])));
            let verifies = uses == ["--verify-reuse"];
            assert_eq!(executions == json!(0), !verifies, "{executions} {uses:?}");
            assert_eq!(read["verified"], json!(verifies));
            if uses == ["--graph-use", "read"] {
                assert_eq!(fs::read(folder.path().join("run.graph")).unwrap(), file);
                assert_eq!(read["bytes"], Value::Null);
            }
        }
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let arq = ["arq", "--max-depth", "15"];
    check(folder.path(), &arq, &GRAPH);
    let path = folder.path().join("run.graph");
    let whole = fs::read(&path).unwrap();
    let refused = |scenario: &[&str], words: &str| {
        let before = fs::read(&path).unwrap();
        let output = run_in(folder.path(), &[&["check"], scenario, &GRAPH].concat());
        assert_refused(&output, &[words]);
        assert_eq!(fs::read(&path).unwrap(), before);
    };
    refused(&["aodv-1"], "run.graph is a graph of another scenario");
    refused(
        &["arq", "--set", "loss=off"],
        "it was saved with parameter loss unlimited, but this run has off",
    );
    refused(
        &["arq", "--profile", "thesis"],
        "it was saved with parameter network fifo, but this run has list",
    );
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    refused(&arq, "run.graph is not a whole graph: it was cut off");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    fs::write(&path, &changed).unwrap();
    refused(&arq, "run.graph was changed after it was written");
    fs::write(&path, "{}").unwrap();
    refused(&arq, "run.graph is not a graph of Everypath");
    fs::write(&path, &whole).unwrap();
    // Other depths, searches and assertions are no hindrance.
    let deeper = check(folder.path(), &["arq", "--max-depth", "20", "--deadlock"], &GRAPH);
    assert!(deeper["graph"]["hits"].as_u64().unwrap() > 100, "{}", deeper["graph"]);
}

/// Of two checks at a time, one writes the file.
#[test]
fn a_file_that_another_check_uses_is_read_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let arq = ["arq", "--max-depth", "15"];
    let lock = fs::File::create(folder.path().join("run.graph.lock")).unwrap();
    lock.lock().unwrap();
    let told = &check(folder.path(), &arq, &GRAPH)["graph"];
    assert_eq!((&told["in_use"], &told["bytes"]), (&json!(true), &Value::Null));
    assert!(!folder.path().join("run.graph").exists());
    drop(lock);
    let told = &check(folder.path(), &arq, &GRAPH)["graph"];
    assert_eq!(told["in_use"], json!(false));
    assert!(folder.path().join("run.graph").exists());
}

#[test]
fn combinations_without_sense_are_refused() {
    let refused = |arguments: &[&str], words: &str| {
        refuses(&[&["check", "arq"], arguments].concat(), &[words]);
    };
    refused(&["--graph-use", "read"], "--graph <FILE>");
    refused(&["--insist-on-graph"], "--graph <FILE>");
    refused(&["--graph", "g", "--resume", "r"], "cannot be used with");
    refused(&["--graph", "g", "--verify-determinism"], "--graph has no effect with");
    refused(&["--graph", "g", "--graph-use", "read"], "cannot read the graph g");
    refused(&["--graph", "g", "--trace", "g"], "--trace");
    refused(&["--graph", "nowhere/g"], "nowhere");
}

#[test]
fn the_experiments_of_the_thesis_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), &["reproduce", "incremental", "--quick", "--json"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let told = json(&output);
    let tables: Vec<&str> = ["flagged", "sequences"]
        .iter()
        .flat_map(|part| told[part].as_array().unwrap())
        .map(|row| row["table"].as_str().unwrap())
        .collect();
    let rows = |table: &str| tables.iter().filter(|known| **known == table).count();
    let counts = ["8.1", "8.4", "8.6", "8.8", "8.11", "8.13"].map(rows);
    assert_eq!(counts, [12, 6, 4, 4, 4, 4]);
    for row in told["flagged"].as_array().unwrap() {
        let executed: Vec<f64> = row["with_graph"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["executed_events"].as_f64().unwrap())
            .collect();
        assert!(executed.is_sorted(), "the more is modified, the more is executed: {executed:?}");
        assert!(executed[0] * 100.0 < row["from_scratch"]["events"].as_f64().unwrap(), "{row}");
    }
}
