//! A heap in an array: the largest value is on top.

use everypath_heap::subject;

/// A heap in a bounded array. A free slot is 0 until it is used, and −1 afterwards, so a state knows how large the heap has
/// been, as the published ones did.
#[subject(seeded = heaparray_seeded)]
pub mod heaparray {
    struct Heap {
        size: Int,
        slots: Array<Int>,
    }

    impl Heap {
        #[start]
        fn empty(self, n: Int) {
            self.slots = Array::<Int>::new(n);
        }

        #[call(value in 1..=n)]
        fn insert(self, value: Int) {
            if self.size == self.slots.len() {
                return;
            }
            let mut at = self.size;
            self.size += 1;
            self.slots[at] = value;
            while at > 0 && self.slots[(at - 1) / 2] < self.slots[at] {
                self.swap(at, (at - 1) / 2);
                at = (at - 1) / 2;
            }
        }

        #[call]
        fn extract_max(self) -> Int {
            if self.size == 0 {
                return 0;
            }
            let max = self.slots[0];
            self.size -= 1;
            self.slots[0] = self.slots[self.size];
            self.slots[self.size] = -1;
            self.sift_down();
            max
        }

        fn sift_down(self) {
            let mut at = 0;
            loop {
                let mut son = 2 * at + 1;
                if son >= self.size {
                    return;
                }
                if son + 1 < self.size && self.slots[son] < self.slots[son + 1] {
                    if !SEEDED {
                        son += 1;
                    }
                }
                if self.slots[at] >= self.slots[son] {
                    return;
                }
                self.swap(at, son);
                at = son;
            }
        }

        fn swap(self, one: Int, other: Int) {
            let value = self.slots[one];
            self.slots[one] = self.slots[other];
            self.slots[other] = value;
        }

        /// No value is larger than the one above it.
        #[invariant]
        fn ordered(self) -> Bool {
            let mut at = 1;
            while at < self.size {
                if self.slots[(at - 1) / 2] < self.slots[at] {
                    return false;
                }
                at += 1;
            }
            true
        }

        /// Free slots are empty.
        #[invariant]
        fn clean(self) -> Bool {
            let mut at = self.size;
            while at < self.slots.len() {
                if self.slots[at] > 0 {
                    return false;
                }
                at += 1;
            }
            true
        }
    }
}
