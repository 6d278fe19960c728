//! Answers about worlds, kept by tuple.

/// An answer, and whether it holds for every network.
pub(crate) struct Reading<T> {
    pub(crate) answer: T,
    pub(crate) network_read: bool,
}

/// Answers of 64 bits that mostly depend on the tuple alone.
#[derive(Default)]
pub(crate) struct ByTuple {
    answers: Vec<u64>,
}

impl ByTuple {
    /// Stands for no answer. Should it be one, it is found anew each time.
    const UNKNOWN: u64 = u64::MAX;

    #[inline]
    pub(crate) fn get(&self, tuple: u32) -> Option<u64> {
        self.answers.get(tuple as usize).copied().filter(|&answer| answer != Self::UNKNOWN)
    }

    /// Remembers an answer, if it holds for every network; gives it back.
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
