//! A dictionary as a tree of letters.

use everypath_heap::subject;

/// A dictionary as a tree of letters. Word *w* is spelled by the binary digits of *w*, from the lowest.
#[subject(seeded = trie_seeded)]
pub mod trie {
    struct Trie {
        root: Ref<Node>,
    }

    struct Node {
        is_word: Bool,
        zero: Ref<Node>,
        one: Ref<Node>,
    }

    impl Trie {
        #[start]
        fn empty(self) {
            self.root = Node {};
        }

        #[call(word in 1..=n)]
        fn add(self, word: Int) {
            let mut node = self.root;
            let mut rest = word;
            while rest > 0 {
                if rest % 2 == 0 {
                    if node.zero == null {
                        node.zero = Node {};
                    }
                    node = node.zero;
                } else {
                    if node.one == null {
                        node.one = Node {};
                    }
                    node = node.one;
                }
                rest = rest / 2;
            }
            if SEEDED {
                node.is_word = !node.is_word;
            } else {
                node.is_word = true;
            }
        }

        #[call(word in 1..=n)]
        fn is_word(self, word: Int) -> Bool {
            let node = self.node_of(word);
            if node == null {
                return false;
            }
            node.is_word
        }

        #[call(word in 1..=n)]
        fn is_proper_prefix(self, word: Int) -> Bool {
            let node = self.node_of(word);
            if node == null {
                return false;
            }
            node.zero != null || node.one != null
        }

        fn node_of(self, word: Int) -> Ref<Node> {
            let mut node = self.root;
            let mut rest = word;
            while rest > 0 && node != null {
                if rest % 2 == 0 {
                    node = node.zero;
                } else {
                    node = node.one;
                }
                rest = rest / 2;
            }
            node
        }

        /// Every leaf but the root is a word.
        #[invariant]
        fn pruned(self) -> Bool {
            let root = self.root;
            (root.zero == null || root.zero.is_pruned())
                && (root.one == null || root.one.is_pruned())
        }
    }

    impl Node {
        fn is_pruned(self) -> Bool {
            if self.zero == null && self.one == null {
                return self.is_word;
            }
            (self.zero == null || self.zero.is_pruned())
                && (self.one == null || self.one.is_pruned())
        }
    }
}
