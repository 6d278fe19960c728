use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

use everypath_model::{Field, IdealRadio, Leg, Mobility, NodeId, Path, Position, Radio};
use everypath_protocols::aodv::{Flow, Preset, on_field};
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
                source: NodeId(f[0].parse().unwrap()),
                destination: NodeId(f[1].parse().unwrap()),
                begin: Duration::from_secs_f64(f[2].parse().unwrap()),
                interval: Duration::from_secs_f64(f[3].parse().unwrap()),
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
    let (mut sums, mut count) = ([(0.0, 0.0); 6], 0);
    println!("scenario            pdr ns3 diff | rreq ns3 | rrep | rerr | hello | hops | events s");
    for line in text.lines().skip(1).filter(|l| l.starts_with("ideal")) {
        let f: Vec<&str> = line.split(',').collect();
        let name = format!("n{}_f{}_p0_s{}", f[1], f[2], f[3]);
        if !name.starts_with(&only) {
            continue;
        }
        let reps = 10;
        let mut tot: BTreeMap<&str, f64> = BTreeMap::new();
        let mut secs = 0.0;
        for seed in 0..reps {
            let (run, seconds) = run(&name, preset, seed);
            secs += seconds;
            for (n, v) in &run.counters {
                *tot.entry(n).or_default() += *v as f64 / reps as f64;
            }
        }
        let c = |n: &str| tot.get(n).copied().unwrap_or(0.0);
        let pdr = c("data delivered") / c("data sent");
        let r = |i: usize| f[i].parse::<f64>().unwrap();
        for (k, (m, x)) in [
            (pdr, r(6)),
            (c("RREQ transmissions"), r(10)),
            (c("RREP transmissions"), r(11)),
            (c("RERR transmissions"), r(12)),
            (c("HELLO transmissions"), r(13)),
            (c("data transmissions"), r(14)),
        ]
        .into_iter()
        .enumerate()
        {
            sums[k].0 += m;
            sums[k].1 += x;
        }
        println!(
            "{name:16} {:.4} {:.4} {:+.4} | {:.0} {} {:+.1}% | {:.0} {} | {:.0} {} | {:.0} {} | {:.0} {} {secs:.3}",
            pdr,
            r(6),
            pdr - r(6),
            c("RREQ transmissions"),
            f[10],
            (c("RREQ transmissions") / r(10) - 1.0) * 100.0,
            c("RREP transmissions"),
            f[11],
            c("RERR transmissions"),
            f[12],
            c("HELLO transmissions"),
            f[13],
            c("data transmissions"),
            f[14]
        );
        count += 1;
        if count % 5 == 0 {
            println!(
                "   mean: pdr {:+.4} rreq {:+.1}% rrep {:+.1}% rerr {:+.1}% hello {:+.1}% hops {:+.1}%",
                (sums[0].0 - sums[0].1) / 5.0,
                (sums[1].0 / sums[1].1 - 1.0) * 100.0,
                (sums[2].0 / sums[2].1 - 1.0) * 100.0,
                (sums[3].0 / sums[3].1 - 1.0) * 100.0,
                (sums[4].0 / sums[4].1 - 1.0) * 100.0,
                (sums[5].0 / sums[5].1 - 1.0) * 100.0
            );
            sums = [(0.0, 0.0); 6];
        }
    }
}
