//! Logs as plain data.

use everypath::prelude::*;
use raftbare::{LogEntries, LogEntry, LogIndex, LogPosition, Term};

/// An entry of a log. The content of commands is up to the user of `raftbare`, so all commands are
/// alike.
#[data]
pub enum Entry {
    /// A leader begins its term.
    Term(u64),
    /// A client's command, of the term that was begun last.
    Command,
}

/// A position in a log: an index, and the term of the entry there. Index 0 is before the first
/// entry.
#[data]
#[derive(Copy, Default)]
pub struct Position {
    /// The term of the entry.
    pub term: u64,
    /// Its index.
    pub index: u64,
}

impl Position {
    pub(crate) fn of(position: LogPosition) -> Self {
        Self { term: position.term.get(), index: position.index.get() }
    }

    pub(crate) fn bare(self) -> LogPosition {
        LogPosition { term: Term::new(self.term), index: LogIndex::new(self.index) }
    }
}

/// Entries of a log as plain data.
///
/// # Panics
/// If the cluster's configuration is among them, since it is not changed here.
pub(crate) fn entries_of(entries: &LogEntries) -> Vec<Entry> {
    let entries = entries.iter().map(|entry| match entry {
        LogEntry::Term(term) => Entry::Term(term.get()),
        LogEntry::Command => Entry::Command,
        LogEntry::ClusterConfig(config) => panic!("the configuration becomes {config:?}"),
    });
    entries.collect()
}

/// Entries after a position, as types of `raftbare`.
pub(crate) fn bare_entries(previous: Position, entries: &[Entry]) -> LogEntries {
    let entries = entries.iter().map(|entry| match entry {
        Entry::Term(term) => LogEntry::Term(Term::new(*term)),
        Entry::Command => LogEntry::Command,
    });
    LogEntries::from_iter(previous.bare(), entries)
}

/// The positions of a whole log's entries.
pub(crate) fn positions(log: &[Entry]) -> impl Iterator<Item = Position> + '_ {
    log.iter().scan(Position::default(), |last, entry| {
        last.index += 1;
        if let Entry::Term(term) = entry {
            last.term = *term;
        }
        Some(*last)
    })
}
