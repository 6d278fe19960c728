//! Chapter 5 of Sobeih's thesis: directed diffusion.

use super::{
    published::{
        Sampled, TABLE_5_1_FIRST, TABLE_5_1_SECOND, TABLE_5_2_FIRST, TABLE_5_2_SECOND, TABLE_5_3,
    },
    tables::{ALONE, Part, SAMPLED, States, chain, fixed, sampled, sampled_later, unpublished},
};
use crate::reproduce::{
    laboratory::{Halt, Laboratory},
    listed::Listed,
    table::{Declared, MadeTable},
};

pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "000/5.1",
        others: &[],
        title: "directed diffusion, searches for two counterexamples",
        seconds: 5,
        long_seconds: None,
        make: by_search,
    },
    Listed {
        id: "000/5.2",
        others: &[],
        title: "directed diffusion, shuffled best-first searches for two counterexamples",
        seconds: 10,
        long_seconds: Some(60),
        make: shuffled,
    },
    Listed {
        id: "000/5.3",
        others: &[],
        title: "directed diffusion, counterexample 1 among 4 to 12 nodes",
        seconds: 5,
        long_seconds: None,
        make: by_nodes,
    },
];

/// Over how many seeds Table 5.2 is.
const SEEDS: u32 = 20;

const NOT_ENDED: &str = "the thesis has no numbers: its search did not end within two hours";

const FIRST: Part<'static> = Part {
    name: "counterexample 1",
    scenario: "diffusion-1 --max-depth 15 --relation simulated",
    states: States::Space,
};
const SECOND: Part<'static> = Part {
    name: "counterexample 2",
    scenario: "diffusion-2 --max-depth 20 --relation simulated",
    states: States::Space,
};

fn by_search(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.columns(ALONE);
    for (part, rows) in [(FIRST, &TABLE_5_1_FIRST[..]), (SECOND, &TABLE_5_1_SECOND[..])] {
        for row in rows {
            fixed(laboratory, table, &part, row, Declared::Exact)?;
        }
    }
    unpublished(laboratory, table, &SECOND, "DD-5-BeFS-AN", NOT_ENDED)
}

fn shuffled(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note(format!("Over the seeds 1 to {}.", laboratory.repeat(SEEDS)));
    table.columns(SAMPLED);
    let parts: [(Part<'_>, &[Sampled]); 2] =
        [(FIRST, &TABLE_5_2_FIRST), (SECOND, &TABLE_5_2_SECOND)];
    for (part, rows) in parts {
        for row in rows {
            match part.name == SECOND.name && !laboratory.runs_long() {
                true => table.push(sampled_later(&part, row, &Declared::Within)),
                false => sampled(laboratory, table, &part, row, SEEDS, Declared::Within)?,
            }
        }
    }
    Ok(())
}

fn by_nodes(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.columns(ALONE);
    let scenario = "diffusion-1 --relation simulated";
    let part = Part { name: "", scenario, states: States::Space };
    for row in &TABLE_5_3 {
        chain(laboratory, table, &part, "DD-4-BeFS-AC", row)?;
    }
    Ok(())
}
