//! Table 4.5: matching by shape, with ten seeds.

use std::{collections::HashSet, time::Instant};

use everypath_explore::{Measured, Space, StateId};

use super::{
    Job, not_now,
    published::{Abstract, TABLE_4_5},
    seconds, times,
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    listed::Listed,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

pub(super) const TABLES: &[Listed] = &[Listed {
    id: "001/4.5",
    others: &[],
    title: "Matching by shape: heaps that differ in their data alone are the same",
    seconds: 5,
    long_seconds: Some(120),
    make,
}];

/// Over how many seeds the table is.
const SEEDS: u64 = 10;
/// Why numbers are others.
const ORDER: &str = "which states are missed depends on the order of the calls, which was drawn and is not published";

/// What the explorations with all seeds have found and cost.
#[derive(Default)]
struct All {
    shapes: HashSet<u64>,
    executions: u64,
    paths: u64,
    seconds: f64,
}

impl Abstract {
    fn explore(&self, laboratory: &mut Laboratory<'_>, mode: &'static str) -> Result<All, Halt> {
        let without = (self.subject == "treemap").then_some("get");
        let mut all = All::default();
        for seed in 1..=SEEDS {
            let (subject, bound) = (self.subject, self.bound);
            let job = Job { subject, bound, mode, without, seed: Some(seed) };
            job.with_space(laboratory, |laboratory, space| {
                let started = Instant::now();
                let mut level = Vec::new();
                space.initial(&mut level);
                let mut seen: HashSet<StateId> = level.iter().copied().collect();
                let mut steps = Vec::new();
                for depth in 0..bound {
                    laboratory.tell(&format!("{subject} {bound}, seed {seed}, depth {depth}"))?;
                    all.shapes.extend(level.iter().filter_map(|&state| space.shape(state)));
                    steps.clear();
                    space.expand(&level, &mut steps);
                    all.executions += steps.len() as u64;
                    let new = steps.iter().map(|step| step.target).filter(|it| seen.insert(*it));
                    level = new.collect();
                    level.sort_unstable();
                }
                all.paths += space.handler_executions();
                let judging = space.phases().unwrap_or_default().judging;
                all.seconds += started.elapsed().saturating_sub(judging).as_secs_f64();
                Ok(())
            })?;
        }
        Ok(all)
    }
}

fn make(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note(format!("States are the shapes that were met with any of the seeds 1 to {SEEDS}; executions are summed. Both ways find the same here."));
    table.note("The delta executions that were printed are fewer than one seed needs, and cannot be compared.");
    table.columns([
        "subject, bound",
        "states",
        "executions",
        "delta states",
        "delta executions",
        "standard",
        "delta",
        "ratio",
    ]);
    for row in &TABLE_4_5 {
        let name = format!("{} {}", row.subject, row.bound);
        // One shape for each size.
        let is_exact = row.subject == "binheap";
        let declared = if is_exact { Declared::Exact } else { Declared::NotReproducible(ORDER) };
        let [standard, delta] = row.seconds;
        // As many executions as in each state of the other tables, about.
        if let Some(why) = not_now(laboratory, row.executions / 20) {
            let cells = vec![
                Cell::only_published(row.shapes),
                Cell::only_published(row.executions),
                Cell::only_published(row.delta_shapes),
                Cell::only_published(row.delta_executions),
                Cell::only_published(standard).unit(Unit::Seconds).decimals(2),
                Cell::only_published(delta).unit(Unit::Seconds).decimals(2),
                Cell::only_published(standard / delta).unit(Unit::Times).decimals(2),
            ];
            table.push(Row::not_run(name, cells, &declared, why));
            continue;
        }
        let tracked = row.explore(laboratory, "tracked")?;
        let by_shape = row.explore(laboratory, "delta")?;
        assert!(tracked.shapes == by_shape.shapes, "all modes find the same states");
        let cell = |ours: u64| if is_exact { Cell::compared(ours) } else { Cell::shown(ours) };
        let cells = vec![
            cell(tracked.shapes.len() as u64).published(row.shapes),
            cell(tracked.executions).published(row.executions),
            cell(by_shape.shapes.len() as u64).published(row.delta_shapes),
            Cell::shown(by_shape.paths).published(row.delta_executions),
            seconds(tracked.seconds, Some(standard)),
            seconds(by_shape.seconds, Some(delta)),
            times(tracked.seconds / by_shape.seconds, Some(standard / delta)),
        ];
        table.push(Row::new(name, cells, declared));
    }
    Ok(())
}
