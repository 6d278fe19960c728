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

use everypath_explore::{Difference, Facts, StateId};
use everypath_model::{EventKind, Ignored, NodeId, Protocol};
use serde::{Deserialize, Serialize};

pub(crate) use self::bytes::{List, Sink, Source, damaged, ensure};
use crate::{
    DecodeError, NetworkSpace,
    execute::Input,
    expand::EventName,
    machine::ProtocolMachine,
    nodes::{Breakage, LocalEvent, Outcome, Outcomes, Receivers, Slot},
    portable::{WRITES, encode_event},
    tables::Tables,
    text::Describe,
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

/// Writing and reading what ids mean.
pub(crate) trait Encode {
    /// A number for the world in which the space starts, if it starts in one. It is the same in every process.
    fn start_digest(&self) -> Option<u64>;

    /// Writes all slots, with their commands.
    fn write_slots(&self, out: &mut Sink<'_>) -> io::Result<()>;

    /// Writes all packets.
    fn write_packets(&self, out: &mut Sink<'_>) -> io::Result<()>;

    /// Reads the slots into a new space; a node that accepts other commands in a state than it did is told of.
    fn read_slots(
        &mut self,
        tables: &mut Tables,
        input: &mut Source<'_>,
        otherwise: &mut dyn FnMut(OtherCommands) -> io::Result<()>,
    ) -> io::Result<()>;

    /// Reads the packets into a new space.
    fn read_packets(&mut self, tables: &mut Tables, input: &mut Source<'_>) -> io::Result<()>;

    /// The content of a slot.
    fn slot_bytes(&self, node: usize, slot: u32) -> Vec<u8>;

    /// The content of a packet.
    fn packet_bytes(&self, packet: u32) -> Vec<u8>;

    /// The content of a state; see [`Portable::encode`](everypath_explore::Portable::encode).
    fn encode(&self, tables: &Tables, state: StateId) -> Vec<u8>;

    /// The state that some bytes describe.
    fn decode(&mut self, tables: &mut Tables, bytes: &[u8]) -> Result<StateId, DecodeError>;

    /// The content of an event of a node in this slot.
    fn encode_event(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        choices: &[u32],
    ) -> Vec<u8>;
}

impl<P: Protocol> Encode for ProtocolMachine<'_, P> {
    fn start_digest(&self) -> Option<u64> {
        self.digest_of_start()
    }

    fn write_slots(&self, out: &mut Sink<'_>) -> io::Result<()> {
        for node in &self.nodes {
            out.put(&node.slots.len())?;
            for (slot, commands) in node.slots.iter().zip(&node.commands) {
                out.block(&(saved_slot(slot), commands))?;
            }
        }
        Ok(())
    }

    fn write_packets(&self, out: &mut Sink<'_>) -> io::Result<()> {
        out.put(&self.packets.len())?;
        self.packets
            .iter()
            .try_for_each(|packet| out.block(&(packet.from, packet.to, &packet.message)))
    }

    fn read_slots(
        &mut self,
        tables: &mut Tables,
        input: &mut Source<'_>,
        otherwise: &mut dyn FnMut(OtherCommands) -> io::Result<()>,
    ) -> io::Result<()> {
        for node in 0..self.nodes.len() {
            for _ in 0..input.get::<usize>()? {
                let (slot, List(commands)) = input.block()?;
                let slot = self.read_slot(tables, node, slot)?;
                if self.nodes[node].commands[slot as usize] != commands {
                    otherwise(OtherCommands { node, slot, name: self.name_of(node) })?;
                }
            }
        }
        Ok(())
    }

    fn read_packets(&mut self, tables: &mut Tables, input: &mut Source<'_>) -> io::Result<()> {
        for _ in 0..input.get::<usize>()? {
            let (from, to, message): (NodeId, NodeId, P::Message) = input.block()?;
            let there = from.index().max(to.index()) < self.nodes.len();
            ensure(there, "a packet names a node that is not there")?;
            let packets = self.packets.len();
            self.intern_packet(tables, from, to, message);
            ensure(self.packets.len() > packets, "a packet is there twice")?;
        }
        Ok(())
    }

    fn slot_bytes(&self, node: usize, slot: u32) -> Vec<u8> {
        postcard::to_stdvec(&self.nodes[node].slot(slot).content()).expect(WRITES)
    }

    fn packet_bytes(&self, packet: u32) -> Vec<u8> {
        let packet = self.packet(packet);
        postcard::to_stdvec(&(packet.from, packet.to, packet.message)).expect(WRITES)
    }

    fn encode(&self, tables: &Tables, state: StateId) -> Vec<u8> {
        self.encode_state(tables, state)
    }

    fn decode(&mut self, tables: &mut Tables, bytes: &[u8]) -> Result<StateId, DecodeError> {
        self.decode_state(tables, bytes)
    }

    fn encode_event(
        &self,
        tables: &Tables,
        slot: u32,
        event: EventName,
        choices: &[u32],
    ) -> Vec<u8> {
        encode_event(&self.event(tables, slot, event), choices)
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    fn read_slot(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: SavedSlot<P::State, P::Timer>,
    ) -> io::Result<u32> {
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
        let place = self.intern_slot(tables, node, slot);
        if runs != matches!(self.nodes[node].slot(place), Slot::Running { .. }) {
            return Err(changed(&format!("{} cannot list its commands", self.name_of(node))));
        }
        ensure(place as usize == slots, "a state of a node is there twice")?;
        Ok(place)
    }
}

impl Tables {
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
}

impl NetworkSpace<'_> {
    pub(crate) fn write_tables(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut out = Sink::new(out);
        out.block(&self.facts())?;
        self.write_content(&mut out)?;
        out.list(self.tables.executed().into_iter().map(|(executed, outcomes)| Executed {
            outcomes: self.saved_outcomes(outcomes),
            ..executed
        }))?;
        out.list(self.asked().into_iter())?;
        out.finish()
    }

    /// Writes what states are made of: slots, packets, tuples and networks.
    pub(crate) fn write_content(&self, out: &mut Sink<'_>) -> io::Result<()> {
        self.machine.write_slots(out)?;
        self.machine.write_packets(out)?;
        out.put(&self.tables.tuples.len())?;
        for tuple in 0..self.tables.tuples.len() {
            self.tables.tuples.get(tuple as u32).iter().try_for_each(|slot| out.put(slot))?;
        }
        self.tables.networks.save(out)
    }

    /// Who was found to be able to receive which packets, in a fixed order.
    fn asked(&self) -> Vec<Asked> {
        let all = self.tables.nodes.iter().enumerate().flat_map(|(sender, table)| {
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

    pub(crate) fn saved_outcomes(&self, outcomes: Outcomes) -> Vec<SavedOutcome> {
        let places = outcomes.start..outcomes.start + outcomes.len;
        let saved = |place: u32| {
            let Outcome { slot, output } = self.tables.outcomes[place as usize];
            SavedOutcome { slot, output, choices: self.tables.choices_before(Some(place)).to_vec() }
        };
        places.map(saved).collect()
    }

    /// What must be the same in the space that goes on: what the scenario says, and what the options
    /// of the space say.
    pub(crate) fn facts(&self) -> Facts {
        let setup = &self.tables.setup;
        let patterns = |patterns: &[everypath_explore::EventPattern]| {
            let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
            format!("{patterns:?}")
        };
        let mut links = format!("{} nodes, links", setup.topology.len());
        for (one, other) in setup.topology.links() {
            write!(links, " {one}-{other}").expect("a text can be written to");
        }
        let facts = [
            ("topology", links),
            ("network", setup.network.name().to_owned()),
            ("way of receiving", self.way_of_receiving().to_owned()),
            ("profile", self.tables.options.profile.name().to_owned()),
            ("faults", format!("{:?}", setup.faults)),
            ("order of events", format!("{:?}", setup.event_order)),
            ("disable", patterns(&self.tables.options.disabled)),
            ("require", patterns(self.tables.options.required.as_slice())),
            ("list of assertions", format!("{:?}", self.tables.assertion_names())),
            ("list of goals", format!("{:?}", setup.goals)),
            ("list of prunings", format!("{:?}", setup.prunings)),
            ("list of assumptions", format!("{:?}", setup.assumptions)),
            ("list of rankings", format!("{:?}", setup.rankings)),
            ("list of relations", format!("{:?}", self.tables.relation_names())),
            ("verified part", self.tables.options.verification.name().to_owned()),
        ];
        let start = self.machine.start_digest().map(|digest| ("start", format!("{digest:016x}")));
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
        self.tables.executions = self.tables.outcomes.len() as u64;
        self.tables.handler_time = std::time::Duration::ZERO;
        Ok(())
    }

    /// Reads what states are made of, into a new space; a node that accepts other commands in a state
    /// than it did is told of.
    pub(crate) fn read_content(
        &mut self,
        input: &mut Source<'_>,
        mut otherwise: impl FnMut(OtherCommands) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.tables.networks.len() > 0
            || self.tables.tuples.len() > 0
            || !self.tables.outcomes.is_empty()
        {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "only a new space can go on with what another one has learned",
            ));
        }
        let Self { tables, machine, .. } = self;
        machine.read_slots(tables, input, &mut otherwise)?;
        machine.read_packets(tables, input)?;
        self.read_tuples(input)?;
        let required = self.tables.options.required.is_some();
        self.tables.networks.restore(input, self.tables.setup.faults, required)
    }

    fn read_tuples(&mut self, input: &mut Source<'_>) -> io::Result<()> {
        let mut tuple = vec![0; self.tables.nodes.len()];
        for _ in 0..input.get::<usize>()? {
            for (slot, table) in tuple.iter_mut().zip(&self.tables.nodes) {
                *slot = input.get()?;
                let known = (*slot as usize) < table.slots();
                ensure(known, "a tuple names a state of a node that is not there")?;
            }
            let tuples = self.tables.tuples.len();
            self.tables.tuples.intern(&tuple);
            ensure(self.tables.tuples.len() > tuples, "a tuple is there twice")?;
        }
        Ok(())
    }

    /// Executes a handler as it was executed before, and remembers it if it does the same.
    fn execute_again(&mut self, executed: Executed) -> io::Result<()> {
        let Executed { node, slot, input, outcomes } = executed;
        self.ensure_possible(node, slot, input, &outcomes)?;
        let again = if outcomes.iter().any(|outcome| self.is_nondeterministic(node, outcome.slot)) {
            // It may do anything.
            self.tables.verifier.executions += outcomes.len() as u64;
            self.learn_outcomes(outcomes)
        } else {
            let again = self.execute(node, slot, input);
            if self.saved_outcomes(again) != outcomes {
                let what = self.machine.describe_input(node, slot, input);
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
            (outcome.slot as usize) < self.tables.nodes[node].slots()
                && (outcome.output as usize) < self.tables.networks.outputs()
        };
        ensure(outcomes.iter().all(known), "a handler led to something that is not there")
    }

    fn way_of_receiving(&self) -> &'static str {
        match self.tables.setup.has_receivers {
            false => "by address",
            true => "as the scenario says",
        }
    }

    /// Asks who can receive a packet as it was asked before, and remembers the answer if it is the
    /// same.
    fn ask_again(&mut self, Asked { sender, slot, packet, receivers }: Asked) -> io::Result<()> {
        let possible = self.tables.setup.has_receivers
            && self.sender_of(packet) == Some(sender)
            && self.tables.nodes[sender].runs_in(slot)
            && receivers
                .as_ref()
                .err()
                .is_none_or(|&broken| (broken as usize) < self.tables.nodes[sender].slots());
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
        let before = self.tables.nodes[sender].receivers.insert(key, receivers);
        ensure(before.is_none(), "the receivers of a packet were asked for twice")
    }

    fn is_nondeterministic(&self, node: usize, slot: u32) -> bool {
        let breakage = self.tables.nodes[node].broken.get(&slot);
        matches!(breakage, Some(Breakage::Nondeterministic { .. }))
    }

    pub(crate) fn learn_outcomes(&mut self, outcomes: Vec<SavedOutcome>) -> Outcomes {
        let narrow = |number: usize| u32::try_from(number).expect("outcomes fit in 32 bits");
        let learned =
            Outcomes { start: narrow(self.tables.outcomes.len()), len: narrow(outcomes.len()) };
        for SavedOutcome { slot, output, choices } in outcomes {
            if !choices.is_empty() {
                self.tables.choices.insert(narrow(self.tables.outcomes.len()), choices);
            }
            self.tables.outcomes.push(Outcome { slot, output });
        }
        learned
    }

    fn can_be_executed(&self, node: usize, slot: Option<u32>, input: Input) -> bool {
        let Some(table) = self.tables.nodes.get(node) else {
            return false;
        };
        let Some(slot) = slot else {
            return matches!(input, Input::Start);
        };
        let runs = table.runs_in(slot);
        match input {
            Input::Start => false,
            Input::Undeliverable { packet } => {
                runs && self.tables.setup.packets_return && self.sender_of(packet) == Some(node)
            }
            Input::Message { packet } => {
                let known = (packet as usize) < self.tables.networks.known_packets();
                let is_for = |packet| self.tables.networks.addressee(packet).index() == node;
                runs && known && (self.tables.setup.has_receivers || is_for(packet))
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
        let table = &mut self.tables.nodes[node];
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

    /// The node that sent a packet, if there is such a packet.
    fn sender_of(&self, packet: u32) -> Option<usize> {
        let known = (packet as usize) < self.tables.networks.known_packets();
        known.then(|| self.tables.networks.ends(packet).0.index())
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
