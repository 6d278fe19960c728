//! Mistakes of a user in data, handlers and closures, as the command line tells them: none becomes a verdict, and none
//! loses one.

mod scenarios;

use std::{path::Path, process::Output};

use serde_json::Value;
use tempfile::TempDir;

pub use self::scenarios::all as scenarios;
use crate::{Test, schema::assert_fits};

pub const TESTS: &[Test] = &[
    ("what_was_verified_is_said", what_was_verified_is_said),
    ("what_serialisation_loses_is_refused", what_serialisation_loses_is_refused),
    (
        "an_assertion_that_changes_its_mind_is_refused",
        an_assertion_that_changes_its_mind_is_refused,
    ),
    (
        "a_debug_that_panics_does_not_lose_the_verdict",
        a_debug_that_panics_does_not_lose_the_verdict,
    ),
    (
        "a_handler_that_does_two_things_is_found_and_replayed",
        a_handler_that_does_two_things_is_found_and_replayed,
    ),
    ("a_search_that_is_refused_midway_says_why", a_search_that_is_refused_midway_says_why),
    ("a_closure_that_panics_is_named", a_closure_that_panics_is_named),
];

/// Runs this program: its exit code, what it prints, and what it complains about.
fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = crate::run_in(folder, arguments);
    let (out, error) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    // In one line, without what draws a frame around it.
    let error = error.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    (status.code().unwrap_or_else(|| panic!("{error}")), out, error)
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(TempDir::new().unwrap().path(), arguments)
}

fn json(arguments: &[&str]) -> Value {
    let (_, out, error) = run(&[&["check", "--json"], arguments].concat());
    let told: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}"));
    assert_fits("check.schema.json", &told);
    told
}

fn assert_says(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "`{words}` is not in: {text}");
    }
}

fn what_was_verified_is_said() {
    let handlers = |arguments: &[&str]| {
        let (code, text, error) = run(&[&["check", "flawless"], arguments].concat());
        assert_eq!(code, 0, "{text}{error}");
        let told = json(&[&["flawless"], arguments].concat());
        let line = text.lines().find(|line| line.starts_with("handlers ")).unwrap().to_owned();
        (line, told["handler_executions"].clone(), told["handler_executions_verified"].clone())
    };
    let (line, executed, verified) = handlers(&[]);
    assert!(line.ends_with("; all verified"), "{line}");
    assert_eq!(executed, verified);
    let (all_line, ..) = handlers(&["--verify-determinism"]);
    assert_eq!(all_line, line);
    let (line, same, verified) = handlers(&["--trust-handlers"]);
    assert!(line.ends_with("; none verified (--trust-handlers)"), "{line}");
    assert_eq!((same, verified), (executed, 0.into()));
    let (code, ..) = run(&["check", "flawless", "--trust-handlers", "--verify-determinism"]);
    assert_eq!(code, 2, "one or the other");
}

fn what_serialisation_loses_is_refused() {
    for options in [&[][..], &["--memo", "m"], &["--store", "fingerprint"], &["--trust-handlers"]] {
        let (code, out, error) = run(&[&["check", "forgets"], options].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{error}");
        assert_says(
            &error,
            &[
                "a state of n0, a `programs::flaws::scenarios::Half`, differs when it is read back",
                "Half { written: 0, kept: 1 } becomes Half { written: 0, kept: 0 }",
                "no violation was found by then",
            ],
        );
    }
}

fn an_assertion_that_changes_its_mind_is_refused() {
    let (code, out, error) = run(&["check", "moody"]);
    assert_eq!((code, out.as_str()), (2, ""), "{error}");
    assert_says(&error, &["the assertion `the mood is good` answers differently when it is asked"]);
    let (code, ..) = run(&["check", "moody", "--trust-handlers", "--keep-going"]);
    assert_eq!(code, 1, "it is believed");
}

fn a_debug_that_panics_does_not_lose_the_verdict() {
    let folder = TempDir::new().unwrap();
    let (code, out, error) = run_in(folder.path(), &["check", "shy", "--show-states"]);
    assert_eq!(code, 1, "{out}{error}");
    assert_says(
        &out,
        &[
            "VIOLATED in 2 steps",
            "<Debug of programs::flaws::scenarios::Shy panicked: do not look>",
        ],
    );
    assert_says(&out, &["Shy(2)", "broken: less than two"]);
    let (code, out, error) = run_in(folder.path(), &["replay", "shy.trace.json"]);
    assert_eq!(code, 1, "{out}{error}");
    assert_eq!(json(&["shy"])["verdict"], "violated");
}

fn a_handler_that_does_two_things_is_found_and_replayed() {
    let folder = TempDir::new().unwrap();
    let (code, out, error) = run_in(folder.path(), &["check", "leaky"]);
    assert_eq!(code, 1, "{out}{error}");
    assert_says(
        &out,
        &[
            "VIOLATED in 1 step",
            "broken: handlers are deterministic",
            "two executions on the same input end in different states: 1 and 2",
        ],
    );
    let (code, out, error) = run_in(folder.path(), &["replay", "leaky.trace.json"]);
    assert_eq!(code, 1, "{out}{error}");
    assert_says(&out, &["broken, as recorded: handlers are deterministic"]);
    let (code, out, error) = run(&["check", "leaky", "--trust-handlers"]);
    assert_eq!(code, 0, "{out}{error}");
}

fn a_search_that_is_refused_midway_says_why() {
    let why = "the relation `simulated` would be unsound here: the assertion `few packets` reads the packets in flight";
    let options = ["--relation", "simulated", "--keep-going"];
    let (code, out, error) = run(&[&["check", "late-reader"], &options[..]].concat());
    assert_eq!(code, 1, "{out}{error}");
    assert_says(&out, &["VIOLATED in 1 step", "stopped before the end, since", why]);
    assert!(!out.contains("stopped by nothing"), "{out}");
    let told = json(&[&["late-reader"], &options[..]].concat());
    assert_eq!(told["ended"], "refused");
    assert_says(told["refused_because"].as_str().unwrap(), &[why]);
    assert_eq!(json(&["late-reader"])["refused_because"], Value::Null);
}

fn a_closure_that_panics_is_named() {
    for part in ["canonical", "timer_order", "early_timers"] {
        let set = format!("part={part}");
        let arguments = ["check", "careless", "--set", &set, "--relation", "simulated"];
        let (code, out, error) = run(&arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{error}");
        assert_says(&error, &[&format!("scenario `careless`: `{part}` panicked: no idea, at")]);
    }
}
