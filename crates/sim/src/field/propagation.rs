//! Signal strength and delay over distance.

use std::f64::consts::PI;

use everypath_model::{PathLoss, Power, Propagation, PropagationDelay};

use super::segment::span;
use crate::clock::{Nanoseconds, nanoseconds};

/// In metres per second.
const LIGHT: f64 = 299_792_458.0;

/// The path of a signal. Functions that the standard library takes from the machine are those
/// of `libm`, so that every machine computes the same.
#[derive(Clone, Copy)]
pub(super) struct Path {
    propagation: Propagation,
    delay: PropagationDelay,
    /// The square of the distance up to which it is understood.
    reception_squared: f64,
    /// The distance up to which it is noticed.
    pub(super) sense: f64,
}

impl Path {
    pub(super) fn new(propagation: Propagation, delay: PropagationDelay) -> Self {
        let (reception, sense) = match propagation {
            Propagation::Disc { reception, sense } => (reception, sense),
            Propagation::Power(power) => {
                (range(power, power.reception_dbm), range(power, power.sense_dbm))
            }
        };
        Self { propagation, delay, reception_squared: reception * reception, sense }
    }

    pub(super) fn reception_squared(&self) -> f64 {
        self.reception_squared
    }

    /// How long a signal takes.
    pub(super) fn delay(&self, distance_squared: f64) -> Nanoseconds {
        match self.delay {
            PropagationDelay::Constant(delay) => nanoseconds(delay),
            PropagationDelay::Light => span(distance_squared.sqrt() / LIGHT),
        }
    }

    /// The power of a signal at a distance, in milliwatts; always the same where signals have no power.
    pub(super) fn power(&self, distance_squared: f64) -> f64 {
        match self.propagation {
            Propagation::Disc { .. } => 1.0,
            Propagation::Power(power) => {
                milliwatts(power.transmit_dbm + power.gain_db) * gain(power.loss, distance_squared)
            }
        }
    }
}

/// Decibels over a milliwatt as milliwatts, or decibels as a ratio.
pub(super) fn milliwatts(decibels: f64) -> f64 {
    libm::pow(10.0, decibels / 10.0)
}

/// The share of a signal that arrives.
fn gain(loss: PathLoss, distance_squared: f64) -> f64 {
    match loss {
        PathLoss::FreeSpace { frequency_hz } => free_space(frequency_hz, distance_squared),
        PathLoss::TwoRayGround { frequency_hz, heights } => {
            let product = heights.0 * heights.1;
            let crossover = 4.0 * PI * product * frequency_hz / LIGHT;
            if distance_squared <= crossover * crossover {
                free_space(frequency_hz, distance_squared)
            } else {
                (product / distance_squared) * (product / distance_squared)
            }
        }
        PathLoss::LogDistance { exponent, reference, reference_loss_db } => {
            let ratio = (distance_squared / (reference * reference)).max(1.0);
            libm::pow(ratio, -exponent / 2.0) * milliwatts(-reference_loss_db)
        }
    }
}

fn free_space(frequency_hz: f64, distance_squared: f64) -> f64 {
    let near = LIGHT / frequency_hz / (4.0 * PI);
    (near * near / distance_squared).min(1.0)
}

/// The distance up to which at least this power arrives, in decibels over a milliwatt: where that is so right beside the
/// sender, which a field is asked for when it is validated.
fn range(power: Power, least_dbm: f64) -> f64 {
    let left = milliwatts(least_dbm - power.transmit_dbm - power.gain_db);
    match power.loss {
        PathLoss::FreeSpace { frequency_hz } => LIGHT / frequency_hz / (4.0 * PI) / left.sqrt(),
        PathLoss::TwoRayGround { frequency_hz, heights } => {
            let product = heights.0 * heights.1;
            let crossover = 4.0 * PI * product * frequency_hz / LIGHT;
            let near = LIGHT / frequency_hz / (4.0 * PI) / left.sqrt();
            if near <= crossover { near } else { (product / left.sqrt()).sqrt() }
        }
        PathLoss::LogDistance { exponent, reference, reference_loss_db } => {
            reference * libm::pow(left / milliwatts(-reference_loss_db), -1.0 / exponent)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(power: Power) -> Path {
        Path::new(Propagation::Power(power), PropagationDelay::Light)
    }

    #[test]
    fn the_usual_two_ray_radio_reaches_250_m_and_is_noticed_up_to_550_m() {
        let path = Path::new(Propagation::two_ray_ground(), PropagationDelay::Light);
        assert!((path.reception_squared.sqrt() - 250.0).abs() < 0.01);
        assert!((path.sense - 550.0).abs() < 0.02);
        // 3.652e-10 W is what is left at 250 m.
        assert!((path.power(250.0 * 250.0) / 3.652e-7 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn free_space_after_friis() {
        // 1 W at 2.4 GHz: 40.05 dB are lost at 1 m, 20 dB more at each tenfold distance.
        let loss = PathLoss::FreeSpace { frequency_hz: 2.4e9 };
        let decibels = |distance: f64| -10.0 * libm::log10(gain(loss, distance * distance));
        assert!((decibels(1.0) - 40.05).abs() < 0.005);
        assert!((decibels(100.0) - 80.05).abs() < 0.005);
        assert_eq!(gain(loss, 0.0), 1.0);
    }

    #[test]
    fn log_distance_by_its_exponent() {
        let loss =
            PathLoss::LogDistance { exponent: 3.0, reference: 1.0, reference_loss_db: 46.6777 };
        let decibels = |distance: f64| -10.0 * libm::log10(gain(loss, distance * distance));
        assert!((decibels(1.0) - 46.6777).abs() < 1e-9);
        assert!((decibels(10.0) - 76.6777).abs() < 1e-9);
        assert!((decibels(0.1) - 46.6777).abs() < 1e-9);
    }

    #[test]
    fn ranges_are_where_powers_reach_the_thresholds() {
        let losses = [
            PathLoss::FreeSpace { frequency_hz: 2.4e9 },
            PathLoss::TwoRayGround { frequency_hz: 914e6, heights: (1.5, 2.0) },
            PathLoss::LogDistance { exponent: 3.3, reference: 2.0, reference_loss_db: 50.0 },
        ];
        for loss in losses {
            let (transmit_dbm, gain_db) = (16.0, 2.0);
            let (reception_dbm, sense_dbm) = (-80.0, -92.0);
            let path = path(Power { transmit_dbm, gain_db, loss, reception_dbm, sense_dbm });
            let at = |distance: f64| 10.0 * libm::log10(path.power(distance * distance));
            assert!((at(path.reception_squared.sqrt()) - reception_dbm).abs() < 1e-9, "{loss:?}");
            assert!((at(path.sense) - sense_dbm).abs() < 1e-9, "{loss:?}");
        }
    }

    #[test]
    fn light_takes_a_microsecond_for_300_m() {
        let path = Path::new(Propagation::disc(300.0), PropagationDelay::Light);
        assert_eq!(path.delay(299.792_458 * 299.792_458), 1000);
    }
}
