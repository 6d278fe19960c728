//! `compare`: its numbers are those of `check`, its statistics those of a textbook, its tables those
//! of the published experiments.

use crate::command;
use crate::schema;

use std::fs;

use command::{code, complaint, json, out, refuses, run, run_in};
use schema::assert_fits;
use serde_json::Value;
use tempfile::TempDir;

/// The result of `compare`, which fits the schema.
fn compare(arguments: &[&str]) -> Value {
    let output = run(&[&["compare"], arguments, &["--json"]].concat());
    assert!(!output.stdout.is_empty(), "{}", complaint(&output));
    let found = json(&output);
    assert_fits("compare.schema.json", &found);
    found
}

fn searches(found: &Value) -> &Vec<Value> {
    found["searches"].as_array().unwrap()
}

fn names(found: &Value) -> Vec<&str> {
    searches(found).iter().map(|it| it["search"].as_str().unwrap()).collect()
}

/// A row of the published table on ARQ: the search, and least, greatest and mean space and events
/// over a hundred seeds.
type Published = (&'static str, (u64, u64, f64), (u64, u64, f64));

const PUBLISHED: [Published; 9] = [
    ("best:arq-1/add=current", (50, 53, 51.39), (96, 103, 99.58)),
    ("best:arq-1/add=next", (52, 55, 53.51), (96, 102, 99.06)),
    ("best:arq-2/add=current", (191, 192, 191.57), (471, 475, 472.96)),
    ("best:arq-2/add=next", (147, 149, 148.00), (336, 340, 338.02)),
    ("bfs/add=current", (78, 104, 89.32), (109, 146, 125.34)),
    ("bfs/add=next", (77, 103, 87.46), (109, 146, 125.34)),
    ("dfs/add=current", (20, 63, 41.62), (22, 132, 75.13)),
    ("dfs/add=next", (23, 59, 40.78), (21, 120, 60.82)),
    ("dfs-r/add=next", (10, 50, 29.35), (11, 121, 62.77)),
];

/// Ten times as many seeds give the published ranges: those of the best-first searches to the
/// number, those of the others and a little more. The published means are such as a hundred of
/// these runs have.
#[test]
fn the_published_table_comes_out() {
    let searches_of_it = "best:arq-1,best:arq-2,bfs,dfs,dfs-r/add=next";
    let asked = ["arq-erroneous", "--profile", "thesis", "--max-depth", "10", "--no-time"];
    let drawn = ["--shuffle", "--seeds", "0-999", "--jobs", "2", "--add", "current,next"];
    let found = compare(&[&asked[..], &drawn, &["--strategies", searches_of_it]].concat());
    assert_eq!(searches(&found).len(), PUBLISHED.len());
    for (search, (name, space, events)) in searches(&found).iter().zip(PUBLISHED) {
        assert_eq!((&search["search"], &search["violated"]), (&name.into(), &1000.into()));
        for (quantity, (least, greatest, published_mean)) in [("space", space), ("events", events)]
        {
            let told = |what: &str| search[quantity][what].as_f64().unwrap();
            let (min, max) = (told("min") as u64, told("max") as u64);
            if name.starts_with("best") {
                assert_eq!((min, max), (least, greatest), "{quantity} of {name}");
            } else {
                let close = min + 4 >= least && max <= greatest + greatest / 10;
                assert!(min <= least && greatest <= max && close, "{name}: {min} to {max}");
            }
            // 1.96 errors of a mean of 1000 runs are told; a mean of 100 has √10 times the error.
            let error = told("half_width_95") / 1.96 * 10_f64.sqrt();
            let distance = (told("mean") - published_mean).abs();
            assert!(distance < 3.5 * error, "{quantity} of {name}: {distance} of {error}");
        }
    }
}

/// A run of a comparison is the run of `check` with the same options, number by number.
#[test]
fn every_run_is_that_of_check() {
    let scenarios: [(&[&str], &str); 3] = [
        (
            &["arq-erroneous", "--max-depth", "12"],
            "bfs,dfs/add=current,best:arq-1+novelty,biased:arq-2,walk/walks=7,beam/width=9,dfs-r/shuffle,deepening/store=fingerprint",
        ),
        (
            &["aodv-3", "--profile", "thesis", "--max-depth", "9"],
            "best:each/relation=simulated,bfs/shuffle",
        ),
        (
            &["two-phase-commit", "--max-depth", "7", "--deadlock", "--disable", "lose"],
            "bfs,dfs/shuffle,beam:novelty/shuffle",
        ),
    ];
    let mut runs = 0;
    for (arguments, strategies) in scenarios {
        let found = compare(&[arguments, &["--strategies", strategies, "--seeds", "3,8"]].concat());
        for search in searches(&found) {
            let mut options = Vec::new();
            for option in ["strategy", "add", "relation", "store", "width", "walks"] {
                options.extend(option_of(option, &search[option]));
            }
            if let Some(ranking) = search["ranking"].as_array() {
                let names: Vec<&str> = ranking.iter().flat_map(Value::as_str).collect();
                options.extend(["--ranking".to_owned(), names.join(",")]);
            }
            for made in search["runs"].as_array().unwrap() {
                let seeds = ["shuffle", "seed"].map(|option| option_of(option, &made[option]));
                let options = options.iter().chain(seeds.iter().flatten());
                let options: Vec<&str> = options.map(String::as_str).collect();
                let alone = json(&run(&[&["check"], arguments, &options, &["--json"]].concat()));
                for field in
                    ["verdict", "ended", "events", "states_visited", "states_waiting", "depth"]
                {
                    assert_eq!(made[field], alone[field], "{field} of {}", search["search"]);
                }
                assert_eq!(made["steps_found"], alone["counterexample"]["steps_found"]);
                runs += 1;
            }
        }
    }
    assert_eq!(runs, (8 + 3) + (8 + 2) + (3 + 2));
}

/// An option of `check` with its value, unless it is null.
fn option_of(name: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![format!("--{name}"), text.clone()],
        number => vec![format!("--{name}"), number.to_string()],
    }
}

/// Student's quantile for four degrees of freedom is 2.776 in any table.
#[test]
fn the_statistics_are_those_of_a_textbook() {
    let found = compare(&["arq-erroneous", "--strategies", "dfs/shuffle", "--seeds", "1-5"]);
    let [search] = &searches(&found)[..] else { panic!("one search") };
    let runs = search["runs"].as_array().unwrap();
    for quantity in ["events", "states_visited", "steps_found", "seconds"] {
        let values: Vec<f64> = runs.iter().map(|run| run[quantity].as_f64().unwrap()).collect();
        assert_eq!(values.len(), 5);
        let mean = values.iter().sum::<f64>() / 5.0;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half_width = 2.776_445 * (squares / 4.0 / 5.0).sqrt();
        let told = |what: &str| search[quantity][what].as_f64().unwrap();
        assert!((told("mean") - mean).abs() <= 1e-9 * mean, "{quantity}");
        assert!((told("half_width_95") - half_width).abs() <= 1e-5 * half_width, "{quantity}");
        assert_eq!(told("min"), values.iter().copied().fold(f64::INFINITY, f64::min));
        assert_eq!(told("max"), values.iter().copied().fold(0.0, f64::max));
        assert_eq!(search[quantity]["at_least"], false);
    }
    assert!(search["events"]["half_width_95"].as_f64().unwrap() > 0.0, "seeds make a difference");
}

/// The difference of two searches, and one of its quantities.
fn difference<'a>(found: &'a Value, names: [&str; 2], quantity: &str) -> &'a Value {
    let all = found["differences"].as_array().unwrap();
    let is_it =
        |it: &&Value| names == [&it["search"], &it["against"]].map(|it| it.as_str().unwrap());
    &all.iter().find(is_it).unwrap_or_else(|| panic!("{names:?} in {all:?}"))[quantity]
}

/// Student's quantile for four degrees of freedom at 99 % is 4.604 in any table.
#[test]
fn differences_are_paired_over_the_seeds() {
    let asked = ["arq-erroneous", "--strategies", "dfs/shuffle,best:arq-1/shuffle,bfs"];
    let further = ["--seeds", "1-5", "--against", "each", "--confidence", "0.99"];
    let found = compare(&[&asked[..], &further].concat());
    assert_eq!(found["confidence"], 0.99);
    assert_eq!(found["differences"].as_array().unwrap().len(), 3, "each pair once");
    let values = |place: usize, quantity: &str| -> Vec<f64> {
        let runs = searches(&found)[place]["runs"].as_array().unwrap();
        let values: Vec<f64> = runs.iter().map(|run| run[quantity].as_f64().unwrap()).collect();
        // A search that draws nothing counts the same with each seed.
        if values.len() == 1 { vec![values[0]; 5] } else { values }
    };
    let names = ["dfs/shuffle", "best:arq-1/shuffle", "bfs"];
    for (first, second) in [(1, 0), (2, 0), (2, 1)] {
        for quantity in ["events", "states_visited", "steps_found", "seconds"] {
            let told = difference(&found, [names[first], names[second]], quantity);
            if quantity == "seconds" && first == 2 {
                // One run says nothing of others.
                assert_eq!(
                    (&told["basis"], &told["half_width"]),
                    (&"independent".into(), &Value::Null)
                );
                continue;
            }
            let pairs = values(first, quantity).into_iter().zip(values(second, quantity));
            let apart: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
            let mean = apart.iter().sum::<f64>() / 5.0;
            let squares: f64 = apart.iter().map(|value| (value - mean).powi(2)).sum();
            let half_width = 4.604_095 * (squares / 4.0 / 5.0).sqrt();
            assert_eq!((&told["basis"], &told["pairs"]), (&"pairs".into(), &5.into()));
            let close = |told: &Value, expected: f64| {
                (told.as_f64().unwrap() - expected).abs() <= 1e-5 * expected.abs().max(1e-9)
            };
            assert!(close(&told["mean"], mean), "{quantity}: {told} {mean}");
            assert!(close(&told["half_width"], half_width), "{quantity}: {told} {half_width}");
        }
    }
    // Intervals of single searches have the same level, and those at 95 % are still there.
    let events = &searches(&found)[0]["events"];
    let [wide, usual] = ["half_width", "half_width_95"].map(|it| events[it].as_f64().unwrap());
    assert!((wide / usual - 4.604_095 / 2.776_445).abs() < 1e-5, "{wide} {usual}");
}

#[test]
fn differences_of_searches_that_draw_nothing_are_exact() {
    let asked = ["arq-erroneous", "--strategies", "bfs,dfs,walk/walks=1", "--seeds", "1-3"];
    let found = compare(&[&asked[..], &["--against", "bfs,dfs", "--no-time"]].concat());
    let events = |place: usize| searches(&found)[place]["events"]["mean"].as_f64().unwrap();
    let told = difference(&found, ["dfs", "bfs"], "events");
    assert_eq!((&told["basis"], &told["half_width"]), (&"exact".into(), &Value::Null));
    assert_eq!(told["mean"].as_f64().unwrap(), events(1) - events(0));
    assert_eq!(found["differences"].as_array().unwrap().len(), 3, "bfs minus dfs says no more");
    assert_eq!(difference(&found, ["dfs", "bfs"], "seconds"), &Value::Null);
    // A run that was stopped would have taken more: there is no difference.
    let asked = ["compare", "arq", "--strategies", "bfs,dfs/shuffle", "--max-states", "50"];
    let stopped = run(&[&asked[..], &["--against", "bfs", "--json", "--no-time"]].concat());
    assert_eq!(difference(&json(&stopped), ["dfs/shuffle", "bfs"], "events"), &Value::Null);
}

#[test]
fn the_forms_tell_the_same_differences_and_their_level() {
    let folder = TempDir::new().unwrap();
    let asked = ["compare", "arq-erroneous", "--strategies", "bfs,dfs", "--shuffle", "--seeds"];
    let further = ["1-20", "--against", "bfs", "--confidence", "0.999", "--no-time"];
    let asked = [&asked[..], &further].concat();
    let found = json(&run(&[&asked[..], &["--json"]].concat()));
    let events = difference(&found, ["dfs", "bfs"], "events");
    let csv = out(&run(&[&asked[..], &["--csv"]].concat()));
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 2);
    let cell = |title: &str| lines[1][lines[0].iter().position(|it| *it == title).unwrap()];
    assert_eq!((cell("search"), cell("against"), cell("events_pairs")), ("dfs", "bfs", "20"));
    for (title, field) in [("difference", "mean"), ("half_width_99.9", "half_width")] {
        assert_eq!(
            cell(&format!("events_{title}")).parse().ok(),
            events[field].as_f64(),
            "{title}"
        );
    }
    let plotted = [&asked[..], &["--plot", "p.svg", "--plot-of", "events,states"]].concat();
    let text = out(&run_in(folder.path(), &plotted));
    for part in [
        "\nevents  min    mean   99.9 %  max\n",
        "difference in events    mean",
        "20 pairs       less\n",
    ] {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
    let svg = fs::read_to_string(folder.path().join("p.svg")).unwrap();
    for part in
        ["linear axis; dot: mean; bar: 99.9 % interval", "dfs − bfs", "difference in states"]
    {
        assert!(svg.contains(part), "`{part}` is not in {svg}");
    }
}

#[test]
fn the_time_of_operations_is_a_mean_over_the_runs() {
    let asked = ["arq-erroneous", "--strategies", "dfs,best:arq-1", "--shuffle", "--seeds", "1-5"];
    let found = compare(&[&asked[..], &["--stats"]].concat());
    for search in searches(&found) {
        let runs = search["runs"].as_array().unwrap();
        let names: Vec<&String> = search["timings"].as_object().unwrap().keys().collect();
        assert_eq!(names.len(), 14, "{names:?}");
        let mut parts = 0.0;
        for name in names {
            let values: Vec<f64> =
                runs.iter().map(|run| run["timings"][name].as_f64().unwrap()).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let told = search["timings"][name]["mean"].as_f64().unwrap();
            assert!((told - mean).abs() < 1e-9, "{name}: {told} {mean}");
            parts += if name == "total" { -told } else { told };
        }
        assert!(parts.abs() < 1e-7, "{parts}");
    }
    assert_eq!(searches(&compare(&asked))[0]["timings"], Value::Null);
    let text = out(&run(&[&["compare"], &asked[..], &["--stats"]].concat()));
    for part in
        ["\nmean seconds ", "\nshuffling ", "\nlook-up ", "\ntotal ", "on a sample of the states"]
    {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
    let csv = out(&run(&[&["compare"], &asked[..], &["--stats", "--csv"]].concat()));
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines[0].contains(&"seconds_in_total_mean"), "{csv}");
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{csv}");
}

#[test]
fn without_times_the_same_command_prints_the_same_bytes_with_any_number_of_jobs() {
    let bytes = |form: &[&str], jobs: &str| {
        let folder = TempDir::new().unwrap();
        let asked = ["compare", "arq-erroneous", "--strategies", "bfs,biased:each,walk/walks=20"];
        let plotted = ["--no-time", "--plot", "p.svg", "--plot-of", "events,states,steps"];
        let output =
            run_in(folder.path(), &[&asked[..], &plotted, &["--jobs", jobs], form].concat());
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        (out(&output), fs::read_to_string(folder.path().join("p.svg")).unwrap())
    };
    for form in [&[][..], &["--json"], &["--csv"]] {
        let first = bytes(form, "1");
        assert!(!first.0.contains("seconds\":0.") && !first.0.contains("seconds_"), "{}", first.0);
        assert_eq!(first, bytes(form, "1"), "{form:?}");
        assert_eq!(first, bytes(form, "3"), "{form:?}");
    }
}

#[test]
fn the_forms_tell_the_same() {
    let asked = ["arq-erroneous", "--strategies", "bfs,dfs/shuffle", "--seeds", "1-4", "--no-time"];
    let found = compare(&asked);
    let [bfs, dfs] = &searches(&found)[..] else { panic!("two searches") };
    let csv = out(&run(&[&["compare"], &asked[..], &["--csv"]].concat()));
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let [titles, rows @ ..] = &lines[..] else { panic!("titles") };
    for (row, search) in rows.iter().zip([bfs, dfs]) {
        let cell = |title: &str| row[titles.iter().position(|it| *it == title).unwrap()];
        assert_eq!(cell("search"), search["search"]);
        assert_eq!(cell("runs"), search["runs"].as_array().unwrap().len().to_string());
        for quantity in ["events", "states_visited", "steps_found"] {
            for what in ["min", "mean", "max", "half_width_95"] {
                let told = search[quantity][what].as_f64();
                let cell = cell(&format!("{quantity}_{what}"));
                assert_eq!(cell.parse().ok(), told, "{quantity} {what}");
            }
        }
    }
    assert_eq!(rows.len(), 2);
    let text = out(&run(&[&["compare"], &asked[..]].concat()));
    for part in [
        "arq-erroneous: 2 searches of runs of at most 30 events, seeds 1-4\n",
        "bfs             1         1      0             0\n",
        "dfs/shuffle     4         4      0             0\n",
        "searches that draw nothing were run once",
    ] {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
    assert!(!text.contains("seconds"), "{text}");
    let once = out(&run(&["compare", "arq-erroneous", "--strategies", "bfs"]));
    assert!(once.contains("search   verdict  events  states  steps   seconds\n"), "{once}");
    assert!(once.contains("searches that draw nothing were run once"), "{once}");
}

#[test]
fn searches_are_named_as_they_are_written() {
    let named = |arguments: &[&str]| {
        let found = compare(&[&["arq", "--max-depth", "5", "--no-time"], arguments].concat());
        names(&found).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let each = ["arq-1", "arq-2", "transport", "transport-packets", "novelty"];
    let best = each.map(|ranking| format!("best:{ranking}"));
    assert_eq!(named(&[]), [&["bfs".to_owned(), "dfs".to_owned()][..], &best].concat());
    assert_eq!(
        named(&["--strategies", "biased:each+arq-1/store=fingerprint", "--seeds", "1"]),
        ["arq-2", "transport", "transport-packets", "novelty"]
            .map(|ranking| format!("biased:{ranking}+arq-1/store=fingerprint"))
    );
    assert_eq!(
        named(&["--strategies", "bfs,dfs-r/add=next", "--add", "current,next"]),
        ["bfs/add=current", "bfs/add=next", "dfs-r/add=next"]
    );
    assert_eq!(named(&["--strategies", "bfs", "--strategies", "dfs"]), ["bfs", "dfs"]);
    let repeated = compare(&["arq", "--max-depth", "5", "--strategies", "bfs", "--repeat", "3"]);
    let [bfs] = &searches(&repeated)[..] else { panic!("one search") };
    assert_eq!((&bfs["draws"], &bfs["holds"]), (&false.into(), &3.into()));
    assert_eq!(bfs["events"]["half_width_95"], 0.0);
}

#[test]
fn a_run_that_is_stopped_is_reported_and_is_no_measurement() {
    let asked = ["compare", "arq", "--strategies", "bfs,dfs/shuffle", "--max-states", "50"];
    let output = run(&[&asked[..], &["--seeds", "1-3", "--json"]].concat());
    assert_eq!(code(&output), 3);
    let found = json(&output);
    assert_fits("compare.schema.json", &found);
    assert_eq!((&found["complete"], &found["interrupted"]), (&false.into(), &false.into()));
    for (search, runs) in searches(&found).iter().zip([1, 3]) {
        assert_eq!((&search["stopped"], &search["inconclusive"]), (&runs.into(), &runs.into()));
        assert_eq!(search["events"]["at_least"], true);
        assert_eq!(search["events"]["half_width_95"], Value::Null);
        assert_eq!(search["steps_found"], Value::Null);
    }
    let output = run(&asked);
    assert_eq!(code(&output), 3);
    let text = out(&output);
    assert!(text.contains("1 of 1 of bfs by --max-states; 10 of 10 of dfs/shuffle"), "{text}");
    assert!(!text.contains("\nsteps"), "{text}");
    // What a search leaves out by its nature is no reason to say that the comparison is incomplete.
    let walk = run(&["compare", "arq", "--strategies", "walk/walks=3", "--seeds", "1"]);
    assert_eq!(code(&walk), 0);
    assert!(out(&walk).contains("inconclusive"));
}

#[test]
fn bad_input_is_refused_as_check_refuses_it() {
    let cases: [(&[&str], &[&str]); 37] = [
        (
            &["arq", "--strategies", "dfs/store=bitstate"],
            &["`dfs/store=bitstate`", "a depth bound"],
        ),
        (&["arp"], &["there is no scenario `arp`", "did you mean `arq`?"]),
        (&["arq", "--strategies", "bsf"], &["search `bsf`", "no strategy `bsf`", "`bfs`"]),
        (&["arq", "--strategies", "bfs,best:arq-9"], &["`best:arq-9`", "no ranking", "arq-1"]),
        (&["arq", "--strategies", "novelty"], &["no strategy `novelty`", "`best:novelty`"]),
        (&["arq", "--strategies", "arq-1/add=next"], &["did you mean `best:arq-1`?"]),
        (&["arq", "--strategies", "bfs:arq-1"], &["`bfs:arq-1`", "--ranking has no effect"]),
        (&["arq", "--strategies", "bfs:each"], &["`bfs:arq-1`", "--ranking has no effect"]),
        (&["arq", "--strategies", "bfs/width=5"], &["--width has no effect with"]),
        (&["arq", "--strategies", "beam/width=0"], &["'0'", "--width"]),
        (&["arq", "--strategies", "dfs-r/add=current"], &["`dfs-r/add=current`", "--add current"]),
        (&["arq", "--strategies", "bfs/add=curent"], &["'curent'", "'current'"]),
        (&["arq", "--strategies", "bfs/relaton=equal"], &["no option `relaton`", "`relation`"]),
        (&["arq", "--strategies", "bfs/relation=equl"], &["no relation `equl`", "`equal`"]),
        (&["arq", "--strategies", "bfs/workers=2"], &["no option `workers`"]),
        (&["arq", "--strategies", "bfs/add"], &["`bfs/add`", "--add"]),
        (&["arq", "--strategies", "bfs,bfs"], &["`bfs` is listed twice"]),
        (&["arq", "--strategies", ""], &["no strategy ``", "there are: bfs, dfs"]),
        (&["arq", "--strategies", "walk", "--shuffle"], &["`walk`", "--shuffle has no effect"]),
        (&["arq", "--strategies", "walk", "--max-states", "9"], &["--max-states has no effect"]),
        (&["arq", "--seeds", "1-3"], &["--seeds has no effect", "--shuffle"]),
        (&["arq", "--shuffle", "--repeat", "3"], &["--repeat has no effect"]),
        (&["arq", "--strategies", "bfs/shuffle/shuffle"], &["`shuffle` occurs twice"]),
        (&["arq", "--strategies", "bfs/shuffle=3/shuffle"], &["`shuffle` occurs twice"]),
        (&["arq", "--strategies", "bfs/add=next", "--add", "current"], &["--add has no effect"]),
        (&["arq", "--strategies", "bfs/shuffle=3", "--shuffle"], &["--shuffle has no effect"]),
        (
            &["two-phase-commit", "--strategies", "best:each+novelty"],
            &["`each` means no ranking here"],
        ),
        (&["arq", "--against", "bsf"], &["there is no search `bsf`", "did you mean `bfs`?"]),
        (&["arq", "--strategies", "bfs", "--against", "bfs"], &["--against has no effect"]),
        (&["arq", "--confidence", "99"], &["--confidence", "0.99 for 99 %"]),
        (&["arq", "--confidence", "1"], &["--confidence", "0.99 for 99 %"]),
        (&["arq", "--stats", "--no-time"], &["--stats has no effect with --no-time"]),
        (
            &["arq", "--stats", "--csv", "--against", "bfs"],
            &["--stats has no effect with --csv --against"],
        ),
        (&["arq", "--confidence", "NaN"], &["--confidence", "0.99 for 99 %"]),
        (&["arq", "--plot", "p.png"], &[".svg"]),
        (&["arq", "--plot", "p.svg", "--plot-of", "space"], &["--plot-of space has no effect"]),
        (
            &["arq", "--no-time", "--plot", "p.svg", "--plot-of", "time"],
            &["--plot-of time has no effect with --no-time"],
        ),
    ];
    for (arguments, words) in cases {
        refuses(&[&["compare"], arguments].concat(), words);
    }
    for wrong in ["5-1", "x", "1,1", "0-100000"] {
        refuses(&["compare", "arq", "--shuffle", "--seeds", wrong], &["--seeds"]);
    }
    refuses(&["compare", "arq", "--json", "--csv"], &["--json", "--csv"]);
    refuses(&["compare", "arq", "--plot-of", "events"], &["--plot"]);
    refuses(&["compare", "arq", "--plot", "nowhere/p.svg"], &["nowhere/p.svg", "--plot"]);
    let unsound = ["compare", "arq", "--strategies", "bfs/relation=simulated"];
    refuses(&unsound, &["`bfs/relation=simulated`", "unsound"]);
}

/// Ctrl-C ends the run under way, and what was measured before is told.
#[cfg(unix)]
#[test]
fn what_was_measured_before_an_interruption_is_reported() {
    use std::{
        process::{Command, Stdio},
        thread,
        time::Duration,
    };
    let endless = "bfs,walk/walks=1000000000000,dfs";
    let mut patience = Duration::from_millis(200);
    let output = loop {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        let command =
            command.args(["compare", "arq", "--max-depth", "14", "--seeds", "1", "--json"]);
        let command = command.args(["--strategies", endless]).stdout(Stdio::piped());
        let child = command.spawn().expect("the command can be started");
        thread::sleep(patience);
        let pressed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(pressed.expect("it can be started").success());
        let output = child.wait_with_output().expect("it ends");
        // On a busy machine it may not have come as far as to listen, or to measure anything.
        let came_far = output.status.code().is_some()
            && json(&output)["searches"][0]["runs"].as_array().is_some_and(|it| it.len() == 1);
        if came_far {
            break output;
        }
        patience *= 2;
        assert!(patience < Duration::from_secs(60), "{output:?}");
    };
    assert_eq!(code(&output), 3);
    let found = json(&output);
    assert_fits("compare.schema.json", &found);
    assert_eq!((&found["interrupted"], &found["complete"]), (&true.into(), &false.into()));
    let [bfs, walk, dfs] = &searches(&found)[..] else { panic!("three searches") };
    assert_eq!(bfs["states_visited"]["mean"], 321.0);
    for missing in [walk, dfs] {
        assert_eq!(missing["runs"], serde_json::json!([]));
        assert_eq!(missing["runs_planned"], 1);
        assert_eq!(missing["events"], Value::Null);
    }
}
