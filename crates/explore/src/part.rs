//! `explore_part`: one part of an exploration that is cut into a trunk and instances.
//!
//! A trunk explores from the initial states and stops at the states where it is cut. An instance
//! explores from some of these states. Together they visit the states of one search: a shortest
//! run to a state either stays in the trunk, or leaves it at a first state that is cut, and the
//! trunk reaches that state by the beginning of this run. So each start enters the search of its
//! instance at its depth in the trunk, and bounds and lengths count from the initial states.

use crate::{
    Conflict, Explorable, Exploration, Options, Refusal, Space, Start, Starts, StateId, StoreKind,
    Trace, Watch, levels, limits::Guard, packed_level::PackedLevel, trace::back_to_start,
};

/// A part of an exploration: its result, and what it has visited.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, Starts, explore_part};
///
/// let mut space = ModelSpace::new(Counter);
/// let cut_at_two = &mut |_: &mut _, depth, _| depth == 2;
/// let trunk = explore_part(&mut space, &Options::default(), &mut (), Starts::Initial, cut_at_two);
/// let trunk = trunk.unwrap();
/// // 2, 4 and 6 are reached by two events.
/// assert_eq!((trunk.found.states_visited, trunk.stopped.len()), (3, 3));
/// assert_eq!(trunk.run_to(&mut space, trunk.stopped[0]).unwrap().steps.len(), 2);
/// ```
pub struct ExploredPart {
    /// Its result. States at which it has stopped do not count. The traces of its findings begin at
    /// a start, and their lengths do not include its depth.
    pub found: Exploration,
    /// The states at which it has stopped, by depth.
    pub stopped: Vec<Start>,
    pub(crate) levels: Levels,
}

/// A state that a part of an exploration has visited.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, Starts, explore_part};
///
/// let options = Options::default().max_depth(1);
/// let never = &mut |_: &mut _, _, _| false;
/// let part = explore_part(&mut ModelSpace::new(Counter), &options, &mut (), Starts::Initial, never);
/// let part = part.unwrap();
/// // The initial state is expanded; those at the bound are not.
/// let visited: Vec<_> = part.visited().map(|it| (it.depth, it.is_expanded)).collect();
/// assert_eq!(visited, [(0, true), (1, false), (1, false)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visited {
    /// The number of events by which the part has reached it first.
    pub depth: u32,
    /// The state.
    pub state: StateId,
    /// Whether its successors were explored.
    pub is_expanded: bool,
}

/// What remains of a search by levels.
pub(crate) struct Levels {
    pub(crate) past: Vec<PackedLevel>,
    pub(crate) current: Vec<StateId>,
    /// How many of them are expanded.
    pub(crate) expanded: usize,
    pub(crate) next: Vec<StateId>,
}

impl ExploredPart {
    /// All states that it has visited, by depth, without those at which it has stopped.
    pub fn visited(&self) -> impl Iterator<Item = Visited> + '_ {
        let Levels { past, current, expanded, next } = &self.levels;
        let depth = past.len() as u32;
        let past = (0..).zip(past).flat_map(|(depth, level)| {
            level.iter().map(move |state| Visited { depth, state, is_expanded: true })
        });
        let current = current.iter().enumerate().map(move |(place, &state)| Visited {
            depth,
            state,
            is_expanded: place < *expanded,
        });
        let next = next.iter();
        let next = next.map(move |&state| Visited { depth: depth + 1, state, is_expanded: false });
        past.chain(current).chain(next)
    }

    /// A shortest run from an initial state to a state of this trunk, or to one at which it has
    /// stopped; nothing if it has reached no such state at this depth.
    pub fn run_to(&self, space: &mut impl Space, to: Start) -> Option<Trace> {
        let before = self.levels.past.get(..to.depth as usize)?;
        back_to_start(space, before, to.state, |_| false)
    }
}

/// Whether a part is cut at a state of a depth.
pub type IsCut<'a, S> = dyn FnMut(&mut S, u32, StateId) -> bool + 'a;

/// Explores one part of a space: from some states, to those where it is cut. `is_cut` is asked once
/// about each state that would be expanded.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, Starts, explore_part};
///
/// let (mut space, options) = (ModelSpace::new(Counter), Options::default());
/// let trunk = explore_part(&mut space, &options, &mut (), Starts::Initial, &mut |_, depth, _| depth == 1);
/// // From 1 and from 3, a shortest run to 7 has two more events.
/// let starts = trunk.unwrap().stopped;
/// let never = &mut |_: &mut _, _, _| false;
/// let rest = explore_part(&mut space, &options, &mut (), Starts::Reached(&starts), never).unwrap();
/// assert_eq!(rest.found.finding().unwrap().trace.steps.len(), 2);
/// ```
///
/// # Errors
/// If the options cannot be combined in this space, or if the search is not a plain breadth-first
/// one that stores whole states.
pub fn explore_part<S: Explorable>(
    space: &mut S,
    options: &Options,
    watch: &mut dyn Watch,
    starts: Starts<'_>,
    is_cut: &mut IsCut<'_, S>,
) -> Result<ExploredPart, Refusal> {
    options.validate(space)?;
    if !options.goes_by_levels() || options.store != StoreKind::Exact {
        let conflict = Conflict::Cut;
        return Err(Refusal::Combination { strategy: options.strategy.name(), conflict });
    }
    let mut guard = Guard::new(options.limits, space, watch);
    guard.never_save();
    let part = levels::search_part(space, options, &mut guard, starts, is_cut);
    let ExploredPart { found, stopped, levels } = part;
    Ok(ExploredPart { found: found.unless_refused(space)?, stopped, levels })
}
