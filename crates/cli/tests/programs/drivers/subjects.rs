//! The drivers of the tests.

use std::{
    collections::{HashMap, VecDeque},
    sync::atomic::{AtomicU8, Ordering::Relaxed},
};

use everypath_cli::{Entry, entry};
use everypath_driver::Driver;
use everypath_model::Parameters;

pub fn all() -> Vec<Box<dyn Entry>> {
    vec![
        entry("bounded_stack", bounded_stack),
        entry("forgetful_queue", forgetful_queue),
        entry("panicking", panicking),
        entry("two_errors", two_errors),
        entry("hidden_order", hidden_order),
        entry("drawing", drawing),
        entry("dead_end", dead_end),
        entry("no_values", no_values),
        entry("too_many", too_many),
        entry("no_start", no_start),
        entry("bad_reference", bad_reference),
        entry("unordered", unordered),
    ]
}

fn bounded_stack(parameters: &mut Parameters) -> Driver<Vec<u8>, Vec<u8>> {
    let most = parameters.number("most", 3, 1..=9, "how many numbers there may be");
    Driver::new(Vec::<u8>::new)
        .about("a stack of a few numbers")
        .against(Vec::<u8>::new)
        .both_if("push", 1..=2, move |it, _| it.len() < most, Vec::push, Vec::push)
        .both("pop", (), |it, ()| it.pop(), |it, ()| it.pop())
        .invariant("not too many", move |it| it.len() <= most)
}

/// A queue that forgets its first element when a third one comes.
fn forgetful_queue(_: &mut Parameters) -> Driver<VecDeque<u8>, Vec<u8>> {
    Driver::new(VecDeque::<u8>::new)
        .about("a queue that forgets")
        .constructor("Queue::new()")
        .against(Vec::<u8>::new)
        .both(
            "push",
            1..=2,
            |it, value| {
                it.push_back(value);
                if it.len() == 3 && it[1] == 2 {
                    it.pop_front();
                }
            },
            |it, value| it.push(value),
        )
        .both("pop", (), |it, ()| it.pop_front(), |it, ()| (!it.is_empty()).then(|| it.remove(0)))
        .max_depth(5)
}

fn panicking(_: &mut Parameters) -> Driver<u8> {
    Driver::new(|| 0_u8)
        .call("add", 1..=2, |it, value| *it += value)
        .call("divide", 0..=1, |it, by| if *it > 0 { *it / by } else { 0 })
        .max_depth(5)
}

fn two_errors(_: &mut Parameters) -> Driver<u8> {
    Driver::new(|| 0_u8)
        .call("add", 1..=2, |it, value| *it += value)
        .invariant("not three", |it| *it != 3)
        .invariant("not four", |it| *it != 4)
        .max_depth(5)
}

/// What was touched last is hidden, and decides what is evicted.
fn hidden_order(_: &mut Parameters) -> Driver<Vec<u8>> {
    let sorted = |order: &Vec<u8>| {
        let mut elements = order.clone();
        elements.sort();
        elements
    };
    Driver::observed(Vec::<u8>::new, sorted).call("touch", 1..=3, |order: &mut Vec<u8>, value| {
        order.retain(|it| *it != value);
        order.push(value);
        if order.len() > 2 { Some(order.remove(0)) } else { None }
    })
}

fn drawing(_: &mut Parameters) -> Driver<u8> {
    static CALLS: AtomicU8 = AtomicU8::new(0);
    Driver::new(|| 0_u8).call("draw", (), |it, ()| *it = CALLS.fetch_add(1, Relaxed) % 5)
}

fn dead_end(_: &mut Parameters) -> Driver<u8> {
    Driver::new(|| 0_u8).call_if("count", (), |it, ()| *it < 3, |it, ()| *it += 1)
}

fn no_values(_: &mut Parameters) -> Driver<u8> {
    Driver::new(|| 0_u8).call("add", 1..1, |it, value: u8| *it += value)
}

fn too_many(_: &mut Parameters) -> Driver<u8> {
    Driver::new(|| 0_u8).call("add", 0..=1_000_000_u32, |_, _| ())
}

fn no_start(_: &mut Parameters) -> Driver<u8> {
    Driver::new(|| -> u8 { panic!("out of numbers") }).call("add", (), |_, ()| ())
}

fn bad_reference(_: &mut Parameters) -> Driver<Vec<u8>, Vec<u8>> {
    Driver::new(Vec::<u8>::new).against(Vec::<u8>::new).both(
        "remove",
        0..=0,
        |_, _| 0,
        |list, at| list.remove(at),
    )
}

fn unordered(_: &mut Parameters) -> Driver<HashMap<u8, u8>> {
    let map = || (0..20).map(|key| (key, key)).collect::<HashMap<u8, u8>>();
    Driver::new(map).call("clear", (), |map, ()| map.clear())
}
