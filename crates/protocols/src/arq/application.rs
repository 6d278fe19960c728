//! The applications at the two ends.

use everypath_model::{Component, Never, NodeId, Nothing, Ports, Record, data, handlers};

use super::{Packet, Receiving, Sending, transport::Tell};

/// An application that always has one more packet to send.
#[derive(Clone, Debug)]
pub struct Source {
    /// Whether packets carry their number.
    pub numbered: bool,
}

/// What the source remembers.
#[data]
pub struct SourceState {
    /// How many packets it has handed down.
    pub handed_down: u32,
}

impl Source {
    fn hand_down(&self, state: &mut SourceState, ports: &mut impl Ports<Self>) {
        let number = state.handed_down;
        state.handed_down += 1;
        ports.record(Record::Begin { name: "frame time", key: number.into() });
        ports.request(Packet { number: self.numbered.then_some(number) });
    }
}

#[handlers]
impl Component for Source {
    type State = SourceState;
    type Timer = Never;
    type Command = Never;
    type Above = Nothing;
    type Below = Sending;

    fn start(&self, _: NodeId, ports: &mut impl Ports<Self>) -> SourceState {
        let mut state = SourceState { handed_down: 0 };
        self.hand_down(&mut state, ports);
        state
    }

    fn on_indication(
        &self,
        _: NodeId,
        state: &mut SourceState,
        Tell::Acknowledged: Tell,
        ports: &mut impl Ports<Self>,
    ) {
        ports.record(Record::End { name: "frame time", key: u64::from(state.handed_down) - 1 });
        self.hand_down(state, ports);
    }

    fn configuration(&self) -> Option<String> {
        Some(format!("{self:?}"))
    }
}

/// An application that takes packets and checks their order.
#[derive(Clone, Debug)]
pub struct Sink;

/// What the sink remembers.
#[data]
pub struct SinkState {
    /// How many packets have arrived.
    pub delivered: u32,
    /// Whether each packet that carried a number came in its turn.
    pub in_order: bool,
}

#[handlers]
impl Component for Sink {
    type State = SinkState;
    type Timer = Never;
    type Command = Never;
    type Above = Nothing;
    type Below = Receiving;

    fn start(&self, _: NodeId, _: &mut impl Ports<Self>) -> SinkState {
        SinkState { delivered: 0, in_order: true }
    }

    fn on_indication(
        &self,
        _: NodeId,
        state: &mut SinkState,
        packet: Packet,
        ports: &mut impl Ports<Self>,
    ) {
        let in_turn = packet.number.is_none_or(|number| number == state.delivered);
        state.in_order &= in_turn;
        state.delivered += 1;
        ports.record(Record::Count { name: "delivered", by: 1 });
        if !in_turn {
            ports.record(Record::Count { name: "out of order", by: 1 });
        }
    }

    fn configuration(&self) -> Option<String> {
        Some(format!("{self:?}"))
    }
}
