//! `Layout`: how a state is packed into words: 32 bits for its shape, then its data, some bits each.

/// The layout of all rows of a space. It changes when a value or a shape does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bits of a value: 4, 8, 16 or 32.
    pub(crate) bits: u32,
    /// Words of a row.
    pub(crate) words: usize,
}

/// Why a state does not fit a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// A value needs more bits.
    Value(i32),
    /// A shape has this many data.
    Slots(usize),
}

/// The bits before the data.
const SHAPE_BITS: usize = 32;

impl Layout {
    pub(crate) const START: Self = Self { bits: 4, words: 1 };

    /// The word and the shift of a datum.
    #[inline(always)]
    pub(crate) fn place(self, slot: usize) -> (usize, u32) {
        let bit = SHAPE_BITS + slot * self.bits as usize;
        (bit / 64, (bit % 64) as u32)
    }

    /// The bits of a value, at the lower end.
    #[inline(always)]
    pub(crate) fn mask(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// How many data fit.
    #[inline]
    pub(crate) fn slots(self) -> usize {
        (self.words * 64 - SHAPE_BITS) / self.bits as usize
    }

    /// A datum of a row.
    #[inline(always)]
    pub(crate) fn get(self, row: &[u64], slot: usize) -> i32 {
        let (word, shift) = self.place(slot);
        (row[word] >> shift & self.mask()) as u32 as i32
    }

    /// Replaces a datum that fits.
    #[inline(always)]
    pub(crate) fn set(self, row: &mut [u64], slot: usize, value: i32) {
        let (word, shift) = self.place(slot);
        row[word] = row[word] & !(self.mask() << shift) | u64::from(value as u32) << shift;
    }

    /// Whether all values fit whose bits are united here.
    #[inline(always)]
    pub(crate) fn fits(self, united: i32) -> bool {
        u64::from(united as u32) <= self.mask()
    }

    /// The next layout in which something fits.
    pub(crate) fn widened(self, misfit: Misfit) -> Self {
        let mut wider = self;
        let slots = match misfit {
            Misfit::Value(value) => {
                while !wider.fits(value) {
                    wider.bits *= 2;
                }
                self.slots()
            }
            Misfit::Slots(slots) => slots,
        };
        wider.words = (SHAPE_BITS + slots * wider.bits as usize).div_ceil(64).max(self.words);
        wider
    }
}

/// The shape of a row.
#[inline(always)]
pub(crate) fn shape_of(row: &[u64]) -> u32 {
    row[0] as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_got() {
        let mut layout = Layout::START;
        for misfit in [Misfit::Slots(30), Misfit::Value(100), Misfit::Value(70_000)] {
            layout = layout.widened(misfit);
            let mut row = vec![7; layout.words];
            let value = |slot: usize| (slot * 31) as i32 & layout.mask() as i32;
            (0..layout.slots()).for_each(|slot| layout.set(&mut row, slot, value(slot)));
            assert!((0..layout.slots()).all(|slot| layout.get(&row, slot) == value(slot)));
            assert_eq!(shape_of(&row), 7);
        }
        assert_eq!(layout.bits, 32);
        assert!(layout.fits(-1) && layout.slots() >= 30);
    }
}
