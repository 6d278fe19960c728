//! `Judged`: assertions, goals and prunings.

use super::{Space, StateId};

/// The assertions that a state violates: bit `i` for assertion `i`.
///
/// ```
/// use everypath_explore::Verdict;
///
/// // The second and the fourth assertion are violated.
/// let verdict = Verdict(0b1010);
/// assert!(verdict.violates(1) && !verdict.violates(2) && !verdict.violates(99));
/// assert_eq!(verdict.first(), Some(1));
/// assert!(Verdict::SAFE.is_safe());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict(pub u64);

impl Verdict {
    /// No assertion is violated.
    pub const SAFE: Self = Self(0);

    /// Whether no assertion is violated.
    #[must_use]
    pub fn is_safe(self) -> bool {
        self == Self::SAFE
    }

    /// Whether an assertion is violated.
    #[must_use]
    pub fn violates(self, assertion: usize) -> bool {
        assertion < 64 && self.0 >> assertion & 1 == 1
    }

    /// The first violated assertion.
    #[must_use]
    pub fn first(self) -> Option<usize> {
        (!self.is_safe()).then_some(self.0.trailing_zeros() as usize)
    }
}

/// A space that judges its states: by assertions, goals and prunings. All methods are optional.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Judged, ModelSpace, Space};
///
/// let mut space = ModelSpace::new(Counter);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// assert_eq!(space.assertions(), ["never seven"]);
/// assert!(space.verdict(initial[0]).is_safe());
/// ```
pub trait Judged: Space {
    /// The names of the assertions; a verdict's bits refer to them.
    fn assertions(&self) -> Vec<String> {
        Vec::new()
    }

    /// How many of the assertions are the model's own: the first ones. The others apply to every
    /// model, and a search does not wait for them to be violated.
    fn own_assertions(&self) -> usize {
        self.assertions().len()
    }

    /// The assertions that a state violates.
    fn verdict(&mut self, state: StateId) -> Verdict {
        let _ = state;
        Verdict::SAFE
    }

    /// The assertions that a state violates as an end. Called only for states without an enabled
    /// event.
    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        let _ = state;
        Verdict::SAFE
    }

    /// Whether a violation in this state counts. It does not if the run must contain an event and
    /// does not contain it.
    fn counts(&mut self, state: StateId) -> bool {
        let _ = state;
        true
    }

    /// The names of the goals, each of which must hold in some reachable state; at most 64.
    fn goals(&self) -> Vec<String> {
        Vec::new()
    }

    /// The goals that a state reaches: bit `i` for goal `i`.
    fn goals_reached(&mut self, state: StateId) -> u64 {
        let _ = state;
        0
    }

    /// Whether the model prunes this state. [`expand`](Space::expand) then gives no steps out of
    /// it.
    fn is_pruned(&mut self, state: StateId) -> bool {
        let _ = state;
        false
    }

    /// Why a state violates an assertion, if the assertion's name does not say it all.
    fn explain(&self, state: StateId, assertion: usize) -> Option<String> {
        let _ = (state, assertion);
        None
    }
}
