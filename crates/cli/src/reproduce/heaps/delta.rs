//! Tables 4.1 to 4.4: delta execution against standard execution.

use super::{
    Found, Job, maybe, median_text, not_now,
    published::{Delta, TABLES_4_1_TO_4_4},
    seconds, times,
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    listed::Listed,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "001/4.1",
        others: &["001/4.2"],
        title: "Delta execution: states, executions and times",
        seconds: 40,
        long_seconds: Some(900),
        make: executions,
    },
    Listed {
        id: "001/4.3",
        others: &["001/4.4"],
        title: "Delta execution: where the time goes",
        seconds: 40,
        long_seconds: Some(900),
        make: parts,
    },
];

/// Why numbers are others, or cannot be made.
const FILE_SYSTEM: &str = "the source of the file system is not public, and its 36 calls for each value are not described";
const HEAP_ARRAY: &str = "how the published heap is stored is not known: of all variants that were tried this is the nearest";

impl Delta {
    fn name(&self) -> String {
        format!("{} {}", self.subject, self.bound)
    }

    fn declared(&self) -> Declared {
        match self.subject {
            "filesystem" => Declared::NotReproducible(FILE_SYSTEM),
            "heaparray" => Declared::Different(HEAP_ARRAY),
            _ => Declared::Exact,
        }
    }

    fn is_known(&self) -> bool {
        self.subject != "filesystem"
    }

    fn job(&self, mode: &'static str) -> Job {
        // The published red-black tree was explored without look-ups.
        let without = (self.subject == "treemap").then_some("get");
        Job { subject: self.subject, bound: self.bound, mode, without, seed: None }
    }
}

fn ratio([first, second]: [f64; 2]) -> f64 {
    first / second
}

fn executions(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note("Standard execution is `tracked`; delta executions are those of `delta-level`, which merges whole levels as published, and its times are those of `delta`, which merges by shape.");
    table.note("In brackets what was published of BOX; JPF's ratio is only published.");
    table.columns([
        "subject, bound",
        "states",
        "executions",
        "delta executions",
        "standard",
        "delta",
        "ratio",
        "JPF's ratio",
        "memory",
    ]);
    let (mut ours, mut published) = (Vec::new(), Vec::new());
    for row in &TABLES_4_1_TO_4_4 {
        let executed = row.states * row.operations;
        let jpf = maybe(row.jpf.seconds.map(ratio), Unit::Times);
        let printed = row.box_checker.seconds;
        let known_ratio = printed.map(ratio);
        let why = not_now(laboratory, row.states);
        if !row.is_known() || why.is_some() {
            let cells = vec![
                Cell::only_published(row.states),
                Cell::only_published(executed),
                Cell::only_published(row.paths),
                maybe(printed.map(|it| it[0]), Unit::Seconds),
                maybe(printed.map(|it| it[1]), Unit::Seconds),
                maybe(known_ratio, Unit::Times),
                jpf,
                maybe(row.box_checker.memory, Unit::Times),
            ];
            table.push(match why.filter(|_| row.is_known()) {
                Some(why) => Row::not_run(row.name(), cells, &row.declared(), why),
                None => Row::new(row.name(), cells, row.declared()),
            });
            continue;
        }
        let standard = row.job("tracked").fastest(laboratory, row.states)?;
        let delta = row.job("delta").fastest(laboratory, row.states)?;
        let level = row.job("delta-level").explore(laboratory)?;
        assert!(standard.levels == delta.levels && standard.levels == level.levels, "same states");
        let it = standard.seconds() / delta.seconds();
        ours.push(it);
        published.extend(known_ratio);
        let memory = standard.bytes as f64 / delta.bytes as f64;
        let cells = vec![
            Cell::compared(standard.expanded(row.bound)).published(row.states),
            Cell::compared(standard.executions).published(executed),
            Cell::compared(level.paths).published(row.paths),
            seconds(standard.seconds(), printed.map(|it| it[0])),
            seconds(delta.seconds(), printed.map(|it| it[1])),
            times(it, known_ratio),
            jpf,
            times(memory, row.box_checker.memory),
        ];
        table.push(Row::new(row.name(), cells, row.declared()));
    }
    if let Some(text) = median_text("Standard to delta execution", &ours, &published) {
        table.note(text);
    }
    Ok(())
}

fn parts(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note("Delta execution is `delta-level`, which merges whole levels as published. In brackets what was published of BOX (Table 4.4); Table 4.3 has the same of JPF.");
    table.note("Backtracking is a part of execution here: calls are undone by a log.");
    table.columns([
        "subject, bound",
        "standard: execution",
        "comparison",
        "delta: execution",
        "comparison",
        "merging",
    ]);
    for row in &TABLES_4_1_TO_4_4 {
        let printed = row.box_checker.parts.map(|(standard, delta)| {
            // Execution with backtracking, comparison, and merging.
            [standard[0] + standard[2], standard[1], delta[0] + delta[2], delta[1], delta[3]]
        });
        let why = not_now(laboratory, row.states);
        if !row.is_known() || why.is_some() {
            let cell = |place: usize| maybe(printed.map(|it| it[place]), Unit::Seconds);
            let cells = (0..5).map(cell).collect();
            table.push(match why.filter(|_| row.is_known()) {
                Some(why) => Row::not_run(row.name(), cells, &Declared::Uncompared, why),
                None => Row::new(row.name(), cells, row.declared()),
            });
            continue;
        }
        let standard = row.job("tracked").fastest(laboratory, row.states)?;
        let delta = row.job("delta-level").fastest(laboratory, row.states)?;
        let executing = |it: &Found| it.phases.executing.as_secs_f64();
        let comparing = |it: &Found| it.phases.comparing.as_secs_f64();
        let measured = [
            executing(&standard),
            comparing(&standard),
            executing(&delta),
            comparing(&delta),
            delta.phases.merging.as_secs_f64(),
        ];
        let cell = |place: usize| seconds(measured[place], printed.map(|it| it[place]));
        table.push(Row::new(row.name(), (0..5).map(cell).collect(), Declared::Uncompared));
    }
    Ok(())
}
