//! `--max-memory` limits what the process takes.

use std::process::Output;

use crate::{Test, run};

pub const TESTS: &[Test] = &[
    ("a_limit_on_memory_holds_whatever_takes_it", a_limit_on_memory_holds_whatever_takes_it),
    ("a_limit_on_memory_holds_in_every_search", a_limit_on_memory_holds_in_every_search),
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
