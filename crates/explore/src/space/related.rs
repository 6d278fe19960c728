//! `Related`: which states cover which others.

use super::{Space, StateId};

/// A space with simulation preorders, by which one state covers another so that this need not be
/// visited. All of it is optional.
///
/// Asked only for relations that there are: [`Options::validate`](crate::Options::validate) refuses others.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Related, StateId};
///
/// let mut space = ModelSpace::new(Counter);
/// assert!(space.relations().is_empty());
/// assert!(space.is_simulated_by(StateId(0), StateId(0), 0));
/// ```
pub trait Related: Space {
    /// The names of the relations by which one state can cover another.
    fn relations(&self) -> Vec<String> {
        Vec::new()
    }

    /// Why a relation would be unsound here, if it would be. Asked before a search, and again while
    /// it lasts: what an assertion reads is known only when it has been asked.
    fn relation_refusal(&self, relation: usize) -> Option<String> {
        let _ = relation;
        None
    }

    /// A number that is the same for every two states of which one can cover the other.
    fn relation_key(&mut self, state: StateId, relation: usize) -> u64 {
        let _ = (state, relation);
        0
    }

    /// Sixteen numbers of four bits, from 0 to 7: for whatever covers this state, none of them
    /// is smaller. Tells most states apart that do not cover each other.
    fn relation_signature(&mut self, state: StateId, relation: usize) -> u64 {
        let _ = (state, relation);
        0
    }

    /// Whether one state is simulated by another: whatever can be reached from it can be reached
    /// from the other, to the extent that assertions tell.
    fn is_simulated_by(&mut self, state: StateId, other: StateId, relation: usize) -> bool {
        let _ = relation;
        state == other
    }
}
