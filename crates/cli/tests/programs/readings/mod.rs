//! What measures read, and how sure their means are: names that nobody records, what is 0 or 1 in a run, and runs
//! that are skewed.

use std::process::Output;

use everypath_cli::{Entry, scenario};
use everypath_model::{Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology};
use serde_json::Value;
use tempfile::TempDir;

use crate::{Test, schema::assert_fits};

pub const TESTS: &[Test] = &[
    ("a_mistyped_name_is_an_error_that_lists_the_names", a_mistyped_name_is_an_error),
    ("what_has_not_happened_is_told_and_is_no_error", what_has_not_happened_is_reported),
    ("where_nothing_was_observed_is_told_by_name", where_nothing_was_observed_is_reported),
    ("what_is_0_or_1_has_the_interval_of_a_probability", what_is_0_or_1_is_a_probability),
    ("an_interval_of_skewed_runs_is_marked", an_interval_of_skewed_runs_is_marked),
    ("a_measure_that_is_not_the_counter_of_its_name_is_told", two_values_of_one_name_are_reported),
];

pub fn scenarios() -> Vec<Box<dyn Entry>> {
    vec![scenario("pupil", pupil)]
}

/// A node that learns something at the start of each run, and in one of ten forgets something.
struct Pupil;

impl Protocol for Pupil {
    type State = ();
    type Message = Never;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) {
        node.count("learnt");
        if node.choose(10) == 0 {
            node.count("forgotten");
            node.sample("gap", 1.0);
        }
        let draw = f64::from(node.choose(1000) + 1) / 1000.0;
        node.sample("patience", draw.powi(-2));
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}
}

fn pupil(parameters: &mut Parameters) -> Scenario<Pupil> {
    let words = ["learnt", "lernt", "slept", "patience"].map(|word| (word, word));
    let counted = parameters.choice("counted", "learnt", &words, "what is read as a counter");
    let observed = [("patience", "patience"), ("gap", "gap"), ("learnt", "learnt")];
    let observed = parameters.choice("observed", "patience", &observed, "what is read as a mean");
    let twice = parameters.flag("twice", false, "whether what is learnt counts twice");
    let factor = if twice { 2.0 } else { 1.0 };
    Scenario::new(Pupil, Topology::chain(1)).simulation(|run| {
        run.measure("lessons", "", move |run| run.count(counted) as f64)
            .measure("state of mind", "", move |run| run.mean(observed))
            .measure("forgotten", "", |run| run.count("forgotten") as f64)
            .measure("learnt", "", move |run| factor * run.count("learnt") as f64)
    })
}

/// Runs this program in a folder: its exit code, and what it prints.
fn run_in(folder: &TempDir, arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = crate::run_in(folder.path(), arguments);
    let said = if stdout.is_empty() { stderr } else { stdout };
    let said = String::from_utf8(said).unwrap();
    // Without the wrapping of lines.
    let complaint = said.replace("\n  │ ", " ").replace("\n        ", " ");
    (status.code().unwrap(), complaint)
}

fn simulate(more: &[&str]) -> (i32, String) {
    run_in(&TempDir::new().unwrap(), &[&["simulate", "pupil", "--no-time"], more].concat())
}

fn a_mistyped_name_is_an_error() {
    let (code, said) = simulate(&["--set", "counted=lernt", "--set", "twice=true"]);
    assert_eq!(code, 0, "`learnt` is read by another measure, so the other is no slip: {said}");
    let text = "scenario = \"pupil\"\nreplications = 3\n[parameters]\ncounted = \"lernt\"\n[measurements]\nmeasures = [\"lessons\", \"state of mind\", \"forgotten\"]\n";
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("pupil.toml"), text).unwrap();
    for more in [&[][..], &["--out", "results"]] {
        let (code, said) = run_in(&folder, &[&["simulate", "pupil.toml"], more].concat());
        assert_eq!(code, 2, "{said}");
        for words in [
            "measure `lessons` reads `lernt`, but nothing was counted under that name in 3 runs",
            "did you mean `learnt`?",
            "observed are: ",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
    let (code, said) = simulate(&["--set", "counted=patience"]);
    assert!(code == 2 && said.contains("`patience` is observed"), "{said}");
    let (code, said) = simulate(&["--set", "observed=learnt"]);
    assert!(code == 2 && said.contains("`learnt` is counted"), "{said}");
}

fn what_has_not_happened_is_reported() {
    let (code, said) = simulate(&["--set", "counted=slept", "--replications", "60"]);
    assert_eq!(code, 0, "{said}");
    let note = "note: never counted in any run, so measures read 0: `slept`\n";
    assert!(said.contains(note), "{said}");
}

fn where_nothing_was_observed_is_reported() {
    let (code, said) = simulate(&["--set", "observed=gap", "--replications", "40"]);
    assert_eq!(code, 0, "{said}");
    let note = "note: nothing was recorded under `gap`, which `state of mind` reads, in ";
    assert!(said.contains(note) && said.contains(" of 40 runs\n"), "{said}");
}

fn measure(more: &[&str], name: &str) -> Value {
    let (_, said) = simulate(&[&["--json"], more].concat());
    let told: Value = serde_json::from_str(&said).unwrap();
    assert_fits("simulate.schema.json", &told);
    let measures = told["measures"].as_array().unwrap();
    measures.iter().find(|it| it["name"] == name).unwrap().clone()
}

fn what_is_0_or_1_is_a_probability() {
    let more = ["--replications", "40"];
    let forgotten = measure(&more, "forgotten");
    let share = forgotten["mean"].as_f64().unwrap();
    assert!(share > 0.0 && share < 0.4, "{forgotten}");
    assert_eq!(forgotten["interval"]["rule"], "clopper-pearson");
    assert_eq!(forgotten["half_width_95"], Value::Null);
    let [low, high] = ["low", "high"].map(|end| forgotten["interval"][end].as_f64().unwrap());
    assert!(low > 0.0 && low < share && share < high && high < 0.6, "{forgotten}");
    let (_, said) = simulate(&more);
    assert!(said.contains("it is 0 or 1 in each run, so the interval is that of a probability\n"));
    assert_eq!(measure(&more, "lessons")["interval"]["rule"], "constant");
}

fn an_interval_of_skewed_runs_is_marked() {
    let more = ["--replications", "40"];
    assert_eq!(measure(&more, "state of mind")["interval"]["skewed"], true);
    let (_, said) = simulate(&more);
    let row = said.lines().find(|line| line.starts_with("state of mind")).unwrap();
    assert!(row.ends_with(" *"), "{row}");
    let note = "*: the runs are skewed and few, so the interval is too narrow; more runs help\n";
    assert!(said.contains(note), "{said}");
}

fn two_values_of_one_name_are_reported() {
    let note = "note: the measure `learnt` differs from the counter of that name";
    assert!(simulate(&["--set", "twice=true"]).1.contains(note));
    assert!(!simulate(&[]).1.contains(note));
}
