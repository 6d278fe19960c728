//! A map from visited states to depths and records, for a search that does not go by levels.

use rustc_hash::FxHashMap;

use super::{bit_table::BitTable, covers::Covers, exact_set::ExactSet};
use crate::{
    Covered, Described, Options, Related, StateId, StoreKind,
    exploration::StoreReport,
    map_bytes, map_growth,
    stopwatch::{Operation, Stopwatch},
};

/// The result of looking up a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The state is new.
    New,
    /// The state was reached before, after more events; with its record.
    Shallower(u32),
    /// The state, or one that covers it, was reached before, after no more events.
    Known,
}

impl Status {
    fn of_new(is_new: bool) -> Self {
        if is_new { Self::New } else { Self::Known }
    }
}

/// The visited states, or what the store keeps of them, with their records.
pub(crate) struct DepthMap {
    table: Table,
    /// Whether a state counts as known only if it was reached at the same depth or a smaller one.
    depth_matters: bool,
}

enum Table {
    /// States that are never reached again after fewer events: the set needs nothing else.
    Set(ExactSet),
    Exact(FxHashMap<StateId, Met>),
    Fingerprints(FxHashMap<u64, Met>),
    Bits(BitTable),
    Related(Covers),
}

/// The least depth at which a state was reached, and its record.
#[derive(Clone, Copy)]
pub(super) struct Met {
    pub(super) depth: u32,
    pub(super) record: u32,
}

impl DepthMap {
    pub(crate) fn new(options: &Options) -> Self {
        let table = match (options.relation, options.store) {
            (Some(relation), _) => Table::Related(Covers::new(relation, options.note_covered)),
            (None, StoreKind::Exact) if options.meets_by_depth() => Table::Set(ExactSet::default()),
            (None, StoreKind::Exact) => Table::Exact(FxHashMap::default()),
            (None, StoreKind::Fingerprint) => Table::Fingerprints(FxHashMap::default()),
            (None, StoreKind::Bitstate { bytes, hashes }) => {
                Table::Bits(BitTable::new(bytes, hashes))
            }
        };
        Self { table, depth_matters: options.depth_matters() }
    }

    /// Looks up a state at a depth. Unless it is known, it is stored under the given record.
    pub(crate) fn meet(
        &mut self,
        space: &mut (impl Described + Related),
        state: StateId,
        (depth, record): (u32, u32),
        stopwatch: &mut Stopwatch,
    ) -> Status {
        let met = Met { depth, record };
        let depth_matters = self.depth_matters;
        let status = match &mut self.table {
            Table::Set(known) => {
                let is_seen = stopwatch.samples() && known.is_seen(state);
                stopwatch.lap(Operation::Search);
                Status::of_new(!is_seen && known.insert(state))
            }
            Table::Exact(known) => {
                time_search(known, &state, stopwatch);
                meet_in(known, state, met, depth_matters)
            }
            Table::Fingerprints(known) => {
                let fingerprint = space.fingerprint(state);
                stopwatch.lap(Operation::Hashing);
                time_search(known, &fingerprint, stopwatch);
                meet_in(known, fingerprint, met, depth_matters)
            }
            Table::Bits(bits) => {
                let fingerprint = space.fingerprint(state);
                stopwatch.lap(Operation::Hashing);
                Status::of_new(bits.insert(fingerprint))
            }
            Table::Related(related) => related.meet(space, state, met, depth_matters, stopwatch),
        };
        stopwatch.lap(match status {
            Status::Known => Operation::Search,
            Status::New | Status::Shallower(_) => Operation::Insertion,
        });
        status
    }

    /// Whether a state is known at a depth, for a search that looks states up twice.
    pub(crate) fn knows(&mut self, space: &mut impl Related, state: StateId, depth: u32) -> bool {
        match &mut self.table {
            Table::Exact(known) => knows_in(known, &state, depth, self.depth_matters),
            Table::Related(related) => related.knows(space, state, depth, self.depth_matters),
            // No such search has these stores.
            Table::Set(_) | Table::Fingerprints(_) | Table::Bits(_) => false,
        }
    }

    /// Restores a record of a resumed search.
    pub(crate) fn restore(
        &mut self,
        space: &mut (impl Described + Related),
        state: StateId,
        met: (u32, u32),
        stopwatch: &mut Stopwatch,
    ) {
        let status = self.meet(space, state, met, stopwatch);
        if let (Status::Known, Table::Related(related)) = (status, &mut self.table) {
            related.set_record(state, met.1);
        }
    }

    /// Takes the pairs of states of which one covers the other.
    pub(crate) fn take_covered(&mut self) -> Covered {
        match &mut self.table {
            Table::Related(related) => related.take_covered(),
            _ => Covered::default(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let places = map_bytes;
        match &self.table {
            Table::Set(known) => known.bytes(),
            Table::Exact(known) => places(known.capacity(), size_of::<(StateId, Met)>()),
            Table::Fingerprints(known) => places(known.capacity(), size_of::<(u64, Met)>()),
            Table::Bits(bits) => bits.bytes(),
            Table::Related(related) => related.bytes(),
        }
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        match &self.table {
            Table::Set(_) | Table::Bits(_) => 0,
            Table::Exact(known) => table_growth(known),
            Table::Fingerprints(known) => table_growth(known),
            Table::Related(related) => related.bytes_soon(),
        }
    }

    pub(crate) fn report(&self) -> StoreReport {
        match &self.table {
            Table::Set(_) | Table::Exact(_) | Table::Related(_) => StoreReport::exact(self.bytes()),
            Table::Fingerprints(known) => StoreReport::fingerprints(known.len(), self.bytes()),
            Table::Bits(bits) => bits.report(),
        }
    }
}

pub(super) fn table_growth<K, V>(table: &FxHashMap<K, V>) -> usize {
    map_growth(table.len(), table.capacity(), size_of::<(K, V)>())
}

/// Whether a key was met, at the same depth or a smaller one if that matters.
pub(super) fn knows_in<K: std::hash::Hash + Eq>(
    known: &FxHashMap<K, Met>,
    key: &K,
    depth: u32,
    depth_matters: bool,
) -> bool {
    known.get(key).is_some_and(|met| !depth_matters || met.depth <= depth)
}

/// Searches once more than necessary where that is measured, to tell it from inserting.
fn time_search<K: std::hash::Hash + Eq>(
    known: &FxHashMap<K, Met>,
    key: &K,
    stopwatch: &mut Stopwatch,
) {
    if stopwatch.samples() {
        std::hint::black_box(known.contains_key(key));
        stopwatch.lap(Operation::Search);
    }
}

pub(super) fn meet_in<K: std::hash::Hash + Eq>(
    known: &mut FxHashMap<K, Met>,
    key: K,
    met: Met,
    depth_matters: bool,
) -> Status {
    match known.entry(key) {
        std::collections::hash_map::Entry::Vacant(place) => {
            place.insert(met);
            Status::New
        }
        std::collections::hash_map::Entry::Occupied(mut place) => {
            let before = *place.get();
            if !depth_matters || before.depth <= met.depth {
                return Status::Known;
            }
            place.get_mut().depth = met.depth;
            Status::Shallower(before.record)
        }
    }
}
