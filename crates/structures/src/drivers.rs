//! The subjects for the command line and for tests, each as a function of parameters.

use everypath_heap::Bounded;
use everypath_model::Parameters;

macro_rules! drivers {
    ($($name:ident $seeded:ident $bound:literal),* $(,)?) => {
        $(
            #[doc = concat!("The subject [`", stringify!($name), "`](mod@crate::", stringify!($name), "), or its version with a seeded error.")]
            ///
            /// ```
            /// use everypath_driver::Driven;
            /// use everypath_model::Parameters;
            ///
            /// let mut parameters = Parameters::with([("seeded", "true")]);
            #[doc = concat!("let subject = everypath_structures::drivers::", stringify!($name), "(&mut parameters);")]
            /// parameters.finish().unwrap();
            #[doc = concat!("assert_eq!((subject.max_depth(), subject.subject().name()), (Some(", stringify!($bound), "), \"", stringify!($seeded), "\"));")]
            /// ```
            #[must_use]
            pub fn $name(parameters: &mut Parameters) -> Bounded {
                let about = "whether it has the seeded error";
                let subject = match parameters.flag("seeded", false, about) {
                    false => crate::$name::$name::subject(),
                    true => crate::$name::$seeded::subject(),
                };
                subject.with($bound, parameters)
            }
        )*
    };
}

drivers![
    binheap binheap_seeded 6,
    bst bst_seeded 8,
    deque deque_seeded 6,
    disjset disjset_seeded 6,
    fibheap fibheap_seeded 6,
    heaparray heaparray_seeded 6,
    linkedlist linkedlist_seeded 5,
    queue queue_seeded 6,
    stack stack_seeded 6,
    treemap treemap_seeded 8,
    trie trie_seeded 8,
    ubstack ubstack_seeded 6,
    vector vector_seeded 5,
];
