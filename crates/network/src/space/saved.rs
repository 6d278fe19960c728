//! All that a space has learned, as bytes, so that another process can go on with the same ids.
//!
//! What is written is what gives ids their meaning: slots, packets, tuples, networks, outputs, and
//! the memo of handler executions, each in the order of its ids. What only saves time (verdicts,
//! what was taken out of which network) is computed again when it is asked for: that finds
//! everything in its table, so later ids are those that an uninterrupted search gives.
//!
//! A space that reads it executes every remembered handler again and compares what it does. So what
//! was saved with another version of the protocol is never gone on with, unless that version does
//! the same in everything that was executed.

use std::io;

use everypath_explore::Mismatch;
use serde::{Deserialize, Serialize};

use super::NetworkSpace;
use crate::{
    bytes::{Sink, Source, ensure, outdated},
    machine::OtherCommands,
    nodes::{Executed, Receivers},
};

/// Who could receive a packet while its sender was in a slot.
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

    /// Writes what states are made of: slots, packets, tuples and networks.
    pub(crate) fn write_content(&self, out: &mut Sink<'_>) -> io::Result<()> {
        self.machine.write_slots(out)?;
        self.machine.write_packets(out)?;
        self.tables.interner.save(out)
    }

    /// Who was found to be able to receive which packets, in a fixed order.
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
        // What was done to compare does not count.
        self.tables.executor.executions = self.tables.executor.len() as u64;
        self.tables.executor.handler_time = std::time::Duration::ZERO;
        Ok(())
    }

    /// Reads what states are made of, into a new space; a node that accepts other commands in a state
    /// than it did is told of.
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
                "only a new space can go on with what another one has learned",
            ));
        }
        let Self { tables, machine, .. } = self;
        machine.read_slots(tables, input, &mut otherwise)?;
        machine.read_packets(tables, input)?;
        tables.interner.restore(input, &tables.setup)
    }

    /// Executes a handler as it was executed before, and remembers it if it does the same.
    fn execute_again(&mut self, executed: Executed) -> io::Result<()> {
        let Executed { node, slot, input, outcomes } = executed;
        self.tables.ensure_possible(node, slot, input, &outcomes)?;
        let again = if outcomes
            .iter()
            .any(|outcome| self.tables.interner.is_nondeterministic(node, outcome.slot))
        {
            // It may do anything.
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
        ensure(new, "a handler was executed twice on the same")
    }

    /// Asks who can receive a packet as it was asked before, and remembers the answer if it is the
    /// same.
    fn ask_again(&mut self, Asked { sender, slot, packet, receivers }: Asked) -> io::Result<()> {
        let possible = self.tables.setup.has_receivers
            && self.tables.interner.sender_of(packet) == Some(sender)
            && self.tables.interner.nodes[sender].runs_in(slot)
            && receivers.as_ref().err().is_none_or(|&broken| {
                (broken as usize) < self.tables.interner.nodes[sender].slots()
            });
        ensure(possible, "the receivers of nothing were asked for")?;
        let key = (slot, packet);
        // One that was not deterministic may say anything.
        let may_differ = |&broken: &u32| self.tables.interner.is_nondeterministic(sender, broken);
        if !receivers.as_ref().err().is_some_and(may_differ)
            && self.ask_for_receivers(sender, key) != receivers
        {
            let what = self.view().describe_packet(packet);
            return Err(outdated(&format!("{what} can be received by other nodes")));
        }
        let before = self.tables.interner.nodes[sender].receivers.insert(key, receivers);
        ensure(before.is_none(), "the receivers of a packet were asked for twice")
    }
}
