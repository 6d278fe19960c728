//! What one run keeps and another must not believe: files of another scenario, profile, or other parameters of the
//! same protocol, and of another build.

use crate::command;

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use command::{assert_refused, code, complaint, json, out, refuses, run_in};
use serde_json::Value;

/// Two checks of one protocol that come to something else.
const PAIRS: [(&[&str], &[&str]); 5] = [
    (&["arq"], &["arq-erroneous"]),
    (&["two-phase-commit"], &["two-phase-commit-impatient"]),
    (
        &["diffusion-1", "--profile", "thesis", "--max-depth", "7", "--keep-going"],
        &["diffusion-1", "--max-depth", "7", "--keep-going"],
    ),
    (&["arq", "--set", "loss=off"], &["arq", "--set", "numbered=false"]),
    (&["aodv-1", "--max-depth", "7"], &["aodv-2", "--max-depth", "7"]),
];

/// What a check has found, without what depends on how.
fn found(folder: &Path, check: &[&str], more: &[&str]) -> Result<Value, String> {
    let output = run_in(folder, &[&["check"], check, &["--json"], more].concat());
    if code(&output) == 2 {
        assert_eq!(out(&output), "");
        return Err(complaint(&output));
    }
    let told = json(&output);
    let steps = told["counterexample"]["steps"].as_array().map(Vec::len);
    let fields = ["scenario", "profile", "verdict", "complete", "states_visited", "events"];
    let mut all: Vec<Value> = fields.iter().map(|field| told[field].clone()).collect();
    all.push(steps.into());
    Ok(all.into())
}

/// What was kept of the first check is refused by the second, or makes no difference to it.
fn holds_for_both_ways(keep: &[&str], reuse: &[&str]) {
    for (one, other) in PAIRS.iter().flat_map(|&(one, other)| [(one, other), (other, one)]) {
        let folder = tempfile::tempdir().unwrap();
        found(folder.path(), one, keep).unwrap();
        let kept = fs::read(folder.path().join("kept")).unwrap();
        let fresh = found(folder.path(), other, &[]).unwrap();
        match found(folder.path(), other, reuse) {
            Ok(told) => assert_eq!(told, fresh, "{other:?} with what was kept of {one:?}"),
            Err(words) => {
                assert!(words.contains("kept is a ") && words.contains("saved with"), "{words}");
                assert_eq!(fs::read(folder.path().join("kept")).unwrap(), kept);
            }
        }
        // It is of use to the first.
        let fresh = found(folder.path(), one, &[]).unwrap();
        if reuse.contains(&"--memo") || reuse.contains(&"--graph") {
            assert_eq!(found(folder.path(), one, reuse).unwrap(), fresh);
        }
    }
}

#[test]
fn a_memo_serves_no_other_scenario_profile_or_parameter() {
    holds_for_both_ways(&["--memo", "kept"], &["--memo", "kept"]);
}

#[test]
fn a_graph_serves_no_other_scenario_profile_or_parameter() {
    let graph = ["--graph", "kept"];
    holds_for_both_ways(&graph, &graph);
}

#[test]
fn a_search_is_resumed_under_no_other_scenario_profile_or_parameter() {
    let begun = ["--checkpoint", "kept", "--max-states", "20"];
    holds_for_both_ways(&begun, &["--resume", "kept"]);
}

#[test]
fn earlier_counterexamples_decide_nothing_about_another_scenario() {
    for (one, other) in
        [("arq-erroneous", "arq"), ("two-phase-commit-impatient", "two-phase-commit")]
    {
        let folder = tempfile::tempdir().unwrap();
        let earlier = ["--regressions", "earlier"];
        found(folder.path(), &[one], &earlier).unwrap();
        let fresh = found(folder.path(), &[other], &[]).unwrap();
        assert_eq!(found(folder.path(), &[other], &earlier).unwrap(), fresh);
        let output = run_in(folder.path(), &[&["check", other][..], &earlier].concat());
        assert!(
            out(&output).contains(&format!("it is a run of scenario `{one}`")),
            "{}",
            out(&output)
        );
    }
}

#[test]
fn what_another_profile_or_scenario_has_measured_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let simulate = |arguments: &[&str]| {
        let more = ["--replications", "2", "--duration", "5s", "--json"];
        let words = [&["simulate"], arguments, &more].concat();
        let kept = json(&run_in(folder.path(), &[&words[..], &["--out", "results"]].concat()));
        let fresh = json(&run_in(folder.path(), &[&words[..], &["--out", "anew"]].concat()));
        fs::remove_dir_all(folder.path().join("anew")).unwrap();
        assert_eq!(kept["points"], fresh["points"], "{arguments:?}");
        (kept["made"].as_u64().unwrap(), kept["not_used"]["other_settings"].as_u64().unwrap())
    };
    assert_eq!(simulate(&["arq"]), (2, 0));
    assert_eq!(simulate(&["arq"]), (0, 0), "all is there");
    assert_eq!(simulate(&["arq-erroneous"]), (2, 2));
    assert_eq!(simulate(&["arq", "--profile", "thesis"]), (2, 4));
    assert_eq!(simulate(&["arq", "--set", "loss=off"]), (2, 6));
    assert_eq!(simulate(&["arq"]), (0, 6), "and still is");
}

/// The same program with one byte more: another build.
fn other_build(folder: &Path) -> PathBuf {
    let program = folder.join("other-build");
    fs::copy(env!("CARGO_BIN_EXE_everypath"), &program).unwrap();
    File::options().append(true).open(&program).unwrap().write_all(&[0]).unwrap();
    program
}

#[test]
fn what_another_build_has_kept_is_reported_and_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let program = other_build(folder.path());
    let run = |words: &[&str]| -> Output {
        Command::new(&program).args(words).current_dir(folder.path()).output().unwrap()
    };
    let kept = ["--checkpoint", "search", "--max-states", "20"];
    run_in(folder.path(), &[&["check", "arq"][..], &kept].concat());
    assert_refused(
        &run(&["check", "arq", "--resume", "search"]),
        &["search was written by another build of this program", "start the search from scratch"],
    );
    // What the user has chosen comes first.
    assert_refused(
        &run(&["check", "arq", "--set", "loss=off", "--resume", "search"]),
        &["it was saved with parameter loss unlimited, but this run has off"],
    );

    // Nobody can compare what this one is configured with.
    let check = ["check", "distance-vector-triangle", "--max-depth", "5", "--json"];
    let check = [&check[..], &["--memo", "memo"]].concat();
    let fresh = json(&run_in(folder.path(), &check));
    let told = json(&run(&check));
    assert_eq!(told["states_visited"], fresh["states_visited"]);
    assert_eq!(told["memo"]["recalled"], fresh["memo"]["recalled"], "nothing of the other build");
    let told = json(&run(&check));
    assert_eq!(told["handler_executions"], 0, "it was started anew, and serves from now on");

    let simulate =
        ["simulate", "arq", "--duration", "5s", "--replications", "2", "--out", "results"];
    run_in(folder.path(), &simulate);
    let said = out(&run(&simulate));
    let first = "arq: 1 point, 2 runs made, 0 kept from before, seed 1\n";
    assert!(said.starts_with(first), "{said}");
    assert!(said.contains("\nnot used: 2 runs of another program in the folder\n"), "{said}");
    let said = out(&run(&simulate));
    assert!(said.starts_with("arq: 1 point, 0 runs made, 2 kept from before"), "{said}");
}

/// Without a name that the user has given it, a file is nobody's.
#[test]
fn a_memo_that_does_not_fit_is_renewed_where_that_is_asked_for() {
    refuses(&["check", "arq", "--renew-memo"], &["--memo <FILE>"]);
    let folder = tempfile::tempdir().unwrap();
    let renew = ["--memo", "kept", "--renew-memo"];
    let check = |scenario: &str| {
        let words = [&["check", scenario, "--json"][..], &renew].concat();
        json(&run_in(folder.path(), &words))
    };
    assert_eq!(check("arq")["memo"]["started_anew"], Value::Null);
    let told = check("arq-erroneous");
    let why = told["memo"]["started_anew"].as_str().unwrap();
    assert!(why.starts_with("kept is a memo of another protocol: it was saved with"), "{why}");
    assert_eq!(told["verdict"], "violated");
    assert_eq!(check("arq-erroneous")["handler_executions"], 0);
    let path = folder.path().join("kept");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let why = check("arq-erroneous")["memo"]["started_anew"].as_str().unwrap().to_owned();
    assert_eq!(why, "kept is not a whole memo: it was cut off");
    // What was never a memo is not replaced.
    fs::write(&path, "a letter").unwrap();
    let output = run_in(folder.path(), &[&["check", "arq"][..], &renew].concat());
    assert_refused(&output, &["kept is not a memo of Everypath"]);
    assert_eq!(fs::read(&path).unwrap(), b"a letter");
}

/// `watch` has made the file itself, so it looks after it.
#[test]
fn a_watch_renews_its_own_memo() {
    let folder = tempfile::tempdir().unwrap();
    // A scenario whose protocol does not say what it is configured with.
    let scenario = ["distance-vector-triangle", "--max-depth", "5"];
    let memo = "distance-vector-triangle.memo";
    let other = [&["check"][..], &scenario, &["--set", "loss=1", "--memo", memo]].concat();
    assert_eq!(code(&run_in(folder.path(), &other)), 0);
    let watch = |more: &[&str]| {
        let watch = [&["watch"][..], &scenario, &["--versions", "1"], more];
        run_in(folder.path(), &watch.concat())
    };
    let said = out(&watch(&[]));
    assert!(said.starts_with("version 1: holds"), "{said}");
    let why = format!(
        "  memo started from scratch: {memo} is a memo of another protocol: it was saved with parameter loss 1, but this run has off\n"
    );
    assert!(said.contains(&why), "{said}");
    // Three digits say how long it took.
    let (_, seconds) = said.split_once(" states in ").unwrap();
    let (seconds, _) = seconds.split_once(" s; ").unwrap();
    assert!(seconds.len() <= 5 && seconds.parse::<f64>().is_ok(), "{said}");
    assert!(!out(&watch(&[])).contains("started from scratch"), "it fits now");
    // One that the user has named is the user's.
    let said = out(&watch(&["--set", "loss=1", "--memo", memo]));
    assert!(said.starts_with("version 1: cannot be checked\n"), "{said}");
    assert!(said.contains("is a memo of another protocol"), "{said}");
}
