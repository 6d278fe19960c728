//! Protocols whose code does not return, or needs much room for its calls.

use std::{thread, time::Duration};

use everypath_model::{Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology, data};

pub struct Greeting {
    /// Whether a handler sleeps for ever.
    sleeps: bool,
    /// How deep a handler calls itself.
    depth: u32,
}

#[data]
pub struct Hi(u32);

fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Calls itself so many times, with a kilobyte on the stack each time.
fn descend(depth: u32) -> u64 {
    let room = std::hint::black_box([u64::from(depth); 128]);
    if depth == 0 { room[0] } else { descend(depth - 1) + room[127] }
}

impl Protocol for Greeting {
    type State = u64;
    type Message = Hi;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u64 {
        if node.id == NodeId(0) {
            node.broadcast(Hi(1));
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &Hi) {
        if self.sleeps {
            sleep();
        }
        *node.state = descend(self.depth);
    }
}

/// Something does not return.
pub fn stuck(parameters: &mut Parameters) -> Scenario<Greeting> {
    let parts = [("handler", false), ("assertion", true)];
    let in_assertion = parameters.choice("part", false, &parts, "what does not return");
    let protocol = Greeting { sleeps: !in_assertion, depth: 0 };
    let assertion = move |greeted: bool| if in_assertion && greeted { sleep() } else { true };
    Scenario::new(protocol, Topology::chain(2))
        .assert_always("all is well", move |world| assertion(world.packets().count() == 0))
}

/// A handler calls itself again and again.
pub fn deep(parameters: &mut Parameters) -> Scenario<Greeting> {
    let depth = parameters.number("depth", 1000, 0..=1_000_000, "how often");
    Scenario::new(Greeting { sleeps: false, depth }, Topology::chain(2))
}
