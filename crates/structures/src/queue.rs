//! A queue of two stacks.

use everypath_heap::subject;

/// A queue of two stacks: one to put in, one to take out.
#[subject(seeded = queue_seeded)]
pub mod queue {
    struct Queue {
        back: Ref<Node>,
        front: Ref<Node>,
    }

    struct Node {
        value: Int,
        next: Ref<Node>,
    }

    impl Queue {
        #[call(value in 1..=n)]
        fn enqueue(self, value: Int) {
            self.back = Node { value, next: self.back };
        }

        #[call]
        fn dequeue(self) {
            if self.front == null {
                let mut node = self.back;
                while node != null {
                    let next = node.next;
                    node.next = self.front;
                    self.front = node;
                    node = next;
                }
                if !SEEDED {
                    self.back = null;
                }
            }
            if self.front != null {
                self.front = self.front.next;
            }
        }

        /// No node is in both stacks.
        #[invariant]
        fn disjoint(self) -> Bool {
            let mut node = self.front;
            while node != null {
                let mut other = self.back;
                while other != null {
                    if other == node {
                        return false;
                    }
                    other = other.next;
                }
                node = node.next;
            }
            true
        }
    }
}
