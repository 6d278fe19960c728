//! Tables 3.4, 4.6 and 4.7: the AODV of the thesis, which cannot be made again.

use super::published::{Aodv, TABLE_3_4, TABLE_4_6};
use crate::reproduce::{
    cell::Cell,
    listed::Listed,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

pub(super) const MIXED: &[Listed] = &[Listed {
    id: "001/3.4",
    others: &[],
    title: "Mixed execution: AODV",
    seconds: 0,
    long_seconds: None,
    make: |_, table| {
        make(table, &TABLE_3_4, "mixed");
        Ok(())
    },
}];

pub(super) const DELTA: &[Listed] = &[Listed {
    id: "001/4.6",
    others: &["001/4.7"],
    title: "Delta execution: AODV",
    seconds: 0,
    long_seconds: None,
    make: |_, table| {
        make(table, &TABLE_4_6, "delta");
        Ok(())
    },
}];

/// Why there is nothing of ours.
const UNKNOWN: &str = "the initial states and the rules of this AODV are described in part: no variant that was tried has these states";

fn make(table: &mut MadeTable, rows: &[Aodv], other: &str) {
    table.note("AODV is explored in a space of its own, in which a handler is executed once for all states with the same node and input: `reproduce 000/4` has its tables.");
    table.columns(["bound", "states", "standard", other, "ratio"]);
    for &(bound, states, [standard, second]) in rows {
        let time = |it: f64| Cell::only_published(it).unit(Unit::Seconds).decimals(2);
        let ratio = Cell::only_published(standard / second).unit(Unit::Times).decimals(2);
        let cells = vec![Cell::only_published(states), time(standard), time(second), ratio];
        table.push(Row::new(bound.to_string(), cells, Declared::NotReproducible(UNKNOWN)));
    }
}
