//! One direction of a point-to-point link.

use everypath_model::{LinkModel, NodeId};

use crate::{
    Probability, Stream,
    clock::{Nanoseconds, nanoseconds},
    losses::Losses,
    transmitter::Transmitter,
};

/// The fate of a packet that is handed to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// It arrives at this moment.
    Arrives(Nanoseconds),
    /// It is sent, but will not arrive.
    Lost,
    /// Too many are waiting already.
    Dropped,
    /// The link is down, or goes down meanwhile: it comes back to its sender at this moment.
    Returns(Nanoseconds),
}

/// One direction of a link: a transmitter, and a way on which packets can be lost.
pub(crate) struct Link {
    pub(crate) to: NodeId,
    transmitter: Transmitter,
    /// From the end of its sending to its arrival.
    pub(crate) delay: Nanoseconds,
    losses: Losses,
    /// Which packets arrive twice, if any can.
    duplications: Option<Box<(Probability, Stream)>>,
}

impl Link {
    /// A link whose random numbers come from a stream for each purpose.
    pub(crate) fn new(to: NodeId, model: LinkModel, stream: impl Fn(&str) -> Stream) -> Self {
        let probability = Probability::new(model.duplication);
        let can_duplicate = probability != Probability::ZERO;
        Self {
            to,
            transmitter: Transmitter::new(model.bandwidth_bps, model.queue),
            delay: nanoseconds(model.delay),
            losses: Losses::new(model.loss, stream("loss")),
            duplications: can_duplicate.then(|| Box::new((probability, stream("duplication")))),
        }
    }

    /// Forgets what is being sent and what waits.
    pub(crate) fn clear(&mut self) {
        self.transmitter.clear();
    }

    /// Whether a packet that arrives does so twice.
    #[inline]
    pub(crate) fn duplicates(&mut self) -> bool {
        let duplications = self.duplications.as_deref_mut();
        duplications.is_some_and(|(probability, stream)| stream.happens(*probability))
    }

    /// Hands a packet over.
    #[inline]
    pub(crate) fn offer(&mut self, now: Nanoseconds, bytes: usize) -> Passage {
        let Some(sent) = self.transmitter.offer(now, bytes) else {
            return Passage::Dropped;
        };
        if self.losses.next() {
            return Passage::Lost;
        }
        Passage::Arrives(sent.saturating_add(self.delay))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn link(loss: f64, queue: usize) -> Link {
        let model = LinkModel::default().bandwidth_bps(8_000_000).loss(loss).queue(queue);
        let model = model.delay(Duration::from_nanos(50));
        Link::new(NodeId(1), model, |purpose| Stream::new(0, 0, purpose))
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
}
