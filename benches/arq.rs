//! How fast ARQ is explored and simulated, in events per second.
//!
//! `cargo bench --bench arq`; the last column of criterion's `thrpt` is what to read.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use everypath::{
    Parameters, Profile, Scenario,
    explore::{Exploration, Options, Stop, explore},
    network::{NetworkSpace, SpaceOptions},
    protocols::arq::{Arq, arq, arq_erroneous},
    sim::{Limits, Run, Simulation},
};

type Build = fn(&mut Parameters) -> Scenario<Arq>;

fn run(scenario: &Scenario<Arq>, profile: Profile, depth: u32) -> Exploration {
    let options = SpaceOptions { profile, ..SpaceOptions::default() };
    let mut space = NetworkSpace::new(scenario, options.clone()).expect("ARQ can be explored");
    let options = Options {
        max_depth: Some(depth),
        stop: Stop::Never,
        semantics: options.semantics(),
        ..Options::default()
    };
    explore(&mut space, &options, &mut ()).expect("the options go together")
}

fn simulate(scenario: &Scenario<Arq>) -> Run {
    let simulation = Simulation::new(scenario, 1, 0).expect("ARQ can be simulated");
    simulation.run(&Limits::default()).expect("ARQ does not panic")
}

fn exploration(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("explore");
    group.sample_size(10);
    let rows: [(&str, Build, Profile, u32); 4] = [
        ("arq, thesis, depth 45", arq, Profile::Thesis, 45),
        ("arq-erroneous, thesis, depth 35", arq_erroneous, Profile::Thesis, 35),
        ("arq, depth 60", arq, Profile::Standard, 60),
        ("arq-erroneous, depth 35", arq_erroneous, Profile::Standard, 35),
    ];
    for (name, build, profile, depth) in rows {
        let scenario = build(&mut Parameters::new().under(profile));
        let found = run(&scenario, profile, depth);
        println!(
            "{name}: {} events, {} states, {} handler executions, {:.1} bytes per state",
            found.counts.events,
            found.states_visited,
            found.handler_executions,
            found.bytes_per_state()
        );
        group.throughput(Throughput::Elements(found.counts.events));
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(run(&scenario, profile, depth).counts.events));
        });
    }
    group.finish();
}

fn simulation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("simulate");
    for loss in ["0", "0.1"] {
        let scenario = arq(&mut Parameters::with([("loss-rate", loss)]));
        group.throughput(Throughput::Elements(simulate(&scenario).events));
        group.bench_function(format!("arq, loss {loss}, 60 s"), |bencher| {
            bencher.iter_batched(|| (), |()| black_box(simulate(&scenario)), BatchSize::LargeInput);
        });
    }
    group.finish();
}

criterion_group!(benches, exploration, simulation);
criterion_main!(benches);
