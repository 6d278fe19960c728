//! A set of pairs of 32-bit numbers in two to eleven bytes each.

/// A set of pairs by open addressing. A slot keeps only a part of the pair; its position gives the
/// rest.
///
/// The two numbers are joined to one of as few bits as possible. It is mixed by an invertible
/// function. The upper part of the mixed number gives its segment and its preferred slot, its home.
/// The slot keeps the lower part and the distance from home. A million pairs of numbers below a
/// hundred thousand take 20 bits each, where the pair takes 64.
///
/// A number goes to the first empty slot from its home on. If the numbers of a home were kept
/// together and in order, segments could be fuller, but moving numbers takes more instructions than
/// all look-ups.
pub(crate) struct CompactSet {
    segments: Box<[Segment; SEGMENTS]>,
    /// The ends of the ranges of both numbers; powers of two.
    upper_end: u64,
    lower_end: u64,
    /// The factor that mixes a number, and its inverse.
    mix: u64,
    unmix: u64,
    /// How many bits of a number remain when its segment is known.
    rest_bits: u32,
    bytes: usize,
}

/// A part of a set. Segments grow separately, so growth never takes twice the memory of the set.
struct Segment {
    slots: Slots,
    len: usize,
    /// How many bits of a mixed number a slot keeps. The bits above them hold the distance from
    /// home plus one; a slot of 0 is empty.
    low_bits: u32,
}

/// The slots: a power of two of them, by the number of bytes in each.
enum Slots {
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

/// How many upper bits of a mixed number give its segment.
const SEGMENT_BITS: u32 = 6;
const SEGMENTS: usize = 1 << SEGMENT_BITS;
const SLOTS_MIN: usize = 16;
/// The ends of the ranges of numbers, at first and at most.
const END_MIN: u64 = 1 << 14;
const END_MAX: u64 = 1 << 32;
/// How many bits a slot should have for the distance from home.
const DISTANCE_BITS: u32 = 7;

/// The golden ratio, which spreads consecutive numbers evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The integer type of a slot.
trait Slot: Copy + Into<u64> + TryFrom<u64> {}
impl Slot for u16 {}
impl Slot for u32 {}
impl Slot for u64 {}

/// The result of putting a number into slots.
enum Put {
    New,
    Known,
    /// It would be too far from home.
    TooFar,
}

impl Default for CompactSet {
    fn default() -> Self {
        Self::with_ends(END_MIN, END_MIN)
    }
}

impl CompactSet {
    fn with_ends(upper_end: u64, lower_end: u64) -> Self {
        let bits = upper_end.trailing_zeros() + lower_end.trailing_zeros();
        let rest_bits = bits - SEGMENT_BITS;
        let segments = Box::new(std::array::from_fn(|_| Segment::new(SLOTS_MIN, rest_bits)));
        let bytes =
            size_of::<[Segment; SEGMENTS]>() + segments.iter().map(Segment::bytes).sum::<usize>();
        let mix = GOLDEN >> (u64::BITS - bits) | 1;
        Self { segments, upper_end, lower_end, mix, unmix: inverse(mix), rest_bits, bytes }
    }

    /// Adds a pair. The result is whether it is new.
    #[inline(always)]
    pub(crate) fn insert(&mut self, upper: u32, lower: u32) -> bool {
        let (upper, lower) = (u64::from(upper), u64::from(lower));
        if upper >= self.upper_end || lower >= self.lower_end {
            self.widen(upper, lower);
        }
        let (place, number) = self.number(upper, lower);
        let segment = &mut self.segments[place];
        match segment.put(number) {
            Put::Known => return false,
            Put::New if segment.len <= segment.slots.len() / 4 * 3 => {}
            Put::New => self.grow(place),
            Put::TooFar => self.widen_slots(place, number),
        }
        true
    }

    /// Whether a pair is at home or next to it. Otherwise it may still be in the set, farther away.
    #[inline(always)]
    pub(crate) fn is_seen(&self, upper: u32, lower: u32) -> bool {
        let (upper, lower) = (u64::from(upper), u64::from(lower));
        let (segment, number) = self.number(upper, lower);
        // Numbers beyond the ends would look like numbers within them.
        (upper < self.upper_end) & (lower < self.lower_end) & self.segments[segment].is_seen(number)
    }

    /// The mixed number of a pair within the ends, and its segment.
    #[inline(always)]
    fn number(&self, upper: u64, lower: u64) -> (usize, u64) {
        let number = (upper * self.lower_end + lower).wrapping_mul(self.mix);
        ((number >> self.rest_bits) as usize % SEGMENTS, number)
    }

    /// How much memory the set occupies besides its own value.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Makes the ends large enough for a pair, with two bits to spare: numbers tend to grow.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, upper: u64, lower: u64) {
        let wider = |end: u64, number: u64| match number {
            number if number >= end => ((number + 1).next_power_of_two() << 2).min(END_MAX),
            _ => end,
        };
        let wider = Self::with_ends(wider(self.upper_end, upper), wider(self.lower_end, lower));
        let mut old = std::mem::replace(self, wider);
        for segment in 0..SEGMENTS {
            old.for_each_of(segment, |upper, lower| {
                self.insert(upper, lower);
            });
            old.segments[segment].slots = Slots::Two(Vec::new());
        }
    }

    /// Gives a segment twice as many slots.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, segment: usize) {
        let slots = self.segments[segment].slots.len() * 2;
        self.rebuild(segment, Segment::new(slots, self.rest_bits));
    }

    /// Gives a segment wider slots, for a number that is far from home, and adds it. Where numbers
    /// cluster at unlucky distances, more slots would not help soon.
    #[cold]
    #[inline(never)]
    fn widen_slots(&mut self, segment: usize, number: u64) {
        let Segment { slots, low_bits, .. } = &self.segments[segment];
        let slots = match slots {
            Slots::Two(slots) => Slots::Four(vec![0; slots.len()]),
            Slots::Four(slots) => Slots::Eight(vec![0; slots.len()]),
            Slots::Eight(_) => unreachable!("no distance takes more than 64 bits with a number"),
        };
        let wider = Segment { slots, len: 0, low_bits: *low_bits };
        self.rebuild(segment, wider);
        if let Put::TooFar = self.segments[segment].put(number) {
            self.widen_slots(segment, number);
        }
    }

    /// Moves the numbers of a segment to an empty one.
    fn rebuild(&mut self, segment: usize, empty: Segment) {
        self.bytes = self.bytes + empty.bytes() - self.segments[segment].bytes();
        let old = std::mem::replace(&mut self.segments[segment], empty);
        old.for_each(|number| {
            if let Put::TooFar = self.segments[segment].put(number) {
                self.widen_slots(segment, number);
            }
        });
    }

    /// Calls with the pairs in a segment.
    fn for_each_of(&self, segment: usize, mut each: impl FnMut(u32, u32)) {
        let upper_part = (segment as u64) << self.rest_bits;
        let lower_bits = self.lower_end.trailing_zeros();
        self.segments[segment].for_each(|rest| {
            let number = (upper_part | rest).wrapping_mul(self.unmix);
            let upper = number >> lower_bits & (self.upper_end - 1);
            each(upper as u32, (number & (self.lower_end - 1)) as u32);
        });
    }
}

impl Segment {
    /// An empty segment for numbers of this many bits; higher bits are ignored.
    fn new(slots: usize, bits: u32) -> Self {
        let low_bits = bits.saturating_sub(slots.trailing_zeros());
        let slots = match low_bits + DISTANCE_BITS {
            0..=16 => Slots::Two(vec![0; slots]),
            17..=32 => Slots::Four(vec![0; slots]),
            _ => Slots::Eight(vec![0; slots]),
        };
        Self { slots, len: 0, low_bits }
    }

    fn bytes(&self) -> usize {
        match &self.slots {
            Slots::Two(slots) => slots.capacity() * size_of::<u16>(),
            Slots::Four(slots) => slots.capacity() * size_of::<u32>(),
            Slots::Eight(slots) => slots.capacity() * size_of::<u64>(),
        }
    }

    #[inline(always)]
    fn put(&mut self, number: u64) -> Put {
        let put = match &mut self.slots {
            Slots::Two(slots) => put(slots, number, self.low_bits),
            Slots::Four(slots) => put(slots, number, self.low_bits),
            Slots::Eight(slots) => put(slots, number, self.low_bits),
        };
        self.len += usize::from(matches!(put, Put::New));
        put
    }

    #[inline(always)]
    fn is_seen(&self, number: u64) -> bool {
        match &self.slots {
            Slots::Two(slots) => is_seen(slots, number, self.low_bits),
            Slots::Four(slots) => is_seen(slots, number, self.low_bits),
            Slots::Eight(slots) => is_seen(slots, number, self.low_bits),
        }
    }

    /// Calls with the numbers in the segment.
    fn for_each(&self, each: impl FnMut(u64)) {
        match &self.slots {
            Slots::Two(slots) => for_each(slots, self.low_bits, each),
            Slots::Four(slots) => for_each(slots, self.low_bits, each),
            Slots::Eight(slots) => for_each(slots, self.low_bits, each),
        }
    }
}

impl Slots {
    fn len(&self) -> usize {
        match self {
            Self::Two(slots) => slots.len(),
            Self::Four(slots) => slots.len(),
            Self::Eight(slots) => slots.len(),
        }
    }
}

/// Puts a number into the first empty slot from its home on, unless it is met on the way. Bits that
/// do not fit are ignored.
#[inline(always)]
fn put<T: Slot>(slots: &mut [T], number: u64, low_bits: u32) -> Put {
    let one_farther = 1u64 << low_bits;
    let last = slots.len() - 1;
    let mut place = (number >> low_bits) as usize;
    let mut wanted = one_farther | number & (one_farther - 1);
    loop {
        let slot = slots[place & last].into();
        if slot == wanted {
            return Put::Known;
        }
        if slot == 0 {
            let Ok(wanted) = T::try_from(wanted) else { return Put::TooFar };
            slots[place & last] = wanted;
            return Put::New;
        }
        place += 1;
        wanted += one_farther;
    }
}

/// Whether a number is at home or next to it. Bits that do not fit are ignored.
#[inline(always)]
fn is_seen<T: Slot>(slots: &[T], number: u64, low_bits: u32) -> bool {
    let one_farther = 1u64 << low_bits;
    let last = slots.len() - 1;
    let home = (number >> low_bits) as usize;
    let wanted = one_farther | number & (one_farther - 1);
    let (at_home, next) = (slots[home & last].into(), slots[(home + 1) & last].into());
    (at_home == wanted) | (next == wanted + one_farther)
}

/// Calls with the numbers in slots.
#[inline]
fn for_each<T: Slot>(slots: &[T], low_bits: u32, mut each: impl FnMut(u64)) {
    for (place, &slot) in (0_u64..).zip(slots) {
        let slot = slot.into();
        if slot != 0 {
            let distance = (slot >> low_bits) - 1;
            let home = place.wrapping_sub(distance) & (slots.len() as u64 - 1);
            each(home << low_bits | slot & ((1 << low_bits) - 1));
        }
    }
}

/// The multiplicative inverse of an odd number.
fn inverse(odd: u64) -> u64 {
    // Correct in three bits; each round doubles that.
    (0..5)
        .fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// Pairs of numbers that are close together, far apart, few and many.
    fn pairs() -> impl Strategy<Value = Vec<(u32, u32)>> {
        (0..=32u32, 0..=32u32, 1..2000usize).prop_flat_map(|(upper_bits, lower_bits, len)| {
            let number = |bits| {
                any::<u32>()
                    .prop_map(move |number| (u64::from(number) & ((1_u64 << bits) - 1)) as u32)
            };
            prop::collection::vec((number(upper_bits), number(lower_bits)), len)
        })
    }

    proptest! {
        #[test]
        fn a_pair_is_new_once(pairs in pairs()) {
            let mut set = CompactSet::default();
            let mut known = HashSet::new();
            for (upper, lower) in pairs {
                prop_assert_eq!(set.insert(upper, lower), known.insert((upper, lower)));
                let of_segments = set.segments.iter().map(Segment::bytes).sum::<usize>();
                prop_assert_eq!(
                    set.bytes(),
                    of_segments + size_of::<Segment>() * SEGMENTS
                );
            }
            let mut found = HashSet::new();
            for segment in 0..SEGMENTS {
                set.for_each_of(segment, |upper, lower| assert!(found.insert((upper, lower))));
            }
            prop_assert_eq!(found, known);
        }

        #[test]
        fn inverses_undo(number in any::<u64>()) {
            prop_assert_eq!(inverse(number | 1).wrapping_mul(number | 1), 1);
        }
    }

    #[test]
    fn pairs_take_less_than_eleven_bytes() {
        for len in [5000, 10_000, 100_000, 150_000] {
            let mut set = CompactSet::default();
            (0..len).for_each(|number| assert!(set.insert(number % 300, number / 3)));
            assert!(set.bytes() < 11 * len as usize, "{len} pairs: {} bytes", set.bytes());
        }
    }

    #[test]
    fn numbers_that_crowd_take_less_than_forty_bytes() {
        // Times a large Fibonacci number, the golden ratio is nearly a whole one.
        let mut set = CompactSet::default();
        (0..4000).for_each(|number| assert!(set.insert(0, number * 317_811)));
        assert!(set.bytes() < 40 * 4000, "{} bytes", set.bytes());
    }
}
