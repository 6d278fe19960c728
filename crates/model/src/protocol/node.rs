//! The node that a handler receives.

use std::{fmt, time::Duration};

use super::{Actor, Effects, Outgoing, Protocol, Record};
use crate::NodeId;

/// A node while one of its handlers runs: its id, its state and its effects. Effects happen when
/// the handler returns.
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
    /// Its id.
    pub id: NodeId,
    /// Its state.
    pub state: &'a mut S,
    effects: &'a mut dyn Effects<A>,
}

/// A node that starts, without a state yet.
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

    /// Its parts, to borrow them separately.
    #[doc(hidden)]
    pub fn parts(&mut self) -> (NodeId, &mut S, &mut dyn Effects<A>) {
        (self.id, self.state, self.effects)
    }

    /// Splits off the state, so that a handler can act while it borrows parts of the state.
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
        // `()` has no size, so this allocates nothing.
        let nothing = Box::leak(Box::new(()));
        (self.state, Node { id: self.id, state: nothing, effects: self.effects })
    }

    /// The same node with another state, such as a part of its own.
    pub fn with_state<'b, T>(&'b mut self, state: &'b mut T) -> Node<'b, A, T> {
        Node { id: self.id, state, effects: self.effects }
    }

    /// Emits something.
    #[track_caller]
    pub(crate) fn emit_output(&mut self, output: A::Output) {
        self.effects.emit(output);
    }

    /// Sets a timer. If it is set already, it starts again.
    ///
    /// A simulation fires it after the duration; an exploration at any later moment that the
    /// scenario's assumptions allow.
    pub fn set_timer(&mut self, timer: A::Timer, after: Duration) {
        self.effects.set_timer(timer, after);
    }

    /// Sets a timer, unless it is set and fires later: a lifetime that only grows. In an
    /// exploration, which has no clock, it equals [`set_timer`](Self::set_timer).
    pub fn prolong_timer(&mut self, timer: A::Timer, after: Duration) {
        self.effects.prolong_timer(timer, after);
    }

    /// Unsets a timer, if it is set.
    pub fn cancel_timer(&mut self, timer: &A::Timer) {
        self.effects.cancel_timer(timer);
    }

    /// The time until a timer fires, if it is set and there is a clock; an exploration has none.
    /// Use it for other durations, such as another timer or an [`Ignored`](crate::Ignored) lifetime
    /// in a message. It must not decide what happens.
    #[must_use]
    pub fn time_left(&self, timer: &A::Timer) -> Option<Duration> {
        self.effects.time_left(timer)
    }

    /// One of `0..options`: a simulation draws it at random, an exploration tries each.
    ///
    /// # Panics
    /// If there are no options.
    #[track_caller]
    pub fn choose(&mut self, options: u32) -> u32 {
        self.effects.choose(options)
    }

    /// The node's neighbours, in increasing order, whether or not the links to them are up. A node
    /// learns that a link is down only from messages that [come back](Protocol::on_undeliverable).
    #[must_use]
    pub fn neighbours(&self) -> &[NodeId] {
        self.effects.neighbours()
    }

    /// Takes a measurement.
    pub fn record(&mut self, record: Record) {
        self.effects.record(record);
    }

    /// Adds one to a counter.
    pub fn count(&mut self, name: &'static str) {
        self.record(Record::Count { name, by: 1 });
    }

    /// Counts something that is dropped; the log of a run shows the reason.
    pub fn count_drop(&mut self, name: &'static str, reason: &'static str) {
        self.record(Record::Drop { name, reason });
    }

    /// Adds an observation to a distribution.
    pub fn sample(&mut self, name: &'static str, value: f64) {
        self.record(Record::Sample { name, value });
    }

    /// Adds a value to a time series.
    pub fn level(&mut self, name: &'static str, value: f64) {
        self.record(Record::Level { name, value });
    }

    /// Starts measuring a duration, until [`end`](Self::end).
    pub fn begin(&mut self, name: &'static str, key: u64) {
        self.record(Record::Begin { name, key });
    }

    /// Ends a measured duration.
    pub fn end(&mut self, name: &'static str, key: u64) {
        self.record(Record::End { name, key });
    }

    /// Records how many more hops something took than the shortest path of this moment. Finding
    /// that path is slow in large networks.
    pub fn route(&mut self, name: &'static str, from: NodeId, hops: u32) {
        self.record(Record::Route { name, from, hops });
    }
}

/// Messages to other nodes.
impl<P: Protocol, S> Node<'_, P, S> {
    /// Sends a message to a neighbour. Sending to any other node is an error of the protocol and
    /// panics, unless the scenario defines [receivers](crate::Scenario::receivers): then a message
    /// can be addressed to any node.
    #[track_caller]
    pub fn send(&mut self, to: NodeId, message: P::Message) {
        self.effects.emit(Outgoing::To(to, message));
    }

    /// Sends a copy of a message to every neighbour, in the order of their ids, whether or not the
    /// link is up.
    pub fn broadcast(&mut self, message: P::Message) {
        self.effects.emit(Outgoing::ToAll(message));
    }

    /// Sends a message with jitter: a simulation delays it by up to `within`, so that nodes that
    /// act at one moment do not all transmit at once. In an exploration it equals
    /// [`send`](Self::send), since a packet can be in flight for any time.
    #[track_caller]
    pub fn send_within(&mut self, to: NodeId, message: P::Message, within: Duration) {
        self.effects.emit(Outgoing::ToWithin(to, message, within));
    }

    /// Sends a message to every neighbour with jitter of up to `within`, the same for all copies;
    /// see [`send_within`](Self::send_within).
    pub fn broadcast_within(&mut self, message: P::Message, within: Duration) {
        self.effects.emit(Outgoing::ToAllWithin(message, within));
    }
}

impl<A: Actor, S: fmt::Debug> fmt::Debug for Node<'_, A, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("id", &self.id).field("state", &self.state).finish()
    }
}
