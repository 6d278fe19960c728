//! The explorer's searches, compiled for networks in this crate.

use everypath_explore::{
    self as explorer, ExploredPart, IsCut, Options, Refusal, Starts, Watch, compile_searches,
};

use crate::NetworkSpace;

compile_searches!(NetworkSpace<'_>);

/// [`explore_part`](explorer::explore_part) for networks.
///
/// # Errors
/// If the options cannot be combined in this space, or if the search is not a plain breadth-first
/// one that stores whole states.
pub fn explore_part<'a>(
    space: &mut NetworkSpace<'a>,
    options: &Options,
    watch: &mut dyn Watch,
    starts: Starts<'_>,
    is_cut: &mut IsCut<'_, NetworkSpace<'a>>,
) -> Result<ExploredPart, Refusal> {
    explorer::explore_part(space, options, watch, starts, is_cut)
}
