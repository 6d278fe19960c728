//! What all events do to one tuple: computed once for many states that share it.

use everypath_explore::EventId;
use everypath_model::EventKind;

use crate::links::LinkSet;

/// Whether an event can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// In every state with this tuple.
    Open,
    /// In no state with this tuple.
    Shut,
    /// It depends on the network.
    Ask,
}

/// What an event does to every state with this tuple.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    pub(crate) event: EventId,
    pub(crate) tuple: u32,
    pub(crate) output: u32,
    pub(crate) gate: Gate,
}

/// What the events around one packet do to every state with this tuple.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PacketEffects {
    /// The stamp of the group for which this was computed.
    pub(crate) stamp: u32,
    /// Its range of the group's deliveries; if it is not known in advance who receives it, of the
    /// group's ways.
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) lose: Effect,
    pub(crate) duplicate: Effect,
}

/// One way in which a packet can leave the network, if it is not known in advance who receives it:
/// it is received, or it comes back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// A delivery, or that it is undeliverable.
    pub(crate) kind: EventKind,
    /// Where it leaves.
    pub(crate) node: usize,
    /// The links that matter: a delivery's link must not be down; if a packet is undeliverable, one
    /// of those over which it could be received is.
    pub(crate) links: LinkSet,
    /// What it leads to: a range of the group's deliveries, once it has been needed.
    pub(crate) effects: Option<(u32, u32)>,
}

impl Way {
    pub(crate) fn is_open(&self, down: LinkSet) -> bool {
        (self.kind == EventKind::Undeliverable) == self.links.meets(down)
    }
}

/// Events at a node that are enumerated together. Kinds of events that the group has not are left
/// out: going through all kinds at every state takes 4 % more instructions on ARQ to
/// depth 45.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// A range of the local effects: commands and timers, or reboots.
    Local {
        start: u32,
        end: u32,
        reboots: bool,
    },
    /// What can happen to each packet that the node can receive, or that is addressed to it.
    Deliver,
    Lose,
    Duplicate,
    /// What happens when a packet comes back to the node.
    Undeliverable,
    /// A range of the local effects: links that fail, or come back.
    Links {
        start: u32,
        end: u32,
        up: bool,
    },
}

/// What all events do to one tuple.
#[derive(Default)]
pub(crate) struct Group {
    /// The tuple, if the group is one.
    tuple: Option<u32>,
    /// Marks what belongs to the group, and not to another whose memory it uses.
    pub(crate) stamp: u32,
    /// What to enumerate at each node, in order.
    pub(crate) parts: Vec<Part>,
    /// By node: where its parts begin; one more at the end.
    pub(crate) part_starts: Vec<u32>,
    pub(crate) local: Vec<Effect>,
    pub(crate) deliveries: Vec<Effect>,
    pub(crate) ways: Vec<Way>,
    /// By packet.
    pub(crate) packets: Vec<PacketEffects>,
}

impl Group {
    /// The places of a node's parts.
    #[inline]
    pub(crate) fn parts_of(&self, node: usize) -> std::ops::Range<usize> {
        self.part_starts[node] as usize..self.part_starts[node + 1] as usize
    }

    fn bytes(&self) -> usize {
        (self.local.capacity() + self.deliveries.capacity()) * size_of::<Effect>()
            + self.parts.capacity() * size_of::<Part>()
            + self.ways.capacity() * size_of::<Way>()
            + self.part_starts.capacity() * size_of::<u32>()
            + self.packets.capacity() * size_of::<PacketEffects>()
    }
}

/// How many groups are kept at most, besides the current one; a power of two.
const KEPT_MAX: usize = 1 << 9;
/// How many bytes they may take. One more, and all are forgotten.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// The group of the states that are being expanded, and groups that were left lately. A search that
/// expands states in the order of discovery changes from one group to another with almost every
/// state: on erroneous ARQ in the thesis profile to depth 35 it takes 40 % fewer instructions with
/// groups that are kept.
#[derive(Default)]
pub(crate) struct Groups {
    pub(crate) current: Group,
    /// By the last bits of the tuple.
    kept: Vec<Group>,
    kept_bytes: usize,
    /// How many groups were computed.
    computed: u32,
}

impl Groups {
    /// Whether the current group is that of a tuple.
    #[inline]
    pub(crate) fn is_in(&self, tuple: u32) -> bool {
        self.current.tuple == Some(tuple)
    }

    /// Changes to the group of a tuple; whether it is kept. If not, it is empty.
    pub(crate) fn change_to(&mut self, tuple: u32) -> bool {
        self.keep_current();
        let place = tuple as usize % KEPT_MAX;
        if let Some(kept) = self.kept.get_mut(place) {
            self.current = std::mem::take(kept);
            self.kept_bytes -= self.current.bytes();
        }
        if self.is_in(tuple) {
            return true;
        }
        self.computed += 1;
        self.current.tuple = Some(tuple);
        self.current.stamp = self.computed;
        self.current.local.clear();
        self.current.parts.clear();
        self.current.part_starts.clear();
        self.current.deliveries.clear();
        self.current.ways.clear();
        false
    }

    fn keep_current(&mut self) {
        let group = std::mem::take(&mut self.current);
        let Some(tuple) = group.tuple else { return };
        if self.kept_bytes + group.bytes() > KEPT_BYTES_MAX {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        let place = tuple as usize % KEPT_MAX;
        if self.kept.len() <= place {
            self.kept.resize_with(place + 1, Group::default);
        }
        self.kept_bytes += group.bytes();
        self.kept[place] = group;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.current.bytes() + self.kept_bytes + self.kept.capacity() * size_of::<Group>()
    }
}
