//! A doubly linked list of distinct values.

use everypath_heap::subject;

/// A doubly linked list of distinct values.
#[subject(seeded = deque_seeded)]
pub mod deque {
    struct Deque {
        size: Int,
        head: Ref<Node>,
        tail: Ref<Node>,
    }

    struct Node {
        value: Int,
        prev: Ref<Node>,
        next: Ref<Node>,
    }

    impl Deque {
        #[call(value in 1..=n)]
        fn add(self, value: Int) -> Bool {
            let mut node = self.head;
            while node != null {
                if node.value == value {
                    return false;
                }
                node = node.next;
            }
            let added = Node { value, prev: self.tail };
            if self.tail == null {
                self.head = added;
            } else {
                self.tail.next = added;
            }
            self.tail = added;
            self.size += 1;
            true
        }

        #[call(value in 1..=n)]
        fn remove(self, value: Int) -> Bool {
            let mut node = self.head;
            while node != null {
                if node.value == value {
                    self.unlink(node);
                    return true;
                }
                node = node.next;
            }
            false
        }

        fn unlink(self, node: Ref<Node>) {
            if node.prev == null {
                self.head = node.next;
            } else {
                node.prev.next = node.next;
            }
            if node.next == null {
                self.tail = node.prev;
            } else if !SEEDED {
                node.next.prev = node.prev;
            }
            self.size -= 1;
        }

        /// Every node is the one before its next one, and the last one is the tail.
        #[invariant]
        fn linked(self) -> Bool {
            let mut before: Ref<Node> = null;
            let mut node = self.head;
            let mut count = 0;
            while node != null {
                if node.prev != before {
                    return false;
                }
                before = node;
                node = node.next;
                count += 1;
            }
            self.tail == before && count == self.size
        }
    }
}
