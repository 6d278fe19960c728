//! `Guided`: rankings and parts of states.

use super::{Space, StateId};

/// A space that can guide a search: by rankings, or by the parts of its states. All methods are
/// optional.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Guided, ModelSpace};
///
/// assert!(ModelSpace::new(Counter).rankings().is_empty());
/// ```
pub trait Guided: Space {
    /// The names of the rankings.
    fn rankings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends the rank of a state. Ranks are compared element by element; larger is better.
    ///
    /// Called only with existing rankings: [`Options::validate`](crate::Options::validate) refuses
    /// others.
    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        let _ = (state, ranking, rank);
    }

    /// Appends the parts of a state, as numbers that are equal for equal parts: the state of each
    /// node, combined with the node. A search for novelty counts them.
    fn parts(&self, state: StateId, parts: &mut Vec<u64>) {
        let _ = (state, parts);
    }
}
