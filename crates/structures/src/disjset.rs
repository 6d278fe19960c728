//! Disjoint sets: union by rank, find with path compression.

use everypath_heap::subject;

/// Disjoint sets: union by rank, find with path compression. There is one element less than the bound.
#[subject(seeded = disjset_seeded)]
pub mod disjset {
    struct Sets {
        elements: Array<Ref<Element>>,
    }

    struct Element {
        parent: Int,
        rank: Int,
    }

    impl Sets {
        #[start]
        fn singletons(self, n: Int) {
            self.elements = Array::<Ref<Element>>::new(n - 1);
            let mut at = 0;
            while at < n - 1 {
                self.elements[at] = Element { parent: at };
                at += 1;
            }
        }

        #[call(element in 0..n - 1)]
        fn find(self, element: Int) -> Int {
            let parent = self.elements[element].parent;
            if parent == element {
                return element;
            }
            let root = self.find(parent);
            self.elements[element].parent = root;
            root
        }

        #[call(one in 0..n - 1, other in 0..n - 1)]
        fn union(self, one: Int, other: Int) {
            let left = self.find(one);
            let right = self.find(other);
            if left == right && !SEEDED {
                return;
            }
            let left_rank = self.elements[left].rank;
            let right_rank = self.elements[right].rank;
            if left_rank < right_rank {
                self.elements[left].parent = right;
            } else {
                self.elements[right].parent = left;
                if left_rank == right_rank {
                    self.elements[left].rank = left_rank + 1;
                }
            }
        }

        /// Ranks grow towards the root.
        #[invariant]
        fn ranked(self) -> Bool {
            let mut at = 0;
            while at < self.elements.len() {
                let parent = self.elements[at].parent;
                if parent != at && self.elements[parent].rank <= self.elements[at].rank {
                    return false;
                }
                at += 1;
            }
            true
        }

        /// A root of rank *r* has at least two to the *r* elements.
        #[invariant]
        fn large_enough(self) -> Bool {
            let mut root = 0;
            while root < self.elements.len() {
                if self.elements[root].parent == root {
                    let mut needed = 1;
                    let mut rank = self.elements[root].rank;
                    while rank > 0 {
                        needed = needed * 2;
                        rank -= 1;
                        if needed > self.elements.len() {
                            return false;
                        }
                    }
                    if self.members(root) < needed {
                        return false;
                    }
                }
                root += 1;
            }
            true
        }

        fn members(self, root: Int) -> Int {
            let mut count = 0;
            let mut at = 0;
            while at < self.elements.len() {
                let mut above = at;
                while self.elements[above].parent != above {
                    above = self.elements[above].parent;
                }
                if above == root {
                    count += 1;
                }
                at += 1;
            }
            count
        }
    }
}
