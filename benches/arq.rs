//! How fast ARQ is explored and simulated, in events per second.
//!
//! `cargo bench --bench arq`; the last column of criterion's `thrpt` is what to read.

use std::hint::black_box;

use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
    measurement::WallTime,
};
use everypath::{
    Parameters, Profile, Scenario,
    explore::{Exploration, Options, RankBy, RankingPart, Stop, StoreKind, Strategy, explore},
    network::{NetworkSpace, SpaceOptions},
    protocols::arq::{Arq, arq, arq_erroneous},
    sim::{Limits, Run, Simulation},
};

type Build = fn(&mut Parameters) -> Scenario<Arq>;
type Settings = &'static [(&'static str, &'static str)];

fn run(scenario: &Scenario<Arq>, profile: Profile, options: Options) -> Exploration {
    let space_options = SpaceOptions::default().profile(profile);
    let options = options.semantics(space_options.semantics()).stop(Stop::Never);
    let mut space = NetworkSpace::new(scenario, space_options).expect("ARQ can be explored");
    explore(&mut space, &options, &mut ()).expect("the options go together")
}

fn simulate(scenario: &Scenario<Arq>) -> Run {
    let simulation = Simulation::new(scenario, 1, 0).expect("ARQ can be simulated");
    simulation.run(&Limits::default()).expect("ARQ does not panic")
}

/// What the published version explores, as the other checkers of `benches/peers` do.
const ONE_LIST: [(&str, &str); 2] = [("network", "list"), ("numbered", "false")];

fn exploration(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("explore");
    group.sample_size(10);
    let rows: [(&str, Build, Settings, Profile, u32); 5] = [
        ("arq, one list, depth 45", arq, &ONE_LIST, Profile::Standard, 45),
        ("arq, thesis, depth 45", arq, &[], Profile::Thesis, 45),
        ("arq-erroneous, thesis, depth 35", arq_erroneous, &[], Profile::Thesis, 35),
        ("arq, depth 60", arq, &[], Profile::Standard, 60),
        ("arq-erroneous, depth 35", arq_erroneous, &[], Profile::Standard, 35),
    ];
    for (name, build, settings, profile, depth) in rows {
        let parameters = Parameters::with(settings.iter().copied());
        let scenario = build(&mut parameters.under(profile));
        let options = Options::default().max_depth(depth);
        bench(&mut group, name, || run(&scenario, profile, options.clone()));
    }
    group.finish();
}

/// The same states, found in other orders and kept in other stores.
fn strategies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("strategies");
    group.sample_size(10);
    let scenario = arq(&mut Parameters::with(ONE_LIST));
    let plain = Options::default().max_depth(40);
    let novelty = RankBy(vec![RankingPart::Novelty]);
    let by = |strategy| plain.clone().strategy(strategy);
    let rows = [
        ("breadth-first", plain.clone()),
        ("breadth-first, shuffled", plain.clone().shuffle(1)),
        ("breadth-first, fingerprints", plain.clone().store(StoreKind::Fingerprint)),
        ("depth-first", by(Strategy::DepthFirst)),
        ("depth-first, recursive order", by(Strategy::DepthFirstRecursive)),
        ("best-first by novelty", by(Strategy::BestFirst(novelty.clone()))),
        ("biased by novelty", by(Strategy::BiasedRandom(novelty.clone()))),
    ];
    for (name, options) in rows {
        bench(&mut group, name, || run(&scenario, Profile::Standard, options.clone()));
    }
    group.finish();
}

fn bench(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut explore: impl FnMut() -> Exploration,
) {
    let found = explore();
    println!(
        "{name}: {} events, {} states, {} handler executions, {:.1} bytes per state",
        found.counts.events,
        found.states_visited,
        found.handler_executions,
        found.bytes_per_state()
    );
    group.throughput(Throughput::Elements(found.counts.events));
    group.bench_function(name, |bencher| bencher.iter(|| black_box(explore().counts.events)));
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

criterion_group!(benches, exploration, strategies, simulation);
criterion_main!(benches);
