//! The queues of links that deliver in FIFO order, and of mailboxes.

use everypath_explore::gentle_growth;

use super::removals::Removal;
use crate::trie::{Cell, NOTHING, Trie};

/// Queues of packets: each distinct one is kept once.
#[derive(Default)]
pub(super) struct Queues {
    lists: Trie,
    /// By queue: its first packet, and the queue without it; [`NOTHING`] if that is empty.
    fronts: Vec<Removal>,
}

impl Queues {
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    /// The queue before its last packet, and that packet.
    #[inline]
    pub(super) fn cell(&self, queue: u32) -> Cell {
        self.lists.cell(queue)
    }

    /// The last packet of a queue.
    #[inline]
    pub(super) fn last(&self, queue: u32) -> u32 {
        self.lists.last(queue)
    }

    /// The first packet of a queue, and the queue without it; [`NOTHING`] if that is empty.
    #[inline]
    pub(super) fn front(&self, queue: u32) -> Removal {
        self.fronts[queue as usize]
    }

    /// The queue with one more packet; `before` may be [`NOTHING`].
    pub(super) fn with(&mut self, before: u32, packet: u32) -> u32 {
        let (queue, new) = self.lists.intern(Cell { before, last: packet });
        if new {
            let front = match before {
                NOTHING => Removal { packet, rest: NOTHING },
                _ => {
                    let Removal { packet: first, rest } = self.front(before);
                    // Stored before the front of the rest is read: the queue itself is one longer.
                    gentle_growth::push(&mut self.fronts, Removal { packet: first, rest: NOTHING });
                    Removal { packet: first, rest: self.with(rest, packet) }
                }
            };
            match self.fronts.get_mut(queue as usize) {
                Some(place) => *place = front,
                None => gentle_growth::push(&mut self.fronts, front),
            }
        }
        queue
    }

    /// Whether a queue has more than this many packets.
    pub(super) fn is_longer(&self, mut queue: u32, than: u32) -> bool {
        for _ in 0..than {
            queue = self.cell(queue).before;
            if queue == NOTHING {
                return false;
            }
        }
        true
    }

    /// All queues in order, as they are saved.
    pub(super) fn links(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.lists.links()
    }

    /// The next queue, restored from its saved form.
    pub(super) fn next_cell(&self, link: (u32, u32)) -> Option<Cell> {
        self.lists.next_cell(link)
    }

    /// Adds a queue without its front. The result is whether it is new.
    pub(super) fn restore(&mut self, cell: Cell) -> bool {
        self.lists.intern(cell).1
    }

    /// Finds the rest of each queue without its first packet. The result is whether all of them
    /// exist.
    pub(super) fn restore_fronts(&mut self) -> bool {
        for queue in 0..self.lists.len() {
            let Cell { before, last } = self.lists.cell(queue as u32);
            let front = match before {
                NOTHING => Removal { packet: last, rest: NOTHING },
                _ => {
                    let Removal { packet, rest } = self.front(before);
                    let (rest, new) = self.lists.intern(Cell { before: rest, last });
                    if new {
                        return false;
                    }
                    Removal { packet, rest }
                }
            };
            self.fronts.push(front);
        }
        true
    }

    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + self.fronts.capacity() * size_of::<Removal>()
    }

    /// How many bytes more they take at once if they are about to grow.
    pub(super) fn bytes_soon(&self) -> usize {
        self.lists.bytes_soon()
    }
}
