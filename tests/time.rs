//! Time in a check: lateness, timers in order, and counted time.

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{code, complaint, json, out, refuses, run, run_in};

/// The lateness of the first counterexample, in nanoseconds.
fn largest(found: &Value) -> u64 {
    let seconds = found["counterexample"]["lateness"]["largest_seconds"].as_f64();
    (seconds.expect("it is known") * 1e9).round() as u64
}

#[test]
fn a_counterexample_says_how_late_something_must_be() {
    let found = json(&run(&["check", "arq-erroneous", "--json"]));
    let late = largest(&found);
    // Played as early as can be, one packet is 1801 µs late; two that share that suffice.
    assert_eq!(late.div_ceil(1000), 901, "{late}");
    let lateness = &found["counterexample"]["lateness"];
    let steps = lateness["step_seconds"].as_array().unwrap();
    assert_eq!(steps.len(), found["counterexample"]["steps"].as_array().unwrap().len());
    let most = steps.iter().map(|late| late.as_f64().unwrap()).fold(0.0, f64::max);
    assert!((most * 1e9 - late as f64).abs() < 2.0, "{most}");
    let folder = TempDir::new().unwrap();
    let output = run_in(folder.path(), &["check", "arq-erroneous", "--chart", "run.html"]);
    let text = out(&output);
    assert_eq!(text.matches("µs late]").count(), 2, "{text}");
    assert!(text.contains("\nlate: something by at least 900"), "{text}");
    let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
    assert!(page.contains("µs late]"), "the page lists the steps");
}

#[test]
fn a_bound_on_lateness_discards_what_needs_more() {
    let late = largest(&json(&run(&["check", "arq-erroneous", "--json"])));
    let within = format!("{late}ns");
    let output = run(&["check", "arq-erroneous", "--max-late", &within]);
    assert_eq!(code(&output), 1, "{}", complaint(&output));
    let below = format!("{}ns", late - 1);
    let output = run(&["check", "arq-erroneous", "--max-late", &below]);
    assert_eq!(code(&output), 3);
    let text = out(&output);
    let verdict = "arq-erroneous: INCONCLUSIVE: 1 counterexample needs more lateness than 900";
    assert!(text.starts_with(verdict), "{text}");
    assert!(!text.contains("HOLDS") && !text.contains("broken:"), "{text}");
    let found = json(&run(&["check", "arq-erroneous", "--max-late", &below, "--json"]));
    assert_eq!(found["verdict"], "inconclusive");
    assert_eq!((&found["too_late"], &found["counterexample"]), (&1.into(), &Value::Null));
    // Where nothing is found, nothing is discarded.
    let output = run(&["check", "arq", "--max-depth", "8", "--max-late", "0s"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
}

#[test]
fn ordered_timers_are_the_same_in_both_engines() {
    let check = ["check", "aodv-1", "--max-depth", "7", "--timers", "ordered", "--cross-check"];
    let output = run(&check);
    assert_eq!(code(&output), 0, "{}{}", out(&output), complaint(&output));
    let text = out(&output);
    assert!(text.contains("if timers of a node fire in the order of their durations"), "{text}");
    let states = |timers| {
        let found = run(&["check", "aodv-1", "--max-depth", "7", "--timers", timers, "--json"]);
        json(&found)["states_visited"].as_u64().unwrap()
    };
    assert!(states("ordered") <= states("any"));
}

#[test]
fn what_does_not_go_with_time_is_refused() {
    refuses(&["check", "arq", "--timed"], &["links have a bandwidth", "packet_time"]);
    refuses(&["check", "arq", "--timed", "--memo", "x.memo"], &["--memo", "--timed"]);
    refuses(&["check", "arq", "--timed", "--checkpoint", "x"], &["--checkpoint", "--timed"]);
    refuses(&["check", "arq", "--timed", "--max-late", "1s"], &["cannot be used with"]);
    refuses(&["check", "arq", "--time-unit", "1s"], &["--timed"]);
    refuses(&["check", "arq", "--engine", "plain", "--max-late", "1s"], &["--max-late"]);
    refuses(&["check", "arq", "--cut", "depth:3", "--max-late", "1s"], &["--max-late"]);
    let replayed = ["check", "arq", "--regressions", "x", "--max-late", "1s"];
    refuses(&replayed, &["--regressions", "--max-late", "before anything is searched"]);
    let disabled = ["check", "aodv-1", "--timers", "ordered", "--disable", "timer@0"];
    refuses(&disabled, &["a timer that is disabled stays set", "any order"]);
    for kept in ["--memo", "--graph", "--checkpoint", "--resume", "--regressions"] {
        let words = [kept, "--timers ordered", "for how long timers were set"];
        refuses(&["check", "arq", "--timers", "ordered", kept, "x"], &words);
    }
    let start = ["check", "arq", "--timers", "ordered", "--from-simulation", "1s"];
    refuses(&start, &["the start in a simulated run", "any order"]);
}
