//! The node of directed diffusion: its state and its handlers.

use std::fmt;

use everypath_model::{
    Node, NodeId, Protocol, Start, data, handlers,
    serde::{Deserialize, Serialize},
};

use super::{
    Data, EventId, InterestEntry, Kind, Label, Message, Place, Rate, Rules, Seen, Subscription,
    Task, Times, Upstream,
};
use crate::aodv::ListOrder;

/// Directed diffusion.
#[derive(Clone, Debug)]
pub struct Diffusion {
    /// Its behaviour, rule by rule.
    pub rules: Rules,
    /// Its durations.
    pub times: Times,
    /// The order of gradients in a node.
    pub order: ListOrder,
    /// The places of the nodes.
    pub places: Vec<Place>,
    /// The tasks of the sinks.
    pub subscriptions: Vec<Subscription>,
    /// One in this many events is sent along all gradients.
    pub exploratory_every: u32,
    /// How often each sink sends its interest, while exploring; without limit if `None`.
    pub interests_max: Option<u32>,
    /// How many events each source senses, while exploring.
    pub events_max: u32,
    /// The size of the description of an event in bytes.
    pub payload_bytes: usize,
    /// Whether events have the numbers of their stimuli, so that a sink counts each stimulus once.
    pub counts_stimuli: bool,
}

impl Diffusion {
    /// Nodes at these places with these rules, without tasks.
    #[must_use]
    pub fn new(rules: Rules, places: Vec<Place>) -> Self {
        Self {
            rules,
            times: Times::default(),
            order: ListOrder::Sorted,
            places,
            subscriptions: Vec::new(),
            exploratory_every: 12,
            interests_max: None,
            events_max: 0,
            payload_bytes: 64,
            counts_stimuli: false,
        }
    }

    /// The task of a node, if it is a sink.
    pub(super) fn tasks_of(&self, sink: NodeId) -> impl Iterator<Item = Task> + '_ {
        let own = self.subscriptions.iter().filter(move |subscription| subscription.sink == sink);
        own.map(|subscription| subscription.task)
    }

    /// The role of a node.
    pub(super) fn role_name(&self, node: NodeId) -> &'static str {
        let wanted = |subscription: &Subscription| self.is_source(node, &subscription.task);
        match (self.tasks_of(node).next(), self.subscriptions.iter().any(wanted)) {
            (Some(_), false) => "sink",
            (None, true) => "source",
            (Some(_), true) => "sink and source",
            (None, false) => "",
        }
    }

    pub(super) fn message_bytes(&self, message: &Message) -> usize {
        message.bytes(self.payload_bytes)
    }

    /// Whether a node is in the area of a task.
    #[must_use]
    pub fn is_source(&self, node: NodeId, task: &Task) -> bool {
        task.area.contains(self.places[node.index()])
    }
}

/// The state of a node.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct NodeState {
    /// The interests that it knows.
    pub interests: Vec<InterestEntry>,
    /// The interests that it forwarded recently, sorted.
    pub resent: Vec<Task>,
    /// The data that it remembers.
    pub data: Vec<Seen>,
    /// The neighbours that it has reinforced.
    pub upstream: Vec<Upstream>,
    /// The event of each source for which it last took part in reinforcement.
    pub labels: Vec<Label>,
    /// How many events it has sensed.
    pub sensed: u32,
    /// How many events the environment has shown to it, while exploring.
    pub shown: u32,
    /// How often it sent its interest, while exploring.
    pub asked: u32,
}

impl fmt::Debug for NodeState {
    /// Shows rare fields only where they have content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Node");
        shown.field("interests", &self.interests);
        if !self.resent.is_empty() {
            shown.field("resent", &self.resent);
        }
        shown.field("data", &self.data);
        if !self.upstream.is_empty() {
            shown.field("upstream", &self.upstream);
        }
        if !self.labels.is_empty() {
            shown.field("labels", &self.labels);
        }
        for (name, count) in [("sensed", self.sensed), ("shown", self.shown), ("asked", self.asked)]
        {
            if count > 0 {
                shown.field(name, &count);
            }
        }
        shown.finish()
    }
}

impl NodeState {
    /// The interest of a task, if known.
    #[must_use]
    pub fn interest(&self, task: &Task) -> Option<&InterestEntry> {
        self.interests.iter().find(|entry| entry.task == *task)
    }

    pub(super) fn interest_mut(&mut self, task: &Task) -> Option<&mut InterestEntry> {
        self.interests.iter_mut().find(|entry| entry.task == *task)
    }

    /// All gradients.
    pub fn gradients(&self) -> impl Iterator<Item = (Task, &super::Gradient)> {
        let of = |entry: &'_ InterestEntry| entry.task;
        self.interests
            .iter()
            .flat_map(move |entry| entry.gradients.iter().map(move |it| (of(entry), it)))
    }
}

/// The timers of a node.
#[data]
pub enum Timer {
    /// Data need not be remembered any longer.
    Forget(EventId, Rate),
    /// The lifetime of a gradient is over.
    Expire(Task, NodeId),
    /// A repeated interest is to be forwarded again.
    Resend(Task),
    /// The next interest of a sink is due.
    Refresh(Task),
}

/// The commands to a node.
#[data]
pub enum Command {
    /// Send your interest.
    Ask(Task),
    /// An event happens at your place.
    Sense(Kind),
    /// A target emits this stimulus near you.
    Observe(Kind, u32),
}

/// A node at work: one handler execution.
pub(super) struct Worker<'a, 'n> {
    pub(super) diffusion: &'a Diffusion,
    pub(super) node: &'a mut Node<'n, Diffusion>,
}

impl Worker<'_, '_> {
    pub(super) fn rules(&self) -> &Rules {
        &self.diffusion.rules
    }

    /// Its place.
    pub(super) fn place(&self) -> Place {
        self.diffusion.places[self.node.id.index()]
    }
}

#[handlers]
impl Protocol for Diffusion {
    type State = NodeState;
    type Message = Message;
    type Timer = Timer;
    type Command = Command;

    fn start(&self, _: &mut Start<'_, Self>) -> NodeState {
        NodeState::default()
    }

    /// Numbers of events and labels are on stable storage: numbers stand in for timestamps, and
    /// labels change at most with every exploratory event. A sink continues to send its interest.
    fn restart(&self, node: &mut Start<'_, Self>, before: &NodeState) -> NodeState {
        if self.rules.refresh && before.asked > 0 {
            for task in self.tasks_of(node.id) {
                node.set_timer(Timer::Refresh(task), self.times.refresh_interval);
            }
        }
        NodeState {
            labels: before.labels.clone(),
            sensed: before.sensed,
            shown: before.shown,
            asked: before.asked,
            ..NodeState::default()
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let mut worker = Worker { diffusion: self, node };
        match message {
            Message::Interest { task, lifetime } => worker.on_interest(from, *task, **lifetime),
            Message::Data(data) => worker.on_data(from, *data),
            Message::Reinforce(reinforcement) => worker.on_reinforcement(from, reinforcement),
            Message::Degrade { task, origin } => worker.on_degradation(from, *task, *origin),
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        let mut worker = Worker { diffusion: self, node };
        match *timer {
            Timer::Forget(event, rate) => {
                let is_meant = |data: &Data| data.event == event && data.rate == rate;
                worker.node.state.data.retain(|seen| !is_meant(&seen.data));
            }
            Timer::Expire(task, neighbour) => worker.expire(task, neighbour),
            Timer::Resend(task) => worker.node.state.resent.retain(|other| *other != task),
            Timer::Refresh(task) => worker.ask(task),
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Command) {
        let mut worker = Worker { diffusion: self, node };
        match *command {
            Command::Ask(task) => worker.on_ask(task),
            Command::Sense(kind) => worker.on_stimulus(kind),
            Command::Observe(kind, number) => worker.on_target(kind, number),
        }
    }

    fn commands(&self, me: NodeId, state: &NodeState) -> Vec<Command> {
        let mut commands = Vec::new();
        if self.interests_max.is_none_or(|most| state.asked < most) {
            commands.extend(self.tasks_of(me).map(Command::Ask));
        }
        if state.shown < self.events_max {
            let wanted = self.subscriptions.iter().map(|subscription| subscription.task);
            let mut kinds: Vec<Kind> =
                wanted.filter(|task| self.is_source(me, task)).map(|task| task.kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            commands.extend(kinds.into_iter().map(Command::Sense));
        }
        commands
    }
}
