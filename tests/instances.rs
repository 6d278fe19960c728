//! Explorations that are cut into a trunk and instances: in threads, in several processes, and from part files.

use crate::{command, damage, schema::assert_fits};

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use command::{assert_refused, code, complaint, json, out, refuses, run_in};
use serde_json::Value;
use tempfile::TempDir;

/// A search that is cut.
const CUT: [&str; 8] = ["check", "arq", "--max-depth", "16", "--cut", "depth:4", "--parts", "5"];

/// A search that takes long enough to be killed in the middle.
const LONG: [&str; 11] = [
    "check",
    "arq",
    "--set",
    "network=list",
    "--set",
    "numbered=false",
    "--max-depth",
    "34",
    "--cut",
    "depth:6",
    "--json",
];

fn run(folder: &Path, words: &[&str], more: &[&str]) -> Output {
    run_in(folder, &[words, more].concat())
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

/// What was found, without times and without files that were written.
fn found(output: &Output) -> Value {
    let mut found = json(output);
    assert_fits("instances.schema.json", &found);
    let fields = found.as_object_mut().expect("it is an object");
    fields.remove("seconds").expect("the field is there");
    fields.remove("part").expect("the field is there");
    found
}

/// The text of a report, without times.
fn text(output: &Output) -> String {
    out(output).lines().filter(|line| !line.starts_with("time ")).collect::<Vec<_>>().join("\n")
}

/// Runs all shares, and returns their part files.
fn shares(folder: &Path, search: &[&str], of: usize) -> Vec<String> {
    let share = |number| {
        let (share, part) = (format!("{number}/{of}"), format!("{number}.part"));
        let output = run(folder, search, &["--share", &share, "--part", &part]);
        assert_ne!(code(&output), 2, "{}", complaint(&output));
        part
    };
    (1..=of).map(share).collect()
}

fn merged(folder: &Path, parts: &[String], more: &[&str]) -> Output {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    run_in(folder, &[&["check"], more, &["--merge"], &parts].concat())
}

#[test]
fn threads_shares_and_the_order_of_files_change_nothing() {
    for search in [
        CUT.to_vec(),
        vec!["check", "arq-erroneous", "--cut", "depth:5", "--each-assertion"],
        vec!["check", "two-phase-commit-impatient", "--cut", "depth:2", "--parts", "4"],
        vec!["check", "arq", "--max-depth", "10", "--cut", "depth:0", "--require", "lose"],
        vec!["check", "route-discovery", "--set", "nodes=3", "--cut", "last trial"],
        vec!["check", "route-discovery", "--set", "nodes=3", "--starts", "patterns"],
    ] {
        let folder = folder();
        let whole = run(folder.path(), &search, &["--json"]);
        let rows = run(folder.path(), &search, &["--instances"]);
        let trace = fs::read(folder.path().join(format!("{}.trace.json", search[1]))).ok();
        for jobs in ["2", "3"] {
            let again = run(folder.path(), &search, &["--json", "--jobs", jobs]);
            assert_eq!((found(&again), code(&again)), (found(&whole), code(&whole)));
        }
        let mut parts = shares(folder.path(), &search, 3);
        for _ in 0..3 {
            parts.rotate_left(1);
            let again = merged(folder.path(), &parts, &["--json"]);
            assert_eq!(found(&again), found(&whole), "{}", complaint(&again));
            assert_eq!(code(&again), code(&whole));
        }
        parts.swap(0, 1);
        assert_eq!(text(&merged(folder.path(), &parts, &["--instances"])), text(&rows));
        let again = fs::read(folder.path().join(format!("{}.trace.json", search[1]))).ok();
        assert_eq!(again, trace, "the same counterexample");
        if trace.is_some() {
            let file = format!("{}.trace.json", search[1]);
            assert_eq!(code(&run_in(folder.path(), &["replay", &file])), 1);
        }
    }
}

#[test]
fn parts_find_what_one_search_finds() {
    for (scenario, depth) in [("arq", "18"), ("two-phase-commit", "9"), ("arq-erroneous", "9")] {
        let folder = folder();
        let search = ["check", scenario, "--max-depth", depth, "--keep-going", "--json"];
        let whole = json(&run_in(folder.path(), &search));
        for cut in ["depth:0", "depth:3", "depth:6"] {
            let output = run(folder.path(), &search, &["--cut", cut, "--parts", "3"]);
            let found = json(&output);
            assert_eq!(found["states_union"], whole["states_visited"], "{scenario} {cut}");
            assert_eq!(found["verdict"], whole["verdict"], "{scenario} {cut}");
            let steps = |json: &Value| json["counterexample"]["steps"].as_array().map(Vec::len);
            assert_eq!(steps(&found), steps(&whole), "{scenario} {cut}");
        }
    }
}

/// A reduced search, whose parts are reduced in the same way.
#[test]
fn parts_of_a_reduced_search_find_what_it_finds() {
    let any = ["--set", "trials=any"];
    for (search, reduce) in [
        (&["check", "route-discovery", "--set", "nodes=3"][..], "ranks"),
        (&["check", "route-discovery", "--set", "nodes=3"], "ranks,audiences"),
        (&["check", "route-discovery-expiring"], "ranks"),
    ] {
        let folder = folder();
        let search = [search, &any, &["--reduce", reduce, "--json"]].concat();
        let whole = run_in(folder.path(), &search);
        let output = run(folder.path(), &search, &["--cut", "depth:4", "--parts", "3"]);
        assert_eq!(code(&output), code(&whole), "{}", complaint(&output));
        let (whole, found) = (json(&whole), json(&output));
        assert_eq!(found["verdict"], whole["verdict"]);
        let steps = |json: &Value| json["counterexample"]["steps"].as_array().map(Vec::len);
        assert_eq!(steps(&found), steps(&whole));
        if found["verdict"] == "holds" {
            assert_eq!(found["states_union"], whole["states_visited"], "{reduce}");
            // The goal is reached by the same shortest run of the scenario itself.
            let goal = |json: &Value| json["goals"][0]["steps"].as_array().map(Vec::len);
            assert_eq!((goal(&found), goal(&whole)), (Some(3), Some(3)));
        } else {
            // The run is one of the scenario itself.
            let file = found["counterexample"]["file"].as_str().expect("it was saved");
            assert_eq!(code(&run_in(folder.path(), &["replay", file])), 1);
        }
    }
    let cut = ["check", "route-discovery", "--set", "nodes=3", "--json"];
    let refused = |more: &[&str], words: &[&str]| refuses(&[&cut[..], more].concat(), words);
    refused(
        &["--cut", "depth:3", "--reduce", "obsolete"],
        &["--reduce obsolete cannot be combined with --cut", "must stay obsolete"],
    );
    refused(
        &["--starts", "patterns", "--reduce", "audiences"],
        &["--reduce audiences cannot be combined with --starts", "seem to be unreachable"],
    );
    // Parts of differently reduced searches.
    let folder = folder();
    let cut = [&cut[..], &["--cut", "last trial"]].concat();
    run(folder.path(), &cut, &["--share", "1/2", "--part", "1.part"]);
    run(folder.path(), &cut, &["--share", "2/2", "--part", "2.part", "--reduce", "audiences"]);
    let parts = ["1.part", "2.part"].map(str::to_owned);
    assert_refused(&merged(folder.path(), &parts, &[]), &["--reduce audiences", "one search"]);
}

/// The decomposition of the article: where its starts lead to loops, no run reaches them.
#[test]
fn loops_of_the_articles_starts_are_spurious() {
    let folder = folder();
    let search = ["check", "route-discovery", "--json", "--starts"];
    let one = run(folder.path(), &search, &["patterns"]);
    let all = run(folder.path(), &search, &["patterns with all next hops"]);
    for (output, starts) in [(&one, 108), (&all, 2023)] {
        assert_eq!(code(output), 0, "{}", complaint(output));
        let found = found(output);
        assert_eq!(found["verdict"], "holds");
        assert_eq!(found["instance_count"], 108);
        let count = |it: &Value| it["starts"].as_u64().unwrap();
        let sum: u64 = found["instances"].as_array().unwrap().iter().map(count).sum();
        assert_eq!(sum, starts);
    }
    let (one, all) = (found(&one), found(&all));
    assert_eq!((&one["states_sum"], &one["states_union"]), (&41796.into(), &6853.into()));
    assert_eq!(one["spurious_starts"], Value::Null);
    let verdicts = all["instances"].as_array().unwrap().iter();
    let spurious = verdicts.filter(|it| it["verdict"] == "spurious").count();
    assert!(spurious >= 75, "{spurious} instances begin with a loop to the source or worse");
    assert!(all["spurious_starts"].as_u64() > Some(0));
}

/// Two processes at a time, one of which is killed half-way and run again, and a third that merges.
#[test]
fn a_share_that_was_killed_is_run_again() {
    let folder = folder();
    let start = |share: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        command.args(LONG).args(["--share", share]).current_dir(folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let (mut first, mut second) = (start("1/2"), start("2/2"));
    let part = |number: u32| format!("arq.part-{number}-of-2");
    while !folder.path().join(part(1)).exists() {
        assert!(first.try_wait().unwrap().is_none(), "it ended before it could be killed");
        thread::sleep(Duration::from_millis(1));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.wait().unwrap().code(), Some(3));
    let half = merged(folder.path(), &[part(1), part(2)], &["--json"]);
    let half = (code(&half), json(&half));
    assert_eq!((half.0, half.1["verdict"].as_str()), (3, Some("inconclusive")));
    assert!(!half.1["missing"].as_array().unwrap().is_empty());
    let why = half.1["missing_because"].as_str().unwrap();
    assert!(why.starts_with("share 1 of 2 was not finished (run it again"), "{why}");
    assert_eq!(start("1/2").wait().unwrap().code(), Some(3));
    let whole = merged(folder.path(), &[part(1), part(2)], &["--json"]);
    assert_eq!(code(&whole), 0, "{}", complaint(&whole));
    assert_eq!(found(&whole), found(&run_in(folder.path(), &LONG)));
}

#[test]
fn a_missing_part_is_named_and_never_holds() {
    let folder = folder();
    let parts = shares(folder.path(), &CUT, 3);
    let output = merged(folder.path(), &[parts[0].clone(), parts[2].clone()], &[]);
    let text = out(&output);
    assert_eq!(code(&output), 3);
    assert!(
        text.contains("share 2 of 3 is not among the files (run it with --share 2/3)"),
        "{text}"
    );
    assert!(text.contains("\nmissing   part 3 of 5"), "{text}");
}

#[test]
fn a_damaged_part_costs_only_its_own_answers() {
    let folder = folder();
    let parts = shares(folder.path(), &CUT, 2);
    let damaged = folder.path().join(&parts[1]);
    let whole = fs::read(&damaged).unwrap();
    let cut_off = [0, 7, 20, whole.len() / 2, whole.len() - 1].map(|len| whole[..len].to_vec());
    let spliced = damage::splices(&whole, 20).map(|(_, bytes)| bytes);
    for bytes in cut_off.into_iter().chain(spliced).filter(|bytes| *bytes != whole) {
        fs::write(&damaged, bytes).unwrap();
        let output = merged(folder.path(), &parts, &["--json"]);
        assert_eq!((code(&output), json(&output)["verdict"].as_str()), (3, Some("inconclusive")));
        assert!(complaint(&output).contains("2.part"), "{}", complaint(&output));
    }
    fs::write(&damaged, &whole).unwrap();
    assert_eq!(code(&merged(folder.path(), &parts, &[])), 0);
}

#[test]
fn a_part_of_another_build_is_not_used() {
    let folder = folder();
    let program = folder.path().join("other-build");
    fs::copy(env!("CARGO_BIN_EXE_everypath"), &program).unwrap();
    File::options().append(true).open(&program).unwrap().write_all(&[0]).unwrap();
    let parts = shares(folder.path(), &CUT, 2);
    let stale = ["--share", "2/2", "--part", "stale.part"];
    Command::new(&program).args(CUT).args(stale).current_dir(folder.path()).output().unwrap();
    let output = merged(folder.path(), &[parts[0].clone(), "stale.part".to_owned()], &[]);
    assert_eq!(code(&output), 3);
    let words = "stale.part was written by another build of this program";
    assert!(complaint(&output).contains(words), "{}", complaint(&output));
    let output = merged(folder.path(), &["stale.part".to_owned()], &[]);
    assert_refused(&output, &[words, "no part file could be used"]);
    // Neither is it overwritten.
    let again = run(folder.path(), &CUT, &stale);
    assert_refused(&again, &[words, "delete it to run the share from scratch"]);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = folder();
    let parts = shares(folder.path(), &CUT, 2);
    fs::copy(folder.path().join("1.part"), folder.path().join("copy.part")).unwrap();
    let twice = [parts[0].clone(), parts[1].clone(), "copy.part".to_owned()];
    assert_refused(
        &merged(folder.path(), &twice, &[]),
        &["both hold share 1 of 2", "each part once"],
    );
    let other = ["--max-depth", "15", "--cut", "depth:4", "--parts", "5", "--share", "2/2"];
    run(folder.path(), &["check", "arq"], &[&other[..], &["--part", "other.part"]].concat());
    let words = ["other.part is a part of another search than", "--max-depth 15", "one search"];
    let output = merged(folder.path(), &[parts[0].clone(), "other.part".to_owned()], &[]);
    assert_refused(&output, &words);
    let output = merged(folder.path(), &parts, &["arq-erroneous"]);
    assert_refused(&output, &["is a part of scenario `arq`, not of `arq-erroneous`"]);
    assert_eq!(code(&merged(folder.path(), &parts, &["arq"])), 0);
    // A third of the instances, and a half of them, of which one is in both.
    let third = ["--share", "1/3", "--part", "third.part"];
    run(folder.path(), &CUT, &third);
    let output = merged(folder.path(), &[parts[0].clone(), "third.part".to_owned()], &[]);
    assert_refused(&output, &["both hold the instance `part"]);
    let output = run(folder.path(), &CUT, &["--share", "2/2", "--part", "1.part"]);
    assert_refused(&output, &["1.part holds share 1 of 2, and this is another share"]);
    fs::write(folder.path().join("text.part"), "something else").unwrap();
    let output = run(folder.path(), &CUT, &["--share", "2/2", "--part", "text.part"]);
    assert_refused(&output, &["text.part is not a part of Everypath"]);
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let cut = ["check", "arq", "--max-depth", "8", "--cut", "depth:3"];
    let refused = |more: &[&str], words: &[&str]| refuses(&[&cut[..], more].concat(), words);
    for (more, option) in [
        (&["--strategy", "dfs"][..], "--strategy"),
        (&["--store", "fingerprint"], "--store"),
        (&["--relation", "simulated"], "--relation"),
        (&["--shuffle", "1"], "--shuffle"),
        (&["--add", "current"], "--add"),
        (&["--profile", "thesis"], "--profile thesis"),
        (&["--workers", "2"], "--workers"),
        (&["--checkpoint", "x"], "--checkpoint"),
        (&["--resume", "x"], "--resume"),
        (&["--memo", "x"], "--memo"),
        (&["--graph", "x"], "--graph"),
        (&["--regressions", "x"], "--regressions"),
        (&["--stats"], "--stats"),
        (&["--strict"], "--strict"),
    ] {
        refused(more, &[&format!("{option} cannot be combined with --cut")]);
    }
    refused(&["--instance", "zz"], &["no instance has a name that contains `zz`"]);
    for more in [&["--share", "0/2"][..], &["--share", "3/2"], &["--jobs", "0"], &["--parts", "0"]]
    {
        assert_eq!(code(&command::run(&[&cut[..], more].concat())), 2, "{more:?}");
    }
    refuses(&["check", "arq", "--cut", "depth:x"], &["`depth:x` is not a cut"]);
    refuses(&["check", "arq", "--cut", "x"], &["there is no cut `x`", "depth:4"]);
    refuses(&["check", "arq", "--starts", "x"], &["there is no list of starts `x`"]);
    refuses(
        &["check", "arq", "--max-depth", "8", "--cut", "depth:8"],
        &["the cut `depth:8` never happens: runs have at most 8 events"],
    );
    for alone in [&["--jobs", "2"][..], &["--share", "1/2"], &["--instances"], &["--first"]] {
        assert_eq!(code(&command::run(&[&["check", "arq"], alone].concat())), 2, "{alone:?}");
    }
    refuses(&["check", "--merge", "nothing"], &["cannot read the part nothing", "no part file"]);
    assert_eq!(code(&command::run(&["check", "--merge", "x", "--max-depth", "3"])), 2);
    refuses(&["watch", "arq", "--cut", "depth:3"], &["--cut cannot be combined with `watch`"]);
}

#[test]
fn the_first_violation_can_be_enough() {
    let folder = folder();
    let search = ["check", "two-phase-commit-impatient", "--cut", "depth:2", "--json"];
    let all = json(&run_in(folder.path(), &search));
    let count = |json: &Value| json["missing"].as_array().unwrap().len();
    assert_eq!(count(&all), 0);
    let first = run(folder.path(), &search, &["--first"]);
    assert_eq!(code(&first), 1);
    assert!(count(&json(&first)) > 0);
    let words = "no more were run after the first violation (--first)";
    assert_eq!(json(&first)["missing_because"], words);
    let threads = run(folder.path(), &search, &["--first", "--jobs", "3"]);
    assert_eq!(found(&threads), found(&first));
}

#[test]
fn a_limit_stops_an_instance_and_is_named() {
    let folder = folder();
    let output = run(folder.path(), &CUT, &["--max-states", "30", "--instances"]);
    assert_eq!(code(&output), 3);
    assert!(out(&output).contains("stopped by --max-states"), "{}", out(&output));
    let output = run(folder.path(), &CUT, &["--max-states", "3"]);
    assert_eq!(code(&output), 3);
    assert!(out(&output).contains("the trunk was stopped by --max-states"), "{}", out(&output));
}

/// The patterns of routes are those of the article; the counts are ours.
#[test]
fn the_experiments_of_the_article_can_be_made_again() {
    let folder = folder();
    let output = run_in(folder.path(), &["reproduce", "manet", "--quick", "--json"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let report = json(&output);
    assert_fits("reproduce.schema.json", &report);
    let rows = |id: &str| {
        let tables = report["tables"].as_array().unwrap();
        let table = tables.iter().find(|table| table["id"] == id).unwrap();
        table["rows"].as_array().unwrap().clone()
    };
    let ours = |row: &Value, cell: usize| row["cells"][cell]["ours"].clone();
    let audiences: Vec<_> = rows("002/2").iter().map(|row| ours(row, 0)).collect();
    assert_eq!(audiences, [2, 4, 7, 11]);
    assert_eq!(rows("002/2")[3]["cells"][0]["published"], 11);
    let marks =
        |id: &str| -> Vec<Value> { rows(id).iter().map(|row| row["mark"].clone()).collect() };
    assert_eq!(marks("002/4"), ["exact"; 3]);
    // With one forwarder, no packet arrives twice; all that happens is as published.
    let cells: Vec<Value> = rows("002/10")
        .iter()
        .flat_map(|row| row["cells"].as_array().unwrap().clone())
        .filter(|cell| !cell["ours"].is_null())
        .collect();
    let published = cells.iter().filter(|cell| !cell["published"].is_null());
    assert!(published.clone().all(|cell| cell["agrees"] == true), "{cells:?}");
    assert_eq!((cells.len(), published.count()), (20, 17));
    let numbers = |row: &Value| [0, 1, 2, 3].map(|cell| ours(row, cell).as_u64());
    let searches: Vec<_> = rows("002/11").iter().take(6).map(numbers).collect();
    assert_eq!(
        searches,
        [
            [Some(3), Some(5), Some(15), Some(11)],
            [None, None, Some(34), Some(34)],
            [Some(3), None, Some(44), Some(34)],
            [Some(18), Some(29), Some(522), Some(206)],
            [None, None, Some(1282), Some(1282)],
            [Some(14), None, Some(2530), Some(1282)],
        ]
    );
    assert_eq!(rows("002/11")[6]["mark"], "not-run", "--quick has no 4 nodes");
    let steps: Vec<_> = rows("002/15").iter().map(|row| ours(row, 0)).collect();
    assert_eq!(steps, [5, 5]);
    let output = run_in(folder.path(), &["reproduce", "manet", "--quick"]);
    assert!(out(&output).contains("3 nodes, last trial by patterns  "), "{}", out(&output));
}
