//! Estimates of memory on the heap.

use everypath_explore::map_growth;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// How many bytes more the index of a set takes at once if it is about to grow.
pub(crate) fn set_growth<T>(set: &IndexSet<T, FxBuildHasher>) -> usize {
    map_growth(set.len(), set.capacity(), size_of::<usize>())
}

/// About how many bytes a value holds on the heap: its serialised size, less the size of the value
/// itself.
pub(crate) fn heap_estimate<T>(written: usize) -> usize {
    written.saturating_sub(size_of::<T>())
}
