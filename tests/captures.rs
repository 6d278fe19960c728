//! Files of a simulated run: written, read back, replayed, refused.

use crate::command;
use crate::schema;

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use command::{assert_refused, code, complaint, json, out, refuses, run_in};
use schema::assert_fits;

/// AODV on a chain with losses: a second of traffic.
const AODV: [&str; 12] = [
    "simulate",
    "aodv",
    "--set",
    "nodes=4",
    "--set",
    "loss-rate=0.05",
    "--set",
    "jitter=10ms",
    "--duration",
    "6.1s",
    "--replications",
    "2",
];

fn simulate(folder: &Path, more: &[&str]) -> String {
    let output = run_in(folder, &[&AODV[..], more].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    out(&output)
}

#[test]
fn an_event_log_fits_its_schema_line_by_line() {
    let folder = TempDir::new().unwrap();
    let told = simulate(folder.path(), &["--event-log", "run.jsonl", "--seed", "5"]);
    assert!(told.ends_with("wrote run.jsonl\n"), "{told}");
    for arguments in [
        &["simulate", "arq", "--set", "loss-rate=0.2", "--duration", "30ms"][..],
        &["simulate", "diffusion", "--duration", "20s"],
        &["simulate", "two-phase-commit", "--duration", "2s"],
    ] {
        let more = ["--replications", "1", "--event-log", "other.jsonl"];
        assert_eq!(code(&run_in(folder.path(), &[arguments, &more].concat())), 0);
        for name in ["run.jsonl", "other.jsonl"] {
            let log = fs::read_to_string(folder.path().join(name)).unwrap();
            assert!(log.lines().count() > 5, "{log}");
            for line in log.lines() {
                assert_fits("event-log.schema.json", &serde_json::from_str(line).unwrap());
            }
        }
    }
}

#[test]
fn the_schema_refuses_what_is_no_line() {
    let lines = [
        r#"{"line":2,"ns":0,"s":0.0,"node":0,"cause":null,"kind":"nonsense"}"#,
        r#"{"line":2,"ns":0,"s":0.0,"node":0,"cause":null,"kind":"deliver","from":0,"to":1,"message":""}"#,
        r#"{"line":2,"ns":0,"s":0.0,"node":null,"cause":null,"kind":"start"}"#,
        r#"{"line":9,"ns":0,"s":0.0,"node":0,"cause":3,"kind":"drop","to":1}"#,
        r#"{"line":1,"format":"everypath-log","version":2}"#,
    ];
    for line in lines {
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(!schema::fits("event-log.schema.json", &line), "{line}");
    }
}

#[test]
fn a_log_is_replayed_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    simulate(path, &["--event-log", "run.jsonl"]);
    simulate(path, &["--event-log", "again.jsonl"]);
    let log = fs::read(path.join("run.jsonl")).unwrap();
    assert_eq!(fs::read(path.join("again.jsonl")).unwrap(), log);
    simulate(path, &["--event-log", "again.jsonl", "--seed", "2"]);
    assert_ne!(fs::read(path.join("again.jsonl")).unwrap(), log);

    let output = run_in(path, &["replay", "run.jsonl"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let lines = String::from_utf8(log).unwrap().lines().count();
    assert_eq!(out(&output), format!("aodv: {lines} lines, every one as recorded\n"));
    let told = json(&run_in(path, &["replay", "again.jsonl", "--json"]));
    assert_fits("replay.schema.json", &told);
    assert_eq!((&told["identical"], &told["seed"]), (&true.into(), &2.into()));
}

/// A log with another line, and the checksum that belongs to it: as if the protocol had changed.
#[test]
fn a_log_of_another_run_is_recognised_by_the_first_line_that_differs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.jsonl");
    simulate(folder.path(), &["--event-log", "run.jsonl"]);
    let log = fs::read_to_string(&path).unwrap();
    let number = 1 + log.lines().position(|line| line.contains("\"kind\":\"deliver\"")).unwrap();
    let changed = log.replacen("\"kind\":\"deliver\"", "\"kind\":\"timer\"", 1);
    let place = changed.find(",\"checksum\":\"").unwrap() + ",\"checksum\":\"".len();
    let checksum = xxhash_rust::xxh3::xxh3_64(&changed.as_bytes()[..place]);
    fs::write(&path, format!("{}{checksum:016x}\"}}\n", &changed[..place])).unwrap();
    let output = run_in(folder.path(), &["replay", "run.jsonl"]);
    let where_it_differs = format!("run.jsonl:{number}: the run differs from here on");
    assert_refused(&output, &[&where_it_differs, "recorded: {", "now: {", "has changed"]);
}

/// What a scenario file says is not among the parameters: the log names the file.
#[test]
fn a_run_of_a_scenario_file_is_replayed_with_the_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("chain.toml");
    let text = |speed: &str| {
        format!(
            "scenario = \"aodv\"\nduration = \"8s\"\nreplications = 1\n\n\
             [parameters]\nnodes = 4\n\n[links]\nbandwidth = {speed}\n"
        )
    };
    fs::write(&file, text("1_000_000")).unwrap();
    let output = run_in(folder.path(), &["simulate", "chain.toml", "--event-log", "run.jsonl"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let output = run_in(folder.path(), &["replay", "run.jsonl"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    fs::write(&file, text("2_000_000")).unwrap();
    let output = run_in(folder.path(), &["replay", "run.jsonl"]);
    assert_refused(&output, &["chain.toml has changed since", "its digest was"]);
    fs::remove_file(&file).unwrap();
    assert_refused(&run_in(folder.path(), &["replay", "run.jsonl"]), &["chain.toml"]);
}

#[test]
fn damaged_and_foreign_logs_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.jsonl");
    simulate(folder.path(), &["--event-log", "run.jsonl"]);
    let log = fs::read_to_string(&path).unwrap();
    let half = &log[..log.len() / 2];
    for (content, words) in [
        (log.replacen("\"node\":1", "\"node\":0", 1), "its checksum does not match"),
        (half.to_owned(), "it was cut off"),
        (log.replacen("\"version\":2", "\"version\":3", 1), "of version 3"),
    ] {
        fs::write(&path, content).unwrap();
        assert_refused(&run_in(folder.path(), &["replay", "run.jsonl"]), &["run.jsonl", words]);
    }
    fs::write(&path, &log).unwrap();
    let output = run_in(folder.path(), &["replay", "run.jsonl", "--chart", "run.svg"]);
    assert_refused(&output, &["--chart has no effect with an event log"]);
}

#[test]
fn packets_are_captured_where_the_scenario_says_how_they_look() {
    let folder = TempDir::new().unwrap();
    simulate(folder.path(), &["--pcap", "run.pcapng", "--ns2-trace", "run.tr"]);
    let pcap = fs::read(folder.path().join("run.pcapng")).unwrap();
    assert_eq!(pcap[..4], [0x0a, 0x0d, 0x0d, 0x0a], "it begins as pcapng does");
    let trace = fs::read_to_string(folder.path().join("run.tr")).unwrap();
    assert!(trace.starts_with("s 5.1"), "{trace}");
    for option in ["--pcap", "--ns2-trace"] {
        let words = [option, "needs the wire format of packets", "`arq`", "--event-log"];
        refuses(&["simulate", "arq", option, "run"], &words);
    }
}

#[test]
fn nothing_is_run_if_a_file_cannot_be_written() {
    let folder = TempDir::new().unwrap();
    for option in ["--event-log", "--pcap", "--ns2-trace"] {
        let output = run_in(folder.path(), &[&AODV[..], &[option, "none/run"]].concat());
        assert_refused(&output, &["none/run", option, "nothing was run so far"]);
    }
    let twice = ["--event-log", "run", "--pcap", "run"];
    let output = run_in(folder.path(), &[&AODV[..], &twice].concat());
    assert_refused(&output, &["--pcap and --event-log name the same file run"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}
