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

mod bytes;

use std::{fmt::Write as _, io};

use everypath_explore::{Difference, Facts, Space};
use everypath_model::{EventKind, Ignored, NodeId, Protocol};
use serde::{Deserialize, Serialize};

pub(crate) use self::bytes::{List, Sink, Source, damaged, ensure};
use crate::{
    NetworkSpace,
    execute::Input,
    nodes::{Breakage, LocalEvent, Outcome, Outcomes, Receivers, Slot},
    options::packets_return,
    verify::shown,
};

/// A slot as it is written: unlike in a portable state, with what does not count of a breakage but
/// is shown.
#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>, T: Deserialize<'de>"))]
enum SavedSlot<S, T> {
    Running {
        state: S,
        #[serde(deserialize_with = "bytes::list")]
        timers: Vec<T>,
    },
    Panicked {
        message: String,
        place: Option<String>,
    },
    Nondeterministic {
        what: String,
    },
}

/// Who could receive a packet while its sender was in a slot.
#[derive(Serialize, Deserialize)]
struct Asked {
    sender: usize,
    slot: u32,
    packet: u32,
    receivers: Result<Receivers, u32>,
}

/// One execution of a handler: on what, and one outcome per sequence of choices.
#[derive(Serialize, Deserialize)]
pub(crate) struct Executed {
    pub(crate) node: usize,
    pub(crate) slot: Option<u32>,
    pub(crate) input: Input,
    pub(crate) outcomes: Vec<SavedOutcome>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct SavedOutcome {
    pub(crate) slot: u32,
    pub(crate) output: u32,
    choices: Vec<u32>,
}

/// A node that, in one of its slots, accepts other commands than it did when that was saved.
pub(crate) struct OtherCommands {
    pub(crate) node: usize,
    pub(crate) slot: u32,
    name: String,
}

impl Input {
    /// What a local event executes its handler on.
    pub(crate) fn of(LocalEvent { kind, which, .. }: LocalEvent) -> Self {
        match kind {
            EventKind::Command => Self::Command { which },
            EventKind::Timer => Self::Timer { which },
            EventKind::Reboot => Self::Restart,
            EventKind::Deliver
            | EventKind::Lose
            | EventKind::Duplicate
            | EventKind::Undeliverable
            | EventKind::LinkDown
            | EventKind::LinkUp => unreachable!("these are not local"),
        }
    }

    /// Kind and number of the local event that executes its handler on this, if one does.
    pub(crate) fn local(self) -> Option<(EventKind, u32)> {
        match self {
            Self::Command { which } => Some((EventKind::Command, which)),
            Self::Timer { which } => Some((EventKind::Timer, which)),
            Self::Restart => Some((EventKind::Reboot, 0)),
            Self::Start | Self::Message { .. } | Self::Undeliverable { .. } => None,
        }
    }
}

impl<P: Protocol> NetworkSpace<'_, P> {
    pub(crate) fn write_tables(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut out = Sink::new(out);
        out.block(&self.facts())?;
        self.write_content(&mut out)?;
        out.list(self.executed().into_iter().map(|(executed, outcomes)| Executed {
            outcomes: self.saved_outcomes(outcomes),
            ..executed
        }))?;
        out.list(self.asked().into_iter())?;
        out.finish()
    }

    /// Writes what states are made of: slots, packets, tuples and networks.
    pub(crate) fn write_content(&self, out: &mut Sink<'_>) -> io::Result<()> {
        for table in &self.nodes {
            out.put(&table.slots.len())?;
            for (slot, commands) in table.slots.iter().zip(&table.commands) {
                out.block(&(saved_slot(slot), commands))?;
            }
        }
        out.put(&self.packets.len())?;
        for packet in &self.packets {
            out.block(&(packet.from, packet.to, &packet.message))?;
        }
        out.put(&self.tuples.len())?;
        for tuple in 0..self.tuples.len() {
            self.tuples.get(tuple as u32).iter().try_for_each(|slot| out.put(slot))?;
        }
        self.networks.save(out)
    }

    /// Who was found to be able to receive which packets, in a fixed order.
    fn asked(&self) -> Vec<Asked> {
        let all = self.nodes.iter().enumerate().flat_map(|(sender, table)| {
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

    /// What handlers were executed on, in the order in which they were.
    pub(crate) fn executed(&self) -> Vec<(Executed, Outcomes)> {
        let mut all = Vec::new();
        for (node, table) in self.nodes.iter().enumerate() {
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
            self.outcomes.len(),
            "every outcome is of an execution that is remembered"
        );
        all
    }

    pub(crate) fn saved_outcomes(&self, outcomes: Outcomes) -> Vec<SavedOutcome> {
        let places = outcomes.start..outcomes.start + outcomes.len;
        let saved = |place: u32| {
            let Outcome { slot, output } = self.outcomes[place as usize];
            SavedOutcome { slot, output, choices: self.choices_before(Some(place)).to_vec() }
        };
        places.map(saved).collect()
    }

    /// What must be the same in the space that goes on: what the scenario says, and what the options
    /// of the space say.
    pub(crate) fn facts(&self) -> Facts {
        let scenario = self.scenario;
        let names = |conditions: &[everypath_model::Condition<P>]| {
            let names: Vec<&str> = conditions.iter().map(|one| one.name.as_str()).collect();
            format!("{names:?}")
        };
        let assumptions: Vec<&str> =
            scenario.assumptions.iter().map(|assumption| assumption.name.as_str()).collect();
        let patterns = |patterns: &[everypath_explore::EventPattern]| {
            let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
            format!("{patterns:?}")
        };
        let mut links = format!("{} nodes, links", self.nodes.len());
        for (one, other) in scenario.topology.links() {
            write!(links, " {one}-{other}").expect("a text can be written to");
        }
        let facts = [
            ("topology", links),
            ("network", scenario.network.name().to_owned()),
            ("way of receiving", self.way_of_receiving().to_owned()),
            ("profile", self.options.profile.name().to_owned()),
            ("faults", format!("{:?}", scenario.faults)),
            ("order of events", format!("{:?}", scenario.event_order)),
            ("disable", patterns(&self.options.disabled)),
            ("require", patterns(self.options.required.as_slice())),
            ("list of assertions", format!("{:?}", self.assertion_names())),
            ("list of goals", names(&scenario.goals)),
            ("list of prunings", names(&scenario.prunings)),
            ("list of assumptions", format!("{assumptions:?}")),
            ("list of rankings", format!("{:?}", self.rankings())),
            ("list of relations", format!("{:?}", self.relation_names())),
            ("verified part", self.options.verification.name().to_owned()),
        ];
        let start = self.start_digest().map(|digest| ("start", format!("{digest:016x}")));
        let facts = facts.into_iter().chain(start);
        facts.map(|(what, said)| (what.to_owned(), said)).collect()
    }

    pub(crate) fn read_tables(&mut self, input: &mut dyn io::Read) -> io::Result<()> {
        let input = &mut Source::new(input);
        if let Some(difference) = Difference::between(&input.block()?, &self.facts()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, difference));
        }
        self.read_content(input, |node| {
            Err(changed(&format!("{} accepts other commands", node.name)))
        })?;
        input.list(|executed| self.execute_again(executed))?;
        input.list(|asked| self.ask_again(asked))?;
        // What was done to compare does not count.
        self.executions = self.outcomes.len() as u64;
        self.handler_time = std::time::Duration::ZERO;
        Ok(())
    }

    /// Reads what states are made of, into a new space; a node that accepts other commands in a state
    /// than it did is told of.
    pub(crate) fn read_content(
        &mut self,
        input: &mut Source<'_>,
        mut otherwise: impl FnMut(OtherCommands) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.networks.len() > 0 || self.tuples.len() > 0 || !self.outcomes.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "only a new space can go on with what another one has learned",
            ));
        }
        for node in 0..self.nodes.len() {
            for _ in 0..input.get::<usize>()? {
                let (slot, List(commands)) = input.block()?;
                let slot = self.read_slot(node, slot)?;
                if self.nodes[node].commands[slot as usize] != commands {
                    otherwise(OtherCommands { node, slot, name: self.name_of(node) })?;
                }
            }
        }
        for _ in 0..input.get::<usize>()? {
            let (from, to, message): (NodeId, NodeId, P::Message) = input.block()?;
            let nodes = self.nodes.len();
            ensure(
                from.index().max(to.index()) < nodes,
                "a packet names a node that is not there",
            )?;
            let packets = self.packets.len();
            self.intern_packet(from, to, message);
            ensure(self.packets.len() > packets, "a packet is there twice")?;
        }
        self.read_tuples(input)?;
        let required = self.options.required.is_some();
        self.networks.restore(input, self.scenario.faults, required)
    }

    fn read_slot(&mut self, node: usize, slot: SavedSlot<P::State, P::Timer>) -> io::Result<u32> {
        let slot = match slot {
            SavedSlot::Running { state, timers } => {
                let in_order = timers.is_sorted_by(|one, next| one < next);
                ensure(in_order, "the timers of a node are not in order")?;
                Slot::Running { state, timers }
            }
            SavedSlot::Panicked { message, place } => {
                Slot::Broken(Breakage::Panicked { message, place: Ignored(place) })
            }
            SavedSlot::Nondeterministic { what } => {
                Slot::Broken(Breakage::Nondeterministic { what: Ignored(what) })
            }
        };
        let runs = matches!(slot, Slot::Running { .. });
        let slots = self.nodes[node].slots.len();
        let place = self.intern_slot(node, slot);
        if runs != matches!(self.nodes[node].slot(place), Slot::Running { .. }) {
            return Err(changed(&format!("{} cannot list its commands", self.name_of(node))));
        }
        ensure(place as usize == slots, "a state of a node is there twice")?;
        Ok(place)
    }

    fn read_tuples(&mut self, input: &mut Source<'_>) -> io::Result<()> {
        let mut tuple = vec![0; self.nodes.len()];
        for _ in 0..input.get::<usize>()? {
            for (slot, table) in tuple.iter_mut().zip(&self.nodes) {
                *slot = input.get()?;
                let known = (*slot as usize) < table.slots.len();
                ensure(known, "a tuple names a state of a node that is not there")?;
            }
            let tuples = self.tuples.len();
            self.tuples.intern(&tuple);
            ensure(self.tuples.len() > tuples, "a tuple is there twice")?;
        }
        Ok(())
    }

    /// Executes a handler as it was executed before, and remembers it if it does the same.
    fn execute_again(&mut self, executed: Executed) -> io::Result<()> {
        let Executed { node, slot, input, outcomes } = executed;
        self.ensure_possible(node, slot, input, &outcomes)?;
        let again = if outcomes.iter().any(|outcome| self.is_nondeterministic(node, outcome.slot)) {
            // It may do anything.
            self.verifier.executions += outcomes.len() as u64;
            self.learn_outcomes(outcomes)
        } else {
            let again = self.execute(node, slot, input);
            if self.saved_outcomes(again) != outcomes {
                let what = self.describe_input(node, slot, input);
                return Err(changed(&format!("{what} does something else")));
            }
            again
        };
        let new = self.remember(node, slot, input, again);
        ensure(new, "a handler was executed twice on the same")
    }

    /// An error unless a handler can be executed on that, and lead to these.
    pub(crate) fn ensure_possible(
        &self,
        node: usize,
        slot: Option<u32>,
        input: Input,
        outcomes: &[SavedOutcome],
    ) -> io::Result<()> {
        ensure(self.can_be_executed(node, slot, input), "a handler was executed on nothing")?;
        let known = |outcome: &SavedOutcome| {
            (outcome.slot as usize) < self.nodes[node].slots.len()
                && (outcome.output as usize) < self.networks.outputs()
        };
        ensure(outcomes.iter().all(known), "a handler led to something that is not there")
    }

    fn way_of_receiving(&self) -> &'static str {
        match self.scenario.receivers {
            None => "by address",
            Some(_) => "as the scenario says",
        }
    }

    /// Asks who can receive a packet as it was asked before, and remembers the answer if it is the
    /// same.
    fn ask_again(&mut self, Asked { sender, slot, packet, receivers }: Asked) -> io::Result<()> {
        let sent = self.packets.get_index(packet as usize);
        let table = self.nodes.get(sender);
        let slot_of = |slot: u32| table.and_then(|table| table.slots.get_index(slot as usize));
        let possible = self.scenario.receivers.is_some()
            && sent.is_some_and(|packet| packet.from.index() == sender)
            && matches!(slot_of(slot), Some(Slot::Running { .. }))
            && receivers.as_ref().err().is_none_or(|&broken| slot_of(broken).is_some());
        ensure(possible, "the receivers of nothing were asked for")?;
        let key = (slot, packet);
        // One that was not deterministic may say anything.
        let may_differ = |&broken: &u32| self.is_nondeterministic(sender, broken);
        if !receivers.as_ref().err().is_some_and(may_differ)
            && self.ask_for_receivers(sender, key) != receivers
        {
            let what = self.describe_packet(packet);
            return Err(changed(&format!("{what} can be received by other nodes")));
        }
        let before = self.nodes[sender].receivers.insert(key, receivers);
        ensure(before.is_none(), "the receivers of a packet were asked for twice")
    }

    fn is_nondeterministic(&self, node: usize, slot: u32) -> bool {
        let slot = self.nodes[node].slot(slot);
        matches!(slot, Slot::Broken(Breakage::Nondeterministic { .. }))
    }

    pub(crate) fn learn_outcomes(&mut self, outcomes: Vec<SavedOutcome>) -> Outcomes {
        let narrow = |number: usize| u32::try_from(number).expect("outcomes fit in 32 bits");
        let learned = Outcomes { start: narrow(self.outcomes.len()), len: narrow(outcomes.len()) };
        for SavedOutcome { slot, output, choices } in outcomes {
            if !choices.is_empty() {
                self.choices.insert(narrow(self.outcomes.len()), choices);
            }
            self.outcomes.push(Outcome { slot, output });
        }
        learned
    }

    fn can_be_executed(&self, node: usize, slot: Option<u32>, input: Input) -> bool {
        let Some(table) = self.nodes.get(node) else {
            return false;
        };
        let Some(slot) = slot else {
            return matches!(input, Input::Start);
        };
        let runs = matches!(table.slots.get_index(slot as usize), Some(Slot::Running { .. }));
        match input {
            Input::Start => false,
            Input::Undeliverable { packet } => {
                let packet = self.packets.get_index(packet as usize);
                runs && packets_return(self.scenario, self.start)
                    && packet.is_some_and(|packet| packet.from.index() == node)
            }
            Input::Message { packet } => {
                let packet = self.packets.get_index(packet as usize);
                runs && packet.is_some_and(|packet| {
                    self.scenario.receivers.is_some() || packet.to.index() == node
                })
            }
            Input::Command { .. } | Input::Timer { .. } | Input::Restart => {
                let local = table.local.get(slot as usize);
                local.is_some_and(|local| local_place(local, input).is_some())
            }
        }
    }

    /// Remembers what an execution led to; whether it was not known.
    pub(crate) fn remember(
        &mut self,
        node: usize,
        slot: Option<u32>,
        input: Input,
        outcomes: Outcomes,
    ) -> bool {
        let table = &mut self.nodes[node];
        let before = match (slot, input) {
            (None, _) => table.start.replace(outcomes),
            (Some(slot), Input::Message { packet }) => {
                table.deliveries.insert((slot, packet), outcomes)
            }
            (Some(slot), Input::Undeliverable { packet }) => {
                table.returns.insert((slot, packet), outcomes)
            }
            (Some(slot), _) => {
                let local = &mut table.local[slot as usize];
                let place = local_place(local, input).expect("it can be executed");
                local[place].outcomes.replace(outcomes)
            }
        };
        before.is_none()
    }

    /// An input in words.
    pub(crate) fn describe_input(&self, node: usize, slot: Option<u32>, input: Input) -> String {
        let place = self.name_of(node);
        let slot = slot.map(|slot| (slot as usize, self.nodes[node].slot(slot)));
        match (input, slot) {
            (Input::Message { packet }, _) => {
                let packet = self.packet(packet);
                let from = self.name_of(packet.from.index());
                format!("the arrival of {} from {from} at {place}", shown(packet.message))
            }
            (Input::Undeliverable { packet }, _) => {
                format!("the return of {}", self.describe_packet(packet))
            }
            (Input::Timer { which }, Some((_, Slot::Running { timers, .. }))) => {
                format!("timer {} at {place}", shown(&timers[which as usize]))
            }
            (Input::Command { which }, Some((slot, _))) => {
                let command = &self.nodes[node].commands[slot][which as usize];
                format!("command {} at {place}", shown(command))
            }
            (Input::Restart, _) => format!("a reboot of {place}"),
            _ => format!("the start of {place}"),
        }
    }
}

/// Where the local event is that executes its handler on an input.
pub(crate) fn local_place(local: &[LocalEvent], input: Input) -> Option<usize> {
    let (kind, which) = input.local()?;
    local.iter().position(|event| event.kind == kind && event.which == which)
}

fn saved_slot<S, T>(slot: &Slot<S, T>) -> SavedSlot<&S, &T> {
    match slot {
        Slot::Running { state, timers } => {
            SavedSlot::Running { state, timers: timers.iter().collect() }
        }
        Slot::Broken(Breakage::Panicked { message, place }) => {
            SavedSlot::Panicked { message: message.clone(), place: (**place).clone() }
        }
        Slot::Broken(Breakage::Nondeterministic { what }) => {
            SavedSlot::Nondeterministic { what: (**what).clone() }
        }
    }
}

fn changed(what: &str) -> io::Error {
    damaged(format!("the protocol has changed since: {what} now"))
}
