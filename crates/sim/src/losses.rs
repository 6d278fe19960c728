//! Which packets a link loses.

use everypath_model::{Bursts, Loss};

use crate::{Probability, Stream};

/// Says of one packet after the other whether it is lost.
pub(crate) struct Losses {
    /// In the present state, which is the only one if there are no bursts.
    present: State,
    /// In the other one.
    other: State,
    stream: Stream,
}

/// What happens to packets in one state of a link.
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
    use crate::Estimate;

    const PACKETS: u32 = 50_000;

    /// The share of lost packets, and how long a run of losses is on average, in each of 20 streams.
    fn observed(loss: Loss) -> (Estimate, Estimate) {
        let (mut shares, mut lengths) = (Vec::new(), Vec::new());
        for replication in 0..20 {
            let mut losses = Losses::new(loss, Stream::new(3, replication, "losses"));
            let (mut lost, mut bursts, mut before) = (0_u32, 0_u32, false);
            for _ in 0..PACKETS {
                let now = losses.next();
                lost += u32::from(now);
                bursts += u32::from(now && !before);
                before = now;
            }
            shares.push(f64::from(lost) / f64::from(PACKETS));
            lengths.push(f64::from(lost) / f64::from(bursts));
        }
        (Estimate::of("share", "", &shares), Estimate::of("length", "", &lengths))
    }

    #[test]
    fn the_mean_loss_is_that_of_the_states_weighed() {
        for (good_loss, bad_loss, to_bad, to_good) in [
            (0.0, 1.0, 0.02, 0.2),
            (0.01, 0.5, 0.05, 0.1),
            (0.1, 0.9, 0.5, 0.5),
            (0.2, 0.0, 1.0, 1.0),
        ] {
            let (share, _) =
                observed(Loss::Bursts(Bursts { good_loss, bad_loss, to_bad, to_good }));
            // The stationary state of two states, and the weighed mean.
            let expected = (to_good * good_loss + to_bad * bad_loss) / (to_bad + to_good);
            assert!(share.covers(expected), "{expected}: {share:?}");
            assert!(share.half_width < 0.01, "{share:?}");
        }
    }

    #[test]
    fn bursts_are_as_long_as_said() {
        for (share, length) in [(0.1, 5.0), (0.3, 2.0), (0.02, 20.0)] {
            let (shares, lengths) = observed(Loss::in_bursts(share, length));
            assert!(shares.covers(share), "{share}: {shares:?}");
            assert!(lengths.covers(length), "{length}: {lengths:?}");
            assert!(lengths.half_width < 0.1 * length, "{lengths:?}");
        }
        // Independent losses also come in runs, but in short ones.
        let (_, lengths) = observed(Loss::Independent(0.1));
        assert!(lengths.covers(1.0 / 0.9), "{lengths:?}");
    }

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
