//! Fifteen scenarios, and what ns-3.37 came to on them: five each of 25, 50 and 100 nodes that move by
//! random waypoint at 1 to 20 m/s for 200 s, 10, 20 and 30 flows of 512 bytes every 0.25 s, the
//! idealised radio with a range of 250 m.

use std::{fmt::Display, path::PathBuf, str::FromStr, time::Duration};

use everypath_formats::{Limits, flows, ns2, read_file};
use everypath_model::{Field, Flow, IdealRadio, Mobility, Radio, Rhythm, Scenario};
use everypath_protocols::aodv::{Aodv, Preset, on_field};

/// How long a run lasts.
const DURATION: Duration = Duration::from_secs(200);

/// A scenario, and what ns-3 measured on it.
pub struct Reference {
    pub nodes: usize,
    pub flows: usize,
    /// Which of the five.
    pub number: u32,
    pub delivery_ratio: f64,
    /// In seconds.
    pub median_delay: f64,
    pub requests: f64,
    /// What it took on one core of a virtual AMD EPYC, in seconds: for the benchmark alone.
    #[allow(dead_code)]
    pub cpu: f64,
}

fn data(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "data", "ns3", name].iter().collect()
}

/// What ns-3 came to, in the order of sizes.
pub fn references() -> Vec<Reference> {
    let text = std::fs::read_to_string(data("reference.csv")).expect("the reference is there");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("it has a header").split(',').collect();
    let of = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let field = |name: &str| {
            let place =
                names.iter().position(|other| *other == name).expect("there is such a column");
            fields[place]
        };
        fn number<T: FromStr<Err: Display>>(text: &str) -> T {
            text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
        }
        (field("radio") == "ideal").then(|| Reference {
            nodes: number(field("n")),
            flows: number(field("flows")),
            number: number(field("run")),
            delivery_ratio: number(field("pdr")),
            median_delay: number::<f64>(field("p50_ms")) / 1e3,
            requests: number(field("rreq")),
            cpu: number(field("cpu")),
        })
    };
    lines.filter_map(of).collect()
}

impl Reference {
    /// What its files are called.
    pub fn name(&self) -> String {
        format!("n{}_f{}_p0_s{}", self.nodes, self.flows, self.number)
    }

    /// The same with our router, by the idealised radio.
    pub fn scenario(&self, preset: Preset) -> Scenario<Aodv> {
        self.scenario_by(Radio::Ideal(IdealRadio::default()), preset)
    }

    /// The same with our router, by any radio.
    pub fn scenario_by(&self, radio: Radio, preset: Preset) -> Scenario<Aodv> {
        let limits = Limits::default();
        let name = self.name();
        let movements = data(&format!("{name}.tcl"));
        let paths = read_file(movements, |file| ns2::read_movements(file, &limits));
        let mobility = Mobility::Paths(paths.expect("the trace is one"));
        let list = data(&format!("{name}.flows.csv"));
        let flows = read_file(list, |file| flows::read_flows(file, self.nodes, &limits));
        let flows: Vec<Flow> = flows
            .expect("the flow list is one")
            .into_iter()
            .map(|flow| {
                Flow::new(flow.from, flow.to, flow.begin).rhythm(Rhythm::Every(flow.interval))
            })
            .collect();
        on_field(preset, self.nodes, Field::new(mobility, radio), &flows)
            .simulation(|run| run.duration(DURATION))
    }
}
