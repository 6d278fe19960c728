//! The content of a space as bytes, so that another process can continue with the same ids.
//!
//! The bytes hold what gives ids their meaning: slots, packets, tuples, networks, outputs and handler
//! executions, each in the order of its ids. What only saves time (verdicts, removals from
//! networks) is computed again on demand. That finds everything in its table, so later ids are
//! those of an uninterrupted search.
//!
//! A space that reads them executes every memoised handler again and compares the outcomes. So
//! a search of another version of the protocol is never resumed, unless that version has the same
//! outcomes in everything that was executed.

use std::io;

use everypath_explore::Mismatch;
use everypath_model::Timers;
use serde::{Deserialize, Serialize};

use super::NetworkSpace;
use crate::{
    bytes::{Sink, Source, ensure, outdated},
    machine::OtherCommands,
    nodes::{Executed, Receivers},
};

/// The receivers of a packet while its sender was in a slot.
#[derive(Serialize, Deserialize)]
struct Asked {
    sender: usize,
    slot: u32,
    packet: u32,
    receivers: Result<Receivers, u32>,
}

impl NetworkSpace<'_> {
    pub(crate) fn write_tables(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut out = Sink::new(out);
        out.block(&self.tables.setup.identity(self.machine.start_digest()))?;
        self.write_content(&mut out)?;
        out.list(self.tables.executed().into_iter().map(|(executed, outcomes)| Executed {
            outcomes: self.tables.executor.saved_outcomes(outcomes),
            ..executed
        }))?;
        out.list(self.asked().into_iter())?;
        out.finish()
    }

    /// Writes the parts of states: slots, packets, tuples and networks.
    pub(crate) fn write_content(&self, out: &mut Sink<'_>) -> io::Result<()> {
        if self.tables.setup.options.timers == Timers::Ordered {
            let what = "the order of timers is not saved";
            return Err(io::Error::new(io::ErrorKind::Unsupported, what));
        }
        self.machine.write_slots(out)?;
        self.machine.write_packets(out)?;
        self.machine.write_memories(out)?;
        self.tables.interner.save(out)
    }

    /// The known receivers of packets, in a fixed order.
    fn asked(&self) -> Vec<Asked> {
        let all = self.tables.interner.nodes.iter().enumerate().flat_map(|(sender, table)| {
            table.receivers.iter().map(move |(&(slot, packet), receivers)| Asked {
                sender,
                slot,
                packet,
                receivers: receivers.clone(),
            })
        });
        let mut all: Vec<Asked> = all.collect();
        all.sort_unstable_by_key(|asked| (asked.sender, asked.slot, asked.packet));
        all
    }

    pub(crate) fn read_tables(&mut self, input: &mut dyn io::Read) -> io::Result<()> {
        let input = &mut Source::new(input);
        if let Some(mismatch) = Mismatch::between(
            &input.block()?,
            &self.tables.setup.identity(self.machine.start_digest()),
        ) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, mismatch));
        }
        self.read_content(input, |node| {
            Err(outdated(&format!("{} accepts other commands", node.name)))
        })?;
        input.list(|executed| self.execute_again(executed))?;
        input.list(|asked| self.ask_again(asked))?;
        // Executions that only compare do not count.
        self.tables.executor.executions = self.tables.executor.executions_of_outcomes();
        self.tables.executor.handler_time = std::time::Duration::ZERO;
        Ok(())
    }

    /// Reads the parts of states into a new space. Reports each node that accepts other commands in
    /// a state than before.
    pub(crate) fn read_content(
        &mut self,
        input: &mut Source<'_>,
        mut otherwise: impl FnMut(OtherCommands) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.tables.interner.networks.len() > 0
            || self.tables.interner.tuples.len() > 0
            || self.tables.executor.len() > 0
        {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "only a new space can restore the content of another",
            ));
        }
        let Self { tables, machine, .. } = self;
        machine.read_slots(tables, input, &mut otherwise)?;
        machine.read_packets(tables, input)?;
        machine.read_memories(input)?;
        tables.interner.restore(input, &tables.setup, |observer| machine.known_memories(observer))
    }

    /// Executes a saved execution again, and memoises it if the outcomes are the same.
    fn execute_again(&mut self, executed: Executed) -> io::Result<()> {
        let Executed { node, slot, input, outcomes } = executed;
        self.tables.ensure_possible(node, slot, input, &outcomes)?;
        let again = if outcomes
            .iter()
            .any(|outcome| self.tables.interner.is_nondeterministic(node, outcome.slot))
        {
            // A nondeterministic handler may do anything.
            self.tables.verifier.executions += outcomes.len() as u64;
            self.tables.executor.learn_outcomes(outcomes)
        } else {
            let again = self.execute(node, slot, input);
            if self.tables.executor.saved_outcomes(again) != outcomes {
                let what = self.machine.describe_input(node, slot, input);
                return Err(outdated(&format!("{what} does something else")));
            }
            again
        };
        let new = self.tables.interner.nodes[node].remember(slot, input, again);
        ensure(new, "an execution is listed twice")
    }

    /// Asks for the receivers of a packet again, and memoises the answer if it is the same.
    fn ask_again(&mut self, Asked { sender, slot, packet, receivers }: Asked) -> io::Result<()> {
        let possible = self.tables.setup.has_receivers
            && self.tables.interner.sender_of(packet) == Some(sender)
            && self.tables.interner.nodes[sender].runs_in(slot)
            && receivers.as_ref().err().is_none_or(|&broken| {
                (broken as usize) < self.tables.interner.nodes[sender].slots()
            });
        ensure(possible, "invalid record of receivers")?;
        let key = (slot, packet);
        // A nondeterministic one may answer anything.
        let may_differ = |&broken: &u32| self.tables.interner.is_nondeterministic(sender, broken);
        if !receivers.as_ref().err().is_some_and(may_differ)
            && self.ask_for_receivers(sender, key) != receivers
        {
            let what = self.view().describe_packet(packet);
            return Err(outdated(&format!("{what} can be received by other nodes")));
        }
        let before = self.tables.interner.nodes[sender].receivers.insert(key, receivers);
        ensure(before.is_none(), "the receivers of a packet are listed twice")
    }
}
