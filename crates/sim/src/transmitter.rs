//! Transmitter with a queue: sends packets one at a time.

use std::collections::VecDeque;

use crate::clock::Nanoseconds;

/// Sends packets in the order in which they came, one at a time, and keeps a limited number waiting.
///
/// When a packet begins and ends to be sent is known when it is handed over, so a transmitter needs no
/// events of its own.
pub(crate) struct Transmitter {
    bits_per_second: Option<u64>,
    queue: usize,
    free_at: Nanoseconds,
    /// When each waiting packet begins to be sent.
    waiting: VecDeque<Nanoseconds>,
    /// The last size and how long it took: most protocols send few sizes, and a division costs as
    /// much as all else here.
    latest: (usize, Nanoseconds),
}

impl Transmitter {
    /// One that takes no time if it has no bandwidth.
    pub(crate) fn new(bits_per_second: Option<u64>, queue: usize) -> Self {
        Self { bits_per_second, queue, free_at: 0, waiting: VecDeque::new(), latest: (0, 0) }
    }

    /// Hands a packet over: when it has been sent, unless too many are waiting already.
    #[inline]
    pub(crate) fn offer(&mut self, now: Nanoseconds, bytes: usize) -> Option<Nanoseconds> {
        let begins = if self.free_at <= now {
            self.waiting.clear();
            now
        } else {
            while self.waiting.front().is_some_and(|&begins| begins <= now) {
                self.waiting.pop_front();
            }
            if self.waiting.len() >= self.queue {
                return None;
            }
            self.waiting.push_back(self.free_at);
            self.free_at
        };
        self.free_at = begins.saturating_add(self.sending(bytes));
        Some(self.free_at)
    }

    /// Forgets what it is sending and what waits.
    pub(crate) fn clear(&mut self) {
        self.free_at = 0;
        self.waiting.clear();
    }

    /// How long it takes to send this many bytes, to the nearest nanosecond.
    #[inline]
    fn sending(&mut self, bytes: usize) -> Nanoseconds {
        let Some(bits_per_second) = self.bits_per_second else {
            return 0;
        };
        if self.latest.0 != bytes {
            self.latest = (bytes, airtime(bytes, bits_per_second));
        }
        self.latest.1
    }
}

/// How long it takes to send this many bytes, to the nearest nanosecond.
pub(crate) fn airtime(bytes: usize, bits_per_second: u64) -> Nanoseconds {
    let bits = u128::try_from(bytes).expect("a size fits in 128 bits") * 8;
    let rate = u128::from(bits_per_second);
    let span = (bits * 1_000_000_000 + rate / 2) / rate;
    Nanoseconds::try_from(span).unwrap_or(Nanoseconds::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_bandwidth_nothing_waits() {
        let mut transmitter = Transmitter::new(None, 0);
        for _ in 0..3 {
            assert_eq!(transmitter.offer(7, 1_000_000), Some(7));
        }
    }

    #[test]
    fn sending_times_are_rounded_to_the_nearest() {
        assert_eq!(airtime(1, 3_000_000_000), 3);
        assert_eq!(airtime(2, u64::MAX), 0);
        assert_eq!(airtime(usize::MAX, 1), u64::MAX);
    }
}
