//! Events per second of a simulation, and time per operation of the event queue.

#[path = "../tests/stop_and_wait/mod.rs"]
mod stop_and_wait;

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use everypath_sim::{EventQueue, Limits, Priority, Simulation, Stream};
use stop_and_wait::StopAndWait;

extern crate everypath_model as everypath;

fn simulate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stop_and_wait");
    for loss in [0.0, 0.1] {
        let scenario = StopAndWait::<false>::scenario(loss)
            .simulation(|run| run.duration(Duration::from_secs(1000)));
        let run = || Simulation::new(&scenario, 1, 0)?.run(&Limits::default());
        let events = run().expect("no handler panics").events;
        group.throughput(Throughput::Elements(events));
        group.bench_function(format!("loss {loss}"), |bencher| bencher.iter(|| black_box(run())));
    }
}

fn hold(criterion: &mut Criterion) {
    const HOLDS: u32 = 10_000;
    let mut group = criterion.benchmark_group("hold");
    group.throughput(Throughput::Elements(u64::from(HOLDS)));
    for pending in [1_000, 100_000] {
        let mut stream = Stream::new(1, 0, "hold");
        let mut queue = EventQueue::new();
        for slot in 0..pending {
            queue.push(u64::from(stream.choose(1_000_000)), Priority::Timer, slot);
        }
        let mut holds = |_| {
            for _ in 0..HOLDS {
                let entry = queue.pop().expect("one is pushed for every one popped");
                let later = 1 + u64::from(stream.choose(2_000_000));
                queue.push(entry.time() + later, Priority::Timer, entry.slot());
            }
        };
        for _ in 0..20 {
            holds(());
        }
        group.bench_function(format!("{pending} pending"), |bencher| {
            bencher.iter_batched(|| (), &mut holds, BatchSize::PerIteration)
        });
    }
}

criterion_group!(benches, simulate, hold);
criterion_main!(benches);
