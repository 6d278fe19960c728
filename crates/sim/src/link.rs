//! One direction of a point-to-point link.

use std::collections::VecDeque;

use everypath_model::{LinkTiming, NodeId};

use crate::{
    Probability, Stream,
    clock::{Nanoseconds, nanoseconds},
};

/// What becomes of a packet that is handed to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// It arrives at this moment.
    Arrives(Nanoseconds),
    /// It is sent, but will not arrive.
    Lost,
    /// Too many are waiting already.
    Dropped,
}

/// One direction of a link. Packets leave in the order in which they came, one at a time.
///
/// When a packet begins and ends to be sent is known when it is handed over, so the link needs no
/// events of its own: only the deliveries are in the event queue.
pub(crate) struct Link {
    pub(crate) to: NodeId,
    bits_per_second: Option<u64>,
    delay: Nanoseconds,
    loss: Probability,
    losses: Stream,
    queue: usize,
    free_at: Nanoseconds,
    /// When each waiting packet begins to be sent.
    waiting: VecDeque<Nanoseconds>,
    /// The last size and how long it took: most protocols send few sizes, and a division costs as
    /// much as all else here.
    latest: (usize, Nanoseconds),
}

impl Link {
    pub(crate) fn new(to: NodeId, timing: LinkTiming, losses: Stream) -> Self {
        Self {
            to,
            bits_per_second: timing.bandwidth_bps,
            delay: nanoseconds(timing.delay),
            loss: Probability::new(timing.loss),
            losses,
            queue: timing.queue,
            free_at: 0,
            waiting: VecDeque::new(),
            latest: (0, 0),
        }
    }

    /// Hands a packet over.
    #[inline]
    pub(crate) fn offer(&mut self, now: Nanoseconds, bytes: usize) -> Passage {
        let begins = if self.free_at <= now {
            self.waiting.clear();
            now
        } else {
            while self.waiting.front().is_some_and(|&begins| begins <= now) {
                self.waiting.pop_front();
            }
            if self.waiting.len() >= self.queue {
                return Passage::Dropped;
            }
            self.waiting.push_back(self.free_at);
            self.free_at
        };
        self.free_at = begins.saturating_add(self.sending(bytes));
        if self.loss != Probability::ZERO && self.losses.happens(self.loss) {
            return Passage::Lost;
        }
        Passage::Arrives(self.free_at.saturating_add(self.delay))
    }

    /// How long it takes to send so many bytes, to the nearest nanosecond.
    #[inline]
    fn sending(&mut self, bytes: usize) -> Nanoseconds {
        let Some(bits_per_second) = self.bits_per_second else {
            return 0;
        };
        if self.latest.0 != bytes {
            let bits = u128::try_from(bytes).expect("a size fits in 128 bits") * 8;
            let rate = u128::from(bits_per_second);
            let span = (bits * 1_000_000_000 + rate / 2) / rate;
            self.latest = (bytes, Nanoseconds::try_from(span).unwrap_or(Nanoseconds::MAX));
        }
        self.latest.1
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn link(loss: f64, queue: usize) -> Link {
        let timing = LinkTiming {
            bandwidth_bps: Some(8_000_000),
            delay: Duration::from_nanos(50),
            loss,
            queue,
        };
        Link::new(NodeId(1), timing, Stream::new(0, 0, "test"))
    }

    #[test]
    fn packets_wait_for_one_another_and_the_last_is_dropped() {
        // One byte takes a microsecond.
        let mut link = link(0.0, 2);
        assert_eq!(link.offer(0, 1), Passage::Arrives(1050));
        assert_eq!(link.offer(0, 2), Passage::Arrives(3050));
        assert_eq!(link.offer(0, 1), Passage::Arrives(4050));
        assert_eq!(link.offer(999, 1), Passage::Dropped);
        assert_eq!(link.offer(1000, 1), Passage::Arrives(5050));
        assert_eq!(link.offer(2999, 1), Passage::Dropped);
        assert_eq!(link.offer(9000, 1), Passage::Arrives(10050));
    }

    #[test]
    fn a_lost_packet_occupies_the_link() {
        let mut link = link(1.0, 0);
        assert_eq!(link.offer(0, 1), Passage::Lost);
        assert_eq!(link.offer(999, 1), Passage::Dropped);
        assert_eq!(link.offer(1000, 1), Passage::Lost);
    }

    #[test]
    fn without_bandwidth_nothing_waits() {
        let mut link = link(0.0, 0);
        link.bits_per_second = None;
        for _ in 0..3 {
            assert_eq!(link.offer(7, 1_000_000), Passage::Arrives(57));
        }
    }

    #[test]
    fn sending_times_are_rounded_to_the_nearest() {
        let mut link = link(0.0, 0);
        link.bits_per_second = Some(3_000_000_000);
        assert_eq!(link.sending(1), 3);
        link.bits_per_second = Some(u64::MAX);
        assert_eq!(link.sending(2), 0);
        link.bits_per_second = Some(1);
        assert_eq!(link.sending(usize::MAX), u64::MAX);
    }
}
