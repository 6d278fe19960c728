//! The command `everypath` as its user meets it: good input, bad input, exit codes, files.

use crate::command;
use crate::schema;

use std::process::{Command, Output};

use everypath::protocols::arq::arq_erroneous;

use serde_json::Value;
use tempfile::TempDir;

use command::{assert_refused, code, complaint, json, out, refuses, run, run_in};
use schema::assert_fits;

#[test]
fn list_and_show_tell_what_there_is() {
    let output = run(&["list"]);
    assert_eq!(code(&output), 0);
    let listed = out(&output);
    let line = listed.lines().find(|line| line.starts_with("arq-erroneous ")).unwrap();
    assert!(line.contains("  Stop-and-wait ARQ whose sender ignores"), "{listed}");
    let listed = json(&run(&["list", "--json"]));
    assert_fits("list.schema.json", &listed);
    let names: Vec<&str> = listed["scenarios"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "arq",
            "arq-erroneous",
            "two-phase-commit",
            "two-phase-commit-impatient",
            "aodv",
            "aodv-1",
            "aodv-2",
            "aodv-3",
            "aodv-ns3",
            "aodv-repaired",
            "aodv-feedback",
            "aodv-silence",
            "aodv-rfc3561",
            "manet",
            "diffusion",
            "diffusion-1",
            "diffusion-2",
            "diffusion-crossing",
            "diffusion-hardened",
            "diffusion-field",
            "distance-vector",
            "distance-vector-plain",
            "distance-vector-split",
            "distance-vector-triangle",
            "route-discovery",
            "route-discovery-expiring",
            "binheap",
            "bst",
            "deque",
            "disjset",
            "fibheap",
            "heaparray",
            "linkedlist",
            "queue",
            "stack",
            "treemap",
            "trie",
            "ubstack",
            "vector",
        ]
    );
    let shown = out(&run(&["show", "arq"]));
    for word in ["loss-rate = 0", "arq-1", "packets are delivered in order", "efficiency"] {
        assert!(shown.contains(word), "{word}");
    }
    let changed = json(&run(&["show", "arq", "--set", "loss=3", "--json"]));
    assert_fits("show.schema.json", &changed);
    assert_fits("show.schema.json", &json(&run(&["show", "bst", "--json"])));
    assert_eq!(changed["faults"]["loss"], "3");
}

#[test]
fn check_finds_the_error_in_eight_steps_and_replay_runs_it_again() {
    let folder = TempDir::new().unwrap();
    let output = run_in(folder.path(), &["check", "arq-erroneous"]);
    assert_eq!(code(&output), 1);
    let text = out(&output);
    assert!(text.contains("VIOLATED in 8 steps, the fewest possible"), "{text}");
    assert!(text.contains(" 8  A1 from n1 (receiver) arrives at n0 (sender)"), "{text}");
    assert!(text.contains("n0 (sender): source.handed_down: 3 → 4"), "{text}");
    let last = text.lines().last().unwrap();
    let command = last.strip_prefix("run it again: ").expect("the last line reproduces it");

    // The last line works as printed.
    let mut again = Command::new("sh");
    let again = again.args(["-c", command]).current_dir(folder.path()).output().unwrap();
    assert_eq!(code(&again), 1);
    let told = out(&again);
    assert!(told.starts_with("arq-erroneous: 8 steps, every state as recorded\n"), "{told}");
    assert!(
        told.contains("broken, as recorded: the sender is at most two packets ahead"),
        "{told}"
    );

    let replayed = json(&run_in(folder.path(), &["replay", "arq-erroneous.trace.json", "--json"]));
    assert_fits("replay.schema.json", &replayed);
    assert_eq!(replayed["verdict"], "violated");
    assert_eq!(replayed["steps"].as_array().unwrap().len(), 8);
}

#[test]
fn check_json_fits_its_schema_whatever_the_verdict() {
    let violated = json(&run(&["check", "arq-erroneous", "--json"]));
    assert_fits("check.schema.json", &violated);
    assert_eq!(violated["verdict"], "violated");
    assert_eq!(violated["complete"], false);
    assert_eq!(violated["counterexample"]["file"], "arq-erroneous.trace.json");
    let step = &violated["counterexample"]["steps"][1];
    assert_eq!((&step["node"], &step["kind"]), (&Value::from(0), &Value::from("timer")));
    assert_eq!(step["parameters"]["timer"], "Retransmit");

    let holds = json(&run(&["check", "arq", "--json"]));
    assert_fits("check.schema.json", &holds);
    assert_eq!((&holds["verdict"], &holds["complete"]), (&"holds".into(), &true.into()));
    assert_eq!(holds["counterexample"], Value::Null);

    let stopped = json(&run(&["check", "arq", "--max-states", "100", "--json"]));
    assert_fits("check.schema.json", &stopped);
    assert_eq!(
        (&stopped["verdict"], &stopped["complete"]),
        (&"inconclusive".into(), &false.into())
    );
    assert_eq!(stopped["ended"], "max-states");
}

#[test]
fn the_thesis_profile_counts_by_the_published_semantics() {
    for (scenario, depth, events, unsafe_events) in
        [("arq-erroneous", "30", 68_060, 5_179), ("arq", "35", 318_223, 0)]
    {
        let arguments = [
            "check",
            scenario,
            "--profile",
            "thesis",
            "--keep-going",
            "--json",
            "--max-depth",
            depth,
        ];
        let found = json(&run(&arguments));
        assert_eq!(
            (&found["events"], &found["unsafe_events"]),
            (&events.into(), &unsafe_events.into())
        );
        assert_eq!(found["complete"], true);
        let text = out(&run(&arguments[..5]));
        assert!(text.contains("thesis profile: the published semantics"), "{text}");
    }
}

#[test]
fn the_counterexample_goes_to_the_named_file_and_shows_whole_states_on_request() {
    let folder = TempDir::new().unwrap();
    let output = run_in(
        folder.path(),
        &["check", "arq-erroneous", "--trace", "my trace.json", "--show-states"],
    );
    let text = out(&output);
    assert!(folder.path().join("my trace.json").exists());
    assert!(text.ends_with("replay 'my trace.json'\n"), "{text}");
    assert_eq!(text.matches("SinkState { delivered:").count(), 9, "{text}");
}

#[test]
fn charts_are_drawn_where_they_are_asked_for() {
    let folder = TempDir::new().unwrap();
    let names = ["run.svg", "run.html", "run.mmd", "run.md"];
    let asked = names.map(|name| ["--chart", name]).concat();
    let output = run_in(folder.path(), &[&["check", "arq-erroneous"], &asked[..]].concat());
    assert_eq!(code(&output), 1);
    let starts = ["<svg ", "<!DOCTYPE html>", "sequenceDiagram\n", "```mermaid\nsequenceDiagram\n"];
    for (name, start) in names.iter().zip(starts) {
        assert!(out(&output).contains(&format!("\nchart: {name}\n")), "{}", out(&output));
        let drawn = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(drawn.starts_with(start), "{name}: {drawn}");
        assert!(drawn.contains("broken: the sender is at most two packets ahead"), "{name}");
    }
    let first = std::fs::read(folder.path().join("run.svg")).unwrap();

    let replay = ["replay", "arq-erroneous.trace.json", "--chart", "again.svg"];
    let output = run_in(folder.path(), &replay);
    assert!(out(&output).ends_with("\nchart: again.svg\n"), "{}", out(&output));
    assert_eq!(std::fs::read(folder.path().join("again.svg")).unwrap(), first);

    let drawn = json(&run(&["check", "arq-erroneous", "--json", "--chart", "a.svg"]));
    assert_fits("check.schema.json", &drawn);
    assert_eq!(drawn["counterexample"]["charts"], serde_json::json!(["a.svg"]));

    let output = run(&["check", "arq", "--chart", "a.svg"]);
    assert!(out(&output).ends_with("\nnothing was found: no chart was written\n"));
}

#[test]
fn a_chart_says_of_which_form_it_is() {
    let forms = [".svg", ".html", ".mmd", ".md"];
    refuses(&["check", "arq-erroneous", "--chart", "run.png"], &forms);
    refuses(&["replay", "none.trace.json", "--chart", "run"], &forms);
    let wants = ["cannot read gosip: there is no such file", "`replay` takes the file of a run"];
    refuses(&["replay", "gosip"], &wants);
}

#[test]
fn files_that_cannot_be_written_are_reported_before_anything_is_run() {
    // Nothing would be found, but that is known only in the end.
    for option in ["--checkpoint", "--trace", "--chart"] {
        let named = format!("cannot write no/such/folder.svg, which {option} names: ");
        let remedy = "name a file in a folder that exists";
        refuses(&["check", "arq", option, "no/such/folder.svg"], &[&named, remedy]);
    }
    for option in ["--checkpoint", "--trace"] {
        refuses(&["check", "arq", option, "."], &[&format!("{option} names: it is a folder")]);
    }
    refuses(&["replay", "none.trace.json", "--chart", "no/folder.svg"], &["no/folder.svg"]);
    let same = ["--trace", "x.svg", "--chart", "x.svg"];
    refuses(&[&["check", "arq"], &same[..]].concat(), &["--chart and --trace name the same file"]);

    // What can be written is left as it is until there is something to write.
    let folder = TempDir::new().unwrap();
    let files = ["old.checkpoint", "old.trace.json", "old.svg"];
    for file in &files[..2] {
        std::fs::write(folder.path().join(file), "old").unwrap();
    }
    let [checkpoint, trace, chart] = files;
    let asked = ["--checkpoint", checkpoint, "--trace", trace, "--chart", chart];
    let output = run_in(folder.path(), &[&["check", "arq"], &asked[..]].concat());
    assert_eq!(code(&output), 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    for file in &files[..2] {
        assert_eq!(std::fs::read(folder.path().join(file)).unwrap(), b"old", "{file}");
    }
}

#[test]
fn simulate_measures_with_intervals_and_repeats_itself_byte_for_byte() {
    let arguments = ["simulate", "arq", "--set", "loss-rate=0.1", "--duration", "2s", "--json"];
    let without_time = |output: &Output| {
        let mut value = json(output);
        value["seconds"] = Value::Null;
        value
    };
    let first = without_time(&run(&arguments));
    assert_eq!(first, without_time(&run(&arguments)));
    assert_eq!(first["runs"], 10);
    let efficiency = &first["measures"][0];
    assert_eq!(efficiency["name"], "efficiency");
    let mean = efficiency["mean"].as_f64().unwrap();
    assert!((mean - 0.2288).abs() < 0.01, "{mean}");
    let other = without_time(&run(&[&arguments[..], &["--seed", "2"]].concat()));
    assert_ne!(first["measures"], other["measures"]);

    let logged = run(&["simulate", "arq", "--duration", "3ms", "--replications", "1", "--log"]);
    assert!(
        out(&logged).contains("   0.001800000 n1   deliver  D0 #0 from n0\n"),
        "{}",
        out(&logged)
    );
}

#[test]
fn limits_end_a_run_cleanly_with_exit_code_3() {
    let strategies = ["bfs", "dfs", "dfs-r", "best", "biased", "beam", "deepening", "walk"];
    for strategy in strategies {
        for limit in [["--max-states", "50"], ["--max-memory", "1K"], ["--max-time", "1ns"]] {
            if (strategy, limit[0]) == ("walk", "--max-states") {
                continue;
            }
            let output = run(&[&["check", "arq", "--strategy", strategy], &limit[..]].concat());
            assert_eq!(code(&output), 3, "{strategy} {limit:?}");
            let text = out(&output);
            assert!(text.contains(&format!("INCONCLUSIVE, stopped by {}", limit[0])), "{text}");
        }
    }
}

#[test]
fn what_makes_a_space_large_is_explained() {
    let large = ["check", "arq", "--max-depth", "none", "--why-large", "--json"];
    let output = run(&large);
    assert_eq!(code(&output), 3);
    let found: Value = serde_json::from_str(&out(&output)).unwrap();
    let growth = &found["growth"];
    assert_eq!(growth["judged"], true);
    assert_eq!(growth["trends"][0]["sort"], "packets");
    assert_eq!(growth["trends"][0]["place"], "n1→n0");
    let how = growth["remedies"][0]["how"].as_str().unwrap();
    assert!(how.ends_with(" check arq --set network=inbox:4"), "{how}");
    let contributions = &found["contributions"];
    let states = contributions["states"].as_u64().unwrap();
    assert!((20_000..22_000).contains(&states), "{states}");
    assert_eq!(contributions["parts"][0]["part"], "packets");

    // The advice is about the search as it was asked for.
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file.toml"), "scenario = \"arq\"\n").unwrap();
    let advice = |scenario: &str, options: &[&str]| -> Vec<String> {
        let large = ["check", scenario, "--max-depth", "none", "--max-states", "9000", "--json"];
        let found = json(&run_in(folder.path(), &[&large, options].concat()));
        let remedies = found["growth"]["remedies"].as_array().unwrap().iter();
        remedies.map(|it| it["how"].as_str().unwrap().to_owned()).collect()
    };
    let lossless = advice("arq", &["--require", "deliver@1", "--disable=lose"]);
    let command = " check arq --require 'deliver@1' --disable lose --set network=inbox:4";
    assert!(lossless[0].ends_with(command), "{lossless:?}");
    // A mailbox or a capacity may be too small for the packets of a world in which a search starts.
    let started = advice("arq", &["--from-simulation", "1ms"]);
    let command = " check arq --from-simulation 1ms --max-depth ";
    assert!(started.last().unwrap().contains(command), "{started:?}");
    assert!(!started.iter().any(|how| how.contains("inbox")), "{started:?}");
    let with_file = advice("file.toml", &["--set", "timeout=20ms"]);
    let command = " check file.toml --set timeout=20ms --set network=inbox:4";
    assert!(with_file[0].ends_with(command), "{with_file:?}");

    // A search that ends by itself needs no explanation, and does not grow.
    let all = run(&["check", "distance-vector", "--json"]);
    let all: Value = serde_json::from_str(&out(&all)).unwrap();
    assert!(all["growth"].is_null() && all["contributions"].is_null());
    let asked = run(&["check", "distance-vector", "--why-large"]);
    let text = out(&asked);
    assert!(text.contains("\nbound: 100,000 states, since no limit was given"), "{text}");
    assert!(text.contains("\n1,473 states were compared\n"), "{text}");
    assert!(!text.contains("grow"), "{text}");

    for (options, why) in [
        (&["--strategy", "walk", "--max-depth", "9"][..], "stores no states"),
        (&["--cross-check"], "stop at different places"),
        (&["--each-assertion"], "cannot be used with"),
    ] {
        let refused = run(&[&["check", "arq", "--why-large"], options].concat());
        assert_eq!(code(&refused), 2);
        let words = complaint(&refused);
        let words =
            words.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(words.contains(why), "{words}");
    }
}

#[test]
fn unknown_names_and_values_are_refused_with_a_remedy() {
    refuses(&["check", "arc"], &["there is no scenario `arc`", "did you mean `arq`?"]);
    refuses(
        &["check", "zebra"],
        &["there is no scenario `zebra`", "there are: arq, arq-erroneous, two-phase-commit"],
    );
    refuses(
        &["check", "arq", "--set", "los=1"],
        &["there is no parameter `los`; did you mean `loss`?", "`show arq` lists its parameters"],
    );
    refuses(
        &["simulate", "arq", "--set", "loss-rate=1.5"],
        &["`1.5` is not a value of parameter `loss-rate`: it takes a number from 0 to 1"],
    );
    for network in ["token", "inbox", "inbox:0", "inbox:256", "inbox:-1", "inbox:1 "] {
        refuses(
            &["check", "arq", "--set", &format!("network={network}")],
            &[
                &format!("`{network}` is not a value of parameter `network`"),
                "it takes unordered, fifo, list, or inbox:N (each node has a mailbox of N packets, from 1 to 255)",
            ],
        );
    }
    refuses(
        &["check", "arq", "--set", "loss=1", "--set", "loss=2"],
        &["parameter `loss`: it is given twice"],
    );
    refuses(&["simulate", "arq", "--set", "timeout=0s"], &["give more than 0s"]);
    refuses(&["simulate", "arq", "--set", "delay=10000000000s"], &["at most 10^9 s"]);
    refuses(&["check", "arq", "--set", "loss"], &["write it as KEY=VALUE"]);
    refuses(&["check", "arq", "--max-time", "5"], &["write it with a unit"]);
    refuses(&["check", "arq", "--max-depth", "many"], &["--max-depth"]);
    refuses(&["check"], &["SCENARIO"]);
    refuses(&["simulate", "arq", "--replications", "0"], &["--replications"]);
    refuses(&["chekc", "arq"], &["check"]);
}

#[test]
fn audiences_that_make_no_sense_are_refused_with_a_remedy() {
    for command in ["check", "simulate", "show"] {
        for audience in ["0", "-1", "some", "1.5", "", "4294967296"] {
            refuses(
                &[command, "route-discovery", "--set", &format!("audience={audience}")],
                &[
                    &format!("`{audience}` is not a value of parameter `audience`"),
                    "it takes all, or how many neighbours hear a broadcast at most (1 or more)",
                ],
            );
        }
    }
    for command in ["check", "simulate"] {
        refuses(
            &[command, "route-discovery", "--set", "audience=4"],
            &[
                "an audience of at most 4 nodes, but no node has more than 3 neighbours",
                "give at most 3, which is any set of neighbours, or `all`",
            ],
        );
        refuses(
            &[command, "aodv", "--set", "audience=3"],
            &["no node has more than 2 neighbours; give at most 2"],
        );
        // On a field the radio decides.
        refuses(
            &[command, "manet", "--set", "audience=2"],
            &["there is no parameter `audience`", "`show manet` lists its parameters"],
        );
    }
    refuses(
        &["check", "route-discovery", "--set", "nodes=18", "--set", "audience=17"],
        &[
            "a broadcast of n0 has 131072 possible audiences, too many to explore: at most 65536",
            "make the audience or the neighbourhood smaller",
        ],
    );
    // One audience is drawn at a time.
    let simulated = ["--set", "audience=17", "--replications", "2"];
    let words = [&["simulate", "route-discovery", "--set", "nodes=18"], &simulated[..]].concat();
    assert_eq!(code(&run(&words)), 0);
}

/// A counterexample with audiences is printed, saved, replayed, drawn, and avoided by patterns.
#[test]
fn audiences_are_part_of_counterexamples() {
    let folder = TempDir::new().unwrap();
    let scenario = "route-discovery-expiring";
    let output = run_in(folder.path(), &["check", scenario, "--chart", "loop.svg"]);
    assert_eq!(code(&output), 1);
    let text = out(&output);
    assert!(text.contains("timer Seek fires at n0 (source), heard by n"), "{text}");
    let chart = std::fs::read_to_string(folder.path().join("loop.svg")).unwrap();
    assert!(chart.contains("timer Seek, heard by n"), "{chart}");
    let trace = format!("{scenario}.trace.json");
    for words in [["replay", &trace].as_slice(), &["simulate", "--replay", &trace]] {
        let replayed = run_in(folder.path(), words);
        assert!(out(&replayed).contains("heard by n"), "{words:?}: {}", out(&replayed));
    }
    // Without broadcasts that forwarders hear, there is no loop. With one of them, there is.
    let patterns = ["--disable", "timer:heard by n1", "--disable", "timer:heard by n2"];
    let none = run_in(folder.path(), &[&["check", scenario], &patterns[..]].concat());
    assert_eq!(code(&none), 0, "{}", out(&none));
    let required = ["check", scenario, "--require", "timer:heard by n2"];
    let required = run_in(folder.path(), &required);
    assert_eq!(code(&required), 1, "{}", out(&required));
    assert!(out(&required).contains("heard by n2"));
}

#[test]
fn a_parameter_that_is_taken_for_an_option_is_refused_with_the_right_form() {
    let hint =
        |setting: &str| format!("it is a parameter of the scenario: write `--set {setting}`");
    for (words, setting) in [
        (&["check", "aodv", "--nodes", "4"][..], "nodes=4"),
        (&["simulate", "--nodes=4", "aodv"], "nodes=4"),
        (&["compare", "aodv", "--nodes", "--csv"], "nodes=VALUE"),
    ] {
        refuses(words, &["unexpected argument '--nodes'", &hint(setting)]);
    }
    for words in [&["check", "aodv", "--zebra", "4"][..], &["replay", "aodv", "--nodes", "4"]] {
        let output = run(words);
        assert_refused(&output, &["unexpected argument"]);
        assert!(!complaint(&output).contains("--set"), "{}", complaint(&output));
    }
}

/// A folder with a counterexample, whose text is changed.
fn changed_trace(change: impl Fn(&str) -> String) -> (TempDir, Output) {
    let folder = TempDir::new().unwrap();
    run_in(folder.path(), &["check", "arq-erroneous"]);
    let path = folder.path().join("arq-erroneous.trace.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "the change changes something");
    std::fs::write(&path, changed).unwrap();
    let output = run_in(folder.path(), &["replay", "arq-erroneous.trace.json"]);
    (folder, output)
}

#[test]
fn a_trace_file_that_is_not_as_it_was_written_is_refused() {
    let refused = |change: &dyn Fn(&str) -> String, words: &[&str]| {
        let (_folder, output) = changed_trace(change);
        assert_refused(&output, words);
    };
    refused(
        &|text| text[..text.len() / 2].to_owned(),
        &["is not a whole JSON file", "was it cut off?"],
    );
    refused(&|_| String::new(), &["is not a whole JSON file"]);
    refused(&|_| "{}".to_owned(), &["is not a trace file of Everypath"]);
    refused(
        &|text| text.replace("\"version\": 1", "\"version\": 2"),
        &["of version 2", "reads version 1", "record it again with `check`"],
    );
    refused(&|text| text.replace("#2", "#3"), &["was changed after it was written"]);
    refused(
        &|text| text.replace("\"assertion\"", "\"claim\""),
        &["damaged trace file", "assertion"],
    );
    refuses(&["replay", "no-such-file.json"], &["cannot read no-such-file.json"]);
}

/// Gives a changed trace the checksum that belongs to it, as another version of a program would.
fn with_its_checksum(text: &str, change: impl Fn(&mut Value)) -> String {
    let mut file: Value = serde_json::from_str(text).unwrap();
    change(&mut file["trace"]);
    let content = serde_json::to_vec(&file["trace"]).unwrap();
    file["checksum"] = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&content)).into();
    file.to_string()
}

#[test]
fn a_trace_of_another_scenario_or_protocol_is_refused() {
    let refused = |change: &dyn Fn(&mut Value), words: &[&str]| {
        let (_folder, output) = changed_trace(|text| with_its_checksum(text, change));
        assert_refused(&output, words);
    };
    refused(
        &|trace| trace["scenario"] = "arp".into(),
        &["a run of scenario `arp`", "did you mean `arq`?"],
    );
    refused(&|trace| trace["scenario"] = "arq".into(), &["step 6 leads to another state"]);
    refused(
        &|trace| trace["parameters"]["zest"] = "much".into(),
        &["no longer fits scenario `arq-erroneous`", "there is no parameter `zest`"],
    );
    refused(
        &|trace| trace["parameters"]["numbered"] = "false".into(),
        &["the initial state differs"],
    );
    refused(
        &|trace| trace["parameters"]["loss"] = "off".into(),
        &["the initial state differs", "look for the violation again with `check`"],
    );
    refused(
        &|trace| trace["profile"] = "folklore".into(),
        &["names a profile that does not exist"],
    );
    refused(&|trace| trace["initial"] = "x".into(), &["a digest is not a hexadecimal number"]);
    refused(
        &|trace| trace["steps"][1]["parameters"][0][1] = "Give up".into(),
        &["step 2 cannot happen; enabled instead: A1 from n1 (receiver) arrives at n0 (sender)"],
    );
}

#[test]
fn a_trace_whose_last_state_is_fine_says_so() {
    let (_folder, output) = changed_trace(|text| {
        with_its_checksum(text, |trace| {
            trace["steps"].as_array_mut().unwrap().truncate(3);
        })
    });
    assert_eq!(code(&output), 0);
    assert!(out(&output).contains("no longer broken"), "{}", out(&output));
}

#[test]
fn a_counterexample_that_cannot_be_saved_is_shown_all_the_same() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("arq-erroneous.trace.json")).unwrap();
    let output = run_in(folder.path(), &["check", "arq-erroneous"]);
    assert_eq!(code(&output), 1);
    let complaint = complaint(&output);
    assert!(complaint.contains("cannot write arq-erroneous.trace.json: it is a folder"));
    let text = out(&output);
    assert!(text.contains("VIOLATED in 8 steps"), "{text}");
    assert!(!text.contains("run it again"), "{text}");
    let found = json(&run_in(folder.path(), &["check", "arq-erroneous", "--json"]));
    assert_eq!(found["counterexample"]["file"], Value::Null);
    assert_fits("check.schema.json", &found);
}

/// Every option of the commands that search is in an example, and every example works as it
/// stands, but for what depends on the scenario.
#[test]
fn every_option_has_an_example_that_works() {
    for command in ["check", "compare"] {
        try_examples(command);
    }
}

fn try_examples(command: &str) {
    let help = out(&run(&[command, "--help"]));
    let (options, examples) = help.split_once("Examples:\n").unwrap();
    let examples = examples.lines().take_while(|line| !line.is_empty());
    let examples: Vec<&str> = examples.map(str::trim).collect();
    let options = options.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    // `--option VALUE` and `--option[=VALUE]`.
    for option in options.map(|line| line.split([' ', '[']).next().unwrap()) {
        let used = format!("--{option}");
        let uses = |example: &&str| example.split([' ', '=']).any(|word| word == used);
        assert!(examples.iter().any(uses), "no example uses --{option}");
    }
    let folder = TempDir::new().unwrap();
    for example in examples {
        let example = example.replace("KEY=VALUE", "loss=1").replace(":TEXT", ":A0");
        let example = match example.contains("--relation") {
            true => example
                .replace("check arq", "check arq --set network=unordered")
                .replace("NAME", "simulated"),
            false => example.replace("NAME", "arq-1"),
        };
        // What only some scenarios declare is tried on one of them.
        let example = match example.contains("--reduce") || example.contains("--starts") {
            true => example
                .replace("check arq", "check route-discovery --set nodes=3")
                .replace("REDUCTION", "obsolete,audiences")
                .replace("--starts arq-1", "--starts patterns"),
            false => example,
        };
        // ARQ has an assumption, which may leave a timer set for ever.
        let example = match example.contains("--timers") {
            true => example.replace("check arq", "check aodv-1"),
            false => example,
        };
        // What has no bound would not end; what is to be gone on with must have been stopped.
        let example = example.replace("--max-states 1000000", "--max-states 1000");
        let example = example.replace("--max-time 8h", "--max-states 1000");
        let example = example.replace("--bitstate-memory 256M", "--bitstate-memory 1M");
        let words = example.split(' ').skip(1).map(|word| word.trim_matches('\''));
        let arguments: Vec<&str> = words.collect();
        if example.contains("--learn-from") {
            run_in(folder.path(), &["check", "arq-erroneous", "--trace", "before.trace.json"]);
        }
        let output = run_in(folder.path(), &arguments);
        // No bundled protocol has native nodes.
        let is_plain = example.contains("--native") && complaint(&output).contains("plain data");
        // Their links have a bandwidth.
        let is_fast = example.contains("--timed") && complaint(&output).contains("a bandwidth");
        assert!(is_plain || is_fast || code(&output) != 2, "{example}: {}", complaint(&output));
    }
}

#[test]
fn help_has_examples() {
    for arguments in
        [&["--help"][..], &["check", "--help"], &["compare", "--help"], &["simulate", "--help"]]
    {
        let output = run(arguments);
        assert_eq!(code(&output), 0);
        assert!(out(&output).contains("Examples:"), "{arguments:?}");
    }
}

/// The words in backticks of a text, each up to its first blank.
fn quoted(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|quoted| quoted.split(' ').next()).collect()
}

/// The commands are the same wherever they are told of; `reproduce` is not one of a user's program.
#[test]
fn the_commands_are_those_that_help_names() {
    let help = out(&run(&["--help"]));
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    // Not lines that go on with what the line before says.
    let commands = commands.filter(|line| !line.starts_with("   "));
    let names = commands.map(|line| line.split_whitespace().next().unwrap());
    let all: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert_eq!(all.last(), Some(&"reproduce"));
    let own = &all[..all.len() - 1];

    let page = include_str!("../docs/command-line.md");
    let (_, table) = page.split_once("| command | does |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let mut told: Vec<&str> = rows.filter_map(|row| quoted(row).first().copied()).collect();
    told.dedup();
    assert_eq!(told, all, "docs/command-line.md");

    for (name, text) in [
        ("README.md", include_str!("../README.md").to_owned()),
        ("src/lib.rs", include_str!("../src/lib.rs").replace("//!", "")),
        ("crates/cli/src/lib.rs", include_str!("../crates/cli/src/lib.rs").replace("//!", "")),
    ] {
        let (before, after) = match text.split_once("the whole command line: ") {
            Some((_, after)) => ("", after),
            None => text.split_once("# The command line\n").unwrap(),
        };
        let told = after.split(['.', ':']).next().unwrap().split(" for any ").next().unwrap();
        assert_eq!(quoted(told), own, "{name} {before}");
    }
}

/// Who reads of the thesis can look it up.
#[test]
fn pages_that_speak_of_the_thesis_say_which() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages =
        docs.chain(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|it| root.join(it)));
    let mut linked = 0;
    for page in pages.filter(|page| page.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(&page).unwrap();
        if page.ends_with("references.md") {
            assert!(text.contains("<a id=\"thesis\"></a>"), "the place that others link");
            continue;
        }
        let first = text.to_lowercase().find("thesis");
        let link = text.find("references.md#thesis)");
        let speaks = text.to_lowercase().contains("the thesis") || text.contains("Sobeih");
        assert!(!speaks || link.is_some(), "{page:?}, from byte {first:?}");
        linked += usize::from(link.is_some());
    }
    assert!(linked >= 9, "{linked}");
}

// This is what `check arq-erroneous --as-test` prints; the test below compares it.
#[test]
fn the_sender_is_at_most_two_packets_ahead_of_the_receiver() {
    everypath::testing::replay(arq_erroneous)
        .steps([
            "D0 #0 from n0 (sender) arrives at n1 (receiver)",
            "timer Retransmit fires at n0 (sender)",
            "D0 #0 from n0 (sender) arrives at n1 (receiver)",
            "A1 from n1 (receiver) arrives at n0 (sender)",
            "D1 #1 from n0 (sender) to n1 (receiver) is lost",
            "A1 from n1 (receiver) arrives at n0 (sender)",
            "D0 #2 from n0 (sender) arrives at n1 (receiver)",
            "A1 from n1 (receiver) arrives at n0 (sender)",
        ])
        .assert_violates("the sender is at most two packets ahead of the receiver");
}

#[test]
fn a_counterexample_can_be_had_as_a_test() {
    let folder = TempDir::new().unwrap();
    let (_, printed) =
        include_str!("command_line.rs").split_once("the test below compares it.\n").unwrap();
    let (printed, _) = printed.split_once("\n#[test]\nfn a_counterexample_can_be_had").unwrap();
    let text = out(&run_in(folder.path(), &["check", "arq-erroneous", "--as-test"]));
    assert!(text.contains(printed), "{text}");
    let text = out(&run_in(folder.path(), &["replay", "arq-erroneous.trace.json", "--as-test"]));
    assert!(text.ends_with(printed), "{text}");
    let found = json(&run_in(folder.path(), &["check", "arq-erroneous", "--as-test", "--json"]));
    assert_eq!(found["counterexample"]["test"], printed);
    assert_fits("check.schema.json", &found);
    let found = json(&run_in(folder.path(), &["check", "arq-erroneous", "--json"]));
    assert_eq!(found["counterexample"]["test"], Value::Null);
    let set = ["check", "arq-erroneous", "--as-test", "--set", "loss=2", "--deadlock"];
    let text = out(&run_in(folder.path(), &set));
    assert!(text.contains("        .set(\"loss\", \"2\")\n        .never_stuck()\n"), "{text}");
    let text = out(&run(&["check", "arq", "--max-depth", "5", "--as-test"]));
    assert!(text.contains("nothing was found: there is no test of it"), "{text}");
    let thesis = ["check", "arq-erroneous", "--profile", "thesis", "--as-test"];
    let text = out(&run_in(folder.path(), &thesis));
    assert!(text.contains("// There is no such test: it is a run under the profile"), "{text}");
}
