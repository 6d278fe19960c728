//! Differences between the means of two searches.

use std::collections::BTreeMap;

use everypath_model::did_you_mean;
use everypath_sim::{Estimate, PairedEstimate};

use super::comparison::{Compared, Run};
use crate::{
    arguments::compare::Quantity,
    error::{CliError, unused},
    simulating::estimates::finite,
};

/// Two searches whose difference is wanted, by their places: the first minus the second.
pub(crate) type Pair = (usize, usize);

/// Means all searches.
const EACH: &str = "each";

/// The pairs of searches that are wanted: all others minus each of these.
pub(super) fn pairs(compared: &[Compared], against: &[String]) -> Result<Vec<Pair>, CliError> {
    let names = || compared.iter().map(|it| it.search.name.as_str());
    if compared.len() < 2 && !against.is_empty() {
        return Err(unused("--against", "a single search"));
    }
    let mut bases: Vec<usize> = Vec::new();
    for name in against {
        if name == EACH {
            bases.extend(0..compared.len());
            continue;
        }
        let place = names().position(|known| known == name).ok_or_else(|| CliError::Unknown {
            what: "search",
            name: name.clone(),
            help: did_you_mean(name, names()),
        })?;
        bases.push(place);
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for base in bases {
        for other in (0..compared.len()).filter(|&other| other != base) {
            // The other way round says the same again.
            if !pairs.contains(&(other, base)) && !pairs.contains(&(base, other)) {
                pairs.push((other, base));
            }
        }
    }
    Ok(pairs)
}

/// What the interval of a difference is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    /// Differences of this many pairs of runs with the same seed: the paired interval after Student.
    Pairs(usize),
    /// Runs that have nothing to do with each other: the interval after Welch.
    Independent(usize, usize),
    /// Neither search draws, so that there is one difference.
    Exact,
}

/// How one quantity of a search differs from that of another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    /// Of the mean of the first from that of the second.
    pub(crate) mean: f64,
    /// Of its confidence interval, if there is one.
    pub(crate) half_width: Option<f64>,
    pub(crate) basis: Basis,
    /// The least and the greatest difference of a pair of runs, where there are pairs.
    pub(crate) ends: Option<(f64, f64)>,
    /// Whether the interval is known to be too narrow.
    pub(crate) is_skewed: bool,
}

impl Difference {
    /// The first search minus the second. There is none if one of them has no such quantity, or was
    /// stopped while it grew.
    pub(super) fn of(
        first: &Compared,
        second: &Compared,
        quantity: Quantity,
        confidence: f64,
    ) -> Option<Self> {
        let both = [first, second];
        if quantity.grows() && both.iter().any(|it| it.stopped() > 0) {
            return None;
        }
        if quantity.is_counted() || both.iter().all(|it| it.search.draws()) {
            return match both.iter().any(|it| it.search.draws()) {
                true => paired(first, second, quantity, confidence),
                false => Some(Self::exact(first.only(quantity)? - second.only(quantity)?)),
            };
        }
        let [one, other] = both.map(|it| Estimate::of("", "", &it.values(quantity)));
        let half_width = one.half_width_of_difference(&other, confidence);
        Some(Self {
            mean: finite(one.mean - other.mean)?,
            half_width: finite(half_width),
            basis: Basis::Independent(one.runs as usize, other.runs as usize),
            ends: None,
            is_skewed: one.is_skewed() || other.is_skewed(),
        })
    }

    fn exact(mean: f64) -> Self {
        Self { mean, half_width: None, basis: Basis::Exact, ends: None, is_skewed: false }
    }

    /// Whether the first search has less of it, or more, in a word.
    pub(super) fn word(&self) -> &'static str {
        let known = match self.basis {
            Basis::Exact => true,
            _ => self.half_width.is_some_and(|half| self.mean.abs() > half),
        };
        match self.mean {
            _ if !known => "unclear",
            0.0 => "equal",
            ..0.0 => "less",
            _ => "more",
        }
    }
}

/// In pairs of runs with the same seed. A search that draws nothing would count the same with each seed.
fn paired(
    first: &Compared,
    second: &Compared,
    quantity: Quantity,
    confidence: f64,
) -> Option<Difference> {
    let [one, other] = [first, second].map(|it| it.by_seed(quantity));
    let seeds = if first.search.draws() { &one } else { &other };
    let mut values = (Vec::new(), Vec::new());
    for seed in seeds.keys() {
        let of = |it: &Compared, known: &BTreeMap<u64, f64>| match it.search.draws() {
            true => known.get(seed).copied(),
            false => it.only(quantity),
        };
        if let (Some(a), Some(b)) = (of(first, &one), of(second, &other)) {
            values.0.push(a);
            values.1.push(b);
        }
    }
    let difference = PairedEstimate::of("", "", &values.1, &values.0).difference;
    let apart = || values.0.iter().zip(&values.1).map(|(a, b)| a - b);
    Some(Difference {
        mean: finite(difference.mean)?,
        half_width: finite(difference.half_width_at(confidence)),
        basis: Basis::Pairs(values.0.len()),
        ends: apart().reduce(f64::min).zip(apart().reduce(f64::max)),
        is_skewed: difference.is_skewed(),
    })
}

impl Compared {
    fn values(&self, quantity: Quantity) -> Vec<f64> {
        self.runs.iter().filter_map(|run| quantity.of(run)).collect()
    }

    /// What every run of a search that draws nothing has.
    fn only(&self, quantity: Quantity) -> Option<f64> {
        self.runs.first().and_then(|run| quantity.of(run))
    }

    fn by_seed(&self, quantity: Quantity) -> BTreeMap<u64, f64> {
        let of = |run: &Run| run.drawn.zip(quantity.of(run));
        self.runs.iter().filter_map(of).collect()
    }
}
