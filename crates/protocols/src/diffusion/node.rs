//! The node: what it remembers, and which handler does what.

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
    /// What it does, rule by rule.
    pub rules: Rules,
    /// How long things take.
    pub times: Times,
    /// In which order nodes keep gradients.
    pub order: ListOrder,
    /// Where the nodes are.
    pub places: Vec<Place>,
    /// Who wants to know what.
    pub subscriptions: Vec<Subscription>,
    /// Every how manieth event is sent along all gradients.
    pub exploratory_every: u32,
    /// How often each sink asks, while exploring; without end if there is no number.
    pub interests_max: Option<u32>,
    /// How many events each source senses of itself, while exploring.
    pub events_max: u32,
    /// The size of the description of an event in bytes.
    pub payload_bytes: usize,
    /// Whether events have the numbers of the stimuli that they are about: then those that come to a sink are
    /// counted, however many nodes have sensed them.
    pub counts_stimuli: bool,
}

impl Diffusion {
    /// Nodes at these places that follow the rules; nobody wants to know anything yet.
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

    /// What a node wants to know.
    pub(super) fn tasks_of(&self, sink: NodeId) -> impl Iterator<Item = Task> + '_ {
        let own = self.subscriptions.iter().filter(move |subscription| subscription.sink == sink);
        own.map(|subscription| subscription.task)
    }

    /// What a node is called.
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

/// What a node remembers.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(crate = "everypath_model::serde")]
pub struct NodeState {
    /// The interests that it has heard of.
    pub interests: Vec<InterestEntry>,
    /// The interests that it has passed on a short time ago, sorted.
    pub resent: Vec<Task>,
    /// The data that it has seen and not forgotten.
    pub data: Vec<Seen>,
    /// The neighbours that it has reinforced.
    pub upstream: Vec<Upstream>,
    /// For which events it last took part in reinforcement, one for each source.
    pub labels: Vec<Label>,
    /// How many events it has sensed.
    pub sensed: u32,
    /// How many events the environment has shown to it, while exploring.
    pub shown: u32,
    /// How often it has asked, while exploring.
    pub asked: u32,
}

impl fmt::Debug for NodeState {
    /// What most nodes do not have is shown only where it is there.
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
    /// What is known of a task.
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
    /// An interest that is heard again is to be passed on again.
    Resend(Task),
    /// It is time to ask again.
    Refresh(Task),
}

/// What the environment can ask of a node.
#[data]
pub enum Command {
    /// Ask for what you want to know.
    Ask(Task),
    /// Something has happened where you are.
    Sense(Kind),
    /// A target has emitted its how manieth stimulus near you.
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

    /// Where it is.
    pub(super) fn place(&self) -> Place {
        self.diffusion.places[self.node.id.index()]
    }

    fn on_message(&mut self, from: NodeId, message: &Message) {
        match message {
            Message::Interest { task, lifetime } => self.on_interest(from, *task, **lifetime),
            Message::Data(data) => self.on_data(from, *data),
            Message::Reinforce(reinforcement) => self.on_reinforcement(from, reinforcement),
            Message::Degrade { task, origin } => self.on_degradation(from, *task, *origin),
        }
    }

    fn on_timer(&mut self, timer: &Timer) {
        match *timer {
            Timer::Forget(event, rate) => {
                let is_meant = |data: &Data| data.event == event && data.rate == rate;
                self.node.state.data.retain(|seen| !is_meant(&seen.data));
            }
            Timer::Expire(task, neighbour) => self.expire(task, neighbour),
            Timer::Resend(task) => self.node.state.resent.retain(|other| *other != task),
            Timer::Refresh(task) => self.ask(task),
        }
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

    /// Numbers of events, and labels, are on stable storage: the first would be timestamps, the
    /// second change with every exploratory event at most. A sink goes on asking.
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
        Worker { diffusion: self, node }.on_message(from, message);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        Worker { diffusion: self, node }.on_timer(timer);
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
