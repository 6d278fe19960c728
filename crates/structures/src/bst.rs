//! A binary search tree.

use everypath_heap::subject;

/// A binary search tree.
#[subject(seeded = bst_seeded)]
pub mod bst {
    struct Tree {
        size: Int,
        root: Ref<Node>,
    }

    struct Node {
        info: Int,
        left: Ref<Node>,
        right: Ref<Node>,
    }

    impl Tree {
        #[call(info in 1..=n)]
        fn add(self, info: Int) -> Bool {
            if self.root == null {
                self.root = Node { info };
                self.size += 1;
                return true;
            }
            let mut node = self.root;
            loop {
                if node.info < info {
                    if node.right == null {
                        node.right = Node { info };
                        break;
                    }
                    node = node.right;
                } else if node.info > info {
                    if node.left == null {
                        node.left = Node { info };
                        break;
                    }
                    node = node.left;
                } else {
                    return false;
                }
            }
            self.size += 1;
            true
        }

        #[call(info in 1..=n)]
        fn remove(self, info: Int) -> Bool {
            let mut parent: Ref<Node> = null;
            let mut node = self.root;
            while node != null && node.info != info {
                parent = node;
                if info < node.info {
                    node = node.left;
                } else {
                    node = node.right;
                }
            }
            if node == null {
                return false;
            }
            let rest = self.without(node);
            if parent == null {
                self.root = rest;
            } else if parent.left == node {
                parent.left = rest;
            } else {
                parent.right = rest;
            }
            self.size -= 1;
            true
        }

        /// The subtree of a node without its value.
        fn without(self, node: Ref<Node>) -> Ref<Node> {
            if node.left == null {
                return node.right;
            }
            if node.right == null {
                return node.left;
            }
            if node.left.right == null {
                node.info = node.left.info;
                if !SEEDED {
                    node.left = node.left.left;
                }
                return node;
            }
            let mut before = node.left;
            while before.right.right != null {
                before = before.right;
            }
            node.info = before.right.info;
            before.right = before.right.left;
            node
        }

        /// Values to the left are smaller, values to the right larger.
        #[invariant]
        fn ordered(self) -> Bool {
            self.is_between(self.root, -1000000, 1000000)
        }

        fn is_between(self, node: Ref<Node>, low: Int, high: Int) -> Bool {
            if node == null {
                return true;
            }
            if node.info <= low || node.info >= high {
                return false;
            }
            self.is_between(node.left, low, node.info)
                && self.is_between(node.right, node.info, high)
        }

        /// The size is the number of nodes.
        #[invariant]
        fn counted(self) -> Bool {
            self.count(self.root) == self.size
        }

        fn count(self, node: Ref<Node>) -> Int {
            if node == null {
                return 0;
            }
            1 + self.count(node.left) + self.count(node.right)
        }
    }
}
