//! A set of 32-bit numbers in about three and a half bytes each.

/// A set of numbers by open addressing. A slot says less than the number: its place says the rest.
///
/// A number of `bits` bits is first mixed, which can be undone. The upper part of the mixed number
/// tells where it would like to be, its home; the slot keeps the lower part, and how far from home
/// it had to go. For a thousand numbers below a million that makes 16 bits in all. A number takes
/// 3.4 bytes on ARQ, where a table of the numbers themselves takes 7.6; a whole exploration takes
/// 2 to 7 % more time.
///
/// Numbers that want the same slot are in order: the farthest from home first, then by their lower
/// parts. So a search ends at the first smaller slot, and the set can be seven eighths full.
pub(crate) struct CompactSet {
    slots: Slots,
    len: u32,
    /// How many bits the numbers have.
    bits: u32,
    /// How many bits of a mixed number a slot keeps. The bits above them in the slot are one more
    /// than the distance from home; a slot of 0 is empty.
    low_bits: u32,
}

/// The slots, a power of two of them: as narrow as will do.
enum Slots {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Default for CompactSet {
    fn default() -> Self {
        Self::with_slots(SLOTS_MIN, 1)
    }
}

const SLOTS_MIN: usize = 16;
/// How many bits a narrow slot should have for the distance from home.
const DISTANCE_BITS: u32 = 5;

/// The golden ratio spreads numbers that follow each other evenly.
const MIX: u32 = 0x9e37_79b9;
/// What undoes it: their product is 1.
const UNMIX: u32 = 0x144c_bc89;
const _: () = assert!(MIX.wrapping_mul(UNMIX) == 1);

/// What a slot can be.
trait Slot: Copy + Into<u64> + TryFrom<u64> {}
impl Slot for u16 {}
impl Slot for u32 {}

/// Where a number is, or where it belongs.
#[derive(Clone, Copy)]
struct Found {
    place: usize,
    /// What the slot there is, or should be.
    slot: u64,
    known: bool,
}

impl CompactSet {
    /// Adds a number; whether it is new. Changes `bytes` by as much as [`bytes`](Self::bytes)
    /// changes.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32, bytes: &mut usize) -> bool {
        if u64::from(number) >> self.bits != 0 {
            self.widen(number, bytes);
        }
        let found = self.find(number);
        if !found.known {
            self.add(number, found, bytes);
        }
        !found.known
    }

    /// How much memory the set occupies besides its own value.
    pub(crate) fn bytes(&self) -> usize {
        match &self.slots {
            Slots::Narrow(slots) => slots.capacity() * size_of::<u16>(),
            Slots::Wide(slots) => slots.capacity() * size_of::<u32>(),
        }
    }

    #[inline]
    fn find(&self, number: u32) -> Found {
        let mixed = number.wrapping_mul(MIX) & mask(self.bits);
        match &self.slots {
            Slots::Narrow(slots) => find(slots, mixed, self.low_bits),
            Slots::Wide(slots) => find(slots, mixed, self.low_bits),
        }
    }

    #[inline(never)]
    fn add(&mut self, number: u32, found: Found, bytes: &mut usize) {
        let has_room = (self.len as usize) < self.slots.len() / 8 * 7;
        let added = has_room
            && match &mut self.slots {
                Slots::Narrow(slots) => add(slots, found, self.low_bits),
                Slots::Wide(slots) => add(slots, found, self.low_bits),
            };
        let half_empty = (self.len as usize) < self.slots.len() / 2;
        if added {
            self.len += 1;
        } else if half_empty && matches!(self.slots, Slots::Narrow(_)) {
            // Numbers at unlucky distances crowd; more slots would not help soon.
            self.rebuild(Self { slots: Slots::Wide(vec![0; self.slots.len()]), ..*self }, bytes);
            self.insert(number, bytes);
        } else {
            self.rebuild(Self::with_slots(self.slots.len() * 2, self.bits), bytes);
            self.insert(number, bytes);
        }
    }

    /// Makes the numbers wide enough for one, and one bit wider: numbers tend to grow.
    #[cold]
    fn widen(&mut self, number: u32, bytes: &mut usize) {
        let bits = (u32::BITS - number.leading_zeros() + 1).min(u32::BITS);
        self.rebuild(Self::with_slots(self.slots.len(), bits), bytes);
    }

    /// Moves the numbers to an empty set.
    fn rebuild(&mut self, empty: Self, bytes: &mut usize) {
        *bytes = *bytes + empty.bytes() - self.bytes();
        let old = std::mem::replace(self, Self { len: 0, ..empty });
        for place in 0..old.slots.len() {
            if let Some(number) = old.number_at(place) {
                self.insert(number, bytes);
            }
        }
    }

    fn with_slots(slots: usize, bits: u32) -> Self {
        let low_bits = bits.saturating_sub(slots.trailing_zeros());
        let slots = if low_bits + DISTANCE_BITS <= u16::BITS {
            Slots::Narrow(vec![0; slots])
        } else {
            Slots::Wide(vec![0; slots])
        };
        Self { slots, len: 0, bits, low_bits }
    }

    /// The number in a slot.
    fn number_at(&self, place: usize) -> Option<u32> {
        let slot = match &self.slots {
            Slots::Narrow(slots) => u32::from(slots[place]),
            Slots::Wide(slots) => slots[place],
        };
        let distance = (slot >> self.low_bits).checked_sub(1)? as usize;
        let home = place.wrapping_sub(distance) & (self.slots.len() - 1);
        let mixed = (home as u32) << self.low_bits | slot & mask(self.low_bits);
        Some(mixed.wrapping_mul(UNMIX) & mask(self.bits))
    }
}

impl Slots {
    fn len(&self) -> usize {
        match self {
            Self::Narrow(slots) => slots.len(),
            Self::Wide(slots) => slots.len(),
        }
    }
}

/// So many bits.
fn mask(bits: u32) -> u32 {
    ((1u64 << bits) - 1) as u32
}

#[inline]
fn find<T: Slot>(slots: &[T], mixed: u32, low_bits: u32) -> Found {
    let one_farther = 1u64 << low_bits;
    let mut place = (mixed >> low_bits) as usize;
    let mut wanted = one_farther | u64::from(mixed & mask(low_bits));
    loop {
        let slot = slots[place].into();
        if slot <= wanted {
            return Found { place, slot: wanted, known: slot == wanted };
        }
        place = after(place, slots.len());
        wanted += one_farther;
    }
}

/// Puts a number where it belongs, and what is there, up to an empty slot, one farther; if all of
/// them can go so far.
fn add<T: Slot>(slots: &mut [T], found: Found, low_bits: u32) -> bool {
    let one_farther = 1u64 << low_bits;
    let farther = |slot: T| T::try_from(slot.into() + one_farther).ok();
    let Ok(mut pushed) = T::try_from(found.slot) else { return false };
    let mut end = found.place;
    while slots[end].into() != 0 {
        if farther(slots[end]).is_none() {
            return false;
        }
        end = after(end, slots.len());
    }
    let mut place = found.place;
    while place != end {
        let next = farther(slots[place]).expect("looked at above");
        slots[place] = pushed;
        pushed = next;
        place = after(place, slots.len());
    }
    slots[end] = pushed;
    true
}

/// The next place, around the end.
fn after(place: usize, slots: usize) -> usize {
    (place + 1) & (slots - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// Numbers that are close together, far apart, few and many.
    fn numbers() -> impl Strategy<Value = Vec<u32>> {
        (1..=32u32, 1..2000usize).prop_flat_map(|(bits, len)| {
            prop::collection::vec(any::<u32>().prop_map(move |number| number & mask(bits)), len)
        })
    }

    proptest! {
        #[test]
        fn a_number_is_new_once(numbers in numbers()) {
            let mut set = CompactSet::default();
            let mut known = HashSet::new();
            let mut bytes = set.bytes();
            for number in numbers {
                prop_assert_eq!(set.insert(number, &mut bytes), known.insert(number));
                prop_assert_eq!(bytes, set.bytes());
            }
            let found = (0..set.slots.len()).filter_map(|place| set.number_at(place));
            prop_assert_eq!(found.collect::<HashSet<_>>(), known);
        }
    }

    #[test]
    fn numbers_take_less_than_five_bytes() {
        for len in [1000, 2000, 5000, 10_000, 100_000] {
            let mut set = CompactSet::default();
            let mut bytes = set.bytes();
            (0..len).for_each(|number| assert!(set.insert(number * 300, &mut bytes)));
            assert!(set.bytes() < 5 * len as usize, "{len} numbers: {} bytes", set.bytes());
        }
    }

    #[test]
    fn numbers_that_crowd_take_less_than_twenty_bytes() {
        // Times a large Fibonacci number, the golden ratio is nearly a whole one.
        let mut set = CompactSet::default();
        let mut bytes = set.bytes();
        (0..4000).for_each(|number| assert!(set.insert(number * 317_811, &mut bytes)));
        assert!(set.bytes() < 20 * 4000, "{} bytes", set.bytes());
    }
}
