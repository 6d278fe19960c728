//! Nodes that collect votes, in versions: a test edits this source.

use everypath::prelude::*;

struct Votes;

#[data]
struct Tally {
    yes: u32,
    no: u32,
    asked: bool,
}

#[data]
enum Message {
    Ask { round: u32 },
    Vote { yes: bool },
}

#[data]
enum Timer {
    Begin,
    Again,
}

/// What a node thinks of a round.
fn opinion(me: NodeId, round: u32) -> bool {
    (me.0 + round) % 2 == 0
}

/// How often is asked.
const ROUNDS: u32 = 2;

#[handlers]
impl Protocol for Votes {
    type State = Tally;
    type Message = Message;
    type Timer = Timer;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Tally {
        if node.id == NodeId(0) {
            node.set_timer(Timer::Begin, Duration::from_secs(1));
        }
        Tally { yes: 0, no: 0, asked: false }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match message {
            Message::Ask { round } => {
                node.send(from, Message::Vote { yes: opinion(node.id, *round) });
            }
            Message::Vote { yes: true } => node.state.yes += 1,
            Message::Vote { yes: false } => node.state.no += 1,
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        node.state.asked = true;
        match timer {
            Timer::Begin => {
                node.broadcast(Message::Ask { round: 1 });
                node.set_timer(Timer::Again, Duration::from_secs(1));
            }
            Timer::Again => node.broadcast(Message::Ask { round: ROUNDS }),
        }
    }
}

fn votes(parameters: &mut Parameters) -> Scenario<Votes> {
    let nodes = parameters.number("nodes", 3, 2..=5, "how many nodes there are");
    let most = 2 * (nodes as u32 - 1);
    Scenario::new(Votes, Topology::full_mesh(nodes))
        .about("one node asks all others, twice")
        .configuration(|_| String::new())
        .loss(Budget::AtMost(1))
        .assert_always("no more votes than were asked for", move |world| {
            world.nodes().all(|(_, tally)| tally.yes + tally.no <= most)
        })
        .assert_always("whoever has votes has asked", |world| {
            world.nodes().all(|(_, tally)| tally.asked || tally.yes + tally.no == 0)
        })
}

everypath::main!(votes);
