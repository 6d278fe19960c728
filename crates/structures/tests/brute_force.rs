//! Every subject against a brute force with a `HashSet`, at small bounds.

use std::collections::BTreeSet;

use everypath_heap::{Code, Settings};

use crate::{
    oracle,
    walks::{contents, levels, space},
};

fn check<C: Code>(code: &C) {
    let name = code.outline().name;
    for bound in 2..=4 {
        let settings = Settings::new(bound);
        let expected = oracle::levels(code, &settings, bound);
        let mut space = space(&name, &settings);
        let found = levels(&mut space, bound);
        for (level, walks) in contents(&space, &found).into_iter().enumerate() {
            let count = walks.len();
            let walks: BTreeSet<Vec<i32>> = walks.into_iter().collect();
            assert_eq!(walks.len(), count, "{name} {bound}: no state has two ids");
            assert_eq!(walks, expected[level], "{name} {bound}, level {level}");
        }
    }
}

#[test]
fn every_subject_has_the_states_of_the_brute_force() {
    macro_rules! check_all {
        ($($name:ident $seeded:ident),* $(,)?) => {
            $(
                check(&everypath_structures::$name::$name::Code);
                check(&everypath_structures::$name::$seeded::Code);
            )*
        };
    }
    check_all![
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
    ];
}
