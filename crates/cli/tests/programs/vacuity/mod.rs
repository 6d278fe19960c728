//! What a check that found nothing is worth: goals that may lie where nobody looked, and all that makes it say less than it
//! seems to.

mod scenarios;

use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

pub use self::scenarios::all as scenarios;
use crate::{Test, schema::assert_fits};

pub const TESTS: &[Test] = &[
    ("a_goal_may_lie_where_the_search_did_not_look", a_goal_may_lie_where_the_search_did_not_look),
    ("a_healthy_scenario_has_no_warnings", a_healthy_scenario_has_no_warnings),
    ("that_nothing_happens_is_in_the_first_line", that_nothing_happens_is_in_the_first_line),
    ("each_flaw_has_its_warning", each_flaw_has_its_warning),
    (
        "what_was_not_met_within_a_bound_is_reported_as_such",
        what_was_not_met_within_a_bound_is_reported_as_such,
    ),
    ("what_has_not_seen_enough_says_nothing", what_has_not_seen_enough_says_nothing),
];

/// Runs this program in an empty folder: its exit code and what it prints.
fn run(arguments: &[&str]) -> (i32, String) {
    let folder = TempDir::new().unwrap();
    let Output { status, stdout, stderr } = crate::run_in(folder.path(), arguments);
    let (out, error) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    (status.code().unwrap_or_else(|| panic!("{error}")), out)
}

/// Checks a scenario: its exit code, the text, and the JSON, which fits its schema and goes with the same exit code.
fn check(arguments: &[&str]) -> (i32, String, Value) {
    let (code, text) = run(&[&["check"], arguments].concat());
    let (json_code, out) = run(&[&["check", "--json"], arguments].concat());
    let told: Value = serde_json::from_str(&out).expect("the output is JSON");
    assert_fits("check.schema.json", &told);
    assert_eq!(json_code, code, "{text}{out}");
    (code, text, told)
}

fn a_goal_may_lie_where_the_search_did_not_look() {
    let (code, text, told) = check(&["counter"]);
    assert_eq!((code, &told["verdict"]), (0, &"holds".into()), "{text}");

    let (code, text, told) = check(&["counter", "--max-depth", "3"]);
    assert_eq!((code, &told["verdict"]), (3, &"inconclusive".into()), "{text}");
    assert_eq!(told["complete"], true);
    let bounded = "counter: INCONCLUSIVE: 1 goal not reached on any run of at most 3 events; longer runs were not explored (--max-depth)\n";
    assert!(text.starts_with(bounded), "{text}");
    assert!(text.contains("\nnot reached within the bound: as many as hoped arrive\n"), "{text}");
    let (code, text, _) = check(&["counter", "--max-depth", "5"]);
    assert_eq!(code, 0, "{text}");

    let (code, text, told) = check(&["counter", "--set", "pruned=3"]);
    assert_eq!((code, &told["verdict"]), (3, &"inconclusive".into()), "{text}");
    let behind = "counter: INCONCLUSIVE: 1 goal not reached on any run, but for what lies behind 1 pruned state\n";
    assert!(text.starts_with(behind), "{text}");
    assert!(text.contains("\nnot reached so far: as many as hoped arrive\n"), "{text}");

    let (code, text, told) = check(&["counter", "--set", "hoped=6"]);
    assert_eq!((code, &told["verdict"]), (1, &"violated".into()), "{text}");
    assert!(text.starts_with("counter: VIOLATED: 1 goal never reached on any run\n"), "{text}");
    let (code, text, _) = check(&["counter", "--set", "hoped=6", "--max-states", "2"]);
    assert_eq!(code, 3, "{text}");

    let (code, out) =
        run(&["compare", "counter", "--strategies", "bfs,dfs", "--max-depth", "3", "--json"]);
    let compared: Value = serde_json::from_str(&out).expect("the output is JSON");
    assert_fits("compare.schema.json", &compared);
    assert_eq!(code, 0, "{out}");
    for search in compared["searches"].as_array().unwrap() {
        assert_eq!((&search["inconclusive"], &search["stopped"]), (&1.into(), &0.into()), "{out}");
    }

    let (code, out) = run(&["watch", "counter", "--versions", "1", "--max-depth", "3"]);
    assert_eq!(code, 3, "{out}");
    let first = "version 1: inconclusive: a goal was not reached within the search\n";
    assert!(out.starts_with(first), "{out}");
}

/// What is told of a check, in JSON: kinds and names.
fn vacuity(told: &Value) -> Vec<(&str, Option<&str>)> {
    let all = told["vacuity"].as_array().expect("enough was seen to tell");
    all.iter().map(|it| (it["kind"].as_str().unwrap(), it["name"].as_str())).collect()
}

/// The warnings below the first line.
fn warnings(text: &str) -> Vec<&str> {
    text.lines().skip(1).map_while(|line| line.strip_prefix("warning: ")).collect()
}

/// With `--strict` it fails, and says the same.
fn assert_strict(arguments: &[&str], code: i32, text: &str) {
    let (strict_code, strict_text, told) = check(&[arguments, &["--strict"]].concat());
    assert_eq!((strict_code, &told["verdict"]), (code, &"holds".into()), "{strict_text}");
    let head = |text: &str| {
        text.lines().take_while(|it| !it.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(head(&strict_text), head(text));
}

fn a_healthy_scenario_has_no_warnings() {
    let (code, text, told) = check(&["talk"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(vacuity(&told), []);
    assert!(
        text.starts_with("talk: HOLDS in every reachable state; no run needs more than "),
        "{text}"
    );
    assert!(!text.contains("warning"), "{text}");
    assert!(
        told["assumptions"]["timers are slow"].as_u64().unwrap() > 0,
        "{}",
        told["assumptions"]
    );
    assert_strict(&["talk"], 0, &text);
}

fn that_nothing_happens_is_in_the_first_line() {
    let (code, text, told) = check(&["idle"]);
    assert_eq!(code, 0, "{text}");
    let first = "idle: HOLDS in every reachable state, but NOTHING EVER HAPPENS: no event is enabled in the initial state\n\
                 warning: there are commands, but `commands` offers none in any state\n";
    assert!(text.starts_with(first), "{text}");
    assert_eq!(vacuity(&told), [("nothing-happens", None), ("commands-not-offered", None)]);
    assert_strict(&["idle"], 4, &text);

    let (_, text, told) = check(&["counter", "--set", "pruned=0", "--set", "hoped=0"]);
    let first = "NOTHING EVER HAPPENS: the initial state is pruned (`enough have arrived`)\n";
    assert!(text.lines().next().unwrap().ends_with(first.trim_end()), "{text}");
    let reached = ("goal-reached-at-start", Some("as many as hoped arrive"));
    let pruned = ("initial-state-pruned", Some("enough have arrived"));
    assert_eq!(vacuity(&told), [("nothing-happens", None), pruned, reached]);

    let excluded = ["counter", "--set", "excluded=true", "--set", "hoped=0"];
    let (_, text, told) = check(&excluded);
    let first = "NOTHING EVER HAPPENS: every event in the initial state is excluded by an assumption (`nothing is possible`)\n";
    assert!(text.lines().next().unwrap().ends_with(first.trim_end()), "{text}");
    let excludes = ("assumption-excludes-everything", Some("nothing is possible"));
    assert_eq!(vacuity(&told), [("nothing-happens", None), excludes, reached]);
    assert_eq!(told["vacuity"][1]["count"], 1);
    assert_eq!(told["assumptions"]["nothing is possible"], 1);
    assert_strict(&excluded, 4, &text);

    let (code, out) = run(&["watch", "idle", "--versions", "1", "--strict"]);
    assert_eq!(code, 4, "{out}");
    assert!(out.starts_with("version 1: holds, but nothing ever happens\n"), "{out}");
}

fn each_flaw_has_its_warning() {
    let flaws: [(&str, &str, Option<&str>, &str); 8] = [
        (
            "assumption",
            "assumption-makes-no-difference",
            Some("anything goes"),
            "makes no difference: the assumption `anything goes`",
        ),
        (
            "pruning",
            "pruning-makes-no-difference",
            Some("enough"),
            "makes no difference: the pruning `enough`",
        ),
        (
            "assertion",
            "assertion-looks-at-nothing",
            Some("all is well"),
            "holds without looking at the world: the assertion `all is well`",
        ),
        (
            "goal",
            "goal-reached-at-start",
            Some("somebody is there"),
            "reached before anything happens: the goal `somebody is there`",
        ),
        (
            "endless",
            "no-run-ends",
            Some("it was asked"),
            "no run ends, so nothing was asked about ends: `it was asked`",
        ),
        ("mute", "message-never-sent", Some("Answer"), "messages never sent: `Answer`"),
        (
            "deaf",
            "message-never-delivered",
            Some("Answer"),
            "messages sent, but never delivered: `Answer`",
        ),
        ("patient", "events-never-enabled", Some("timer"), "events never enabled: `timer`"),
    ];
    for (flaw, kind, name, sentence) in flaws {
        let set = format!("flaw={flaw}");
        let (code, text, told) = check(&["talk", "--set", &set]);
        assert_eq!(code, 0, "{flaw}: {text}");
        assert!(vacuity(&told).contains(&(kind, name)), "{flaw}: {}", told["vacuity"]);
        assert!(warnings(&text).contains(&sentence), "{flaw}: {text}");
        assert_strict(&["talk", "--set", &set], 4, &text);
    }

    // Who says that it never ends is not told that it does not.
    let (_, text, told) = check(&["talk", "--set", "flaw=endless-by-saying"]);
    assert!(vacuity(&told).iter().all(|(kind, _)| *kind != "no-run-ends"), "{text}");

    let (_, text, told) = check(&["ticker"]);
    assert!(vacuity(&told).contains(&("only-initial-state", None)), "{text}");
    let sentence = "every event leads back to the initial state: no other was looked at";
    assert!(warnings(&text).contains(&sentence), "{text}");
}

fn what_was_not_met_within_a_bound_is_reported_as_such() {
    let (code, text, told) = check(&["talk", "--max-depth", "1"]);
    assert_eq!(code, 0, "{text}");
    let first = "talk: HOLDS on every run of at most 1 event; longer runs were not explored (--max-depth)\n";
    assert!(text.starts_with(first), "{text}");
    let sentence = "events never enabled within this bound: `deliver`, `timer`, `lose`";
    assert!(warnings(&text).contains(&sentence), "{text}");
    assert!(vacuity(&told).contains(&("events-never-enabled", Some("timer"))), "{text}");
}

fn what_has_not_seen_enough_says_nothing() {
    for options in [&["--max-states", "2"][..], &["--strategy", "walk", "--max-depth", "3"]] {
        let (code, text, told) = check(&[&["talk"], options].concat());
        assert_eq!(code, 3, "{text}");
        assert_eq!((&told["vacuity"], &told["assumptions"]), (&Value::Null, &Value::Null));
        assert_eq!(warnings(&text), [""; 0], "{text}");
    }
    // A graph knows the steps without asking the assumptions.
    let (_, _, told) = check(&["talk", "--set", "flaw=assumption", "--graph", "talk.graph"]);
    assert_eq!(told["assumptions"], Value::Null);
    assert!(vacuity(&told).iter().all(|(kind, _)| *kind != "assumption-makes-no-difference"));
}
