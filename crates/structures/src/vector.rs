//! A growing array that counts its changes, as in the collections of Java 1.4.

use everypath_heap::subject;

/// A growing array that counts its changes, as in the collections of Java 1.4.
#[subject(seeded = vector_seeded)]
pub mod vector {
    struct Vector {
        changes: Int,
        count: Int,
        data: Array<Int>,
    }

    impl Vector {
        #[start]
        fn empty(self) {
            self.data = Array::<Int>::new(10);
        }

        #[call(element in 1..=n)]
        fn add_element(self, element: Int) {
            self.changes += 1;
            if self.count == self.data.len() {
                self.grow();
            }
            self.data[self.count] = element;
            self.count += 1;
        }

        #[call(element in 1..=n)]
        fn remove_element(self, element: Int) -> Bool {
            self.changes += 1;
            let at = self.index_of(element);
            if at < 0 {
                return false;
            }
            self.changes += 1;
            self.remove_at(at);
            true
        }

        #[call(index in 0..n)]
        fn element_at(self, index: Int) -> Int {
            if index >= self.count {
                fail("the index is out of range");
            }
            self.data[index]
        }

        fn index_of(self, element: Int) -> Int {
            let mut at = 0;
            while at < self.count {
                if self.data[at] == element {
                    return at;
                }
                at += 1;
            }
            -1
        }

        fn remove_at(self, index: Int) {
            let mut at = index;
            while at < self.count - 1 {
                self.data[at] = self.data[at + 1];
                at += 1;
            }
            self.count -= 1;
            if !SEEDED {
                self.data[self.count] = 0;
            }
        }

        fn grow(self) {
            let larger = Array::<Int>::new(2 * self.data.len());
            let mut at = 0;
            while at < self.count {
                larger[at] = self.data[at];
                at += 1;
            }
            self.data = larger;
        }

        /// Elements fill the front of the array, and nothing is left behind them.
        #[invariant]
        fn filled(self) -> Bool {
            let mut at = 0;
            while at < self.data.len() {
                if at < self.count && self.data[at] == 0 || at >= self.count && self.data[at] != 0 {
                    return false;
                }
                at += 1;
            }
            true
        }
    }
}
