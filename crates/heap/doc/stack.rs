// The subject of the examples in comments.
use everypath_heap::subject;

/// A stack of numbers.
#[subject]
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
            self.top = Node { value, next: self.top };
        }

        #[call]
        fn pop(self) {
            if self.top != null {
                self.top = self.top.next;
            }
        }

        /// No value is zero.
        #[invariant]
        fn positive(self) -> Bool {
            self.top == null || self.top.value > 0
        }
    }
}
