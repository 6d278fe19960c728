//! Route discovery of a reactive protocol among nodes that move, after [Kojima, Nagashima and
//! Tsuchiya](https://doi.org/10.15803/ijnc.7.2_274): a small abstraction of AODV.
//!
//! The source broadcasts a request. Each node that hears a newer request than before keeps the way
//! back and broadcasts it again. The destination answers with a reply, which travels the way back
//! hop by hop and leaves routes to the destination. If no reply comes, the source tries again, with
//! the next number.
//!
//! Mobility is a free choice: each broadcast is heard by any set of at most `audience` nodes. Each
//! node has a mailbox of one packet, which the next packet displaces. Messages to one node always
//! reach its mailbox.
//!
//! Unlike in the standard, a route with the same number and fewer hops does not replace another.

mod patterns;
mod scenarios;

use std::time::Duration;

use everypath_model::{
    Never, Node, NodeId, Numbered, Protocol, Start, data, handlers,
    routing::{Hop, Routing},
};

pub use self::scenarios::{route_discovery, route_discovery_expiring};

/// The two ends of a route.
#[data]
#[derive(Copy)]
pub enum End {
    /// The node that looks for a route.
    Source,
    /// The node that it looks for.
    Destination,
}

/// The messages.
#[data]
pub enum Message {
    /// Looks for the destination.
    Request {
        /// The number of the trial.
        number: u32,
        /// The hops from the source so far.
        hops: u32,
    },
    /// Answers a request.
    Reply {
        /// The number of the request.
        number: u32,
        /// The hops from the destination so far.
        hops: u32,
    },
}

/// A route to one of the ends.
#[data]
pub struct Entry {
    /// The number of the message that made it.
    pub number: u32,
    /// The node that comes next.
    pub next: NodeId,
    /// The hops that the message had.
    pub hops: u32,
}

/// The state of a node.
#[data]
#[derive(Default)]
pub struct Table {
    /// The route to the source.
    pub to_source: Option<Entry>,
    /// The route to the destination.
    pub to_destination: Option<Entry>,
    /// At the source: how many trials have begun.
    pub trials: u32,
}

/// The timers.
#[data]
pub enum Timer {
    /// The source begins a trial.
    Seek,
    /// The route to an end is discarded.
    Expire(End),
}

/// The routes that can be discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expire {
    /// None.
    Off,
    /// Those to the source.
    ToSource,
    /// All.
    All,
}

/// Route discovery: the first node looks for a route to the last one.
#[derive(Clone, Debug)]
pub struct RouteDiscovery {
    /// How many nodes there are.
    pub nodes: u32,
    /// How many trials the source makes at most.
    pub trials: Option<u32>,
    /// The routes that can be discarded.
    pub expire: Expire,
}

/// The node that looks for a route.
pub const SOURCE: NodeId = NodeId(0);

/// How long the source waits for a reply, in a simulation.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a route lives, in a simulation.
const LIFETIME: Duration = Duration::from_secs(3);

/// Whether a message with this number is newer than an entry.
fn is_newer(number: u32, entry: Option<&Entry>) -> bool {
    entry.is_none_or(|entry| entry.number < number)
}

impl RouteDiscovery {
    /// The node that the source looks for.
    #[must_use]
    pub fn destination(&self) -> NodeId {
        NodeId(self.nodes - 1)
    }

    /// The role of a node.
    #[must_use]
    pub fn role_of(&self, node: NodeId) -> &'static str {
        match node {
            SOURCE => "source",
            node if node == self.destination() => "destination",
            _ => "forwarder",
        }
    }

    /// Whether the source may begin another trial.
    fn may_seek(&self, table: &Table) -> bool {
        self.trials.is_none_or(|most| table.trials < most) && table.to_destination.is_none()
    }

    /// Whether a message makes no difference to a node, now and later.
    #[must_use]
    pub fn is_obsolete(&self, node: NodeId, table: &Table, message: &Message) -> bool {
        match *message {
            Message::Request { number, .. } => {
                node == SOURCE || !is_newer(number, table.to_source.as_ref())
            }
            Message::Reply { number, .. } => !is_newer(number, table.to_destination.as_ref()),
        }
    }

    /// One hop more. A path visits a node at most once, so a larger number would mean nothing.
    fn hop(&self, hops: u32) -> u32 {
        (hops + 1).min(self.nodes - 1)
    }

    fn learn(&self, node: &mut Node<'_, Self>, end: End, number: u32, next: NodeId, hops: u32) {
        let entry = Some(Entry { number, next, hops });
        match end {
            End::Source => node.state.to_source = entry,
            End::Destination => node.state.to_destination = entry,
        }
        let expires = match self.expire {
            Expire::Off => false,
            Expire::ToSource => end == End::Source,
            Expire::All => true,
        };
        if expires {
            node.set_timer(Timer::Expire(end), LIFETIME);
        }
    }
}

#[handlers]
impl Protocol for RouteDiscovery {
    type State = Table;
    type Message = Message;
    type Timer = Timer;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> Table {
        if node.id == SOURCE {
            node.set_timer(Timer::Seek, Duration::ZERO);
            node.begin("time to find a route", 0);
        }
        Table::default()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match *message {
            Message::Request { number, hops } => {
                if node.id == SOURCE || !is_newer(number, node.state.to_source.as_ref()) {
                    return;
                }
                self.learn(node, End::Source, number, from, hops);
                if node.id == self.destination() {
                    node.send(from, Message::Reply { number, hops: 0 });
                } else {
                    node.broadcast(Message::Request { number, hops: self.hop(hops) });
                }
                node.count("messages");
            }
            Message::Reply { number, hops } => {
                if !is_newer(number, node.state.to_destination.as_ref()) {
                    return;
                }
                if node.id == SOURCE {
                    self.learn(node, End::Destination, number, from, hops);
                    node.cancel_timer(&Timer::Seek);
                    node.end("time to find a route", 0);
                    node.count("routes");
                } else if let Some(back) = &node.state.to_source {
                    let back = back.next;
                    self.learn(node, End::Destination, number, from, hops);
                    node.send(back, Message::Reply { number, hops: self.hop(hops) });
                    node.count("messages");
                }
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        match timer {
            Timer::Seek => {
                node.state.trials += 1;
                node.broadcast(Message::Request { number: node.state.trials, hops: 0 });
                node.count("messages");
                node.count("trials");
            }
            Timer::Expire(End::Source) => node.state.to_source = None,
            Timer::Expire(End::Destination) => node.state.to_destination = None,
        }
        if node.id == SOURCE && self.may_seek(node.state) {
            node.set_timer(Timer::Seek, PATIENCE);
        }
    }
}

impl Numbered for Entry {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(&mut self.number);
    }
}

impl Numbered for Table {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        self.to_source.visit_numbers(visit);
        self.to_destination.visit_numbers(visit);
        visit(&mut self.trials);
    }
}

impl Numbered for Message {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        let (Self::Request { number, .. } | Self::Reply { number, .. }) = self;
        visit(number);
    }
}

impl Numbered for Timer {
    fn visit_numbers(&mut self, _: &mut dyn FnMut(&mut u32)) {}
}

impl Routing for RouteDiscovery {
    type Destination = End;

    fn hops(&self, _: NodeId, table: &Table) -> impl Iterator<Item = Hop<End>> {
        let to = |end, entry: &Option<Entry>| {
            entry.as_ref().map(|entry| Hop { destination: end, next: entry.next })
        };
        let both = [to(End::Source, &table.to_source), to(End::Destination, &table.to_destination)];
        both.into_iter().flatten()
    }

    fn is_at(&self, node: NodeId, end: End) -> bool {
        match end {
            End::Source => node == SOURCE,
            End::Destination => node == self.destination(),
        }
    }

    fn establishes(&self, message: &Message) -> impl Iterator<Item = End> {
        std::iter::once(match message {
            Message::Request { .. } => End::Source,
            Message::Reply { .. } => End::Destination,
        })
    }
}
