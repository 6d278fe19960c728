//! Visited states that cover others, by the key and signature of a relation.

use rustc_hash::FxHashMap;

use super::depth_map::{Met, Status, meet_in, table_growth};
use crate::{Related, StateId, map_bytes};

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

impl Shelf {
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
    pub(super) fn new(relation: usize) -> Self {
        Self { relation, met: FxHashMap::default(), shelves: FxHashMap::default(), candidates: 0 }
    }

    /// Looks up a state at a depth. Unless it is known or covered, it is stored under the given
    /// record.
    pub(super) fn meet(
        &mut self,
        space: &mut impl Related,
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

    /// Whether a candidate covers a state. If not, the state becomes a candidate.
    fn is_covered(
        &mut self,
        space: &mut impl Related,
        new: Candidate,
        depth_matters: bool,
    ) -> bool {
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
                // A state that covers one state covers many, so it is compared earlier next time.
                board.signatures.swap(place, place / 2);
                board.candidates.swap(place, place / 2);
                return true;
            }
        }
        // Candidates that the new state covers are removed, which keeps lists short.
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

    /// Sets the record of a known state.
    pub(super) fn set_record(&mut self, state: StateId, record: u32) {
        if let Some(met) = self.met.get_mut(&state) {
            met.record = record;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        map_bytes(self.met.capacity(), size_of::<(StateId, Met)>())
            + map_bytes(self.shelves.capacity(), size_of::<(u64, Shelf)>())
            // Lists are between half full and full.
            + self.candidates * (size_of::<Candidate>() + size_of::<u64>()) * 3 / 2
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(super) fn bytes_soon(&self) -> usize {
        table_growth(&self.met) + table_growth(&self.shelves)
    }
}
