//! Slab: values under small numbers that are reused.

enum Slot<T> {
    Full(T),
    /// The next free slot, or [`NONE`].
    Free(u32),
}

const NONE: u32 = u32::MAX;

/// Keeps values where an entry of the event queue can name them in four bytes.
pub(crate) struct Slab<T> {
    slots: Vec<Slot<T>>,
    free: u32,
}

impl<T> Slab<T> {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new(), free: NONE }
    }

    #[inline]
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        let index = self.free;
        if let Some(slot) = self.slots.get_mut(index as usize) {
            if let Slot::Free(next) = *slot {
                self.free = next;
            }
            *slot = Slot::Full(value);
            return index;
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 things are pending");
        self.slots.push(Slot::Full(value));
        index
    }

    /// Takes a value out.
    ///
    /// # Panics
    /// If there is none under this number.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) -> T {
        let slot = &mut self.slots[index as usize];
        match std::mem::replace(slot, Slot::Free(self.free)) {
            Slot::Full(value) => {
                self.free = index;
                value
            }
            Slot::Free(_) => panic!("slot {index} is taken out twice"),
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        match self.slots.get(index as usize) {
            Some(Slot::Full(value)) => Some(value),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        match self.slots.get_mut(index as usize) {
            Some(Slot::Full(value)) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Full(value) => Some(value),
            Slot::Free(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again() {
        let mut slab = Slab::new();
        let [a, b] = [slab.insert('a'), slab.insert('b')];
        assert_eq!((slab.remove(a), slab.remove(b)), ('a', 'b'));
        assert_eq!(slab.get(a), None);
        assert_eq!([slab.insert('c'), slab.insert('d'), slab.insert('e')], [b, a, 2]);
        assert_eq!(slab.iter().collect::<String>(), "dce");
    }
}
