//! Tables of nodes, networks and executions, by ids. They do not depend on the types of a protocol.

use std::io;

use everypath_model::{Protocol, Scenario, WorldSnapshot};

use crate::{
    bytes::ensure,
    executor::Executor,
    interner::Interner,
    nodes::{Executed, Input, Outcomes, SavedOutcome, local_place},
    options::SpaceOptions,
    setup::Setup,
    verify::Verifier,
};

/// The tables that the machine works with.
pub(crate) struct Tables {
    pub(crate) setup: Setup,
    pub(crate) interner: Interner,
    pub(crate) executor: Executor,
    pub(crate) verifier: Verifier,
}

impl Tables {
    pub(crate) fn new<P: Protocol>(
        scenario: &Scenario<P>,
        start: Option<&WorldSnapshot<P>>,
        options: SpaceOptions,
    ) -> Self {
        let setup = Setup::of(scenario, start, options);
        Self {
            interner: Interner::new(&setup),
            executor: Executor::new(),
            verifier: Verifier::new(setup.options.verification, setup.options.verify_ignored),
            setup,
        }
    }

    /// All executions, in their order.
    pub(crate) fn executed(&self) -> Vec<(Executed, Outcomes)> {
        let mut all = Vec::new();
        for (node, table) in self.interner.nodes.iter().enumerate() {
            let mut add = |slot, input, outcomes: Option<Outcomes>| {
                let executed = Executed { node, slot, input, outcomes: Vec::new() };
                all.extend(outcomes.map(|outcomes| (executed, outcomes)));
            };
            add(None, Input::Start, table.start);
            for (slot, local) in (0..).zip(&table.local) {
                local.iter().for_each(|&event| add(Some(slot), Input::of(event), event.outcomes));
            }
            for (&(slot, packet), &outcomes) in &table.deliveries {
                add(Some(slot), Input::Message { packet }, Some(outcomes));
            }
            for (&(slot, packet), &outcomes) in &table.returns {
                add(Some(slot), Input::Undeliverable { packet }, Some(outcomes));
            }
        }
        all.sort_unstable_by_key(|(_, outcomes)| outcomes.start);
        debug_assert_eq!(
            all.iter().map(|(_, outcomes)| outcomes.len as usize).sum::<usize>(),
            self.executor.len(),
            "every outcome belongs to a memoised execution"
        );
        all
    }

    /// An error unless a handler can have this input and these outcomes.
    pub(crate) fn ensure_possible(
        &self,
        node: usize,
        slot: Option<u32>,
        input: Input,
        outcomes: &[SavedOutcome],
    ) -> io::Result<()> {
        ensure(self.can_be_executed(node, slot, input), "an execution has an impossible input")?;
        let known = |outcome: &SavedOutcome| {
            (outcome.slot as usize) < self.interner.nodes[node].slots()
                && (outcome.output as usize) < self.interner.networks.outputs()
                && outcome
                    .decided
                    .audiences
                    .iter()
                    .all(|&number| self.setup.has_audience(node, number))
        };
        ensure(outcomes.iter().all(known), "an execution leads to something that does not exist")
    }

    fn can_be_executed(&self, node: usize, slot: Option<u32>, input: Input) -> bool {
        let Some(table) = self.interner.nodes.get(node) else {
            return false;
        };
        let Some(slot) = slot else {
            return matches!(input, Input::Start);
        };
        let runs = table.runs_in(slot);
        match input {
            Input::Start => false,
            Input::Undeliverable { packet } => {
                runs && self.setup.packets_return && self.interner.sender_of(packet) == Some(node)
            }
            Input::Message { packet } => {
                let known = self.interner.knows_packet(packet);
                let is_for = |packet| self.interner.networks.addressee(packet).index() == node;
                runs && known && (self.setup.has_receivers || is_for(packet))
            }
            Input::Command { .. } | Input::Timer { .. } | Input::Restart => {
                let local = table.local.get(slot as usize);
                local.is_some_and(|local| local_place(local, input).is_some())
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.interner.bytes() + self.executor.bytes()
    }

    /// How many bytes more they take at once if they are about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        self.interner.bytes_soon() + self.executor.bytes_soon()
    }
}
