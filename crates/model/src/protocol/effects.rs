//! All that a handler may do to the outside.

use std::{fmt::Debug, time::Duration};

use super::Actor;
use crate::NodeId;

/// A measurement that a handler takes. The simulator keeps them; the explorer forgets them. [`Node`](crate::Node) has short forms.
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
    /// Something happened this many times more.
    Count {
        /// What is counted.
        name: &'static str,
        /// How much to add.
        by: u64,
    },
    /// Something is given up that was to be delivered: one more of its name, and why.
    Drop {
        /// What is counted.
        name: &'static str,
        /// Why it is given up.
        reason: &'static str,
    },
    /// One observation of a distribution.
    Sample {
        /// What is observed.
        name: &'static str,
        /// The observation.
        value: f64,
    },
    /// A quantity that lasts has a new value: one point of a time series.
    Level {
        /// What changes.
        name: &'static str,
        /// Its new value.
        value: f64,
    },
    /// Something begins whose duration is to be measured.
    Begin {
        /// The distribution of durations, in seconds.
        name: &'static str,
        /// Which one of those under way at the same time.
        key: u64,
    },
    /// What began under this name and key ends, at this node or another.
    End {
        /// The distribution of durations, in seconds.
        name: &'static str,
        /// Which one of those under way at the same time.
        key: u64,
    },
    /// Something has come to the node over so many hops. By how many they are more than the shortest way
    /// between the two has at this moment is one observation of a distribution; if there is no way
    /// any more, there is none.
    Route {
        /// The distribution of differences, in hops.
        name: &'static str,
        /// Where it comes from.
        from: NodeId,
        /// Over how many hops it came.
        hops: u32,
    },
}

/// What a [`Node`](crate::Node) does, as whoever runs its handlers sees it: a simulation schedules, an exploration writes down.
///
/// A [`Recorder`](crate::Recorder) writes it down:
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
    /// Sends something. What a protocol sends is [`Outgoing`](crate::Outgoing); what a component sends leaves through one of its
    /// [ports](crate::component::Ports).
    #[track_caller]
    fn emit(&mut self, output: A::Output);

    /// Sets a timer; see [`Node::set_timer`](crate::Node::set_timer).
    fn set_timer(&mut self, timer: A::Timer, after: Duration);

    /// Sets a timer, unless it is set and fires later anyway; see [`Node::prolong_timer`](crate::Node::prolong_timer).
    fn prolong_timer(&mut self, timer: A::Timer, after: Duration) {
        self.set_timer(timer, after);
    }

    /// Unsets a timer, if it is set.
    fn cancel_timer(&mut self, timer: &A::Timer);

    /// How long it takes until a timer fires, if it is set and there is a time; see
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

/// A node sends to one that is not its neighbour: an error of the protocol.
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
