//! The hand-over, both ways: `check --from-simulation` and `simulate --replay`.

use crate::command;
use crate::schema;

use std::path::Path;

use command::{assert_refused, code, complaint, json, out, refuses, run, run_in};
use schema::assert_fits;
use serde_json::Value;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// What `check` finds in a folder, which fits the schema.
fn check(folder: &Path, arguments: &[&str]) -> Value {
    let output = run_in(folder, &[&["check"], arguments, &["--json"]].concat());
    assert!(matches!(code(&output), 0 | 1 | 3), "{}", complaint(&output));
    let found = json(&output);
    assert_fits("check.schema.json", &found);
    found
}

/// At time 0 nothing has happened yet: the exploration is the ordinary one.
#[test]
fn from_the_start_of_a_run_everything_is_as_without() {
    let same = [
        "verdict",
        "complete",
        "ended",
        "states_visited",
        "states_waiting",
        "events",
        "unsafe_events",
        "tree_events",
        "non_tree_events",
        "deepest_events",
        "violations",
        "kinds",
        "states_ending",
        "depth",
        "states_per_depth",
        "events_per_depth",
    ];
    let searches: [&[&str]; 6] = [
        &["arq", "--max-depth", "18"],
        &["arq-erroneous"],
        &["aodv", "--max-depth", "7"],
        &["aodv", "--set", "topology=chain", "--set", "nodes=4", "--max-depth", "5"],
        &["diffusion", "--max-depth", "8", "--keep-going"],
        &["aodv", "--max-depth", "5", "--strategy", "dfs", "--store", "fingerprint"],
    ];
    for search in searches {
        let folder = TempDir::new().unwrap();
        let own = check(folder.path(), search);
        let from = [search, &["--from-simulation", "0s"]].concat();
        let handed_over = check(folder.path(), &from);
        for field in same {
            assert_eq!(own[field], handed_over[field], "{field} of {search:?}");
        }
        let length = |found: &Value| found["counterexample"]["steps"].as_array().map(Vec::len);
        assert_eq!(length(&own), length(&handed_over), "{search:?}");
        assert!(own["start"].is_null());
        assert_eq!(handed_over["start"]["simulated_seconds"], 0.0);
    }
}

#[test]
fn a_violation_is_found_from_later_on_and_runs_again() {
    let strategies: [&[&str]; 5] = [
        &[],
        &["--strategy", "dfs", "--max-depth", "12"],
        &["--strategy", "walk", "--max-depth", "30"],
        &["--store", "bitstate"],
        &["--verify-determinism", "--require", "lose"],
    ];
    for strategy in strategies {
        let folder = TempDir::new().unwrap();
        let from = ["arq-erroneous", "--from-simulation", "100ms", "--simulation-seed", "7"];
        let found = check(folder.path(), &[&from[..], &["--replication", "2"], strategy].concat());
        assert_eq!(found["verdict"], "violated", "{strategy:?}");
        let start = &found["start"];
        assert_eq!((&start["seed"], &start["replication"]), (&7.into(), &2.into()));
        let again = run_in(folder.path(), &["replay", "arq-erroneous.trace.json", "--json"]);
        let again = json(&again);
        assert_eq!((&again["verdict"], &again["start"]), (&"violated".into(), start));
        assert_eq!(again["steps"], found["counterexample"]["steps"]);
    }
}

/// A search that was saved goes on from the same world, and from no other.
#[test]
fn a_search_from_a_simulated_run_can_be_saved() {
    let folder = TempDir::new().unwrap();
    let from = |time| ["arq", "--max-depth", "25", "--from-simulation", time];
    let save =
        [&from("50ms")[..], &["--max-states", "100", "--checkpoint", "run.checkpoint"]].concat();
    assert_eq!(check(folder.path(), &save)["ended"], "max-states");
    let resume = ["--resume", "run.checkpoint"];
    let resumed = check(folder.path(), &[&from("50ms")[..], &resume].concat());
    let whole = check(folder.path(), &from("50ms"));
    assert_eq!(resumed["states_visited"], whole["states_visited"]);
    assert_eq!(resumed["events"], whole["events"]);
    let other = run_in(folder.path(), &[&["check"], &from("60ms")[..], &resume].concat());
    assert_refused(&other, &["simulation 50ms", "60ms"]);
    let own =
        run_in(folder.path(), &[&["check"], &["arq", "--max-depth", "25"][..], &resume].concat());
    assert_refused(&own, &["simulation 50ms"]);
}

#[test]
fn what_cannot_be_started_from_is_refused() {
    refuses(
        &["check", "arq", "--from-simulation", "1s", "--profile", "thesis"],
        &["thesis", "begin at the scenario's own start"],
    );
    refuses(&["check", "arq", "--simulation-seed", "3"], &["--from-simulation"]);
    refuses(&["check", "arq", "--from-simulation", "soon"], &["with a unit"]);
}

/// A run is not replayed from another world than its own.
#[test]
fn a_trace_knows_from_which_world_it_starts() {
    let folder = TempDir::new().unwrap();
    check(folder.path(), &["arq-erroneous", "--from-simulation", "100ms"]);
    let file = folder.path().join("arq-erroneous.trace.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"nanoseconds\": 100000000"), "{text}");
    let replayed_after = |change: fn(&str) -> String| {
        std::fs::write(&file, change(&text)).unwrap();
        run_in(folder.path(), &["replay", "arq-erroneous.trace.json"])
    };
    let later = |text: &str| text.replace("100000000", "150000000");
    assert_refused(&replayed_after(later), &["checksum"]);
    // Even if somebody takes care of the checksum, or the simulator has changed.
    let output = replayed_after(|text| with_checksum(&text.replace("100000000", "150000000")));
    assert_refused(&output, &["leads to another world"]);
}

/// A trace file with the checksum that belongs to its content.
fn with_checksum(text: &str) -> String {
    let mut in_text = false;
    let place = text.find("\"trace\": ").unwrap() + "\"trace\": ".len();
    let content: String = text[place..text.trim_end().len() - 1]
        .chars()
        .filter(|&c| {
            in_text ^= c == '"';
            in_text || !c.is_whitespace()
        })
        .collect();
    let checksum = format!("\"checksum\": \"{:016x}\"", xxh3_64(content.as_bytes()));
    let begin = text.find("\"checksum\"").unwrap();
    let end = begin + checksum.len();
    [&text[..begin], &checksum, &text[end..]].concat()
}

/// Routers of ns-3 that were simulated for a while, and one link that fails: a route leads in a
/// circle.
#[test]
fn a_loop_is_near_what_routers_on_a_field_have_come_to() {
    let folder = TempDir::new().unwrap();
    let found = check(folder.path(), &LOOP);
    assert_eq!(found["verdict"], "violated");
    assert_eq!(found["counterexample"]["assertion"], "no route leads in a circle");
    plays(folder.path(), "manet");
}

const LOOP: [&str; 24] = [
    "manet",
    "--set",
    "rules=ns3",
    "--set",
    "nodes=6",
    "--set",
    "flows=3",
    "--set",
    "degree=3",
    "--set",
    "link-failure=1",
    "--set",
    "seek=true",
    "--from-simulation",
    "15.1s",
    "--simulation-seed",
    "2",
    "--strategy",
    "best",
    "--ranking",
    "routing",
    "--disable",
    "timer:Hello",
    "--max-depth=14",
];

/// Runs a counterexample with times: it is accepted, time never goes back, and it ends in the
/// violation.
fn plays(folder: &Path, scenario: &str) -> Value {
    let file = format!("{scenario}.trace.json");
    let output = run_in(folder, &["simulate", "--replay", &file, "--json"]);
    assert_eq!(code(&output), 1, "{scenario}: {}", complaint(&output));
    let played = json(&output);
    assert_fits("simulate.schema.json", &played);
    assert_eq!((&played["verdict"], &played["scenario"]), (&"violated".into(), &scenario.into()));
    let again = json(&run_in(folder, &["replay", &file, "--json"]));
    let sentences = |run: &Value| -> Vec<Value> {
        run["steps"].as_array().unwrap().iter().map(|step| step["sentence"].clone()).collect()
    };
    assert_eq!(sentences(&again), sentences(&played));
    let steps = played["steps"].as_array().unwrap();
    let time = |step: &Value| step["simulated_seconds"].as_f64().unwrap();
    let times: Vec<f64> = steps.iter().map(time).collect();
    assert!(times.is_sorted(), "{scenario}: {times:?}");
    assert!(times.last() > times.first() || times.len() < 2, "{scenario}: time stands still");
    let log = out(&run_in(folder, &["simulate", "--replay", &file, "--log"]));
    let events = log.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.get(20..));
    let lines = |kind: &str| events.clone().filter(|line| line.starts_with(kind)).count();
    let kinds = |kind: &str| steps.iter().filter(|step| step["kind"] == kind).count();
    for kind in ["deliver", "timer ", "command", "reboot"] {
        assert_eq!(lines(kind), kinds(kind.trim_end()), "{scenario}: {kind} in\n{log}");
    }
    played
}

#[test]
fn every_counterexample_can_be_run_with_times() {
    let scenarios: [&[&str]; 14] = [
        &["arq-erroneous"],
        &["aodv-1"],
        &["aodv-2"],
        &["aodv-3"],
        &["aodv-ns3"],
        &["aodv-rfc3561"],
        &["diffusion-1"],
        &["diffusion-2"],
        &["distance-vector-plain"],
        &["distance-vector-triangle"],
        &["diffusion-crossing"],
        &["route-discovery-expiring"],
        &["two-phase-commit-impatient"],
        &["arq-erroneous", "--from-simulation", "30ms"],
    ];
    for arguments in scenarios {
        let folder = TempDir::new().unwrap();
        assert_eq!(check(folder.path(), arguments)["verdict"], "violated", "{arguments:?}");
        plays(folder.path(), arguments[0]);
    }
}

/// The times of the shortest counterexample of ARQ, computed by hand: a frame of 1000 bytes takes
/// 0.8 ms and 1 ms, an acknowledgement of 40 bytes 0.032 ms and 1 ms, and the timer 2.833 ms.
#[test]
fn times_are_those_of_links_and_timers() {
    let folder = TempDir::new().unwrap();
    check(folder.path(), &["arq-erroneous"]);
    let played = plays(folder.path(), "arq-erroneous");
    let times = |field: &str| -> Vec<u64> {
        let steps = played["steps"].as_array().unwrap().iter();
        let microseconds = |step: &Value| (step[field].as_f64().unwrap() * 1e6).round() as u64;
        steps.map(microseconds).collect()
    };
    assert_eq!(times("simulated_seconds"), [1800, 2833, 4633, 4633, 5149, 5665, 7465, 8497]);
    // The first acknowledgement would have come before the second frame.
    assert_eq!(times("late_seconds"), [0, 0, 0, 1801, 0, 0, 0, 0]);
}

/// The page shows the steps, and a film in which the packets fly that arrive or are lost.
#[test]
fn a_counterexample_can_be_watched() {
    for from in ["0s", "100ms"] {
        let folder = TempDir::new().unwrap();
        check(folder.path(), &["arq-erroneous", "--from-simulation", from]);
        let replay = ["simulate", "--replay", "arq-erroneous.trace.json", "--report", "run.html"];
        let output = run_in(folder.path(), &replay);
        assert!(out(&output).ends_with("drew run.html\n"), "{}", complaint(&output));
        let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
        assert_eq!(page.matches("(receiver) is lost").count(), 1);
        assert_eq!(page.matches("(receiver)</td>").count(), 3, "frames that arrive");
        // Whenever it starts, the film begins there.
        assert!(page.contains("\"end\":0.00"), "{page}");
    }
    refuses(
        &["simulate", "--replay", "x.trace.json", "--report", "no/folder.html"],
        &["no/folder.html"],
    );
    refuses(
        &["simulate", "--replay", "x.trace.json", "--event-log", "x.jsonl"],
        &["cannot be used with"],
    );
}

#[test]
fn what_does_not_go_with_a_replay_is_refused() {
    refuses(&["simulate", "arq", "--replay", "x.trace.json"], &["cannot be used with"]);
    refuses(&["simulate", "--replay", "x.trace.json", "--assert"], &["cannot be used with"]);
    refuses(&["simulate", "--replay", "x.trace.json", "--seed", "3"], &["cannot be used with"]);
    refuses(&["simulate", "--replay", "x.trace.json"], &["cannot read x.trace.json"]);
    refuses(&["simulate"], &["required arguments were not provided"]);
    let help = out(&run(&["simulate", "--help"]));
    assert!(help.contains("--replay arq.trace.json --log --report run.html"), "{help}");
}

/// What a file says is simulated up to the moment, under the file's seed, and explored from there.
#[test]
fn a_scenario_file_is_explored_as_its_simulation_has_left_it() {
    let folder = TempDir::new().unwrap();
    let text = "scenario = \"manet\"\nseed = 2\nduration = \"60s\"\n[parameters]\nrules = \"ns3\"\nnodes = 6\nflows = 3\ndegree = 3\nlink-failure = 1\nseek = true\n";
    std::fs::write(folder.path().join("loop.toml"), text).unwrap();
    let by_name = check(folder.path(), &LOOP);
    let more = LOOP.iter().skip_while(|word| **word != "--strategy").copied();
    let arguments = ["loop.toml", "--from-simulation", "15.1s"].into_iter().chain(more);
    let by_file = check(folder.path(), &arguments.collect::<Vec<_>>());
    for key in ["parameters", "start", "states_visited", "events"] {
        assert_eq!(by_file[key], by_name[key], "{key}");
    }
    assert_eq!(by_file["unused_keys"], serde_json::json!(["duration"]));
    assert_eq!(by_file["used"]["file"]["file"], "loop.toml");
    plays(folder.path(), "manet");
}

/// The counterexample of a file names it and what it names, wherever it is run again.
#[test]
fn a_trace_of_a_scenario_file_is_run_again_from_anywhere_as_long_as_its_files_are_the_same() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let scenario = |delay: &str| {
        format!(
            "# A comment.\nscenario = \"arq-erroneous\"\nseed = 3\n[links]\ndelay = \"{delay}\"\n"
        )
    };
    for below in ["files", "traces", "elsewhere"] {
        std::fs::create_dir(folder.path().join(below)).unwrap();
    }
    write("files/slow.toml", &scenario("3ms"));
    let arguments = ["files/slow.toml", "--from-simulation", "100ms"];
    let kept = ["--trace", "traces/x.trace.json", "--regressions", "earlier"];
    let found = check(folder.path(), &[&arguments[..], &kept].concat());
    assert_eq!((&found["verdict"], &found["start"]["seed"]), (&"violated".into(), &3.into()));
    let text = std::fs::read_to_string(folder.path().join("traces/x.trace.json")).unwrap();
    assert!(text.contains("\"path\": \"../files/slow.toml\""), "{text}");
    let elsewhere = folder.path().join("elsewhere");
    let again = || {
        let replayed = run_in(&elsewhere, &["replay", "../traces/x.trace.json"]);
        let played = run_in(&elsewhere, &["simulate", "--replay", "../traces/x.trace.json"]);
        [replayed, played]
    };
    for output in again() {
        assert_eq!(code(&output), 1, "{}", complaint(&output));
    }
    // A comment says nothing about the run.
    write("files/slow.toml", &scenario("3ms").replace("# A comment.\n", ""));
    assert!(again().iter().all(|output| code(output) == 1));
    let found = check(folder.path(), &[&arguments[..], &kept].concat());
    assert_eq!(found["regressions"]["runs"][0]["verdict"], "violated", "{found:#}");
    write("files/slow.toml", &scenario("4ms"));
    for output in again() {
        assert_refused(&output, &["slow.toml has changed since", "its digest was"]);
    }
    let found = check(folder.path(), &[&arguments[..], &kept].concat());
    assert_eq!(found["regressions"]["runs"][0]["verdict"], "left-out", "{found:#}");
    std::fs::remove_file(folder.path().join("files/slow.toml")).unwrap();
    for output in again() {
        assert_refused(&output, &["slow.toml", "cannot be read"]);
    }
}

#[test]
fn what_of_a_file_means_nothing_to_an_exploration_is_reported_or_refused() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "field.toml",
        "scenario = \"manet\"\nduration = \"9s\"\nreplications = 3\n[parameters]\nnodes = 3\n[field]\npositions = [[0, 0], [100, 0], [200, 0]]\n[[flows]]\nfrom = 0\nto = 2\n",
    );
    let text = out(&run_in(folder.path(), &["check", "field.toml", "--max-depth", "1"]));
    for line in [
        "mobility  fixed\n",
        "traffic   1 flow\n",
        "note: duration, replications, flows of field.toml are for `simulate` and `check --from-simulation`, and unused here\n",
        "note: without --from-simulation, nodes on a field hear no other node; with 0s, nodes in range are linked\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let arguments = ["field.toml", "--max-depth", "1", "--from-simulation", "0s"];
    let found = check(folder.path(), &arguments);
    assert_eq!(found["start"]["links"], 3);
    assert_eq!(found["unused_keys"], serde_json::json!(["duration", "replications"]));
    write("swept.toml", "scenario = \"arq\"\n[sweep]\nloss-rate = [0, 0.1]\n");
    let output = run_in(folder.path(), &["check", "swept.toml"]);
    assert_refused(&output, &["swept.toml:2:1: `sweep`: `check` needs a single point"]);
    let output = run_in(folder.path(), &["check", "field.toml", "--set", "flows=2"]);
    assert_refused(&output, &["parameter `flows` has no effect: [[flows]] replaces"]);
    refuses(&["compare", "swept.toml"], &["only `simulate` and `check` read scenario files"]);
}
