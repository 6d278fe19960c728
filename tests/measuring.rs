//! `simulate`: its statistics do not depend on the workers, its JSON fits the schema, and its exit
//! codes say what was found.

use crate::command;
use crate::schema;

use command::{code, complaint, json, out, refuses, run, run_in};
use schema::assert_fits;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The result of `simulate`, which fits the schema, and its exit code.
fn simulate(arguments: &[&str]) -> (Value, i32) {
    let output = run(&[&["simulate"], arguments, &["--json", "--no-time"]].concat());
    assert!(!output.stdout.is_empty(), "{}", complaint(&output));
    let found = json(&output);
    assert_fits("simulate.schema.json", &found);
    (found, code(&output))
}

const LOSSY: [&str; 5] = ["arq", "--set", "loss-rate=0.1", "--duration", "2s"];
const ERRONEOUS: [&str; 5] = ["arq-erroneous", "--set", "loss-rate=0.1", "--set", "timeout=2ms"];

fn lossy(more: &[&str]) -> (Value, i32) {
    simulate(&[&LOSSY[..], more].concat())
}

fn erroneous(more: &[&str]) -> (Value, i32) {
    simulate(&[&ERRONEOUS[..], more].concat())
}

#[test]
fn the_same_bytes_come_out_with_any_number_of_workers() {
    for what in [
        &["--warm-up", "mser5"][..],
        &["--precision", "0.01", "--of", "efficiency"],
        &["--versus", "loss-rate=0.2"],
        &["--probability", "efficiency > 0.23"],
        &["--probability", "efficiency > 0.23", "--at-least", "0.3"],
        &["--assert"],
    ] {
        for form in [&["--no-time"][..], &["--no-time", "--json"]] {
            let with = |workers: &str| {
                let output =
                    run(&[&["simulate"], &LOSSY[..], what, form, &["--workers", workers]].concat());
                assert_ne!(code(&output), 2, "{}", complaint(&output));
                (output.stdout, output.status)
            };
            let one = with("1");
            assert!(["2", "3"].iter().all(|workers| with(workers) == one), "{what:?} {form:?}");
        }
    }
}

#[test]
fn distributions_have_medians_and_percentiles() {
    let (found, code) = lossy(&[]);
    assert_eq!(code, 0);
    let frame_time = &found["distributions"][0];
    // Nine in eleven frames are acknowledged at once, one in a hundred only after two time-outs.
    let [mean, median, percentile] =
        [&frame_time["mean"], &frame_time["median"]["mean"], &frame_time["percentile_95"]["mean"]]
            .map(|it| it.as_f64().unwrap());
    assert!((median - 0.002_832).abs() < 1e-9, "{median}");
    assert!(median < mean && mean < percentile, "{mean} {percentile}");
    assert_eq!(frame_time["cut"], Value::Null);
}

#[test]
fn a_warm_up_does_not_count() {
    let thrown = |more: &[&str]| {
        let (found, _) = simulate(&[&["arq", "--duration", "2s"], more].concat());
        let counters = found["counters"].as_array().unwrap().clone();
        let sent = counters.iter().find(|it| it["name"] == "transmissions").unwrap();
        (sent["mean"].as_f64().unwrap(), found)
    };
    let (whole, _) = thrown(&[]);
    let (half, found) = thrown(&["--warm-up", "1s"]);
    // A frame every 2.832 ms.
    assert!((half - whole / 2.0).abs() <= 1.0, "{half} of {whole}");
    assert_eq!((&found["warm_up"], &found["warm_up_seconds"]), (&json!("until"), &json!(1.0)));
    let efficiency = |found: &Value| found["measures"][0]["mean"].as_f64().unwrap();
    assert!((efficiency(&found) - 0.282_486).abs() < 1e-6);
    let (settled, found) = thrown(&["--warm-up", "mser5"]);
    assert_eq!(settled, whole, "there is no rule for counters");
    assert_eq!(found["distributions"][0]["cut"], json!({"mean": 0.0, "at_limit_in": 0}));
    let note = out(&run(&["simulate", "arq", "--warm-up", "mser5"]));
    assert!(note.contains("only distributions are cut"), "{note}");
    refuses(&["simulate", "arq", "--warm-up", "60s"], &["is over before its warm-up of 60s is"]);
    refuses(&["simulate", "arq", "--warm-up", "mser"], &["or `mser5` or `none`"]);
}

#[test]
fn runs_are_added_until_a_precision_is_reached() {
    let (found, exit) = lossy(&["--precision", "0.01", "--of", "efficiency"]);
    assert_eq!((exit, &found["precision"]["reached"]), (0, &json!(true)));
    let efficiency = &found["measures"][0];
    let share =
        efficiency["half_width_95"].as_f64().unwrap() / efficiency["mean"].as_f64().unwrap();
    assert!(share <= 0.01, "{share}");
    let runs = found["runs"].as_u64().unwrap();
    assert!((5..100).contains(&runs), "{runs}");
    let fewer = (runs - 1).to_string();
    let (found, exit) =
        lossy(&["--precision", "0.01", "--of", "efficiency", "--replications", &fewer]);
    assert_eq!((exit, &found["complete"]), (3, &json!(false)));
    refuses(
        &["simulate", "arq", "--precision", "0.1", "--of", "efficency"],
        &["there is no measure `efficency`", "did you mean `efficiency`?"],
    );
    refuses(&["simulate", "arq", "--precision", "5"], &["between 0 and 1"]);
    refuses(&["simulate", "arq", "--of", "efficiency"], &["--precision"]);
}

#[test]
fn two_variants_are_compared_in_pairs() {
    let (found, exit) = lossy(&["--versus", "loss-rate=0.2", "--replications", "20"]);
    assert_eq!((exit, &found["pairs"]), (0, &json!(20)));
    assert_eq!(found["parameters"]["loss-rate"], "0.1");
    assert_eq!(found["second_parameters"]["loss-rate"], "0.2");
    let (first, _) = lossy(&["--replications", "20"]);
    let (second, _) =
        simulate(&["arq", "--set", "loss-rate=0.2", "--duration", "2s", "--replications", "20"]);
    let efficiency = &found["measures"][0];
    assert_eq!(efficiency["first"], first["measures"][0]);
    assert_eq!(efficiency["second"], second["measures"][0]);
    let number = |value: &Value| value.as_f64().unwrap();
    // The formula's difference is 0.180768 - 0.228798.
    let (mean, half) =
        (&efficiency["difference"]["mean"], &efficiency["difference"]["half_width_95"]);
    assert!((number(mean) + 0.048_03).abs() <= number(half), "{efficiency}");
    assert!(number(&efficiency["variance_reduction"]) > 0.2, "{efficiency}");
    refuses(
        &["simulate", "arq", "--set", "loss-rate=0.1", "--versus", "loss-rate=0.1"],
        &["both variants of `arq` are identical"],
    );
    refuses(&["simulate", "arq", "--versus", "los=1"], &["did you mean `loss`?"]);
    refuses(&["simulate", "arq", "--versus", "loss-rate=1", "--precision", "0.1"], &["cannot"]);
}

#[test]
fn a_violation_while_simulating_is_shown_and_can_be_run_again() {
    let (found, exit) = erroneous(&["--assert", "--duration", "50ms", "--replications", "100"]);
    assert_eq!(exit, 1);
    let violation = &found["violation"];
    let replication = violation["replication"].as_u64().unwrap();
    assert_eq!(found["runs"].as_u64(), Some(replication));
    let first = replication.to_string();
    let again = ["--assert", "--duration", "50ms", "--replications", "1", "--first", &first];
    let (alone, exit) = erroneous(&again);
    assert_eq!((exit, &alone["violation"]), (1, violation));
    let logged = run(&[&["simulate"], &ERRONEOUS[..], &again, &["--log"]].concat());
    assert_eq!(code(&logged), 1);
    let log = out(&logged);
    let log: Vec<&str> = log.split("\n\n").next().unwrap().lines().collect();
    let last = violation["log"].as_array().unwrap();
    assert!(log.ends_with(&last.iter().map(|line| line.as_str().unwrap()).collect::<Vec<_>>()));
    assert_eq!(
        log.len() as u64,
        last.len() as u64 + violation["log_lines_before"].as_u64().unwrap()
    );
    // Without it, the run is the same and ends later.
    let (whole, exit) =
        erroneous(&["--duration", "50ms", "--replications", "1", "--first", &first]);
    assert_eq!(exit, 0);
    assert!(whole["events"].as_u64() > alone["events"].as_u64());
    let (held, exit) = lossy(&["--assert"]);
    assert_eq!((exit, &held["violation"], &held["complete"]), (0, &Value::Null, &json!(true)));
}

#[test]
fn probabilities_are_estimated_and_tested() {
    let violated = ["--probability", "violated", "--duration", "20ms"];
    let (found, exit) = erroneous(&[&violated[..], &["--replications", "300"]].concat());
    assert_eq!((exit, &found["runs"]), (0, &json!(300)));
    let share = found["probability"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|end| found["interval_95"][end].as_f64().unwrap());
    assert!(0.0 < low && low < share && share < high && high < 1.0, "{found}");
    let tested = |claim: [&str; 2], more: &[&str]| {
        let (found, exit) = erroneous(&[&violated[..], &claim, more].concat());
        (found["test"]["decision"].as_str().unwrap().to_owned(), exit)
    };
    let (below, above) = (format!("{:.3}", low * 0.8), format!("{:.3}", high + 0.2 * (1.0 - high)));
    assert_eq!(tested(["--at-most", &below], &[]), ("refuted".to_owned(), 1));
    assert_eq!(tested(["--at-least", &below], &[]), ("accepted".to_owned(), 0));
    assert_eq!(tested(["--at-most", &above], &[]), ("accepted".to_owned(), 0));
    let few = ["--replications", "3", "--indifference", "0.001"];
    assert_eq!(tested(["--at-least", &above], &few), ("undecided".to_owned(), 3));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let what = ["simulate", "arq", "--probability"];
    let refused = |more: &[&str], words: &[&str]| refuses(&[&what[..], more].concat(), words);
    refused(&["delay"], &["write `violated`, or a measure and its bound"]);
    refused(&["efficiency > much"], &["`much` is not a number"]);
    refused(&["efficency>0.2"], &["did you mean `efficiency`?"]);
    refused(&["violated", "--at-most", "2"], &["from 0 to 1"]);
    refused(&["violated", "--at-most", "0"], &["the claim cannot be tested", "both exclusive"]);
    refused(&["violated", "--at-most", "0.1", "--alpha", "0.7"], &["less than 0.5"]);
    refused(&["violated", "--at-most", "0.1", "--at-least", "0.1"], &["cannot be used with"]);
    refused(&["violated", "--alpha", "0.1"], &["--at-most"]);
    refused(&["violated", "--assert"], &["cannot be used with"]);
    refuses(&["simulate", "arq", "--at-most", "0.1"], &["--probability"]);
    refuses(&["simulate", "arq", "--workers", "0"], &["--workers"]);
    refuses(
        &["simulate", "aodv-2", "--assert"],
        &["scenario `aodv-2` counts violations only on runs with `timer:Expire`"],
    );
}

#[test]
fn the_examples_of_the_help_run() {
    let help = out(&run(&["simulate", "--help"]));
    let (_, examples) = help.split_once("Examples:\n").expect("there are examples");
    let examples: Vec<&str> =
        examples.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    assert!(examples.len() > 10);
    let folder = TempDir::new().unwrap();
    // A counterexample to be replayed, of a scenario that has one.
    run_in(folder.path(), &["check", "arq-erroneous", "--trace", "arq.trace.json"]);
    for example in examples {
        let example = example
            .replace("KEY=VALUE", "loss-rate=0.1")
            .replace("KEY=OTHER", "loss-rate=0.2")
            .replace("'MEASURE > 0.5'", "efficiency>0.5")
            .replace("MEASURE", "efficiency");
        let arguments: Vec<&str> = example.split(' ').skip(1).collect();
        // The scenario's own duration is for precise results.
        let has_own = example.contains("--duration") || example.contains("--replay");
        let shorter: &[&str] = if has_own { &[] } else { &["--duration", "2s"] };
        let output = run_in(folder.path(), &[&arguments, shorter].concat());
        assert_ne!(code(&output), 2, "{example}: {}", complaint(&output));
    }
}

fn text(arguments: &[&str]) -> String {
    out(&run(&[&["simulate"], arguments, &["--no-time"]].concat()))
}

/// Ten runs that agree do not prove that an eleventh would.
#[test]
fn what_all_runs_agree_on_is_not_given_an_interval() {
    let more = ["--set", "loss-rate=0.1", "--duration", "2s"];
    let told = text(&[&["arq"], &more[..]].concat());
    assert!(told.contains("packets out of order                 0  in all 10 runs\n"), "{told}");
    let note = "in all 10 runs: at most 30.9 % of further runs would differ (95 % confidence)\n";
    assert!(told.contains(note), "{told}");
    assert!(!told.contains("± 0\n"), "{told}");
    let (found, _) = simulate(&[&["arq"], &more[..]].concat());
    let ordered = &found["measures"][3];
    assert_eq!(ordered["name"], "packets out of order");
    assert_eq!((&ordered["half_width_95"], &ordered["mean"]), (&Value::Null, &0.0.into()));
    assert_eq!(ordered["interval"]["rule"], "constant");
    let efficiency = &found["measures"][0];
    assert_eq!(efficiency["interval"]["rule"], "student");
    let low = efficiency["mean"].as_f64().unwrap() - efficiency["half_width_95"].as_f64().unwrap();
    assert!((efficiency["interval"]["low"].as_f64().unwrap() - low).abs() < 1e-12);
}

/// Without `--assert`, the last world of each run is asked, and what it violates is told.
#[test]
fn assertions_are_asked_at_the_end_of_each_run_and_that_is_said() {
    let told = text(&["arq", "--duration", "1s", "--replications", "3"]);
    let held = "HELD at the end of each run: 2 assertions; --assert asks after every event\n";
    assert!(told.contains(held), "{told}");
    let wrong = ["arq-erroneous", "--set", "loss-rate=0.1", "--set", "timeout=2ms"];
    let short = ["--duration", "1s", "--replications", "3"];
    let output = run(&[&["simulate"], &wrong[..], &short].concat());
    let told = out(&output);
    assert_eq!(code(&output), 0, "it is told, and was not asked for");
    for words in [
        "VIOLATED at the end of 3 of 3 runs: the sender is at most two packets ahead of the receiver\n",
        "first in replication 0; `--first 0 --replications 1 --assert` shows how; asked at the ends only\n",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (found, _) = simulate(&[&wrong[..], &short].concat());
    assert_eq!(found["assertions"]["asked"], "ends");
    assert_eq!(found["assertions"]["violated_runs"], 3);
    assert_eq!(found["violation"], Value::Null);
    let told = text(&["aodv-3", "--duration", "10s", "--replications", "2"]);
    assert!(
        told.contains("not evaluated: violations count only on runs with `timer:Expire`"),
        "{told}"
    );
}

#[test]
fn distributions_have_the_unit_of_their_measure_and_one_name_has_one_value() {
    let (found, _) = simulate(&["aodv", "--set", "nodes=6", "--set", "loss-rate=0.2"]);
    let named = |list: &str, name: &str| {
        let all = found[list].as_array().unwrap();
        all.iter().find(|it| it["name"] == name).cloned().unwrap_or(Value::Null)
    };
    assert_eq!(named("distributions", "delay")["unit"], "s");
    for measure in found["measures"].as_array().unwrap() {
        let counter = named("counters", measure["name"].as_str().unwrap());
        assert!(counter.is_null() || counter["mean"] == measure["mean"], "{measure} {counter}");
    }
    let told = text(&["aodv", "--set", "nodes=4", "--duration", "10s", "--warm-up", "mser5"]);
    assert!(
        told.contains("the rest after MSER-5 is biased and its intervals are too narrow"),
        "{told}"
    );
    // Nobody sends that, and it may be sent: it is told.
    let unread = "note: never counted in any run, so measures read 0: `HELLO transmissions`, `RERR transmissions`, `RREP-ACK transmissions`, `data dropped`, `data without a route`\n";
    assert!(told.contains(unread), "{told}");
}
