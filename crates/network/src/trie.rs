//! A trie of lists, each kept once.

use std::hash::BuildHasher;

use everypath_explore::{gentle_growth, growth};
use hashbrown::{HashTable, hash_table::Entry};
use rustc_hash::FxBuildHasher;

use crate::numbers::Numbers;

/// Lists of numbers, each distinct one kept once and named by a number. A list is a cell: the list
/// before its last item, and that item. So appending an item is one step, whatever the length. A
/// list takes 12 bytes and those of its last item, mostly one.
pub(crate) struct Trie {
    /// By list: the list before its last item.
    befores: Vec<u32>,
    /// By list: its last item.
    lasts: Numbers,
    kin: Vec<Kin>,
    /// The first list of one item.
    first: u32,
    /// Children of lists with many children. With links in FIFO order there are many of them.
    more_children: HashTable<u32>,
}

/// A list: one item after another list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) before: u32,
    pub(crate) last: u32,
}

/// The list before a list of one item.
pub(crate) const NOTHING: u32 = u32::MAX;

/// The children of a list, which have one item more: a chain from the first of them on. Lists that
/// follow each other in a search were mostly made one after the other, so the chain is close
/// together in memory, unlike a hash table: 1.4 times as fast on ARQ to depth 45.
///
/// If the last in the chain pointed to the parent, `befores` would not be needed. That takes 3
/// bytes less of 23 per state, and 6 % more instructions.
#[derive(Clone, Copy, Debug)]
struct Kin {
    first_child: u32,
    next_sibling: u32,
}

/// How long a chain gets before further lists go into a hash table. Compared with 16: a tenth fewer
/// instructions on `arq` to depth 60, and 15 % less time on `route-discovery`.
const CHAIN_MAX: usize = 4;

impl Default for Trie {
    fn default() -> Self {
        Self {
            befores: Vec::new(),
            lasts: Numbers::default(),
            kin: Vec::new(),
            first: NOTHING,
            more_children: HashTable::new(),
        }
    }
}

impl Trie {
    pub(crate) fn len(&self) -> usize {
        self.befores.len()
    }

    /// All lists in order, as they are saved: how many lists ago the list before was made (0 if
    /// there is none), and the last item.
    pub(crate) fn links(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.befores.iter().enumerate().map(|(list, &before)| {
            let ago = if before == NOTHING { 0 } else { list as u32 - before };
            (ago, self.lasts.get(list))
        })
    }

    /// The next list, restored from its saved form; nothing if the list before it does not exist.
    pub(crate) fn next_cell(&self, (ago, last): (u32, u32)) -> Option<Cell> {
        let before = match ago {
            0 => NOTHING,
            _ => u32::try_from(self.len()).ok()?.checked_sub(ago)?,
        };
        Some(Cell { before, last })
    }

    #[inline]
    pub(crate) fn cell(&self, list: u32) -> Cell {
        Cell { before: self.befores[list as usize], last: self.last(list) }
    }

    #[inline]
    pub(crate) fn last(&self, list: u32) -> u32 {
        self.lasts.get(list as usize)
    }

    /// Calls with the items of a list from the last one back, up to the end of another list.
    #[inline]
    pub(crate) fn walk_back(&self, list: u32, after: u32, each: impl FnMut(u32)) {
        // The width of the items is checked once.
        match &self.lasts {
            Numbers::One(lasts) => self.walk_back_in(lasts, list, after, each),
            Numbers::Two(lasts) => self.walk_back_in(lasts, list, after, each),
            Numbers::Four(lasts) => self.walk_back_in(lasts, list, after, each),
        }
    }

    #[inline]
    fn walk_back_in(
        &self,
        lasts: &[impl Copy + Into<u32>],
        list: u32,
        after: u32,
        mut each: impl FnMut(u32),
    ) {
        let mut rest = list;
        while rest != after {
            each(lasts[rest as usize].into());
            rest = self.befores[rest as usize];
        }
    }

    /// The list of a cell, and whether it is new. Lists are numbered in the order of their
    /// creation.
    #[inline]
    pub(crate) fn intern(&mut self, cell: Cell) -> (u32, bool) {
        let mut child = self.first_child(cell.before);
        let mut children = 0;
        while child != NOTHING {
            if self.last(child) == cell.last {
                return (child, false);
            }
            child = self.kin[child as usize].next_sibling;
            children += 1;
        }
        self.add(cell, children)
    }

    fn first_child(&self, before: u32) -> u32 {
        match before {
            NOTHING => self.first,
            _ => self.kin[before as usize].first_child,
        }
    }

    /// Adds a list that is not in the chain; `children` is the length of the chain.
    fn add(&mut self, cell: Cell, children: usize) -> (u32, bool) {
        let Cell { before, last } = cell;
        let new = u32::try_from(self.len()).expect("lists fit in 32 bits");
        let mut next_sibling = NOTHING;
        if children < CHAIN_MAX {
            next_sibling = self.first_child(before);
            match before {
                NOTHING => self.first = new,
                _ => self.kin[before as usize].first_child = new,
            }
        } else {
            let Self { befores, lasts, more_children, .. } = self;
            let cell_of =
                |list: u32| Cell { before: befores[list as usize], last: lasts.get(list as usize) };
            match more_children.entry(
                hash(cell),
                |&known| cell_of(known) == cell,
                |&known| hash(cell_of(known)),
            ) {
                Entry::Occupied(known) => return (*known.get(), false),
                Entry::Vacant(place) => place.insert(new),
            };
        }
        gentle_growth::push(&mut self.befores, before);
        gentle_growth::push(&mut self.kin, Kin { first_child: NOTHING, next_sibling });
        self.lasts.push(last);
        (new, true)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.befores.capacity() * size_of::<u32>()
            + self.lasts.bytes()
            + self.kin.capacity() * size_of::<Kin>()
            + self.more_children.allocation_size()
    }

    /// How many bytes more it takes at once if it is about to grow.
    pub(crate) fn bytes_soon(&self) -> usize {
        let children = &self.more_children;
        growth(children.len(), children.capacity(), children.allocation_size())
    }
}

fn hash(cell: Cell) -> u64 {
    FxBuildHasher.hash_one((cell.before, cell.last))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_lists_are_one(lists in prop::collection::vec(prop::collection::vec(0..40u32, 1..4), 0..200)) {
            let mut trie = Trie::default();
            let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
            for list in lists {
                let mut before = NOTHING;
                for len in 1..=list.len() {
                    let (id, new) = trie.intern(Cell { before, last: list[len - 1] });
                    let expected = known.insert(list[..len].to_vec(), id);
                    prop_assert_eq!(expected, (!new).then_some(id));
                    prop_assert_eq!(trie.cell(id), Cell { before, last: list[len - 1] });
                    before = id;
                }
            }
            prop_assert_eq!(trie.len(), known.len());
        }
    }
}
