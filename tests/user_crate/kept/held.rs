//! Scenarios of protocols that hold something. A test builds them in versions, of which each changes what that is.

use everypath::prelude::*;

#[data]
enum Timer {
    Tick,
}

/// A protocol that holds something, and does not tell what.
struct Held {
    most: u32,
    next: Box<dyn Fn(u32) -> u32 + Send + Sync>,
}

#[handlers]
impl Protocol for Held {
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

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Timer) {
        *node.state = (self.next)(*node.state);
        node.broadcast(*node.state);
        if *node.state < self.most {
            node.set_timer(Timer::Tick, Duration::from_secs(1));
        }
    }
}

/// A protocol that tells what it holds, and reads a variable when it is built.
struct Told {
    most: u32,
}

#[handlers]
impl Protocol for Told {
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

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Timer) {
        *node.state += env!("KEPT_STEP").len() as u32;
        node.broadcast(*node.state);
        if *node.state < self.most {
            node.set_timer(Timer::Tick, Duration::from_secs(1));
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

fn literal(parameters: &mut Parameters) -> Scenario<Held> {
    counting(Held { most: 5, next: Box::new(|count| count + 1) }, limit(parameters))
}

fn closure(parameters: &mut Parameters) -> Scenario<Held> {
    counting(Held { most: 5, next: Box::new(|count| count + 1) }, limit(parameters))
}

fn default(parameters: &mut Parameters) -> Scenario<Held> {
    let most = parameters.number("most", 5, 0..=20, "to what is counted");
    counting(Held { most, next: Box::new(|count| count + 1) }, limit(parameters))
}

fn told(parameters: &mut Parameters) -> Scenario<Told> {
    counting(Told { most: 5 }, limit(parameters)).configuration(|told| told.most.to_string())
}

everypath::main!(literal, closure, default, told);
