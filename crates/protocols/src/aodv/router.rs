//! The AODV router: its state and its handlers.

use std::fmt;

use everypath_model::{
    Node, NodeId, Protocol, Start, data, handlers,
    serde::{Deserialize, Serialize},
};

use super::{
    Data, ListOrder, Message, RequestId, RoutingTable, Rules, SequenceNumber, Spent, Times,
};

/// AODV.
#[derive(Clone, Debug)]
pub struct Aodv {
    /// Its behaviour, clause by clause.
    pub rules: Rules,
    /// Its durations.
    pub times: Times,
    /// The order of its lists.
    pub order: ListOrder,
    /// The destinations of the environment's requests, while exploring.
    pub destinations: Vec<NodeId>,
    /// How many nodes get commands, while exploring: the first ones.
    pub sources: usize,
    /// How many searches for routes each node gets, while exploring; without limit if `None`.
    pub requests_max: Option<u32>,
    /// How many packets each node gets to send, while exploring.
    pub packets_max: u32,
    /// Whether packets of data record the nodes they have visited.
    pub traced: bool,
    /// The size of a packet's payload in bytes.
    pub payload_bytes: usize,
}

impl Aodv {
    /// A router with these rules and the durations of the standard, without commands.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            times: Times::default(),
            order: ListOrder::Sorted,
            destinations: Vec::new(),
            sources: usize::MAX,
            requests_max: None,
            packets_max: 0,
            traced: false,
            payload_bytes: 512,
        }
    }
}

/// A route discovery.
#[data]
pub struct Discovery {
    /// The destination.
    pub destination: NodeId,
    /// How far the last request went.
    pub ttl: u8,
    /// How many requests through the whole network had no answer.
    pub failures: u8,
    /// The length of the broken route, if it is a repair.
    pub repairs: Option<u8>,
    /// Whether the rate limit has postponed its next request.
    pub postponed: bool,
}

impl Discovery {
    /// A discovery whose first request goes this many hops.
    pub(super) fn new(destination: NodeId, ttl: u8, repairs: Option<u8>) -> Self {
        Self { destination, ttl, failures: 0, repairs, postponed: false }
    }
}

/// The state of a router.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RouterState {
    /// Its own sequence number.
    pub number: SequenceNumber,
    /// The id of its next request.
    pub next_request: u32,
    /// The requests that it remembers.
    pub seen: Vec<RequestId>,
    /// Its routing table.
    pub routes: RoutingTable,
    /// Its route discoveries.
    pub discoveries: Vec<Discovery>,
    /// Packets that wait for a route, the oldest first.
    pub waiting: Vec<Data>,
    /// The neighbours that have said hello.
    pub neighbours: Vec<NodeId>,
    /// The neighbours that seem not to hear this node, sorted.
    pub blacklist: Vec<NodeId>,
    /// The limited messages of this second.
    pub spent: Spent,
    /// Whether it is quiet after a reboot.
    pub quiet: bool,
    /// Whether it has broadcast anything since its last hello was due.
    pub was_heard: bool,
    /// How many packets of data it has sent.
    pub sent: u32,
    /// Whether a packet of data has come here for a second time.
    pub revisited: bool,
}

impl fmt::Debug for RouterState {
    /// Shows rare fields only where they have content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Router");
        shown.field("seq", &self.number).field("next_id", &self.next_request);
        shown.field("seen", &self.seen).field("routes", &self.routes);
        let seeks: Vec<NodeId> = self.discoveries.iter().map(|sought| sought.destination).collect();
        shown.field("seeks", &seeks);
        if !self.waiting.is_empty() {
            shown.field("waiting", &self.waiting);
        }
        if !self.neighbours.is_empty() {
            shown.field("neighbours", &self.neighbours);
        }
        if !self.blacklist.is_empty() {
            shown.field("blacklist", &self.blacklist);
        }
        if self.spent != Spent::default() {
            shown.field("spent", &self.spent);
        }
        if self.sent > 0 {
            shown.field("sent", &self.sent);
        }
        for (name, holds) in [("quiet", self.quiet), ("revisited", self.revisited)] {
            if holds {
                shown.field(name, &true);
            }
        }
        shown.finish()
    }
}

/// The timers of a router.
#[data]
pub enum Timer {
    /// A request need not be remembered any longer.
    Forget(RequestId),
    /// The lifetime of a route is over.
    Expire(NodeId),
    /// An invalid route need not be remembered any longer.
    Remove(NodeId),
    /// A request was not answered in time.
    Retry(NodeId),
    /// The next hello is due.
    Hello,
    /// There was no sign of a neighbour for too long.
    Miss(NodeId),
    /// The quiet time after a reboot is over.
    Wake,
    /// A neighbour has not acknowledged a reply in time.
    Unacknowledged(NodeId),
    /// A neighbour's requests have been ignored for long enough.
    Pardon(NodeId),
    /// A second with requests or announcements is over.
    Second,
    /// A packet has waited for a route for too long: this one of that source.
    Drop(NodeId, u32),
}

/// The commands to a router.
#[data]
pub enum Command {
    /// Find a route.
    Seek(NodeId),
    /// Send a packet of data.
    Send(NodeId),
}

/// A router at work: one handler execution.
pub(super) struct Router<'a, 'n> {
    pub(super) aodv: &'a Aodv,
    pub(super) node: &'a mut Node<'n, Aodv>,
}

impl Router<'_, '_> {
    pub(super) fn rules(&self) -> &Rules {
        &self.aodv.rules
    }

    pub(super) fn times(&self) -> &Times {
        &self.aodv.times
    }

    /// Sends to all neighbours.
    pub(super) fn broadcast(&mut self, message: Message) {
        // Only nodes with hellos need to know; others must not have more states for it.
        self.node.state.was_heard = self.rules().hello != super::Hello::Off;
        self.node.broadcast_within(message, self.aodv.times.jitter);
    }

    /// Whether it does not listen to a message.
    fn ignores(&self, from: NodeId, message: &Message) -> bool {
        matches!(message, Message::Request(_)) && self.node.state.blacklist.contains(&from)
    }
}

impl Aodv {
    /// Everything that handlers read. The environment's wishes are not part of it: they only decide
    /// which commands there are, which is evaluated each time.
    pub(super) fn configuration(&self) -> String {
        let Self { rules, times, order, traced, payload_bytes, .. } = self;
        format!("{rules:?}, {times:?}, {order:?}, {traced}, {payload_bytes}")
    }

    pub(super) fn message_bytes(&self, message: &Message) -> usize {
        message.bytes(self.payload_bytes)
    }

    fn fresh(&self) -> RouterState {
        RouterState {
            number: SequenceNumber(self.rules.own_number_step),
            next_request: 1,
            seen: Vec::new(),
            routes: RoutingTable::default(),
            discoveries: Vec::new(),
            waiting: Vec::new(),
            neighbours: Vec::new(),
            blacklist: Vec::new(),
            spent: Spent::default(),
            quiet: false,
            was_heard: false,
            sent: 0,
            revisited: false,
        }
    }
}

#[handlers]
impl Protocol for Aodv {
    type State = RouterState;
    type Message = Message;
    type Timer = Timer;
    type Command = Command;

    fn start(&self, node: &mut Start<'_, Self>) -> RouterState {
        let mut state = self.fresh();
        Router { aodv: self, node: &mut node.with_state(&mut state) }.start_hello();
        state
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &RouterState) -> RouterState {
        let mut state = self.start(node);
        // The number of packets to send concerns the environment, not the router.
        state.sent = before.sent;
        if self.rules.wait_after_reboot {
            state.quiet = true;
            node.set_timer(Timer::Wake, self.times.delete_period);
        }
        if self.rules.reboot_seen {
            node.broadcast(Message::Reset);
        }
        state
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let mut router = Router { aodv: self, node };
        if router.ignores(from, message) {
            return;
        }
        router.hear_of(from, message);
        match message {
            Message::Request(request) => router.on_request(from, request),
            Message::Reply(reply) => router.on_reply(from, reply),
            Message::Unreachable(unreachable) => router.on_unreachable(from, unreachable),
            Message::Acknowledgement => router.on_acknowledgement(from),
            Message::Hello { number } => router.on_hello(from, *number),
            Message::Data(data) => router.on_data(from, data),
            Message::Reset => router.lose_neighbour(from),
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        let mut router = Router { aodv: self, node };
        match *timer {
            Timer::Forget(request) => router.node.state.seen.retain(|&seen| seen != request),
            Timer::Expire(destination) => router.expire(destination),
            Timer::Remove(destination) => router.node.state.routes.remove(destination),
            Timer::Retry(destination) => router.retry(destination),
            Timer::Hello => router.say_hello(),
            Timer::Miss(neighbour) => router.miss_neighbour(neighbour),
            Timer::Wake => router.wake(),
            Timer::Unacknowledged(neighbour) => router.blacklist(neighbour),
            Timer::Pardon(neighbour) => {
                router.node.state.blacklist.retain(|&listed| listed != neighbour)
            }
            Timer::Second => router.end_second(),
            Timer::Drop(source, number) => router.drop_waiting(source, number),
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Command) {
        let mut router = Router { aodv: self, node };
        match *command {
            Command::Seek(destination) => router.seek(destination),
            Command::Send(destination) => router.send_data(destination),
        }
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &Message) {
        Router { aodv: self, node }.on_undeliverable(to, message);
    }

    fn commands(&self, me: NodeId, state: &RouterState) -> Vec<Command> {
        let asks = self.requests_max.is_none_or(|most| state.next_request <= most);
        let sends = state.sent < self.packets_max;
        let mut commands = Vec::new();
        if me.index() >= self.sources {
            return commands;
        }
        for &destination in self.destinations.iter().filter(|&&destination| destination != me) {
            if asks && state.routes.valid(destination).is_none() {
                commands.push(Command::Seek(destination));
            }
            if sends {
                commands.push(Command::Send(destination));
            }
        }
        commands
    }
}
