//! The command: what it prints, and how it ends.

use std::process::{Command, Output};

use everypath_fuzz::tally;

fn fuzz(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath-fuzz"));
    command.args(arguments).output().expect("the command can be started")
}

#[test]
fn it_tells_as_json_what_it_compared() {
    let output = fuzz(&["--seed", "10", "--count", "4", "--jobs", "2", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    assert_eq!(told["seed"], 10);
    assert_eq!(told["protocols"], 4);
    assert_eq!(told["differences"].as_array().map(Vec::len), Some(0));
    let rows = told["comparisons"].as_object().expect("there is a number for each kind");
    assert_eq!(rows.len(), tally::KINDS.len());
    assert!(told["searches"].as_u64() >= Some(4));
}

#[test]
fn one_seed_is_printed_with_its_scenario() {
    let output = fuzz(&["--only", "12"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(text.starts_with("Case {\n    seed: 12,"), "{text}");
    assert!(text.contains("\n1 protocols from seed 12, "), "{text}");
}

#[test]
fn it_ends_when_its_time_is_over() {
    let output = fuzz(&["--time", "1s", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    assert!(told["seconds"].as_f64() >= Some(1.0));
    assert!(told["protocols"].as_u64() >= Some(1));
}

#[test]
fn nonsense_is_refused() {
    for arguments in
        [&["--time", "soon"][..], &["--jobs", "0"], &["--only", "1", "--count", "2"], &["fast"]]
    {
        assert_eq!(fuzz(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn the_page_names_options_that_exist() {
    let help = String::from_utf8(fuzz(&["--help"]).stdout).expect("it prints text");
    let page = include_str!("../../../docs/fuzzing.md");
    let options = page.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let is_option = |word: &&str| word.starts_with("--") && word.ends_with(char::is_alphabetic);
    let options = options.filter(is_option);
    // Those of cargo.
    let own: Vec<&str> = options.filter(|it| !["--release", "--sanitizer"].contains(it)).collect();
    assert!(own.len() > 5, "{own:?}");
    for option in own {
        assert!(help.contains(option), "{option} is on the page, but not in the help");
    }
}
