use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

use everypath_model::{Field, Flow, IdealRadio, Leg, Mobility, NodeId, Path, Position, Radio};
use everypath_protocols::aodv::{Preset, on_field};
use everypath_sim::{Limits, Run, Simulation};

fn paths(text: &str) -> Vec<Path> {
    let mut paths: BTreeMap<usize, Path> = BTreeMap::new();
    for line in text.lines() {
        let node: usize =
            line.split("$node_(").nth(1).unwrap().split(')').next().unwrap().parse().unwrap();
        let path = paths.entry(node).or_default();
        if line.starts_with("$node_") {
            let value: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
            if line.contains("X_") {
                path.start.x = value
            } else if line.contains("Y_") {
                path.start.y = value
            }
        } else {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at: f64 = words[2].parse().unwrap();
            let x = words[5].parse().unwrap();
            let y = words[6].parse().unwrap();
            let speed = words[7].trim_end_matches('"').parse().unwrap();
            path.legs.push(Leg {
                begin: Duration::from_secs_f64(at),
                to: Position::on_ground(x, y),
                speed,
            });
        }
    }
    paths.into_values().collect()
}

fn flows(text: &str) -> Vec<Flow> {
    text.lines()
        .skip(1)
        .map(|line| {
            let f: Vec<&str> = line.split(',').collect();
            Flow {
                from: NodeId(f[0].parse().unwrap()),
                to: NodeId(f[1].parse().unwrap()),
                begin: Duration::from_secs_f64(f[2].parse().unwrap()),
                rhythm: Duration::from_secs_f64(f[3].parse().unwrap()).into(),
                end: None,
            }
        })
        .collect()
}

fn run(name: &str, preset: Preset, seed: u64) -> (Run, f64) {
    let base = format!("{}/data/ns3/{name}", env!("CARGO_MANIFEST_DIR"));
    let paths = paths(&fs::read_to_string(format!("{base}.tcl")).unwrap());
    let flows = flows(&fs::read_to_string(format!("{base}.flows.csv")).unwrap());
    let nodes = paths.len();
    let field = Field::new(Mobility::Paths(paths), Radio::Ideal(IdealRadio::default()));
    let scenario = on_field(preset, nodes, field, &flows).duration(Duration::from_secs(200));
    let t = Instant::now();
    let run = Simulation::new(&scenario, seed, 0).unwrap().run(&Limits::default()).unwrap();
    (run, t.elapsed().as_secs_f64())
}

fn main() {
    let text = fs::read_to_string(format!("{}/data/ns3/reference.csv", env!("CARGO_MANIFEST_DIR")))
        .unwrap();
    let args: Vec<String> = std::env::args().collect();
    let only = args.get(1).cloned().unwrap_or_default();
    let preset =
        if args.get(2).is_some_and(|a| a == "rfc") { Preset::Rfc3561 } else { Preset::Ns3 };
    println!("scenario            pdr ns3 diff | rreq ns3 | rrep | rerr | hello | hops | events s");
    for line in text.lines().skip(1).filter(|l| l.starts_with("ideal")) {
        let f: Vec<&str> = line.split(',').collect();
        let name = format!("n{}_f{}_p0_s{}", f[1], f[2], f[3]);
        if !name.starts_with(&only) {
            continue;
        }
        let (run, seconds) = run(&name, preset, 1);
        let c = |n: &str| run.counters.iter().find(|(m, _)| *m == n).map_or(0, |(_, v)| *v);
        let pdr = c("data delivered") as f64 / c("data sent") as f64;
        let reference: f64 = f[6].parse().unwrap();
        println!(
            "{name:16} {:.4} {:.4} {:+.4} | {} {} {:+.1}% | {} {} | {} {} | {} {} | {} {} | delay {:.2} {} | sent {} {}| {} {seconds:.3}",
            pdr,
            reference,
            pdr - reference,
            c("RREQ transmissions"),
            f[10],
            (c("RREQ transmissions") as f64 / f[10].parse::<f64>().unwrap() - 1.0) * 100.0,
            c("RREP transmissions"),
            f[11],
            c("RERR transmissions"),
            f[12],
            c("HELLO transmissions"),
            f[13],
            c("data transmissions"),
            f[14],
            run.measure("delay").unwrap() * 1e3,
            f[7],
            c("data sent"),
            f[4],
            run.events
        );
    }
}
