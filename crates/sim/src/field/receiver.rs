//! Receiver of one node: signals that overlap, and which of them is understood.

use crate::{LossReason, clock::Nanoseconds};

/// Which transmission a signal belongs to.
pub(super) type TransmissionId = u32;

/// A transmission as it arrives at a node.
#[derive(Clone, Copy)]
struct Signal {
    transmission: TransmissionId,
    power: f64,
    /// When it will have passed.
    until: Nanoseconds,
    reception: Reception,
}

/// A signal that arrives at a node.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) transmission: TransmissionId,
    /// Whether it is strong enough to be understood.
    pub(super) is_near: bool,
    pub(super) power: f64,
    pub(super) until: Nanoseconds,
    /// By how much one signal must be stronger than another to be understood; infinite, if none ever is.
    pub(super) capture: f64,
}

/// The fate of a signal at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reception {
    /// It is understood so far.
    Clear,
    /// It is near enough, but will not be understood.
    Lost(LossReason),
    /// It is noticed, but too weak to be understood.
    Weak,
}

/// A signal has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    pub(super) reception: Reception,
    /// Whether it was what the receiver was set to.
    pub(super) was_followed: bool,
}

/// The receiver of one node.
///
/// It follows the first signal that it can understand. Signals that overlap destroy each other, unless one
/// is stronger than each of the others by the capture ratio; if that one comes later, the receiver leaves what it
/// followed. A node that transmits understands nothing.
#[derive(Default)]
pub(super) struct Receiver {
    signals: Vec<Signal>,
    followed: Option<TransmissionId>,
    /// How many of the signals are near enough to be understood.
    near: usize,
}

impl Receiver {
    /// Whether there is no signal.
    pub(super) fn is_quiet(&self) -> bool {
        self.signals.is_empty()
    }

    /// Whether a frame is being received, that may turn out to be spoilt.
    pub(super) fn is_following(&self) -> bool {
        self.followed.is_some()
    }

    /// Whether there is a signal that is near enough to be understood.
    pub(super) fn is_near_any(&self) -> bool {
        self.near > 0
    }

    /// A signal arrives. What ends at this moment does not overlap it.
    pub(super) fn arrive(&mut self, now: Nanoseconds, arrival: Arrival, is_transmitting: bool) {
        let Arrival { transmission, is_near, power, until, capture } = arrival;
        let mut reception = match (is_near, is_transmitting) {
            (false, _) => Reception::Weak,
            (true, true) => Reception::Lost(LossReason::Transmitting),
            (true, false) => Reception::Clear,
        };
        for other in self.signals.iter_mut().filter(|other| other.until > now) {
            if other.reception == Reception::Clear && other.power < power * capture {
                other.reception = Reception::Lost(LossReason::Collision);
            }
            if reception == Reception::Clear && power < other.power * capture {
                reception = Reception::Lost(LossReason::Collision);
            }
        }
        if reception == Reception::Clear {
            self.followed = Some(transmission);
        }
        self.near += usize::from(is_near);
        self.signals.push(Signal { transmission, power, until, reception });
    }

    /// A signal has passed; nothing, if it has not arrived.
    pub(super) fn leave(&mut self, transmission: TransmissionId) -> Option<Passed> {
        let is_it = |signal: &Signal| signal.transmission == transmission;
        let place = self.signals.iter().position(is_it)?;
        let Signal { reception, .. } = self.signals.swap_remove(place);
        self.near -= usize::from(reception != Reception::Weak);
        let was_followed = self.followed == Some(transmission);
        if was_followed {
            self.followed = None;
        }
        Some(Passed { reception, was_followed })
    }

    /// The node begins to transmit.
    pub(super) fn deafen(&mut self, now: Nanoseconds) {
        self.followed = None;
        for signal in &mut self.signals {
            if signal.until > now && signal.reception == Reception::Clear {
                signal.reception = Reception::Lost(LossReason::Transmitting);
            }
        }
    }

    /// The node is off.
    pub(super) fn switch_off(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_CAPTURE: f64 = f64::INFINITY;
    const LOST: Reception = Reception::Lost(LossReason::Collision);

    fn arrival(transmission: TransmissionId, is_near: bool, power: f64, capture: f64) -> Arrival {
        Arrival { transmission, is_near, power, until: 100, capture }
    }

    fn receiver(signals: &[(TransmissionId, bool, f64)], capture: f64) -> Receiver {
        let mut receiver = Receiver::default();
        for &(transmission, is_near, power) in signals {
            receiver.arrive(0, arrival(transmission, is_near, power, capture), false);
        }
        receiver
    }

    fn left(receiver: &mut Receiver, transmission: TransmissionId) -> (Reception, bool) {
        let Passed { reception, was_followed } = receiver.leave(transmission).unwrap();
        (reception, was_followed)
    }

    #[test]
    fn what_overlaps_is_destroyed_also_by_what_is_too_weak() {
        let mut receiver = receiver(&[(1, true, 1.0), (2, true, 1.0)], NO_CAPTURE);
        assert_eq!(left(&mut receiver, 2), (LOST, false));
        assert_eq!(left(&mut receiver, 1), (LOST, true));
        assert!(receiver.is_quiet() && !receiver.is_following());
        receiver.arrive(10, arrival(3, true, 1.0, NO_CAPTURE), false);
        receiver.arrive(20, arrival(4, false, 0.1, NO_CAPTURE), false);
        assert_eq!(left(&mut receiver, 3), (LOST, true));
        // What arrives while that is still there is lost as well, and is not followed.
        receiver.arrive(30, arrival(5, true, 1.0, NO_CAPTURE), false);
        assert!(!receiver.is_following());
        assert_eq!(left(&mut receiver, 4), (Reception::Weak, false));
        assert_eq!(left(&mut receiver, 5), (LOST, false));
    }

    #[test]
    fn what_touches_does_not_overlap() {
        let mut receiver = receiver(&[(1, true, 1.0)], NO_CAPTURE);
        receiver.arrive(100, arrival(2, true, 1.0, NO_CAPTURE), false);
        assert_eq!(left(&mut receiver, 1).0, Reception::Clear);
        assert_eq!(left(&mut receiver, 2).0, Reception::Clear);
    }

    #[test]
    fn what_is_stronger_by_the_ratio_is_captured_whenever_it_comes() {
        let mut first = receiver(&[(1, true, 10.0), (2, true, 1.0)], 10.0);
        assert_eq!(left(&mut first, 1), (Reception::Clear, true));
        assert_eq!(left(&mut first, 2), (LOST, false));
        let mut second = receiver(&[(1, true, 1.0), (2, true, 10.0)], 10.0);
        assert_eq!(left(&mut second, 1), (LOST, false));
        assert_eq!(left(&mut second, 2), (Reception::Clear, true));
        let mut neither = receiver(&[(1, true, 1.0), (2, true, 9.9)], 10.0);
        assert_eq!(left(&mut neither, 1), (LOST, true));
        assert_eq!(left(&mut neither, 2), (LOST, false));
    }

    #[test]
    fn who_transmits_is_deaf() {
        let mut receiver = receiver(&[(1, true, 1.0)], NO_CAPTURE);
        assert!(receiver.is_following());
        receiver.deafen(50);
        assert!(!receiver.is_following() && receiver.is_near_any());
        receiver.arrive(60, arrival(2, false, 1.0, NO_CAPTURE), true);
        let deaf = Reception::Lost(LossReason::Transmitting);
        assert_eq!(left(&mut receiver, 1), (deaf, false));
        assert_eq!(left(&mut receiver, 2), (Reception::Weak, false));
        assert_eq!(receiver.leave(3), None);
    }
}
