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
    relation: Option<usize>,
}

enum Table {
    Exact(FxHashMap<StateId, Met>),
    Fingerprints(FxHashMap<u64, Met>),
    Bits(Bits),
    /// By the relation's key: states none of which stands for another at the same depth.
    Related {
        candidates: FxHashMap<u64, Vec<Candidate>>,
        count: usize,
    },
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
            (Some(_), _) => Table::Related { candidates: FxHashMap::default(), count: 0 },
            (None, StoreKind::Exact) => Table::Exact(FxHashMap::default()),
            (None, StoreKind::Fingerprint) => Table::Fingerprints(FxHashMap::default()),
            (None, StoreKind::Bitstate { bytes, hashes }) => Table::Bits(Bits::new(bytes, hashes)),
        };
        Self { table, depth_matters: options.depth_matters(), relation: options.relation }
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
            Table::Related { candidates, count } => {
                let relation = self.relation.expect("a table of candidates has a relation");
                let mask = space.relation_mask(state, relation);
                let candidates = candidates.entry(space.relation_key(state, relation)).or_default();
                let candidate = Candidate { state, mask, met };
                meet_related(space, relation, candidates, candidate, self.depth_matters, count)
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        // A place of a hash table: the entry and a control byte, at most seven eighths full.
        let places = |capacity: usize, entry: usize| capacity * 8 / 7 * (entry + 1);
        match &self.table {
            Table::Exact(known) => places(known.capacity(), size_of::<(StateId, Met)>()),
            Table::Fingerprints(known) => places(known.capacity(), size_of::<(u64, Met)>()),
            Table::Bits(bits) => bits.bytes(),
            Table::Related { candidates, count } => {
                places(candidates.capacity(), size_of::<(u64, Vec<Candidate>)>())
                    // Lists are between half full and full.
                    + count * size_of::<Candidate>() * 3 / 2
            }
        }
    }

    pub(crate) fn report(&self) -> StoreReport {
        match &self.table {
            Table::Exact(_) | Table::Related { .. } => StoreReport::exact(self.bytes()),
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

fn meet_related(
    space: &mut impl Space,
    relation: usize,
    candidates: &mut Vec<Candidate>,
    mut new: Candidate,
    depth_matters: bool,
    count: &mut usize,
) -> Status {
    let deep_enough = |stored: &Candidate, other: &Candidate| {
        !depth_matters || stored.met.depth <= other.met.depth
    };
    let known = candidates.iter().any(|stored| {
        new.mask & !stored.mask == 0
            && deep_enough(stored, &new)
            && space.is_simulated_by(new.state, stored.state, relation)
    });
    if known {
        return Status::Known;
    }
    // What the new state stands for need not be compared any more: this keeps the list short.
    let mut status = Status::New;
    let before = candidates.len();
    if let Some(place) = candidates.iter().position(|stored| stored.state == new.state) {
        let same = candidates.swap_remove(place);
        new.met.record = same.met.record;
        status = Status::Shallower(same.met.record);
    }
    candidates.retain(|stored| {
        let replaced = stored.mask & !new.mask == 0
            && deep_enough(&new, stored)
            && space.is_simulated_by(stored.state, new.state, relation);
        !replaced
    });
    candidates.push(new);
    *count = *count + candidates.len() - before;
    status
}
