//! The RIP router: its state and its handlers.

use std::{fmt, time::Duration};

use everypath_model::{
    Never, Node, NodeId, Protocol, Start, data, handlers,
    serde::{Deserialize, Serialize},
};

use super::{Entry, INFINITY, Message, NEAREST, Route, RoutingTable};

/// The announcement of routes to the neighbour that they lead through (RFC 2453, 3.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitHorizon {
    /// As to all neighbours.
    Off,
    /// No announcement.
    Simple,
    /// Announced as unreachable.
    PoisonedReverse,
}

impl SplitHorizon {
    /// The kinds with their names, as options of a parameter.
    pub const WORDS: [(&'static str, Self); 3] = [
        ("none", Self::Off),
        ("simple", Self::Simple),
        ("poisoned-reverse", Self::PoisonedReverse),
    ];
}

/// Durations (RFC 2453, 3.8 and 3.10.1). An exploration has no clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The interval between full updates.
    pub update: Duration,
    /// The time without news after which a route becomes invalid.
    pub timeout: Duration,
    /// How long an invalid route is still announced.
    pub garbage: Duration,
    /// The least time between triggered updates.
    pub hold_off: Duration,
}

impl Default for Times {
    /// The values of RFC 2453, with the mean of the 1 to 5 s between triggered updates.
    fn default() -> Self {
        Self {
            update: Duration::from_secs(30),
            timeout: Duration::from_secs(180),
            garbage: Duration::from_secs(120),
            hold_off: Duration::from_secs(3),
        }
    }
}

/// Distance vector routing.
#[derive(Clone, Debug)]
pub struct DistanceVector {
    /// The announcement of routes to the neighbour that they lead through.
    pub split_horizon: SplitHorizon,
    /// Whether changes are announced at once, not only with the next periodic update.
    pub triggered: bool,
    /// Whether a starting node asks its neighbours for all their routes.
    pub asks: bool,
    /// The smallest metric that counts as unreachable, and becomes [`INFINITY`].
    pub infinity: u8,
    /// The nodes whose networks are announced.
    pub destinations: Vec<NodeId>,
    /// The durations.
    pub times: Times,
}

impl DistanceVector {
    /// The router of the standard.
    #[must_use]
    pub fn new(destinations: Vec<NodeId>) -> Self {
        Self {
            split_horizon: SplitHorizon::PoisonedReverse,
            triggered: true,
            asks: true,
            infinity: INFINITY,
            destinations,
            times: Times::default(),
        }
    }

    /// The announcement of a route to a neighbour, if any (RFC 2453, 3.10.2).
    #[must_use]
    pub fn announced(&self, route: &Route, to: NodeId) -> Option<Entry> {
        let Route { destination, metric, next, .. } = *route;
        match self.split_horizon {
            SplitHorizon::Simple if next == to => None,
            SplitHorizon::PoisonedReverse if next == to => {
                Some(Entry { destination, metric: INFINITY })
            }
            _ => Some(Entry { destination, metric }),
        }
    }

    /// The metric here of a neighbour's entry: one hop more, if it is valid (RFC 2453, 3.9.2).
    #[must_use]
    pub fn offered(&self, entry: Entry) -> Option<Entry> {
        let metric = match entry.metric {
            NEAREST..INFINITY if entry.metric + 1 < self.infinity => entry.metric + 1,
            NEAREST..=INFINITY => INFINITY,
            _ => return None,
        };
        Some(Entry { metric, ..entry })
    }
}

/// The state of a router.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct RouterState {
    /// Its routing table.
    pub routes: RoutingTable,
    /// Whether it must wait before it sends the next triggered update.
    pub holds_off: bool,
}

impl fmt::Debug for RouterState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Router");
        shown.field("routes", &self.routes);
        if self.holds_off {
            shown.field("holds_off", &true);
        }
        shown.finish()
    }
}

/// The timers of a router.
#[data]
pub enum Timer {
    /// The next full update is due.
    Update,
    /// The next triggered update can be sent.
    Trigger,
    /// There was no news of a route for too long.
    Timeout(NodeId),
    /// An invalid route need not be announced any longer.
    Garbage(NodeId),
}

/// A router at work: one handler execution.
struct Router<'a, 'n> {
    protocol: &'a DistanceVector,
    node: &'a mut Node<'n, DistanceVector>,
}

/// The routes in a response.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    All,
    Changed,
}

impl Router<'_, '_> {
    fn respond(&mut self, to: NodeId, about: About) {
        let routes = self.node.state.routes.0.iter();
        let meant = routes.filter(|route| about == About::All || route.changed);
        let entries: Vec<Entry> =
            meant.filter_map(|route| self.protocol.announced(route, to)).collect();
        if !entries.is_empty() {
            self.node.count("responses");
            self.node.send(to, Message::Response(entries));
        }
    }

    /// Sends an update to all neighbours; no change is pending afterwards.
    fn update(&mut self, about: About) {
        for neighbour in self.node.neighbours().to_vec() {
            self.respond(neighbour, about);
        }
        self.node.state.routes.0.iter_mut().for_each(|route| route.changed = false);
    }

    /// Sends the changes, unless it must wait (RFC 2453, 3.10.1).
    fn tell_changes(&mut self) {
        let has_news = self.node.state.routes.0.iter().any(|route| route.changed);
        if !self.protocol.triggered || self.node.state.holds_off || !has_news {
            return;
        }
        self.update(About::Changed);
        self.node.state.holds_off = true;
        self.node.set_timer(Timer::Trigger, self.protocol.times.hold_off);
    }

    fn hear(&mut self, from: NodeId, entry: Entry) {
        let Some(offer) = self.protocol.offered(entry) else {
            return;
        };
        let destination = offer.destination;
        if self.node.state.routes.is_changed_by(from, offer) {
            self.adopt(from, offer);
        } else if let Some(route) = self.node.state.routes.get(destination)
            && route.next == from
            && route.is_usable()
        {
            self.node.set_timer(Timer::Timeout(destination), self.protocol.times.timeout);
        }
    }

    fn adopt(&mut self, from: NodeId, offer: Entry) {
        let Entry { destination, metric } = offer;
        self.node.count("route changes");
        self.node.state.routes.put(Route { destination, metric, next: from, changed: true });
        if metric == INFINITY {
            self.start_deletion(destination);
        } else {
            self.node.end("time to a route", pair(self.node.id, destination));
            self.node.set_timer(Timer::Timeout(destination), self.protocol.times.timeout);
            self.node.cancel_timer(&Timer::Garbage(destination));
        }
    }

    /// Makes an existing route invalid (RFC 2453, 3.8).
    fn start_deletion(&mut self, destination: NodeId) {
        if let Some(route) = self.node.state.routes.get_mut(destination) {
            route.metric = INFINITY;
            route.changed = true;
        }
        self.node.cancel_timer(&Timer::Timeout(destination));
        self.node.set_timer(Timer::Garbage(destination), self.protocol.times.garbage);
    }
}

/// A number for a node and a destination.
fn pair(node: NodeId, destination: NodeId) -> u64 {
    u64::from(node.0) << 32 | u64::from(destination.0)
}

#[handlers]
impl Protocol for DistanceVector {
    type State = RouterState;
    type Message = Message;
    type Timer = Timer;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> RouterState {
        let me = node.id;
        let mut routes = RoutingTable::default();
        for &destination in &self.destinations {
            if destination == me {
                routes.put(Route { destination, metric: NEAREST, next: me, changed: false });
            } else {
                node.begin("time to a route", pair(me, destination));
            }
        }
        node.set_timer(Timer::Update, self.times.update);
        if self.asks {
            node.broadcast(Message::Request);
        }
        RouterState { routes, holds_off: false }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let mut router = Router { protocol: self, node };
        match message {
            Message::Request => router.respond(from, About::All),
            Message::Response(entries) => {
                entries.iter().for_each(|&entry| router.hear(from, entry));
                router.tell_changes();
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        let mut router = Router { protocol: self, node };
        match *timer {
            Timer::Update => {
                router.update(About::All);
                router.node.set_timer(Timer::Update, self.times.update);
            }
            Timer::Trigger => {
                router.node.state.holds_off = false;
                router.tell_changes();
            }
            Timer::Timeout(destination) => {
                router.node.count("route changes");
                router.start_deletion(destination);
                router.tell_changes();
            }
            Timer::Garbage(destination) => router.node.state.routes.remove(destination),
        }
    }
}
