//! The plain engine beside the usual one; relations and ignored values that are tried.

use crate::command;
use crate::schema;

use command::{code, json, out, refuses, run};
use schema::assert_fits;
use serde_json::Value;

/// The result of `check`, which fits the schema.
fn check(arguments: &[&str]) -> Value {
    let found = json(&run(&[&["check"], arguments, &["--json"]].concat()));
    assert_fits("check.schema.json", &found);
    found
}

/// All bundled scenarios of networks. Drivers and subjects have no second engine.
fn scenarios() -> Vec<String> {
    let list = json(&run(&["list", "--json"]));
    let all = list["scenarios"].as_array().or(list.as_array()).expect("a list").iter();
    let names = all.map(|it| it["name"].as_str().expect("it has a name").to_owned());
    names.filter(|name| check(&[name, "--max-depth", "0"])["used"].is_object()).collect()
}

fn assert_agrees(arguments: &[&str]) {
    let found = check(&[arguments, &["--cross-check"]].concat());
    let engines = &found["cross_check"];
    assert_eq!(engines["agrees"], true, "{arguments:?}: {engines:#}");
    assert_eq!(engines["not_compared"], Value::Null, "{arguments:?}");
    assert!(engines["compared"].as_u64().unwrap() > 12, "{arguments:?}: {engines:#}");
}

#[test]
fn both_engines_agree_on_every_scenario() {
    let all = scenarios();
    assert!(all.len() > 20, "{all:?}");
    for name in &all {
        for profile in ["standard", "thesis"] {
            let depth = if name.starts_with("manet") { "2" } else { "4" };
            let base = [name, "--max-depth", depth, "--profile", profile, "--keep-going"];
            assert_agrees(&base);
        }
    }
}

/// The order of events decides what these find, in which order and after how many events.
#[test]
fn both_engines_agree_whatever_the_strategy() {
    let searches: [&[&str]; 9] = [
        &["--strategy", "dfs"],
        &["--strategy", "dfs", "--add", "current", "--shuffle", "5"],
        &["--strategy", "dfs-r"],
        &["--strategy", "best"],
        &["--strategy", "best", "--ties", "newest"],
        &["--strategy", "best", "--ties", "shuffled", "--seed", "3"],
        &["--strategy", "biased"],
        &["--strategy", "beam", "--width", "20"],
        &["--strategy", "walk", "--walks", "50"],
    ];
    for scenario in
        ["arq-erroneous", "two-phase-commit-impatient", "aodv-1", "distance-vector-plain"]
    {
        for search in searches {
            for profile in ["standard", "thesis"] {
                let base = [scenario, "--max-depth", "7", "--profile", profile];
                assert_agrees(&[&base[..], search].concat());
            }
        }
    }
}

#[test]
fn both_engines_agree_on_published_relations_and_conditions() {
    assert_agrees(&[
        "aodv-1",
        "--profile",
        "thesis",
        "--relation",
        "simulated",
        "--max-depth",
        "7",
        "--strategy",
        "dfs-r",
    ]);
    assert_agrees(&[
        "aodv-3",
        "--profile",
        "thesis",
        "--relation",
        "hashed",
        "--max-depth",
        "7",
        "--shuffle",
        "3",
    ]);
    assert_agrees(&[
        "arq",
        "--max-depth",
        "9",
        "--require",
        "lose@0",
        "--disable",
        "duplicate",
        "--set",
        "duplication=1",
    ]);
    assert_agrees(&["two-phase-commit", "--max-depth", "6", "--deadlock", "--keep-going"]);
}

#[test]
fn a_level_that_was_not_finished_is_not_compared() {
    let found = check(&["arq-erroneous", "--cross-check"]);
    assert_eq!(
        (&found["cross_check"]["agrees"], &found["verdict"]),
        (&true.into(), &"violated".into())
    );
    let omitted = found["cross_check"]["not_compared"].as_str().expect("something is not compared");
    assert!(omitted.starts_with("the counts of depth 8"), "{omitted}");
}

/// A plain check is a check: the same report, and a counterexample that `replay` reads.
#[test]
fn the_plain_engine_reports_like_the_usual_one() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("run.trace.json");
    let path = trace.to_str().unwrap();
    let usual = check(&["arq-erroneous", "--profile", "thesis", "--trace", path]);
    let plain =
        check(&["arq-erroneous", "--profile", "thesis", "--engine", "plain", "--trace", path]);
    for field in [
        "verdict",
        "states_visited",
        "events",
        "tree_events",
        "kinds",
        "counterexample",
        "states_per_depth",
        "violations",
    ] {
        // The plain engine does not play its runs with times.
        let mut usual = usual[field].clone();
        if field == "counterexample" {
            usual["lateness"] = Value::Null;
        }
        assert_eq!(plain[field], usual, "{field}");
    }
    assert_eq!((&plain["engine"], &usual["engine"]), (&"plain".into(), &"usual".into()));
    assert!(plain["handler_executions"].as_u64() > usual["handler_executions"].as_u64());
    let replayed = run(&["replay", path]);
    assert!(
        out(&replayed).contains("the sender is at most two packets ahead"),
        "{}",
        out(&replayed)
    );
}

#[test]
fn what_the_plain_engine_does_not_have_is_refused() {
    for (option, why) in [
        (&["--memo", "x.memo"][..], "executes every handler every time"),
        (&["--graph", "x.graph"], "executes every handler every time"),
        (&["--workers", "2"], "no parts that several threads could share"),
        (&["--store", "bitstate"], "compares whole states"),
        (&["--reduce", "obsolete"], "explores every state as it is"),
        (&["--checkpoint", "x.checkpoint"], "cannot be saved"),
        (&["--regressions", "x"], "no neighbourhoods of earlier runs"),
        (&["--verify-determinism"], "executes no handler twice"),
        (&["--trust-handlers"], "executes no handler twice"),
        (&["--verify-ignored"], "executes no handler twice"),
        (&["--cross-check"], "it runs both engines"),
        (&["--cut", "depth:2"], "only the usual engine can be divided"),
    ] {
        refuses(&[&["check", "arq", "--engine", "plain"], option].concat(), &[why]);
    }
    refuses(
        &["check", "arq", "--cross-check", "--max-states", "10"],
        &["would stop at different places"],
    );
    let relation = ["check", "two-phase-commit", "--engine", "plain", "--relation", "simulated"];
    refuses(&relation, &["only to repeat published experiments"]);
}

#[test]
fn a_relation_that_is_a_simulation_passes_and_another_is_named() {
    let sound = check(&[
        "two-phase-commit",
        "--relation",
        "simulated",
        "--verify-relation",
        "--max-depth",
        "9",
    ]);
    let trial = &sound["relation_trial"];
    assert_eq!((&trial["failure"], &sound["verdict"]), (&Value::Null, &"holds".into()));
    assert_eq!(trial["pairs_met"], trial["pairs_tried"]);
    assert!(trial["steps"].as_u64() > Some(100), "{trial}");
    let few = check(&[
        "two-phase-commit",
        "--relation",
        "simulated",
        "--verify-relation=7",
        "--max-depth",
        "9",
    ]);
    let (met, tried) = (&few["relation_trial"]["pairs_met"], &few["relation_trial"]["pairs_tried"]);
    assert_eq!(tried.as_u64().unwrap(), met.as_u64().unwrap().div_ceil(7));
    assert_eq!(few["states_visited"], sound["states_visited"]);
    // The published relation does not count equal packets.
    let published = [
        "check",
        "aodv-1",
        "--profile",
        "thesis",
        "--relation",
        "simulated",
        "--max-depth",
        "8",
        "--verify-relation",
    ];
    let told = run(&published);
    let text = out(&told);
    assert_eq!(code(&told), 3, "{text}");
    for words in [
        "is no simulation",
        "this state:",
        "is covered by this one:",
        "no step of the second matches",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn trying_what_is_not_there_is_refused() {
    refuses(&["check", "arq", "--verify-relation"], &["--relation equal"]);
    refuses(
        &["check", "two-phase-commit", "--relation", "simulated", "--verify-relation=0"],
        &["0"],
    );
    refuses(
        &["check", "arq", "--verify-ignored", "--memo", "x.memo"],
        &["not executed, and so not tried"],
    );
    refuses(&["check", "arq", "--verify-ignored", "--trust-handlers"], &["--trust-handlers"]);
}

#[test]
fn ignored_values_are_tried() {
    let found = check(&["arq", "--max-depth", "10", "--verify-ignored"]);
    assert!(found["ignored_trial"]["present"].is_boolean());
    let without = check(&["arq", "--max-depth", "10"]);
    assert_eq!(without["ignored_trial"], Value::Null);
    assert_eq!(without["events"], found["events"]);
}

#[test]
fn ties_are_taken_as_said() {
    let search = [
        "arq-erroneous",
        "--max-depth",
        "none",
        "--strategy",
        "best",
        "--ranking",
        "arq-1",
        "--max-states",
        "2000",
    ];
    let with = |more: &[&str]| check(&[&search[..], more].concat());
    let oldest = with(&["--ties", "oldest"]);
    assert_eq!((&oldest["verdict"], &oldest["events"]), (&"violated".into(), &24.into()));
    assert_eq!(with(&[])["events"], oldest["events"]);
    assert_eq!(oldest["options"]["ties"], "oldest");
    let newest = with(&["--ties", "newest"]);
    assert_eq!(
        (&newest["verdict"], &newest["ended"]),
        (&"inconclusive".into(), &"max-states".into())
    );
    let shuffled = |seed: &str| with(&["--ties", "shuffled", "--seed", seed])["events"].clone();
    assert_eq!(shuffled("1"), shuffled("1"));
    assert!((2..8).any(|seed: u32| shuffled(&seed.to_string()) != shuffled("1")));
    let published = check(&[
        "arq-erroneous",
        "--profile",
        "thesis",
        "--max-depth",
        "10",
        "--strategy",
        "best",
        "--ranking",
        "arq-1",
    ]);
    assert_eq!(published["options"]["ties"], "newest");
    refuses(&["check", "arq", "--ties", "newest"], &["--ties"]);
    refuses(
        &["check", "arq", "--strategy", "best", "--seed", "3"],
        &["draws nothing but with --ties shuffled"],
    );
}
