//! `Related`: which states cover which others.

use super::{Space, StateId};

/// A space with simulation preorders, by which one state covers another. A covered state need not
/// be visited. All methods are optional.
///
/// Called only with existing relations: [`Options::validate`](crate::Options::validate) refuses
/// others.
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

    /// Why a relation would be unsound here, if it would be. Called before a search and during it:
    /// what an assertion reads is known only after it was evaluated.
    fn relation_refusal(&self, relation: usize) -> Option<String> {
        let _ = relation;
        None
    }

    /// A key that is equal for any two states of which one can cover the other.
    fn relation_key(&mut self, state: StateId, relation: usize) -> u64 {
        let _ = (state, relation);
        0
    }

    /// Sixteen numbers of four bits, from 0 to 7. In a state that covers this one, none of them is
    /// smaller. They rule out most states that do not cover each other.
    fn relation_signature(&mut self, state: StateId, relation: usize) -> u64 {
        let _ = (state, relation);
        0
    }

    /// Whether one state is simulated by another: whatever is reachable from it is reachable from the
    /// other, to the extent that assertions can distinguish states.
    fn is_simulated_by(&mut self, state: StateId, other: StateId, relation: usize) -> bool {
        let _ = relation;
        state == other
    }
}
