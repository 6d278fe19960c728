//! What `check` and `simulate` say of every scenario that comes with Everypath, as one table:
//! the bundled protocols and the examples.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// Program, arguments, verdict, why it ended, steps of the counterexample, states stored.
type Row = (&'static str, &'static [&'static str], &'static str, &'static str, usize, u64);

const TABLE: &[Row] = &[
    ("everypath", &["aodv"], "holds", "depth", 0, 0),
    ("everypath", &["aodv-1"], "violated", "violation", 9, 0),
    ("everypath", &["aodv-2"], "violated", "violation", 9, 0),
    ("everypath", &["aodv-3"], "violated", "violation", 9, 0),
    ("everypath", &["aodv-feedback"], "holds", "depth", 0, 0),
    ("everypath", &["aodv-ns3"], "violated", "violation", 12, 0),
    ("everypath", &["aodv-repaired"], "holds", "depth", 0, 0),
    ("everypath", &["aodv-rfc3561"], "violated", "violation", 12, 0),
    ("everypath", &["aodv-silence"], "violated", "violation", 15, 0),
    ("everypath", &["arq"], "holds", "depth", 0, 3893),
    ("everypath", &["arq", "--set", "network=unordered"], "violated", "violation", 5, 0),
    ("everypath", &["arq", "--set", "numbered-acks=false"], "violated", "violation", 8, 0),
    ("everypath", &["arq-erroneous"], "violated", "violation", 8, 65),
    ("everypath", &["diffusion"], "violated", "violation", 12, 0),
    ("everypath", &["diffusion-1"], "violated", "violation", 13, 0),
    ("everypath", &["diffusion-2"], "violated", "violation", 17, 0),
    ("everypath", &["diffusion-crossing"], "violated", "violation", 15, 0),
    ("everypath", &["diffusion-hardened"], "holds", "depth", 0, 0),
    ("everypath", &["distance-vector"], "holds", "exhausted", 0, 1473),
    ("everypath", &["distance-vector-plain"], "violated", "violation", 8, 0),
    ("everypath", &["distance-vector-split"], "holds", "exhausted", 0, 164),
    ("everypath", &["distance-vector-triangle"], "violated", "violation", 14, 0),
    ("everypath", &["route-discovery"], "holds", "exhausted", 0, 186_745),
    ("everypath", &["route-discovery-expiring"], "violated", "violation", 5, 0),
    ("everypath", &["two-phase-commit"], "holds", "depth", 0, 60_247),
    ("everypath", &["two-phase-commit-impatient"], "violated", "violation", 3, 0),
    ("token_ring", &["token-ring"], "holds", "exhausted", 0, 190),
    ("token_ring", &["token-ring", "--set", "network=unordered"], "violated", "violation", 6, 0),
    ("token_ring", &["token-ring-eager"], "violated", "violation", 3, 0),
    ("lease", &["lease", "--timed"], "violated", "violation", 7, 0),
    ("lease", &["lease", "--timed", "--set", "grace=8ms"], "holds", "exhausted", 0, 6918),
    ("lease", &["lease", "--timed", "--set", "grace=4ms"], "violated", "violation", 7, 0),
    (
        "lease",
        &["lease", "--timed", "--set", "grace=4ms", "--set", "from-request=true"],
        "holds",
        "exhausted",
        0,
        5452,
    ),
    ("lease", &["lease", "--set", "grace=8ms"], "violated", "violation", 7, 0),
    ("leader_election", &["leader-election"], "holds", "exhausted", 0, 3988),
    ("leader_election", &["leader-election-careless"], "violated", "violation", 8, 0),
    (
        "abd_register",
        &[
            "abd-register",
            "--set",
            "operations=1",
            "--relation",
            "alike",
            "--reduce",
            "obsolete",
            "--verify-relation",
        ],
        "holds",
        "exhausted",
        0,
        2835,
    ),
    (
        "abd_register",
        &[
            "abd-register",
            "--set",
            "write-back=false",
            "--relation",
            "alike",
            "--reduce",
            "obsolete",
        ],
        "violated",
        "violation",
        16,
        0,
    ),
    (
        "abd_register",
        &["abd-register", "--set", "stable=false", "--relation", "alike", "--reduce", "obsolete"],
        "violated",
        "violation",
        19,
        0,
    ),
    ("selective_repeat", &["selective-repeat"], "holds", "exhausted", 0, 5241),
    ("selective_repeat", &["selective-repeat", "--set", "space=3"], "violated", "violation", 6, 0),
];

/// Scenarios that are there to be simulated: an exploration sees nodes without links.
const ON_FIELDS: [&str; 2] = ["manet", "diffusion-field"];

/// The measures that a simulation must come to, with what is known of them beforehand.
const MEASURES: &[(&str, &[&str], &str, f64)] = &[
    ("token_ring", &["token-ring", "--set", "loss-rate=0"], "rotation", 6.1536e-3),
    ("leader_election", &["leader-election", "--set", "nodes=8"], "candidacies per election", 36.0),
    ("everypath", &["two-phase-commit"], "time to decide", 2.1024e-3),
    ("abd_register", &["abd-register"], "time of an operation", 4.2048e-3),
    ("selective_repeat", &["selective-repeat"], "transfer", 6.3072e-3),
];

/// Builds the examples, which a test of its own does not, and gives the folder of the binaries.
fn binaries() -> PathBuf {
    let built = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        // As this test is built, so that nothing is built twice: with the features that any of our crates asks for.
        .args(["build", "--workspace", "--examples", "--quiet"])
        .args(cfg!(feature = "png").then_some("--features=png"))
        .args(cfg!(feature = "fancy-errors").then_some("--features=fancy-errors"))
        .status()
        .expect("cargo can be started");
    assert!(built.success());
    Path::new(env!("CARGO_BIN_EXE_everypath")).parent().expect("it is in a folder").to_owned()
}

fn run(binaries: &Path, program: &str, arguments: &[&str]) -> Output {
    let path = match program {
        "everypath" => PathBuf::from(env!("CARGO_BIN_EXE_everypath")),
        example => binaries.join("examples").join(example),
    };
    let folder = TempDir::new().expect("a folder can be made");
    let mut command = Command::new(path);
    command.args(arguments).arg("--json").current_dir(folder.path());
    command.output().expect("the program can be started")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn every_scenario_has_its_verdict() {
    let binaries = binaries();
    for &(program, arguments, verdict, ended, steps, states) in TABLE {
        let output = run(&binaries, program, &[&["check"], arguments].concat());
        let found = json(&output);
        let told = found["counterexample"]["steps"].as_array().map_or(0, Vec::len);
        let seen = (found["verdict"].as_str(), found["ended"].as_str(), told);
        assert_eq!(seen, (Some(verdict), Some(ended), steps), "{arguments:?}");
        if states > 0 {
            assert_eq!(found["states_visited"], states, "{arguments:?}");
        }
        assert_eq!(output.status.code(), Some(i32::from(verdict == "violated")), "{arguments:?}");
    }
}

#[test]
fn every_scenario_can_be_simulated() {
    let binaries = binaries();
    let examples = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"));
    let examples = examples.unwrap().map(|file| file.unwrap().path());
    let examples = examples
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    for program in examples.chain(["everypath".to_owned()]) {
        let listed = json(&run(&binaries, &program, &["list"]));
        let listed = listed["scenarios"].as_array().unwrap();
        for scenario in listed.iter().filter(|entry| entry["kind"] == "scenario") {
            let name = scenario["name"].as_str().unwrap();
            let has_row = TABLE.iter().any(|row| row.1[0] == name) || ON_FIELDS.contains(&name);
            assert!(has_row, "{name} has no row in the table");
            let short: &[&str] =
                if ON_FIELDS.contains(&name) { &["--duration", "20s"] } else { &[] };
            let arguments = [&["simulate", name, "--replications", "2"], short].concat();
            let simulated = run(&binaries, &program, &arguments);
            assert_eq!(simulated.status.code(), Some(0), "{name}");
            assert!(json(&simulated)["events"].as_u64().unwrap() > 0, "{name}");
        }
    }
}

/// How many events searches need on average, over fifty seeds: what docs/transport.md says of the class of medium access.
#[test]
fn requests_in_flight_lead_to_two_tokens() {
    let binaries = binaries();
    for (nodes, expected) in
        [("3", [91.72, 70.56, 103.06, 29.74]), ("5", [239.14, 90.48, 125.08, 39.96])]
    {
        let nodes = format!("nodes={nodes}");
        let set = ["compare", "token-ring", "--set", "network=unordered", "--set", &nodes];
        let searches = ["bfs", "best:holders", "best:medium", "best:medium-packets"].join(",");
        let seeds = ["--strategies", &searches, "--shuffle", "--seeds", "1-50", "--no-time"];
        let told = json(&run(&binaries, "token_ring", &[&set[..], &seeds].concat()));
        let searches = told["searches"].as_array().unwrap().iter();
        let means: Vec<f64> =
            searches.map(|search| search["events"]["mean"].as_f64().unwrap()).collect();
        let rounded: Vec<f64> = means.iter().map(|mean| (mean * 100.0).round() / 100.0).collect();
        assert_eq!(rounded, expected, "{nodes}");
    }
}

/// The table of docs/time.md: the verdict on each grace period.
#[test]
fn the_page_on_time_shows_what_is_printed() {
    let binaries = binaries();
    let page = include_str!("../docs/time.md");
    let (_, table) = page.split_once("$ for grace in ").expect("the page has a loop");
    let (command, table) = table.split_once("; do").expect("it is a loop of a shell");
    let (_, table) = table.split_once("done\n").expect("the loop ends");
    let (table, _) = table.split_once("\n```").expect("the block ends");
    let folder = TempDir::new().unwrap();
    let printed = command.split(' ').map(|grace| {
        let grace = format!("grace={grace}");
        let mut check = Command::new(binaries.join("examples").join("lease"));
        check.args(["check", "lease", "--timed", "--set", &grace]).current_dir(folder.path());
        let output = String::from_utf8(check.output().unwrap().stdout).unwrap();
        output.lines().next().expect("it prints a verdict").to_owned()
    });
    assert_eq!(printed.collect::<Vec<_>>().join("\n"), table);
}

#[test]
fn simulations_come_to_what_is_known_beforehand() {
    let binaries = binaries();
    for &(program, arguments, measure, expected) in MEASURES {
        let found = json(&run(&binaries, program, &[&["simulate"], arguments].concat()));
        let measures = found["measures"].as_array().unwrap();
        let measured = measures.iter().find(|it| it["name"] == measure);
        let measured = measured.unwrap_or_else(|| panic!("{measure} is not in {measures:?}"));
        let mean = measured["mean"].as_f64().unwrap();
        assert!((mean - expected).abs() <= 1e-9 * expected, "{measure}: {mean}, not {expected}");
    }
}

#[test]
fn examples_are_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for path in entries.filter(|path| path.is_file()) {
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines < 200, "{} has {lines} lines", path.display());
    }
}
