//! Protocols that take memory, each in its own way, and never come to an end.

use std::collections::BTreeMap;

use everypath_model::{Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology, data};

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Many commands in each state.
    Commands,
    /// A list with room to spare.
    Spare,
    /// A map of many entries.
    Map,
    /// Many choices in each handler.
    Choices,
}

pub struct Hog {
    kind: Kind,
    size: u32,
}

#[data]
pub struct Held {
    count: u64,
    list: Vec<u8>,
    map: BTreeMap<u32, u64>,
}

impl Protocol for Hog {
    type State = Held;
    type Message = Never;
    type Timer = Never;
    type Command = u32;

    fn start(&self, _: &mut Start<'_, Self>) -> Held {
        Held { count: 0, list: Vec::new(), map: BTreeMap::new() }
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, message: &Never) {
        match *message {}
    }

    fn commands(&self, _: NodeId, _: &Held) -> Vec<u32> {
        match self.kind {
            Kind::Commands => (0..self.size).collect(),
            _ => vec![0, 1],
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &u32) {
        let (held, mut fx) = node.split();
        let fx = &mut fx;
        let more = |count: u64, by| count.wrapping_mul(7).wrapping_add(by).wrapping_add(1);
        held.count = more(held.count, (*command).into());
        match self.kind {
            Kind::Commands => {}
            Kind::Spare => {
                held.list = Vec::with_capacity(self.size as usize);
                // Touched once, as a list is that was long.
                held.list.resize(self.size as usize, 0);
                held.list.truncate(1);
            }
            Kind::Map => held.map = (0..self.size).map(|key| (key, held.count)).collect(),
            Kind::Choices => {
                for _ in 0..self.size {
                    held.count = more(held.count, fx.choose(2).into());
                }
            }
        }
    }
}

/// A node that takes as much memory as it gets.
pub fn hog(parameters: &mut Parameters) -> Scenario<Hog> {
    let kinds = [
        ("commands", Kind::Commands),
        ("spare", Kind::Spare),
        ("map", Kind::Map),
        ("choices", Kind::Choices),
    ];
    let kind = parameters.choice("kind", Kind::Commands, &kinds, "what takes memory");
    let size = parameters.number("size", 100, 1..=1_000_000, "how much of it");
    Scenario::new(Hog { kind, size }, Topology::chain(1))
        .assert_always("nothing is wrong", |_| true)
}
