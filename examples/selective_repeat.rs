//! Selective repeat: a sliding window whose receiver keeps what arrives out of order. The sender has up to `window`
//! items under way, each with a timer of its own. Items carry their number modulo `space`, as acknowledgements do.
//!
//! Textbooks say: each item is delivered once and in order if the space is at least twice the window. If it is one
//! smaller, the receiver may take a repeated item for a new one: no loss is needed, a timer that fires too soon is enough.
//!
//! ```console
//! cargo run --release --example selective_repeat -- check selective-repeat
//! cargo run --release --example selective_repeat -- check selective-repeat --set space=3
//! cargo run --release --example selective_repeat -- check selective-repeat --set network=fifo --max-states 200000
//! cargo run --release --example selective_repeat -- simulate selective-repeat --assert
//! ```
//!
//! A timer that fires again and again puts any number of packets in flight. So the default network gives each node a
//! mailbox, of which the oldest packet is displaced; the third command shows what `check` says without.
//!
//! In the simulation without losses, 5 items with a window of 2 take three round trips of 2 × 1.0512 ms, 6.3072 ms.

use std::collections::{BTreeMap, BTreeSet};

use everypath::prelude::*;

#[roles]
struct SelectiveRepeat {
    sender: Sender,
    receiver: Receiver,
}

impl SelectiveRepeat {
    fn role_of(&self, me: NodeId) -> SelectiveRepeatRole {
        match me {
            SENDER => SelectiveRepeatRole::Sender,
            _ => SelectiveRepeatRole::Receiver,
        }
    }
}

const SENDER: NodeId = NodeId(0);
const RECEIVER: NodeId = NodeId(1);

#[data]
enum Message {
    Data { number: u32, item: u32 },
    Ack { number: u32 },
}

struct Sender {
    window: u32,
    space: u32,
    items: u32,
    patience: Duration,
}

#[data]
#[derive(Default)]
struct Sending {
    /// The first item that is not acknowledged.
    base: u32,
    /// The acknowledged items behind it.
    acknowledged: BTreeSet<u32>,
}

/// Waits for the acknowledgement of an item.
#[data]
struct Resend(u32);

impl Sender {
    /// The items that may be under way.
    fn under_way(&self, base: u32) -> std::ops::Range<u32> {
        base..self.items.min(base + self.window)
    }

    fn send<S>(&self, node: &mut Node<'_, Self, S>, item: u32) {
        node.send(RECEIVER, Message::Data { number: item % self.space, item });
        node.set_timer(Resend(item), self.patience);
    }
}

impl Protocol for Sender {
    type State = Sending;
    type Message = Message;
    type Timer = Resend;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Sending {
        node.begin("transfer", 0);
        self.under_way(0).for_each(|item| self.send(node, item));
        Sending::default()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &Message) {
        let Message::Ack { number } = message else { return };
        let before = self.under_way(node.state.base);
        let Some(item) = before.clone().find(|item| item % self.space == *number) else { return };
        node.cancel_timer(&Resend(item));
        node.state.acknowledged.insert(item);
        while node.state.acknowledged.remove(&node.state.base) {
            node.state.base += 1;
        }
        let now = self.under_way(node.state.base);
        (before.end..now.end).for_each(|item| self.send(node, item));
        if now.is_empty() {
            node.end("transfer", 0);
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, Resend(item): &Resend) {
        node.count("repeated");
        self.send(node, *item);
    }
}

struct Receiver {
    window: u32,
    space: u32,
}

#[data]
#[derive(Default)]
struct Receiving {
    delivered: Vec<u32>,
    /// What came out of order, by the place at which it is to be delivered.
    kept: BTreeMap<u32, u32>,
}

impl Protocol for Receiver {
    type State = Receiving;
    type Message = Message;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> Receiving {
        Receiving::default()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let Message::Data { number, item } = message else { return };
        let expected = node.state.delivered.len() as u32;
        let ahead = (number + self.space - expected % self.space) % self.space;
        if ahead < self.window {
            node.state.kept.entry(expected + ahead).or_insert(*item);
        }
        while let Some(item) = node.state.kept.remove(&(node.state.delivered.len() as u32)) {
            node.state.delivered.push(item);
        }
        node.send(from, Message::Ack { number: *number });
    }
}

fn delivered<'a>(world: &World<'a, SelectiveRepeat>) -> &'a [u32] {
    world.node(RECEIVER).receiver().map_or(&[], |state| &state.delivered)
}

fn selective_repeat(ask: &mut Parameters) -> Scenario<SelectiveRepeat> {
    let window = ask.number("window", 2, 1..=8, "how many items may be under way");
    let space = ask.number("space", 2 * window, 1..=16, "how many numbers there are");
    let items = ask.number("items", 5, 1..=100_000, "how many items are sent");
    let network = ask.network("network", NetworkKind::inbox(3), "the order of delivery");
    let rate = ask.number("loss-rate", 0.0, 0.0..=1.0, "the share of packets that links lose");
    let patience = ask.duration("patience", Duration::from_millis(10), "when an item is repeated");
    if space < window {
        ask.reject(
            "space",
            "items in the window need different numbers: it is at least the window",
        );
    }
    let sender = Sender { window, space, items, patience };
    let protocol = SelectiveRepeat { sender, receiver: Receiver { window, space } };
    Scenario::new(protocol, Topology::chain(2))
        .about("Each item is delivered once and in order if there are two numbers for each place in the window")
        .network(network)
        .loss(Budget::Unlimited)
        .assert_always("each item is delivered once and in order", |world| {
            (0..).zip(delivered(world)).all(|(place, item)| place == *item)
        })
        .assert_reachable("all items are delivered", move |world| {
            delivered(world).len() == items as usize
        })
        .simulation(|run| {
            run.link(LinkModel::default().loss(rate))
                .measure("transfer", "s", |run| run.mean("transfer"))
                .measure_count("repeated")
        })
}

everypath::main!(selective_repeat);
