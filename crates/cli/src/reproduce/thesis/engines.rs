//! Figures 4.3 and 4.6 of Sobeih's thesis: how much longer a general-purpose checker takes for the same searches.

use super::searches::{seeded, words};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory, by_plain_engine},
    listed::Listed,
    measured::Measured,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

pub(super) const FIGURES: &[Listed] = &[
    Listed {
        id: "000/figure-4.3",
        others: &["000/F4.3"],
        title: "AODV, the mean time of the plain engine minus that of the usual one, with the simulation relation",
        seconds: 10,
        long_seconds: Some(60),
        make: |laboratory, table| differences(laboratory, table, "simulated", [10, 100]),
    },
    Listed {
        id: "000/figure-4.6",
        others: &["000/F4.6"],
        title: "AODV, the mean time of the plain engine minus that of the usual one, with hash codes",
        seconds: 20,
        long_seconds: Some(60),
        make: |laboratory, table| differences(laboratory, table, "hashed", [4, 20]),
    },
];

/// The searches of both figures.
const SEARCHES: [&str; 2] = ["BFS-ANS", "DFS-RS"];

/// Makes searches again, with the plain engine.
pub(super) fn by_plain(
    laboratory: &mut Laboratory<'_>,
    searches: &[String],
    usual: &[Measured],
) -> Result<Vec<Measured>, Halt> {
    let words: Vec<String> = searches.iter().map(|words| by_plain_engine(words)).collect();
    let plain = laboratory.searches(&words)?;
    for ((usual, plain), words) in usual.iter().zip(&plain).zip(searches) {
        usual.ensure_same(plain, words);
    }
    Ok(plain)
}

fn differences(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    relation: &str,
    [few, published]: [u32; 2],
) -> Result<(), Halt> {
    let by_default = if laboratory.runs_long() { published } else { few };
    let repeat = laboratory.repeat(by_default);
    table.note("The plain engine stands for JPF, the usual one for J-Sim. The figure is a plot without numbers: nothing is compared.");
    table.note(format!("Over {repeat} seeds; the figure is over {published}, as this is with `--long`. Both engines make the same search with the same seed, so the 99 % interval is that of the differences of pairs."));
    table.columns(["search", "plain engine", "usual engine", "difference"]);
    for counterexample in 1..=3 {
        for search in SEARCHES {
            let options = words(search).unwrap_or_default();
            let words =
                format!("aodv-{counterexample} --max-depth 10 --relation {relation} {options}");
            let searches: Vec<String> = (1..=repeat).map(|seed| seeded(&words, seed)).collect();
            let usual = laboratory.searches(&searches)?;
            let plain = by_plain(laboratory, &searches, &usual)?;
            let [usual, plain] = [usual, plain].map(times);
            let cells = vec![mean(&plain), mean(&usual), Cell::longer(&plain, &usual, 3)];
            let name = format!("counterexample {counterexample}, {search}");
            table.push(Row::new(name, cells, Declared::Uncompared));
        }
    }
    Ok(())
}

fn times(runs: Vec<Measured>) -> Vec<f64> {
    runs.into_iter().map(|run| run.time.as_secs_f64()).collect()
}

fn mean(times: &[f64]) -> Cell {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    Cell::measured(mean, Unit::Seconds, 3)
}
