//! Chapter 6 of Sobeih's thesis: ARQ.

use super::{
    published::TABLE_6_1,
    tables::{Part, SAMPLED, States, sampled},
};
use crate::reproduce::{
    laboratory::{Halt, Laboratory},
    listed::Listed,
    table::{Declared, MadeTable},
};

pub(super) const TABLES: &[Listed] = &[Listed {
    id: "000/6.1",
    others: &[],
    title: "ARQ, shuffled searches for the counterexample",
    seconds: 1,
    long_seconds: None,
    make: shuffled,
}];

/// Over how many seeds Table 6.1 is.
const SEEDS: u32 = 100;

fn shuffled(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note(format!("Over the seeds 1 to {}.", laboratory.repeat(SEEDS)));
    table.columns(SAMPLED);
    let scenario = "arq-erroneous --max-depth 10";
    let part = Part { name: "erroneous sender", scenario, states: States::Space };
    for row in &TABLE_6_1 {
        sampled(laboratory, table, &part, row, SEEDS, Declared::Within)?;
    }
    Ok(())
}
