//! The paper at MEMOCODE 2004 (`docs/references.md`): ARQ whose acknowledgements carry no number.

mod maude;

use super::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    listed::Listed,
    measured::{Measured, Order},
    table::{Declared, MadeTable, Row},
    value::Unit,
};
use maude::{Answer, LIMITS};

pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "004/1",
        others: &[],
        title: "ARQ, the time to find the error",
        seconds: 1,
        long_seconds: None,
        make: times,
    },
    Listed {
        id: "004/2",
        others: &[],
        title: "ARQ, the length of the run to the error",
        seconds: 1,
        long_seconds: None,
        make: lengths,
    },
];

/// With or without losses of acknowledgements, and the published milliseconds: breadth-first, best-first, and Maude's by
/// limit.
const TABLE_1: [(bool, [f64; 5]); 2] =
    [(true, [16.8, 12.4, 23.4, 32.2, 119.0]), (false, [14.0, 10.0, 20.2, 26.4, 113.8])];

/// The published lengths, in states, without losses of acknowledgements.
const TABLE_2: [u64; 5] = [9, 11, 19, 199, 1999];

const COLUMNS: [&str; 6] =
    ["", "breadth-first", "best-first", "Maude, 10", "Maude, 100", "Maude, 1000"];

const UNKNOWN_TIES: &str = "the paper does not say which of equally good states comes first; with the oldest first, best-first search finds a shortest run";

const OURS: &str = "Searches have no depth bound. Of equally good states the oldest comes first.";
const MAUDE_ALONE: &str =
    "Maude's columns have the limit on data frames; without one, Maude found nothing.";
const NO_MAUDE: &str =
    "There is no `maude` on the PATH: its columns are those that were published.";

fn times(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    let answers = begin(laboratory, table, &[true, false])?;
    for ((loses, published), maude) in TABLE_1.into_iter().zip(answers) {
        let found = searches(laboratory, loses)?;
        let ours = found.iter().map(|found| Some(found.time.as_secs_f64()));
        let ours = ours.chain(maude.into_iter().map(|it| it.map(|it| it.time.as_secs_f64())));
        let cells = ours.zip(published).map(|(ours, published)| {
            let cell = match ours {
                Some(ours) => Cell::measured(ours, Unit::Seconds, 4),
                None => Cell::nothing().unit(Unit::Seconds).decimals(4),
            };
            cell.published(published / 1000.0)
        });
        table.push(Row::new(row_name(loses), cells.collect(), Declared::Uncompared));
    }
    Ok(())
}

fn lengths(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    let answers = begin(laboratory, table, &[false])?;
    for maude in answers {
        let found = searches(laboratory, false)?;
        let ours = found.iter().map(|found| Some(found.run.len() as u64 + 1));
        let ours = ours.chain(maude.into_iter().map(|it| it.map(|it| it.states)));
        let cells = ours.zip(TABLE_2).map(|(ours, published)| match ours {
            Some(ours) => Cell::compared(ours).published(published),
            None => Cell::only_published(published),
        });
        table.push(Row::new(row_name(false), cells.collect(), Declared::Different(UNKNOWN_TIES)));
    }
    Ok(())
}

fn row_name(loses: bool) -> &'static str {
    if loses { "acknowledgements get lost" } else { "acknowledgements are not lost" }
}

/// Says what a table needs to have said, and asks Maude, with or without losses of acknowledgements.
fn begin(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    losses: &[bool],
) -> Result<Vec<[Option<Answer>; LIMITS.len()]>, Halt> {
    laboratory.tell("maude")?;
    let answers: Vec<_> =
        losses.iter().map(|&loses| LIMITS.map(|most| maude::ask(loses, most))).collect();
    table.note(OURS);
    let found = answers.iter().flatten().any(Option::is_some);
    table.note(if found { MAUDE_ALONE } else { NO_MAUDE });
    table.columns(COLUMNS);
    Ok(answers)
}

/// Breadth-first and best-first, by the procedure of the paper.
fn searches(laboratory: &mut Laboratory<'_>, loses: bool) -> Result<[Measured; 2], Halt> {
    let common = "arq --set numbered-acks=false --profile thesis --add twice --max-depth none";
    let disabled = if loses { "" } else { " --disable lose@0" };
    let mut search = |strategy: &str| {
        laboratory.search(&format!("{common} {strategy}{disabled}"), Order::FROM_SCRATCH)
    };
    Ok([search("--strategy bfs")?, search("--strategy best --ranking arq-1 --ties oldest")?])
}
