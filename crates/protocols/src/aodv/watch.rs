//! Hellos and neighbours (RFC 3561, 6.9).

use std::time::Duration;

use everypath_model::NodeId;

use super::{
    Hello, Message, NeighbourRoutes, Request, Route, SequenceNumber, Timer, Watch, router::Router,
};

impl Router<'_, '_> {
    pub(super) fn start_hello(&mut self) {
        if self.rules().hello != Hello::Off {
            self.node.set_timer(Timer::Hello, self.times().hello_interval);
        }
    }

    pub(super) fn say_hello(&mut self) {
        let wanted = match self.rules().hello {
            Hello::Off => false,
            Hello::WithRoutes => self.node.state.routes.all_valid().next().is_some(),
            Hello::Always => true,
        };
        let was_heard = self.node.state.was_heard && !self.rules().hello_after_request;
        if wanted && !was_heard && !self.node.state.quiet {
            self.node.count("HELLO transmissions");
            self.broadcast(Message::Hello { number: self.node.state.number });
        }
        self.node.state.was_heard = false;
        self.start_hello();
    }

    pub(super) fn on_hello(&mut self, from: NodeId, number: SequenceNumber) {
        let lifetime = self.times().neighbour_timeout();
        self.prove(from, lifetime);
        if !self.rules().hello_makes_route {
            return;
        }
        let route = self.node.state.routes.entry(from, self.aodv.order);
        if route.is_improved_by(number, 1) || !route.is_valid() {
            let number = if route.known { number.newest(route.number) } else { number };
            self.learn(from, Some(number), 1, from, Some(lifetime));
        } else {
            self.prolong(from, lifetime);
        }
    }

    /// A neighbour is alive, for at least this duration.
    fn prove(&mut self, neighbour: NodeId, lifetime: Duration) {
        self.node.prolong_timer(Timer::Miss(neighbour), lifetime);
        if let Err(place) = self.node.state.neighbours.binary_search(&neighbour) {
            self.node.state.neighbours.insert(place, neighbour);
        }
    }

    /// Data from a neighbour show that it is alive (ns-3).
    pub(super) fn data_came_from(&mut self, neighbour: NodeId) {
        if self.is_choosy() {
            self.prove(neighbour, self.times().active_route_timeout);
        }
    }

    /// Sending data to a neighbour counts as having heard from it (ns-3).
    pub(super) fn data_goes_to(&mut self, neighbour: NodeId, source: NodeId) {
        if !self.rules().data_proves_link || self.rules().hello == Hello::Off {
            return;
        }
        match self.rules().watch {
            Watch::Requests if source == self.node.id => {}
            Watch::Requests => self.prove(neighbour, self.times().active_route_timeout),
            Watch::Heard if !self.node.state.neighbours.contains(&neighbour) => {}
            Watch::Heard => {
                self.node.set_timer(Timer::Miss(neighbour), self.times().neighbour_timeout());
            }
        }
    }

    /// A new request shows that the neighbour that transmitted it is alive (ns-3), and makes a
    /// route to it without a known number.
    pub(super) fn learn_transmitter(&mut self, from: NodeId, request: &Request) {
        if !self.is_choosy() {
            return;
        }
        let lifetime = self.times().active_route_timeout;
        self.node.state.routes.entry(from, self.aodv.order).number = request.origin_number;
        self.node.cancel_timer(&Timer::Expire(from));
        self.learn(from, None, 1, from, Some(lifetime));
        self.prove(from, self.times().neighbour_timeout());
    }

    /// A message has come from a neighbour, so it is alive and has a route.
    pub(super) fn hear_of(&mut self, from: NodeId, message: &Message) {
        if self.rules().watch == Watch::Heard && self.node.state.neighbours.contains(&from) {
            self.node.set_timer(Timer::Miss(from), self.times().neighbour_timeout());
        }
        if self.is_choosy()
            && matches!(message, Message::Reply(reply) if reply.origin == self.node.id)
        {
            self.prove(from, self.times().neighbour_timeout());
        }
        let any = self.rules().neighbour_routes == NeighbourRoutes::Always;
        let says_so = match message {
            Message::Request(_) | Message::Reply(_) => true,
            Message::Unreachable(_) | Message::Hello { .. } | Message::Acknowledgement => any,
            Message::Data(_) | Message::Reset => false,
        };
        let lifetime = self.times().active_route_timeout;
        let route = self.node.state.routes.get(from);
        let valid = route.is_some_and(Route::is_valid);
        let direct = route.is_some_and(|route| route.hops == 1 && (valid || route.known));
        match self.rules().neighbour_routes {
            NeighbourRoutes::Off => {}
            _ if !says_so => {}
            NeighbourRoutes::IfNone | NeighbourRoutes::KeepNumber if valid => {
                self.prolong(from, lifetime);
            }
            NeighbourRoutes::Always if direct => self.prolong(from, lifetime),
            NeighbourRoutes::IfNone => self.learn(from, None, 1, from, Some(lifetime)),
            NeighbourRoutes::KeepNumber => {
                let number = route.and_then(Route::known_number);
                self.learn(from, number, 1, from, Some(lifetime));
            }
            NeighbourRoutes::Always => {
                self.forget_users(from);
                self.node.state.routes.entry(from, self.aodv.order).number =
                    SequenceNumber::default();
                self.learn(from, None, 1, from, Some(lifetime));
            }
        }
    }

    /// Whether neighbours are watched as in ns-3.
    pub(super) fn is_choosy(&self) -> bool {
        self.rules().watch == Watch::Requests && self.rules().hello != Hello::Off
    }

    /// A neighbour was silent for too long. J-Sim keeps the routes over it.
    pub(super) fn miss_neighbour(&mut self, neighbour: NodeId) {
        if self.rules().silence_breaks_link {
            self.lose_neighbour(neighbour);
        } else {
            self.delete_neighbour(neighbour);
        }
    }

    /// A neighbour is lost: the link layer reports it, or it was silent for too long.
    pub(super) fn lose_neighbour(&mut self, neighbour: NodeId) {
        self.delete_neighbour(neighbour);
        self.break_link(neighbour, None);
    }

    fn delete_neighbour(&mut self, neighbour: NodeId) {
        self.node.cancel_timer(&Timer::Miss(neighbour));
        self.node.state.neighbours.retain(|&known| known != neighbour);
    }
}
