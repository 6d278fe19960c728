//! AODV beside ns-3's: the same movements and flows, the idealised radio, what arrives and what it costs.
//!
//! `cargo bench -p everypath-protocols --bench ns3` prints the table of the documentation; with
//! `--csv NAME`, one line for one scenario; with `--csv NAME 80211b`, over 802.11b.

#[path = "../tests/reference/mod.rs"]
mod reference;

use std::{env, time::Instant};

use everypath_model::{DcfRadio, IdealRadio, Radio, Readings, Scenario};
use everypath_protocols::aodv::{Aodv, Preset};
use everypath_sim::{Estimate, Limits, Run, Simulation};
use reference::{Reference, references};

/// How many runs of ours are averaged for each of ns-3's.
const RUNS: u32 = 10;

/// A run, and how many seconds it took.
fn run(scenario: &Scenario<Aodv>, replication: u32) -> (Run, f64) {
    let started = Instant::now();
    let simulation = Simulation::new(scenario, 1, replication).expect("it can be run");
    let run = simulation.run(&Limits::default()).expect("no handler panics");
    (run, started.elapsed().as_secs_f64())
}

/// What five scenarios of one size come to.
#[derive(Default)]
struct Size {
    ratios: Vec<f64>,
    differences: Vec<f64>,
    medians: (f64, f64),
    requests: (f64, f64),
    seconds: (f64, f64),
}

impl Size {
    fn add(&mut self, reference: &Reference, preset: Preset) {
        let scenario = reference.scenario(preset);
        let runs: Vec<(Run, f64)> =
            (0..RUNS).map(|replication| run(&scenario, replication)).collect();
        let mean = |of: &dyn Fn(&Run) -> f64| {
            runs.iter().map(|(run, _)| of(run)).sum::<f64>() / f64::from(RUNS)
        };
        let ratio = mean(&|run| run.measure("delivery ratio").expect("it is measured"));
        self.ratios.push(ratio);
        self.differences.push(ratio - reference.delivery_ratio);
        self.medians.0 += mean(&|run| run.quantile("delay", 0.5) * 1e3) / 5.0;
        self.medians.1 += reference.median_delay * 1e3 / 5.0;
        self.requests.0 += mean(&|run| run.count("RREQ transmissions") as f64) / 5.0;
        self.requests.1 += reference.requests / 5.0;
        let best = runs.iter().map(|(_, seconds)| *seconds).fold(f64::INFINITY, f64::min);
        self.seconds.0 += best / 5.0;
        self.seconds.1 += reference.cpu / 5.0;
    }
}

fn table() {
    println!(
        "| nodes, flows | rules | delivery ratio | ns-3 | difference, 95 % | median delay, ms | ns-3 | RREQ | ns-3 | seconds | ns-3 | times |"
    );
    println!("|-|-|-|-|-|-|-|-|-|-|-|-|");
    let all = references();
    let mut pooled = Vec::new();
    for nodes in [25, 50, 100] {
        for (rules, preset) in [("ns3", Preset::Ns3), ("rfc3561", Preset::Rfc3561)] {
            let mut size = Size::default();
            let of_size = all.iter().filter(|reference| reference.nodes == nodes);
            let flows = of_size.clone().next().map_or(0, |reference| reference.flows);
            of_size.for_each(|reference| size.add(reference, preset));
            let ratio = Estimate::of("ratio", "", &size.ratios).mean;
            let difference = Estimate::of("difference", "", &size.differences);
            println!(
                "| {nodes}, {flows} | `{rules}` | {ratio:.3} | {:.3} | {:+.4} ± {:.4} | {:.3} | {:.3} | {:.0} | {:.0} | {:.3} | {:.1} | {:.0} |",
                ratio - difference.mean,
                difference.mean,
                difference.half_width,
                size.medians.0,
                size.medians.1,
                size.requests.0,
                size.requests.1,
                size.seconds.0,
                size.seconds.1,
                size.seconds.1 / size.seconds.0,
            );
            if preset == Preset::Ns3 {
                pooled.extend(size.differences);
            }
        }
    }
    let pooled = Estimate::of("difference", "", &pooled);
    println!(
        "\nAll {} scenarios, `ns3`: {:+.4} ± {:.4}",
        pooled.runs, pooled.mean, pooled.half_width
    );
}

/// One scenario in one line: what was sent and received, delays in milliseconds, control packets by
/// type, transmissions of data, events, seconds.
fn csv(name: &str, radio: Radio) {
    let all = references();
    let Some(reference) = all.iter().find(|reference| reference.name() == name) else {
        let names: Vec<String> = all.iter().map(Reference::name).collect();
        eprintln!("there is no scenario {name}; there are {}", names.join(", "));
        std::process::exit(2);
    };
    let (run, seconds) = run(&reference.scenario_by(radio, Preset::Ns3), 0);
    let count = |name| run.count(name);
    println!(
        "sent,received,delivery_ratio,delay_ms,median_ms,p95_ms,rreq,rrep,rerr,hello,data_transmissions,events,cpu_s"
    );
    println!(
        "{},{},{:.4},{:.3},{:.3},{:.3},{},{},{},{},{},{},{seconds:.3}",
        count("data sent"),
        count("data delivered"),
        count("data delivered") as f64 / count("data sent") as f64,
        run.mean("delay") * 1e3,
        run.quantile("delay", 0.5) * 1e3,
        run.quantile("delay", 0.95) * 1e3,
        count("RREQ transmissions"),
        count("RREP transmissions"),
        count("RERR transmissions"),
        count("HELLO transmissions"),
        count("data transmissions"),
        run.events,
    );
}

fn main() {
    // Cargo itself adds `--bench`.
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let ideal = Radio::Ideal(IdealRadio::default());
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => table(),
        // How `cargo bench -- --test` asks whether it runs at all.
        ["--test"] => csv("n25_f10_p0_s1", ideal),
        ["--csv", name] | ["--csv", name, "ideal"] => csv(name, ideal),
        ["--csv", name, "80211b"] => csv(name, Radio::Dcf(DcfRadio::default())),
        _ => {
            eprintln!("usage: [--csv NAME [ideal|80211b]]");
            std::process::exit(2);
        }
    }
}
