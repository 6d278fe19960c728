//! # Data structures as subjects
//!
//! The data structures by which bounded-exhaustive testing is usually compared, as subjects of
//! [`everypath_heap`], each with its representation invariants, and each again with a seeded error that an exploration
//! finds.
//!
//! ```
//! use everypath_explore::{Options, explore};
//! use everypath_heap::Settings;
//!
//! let bst = everypath_structures::named("bst").unwrap();
//! let mut space = bst.space(&Settings::new(5)).unwrap();
//! let found = explore(&mut space, &Options::default().max_depth(5), &mut ()).unwrap();
//! assert_eq!((found.states_visited, found.finding().is_some()), (188, false));
//!
//! let seeded = everypath_structures::named("bst_seeded").unwrap();
//! let mut space = seeded.space(&Settings::new(5)).unwrap();
//! let found = explore(&mut space, &Options::default().max_depth(5), &mut ()).unwrap();
//! assert_eq!(found.finding().unwrap().trace.steps.len(), 4);
//! ```

#![deny(clippy::print_stdout)]

pub mod binheap;
pub mod bst;
pub mod deque;
pub mod disjset;
pub mod drivers;
pub mod fibheap;
pub mod heaparray;
pub mod linkedlist;
pub mod published;
pub mod queue;
pub mod stack;
pub mod treemap;
pub mod trie;
pub mod ubstack;
pub mod vector;

use everypath_heap::Subject;

/// All subjects, sound ones before those with a seeded error.
///
/// ```
/// assert_eq!(everypath_structures::all().len(), 26);
/// ```
#[must_use]
pub fn all() -> Vec<Subject> {
    macro_rules! subjects {
        ($($name:ident $seeded:ident),* $(,)?) => {
            vec![$($name::$name::subject(),)* $($name::$seeded::subject(),)*]
        };
    }
    subjects![
        binheap binheap_seeded,
        bst bst_seeded,
        deque deque_seeded,
        disjset disjset_seeded,
        fibheap fibheap_seeded,
        heaparray heaparray_seeded,
        linkedlist linkedlist_seeded,
        queue queue_seeded,
        stack stack_seeded,
        treemap treemap_seeded,
        trie trie_seeded,
        ubstack ubstack_seeded,
        vector vector_seeded,
    ]
}

/// The subject with a name.
///
/// ```
/// assert!(everypath_structures::named("treemap").is_some());
/// assert!(everypath_structures::named("rope").is_none());
/// ```
#[must_use]
pub fn named(name: &str) -> Option<Subject> {
    all().into_iter().find(|subject| subject.name() == name)
}
