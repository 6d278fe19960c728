//! `Counters`: what execution and comparison cost.

use std::time::Duration;

/// What a space has counted.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::{Options, explore};
/// use everypath_heap::{Merge, Mode, Settings, SubjectSpace};
///
/// let settings = Settings::new(4).mode(Mode::Delta(Merge::Level));
/// let mut space = SubjectSpace::new(stack::stack::Code, &settings).unwrap();
/// explore(&mut space, &Options::default().max_depth(4), &mut ()).unwrap();
/// // 85 states with five calls each; of a stack, every call has one path per level.
/// assert_eq!((space.counters().executions, space.counters().paths), (425, 20));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Standard executions: pairs of a state and a call. The same in all modes.
    pub executions: u64,
    /// Executions of methods: paths in delta execution, otherwise as many as `executions`.
    pub paths: u64,
    /// Executions of guards, or their paths.
    pub guard_paths: u64,
    /// Executions that changed nothing, so that nothing was looked up.
    pub unchanged: u64,
    /// Fields translated to native objects.
    pub translated: u64,
    /// Fields translated back.
    pub written_back: u64,
    /// Accesses to fields in delta execution, one for each path.
    pub accesses: u64,
    /// Those that had one value for all states.
    pub constant_accesses: u64,
    /// Accesses that standard execution makes and delta execution does not: for a constant access
    /// over *n* states, *n* - 1.
    pub saved_accesses: u64,
    /// Accesses that standard execution makes.
    pub standard_accesses: u64,
    /// Fields of merged objects.
    pub merged_fields: u64,
    /// Those that are the same in all states that have the object.
    pub merged_constants: u64,
    /// Time of executing calls and undoing them, with the walks over changed heaps and with merging.
    pub executing: Duration,
    /// Time of looking up states.
    pub comparing: Duration,
    /// Time of merging states.
    pub merging: Duration,
    /// Time of evaluating invariants.
    pub judging: Duration,
}
