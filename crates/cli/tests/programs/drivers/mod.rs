//! Drivers on the command line: all commands that make sense, and the reasons why others do not.

mod subjects;

use std::{fs, path::Path, process::Output};

use serde_json::Value;
use tempfile::TempDir;

pub use self::subjects::all as drivers;
use crate::{Test, schema::assert_fits};

pub const TESTS: &[Test] = &[
    ("they_are_listed_and_shown", they_are_listed_and_shown),
    ("a_driver_that_holds", a_driver_that_holds),
    ("a_counterexample_is_calls_with_results", a_counterexample_is_calls_with_results),
    ("a_counterexample_is_replayed", a_counterexample_is_replayed),
    ("every_strategy_searches", every_strategy_searches),
    ("a_search_is_resumed", a_search_is_resumed),
    ("searches_are_compared", searches_are_compared),
    ("earlier_counterexamples_come_first", earlier_counterexamples_come_first),
    ("all_assertions_and_all_violations", all_assertions_and_all_violations),
    ("what_is_not_observed_is_found", what_is_not_observed_is_found),
    ("options_without_sense_are_refused", options_without_sense_are_refused),
    ("bad_drivers_are_refused", bad_drivers_are_refused),
    ("a_chart_is_drawn", a_chart_is_drawn),
];

/// Runs this program: its exit code, what it prints and its errors.
pub fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = crate::run_in(folder, arguments);
    let (out, error) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    // Errors are wrapped at the width of a terminal.
    let unwrapped = error.lines().map(|line| line.trim_start_matches([' ', '│', '×']).trim());
    let unwrapped = unwrapped.collect::<Vec<_>>().join(" ");
    (status.code().unwrap_or_else(|| panic!("{error}")), out, unwrapped)
}

pub fn run(arguments: &[&str]) -> (i32, String) {
    let (code, out, error) = run_in(TempDir::new().unwrap().path(), arguments);
    (code, out + &error)
}

/// The JSON of a check, which fits its schema.
pub fn json(arguments: &[&str]) -> (i32, Value) {
    let (code, out) = run(&[&["check", "--json"], arguments].concat());
    let told: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}"));
    assert_fits("check.schema.json", &told);
    (code, told)
}

pub fn assert_has(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in\n{text}"));
}

fn they_are_listed_and_shown() {
    let (code, text) = run(&["list"]);
    assert_eq!(code, 0);
    assert_has(&text, &["bounded-stack", "a stack of a few numbers"]);
    let (_, text) = run(&["show", "bounded-stack", "--set", "most=2"]);
    assert_has(
        &text,
        &[
            "calls       3 calls in each state\nbound       none\n",
            "most = 3 (now 2)",
            "push(1) to push(2): 2 calls, where its guard holds",
            "pop(), compared with the reference",
            "Assertions\n  not too many\n  results agree with the reference",
        ],
    );
    let (_, text) = run(&["show", "bounded-stack", "--json"]);
    let shown: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(shown["driver"], "bounded-stack");
    assert_eq!(shown["calls"][0]["arguments"], serde_json::json!(["1", "2"]));
}

fn a_driver_that_holds() {
    let (code, text) = run(&["check", "bounded-stack", "--stats"]);
    assert_eq!(code, 0, "{text}");
    assert_has(
        &text,
        &[
            "bounded-stack: HOLDS in every reachable state; no run needs more than 4 events\n",
            "states    15 visited, 0 waiting; depth 4 reached\n",
            "events    29, of which 0 unsafe",
            "calls     29 executions; all verified",
            "push                     14                   7\n",
            "pop                      15                  15\n",
        ],
    );
    let (code, told) = json(&["bounded-stack", "--max-depth", "2"]);
    assert_eq!((code, &told["ended"], &told["used"]), (0, &"depth".into(), &Value::Null));
    assert_eq!(told["states_per_depth"], serde_json::json!([1, 2, 4]));
    let (code, text) = run(&["check", "bounded-stack", "--strict"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(&["check", "bounded-stack", "--max-states", "3"]);
    assert_eq!(code, 3, "{text}");
    // The call that is not made was offered; the warning is about what never happened.
    let (code, text) = run(&["check", "bounded-stack", "--disable", "push"]);
    assert_eq!(code, 0, "{text}");
    assert_has(&text, &["events never enabled: `push`"]);
    let (code, text) = run(&["check", "dead-end", "--deadlock"]);
    assert_eq!(code, 1, "{text}");
    assert_has(&text, &["VIOLATED in 3 steps", "broken: something can always happen"]);
}

fn a_counterexample_is_calls_with_results() {
    let (code, text) = run(&["check", "forgetful-queue", "--as-test"]);
    assert_eq!(code, 1, "{text}");
    assert_has(
        &text,
        &[
            "forgetful-queue: VIOLATED in 4 steps, the fewest possible\n",
            " 1  push(1)\n        state: [0]: added 1\n        reference: [0]: added 1\n",
            " 4  pop() -> Some(",
            "broken: results agree with the reference",
            "`pop()` returned Some(2), and the reference Some(1)",
            "fn results_agree_with_the_reference() {\n    everypath::testing::replay_driver(forgetful_queue)\n        .calls([\n            \"push(1)\",\n",
            "        .assert_violates(\"results agree with the reference\");",
            "fn results_agree_with_the_reference_in_plain_calls() {\n    let mut value = Queue::new();\n    value.push(1);\n",
            "    assert_eq!(value.pop(), Some(1));\n",
        ],
    );
    let (code, told) = json(&["forgetful-queue", "--as-test"]);
    let found = &told["counterexample"];
    assert_eq!((code, found["steps"].as_array().unwrap().len()), (1, 4));
    assert_eq!(found["steps"][3]["result"], "Some(2)");
    assert_eq!(found["steps"][0]["kind"], "push");
    let (code, text) = run(&["check", "panicking"]);
    assert_eq!(code, 1);
    assert_has(&text, &["2  divide(0) -> panic", "broken: no call panics", "divide by zero"]);
}

fn a_counterexample_is_replayed() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    for driver in ["forgetful-queue", "panicking"] {
        let (code, text, _) = run(&["check", driver]);
        assert_eq!(code, 1);
        assert_has(&text, &["run it again: "]);
        let file = format!("{driver}.trace.json");
        let (code, text, error) = run(&["replay", &file, "--as-test", "--show-states"]);
        assert_eq!(code, 1, "{error}");
        assert_has(&text, &["every state as recorded", "broken, as recorded: ", "replay_driver("]);
    }
    let (code, text, _) = run(&["replay", "panicking.trace.json", "--json"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &told["used"], &told["verdict"]), (1, &Value::Null, &"violated".into()));
    let (code, _, error) = run(&["simulate", "--replay", "panicking.trace.json"]);
    assert_eq!(code, 2);
    assert_has(&error, &["is a driver of calls"]);
}

fn every_strategy_searches() {
    for strategy in ["bfs", "dfs", "dfs-r", "deepening"] {
        let arguments = ["bounded-stack", "--strategy", strategy, "--max-depth", "9"];
        let (code, told) = json(&arguments);
        assert_eq!((code, &told["states_visited"]), (0, &15.into()), "{strategy}");
        let (code, told) = json(&["forgetful-queue", "--strategy", strategy]);
        assert_eq!(code, 1, "{strategy}");
        let steps = told["counterexample"]["steps"].as_array().unwrap().len();
        assert!((4..=5).contains(&steps), "{strategy}: {steps}");
    }
    let (code, told) = json(&["forgetful-queue", "--strategy", "walk", "--walks", "500"]);
    assert_eq!((code, &told["verdict"]), (1, &"violated".into()));
    for store in ["fingerprint", "bitstate"] {
        let (_, told) = json(&["bounded-stack", "--store", store]);
        assert_eq!(told["states_visited"], 15, "{store}");
    }
    let (_, told) = json(&["bounded-stack", "--workers", "2"]);
    assert_eq!(told["states_visited"], 15);
    let (code, text) = run(&["check", "bounded-stack", "--strategy", "best"]);
    assert_eq!(code, 2);
    assert_has(&text, &["these states have no parts"]);
}

fn a_search_is_resumed() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let (whole, expected, _) = run(&["check", "bounded-stack", "--set", "most=8", "--json"]);
    assert_eq!(whole, 0);
    let begin = ["check", "bounded-stack", "--set", "most=8", "--checkpoint", "saved"];
    let (code, text, _) = run(&[&begin[..], &["--max-states", "100"]].concat());
    assert_eq!(code, 3);
    assert_has(&text, &["saved in saved"]);
    let (code, text, error) = run(&[&begin[..4], &["--resume", "saved", "--json"]].concat());
    assert_eq!(code, 0, "{error}");
    let [told, expected]: [Value; 2] =
        [text, expected].map(|it| serde_json::from_str(&it).unwrap());
    for count in ["states_visited", "events", "handler_executions", "states_per_depth"] {
        assert_eq!(told[count], expected[count], "{count}");
    }
    let (code, _, error) = run(&["check", "bounded-stack", "--resume", "saved"]);
    assert_eq!(code, 2);
    assert_has(&error, &["parameter most"]);
}

fn searches_are_compared() {
    let (code, text) = run(&["compare", "forgetful-queue", "--strategies", "bfs,dfs,walk"]);
    assert_eq!(code, 0, "{text}");
    assert_has(&text, &["bfs", "dfs", "walk"]);
    let (code, text) = run(&["compare", "forgetful-queue", "--strategies", "bfs", "--json"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_fits("compare.schema.json", &told);
    assert_eq!(code, 0);
    let (code, text) =
        run(&["compare", "bounded-stack", "--strategies", "bfs", "--require", "push"]);
    assert_eq!(code, 2);
    assert_has(&text, &["--require is not for drivers"]);
}

fn earlier_counterexamples_come_first() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let check = ["check", "forgetful-queue", "--regressions", "kept"];
    assert_eq!(run(&check).0, 1);
    assert_eq!(fs::read_dir(folder.path().join("kept")).unwrap().count(), 1);
    let (code, text, _) = run(&check);
    assert_eq!(code, 1);
    assert_has(&text, &["no search was needed"]);
}

fn all_assertions_and_all_violations() {
    let (code, told) = json(&["forgetful-queue", "--keep-going", "--max-depth", "6"]);
    assert_eq!(code, 1);
    assert!(told["violations"]["results agree with the reference"].as_u64().unwrap() > 1);
    let (code, told) = json(&["two-errors", "--each-assertion"]);
    assert_eq!((code, told["counterexamples"].as_array().unwrap().len()), (1, 2));
}

fn what_is_not_observed_is_found() {
    assert_eq!(run(&["check", "hidden-order"]).0, 0);
    let (code, text) = run(&["check", "hidden-order", "--verify-determinism"]);
    assert_eq!(code, 2, "{text}");
    assert_has(&text, &["the same is observed after `touch(1); touch(2)` and after `touch(2);"]);
    let (code, text) = run(&["check", "bounded-stack", "--verify-determinism"]);
    assert_eq!(code, 0, "{text}");
    assert_has(&text, &["all verified"]);
    assert_has(&run(&["check", "bounded-stack", "--trust-handlers"]).1, &["none verified"]);
    let (code, text) = run(&["check", "drawing"]);
    assert_eq!(code, 1);
    assert_has(&text, &["broken: calls are deterministic"]);
}

fn options_without_sense_are_refused() {
    for (options, why) in [
        (&["--memo", "m"][..], "--memo is not for drivers: it keeps what handlers"),
        (&["--graph", "g"], "--graph is not for drivers"),
        (&["--reduce", "ranks"], "--reduce is not for drivers: reductions are about packets"),
        (&["--require", "push"], "--require is not for drivers: a state does not remember"),
        (&["--from-simulation", "1s"], "--from-simulation is not for drivers"),
        (&["--profile", "thesis"], "--profile is not for drivers"),
        (&["--cut", "depth:1"], "is not for drivers: its states are values"),
        (&["--relation", "simulated"], "there is no relation `simulated`"),
    ] {
        let (code, text) = run(&[&["check", "bounded-stack"], options].concat());
        assert_eq!(code, 2, "{options:?}: {text}");
        assert_has(&text, &[why]);
    }
    let (code, text) = run(&["simulate", "bounded-stack"]);
    assert_eq!(code, 2);
    assert_has(
        &text,
        &[
            "`bounded-stack` is a driver of calls: it has no network, no time",
            "`check bounded-stack` makes every sequence of its calls",
        ],
    );
}

fn bad_drivers_are_refused() {
    for (driver, why) in [
        (
            "no-values",
            "driver `no-values` cannot be explored: the call `add` has no argument values",
        ),
        ("too-many", "1000001 calls would be tried in each state"),
        ("no-start", "the constructor panicked"),
        ("bad-reference", "the reference panicked in `remove(0)`"),
        ("unordered", "two new values differ in their observation"),
    ] {
        let (code, text) = run(&["check", driver]);
        assert_eq!(code, 2, "{driver}: {text}");
        assert_has(&text, &[why]);
    }
    // They do not keep others from being listed.
    assert_eq!(run(&["list"]).0, 0);
}

fn a_chart_is_drawn() {
    let folder = TempDir::new().unwrap();
    let charts = ["--chart", "run.html", "--chart", "run.svg", "--chart", "run.mmd"];
    let (code, _, error) =
        run_in(folder.path(), &[&["check", "forgetful-queue"], &charts[..]].concat());
    assert_eq!(code, 1, "{error}");
    for file in ["run.html", "run.svg", "run.mmd"] {
        assert!(fs::read_to_string(folder.path().join(file)).unwrap().contains("push(1)"));
    }
}
