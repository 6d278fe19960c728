//! The time of each operation, with and without a graph, and the events that are executed: Tables 8.2, 8.9 and 8.14.

use std::time::Duration;

use everypath_explore::Timings;

use super::{
    published::{FEWER_EVENTS, Flagged, Version},
    runs::{NATIVE, REPEAT, Totals, ensure_equal, patterns, row, run, seconds, times},
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    measured::Order,
    table::{Declared, MadeTable, Row},
    value::{Unit, Value},
};

/// A published table.
pub(super) struct Breakdown {
    /// The version whose graph is read.
    before: Version,
    version: Version,
    /// The title of each column with a graph, and the events that are treated as modified.
    columns: &'static [(&'static str, &'static [&'static str])],
    /// The times of each of the [`OPERATIONS`], from scratch and with a graph.
    operations: [&'static [f64]; 12],
    others: &'static [f64],
    total: &'static [f64],
    /// In words, since one of them is none.
    speedup: &'static [&'static str],
    pub(super) executed: &'static [u64],
    /// The number of published runs, if executed events are compared as means over as many.
    sampled: Option<u32>,
    /// What the numbers of executed events should be.
    declared: Declared,
}

impl Breakdown {
    /// Executing an event (X), which is three operations, the hash code of a state (H) and its assertion (Y), from scratch.
    fn executing_hashing_judging(&self) -> [f64; 3] {
        let [to, execute, back, hash, verify, ..] = self.operations.map(|times| times[0]);
        [to + execute + back, hash, verify]
    }

    /// The share of a search from scratch that a hit saves if it leads to no new state.
    pub(super) fn saved_share(&self) -> f64 {
        self.executing_hashing_judging().iter().sum::<f64>() / self.total[0]
    }

    /// The thesis's condition in its numbers: the right side, H + Y + (1-t)X, by the left one, F/(p(1-q)) + L/p. The letters
    /// are times for each event, and look-ups are of events that are not modified.
    pub(super) fn gain_by_cost(&self, column: usize, search: &Flagged, q: f64) -> f64 {
        let [x, h, y] = self.executing_hashing_judging();
        let [.., read, look_up, _, _, _, _, _] = self.operations.map(|times| times[column]);
        let p = search.found[0];
        (h + y + (1.0 - search.tree) * x) / ((read + look_up) / (p * (1.0 - q)))
    }
}

const AODV: Version = Version { words: "aodv-1 --require timer:Expire", depth: 9, quick_depth: 6 };
const DIFFUSION: Version =
    Version { words: "diffusion-2 --strategy best --ranking dd-4", depth: 20, quick_depth: 20 };

/// As in the thesis: the handler of every event is executed.
const EVERY_EVENT: &str = "--every-event --stats";

pub(super) static AODV_BREAKDOWN: Breakdown = Breakdown {
    before: AODV,
    version: AODV,
    columns: &[
        ("0 modified", &[]),
        ("1 modified", &["timer:Expire"]),
        ("2 modified", &["timer:Expire", "deliver"]),
        ("3 modified", &["timer:Expire", "deliver", "command"]),
        ("4 modified", &["timer:Expire", "deliver", "command", "timer:Forget"]),
        ("5 modified", &["timer:Expire", "deliver", "command", "timer:Forget", "lose"]),
    ],
    operations: [
        &[14.012, 1.303, 1.613, 5.102, 6.543, 7.793, 11.236],
        &[46.980, 5.871, 6.155, 20.235, 25.667, 29.397, 38.703],
        &[13.083, 1.088, 1.277, 4.784, 6.512, 7.763, 10.839],
        &[16.311, 0.097, 0.297, 5.100, 7.253, 8.963, 13.036],
        &[7.554, 0.001, 0.113, 2.218, 3.126, 3.877, 5.907],
        &[0.0, 0.555, 0.555, 0.505, 0.487, 0.470, 0.422],
        &[0.0, 3.562, 3.458, 2.647, 2.204, 1.867, 0.997],
        &[0.901, 1.206, 1.118, 1.046, 0.991, 1.034, 0.989],
        &[1.074, 0.947, 0.874, 0.935, 0.993, 1.029, 1.015],
        &[4.628, 4.943, 4.816, 5.131, 4.545, 4.486, 4.498],
        &[3.519, 4.002, 3.923, 3.810, 3.887, 3.628, 3.523],
        &[0.0; 7],
    ],
    others: &[17.282, 8.873, 8.893, 11.069, 12.467, 13.221, 15.686],
    total: &[125.344, 32.448, 33.092, 62.582, 74.675, 83.528, 106.851],
    speedup: &["3.86", "3.79", "2.00", "1.68", "1.50", "1.17"],
    executed: &[460_150, 32_114, 36_228, 151_658, 206_985, 247_422, 369_781],
    sampled: None,
    declared: Declared::Different(FEWER_EVENTS),
};

pub(super) static DIFFUSION_BREAKDOWN: Breakdown = Breakdown {
    before: DIFFUSION,
    version: DIFFUSION,
    columns: &[
        ("0 modified", &[]),
        ("1 modified", &["deliver"]),
        ("2 modified", &["deliver", "timer:Expire"]),
    ],
    operations: [
        &[18.787, 2.288, 7.409, 9.936],
        &[57.945, 7.528, 26.895, 33.053],
        &[16.513, 1.844, 7.041, 9.210],
        &[15.379, 0.019, 4.748, 7.177],
        &[22.468, 0.000, 7.331, 10.505],
        &[0.0, 2.180, 1.961, 2.169],
        &[0.0, 5.527, 3.822, 3.011],
        &[1.196, 1.367, 1.187, 1.172],
        &[3.130, 2.921, 2.976, 3.012],
        &[2.852, 3.499, 3.036, 2.858],
        &[5.161, 6.197, 5.530, 5.464],
        &[0.906, 0.965, 0.872, 0.869],
    ],
    others: &[30.559, 14.547, 19.172, 21.610],
    total: &[174.896, 48.882, 91.980, 110.046],
    speedup: &["3.58", "1.90", "1.59"],
    executed: &[1_293_732, 124_492, 491_101, 649_234],
    sampled: Some(10),
    declared: Declared::Within,
};

pub(super) static ARQ_BREAKDOWN: Breakdown = Breakdown {
    before: Version { words: "arq-erroneous --keep-going", depth: 35, quick_depth: 32 },
    version: Version { words: "arq --keep-going", depth: 35, quick_depth: 32 },
    columns: &[("with the graph", &["deliver@0"])],
    operations: [
        &[2.543, 2.563],
        &[4.770, 4.850],
        &[2.449, 2.482],
        &[3.611, 3.497],
        &[1.767, 1.760],
        &[0.0, 0.752],
        &[0.0, 0.360],
        &[0.792, 0.793],
        &[1.748, 1.747],
        &[1.911, 1.954],
        &[1.071, 1.097],
        &[0.0; 2],
    ],
    others: &[9.472, 9.726],
    total: &[30.134, 31.581],
    speedup: &["none"],
    executed: &[318_216, 314_473],
    sampled: None,
    declared: Declared::Different(
        "7 events more than in the thesis, all of which are executed with the graph, too: which ones is not known",
    ),
};

/// The same operation here: where its time is, or why there is none.
enum Ours {
    Takes(fn(&Timings) -> Duration),
    Is(&'static str),
}

/// Why nothing is copied.
const NO_COPIES: Ours =
    Ours::Is("a handler works on the explored state itself: nothing is copied to it and back");

/// The published operations, and ours.
const OPERATIONS: [(&str, Ours); 12] = [
    ("copy the state to the model", NO_COPIES),
    ("execute handlers", Ours::Takes(|it| it.execution)),
    ("copy the state back", NO_COPIES),
    (
        "compute a hash code",
        Ours::Is("a state is named by its content while events are generated, not by a hash code"),
    ),
    ("verify an assertion", Ours::Takes(|it| it.assertion)),
    ("read the file", Ours::Takes(|it| it.reading)),
    ("look up in the graph", Ours::Takes(|it| it.look_up)),
    ("insert a visited state", Ours::Takes(|it| it.insertion)),
    ("look a state up", Ours::Takes(|it| it.search)),
    ("generate events", Ours::Takes(|it| it.expansion)),
    ("insert a state to explore", Ours::Takes(|it| it.frontier)),
    ("compute the rank", Ours::Takes(|it| it.ranking)),
];

/// The sum of all of them.
fn operations(timings: &Timings) -> Duration {
    let takes = |ours: &Ours| match ours {
        Ours::Takes(time) => time(timings),
        Ours::Is(_) => Duration::ZERO,
    };
    OPERATIONS.iter().map(|(_, ours)| takes(ours)).sum()
}

const HOW: &str = "As in the thesis, the handler of every event is executed, unless it is found in the graph and leads to no new state (--every-event).";

/// Why nothing is compared.
const OTHER_SEEDS: &str = "other runs than published";

/// Makes a table.
pub(super) fn breakdown_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    published: &Breakdown,
) -> Result<(), Halt> {
    let timed = laboratory.repeat(REPEAT);
    let counted = published.sampled.map_or(timed, |runs| laboratory.repeat(runs));
    table.note(laboratory.means_of(timed));
    if counted > timed {
        table.note(format!("Executed events are means of {counted}."));
    }
    table.note(HOW);
    let titles = published.columns.iter().map(|(title, _)| *title);
    table.columns(["operation", "from scratch"].into_iter().chain(titles));
    let found = found(laboratory, published, timed, counted)?;
    push_times(laboratory, table, published, &found);
    push_executed(laboratory, table, published, &found);
    Ok(())
}

/// From scratch, and with a graph of which some events are treated as modified. Runs beyond those that are timed only
/// count, which needs no execution of every event.
fn found(
    laboratory: &mut Laboratory<'_>,
    published: &Breakdown,
    timed: u32,
    counted: u32,
) -> Result<Vec<Totals>, Halt> {
    let Breakdown { before, version, columns, .. } = published;
    let mut all: Vec<Totals> = (0..=columns.len()).map(|_| Totals::default()).collect();
    laboratory.with_folder(|laboratory, folder| {
        let written = folder.join("breakdown.graph");
        for seed in 1..=counted {
            let how = if seed <= timed { EVERY_EVENT } else { NATIVE };
            let order = Order { writes: Some(&written), ..Order::FROM_SCRATCH };
            run(laboratory, before, NATIVE, seed, order)?;
            let fresh = run(laboratory, version, how, seed, Order::FROM_SCRATCH)?;
            for ((_, modified), totals) in columns.iter().zip(&mut all[1..]) {
                let events = patterns(modified);
                let reads = Some(written.as_path());
                let order = Order { reads, modified: &events, ..Order::FROM_SCRATCH };
                let again = run(laboratory, version, how, seed, order)?;
                ensure_equal(version, &fresh, &again)?;
                totals.runs.push(again);
            }
            all[0].runs.push(fresh);
        }
        Ok(())
    })?;
    Ok(all)
}

/// The mean time of something, over the runs that were timed.
fn mean(totals: &Totals, of: impl Fn(&Timings) -> Duration) -> f64 {
    let timings = totals.runs.iter().filter_map(|run| run.timings);
    let times: Vec<f64> = timings.map(|timings| of(&timings).as_secs_f64()).collect();
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

fn push_times(
    laboratory: &Laboratory<'_>,
    table: &mut MadeTable,
    published: &Breakdown,
    found: &[Totals],
) {
    let mut push = |name: &str, of: &dyn Fn(&Timings) -> Duration, printed: &[f64]| {
        let cell = |(totals, printed): (&Totals, &f64)| seconds(mean(totals, of), *printed);
        let cells = found.iter().zip(printed).map(cell).collect();
        table.push(row(laboratory, name.to_owned(), cells, Declared::Uncompared));
    };
    let mut missing = Vec::new();
    for ((name, ours), printed) in OPERATIONS.iter().zip(published.operations) {
        match ours {
            Ours::Takes(time) => push(name, time, printed),
            Ours::Is(reason) => missing.push((name, reason, printed)),
        }
    }
    let subtotal: Vec<f64> =
        published.total.iter().zip(published.others).map(|(a, b)| a - b).collect();
    push("all of these", &operations, &subtotal);
    push("other operations", &|it| it.total().saturating_sub(operations(it)), published.others);
    push("total", &Timings::total, published.total);
    for (name, reason, printed) in missing {
        let cell = |it: &f64| Cell::only_published(*it).unit(Unit::Seconds).decimals(3);
        let cells = printed.iter().map(cell).collect();
        table.push(Row::new(*name, cells, Declared::NotReproducible(reason)));
    }
}

/// How many times as fast, and how many events were executed.
fn push_executed(
    laboratory: &Laboratory<'_>,
    table: &mut MadeTable,
    published: &Breakdown,
    found: &[Totals],
) {
    let total = |totals: &Totals| mean(totals, Timings::total);
    let scratch = total(&found[0]);
    let speedup = found[1..].iter().zip(published.speedup).map(|(totals, printed)| {
        let printed = printed.parse().map_or(Value::from(*printed), Value::Number);
        times(scratch / total(totals)).published(printed)
    });
    let cells = [Cell::nothing()].into_iter().chain(speedup).collect();
    table.push(row(laboratory, "times as fast".to_owned(), cells, Declared::Uncompared));
    let cell = |(totals, printed): (&Totals, &u64)| match published.sampled {
        Some(runs) => {
            Cell::sampled(&totals.executed(), runs as usize).decimals(0).published(*printed as f64)
        }
        None => Cell::compared(totals.mean_executed()).published(*printed),
    };
    let cells: Vec<Cell> = found.iter().zip(published.executed).map(cell).collect();
    let name = "executed events".to_owned();
    let declared = published.declared.clone();
    let other = published.sampled.is_some_and(|runs| found[0].runs.len() != runs as usize);
    table.push(match other {
        true => Row::reduced(name, cells, &declared, OTHER_SEEDS),
        false => row(laboratory, name, cells, declared),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thesis says which shares of its times these are.
    #[test]
    fn published_times_add_up() {
        for table in [&AODV_BREAKDOWN, &DIFFUSION_BREAKDOWN, &ARQ_BREAKDOWN] {
            let columns = table.columns.len() + 1;
            assert_eq!([table.others.len(), table.total.len(), table.executed.len()], [columns; 3]);
            assert_eq!(table.speedup.len(), columns - 1);
            for column in 0..columns {
                let operations: f64 = table.operations.iter().map(|times| times[column]).sum();
                let sum = operations + table.others[column];
                assert!((sum - table.total[column]).abs() < 0.0055, "{sum}");
            }
            for (column, speedup) in (1..).zip(table.speedup) {
                let times = table.total[0] / table.total[column];
                match speedup.parse::<f64>() {
                    Ok(printed) => assert!((times - printed).abs() < 0.0051, "{times} {printed}"),
                    Err(_) => assert!(times < 1.0),
                }
            }
        }
    }
}
