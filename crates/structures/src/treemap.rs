//! A red-black tree, as in the collections of Java 1.4.

use everypath_heap::subject;

/// A red-black tree, as in the collections of Java 1.4.
#[subject(seeded = treemap_seeded)]
pub mod treemap {
    struct Map {
        size: Int,
        root: Ref<Entry>,
    }

    struct Entry {
        key: Int,
        black: Bool,
        left: Ref<Entry>,
        right: Ref<Entry>,
        parent: Ref<Entry>,
    }

    impl Map {
        #[call(key in 1..=n)]
        fn put(self, key: Int) {
            let mut entry = self.root;
            if entry == null {
                self.size += 1;
                self.root = Entry { key, black: true };
                return;
            }
            loop {
                if key == entry.key {
                    return;
                } else if key < entry.key {
                    if entry.left != null {
                        entry = entry.left;
                    } else {
                        self.size += 1;
                        entry.left = Entry { key, black: true, parent: entry };
                        self.fix_after_insertion(entry.left);
                        return;
                    }
                } else {
                    if entry.right != null {
                        entry = entry.right;
                    } else {
                        self.size += 1;
                        entry.right = Entry { key, black: true, parent: entry };
                        self.fix_after_insertion(entry.right);
                        return;
                    }
                }
            }
        }

        #[call(key in 1..=n)]
        fn remove(self, key: Int) {
            let entry = self.find(key);
            if entry != null {
                self.delete(entry);
            }
        }

        #[call(key in 1..=n)]
        fn get(self, key: Int) -> Bool {
            self.find(key) != null
        }

        fn find(self, key: Int) -> Ref<Entry> {
            let mut entry = self.root;
            while entry != null {
                if key == entry.key {
                    return entry;
                } else if key < entry.key {
                    entry = entry.left;
                } else {
                    entry = entry.right;
                }
            }
            null
        }

        fn is_black(self, entry: Ref<Entry>) -> Bool {
            if entry == null {
                return true;
            }
            entry.black
        }

        fn parent_of(self, entry: Ref<Entry>) -> Ref<Entry> {
            if entry == null {
                return null;
            }
            entry.parent
        }

        fn left_of(self, entry: Ref<Entry>) -> Ref<Entry> {
            if entry == null {
                return null;
            }
            entry.left
        }

        fn right_of(self, entry: Ref<Entry>) -> Ref<Entry> {
            if entry == null {
                return null;
            }
            entry.right
        }

        fn paint(self, entry: Ref<Entry>, black: Bool) {
            if entry != null {
                entry.black = black;
            }
        }

        fn rotate_left(self, entry: Ref<Entry>) {
            let right = entry.right;
            entry.right = right.left;
            if right.left != null {
                right.left.parent = entry;
            }
            right.parent = entry.parent;
            if entry.parent == null {
                self.root = right;
            } else if entry.parent.left == entry {
                entry.parent.left = right;
            } else {
                entry.parent.right = right;
            }
            right.left = entry;
            entry.parent = right;
        }

        fn rotate_right(self, entry: Ref<Entry>) {
            let left = entry.left;
            entry.left = left.right;
            if left.right != null {
                left.right.parent = entry;
            }
            left.parent = entry.parent;
            if entry.parent == null {
                self.root = left;
            } else if entry.parent.right == entry {
                entry.parent.right = left;
            } else {
                entry.parent.left = left;
            }
            left.right = entry;
            entry.parent = left;
        }

        fn fix_after_insertion(self, added: Ref<Entry>) {
            let mut x = added;
            x.black = false;
            while x != null && x != self.root && !x.parent.black {
                if self.parent_of(x) == self.left_of(self.parent_of(self.parent_of(x))) {
                    let y = self.right_of(self.parent_of(self.parent_of(x)));
                    if !self.is_black(y) {
                        self.paint(self.parent_of(x), true);
                        self.paint(y, true);
                        self.paint(self.parent_of(self.parent_of(x)), false);
                        x = self.parent_of(self.parent_of(x));
                    } else {
                        if x == self.right_of(self.parent_of(x)) {
                            x = self.parent_of(x);
                            self.rotate_left(x);
                        }
                        self.paint(self.parent_of(x), true);
                        self.paint(self.parent_of(self.parent_of(x)), false);
                        if self.parent_of(self.parent_of(x)) != null {
                            self.rotate_right(self.parent_of(self.parent_of(x)));
                        }
                    }
                } else {
                    let y = self.left_of(self.parent_of(self.parent_of(x)));
                    if !self.is_black(y) {
                        self.paint(self.parent_of(x), true);
                        self.paint(y, true);
                        self.paint(self.parent_of(self.parent_of(x)), false);
                        x = self.parent_of(self.parent_of(x));
                    } else {
                        if x == self.left_of(self.parent_of(x)) {
                            x = self.parent_of(x);
                            if !SEEDED {
                                self.rotate_right(x);
                            }
                        }
                        self.paint(self.parent_of(x), true);
                        self.paint(self.parent_of(self.parent_of(x)), false);
                        if self.parent_of(self.parent_of(x)) != null {
                            self.rotate_left(self.parent_of(self.parent_of(x)));
                        }
                    }
                }
            }
            self.root.black = true;
        }

        fn successor(self, entry: Ref<Entry>) -> Ref<Entry> {
            if entry.right != null {
                let mut next = entry.right;
                while next.left != null {
                    next = next.left;
                }
                return next;
            }
            let mut parent = entry.parent;
            let mut below = entry;
            while parent != null && below == parent.right {
                below = parent;
                parent = parent.parent;
            }
            parent
        }

        fn delete(self, entry: Ref<Entry>) {
            self.size -= 1;
            let mut gone = entry;
            if gone.left != null && gone.right != null {
                let next = self.successor(gone);
                gone.key = next.key;
                gone = next;
            }
            let mut replacement = gone.right;
            if gone.left != null {
                replacement = gone.left;
            }
            if replacement != null {
                replacement.parent = gone.parent;
                if gone.parent == null {
                    self.root = replacement;
                } else if gone == gone.parent.left {
                    gone.parent.left = replacement;
                } else {
                    gone.parent.right = replacement;
                }
                gone.left = null;
                gone.right = null;
                gone.parent = null;
                if gone.black {
                    self.fix_after_deletion(replacement);
                }
            } else if gone.parent == null {
                self.root = null;
            } else {
                if gone.black {
                    self.fix_after_deletion(gone);
                }
                if gone.parent != null {
                    if gone == gone.parent.left {
                        gone.parent.left = null;
                    } else if gone == gone.parent.right {
                        gone.parent.right = null;
                    }
                    gone.parent = null;
                }
            }
        }

        fn fix_after_deletion(self, from: Ref<Entry>) {
            let mut x = from;
            while x != self.root && self.is_black(x) {
                if x == self.left_of(self.parent_of(x)) {
                    let mut sibling = self.right_of(self.parent_of(x));
                    if !self.is_black(sibling) {
                        self.paint(sibling, true);
                        self.paint(self.parent_of(x), false);
                        self.rotate_left(self.parent_of(x));
                        sibling = self.right_of(self.parent_of(x));
                    }
                    if self.is_black(self.left_of(sibling)) && self.is_black(self.right_of(sibling))
                    {
                        self.paint(sibling, false);
                        x = self.parent_of(x);
                    } else {
                        if self.is_black(self.right_of(sibling)) {
                            self.paint(self.left_of(sibling), true);
                            self.paint(sibling, false);
                            self.rotate_right(sibling);
                            sibling = self.right_of(self.parent_of(x));
                        }
                        self.paint(sibling, self.is_black(self.parent_of(x)));
                        self.paint(self.parent_of(x), true);
                        self.paint(self.right_of(sibling), true);
                        self.rotate_left(self.parent_of(x));
                        x = self.root;
                    }
                } else {
                    let mut sibling = self.left_of(self.parent_of(x));
                    if !self.is_black(sibling) {
                        self.paint(sibling, true);
                        self.paint(self.parent_of(x), false);
                        self.rotate_right(self.parent_of(x));
                        sibling = self.left_of(self.parent_of(x));
                    }
                    if self.is_black(self.right_of(sibling)) && self.is_black(self.left_of(sibling))
                    {
                        self.paint(sibling, false);
                        x = self.parent_of(x);
                    } else {
                        if self.is_black(self.left_of(sibling)) {
                            self.paint(self.right_of(sibling), true);
                            self.paint(sibling, false);
                            self.rotate_left(sibling);
                            sibling = self.left_of(self.parent_of(x));
                        }
                        self.paint(sibling, self.is_black(self.parent_of(x)));
                        self.paint(self.parent_of(x), true);
                        self.paint(self.left_of(sibling), true);
                        self.rotate_right(self.parent_of(x));
                        x = self.root;
                    }
                }
            }
            self.paint(x, true);
        }

        /// Keys to the left are smaller, keys to the right larger, and parents are parents.
        #[invariant]
        fn ordered(self) -> Bool {
            self.is_between(self.root, null, -1000000, 1000000)
        }

        fn is_between(self, entry: Ref<Entry>, parent: Ref<Entry>, low: Int, high: Int) -> Bool {
            if entry == null {
                return true;
            }
            if entry.key <= low || entry.key >= high || entry.parent != parent {
                return false;
            }
            self.is_between(entry.left, entry, low, entry.key)
                && self.is_between(entry.right, entry, entry.key, high)
        }

        /// The root is black, no red entry has a red child, and all paths have as many black entries.
        #[invariant]
        fn balanced(self) -> Bool {
            self.is_black(self.root) && self.black_height(self.root) >= 0
        }

        /// The number of black entries on each path, or -1.
        fn black_height(self, entry: Ref<Entry>) -> Int {
            if entry == null {
                return 0;
            }
            if !entry.black && (!self.is_black(entry.left) || !self.is_black(entry.right)) {
                return -1;
            }
            let left = self.black_height(entry.left);
            let right = self.black_height(entry.right);
            if left < 0 || left != right {
                return -1;
            }
            if entry.black {
                return left + 1;
            }
            left
        }
    }
}
