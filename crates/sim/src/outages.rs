//! Outages of nodes and links, over time.

use std::collections::VecDeque;

use everypath_model::{Downtime, NodeId, Outage, Part};
use rustc_hash::FxHashMap;

use crate::{
    EventQueue, Priority, Stream,
    clock::{NEVER, Nanoseconds, from_seconds, nanoseconds},
};

/// The outages of nodes and links. The future is computed when it is asked for, so the fate of a packet is
/// known when it is sent.
pub(crate) struct Outages {
    causes: Vec<Cause>,
    parts: Vec<State>,
    /// For each node with outages, and each link from its smaller end: its place among the parts.
    nodes: FxHashMap<NodeId, usize>,
    links: FxHashMap<(NodeId, NodeId), usize>,
}

/// A part with outages.
struct State {
    part: Part,
    causes: Vec<usize>,
    /// How many of them keep it down now.
    downs: u32,
}

/// One outage.
struct Cause {
    /// The place of its part.
    part: usize,
    /// Whether it keeps the part down now.
    is_down: bool,
    /// When it does, in the order of time: from the first that has not ended on.
    spells: VecDeque<Spell>,
    random: Option<Random>,
}

/// From one moment up to another, at which it is no longer down.
#[derive(Clone, Copy)]
struct Spell {
    down: Nanoseconds,
    up: Nanoseconds,
}

/// The random source of spells.
struct Random {
    to_failure_s: f64,
    to_repair_s: f64,
    /// When the last spell that was drawn ends.
    known: Nanoseconds,
    stream: Stream,
}

/// What happens to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Down(Part),
    Up(Part),
}

impl Outages {
    pub(crate) fn new(outages: &[Outage], seed: u64, replication: u32) -> Self {
        let mut all = Self {
            causes: Vec::new(),
            parts: Vec::new(),
            nodes: FxHashMap::default(),
            links: FxHashMap::default(),
        };
        for outage in outages {
            let place = all.place_of(outage.part);
            let State { part, causes, .. } = &mut all.parts[place];
            let number = causes.len();
            let purpose = match part {
                Part::Node(node) => format!("node {} outage {number}", node.0),
                Part::Link(one, other) => format!("link {}-{} outage {number}", one.0, other.0),
            };
            causes.push(all.causes.len());
            let stream = || Stream::new(seed, replication, &purpose);
            all.causes.push(Cause::new(place, outage.downtime, stream));
        }
        all
    }

    /// The place of a part, which is made if it has none.
    fn place_of(&mut self, part: Part) -> usize {
        let next = self.parts.len();
        let (place, part) = match part {
            Part::Node(node) => (*self.nodes.entry(node).or_insert(next), part),
            Part::Link(one, other) => {
                let ends = ordered(one, other);
                (*self.links.entry(ends).or_insert(next), Part::Link(ends.0, ends.1))
            }
        };
        if place == next {
            self.parts.push(State { part, causes: Vec::new(), downs: 0 });
        }
        place
    }

    /// Whether nothing ever goes down.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Schedules the first spell of every cause.
    pub(crate) fn schedule(&mut self, queue: &mut EventQueue) {
        for cause in 0..self.causes.len() {
            self.schedule_next(cause, queue);
        }
    }

    fn schedule_next(&mut self, cause: usize, queue: &mut EventQueue) {
        let slot = u32::try_from(cause).expect("fewer than 2^32 outages");
        let cause = &mut self.causes[cause];
        let spell = cause.current();
        let time = spell.map_or(NEVER, |it| if cause.is_down { it.up } else { it.down });
        if time < NEVER {
            queue.push(time, Priority::Outage, slot);
        }
    }

    /// A cause begins or ends: the change of its part, if it changes.
    pub(crate) fn change(&mut self, slot: u32, queue: &mut EventQueue) -> Option<Change> {
        let cause = &mut self.causes[slot as usize];
        let State { part, downs, .. } = &mut self.parts[cause.part];
        let change = if cause.is_down {
            cause.spells.pop_front();
            *downs -= 1;
            (*downs == 0).then_some(Change::Up(*part))
        } else {
            *downs += 1;
            (*downs == 1).then_some(Change::Down(*part))
        };
        cause.is_down = !cause.is_down;
        self.schedule_next(slot as usize, queue);
        change
    }

    /// Whether a node is down now.
    #[inline]
    pub(crate) fn is_node_down(&self, node: NodeId) -> bool {
        !self.is_empty() && self.nodes.get(&node).is_some_and(|&place| self.parts[place].downs > 0)
    }

    /// Whether a link is down now.
    pub(crate) fn is_link_down(&self, one: NodeId, other: NodeId) -> bool {
        let place = self.links.get(&ordered(one, other));
        place.is_some_and(|&place| self.parts[place].downs > 0)
    }

    /// The first moment of a span, both ends of it included, at which a node is down; also if it only
    /// reboots in an instant. The span must not begin in the past.
    pub(crate) fn node_down(
        &mut self,
        node: NodeId,
        span: (Nanoseconds, Nanoseconds),
    ) -> Option<Nanoseconds> {
        let place = *self.nodes.get(&node)?;
        self.first_down(place, span)
    }

    /// The same of a link.
    pub(crate) fn link_down(
        &mut self,
        one: NodeId,
        other: NodeId,
        span: (Nanoseconds, Nanoseconds),
    ) -> Option<Nanoseconds> {
        let place = *self.links.get(&ordered(one, other))?;
        self.first_down(place, span)
    }

    fn first_down(
        &mut self,
        place: usize,
        span: (Nanoseconds, Nanoseconds),
    ) -> Option<Nanoseconds> {
        let causes = &self.parts[place].causes;
        let downs = causes.iter().filter_map(|&cause| self.causes[cause].first_down(span));
        downs.min()
    }
}

fn ordered(one: NodeId, other: NodeId) -> (NodeId, NodeId) {
    (one.min(other), one.max(other))
}

impl Cause {
    fn new(part: usize, downtime: Downtime, stream: impl FnOnce() -> Stream) -> Self {
        let (spells, random) = match downtime {
            Downtime::Given { down, up } => {
                let spell = Spell { down: nanoseconds(down), up: up.map_or(NEVER, nanoseconds) };
                (VecDeque::from([spell]), None)
            }
            Downtime::Random { to_failure, to_repair } => {
                let random = Random {
                    to_failure_s: to_failure.as_secs_f64(),
                    to_repair_s: to_repair.as_secs_f64(),
                    known: 0,
                    stream: stream(),
                };
                (VecDeque::new(), Some(random))
            }
        };
        Self { part, is_down: false, spells, random }
    }

    /// The spell that lasts now or comes next.
    fn current(&mut self) -> Option<Spell> {
        if self.spells.is_empty() {
            self.spells.extend(self.random.as_mut().map(Random::draw));
        }
        self.spells.front().copied()
    }

    fn first_down(&mut self, (from, to): (Nanoseconds, Nanoseconds)) -> Option<Nanoseconds> {
        if let Some(random) = &mut self.random {
            while random.known <= to && random.known < NEVER {
                self.spells.push_back(random.draw());
            }
        }
        let meets = |spell: &&Spell| spell.down <= to && (spell.up > from || spell.down >= from);
        self.spells.iter().find(meets).map(|spell| spell.down.max(from))
    }
}

impl Random {
    fn draw(&mut self) -> Spell {
        let mut after = |time: Nanoseconds, mean_s: f64| {
            time.saturating_add(from_seconds(self.stream.exponential(mean_s)))
        };
        // It works for at least a moment: else it could come to no end at one.
        let down = after(self.known, self.to_failure_s).max(self.known.saturating_add(1));
        let up = after(down, self.to_repair_s);
        self.known = up;
        Spell { down, up }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const NODE: NodeId = NodeId(4);

    fn outage(downtime: Downtime) -> Outage {
        Outage { part: Part::Node(NODE), downtime }
    }

    fn given(down: u64, up: Option<u64>) -> Outage {
        let [down, up] = [Some(down), up].map(|time| time.map(Duration::from_nanos));
        outage(Downtime::Given { down: down.expect("given"), up })
    }

    /// All changes, with their times.
    fn changes(outages: &mut Outages, until: Nanoseconds) -> Vec<(Nanoseconds, bool)> {
        let mut queue = EventQueue::new();
        outages.schedule(&mut queue);
        let mut changes = Vec::new();
        while let Some(entry) = queue.pop_until(until) {
            match outages.change(entry.slot(), &mut queue) {
                Some(Change::Down(_)) => changes.push((entry.time(), false)),
                Some(Change::Up(_)) => changes.push((entry.time(), true)),
                None => {}
            }
        }
        changes
    }

    #[test]
    fn who_has_several_outages_is_down_while_any_lasts() {
        let list = [given(10, Some(30)), given(20, Some(40)), given(50, Some(50)), given(60, None)];
        let mut outages = Outages::new(&list, 1, 0);
        assert_eq!(outages.node_down(NODE, (0, 9)), None);
        assert_eq!(outages.node_down(NODE, (0, 10)), Some(10));
        assert_eq!(outages.node_down(NODE, (35, 100)), Some(35));
        assert_eq!(outages.node_down(NODE, (40, 49)), None);
        assert_eq!(outages.node_down(NODE, (45, 55)), Some(50));
        assert_eq!(outages.node_down(NodeId(3), (0, 100)), None);
        let expected = [(10, false), (40, true), (50, false), (50, true), (60, false)];
        assert_eq!(changes(&mut outages, LATE), expected);
        assert!(outages.is_node_down(NODE) && !outages.is_node_down(NodeId(0)));
    }

    const LATE: Nanoseconds = 20_000_000;

    proptest! {
        /// What is predicted is what then happens, whatever is asked when.
        #[test]
        fn the_future_comes_as_it_was_computed(
            seed in any::<u64>(),
            spans in prop::collection::vec((0..LATE, 0..LATE / 10), 1..20),
        ) {
            let random = |to_failure, to_repair| outage(Downtime::Random {
                to_failure: Duration::from_nanos(to_failure),
                to_repair: Duration::from_nanos(to_repair),
            });
            let list = [random(1_000_000, 300_000), random(5_000_000, 10_000), given(77, Some(99))];
            let happened = changes(&mut Outages::new(&list, seed, 0), LATE);
            let mut outages = Outages::new(&list, seed, 0);
            for (from, length) in spans {
                let to = (from + length).min(LATE);
                let before = happened.iter().rev().find(|(time, _)| *time <= from);
                let is_down = before.is_some_and(|(_, up)| !up);
                let next = happened.iter().find(|(time, up)| *time >= from && !up);
                let next = next.map(|(time, _)| *time).filter(|&time| time <= to);
                let expected = if is_down { Some(from) } else { next };
                prop_assert_eq!(outages.node_down(NODE, (from, to)), expected);
            }
        }
    }
}
