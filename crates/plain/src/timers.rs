//! The timers of a node that are set.

use everypath_model::{TimerChange, TimerQueue};

use crate::clock::{Clock, Window};

/// The timers of a node that are set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SetTimers<T> {
    /// In their order.
    pub(crate) set: Vec<T>,
    /// The same with those that fire before them; empty if timers can fire in any order.
    queue: TimerQueue<T>,
    /// When each fires; empty without a clock.
    windows: Vec<Window>,
}

impl<T> Default for SetTimers<T> {
    fn default() -> Self {
        Self { set: Vec::new(), queue: TimerQueue::default(), windows: Vec::new() }
    }
}

impl<T> SetTimers<T> {
    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.set.capacity() * size_of::<T>() + self.windows.capacity() * size_of::<Window>()
    }

    /// When each fires; nothing without a clock.
    pub(crate) fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Lets some units of time pass.
    pub(crate) fn pass(&mut self, units: u16) {
        self.windows.iter_mut().for_each(|window| *window = window.later(units));
    }
}

impl<T: Clone + Ord> SetTimers<T> {
    /// These, which can fire in any order.
    pub(crate) fn of(set: Vec<T>) -> Self {
        Self { set, ..Self::default() }
    }

    /// The timers that can fire next.
    pub(crate) fn next(&self) -> impl Iterator<Item = &T> {
        let is_open = |place: usize| self.windows.get(place).is_none_or(|it| it.is_open());
        let set = self.set.iter().enumerate().filter(move |(place, _)| is_open(*place));
        set.map(|(_, timer)| timer).filter(|timer| !self.queue.is_preceded(timer))
    }

    /// All timers but one.
    pub(crate) fn without(&self, timer: &T) -> Self {
        let mut others = self.clone();
        others.unset(timer);
        others.queue.change(TimerChange::Unset(timer.clone()));
        others
    }

    fn unset(&mut self, timer: &T) {
        if let Ok(place) = self.set.binary_search(timer) {
            self.set.remove(place);
            if !self.windows.is_empty() {
                self.windows.remove(place);
            }
        }
    }

    /// The timers after some changes. Their order is kept if they fire in order; when they fire, if there is a clock.
    pub(crate) fn after(
        &self,
        changes: &[TimerChange<T>],
        are_ordered: bool,
        clock: Option<&Clock>,
    ) -> Self {
        let mut after = self.clone();
        for change in changes {
            match change {
                TimerChange::Set(timer, span) | TimerChange::Prolonged(timer, span) => {
                    let new = clock.map(|clock| clock.timer(*span));
                    let prolongs = matches!(change, TimerChange::Prolonged(..));
                    match after.set.binary_search(timer) {
                        Ok(place) => {
                            if let Some(new) = new {
                                let own = after.windows[place];
                                after.windows[place] =
                                    if prolongs { own.or_later(new) } else { new };
                            }
                        }
                        Err(place) => {
                            after.set.insert(place, timer.clone());
                            new.into_iter().for_each(|new| after.windows.insert(place, new));
                        }
                    }
                }
                TimerChange::Unset(timer) => after.unset(timer),
            }
            if are_ordered {
                after.queue.change(change.clone());
            }
        }
        after
    }
}
