//! The arrows between the crates point one way: what each part must not depend on.

use std::{collections::BTreeSet, process::Command};

/// The crates of this workspace that a build of a package links, itself left out.
fn linked(package: &str, features: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--edges", "normal", "--prefix", "none", "--no-default-features"])
        .args(["--package", package, "--features", &features.join(",")])
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo prints text");
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names
        .filter(|name| name.starts_with("everypath") && *name != package)
        .map(str::to_owned)
        .collect()
}

fn check(package: &str, features: &[&str], expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(linked(package, features), expected, "{package} with {features:?}");
}

#[test]
fn a_simulation_links_nothing_of_the_explorer() {
    check("everypath-sim", &[], &["everypath-model", "everypath-macros"]);
    check("everypath", &["simulate"], &["everypath-sim", "everypath-model", "everypath-macros"]);
}

#[test]
fn the_model_and_the_explorer_know_nobody() {
    check("everypath-model", &[], &["everypath-macros"]);
    check("everypath-explore", &[], &[]);
}

#[test]
fn the_explorer_side_links_nothing_of_the_simulator() {
    check("everypath-network", &[], &["everypath-explore", "everypath-model", "everypath-macros"]);
    check(
        "everypath",
        &["explore"],
        &["everypath-network", "everypath-explore", "everypath-model", "everypath-macros"],
    );
}

#[test]
fn readers_of_files_know_the_model_alone() {
    check("everypath-formats", &[], &["everypath-model", "everypath-macros"]);
}

#[test]
fn protocols_are_written_against_the_model_alone() {
    check("everypath-protocols", &[], &["everypath-model", "everypath-macros"]);
}

#[test]
fn captures_know_the_simulator_alone() {
    let expected = ["everypath-sim", "everypath-model", "everypath-macros"];
    check("everypath-capture", &[], &expected);
}

#[test]
fn the_fuzzer_needs_no_command_line() {
    let expected =
        ["everypath-network", "everypath-explore", "everypath-model", "everypath-macros"];
    check("everypath-fuzz", &[], &expected);
}
