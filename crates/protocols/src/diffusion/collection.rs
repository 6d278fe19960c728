//! Data: sensing, and the way to the sinks.

use everypath_model::{NodeId, Record};

use super::{
    Data, EventId, Identity, InterestEntry, Kind, Message, Preference, Rate, Seen, Timer,
    node::Worker,
};
use crate::aodv::ListOrder;

impl Worker<'_, '_> {
    /// The environment shows the node an event.
    pub(super) fn on_stimulus(&mut self, kind: Kind) {
        // The number of shown events matters only if it is limited.
        if self.diffusion.events_max > 0 {
            self.node.state.shown = self.node.state.shown.saturating_add(1);
        }
        let is_exploratory =
            self.node.state.sensed.is_multiple_of(self.diffusion.exploratory_every);
        self.sense(kind, if is_exploratory { Rate::Exploratory } else { Rate::Reinforced });
    }

    pub(super) fn sense_exploratory(&mut self, kind: Kind) {
        self.sense(kind, Rate::Exploratory);
    }

    /// A target has emitted a stimulus near the node.
    pub(super) fn on_target(&mut self, kind: Kind, number: u32) {
        let is_exploratory = number.is_multiple_of(self.diffusion.exploratory_every);
        let rate = if is_exploratory { Rate::Exploratory } else { Rate::Reinforced };
        if self.is_of_interest(kind) {
            self.describe(EventId { kind, origin: self.node.id, number }, rate);
        }
    }

    /// Whether any interest covers this node.
    fn is_of_interest(&self, kind: Kind) -> bool {
        let place = self.place();
        let mut known = self.node.state.interests.iter();
        self.rules().flooding || known.any(|entry| entry.task.matches(kind, place))
    }

    /// Senses an event by itself.
    fn sense(&mut self, kind: Kind, rate: Rate) {
        if !self.is_of_interest(kind) {
            return;
        }
        let event = EventId { kind, origin: self.node.id, number: self.node.state.sensed };
        // An unread number must not distinguish states.
        if self.rules().identity == Identity::Event {
            self.node.state.sensed += 1;
        }
        self.describe(event, rate);
    }

    /// Sends the description of an event to interested neighbours.
    fn describe(&mut self, event: EventId, rate: Rate) {
        let (kind, place) = (event.kind, self.place());
        let data = Data { event, place, rate, hops: 0 };
        let is_seen = self.has_seen(&data);
        if !is_seen {
            self.remember(data, self.node.id);
        } else if self.rules().identity == Identity::Stimulus {
            return;
        }
        if self.forward(data, None) {
            let wanted = self.diffusion.subscriptions.iter();
            let sinks = wanted.filter(|it| it.task.matches(kind, place)).count() as u64;
            self.node.record(Record::Count { name: "deliveries wanted", by: sinks });
            self.node.begin("delay", key(&event));
        } else {
            self.disregard(&data);
        }
    }

    pub(super) fn on_data(&mut self, from: NodeId, data: Data) {
        let Data { event, place, rate, .. } = data;
        let wanted = self.diffusion.tasks_of(self.node.id);
        let wanted: Vec<_> = wanted.filter(|task| task.matches(event.kind, place)).collect();
        let is_relay = self.rules().flooding
            || self.node.state.interests.iter().any(|entry| entry.task.matches(event.kind, place));
        if wanted.is_empty() && !is_relay {
            self.node.count("data nobody wants");
            return;
        }
        let is_full = self.rules().identity == Identity::Rate && !is_relay;
        if self.has_seen(&data) || is_full && !self.node.state.data.is_empty() {
            self.node.count("data seen before");
            return;
        }
        let mut known = self.node.state.data.iter();
        let is_new =
            self.diffusion.counts_stimuli && !known.any(|seen| is_same_stimulus(&seen.data, &data));
        self.remember(data, from);
        self.note_novelty(from, &data);
        if !wanted.is_empty() {
            if is_new {
                self.node.count("events delivered");
            }
            self.node.count("data delivered");
            self.node.end("delay", key(&event));
        }
        if rate == Rate::Exploratory && !self.rules().flooding {
            self.reinforce_first(&wanted, &data);
        }
        let is_passed_on = self.forward(data, Some(from));
        if !is_passed_on && wanted.is_empty() {
            self.disregard(&data);
        }
    }

    /// Data that a node neither wants nor forwards must not stop it from forwarding the same
    /// stimulus from another source, for which there is a path.
    fn disregard(&mut self, data: &Data) {
        if self.rules().identity == Identity::Stimulus {
            self.node.state.data.retain(|seen| seen.data.event != data.event);
            self.node.cancel_timer(&Timer::Forget(data.event, data.rate));
        }
    }

    /// Whether these data are in the cache.
    fn has_seen(&self, data: &Data) -> bool {
        let same = |seen: &Seen| match self.rules().identity {
            Identity::Event => seen.data.event == data.event,
            Identity::Stimulus => is_same_stimulus(&seen.data, data),
            Identity::Rate => seen.data.rate == data.rate,
        };
        self.node.state.data.iter().any(same)
    }

    fn remember(&mut self, data: Data, from: NodeId) {
        // The order of arrival matters only if the oldest data decide.
        let order = match self.rules().preference {
            Preference::Oldest => ListOrder::Learnt,
            Preference::Latest | Preference::Labelled => self.diffusion.order,
        };
        let seen = Seen { data, from, answered: Vec::new() };
        order.insert(&mut self.node.state.data, seen, |seen| seen.data.event);
        let timer = Timer::Forget(data.event, data.rate);
        self.node.set_timer(timer, self.diffusion.times.data_lifetime);
    }

    /// Sends data along all matching gradients; returns whether there is any.
    fn forward(&mut self, data: Data, from: Option<NodeId>) -> bool {
        let Data { event, place, .. } = data;
        if self.rules().flooding {
            self.node.count("data transmissions");
            self.node.broadcast(Message::Data(data));
            return true;
        }
        // Unread hops must not distinguish states.
        let rules = &self.diffusion.rules;
        let hop = u8::from(rules.preference == Preference::Labelled);
        let hops = data.hops.saturating_add(hop);
        let is_meant = |entry: &&InterestEntry| entry.task.matches(event.kind, place);
        let mut told: Vec<NodeId> = Vec::new();
        let (state, mut node) = self.node.split();
        for gradient in state.interests.iter().filter(is_meant).flat_map(|it| &it.gradients) {
            let neighbour = gradient.neighbour;
            let wants = rules.identity == Identity::Rate
                || data.rate == Rate::Exploratory
                || gradient.is_reinforced(event.origin);
            let returns = Some(neighbour) == from && !rules.return_to_sender;
            if !wants || returns || told.contains(&neighbour) {
                continue;
            }
            let rate = match rules.identity {
                Identity::Event | Identity::Stimulus => data.rate,
                Identity::Rate => gradient.rate(event.origin),
            };
            told.push(neighbour);
            node.count("data transmissions");
            node.send(neighbour, Message::Data(Data { rate, hops, ..data }));
        }
        !told.is_empty()
    }
}

/// Whether data are about one stimulus, from any sensor.
fn is_same_stimulus(one: &Data, other: &Data) -> bool {
    (one.event.kind, one.event.number) == (other.event.kind, other.event.number)
}

/// A number that is unique among all events under way.
fn key(event: &EventId) -> u64 {
    u64::from(event.kind.0) << 56 | u64::from(event.origin.0) << 32 | u64::from(event.number)
}
