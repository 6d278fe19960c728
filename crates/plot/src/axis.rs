//! Axes of plots: positions of values, and ticks.

/// A value on an axis, or how far along it is, with what is written at it.
pub(crate) type Tick = (f64, String);

/// How much a logarithmic axis is longer than what it shows, at each end.
const PADDING: f64 = 0.06;
/// It spans at least this factor: less would make little look like much.
const SPAN_MIN: f64 = 4.0;
/// As many ticks as a linear axis has at most.
const TICKS_MAX: f64 = 8.0;

/// A stretch of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    is_logarithmic: bool,
}

impl Axis {
    /// Wide enough for all that is more than 0; the rest stands at its beginning.
    pub(crate) fn logarithmic(shown: impl Iterator<Item = f64>) -> Self {
        let shown: Vec<f64> = shown.filter(|value| (1e-100..=1e100).contains(value)).collect();
        let low = shown.iter().copied().reduce(f64::min).unwrap_or(1.0);
        let high = shown.iter().copied().reduce(f64::max).unwrap_or(1.0);
        let missing = (SPAN_MIN / (high / low)).max(1.0).sqrt();
        let (low, high) = (low / missing, high * missing);
        let padding = (high / low).powf(PADDING);
        Self { low: low / padding, high: high * padding, is_logarithmic: true }
    }

    /// From one tick to another, around all values.
    pub(crate) fn linear(shown: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(shown);
        let step = step_of(low, high);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Self { low, high, is_logarithmic: false }
    }

    /// Around all values, with this share of their span besides at each end.
    pub(crate) fn padded(shown: impl Iterator<Item = f64>, padding: f64) -> Self {
        let (low, high) = ends(shown);
        let padding = (high - low) * padding;
        Self { low: low - padding, high: high + padding, is_logarithmic: false }
    }

    /// Whether 0 is on it, not at an end.
    pub(crate) fn crosses_zero(&self) -> bool {
        !self.is_logarithmic && self.low < 0.0 && 0.0 < self.high
    }

    /// From its beginning to its end.
    pub(crate) fn length(&self) -> f64 {
        self.high - self.low
    }

    /// How far along the axis a value is, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let share = if self.is_logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        // What is not more than 0 has no logarithm.
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }

    /// Round values on the axis, in increasing order, with what is written at them.
    pub(crate) fn ticks(&self) -> Vec<Tick> {
        if !self.is_logarithmic {
            return self.even_ticks();
        }
        const ENOUGH: usize = 3;
        let steps: [&[f64]; 3] = [&[1.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0]];
        let mut ticks = Vec::new();
        for step in steps {
            ticks = self.multiples(step);
            if ticks.len() >= ENOUGH {
                break;
            }
        }
        ticks
    }

    /// The same, by how far along the axis they are.
    pub(crate) fn ticks_at_shares(&self) -> Vec<Tick> {
        self.ticks().into_iter().map(|(value, label)| (self.share(value), label)).collect()
    }

    fn multiples(&self, step: &[f64]) -> Vec<Tick> {
        let decades = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        let all = decades.flat_map(|decade| step.iter().map(move |&digit| (digit, decade)));
        let all = all.map(|(digit, decade)| (digit * 10_f64.powi(decade), tick(digit, decade)));
        all.filter(|(value, _)| (self.low..=self.high).contains(value)).collect()
    }

    fn even_ticks(&self) -> Vec<Tick> {
        let step = step_of(self.low, self.high);
        let first = (self.low / step - 1e-9).ceil();
        let count = ((self.high / step + 1e-9).floor() - first) as u32;
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let at = |number: u32| {
            let value = (first + f64::from(number)) * step;
            // No "-0".
            let value = if value.abs() < step / 2.0 { 0.0 } else { value };
            (value, even_tick(value, decimals))
        };
        (0..=count).map(at).collect()
    }
}

/// The least and the greatest value, which differ.
fn ends(shown: impl Iterator<Item = f64>) -> (f64, f64) {
    // Beyond, not even the length of the axis would be a number.
    let shown: Vec<f64> = shown.filter(|value| value.abs() <= 1e300).collect();
    let low = shown.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let high = shown.iter().copied().reduce(f64::max).unwrap_or(1.0);
    // What is all one value stands in the middle.
    if high - low > 1e-300 {
        (low, high)
    } else {
        (low - 0.5 * low.abs().max(1.0), high + 0.5 * high.abs().max(1.0))
    }
}

/// The round distance of which few fit between two values.
fn step_of(low: f64, high: f64) -> f64 {
    let least = (high - low) / TICKS_MAX;
    let decade = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade);
    steps.into_iter().find(|&step| step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * decade)
}

/// A multiple of a round number in few characters.
fn even_tick(value: f64, decimals: usize) -> String {
    let magnitude = value.abs();
    let (unit, sign) = match magnitude {
        _ if decimals > 0 || magnitude < 1e4 => (1.0, ""),
        _ if magnitude < 1e6 => (1e3, "k"),
        _ if magnitude < 1e9 => (1e6, "M"),
        _ if magnitude < 1e13 => (1e9, "G"),
        _ => return format!("{value:e}"),
    };
    if unit > 1.0 {
        return format!("{}{sign}", value / unit);
    }
    if decimals > 9 { format!("{value:.1e}") } else { format!("{value:.decimals$}") }
}

/// A round number in few characters: 0.02, 150, 5k, 10M.
fn tick(digit: f64, decade: i32) -> String {
    if !(-6..13).contains(&decade) {
        return format!("{digit}e{decade}");
    }
    if decade < 0 {
        let decimals = decade.unsigned_abs() as usize + usize::from(digit.fract() > 0.0);
        return format!("{:.decimals$}", digit * 10_f64.powi(decade));
    }
    let (unit, sign) = match decade {
        0..=2 => (0, ""),
        3..=5 => (3, "k"),
        6..=8 => (6, "M"),
        _ => (9, "G"),
    };
    format!("{}{sign}", digit * 10_f64.powi(decade - unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_axes_have_round_ticks() {
        let axis = |values: &[f64]| labels(&Axis::linear(values.iter().copied()));
        assert_eq!(axis(&[0.0, 1.0]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(axis(&[-3.0, 17.0]), ["-5", "0", "5", "10", "15", "20"]);
        assert_eq!(axis(&[0.0, 60_000.0]), ["0", "10k", "20k", "30k", "40k", "50k", "60k"]);
        assert_eq!(axis(&[0.001, 0.0042]).len(), 8);
        assert_eq!(axis(&[7.0]), ["3", "4", "5", "6", "7", "8", "9", "10", "11"]);
        assert_eq!(axis(&[f64::NAN]), axis(&[0.0, 1.0]));
    }

    #[test]
    fn shares_are_along_the_axis() {
        let linear = Axis::linear([0.0, 10.0].into_iter());
        assert_eq!([0.0, 5.0, 10.0, 99.0].map(|value| linear.share(value)), [0.0, 0.5, 1.0, 1.0]);
        let logarithmic = Axis::logarithmic([1.0, 100.0].into_iter());
        assert!((logarithmic.share(10.0) - 0.5).abs() < 1e-9);
        assert_eq!(logarithmic.share(-1.0), 0.0);
    }
}
