//! All that a handler may do to the outside.

use std::{marker::PhantomData, time::Duration};

use crate::{NodeId, Protocol};

/// A measurement that a handler takes. The simulator keeps them; the explorer forgets them.
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
pub trait Effects<P: Protocol> {
    /// Sends a message to a neighbour. Sending to any other node is an error of the protocol and
    /// panics, unless the scenario says [who receives packets](crate::Scenario::receivers): then a
    /// message can be addressed to any node.
    fn send(&mut self, to: NodeId, message: P::Message);

    /// Sends a message to every neighbour: one copy each, in increasing order of their ids, whether or
    /// not the link to it is up.
    fn broadcast(&mut self, message: P::Message);

    /// Sends a message after a random while of at most `within`: what a simulation draws, so that
    /// nodes that act at one moment do not all transmit at once. To an exploration it is the same as
    /// [`send`](Self::send), since a packet can be in flight for any time anyway.
    #[track_caller]
    fn send_within(&mut self, to: NodeId, message: P::Message, within: Duration) {
        let _ = within;
        self.send(to, message);
    }

    /// Sends a message to every neighbour after a random while of at most `within`, the same for all
    /// copies: as [`send_within`](Self::send_within).
    fn broadcast_within(&mut self, message: P::Message, within: Duration) {
        let _ = within;
        self.broadcast(message);
    }

    /// Sets a timer. One that is set already under this name is set anew.
    ///
    /// A simulation fires it after the duration; an exploration at any later moment that the
    /// scenario's assumptions allow.
    fn set_timer(&mut self, timer: P::Timer, after: Duration);

    /// Sets a timer, unless it is set and fires later anyway: a lifetime that only grows. To an
    /// exploration, which knows no time, it is the same as [`set_timer`](Self::set_timer).
    fn prolong_timer(&mut self, timer: P::Timer, after: Duration) {
        self.set_timer(timer, after);
    }

    /// Unsets a timer, if it is set.
    fn cancel_timer(&mut self, timer: &P::Timer);

    /// How long it takes until a timer fires, if it is set and there is a time: in an exploration
    /// there is none. So it can tell how long something else is to last, such as another timer or a
    /// lifetime in a message, which is [`Ignored`](crate::Ignored); it must not decide what
    /// happens.
    fn time_left(&self, timer: &P::Timer) -> Option<Duration> {
        let _ = timer;
        None
    }

    /// One of `0..options`: drawn at random in a simulation, each in turn in an exploration.
    ///
    /// # Panics
    /// If there are no options.
    fn choose(&mut self, options: u32) -> u32;

    /// Takes a measurement.
    fn record(&mut self, record: Record);

    /// The node's neighbours, in increasing order, whether or not the links to them are up: a node
    /// learns that a link is down only by what [comes back](Protocol::on_undeliverable), or does
    /// not.
    fn neighbours(&self) -> &[NodeId];

    /// Counts one more.
    fn count(&mut self, name: &'static str) {
        self.record(Record::Count { name, by: 1 });
    }

    /// Counts one more that is given up, and says why: the log of a run tells the reason.
    fn count_drop(&mut self, name: &'static str, reason: &'static str) {
        self.record(Record::Drop { name, reason });
    }

    /// Takes one observation of a distribution.
    fn sample(&mut self, name: &'static str, value: f64) {
        self.record(Record::Sample { name, value });
    }

    /// Gives a time series its next value.
    fn level(&mut self, name: &'static str, value: f64) {
        self.record(Record::Level { name, value });
    }

    /// Starts measuring a duration, for [`end`](Self::end) to complete.
    fn begin(&mut self, name: &'static str, key: u64) {
        self.record(Record::Begin { name, key });
    }

    /// Completes the measuring of a duration.
    fn end(&mut self, name: &'static str, key: u64) {
        self.record(Record::End { name, key });
    }

    /// Compares the way that something has come with the shortest that there is now: by how many hops it
    /// was longer. A simulation has to look for that one, which takes a while where nodes are many.
    fn route(&mut self, name: &'static str, from: NodeId, hops: u32) {
        self.record(Record::Route { name, from, hops });
    }
}

/// The effects of a protocol as one of its roles sees them; the attribute
/// [`macro@roles`](crate::roles) uses it.
pub struct RoleEffects<'a, F: ?Sized, P: Protocol, R: Protocol> {
    whole: &'a mut F,
    timer: fn(R::Timer) -> P::Timer,
    protocols: PhantomData<(P, R)>,
}

impl<'a, F: ?Sized, P: Protocol, R: Protocol> RoleEffects<'a, F, P, R> {
    /// Narrows `whole` to a role whose timers are made those of the whole by `timer`.
    pub fn new(whole: &'a mut F, timer: fn(R::Timer) -> P::Timer) -> Self {
        Self { whole, timer, protocols: PhantomData }
    }
}

impl<F, P, R> Effects<R> for RoleEffects<'_, F, P, R>
where
    F: Effects<P> + ?Sized,
    P: Protocol,
    R: Protocol<Message = P::Message>,
{
    #[track_caller]
    fn send(&mut self, to: NodeId, message: R::Message) {
        self.whole.send(to, message);
    }

    fn broadcast(&mut self, message: R::Message) {
        self.whole.broadcast(message);
    }

    #[track_caller]
    fn send_within(&mut self, to: NodeId, message: R::Message, within: Duration) {
        self.whole.send_within(to, message, within);
    }

    fn broadcast_within(&mut self, message: R::Message, within: Duration) {
        self.whole.broadcast_within(message, within);
    }

    fn set_timer(&mut self, timer: R::Timer, after: Duration) {
        self.whole.set_timer((self.timer)(timer), after);
    }

    fn prolong_timer(&mut self, timer: R::Timer, after: Duration) {
        self.whole.prolong_timer((self.timer)(timer), after);
    }

    fn cancel_timer(&mut self, timer: &R::Timer) {
        self.whole.cancel_timer(&(self.timer)(timer.clone()));
    }

    fn time_left(&self, timer: &R::Timer) -> Option<Duration> {
        self.whole.time_left(&(self.timer)(timer.clone()))
    }

    #[track_caller]
    fn choose(&mut self, options: u32) -> u32 {
        self.whole.choose(options)
    }

    fn record(&mut self, record: Record) {
        self.whole.record(record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.whole.neighbours()
    }
}
