//! `check --space`: pictures of small state spaces, and what is refused.

use crate::command;

use std::fs;

use command::{code, complaint, json, out, refuses, run_in};
use tempfile::TempDir;

/// Each explored event is a line of its sort, and each state a circle: as many as the report counts.
#[test]
fn a_picture_shows_what_is_counted() {
    let folder = TempDir::new().unwrap();
    for strategy in ["bfs", "dfs", "dfs-r", "best", "beam"] {
        let arguments = ["check", "arq-erroneous", "--keep-going", "--max-depth", "8", "--json"];
        let arguments = [&arguments[..], &["--strategy", strategy, "--space", "x.svg"]].concat();
        let output = run_in(folder.path(), &arguments);
        let found = json(&output);
        assert_eq!(found["space"], "x.svg", "{}", complaint(&output));
        let svg = fs::read_to_string(folder.path().join("x.svg")).unwrap();
        let lines = |sort: &str| {
            // One of them is in the legend.
            let all = svg.matches(&format!(r#"<path class="step {sort}""#)).count();
            serde_json::json!(all - 1)
        };
        for (sort, count) in [
            ("tree", "tree_events"),
            ("non-tree", "non_tree_events"),
            ("deepest", "deepest_events"),
            ("unsafe", "unsafe_events"),
        ] {
            assert_eq!(lines(sort), found[count], "{strategy}: {sort}");
        }
        let safe = svg.matches("<circle ").count() - svg.matches(r#"class="node broken""#).count();
        assert_eq!(serde_json::json!(safe), found["states_visited"], "{strategy}");
        assert!(!svg.contains("href") && !svg.contains("<script"), "it needs no other file");
    }
}

#[test]
fn the_order_is_that_of_the_strategy() {
    let folder = TempDir::new().unwrap();
    let dot = |arguments: &[&str]| {
        let all = ["check", "arq", "--max-depth", "5", "--space", "x.dot"];
        let output = run_in(folder.path(), &[&all[..], arguments].concat());
        assert!(out(&output).contains("space: x.dot\n"), "{}", complaint(&output));
        fs::read_to_string(folder.path().join("x.dot")).unwrap()
    };
    let breadth = dot(&[]);
    assert!(breadth.starts_with("digraph \"arq\" {"), "{breadth}");
    assert!(breadth.contains("style=dashed") && breadth.contains("style=dotted"));
    let depth = dot(&["--strategy", "dfs-r"]);
    assert_ne!(breadth, depth);
    assert_eq!(depth, dot(&["--strategy", "dfs-r"]), "it is the same each time");
    assert_ne!(depth, dot(&["--strategy", "dfs-r", "--shuffle", "2"]));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let check = ["check", "arq"];
    let refused = |more: &[&str], words: &[&str]| refuses(&[&check[..], more].concat(), words);
    refused(&["--space", "x.png"], &[".svg or .dot (Graphviz)"]);
    refused(&["--space", "x.svg", "--strategy", "walk"], &["--space", "again and again"]);
    refused(&["--space", "x.svg", "--strategy", "deepening"], &["--space", "again and again"]);
    refused(&["--space", "x.svg", "--regressions", "x"], &["--regressions", "--space"]);
    refused(&["--space", "x.svg", "--chart", "x.svg"], &["--chart", "--space", "same file"]);
    refused(&["--space", "x.svg", "--cut", "depth:3"], &["--space"]);

    // What was found counts more than the picture; if nothing was, it does not pass for done.
    let folder = TempDir::new().unwrap();
    let large = run_in(folder.path(), &["check", "arq", "--space", "x.svg"]);
    assert_eq!(code(&large), 2);
    assert!(out(&large).starts_with("arq: HOLDS"), "{}", out(&large));
    assert!(complaint(&large).contains("more than 250 states"), "{}", complaint(&large));
    assert!(!folder.path().join("x.svg").exists());
    let violated = ["check", "arq-erroneous", "--keep-going", "--space", "x.svg"];
    let violated = run_in(folder.path(), &violated);
    assert_eq!(code(&violated), 1);
    assert!(complaint(&violated).contains("more than 250 states"), "{}", complaint(&violated));
}
