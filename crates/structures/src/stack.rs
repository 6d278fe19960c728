//! A stack as a linked list.

use everypath_heap::subject;

/// A stack as a linked list.
#[subject(seeded = stack_seeded)]
pub mod stack {
    struct Stack {
        top: Ref<Node>,
    }

    struct Node {
        value: Int,
        next: Ref<Node>,
    }

    impl Stack {
        #[call(value in 1..=n)]
        fn push(self, value: Int) {
            let node = Node { value, next: self.top };
            if SEEDED && value == 2 {
                // The first node of the rest is lost or the new one points to itself.
                node.next = node;
            }
            self.top = node;
        }

        #[call]
        fn pop(self) {
            if self.top != null {
                self.top = self.top.next;
            }
        }

        /// The list has no cycle.
        #[invariant]
        fn ends(self) -> Bool {
            let mut slow = self.top;
            let mut fast = self.top;
            while fast != null && fast.next != null {
                slow = slow.next;
                fast = fast.next.next;
                if slow == fast {
                    return false;
                }
            }
            true
        }
    }
}
