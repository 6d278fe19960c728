//! `check` with other searches than the usual one: what they find, what they promise, and which
//! combinations are refused.

use crate::command;
use crate::schema;

use command::{code, json, out, refuses, run, run_in};
use schema::assert_fits;
use serde_json::Value;
use tempfile::TempDir;

const AHEAD: &str = "the sender is at most two packets ahead of the receiver";

/// Every strategy that visits all states within the bound, and every way to do so.
const COMPLETE: [&[&str]; 13] = [
    &[],
    &["--add", "current"],
    &["--shuffle", "5"],
    &["--store", "fingerprint"],
    &["--strategy", "dfs"],
    &["--strategy", "dfs", "--add", "current"],
    &["--strategy", "dfs", "--store", "fingerprint"],
    &["--strategy", "dfs-r"],
    &["--strategy", "best"],
    &["--strategy", "best", "--ranking", "arq-1,novelty", "--add", "current"],
    &["--strategy", "biased", "--seed", "7"],
    &["--strategy", "deepening"],
    &["--strategy", "beam", "--width", "1000"],
];

/// The bundled scenarios, right and wrong, to a depth at which each strategy is quick.
const SCENARIOS: [(&[&str], usize); 6] = [
    (&["arq", "--max-depth", "14"], 0),
    (&["arq", "--set", "network=unordered", "--max-depth", "9"], 5),
    (&["arq-erroneous", "--max-depth", "14"], 8),
    (&["arq-erroneous", "--set", "network=list", "--max-depth", "11"], 8),
    (&["two-phase-commit", "--max-depth", "8"], 0),
    (&["two-phase-commit-impatient", "--max-depth", "7"], 3),
];

/// Ways to leave states out.
const INCOMPLETE: [&[&str]; 3] =
    [&["--strategy", "beam", "--width", "5"], &["--strategy", "walk"], &["--store", "bitstate"]];

/// The result of `check`, which fits the schema.
fn check(arguments: &[&str]) -> Value {
    let found = json(&run(&[&["check"], arguments, &["--json"]].concat()));
    assert_fits("check.schema.json", &found);
    found
}

fn without_times(mut found: Value) -> Value {
    let fields = found.as_object_mut().unwrap();
    for field in ["seconds", "timings"] {
        assert!(fields.remove(field).is_some(), "there is a field {field}");
    }
    found
}

#[test]
fn every_strategy_finds_the_error() {
    let strategies = ["bfs", "dfs", "dfs-r", "best", "biased", "beam", "deepening", "walk"];
    for strategy in strategies {
        let output = run(&["check", "arq-erroneous", "--strategy", strategy, "--json"]);
        assert_eq!(code(&output), 1, "{strategy}");
        let found = json(&output);
        assert_fits("check.schema.json", &found);
        assert_eq!(found["strategy"], strategy);
        assert_eq!(found["verdict"], "violated");
        assert_eq!(found["ended"], "violation");
        assert_eq!(found["violations"][AHEAD], 1, "{strategy}");
        assert_eq!(found["counterexamples"], serde_json::json!([found["counterexample"]]));
        let steps = found["counterexample"]["steps"].as_array().unwrap().len();
        let steps_found = found["counterexample"]["steps_found"].as_u64().unwrap() as usize;
        assert!((8..=steps_found).contains(&steps), "{strategy}: {steps} of {steps_found}");
        if ["bfs", "deepening"].contains(&strategy) {
            assert_eq!((steps, steps_found), (8, 8), "{strategy}");
        }
    }
}

#[test]
fn complete_searches_agree_on_the_states() {
    for search in COMPLETE {
        let output = run(&[&["check", "arq", "--max-depth", "14", "--json"], search].concat());
        assert_eq!(code(&output), 0, "{search:?}");
        let found = json(&output);
        assert_fits("check.schema.json", &found);
        assert_eq!(found["states_visited"], 321, "{search:?}");
        assert_eq!((&found["complete"], &found["verdict"]), (&true.into(), &"holds".into()));
        assert_eq!(
            (&found["incomplete_because"], &found["ended"]),
            (&Value::Null, &"depth".into())
        );
        let sum: u64 =
            found["states_per_depth"].as_array().unwrap().iter().flat_map(Value::as_u64).sum();
        assert_eq!(sum, 321, "{search:?}");
    }
}

/// A limit on states ends a search before it has expanded the next state, whatever the strategy.
#[test]
fn a_limit_on_states_is_kept() {
    for strategy in ["bfs", "dfs", "dfs-r", "best", "biased", "beam", "deepening"] {
        let found = check(&["arq", "--strategy", strategy, "--max-states", "100"]);
        assert_eq!(found["ended"], "max-states", "{strategy}");
        let states = found["states_visited"].as_u64().unwrap();
        // A state has a few successors; breadth-first search expands some states at once.
        let most = if strategy == "bfs" { 200 } else { 110 };
        assert!((100..most).contains(&states), "{strategy}: {states}");
    }
}

/// What decides a search is in its result.
#[test]
fn the_options_of_a_search_are_printed() {
    let options = |arguments: &[&str]| check(&[&["arq"], arguments].concat())["options"].clone();
    let plain = options(&[]);
    let set = |changes: &[(&str, Value)]| {
        let mut expected = plain.clone();
        for (field, value) in changes {
            expected[field] = value.clone();
        }
        expected
    };
    assert_eq!((&plain["ranking"], &plain["seed"]), (&Value::Null, &Value::Null));
    assert_eq!(plain["disable"], serde_json::json!([]));
    let named = serde_json::json!(["arq-1", "novelty"]);
    let best = ["--strategy", "best", "--ranking", "arq-1,novelty", "--shuffle", "7"];
    assert_eq!(
        options(&best),
        set(&[("ranking", named), ("ties", "oldest".into()), ("shuffle", 7.into())])
    );
    let walk = ["--strategy", "walk", "--walks", "5"];
    assert_eq!(options(&walk), set(&[("walks", 5.into()), ("seed", 1.into())]));
    let novelty = serde_json::json!(["novelty"]);
    let beam = [("width", 1000.into()), ("ranking", novelty), ("ties", "oldest".into())];
    assert_eq!(options(&["--strategy", "beam"]), set(&beam));
    let sought = ["--require", "lose", "--disable", "timer", "--deadlock", "--keep-going"];
    let expected = [
        ("require", "lose".into()),
        ("disable", serde_json::json!(["timer"])),
        ("deadlock", true.into()),
        ("keep_going", true.into()),
    ];
    assert_eq!(options(&sought), set(&expected));
    let checks = ["--each-assertion", "--verify-determinism"];
    let expected = [("each_assertion", true.into()), ("verify_determinism", true.into())];
    assert_eq!(options(&checks), set(&expected));
}

#[test]
fn the_bound_of_a_scenario_can_be_taken_away() {
    let packets = ["arq", "--disable", "timer", "--disable", "deliver@0"];
    let bounded = check(&[&packets[..], &["--max-depth", "1"]].concat());
    assert_eq!((&bounded["max_depth"], &bounded["ended"]), (&1.into(), &"depth".into()));
    let whole = check(&[&packets[..], &["--max-depth", "none"]].concat());
    assert_eq!((&whole["max_depth"], &whole["ended"]), (&Value::Null, &"exhausted".into()));
    refuses(
        &["check", "arq", "--max-depth", "none", "--strategy", "walk"],
        &["walk cannot be combined with an unlimited depth", "give --max-depth"],
    );
    refuses(&["check", "arq", "--max-depth", "never"], &["write a number of events", "or none"]);
}

/// Which assertions are broken.
fn broken(found: &Value) -> Vec<&String> {
    let counted = found["violations"].as_object().unwrap().iter();
    counted.filter(|(_, times)| **times != 0).map(|(assertion, _)| assertion).collect()
}

/// Whatever the strategy, the store, the number of workers and the moments at which a search was
/// put aside: the same states, the same verdict, the same assertions broken; breadth-first search
/// and deepening find shortest runs.
#[test]
fn every_search_of_every_scenario_agrees() {
    for (scenario, shortest) in SCENARIOS {
        let scenario = [scenario, &["--keep-going"]].concat();
        let plain = check(&scenario);
        let agrees = |found: &Value, how: &[&str]| {
            for field in ["states_visited", "states_per_depth", "verdict", "ended", "complete"] {
                assert_eq!(found[field], plain[field], "{field} of {scenario:?} {how:?}");
            }
            assert_eq!(broken(found), broken(&plain), "{scenario:?} {how:?}");
            let steps = found["counterexample"]["steps"].as_array().map_or(0, Vec::len);
            if ["bfs", "deepening"].iter().any(|strategy| found["strategy"] == *strategy) {
                assert_eq!(steps, shortest, "{scenario:?} {how:?}");
            }
            assert!(steps >= shortest, "{scenario:?} {how:?}");
        };
        agrees(&plain, &[]);
        let named =
            |how: &&&[&str]| !how.contains(&"arq-1,novelty") || scenario[0].starts_with("arq");
        for how in COMPLETE.iter().filter(named).chain([&&["--workers", "3"][..]]) {
            agrees(&check(&[&scenario, *how].concat()), how);
            if how.contains(&"deepening") {
                continue;
            }
            let folder = TempDir::new().unwrap();
            let file = ["--checkpoint", "x", "--max-states", "40"];
            let search = [&["check"], &scenario[..], how, &["--json"]].concat();
            run_in(folder.path(), &[&search[..], &file].concat());
            let resumed = run_in(folder.path(), &[&search[..], &["--resume", "x"]].concat());
            agrees(&json(&resumed), &[*how, &["--resume", "x"]].concat());
        }
    }
}

/// A relation that is sound leaves out states, but no assertion that can break.
#[test]
fn related_searches_of_every_scenario_break_the_same() {
    let unordered = |scenario: &&[&str]| scenario[0].starts_with("two-phase");
    for scenario in SCENARIOS.map(|(scenario, _)| scenario).into_iter().filter(unordered) {
        let scenario = [scenario, &["--keep-going"]].concat();
        let plain = check(&scenario);
        for strategy in ["bfs", "dfs", "dfs-r", "best", "biased", "deepening"] {
            let how = ["--relation", "simulated", "--strategy", strategy];
            let found = check(&[&scenario[..], &how].concat());
            assert_eq!(found["verdict"], plain["verdict"], "{scenario:?} {strategy}");
            assert_eq!(broken(&found), broken(&plain), "{scenario:?} {strategy}");
            assert!(found["states_visited"].as_u64() < plain["states_visited"].as_u64());
        }
    }
}

#[test]
fn searches_that_leave_states_out_say_so() {
    for search in INCOMPLETE {
        let output = run(&[&["check", "arq", "--max-depth", "14", "--json"], search].concat());
        assert_eq!(code(&output), 3, "{search:?}");
        let found = json(&output);
        assert_fits("check.schema.json", &found);
        assert_eq!(
            (&found["complete"], &found["verdict"]),
            (&false.into(), &"inconclusive".into())
        );
        let why = found["incomplete_because"].as_str().expect("there is a reason");
        let text = out(&run(&[&["check", "arq", "--max-depth", "14"], search].concat()));
        assert!(text.contains(&format!("INCONCLUSIVE: nothing found, but {why}\n")), "{text}");
    }
    // Nothing was stored, so there is nothing to count and nothing to divide by.
    let walked = out(&run(&["check", "arq", "--strategy", "walk", "--walks", "10"]));
    assert!(!walked.contains("bytes per state"), "{walked}");
    assert!(walked.contains("\nstates    none stored; depth 30 reached\n"), "{walked}");
    let stopped = out(&run(&["check", "arq", "--strategy", "walk", "--max-time", "1ns"]));
    let words =
        "INCONCLUSIVE, stopped by --max-time: nothing found so far; not all walks were made\n";
    assert!(stopped.contains(words), "{stopped}");
}

#[test]
fn stores_tell_how_much_they_may_have_missed() {
    let fingerprint = check(&["arq", "--store", "fingerprint"]);
    let missed = fingerprint["store"]["missed_probability"].as_f64().unwrap();
    assert!(missed > 0.0 && missed < 1e-9, "{missed}");
    let size = ["--bitstate-memory", "64", "--bitstate-hashes", "2"];
    let bits = check(&[&["arq", "--store", "bitstate"], &size[..]].concat());
    assert_eq!((&bits["store"]["kind"], &bits["store"]["bytes"]), (&"bitstate".into(), &64.into()));
    let coverage = bits["store"]["coverage"].as_f64().unwrap();
    assert!(coverage > 0.0 && coverage < 1.0, "{coverage}");
    assert!(bits["states_visited"].as_u64() < fingerprint["states_visited"].as_u64());
}

#[test]
fn fewer_states_are_visited_where_some_stand_for_others() {
    let search = ["two-phase-commit", "--max-depth", "12"];
    let all = check(&search);
    let fewer = check(&[&search[..], &["--relation", "simulated"]].concat());
    assert_eq!((&fewer["relation"], &fewer["verdict"]), (&"simulated".into(), &"holds".into()));
    assert!(fewer["states_visited"].as_u64() < all["states_visited"].as_u64());
    // Which run is then a shortest one nobody knows.
    let text = out(&run(&["check", "two-phase-commit-impatient", "--relation", "simulated"]));
    assert!(text.starts_with("two-phase-commit-impatient: VIOLATED in 3 steps\n"), "{text}");
}

#[test]
fn what_would_be_unsound_is_refused() {
    refuses(
        &["check", "arq", "--relation", "simulated"],
        &["`simulated` would be unsound here", "the network (fifo) keeps packets in order"],
    );
    refuses(
        &["check", "two-phase-commit", "--relation", "simulated", "--deadlock"],
        &["something is asserted of ends"],
    );
    let unordered = ["check", "arq", "--set", "network=unordered", "--max-depth", "4"];
    refuses(
        &[&unordered[..], &["--relation", "simulated"]].concat(),
        &["the assumption `the sender times out only when", "reads the packets in flight"],
    );
    refuses(
        &["check", "two-phase-commit", "--relation", "simulated", "--store", "fingerprint"],
        &["a store that forgets states"],
    );
    refuses(
        &["check", "arq", "--strategy", "dfs", "--store", "bitstate"],
        &["dfs cannot be combined with the store bitstate and a depth bound", "use bfs"],
    );
    refuses(
        &["check", "arq", "--strategy", "dfs-r", "--add", "current"],
        &["dfs-r cannot be combined with --add current"],
    );
    refuses(
        &["check", "arq", "--add", "twice"],
        &["bfs cannot be combined with --add twice", "published procedure"],
    );
    refuses(
        &["check", "arq", "--strategy", "walk", "--store", "fingerprint"],
        &["a walk looks up no state"],
    );
}

#[test]
fn unknown_names_are_refused_with_a_remedy() {
    refuses(
        &["check", "arq", "--strategy", "best", "--ranking", "arq-3"],
        &["there is no ranking `arq-3`", "did you mean `arq-1`?"],
    );
    refuses(
        &["check", "arq", "--strategy", "best", "--ranking", "arq-1,zebra"],
        &[
            "there is no ranking `zebra`",
            "there are: arq-1, arq-2, transport, transport-packets, novelty",
        ],
    );
    refuses(&["check", "arq", "--relation", "simulatd"], &["did you mean `simulated`?"]);
    refuses(&["check", "arq", "--strategy", "breadth"], &["--strategy", "bfs"]);
    refuses(
        &["check", "arq", "--require", "los"],
        &["there is no kind `los`; there are command, deliver, timer, lose, duplicate, reboot"],
    );
    refuses(
        &["check", "arq", "--disable", "lose@2"],
        &["`lose@2` matches no event", "there is no node 2; the last one is 1"],
    );
    refuses(
        &["check", "arq", "--require", "reboot"],
        &["no run has an event `reboot`", "deliver, timer, lose"],
    );
    refuses(&["check", "arq", "--require", "a b"], &["`a b` is not an event pattern; write KIND"]);
}

#[test]
fn options_without_effect_are_refused() {
    let without_effect: [&[&str]; 9] = [
        &["--ranking", "novelty"],
        &["--width", "5"],
        &["--walks", "5", "--strategy", "dfs"],
        &["--seed", "5", "--strategy", "best"],
        &["--bitstate-memory", "1M"],
        &["--bitstate-hashes", "4", "--store", "fingerprint"],
        &["--shuffle", "5", "--strategy", "walk"],
        &["--max-states", "5", "--strategy", "walk"],
        &["--checkpoint", "x", "--strategy", "deepening"],
    ];
    for options in without_effect {
        refuses(&[&["check", "arq"], options].concat(), &[options[0], "has no effect with"]);
    }
    refuses(&["check", "arq", "--keep-going", "--each-assertion"], &["--each-assertion"]);
}

#[test]
fn a_scenario_s_own_required_event_is_looked_for_and_saved() {
    let shown = json(&run(&["show", "aodv-2", "--json"]));
    assert_eq!(shown["required"], "timer:Expire");
    for profile in ["standard", "thesis"] {
        let folder = TempDir::new().unwrap();
        let arguments =
            ["check", "aodv-2", "--profile", profile, "--max-depth", "10", "--trace", "run.json"];
        let text = out(&run_in(folder.path(), &arguments));
        assert!(text.contains("timer Expire(n2) fires at n1"), "{text}");
        assert_eq!(code(&run_in(folder.path(), &["replay", "run.json"])), 1);
        let saved = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
        let saved: Value = serde_json::from_str(&saved).unwrap();
        assert_eq!(saved["trace"]["required"], "timer:Expire");
    }
    // Another one can be asked for instead.
    let other = check(&["aodv-2", "--require", "reboot"]);
    let steps = other["counterexample"]["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["kind"] == "reboot"), "{steps:?}");
}

#[test]
fn a_required_event_is_on_the_run_that_is_found() {
    let folder = TempDir::new().unwrap();
    for pattern in ["lose", "lose@1:D1"] {
        let arguments = ["check", "arq-erroneous", "--require", pattern, "--json"];
        let output = run_in(folder.path(), &arguments);
        assert_eq!(code(&output), 1);
        let found = json(&output);
        assert_fits("check.schema.json", &found);
        let steps = found["counterexample"]["steps"].as_array().unwrap();
        assert!(steps.iter().any(|step| step["kind"] == "lose"), "{found:#}");
        let again = run_in(folder.path(), &["replay", "arq-erroneous.trace.json"]);
        assert_eq!(code(&again), 1);
        assert!(out(&again).contains(&format!("broken, as recorded: {AHEAD}")), "{}", out(&again));
    }
    let counted = check(&["arq-erroneous", "--require", "lose", "--keep-going"]);
    assert!(counted["unsafe_without_required"].as_u64().unwrap() > 0);
}

#[test]
fn disabled_events_do_not_happen() {
    let found = check(&["arq-erroneous", "--disable", "lose", "--disable", "deliver@0:A0"]);
    assert_eq!(found["verdict"], "violated");
    assert!(found["kinds"].get("lose").is_none());
    for step in found["counterexample"]["steps"].as_array().unwrap() {
        assert!(step["kind"] != "lose" && step["parameters"]["message"] != "A0", "{step}");
    }
    // The error needs an early timeout.
    let safe = check(&["arq-erroneous", "--disable", "timer"]);
    assert_eq!(safe["verdict"], "holds");
}

#[test]
fn patterns_that_match_nothing_are_reported() {
    let unmatched = |arguments: &[&str]| {
        let found = check(&[&["arq"], arguments].concat());
        let text = out(&run(&[&["check", "arq"], arguments].concat()));
        let told: Vec<String> = text
            .lines()
            .filter_map(|line| line.split_once(" matched nothing: "))
            .map(|(pattern, why)| format!("{pattern}: {why}"))
            .collect();
        (found["unmatched"].clone(), told)
    };
    let none = (serde_json::json!([]), Vec::new());
    for matches in [
        &["--disable", "deliver@1:D1", "--disable", "lose@0", "--disable", "timer@0:Retransmit"][..],
        &["--require", "lose@1:D0 #1"],
        &["--require", "deliver", "--profile", "thesis"],
    ] {
        assert_eq!(unmatched(matches), none, "{matches:?}");
    }
    let never = "no state within the bound has such an event";
    let (found, told) = unmatched(&["--disable", "lose", "--disable", "deliver@1:A0"]);
    assert_eq!(found, serde_json::json!([{ "option": "disable", "pattern": "deliver@1:A0" }]));
    assert_eq!(told, [format!("--disable deliver@1:A0: {never}")]);
    // Timers are set at the sender alone.
    let (_, told) = unmatched(&["--disable", "timer@1"]);
    assert_eq!(told, [format!("--disable timer@1: {never}")]);
    let (found, told) = unmatched(&["--require", "lose@1:A", "--max-states", "20"]);
    assert_eq!(found, serde_json::json!([{ "option": "require", "pattern": "lose@1:A" }]));
    assert_eq!(told, ["--require lose@1:A: no state that was found so far has such an event"]);
    // What is disabled does not happen, though it is met.
    let (_, told) = unmatched(&["--disable", "lose@1", "--require", "lose@1"]);
    assert_eq!(told, [format!("--require lose@1: {never}")]);
    let (_, told) = unmatched(&["--require", "timer:Hello", "--profile", "thesis"]);
    assert_eq!(told, ["--require timer:Hello: no state that was found so far has such an event"]);
    refuses(
        &["check", "arq", "--disable", "reboot@1"],
        &["no run has an event `reboot@1`", "deliver, timer, lose", "remove it"],
    );
}

#[test]
fn a_dead_end_is_found_and_its_run_replayed() {
    let folder = TempDir::new().unwrap();
    for search in [&["--strategy", "bfs"], &["--strategy", "dfs"], &["--strategy", "walk"]] {
        let check = ["check", "two-phase-commit", "--deadlock"];
        let output = run_in(folder.path(), &[&check, &search[..]].concat());
        assert_eq!(code(&output), 1, "{search:?}");
        assert!(out(&output).contains("\nbroken: something can always happen\n"));
        let again = run_in(folder.path(), &["replay", "two-phase-commit.trace.json"]);
        assert_eq!(code(&again), 1, "{search:?}");
        assert!(out(&again).contains("broken, as recorded: something can always happen"));
    }
}

#[test]
fn each_assertion_gets_a_run_and_a_file() {
    let folder = TempDir::new().unwrap();
    let arguments = ["check", "arq-erroneous", "--set", "network=unordered", "--each-assertion"];
    let asked = [&arguments[..], &["--trace", "x.trace.json", "--json"]].concat();
    let output = run_in(folder.path(), &asked);
    assert_eq!(code(&output), 1);
    let found = json(&output);
    assert_fits("check.schema.json", &found);
    let found = found["counterexamples"].as_array().unwrap();
    let files = ["x.trace.json", "x.2.trace.json"];
    let broken = ["packets are delivered in order", AHEAD];
    assert_eq!(found.len(), 2);
    for ((counterexample, file), assertion) in found.iter().zip(files).zip(broken) {
        assert_eq!(counterexample["file"], file);
        assert_eq!(counterexample["assertion"], assertion);
        let again = run_in(folder.path(), &["replay", file]);
        assert_eq!(code(&again), 1);
        assert!(out(&again).contains(&format!("broken, as recorded: {assertion}")));
    }
}

/// The operations of a search add up to its time, and measuring is no more than they are.
fn assert_parts_of_whole(timings: &Value) {
    let time = |name: &str| timings[name].as_f64().unwrap_or_else(|| panic!("{name}"));
    let store: f64 = ["hashing", "search", "insertion"].map(time).iter().sum();
    let parts: f64 =
        ["expansion", "shuffling", "execution", "assertion", "ranking", "frontier", "reading"]
            .map(time)
            .iter()
            .sum();
    let parts = parts + store + time("look_up") + time("other");
    assert!((store - time("store")).abs() < 1e-9, "{timings}");
    assert!((parts + time("measuring") - time("total")).abs() < 1e-7, "{timings}");
    assert!(time("measuring") <= parts, "{timings}");
    assert!(time("execution") + time("reading") > 0.0, "{timings}");
}

#[test]
fn the_parts_of_a_search_add_up_with_every_engine() {
    let folder = TempDir::new().unwrap();
    let graph = folder.path().join("a.graph");
    let graph = graph.to_str().unwrap();
    let further: [&[&str]; 9] = [
        &["--workers", "2"],
        &["--store", "fingerprint"],
        &["--strategy", "dfs", "--shuffle", "3"],
        &["--strategy", "dfs-r", "--store", "fingerprint"],
        &["--strategy", "best", "--ranking", "aodv-1"],
        &["--strategy", "deepening", "--max-depth", "7"],
        &["--strategy", "walk", "--walks", "200"],
        &["--profile", "thesis", "--relation", "simulated", "--max-depth", "8"],
        &["--graph", graph],
    ];
    for options in further.iter().chain(&[&["--graph", graph][..]]) {
        let depth = if options.contains(&"--max-depth") { &[][..] } else { &["--max-depth", "9"] };
        let found = check(&[&["aodv-1", "--stats"], depth, options].concat());
        let timings = &found["timings"];
        assert_parts_of_whole(timings);
        let has = |name: &str| timings[name].as_f64().unwrap() > 0.0;
        assert_eq!(has("shuffling"), options.contains(&"--shuffle"), "{options:?} {timings}");
        assert!(has("expansion") && has("assertion"), "{options:?} {timings}");
    }
    let read = check(&["aodv-1", "--stats", "--max-depth", "9", "--graph", graph]);
    assert!(read["timings"]["reading"].as_f64().unwrap() > 0.0, "{}", read["timings"]);
}

#[test]
fn measuring_changes_no_result() {
    for options in [
        &["--max-depth", "9"][..],
        &["--strategy", "dfs", "--shuffle", "3", "--max-depth", "9"],
        &["--strategy", "best", "--ranking", "aodv-1", "--max-depth", "10"],
        &["--profile", "thesis", "--relation", "simulated", "--max-depth", "8"],
        &["--strategy", "dfs", "--store", "fingerprint", "--max-depth", "8"],
        &["--strategy", "bfs", "--store", "fingerprint", "--max-depth", "8"],
    ] {
        let plain = without_times(check(&[&["aodv-1"], options].concat()));
        let measured = without_times(check(&[&["aodv-1", "--stats"], options].concat()));
        assert_eq!(plain, measured, "{options:?}");
    }
}

#[test]
fn stats_are_tables() {
    let text = out(&run(&["check", "arq-erroneous", "--keep-going", "--stats"]));
    for part in [
        "\nsafe events: 14,586 tree, 23,084 non-tree, 10,829 deepest\n",
        "\nkind                 events   enabled in states\n",
        "\nlose                 22,439              14,546\n",
        &format!("\n     violations  assertion\n          2,993  {AHEAD}\n"),
        "\n       depth     new states        events to it\n           0              1                   0\n",
        "\ntime in          seconds\nexpansion  ",
    ] {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    let found = check(&["arq-erroneous", "--keep-going", "--stats"]);
    assert_parts_of_whole(&found["timings"]);
    let sorts = ["unsafe_events", "tree_events", "non_tree_events", "deepest_events"];
    let sum: u64 = sorts.iter().map(|sort| found[sort].as_u64().unwrap()).sum();
    assert_eq!(found["events"], sum);
    let per_depth = found["events_per_depth"].as_array().unwrap().iter().flat_map(Value::as_u64);
    assert_eq!(found["events"], per_depth.sum::<u64>());
    assert_eq!(check(&["arq-erroneous"])["timings"], Value::Null);
}

#[test]
fn the_same_command_gives_the_same_result() {
    let searches: [&[&str]; 7] = [
        &[],
        &["--shuffle", "3"],
        &["--strategy", "dfs", "--shuffle", "3", "--keep-going"],
        &["--strategy", "best", "--shuffle", "3", "--stats"],
        &["--strategy", "biased", "--seed", "4"],
        &["--strategy", "beam", "--width", "20", "--keep-going"],
        &["--strategy", "walk", "--seed", "4", "--keep-going", "--walks", "100"],
    ];
    for search in searches {
        let found = || without_times(check(&[&["arq-erroneous"], search].concat()));
        assert_eq!(found(), found(), "{search:?}");
    }
}

#[test]
fn any_number_of_workers_finds_the_same() {
    for scenario in ["arq-erroneous", "two-phase-commit"] {
        let search = |workers: &str| {
            let mut found = without_times(check(&[scenario, "--workers", workers]));
            for field in ["workers", "bytes_per_state", "store"] {
                assert!(found.as_object_mut().unwrap().remove(field).is_some(), "{field}");
            }
            found
        };
        let alone = search("1");
        for workers in ["2", "3", "8"] {
            assert_eq!(alone, search(workers), "{scenario} with {workers}");
        }
    }
    refuses(
        &["check", "arq", "--strategy", "dfs", "--workers", "2"],
        &["dfs cannot be combined with several workers"],
    );
    refuses(
        &["check", "arq", "--store", "fingerprint", "--workers", "2"],
        &["several workers and a store that forgets states"],
    );
    refuses(&["check", "arq", "--workers", "0"], &["--workers"]);
}

#[test]
fn other_seeds_give_other_searches() {
    let events = |search: &[&str]| check(&[&["arq-erroneous"], search].concat())["events"].clone();
    for (strategy, seed) in [("dfs", "--shuffle"), ("biased", "--seed"), ("walk", "--seed")] {
        let [one, other] = ["1", "2"].map(|it| events(&["--strategy", strategy, seed, it]));
        assert_ne!(one, other, "{strategy}");
    }
}

#[test]
fn a_run_is_shown_as_it_was_found_on_request() {
    let search = ["arq-erroneous", "--strategy", "dfs", "--max-depth", "200"];
    let steps = |found: &Value| found["counterexample"]["steps"].as_array().unwrap().len();
    let shorter = check(&search);
    let whole = check(&[&search[..], &["--no-shrink"]].concat());
    assert_eq!(whole["counterexample"]["steps_found"], steps(&whole));
    assert_eq!(shorter["counterexample"]["steps_found"], steps(&whole));
    assert!(steps(&shorter) < steps(&whole) / 10);
    let text = out(&run(&[&["check"], &search[..]].concat()));
    assert!(text.contains("made from a run of 200 (bfs finds the fewest possible)"), "{text}");
}

/// A run whose states grow with it is told in a moment: only what changes is put into words.
#[test]
fn a_run_of_thousands_of_steps_is_printed() {
    let depth = ["--max-depth", "5000", "--no-shrink"];
    let whole = check(&[&["arq-erroneous", "--strategy", "dfs"], &depth[..]].concat());
    let steps = whole["counterexample"]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 5000);
    // Most packets wait until they are too late, and so most steps change the network alone.
    let sent = |step: &&Value| step["changes"] == serde_json::json!(["network: + D0 #0 n0→n1"]);
    assert!(steps.iter().filter(sent).count() > 1000);
}

#[test]
fn options_for_native_nodes_are_refused_where_nodes_are_plain_data() {
    let plain = "the nodes of this protocol are plain data";
    refuses(&["check", "arq", "--native", "lazy"], &["no effect", plain]);
    refuses(&["check", "arq", "--native-nodes", "10"], &["no effect", plain]);
    refuses(&["check", "arq", "--native", "eagre"], &["eager, cached, lazy"]);
}
