//! Forwarding of data packets.

use std::time::Duration;

use everypath_model::{NodeId, Record};

use super::{Data, Timer, messages::DATA_TTL, router::Router};

/// One in this many packets of a source is compared with the shortest path. For a hundred nodes
/// that takes half a per cent of the time of a simulation.
const PACKETS_COMPARED: u32 = 16;

impl Router<'_, '_> {
    /// Sends a packet of data that originates here.
    pub(super) fn send_data(&mut self, destination: NodeId) {
        let number = self.node.state.sent;
        self.node.state.sent += 1;
        let data =
            Data { source: self.node.id, destination, number, ttl: DATA_TTL, visited: Vec::new() };
        self.node.count("data sent");
        self.node.begin("delay", data.key());
        self.route_own(data);
    }

    /// Sends a packet that originates here if there is a route; otherwise starts a discovery.
    pub(super) fn route_own(&mut self, data: Data) {
        let destination = data.destination;
        if self.node.state.routes.valid(destination).is_some() {
            self.forward(data);
        } else {
            self.wait(data);
            self.seek(destination);
        }
    }

    /// Lets a packet wait for a route; if there are too many, the oldest is dropped.
    pub(super) fn wait(&mut self, data: Data) {
        if self.node.state.waiting.len() == self.times().buffer_packets {
            let oldest = self.node.state.waiting.remove(0);
            self.unset_drop(&oldest);
            self.node.count_drop("data dropped", "too many packets wait for routes");
        }
        if let Some(time) = self.times().buffer_time {
            self.node.set_timer(Timer::Drop(data.source, data.number), time);
        }
        self.node.state.waiting.push(data);
    }

    /// Removes the packets that wait for a route to a destination.
    pub(super) fn take_waiting(&mut self, destination: NodeId) -> Vec<Data> {
        let is_for = |data: &Data| data.destination == destination;
        if !self.node.state.waiting.iter().any(is_for) {
            return Vec::new();
        }
        let all = std::mem::take(&mut self.node.state.waiting);
        let (taken, waiting) = all.into_iter().partition(is_for);
        self.node.state.waiting = waiting;
        for data in &taken {
            self.unset_drop(data);
        }
        taken
    }

    fn unset_drop(&mut self, data: &Data) {
        if self.times().buffer_time.is_some() {
            self.node.cancel_timer(&Timer::Drop(data.source, data.number));
        }
    }

    /// A packet has waited for too long.
    pub(super) fn drop_waiting(&mut self, source: NodeId, number: u32) {
        self.node.state.waiting.retain(|data| (data.source, data.number) != (source, number));
        self.node.count_drop("data dropped", "no route was found in time");
    }

    pub(super) fn on_data(&mut self, from: NodeId, data: &Data) {
        self.node.state.revisited |= data.visited.contains(&self.node.id);
        if !self.node.state.quiet {
            self.prolong_back(from);
            self.prolong_back(data.source);
        }
        if data.destination == self.node.id {
            self.data_came_from(from);
            return self.measure_delivery(data);
        }
        if data.source == self.node.id && self.rules().drop_returned {
            return self.node.count_drop("data dropped", "it came back to its source");
        }
        if self.node.state.quiet {
            // Nodes that route through a rebooted node must learn that it is too early (6.13).
            self.node.set_timer(Timer::Wake, self.times().delete_period);
            let neighbours = self.node.neighbours().to_vec();
            return self.refuse(data.destination, &neighbours);
        }
        if data.ttl <= 1 {
            return self.node.count_drop("data dropped", "too many hops");
        }
        let data = Data { ttl: data.ttl - 1, ..data.clone() };
        self.data_came_from(from);
        if self.node.state.routes.valid(data.destination).is_some() {
            self.forward(data);
        } else if self.is_seeking(data.destination) {
            self.wait(data);
        } else {
            self.node.count_drop("data dropped", "no route");
            self.refuse_data(from, &data);
        }
    }

    fn measure_delivery(&mut self, data: &Data) {
        let hops = u32::from(data.hops()) + 1;
        let by = self.aodv.payload_bytes as u64;
        self.node.count("data delivered");
        self.node.record(Record::Count { name: "bytes delivered", by });
        self.node.end("delay", data.key());
        self.node.sample("hops", f64::from(hops));
        if data.number.is_multiple_of(PACKETS_COMPARED) {
            self.node.route("hops beyond the shortest", data.source, hops);
        }
    }

    /// Sends a packet to the next hop of a valid route, and prolongs the routes that it uses (6.2).
    pub(super) fn forward(&mut self, mut data: Data) {
        let route = self.node.state.routes.valid(data.destination).expect("there is a route");
        let next = route.next;
        let lifetime = self.times().active_route_timeout;
        self.prolong(data.destination, lifetime);
        self.prolong(next, lifetime);
        self.data_goes_to(next, data.source);
        if self.aodv.traced {
            data.visited.push(self.node.id);
        }
        self.node.count("data transmissions");
        self.node.send(next, super::Message::Data(data));
    }

    /// Prolongs the route towards the source of a packet, since it is used (6.2, 6.7).
    pub(super) fn prolong_back(&mut self, destination: NodeId) {
        if self.rules().reverse_expires {
            self.prolong(destination, self.times().active_route_timeout);
        }
    }

    /// Prolongs the lifetime of a valid route to at least this duration.
    pub(super) fn prolong(&mut self, destination: NodeId, lifetime: Duration) {
        if self.node.state.routes.valid(destination).is_some() {
            self.node.prolong_timer(Timer::Expire(destination), lifetime);
        }
    }
}
