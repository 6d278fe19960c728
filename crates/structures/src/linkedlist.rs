//! A circular doubly linked list with a header, as in the collections of Java 1.4.

use everypath_heap::subject;

/// A circular doubly linked list with a header, as in the collections of Java 1.4.
#[subject(seeded = linkedlist_seeded)]
pub mod linkedlist {
    struct List {
        size: Int,
        header: Ref<Entry>,
    }

    struct Entry {
        element: Int,
        next: Ref<Entry>,
        previous: Ref<Entry>,
    }

    impl List {
        #[start]
        fn empty(self) {
            self.header = Entry {};
            self.header.next = self.header;
            self.header.previous = self.header;
        }

        #[call(element in 1..=n)]
        fn add(self, element: Int) {
            let added = Entry { element, next: self.header, previous: self.header.previous };
            added.previous.next = added;
            added.next.previous = added;
            self.size += 1;
        }

        #[call]
        fn remove_last(self) -> Int {
            let last = self.header.previous;
            if last == self.header {
                fail("the list is empty");
            }
            last.previous.next = last.next;
            if SEEDED {
                last.next.previous = last;
            } else {
                last.next.previous = last.previous;
            }
            self.size -= 1;
            last.element
        }

        #[call(element in 1..=n)]
        fn contains(self, element: Int) -> Bool {
            let mut entry = self.header.next;
            while entry != self.header {
                if entry.element == element {
                    return true;
                }
                entry = entry.next;
            }
            false
        }

        /// The list is linked both ways, and has as many entries as were counted.
        #[invariant]
        fn linked(self) -> Bool {
            let mut entry = self.header;
            let mut count = 0;
            loop {
                if entry.next.previous != entry {
                    return false;
                }
                entry = entry.next;
                if entry == self.header {
                    return count == self.size;
                }
                count += 1;
            }
        }
    }
}
