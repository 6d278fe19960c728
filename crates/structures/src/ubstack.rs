//! A bounded stack of distinct values in an array.

use everypath_heap::subject;

/// A bounded stack of distinct values in an array: a value that is pushed again moves to the top.
#[subject(seeded = ubstack_seeded)]
pub mod ubstack {
    struct Stack {
        count: Int,
        slots: Array<Int>,
    }

    impl Stack {
        #[start]
        fn empty(self, n: Int) {
            self.slots = Array::<Int>::new(n);
        }

        #[call(value in 1..=n)]
        fn push(self, value: Int) {
            let mut at = 0;
            while at < self.count {
                if self.slots[at] == value {
                    self.move_to_top(at, value);
                    return;
                }
                at += 1;
            }
            if self.count < self.slots.len() {
                self.slots[self.count] = value;
                self.count += 1;
            }
        }

        fn move_to_top(self, from: Int, value: Int) {
            let mut at = from;
            while at < self.count - 1 {
                self.slots[at] = self.slots[at + 1];
                at += 1;
                if SEEDED {
                    break;
                }
            }
            self.slots[self.count - 1] = value;
        }

        /// What was on top stays in its slot.
        #[call]
        fn pop(self) {
            if self.count > 0 {
                self.count -= 1;
            }
        }

        /// Values on the stack are distinct.
        #[invariant]
        fn distinct(self) -> Bool {
            let mut at = 0;
            while at < self.count {
                let mut other = 0;
                while other < at {
                    if self.slots[other] == self.slots[at] {
                        return false;
                    }
                    other += 1;
                }
                at += 1;
            }
            true
        }
    }
}
