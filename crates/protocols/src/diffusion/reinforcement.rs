//! Reinforcement: the choice of the path of data.

use everypath_model::NodeId;

use super::{
    Data, EventId, InterestEntry, Label, Message, Preference, Rate, Reinforcement, Seen, Task,
    Upstream, node::Worker,
};

impl Worker<'_, '_> {
    /// A sink has received an event, and reinforces the neighbour that sent it.
    pub(super) fn reinforce_first(&mut self, wanted: &[Task], data: &Data) {
        if self.rules().preference == Preference::Labelled && !wanted.is_empty() {
            let label = self.label_of(data.event);
            if label.is_some_and(|label| label.event.number >= data.event.number) {
                return;
            }
            self.take_part(data.event, data.hops);
        }
        wanted.iter().for_each(|&task| self.answer(task, data.event, data.hops));
    }

    /// A neighbour requests data of a source at the full rate.
    pub(super) fn on_reinforcement(&mut self, from: NodeId, wanted: &Reinforcement) {
        let &Reinforcement { task, origin, .. } = wanted;
        let entry = self.node.state.interest_mut(&task);
        if entry.and_then(|entry| entry.gradient_mut(from)).is_none() {
            self.node.count("reinforcements without a gradient");
            return;
        }
        let is_taken = match self.rules().preference {
            Preference::Latest => self.pass_on_latest(task, origin),
            Preference::Oldest => self.pass_on_oldest(task, origin),
            Preference::Labelled => self.pass_on_labelled(wanted),
        };
        if !is_taken {
            self.node.count("reinforcements refused");
            return;
        }
        let entry = self.node.state.interest_mut(&task);
        if let Some(gradient) = entry.and_then(|entry| entry.gradient_mut(from)) {
            gradient.reinforce(origin);
        }
    }

    /// Reinforces the neighbour from which the latest event came first.
    fn pass_on_latest(&mut self, task: Task, origin: NodeId) -> bool {
        let known = self.node.state.data.iter().filter(|seen| is_about(seen, &task, origin));
        if let Some(event) = known.map(|seen| seen.data.event).max() {
            self.answer(task, event, 0);
        }
        true
    }

    /// Reinforces the neighbour from which an event came first, once for each task.
    fn answer(&mut self, task: Task, event: EventId, hops: u8) {
        let seen = self.node.state.data.iter_mut().find(|seen| seen.data.event == event);
        let Some(Seen { from, answered, .. }) = seen else {
            return;
        };
        let from = *from;
        let place = answered.binary_search(&task);
        if let Err(place) = place
            && from != self.node.id
        {
            // Not needed if the oldest data decide; there it would only add states.
            if self.diffusion.rules.preference != Preference::Oldest {
                answered.insert(place, task);
            }
            self.reinforce(task, event, hops, from);
        }
    }

    /// Reinforces the neighbour that sent the oldest remembered data, as long as some gradient is
    /// not reinforced and no reinforced data have come from it.
    fn pass_on_oldest(&mut self, task: Task, origin: NodeId) -> bool {
        let grows = self.node.state.interest(&task).is_some_and(|entry| {
            entry.gradients.iter().any(|gradient| !gradient.is_reinforced(origin))
        });
        if let Some(&Seen { data, from, .. }) = self.node.state.data.first()
            && grows
            && from != self.node.id
        {
            let flows = |seen: &Seen| seen.from == from && seen.data.rate == Rate::Reinforced;
            if !self.node.state.data.iter().any(flows) {
                self.reinforce(task, data.event, data.hops, from);
            }
        }
        true
    }

    /// Takes part if labels allow it, and reinforces the neighbour that first sent the event in the
    /// reinforcement.
    fn pass_on_labelled(&mut self, wanted: &Reinforcement) -> bool {
        let &Reinforcement { task, origin, number, hops } = wanted;
        let event = EventId { kind: task.kind, origin, number };
        let label = self.label_of(event).map(|label| (label.event.number, label.hops));
        let own_hops = match label {
            Some((newest, _)) if newest > number => None,
            Some((newest, own)) if newest == number => Some(own),
            _ if origin == self.node.id => Some(0),
            _ => self.hops_of(event),
        };
        let Some(own_hops) = own_hops.filter(|own| *own < hops) else {
            return false;
        };
        if label.is_none_or(|(newest, _)| newest < number) {
            self.take_part(event, own_hops);
        }
        // A forgotten event that came again may have come from the neighbour that reinforces.
        if self.hops_of(event) == Some(own_hops) {
            self.answer(task, event, own_hops);
        }
        true
    }

    /// The hops of an event, if it is remembered.
    fn hops_of(&self, event: EventId) -> Option<u8> {
        let seen = self.node.state.data.iter().find(|seen| seen.data.event == event);
        seen.map(|seen| seen.data.hops)
    }

    fn label_of(&self, event: EventId) -> Option<&Label> {
        self.node.state.labels.iter().find(|label| label.stream() == (event.kind, event.origin))
    }

    /// Takes part in reinforcement for an event; gradients reinforced for older events are
    /// degraded.
    fn take_part(&mut self, event: EventId, hops: u8) {
        let label = Label { event, hops };
        let labels = &mut self.node.state.labels;
        labels.retain(|other| other.stream() != label.stream());
        let place = labels.partition_point(|other| other.stream() < label.stream());
        labels.insert(place, label);
        let is_meant = |entry: &&mut InterestEntry| entry.task.kind == event.kind;
        for entry in self.node.state.interests.iter_mut().filter(is_meant) {
            for gradient in &mut entry.gradients {
                gradient.degrade(event.origin);
            }
        }
    }

    fn reinforce(&mut self, task: Task, event: EventId, hops: u8, neighbour: NodeId) {
        let origin = event.origin;
        if self.rules().negative_window.is_some() {
            let upstream = Upstream { task, origin, neighbour, stale: 0 };
            let known = &mut self.node.state.upstream;
            known.retain(|it| (it.task, it.origin, it.neighbour) != (task, origin, neighbour));
            let place = known.partition_point(|other| *other < upstream);
            known.insert(place, upstream);
        }
        let is_named = self.rules().preference == Preference::Labelled;
        let number = if is_named { event.number } else { 0 };
        self.node.count("positive reinforcements");
        self.node.send(neighbour, Message::Reinforce(Reinforcement { task, origin, number, hops }));
    }

    /// New data came first from a neighbour: other reinforced neighbours were late once more.
    pub(super) fn note_novelty(&mut self, from: NodeId, data: &Data) {
        let Some(window) = self.rules().negative_window else {
            return;
        };
        let Data { event, place, .. } = *data;
        let mut useless = Vec::new();
        for upstream in &mut self.node.state.upstream {
            if upstream.origin != event.origin || !upstream.task.matches(event.kind, place) {
                continue;
            }
            upstream.stale = if upstream.neighbour == from { 0 } else { upstream.stale + 1 };
            if upstream.stale >= window {
                useless.push(upstream.clone());
            }
        }
        self.node.state.upstream.retain(|upstream| !useless.contains(upstream));
        useless.into_iter().for_each(|upstream| self.send_degradation(&upstream));
    }

    fn send_degradation(&mut self, upstream: &Upstream) {
        let &Upstream { task, origin, neighbour, .. } = upstream;
        self.node.count("negative reinforcements");
        self.node.send(neighbour, Message::Degrade { task, origin });
    }

    /// A neighbour no longer needs the data of a source at the full rate.
    pub(super) fn on_degradation(&mut self, from: NodeId, task: Task, origin: NodeId) {
        let entry = self.node.state.interest_mut(&task);
        let gradient = entry.and_then(|entry| entry.gradient_mut(from));
        if gradient.is_some_and(|gradient| gradient.degrade(origin)) {
            self.stop_if_dry(task, origin);
        }
    }

    /// Reinforces senders negatively if this node no longer needs the data of a source.
    pub(super) fn stop_if_dry(&mut self, task: Task, origin: NodeId) {
        let flows = self.node.state.interest(&task).is_some_and(|entry| entry.flows(origin));
        let is_wanted = self.diffusion.tasks_of(self.node.id).any(|own| own == task);
        if flows || is_wanted {
            return;
        }
        let is_meant = |it: &Upstream| it.task == task && it.origin == origin;
        let (useless, kept) = self.node.state.upstream.drain(..).partition(is_meant);
        self.node.state.upstream = kept;
        let useless: Vec<Upstream> = useless;
        useless.iter().for_each(|upstream| self.send_degradation(upstream));
    }
}

/// Whether data are about an exploratory event of a source that matches a task.
fn is_about(seen: &Seen, task: &Task, origin: NodeId) -> bool {
    let Data { event, place, rate, .. } = seen.data;
    rate == Rate::Exploratory && event.origin == origin && task.matches(event.kind, place)
}
