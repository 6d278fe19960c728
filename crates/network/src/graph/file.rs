//! Graphs in files.

use std::{
    cell::Cell,
    collections::BTreeSet,
    io::{self, Read, Write},
    time::Instant,
};

use everypath_explore::{EventId, EventPattern, Identity, Judged, Mismatch, StateId};
use everypath_model::{EventKind, NodeId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Edge, Graph, Record,
    changed::{Changed, can_be_event, is_any},
};
use crate::{
    NetworkSpace,
    bytes::{Sink, Source, damaged, ensure},
    memo::Author,
    nodes::{Executed, Input, Outcomes},
    packed::{EventName, kind_number, unpack},
};

/// How many records are loaded at once.
const CHUNK_RECORDS: usize = 4096;
/// The facts that must be equal for a graph to be used at all. Disabled events may differ. So may
/// assertions, which are evaluated again.
const SAME: [&str; 9] = [
    "topology",
    "network",
    "way of receiving",
    "profile",
    "faults",
    "order of events",
    "require",
    "list of assumptions",
    "start",
];

const NO_EVENT: &str = "a record names an event that does not exist";

/// The head of a graph.
#[derive(Serialize, Deserialize)]
struct Head {
    identity: Identity,
    /// The disabled events.
    disabled: Vec<String>,
    authors: Vec<Author>,
    /// The print of the assertions, if they have one.
    print: Option<u64>,
    /// By assertion: whether it has read the packets.
    packet_readers: Vec<bool>,
    /// Whether a verdict depended on packets or links.
    judged_by_network: bool,
}

/// Why a graph cannot be used.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{Changes, GraphError, NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(3));
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// let read = space.read_graph(&b"not a graph"[..], Changes::FOUND);
/// assert!(matches!(read, Err(GraphError::Damaged(_))));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// It is of another scenario.
    #[error(transparent)]
    Different(#[from] Mismatch),
    /// It is not a graph, or cannot be read.
    #[error("{0}")]
    Damaged(io::Error),
}

impl From<io::Error> for GraphError {
    fn from(error: io::Error) -> Self {
        Self::Damaged(error)
    }
}

/// The changes since a graph was written.
///
/// ```
/// use everypath_network::Changes;
///
/// // Besides all code with another print, the handlers of timers have changed.
/// let code = |name: &str, then: u64, now: u64| then != now || name.starts_with("timer:");
/// let changes = Changes { code: &code, events: &[] };
/// assert!((changes.code)("timer:Retransmit", 1, 1));
/// assert!(!(Changes::FOUND.code)("timer:Retransmit", 1, 1));
/// ```
#[derive(Clone, Copy)]
pub struct Changes<'a> {
    /// Whether code with this name has changed, given its prints then and now.
    pub code: &'a dyn Fn(&str, u64, u64) -> bool,
    /// Events that the user declares as changed, whatever their code is.
    pub events: &'a [EventPattern],
}

impl Changes<'_> {
    /// Whether the user declares code as changed even if its print is equal.
    fn says_modified(&self, Author { name, print }: &Author) -> bool {
        (self.code)(name, *print, *print)
    }

    /// No declared changes: code has changed if its print has.
    pub const FOUND: Changes<'static> = Changes { code: &|_, then, now| then != now, events: &[] };
}

impl<'a> NetworkSpace<'a> {
    /// Removes from the graph what is not written: states that violate an assertion, and steps to
    /// such states.
    pub fn finish_graph(&mut self) {
        let Some(mut graph) = self.graph.kept.take() else { return };
        // In the order of discovery: they will be looked up in about the same order.
        let mut records: Vec<(StateId, Record)> = graph.records.drain().collect();
        records.sort_unstable_by_key(|(_, record)| record.start);
        let mut edges = Vec::with_capacity(graph.edges.len());
        for (state, record) in records {
            if !self.verdict(state).is_safe() {
                continue;
            }
            let start = edges.len();
            let known = graph.edges(record);
            // Equal packets of a list have equal events: these are kept together or not at all.
            let unsafe_events: Vec<EventId> = known
                .iter()
                .filter(|edge| !self.verdict(edge.target).is_safe())
                .map(|edge| edge.event)
                .collect();
            edges.extend(known.iter().filter(|edge| !unsafe_events.contains(&edge.event)));
            let len = u32::try_from(edges.len() - start).expect("no more edges than before");
            let whole = record.whole && len == record.len;
            graph.records.insert(state, Record { start, len, whole, ..record });
        }
        graph.edges = edges;
        graph.replaced = FxHashMap::default();
        graph.last = None;
        self.graph.kept = Some(graph);
    }

    /// Writes the recorded graph, which must be [finished](Self::finish_graph).
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_graph(&self, out: &mut dyn Write) -> io::Result<()> {
        let nothing = Graph::default();
        let graph = self.graph.kept.as_deref().unwrap_or(&nothing);
        let mut out = Sink::new(out);
        let executed = self.tables.executed();
        let author = |executed: &Executed| {
            let Executed { node, slot, input, .. } = *executed;
            let (name, print) = self.machine.author(node, slot, input);
            Author { name: name.to_owned(), print }
        };
        // These are few, whatever the number of executions.
        let authors: BTreeSet<Author> = executed.iter().map(|(it, _)| author(it)).collect();
        let authors: Vec<Author> = authors.into_iter().collect();
        let place = |executed: &Executed| authors.binary_search(&author(executed)).unwrap_or(0);
        let execution = |(executed, outcomes): &(Executed, Outcomes)| {
            let outcomes = self.tables.executor.saved_outcomes(*outcomes);
            let &Executed { node, slot, input, .. } = executed;
            (place(executed), Executed { node, slot, input, outcomes })
        };
        out.block(&Head {
            identity: self.graph_identity(),
            disabled: self.tables.setup.options.disabled.iter().map(ToString::to_string).collect(),
            authors: authors.clone(),
            print: graph.print,
            judged_by_network: self.judgements.judged_by_network,
            packet_readers: self.judgements.readers.assertions.iter().map(Cell::get).collect(),
        })?;
        self.write_content(&mut out)?;
        out.list(executed.iter().map(execution))?;
        let mut records: Vec<(&StateId, &Record)> = graph.records.iter().collect();
        records.sort_unstable_by_key(|(state, record)| (record.start, **state));
        out.put(&records.len().div_ceil(CHUNK_RECORDS))?;
        let mut bytes = Vec::new();
        for chunk in records.chunks(CHUNK_RECORDS) {
            bytes.clear();
            for &(state, record) in chunk {
                bytes.extend(state.0.to_le_bytes());
                bytes.extend((u64::from(record.len) << 1 | u64::from(record.whole)).to_le_bytes());
                for Edge { event, target } in graph.edges(*record) {
                    bytes.extend(event.0.to_le_bytes());
                    bytes.extend(target.0.to_le_bytes());
                }
            }
            out.bytes(&bytes)?;
        }
        out.finish()
    }

    /// Reads a graph that a space of this scenario has written, perhaps with another version of the
    /// protocol. The configuration of the protocol must be the same. If something is [without a
    /// print](Self::unprinted), the program must be the same, too. This space must not have been
    /// used before. If all code is declared as changed, only the head is read, to check that it is
    /// a graph of this scenario.
    ///
    /// # Errors
    /// If it is not a graph, or is one of another scenario. The space is then useless.
    pub fn read_graph(
        &mut self,
        input: impl Read + 'a,
        changes: Changes<'_>,
    ) -> Result<(), GraphError> {
        let started = Instant::now();
        let mut file: Box<dyn Read + 'a> = Box::new(input);
        let input = &mut Source::new(&mut *file);
        let head: Head = input.block()?;
        if let Some(mismatch) = Mismatch::between(&head.identity, &self.graph_identity()) {
            return Err(mismatch.into());
        }
        let mut graph = self.graph.kept.take().unwrap_or_default();
        graph.counts.all_modified = self.says_all_modified(&head, changes);
        if graph.counts.all_modified {
            self.graph.kept = Some(graph);
            return Ok(());
        }
        let disabled: Result<Vec<EventPattern>, _> =
            head.disabled.iter().map(|text| text.parse()).collect();
        let disabled = disabled.map_err(|_| damaged("it disables events that cannot be parsed"))?;
        let now = &self.tables.setup.options.disabled;
        graph.changed = Changed {
            said: changes.events.to_vec(),
            added: disabled.iter().filter(|then| !now.contains(then)).cloned().collect(),
            removed: now.iter().filter(|now| !disabled.contains(now)).cloned().collect(),
            ..Changed::default()
        };
        for kind in [EventKind::Lose, EventKind::Duplicate, EventKind::LinkDown, EventKind::LinkUp]
        {
            let mut said = changes.events.iter();
            graph.changed.kinds[kind as usize] =
                said.any(|it| it.kind.as_ref().is_none_or(|said| said == kind.name()));
        }
        let commands = &mut graph.changed.commands;
        self.read_content(input, |other| {
            commands.push((other.node, other.slot));
            Ok(())
        })?;
        graph.changed.packets = vec![[false; 2]; self.tables.interner.networks.known_packets()];
        input.list(|(author, executed): (usize, Executed)| {
            let author = head.authors.get(author);
            let author =
                author.ok_or_else(|| damaged("an execution names code that does not exist"))?;
            self.learn_execution(&mut graph, author, executed, changes)
        })?;
        graph.has_same_print = head.print.is_some() && head.print == graph.print;
        if graph.has_same_print {
            let readers = self.judgements.readers.assertions.iter().zip(&head.packet_readers);
            readers.filter(|(_, reads)| **reads).for_each(|(reader, _)| reader.set(true));
            self.judgements.judged_by_network |= head.judged_by_network;
        }
        graph.unloaded = input.get()?;
        self.graph.file = Some(file);
        (graph.reads, graph.was_read) = (true, true);
        graph.counts.loading = started.elapsed();
        self.graph.kept = Some(graph);
        Ok(())
    }

    /// Whether all that can happen is declared as modified: all code, or all kinds of events.
    fn says_all_modified(&self, head: &Head, changes: Changes<'_>) -> bool {
        let is_whole = |pattern: &&EventPattern| pattern.node.is_none() && pattern.about.is_none();
        let says = |kind: &EventKind| {
            let mut whole = changes.events.iter().filter(is_whole);
            whole.any(|it| it.kind.as_ref().is_none_or(|said| said == kind.name()))
        };
        let setup = &self.tables.setup;
        !head.authors.is_empty() && head.authors.iter().all(|author| changes.says_modified(author))
            || setup.kinds.iter().all(says)
    }

    /// The facts that must be equal in a space that uses a graph.
    fn graph_identity(&self) -> Identity {
        self.tables
            .setup
            .identity(self.machine.start_digest())
            .into_iter()
            .filter(|(what, _)| SAME.contains(&what.as_str()))
            .collect()
    }

    /// A part of the scenario that shapes the graph and has no print, if there is one. Then only
    /// the program that has written the graph may read it. The caller checks that.
    #[must_use]
    pub fn unprinted(&self) -> Option<&'static str> {
        let setup = &self.tables.setup;
        if !setup.assumptions.is_empty() {
            Some("an assumption")
        } else if !setup.prunings.is_empty() {
            Some("a pruning")
        } else if setup.has_receivers {
            Some("who receives what")
        } else if !setup.observers.is_empty() {
            Some("an observer")
        } else if setup.orders_timers {
            Some("the order of timers")
        } else {
            None
        }
    }

    /// Memoises a saved execution of a handler, if its code is unchanged.
    fn learn_execution(
        &mut self,
        graph: &mut Graph,
        author: &Author,
        executed: Executed,
        changes: Changes<'_>,
    ) -> io::Result<()> {
        let Executed { node, slot, input, outcomes } = executed;
        let other_commands =
            slot.is_some_and(|slot| graph.changed.commands.contains(&(node, slot)));
        if matches!(input, Input::Command { .. }) && other_commands {
            return Ok(());
        }
        self.tables.ensure_possible(node, slot, input, &outcomes)?;
        let restarts = matches!(input, Input::Restart);
        let can_be = |output| {
            self.tables.interner.networks.can_be_of_handler(output, NodeId::from(node), restarts)
        };
        ensure(
            outcomes.iter().all(|outcome| can_be(outcome.output)),
            "an execution has an impossible outcome",
        )?;
        let (name, print) = self.machine.author(node, slot, input);
        let mut said = changes.events.iter();
        let other_code = name != author.name || (changes.code)(name, author.print, print);
        *graph.changed.code.entry(name).or_default() |= other_code;
        let modified = other_code
            || said.any(|pattern| self.view().describes_execution(pattern, node, slot, input));
        let packet = match input {
            Input::Message { packet } => Some((packet, 0)),
            Input::Undeliverable { packet } => Some((packet, 1)),
            Input::Start | Input::Restart | Input::Timer { .. } | Input::Command { .. } => None,
        };
        if let Some((packet, way)) = packet {
            graph.changed.packets[packet as usize][way] |= modified;
        }
        if let (true, Some(slot), Some((kind, which))) = (modified, slot, input.local()) {
            graph.changed.local.insert((node, slot, kind, which));
        }
        // Failed executions are tried again.
        let broken = outcomes
            .iter()
            .any(|outcome| self.tables.interner.nodes[node].broken.contains_key(&outcome.slot));
        if modified || broken {
            return Ok(());
        }
        let outcomes = if graph.verifies {
            let again = self.execute(node, slot, input);
            if self.tables.executor.saved_outcomes(again) != outcomes {
                graph.contradiction.get_or_insert(self.machine.describe_input(node, slot, input));
            }
            again
        } else {
            self.machine.learn_ways(node, slot, input, &outcomes);
            self.tables.executor.learn_outcomes(outcomes)
        };
        let new = self.tables.interner.nodes[node].remember(slot, input, outcomes);
        ensure(new, "an execution is listed twice")?;
        graph.counts.executions += 1;
        Ok(())
    }

    /// Learns that a state and those that its steps lead to violate no assertion.
    fn learn_safe(&mut self, graph: &mut Graph, state: StateId, record: Record) {
        let targets = graph.edges[record.start..][..record.len as usize].iter();
        let states = targets.map(|edge| edge.target).chain([state]);
        if self.judgements.judged_by_network {
            graph.safe.extend(states);
        } else {
            states.for_each(|state| self.judgements.learn_safe(unpack(state).0));
        }
    }

    /// Loads the next part of the file into the records.
    pub(super) fn load(&mut self, graph: &mut Graph) -> io::Result<()> {
        graph.unloaded -= 1;
        let Some(file) = &mut self.graph.file else { return Ok(()) };
        let bytes = Source::new(file).bytes()?;
        let has_more = !graph.changed.commands.is_empty() || !graph.changed.added.is_empty();
        let mut numbers = bytes.chunks_exact(8).map(|bytes| {
            u64::from_le_bytes(
                bytes.try_into().expect("a chunk has as many bytes as it was asked for"),
            )
        });
        let mut next = || numbers.next().ok_or_else(|| damaged("a record is cut off"));
        let mut left = bytes.len() / 8;
        while left > 0 {
            let (state, head) = (StateId(next()?), next()?);
            ensure(
                self.tables.interner.contains(state),
                "a record names a state that does not exist",
            )?;
            let (tuple, _) = unpack(state);
            let (start, left_out) = (graph.edges.len(), graph.counts.left_out);
            for _ in 0..head >> 1 {
                let (event, target) = (EventId(next()?), StateId(next()?));
                let known = kind_number(event) < EventKind::ALL.len()
                    && self.tables.interner.contains(target);
                ensure(known, "a record leads to a state that does not exist")?;
                let name = EventName::unpack(event);
                ensure(can_be_event(self.view(), name), NO_EVENT)?;
                let (changed, view) = (&graph.changed, self.view());
                if changed.has_changed(view, state, name) || !changed.has_branch(view, state, name)
                {
                    graph.counts.left_out += 1;
                    continue;
                }
                if !is_any(view, &graph.changed.removed, state, name) {
                    graph.edges.push(Edge { event, target });
                }
            }
            let len = graph.edges.len() - start;
            // Removed steps are not missing.
            let whole = head & 1 == 1
                && graph.counts.left_out == left_out
                && !(has_more && graph.changed.may_have_more(self.view(), tuple));
            graph.counts.loaded += len as u64;
            let len = u32::try_from(len).map_err(|_| damaged("a record is too long"))?;
            let record = Record { start, len, whole, new: false };
            graph.records.entry(state).or_insert(record);
            if graph.has_same_print {
                self.learn_safe(graph, state, record);
            }
            left = left.saturating_sub(2 + 2 * (head >> 1) as usize);
        }
        Ok(())
    }
}
