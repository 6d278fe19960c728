//! Event queue, ordered by time, priority and insertion.

/// Which of two events at one moment comes first.
///
/// ```
/// use everypath_sim::Priority;
///
/// // An answer that arrives when a timer fires is there before.
/// assert!(Priority::Delivery < Priority::Timer);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// What goes down or comes up does so before anything else.
    Outage,
    /// Then what a node sends after a while leaves.
    Departure,
    /// Then what becomes of frames that were transmitted by radio.
    Frame,
    /// Then deliveries, so that a timer that fires at the moment at which an answer arrives
    /// finds the answer there.
    Delivery,
    /// Then timers.
    Timer,
    /// Then commands: a node hears of all that has happened before it is asked for more.
    Command,
}

/// An entry of the event queue.
///
/// ```
/// use everypath_sim::{EventQueue, Priority};
///
/// let mut queue = EventQueue::default();
/// queue.push(10, Priority::Timer, 7);
/// let entry = queue.pop().unwrap();
/// assert_eq!((entry.time(), entry.slot(), entry.priority()), (10, 7, Priority::Timer));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    time: u64,
    order: u64,
    slot: u32,
}

/// Above the insertion number, of which 2^61 are enough for four thousand years at 15 million
/// insertions per second.
const PRIORITY_SHIFT: u32 = 61;

impl Entry {
    /// When, in nanoseconds since the start.
    #[inline]
    #[must_use]
    pub fn time(&self) -> u64 {
        self.time
    }

    /// The place among the entries of one moment: priority, then insertion. No two entries that
    /// were ever pushed have the same.
    #[inline]
    #[must_use]
    pub fn order(&self) -> u64 {
        self.order
    }

    /// What was given to [`EventQueue::push`].
    #[inline]
    #[must_use]
    pub fn slot(&self) -> u32 {
        self.slot
    }

    /// Of which priority it is.
    #[inline]
    #[must_use]
    pub fn priority(&self) -> Priority {
        match self.order >> PRIORITY_SHIFT {
            0 => Priority::Outage,
            1 => Priority::Departure,
            2 => Priority::Frame,
            3 => Priority::Delivery,
            4 => Priority::Timer,
            _ => Priority::Command,
        }
    }

    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.time) << 64 | u128::from(self.order)
    }
}

/// The pending events, ordered by time, then [`Priority`], then insertion.
///
/// ```
/// use everypath_sim::{EventQueue, Priority};
///
/// let mut queue = EventQueue::new();
/// queue.push(5, Priority::Command, 1);
/// queue.push(5, Priority::Timer, 2);
/// queue.push(5, Priority::Timer, 3);
/// queue.push(4, Priority::Command, 4);
/// let order = std::iter::from_fn(|| queue.pop()).map(|entry| entry.slot());
/// assert_eq!(order.collect::<Vec<_>>(), [4, 2, 3, 1]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct EventQueue {
    // A heap in which every entry has four children. Nanoseconds per hold (one pop, one push) with
    // 4 / 1000 / 100,000 / 1,000,000 pending, best of two: `BinaryHeap` 24 / 39 / 125 / 648; this
    // 12 / 44 / 115 / 465; four children and entries of 16 bytes 9 / 43 / 103 / 462. The smaller
    // entries gain little and would limit both the clock and the number of insertions.
    heap: Vec<Entry>,
    inserted: u64,
}

const CHILDREN: usize = 4;

impl EventQueue {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many entries are pending.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The order that the next insertion of this priority would have, now used up.
    #[inline]
    pub(crate) fn reserve(&mut self, priority: Priority) -> u64 {
        let order = (priority as u64) << PRIORITY_SHIFT | self.inserted;
        self.inserted += 1;
        order
    }

    /// Adds an entry at a time and returns its [order](Entry::order).
    #[inline]
    pub fn push(&mut self, time: u64, priority: Priority, slot: u32) -> u64 {
        let order = self.reserve(priority);
        self.push_reserved(time, order, slot);
        order
    }

    /// Adds an entry under an order reserved before.
    #[inline]
    pub(crate) fn push_reserved(&mut self, time: u64, order: u64, slot: u32) {
        let entry = Entry { time, order, slot };
        let mut hole = self.heap.len();
        self.heap.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / CHILDREN;
            if self.heap[parent].key() <= entry.key() {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = entry;
    }

    /// The next entry.
    #[inline]
    #[must_use]
    pub fn peek(&self) -> Option<&Entry> {
        self.heap.first()
    }

    /// Takes out the next entry.
    #[inline]
    pub fn pop(&mut self) -> Option<Entry> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            return Some(last);
        };
        self.sink(last);
        Some(first)
    }

    /// Takes out the next entry, if it is due by the given time.
    #[inline]
    pub(crate) fn pop_until(&mut self, time: u64) -> Option<Entry> {
        self.peek().filter(|entry| entry.time <= time)?;
        self.pop()
    }

    /// The pending entries, in no particular order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.heap.iter()
    }

    /// Puts an entry in place of the first and lets it sink to where it belongs.
    #[inline]
    fn sink(&mut self, entry: Entry) {
        let mut hole = 0;
        loop {
            let first = hole * CHILDREN + 1;
            if first >= self.heap.len() {
                break;
            }
            let end = (first + CHILDREN).min(self.heap.len());
            let mut least = first;
            let mut least_key = self.heap[first].key();
            for (sibling, other) in self.heap[first..end].iter().enumerate().skip(1) {
                if other.key() < least_key {
                    least = first + sibling;
                    least_key = other.key();
                }
            }
            if least_key >= entry.key() {
                break;
            }
            self.heap[hole] = self.heap[least];
            hole = least;
        }
        self.heap[hole] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;

    #[test]
    fn entries_are_small() {
        assert_eq!(size_of::<Entry>(), 24);
    }

    #[test]
    fn the_heap_agrees_with_sorting() {
        let mut stream = Stream::new(1, 0, "queue test");
        let mut queue = EventQueue::new();
        let mut expected = Vec::new();
        for slot in 0..5000 {
            let time = u64::from(stream.choose(300));
            let priority =
                [Priority::Delivery, Priority::Timer, Priority::Command][stream.choose(3) as usize];
            queue.push(time, priority, slot);
            expected.push((time, priority, slot));
        }
        expected.sort_unstable();
        let popped = std::iter::from_fn(|| queue.pop());
        let popped: Vec<_> =
            popped.map(|entry| (entry.time(), entry.priority(), entry.slot())).collect();
        assert_eq!(popped, expected);
    }
}
