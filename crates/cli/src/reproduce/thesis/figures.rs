//! The counterexamples that Sobeih's thesis prints, event by event.

use super::{
    runs::{PublishedRun, RUNS},
    searches::{seeded, words},
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    listed::Listed,
    measured::Order,
    table::{Declared, MadeTable, Row},
};

pub(super) const FIGURES: &[Listed] = &[
    Listed {
        id: "000/figure-3.5",
        others: &["000/3.5", "000/figure-3.6", "000/3.6"],
        title: "a state space, and the order in which four searches visit it",
        seconds: 0,
        long_seconds: None,
        make: |_, table| {
            drawn(table);
            Ok(())
        },
    },
    Listed {
        id: "000/figure-6.2",
        others: &[],
        title: "ARQ, the counterexample",
        seconds: 1,
        long_seconds: None,
        make: |laboratory, table| run(laboratory, table, "6.2"),
    },
    Listed {
        id: "000/figure-B.1",
        others: &["000/B.1"],
        title: "AODV, counterexample 1",
        seconds: 1,
        long_seconds: None,
        make: |laboratory, table| run(laboratory, table, "B.1"),
    },
    Listed {
        id: "000/figure-B.2",
        others: &["000/B.2"],
        title: "AODV, counterexample 2",
        seconds: 1,
        long_seconds: None,
        make: |laboratory, table| run(laboratory, table, "B.2"),
    },
    Listed {
        id: "000/figure-B.3",
        others: &["000/B.3"],
        title: "AODV, counterexample 3",
        seconds: 1,
        long_seconds: None,
        make: |laboratory, table| run(laboratory, table, "B.3"),
    },
    Listed {
        id: "000/figure-C.1",
        others: &["000/C.1"],
        title: "directed diffusion, counterexample 1",
        seconds: 1,
        long_seconds: None,
        make: |laboratory, table| run(laboratory, table, "C.1"),
    },
    Listed {
        id: "000/figure-C.2",
        others: &["000/C.2"],
        title: "directed diffusion, counterexample 2",
        seconds: 1,
        long_seconds: None,
        make: |laboratory, table| run(laboratory, table, "C.2"),
    },
];

/// The drawings of a small state space.
fn drawn(table: &mut MadeTable) {
    table.note("`check SCENARIO --space FILE.svg` draws such figures of any small state space: numbers in the order of the visits, solid lines for tree events, dashed ones for non-tree events, dotted ones for deepest events.");
    table.columns(["figure", "edges and numbers"]);
    let why = "the text of the thesis gives the relations and the bound; the edges and the numbers are in the drawing alone, which was not at hand";
    for figure in ["Figure 3.5", "Figure 3.6"] {
        let drawing = Cell::only_published("a drawing");
        table.push(Row::new(figure.to_owned(), vec![drawing], Declared::NotReproducible(why)));
    }
}

/// The first seed by which events are shuffled so that the printed run comes out.
const SEED: u32 = 10;

/// A counterexample, event by event.
fn run(laboratory: &mut Laboratory<'_>, table: &mut MadeTable, figure: &str) -> Result<(), Halt> {
    let known = |run: &&PublishedRun| run.figure == figure;
    let Some(published) = RUNS.iter().find(known) else { return Ok(()) };
    let PublishedRun { search, scenario, relation, depth, events, .. } = *published;
    table.note(format!(
        "{scenario}, {search}, to depth {depth}. The printed states, as events in our words."
    ));
    table.columns(["step", "event"]);
    let options = seeded(&words(search).unwrap_or_default(), SEED);
    let words = format!("{scenario} {options} --relation {relation} --max-depth {depth}");
    let found = laboratory.search(&words, Order::FROM_SCRATCH)?.run;
    for place in 0..found.len().max(events.len()) {
        let own = found.get(place).map_or("nothing", String::as_str);
        let cell = Cell::compared(own).published(*events.get(place).unwrap_or(&"nothing"));
        table.push(Row::new((place + 1).to_string(), vec![cell], Declared::Exact));
    }
    Ok(())
}
