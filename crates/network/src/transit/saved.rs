//! Network contents as bytes.

use std::io;

use everypath_model::Faults;

use super::{
    Networks,
    order::Order,
    output::Output,
    past::{Past, Timeouts},
};
use crate::{
    bytes::{Sink, Source, damaged, ensure},
    trie::{Cell, NOTHING},
};

impl Networks {
    /// Writes everything that has a number, in the order of numbers.
    pub(crate) fn save(&self, out: &mut Sink<'_>) -> io::Result<()> {
        out.list(self.pasts.iter())?;
        if !self.timeouts.is_empty() {
            out.list(
                self.pasts.iter().map(|past| past.timeouts.left(self.timeouts.len()).to_vec()),
            )?;
        }
        // The first output always exists.
        out.list(self.outputs.iter().skip(1))?;
        out.list(self.queues.links())?;
        out.list(self.lists.links())
    }

    /// Reads saved networks into a value that has the same packets and nothing else. `required`
    /// says whether there is a required event.
    pub(crate) fn restore(
        &mut self,
        input: &mut Source<'_>,
        faults: Faults,
        required: bool,
    ) -> io::Result<()> {
        let mut pasts = Vec::new();
        input.list(|past: Past| {
            let possible = past.left.is_within(faults)
                && past.links.is_within(faults, self.links)
                && (required || !past.happened);
            pasts.push(past);
            ensure(possible, "a network has a past that no run can have")
        })?;
        if !self.timeouts.is_empty() {
            let mut each = pasts.iter_mut();
            input.list(|left: Vec<u32>| {
                let past = each.next().filter(|_| left.len() == self.timeouts.len());
                let past =
                    past.ok_or_else(|| damaged("the budgets of timeouts are not of pasts"))?;
                past.timeouts = Timeouts::of(&left);
                let first = Timeouts::of(&self.timeouts);
                ensure(first.covers(past.timeouts), "a past has timeouts that no run can have")
            })?;
        }
        for past in pasts {
            ensure(self.pasts.insert(past), "a past is listed twice")?;
        }
        input.list(|output: Output| {
            ensure(
                output.is_possible(self.ends.len(), self.links, self.timeouts.len(), required),
                "an output names a packet or an event that does not exist",
            )?;
            ensure(self.outputs.add(output).1, "an output is listed twice")
        })?;
        input.list(|link| self.restore_queue(link))?;
        ensure(self.queues.restore_fronts(), "a queue is missing")?;
        input.list(|link| self.restore_network(link))
    }

    fn restore_queue(&mut self, link: (u32, u32)) -> io::Result<()> {
        let cell = self.queues.next_cell(link);
        let possible = |&Cell { before, last }: &Cell| {
            let Some(&(from, to)) = self.ends.get(last as usize) else {
                return false;
            };
            let fits = |owner| match self.order {
                Order::PerLink => owner == (from, to),
                Order::Inbox(_) => owner == (to, to),
                _ => false,
            };
            // A full queue was one packet longer before its first packet was displaced.
            let is_long = |most| self.queues.is_longer(before, most);
            self.queued
                && (before == NOTHING
                    || fits(self.owner(before)) && !self.queue_most().is_some_and(is_long))
        };
        let cell = cell.filter(possible).ok_or_else(|| damaged("invalid queue record"))?;
        ensure(self.queues.restore(cell), "a queue is listed twice")
    }

    /// Whether an item fits into a network: a queue, or one more packet.
    fn is_within_capacity(&self, network: u32, item: u32) -> bool {
        match self.queued {
            true => !self.queue_most().is_some_and(|most| self.queues.is_longer(item, most)),
            false => !self.is_link_full(network, item),
        }
    }

    fn restore_network(&mut self, link: (u32, u32)) -> io::Result<()> {
        let items = if self.queued { self.queues.len() } else { self.ends.len() };
        let possible = |&Cell { before, last }: &Cell| match before {
            NOTHING => {
                (last as usize) < self.pasts.len() && (self.many_pasts || self.lists.len() == 0)
            }
            _ => {
                (last as usize) < items
                    && self.is_within_capacity(before, last)
                    && self.goes_last(before, last)
            }
        };
        let cell = self.lists.next_cell(link).filter(possible);
        let cell = cell.ok_or_else(|| damaged("invalid network record"))?;
        let networks = self.lists.len();
        self.intern(cell);
        ensure(self.lists.len() > networks, "a network is listed twice")
    }
}
