//! Groups: the effects of all events on one tuple, computed once for all states that share it.

use everypath_explore::EventId;
use everypath_model::EventKind;

use crate::link_set::LinkSet;

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
    pub(crate) stamp: u64,
    /// Its range of the group's deliveries; if it is not known in advance who receives it, of the
    /// group's exits.
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

/// One exit by which a packet can leave the network, if it is not known in advance who receives it:
/// it is received, or it comes back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
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

impl Exit {
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
    pub(crate) stamp: u64,
    /// What to enumerate, node by node, in order.
    pub(crate) parts: Vec<Part>,
    pub(crate) local: Vec<Effect>,
    pub(crate) deliveries: Vec<Effect>,
    pub(crate) exits: Vec<Exit>,
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
            + self.exits.capacity() * size_of::<Exit>()
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
    /// How many groups were computed. In 32 bits it would begin anew within hours, and what belongs to
    /// a group of long ago would pass for the current one's.
    computed: u64,
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
        group.exits.clear();
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

#[cfg(test)]
mod tests {
    use everypath_explore::{Space, StateId, Step};
    use everypath_model::{Budget, Never, Node, NodeId, Protocol, Scenario, Start, Topology};

    use crate::{NetworkSpace, SpaceOptions};

    /// Passes numbers on, so that there are many tuples and packets.
    struct Relay;
    impl Protocol for Relay {
        type State = u8;
        type Message = u8;
        type Timer = Never;
        type Command = u8;
        fn start(&self, _: &mut Start<'_, Self>) -> u8 {
            0
        }
        fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &u8) {
            *node.state = (*node.state + message) % 4;
            if *message > 1 {
                node.send(from, message - 1);
            }
        }
        fn commands(&self, _: NodeId, state: &u8) -> Vec<u8> {
            if *state < 2 { vec![2, 3] } else { Vec::new() }
        }
        fn on_command(&self, node: &mut Node<'_, Self>, command: &u8) {
            *node.state += 1;
            node.broadcast(*command);
        }
    }

    /// The steps out of every state within a bound, one state after the other, so that groups change often.
    fn steps(scenario: &Scenario<Relay>, computed: u64) -> Vec<Vec<Step>> {
        let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).expect("it is small");
        space.groups.computed = computed;
        let mut level: Vec<StateId> = Vec::new();
        space.initial(&mut level);
        let mut all = Vec::new();
        for _ in 0..5 {
            let mut next = Vec::new();
            for &state in &level {
                let mut steps = Vec::new();
                space.expand(&[state], &mut steps);
                next.extend(steps.iter().map(|step| step.target));
                all.push(steps);
            }
            next.truncate(400);
            level = next;
        }
        all
    }

    #[test]
    fn what_belongs_to_a_group_is_told_apart_however_many_there_were_before() {
        let scenario = Scenario::new(Relay, Topology::chain(2)).loss(Budget::AtMost(1));
        let fresh = steps(&scenario, 0);
        for before in [1, 7, 60, 300] {
            assert_eq!(steps(&scenario, u64::from(u32::MAX) - before), fresh, "{before}");
        }
    }
}
