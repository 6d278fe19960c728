//! A memory of an observer without `#[data]`.

extern crate everypath_model as everypath;

use everypath::{Never, Node, NodeId, Protocol, Scenario, Start, Topology};

struct Pinger;

impl Protocol for Pinger {
    type State = ();
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) {}
    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u32) {}
}

struct Pings(u32);

fn main() {
    Scenario::new(Pinger, Topology::chain(2)).observer("pings", Pings(0), |pings, _| pings.0 += 1);
}
