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
            let of = |field: &str| reckoning[field].as_f64().unwrap_or_default();
            let cost = of("F") + of("w") * of("L") + of("z") * of("P");
            assert!((cost - of("cost")).abs() < 1e-6, "{reckoning}");
            let gain = (of("w") + of("z")) * of("X_and_H") + of("s") * of("E") + of("y") * of("Y");
            assert!((gain - of("gain")).abs() < 1e-6, "{reckoning}");
            assert_ne!(reckoning["thesis"]["cost"], Value::Null);
            let of = |field: &str| read[field].as_u64().unwrap();
            assert_eq!(of("executed"), of("misses") + of("kept_hits"));
            assert_eq!(of("unjudged"), of("hits"), "the program and its assertions are the same");
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
        assert!(first.contains(" events found"), "{first}");
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
    let said = "nothing read from run.graph, since everything is said to be modified\n";
    assert!(text.contains(said), "{text}");
    assert_eq!(fs::read(folder.path().join("run.graph")).unwrap(), file);
}

/// An example that the help gives of `--modified` is one that works, and one that does not is answered by those that do.
#[test]
fn code_and_events_are_declared_to_be_modified_by_names_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let aodv = ["aodv-1", "--max-depth", "5"];
    check(folder.path(), &aodv, &GRAPH);
    let declared = |name: &str| {
        let modified = [GRAPH.as_slice(), &["--graph-use", "read", "--modified", name]].concat();
        run_in(folder.path(), &[&["check"], aodv.as_slice(), &modified, &["--json"]].concat())
    };
    let help = run_in(folder.path(), &["check", "--help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, example) = help.split_once("Treat code of this name as changed, e.g. ").unwrap();
    let (example, _) = example.split_once([',', ' ', ';']).unwrap();
    let told = json(&declared(example.trim_matches('\'')));
    let timers = ["timer:Expire", "timer:Forget", "timer:Remove", "timer:Retry"];
    let changed = told["graph"]["changed"].as_array().unwrap();
    assert!(changed.iter().all(|name| timers.contains(&name.as_str().unwrap())), "{changed:?}");
    assert!(changed.len() > 1, "{example}: {changed:?}");
    // Code and events of the same name are the same here.
    let modified = |name: &str| json(&declared(name))["graph"]["modified"].as_u64().unwrap();
    let [expire, forget] = ["timer:Expire", "timer:Forget"].map(modified);
    assert!(expire > 0 && forget > 0);
    assert_eq!(modified("timer"), modified("timer*"), "all timers");
    assert!(modified("deliver@1") < modified("deliver"), "events have nodes, code has none");
    assert!(modified("lose") > 0, "an event without a handler has no code");
    let refusal = ["there is no code or event `timer:Exipre`", "did you mean `timer:Expire`?"];
    assert_refused(&declared("timer:Exipre"), &refusal);
    assert_refused(
        &declared("deliver@7"),
        &["there is no code or event `deliver@7`", "command:Seek"],
    );
}

/// A declared version of a scenario reads its graph, if the user says what differs.
#[test]
fn a_graph_serves_other_versions_of_a_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--profile", "thesis", "--max-depth", "16", "--keep-going"];
    let of = |scenario: &'static str| [[scenario].as_slice(), &options].concat();
    let [erroneous, correct] = [of("arq-erroneous"), of("arq")];
    check(folder.path(), &erroneous, &GRAPH);
    let (fresh, _) = found(check(folder.path(), &correct, &[]));
    let read = [GRAPH.as_slice(), &["--graph-use", "read"]].concat();
    let output = run_in(folder.path(), &[&["check"], correct.as_slice(), &read].concat());
    let another = "run.graph is a graph of another version";
    // The line is wrapped within the name.
    let version = ["it was saved with scenario arq-", "erroneous, and this is arq"];
    assert_refused(&output, &[another, version[0], version[1], "--modified"]);
    let acknowledgements = [read.as_slice(), &["--modified", "deliver@0"]].concat();
    let (told, graph) = found(check(folder.path(), &correct, &acknowledgements));
    assert_eq!(told, fresh);
    let count = |field: &str| graph[field].as_u64().unwrap();
    assert!(count("hits") > 0 && count("modified") > 0, "{graph}");
    assert_eq!(graph["unjudged"], json!(0), "another scenario may have other assertions");
    // What a version may not differ in.
    let fifo = [correct.as_slice(), &acknowledgements, &["--set", "network=fifo"]].concat();
    let output = run_in(folder.path(), &[["check"].as_slice(), &fifo].concat());
    assert_refused(&output, &["run.graph is a graph of another scenario"]);
    // A version as a parameter.
    let aodv = |number: &'static str, more: &[&'static str]| {
        let set = ["aodv", "--max-depth", "5", "--set", number];
        run_in(folder.path(), &[["check"].as_slice(), &set, &GRAPH, more, &["--json"]].concat())
    };
    fs::remove_file(folder.path().join("run.graph")).unwrap();
    let [then, now] = ["increment-on-invalidation=true", "increment-on-invalidation=false"];
    assert_ne!(code(&aodv(then, &[])), 2);
    assert_refused(&aodv(now, &[]), &["another version", "increment-on-invalidation true"]);
    let told = json(&aodv(now, &["--modified", "timer:Expire"]));
    assert!(told["graph"]["hits"].as_u64().unwrap() > 0, "{}", told["graph"]);
}

/// With a handler executed for every event, the events that a graph spares are those that are not executed.
#[test]
fn a_check_can_execute_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let aodv = ["aodv-1", "--profile", "thesis", "--max-depth", "6", "--trust-handlers"];
    let told = |more: &[&str]| check(folder.path(), &aodv, more);
    let executions = |told: &Value| told["handler_executions"].as_u64().unwrap();
    let fresh = told(&[]);
    let every = told(&["--every-event"]);
    assert_eq!(every["options"]["every_event"], json!(true));
    let [lost, all] =
        [&every["kinds"]["lose"]["events"], &every["events"]].map(|count| count.as_u64().unwrap());
    assert_eq!(executions(&every) - executions(&fresh), all - lost);
    told(&GRAPH);
    let read = told(&[GRAPH.as_slice(), &["--graph-use", "read", "--every-event"]].concat());
    let spared = executions(&every) - executions(&fresh) - executions(&read);
    let graph = &read["graph"];
    let [hits, kept] = ["hits", "kept_hits"].map(|field| graph[field].as_u64().unwrap());
    assert!(spared > 0 && spared <= hits - kept, "{graph}");
    assert_ne!(graph["reckoning"]["E"], Value::Null);
    refuses(&["check", "forgetful-ring", "--every-event"], &[]);
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
    assert_fits("reproduce.schema.json", &told);
    let tables = told["tables"].as_array().unwrap();
    let rows = |table: &Value| table["rows"].as_array().unwrap().clone();
    let counts: Vec<(&str, usize)> =
        tables.iter().map(|table| (table["id"].as_str().unwrap(), rows(table).len())).collect();
    let expected = [
        ("8.1", 60),
        ("8.2", 17),
        ("8.2-costly", 17),
        ("8.4", 30),
        ("8.6", 16),
        ("8.6-costly", 10),
        ("8.8", 20),
        ("8.9", 17),
        ("8.11", 12),
        ("8.13", 12),
        ("8.14", 17),
    ];
    let expected = expected.map(|(number, rows)| (format!("000/{number}"), rows));
    assert_eq!(counts, expected.each_ref().map(|(id, rows)| (id.as_str(), *rows)));
    let all = tables.iter().flat_map(rows);
    let executed = all.filter(|row| row["name"].as_str().unwrap().ends_with(": executed"));
    let executed: Vec<Value> = executed.collect();
    assert_eq!(executed.len(), 22);
    for row in executed {
        let numbers = row["cells"].as_array().unwrap();
        let numbers: Vec<u64> = numbers.iter().filter_map(|cell| cell["ours"].as_u64()).collect();
        let (from_scratch, reused) = numbers.split_first().unwrap();
        assert!(reused.is_sorted(), "the more is modified, the more is executed: {row}");
        // With nothing modified, those that lead to a new state are.
        assert!(reused[0] < *from_scratch, "{row}");
    }
}
