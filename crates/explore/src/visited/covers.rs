//! Visited states that cover others, by the key and signature of a relation.

use rustc_hash::FxHashMap;

use super::depth_map::{Met, Status, knows_in, meet_in, table_growth};
use crate::{
    Covered, Related, StateId, map_bytes,
    stopwatch::{Operation, Stopwatch},
};

/// The record of a state that was not stored because another covers it.
const NO_RECORD: u32 = u32::MAX;

/// Visited states and the candidates that may cover others.
pub(super) struct Covers {
    relation: usize,
    /// Every state that was reached, stored or covered: its least depth, and its record, if it has
    /// one. Most states are reached more than once, but need be compared with others only once.
    met: FxHashMap<StateId, Met>,
    /// Candidates, by the relation's key.
    shelves: FxHashMap<u64, Shelf>,
    candidates: usize,
    /// The pairs that were met, of which this share is noted.
    covered: Covered,
    note: Option<u64>,
}

/// Stored states with the same key. None covers another at the same depth.
#[derive(Default)]
struct Shelf {
    boards: Vec<Board>,
}

/// The states of a shelf whose signatures have the same non-zero numbers. Signatures lie together
/// in memory, so most candidates are ruled out without being loaded.
struct Board {
    present: u64,
    signatures: Vec<u64>,
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    state: StateId,
    met: Met,
}

/// The numbers of a signature that are not 0, of sixteen.
fn present(signature: u64) -> u64 {
    (signature | signature >> 1 | signature >> 2) & 0x1111_1111_1111_1111
}

/// Whether none of the sixteen numbers of a signature is larger than in another.
fn is_within(signature: u64, other: u64) -> bool {
    const HIGH: u64 = 0x8888_8888_8888_8888;
    ((other | HIGH) - signature) & HIGH == HIGH
}

/// Notes this share of the pairs of a state and one that covers it.
fn note(covered: &mut Covered, one_in: Option<u64>, state: StateId, other: StateId) {
    let Some(one_in) = one_in.filter(|_| state != other) else { return };
    if covered.met.is_multiple_of(one_in) {
        covered.pairs.push((state, other));
    }
    covered.met += 1;
}

impl Shelf {
    /// A candidate that covers a state with this signature.
    fn cover(
        &mut self,
        space: &mut impl Related,
        new: Candidate,
        signature: u64,
        (relation, depth_matters): (usize, bool),
    ) -> Option<StateId> {
        let present = present(signature);
        for board in self.boards.iter_mut().filter(|board| present & !board.present == 0) {
            let cover = (0..board.candidates.len()).find(|&place| {
                let stored = board.candidates[place];
                is_within(signature, board.signatures[place])
                    && (!depth_matters || stored.met.depth <= new.met.depth)
                    && space.is_simulated_by(new.state, stored.state, relation)
            });
            if let Some(place) = cover {
                // A state that covers one state covers many, so it is compared earlier next time.
                board.signatures.swap(place, place / 2);
                board.candidates.swap(place, place / 2);
                return Some(board.candidates[place / 2].state);
            }
        }
        None
    }

    fn put(&mut self, candidate: Candidate, signature: u64) {
        let present = present(signature);
        let board = match self.boards.iter().position(|board| board.present == present) {
            Some(place) => &mut self.boards[place],
            None => {
                let (signatures, candidates) = (Vec::new(), Vec::new());
                self.boards.push(Board { present, signatures, candidates });
                self.boards.last_mut().expect("a board was just pushed")
            }
        };
        board.signatures.push(signature);
        board.candidates.push(candidate);
    }
}

impl Covers {
    pub(super) fn new(relation: usize, note: Option<u64>) -> Self {
        Self {
            relation,
            met: FxHashMap::default(),
            shelves: FxHashMap::default(),
            candidates: 0,
            covered: Covered::default(),
            note,
        }
    }

    /// Looks up a state at a depth. Unless it is known or covered, it is stored under the given
    /// record.
    pub(super) fn meet(
        &mut self,
        space: &mut impl Related,
        state: StateId,
        met: Met,
        depth_matters: bool,
        stopwatch: &mut Stopwatch,
    ) -> Status {
        let unstored = Met { record: NO_RECORD, ..met };
        let before = meet_in(&mut self.met, state, unstored, depth_matters);
        let (record, status) = match before {
            Status::Known => return Status::Known,
            Status::New | Status::Shallower(NO_RECORD) => (met.record, Status::New),
            Status::Shallower(record) => (record, before),
        };
        let new = Candidate { state, met: Met { record, ..met } };
        stopwatch.lap(Operation::Search);
        if self.is_covered(space, new, depth_matters, stopwatch) {
            return Status::Known;
        }
        self.met.insert(state, new.met);
        status
    }

    /// Whether a state was met, or a candidate covers it.
    pub(super) fn knows(
        &mut self,
        space: &mut impl Related,
        state: StateId,
        depth: u32,
        depth_matters: bool,
    ) -> bool {
        if knows_in(&self.met, &state, depth, depth_matters) {
            return true;
        }
        let relation = self.relation;
        let new = Candidate { state, met: Met { depth, record: NO_RECORD } };
        let signature = space.relation_signature(state, relation);
        let shelf = self.shelves.get_mut(&space.relation_key(state, relation));
        shelf.is_some_and(|shelf| {
            shelf.cover(space, new, signature, (relation, depth_matters)).is_some()
        })
    }

    /// Whether a candidate covers a state. If not, the state becomes a candidate.
    fn is_covered(
        &mut self,
        space: &mut impl Related,
        new: Candidate,
        depth_matters: bool,
        stopwatch: &mut Stopwatch,
    ) -> bool {
        let relation = self.relation;
        let signature = space.relation_signature(new.state, relation);
        let key = space.relation_key(new.state, relation);
        stopwatch.lap(Operation::Hashing);
        let shelf = self.shelves.entry(key).or_default();
        if let Some(other) = shelf.cover(space, new, signature, (relation, depth_matters)) {
            note(&mut self.covered, self.note, new.state, other);
            return true;
        }
        stopwatch.lap(Operation::Search);
        let present = present(signature);
        // Candidates that the new state covers are removed, which keeps lists short.
        for board in shelf.boards.iter_mut().filter(|board| board.present & !present == 0) {
            let mut place = 0;
            while place < board.candidates.len() {
                let replaced = is_within(board.signatures[place], signature)
                    && (!depth_matters || new.met.depth <= board.candidates[place].met.depth)
                    && space.is_simulated_by(board.candidates[place].state, new.state, relation);
                if replaced {
                    let stored = board.candidates[place].state;
                    note(&mut self.covered, self.note, stored, new.state);
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

    /// Sets the record of a known state.
    /// Takes the pairs that were noted.
    pub(super) fn take_covered(&mut self) -> Covered {
        std::mem::take(&mut self.covered)
    }

    pub(super) fn set_record(&mut self, state: StateId, record: u32) {
        if let Some(met) = self.met.get_mut(&state) {
            met.record = record;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        map_bytes(self.met.capacity(), size_of::<(StateId, Met)>())
            + map_bytes(self.shelves.capacity(), size_of::<(u64, Shelf)>())
            // Lists are between half full and full.
            + self.covered.pairs.capacity() * size_of::<(StateId, StateId)>()
            + self.candidates * (size_of::<Candidate>() + size_of::<u64>()) * 3 / 2
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(super) fn bytes_soon(&self) -> usize {
        table_growth(&self.met) + table_growth(&self.shelves)
    }
}
