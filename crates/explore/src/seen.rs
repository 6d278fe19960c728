//! What a search that does not go by levels knows of the visited states: also at which depth they
//! were met, and which stand for which.

use rustc_hash::FxHashMap;

use crate::{
    Options, Space, StateId, StoreKind, bits::Bits, exploration::StoreReport, map_bytes,
    map_growth, store::Store,
};

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
    /// States that are never met after fewer events than before: nothing else need be known of them.
    Set(Store),
    Exact(FxHashMap<StateId, Met>),
    Fingerprints(FxHashMap<u64, Met>),
    Bits(Bits),
    Related(Related),
}

/// The record of a state that was never stored, because another stood for it.
const NO_RECORD: u32 = u32::MAX;

/// States of which one can stand for another.
struct Related {
    relation: usize,
    /// Every state that was met, whether it was stored or another stood for it: at which depth at
    /// most, and its record, if it has one. Most states are met more than once, and need be compared
    /// with others only once.
    met: FxHashMap<StateId, Met>,
    /// By the relation's key.
    shelves: FxHashMap<u64, Shelf>,
    candidates: usize,
}

/// Stored states that can stand for each other, none of which does at the same depth.
#[derive(Default)]
struct Shelf {
    boards: Vec<Board>,
}

/// The states of a shelf in whose signatures the same numbers are not 0. Boards and signatures lie
/// together, so that most candidates are passed over without being looked at.
struct Board {
    present: u64,
    signatures: Vec<u64>,
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy)]
struct Met {
    depth: u32,
    record: u32,
}

#[derive(Clone, Copy)]
struct Candidate {
    state: StateId,
    met: Met,
}

/// Which of the sixteen numbers of a signature are not 0.
fn present(signature: u64) -> u64 {
    (signature | signature >> 1 | signature >> 2) & 0x1111_1111_1111_1111
}

/// Whether none of the sixteen numbers of a signature is larger than in another.
fn is_within(signature: u64, other: u64) -> bool {
    const HIGH: u64 = 0x8888_8888_8888_8888;
    ((other | HIGH) - signature) & HIGH == HIGH
}

impl Seen {
    pub(crate) fn new(options: &Options) -> Self {
        let table = match (options.relation, options.store) {
            (Some(relation), _) => Table::Related(Related::new(relation)),
            (None, StoreKind::Exact) if options.meets_by_depth() => Table::Set(Store::default()),
            (None, StoreKind::Exact) => Table::Exact(FxHashMap::default()),
            (None, StoreKind::Fingerprint) => Table::Fingerprints(FxHashMap::default()),
            (None, StoreKind::Bitstate { bytes, hashes }) => Table::Bits(Bits::new(bytes, hashes)),
        };
        Self { table, depth_matters: options.depth_matters() }
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
            Table::Set(known) => {
                if known.insert(state) {
                    Status::New
                } else {
                    Status::Known
                }
            }
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

    /// Learns of a record again, in a search that is gone on with.
    pub(crate) fn restore(
        &mut self,
        space: &mut impl Space,
        state: StateId,
        depth: u32,
        record: u32,
    ) {
        let status = self.meet(space, state, depth, record);
        if let (Status::Known, Table::Related(related)) = (status, &mut self.table)
            && let Some(met) = related.met.get_mut(&state)
        {
            met.record = record;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let places = map_bytes;
        match &self.table {
            Table::Set(known) => known.bytes(),
            Table::Exact(known) => places(known.capacity(), size_of::<(StateId, Met)>()),
            Table::Fingerprints(known) => places(known.capacity(), size_of::<(u64, Met)>()),
            Table::Bits(bits) => bits.bytes(),
            Table::Related(related) => {
                places(related.met.capacity(), size_of::<(StateId, Met)>())
                    + places(related.shelves.capacity(), size_of::<(u64, Shelf)>())
                    // Lists are between half full and full.
                    + related.candidates * (size_of::<Candidate>() + size_of::<u64>()) * 3 / 2
            }
        }
    }

    /// How many bytes more it takes at once when it grows, if that is about to happen.
    pub(crate) fn bytes_soon(&self) -> usize {
        match &self.table {
            Table::Set(_) | Table::Bits(_) => 0,
            Table::Exact(known) => table_growth(known),
            Table::Fingerprints(known) => table_growth(known),
            Table::Related(Related { met, shelves, .. }) => {
                table_growth(met) + table_growth(shelves)
            }
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

fn table_growth<K, V>(table: &FxHashMap<K, V>) -> usize {
    map_growth(table.len(), table.capacity(), size_of::<(K, V)>())
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

impl Shelf {
    fn put(&mut self, candidate: Candidate, signature: u64) {
        let present = present(signature);
        let board = match self.boards.iter().position(|board| board.present == present) {
            Some(place) => &mut self.boards[place],
            None => {
                let (signatures, candidates) = (Vec::new(), Vec::new());
                self.boards.push(Board { present, signatures, candidates });
                self.boards.last_mut().expect("it was just put there")
            }
        };
        board.signatures.push(signature);
        board.candidates.push(candidate);
    }
}

impl Related {
    fn new(relation: usize) -> Self {
        Self { relation, met: FxHashMap::default(), shelves: FxHashMap::default(), candidates: 0 }
    }

    fn meet(
        &mut self,
        space: &mut impl Space,
        state: StateId,
        met: Met,
        depth_matters: bool,
    ) -> Status {
        let unstored = Met { record: NO_RECORD, ..met };
        let before = meet_in(&mut self.met, state, unstored, depth_matters);
        let (record, status) = match before {
            Status::Known => return Status::Known,
            Status::New | Status::Shallower(NO_RECORD) => (met.record, Status::New),
            Status::Shallower(record) => (record, before),
        };
        let new = Candidate { state, met: Met { record, ..met } };
        if self.is_covered(space, new, depth_matters) {
            return Status::Known;
        }
        self.met.insert(state, new.met);
        status
    }

    /// Whether a candidate stands for a state; if not, it becomes one.
    fn is_covered(&mut self, space: &mut impl Space, new: Candidate, depth_matters: bool) -> bool {
        let relation = self.relation;
        let shallow_enough = |stored: &Candidate, other: &Candidate| {
            !depth_matters || stored.met.depth <= other.met.depth
        };
        let signature = space.relation_signature(new.state, relation);
        let shelf = self.shelves.entry(space.relation_key(new.state, relation)).or_default();
        let present = present(signature);
        for board in shelf.boards.iter_mut().filter(|board| present & !board.present == 0) {
            let cover = (0..board.candidates.len()).find(|&place| {
                is_within(signature, board.signatures[place])
                    && shallow_enough(&board.candidates[place], &new)
                    && space.is_simulated_by(new.state, board.candidates[place].state, relation)
            });
            if let Some(place) = cover {
                // What stands for one state stands for many: it is looked at earlier next time.
                board.signatures.swap(place, place / 2);
                board.candidates.swap(place, place / 2);
                return true;
            }
        }
        // What the new state stands for need not be compared any more, which keeps lists short.
        for board in shelf.boards.iter_mut().filter(|board| board.present & !present == 0) {
            let mut place = 0;
            while place < board.candidates.len() {
                let replaced = is_within(board.signatures[place], signature)
                    && shallow_enough(&new, &board.candidates[place])
                    && space.is_simulated_by(board.candidates[place].state, new.state, relation);
                if replaced {
                    board.signatures.swap_remove(place);
                    board.candidates.swap_remove(place);
                    self.candidates -= 1;
                } else {
                    place += 1;
                }
            }
        }
        shelf.put(new, signature);
        self.candidates += 1;
        false
    }
}
