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
    /// Where it can leave, if it is not known in advance who receives it.
    pub(crate) exits: NodeSet,
    /// What the faults do that there are.
    pub(crate) lose: Option<Effect>,
    pub(crate) duplicate: Option<Effect>,
}

/// Some nodes, and possibly others: a bit for each, which a large network's nodes share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeSet(u64);

impl NodeSet {
    pub(crate) fn add(&mut self, node: usize) {
        self.0 |= 1 << (node % 64);
    }

    /// Whether a node may be among them.
    #[inline]
    pub(crate) fn may_have(self, node: usize) -> bool {
        self.0 >> (node % 64) & 1 == 1
    }
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
    /// Whether it is undeliverable in any case, since its receiver is out of range.
    pub(crate) beyond: bool,
    /// What it leads to: a range of the group's deliveries, once it has been needed.
    pub(crate) effects: Option<(u32, u32)>,
}

impl Way {
    pub(crate) fn is_open(&self, down: LinkSet) -> bool {
        self.beyond || (self.kind == EventKind::Undeliverable) == self.links.meets(down)
    }
}

/// Events at a node that are enumerated together. Kinds of events that the group has not are left
/// out: going through all kinds at every state takes 4 % more instructions on ARQ to
/// depth 45.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The next parts are of this node.
    Node(usize),
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
    /// What to enumerate, node by node, in order.
    pub(crate) parts: Vec<Part>,
    pub(crate) local: Vec<Effect>,
    pub(crate) deliveries: Vec<Effect>,
    pub(crate) ways: Vec<Way>,
    /// By packet.
    pub(crate) packets: Vec<PacketEffects>,
}

impl Group {
    /// Whether this is the group of a tuple.
    #[inline]
    pub(crate) fn is_of(&self, tuple: u32) -> bool {
        self.tuple == Some(tuple)
    }

    fn bytes(&self) -> usize {
        (self.local.capacity() + self.deliveries.capacity()) * size_of::<Effect>()
            + self.parts.capacity() * size_of::<Part>()
            + self.ways.capacity() * size_of::<Way>()
            + self.packets.capacity() * size_of::<PacketEffects>()
    }
}

/// How many groups are kept at most, besides the current one; a power of two.
const KEPT_MAX: usize = 1 << 9;
/// How many bytes they may take. One more, and all are forgotten; or, if none of them was wanted
/// again, no more are kept: a search by sorted levels wants none.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// The group of the states that are being expanded, and groups that were left lately. A search that
/// expands states in the order of discovery changes from one group to another with almost every
/// state: on erroneous ARQ in the thesis profile to depth 35 it takes 40 % fewer instructions with
/// groups that are kept.
#[derive(Default)]
pub(crate) struct Groups {
    /// The one that was used last.
    current: Group,
    /// By the last bits of the tuple.
    kept: Vec<Group>,
    kept_bytes: usize,
    /// Whether one of them was wanted again since they were forgotten.
    helped: bool,
    /// How many groups were computed.
    computed: u32,
}

impl Groups {
    /// Lends the group that was used last.
    pub(crate) fn take_current(&mut self) -> Group {
        std::mem::take(&mut self.current)
    }

    /// Takes back the group that was used last.
    pub(crate) fn set_current(&mut self, group: Group) {
        self.current = group;
    }

    /// Changes a group for that of a tuple; whether it is kept. If not, it is empty.
    pub(crate) fn change(&mut self, group: &mut Group, tuple: u32) -> bool {
        self.keep(group);
        let place = tuple as usize % KEPT_MAX;
        if self.kept.get(place).is_some_and(|kept| kept.is_of(tuple)) {
            std::mem::swap(&mut self.kept[place], group);
            self.kept_bytes = self.kept_bytes + self.kept[place].bytes() - group.bytes();
            self.helped = true;
            return true;
        }
        self.computed += 1;
        group.tuple = Some(tuple);
        group.stamp = self.computed;
        group.local.clear();
        group.parts.clear();
        group.deliveries.clear();
        group.ways.clear();
        false
    }

    /// Keeps a group, if there is room; leaves another that was kept in its place, or one that is
    /// none, so that its memory can be used again.
    fn keep(&mut self, group: &mut Group) {
        let Some(tuple) = group.tuple else { return };
        let place = tuple as usize % KEPT_MAX;
        let kept = self.kept.get(place).map_or(0, Group::bytes);
        let mut kept_bytes = self.kept_bytes + group.bytes() - kept;
        if kept_bytes > KEPT_BYTES_MAX && std::mem::take(&mut self.helped) {
            self.kept.clear();
            kept_bytes = group.bytes();
        }
        if kept_bytes <= KEPT_BYTES_MAX {
            if self.kept.len() <= place {
                self.kept.resize_with(place + 1, Group::default);
            }
            self.kept_bytes = kept_bytes;
            std::mem::swap(&mut self.kept[place], group);
        }
        group.tuple = None;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.current.bytes() + self.kept_bytes + self.kept.capacity() * size_of::<Group>()
    }
}
