//! `--max-memory` limits what the process takes.

use std::process::Output;

use serde_json::Value;

use crate::{Test, command, run};

pub const TESTS: &[Test] = &[
    ("a_limit_on_memory_holds_whatever_takes_it", a_limit_on_memory_holds_whatever_takes_it),
    ("a_limit_on_memory_holds_in_every_search", a_limit_on_memory_holds_in_every_search),
    ("what_memory_has_stopped_goes_on_to_the_same_answer", goes_on_to_the_same_answer),
];

const MEGABYTE: u64 = 1 << 20;
/// What `--max-memory` says, in megabytes; and what may be taken: a tenth more.
const LIMIT: u64 = 100;
const MOST: u64 = LIMIT + LIMIT / 10;

/// The most memory that a run has had, in megabytes.
fn peak(output: &Output) -> Option<u64> {
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let told = complaint.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = told.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024 / MEGABYTE)
}

/// Lets a hog take what it gets, by a search that is told this; what it says.
fn stopped(kind: &str, size: &str, search: &[&str]) -> String {
    let set = [format!("kind={kind}"), format!("size={size}")];
    let limit = format!("{LIMIT}M");
    let common = ["--set", &set[0], "--set", &set[1], "--max-memory", &limit];
    let depth = ["--max-depth", if search.contains(&"walk") { "1000000" } else { "none" }];
    let output = run(&[&["check", "hog"], &common[..], &depth, search].concat());
    let told = String::from_utf8(output.stdout.clone()).expect("it is text");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{kind} {size} {search:?}: {told}{complaint}");
    if cfg!(target_os = "linux") {
        let peak = peak(&output).expect("Linux tells");
        println!("  {kind} of {size} {search:?}: {peak} MB");
        assert!((LIMIT / 2..=MOST).contains(&peak), "{kind} of {size} {search:?}: {peak} MB");
    }
    told
}

fn a_limit_on_memory_holds_whatever_takes_it() {
    for (kind, size) in [
        ("commands", "100"),
        ("commands", "1000"),
        ("choices", "12"),
        ("choices", "15"),
        ("map", "1000"),
        ("spare", "4000"),
        ("spare", "100000"),
    ] {
        let told = stopped(kind, size, &[]);
        assert!(told.contains("INCONCLUSIVE, stopped by --max-memory: nothing found"), "{told}");
    }
}

fn a_limit_on_memory_holds_in_every_search() {
    for search in [
        &["--strategy", "dfs"][..],
        &["--strategy", "dfs", "--add", "current"],
        &["--strategy", "dfs-r"],
        &["--strategy", "best"],
        &["--strategy", "beam"],
        &["--strategy", "deepening"],
        &["--strategy", "walk", "--walks", "1000000"],
        &["--store", "fingerprint"],
        &["--store", "bitstate", "--bitstate-memory", "8M"],
        &["--relation", "simulated"],
        &["--workers", "2"],
        &["--memo", "run.memo"],
    ] {
        let told = stopped("commands", "300", search);
        assert!(told.contains("stopped by --max-memory"), "{search:?}: {told}");
    }
}

/// An expansion that was given up in the middle is made again, with the same ids.
fn goes_on_to_the_same_answer() {
    for search in [&[][..], &["--strategy", "dfs", "--add", "current"], &["--strategy", "dfs-r"]] {
        let folder = tempfile::TempDir::new().expect("a folder can be made");
        let hog = ["check", "hog", "--set", "kind=map", "--set", "size=2000", "--max-depth", "9"];
        let run = |code, more: &[&str]| {
            let mut command = command(&[&hog[..], &["--json"], search, more].concat());
            let output = command.current_dir(folder.path()).output().expect("it can be started");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{search:?} {more:?}: {complaint}");
            let mut told: Value = serde_json::from_slice(&output.stdout).expect("one object");
            let fields = told.as_object_mut().expect("it is an object");
            for field in ["seconds", "checkpoint", "bytes_per_state", "store"] {
                fields.remove(field).expect("the field is there");
            }
            told
        };
        let whole = run(0, &[]);
        let stopped = run(3, &["--max-memory", "40M", "--checkpoint", "run.checkpoint"]);
        assert_eq!(stopped["ended"], "max-memory", "{search:?}");
        assert!(stopped["events"].as_u64() > Some(0), "{search:?}");
        assert_eq!(run(0, &["--resume", "run.checkpoint"]), whole, "{search:?}");
    }
}
