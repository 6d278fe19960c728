//! A list of numbers in as few bytes as the largest needs.

use everypath_explore::gentle_growth;

/// A list of numbers, all in as many bytes as the largest needs: 1, 2 or 4.
pub(crate) enum Numbers {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Default for Numbers {
    fn default() -> Self {
        Self::One(Vec::new())
    }
}

impl Numbers {
    #[inline]
    pub(crate) fn get(&self, index: usize) -> u32 {
        match self {
            Self::One(numbers) => numbers[index].into(),
            Self::Two(numbers) => numbers[index].into(),
            Self::Four(numbers) => numbers[index],
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, number: u32) {
        match self {
            Self::One(numbers) if number <= u8::MAX.into() => {
                gentle_growth::push(numbers, number as u8)
            }
            Self::Two(numbers) if number <= u16::MAX.into() => {
                gentle_growth::push(numbers, number as u16)
            }
            Self::Four(numbers) => gentle_growth::push(numbers, number),
            Self::One(_) | Self::Two(_) => self.push_wider(number),
        }
    }

    #[cold]
    fn push_wider(&mut self, number: u32) {
        *self = match self {
            Self::One(numbers) => Self::Two(numbers.iter().map(|&number| number.into()).collect()),
            Self::Two(numbers) => Self::Four(numbers.iter().map(|&number| number.into()).collect()),
            Self::Four(_) => unreachable!("every number fits"),
        };
        self.push(number);
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::One(numbers) => numbers.capacity(),
            Self::Two(numbers) => numbers.capacity() * 2,
            Self::Four(numbers) => numbers.capacity() * 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_what_they_are_when_a_larger_one_comes() {
        let pushed = [0, 255, 7, 256, 65_535, 3, 65_536, u32::MAX, 1];
        let mut numbers = Numbers::default();
        for (len, &number) in (1..).zip(&pushed) {
            numbers.push(number);
            let kept: Vec<u32> = (0..len).map(|index| numbers.get(index)).collect();
            assert_eq!(kept, pushed[..len]);
        }
    }
}
