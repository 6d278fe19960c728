//! Propagation of radio signals: reception range, carrier sense range and delay.

use std::time::Duration;

use super::field_error::{FieldError, is_positive};

/// The loss of a signal's power with the distance.
///
/// ```
/// use everypath_model::{DcfRadio, PathLoss, Power, Propagation};
///
/// let loss = PathLoss::FreeSpace { frequency_hz: 2.4e9 };
/// let power =
///     Power { transmit_dbm: 20.0, gain_db: 2.0, loss, reception_dbm: -80.0, sense_dbm: -85.0 };
/// let radio = DcfRadio::default().propagation(Propagation::Power(power));
/// assert!(matches!(radio.propagation, Propagation::Power(power) if power.loss == loss));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathLoss {
    /// Free space, after Friis: by the square of the distance.
    FreeSpace {
        /// The frequency, in hertz.
        frequency_hz: f64,
    },
    /// Over a reflecting plane: as in free space up to the distance 4π h h' / λ, beyond it by the
    /// fourth power of the distance.
    TwoRayGround {
        /// The frequency, in hertz.
        frequency_hz: f64,
        /// The heights of the transmitting and receiving antennas over the ground, in metres,
        /// wherever nodes are.
        heights: (f64, f64),
    },
    /// By a power of the distance.
    LogDistance {
        /// The exponent.
        exponent: f64,
        /// The reference distance, in metres; nearer points have the loss of this distance.
        reference: f64,
        /// The loss at that distance, in decibels.
        reference_loss_db: f64,
    },
}

/// The power of a signal, and the thresholds of a receiver.
///
/// ```
/// use everypath_model::{Power, Propagation};
///
/// // The usual radio, with more power.
/// let Propagation::Power(usual) = Propagation::two_ray_ground() else { unreachable!() };
/// let stronger = Power { transmit_dbm: usual.transmit_dbm + 3.0, ..usual };
/// assert!(stronger.transmit_dbm > usual.transmit_dbm);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The transmission power, in decibels over a milliwatt.
    pub transmit_dbm: f64,
    /// The total gain of both antennas, in decibels.
    pub gain_db: f64,
    /// The path loss.
    pub loss: PathLoss,
    /// The smallest power that can be received.
    pub reception_dbm: f64,
    /// The smallest power that is sensed; not above `reception_dbm`.
    pub sense_dbm: f64,
}

impl Power {
    /// The power right beside the sender.
    fn strongest_dbm(self) -> f64 {
        let lost = match self.loss {
            PathLoss::FreeSpace { .. } | PathLoss::TwoRayGround { .. } => 0.0,
            PathLoss::LogDistance { reference_loss_db, .. } => reference_loss_db,
        };
        self.transmit_dbm + self.gain_db - lost
    }
}

/// The ranges of reception and carrier sense.
///
/// ```
/// use everypath_model::{PathLoss, Power, Propagation};
///
/// // Its power falls with the third power of the distance.
/// let loss = PathLoss::LogDistance { exponent: 3.0, reference: 1.0, reference_loss_db: 46.7 };
/// let power =
///     Power { transmit_dbm: 16.0, gain_db: 0.0, loss, reception_dbm: -82.0, sense_dbm: -90.0 };
/// assert_ne!(Propagation::Power(power), Propagation::disc(250.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Propagation {
    /// Sharp ranges.
    Disc {
        /// The reception range, in metres.
        reception: f64,
        /// The carrier sense range; not below `reception`.
        sense: f64,
    },
    /// Ranges by power.
    Power(Power),
}

impl Propagation {
    /// One range for reception and carrier sense.
    #[must_use]
    pub fn disc(range: f64) -> Self {
        Self::Disc { reception: range, sense: range }
    }

    /// The radio of many simulations: 914 MHz, 281.8 mW, antennas at 1.5 m over the ground;
    /// received up to 250 m and sensed up to 550 m.
    #[must_use]
    pub fn two_ray_ground() -> Self {
        Self::Power(Power {
            transmit_dbm: 24.5,
            gain_db: 0.0,
            loss: PathLoss::TwoRayGround { frequency_hz: 914e6, heights: (1.5, 1.5) },
            reception_dbm: -64.374,
            sense_dbm: -78.071,
        })
    }

    pub(crate) fn validate(self) -> Result<(), FieldError> {
        let require = |is_right: bool, name, value: String, expected| match is_right {
            true => Ok(()),
            false => Err(FieldError::Radio { name, value, expected }),
        };
        let positive = |name, value: f64, unit: &str| {
            require(is_positive(value), name, format!("{value} {unit}"), "positive and finite")
        };
        match self {
            Self::Disc { reception, sense } => {
                positive("range", reception, "m")?;
                positive("range of carrier sense", sense, "m")?;
                let (value, expected) = (format!("{sense} m"), "no smaller than the range");
                require(sense >= reception, "range of carrier sense", value, expected)
            }
            Self::Power(power) => {
                let decibels = [
                    ("transmission power", power.transmit_dbm),
                    ("antenna gain", power.gain_db),
                    ("reception threshold", power.reception_dbm),
                    ("carrier sense threshold", power.sense_dbm),
                ];
                for (name, value) in decibels {
                    require(value.is_finite(), name, format!("{value} dB"), "a finite number")?;
                }
                let (value, expected) =
                    (format!("{} dBm", power.sense_dbm), "no larger than the reception threshold");
                let is_below = power.sense_dbm <= power.reception_dbm;
                require(is_below, "carrier sense threshold", value, expected)?;
                let (value, expected) =
                    (format!("{} dBm", power.reception_dbm), "below the power beside the sender");
                let is_heard = power.reception_dbm < power.strongest_dbm();
                require(is_heard, "reception threshold", value, expected)?;
                match power.loss {
                    PathLoss::FreeSpace { frequency_hz } => {
                        positive("frequency", frequency_hz, "Hz")
                    }
                    PathLoss::TwoRayGround { frequency_hz, heights } => {
                        positive("frequency", frequency_hz, "Hz")?;
                        positive("antenna height", heights.0, "m")?;
                        positive("antenna height", heights.1, "m")
                    }
                    PathLoss::LogDistance { exponent, reference, reference_loss_db } => {
                        positive("path loss exponent", exponent, "")?;
                        positive("reference distance", reference, "m")?;
                        let value = format!("{reference_loss_db} dB");
                        let is_number = reference_loss_db.is_finite();
                        require(is_number, "reference loss", value, "a finite number")
                    }
                }
            }
        }
    }
}

/// The propagation delay of a signal.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{PropagationDelay, SharedRadio};
///
/// let delay = PropagationDelay::Constant(Duration::from_micros(5));
/// assert_eq!(SharedRadio::default().delay(delay).delay, delay);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PropagationDelay {
    /// The speed of light.
    Light,
    /// A fixed delay.
    Constant(Duration),
}
