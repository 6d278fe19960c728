//! Groups: the effects of all events on one tuple, computed once for all states that share it.

use everypath_explore::EventId;
use everypath_model::EventKind;

use crate::link_set::LinkSet;

/// Whether an event is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// In every state with this tuple.
    Open,
    /// In no state with this tuple.
    Shut,
    /// Depending on the network.
    Ask,
}

/// The effect of an event on every state with this tuple.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    pub(crate) event: EventId,
    pub(crate) tuple: u32,
    pub(crate) output: u32,
    pub(crate) gate: Gate,
}

/// The effects of the events of one packet on every state with this tuple.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PacketEffects {
    /// The stamp of the group for which this was computed.
    pub(crate) stamp: u64,
    /// Its range of the group's deliveries, or of the group's exits if its receivers are not known
    /// in advance.
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// The nodes where it can leave, if its receivers are not known in advance.
    pub(crate) exits: NodeSet,
    /// The effects of the possible faults.
    pub(crate) lose: Option<Effect>,
    pub(crate) duplicate: Option<Effect>,
}

/// An over-approximated set of nodes: the nodes of a large network share bits.
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

/// An exit by which a packet can leave the network, if its receivers are not known in advance: it
/// is received, or it returns to its sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    /// A delivery, or a return to the sender.
    pub(crate) kind: EventKind,
    /// The node where it leaves.
    pub(crate) node: usize,
    /// The links that matter. For a delivery, they must be up; for a return, one of the links over
    /// which the packet could be received is down.
    pub(crate) links: LinkSet,
    /// Whether it is undeliverable in any case, because its receiver is out of range.
    pub(crate) beyond: bool,
    /// Its effects: a range of the group's deliveries, computed on demand.
    pub(crate) effects: Option<(u32, u32)>,
}

impl Exit {
    pub(crate) fn is_open(&self, down: LinkSet) -> bool {
        self.beyond || (self.kind == EventKind::Undeliverable) == self.links.meets(down)
    }
}

/// Events at a node that are enumerated together. Kinds of events without an effect in the group
/// are skipped: going through all kinds at every state takes 4 % more instructions on ARQ to depth
/// 45.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The next parts belong to this node.
    Node(usize),
    /// A range of the local effects: commands and timers, or reboots.
    Local {
        start: u32,
        end: u32,
        reboots: bool,
    },
    /// A range of the local effects, of which some spend budgets of timeouts.
    Limited {
        start: u32,
        end: u32,
    },
    /// The deliveries of each packet that the node can receive, or that is addressed to it.
    Deliver,
    Lose,
    Duplicate,
    /// The returns of packets to the node.
    Undeliverable,
    /// A range of the local effects: links that fail, or come back.
    Links {
        start: u32,
        end: u32,
        up: bool,
    },
}

/// The effects of all events on one tuple.
#[derive(Default)]
pub(crate) struct Group {
    /// The tuple; none if the group is empty.
    tuple: Option<u32>,
    /// Marks what belongs to this group, and not to an earlier one that used the same memory.
    pub(crate) stamp: u64,
    /// The parts to enumerate, node by node, in order.
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
/// How many bytes kept groups may take. Beyond that, all are dropped; or, if none of them was used
/// again, no more are kept: a search by sorted levels uses none again.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// The group of the states that are being expanded, and recent groups. A search that expands states
/// in the order of discovery changes the group with almost every state. On erroneous ARQ in the
/// thesis profile to depth 35, kept groups save 40 % of the instructions.
#[derive(Default)]
pub(crate) struct Groups {
    /// The one that was used last.
    current: Group,
    /// Recent groups, by the last bits of the tuple.
    kept: Vec<Group>,
    kept_bytes: usize,
    /// Whether one of them was used again since all were dropped.
    helped: bool,
    /// How many groups were computed. A 32-bit number would overflow within hours, and stamps of
    /// old groups would become valid again.
    computed: u64,
}

impl Groups {
    /// Lends the group that was used last.
    pub(crate) fn take_current(&mut self) -> Group {
        std::mem::take(&mut self.current)
    }

    /// Removals back the group that was used last.
    pub(crate) fn set_current(&mut self, group: Group) {
        self.current = group;
    }

    /// Replaces a group by that of a tuple. The result is whether it was kept; if not, the group is
    /// empty.
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

    /// Keeps a group if there is room. It leaves an old group in its place, or an empty one, so
    /// that the memory can be used again.
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

    /// The steps out of every state within a bound, one state at a time, so that groups change often.
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
    fn what_belongs_to_a_group_is_distinguished_however_many_there_were_before() {
        let scenario = Scenario::new(Relay, Topology::chain(2)).loss(Budget::AtMost(1));
        let fresh = steps(&scenario, 0);
        for before in [1, 7, 60, 300] {
            assert_eq!(steps(&scenario, u64::from(u32::MAX) - before), fresh, "{before}");
        }
    }
}
