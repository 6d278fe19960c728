//! Scenario files: what they say, and what is said about those that are wrong.

use crate::command;
use crate::schema;

use std::{fs, path::Path};

use command::{assert_refused, code, complaint, json, out, refuses, run_in};
use schema::assert_fits;
use tempfile::TempDir;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// All scenario files of the examples.
fn examples() -> Vec<std::path::PathBuf> {
    let files = fs::read_dir(EXAMPLES).unwrap().map(|file| file.unwrap().path());
    let is_toml = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "toml");
    let mut files: Vec<_> = files.filter(is_toml).collect();
    files.sort();
    files
}

fn as_json(text: &str) -> serde_json::Value {
    toml::from_str(text).expect("it is TOML")
}

#[test]
fn the_examples_are_as_the_schema_says_and_run() {
    let examples = examples();
    assert!(examples.len() >= 3);
    for path in examples {
        assert_fits("scenario.schema.json", &as_json(&fs::read_to_string(&path).unwrap()));
        let short = ["--duration", "12s", "--replications", "2", "--no-time"];
        let path = path.to_str().unwrap();
        let output = run_in(Path::new(EXAMPLES), &[&["simulate", path], &short[..]].concat());
        assert_eq!(code(&output), 0, "{path}: {}", complaint(&output));
        let said = out(&output);
        let is_told = ["delivery ratio", "events delivered"].iter().any(|it| said.contains(it));
        assert!(is_told, "{path}: {said}");
    }
}

/// What is wrong, and what is said about it, without white space: lines are wrapped.
const BAD: [(&str, &str); 59] = [
    (
        "scenario = \"aodv\"\n[sensing]\ntargets = 2",
        "bad.toml:2:1: `sensing`: aodv has no targets to sense: there is no parameter `targets`",
    ),
    (
        "scenario = \"manet\"\n[sensing]\nrange = 20",
        "bad.toml:2:1: `sensing`: the nodes of this scenario sense nothing help: remove it",
    ),
    (
        "scenario = \"diffusion-field\"\n[sensing]\nspeeds = [1, 2]",
        "bad.toml:2:1: the key `sensing.mobility` is missing help: give the mobility of targets: one of \"fixed\", \"uniform\", \"waypoint\", \"walk\"",
    ),
    (
        "scenario = \"diffusion-field\"\n[sensing]\nmobility = \"trace\"",
        "bad.toml:3:12: `sensing.mobility` is \"trace\"; it takes one of \"fixed\", \"uniform\", \"waypoint\", \"walk\"",
    ),
    (
        "scenario = \"diffusion-field\"\n[sensing]\nevery = \"0s\"",
        "bad.toml:3:9: `sensing.every`: time would stand still; give more than 0 s",
    ),
    (
        "scenario = \"diffusion-field\"\n[sensing]\ntargets = 2\npositions = [[1, 1]]",
        "bad.toml:3:11: `sensing.targets`: it cannot be combined with `sensing.positions`",
    ),
    (
        "scenario = \"diffusion-field\"\n[sensing]\nspeed = 2",
        "bad.toml:3:1: there is no key `sensing.speed` help: did you mean `speeds`?",
    ),
    ("", "bad.toml: cannot be read"),
    (
        "scenario = \"arq\"\nnodes = [",
        "bad.toml:2:10: this is not TOML: unclosed array, expected `]`",
    ),
    (
        "duration = \"1s\"",
        "bad.toml:1:1: the key `scenario` is missing help: write `scenario = \"NAME\"`, with a name that `list` shows",
    ),
    (
        "scenario = 3",
        "bad.toml:1:12: `scenario` is 3; it takes the name of a scenario, as `list` shows it",
    ),
    (
        "scenario = \"aodw\"",
        "bad.toml:1:12: there is no scenario `aodw` help: did you mean `aodv`?",
    ),
    (
        "scenaro = \"aodv\"",
        "bad.toml:1:1: there is no key `scenaro` help: did you mean `scenario`?",
    ),
    (
        "scenario = \"aodv\"\n[radios]\nrange = 1",
        "bad.toml:2:2: there is no key `radios` help: did you mean `radio`?",
    ),
    (
        "scenario = \"aodv\"\nprofile = \"thesiss\"",
        "bad.toml:2:11: `profile` is \"thesiss\"; it takes one of \"standard\", \"thesis\" help: did you mean \"thesis\"?",
    ),
    (
        "scenario = \"aodv\"\nduration = 5",
        "bad.toml:2:12: `duration` is 5; it takes a duration such as \"10ms\" (units: ns, us, ms, s, m, h)",
    ),
    ("scenario = \"aodv\"\nduration = \"0s\"", "bad.toml:2:12: `duration`: nothing happens in 0 s"),
    (
        "scenario = \"aodv\"\nseed = -1",
        "bad.toml:2:8: `seed` is -1; it takes a whole number from 0 on",
    ),
    (
        "scenario = \"aodv\"\nreplications = 0",
        "bad.toml:2:16: `replications` is 0; it takes a whole number from 1 to 1000000",
    ),
    (
        "scenario = \"aodv\"\nseed = 1979-05-27",
        "bad.toml:2:8: a date or a time of day cannot be used here",
    ),
    (
        "scenario = \"aodv\"\nseed = nan",
        "bad.toml:2:8: a number that is not finite cannot be used here",
    ),
    (
        "scenario = \"aodv\"\nparameters = 3",
        "bad.toml:2:14: `parameters` is 3; it takes a table: write it as [parameters]",
    ),
    (
        "scenario = \"aodv\"\n[parameters]\nnode = 5",
        "bad.toml:3:8: aodv: there is no parameter `node`; did you mean `nodes`? help: `show aodv` lists its parameters",
    ),
    (
        "scenario = \"aodv\"\n[parameters]\nnodes = \"many\"",
        "bad.toml:3:9: aodv: `many` is not a value of parameter `nodes`: it takes a whole number from 2 to 500",
    ),
    (
        "scenario = \"aodv\"\n[parameters]\nnodes = [1]",
        "bad.toml:3:9: `parameters.nodes` is [1]; it takes a text, a number, true or false",
    ),
    (
        "scenario = \"aodv\"\n[topology]\nfile = \"none.txt\"",
        "bad.toml:3:8: `topology.file`: none.txt: cannot be read",
    ),
    (
        "scenario = \"aodv\"\n[topology]\nfile = \"none.dat\"",
        "bad.toml:3:8: `topology.file`: its extension does not say its format help: give `format`, one of \"edge-list\", \"graphml\"",
    ),
    (
        "scenario = \"aodv\"\n[topology]\ngenerator = \"waxmann\"",
        "bad.toml:3:13: `topology.generator` is \"waxmann\"; it takes one of \"geometric\", \"waxman\", \"barabasi-albert\" help: did you mean \"waxman\"?",
    ),
    (
        "scenario = \"aodv\"\n[topology]\ngenerator = \"waxman\"\nnodes = 5\nlinks = 3",
        "bad.toml:5:9: `topology.links`: it has no effect with this generator help: keys with an effect: nodes, seed, area, alpha, beta",
    ),
    (
        "scenario = \"aodv\"\n[topology]\ngenerator = \"waxman\"\nnodes = 5",
        "bad.toml:2:1: the key `topology.alpha` is missing help: this generator needs nodes, seed, area, alpha, beta",
    ),
    (
        "scenario = \"arq\"\n[topology]\ngenerator = \"barabasi-albert\"\nnodes = 5\nlinks = 2",
        "bad.toml:2:1: arq: there is no parameter `nodes`",
    ),
    (
        "scenario = \"aodv\"\n[links]\nloss = 1.5",
        "bad.toml:3:8: `links.loss` is 1.5; it takes a number from 0 to 1",
    ),
    (
        "scenario = \"aodv\"\n[links]\nloss = { good = 0.1 }",
        "bad.toml:3:8: the key `links.loss.bad` is missing",
    ),
    (
        "scenario = \"aodv\"\n[links]\nbandwidth = 0",
        "bad.toml:3:13: `links.bandwidth` is 0; it takes a whole number of bits per second from 1 on, or \"unlimited\"",
    ),
    (
        "scenario = \"aodv\"\n[radio]\nrange = 5",
        "bad.toml:2:1: the nodes of this scenario talk over links, not by radio help: put them on a field: give [field]",
    ),
    (
        "scenario = \"manet\"\n[radio]\nrange = \"far\"",
        "bad.toml:3:9: `radio.range` is \"far\"; it takes a number from 0.001 to 1000000000",
    ),
    (
        "scenario = \"manet\"\n[radio]\nrange = \"250 m\"",
        "help: `range` is the distance at which a node is received, in metres",
    ),
    (
        "scenario = \"aodv\"\n[links]\nloss = { godo = 0.1 }",
        "bad.toml:3:10: there is no key `links.loss.godo` help: did you mean `good`?",
    ),
    (
        "scenario = \"aodv\"\n[[faults]]\nnodes = [0, \"x\"]\ndown = \"1s\"",
        "bad.toml:3:13: `faults.nodes` is \"x\"; it takes a whole number from 0 on",
    ),
    (
        "scenario = \"aodv\"\n[[faults]]\nnodes = [0]\ndown = \"1s\"\nto-repair = \"1s\"",
        "bad.toml:4:8: `faults.down`: it cannot be combined with `faults.to-repair`",
    ),
    (
        "scenario = \"manet\"\n[traffic]\nfile = \"x.csv\"\n[[flows]]\nfrom = 0\nto = 1",
        "bad.toml:2:1: `traffic`: it cannot be combined with `flows` help: remove one of them",
    ),
    (
        "scenario = \"manet\"\n[links]\nqueue = 5",
        "bad.toml:2:1: `links`: on a field there are no links help: say in [radio] how nodes hear each other",
    ),
    (
        "scenario = \"manet\"\n[field]\narea = [1, 2]",
        "bad.toml:2:1: the key `field.mobility` is missing help: give the mobility of nodes: one of \"fixed\", \"uniform\", \"waypoint\", \"walk\", \"trace\"",
    ),
    (
        "scenario = \"manet\"\n[field]\nmobility = \"waypoint\"\narea = [100, 100]",
        "bad.toml:2:1: the key `field.speeds` is missing help: say how fast nodes move",
    ),
    (
        "scenario = \"manet\"\n[field]\nmobility = \"uniform\"\narea = [100, 100]\npause = \"1s\"",
        "bad.toml:5:9: `field.pause`: it has no effect with mobility = \"uniform\" help: remove it; keys with an effect: area",
    ),
    (
        "scenario = \"manet\"\n[field]\nmobility = \"uniform\"\narea = [100]",
        "bad.toml:4:8: `field.area` is [100]; it takes two numbers in a list: width and height in metres",
    ),
    (
        "scenario = \"manet\"\n[parameters]\nnodes = 5\nflows = 1\n[field]\npositions = [[0, 0], [1, 1]]",
        "bad.toml:3:9: parameter `nodes` is given as `5`, but [field] makes it `2`",
    ),
    (
        "scenario = \"manet\"\n[traffic]\nfile = \"none.csv\"",
        "bad.toml:3:8: `traffic.file`: none.csv: cannot be read",
    ),
    (
        "scenario = \"arq\"\n[[flows]]\nfrom = 0\nto = 1",
        "bad.toml:2:1: `flows`: the scenario has no command by which a node sends data to another",
    ),
    (
        "scenario = \"aodv\"\n[[flows]]\nfrom = 0\nto = 7",
        "bad.toml:4:6: `flows.to` is 7; it takes a whole number from 0 to 2",
    ),
    (
        "scenario = \"aodv\"\n[[flows]]\nfrom = 0\nto = 0",
        "bad.toml:4:6: `flows.to`: a flow leads from n0 to itself",
    ),
    (
        "scenario = \"aodv\"\n[[flows]]\nfrom = 0\nto = 1\nevery = \"1s\"\npoisson = \"1s\"",
        "bad.toml:6:11: `flows.poisson`: it cannot be combined with `flows.every` help: remove one of them",
    ),
    (
        "scenario = \"aodv\"\n[[flows]]\nfrom = 0\nto = 1\non = \"1s\"",
        "bad.toml:2:1: the key `flows.off` is missing",
    ),
    (
        "scenario = \"aodv\"\n[[faults]]\nnodes = [0]",
        "bad.toml:2:1: the key `faults.down` is missing help: say when it fails: `down`, or `to-failure` and `to-repair` in the mean",
    ),
    (
        "scenario = \"aodv\"\n[[faults]]\nlinks = [[0, 2]]\ndown = \"1s\"",
        "bad.toml:3:10: `faults.links`: n0 and n2 are not linked",
    ),
    (
        "scenario = \"manet\"\n[[faults]]\nlinks = \"all\"\ndown = \"1s\"",
        "bad.toml:3:9: `faults.links`: on a field there are no links help: let nodes be down instead",
    ),
    (
        "scenario = \"aodv\"\n[measurements]\nmeasures = [\"delays\"]",
        "bad.toml:3:13: `measurements.measures`: the scenario has no measure `delays` help: did you mean `delay`?",
    ),
    (
        "scenario = \"aodv\"\nduration = \"9s\"\n[measurements]\nwarm-up = \"10s\"",
        "bad.toml:3:1: a run of 9s is over before its warm-up of 10s is",
    ),
    (
        "scenario = \"manet\"\n[radio]\nrange = 100\n[sweep]\nradio.rnage = [100, 200]",
        "bad.toml:5:16: there is no key `radio.rnage` help: did you mean `range`?",
    ),
];

fn bare(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[test]
fn a_file_that_is_not_there_is_no_scenario() {
    refuses(&["simulate", "none.toml"], &["none.toml: cannot be read", "name a file in TOML"]);
}

#[test]
fn what_is_wrong_is_reported_with_its_place_and_what_would_do() {
    let folder = TempDir::new().unwrap();
    for (text, expected) in BAD {
        let path = folder.path().join("bad.toml");
        let _ = fs::remove_file(&path);
        if !text.is_empty() {
            fs::write(&path, text).unwrap();
        }
        let output = run_in(folder.path(), &["simulate", "bad.toml"]);
        assert_refused(&output, &[]);
        let said = complaint(&output);
        assert!(bare(&said).contains(&bare(expected)), "{text}\n{said}\nnot\n{expected}");
    }
}

/// What the schema allows and what is read are the same, as far as a schema can say it.
#[test]
fn what_a_schema_can_refuse_it_refuses() {
    let schema = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/scenario.schema.json"),
    );
    let schema = serde_json::from_str(&schema.unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    // What is not TOML, or depends on the scenario, its nodes or other files.
    let beyond = [
        "there is no scenario",
        "there is no parameter",
        "not a value of parameter",
        "cannot be read",
        "not TOML",
        "cannot be used here",
        "nothing happens in 0 s",
        "its extension does not say",
        "it has no effect with",
        "topology.alpha",
        "talk over links",
        "on a field",
        "field.mobility",
        "field.speeds",
        "but [field] makes it",
        "no command",
        "`flows.to`",
        "not linked",
        "no measure",
        "warm-up of",
        "radio.rnage",
        "sense nothing",
        "sensing.mobility` is missing",
        "time would stand still",
        "a whole number from 0 to 2",
    ];
    for (text, expected) in BAD {
        if beyond.iter().any(|word| expected.contains(word)) {
            continue;
        }
        let value = as_json(text);
        assert!(!schema.is_valid(&value), "the schema allows {text}\nwhich is refused: {expected}");
    }
}

/// A chain with a packet each second; every number can be counted by hand.
const COUNTED: &str = "
scenario = \"aodv\"
duration = \"21s\"
replications = 1
[parameters]
nodes = 4
[[flows]]
from = 0
to = 3
begin = \"1s\"
end = \"20s\"
every = \"1s\"
[[faults]]
nodes = [1]
down = \"10.5s\"
up = \"12.2s\"
";

#[test]
fn flows_and_faults_of_a_file_happen() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("counted.toml"), COUNTED).unwrap();
    let arguments = ["simulate", "counted.toml", "--log", "--replications", "1"];
    let log = out(&run_in(folder.path(), &arguments));
    let count = |words: &str| log.lines().filter(|line| line.contains(words)).count();
    assert_eq!(count("command  Send(n3)"), 19);
    assert_eq!((count("10.500000000 n1   down"), count("12.200000000 n1   reboot")), (1, 1));
    // Nothing happens at node 1 meanwhile.
    let meanwhile = |line: &str| {
        let time: f64 = line.split_whitespace().next().unwrap().parse().unwrap();
        (10.5..12.2).contains(&time) && line.contains(" n1  ") && !line.contains("down")
    };
    let lines = log.lines().take_while(|line| !line.is_empty());
    assert_eq!(lines.filter(|line| meanwhile(line)).count(), 0);
}

#[test]
fn the_command_line_comes_before_the_file() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("counted.toml"), COUNTED).unwrap();
    let given = ["--seed", "5", "--replications", "3", "--duration", "30s", "--set", "nodes=5"];
    let arguments = [&["simulate", "counted.toml", "--json"], &given[..]].concat();
    let said = json(&run_in(folder.path(), &arguments));
    assert_eq!(said["seed"], 5);
    assert_eq!(said["runs"], 3);
    assert_eq!(said["simulated_seconds_per_run"], 30.0);
    assert_eq!(said["parameters"]["nodes"], "5");
}

#[test]
fn files_of_other_tools_are_found_beside_the_file() {
    let folder = TempDir::new().unwrap();
    let below = folder.path().join("below");
    fs::create_dir(&below).unwrap();
    let write = |name: &str, text: &str| fs::write(below.join(name), text).unwrap();
    write(
        "moves.tcl",
        "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n$node_(1) set X_ 100\n$node_(1) set Y_ 0\n$node_(2) set X_ 300\n$node_(2) set Y_ 0\n",
    );
    write("flows.csv", "src,dst,start_s,interval_s,bytes\n0,2,1,0.5,100\n");
    write(
        "manet.toml",
        "scenario = \"manet\"\nduration = \"10s\"\nreplications = 1\n[field]\ntrace = \"moves.tcl\"\n[traffic]\nfile = \"flows.csv\"\n",
    );
    let output = run_in(folder.path(), &["simulate", "below/manet.toml", "--json"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let said = json(&output);
    assert_eq!(said["parameters"]["nodes"], "3");
    assert_eq!(said["parameters"]["payload"], "100");
    let sent = said["counters"].as_array().unwrap().iter().find(|it| it["name"] == "data sent");
    assert_eq!(sent.unwrap()["mean"], 19.0);
}

/// Directed diffusion with what a file says besides: its measures.
fn sensed(more: &str) -> serde_json::Value {
    let folder = TempDir::new().unwrap();
    let text =
        format!("scenario = \"diffusion-field\"\nduration = \"40s\"\nreplications = 2\n{more}");
    assert_fits("scenario.schema.json", &as_json(&text));
    fs::write(folder.path().join("file.toml"), text).unwrap();
    let output = run_in(folder.path(), &["simulate", "file.toml", "--json"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    json(&output)["measures"].clone()
}

#[test]
fn what_is_sensed_can_be_said_by_parameters_or_by_a_table() {
    let parameters =
        "[parameters]\ntargets = 2\nspeed = 6\nsensing-range = 35\ninterval = \"400ms\"\n";
    let table = "[sensing]\ntargets = 2\nmobility = \"waypoint\"\narea = [120, 120]\nspeeds = [3, 6]\nrange = 35\nevery = \"400ms\"\n";
    let said = sensed(table);
    assert_eq!(said, sensed(parameters));
    assert!(said[0]["mean"].as_f64().unwrap() > 50.0, "{said}");
    // Each key has an effect, and what is left out is as the scenario has it.
    for other in [
        table.replace("targets = 2", "targets = 1"),
        table.replace("[120, 120]", "[60, 60]"),
        table.replace("[3, 6]", "[1, 2]"),
        table.replace("range = 35", "range = 60"),
        table.replace("every", "poisson"),
        table.replace("range = 35", "range = 35\nbegin = \"9s\""),
    ] {
        assert_ne!(sensed(&other), said, "{other}");
    }
    assert_eq!(sensed("[sensing]\nbegin = \"5s\"\n"), sensed(""));
}

/// A target that stands still is sensed as often as there is time for, by the nodes within range.
#[test]
fn targets_can_stand_where_a_file_says() {
    let at = |place: &str| {
        let measures = sensed(&format!(
            "[parameters]\nflooding = true\n[sensing]\npositions = [{place}]\nrange = 10\nbegin = \"10s\"\nevery = \"1s\"\n"
        ));
        measures[0]["mean"].as_f64().unwrap()
    };
    // From 10 s to 39 s there are 30 stimuli, which flooding brings to the sink on an ideal radio.
    assert_eq!(at("[30, 30]"), 30.0);
    assert_eq!(at("[45, 45]"), 0.0, "the nodes around are 21 metres away");
    assert_eq!(at("[30, 30], [60, 30]"), 60.0);
}

#[test]
fn a_small_manet_can_have_flows_of_its_own() {
    let folder = TempDir::new().unwrap();
    let text = "scenario = \"manet\"\nduration = \"9s\"\nreplications = 1\n[parameters]\nnodes = 10\n[[flows]]\nfrom = 0\nto = 1\nbegin = \"5s\"\nevery = \"1s\"\n";
    fs::write(folder.path().join("file.toml"), text).unwrap();
    let output = run_in(folder.path(), &["simulate", "file.toml", "--json"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let counters = json(&output)["counters"].clone();
    let sent = counters.as_array().unwrap().iter().find(|it| it["name"] == "data sent").unwrap();
    assert!((3.0..=5.0).contains(&sent["mean"].as_f64().unwrap()), "{sent}");
    refuses(&["simulate", "manet", "--set", "nodes=10", "--set", "flows=11"], &["only 10 nodes"]);
}

/// Nodes that stand where a trace says, and send what a list says.
const TRACED: &str = "scenario = \"manet\"
duration = \"10s\"
replications = 2
[field]
trace = \"moves.tcl\"
[radio]
range = 250
[traffic]
file = \"flows.csv\"
";

/// A folder with that file.
fn traced() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let place =
        |node: usize| format!("$node_({node}) set X_ {}\n$node_({node}) set Y_ 0\n", 100 * node);
    write("moves.tcl", &(0..4).map(place).collect::<String>());
    write("flows.csv", "src,dst,start_s,interval_s,bytes\n0,3,1,0.5,100\n1,2,1,0.5,100\n");
    write("traced.toml", TRACED);
    folder
}

#[test]
fn a_parameter_that_a_file_replaces_is_refused_wherever_it_is_given() {
    let folder = traced();
    let refused = |arguments: &[&str], words: &[&str]| {
        assert_refused(&run_in(folder.path(), arguments), words);
    };
    for (set, by) in [
        ("range=100", "[field] and [radio] replace everything that it sets"),
        ("degree=4", "[field] replaces everything that it sets"),
        ("mobility=static", "[field] replaces everything that it sets"),
        ("slowest=2", "[field] replaces everything that it sets"),
        ("flows=1", "[traffic] replaces everything that it sets"),
        ("interval=1s", "[traffic] replaces everything that it sets"),
        // Even if it is what it would be anyway.
        ("flows=4", "[traffic] replaces everything that it sets"),
    ] {
        let name = set.split_once('=').unwrap().0;
        let told = format!("traced.toml: parameter `{name}` has no effect: {by}");
        refused(&["simulate", "traced.toml", "--set", set], &[&told, "remove the parameter"]);
        refused(&["simulate", "traced.toml", "--versus", set], &[&told]);
    }
    let instead = "change `radio.range` of the file instead";
    refused(&["simulate", "traced.toml", "--set", "range=100"], &[instead]);
    for (more, told) in [
        ("[parameters]\nflows = 3\n", "bad.toml:11:9: parameter `flows` has no effect: [traffic]"),
        ("[sweep]\nrange = [100, 250]\n", "bad.toml:11:10: parameter `range` has no effect"),
        (
            "[sweep]\nmobility = [\"walk\"]\n",
            "bad.toml:11:13: parameter `mobility` has no effect: [field] replaces",
        ),
    ] {
        fs::write(folder.path().join("bad.toml"), TRACED.to_owned() + more).unwrap();
        refused(&["simulate", "bad.toml"], &[told]);
    }
    // What no table replaces has its effect.
    let output = run_in(folder.path(), &["simulate", "traced.toml", "--set", "rules=ns3"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
}

#[test]
fn a_parameter_that_a_table_gives_cannot_be_given_otherwise() {
    let folder = traced();
    let arguments = |set| ["simulate", "traced.toml", "--set", set];
    for (set, told) in [
        ("nodes=5", "parameter `nodes` is given as `5`, but [field] makes it `4`"),
        ("payload=64", "parameter `payload` is given as `64`, but [traffic] makes it `100`"),
    ] {
        assert_refused(&run_in(folder.path(), &arguments(set)), &[told]);
    }
    assert_eq!(code(&run_in(folder.path(), &arguments("nodes=4"))), 0);
    let text = "scenario = \"aodv\"\n[topology]\ngenerator = \"barabasi-albert\"\nnodes = 6\nlinks = 2\n[parameters]\ntopology = \"ring\"\n";
    fs::write(folder.path().join("ring.toml"), text).unwrap();
    let told = ["ring.toml:7:12: parameter `topology` is given as `ring`, but [topology] makes it"];
    assert_refused(&run_in(folder.path(), &["simulate", "ring.toml"]), &told);
    let told = ["--profile has no effect with a scenario file"];
    let arguments = ["simulate", "traced.toml", "--profile", "thesis"];
    assert_refused(&run_in(folder.path(), &arguments), &told);
}

/// What JSON says of the file that says all.
fn assert_used(used: &serde_json::Value) {
    for (key, value) in [
        ("nodes", 4.into()),
        ("links", serde_json::Value::Null),
        ("mobility", "trace".into()),
        ("radio", "ideal".into()),
        ("range_m", 250.0.into()),
        ("flows", 2.into()),
    ] {
        assert_eq!(used[key], value, "{key}");
    }
    for (key, name) in
        [("file", "traced.toml"), ("mobility_file", "moves.tcl"), ("flow_file", "flows.csv")]
    {
        assert_eq!(used[key]["file"], name);
        assert_eq!(used[key]["digest"].as_str().unwrap().len(), 16, "{key}");
    }
    assert_eq!(used["replaced"]["range"], serde_json::json!(["field", "radio"]));
    assert_eq!(used["replaced"]["interval"], serde_json::json!(["traffic"]));
}

#[test]
fn every_report_names_what_was_used_and_nothing_that_was_not() {
    let folder = traced();
    let arguments = ["--event-log", "run.jsonl", "--report", "page.html"];
    let arguments = [&["simulate", "traced.toml", "--no-time"], &arguments[..]].concat();
    let said = out(&run_in(folder.path(), &arguments));
    for line in [
        "file      traced.toml (digest ",
        "mobility  trace moves.tcl (digest ",
        "radio     ideal, heard 250 m far\n",
        "traffic   2 flows of flows.csv (digest ",
        "replaced  flows, interval by [traffic]; range by [field] and [radio]; degree, slowest, fastest, pause, mobility by [field]\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let is_used = |parameters: &serde_json::Value| {
        assert_eq!(parameters["nodes"], "4");
        assert_eq!(parameters["payload"], "100");
        for name in ["flows", "interval", "range", "degree", "mobility", "fastest"] {
            assert!(parameters.get(name).is_none(), "{name} in {parameters}");
        }
    };
    let told = json(&run_in(folder.path(), &[&arguments[..], &["--json"]].concat()));
    assert_fits("simulate.schema.json", &told);
    is_used(&told["parameters"]);
    assert_used(&told["used"]);
    let log = fs::read_to_string(folder.path().join("run.jsonl")).unwrap();
    let header: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_fits("event-log.schema.json", &header);
    is_used(&header["parameters"]);
    assert_eq!(header["file"]["path"], "traced.toml");
    assert_eq!(header["files"][0]["path"], "moves.tcl");
    assert_eq!(header["files"][1]["path"], "flows.csv");
    assert_eq!(header["flows"], 2);
    assert_eq!((&header["mobility"], &header["radio"]), (&"trace".into(), &"ideal".into()));
    assert_eq!(header["replaced"]["flows"], serde_json::json!(["traffic"]));
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("trace moves.tcl (digest "), "{page}");
    assert!(page.contains("2 flows of flows.csv (digest "));
    assert!(page.contains("<dt>payload</dt><dd>100</dd>"), "{page}");
    assert!(!page.contains("<dt>degree</dt>") && !page.contains("<dt>interval</dt>"), "{page}");
    let kept = ["simulate", "traced.toml", "--out", "results", "--json"];
    let told = json(&run_in(folder.path(), &kept));
    assert_fits("simulate.schema.json", &told);
    assert_used(&told["points"][0]["used"]);
    let manifest = fs::read_to_string(folder.path().join("results/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    is_used(&manifest["points"][0]["parameters"]);
    assert_used(&manifest["points"][0]["used"]);
}
