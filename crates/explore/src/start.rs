//! Where a search, or a part of one, starts.

use crate::StateId;

/// A state at which a search enters, and the number of events before it.
///
/// ```
/// use everypath_explore::{Start, StateId};
///
/// let (near, far) = (Start { depth: 1, state: StateId(9) }, Start { depth: 2, state: StateId(3) });
/// assert!(near < far);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// The number of events before it.
    pub depth: u32,
    /// The state.
    pub state: StateId,
}

/// Where a part of an exploration starts. Each state is listed once.
///
/// ```
/// use everypath_explore::{Start, StateId, Starts};
///
/// let starts = [Start { depth: 4, state: StateId(0) }];
/// assert_ne!(Starts::Reached(&starts), Starts::Initial);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts<'a> {
    /// In the initial states of the space.
    Initial,
    /// In states at which a trunk has stopped. The trunk has judged them.
    Reached(&'a [Start]),
    /// In states of which nothing is known. They are judged like initial states.
    Given(&'a [Start]),
}
