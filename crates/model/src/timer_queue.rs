//! The timers of a node that are set, and which of them cannot fire before which.

use std::time::Duration;

use serde::Serialize;

/// Which of the timers of one node that are set can fire next in an exploration.
///
/// ```
/// use everypath_model::Timers;
///
/// assert_eq!(Timers::default(), Timers::Any);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Timers {
    /// Any of them, as if nothing were known of their durations.
    #[default]
    Any,
    /// Those that no other precedes: one that was set no later, with a duration that is no longer.
    Ordered,
}

impl Timers {
    /// Why a relation of a scenario does not go with timers in order.
    #[doc(hidden)]
    pub const UNREAD: &str = "the order of the timers that are set is part of a state, and a relation of the scenario cannot read it; let timers fire in any order, or use the relation `simulated`";
}

/// What a handler does to a timer.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{NodeId, Recorder};
///
/// // A handler that does nothing changes no timer.
/// let effects = Recorder::<Greeting>::new(NodeId(0), &[]);
/// assert!(effects.timer_changes().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimerChange<T> {
    /// It sets the timer.
    Set(T, Duration),
    /// It sets the timer, unless it is set and fires later.
    Prolonged(T, Duration),
    /// It unsets the timer.
    Unset(T),
}

/// The timers of a node that are set, in their order, each with those that fire before it.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{TimerChange, TimerQueue};
///
/// let mut timers = TimerQueue::default();
/// timers.change(TimerChange::Set("route", Duration::from_secs(30)));
/// timers.change(TimerChange::Set("hello", Duration::from_secs(1)));
/// // It is not known how long ago the route was set.
/// assert!(!timers.is_preceded(&"route") && !timers.is_preceded(&"hello"));
/// timers.change(TimerChange::Set("ping", Duration::from_secs(2)));
/// assert!(timers.is_preceded(&"ping"));
/// timers.change(TimerChange::Unset("hello"));
/// assert!(!timers.is_preceded(&"ping"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TimerQueue<T>(Vec<Queued<T>>);

/// A timer that is set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
struct Queued<T> {
    timer: T,
    /// It fires at most this long after it was last changed.
    within: Duration,
    /// The timers that fire before it, in their order.
    preceding: Vec<T>,
}

impl<T> Default for TimerQueue<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone + Ord> TimerQueue<T> {
    /// Whether another timer fires before this one.
    #[must_use]
    pub fn is_preceded(&self, timer: &T) -> bool {
        let queued = self.place(timer).map(|place| &self.0[place]);
        queued.is_ok_and(|queued| !queued.preceding.is_empty())
    }

    /// Whether no timer is set, or their order is not kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The timers after a change. One that fires is unset, too.
    pub fn change(&mut self, change: TimerChange<T>) {
        match change {
            TimerChange::Unset(timer) => drop(self.unset(&timer)),
            TimerChange::Set(timer, after) => {
                self.unset(&timer);
                let preceding = self.due_within(|within| within <= after);
                self.insert(Queued { timer, within: after, preceding });
            }
            TimerChange::Prolonged(timer, after) => match self.unset(&timer) {
                None => self.change(TimerChange::Set(timer, after)),
                Some(before) => {
                    // If it fires when it was due before, it comes before what is set now and is due then.
                    let mut preceding = self.due_within(|within| within < after);
                    preceding.extend(before.preceding);
                    preceding.sort_unstable();
                    preceding.dedup();
                    let within = before.within.max(after);
                    self.insert(Queued { timer, within, preceding });
                }
            },
        }
    }

    fn place(&self, timer: &T) -> Result<usize, usize> {
        self.0.binary_search_by(|queued| queued.timer.cmp(timer))
    }

    /// The timers whose span, which began no later than now, is one of these.
    fn due_within(&self, is_one: impl Fn(Duration) -> bool) -> Vec<T> {
        let queued = self.0.iter().filter(|queued| is_one(queued.within));
        queued.map(|queued| queued.timer.clone()).collect()
    }

    fn insert(&mut self, queued: Queued<T>) {
        let place = self.place(&queued.timer).unwrap_or_else(|place| place);
        self.0.insert(place, queued);
    }

    /// Removes a timer. It precedes no other any more.
    fn unset(&mut self, timer: &T) -> Option<Queued<T>> {
        let place = self.place(timer).ok()?;
        let unset = self.0.remove(place);
        self.0.iter_mut().for_each(|queued| queued.preceding.retain(|other| other != timer));
        Some(unset)
    }
}
