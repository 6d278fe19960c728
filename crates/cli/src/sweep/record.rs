//! The record of a run.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use everypath_sim::Run;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::scenarios::used::UsedReport;

/// A run on disk: its identity and its measurements. The same run gives the same bytes, whenever and
/// wherever it is made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// Distinguishes these files from others.
    pub(crate) format: String,
    /// The version of Everypath that made it.
    pub(crate) program_version: String,
    /// A digest of the program that made it.
    pub(crate) program: String,
    pub(crate) scenario: String,
    /// A digest of everything that decides the results, except seed and replication.
    pub(crate) hash: String,
    /// Those that have an effect.
    pub(crate) parameters: BTreeMap<String, String>,
    /// Which files, which radio, how many flows.
    pub(crate) used: UsedReport,
    /// The values of the keys that were swept.
    pub(crate) swept: Map<String, Value>,
    pub(crate) seed: u64,
    pub(crate) replication: u32,
    pub(crate) simulated_seconds: f64,
    pub(crate) events: u64,
    pub(crate) packets: Packets,
    /// The assertion that its last world violates, if assertions were evaluated and one is violated.
    pub(crate) violation: Option<String>,
    pub(crate) results: Vec<Quantity>,
}

pub(crate) const FORMAT: &str = "everypath run 2";

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Packets {
    pub(crate) sent: u64,
    pub(crate) delivered: u64,
    pub(crate) lost: u64,
    pub(crate) dropped: u64,
}

/// A number measured in a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quantity {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// Empty for a plain number or an unknown unit.
    pub(crate) unit: String,
    /// `None` if it is undefined in this run.
    pub(crate) value: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A measure of the scenario.
    Measure,
    /// How often something was counted.
    Counter,
    /// Of a distribution.
    Mean,
    Median,
    P95,
    /// The mean over time of a level.
    Level,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Measure => "measure",
            Self::Counter => "counter",
            Self::Mean => "mean",
            Self::Median => "median",
            Self::P95 => "p95",
            Self::Level => "level",
        }
    }
}

/// The numbers that some runs have, in a fixed order: first the measures, then the rest by name. A counter that is 0 in
/// one run is missing there, but may be present in another.
pub(crate) fn rows<'a>(runs: impl Iterator<Item = &'a Record>) -> Vec<Quantity> {
    let mut rows: Vec<Quantity> = Vec::new();
    let mut known = BTreeSet::new();
    for quantity in runs.flat_map(|run| &run.results) {
        if known.insert((quantity.kind.name(), quantity.name.clone())) {
            rows.push(quantity.clone());
        }
    }
    let group = |kind: Kind| match kind {
        Kind::Measure => 0,
        Kind::Counter => 1,
        Kind::Mean | Kind::Median | Kind::P95 => 2,
        Kind::Level => 3,
    };
    rows.sort_by(|one, other| match (one.kind, other.kind) {
        (Kind::Measure, Kind::Measure) => Ordering::Equal,
        _ => (group(one.kind), &one.name, one.kind as u8).cmp(&(
            group(other.kind),
            &other.name,
            other.kind as u8,
        )),
    });
    rows
}

impl Record {
    /// Its numbers in these rows: a missing counter is 0, a missing observation has no value.
    pub(crate) fn in_rows(&self, rows: &[Quantity]) -> impl Iterator<Item = Quantity> {
        rows.iter().map(|row| {
            let own = |it: &&Quantity| (it.kind, &it.name) == (row.kind, &row.name);
            let value = match self.results.iter().find(own) {
                Some(found) => found.value,
                None => (row.kind == Kind::Counter).then_some(0.0),
            };
            Quantity { value, ..row.clone() }
        })
    }
}

/// All numbers of a run, in a fixed order.
pub(crate) fn quantities(run: &Run) -> Vec<Quantity> {
    let quantity = |kind, name: &str, unit: &str, value: f64| Quantity {
        kind,
        name: name.to_owned(),
        unit: unit.to_owned(),
        value: Some(value).filter(|value| value.is_finite()),
    };
    let measures =
        run.measures.iter().map(|it| quantity(Kind::Measure, &it.name, &it.unit, it.value));
    let counters =
        run.counters.iter().map(|(name, count)| quantity(Kind::Counter, name, "", *count as f64));
    let distributions = run.distributions.iter().flat_map(|(name, it)| {
        let (median, unit) = (it.quantile(0.5), run.unit(name));
        let of = [(Kind::Mean, it.mean()), (Kind::Median, median), (Kind::P95, it.quantile(0.95))];
        of.map(|(kind, value)| quantity(kind, name, unit, value))
    });
    let levels =
        run.series.iter().map(|(name, it)| quantity(Kind::Level, name, run.unit(name), it.mean()));
    measures.chain(counters).chain(distributions).chain(levels).collect()
}
