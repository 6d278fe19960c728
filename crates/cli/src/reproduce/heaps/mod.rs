//! The experiments of d'Amorim's thesis on programs with dynamic data (`docs/references.md`): mixed execution in chapter 3,
//! delta execution in chapter 4.

mod abstracted;
mod aodv;
mod delta;
mod mixed;
mod published;

use std::time::{Duration, Instant};

use everypath_driver::Phases;
use everypath_explore::{Ended, EventPattern, Options, Searched};
use everypath_model::Parameters;
use everypath_network::SpaceOptions;

use super::{
    cell::Cell,
    laboratory::{Halt, Laboratory, TAKES_LONG},
    listed::Listed,
    value::Unit,
};
use crate::{
    error::CliError,
    scenarios::{
        checked_space::{CallSpace, CheckedSpace},
        entry,
    },
};

/// The tables, by chapter.
pub(super) const TABLES: &[&[Listed]] =
    &[mixed::TABLES, aodv::MIXED, delta::TABLES, abstracted::TABLES, aodv::DELTA];

/// Rows with more states are run with `--long` only, and with `--quick` far fewer.
const STATES: u64 = 150_000;
const QUICK_STATES: u64 = 10_000;
/// Rows with fewer states take so little time that it is measured several times.
const BRIEF_STATES: u64 = 20_000;
const BRIEF_RUNS: u32 = 3;

/// A subject, and how to explore it.
#[derive(Clone, Copy)]
struct Job {
    subject: &'static str,
    bound: u32,
    mode: &'static str,
    /// The call that is not made, if there is one.
    without: Option<&'static str>,
    /// With matching by shape.
    seed: Option<u64>,
}

/// What an exploration has found and cost.
struct Found {
    /// The states by level; those of the last one are not expanded.
    levels: Vec<u64>,
    /// Executions of calls, one for each state.
    executions: u64,
    /// Executions of methods, for however many states.
    paths: u64,
    phases: Phases,
    total: Duration,
    bytes: usize,
}

impl Found {
    /// The states in which calls were executed.
    fn expanded(&self, bound: u32) -> u64 {
        self.levels.iter().take(bound as usize).sum()
    }

    /// All but the evaluation of invariants, which the thesis did not have.
    fn seconds(&self) -> f64 {
        self.total.saturating_sub(self.phases.judging).as_secs_f64()
    }
}

impl Job {
    fn parameters(&self) -> Parameters {
        let given = [("n", self.bound.to_string()), ("mode", self.mode.to_owned())];
        let seed = self.seed.map(|seed| seed.to_string());
        let shape = seed.map(|seed| [("matching", "shape".to_owned()), ("seed", seed)]);
        Parameters::with(given.into_iter().chain(shape.into_iter().flatten()))
    }

    /// Does something with the space of the subject.
    fn with_space<T>(
        &self,
        laboratory: &mut Laboratory<'_>,
        run: impl FnOnce(&mut Laboratory<'_>, &mut CallSpace<'_>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        laboratory.tell(&format!("{} {}, {}", self.subject, self.bound, self.mode))?;
        let entry = entry::find(laboratory.entries(), self.subject)?;
        let built = entry.build_any(self.parameters())?;
        let mut options = SpaceOptions::default();
        let pattern = |call: &str| call.parse::<EventPattern>().expect("it is the name of a call");
        options.disabled = self.without.into_iter().map(pattern).collect();
        let mut space = CallSpace::open(&built.subject(), options)?;
        run(laboratory, &mut space)
    }

    /// Explores it breadth-first.
    fn explore(&self, laboratory: &mut Laboratory<'_>) -> Result<Found, Halt> {
        self.with_space(laboratory, |laboratory, space| {
            let started = Instant::now();
            let options = Options::default().max_depth(self.bound);
            let found = space.explore(&options, &mut laboratory.line);
            let found = found.map_err(|refusal| CliError::Refused { refusal })?;
            if found.ended == Ended::Interrupted {
                return Err(Halt::Interrupted);
            }
            Ok(Found {
                levels: found.states_per_depth(),
                executions: found.counts.events,
                paths: found.handler_executions,
                phases: space.phases().unwrap_or_default(),
                total: started.elapsed(),
                bytes: found.bytes,
            })
        })
    }

    /// The fastest of several explorations, of those that take little time.
    fn fastest(&self, laboratory: &mut Laboratory<'_>, states: u64) -> Result<Found, Halt> {
        let by_default = if states < BRIEF_STATES { BRIEF_RUNS } else { 1 };
        let mut fastest = self.explore(laboratory)?;
        for _ in 1..laboratory.repeat(by_default) {
            let found = self.explore(laboratory)?;
            if found.seconds() < fastest.seconds() {
                fastest = found;
            }
        }
        Ok(fastest)
    }
}

/// Why a row with this many states is not run now, if so.
fn not_now(laboratory: &Laboratory<'_>, states: u64) -> Option<&'static str> {
    if laboratory.is_quick() {
        return (states > QUICK_STATES).then_some("not with `--quick`");
    }
    (states > STATES && !laboratory.runs_long()).then_some(TAKES_LONG)
}

fn seconds(ours: f64, published: Option<f64>) -> Cell {
    Cell::measured(ours, Unit::Seconds, 3).maybe_published(published)
}

fn times(ours: f64, published: Option<f64>) -> Cell {
    Cell::measured(ours, Unit::Times, 2).maybe_published(published)
}

/// A published value where there is one.
fn maybe(published: Option<f64>, unit: Unit) -> Cell {
    published.map_or_else(Cell::nothing, |it| Cell::only_published(it).unit(unit).decimals(2))
}

/// The median: with an even number of values, the mean of the two in the middle.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len().checked_sub(1)? / 2;
    Some((sorted[middle] + sorted[sorted.len() / 2]) / 2.0)
}

/// "Total: the median of our ratios is ≈ 1.14 (published: 1.10)."
fn median_text(what: &str, ours: &[f64], published: &[f64]) -> Option<String> {
    let (ours, published) = (median(ours)?, median(published)?);
    Some(format!("{what}: the median of our ratios is ≈ {ours:.2} (published: {published:.2})."))
}

#[cfg(test)]
mod tests {
    use super::{
        median,
        published::{TABLE_3_2, TABLE_3_3, TABLES_4_1_TO_4_4},
    };

    fn ratios<'a>(rows: impl Iterator<Item = &'a [u32; 2]>) -> Vec<f64> {
        rows.map(|&[one, other]| f64::from(one) / f64::from(other)).collect()
    }

    fn rounded(values: &[f64]) -> f64 {
        (median(values).unwrap() * 100.0).round() / 100.0
    }

    #[test]
    fn medians_are_true_medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        // The thesis prints one of the two middle values: 1.13 and 1.64, 1.08 and 1.47.
        assert_eq!(rounded(&ratios(TABLE_3_2.iter().map(|row| &row.total))), 1.14);
        assert_eq!(rounded(&ratios(TABLE_3_2.iter().map(|row| &row.methods))), 1.66);
        assert_eq!(rounded(&ratios(TABLE_3_3.iter().map(|row| &row.total))), 1.1);
        assert_eq!(rounded(&ratios(TABLE_3_3.iter().map(|row| &row.methods))), 1.51);
    }

    #[test]
    fn published_parts_of_time_are_the_total() {
        for row in &TABLES_4_1_TO_4_4 {
            let (Some([standard, delta]), Some((first, second))) = (row.jpf.seconds, row.jpf.parts)
            else {
                continue;
            };
            let sums = [first.iter().sum::<f64>(), second.iter().sum()];
            for (total, sum) in [(standard, sums[0]), (delta, sums[1])] {
                assert!((total - sum).abs() < 0.011, "{} {}", row.subject, row.bound);
            }
        }
    }
}
