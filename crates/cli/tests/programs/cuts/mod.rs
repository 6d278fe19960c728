//! Cuts and starts of a scenario: what they are divided into, what is confirmed, possible or spurious, and what is
//! refused.

mod scenarios;

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

pub use self::scenarios::all as scenarios;
use crate::{Test, run_in, schema::assert_fits};

pub const TESTS: &[Test] = &[
    ("a_cut_by_name_finds_all_states", a_cut_by_name_finds_all_states),
    ("a_violation_behind_a_cut_begins_at_the_start", a_violation_behind_a_cut_begins_at_the_start),
    ("equal_instances_run_once", equal_instances_run_once),
    ("what_cannot_be_reached_is_spurious", what_cannot_be_reached_is_spurious),
    ("what_can_be_reached_is_confirmed", what_can_be_reached_is_confirmed),
    ("what_is_not_known_is_possible", what_is_not_known_is_possible),
    ("shares_of_starts_are_merged", shares_of_starts_are_merged),
    ("starts_that_are_not_worlds_are_refused", starts_that_are_not_worlds_are_refused),
    ("cuts_that_never_happen_are_refused", cuts_that_never_happen_are_refused),
    ("starts_are_reduced_as_other_states_are", starts_are_reduced_as_other_states_are),
    ("goals_are_reached_from_the_own_start", goals_are_reached_from_the_own_start),
    ("show_lists_them", show_lists_them),
];

/// Runs a check in a folder: its exit code, its JSON and its complaint.
fn check(folder: &Path, arguments: &[&str]) -> (i32, Value, String) {
    let output = run_in(folder, &[&["check", "--json"], arguments].concat());
    let json = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let complaint = String::from_utf8(output.stderr).unwrap();
    let is_cut = |word: &&str| ["--cut", "--starts", "--merge"].contains(word);
    if json != Value::Null && arguments.iter().any(is_cut) {
        assert_fits("instances.schema.json", &json);
    }
    (output.status.code().expect("it was not killed"), json, complaint)
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

/// The verdicts of all instances, by name.
fn verdicts(json: &Value) -> Vec<(&str, &str)> {
    let instances = json["instances"].as_array().unwrap().iter();
    instances.map(|it| (it["name"].as_str().unwrap(), it["verdict"].as_str().unwrap())).collect()
}

const CUT: [&str; 3] = ["rounds", "--cut", "the second round"];
const STARTS: [&str; 3] = ["rounds", "--starts", "second rounds"];

fn a_cut_by_name_finds_all_states() {
    let folder = folder();
    let (code, whole, complaint) = check(folder.path(), &["rounds"]);
    assert_eq!(code, 0, "{complaint}");
    let (code, json, complaint) = check(folder.path(), &CUT);
    assert_eq!((code, json["verdict"].as_str()), (0, Some("holds")), "{complaint}");
    assert_eq!(json["states_union"], whole["states_visited"]);
    assert_eq!(verdicts(&json), [("colour 0", "holds"), ("colour 1", "holds")]);
    // Both colours lead to different states.
    assert_eq!(json["states_sum"], json["states_union"]);
    let (_, unknown, _) = check(folder.path(), &[&CUT[..], &["--no-union"]].concat());
    assert_eq!((&unknown["states_union"], &unknown["verdict"]), (&Value::Null, &json["verdict"]));
}

fn a_violation_behind_a_cut_begins_at_the_start() {
    let folder = folder();
    let (code, whole, _) = check(folder.path(), &["rounds", "--set", "bad=1"]);
    assert_eq!(code, 1);
    let (code, json, complaint) = check(folder.path(), &[&CUT[..], &["--set", "bad=1"]].concat());
    assert_eq!((code, json["verdict"].as_str()), (1, Some("violated")), "{complaint}");
    let steps = |json: &Value| json["counterexample"]["steps"].as_array().unwrap().len();
    assert_eq!(steps(&json), steps(&whole));
    assert_eq!(verdicts(&json), [("colour 0", "holds"), ("colour 1", "violated")]);
    assert_eq!(json["found_in"][0], "colour 1");
    let replayed = run_in(folder.path(), &["replay", "rounds.trace.json"]);
    assert_eq!(replayed.status.code(), Some(1));
}

fn equal_instances_run_once() {
    let folder = folder();
    let (_, json, complaint) = check(folder.path(), &STARTS);
    let instances = json["instances"].as_array().unwrap_or_else(|| panic!("{complaint}"));
    let one = instances.iter().find(|it| it["name"] == "one").unwrap();
    assert_eq!((&one["multiplicity"], &one["starts"]), (&2.into(), &1.into()));
    assert_eq!((instances.len(), &json["instance_count"]), (4, &5.into()));
    let only = [&STARTS[..], &["--instance", "again"]].concat();
    let (code, json, _) = check(folder.path(), &only);
    assert_eq!((code, json["missing"].as_array().unwrap().len()), (3, 3));
}

fn what_cannot_be_reached_is_spurious() {
    let folder = folder();
    let (code, json, complaint) = check(folder.path(), &STARTS);
    assert_eq!((code, json["verdict"].as_str()), (0, Some("holds")), "{complaint}");
    assert_eq!(json["spurious_starts"], 1, "it is in two instances");
    let spurious = "spurious";
    let expected =
        [("both", "holds"), ("grey", spurious), ("grey or not", spurious), ("one", "holds")];
    assert_eq!(verdicts(&json), expected);
    assert!(!folder.path().join("rounds.trace.json").exists(), "there is no counterexample");
}

fn what_can_be_reached_is_confirmed() {
    let folder = folder();
    // In one instance, the start that cannot be reached hides this violation at first.
    let (code, json, complaint) =
        check(folder.path(), &[&STARTS[..], &["--set", "bad=0"]].concat());
    assert_eq!((code, json["verdict"].as_str()), (1, Some("violated")), "{complaint}");
    let expected = [
        ("both", "violated"),
        ("grey", "spurious"),
        ("grey or not", "violated"),
        ("one", "violated"),
    ];
    assert_eq!(verdicts(&json), expected);
    let replayed = run_in(folder.path(), &["replay", "rounds.trace.json"]);
    assert_eq!(replayed.status.code(), Some(1));
}

fn what_is_not_known_is_possible() {
    let folder = folder();
    let (code, json, complaint) =
        check(folder.path(), &[&STARTS[..], &["--max-depth", "2"]].concat());
    assert_eq!((code, json["verdict"].as_str()), (3, Some("inconclusive")), "{complaint}");
    assert_eq!(json["possible"]["assertion"], "no player is black");
    assert_eq!(json["possible"]["instance"], "grey");
    assert_eq!((&json["spurious_starts"], &json["complete"]), (&0.into(), &false.into()));
    let text = run_in(
        folder.path(),
        &["check", "rounds", "--starts", "second rounds", "--max-depth", "2"],
    );
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("possible from a start of `grey`"), "{text}");
}

fn shares_of_starts_are_merged() {
    let folder = folder();
    for share in ["1/2", "2/2"] {
        let (code, _, complaint) =
            check(folder.path(), &[&STARTS[..], &["--share", share]].concat());
        assert_eq!(code, 3, "{complaint}");
    }
    let parts = ["rounds.part-2-of-2", "rounds.part-1-of-2"];
    let (code, mut merged, complaint) = check(folder.path(), &[&["--merge"][..], &parts].concat());
    assert_eq!(code, 0, "{complaint}");
    let (_, mut whole, _) = check(folder.path(), &STARTS);
    for json in [&mut merged, &mut whole] {
        json.as_object_mut().unwrap().remove("seconds");
    }
    assert_eq!(merged, whole);
}

fn starts_that_are_not_worlds_are_refused() {
    let folder = folder();
    for (starts, words) in [
        ("few", "world 2 of `a`: it has 1 nodes, and the scenario has 2"),
        ("wide", "world 1 of `a`: its nodes are linked in another way"),
        ("stray", "a packet is in flight from n0 to n5, which no node can send"),
        ("self", "a packet is in flight from n1 to n1"),
        ("twins", "two instances have this name"),
        ("hollow", "there are no starts"),
        ("none", "the list `none`: there are no starts"),
        ("panicking", "the list of starts `panicking` panicked: no idea"),
        ("unheard", "there is no list of starts `unheard`"),
    ] {
        let (code, _, complaint) = check(folder.path(), &["odd-starts", "--starts", starts]);
        let complaint: Vec<&str> =
            complaint.split(['│', '\n', ' ']).filter(|it| !it.is_empty()).collect();
        let complaint = complaint.join(" ");
        assert_eq!(code, 2, "{complaint}");
        assert!(complaint.contains(words), "{words} is not in: {complaint}");
    }
    let both = [&STARTS[..], &["--from-simulation", "1s"]].concat();
    let (code, _, complaint) = check(folder.path(), &both);
    assert_eq!(code, 2);
    assert!(
        complaint.contains("--from-simulation cannot be combined with --starts"),
        "{complaint}"
    );
}

fn cuts_that_never_happen_are_refused() {
    let folder = folder();
    for (cut, words) in [
        ("the tenth round", "the cut `the tenth round` never happens"),
        ("depth:99", "the cut `depth:99` never happens"),
        ("the third round", "there is no cut `the third round`"),
    ] {
        let (code, _, complaint) = check(folder.path(), &["rounds", "--cut", cut]);
        assert_eq!(code, 2, "{complaint}");
        assert!(complaint.contains(words), "{words} is not in: {complaint}");
    }
}

fn starts_are_reduced_as_other_states_are() {
    let folder = folder();
    let (code, json, complaint) = check(folder.path(), &["leader", "--starts", "moments"]);
    assert_eq!((code, json["verdict"].as_str()), (0, Some("holds")), "{complaint}");
    // By the ranks of their numbers, two of three are the same.
    assert_eq!(verdicts(&json), [("7 and 5", "holds"), ("lost", "spurious")]);
    assert_eq!(
        (&json["instances"][0]["multiplicity"], &json["spurious_starts"]),
        (&2.into(), &1.into())
    );
    let (code, whole, _) = check(folder.path(), &["leader"]);
    assert_eq!(code, 0);
    let (code, json, complaint) = check(folder.path(), &["leader", "--cut", "the other follows"]);
    assert_eq!((code, &json["states_union"]), (0, &whole["states_visited"]), "{complaint}");
    // Numbers that grow make the search endless, and then nothing is known of the start.
    let endless = ["leader", "--starts", "moments", "--reduce", "none", "--max-depth", "4"];
    let (code, json, _) = check(folder.path(), &endless);
    assert_eq!((code, json["instance_count"].as_u64()), (3, Some(3)));
    assert_eq!(verdicts(&json)[2], ("lost", "possibly violated"));
}

fn goals_are_reached_from_the_own_start() {
    let folder = folder();
    let search = ["leader", "--starts", "moments", "--instance", "7"];
    let (code, json, _) = check(folder.path(), &search);
    assert_eq!((code, &json["goals"][0]["reached"]), (3, &false.into()), "not in a share");
    let (_, json, _) = check(folder.path(), &search[..3]);
    assert_eq!(json["goals"][0]["steps"].as_array().map(Vec::len), Some(2));
    let (code, json, _) = check(folder.path(), &[&search[..3], &["--max-depth", "1"]].concat());
    assert_eq!((code, &json["goals"][0]["reached"]), (3, &false.into()));
}

fn show_lists_them() {
    let shown = run_in(folder().path(), &["show", "rounds"]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(
        text.contains("Cuts (check --cut NAME)\n  the second round\n  the tenth round\n"),
        "{text}"
    );
    assert!(text.contains("Lists of starts (check --starts NAME)\n  second rounds\n"), "{text}");
}
