//! Sweeps: what is run, what is kept, and what happens to a folder of results when something goes wrong.

use crate::command;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use command::{assert_refused, code, complaint, json, out, refuses, run_in};
use tempfile::TempDir;

const SWEEP: &str = "
scenario = \"aodv\"
duration = \"20s\"
replications = 3
seed = 7

[parameters]
nodes = 4

[sweep]
links.loss = [0.0, 0.1]
interval = [\"250ms\", \"500ms\"]
";

fn folder_with(text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("sweep.toml"), text).unwrap();
    folder
}

fn sweep(folder: &Path, out: &str, more: &[&str]) -> Output {
    run_in(folder, &[&["simulate", "sweep.toml", "--out", out], more].concat())
}

/// All files below a folder but locks, with their content. The call is the one part of a manifest
/// that may differ.
fn content(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for place in [folder.to_owned(), folder.join("runs"), folder.join("plots")] {
        for file in fs::read_dir(place).unwrap().map(|file| file.unwrap().path()) {
            let name = file.strip_prefix(folder).unwrap().display().to_string();
            if file.is_dir() || name.ends_with(".lock") {
                continue;
            }
            let mut text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
            if name == "manifest.json" {
                let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
                manifest.as_object_mut().unwrap().remove("call").expect("it tells the call");
                text = manifest.to_string();
            }
            all.insert(name, text);
        }
    }
    all
}

#[test]
fn the_same_bytes_whatever_the_number_of_workers_and_however_often_it_is_called() {
    let folder = folder_with(SWEEP);
    let said = sweep(folder.path(), "one", &["--workers", "1"]);
    assert_eq!(code(&said), 0, "{}", complaint(&said));
    assert!(out(&said).starts_with("aodv: 4 points, 12 runs made, 0 kept from before, seed 7\n"));
    let said = sweep(folder.path(), "two", &["--workers", "2"]);
    assert_eq!(code(&said), 0, "{}", complaint(&said));
    let one = content(&folder.path().join("one"));
    let count = |ending: &str| one.keys().filter(|name| name.ends_with(ending)).count();
    // A line for each of four points and each measure, below the titles.
    let measures = (one["summary.csv"].lines().count() - 1) / 4;
    let counts = [count(".json"), count(".csv"), count(".svg")];
    assert_eq!(counts, [12 + 1, 2, measures], "{:?}", one.keys());
    assert_eq!(one, content(&folder.path().join("two")));
    // In three steps: fewer runs, a run that was lost, all.
    sweep(folder.path(), "three", &["--replications", "1"]);
    let said = sweep(folder.path(), "three", &["--replications", "2"]);
    assert!(out(&said).contains("4 runs made, 4 kept from before"), "{}", out(&said));
    let lost = fs::read_dir(folder.path().join("three/runs")).unwrap().next().unwrap().unwrap();
    fs::remove_file(lost.path()).unwrap();
    let said = sweep(folder.path(), "three", &[]);
    assert!(out(&said).contains("5 runs made, 7 kept from before"), "{}", out(&said));
    assert_eq!(one, content(&folder.path().join("three")));
}

#[test]
fn a_run_of_the_sweep_is_that_of_the_command_line() {
    let folder = folder_with(SWEEP);
    let points = json(&sweep(folder.path(), "results", &["--json"]));
    let point = &points["points"][3];
    assert_eq!(point["swept"], serde_json::json!({ "links.loss": 0.1, "interval": "500ms" }));
    let same = "scenario = \"aodv\"\n[links]\nloss = 0.1\n";
    fs::write(folder.path().join("same.toml"), same).unwrap();
    let given = ["--duration", "20s", "--replications", "3", "--seed", "7", "--json"];
    let set = ["--set", "nodes=4", "--set", "interval=500ms"];
    let alone =
        json(&run_in(folder.path(), &[&["simulate", "same.toml"], &given[..], &set].concat()));
    assert_eq!(point["measures"], alone["measures"]);
    // The long table has them run by run.
    let table = fs::read_to_string(folder.path().join("results/results.csv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("point,hash,seed,replication,kind,name,unit,value,links.loss,interval")
    );
    let ratios: Vec<f64> = lines
        .filter(|line| line.starts_with("3,") && line.contains(",measure,delivery ratio,"))
        .map(|line| line.split(',').nth(7).unwrap().parse().unwrap())
        .collect();
    assert_eq!(ratios.len(), 3);
    let mean = alone["measures"][0]["mean"].as_f64().unwrap();
    assert!((ratios.iter().sum::<f64>() / 3.0 - mean).abs() < 1e-12);
}

#[test]
fn what_changes_is_run_again_and_nothing_else() {
    let folder = folder_with(SWEEP);
    sweep(folder.path(), "results", &[]);
    let made = |text: &str| {
        fs::write(folder.path().join("sweep.toml"), text).unwrap();
        let said = out(&sweep(folder.path(), "results", &[]));
        said.lines().next().unwrap_or_default().to_owned()
    };
    // Only said otherwise.
    let moved = SWEEP.replace("seed = 7\n", "").replace("scenario", "seed = 7\nscenario");
    assert_eq!(made(&moved), "aodv: 4 points, 0 runs made, 12 kept from before, seed 7");
    let more = SWEEP.replace("[0.0, 0.1]", "{ from = 0.0, to = 0.2, step = 0.1 }");
    assert_eq!(made(&more), "aodv: 6 points, 6 runs made, 12 kept from before, seed 7");
    let longer = SWEEP.replace("20s", "21s");
    assert_eq!(made(&longer), "aodv: 4 points, 12 runs made, 0 kept from before, seed 7");
    let other = SWEEP.replace("nodes = 4", "nodes = 5");
    assert_eq!(made(&other), "aodv: 4 points, 12 runs made, 0 kept from before, seed 7");
    let fewer = format!("{SWEEP}[measurements]\nmeasures = [\"delay\"]\n");
    assert_eq!(made(&fewer), "aodv: 4 points, 12 runs made, 0 kept from before, seed 7");
    assert_eq!(made(SWEEP), "aodv: 4 points, 0 runs made, 12 kept from before, seed 7");
}

#[test]
fn what_a_file_that_is_named_says_counts() {
    let text = "scenario = \"aodv\"\nduration = \"10s\"\nreplications = 1\n[topology]\nfile = \"links.txt\"\n";
    let folder = folder_with(text);
    let made = |links: &str| {
        fs::write(folder.path().join("links.txt"), links).unwrap();
        out(&sweep(folder.path(), "results", &[])).contains("1 run made, 0 kept")
    };
    assert!(made("0 1\n1 2\n"));
    assert!(!made("0 1\n1 2\n"));
    assert!(made("0 1\n1 2\n0 2\n"));
}

#[test]
fn runs_are_added_until_a_precision_is_reached() {
    let precise = "
scenario = \"aodv\"
duration = \"10s\"
replications = 40
[links]
loss = 0.2
[measurements]
precision = 0.1
of = \"delivery ratio\"
[sweep]
interval = [\"100ms\", \"50ms\"]
";
    let folder = folder_with(precise);
    let points = json(&sweep(folder.path(), "results", &["--json", "--workers", "2"]));
    for point in points["points"].as_array().unwrap() {
        let ratio = &point["measures"][0];
        let share = ratio["half_width_95"].as_f64().unwrap() / ratio["mean"].as_f64().unwrap();
        let runs = point["runs"].as_u64().unwrap();
        assert!((5..=40).contains(&runs) && (share <= 0.1 || runs == 40), "{point:#}");
    }
    let again = json(&sweep(folder.path(), "results", &["--json"]));
    assert_eq!((&again["points"], &again["made"]), (&points["points"], &0.into()));
}

#[test]
fn a_scenario_without_a_file_can_be_kept_too() {
    let folder = TempDir::new().unwrap();
    let given = ["--set", "loss-rate=0.1", "--duration", "1s", "--replications", "2"];
    let arguments = [&["simulate", "arq", "--out", "results"], &given[..]].concat();
    let said = out(&run_in(folder.path(), &arguments));
    assert!(said.starts_with("arq: 1 point, 2 runs made, 0 kept from before, seed 1\n"), "{said}");
    let said = out(&run_in(folder.path(), &arguments));
    assert!(said.starts_with("arq: 1 point, 0 runs made, 2 kept from before, seed 1\n"), "{said}");
}

#[test]
fn what_does_not_go_with_a_sweep_is_refused() {
    let folder = folder_with(SWEEP);
    for (option, value) in [
        ("--log", None),
        ("--assert", None),
        ("--first", Some("3")),
        ("--versus", Some("nodes=5")),
        ("--probability", Some("violated")),
    ] {
        let more: Vec<&str> = [option].into_iter().chain(value).collect();
        let said = sweep(folder.path(), "results", &more);
        assert_refused(&said, &[&format!("{option} has no effect with a sweep or --out")]);
    }
    let said = sweep(folder.path(), "results", &["--set", "interval=1s"]);
    assert_refused(&said, &["--set of `interval` has no effect with a sweep of it"]);
    let said = sweep(folder.path(), "results", &["--precision", "0.1", "--of", "dely"]);
    assert_refused(&said, &["there is no measure `dely`", "did you mean `delay`?"]);
    refuses(&["simulate", "arg", "--out", "x"], &["there is no scenario `arg`", "`arq`"]);
    assert!(!folder.path().join("results").exists(), "nothing was written");
}

#[test]
fn a_damaged_run_is_reported_and_not_believed() {
    let folder = folder_with(SWEEP);
    sweep(folder.path(), "results", &["--replications", "1"]);
    let runs = fs::read_dir(folder.path().join("results/runs")).unwrap();
    let mut runs: Vec<_> = runs.map(|run| run.unwrap().path()).collect();
    runs.sort();
    let text = fs::read_to_string(&runs[0]).unwrap();
    for damaged in [text[..text.len() / 2].to_owned(), fs::read_to_string(&runs[1]).unwrap()] {
        fs::write(&runs[0], damaged).unwrap();
        let said = sweep(folder.path(), "results", &["--replications", "1"]);
        assert_refused(&said, &["cannot be read as a run", "remove the file"]);
    }
}

/// A sweep that takes long enough to be met under way.
const LONG: &str = "
scenario = \"aodv\"
duration = \"2000s\"
replications = 40
[parameters]
nodes = 30
interval = \"20ms\"
";

/// A sweep under way: it has kept a run.
fn under_way(folder: &Path) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.args(["simulate", "sweep.toml", "--out", "results"]).current_dir(folder);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let runs = folder.join("results/runs");
    let is_kept = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with(".json");
    for _ in 0..6000 {
        let found = fs::read_dir(&runs).into_iter().flatten().flatten();
        if found.map(|file| file.file_name()).any(|name| is_kept(&name)) {
            return child;
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("no run was kept in a minute: {:?}", child.wait());
}

#[cfg(unix)]
#[test]
fn a_folder_is_written_to_by_one_process_and_an_interrupted_one_goes_on() {
    let folder = folder_with(LONG);
    let child = under_way(folder.path());
    let second = sweep(folder.path(), "results", &[]);
    assert_refused(&second, &["another process is writing results to results", "wait until"]);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let said = child.wait_with_output().unwrap();
    assert_eq!(code(&said), 3, "{}", complaint(&said));
    assert!(
        out(&said).contains("STOPPED by the user: fewer runs than asked for"),
        "{}",
        out(&said)
    );
    // What was kept is whole, nothing else is there, and it goes on with that.
    let runs = fs::read_dir(folder.path().join("results/runs")).unwrap();
    let names: Vec<String> =
        runs.map(|run| run.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| name.ends_with(".json")), "{names:?}");
    let kept = names.len().to_string();
    let said = sweep(folder.path(), "results", &["--replications", &kept]);
    assert_eq!(code(&said), 0);
    assert!(out(&said).contains(&format!("0 runs made, {kept} kept")), "{}", out(&said));
}

/// No file can be longer than 512 bytes: as if the disk were full.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_leaves_nothing_half_written() {
    let folder = folder_with(SWEEP);
    let program = env!("CARGO_BIN_EXE_everypath");
    let script =
        format!("trap '' XFSZ; ulimit -f 1; exec {program} simulate sweep.toml --out results");
    let said =
        Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert_refused(&said, &["cannot write results/runs/", "only the missing runs"]);
    let results = folder.path().join("results");
    assert_eq!(fs::read_dir(results.join("runs")).unwrap().count(), 0);
    assert!(!results.join("results.csv").exists());
    // Once there is room, it runs.
    assert_eq!(code(&sweep(folder.path(), "results", &[])), 0);
}

/// A counter that stays 0 in a run has a row there, as it has in others.
#[test]
fn every_run_has_the_same_rows() {
    let text = "scenario = \"aodv\"\nduration = \"12s\"\nreplications = 2\n[parameters]\nnodes = 5\n[sweep]\nlinks.loss = [0.0, 0.6]\n";
    let folder = folder_with(text);
    let output = sweep(folder.path(), "results", &[]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let table = fs::read_to_string(folder.path().join("results/results.csv")).unwrap();
    let mut rows: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let run = format!("{} {}", cells[0], cells[3]);
        let row = (format!("{} {}", cells[4], cells[5]), cells[7].to_owned());
        rows.entry(run).or_default().push(row);
    }
    assert_eq!(rows.len(), 4);
    let names = |run: &str| rows[run].iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert!(rows.keys().all(|run| names(run) == names("0 0")), "{table}");
    let zeros = |run: &String| {
        rows[run].iter().filter(|(name, value)| name.starts_with("counter") && value == "0").count()
    };
    assert!(rows.keys().any(|run| zeros(run) > 0), "{table}");
}
