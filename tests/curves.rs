//! Sweeps drawn as curves, and the page about a sweep.

use crate::command;
use crate::schema;

use std::{fs, path::Path, process::Output};

use command::{assert_refused, code, complaint, json, out, refuses, run_in};
use roxmltree::Document;
use schema::assert_fits;
use tempfile::TempDir;

/// Two variants at three rates, one combination of which is left out.
const SWEEP: &str = "
scenario = \"aodv\"
duration = \"20s\"
replications = 4

[measurements]
measures = [\"delivery ratio\", \"delay\"]

[sweep]
nodes = [3, 5]
interval = [\"1s\", \"250ms\", \"500ms\"]
links.loss = [0.1]
exclude = [{ nodes = 5, interval = \"1s\" }]
";

fn sweep(folder: &Path, text: &str, more: &[&str]) -> Output {
    fs::write(folder.join("sweep.toml"), text).unwrap();
    run_in(folder, &[&["simulate", "sweep.toml"], more].concat())
}

fn drawn(folder: &Path, text: &str) -> String {
    let said = sweep(folder, text, &["--plot", "pictures"]);
    assert_eq!(code(&said), 0, "{}", complaint(&said));
    fs::read_to_string(folder.join("pictures/delivery-ratio.svg")).unwrap()
}

/// The texts of a class.
fn texts(svg: &str, class: &str) -> Vec<String> {
    let page = Document::parse(svg).unwrap();
    let found = page.descendants().filter(|it| it.attribute("class") == Some(class));
    found.map(|it| it.text().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_measure_is_drawn_with_what_was_estimated() {
    let folder = TempDir::new().unwrap();
    let said = sweep(folder.path(), SWEEP, &["--out", "results", "--json"]);
    assert_eq!(code(&said), 0, "{}", complaint(&said));
    let told = json(&said);
    assert_fits("simulate.schema.json", &told);
    let written: Vec<&str> =
        told["written"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(
        written[..3],
        ["results.csv", "summary.csv", "manifest.json"].map(|it| format!("results/{it}"))
    );
    assert_eq!(written[3], "results/plots/delivery-ratio.svg");
    assert!(written.contains(&"results/plots/delay.svg"));
    assert!(written.iter().all(|file| folder.path().join(file).is_file()), "{written:?}");
    let svg = fs::read_to_string(folder.path().join(written[3])).unwrap();
    let page = Document::parse(&svg).unwrap();
    let titles: Vec<&str> = page
        .descendants()
        .filter(|it| it.has_tag_name("g") && it.attribute("class").is_none())
        .map(|it| it.first_element_child().unwrap().text().unwrap())
        .collect();
    assert_eq!(titles.len(), 5, "{titles:?}");
    // Each point is told as the table has it, and stands and is as long as that says.
    let table = out(&sweep(folder.path(), SWEEP, &["--out", "results"]));
    for title in titles {
        let (_, estimate) = title.split_once(": ").unwrap();
        assert!(table.contains(estimate), "{title} is not in {table}");
    }
    let bars = page.descendants().filter(|it| it.attribute("class") == Some("bar"));
    let lengths: Vec<f64> = bars
        .map(|it| {
            let (_, ends) = it.attribute("d").unwrap().split_once(' ').unwrap();
            let (low, high) = ends.split_once('V').unwrap();
            low.parse::<f64>().unwrap() - high.split('M').next().unwrap().parse::<f64>().unwrap()
        })
        .collect();
    let points = told["points"].as_array().unwrap();
    let half = |point: usize| points[point]["measures"][0]["half_width_95"].as_f64().unwrap();
    // The curves of 1s, 250ms and 500ms, from left to right; the first ends where 5 nodes are left out.
    let halves = [0, 1, 3, 2, 4].map(half);
    for (length, half) in lengths.iter().zip(halves) {
        assert!((length / half / (lengths[0] / halves[0]) - 1.0).abs() < 0.02, "{lengths:?}");
    }
}

#[test]
fn numbers_lie_across_and_the_rest_tells_curves_apart() {
    let folder = TempDir::new().unwrap();
    let svg = drawn(folder.path(), SWEEP);
    assert_eq!(texts(&svg, "axis"), ["nodes", "delivery ratio", "interval"]);
    assert!(texts(&svg, "tick").starts_with(&["3".to_owned(), "5".to_owned()]), "{svg}");
    for name in ["1s", "250ms", "500ms"] {
        assert!(svg.contains(&format!(">{name}<title>")), "{name} is in the legend");
    }
    assert!(svg.contains("4 runs of each point; bars: 95 % intervals; links.loss = 0.1; seed 1"));
    // Times are numbers, too, but what is not comes to the legend, wherever it stands.
    let named = SWEEP
        .replace("nodes = [3, 5]\n", "topology = [\"chain\", \"ring\"]\n")
        .replace("exclude = [{ nodes = 5, interval = \"1s\" }]\n", "");
    let svg = drawn(folder.path(), &named);
    assert_eq!(texts(&svg, "axis"), ["interval in s", "delivery ratio", "topology"]);
    assert!(texts(&svg, "tick").starts_with(&["0.25", "0.5", "1"].map(str::to_owned)), "{svg}");
}

#[test]
fn texts_stand_side_by_side_and_keys_that_change_together_are_one_axis() {
    let folder = TempDir::new().unwrap();
    let base = SWEEP.split("[sweep]").next().unwrap();
    let svg = drawn(folder.path(), &format!("{base}[sweep]\ntopology = [\"ring\", \"chain\"]\n"));
    assert_eq!(texts(&svg, "axis"), ["topology", "delivery ratio"], "one curve has no legend");
    assert!(texts(&svg, "tick").starts_with(&["ring", "chain"].map(str::to_owned)), "{svg}");
    let together = "[sweep]\nnodes = [3, 6]\ninterval = [\"1s\", \"500ms\"]\nzip = [[\"nodes\", \"interval\"]]\n";
    let svg = drawn(folder.path(), &format!("{base}{together}"));
    assert_eq!(texts(&svg, "axis"), ["nodes / interval", "delivery ratio"]);
    assert!(texts(&svg, "tick").starts_with(&["3 / 1s", "6 / 500ms"].map(str::to_owned)), "{svg}");
}

#[test]
fn a_page_of_a_sweep_holds_the_table_and_the_curves() {
    let folder = TempDir::new().unwrap();
    let said = sweep(folder.path(), SWEEP, &["--report", "sweep.html"]);
    assert_eq!(code(&said), 0, "{}", complaint(&said));
    assert!(out(&said).ends_with("drew sweep.html\n"), "{}", out(&said));
    let page = fs::read_to_string(folder.path().join("sweep.html")).unwrap();
    for words in
        ["simulate sweep.toml --report sweep.html", ">delay (s)</th>", ">500ms</td>", "aodv: delay"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert_eq!(page.matches("<svg ").count(), 2);
    assert!(!page.contains("<canvas"), "there is no film of many points");
    // One point has a film.
    let one = SWEEP.split("[sweep]").next().unwrap();
    let said = sweep(folder.path(), one, &["--report", "point.html", "--json"]);
    assert_eq!(json(&said)["written"], serde_json::json!(["point.html"]));
    let page = fs::read_to_string(folder.path().join("point.html")).unwrap();
    assert!(page.contains("<canvas"));
}

#[test]
fn what_cannot_be_drawn_of_a_sweep_is_refused_before_anything_is_run() {
    let folder = TempDir::new().unwrap();
    let one = ["simulate", "arq", "--out", "results", "--plot", "p"];
    refuses(&one, &["--plot cannot draw curves of a single point"]);
    let refuses = |text: &str, more: &[&str], words: &[&str]| {
        assert_refused(&sweep(folder.path(), text, more), words);
    };
    refuses(SWEEP, &["--plot", "p", "--plot-at", "3s"], &["--plot-at has no effect with a sweep"]);
    refuses(SWEEP, &["--report", "none/p.html"], &["none/p.html", "nothing was run so far"]);
    refuses(SWEEP, &["--pcap", "p.pcapng"], &["--pcap has no effect with a sweep"]);
    let one = SWEEP.split("[sweep]").next().unwrap();
    for (option, file) in [("--plot", "p"), ("--report", "p.html")] {
        let words = [&format!("{option} cannot draw curves of a single point"), "without --out"];
        refuses(one, &["--out", "results", option, file], &words);
    }
    assert!(!folder.path().join("results").exists(), "nothing was written");
}
