//! Timers of all nodes.
//!
//! A timer has one entry in the event queue, however often it is set again: setting it to a later
//! moment, or cancelling it, only changes what is noted here, and the entry, when it comes up,
//! is put back or forgotten. A route that lives for three seconds after every packet costs one
//! queue operation per three seconds, not one per packet.

use std::hash::{BuildHasher, Hash};

use everypath_model::NodeId;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::{
    clock::Nanoseconds,
    queue::{Entry, EventQueue, Priority},
    slab::Slab,
};

struct Setting<T> {
    node: NodeId,
    timer: T,
    /// Whether it is set; if not, only its entry in the queue is left.
    armed: bool,
    due: Nanoseconds,
    /// The order it got when it was set, which decides ties.
    order: u64,
    /// When its entry in the queue comes up: not after it is due.
    queued: Nanoseconds,
    /// The order of that entry; any other entry for this slot is obsolete.
    queued_order: u64,
}

/// The timers of one node, by slot: a list that is searched from end to end as long as it is
/// short, a hash table once it was not.
#[derive(Default)]
struct Table {
    few: Vec<u32>,
    many: HashTable<u32>,
}

const FEW: usize = 8;

fn hash<T: Hash>(timer: &T) -> u64 {
    FxBuildHasher.hash_one(timer)
}

impl Table {
    #[inline]
    fn find<T: Eq + Hash>(&self, timer: &T, settings: &Slab<Setting<T>>) -> Option<u32> {
        let is_it =
            |slot: &&u32| settings.get(**slot).is_some_and(|setting| setting.timer == *timer);
        if self.many.is_empty() {
            return self.few.iter().find(is_it).copied();
        }
        let found = self.many.find(hash(timer), |slot| is_it(&slot));
        found.copied()
    }

    fn insert<T: Hash>(&mut self, slot: u32, settings: &Slab<Setting<T>>) {
        let hash_of = |slot: &u32| hash(&settings.get(*slot).expect("it is in the table").timer);
        if self.many.is_empty() && self.few.len() < FEW {
            self.few.push(slot);
            return;
        }
        for slot in self.few.drain(..).chain([slot]) {
            self.many.insert_unique(hash_of(&slot), slot, hash_of);
        }
    }

    fn remove<T: Hash>(&mut self, slot: u32, timer: &T) {
        if let Some(place) = self.few.iter().position(|&other| other == slot) {
            self.few.swap_remove(place);
        } else if let Ok(found) = self.many.find_entry(hash(timer), |&other| other == slot) {
            found.remove();
        }
    }
}

pub(crate) struct Timers<T> {
    settings: Slab<Setting<T>>,
    nodes: Vec<Table>,
}

impl<T: Clone + Eq + Hash + Ord> Timers<T> {
    pub(crate) fn new(nodes: usize) -> Self {
        Self {
            settings: Slab::new(),
            nodes: std::iter::repeat_with(Table::default).take(nodes).collect(),
        }
    }

    /// Sets a timer, or sets it again.
    #[inline]
    pub(crate) fn set(&mut self, node: NodeId, timer: T, due: Nanoseconds, queue: &mut EventQueue) {
        let order = queue.reserve(Priority::Timer);
        let known = self.nodes[node.index()].find(&timer, &self.settings);
        let Some(slot) = known else {
            return self.set_first(node, timer, due, order, queue);
        };
        let setting = self.settings.get_mut(slot).expect("it is in the table");
        setting.armed = true;
        setting.due = due;
        setting.order = order;
        if due < setting.queued {
            setting.queued = due;
            setting.queued_order = order;
            queue.push_reserved(due, order, slot);
        }
    }

    /// Whether a timer is not set, or due before this moment.
    #[inline]
    pub(crate) fn is_due_before(&self, node: NodeId, timer: &T, due: Nanoseconds) -> bool {
        self.due(node, timer).is_none_or(|now| now < due)
    }

    fn set_first(
        &mut self,
        node: NodeId,
        timer: T,
        due: Nanoseconds,
        order: u64,
        queue: &mut EventQueue,
    ) {
        let slot = self.settings.insert(Setting {
            node,
            timer,
            armed: true,
            due,
            order,
            queued: due,
            queued_order: order,
        });
        self.nodes[node.index()].insert(slot, &self.settings);
        queue.push_reserved(due, order, slot);
    }

    /// Unsets a timer, if it is set.
    #[inline]
    pub(crate) fn cancel(&mut self, node: NodeId, timer: &T) {
        let known = self.nodes[node.index()].find(timer, &self.settings);
        if let Some(setting) = known.and_then(|slot| self.settings.get_mut(slot)) {
            setting.armed = false;
        }
    }

    /// Unsets all timers of a node.
    pub(crate) fn cancel_all(&mut self, node: NodeId) {
        let Table { few, many } = &self.nodes[node.index()];
        for &slot in few.iter().chain(many) {
            self.settings.get_mut(slot).expect("it is in the table").armed = false;
        }
    }

    /// When a timer fires, if it is set.
    pub(crate) fn due(&self, node: NodeId, timer: &T) -> Option<Nanoseconds> {
        let known = self.nodes[node.index()].find(timer, &self.settings);
        let setting = known.and_then(|slot| self.settings.get(slot));
        setting.filter(|setting| setting.armed).map(|setting| setting.due)
    }

    /// An entry has come up: the timer that fires, if one does. It is then no longer set.
    #[inline]
    pub(crate) fn fire(&mut self, entry: Entry, queue: &mut EventQueue) -> Option<(NodeId, T)> {
        let slot = entry.slot();
        let setting = self.settings.get_mut(slot)?;
        if setting.queued_order != entry.order() {
            return None;
        }
        if setting.armed && setting.order != entry.order() {
            setting.queued = setting.due;
            setting.queued_order = setting.order;
            queue.push_reserved(setting.due, setting.order, slot);
            return None;
        }
        let setting = self.settings.remove(slot);
        self.nodes[setting.node.index()].remove(slot, &setting.timer);
        setting.armed.then_some((setting.node, setting.timer))
    }

    /// The timers that are set, by node, in their order.
    pub(crate) fn armed(&self) -> Vec<Vec<T>> {
        let mut armed = vec![Vec::new(); self.nodes.len()];
        for setting in self.settings.iter().filter(|setting| setting.armed) {
            armed[setting.node.index()].push(setting.timer.clone());
        }
        armed.iter_mut().for_each(|timers: &mut Vec<T>| timers.sort_unstable());
        armed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: NodeId = NodeId(0);

    fn fired(timers: &mut Timers<u32>, queue: &mut EventQueue) -> Vec<(u64, u32)> {
        let mut fired = Vec::new();
        while let Some(entry) = queue.pop() {
            if let Some((_, timer)) = timers.fire(entry, queue) {
                fired.push((entry.time(), timer));
            }
        }
        fired
    }

    #[test]
    fn setting_again_replaces_whether_later_or_earlier() {
        let (mut timers, mut queue) = (Timers::new(1), EventQueue::new());
        timers.set(NODE, 1, 10, &mut queue);
        timers.set(NODE, 1, 30, &mut queue);
        timers.set(NODE, 2, 20, &mut queue);
        timers.set(NODE, 2, 5, &mut queue);
        timers.set(NODE, 2, 25, &mut queue);
        assert_eq!(timers.armed(), [[1, 2]]);
        assert_eq!(fired(&mut timers, &mut queue), [(25, 2), (30, 1)]);
    }

    #[test]
    fn prolonging_never_makes_earlier() {
        let (mut timers, mut queue) = (Timers::new(1), EventQueue::new());
        for (due, sets) in [(10, true), (30, true), (20, false), (30, false)] {
            assert_eq!(timers.is_due_before(NODE, &1, due), sets);
            if sets {
                timers.set(NODE, 1, due, &mut queue);
            }
        }
        timers.set(NODE, 2, 40, &mut queue);
        timers.cancel(NODE, &2);
        assert!(timers.is_due_before(NODE, &2, 5));
        timers.set(NODE, 2, 5, &mut queue);
        assert_eq!(fired(&mut timers, &mut queue), [(5, 2), (30, 1)]);
    }

    #[test]
    fn ties_go_by_when_a_timer_was_last_set() {
        let (mut timers, mut queue) = (Timers::new(1), EventQueue::new());
        timers.set(NODE, 1, 10, &mut queue);
        timers.set(NODE, 2, 10, &mut queue);
        timers.set(NODE, 1, 10, &mut queue);
        assert_eq!(fired(&mut timers, &mut queue), [(10, 2), (10, 1)]);
    }

    #[test]
    fn cancelled_timers_do_not_fire_unless_set_again() {
        let (mut timers, mut queue) = (Timers::new(1), EventQueue::new());
        for timer in 0..3 {
            timers.set(NODE, timer, 10, &mut queue);
            timers.cancel(NODE, &timer);
        }
        timers.set(NODE, 1, 12, &mut queue);
        timers.set(NODE, 2, 8, &mut queue);
        timers.cancel(NODE, &17);
        assert_eq!(fired(&mut timers, &mut queue), [(8, 2), (12, 1)]);
        assert_eq!(timers.settings.iter().count(), 0);
    }

    #[test]
    fn thousands_of_timers_at_one_node() {
        let (mut timers, mut queue) = (Timers::new(1), EventQueue::new());
        for timer in 0..5000 {
            timers.set(NODE, timer, u64::from(timer), &mut queue);
        }
        for timer in (0..5000).step_by(2) {
            timers.cancel(NODE, &timer);
        }
        let expected: Vec<_> =
            (0..5000).skip(1).step_by(2).map(|timer| (u64::from(timer), timer)).collect();
        assert_eq!(fired(&mut timers, &mut queue), expected);
        assert!(timers.nodes[0].few.is_empty() && timers.nodes[0].many.is_empty());
    }
}
