//! Pictures of a simulation, and the page about it.

use crate::command;

use std::{fs, path::Path, process};

use tempfile::TempDir;

use command::{assert_refused, code, complaint, json, out, refuses, run_in};

/// Few nodes that move, and send a packet now and then.
const MANET: [&str; 12] = [
    "simulate",
    "manet",
    "--set",
    "nodes=12",
    "--set",
    "flows=3",
    "--set",
    "rules=ns3",
    "--duration",
    "12s",
    "--replications",
    "3",
];

fn simulate(folder: &Path, more: &[&str]) -> String {
    let output = run_in(folder, &[&MANET[..], more].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    out(&output)
}

#[test]
fn distributions_and_the_network_are_drawn() {
    let folder = TempDir::new().unwrap();
    let told = simulate(folder.path(), &["--plot", "pictures", "--plot-at", "9s"]);
    let drawn = [&MANET[..], &["--plot", "pictures", "--plot-at", "9s", "--json"]].concat();
    assert_eq!(json(&run_in(folder.path(), &drawn))["runs"], 3, "nothing but JSON is printed");
    for picture in ["cdf-delay", "network"] {
        let path = folder.path().join("pictures").join(picture);
        let svg = fs::read_to_string(path.with_extension("svg")).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("manet"), "{svg}");
        let png = fs::read(path.with_extension("png"));
        if cfg!(feature = "png") {
            assert_eq!(png.unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
        } else {
            assert!(png.is_err(), "pixels are a feature");
        }
        assert!(told.contains(&format!("drew pictures/{picture}.svg\n")), "{told}");
    }
    let network = fs::read_to_string(folder.path().join("pictures/network.svg")).unwrap();
    assert!(network.contains("at 9s of replication 0, seed 1"), "{network}");
    assert_eq!(network.matches(r#"class="node""#).count(), 12);
    assert!(network.contains(r#"class="hop hop0""#), "routes are drawn: {network}");
    let anew = TempDir::new().unwrap();
    simulate(anew.path(), &["--plot", "pictures", "--plot-at", "9s"]);
    let again = fs::read_to_string(anew.path().join("pictures/network.svg")).unwrap();
    assert_eq!(again, network, "the same run is the same picture");
}

/// What can be had of PNG is told before anything is run.
#[test]
fn a_file_of_pixels_is_asked_for_in_vain() {
    #[cfg(not(feature = "png"))]
    refuses(
        &[&MANET[..], &["--plot", "manet.PNG"]].concat(),
        &["built without the feature `png`", "for SVG drawings", "cargo run --features png"],
    );
    refuses(&["check", "arq-erroneous", "--chart", "run.png"], &[".svg"]);
    refuses(&["compare", "arq", "--plot", "compared.png"], &[".svg"]);
}

#[test]
fn a_page_holds_the_command_the_results_and_a_film() {
    let folder = TempDir::new().unwrap();
    simulate(folder.path(), &["--report", "run.html", "--seed", "4"]);
    let page = fs::read_to_string(folder.path().join("run.html")).unwrap();
    for words in ["delivery ratio", "--seed 4", "<canvas", "manet: delay", "all parameters"] {
        assert!(page.contains(words), "{words}");
    }
    for outside in ["https:", "src=", "@import", "fetch("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let film = page.split(r#"id="film">"#).nth(1).unwrap().split("</script>").next().unwrap();
    let film: serde_json::Value = serde_json::from_str(film).unwrap();
    assert_eq!(film["nodes"].as_array().unwrap().len(), 12);
    assert_eq!((&film["end"], &film["flights_until"]), (&12.0.into(), &12.0.into()));
    assert!(film["flights"].as_array().unwrap().len() > 100);
    assert!(film["moves"].as_array().unwrap().len() >= 12);
}

/// A browser shows the moment that the address names, and packets in flight.
#[test]
fn a_browser_plays_the_film() {
    let folder = TempDir::new().unwrap();
    simulate(folder.path(), &["--report", "run.html"]);
    let address = format!("file://{}#10.01", folder.path().join("run.html").display());
    let shown = process::Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000"])
        .args(["--dump-dom", &address])
        .output();
    let Ok(shown) = shown else {
        eprintln!("skipped: `chromium` is missing; on Debian or Ubuntu: apt-get install chromium");
        return;
    };
    let page = String::from_utf8_lossy(&shown.stdout);
    assert!(page.contains(r#"<output id="clock" for="time">10.0100 s</output>"#), "{page}");
    let flying = page.split("data-flying=\"").nth(1).and_then(|rest| rest.split('"').next());
    assert!(flying.is_some_and(|count| count.parse::<u32>().unwrap() > 0), "{flying:?}");
    for kind in ["DATA", "HELLO"] {
        assert!(page.contains(&format!("</i>{kind}</label>")), "{kind}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_before_anything_is_run() {
    let refuses = |more: &[&str], words: &[&str]| refuses(&[&MANET[..], more].concat(), words);
    refuses(&["--report", "run.svg"], &["name a file that ends in .html"]);
    refuses(&["--plot-at", "3s"], &["--plot-at has no effect with neither --plot nor --report"]);
    refuses(&["--plot", "p", "--plot-at", "13s"], &["after the end of the run", "--duration"]);
    refuses(&["--report", "none/run.html"], &["none/run.html", "nothing was run so far"]);
    let versus = ["--plot", "p", "--versus", "nodes=14"];
    refuses(&versus, &["--plot has no effect with --versus"]);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let output = run_in(folder.path(), &[&MANET[..], &["--plot", "file"]].concat());
    assert_refused(&output, &["cannot write file, which --plot names"]);
}

/// A chain is drawn as one, whichever of its links are down at the moment.
#[test]
fn links_give_nodes_their_places_in_pictures_and_films() {
    let folder = TempDir::new().unwrap();
    let file = "scenario = \"aodv\"\nduration = \"10s\"\nreplications = 1\n[parameters]\nnodes = 6\n[[faults]]\nlinks = [[2, 3]]\ndown = \"1s\"\n";
    fs::write(folder.path().join("chain.toml"), file).unwrap();
    let drawn = ["simulate", "chain.toml", "--plot", "p", "--report", "chain.html", "--json"];
    let output = run_in(folder.path(), &drawn);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let network = fs::read_to_string(folder.path().join("p/network.svg")).unwrap();
    assert_eq!(network.matches(r#"class="heard""#).count(), 4, "one link is down");
    let at = |name: &str| -> Vec<f64> {
        let circles = network.split(r#"<circle class="node""#).skip(1);
        let number = |circle: &str| {
            circle.split(&format!("{name}=\"")).nth(1)?.split('"').next()?.parse().ok()
        };
        circles.map(|circle| number(circle).unwrap()).collect()
    };
    let (across, down) = (at("cx"), at("cy"));
    assert!(down.iter().all(|y| (y - down[0]).abs() < 1.0), "{down:?}");
    let steps: Vec<f64> = across.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(
        steps.len() == 5 && steps.iter().all(|step| (step - steps[0]).abs() < 1.0),
        "{steps:?}"
    );
    let page = fs::read_to_string(folder.path().join("chain.html")).unwrap();
    let film = page.split(r#"id="film">"#).nth(1).unwrap().split("</script>").next().unwrap();
    let film: serde_json::Value = serde_json::from_str(film).unwrap();
    assert_eq!(film["places"].as_array().unwrap().len(), 6);
}
