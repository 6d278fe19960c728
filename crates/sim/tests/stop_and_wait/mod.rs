//! Stop-and-wait between two nodes, for tests and benchmarks.

use std::time::Duration;

use everypath_model::{LinkModel, Never, Node, NodeId, Protocol, Scenario, Start, Topology};

/// Node 0 sends 1000-byte frames to node 1, one at a time, each again after a time-out until it is
/// acknowledged with 40 bytes. If `MEASURED`, node 0 records attempts and delays.
pub struct StopAndWait<const MEASURED: bool>;

#[everypath_model::data]
pub enum Message {
    Frame(u32),
    Acknowledgement(u32),
}

/// Later than an acknowledgement by the least that matters: on 10 Mbit/s and 1 ms, it takes 2832 µs.
pub const TIME_OUT: Duration = Duration::from_micros(2833);

impl<const MEASURED: bool> StopAndWait<MEASURED> {
    /// The two nodes, on a link with this probability of loss.
    pub fn scenario(loss: f64) -> Scenario<Self> {
        let link = LinkModel::default().loss(loss);
        Scenario::new(Self, Topology::chain(2))
            .simulation(|run| run.message_bytes(Self::message_bytes).link(link))
    }

    fn message_bytes(&self, message: &Message) -> usize {
        match message {
            Message::Frame(_) => 1000,
            Message::Acknowledgement(_) => 40,
        }
    }

    fn begin(number: u32, fx: &mut Start<'_, Self>) {
        if MEASURED {
            fx.begin("frame", u64::from(number));
        }
        Self::transmit(number, fx);
    }

    fn transmit(number: u32, fx: &mut Start<'_, Self>) {
        if MEASURED {
            fx.count("attempts");
        }
        fx.send(NodeId(1), Message::Frame(number));
        fx.set_timer((), TIME_OUT);
    }
}

impl<const MEASURED: bool> Protocol for StopAndWait<MEASURED> {
    type State = u32;
    type Message = Message;
    type Timer = ();
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        let me = node.id;
        let (_, mut fx) = node.split();
        if me == NodeId(0) {
            Self::begin(0, &mut fx);
        }
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let (next, mut fx) = node.split();
        match *message {
            Message::Frame(number) => {
                if number == *next {
                    *next += 1;
                    fx.count("delivered");
                }
                fx.send(from, Message::Acknowledgement(number));
            }
            Message::Acknowledgement(number) => {
                assert_eq!(number, *next, "no acknowledgement can be late");
                if MEASURED {
                    fx.count("acknowledged");
                    fx.end("frame", u64::from(number));
                }
                *next += 1;
                fx.cancel_timer(&());
                Self::begin(*next, &mut fx);
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &()) {
        let (next, mut fx) = node.split();
        Self::transmit(*next, &mut fx);
    }
}
