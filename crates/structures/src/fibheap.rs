//! A Fibonacci heap.

use everypath_heap::subject;

/// A Fibonacci heap: trees in circular lists, tidied when the smallest is removed.
#[subject(seeded = fibheap_seeded)]
pub mod fibheap {
    struct Heap {
        count: Int,
        min: Ref<Node>,
    }

    struct Node {
        cost: Int,
        degree: Int,
        mark: Bool,
        parent: Ref<Node>,
        left: Ref<Node>,
        right: Ref<Node>,
        child: Ref<Node>,
    }

    impl Heap {
        #[call(cost in 1..=n)]
        fn insert(self, cost: Int) {
            let node = Node { cost };
            node.left = node;
            node.right = node;
            if self.min != null {
                self.min.put_right(node);
                if node.cost < self.min.cost {
                    self.min = node;
                }
            } else {
                self.min = node;
            }
            self.count += 1;
        }

        #[call]
        fn remove_min(self) {
            let gone = self.min;
            if gone == null {
                return;
            }
            let mut degree = gone.degree;
            let mut child = gone.child;
            while degree > 0 {
                let next = child.right;
                child.take_out();
                gone.put_right(child);
                child.parent = null;
                child = next;
                degree -= 1;
            }
            gone.take_out();
            if gone == gone.right {
                self.min = null;
            } else {
                self.min = gone.right;
                self.consolidate();
            }
            self.count -= 1;
        }

        /// Links roots of the same degree until all degrees differ.
        fn consolidate(self) {
            let by_degree = Array::<Ref<Node>>::new(self.count + 1);
            let mut roots = 1;
            let mut root = self.min.right;
            while root != self.min {
                roots += 1;
                root = root.right;
            }
            while roots > 0 {
                let next = root.right;
                let mut degree = root.degree;
                while by_degree[degree] != null {
                    let mut other = by_degree[degree];
                    if root.cost > other.cost {
                        let swapped = root;
                        root = other;
                        other = swapped;
                    }
                    other.take_out();
                    root.adopt(other);
                    by_degree[degree] = null;
                    degree += 1;
                }
                by_degree[degree] = root;
                root = next;
                roots -= 1;
            }
            self.min = null;
            let mut degree = 0;
            while degree < self.count + 1 {
                let tree = by_degree[degree];
                if tree != null {
                    if self.min != null {
                        tree.take_out();
                        self.min.put_right(tree);
                        if tree.cost < self.min.cost && !SEEDED {
                            self.min = tree;
                        }
                    } else {
                        self.min = tree;
                    }
                }
                degree += 1;
            }
        }

        /// No cost is smaller than that of the parent, nor than the smallest.
        #[invariant]
        fn ordered(self) -> Bool {
            self.min == null || self.min.is_ordered(null)
        }

        /// The lists are linked both ways, and have as many nodes as were counted.
        #[invariant]
        fn linked(self) -> Bool {
            if self.min == null {
                return self.count == 0;
            }
            self.min.size() == self.count
        }
    }

    impl Node {
        fn take_out(self) {
            self.left.right = self.right;
            self.right.left = self.left;
        }

        fn put_right(self, node: Ref<Node>) {
            node.left = self;
            node.right = self.right;
            self.right = node;
            node.right.left = node;
        }

        fn adopt(self, node: Ref<Node>) {
            node.parent = self;
            if self.child == null {
                self.child = node;
                node.right = node;
                node.left = node;
            } else {
                self.child.put_right(node);
            }
            self.degree += 1;
            node.mark = false;
        }

        fn is_ordered(self, parent: Ref<Node>) -> Bool {
            let mut at = self;
            loop {
                if at.parent != parent || parent != null && at.cost < parent.cost {
                    return false;
                }
                if parent == null && at.cost < self.cost {
                    return false;
                }
                if at.child != null && !at.child.is_ordered(at) {
                    return false;
                }
                at = at.right;
                if at == self {
                    return true;
                }
            }
        }

        /// How many nodes its list has, with their children; -1 if it is not linked well.
        fn size(self) -> Int {
            let mut at = self;
            let mut count = 0;
            loop {
                if at.right.left != at {
                    return -1;
                }
                count += 1;
                if at.child != null {
                    count += at.child.size();
                }
                at = at.right;
                if at == self {
                    return count;
                }
            }
        }
    }
}
