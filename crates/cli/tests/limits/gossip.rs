//! A protocol with states enough to be killed among.

use everypath_model::{
    Budget, Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology, data,
};

pub struct Gossip {
    /// How much anybody hears before he says no more.
    most: u32,
}

#[data]
pub struct Heard {
    from: NodeId,
    times: u32,
}

impl Protocol for Gossip {
    type State = Heard;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Heard {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        fx.broadcast(me.0);
        Heard { from: me, times: 0 }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, said: &u32) {
        *node.state = Heard { from, times: node.state.times + 1 };
        if node.state.times < self.most {
            node.broadcast((said + node.id.0) % 3);
        }
    }
}

/// Four nodes in a row that repeat what they hear.
pub fn gossip(parameters: &mut Parameters) -> Scenario<Gossip> {
    let most = parameters.number("most", 3, 1..=9, "how much a node hears");
    Scenario::new(Gossip { most }, Topology::chain(4))
        .loss(Budget::AtMost(1))
        .max_depth(8)
        .assert_always("somebody has heard of somebody", |world| world.nodes().count() == 4)
        .ranking("heard", |world| {
            world.nodes().map(|(_, heard)| i64::from(heard.times)).sum::<i64>()
        })
}
