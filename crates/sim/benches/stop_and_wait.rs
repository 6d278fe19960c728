//! How many events per second, and how long the event queue takes for one of them.

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use everypath_model::{LinkModel, Never, Node, NodeId, Protocol, Scenario, Start, Topology};
use everypath_sim::{EventQueue, Limits, Priority, Simulation, Stream};

extern crate everypath_model as everypath;

/// Node 0 sends numbered frames to node 1, one at a time, each again after a time-out until it is
/// acknowledged.
struct StopAndWait;

#[everypath_model::data]
enum Message {
    Frame(u32),
    Acknowledgement(u32),
}

const TIME_OUT: Duration = Duration::from_micros(2833);

fn send(number: u32, fx: &mut Start<'_, StopAndWait>) {
    fx.send(NodeId(1), Message::Frame(number));
    fx.set_timer((), TIME_OUT);
}

impl Protocol for StopAndWait {
    type State = u32;
    type Message = Message;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        if me == NodeId(0) {
            send(0, fx);
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let (next, mut fx) = node.split();
        let fx = &mut fx;
        match *message {
            Message::Frame(number) => {
                if number == *next {
                    *next += 1;
                    fx.count("delivered");
                }
                fx.send(from, Message::Acknowledgement(number));
            }
            Message::Acknowledgement(number) if number == *next => {
                *next += 1;
                fx.cancel_timer(&());
                send(*next, fx);
            }
            Message::Acknowledgement(_) => {}
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &()) {
        let (next, mut fx) = node.split();
        let fx = &mut fx;
        send(*next, fx);
    }
}

impl StopAndWait {
    fn message_bytes(&self, message: &Message) -> usize {
        match message {
            Message::Frame(_) => 1000,
            Message::Acknowledgement(_) => 40,
        }
    }
}

fn stop_and_wait(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stop_and_wait");
    for loss in [0.0, 0.1] {
        let link = LinkModel::default().loss(loss);
        let scenario = Scenario::new(StopAndWait, Topology::chain(2)).simulation(|run| {
            run.message_bytes(StopAndWait::message_bytes)
                .link(link)
                .duration(Duration::from_secs(1000))
        });
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

criterion_group!(benches, stop_and_wait, hold);
criterion_main!(benches);
