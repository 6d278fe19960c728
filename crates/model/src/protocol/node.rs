//! What a handler is given: its node.

use std::{fmt, time::Duration};

use super::{Actor, Effects, Outgoing, Protocol, Record};
use crate::NodeId;

/// A node while one of its handlers runs: who it is, what it remembers, and what it can do. What it does takes place when the
/// handler returns.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, Node, NodeId, Protocol, Start, data};
///
/// /// Each node tells its neighbours the largest number it knows.
/// struct Gossip;
///
/// #[data]
/// struct Known {
///     largest: u32,
/// }
///
/// impl Protocol for Gossip {
///     type State = Known;
///     type Message = u32;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, node: &mut Start<'_, Self>) -> Known {
///         node.broadcast(node.id.0);
///         Known { largest: node.id.0 }
///     }
///
///     fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, heard: &u32) {
///         if *heard > node.state.largest {
///             tell(node, *heard);
///         }
///     }
/// }
///
/// fn tell(node: &mut Node<'_, Gossip>, heard: u32) {
///     node.state.largest = heard;
///     node.broadcast(heard);
/// }
/// ```
pub struct Node<'a, A: Actor, S = <A as Actor>::State> {
    /// Which one it is.
    pub id: NodeId,
    /// What it remembers.
    pub state: &'a mut S,
    effects: &'a mut dyn Effects<A>,
}

/// A node that comes up: it remembers nothing yet.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NodeId, Protocol, Recorder, Start};
///
/// let mut effects = Recorder::new(NodeId(0), &[NodeId(1)]);
/// let state = Greeting.start(&mut Start::new(NodeId(0), &mut (), &mut effects));
/// assert_eq!((state, effects.did.len()), (0, 1));
/// ```
pub type Start<'a, P> = Node<'a, P, ()>;

impl<'a, A: Actor, S> Node<'a, A, S> {
    /// A node that acts through these effects.
    pub fn new(id: NodeId, state: &'a mut S, effects: &'a mut dyn Effects<A>) -> Self {
        Self { id, state, effects }
    }

    /// Its parts, to be borrowed one by one.
    #[doc(hidden)]
    pub fn parts(&mut self) -> (NodeId, &mut S, &mut dyn Effects<A>) {
        (self.id, self.state, self.effects)
    }

    /// Its state, and the node without it: to act while parts of the state are borrowed.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
    /// # struct Echo;
    /// # impl Protocol for Echo {
    /// #     type State = Vec<NodeId>;
    /// #     type Message = u8;
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> Vec<NodeId> { Vec::new() }
    /// fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &u8) {
    ///     let (known, mut node) = node.split();
    ///     for &other in known.iter().filter(|&&other| other != from) {
    ///         node.send(other, *message);
    ///     }
    /// }
    /// # }
    /// ```
    pub fn split(&mut self) -> (&mut S, Node<'_, A, ()>) {
        // Nothing has no size, so nothing is allocated.
        let nothing = Box::leak(Box::new(()));
        (self.state, Node { id: self.id, state: nothing, effects: self.effects })
    }

    /// The same node with another state: a part of it, for instance.
    pub fn with_state<'b, T>(&'b mut self, state: &'b mut T) -> Node<'b, A, T> {
        Node { id: self.id, state, effects: self.effects }
    }

    /// Emits something.
    #[track_caller]
    pub(crate) fn emit_output(&mut self, output: A::Output) {
        self.effects.emit(output);
    }

    /// Sets a timer. One that is set already under this name is set anew.
    ///
    /// A simulation fires it after the duration; an exploration at any later moment that the
    /// scenario's assumptions allow.
    pub fn set_timer(&mut self, timer: A::Timer, after: Duration) {
        self.effects.set_timer(timer, after);
    }

    /// Sets a timer, unless it is set and fires later anyway: a lifetime that only grows. To an
    /// exploration, which knows no time, it is the same as [`set_timer`](Self::set_timer).
    pub fn prolong_timer(&mut self, timer: A::Timer, after: Duration) {
        self.effects.prolong_timer(timer, after);
    }

    /// Unsets a timer, if it is set.
    pub fn cancel_timer(&mut self, timer: &A::Timer) {
        self.effects.cancel_timer(timer);
    }

    /// How long it takes until a timer fires, if it is set and there is a time: in an exploration
    /// there is none. So it can tell how long something else is to last, such as another timer or a
    /// lifetime in a message, which is [`Ignored`](crate::Ignored); it must not decide what
    /// happens.
    #[must_use]
    pub fn time_left(&self, timer: &A::Timer) -> Option<Duration> {
        self.effects.time_left(timer)
    }

    /// One of `0..options`: drawn at random in a simulation, each in turn in an exploration.
    ///
    /// # Panics
    /// If there are no options.
    #[track_caller]
    pub fn choose(&mut self, options: u32) -> u32 {
        self.effects.choose(options)
    }

    /// The node's neighbours, in increasing order, whether or not the links to them are up: a node
    /// learns that a link is down only by what [comes back](Protocol::on_undeliverable), or does
    /// not.
    #[must_use]
    pub fn neighbours(&self) -> &[NodeId] {
        self.effects.neighbours()
    }

    /// Takes a measurement.
    pub fn record(&mut self, record: Record) {
        self.effects.record(record);
    }

    /// Counts one more.
    pub fn count(&mut self, name: &'static str) {
        self.record(Record::Count { name, by: 1 });
    }

    /// Counts one more that is given up, and says why: the log of a run tells the reason.
    pub fn count_drop(&mut self, name: &'static str, reason: &'static str) {
        self.record(Record::Drop { name, reason });
    }

    /// Takes one observation of a distribution.
    pub fn sample(&mut self, name: &'static str, value: f64) {
        self.record(Record::Sample { name, value });
    }

    /// Gives a time series its next value.
    pub fn level(&mut self, name: &'static str, value: f64) {
        self.record(Record::Level { name, value });
    }

    /// Starts measuring a duration, for [`end`](Self::end) to complete.
    pub fn begin(&mut self, name: &'static str, key: u64) {
        self.record(Record::Begin { name, key });
    }

    /// Completes the measuring of a duration.
    pub fn end(&mut self, name: &'static str, key: u64) {
        self.record(Record::End { name, key });
    }

    /// Compares the way that something has come with the shortest that there is now: by how many hops it
    /// was longer. A simulation has to look for that one, which takes a while where nodes are many.
    pub fn route(&mut self, name: &'static str, from: NodeId, hops: u32) {
        self.record(Record::Route { name, from, hops });
    }
}

/// What a node sends to others.
impl<P: Protocol, S> Node<'_, P, S> {
    /// Sends a message to a neighbour. Sending to any other node is an error of the protocol and
    /// panics, unless the scenario says [who receives packets](crate::Scenario::receivers): then a
    /// message can be addressed to any node.
    #[track_caller]
    pub fn send(&mut self, to: NodeId, message: P::Message) {
        self.effects.emit(Outgoing::To(to, message));
    }

    /// Sends a message to every neighbour: one copy each, in increasing order of their ids, whether or
    /// not the link to it is up.
    pub fn broadcast(&mut self, message: P::Message) {
        self.effects.emit(Outgoing::ToAll(message));
    }

    /// Sends a message after a random while of at most `within`: what a simulation draws, so that
    /// nodes that act at one moment do not all transmit at once. To an exploration it is the same as
    /// [`send`](Self::send), since a packet can be in flight for any time anyway.
    #[track_caller]
    pub fn send_within(&mut self, to: NodeId, message: P::Message, within: Duration) {
        self.effects.emit(Outgoing::ToWithin(to, message, within));
    }

    /// Sends a message to every neighbour after a random while of at most `within`, the same for all
    /// copies: as [`send_within`](Self::send_within).
    pub fn broadcast_within(&mut self, message: P::Message, within: Duration) {
        self.effects.emit(Outgoing::ToAllWithin(message, within));
    }
}

impl<A: Actor, S: fmt::Debug> fmt::Debug for Node<'_, A, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("id", &self.id).field("state", &self.state).finish()
    }
}
