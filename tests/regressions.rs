//! Counterexamples in a folder are run again before anything is searched, and change nothing else.

use crate::command;
use crate::schema;

use std::{fs, path::Path};

use command::{assert_refused, code, complaint, json, out, refuses, run_in};
use schema::assert_fits;
use serde_json::{Value, json};
use tempfile::TempDir;

const FOLDER: [&str; 2] = ["--regressions", "earlier"];

/// What a check tells, without what depends on time and memory; and what it tells of earlier counterexamples.
fn told(folder: &Path, arguments: &[&str]) -> (Value, Value) {
    let output = run_in(folder, &[&["check", "--json"], arguments].concat());
    assert!(code(&output) < 2, "{}", complaint(&output));
    let mut told = json(&output);
    assert_fits("check.schema.json", &told);
    for differs in ["seconds", "bytes_per_state", "store"] {
        told[differs].take();
    }
    let regressions = told["regressions"].take();
    (told, regressions)
}

fn verdicts(regressions: &Value) -> Vec<&str> {
    let runs = regressions["runs"].as_array().unwrap();
    runs.iter().map(|run| run["verdict"].as_str().unwrap()).collect()
}

#[test]
fn a_counterexample_is_kept_once_and_found_again() {
    for scenario in ["arq-erroneous", "two-phase-commit-impatient", "diffusion-crossing"] {
        let folder = TempDir::new().unwrap();
        let with = [&[scenario], &FOLDER[..]].concat();
        let (without, none) = told(folder.path(), &[scenario]);
        assert!(none.is_null());
        let (first, regressions) = told(folder.path(), &with);
        assert_eq!(first, without, "an empty folder changes nothing");
        assert_eq!(regressions["added"].as_array().unwrap().len(), 1, "{regressions}");

        let (again, regressions) = told(folder.path(), &with);
        assert_eq!(again["verdict"], "violated");
        // The order of packets in a text is that in which a space has met them.
        let steps = |told: &Value| {
            let steps = told["counterexample"]["steps"].as_array().unwrap();
            steps.iter().map(|step| step["sentence"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(steps(&again), steps(&without));
        assert_eq!(
            (&regressions["found"]["by"], verdicts(&regressions)),
            (&json!("replay"), vec!["violated"])
        );
        assert_eq!(regressions["added"], json!([]), "it is there");
        assert_eq!(fs::read_dir(folder.path().join("earlier")).unwrap().count(), 1);
    }
    let folder = TempDir::new().unwrap();
    run_in(folder.path(), &[&["check", "arq-erroneous"], &FOLDER[..]].concat());
    let output = run_in(folder.path(), &[&["check", "arq-erroneous"], &FOLDER[..]].concat());
    assert_eq!(code(&output), 1);
    let text = out(&output);
    for words in [
        "again; there may be a shorter run",
        "\n  still violated by the-sender-is",
        "no search was needed",
    ] {
        assert!(text.contains(words), "`{words}` is not in {text}");
    }
}

/// Under other conditions the same counterexample cannot be run, or does not count; then the search finds
/// what it finds without.
#[test]
fn a_search_that_is_needed_finds_what_it_finds_without_the_folder() {
    let no_events = ["--neighbourhood", "0"];
    for (conditions, verdict) in [
        // It has 8 steps, one of which is a loss.
        (&["--max-depth", "7"][..], "parted"),
        (&["--disable", "lose", "--max-depth", "12"], "parted"),
        (&["--require", "lose:A1", "--max-depth", "12"], "holds"),
        (&["--set", "network=list"], "left-out"),
        (&["--strategy", "dfs", "--disable", "lose", "--max-depth", "9"], "parted"),
        (&["--strategy", "best", "--shuffle", "3", "--max-depth", "7"], "parted"),
        (&["--max-depth", "7", "--memo", "run.memo"], "parted"),
    ] {
        for events in [&[][..], &no_events] {
            let folder = TempDir::new().unwrap();
            told(folder.path(), &[&["arq-erroneous"], &FOLDER[..]].concat());
            let (without, _) = told(folder.path(), &[&["arq-erroneous"], conditions].concat());
            let with = [&["arq-erroneous"], conditions, &FOLDER[..], events].concat();
            let (mut with, regressions) = told(folder.path(), &with);
            assert_eq!(verdicts(&regressions), [verdict], "{conditions:?}: {regressions}");
            assert_eq!(with["verdict"], without["verdict"], "{conditions:?}");
            if regressions["found"].is_null() {
                if !with["memo"].is_null() {
                    with["memo"] = without["memo"].clone();
                    for field in ["handler_executions", "handler_executions_verified"] {
                        with[field] = without[field].clone();
                    }
                }
                assert_eq!(with, without, "{conditions:?}");
            }
        }
    }
}

#[test]
fn what_is_no_counterexample_of_this_check_is_reported() {
    let folder = TempDir::new().unwrap();
    let earlier = folder.path().join("earlier");
    told(folder.path(), &[&["arq-erroneous"], &FOLDER[..]].concat());
    let kept = fs::read_dir(&earlier).unwrap().next().unwrap().unwrap().path();
    let check =
        |scenario: &str| run_in(folder.path(), &[&["check", scenario], &FOLDER[..]].concat());

    fs::write(earlier.join("notes.txt"), "nothing to run").unwrap();
    let output = check("two-phase-commit");
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let text = out(&output);
    assert!(
        text.contains("\n1 earlier counterexample in earlier:\n  skipped, the-sender-is"),
        "{text}"
    );
    assert!(text.contains(": it is a run of scenario `arq-erroneous`\n"), "{text}");

    let whole = fs::read(&kept).unwrap();
    fs::write(&kept, &whole[..whole.len() / 2]).unwrap();
    assert_refused(
        &check("arq-erroneous"),
        &[
            "earlier/the-sender-is-at-most-two-packets-ahead",
            "is not a whole JSON file",
            "remove it from the folder",
        ],
    );
    assert_eq!(fs::read(&kept).unwrap().len(), whole.len() / 2, "it stays as it is");

    fs::write(folder.path().join("file"), "").unwrap();
    let output = run_in(folder.path(), &["check", "arq", "--regressions", "file"]);
    assert_refused(&output, &["cannot use the folder file"]);
    let output = run_in(folder.path(), &["check", "arq", "--regressions", "no/where"]);
    assert_refused(&output, &["--regressions", "no/where"]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (options, words) in [
        (&["--keep-going"][..], "--regressions cannot be combined with --keep-going"),
        (&["--each-assertion"], "--regressions cannot be combined with --each-assertion"),
        (&["--resume", "run"], "--regressions cannot be combined with --resume"),
        (&["--profile", "thesis"], "--regressions cannot be combined with --profile thesis"),
        (&["--strategy", "walk", "--max-depth", "none"], "a walk would never end"),
    ] {
        refuses(&[&["check", "arq"], &FOLDER[..], options].concat(), &[words]);
    }
    refuses(
        &["check", "arq", "--neighbourhood", "2"],
        &["--neighbourhood has no effect with no folder"],
    );
    let none = ["check", "arq", "--regressions", "none", "--keep-going", "--json"];
    let output = command::run(&none);
    assert_eq!(json(&output)["regressions"], Value::Null);
}
