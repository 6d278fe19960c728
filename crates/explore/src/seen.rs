//! What a search that does not go by levels knows of the visited states: also at which depth they
//! were met, and which stand for which.

use rustc_hash::FxHashMap;

use crate::{Options, Space, StateId, StoreKind, bits::Bits, exploration::StoreReport};

/// What is known of a state that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It was not met before.
    New,
    /// It was met before, after more events: this is its record.
    Shallower(u32),
    /// It, or what stands for it, was met before, after no more events.
    Known,
}

/// The visited states with their records, or what is kept of them.
pub(crate) struct Seen {
    table: Table,
    /// Whether a state counts as known only if it was met at the same depth or a smaller one.
    depth_matters: bool,
}

enum Table {
    Exact(FxHashMap<StateId, Met>),
    Fingerprints(FxHashMap<u64, Met>),
    Bits(Bits),
    Related(Related),
}

/// States some of which stand for others.
struct Related {
    relation: usize,
    /// By the relation's key: states none of which stands for another at the same depth.
    candidates: FxHashMap<u64, Vec<Candidate>>,
    count: usize,
    /// The records of states that are no candidates any more because another stands for them. Such
    /// a state can be met again after fewer events than that other.
    replaced: FxHashMap<StateId, u32>,
}

#[derive(Clone, Copy)]
struct Met {
    depth: u32,
    record: u32,
}

#[derive(Clone, Copy)]
struct Candidate {
    state: StateId,
    mask: u64,
    met: Met,
}

impl Seen {
    pub(crate) fn new(options: &Options) -> Self {
        let table = match (options.relation, options.store) {
            (Some(relation), _) => Table::Related(Related::new(relation)),
            (None, StoreKind::Exact) => Table::Exact(FxHashMap::default()),
            (None, StoreKind::Fingerprint) => Table::Fingerprints(FxHashMap::default()),
            (None, StoreKind::Bitstate { bytes, hashes }) => Table::Bits(Bits::new(bytes, hashes)),
        };
        Self { table, depth_matters: options.depth_matters() }
    }

    /// Learns of a record again, in a search that is gone on with.
    pub(crate) fn restore(
        &mut self,
        space: &mut impl Space,
        state: StateId,
        depth: u32,
        record: u32,
    ) {
        let status = self.meet(space, state, depth, record);
        if let (Status::Known, Table::Related(related)) = (status, &mut self.table) {
            related.replaced.insert(state, record);
        }
    }

    /// Meets a state at a depth. Unless it is known, it is then known under the given record.
    pub(crate) fn meet(
        &mut self,
        space: &mut impl Space,
        state: StateId,
        depth: u32,
        record: u32,
    ) -> Status {
        let met = Met { depth, record };
        match &mut self.table {
            Table::Exact(known) => meet_in(known, state, met, self.depth_matters),
            Table::Fingerprints(known) => {
                meet_in(known, space.fingerprint(state), met, self.depth_matters)
            }
            Table::Bits(bits) => {
                if bits.insert(space.fingerprint(state)) {
                    Status::New
                } else {
                    Status::Known
                }
            }
            Table::Related(related) => related.meet(space, state, met, self.depth_matters),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        // A place of a hash table: the entry and a control byte, at most seven eighths full.
        let places = |capacity: usize, entry: usize| capacity * 8 / 7 * (entry + 1);
        match &self.table {
            Table::Exact(known) => places(known.capacity(), size_of::<(StateId, Met)>()),
            Table::Fingerprints(known) => places(known.capacity(), size_of::<(u64, Met)>()),
            Table::Bits(bits) => bits.bytes(),
            Table::Related(Related { candidates, count, replaced, .. }) => {
                places(candidates.capacity(), size_of::<(u64, Vec<Candidate>)>())
                    + places(replaced.capacity(), size_of::<(StateId, u32)>())
                    // Lists are between half full and full.
                    + count * size_of::<Candidate>() * 3 / 2
            }
        }
    }

    pub(crate) fn report(&self) -> StoreReport {
        match &self.table {
            Table::Exact(_) | Table::Related(_) => StoreReport::exact(self.bytes()),
            Table::Fingerprints(known) => StoreReport::fingerprints(known.len(), self.bytes()),
            Table::Bits(bits) => bits.report(),
        }
    }
}

fn meet_in<K: std::hash::Hash + Eq>(
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

impl Related {
    fn new(relation: usize) -> Self {
        Self {
            relation,
            candidates: FxHashMap::default(),
            count: 0,
            replaced: FxHashMap::default(),
        }
    }

    fn meet(
        &mut self,
        space: &mut impl Space,
        state: StateId,
        met: Met,
        depth_matters: bool,
    ) -> Status {
        let relation = self.relation;
        let mask = space.relation_mask(state, relation);
        let candidates = self.candidates.entry(space.relation_key(state, relation)).or_default();
        let near_enough = |stored: Met, other: Met| !depth_matters || stored.depth <= other.depth;
        let known = candidates.iter().any(|stored| {
            mask & !stored.mask == 0
                && near_enough(stored.met, met)
                && space.is_simulated_by(state, stored.state, relation)
        });
        if known {
            return Status::Known;
        }
        let before = candidates.len();
        let same = candidates.iter().position(|stored| stored.state == state);
        let record = match same {
            Some(place) => Some(candidates.swap_remove(place).met.record),
            None => self.replaced.remove(&state),
        };
        let met = Met { record: record.unwrap_or(met.record), ..met };
        // What the new state stands for need not be compared any more: this keeps the list short.
        candidates.retain(|stored| {
            let replaced = stored.mask & !mask == 0
                && near_enough(met, stored.met)
                && space.is_simulated_by(stored.state, state, relation);
            if replaced && depth_matters {
                self.replaced.insert(stored.state, stored.met.record);
            }
            !replaced
        });
        candidates.push(Candidate { state, mask, met });
        self.count = self.count + candidates.len() - before;
        record.map_or(Status::New, Status::Shallower)
    }
}
