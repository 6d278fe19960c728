//! Scenarios of a protocol that holds nothing. A test builds them in versions, of which each changes something that decides
//! what they do: it edits this source, its features, how it is built, and what it depends on.

use everypath::prelude::*;

#[data]
enum Timer {
    Tick,
    Tock,
}

/// By how much a node counts on, as all that it depends on says.
fn gain() -> u32 {
    1 + own_feature() + middle::feature() + middle::helped() + unchecked()
}

fn own_feature() -> u32 {
    u32::from(cfg!(feature = "fast"))
}

/// Whether overflow goes unnoticed.
fn unchecked() -> u32 {
    let largest = std::hint::black_box(u8::MAX);
    u32::from(std::panic::catch_unwind(|| largest + std::hint::black_box(1)).is_ok())
}

/// A protocol that holds nothing.
struct Plain;

#[handlers]
impl Protocol for Plain {
    type State = u32;
    type Message = u32;
    type Timer = Timer;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.set_timer(Timer::Tick, Duration::from_secs(1));
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, heard: &u32) {
        *node.state = (*node.state).max(*heard);
        node.count("heard");
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        match timer {
            Timer::Tick => {
                *node.state += gain();
                node.broadcast(*node.state);
                node.set_timer(Timer::Tock, Duration::from_secs(1));
            }
            Timer::Tock => {
                *node.state += 1;
                if *node.state < 6 {
                    node.set_timer(Timer::Tick, Duration::from_secs(1));
                }
            }
        }
    }
}

/// What all scenarios assert and measure.
fn counting<P: Protocol<State = u32>>(protocol: P, most: u32) -> Scenario<P> {
    Scenario::new(protocol, Topology::full_mesh(2))
        .assert_always("no count is large", move |world| {
            world.nodes().all(|(_, count)| *count <= most)
        })
        .simulation(|run| run.measure("heard", "times", |run| run.count("heard") as f64))
}

fn limit(parameters: &mut Parameters) -> u32 {
    parameters.number("limit", 8, 0..=100, "how large a count may be")
}

fn plain(parameters: &mut Parameters) -> Scenario<Plain> {
    counting(Plain, limit(parameters))
}

fn asserting(parameters: &mut Parameters) -> Scenario<Plain> {
    let limit = limit(parameters);
    counting(Plain, limit)
        .assert_always("no count is wrong", |world| world.nodes().all(|(_, count)| *count < 99))
}

fn assuming(parameters: &mut Parameters) -> Scenario<Plain> {
    counting(Plain, limit(parameters))
        .assume("some packets stay", |world, _| world.packets().len() < 4)
}

fn pruning(parameters: &mut Parameters) -> Scenario<Plain> {
    counting(Plain, limit(parameters))
        .prune("enough", |world| world.nodes().all(|(_, count)| *count > 4))
}

everypath::main!(plain, asserting, assuming, pruning);
