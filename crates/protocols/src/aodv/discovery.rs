//! Route discovery: requests and replies (RFC 3561, 6.3 to 6.7).

use std::time::Duration;

use everypath_model::{Ignored, NodeId};

use super::{
    Discovery, Message, NO_HOPS, Reply, ReplyNumber, Request, RequestId, ReverseRoute, Route,
    SequenceNumber, Standing, Timer, router::Router,
};

impl Router<'_, '_> {
    /// Starts a route discovery, unless there is one already.
    pub(super) fn seek(&mut self, destination: NodeId) {
        let ttl = self.first_ttl(destination);
        self.discover(Discovery::new(destination, ttl, None));
    }

    /// How far the first request goes: a little farther than the destination was (6.4).
    fn first_ttl(&self, destination: NodeId) -> u8 {
        let times = self.times();
        match self.node.state.routes.get(destination) {
            _ if !self.rules().expanding_ring => times.net_diameter,
            Some(route) if route.hops != NO_HOPS && self.rules().wide_first_ring => {
                route.hops.saturating_add(times.ttl_increment).min(times.net_diameter)
            }
            Some(route) if route.hops != NO_HOPS => times.next_ttl(route.hops),
            _ => times.ttl_start,
        }
    }

    pub(super) fn discover(&mut self, discovery: Discovery) {
        let destination = discovery.destination;
        if self.is_seeking(destination) || self.node.state.quiet {
            return;
        }
        if self.rules().request_makes_entry {
            self.node.state.routes.entry(destination, self.aodv.order);
        }
        let order = self.aodv.order;
        order.insert(&mut self.node.state.discoveries, discovery, |sought| sought.destination);
        self.request(destination);
    }

    pub(super) fn is_seeking(&self, destination: NodeId) -> bool {
        self.node.state.discoveries.iter().any(|sought| sought.destination == destination)
    }

    /// The discovery of a route to a destination, if there is one.
    fn discovery(&mut self, destination: NodeId) -> Option<&mut Discovery> {
        self.node.state.discoveries.iter_mut().find(|sought| sought.destination == destination)
    }

    /// Sends the next request of a discovery, unless the rate limit forbids it.
    pub(super) fn request(&mut self, destination: NodeId) {
        let postponed = !self.may_request();
        let sought = self.discovery(destination).expect("it is being sought");
        sought.postponed = postponed;
        if postponed {
            return;
        }
        let Discovery { ttl, failures, repairs, .. } = *sought;
        let id = self.node.state.next_request;
        self.node.state.next_request += 1;
        self.node.state.number = self.node.state.number.plus(self.rules().own_number_step);
        let route = self.node.state.routes.get(destination);
        let request = Request {
            request: RequestId { origin: self.node.id, id },
            origin_number: self.node.state.number,
            destination,
            number: route.and_then(Route::known_number),
            hops: 0,
            ttl,
            gratuitous: self.rules().gratuitous_reply,
            destination_only: !self.rules().intermediate_reply,
        };
        self.transmit(request);
        if self.rules().retries.is_some() || repairs.is_some() {
            let wait = self.times().ring_traversal_time(ttl) * (1 << failures.min(16));
            self.node.set_timer(Timer::Retry(destination), wait);
        }
    }

    fn transmit(&mut self, request: Request) {
        self.node.count("RREQ transmissions");
        self.broadcast(Message::Request(request));
        if self.rules().hello_after_request {
            self.start_hello();
        }
    }

    /// A request was not answered in time.
    pub(super) fn retry(&mut self, destination: NodeId) {
        if self.node.state.routes.valid(destination).is_some() {
            // The route came without a reply, and waiting packets were not sent at once.
            self.end_discovery(destination);
            return self.send_waiting(destination);
        }
        let retries = self.rules().retries.unwrap_or(0);
        let times = &self.aodv.times;
        let Some(sought) = self.discovery(destination) else { return };
        if sought.repairs.is_some() {
            return self.give_up(destination);
        }
        if sought.ttl < times.net_diameter {
            sought.ttl = times.next_ttl(sought.ttl);
        } else if sought.failures < retries {
            sought.failures += 1;
        } else {
            return self.give_up(destination);
        }
        self.request(destination);
    }

    /// Gives up a discovery: packets that wait for the route are dropped.
    fn give_up(&mut self, destination: NodeId) {
        let Some(sought) = self.end_discovery(destination) else { return };
        for _ in self.take_waiting(destination) {
            self.node.count_drop("data without a route", "no route was found");
        }
        if self.rules().forget_unfound {
            self.node.state.routes.remove(destination);
            self.node.cancel_timer(&Timer::Remove(destination));
        }
        if sought.repairs.is_some() {
            self.repair_failed(destination);
        }
    }

    fn end_discovery(&mut self, destination: NodeId) -> Option<Discovery> {
        let mut discoveries = self.node.state.discoveries.iter();
        let place = discoveries.position(|sought| sought.destination == destination)?;
        self.node.cancel_timer(&Timer::Retry(destination));
        Some(self.node.state.discoveries.remove(place))
    }

    pub(super) fn on_request(&mut self, from: NodeId, request: &Request) {
        let RequestId { origin, .. } = request.request;
        if origin == self.node.id || self.node.state.seen.contains(&request.request) {
            return;
        }
        self.aodv.order.insert(&mut self.node.state.seen, request.request, |&seen| seen);
        self.node.set_timer(Timer::Forget(request.request), self.times().path_discovery_time());
        self.learn_reverse(from, request);
        self.learn_transmitter(from, request);
        if self.node.state.quiet {
            return;
        }
        if request.destination == self.node.id {
            self.answer_as_destination(request);
        } else if self.is_of_next_hop(from, request) {
            // ns-3: according to its comment, an answer would make a loop.
        } else if self.can_answer(request) {
            self.answer_for_destination(from, request);
        } else if request.ttl > 1 {
            self.pass_on(request);
        }
    }

    /// Whether to drop a request because it comes from the next hop to the destination.
    fn is_of_next_hop(&self, from: NodeId, request: &Request) -> bool {
        let route = self.node.state.routes.get(request.destination);
        self.rules().drop_request_of_next_hop
            && route.is_some_and(|route| route.hops != NO_HOPS && route.next == from)
    }

    /// Learns the route back to the origin of a request (6.5).
    fn learn_reverse(&mut self, from: NodeId, request: &Request) {
        let RequestId { origin, .. } = request.request;
        let hops = request.hops.saturating_add(1);
        let seeking = self.is_seeking(origin);
        let route = self.node.state.routes.entry(origin, self.aodv.order);
        let was_invalid = seeking || !route.is_valid() && route.hops != NO_HOPS;
        let improved = route.is_improved_by(request.origin_number, hops);
        let number = match self.aodv.rules.reverse_route {
            ReverseRoute::IfFresher if !improved => return,
            ReverseRoute::IfFresher => request.origin_number,
            ReverseRoute::Always if route.known => route.number.newest(request.origin_number),
            ReverseRoute::Always => request.origin_number,
        };
        let lifetime = self.rules().reverse_expires.then(|| self.times().reverse_route_life(hops));
        if self.rules().reply_over_invalid && was_invalid {
            let route = self.node.state.routes.entry(origin, self.aodv.order);
            (route.number, route.known, route.hops, route.next) = (number, true, hops, from);
            if let Some(lifetime) = lifetime {
                self.node.prolong_timer(Timer::Remove(origin), lifetime);
            }
            return;
        }
        self.learn(origin, Some(number), hops, from, lifetime);
    }

    /// The route back to the origin, if a reply can take it.
    fn route_back(&self, origin: NodeId) -> Option<&Route> {
        let route = self.node.state.routes.get(origin)?;
        let over_invalid =
            self.rules().reply_over_invalid && route.hops != NO_HOPS && !self.is_seeking(origin);
        (route.is_valid() || over_invalid).then_some(route)
    }

    /// Inserts a valid route.
    pub(super) fn learn(
        &mut self,
        destination: NodeId,
        number: Option<SequenceNumber>,
        hops: u8,
        next: NodeId,
        lifetime: Option<Duration>,
    ) {
        let route = self.node.state.routes.entry(destination, self.aodv.order);
        route.number = number.unwrap_or(route.number);
        route.known = number.is_some();
        route.hops = hops;
        route.next = next;
        route.standing = Standing::Valid;
        if self.rules().remove_invalid {
            self.node.cancel_timer(&Timer::Remove(destination));
        }
        if let Some(lifetime) = lifetime {
            self.node.prolong_timer(Timer::Expire(destination), lifetime);
        }
        if self.rules().send_at_once {
            self.send_waiting(destination);
        }
    }

    /// Whether this node's own route is fresh enough to answer with (6.6.2).
    fn can_answer(&self, request: &Request) -> bool {
        !request.destination_only
            && self.node.state.routes.valid(request.destination).is_some_and(|route| {
                let fresh_enough = |wanted: SequenceNumber| !wanted.is_newer_than(route.number);
                route.known && request.number.is_none_or(fresh_enough)
            })
    }

    fn answer_as_destination(&mut self, request: &Request) {
        let wanted = request.number.unwrap_or_default();
        let own = self.node.state.number;
        let newest = request.number.map_or(own, |wanted| own.newest(wanted));
        self.node.state.number = match self.rules().reply_number {
            ReplyNumber::Newest => newest,
            ReplyNumber::IfNext if own.plus(1) == wanted => wanted,
            ReplyNumber::IfNext => own,
            ReplyNumber::NextEven => newest.plus(1).rounded_to_even(),
        };
        self.reply(Reply {
            destination: self.node.id,
            number: self.node.state.number,
            hops: 0,
            origin: request.request.origin,
            ttl: self.reply_ttl(request.request.origin),
            acknowledge: false,
            lifetime: Ignored(self.times().my_route_timeout),
        });
    }

    /// The remaining lifetime of a route; without a clock, that of a route used now.
    fn life_left(&self, destination: NodeId) -> Ignored<Duration> {
        let left = self.node.time_left(&Timer::Expire(destination));
        Ignored(left.unwrap_or(self.times().active_route_timeout))
    }

    fn answer_for_destination(&mut self, from: NodeId, request: &Request) {
        let RequestId { origin, .. } = request.request;
        let destination = request.destination;
        let forward = self.node.state.routes.valid(destination).expect("it can answer").clone();
        self.note_user(destination, from);
        self.note_user(origin, forward.next);
        self.reply(Reply {
            destination,
            number: forward.number,
            hops: forward.hops,
            origin,
            ttl: self.reply_ttl(origin),
            acknowledge: false,
            lifetime: self.life_left(destination),
        });
        if let (true, Some(reverse)) = (request.gratuitous, self.route_back(origin)) {
            self.reply(Reply {
                destination: origin,
                number: request.origin_number,
                hops: reverse.hops,
                origin: destination,
                ttl: self.reply_ttl(destination),
                acknowledge: false,
                lifetime: self.life_left(origin),
            });
        }
    }

    /// How far a reply may go: to the origin, if all replies are forwarded. Otherwise replies end
    /// where they bring no better route.
    fn reply_ttl(&self, origin: NodeId) -> Option<u8> {
        let route = self.node.state.routes.get(origin).filter(|_| self.rules().pass_on_all_replies);
        route.map(|route| route.hops)
    }

    /// Sends a reply towards the origin.
    fn reply(&mut self, reply: Reply) {
        let origin = reply.origin;
        let next = self.route_back(origin).map(|route| route.next);
        let to = if self.rules().late_addressing { Some(origin) } else { next };
        let Some(to) = to else { return };
        if self.rules().replies_need_route && self.node.state.routes.valid(to).is_none() {
            return self.seek(to);
        }
        let acknowledge = self.wants_acknowledgements();
        self.node.count("RREP transmissions");
        self.node.send(to, Message::Reply(Reply { acknowledge, ..reply }));
        self.await_acknowledgement(next.unwrap_or(to));
    }

    fn pass_on(&mut self, request: &Request) {
        let own = self.node.state.routes.get(request.destination).and_then(Route::known_number);
        let number = match (own, request.number) {
            (Some(own), Some(wanted)) => Some(own.newest(wanted)),
            (own, wanted) => own.or(wanted),
        };
        let hops = request.hops.saturating_add(1);
        self.transmit(Request { number, hops, ttl: request.ttl - 1, ..request.clone() });
    }

    pub(super) fn on_reply(&mut self, from: NodeId, reply: &Reply) {
        if reply.acknowledge {
            self.acknowledge(from);
        }
        if reply.destination == self.node.id {
            return;
        }
        let hops = reply.hops.saturating_add(1);
        let wanted = self.rules().pass_on_all_replies
            && reply.origin == self.node.id
            && self.is_seeking(reply.destination)
            && self.node.state.routes.valid(reply.destination).is_none();
        let route = self.node.state.routes.entry(reply.destination, self.aodv.order);
        if wanted || route.is_improved_by(reply.number, hops) {
            self.learn_reply(from, reply, hops);
        } else if !self.rules().pass_on_all_replies {
            return;
        }
        if reply.origin == self.node.id || self.node.state.quiet {
            return;
        }
        let Some(reverse) = self.route_back(reply.origin) else { return };
        let user = reverse.next;
        if self.node.state.routes.valid(reply.destination).is_some() {
            self.note_user(reply.destination, user);
            self.note_user(from, user);
        }
        self.prolong_back(reply.origin);
        if reply.ttl.is_some_and(|ttl| ttl < 2) {
            return;
        }
        let ttl = reply.ttl.map(|ttl| ttl - 1);
        self.reply(Reply { hops, ttl, ..reply.clone() });
    }

    /// Learns the route that a reply offers.
    fn learn_reply(&mut self, from: NodeId, reply: &Reply, hops: u8) {
        let destination = reply.destination;
        let ends = self.rules().send_at_once || reply.origin == self.node.id;
        let repaired = if ends { self.end_discovery(destination) } else { None };
        let repaired = repaired.and_then(|sought| sought.repairs);
        self.forget_users(destination);
        // It has the lifetime of the reply, even if the old route had a longer one (6.7).
        self.node.cancel_timer(&Timer::Expire(destination));
        self.learn(destination, Some(reply.number), hops, from, Some(*reply.lifetime));
        if reply.origin == self.node.id {
            self.send_waiting(destination);
        }
        if let Some(before) = repaired {
            self.repair_succeeded(destination, before);
        }
    }

    /// A route replaces another, and may forget the users of that.
    pub(super) fn forget_users(&mut self, destination: NodeId) {
        if self.rules().forget_users
            && let Some(route) = self.node.state.routes.get_mut(destination)
        {
            route.precursors.clear();
        }
    }

    /// Remembers that a neighbour uses a route through this node.
    fn note_user(&mut self, destination: NodeId, user: NodeId) {
        if self.rules().errors
            && let Some(route) = self.node.state.routes.get_mut(destination)
        {
            route.add_precursor(user);
        }
    }

    /// Sends the packets that waited for a route.
    fn send_waiting(&mut self, destination: NodeId) {
        for data in self.take_waiting(destination) {
            self.forward(data);
        }
    }
}
