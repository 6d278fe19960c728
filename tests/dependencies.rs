//! The arrows between the crates point one way: what each part must not depend on.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use crate::source_tree;

/// What a build of a package links, itself left out: names and versions.
fn tree(package: &str, options: &[&str]) -> BTreeSet<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--edges", "normal", "--prefix", "none", "--package", package])
        .args(options)
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo prints text");
    let words = text.lines().filter_map(|line| {
        let mut words = line.split(' ').map(str::to_owned);
        Some((words.next()?, words.next()?))
    });
    words.filter(|(name, _)| name != package).collect()
}

/// The crates of this workspace that a build of a package links, itself left out.
fn linked(package: &str, features: &[&str]) -> BTreeSet<String> {
    let options = ["--no-default-features", "--features", &features.join(",")];
    let names = tree(package, &options).into_iter().map(|(name, _)| name);
    names.filter(|name| name.starts_with("everypath")).collect()
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
fn the_model_and_the_explorer_depend_on_no_other_crate() {
    check("everypath-model", &[], &["everypath-macros"]);
    check("everypath-explore", &[], &[]);
}

#[test]
fn the_explorer_side_links_nothing_of_the_simulator() {
    check("everypath-network", &[], &["everypath-explore", "everypath-model", "everypath-macros"]);
    check("everypath-plain", &[], &["everypath-explore", "everypath-model", "everypath-macros"]);
    check("everypath-driver", &[], &["everypath-explore", "everypath-model", "everypath-macros"]);
    let of_heap = ["everypath-driver", "everypath-explore", "everypath-model", "everypath-macros"];
    check("everypath-heap", &[], &of_heap);
    check(
        "everypath",
        &["explore"],
        &[
            "everypath-driver",
            "everypath-heap",
            "everypath-network",
            "everypath-explore",
            "everypath-model",
            "everypath-macros",
        ],
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
fn words_and_files_know_the_explorer_alone() {
    check("everypath-report", &[], &["everypath-explore"]);
}

#[test]
fn pictures_are_made_of_words() {
    check("everypath-plot", &["png"], &["everypath-report", "everypath-explore"]);
}

/// Nor anything that makes pixels.
#[test]
fn tests_of_users_need_no_command_line() {
    let expected = [
        "everypath-driver",
        "everypath-explore",
        "everypath-macros",
        "everypath-model",
        "everypath-network",
        "everypath-plain",
        "everypath-plot",
        "everypath-report",
        "everypath-sim",
    ];
    check("everypath-testing", &[], &expected);
    // The facade has subjects of heaps with every exploration.
    let with_testing = expected.into_iter().chain(["everypath-testing", "everypath-heap"]);
    let with_testing: Vec<&str> = with_testing.collect();
    check("everypath", &["testing"], &with_testing);
}

/// What a crate of a user has to build: pixels and decorated errors are asked for, or not there.
#[test]
fn a_crate_of_a_user_has_few_crates_to_build() {
    let is_foreign = |it: &(String, String)| !it.0.starts_with("everypath");
    let built = |options: &[&str]| -> BTreeSet<_> {
        tree("everypath", options).into_iter().filter(is_foreign).collect()
    };
    let default = built(&[]);
    assert!(default.len() <= 74, "{} other crates: {default:?}", default.len());
    let has = |crates: &BTreeSet<(String, String)>, name| crates.iter().any(|it| it.0 == name);
    for (feature, brings) in [("png", "resvg"), ("fancy-errors", "textwrap")] {
        assert!(!has(&default, brings), "{brings} is there by default");
        assert!(has(&built(&["--features", feature]), brings), "{feature} brings {brings}");
    }
}

#[test]
fn the_fuzzer_needs_no_command_line() {
    let expected = [
        "everypath-network",
        "everypath-plain",
        "everypath-explore",
        "everypath-model",
        "everypath-macros",
    ];
    check("everypath-fuzz", &[], &expected);
}

/// `cargo bench` runs the unit tests of a library or a program too, unless it is told not to: all of them a second time.
#[test]
fn benchmarks_are_all_that_is_run_as_such() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![
        root.to_owned(),
        root.join("examples/raft"),
        root.join("examples/signed"),
        root.join("examples/structures"),
    ];
    folders.extend(fs::read_dir(root.join("crates")).unwrap().map(|it| it.unwrap().path()));
    for folder in folders {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let is_left_out = |target: &toml::Value| target.get("bench") == Some(&false.into());
        let library = manifest.get("lib").is_some_and(is_left_out);
        assert!(library || !folder.join("src/lib.rs").exists(), "the library of {folder:?}");
        let programs = manifest.get("bin").and_then(toml::Value::as_array);
        let programs = programs.is_some_and(|programs| programs.iter().all(is_left_out));
        assert!(programs || !folder.join("src/main.rs").exists(), "the program of {folder:?}");
    }
}

/// Each source file stands once in the code map, and the map names no other.
#[test]
fn the_code_map_lists_every_source_file_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let map = fs::read_to_string(root.join("docs/design/code-map.md")).unwrap();
    let mut listed = BTreeSet::new();
    let mut within = None;
    for line in map.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            within = title.trim_matches('`').strip_prefix("crates/");
        }
        let (Some(name), Some(row)) = (within, line.strip_prefix("| `")) else { continue };
        let files = row.split(" | ").next().unwrap_or(row).split(", ");
        for file in files.map(|file| file.trim_matches('`')) {
            assert!(listed.insert(format!("{name}/{file}")), "{name}/{file} is listed twice");
        }
    }
    let mut there = BTreeSet::new();
    for name in fs::read_dir(root.join("crates")).unwrap().map(|it| it.unwrap().file_name()) {
        let source = root.join("crates").join(&name).join("src");
        for path in source_tree::files(&source, ".rs", &[]) {
            let file = path.strip_prefix(&source).unwrap().display();
            there.insert(format!("{}/{file}", name.display()));
        }
    }
    let missing: Vec<_> = there.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&there).collect();
    assert!(missing.is_empty() && gone.is_empty(), "missing: {missing:?}; gone: {gone:?}");
}
