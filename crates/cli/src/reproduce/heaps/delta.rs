//! Tables 4.1 to 4.4: delta execution against standard execution.

use super::{
    Found, Job, maybe, median_text, not_now,
    published::{Delta, Printed, TABLES_4_1_TO_4_4},
    seconds, times,
};
use crate::{
    output::numbers::decimal,
    reproduce::{
        cell::Cell,
        laboratory::{Halt, Laboratory},
        listed::Listed,
        table::{Declared, MadeTable, Row},
        value::Unit,
    },
};

pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "001/4.1",
        others: &["001/4.2"],
        title: "Delta execution: states, executions and times",
        seconds: 10,
        long_seconds: Some(900),
        make: executions,
    },
    Listed {
        id: "001/4.3",
        others: &["001/4.4"],
        title: "Delta execution: where the time goes",
        seconds: 8,
        long_seconds: Some(600),
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

/// What was printed of one checker: both times, their ratio, and that of the memory.
fn printed(checker: &Printed) -> [Cell; 4] {
    let time = |place: usize| maybe(checker.seconds.map(|it| it[place]), Unit::Seconds);
    let times = maybe(checker.seconds.map(ratio), Unit::Times);
    [time(0), time(1), times, maybe(checker.memory, Unit::Times)]
}

fn executions(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note("Standard execution is `tracked`; delta executions are those of `delta-level`, which merges whole levels as published, and its times are those of `delta`, which merges by shape.");
    table.note("Times and memory in brackets are those of BOX (Table 4.2); those of JPF (Table 4.1) have columns of their own. Memory is that of standard execution, divided by that of delta execution.");
    table.columns([
        "subject, bound",
        "states",
        "executions",
        "delta executions",
        "standard",
        "delta",
        "ratio",
        "memory",
        "JPF: standard",
        "JPF: delta",
        "JPF: ratio",
        "JPF: memory",
    ]);
    let (mut ours, mut published) = (Vec::new(), Vec::new());
    for row in &TABLES_4_1_TO_4_4 {
        let executed = row.states * row.operations;
        let seconds_of = row.box_checker.seconds;
        let why = not_now(laboratory, row.states);
        if !row.is_known() || why.is_some() {
            let counts = [row.states, executed, row.paths].map(Cell::only_published);
            let both = [&row.box_checker, &row.jpf].map(printed);
            let cells = counts.into_iter().chain(both.into_iter().flatten()).collect();
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
        published.extend(seconds_of.map(ratio));
        let memory = standard.bytes as f64 / delta.bytes as f64;
        let cells = [
            Cell::compared(standard.expanded(row.bound)).published(row.states),
            Cell::compared(standard.executions).published(executed),
            Cell::compared(level.paths).published(row.paths),
            seconds(standard.seconds(), seconds_of.map(|it| it[0])),
            seconds(delta.seconds(), seconds_of.map(|it| it[1])),
            times(it, seconds_of.map(ratio)),
            times(memory, row.box_checker.memory),
        ];
        let cells = cells.into_iter().chain(printed(&row.jpf)).collect();
        table.push(Row::new(row.name(), cells, row.declared()));
    }
    if let Some(text) = median_text("Standard to delta execution", &ours, &published) {
        table.note(text);
    }
    Ok(())
}

/// Some parts of a time, as they were printed.
fn sum(parts: &[f64]) -> Cell {
    let parts: Vec<String> = parts.iter().map(|part| decimal(*part, 2)).collect();
    Cell::only_published(format!("{} s", parts.join(" + ")))
}

fn parts(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note("Delta execution is `delta-level`, which merges whole levels as published. In brackets what was published of BOX (Table 4.4).");
    table.note("Backtracking is a part of execution here: calls are undone by a log. JPF's times (Table 4.3) are those of execution, comparison, backtracking and merging.");
    table.columns([
        "subject, bound",
        "standard: execution",
        "comparison",
        "delta: execution",
        "comparison",
        "merging",
        "JPF: standard",
        "JPF: delta",
    ]);
    for row in &TABLES_4_1_TO_4_4 {
        let printed = row.box_checker.parts.map(|(standard, delta)| {
            // Execution with backtracking, comparison, and merging.
            [standard[0] + standard[2], standard[1], delta[0] + delta[2], delta[1], delta[3]]
        });
        let jpf = match &row.jpf.parts {
            Some((standard, delta)) => [sum(standard), sum(delta)],
            None => [Cell::nothing(), Cell::nothing()],
        };
        let why = not_now(laboratory, row.states);
        if !row.is_known() || why.is_some() {
            let cell = |place: usize| maybe(printed.map(|it| it[place]), Unit::Seconds);
            let cells = (0..5).map(cell).chain(jpf).collect();
            table.push(match why.filter(|_| row.is_known()) {
                Some(why) => Row::not_run(row.name(), cells, &Declared::Uncompared, why),
                None => Row::new(row.name(), cells, row.declared()),
            });
            continue;
        }
        let standard = row.job("tracked").explore(laboratory)?;
        let delta = row.job("delta-level").explore(laboratory)?;
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
        let cells = (0..5).map(cell).chain(jpf).collect();
        table.push(Row::new(row.name(), cells, Declared::Uncompared));
    }
    Ok(())
}
