//! Simulations of up to 5,000 nodes on a field that say hello each second.

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use everypath_model::{
    Area, DcfRadio, Field, IdealRadio, Mobility, Never, Node, NodeId, Protocol, Radio, Scenario,
    SharedRadio, Start, Topology,
};
use everypath_sim::{Limits, Simulation};

/// Says hello each second, and counts the hellos that it hears.
struct Hello;

const INTERVAL: Duration = Duration::from_secs(1);

impl Protocol for Hello {
    type State = u32;
    type Message = ();
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        let first = Duration::from_micros(u64::from(node.choose(1_000_000)));
        node.set_timer((), first);
        0
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, (): &()) {
        node.broadcast(());
        node.set_timer((), INTERVAL);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, (): &()) {
        *node.state += 1;
    }
}

/// Nodes that stay where they are, with ten neighbours each, or that move.
fn scenario(nodes: usize, radio: Radio, moves: bool) -> Scenario<Hello> {
    let side = (nodes as f64 * std::f64::consts::PI * 250.0 * 250.0 / 10.0).sqrt();
    let area = Area { width: side, height: side };
    let mobility = match moves {
        false => Mobility::Uniform(area),
        true => Mobility::Waypoint { area, speeds: (1.0, 20.0), pause: Duration::ZERO },
    };
    Scenario::new(Hello, Topology::unlinked(nodes))
        .simulation(|run| run.field(Field::new(mobility, radio)))
}

fn hello(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hello");
    group.sample_size(10);
    let radios = [
        ("ideal", Radio::Ideal(IdealRadio::default())),
        ("shared", Radio::Shared(SharedRadio::default())),
        ("dcf", Radio::Dcf(DcfRadio::default())),
    ];
    for (name, radio) in radios {
        for moves in [false, true] {
            let scenario =
                scenario(5000, radio, moves).simulation(|run| run.duration(Duration::from_secs(5)));
            let run = || Simulation::new(&scenario, 1, 0)?.run(&Limits::default());
            let events = run().expect("no handler panics").events;
            group.throughput(Throughput::Elements(events));
            let how = if moves { "moving" } else { "standing" };
            group.bench_function(format!("{name}, {how}"), |bencher| {
                bencher.iter(|| black_box(run()));
            });
        }
    }
    let scenario = scenario(5000, radios[0].1, false);
    group.throughput(Throughput::Elements(5000));
    group.bench_function("start", |bencher| {
        bencher.iter(|| black_box(Simulation::new(&scenario, 1, 0).map(|run| run.now())));
    });
}

criterion_group!(benches, hello);
criterion_main!(benches);
