//! The graph of one check serves the next: on the command line.

use crate::command;
use crate::schema;

use std::{fs, path::Path};

use command::{assert_refused, code, complaint, json, refuses, run_in};
use schema::assert_fits;
use serde_json::{Value, json};

const GRAPH: [&str; 2] = ["--graph", "run.graph"];

fn check(folder: &Path, scenario: &[&str], arguments: &[&str]) -> Value {
    let words = [&["check"], scenario, arguments, &["--json"]].concat();
    let output = run_in(folder, &words);
    assert_ne!(code(&output), 2, "{}", complaint(&output));
    let told = json(&output);
    assert_fits("check.schema.json", &told);
    told
}

/// What was found, without what depends on how.
fn found(mut told: Value) -> (Value, Value) {
    let graph = told["graph"].take();
    let fields = told.as_object_mut().expect("it is an object");
    // With a graph it is not known how often an assumption has ruled something out.
    let executed = ["handler_executions", "handler_executions_verified", "assumptions"];
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
        assert_eq!((&wrote["hits"], &wrote["reckoning"]), (&json!(0), &Value::Null));
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
            let reckoning = &read["reckoning"];
            let [loading, finding, whole, cost] =
                ["F", "L", "w", "cost"].map(|field| reckoning[field].as_f64().unwrap());
            assert!((loading / whole + finding - cost).abs() < 1e-6, "{reckoning}");
            assert_eq!(reckoning["gain"], reckoning["X_and_H"]);
            assert_ne!(reckoning["thesis"]["cost"], Value::Null);
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

/// What is printed, without times and what follows from them.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = run_in(folder, &[&["check"], arguments].concat());
    assert_ne!(code(&output), 2, "{}", complaint(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let is_timed = |line: &&str| line.starts_with("reuse ") || line.starts_with("time ");
    let untimed = |line: &str| match line.rsplit_once("; ") {
        Some((counts, rate)) if rate.ends_with(" per second") => counts.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().filter(|line| !is_timed(line)).map(untimed).collect::<Vec<_>>().join("\n")
}

/// Whatever the machine is busy with, the same command uses the same graph in the same way.
#[test]
fn the_same_command_prints_the_same_again() {
    let folder = tempfile::tempdir().unwrap();
    let searches: [&[&str]; 4] = [
        &["--strategy", "best", "--ranking", "arq-1"],
        &["--strategy", "beam", "--ranking", "arq-2", "--width", "30"],
        &["--strategy", "biased", "--ranking", "arq-1", "--seed", "3"],
        &["--strategy", "walk", "--walks", "50"],
    ];
    let arq = ["arq-erroneous", "--max-depth", "14", "--keep-going", "--no-shrink"];
    for search in searches {
        let _ = fs::remove_file(folder.path().join("run.graph"));
        let check = [arq.as_slice(), search, &GRAPH].concat();
        printed(folder.path(), &check);
        let read = [check.as_slice(), &["--graph-use", "read"]].concat();
        let first = printed(folder.path(), &read);
        assert!(first.contains(" steps found"), "{first}");
        assert_eq!(first, printed(folder.path(), &read));
    }
}

#[test]
fn a_graph_of_which_all_is_modified_is_not_read_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let arq = ["arq", "--max-depth", "15"];
    let (fresh, _) = found(check(folder.path(), &arq, &[]));
    check(folder.path(), &arq, &GRAPH);
    let file = fs::read(folder.path().join("run.graph")).unwrap();
    let all = [GRAPH.as_slice(), &["--graph-use", "read", "--modified", "*"]].concat();
    let (told, graph) = found(check(folder.path(), &arq, &all));
    assert_eq!(told, fresh);
    assert_eq!((&graph["all_modified"], &graph["states"]), (&json!(true), &json!(0)));
    assert_eq!((&graph["bytes"], &graph["reckoning"]), (&Value::Null, &Value::Null));
    let output = run_in(folder.path(), &[&["check"], arq.as_slice(), &all].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let said = "nothing read from run.graph, since all code is said to be modified\n";
    assert!(text.contains(said), "{text}");
    assert_eq!(fs::read(folder.path().join("run.graph")).unwrap(), file);
}

/// An example that the help gives of `--modified` is one that works, and one that does not is answered by those that do.
#[test]
fn code_is_declared_to_be_modified_by_names_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let aodv = ["aodv-1", "--max-depth", "5"];
    check(folder.path(), &aodv, &GRAPH);
    let declared = |name: &str| {
        let modified = [GRAPH.as_slice(), &["--graph-use", "read", "--modified", name]].concat();
        run_in(folder.path(), &[&["check"], aodv.as_slice(), &modified, &["--json"]].concat())
    };
    let help = run_in(folder.path(), &["check", "--help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, example) = help.split_once("Treat code of this name as changed, e.g. ").unwrap();
    let (example, _) = example.split_once([',', ' ', ';']).unwrap();
    let told = json(&declared(example.trim_matches('\'')));
    assert_eq!(told["graph"]["changed"], json!(["timer"]), "{example}");
    let names = ["command:Seek", "message", "restart", "start", "timer"];
    let refusal = [["there is no code `timer:Expire`"].as_slice(), &names].concat();
    assert_refused(&declared("timer:Expire"), &refusal);
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
        "it was saved with profile standard, but this run has thesis",
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
    refused(&["--graph", "g", "--resume", "r"], "cannot be used with");
    refused(&["--graph", "g", "--verify-determinism"], "--graph has no effect with");
    refused(&["--graph", "g", "--graph-use", "read"], "cannot read the graph g");
    refused(&["--graph", "g", "--trace", "g"], "--trace");
    let unused = "--modified has no effect with no existing file of --memo or --graph";
    refused(&["--graph", "g", "--modified", "start"], unused);
    refused(&["--graph", "Cargo.toml", "--graph-use", "write", "--modified", "start"], unused);
    refused(&["--memo", "g", "--modified", "start"], unused);
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
