//! Losses of a link, independent or in bursts.

use everypath_model::{Bursts, Loss};

use crate::{Probability, Stream};

/// Decides for one packet after the other whether it is lost.
pub(crate) struct Losses {
    /// In the present state, which is the only one if there are no bursts.
    present: State,
    /// In the other one.
    other: State,
    stream: Stream,
}

/// One state of a link.
#[derive(Clone, Copy)]
struct State {
    loss: Probability,
    turn: Probability,
}

impl Losses {
    pub(crate) fn new(loss: Loss, mut stream: Stream) -> Self {
        let state =
            |loss, turn| State { loss: Probability::new(loss), turn: Probability::new(turn) };
        match loss {
            Loss::Independent(loss) => {
                let only = state(loss, 0.0);
                Self { present: only, other: only, stream }
            }
            Loss::Bursts(bursts) => {
                let Bursts { good_loss, bad_loss, to_bad, to_good } = bursts;
                let (good, bad) = (state(good_loss, to_bad), state(bad_loss, to_good));
                let is_bad = stream.happens(Probability::new(bursts.bad_share()));
                let (present, other) = if is_bad { (bad, good) } else { (good, bad) };
                Self { present, other, stream }
            }
        }
    }

    /// Whether the next packet is lost. What cannot happen is not drawn.
    #[inline]
    pub(crate) fn next(&mut self) -> bool {
        let State { loss, turn } = self.present;
        let is_lost = loss != Probability::ZERO && self.stream.happens(loss);
        if turn != Probability::ZERO && self.stream.happens(turn) {
            std::mem::swap(&mut self.present, &mut self.other);
        }
        is_lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_packet_is_as_any_other() {
        let loss = Loss::in_bursts(0.25, 100.0);
        let lost = (0..4000)
            .filter(|&replication| Losses::new(loss, Stream::new(9, replication, "first")).next());
        let share = lost.count() as f64 / 4000.0;
        // Four standard deviations of a share of 4000.
        assert!((share - 0.25).abs() < 4.0 * (0.25_f64 * 0.75 / 4000.0).sqrt(), "{share}");
    }
}
