//! ARQ as a reliable transport: one connection, with one packet under way.

use everypath_model::{
    NodeId, Protocol,
    transport::{Carried, Sent, Transport},
};

use super::{Arq, Frame};

impl Transport for Arq {
    type Connection = ();

    fn sending(
        &self,
        _: NodeId,
        state: &<Self as Protocol>::State,
    ) -> impl Iterator<Item = ((), Sent)> {
        let sent = state.sender().map(|end| {
            let accepted = u64::from(end.source.handed_down);
            let under_way = u64::from(end.sender.packet.is_some());
            ((), Sent { accepted, acknowledged: accepted - under_way })
        });
        sent.into_iter()
    }

    fn delivered(
        &self,
        _: NodeId,
        state: &<Self as Protocol>::State,
    ) -> impl Iterator<Item = ((), u64)> {
        state.receiver().map(|end| ((), u64::from(end.sink.delivered))).into_iter()
    }

    fn carries(&self, frame: &Frame) -> Option<((), Carried)> {
        let carried = match frame {
            Frame::Data { .. } => Carried::Item,
            Frame::Ack { .. } => Carried::Acknowledgement,
        };
        Some(((), carried))
    }
}
