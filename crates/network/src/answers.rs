//! Answers about worlds, memoised by tuple.

/// An answer, and whether it is valid for every network.
pub(crate) struct Reading<T> {
    pub(crate) answer: T,
    pub(crate) network_read: bool,
}

/// Answers of 64 bits that mostly depend only on the tuple.
#[derive(Default)]
pub(crate) struct ByTuple {
    answers: Vec<u64>,
}

impl ByTuple {
    /// Means that there is no answer. If an answer has this value, it is computed again each time.
    const UNKNOWN: u64 = u64::MAX;

    #[inline]
    pub(crate) fn get(&self, tuple: u32) -> Option<u64> {
        self.answers.get(tuple as usize).copied().filter(|&answer| answer != Self::UNKNOWN)
    }

    /// Memoises an answer if it is valid for every network, and returns it.
    pub(crate) fn learn(&mut self, tuple: u32, reading: &Reading<u64>) -> u64 {
        if !reading.network_read {
            if self.answers.len() <= tuple as usize {
                self.answers.resize(tuple as usize + 1, Self::UNKNOWN);
            }
            self.answers[tuple as usize] = reading.answer;
        }
        reading.answer
    }

    pub(crate) fn bytes(&self) -> usize {
        self.answers.capacity() * size_of::<u64>()
    }
}
