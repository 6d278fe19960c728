//! The effects of a handler: everything it can do besides changing its state.

use std::{fmt::Debug, time::Duration};

use super::Actor;
use crate::NodeId;

/// A measurement of a handler. The simulator keeps it; the explorer discards it.
/// [`Node`](crate::Node) has short forms.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, Node, NodeId, Protocol, Record, Start};
///
/// struct Counter;
///
/// impl Protocol for Counter {
///     type State = u32;
///     type Message = u32;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, _: &mut Start<'_, Self>) -> u32 {
///         0
///     }
///
///     fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, many: &u32) {
///         node.count("heard");
///         node.record(Record::Count { name: "total", by: u64::from(*many) });
///         node.sample("size", f64::from(*many));
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Record {
    /// Adds to a counter.
    Count {
        /// The counter.
        name: &'static str,
        /// How much to add.
        by: u64,
    },
    /// Counts something that was dropped, with the reason.
    Drop {
        /// The counter.
        name: &'static str,
        /// The reason.
        reason: &'static str,
    },
    /// Adds an observation to a distribution.
    Sample {
        /// The distribution.
        name: &'static str,
        /// The observation.
        value: f64,
    },
    /// Adds a point to a time series.
    Level {
        /// The time series.
        name: &'static str,
        /// Its new value.
        value: f64,
    },
    /// Starts measuring a duration.
    Begin {
        /// The distribution of durations, in seconds.
        name: &'static str,
        /// Tells apart durations that overlap.
        key: u64,
    },
    /// Ends the duration with this name and key, begun at this node or another.
    End {
        /// The distribution of durations, in seconds.
        name: &'static str,
        /// Tells apart durations that overlap.
        key: u64,
    },
    /// Compares the path that something took with the shortest path of this moment. The number of
    /// extra hops is one observation; without a path there is none.
    Route {
        /// The distribution of extra hops.
        name: &'static str,
        /// Where it comes from.
        from: NodeId,
        /// How many hops it took.
        hops: u32,
    },
}

/// What a [`Node`](crate::Node) asks of the engine that runs its handlers. A simulation schedules
/// effects, an exploration records them.
///
/// A [`Recorder`](crate::Recorder) records them:
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Effects, NodeId, Outgoing, Recorder};
///
/// let mut effects = Recorder::<Greeting>::new(NodeId(0), &[NodeId(1), NodeId(2)]);
/// effects.emit(Outgoing::ToAll("hello".to_owned()));
/// assert_eq!(effects.did.len(), 2);
/// ```
pub trait Effects<A: Actor> {
    /// Sends something: an [`Outgoing`](crate::Outgoing) of a protocol, or a signal through one of
    /// a component's [ports](crate::component::Ports).
    #[track_caller]
    fn emit(&mut self, output: A::Output);

    /// Sets a timer; see [`Node::set_timer`](crate::Node::set_timer).
    fn set_timer(&mut self, timer: A::Timer, after: Duration);

    /// Sets a timer, unless it is set and fires later; see
    /// [`Node::prolong_timer`](crate::Node::prolong_timer).
    fn prolong_timer(&mut self, timer: A::Timer, after: Duration) {
        self.set_timer(timer, after);
    }

    /// Unsets a timer, if it is set.
    fn cancel_timer(&mut self, timer: &A::Timer);

    /// The time until a timer fires, if it is set and there is a clock; see
    /// [`Node::time_left`](crate::Node::time_left).
    fn time_left(&self, timer: &A::Timer) -> Option<Duration> {
        let _ = timer;
        None
    }

    /// One of `0..options`; see [`Node::choose`](crate::Node::choose).
    ///
    /// # Panics
    /// If there are no options.
    #[track_caller]
    fn choose(&mut self, options: u32) -> u32;

    /// Takes a measurement.
    fn record(&mut self, record: Record);

    /// The node's neighbours, in increasing order; see [`Node::neighbours`](crate::Node::neighbours).
    fn neighbours(&self) -> &[NodeId];
}

impl<A: Actor, F: Effects<A> + ?Sized> Effects<A> for &mut F {
    #[track_caller]
    fn emit(&mut self, output: A::Output) {
        (**self).emit(output);
    }

    fn set_timer(&mut self, timer: A::Timer, after: Duration) {
        (**self).set_timer(timer, after);
    }

    fn prolong_timer(&mut self, timer: A::Timer, after: Duration) {
        (**self).prolong_timer(timer, after);
    }

    fn cancel_timer(&mut self, timer: &A::Timer) {
        (**self).cancel_timer(timer);
    }

    fn time_left(&self, timer: &A::Timer) -> Option<Duration> {
        (**self).time_left(timer)
    }

    #[track_caller]
    fn choose(&mut self, options: u32) -> u32 {
        (**self).choose(options)
    }

    fn record(&mut self, record: Record) {
        (**self).record(record);
    }

    fn neighbours(&self) -> &[NodeId] {
        (**self).neighbours()
    }
}

/// Panics, since a node sends to one that is not its neighbour: an error of the protocol.
#[doc(hidden)]
#[track_caller]
#[cold]
pub fn not_a_neighbour(me: NodeId, to: NodeId, message: &impl Debug, neighbours: &[NodeId]) -> ! {
    let names: Vec<String> = neighbours.iter().map(NodeId::to_string).collect();
    let known = match &names[..] {
        [] => "it has none".to_owned(),
        names => format!("its neighbours are {}", names.join(", ")),
    };
    panic!("{me} sends {message:?} to {to}, which is not its neighbour; {known}");
}
