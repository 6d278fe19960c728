//! A disk that is full while results are written: what was there before stays, and nothing half written is left.
//!
//! No file can grow beyond a limit, which to a program is what a full disk is: a write that fails half-way.

#![cfg(unix)]

#[allow(dead_code, reason = "what is refused here was run before")]
use crate::command;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

use command::{code, complaint, out, run_in};
use tempfile::TempDir;

/// Runs the command in a folder in which no file can have more than so many blocks of 512 or 1024 bytes.
fn run_limited(folder: &Path, blocks: u32, arguments: &[&str]) -> Output {
    // The signal that comes with it would end a program that does not expect it.
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let program = env!("CARGO_BIN_EXE_everypath");
    let mut command = Command::new("sh");
    command.args(["-c", &script, program]).args(arguments).current_dir(folder).output().unwrap()
}

/// All files below a folder with their content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut places = vec![folder.to_owned()];
    while let Some(place) = places.pop() {
        for file in fs::read_dir(place).unwrap().map(|file| file.unwrap().path()) {
            if file.is_dir() {
                places.push(file);
                continue;
            }
            let name = file.strip_prefix(folder).unwrap().display().to_string();
            all.insert(name, fs::read(&file).unwrap());
        }
    }
    all
}

fn assert_told(output: &Output, words: &[&str]) {
    let complaint = complaint(output);
    assert_eq!(code(output), 2, "{complaint}");
    for word in [&["File too large"], words].concat() {
        assert!(complaint.contains(word), "`{word}` is not in: {complaint}");
    }
}

const AODV: [&str; 6] = ["simulate", "aodv", "--replications", "2", "--no-time", "--duration"];

#[test]
fn captures_of_before_stay_when_new_ones_do_not_fit() {
    let files = [("--event-log", "run.jsonl"), ("--pcap", "run.pcapng"), ("--ns2-trace", "run.tr")];
    let folder = TempDir::new().unwrap();
    for (option, file) in files {
        let written = run_in(folder.path(), &[&AODV[..], &["6s", option, file]].concat());
        assert_eq!(code(&written), 0, "{}", complaint(&written));
    }
    let before = content(folder.path());
    assert_eq!(before.len(), 3);
    for (option, file) in files {
        let said = run_limited(folder.path(), 8, &[&AODV[..], &["60s", option, file]].concat());
        assert_told(&said, &[&format!("cannot write {file}, which {option} names"), "still there"]);
        assert_eq!(out(&said), "");
        assert!(content(folder.path()) == before, "{option}: {:?}", content(folder.path()).keys());
    }
}

#[test]
fn results_are_reported_even_if_pictures_do_not_fit() {
    let folder = TempDir::new().unwrap();
    for (option, file, told) in
        [("--plot", "p", "p/cdf-delay.svg"), ("--report", "p.html", "p.html")]
    {
        let said = run_limited(folder.path(), 2, &[&AODV[..], &["8s", option, file]].concat());
        assert_told(&said, &[&format!("cannot write plot {told}")]);
        assert!(out(&said).contains("delivery ratio"), "{}", out(&said));
        assert!(content(folder.path()).is_empty(), "{:?}", content(folder.path()).keys());
    }
}

/// A search goes on when it cannot be saved, and says where there was no room, and what is left of what was there.
#[test]
fn a_search_outlives_checkpoints_and_memos_that_do_not_fit() {
    let folder = TempDir::new().unwrap();
    let search = ["check", "arq", "--max-depth", "30", "--max-states", "500"];
    for (option, file) in [("--checkpoint", "run.checkpoint"), ("--memo", "arq.memo")] {
        let search = [&search[..], &[option, file]].concat();
        let name = &option[2..];
        let told = format!("cannot write the {name} {file}: File too large (os error 27)");
        let said = run_limited(folder.path(), 1, &search);
        assert_eq!(code(&said), 3, "{}", complaint(&said));
        assert_eq!(complaint(&said).trim(), told, "there was none before");
        assert!(
            out(&said).contains("states    596 visited"),
            "what was found is told: {}",
            out(&said)
        );
        assert!(content(folder.path()).is_empty(), "{:?}", content(folder.path()).keys());
    }
    let search = [&search[..], &["--checkpoint", "run.checkpoint"]].concat();
    assert_eq!(code(&run_in(folder.path(), &search)), 3);
    let before = content(folder.path());
    let said = run_limited(folder.path(), 1, &search);
    assert!(complaint(&said).contains("; what was there before is still there"));
    assert!(content(folder.path()) == before);
}

/// Runs fit, a table of all does not.
#[test]
fn a_folder_of_results_stays_as_it_was_but_for_runs_that_fit() {
    let folder = TempDir::new().unwrap();
    let arguments = [&AODV[..], &["8s", "--out", "results"]].concat();
    let written = run_in(folder.path(), &arguments);
    assert_eq!(code(&written), 0, "{}", complaint(&written));
    let results = folder.path().join("results");
    let before = content(&results);
    let more = [&arguments[..3], &["40"], &arguments[4..]].concat();
    let said = run_limited(folder.path(), 24, &more);
    assert_told(&said, &["cannot write results/results.csv", "only the missing runs"]);
    assert!(out(&said).contains("38 runs made, 2 kept"), "{}", out(&said));
    let after = content(&results);
    assert!(before.iter().all(|(name, bytes)| after.get(name) == Some(bytes)));
    let new: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    assert!(new.len() == 38 && new.iter().all(|name| name.ends_with(".json")), "{new:?}");
    // Once there is room, nothing has to be run again.
    let said = run_in(folder.path(), &more);
    assert!(out(&said).contains("0 runs made, 40 kept"), "{}", out(&said));
}
