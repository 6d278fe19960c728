//! Interned parts of states: slots, tuples and networks, each kept once and named by a number.

use std::io;

use everypath_explore::StateId;

use crate::{
    bytes::{Sink, Source, ensure},
    nodes::{Breakage, NodeTable, Tuples},
    packed::unpack,
    setup::Setup,
    transit::{Networks, Order},
};

/// All parts of states that have a number.
pub(crate) struct Interner {
    /// By node: its slots, and the outcomes of its handlers in them.
    pub(crate) nodes: Vec<NodeTable>,
    pub(crate) tuples: Tuples,
    pub(crate) networks: Networks,
}

impl Interner {
    pub(crate) fn new(setup: &Setup) -> Self {
        let nodes = setup.topology.len();
        let late = setup.can_address_all() || !setup.links.is_empty();
        let order = Order::of(setup.network, setup.options.profile);
        let required = setup.options.required.is_some();
        let (faults, links) = (setup.faults, setup.links.len());
        let timeouts = setup.timeout_budgets();
        Self {
            nodes: (0..nodes).map(|_| NodeTable::default()).collect(),
            tuples: Tuples::new(setup.columns()),
            networks: Networks::new(order, setup.capacity, late, faults, links, timeouts, required),
        }
    }

    /// Whether a state was met.
    pub(crate) fn contains(&self, state: StateId) -> bool {
        let (tuple, network) = unpack(state);
        (tuple as usize) < self.tuples.len() && (network as usize) < self.networks.len()
    }

    /// The broken node of a tuple, if there is one.
    pub(crate) fn breakage(&self, tuple: u32) -> Option<(usize, &Breakage)> {
        let slots = self.nodes.iter().zip(self.tuples.get(tuple)).enumerate();
        let mut broken = slots.filter(|(_, (table, _))| !table.broken.is_empty());
        broken.find_map(|(node, (table, slot))| Some((node, table.broken.get(slot)?)))
    }

    /// Whether a slot is broken because a handler of its node was nondeterministic.
    pub(crate) fn is_nondeterministic(&self, node: usize, slot: u32) -> bool {
        matches!(self.nodes[node].broken.get(&slot), Some(Breakage::Nondeterministic { .. }))
    }

    /// Whether a packet is known.
    pub(crate) fn knows_packet(&self, packet: u32) -> bool {
        (packet as usize) < self.networks.known_packets()
    }

    /// The node that sent a packet, if there is such a packet.
    pub(crate) fn sender_of(&self, packet: u32) -> Option<usize> {
        self.knows_packet(packet).then(|| self.networks.ends(packet).0.index())
    }

    /// Writes tuples and networks.
    pub(crate) fn save(&self, out: &mut Sink<'_>) -> io::Result<()> {
        out.put(&self.tuples.len())?;
        for tuple in 0..self.tuples.len() {
            self.tuples.get(tuple as u32).iter().try_for_each(|slot| out.put(slot))?;
        }
        self.networks.save(out)
    }

    /// Reads tuples and networks, after slots and packets and before anything else.
    pub(crate) fn restore(
        &mut self,
        input: &mut Source<'_>,
        setup: &Setup,
        known_memories: impl Fn(usize) -> usize,
    ) -> io::Result<()> {
        let nodes = self.nodes.len();
        let mut tuple = vec![0; setup.columns()];
        for _ in 0..input.get::<usize>()? {
            for (column, slot) in tuple.iter_mut().enumerate() {
                *slot = input.get()?;
                let known = match self.nodes.get(column) {
                    Some(table) => table.slots(),
                    None => known_memories(column - nodes),
                };
                let known = (*slot as usize) < known;
                ensure(known, "a tuple names a node state or memory that does not exist")?;
            }
            let tuples = self.tuples.len();
            self.tuples.intern(&tuple);
            ensure(self.tuples.len() > tuples, "a tuple is listed twice")?;
        }
        self.networks.restore(input, setup.faults, setup.options.required.is_some())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.iter().map(NodeTable::bytes).sum::<usize>()
            + self.tuples.bytes()
            + self.networks.bytes()
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        self.nodes.iter().map(NodeTable::bytes_soon).sum::<usize>()
            + self.tuples.bytes_soon()
            + self.networks.bytes_soon()
    }
}
