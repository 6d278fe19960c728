//! A binomial heap.

use everypath_heap::subject;

/// A binomial heap: a list of binomial trees of growing degree.
#[subject(seeded = binheap_seeded)]
pub mod binheap {
    struct Heap {
        size: Int,
        nodes: Ref<Node>,
    }

    struct Node {
        key: Int,
        degree: Int,
        parent: Ref<Node>,
        sibling: Ref<Node>,
        child: Ref<Node>,
    }

    impl Heap {
        #[call(value in 1..=n)]
        fn insert(self, value: Int) {
            let node = Node { key: value };
            if self.nodes == null {
                self.nodes = node;
                self.size = 1;
            } else {
                self.unite(node);
                self.size += 1;
            }
        }

        #[call(value in 1..=n)]
        fn delete(self, value: Int) {
            if self.nodes == null {
                return;
            }
            let node = self.nodes.find(value);
            if node != null {
                self.decrease(node, self.nodes.least().key - 1);
                self.extract_min();
            }
        }

        fn merge(self, other: Ref<Node>) {
            let mut one = self.nodes;
            let mut two = other;
            while one != null && two != null {
                if one.degree == two.degree {
                    let next = two;
                    two = two.sibling;
                    next.sibling = one.sibling;
                    one.sibling = next;
                    one = next.sibling;
                } else if one.degree < two.degree {
                    if one.sibling == null || one.sibling.degree > two.degree {
                        let next = two;
                        two = two.sibling;
                        next.sibling = one.sibling;
                        one.sibling = next;
                        one = next.sibling;
                    } else {
                        one = one.sibling;
                    }
                } else {
                    let next = one;
                    one = two;
                    two = two.sibling;
                    one.sibling = next;
                    if next == self.nodes {
                        self.nodes = one;
                    }
                }
            }
            if one == null {
                one = self.nodes;
                while one.sibling != null {
                    one = one.sibling;
                }
                one.sibling = two;
            }
        }

        fn unite(self, other: Ref<Node>) {
            self.merge(other);
            let mut before: Ref<Node> = null;
            let mut node = self.nodes;
            let mut next = self.nodes.sibling;
            while next != null {
                if node.degree != next.degree
                    || next.sibling != null && next.sibling.degree == node.degree
                {
                    before = node;
                    node = next;
                } else if node.key <= next.key {
                    node.sibling = next.sibling;
                    next.parent = node;
                    next.sibling = node.child;
                    node.child = next;
                    node.degree += 1;
                } else {
                    if before == null {
                        self.nodes = next;
                    } else {
                        before.sibling = next;
                    }
                    node.parent = next;
                    node.sibling = next.child;
                    next.child = node;
                    next.degree += 1;
                    node = next;
                }
                next = node.sibling;
            }
        }

        /// Decreases a key, and lets it rise.
        fn decrease(self, from: Ref<Node>, key: Int) {
            let mut node = from;
            node.key = key;
            let mut parent = node.parent;
            while parent != null && node.key < parent.key {
                let larger = parent.key;
                parent.key = node.key;
                node.key = larger;
                node = parent;
                parent = parent.parent;
            }
        }

        fn extract_min(self) {
            let least = self.nodes.least();
            let mut before: Ref<Node> = null;
            let mut node = self.nodes;
            while node.key != least.key {
                before = node;
                node = node.sibling;
            }
            if before == null {
                self.nodes = node.sibling;
            } else {
                before.sibling = node.sibling;
            }
            let children = node.child;
            let mut child = children;
            while child != null {
                if !SEEDED {
                    child.parent = null;
                }
                child = child.sibling;
            }
            if self.nodes == null && children == null {
                self.size = 0;
            } else if self.nodes == null {
                self.nodes = children.reversed(null);
                self.size -= 1;
            } else if children == null {
                self.size -= 1;
            } else {
                self.unite(children.reversed(null));
                self.size -= 1;
            }
        }

        /// No key is smaller than the one above it.
        #[invariant]
        fn ordered(self) -> Bool {
            self.nodes == null || self.nodes.is_ordered(null)
        }

        /// The trees are binomial, and their degrees grow.
        #[invariant]
        fn binomial(self) -> Bool {
            let mut node = self.nodes;
            let mut degree = -1;
            let mut count = 0;
            while node != null {
                if node.degree <= degree || !node.is_binomial() {
                    return false;
                }
                degree = node.degree;
                count += node.count();
                node = node.sibling;
            }
            count == self.size
        }
    }

    impl Node {
        /// The first node with a key: this one, its children, its siblings.
        fn find(self, key: Int) -> Ref<Node> {
            let mut at = self;
            while at != null {
                if at.key == key {
                    return at;
                }
                if at.child != null {
                    let found = at.child.find(key);
                    if found != null {
                        return found;
                    }
                }
                at = at.sibling;
            }
            null
        }

        /// The node with the smallest key among this one and its siblings.
        fn least(self) -> Ref<Node> {
            let mut at = self;
            let mut least = self;
            while at != null {
                if at.key < least.key {
                    least = at;
                }
                at = at.sibling;
            }
            least
        }

        /// The list in reverse order.
        fn reversed(self, before: Ref<Node>) -> Ref<Node> {
            let mut first = self;
            if self.sibling != null {
                first = self.sibling.reversed(self);
            }
            self.sibling = before;
            first
        }

        fn is_ordered(self, parent: Ref<Node>) -> Bool {
            let mut at = self;
            while at != null {
                if at.parent != parent || parent != null && at.key < parent.key {
                    return false;
                }
                if at.child != null && !at.child.is_ordered(at) {
                    return false;
                }
                at = at.sibling;
            }
            true
        }

        /// Whether the children have the degrees below this one's, from the largest.
        fn is_binomial(self) -> Bool {
            let mut degree = self.degree;
            let mut child = self.child;
            while child != null {
                degree -= 1;
                if child.degree != degree || !child.is_binomial() {
                    return false;
                }
                child = child.sibling;
            }
            degree == 0
        }

        fn count(self) -> Int {
            let mut count = 1;
            let mut child = self.child;
            while child != null {
                count += child.count();
                child = child.sibling;
            }
            count
        }
    }
}
