//! Route maintenance: lifetimes, broken links, errors and repairs (RFC 3561, 6.8 to 6.13).

use everypath_model::NodeId;

use super::{
    Data, Discovery, Message, NO_HOPS, Route, RoutingTable, Rules, SequenceNumber, Standing, Timer,
    Unreachable, router::Router,
};

impl Router<'_, '_> {
    /// The quiet time after a reboot is over: discoveries for waiting packets can start.
    pub(super) fn wake(&mut self) {
        self.node.state.quiet = false;
        let waiting: Vec<NodeId> =
            self.node.state.waiting.iter().map(|data| data.destination).collect();
        for destination in waiting {
            self.seek(destination);
        }
    }

    /// The lifetime of a route is over.
    pub(super) fn expire(&mut self, destination: NodeId) {
        if self.rules().remove_expired {
            self.node.state.routes.remove(destination);
        } else {
            self.invalidate(destination, None);
        }
    }

    /// Makes a route invalid, with the given number or a raised one.
    fn invalidate(&mut self, destination: NodeId, number: Option<SequenceNumber>) {
        let rules = &self.aodv.rules;
        let Some(route) = self.node.state.routes.get_mut(destination) else { return };
        route.standing = Standing::Invalid;
        if let Some(number) = number {
            route.number = number;
        } else if rules.increment_on_invalidation && route.known {
            route.number = route.number.plus(1);
        }
        if !rules.remember_path {
            route.hops = NO_HOPS;
            route.next = NodeId(0);
        }
        self.node.cancel_timer(&Timer::Expire(destination));
        if rules.remove_invalid {
            self.node.set_timer(Timer::Remove(destination), self.times().delete_period);
        }
    }

    /// The link layer could not deliver a message.
    pub(super) fn on_undeliverable(&mut self, to: NodeId, message: &Message) {
        let told = self.rules().link_feedback;
        if told && self.is_choosy() {
            self.lose_neighbour(to);
            if matches!(message, Message::Data(_)) {
                self.node.count_drop("data dropped", "the next hop is out of reach");
            }
            return;
        }
        let data = match message {
            Message::Data(data) if told => data,
            Message::Data(_) => {
                return self.node.count_drop("data dropped", "the next hop is out of reach");
            }
            Message::Reply(_) if told => return self.reply_failed(to),
            // Most of these are broadcasts, which no link layer acknowledges.
            _ => return,
        };
        if self.break_link(to, Some(data)) {
            return;
        }
        if !self.rules().salvage {
            self.node.count_drop("data dropped", "the next hop is out of reach");
        } else if data.source == self.node.id {
            self.route_own(data.clone());
        } else if self.is_seeking(data.destination) {
            self.wait(data.clone());
        } else {
            self.node.count_drop("data dropped", "the next hop is out of reach");
        }
    }

    /// A reply to a node could not be delivered to the next hop.
    fn reply_failed(&mut self, to: NodeId) {
        let late = self.rules().late_addressing;
        let route = self.node.state.routes.valid(to).filter(|_| late);
        let neighbour = route.map_or(to, |route| route.next);
        self.blacklist(neighbour);
        self.break_link(neighbour, None);
    }

    /// A link is broken: all routes over it become invalid, and their users are notified (6.11).
    /// The undeliverable packet, if any, may start a repair, for which it then waits; returns
    /// whether it does.
    pub(super) fn break_link(&mut self, neighbour: NodeId, undelivered: Option<&Data>) -> bool {
        let again = self.rules().announce_again;
        if again && self.node.state.routes.get(neighbour).is_none() {
            return false;
        }
        let over = |route: &&Route| {
            let counts = route.is_valid() || again && route.hops != NO_HOPS;
            counts && route.next == neighbour
        };
        let mut broken: Vec<NodeId> =
            self.node.state.routes.0.iter().filter(over).map(|route| route.destination).collect();
        let repaired = undelivered
            .filter(|data| broken.contains(&data.destination) && self.is_worth_repairing(data));
        if let Some(data) = repaired.filter(|_| self.rules().repair_second_half) {
            broken.retain(|&destination| destination == data.destination);
        }
        let mut told = Vec::new();
        for destination in broken {
            if self.node.state.routes.valid(destination).is_some() {
                self.invalidate(destination, None);
            }
            if repaired.is_none_or(|data| data.destination != destination) {
                told.push(destination);
            }
        }
        if let Some(data) = repaired {
            self.repair(data.clone());
        }
        let to_all = self.rules().errors_to_all && !told.is_empty();
        let also = if to_all { self.node.neighbours().to_vec() } else { Vec::new() };
        self.announce(told, &also);
        repaired.is_some()
    }

    /// Announces to the users of some routes, and perhaps others, that they are invalid.
    fn announce(&mut self, destinations: Vec<NodeId>, also: &[NodeId]) {
        if !self.rules().errors || self.node.state.quiet && also.is_empty() {
            return;
        }
        let mut listed = Vec::new();
        let mut users = also.to_vec();
        for destination in destinations {
            let keep = self.rules().announce_again;
            let route = self.node.state.routes.get_mut(destination);
            let precursors = route.map_or(Vec::new(), |route| match keep {
                true => route.precursors.clone(),
                false => std::mem::take(&mut route.precursors),
            });
            if !precursors.is_empty() || !also.is_empty() {
                let route = self.node.state.routes.get(destination);
                listed.push((destination, route.map_or(SequenceNumber(0), |route| route.number)));
            }
            users.extend(precursors);
        }
        self.tell(users, Unreachable { destinations: listed, repaired: false });
    }

    /// Sends an announcement to one user, or to all neighbours if there are several.
    fn tell(&mut self, mut users: Vec<NodeId>, unreachable: Unreachable) {
        users.sort_unstable();
        users.dedup();
        // ns-3 sends no announcement to a node without a route.
        let again = self.rules().announce_again;
        users.retain(|&user| !again || self.node.state.routes.valid(user).is_some());
        if users.is_empty() || !self.may_announce() {
            return;
        }
        self.node.count("RERR transmissions");
        let message = Message::Unreachable(unreachable);
        match users.as_slice() {
            [user] if !self.rules().errors_to_all => {
                self.node.send_within(*user, message, self.aodv.times.jitter)
            }
            _ => self.broadcast(message),
        }
    }

    /// Announces that a packet of data cannot be forwarded: to its sender, or towards its source.
    pub(super) fn refuse_data(&mut self, from: NodeId, data: &Data) {
        if !self.rules().refuse_towards_origin {
            return self.refuse(data.destination, &[from]);
        }
        if !self.may_announce() {
            return;
        }
        let route = self.node.state.routes.get(data.destination);
        let number = route.and_then(Route::known_number).unwrap_or_default();
        let destinations = vec![(data.destination, number)];
        self.node.count("RERR transmissions");
        let message = Message::Unreachable(Unreachable { destinations, repaired: false });
        match self.node.state.routes.valid(data.source) {
            Some(back) => self.node.send(back.next, message),
            None => self.node.broadcast(message),
        }
    }

    /// Announces that a packet cannot be forwarded to some nodes (6.11), with a raised number.
    pub(super) fn refuse(&mut self, destination: NodeId, told: &[NodeId]) {
        let Rules { increment_on_invalidation, remove_invalid, .. } = self.aodv.rules;
        let route = self.node.state.routes.get_mut(destination);
        if let Some(route) = route.filter(|route| !route.is_valid()) {
            if increment_on_invalidation && route.known {
                route.number = route.number.plus(1);
            }
            if remove_invalid {
                self.node.set_timer(Timer::Remove(destination), self.times().delete_period);
            }
        }
        self.announce(vec![destination], told);
    }

    pub(super) fn on_unreachable(&mut self, from: NodeId, unreachable: &Unreachable) {
        let again = self.rules().announce_again;
        let over = |routes: &RoutingTable, destination| {
            let route = routes.get(destination);
            let route = route.filter(|route| route.is_valid() || again && route.hops != NO_HOPS);
            route.filter(|route| route.next == from).cloned()
        };
        let mut lost = Vec::new();
        for &(destination, number) in &unreachable.destinations {
            let Some(route) = over(&self.node.state.routes, destination) else { continue };
            if unreachable.repaired {
                self.tell_of_repair(&route);
                continue;
            }
            // An old or unknown number must not make the own one older.
            let believed = self.rules().believe_errors && number.is_newer_than(route.number);
            if route.is_valid() {
                self.invalidate(destination, believed.then_some(number));
            }
            lost.push(destination);
        }
        self.announce(lost, &[]);
    }

    /// The distance of a node, or its last known distance.
    fn hops_to(&self, node: NodeId) -> u8 {
        self.node.state.routes.get(node).map_or(NO_HOPS, |route| route.hops)
    }

    /// Whether to repair a route: the destination is near (6.12), or nearer than the source (J-Sim),
    /// and there is no discovery for the node itself.
    fn is_worth_repairing(&self, data: &Data) -> bool {
        let hops = self.hops_to(data.destination);
        let near = match self.rules().repair_second_half {
            true => hops < data.hops(),
            false => hops <= self.times().max_repair_ttl(),
        };
        let foreign = data.source != self.node.id && !self.is_seeking(data.destination);
        self.rules().local_repair && foreign && near
    }

    fn repair(&mut self, data: Data) {
        let destination = data.destination;
        let Some(route) = self.node.state.routes.get_mut(destination) else { return };
        route.standing = Standing::Repairing;
        let hops = route.hops;
        let come = match self.hops_to(data.source) {
            NO_HOPS => 0,
            hops => hops / 2,
        };
        let ttl = hops.max(come).saturating_add(self.times().local_add_ttl);
        self.wait(data);
        self.discover(Discovery::new(destination, ttl, Some(hops)));
    }

    pub(super) fn repair_failed(&mut self, destination: NodeId) {
        if let Some(route) = self.node.state.routes.get_mut(destination) {
            route.standing = Standing::Invalid;
        }
        self.announce(vec![destination], &[]);
    }

    /// The repaired route is longer: users may look for a better one (6.12).
    pub(super) fn repair_succeeded(&mut self, destination: NodeId, hops_before: u8) {
        let Some(route) = self.node.state.routes.valid(destination) else { return };
        if route.hops > hops_before {
            let route = route.clone();
            self.tell_of_repair(&route);
        }
    }

    /// Announces to the users of a route that it was repaired and is only longer (6.12).
    fn tell_of_repair(&mut self, route: &Route) {
        let destinations = vec![(route.destination, route.number)];
        self.tell(route.precursors.clone(), Unreachable { destinations, repaired: true });
    }
}
