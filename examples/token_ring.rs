//! A token ring: the node that holds the token may use a shared resource. If the token is lost,
//! node 0, the monitor, makes a new one, but not while the old one exists. A timer alone cannot tell
//! a lost token from a late one. So the timer only makes the monitor send a probe after the token.
//! Links keep their order: the probe cannot overtake the token, and the node that holds the token
//! swallows it. A probe that comes back proves that the token is lost. The eager variant trusts its
//! timer: simulations are fine, and `check` finds two holders in three steps.
//!
//! cargo run --release --example token_ring -- check token-ring-eager
//! cargo run --release --example token_ring -- simulate token-ring --set loss-rate=0
//!
//! In the simulation, a hop takes 1 ms, and 51.2 µs for 64 bytes at 10 Mbit/s. A rotation takes
//! 3 × (hold + hop) = 6.1536 ms; there are 1 / (hold + hop) = 487.5 turns per second.

use everypath::medium::{Access, MediumAccess};
use everypath::prelude::*;

#[derive(Clone)]
struct TokenRing {
    nodes: usize,
    hold: Duration,
    patience: Duration,
    /// The error: to make a new token when the timer fires, without a probe.
    eager: bool,
}

#[data]
struct State {
    holds: bool,
    /// At the monitor: distinguishes probes of the present search from those of the previous one.
    search: bool,
}

#[data]
enum Message {
    Token,
    Probe(bool),
}

#[data]
enum Timer {
    Leave,
    Search,
}

const MONITOR: NodeId = NodeId(0);

impl TokenRing {
    fn next(&self, me: NodeId) -> NodeId {
        NodeId::from((me.index() + 1) % self.nodes)
    }

    fn take(&self, node: &mut Node<'_, Self>) {
        node.state.holds = true;
        node.set_timer(Timer::Leave, self.hold);
        node.count("turns");
        if node.id == MONITOR {
            // Probes that are still in flight are now outdated.
            node.state.search = !node.state.search;
            node.cancel_timer(&Timer::Search);
            node.end("rotation", 0);
            node.begin("rotation", 0);
        }
    }
}

impl Protocol for TokenRing {
    type State = State;
    type Message = Message;
    type Timer = Timer;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        let mut state = State { holds: false, search: false };
        if node.id == MONITOR {
            self.take(&mut node.with_state(&mut state));
        }
        state
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &Message) {
        match message {
            Message::Token => self.take(node),
            Message::Probe(_) if node.state.holds => {}
            Message::Probe(_) if node.id != MONITOR => {
                node.send(self.next(node.id), message.clone());
            }
            Message::Probe(search) if *search == node.state.search => self.take(node),
            Message::Probe(_) => {}
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        match timer {
            Timer::Leave => {
                node.state.holds = false;
                node.send(self.next(node.id), Message::Token);
            }
            Timer::Search if self.eager => return self.take(node),
            Timer::Search => node.send(self.next(node.id), Message::Probe(node.state.search)),
        }
        if node.id == MONITOR {
            node.set_timer(Timer::Search, self.patience);
        }
    }
}

impl MediumAccess for TokenRing {
    fn may_send(&self, _: NodeId, state: &State) -> bool {
        state.holds
    }

    fn access(&self, message: &Message) -> Option<Access> {
        Some(if *message == Message::Token { Access::Right } else { Access::Request })
    }
}

fn token_ring(parameters: &mut Parameters) -> Scenario<TokenRing> {
    scenario(parameters, false).about("The monitor makes a new token when its probe comes back")
}

fn token_ring_eager(parameters: &mut Parameters) -> Scenario<TokenRing> {
    scenario(parameters, true).about("The monitor makes a new token when its timer fires: too soon")
}

fn scenario(ask: &mut Parameters, eager: bool) -> Scenario<TokenRing> {
    let nodes = ask.number("nodes", 3, 2..=64, "how many nodes are on the ring");
    let network = ask.network("network", NetworkKind::FifoPerLink, "the order of delivery");
    let rate = ask.number("loss-rate", 0.01, 0.0..=1.0, "the share of packets that links lose");
    let hold = ask.duration("hold", Duration::from_millis(1), "how long a node keeps the token");
    let patience = ask.duration("patience", Duration::from_millis(20), "when the search begins");
    Scenario::new(TokenRing { nodes, hold, patience, eager }, Topology::ring(nodes))
        .network(network)
        .loss(Budget::Unlimited)
        // Without a limit the timer could put ever more probes on the ring.
        .assume("at most two probes are in flight", |world, event| {
            let probes = world.packets().filter(|it| matches!(it.message, Message::Probe(_)));
            !matches!(event, Event::Timer { timer: Timer::Search, .. }) || probes.count() < 2
        })
        .assert_exclusive("at most one node holds the token")
        .medium_rankings()
        .ranking("holders", |world| world.nodes().filter(|(_, state)| state.holds).count() as i64)
        .simulation(|run| {
            run.link(LinkModel::default().loss(rate))
                .measure("rotation", "s", |run| run.mean("rotation"))
                .measure("turns", "per second", |run| run.count("turns") as f64 / run.elapsed_s())
        })
}

everypath::main!(token_ring, token_ring_eager);
