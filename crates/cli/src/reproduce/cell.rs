//! One cell of a table: our value, the published one, and whether they agree.

use everypath_sim::{Estimate, PairedEstimate};
use serde::Serialize;

use super::value::{Unit, Value};

/// What stands where there is nothing.
const NOTHING: &str = "-";

/// What stands for a published value that is the same as ours.
const SAME: &str = "=";

/// What stands before a measured value: it is not the same on another day.
const ABOUT: &str = "≈";

/// The level of intervals: that of Sobeih's thesis.
const LEVEL: f64 = 0.99;

/// How the values of a cell relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Both values must be the same.
    Compared,
    /// Ours is the mean of a sample: the published one must lie in its interval.
    Sampled,
    /// A time or a memory of this machine: shown, and never compared.
    Measured,
    /// There is only one of them, or they are not comparable.
    Shown,
}

/// One cell.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Cell {
    /// How the values relate.
    kind: Kind,
    /// Ours; null if there is none.
    ours: Option<Value>,
    /// The published one; null if there is none.
    published: Option<Value>,
    /// What both count.
    unit: Unit,
    /// The half width of the interval around a mean; null if ours is not one.
    #[cfg_attr(test, schemars(range(min = 0)))]
    half_width: Option<f64>,
    /// Whether the values agree; null if that is not decided.
    agrees: Option<bool>,
    #[serde(skip)]
    decimals: usize,
}

impl Cell {
    /// A value that the published one must equal.
    pub(crate) fn compared(ours: impl Into<Value>) -> Self {
        Self::new(Kind::Compared, Some(ours.into()), 0)
    }

    /// A number that the published one must equal once rounded to this many decimals.
    pub(crate) fn rounded(ours: f64, decimals: usize) -> Self {
        Self::new(Kind::Compared, Some(ours.into()), decimals)
    }

    /// The mean of values, one for each run of a sample, whose interval must contain the published mean: that of the
    /// difference between our mean and a published one over this many runs. No variance was published, so ours is used for both.
    pub(crate) fn sampled(values: &[f64], published_runs: usize) -> Self {
        let estimate = Estimate::of("", "", values);
        let widened = (1.0 + values.len() as f64 / published_runs.max(1) as f64).sqrt();
        let half_width = estimate.half_width_at(LEVEL) * widened;
        Self::new(Kind::Sampled, Some(estimate.mean.into()), 1).half_width(half_width)
    }

    /// By how much a time of this machine is longer than another, as the mean over pairs of runs with its interval.
    pub(crate) fn longer(times: &[f64], others: &[f64], decimals: usize) -> Self {
        let difference = PairedEstimate::of("", "", others, times).difference;
        let half_width = difference.half_width_at(LEVEL);
        Self::measured(difference.mean, Unit::Seconds, decimals).half_width(half_width)
    }

    /// A time or a memory of this machine.
    pub(crate) fn measured(ours: f64, unit: Unit, decimals: usize) -> Self {
        Self { unit, ..Self::new(Kind::Measured, Some(ours.into()), decimals) }
    }

    /// A value of ours that is not compared.
    pub(crate) fn shown(ours: impl Into<Value>) -> Self {
        Self::new(Kind::Shown, Some(ours.into()), 0)
    }

    /// A published value without one of ours.
    pub(crate) fn only_published(published: impl Into<Value>) -> Self {
        Self::new(Kind::Shown, None, 0).published(published)
    }

    /// Nothing.
    pub(crate) fn nothing() -> Self {
        Self::new(Kind::Shown, None, 0)
    }

    fn new(kind: Kind, ours: Option<Value>, decimals: usize) -> Self {
        let unit = Unit::Plain;
        Self { kind, ours, published: None, unit, half_width: None, agrees: None, decimals }
    }

    /// With its unit.
    pub(crate) fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    /// With the half width of an interval around ours.
    pub(crate) fn half_width(self, half_width: f64) -> Self {
        Self { half_width: half_width.is_finite().then_some(half_width), ..self }
    }

    /// With this many decimals for readers.
    pub(crate) fn decimals(self, decimals: usize) -> Self {
        Self { decimals, ..self }
    }

    /// With the published value.
    pub(crate) fn published(mut self, published: impl Into<Value>) -> Self {
        self.published = Some(published.into());
        self.agrees = self.agreement();
        self
    }

    /// With the published value, if there is one.
    pub(crate) fn maybe_published(self, published: Option<impl Into<Value>>) -> Self {
        match published {
            Some(published) => self.published(published),
            None => self,
        }
    }

    /// The same, but not compared.
    pub(super) fn uncompared(mut self) -> Self {
        if self.kind != Kind::Measured {
            self.kind = Kind::Shown;
        }
        self.agrees = None;
        self
    }

    fn agreement(&self) -> Option<bool> {
        let (ours, published) = (self.ours.as_ref()?, self.published.as_ref()?);
        match (self.kind, ours, published) {
            (Kind::Compared, ours, published) => {
                Some(self.value_text(ours) == self.value_text(published))
            }
            (Kind::Sampled, Value::Number(mean), Value::Number(published)) => {
                Some((mean - published).abs() <= self.half_width?)
            }
            _ => None,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn agrees(&self) -> Option<bool> {
        self.agrees
    }

    fn value_text(&self, value: &Value) -> String {
        value.to_text(self.unit, self.decimals)
    }

    /// Ours, and in brackets the published one.
    pub(super) fn to_text(&self) -> String {
        let about = if self.kind == Kind::Measured { format!("{ABOUT} ") } else { String::new() };
        let half_width = self.half_width.map(|it| self.value_text(&Value::from(it)));
        let half_width = half_width.map_or(String::new(), |it| format!(" ± {it}"));
        let ours = self.ours.as_ref().map(|it| about + &self.value_text(it) + &half_width);
        let same = self.kind == Kind::Compared && self.agrees == Some(true);
        let published = self.published.as_ref();
        let published =
            published.map(|it| if same { SAME.to_owned() } else { self.value_text(it) });
        match (ours, published) {
            (Some(ours), Some(published)) => format!("{ours} ({published})"),
            (Some(ours), None) => ours,
            (None, Some(published)) => format!("{NOTHING} ({published})"),
            (None, None) => NOTHING.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_says_whether_its_values_agree() {
        let told = |cell: Cell| (cell.to_text(), cell.agrees());
        assert_eq!(told(Cell::compared(4699)), ("4,699".to_owned(), None));
        let same = Cell::compared(4699).published(4699);
        assert_eq!(told(same), ("4,699 (=)".to_owned(), Some(true)));
        let other = Cell::compared(4690).published(4699);
        assert_eq!(told(other.clone()), ("4,690 (4,699)".to_owned(), Some(false)));
        assert_eq!(told(other.uncompared()), ("4,690 (4,699)".to_owned(), None));
        let rounded = Cell::rounded(0.06984, 4);
        assert_eq!(told(rounded.clone().published(0.0698)).1, Some(true));
        assert_eq!(told(rounded.published(0.0699)).1, Some(false));
        let words = Cell::compared("rt1 rt2").published("rt1 rt2");
        assert_eq!(told(words).1, Some(true));
        let time = Cell::measured(0.25, Unit::Seconds, 3).published(125.3);
        assert_eq!(told(time), ("≈ 0.250 s (125.300 s)".to_owned(), None));
        assert_eq!(told(Cell::only_published("12 s")), ("- (12 s)".to_owned(), None));
        assert_eq!(told(Cell::nothing()), ("-".to_owned(), None));
    }

    /// Two samples of 4 runs each: Student's 99 % quantile for 3 degrees of freedom is 5.8409.
    #[test]
    fn a_published_mean_lies_in_the_interval_or_not() {
        let values = [8.0, 10.0, 10.0, 12.0];
        let deviation = (8.0_f64 / 3.0).sqrt();
        let half_width = 5.8409 * deviation * (1.0_f64 / 4.0 + 1.0 / 4.0).sqrt();
        let cell = Cell::sampled(&values, 4);
        assert!((cell.half_width.unwrap() - half_width).abs() < 1e-3, "{cell:?}");
        assert_eq!(cell.clone().published(10.0 + half_width - 0.01).agrees(), Some(true));
        assert_eq!(cell.published(10.0 + half_width + 0.01).agrees(), Some(false));
        assert_eq!(Cell::sampled(&[8.0], 4).published(8.0).agrees(), None, "one run says nothing");
    }

    /// Differences 1, 2 and 3: Student's 99 % quantile for 2 degrees of freedom is 9.9248.
    #[test]
    fn times_are_subtracted_in_pairs() {
        let cell = Cell::longer(&[11.0, 4.0, 7.0], &[10.0, 2.0, 4.0], 1);
        let half_width = 9.9248 / 3.0_f64.sqrt();
        assert!((cell.half_width.unwrap() - half_width).abs() < 1e-3, "{cell:?}");
        assert_eq!(cell.to_text(), "≈ 2.0 s ± 5.7 s");
        assert_eq!(Cell::longer(&[3.0], &[1.0], 1).to_text(), "≈ 2.0 s");
    }
}
