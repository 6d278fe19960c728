//! A protocol with states enough to be killed among.

use everypath_model::{
    Budget, Effects, Never, NodeId, Parameters, Protocol, Scenario, Topology, data,
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

    fn start(&self, me: NodeId, fx: &mut impl Effects<Self>) -> Heard {
        fx.broadcast(me.0);
        Heard { from: me, times: 0 }
    }

    fn on_message(
        &self,
        me: NodeId,
        state: &mut Heard,
        from: NodeId,
        said: &u32,
        fx: &mut impl Effects<Self>,
    ) {
        *state = Heard { from, times: state.times + 1 };
        if state.times < self.most {
            fx.broadcast((said + me.0) % 3);
        }
    }
}

/// Four nodes in a row that repeat what they hear.
pub fn gossip(parameters: &mut Parameters) -> Scenario<Gossip> {
    let most = parameters.number("most", 3, 1..=9, "how much a node hears");
    Scenario::new(Gossip { most }, Topology::chain(4))
        .loss(Budget::AtMost(1))
        .max_depth(8)
        .assertion("somebody has heard of somebody", |world| world.nodes().count() == 4)
        .ranking("heard", |world| {
            world.nodes().map(|(_, heard)| i64::from(heard.times)).sum::<i64>()
        })
}
