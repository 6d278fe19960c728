//! Tables 8.2 and 8.6 with handlers that take as much of a search as they do in the thesis.
//!
//! In J-Sim, what a hit saves (executing an event, the hash code of a state and its assertion) is 78 % of a search from
//! scratch. Native handlers are a small part of it, so that hardly anything is left to save. Here handlers do as much work
//! besides their own as makes their share the published one. How much that is depends on the machine, so it is measured
//! first. It decides nothing but times: no clock is involved in what handlers do.

use super::{
    breakdowns::AODV_BREAKDOWN,
    flagged::{FlaggedRow, flagged},
    published::{FEWER_EVENTS, FLAGGED, Flagged, OTHER_STATES, SEQUENCES, Sequence},
    runs::{NATIVE, Totals, begin, percent, row, run, saved, seconds, times},
    versions::slowed_table,
};
use crate::reproduce::{
    cell::Cell,
    laboratory::{Halt, Laboratory},
    measured::Order,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

/// The parameter of scenarios is measured with this many rounds.
const PROBE: u32 = 1000;

/// How often what is measured is measured. Times are estimates from samples: one that is far off must not count.
const MEASURED: u32 = 5;

/// The search of Table 8.2.
fn search() -> &'static Flagged {
    &FLAGGED[0]
}

/// What the rows are.
const CONDITIONS: &str = "A condition is its right side divided by its left one: reuse can pay where that is more than one. Memoised handlers are executed once for each state of a node and each input, as in a search without --every-event.";

/// How handlers are executed.
struct Handlers {
    name: &'static str,
    /// In the words of `check`.
    words: String,
    /// How many rounds of arithmetic they do besides their own work.
    rounds: u32,
    /// Their share of a search from scratch, if it is known.
    share: Option<f64>,
}

impl Handlers {
    /// Once for each state of a node and each input, and as they are.
    fn memoised() -> Self {
        Self { name: "memoised", words: NATIVE.to_owned(), rounds: 0, share: None }
    }

    /// For every event.
    fn repeated(name: &'static str, rounds: u32, share: f64) -> Self {
        let words = format!("--every-event --set work={rounds}");
        Self { name, words, rounds, share: Some(share) }
    }
}

/// Times of handlers, and of all else, in seconds.
struct Cost {
    handlers: f64,
    rest: f64,
}

impl Cost {
    fn of(laboratory: &mut Laboratory<'_>, rounds: u32, repeat: u32) -> Result<Self, Halt> {
        let (mut handlers, mut rest) = (Vec::new(), Vec::new());
        for _ in 0..repeat {
            let words = format!("--every-event --stats --set work={rounds}");
            let found = run(laboratory, &search().version, &words, 1, Order::FROM_SCRATCH)?;
            let timings = found.timings.unwrap_or_default();
            handlers.push(timings.execution.as_secs_f64());
            rest.push(timings.total().saturating_sub(timings.execution).as_secs_f64());
        }
        Ok(Self { handlers: median(handlers), rest: median(rest) })
    }

    /// The share of handlers, if they do this many rounds besides, each of which takes this long.
    fn share(&self, rounds: u32, round: f64) -> f64 {
        let handlers = self.handlers + f64::from(rounds) * round;
        handlers / (handlers + self.rest)
    }
}

/// The one in the middle, of at least one.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The share of a search from scratch that hits save in the thesis.
fn published_share() -> f64 {
    AODV_BREAKDOWN.saved_share()
}

/// Handlers that are executed for every event: as they are, and such that they take the published share of the time.
fn calibrated(laboratory: &mut Laboratory<'_>) -> Result<[Handlers; 2], Halt> {
    let repeat = laboratory.repeat(MEASURED);
    let native = Cost::of(laboratory, 0, repeat)?;
    let slow = Cost::of(laboratory, PROBE, repeat)?;
    let round = ((slow.handlers - native.handlers) / f64::from(PROBE)).max(f64::MIN_POSITIVE);
    let share = published_share();
    let wanted = native.rest * share / (1.0 - share);
    // A number that is too large becomes the largest, and one below zero becomes zero.
    let rounds = ((wanted - native.handlers) / round).clamp(0.0, 1e6) as u32;
    let repeated = |(name, rounds)| Handlers::repeated(name, rounds, native.share(rounds, round));
    Ok([("for every event", 0), ("costly", rounds)].map(repeated))
}

/// Says what is done.
fn tell(table: &mut MadeTable) {
    let percent = 100.0 * published_share();
    table.note("Costly handlers are executed for every event (--every-event), and do rounds of arithmetic besides their own work (the parameter work).");
    table.note(format!("There are as many rounds as make handlers {percent:.1} % of a search from scratch: in Table 8.2, a hit saves that much by not executing an event, nor naming and judging its state."));
    table.note("How many that are is measured before, and decides nothing but times.");
}

/// Table 8.2, with native handlers and with costly ones.
pub(super) fn flagged_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
) -> Result<(), Halt> {
    let repeat = begin(laboratory, table);
    tell(table);
    table.note(CONDITIONS);
    let columns = search().saved.len();
    let modified = (0..columns).map(|number| format!("{number} modified"));
    table.columns(
        ["handlers", "rounds", "from scratch"].map(str::to_owned).into_iter().chain(modified),
    );
    let [native, costly] = calibrated(laboratory)?;
    laboratory.with_folder(|laboratory, folder| {
        for handlers in [Handlers::memoised(), native, costly] {
            let found = flagged(laboratory, folder, search(), &handlers.words, repeat)?;
            let rows = times_of(&handlers, &found).into_iter().chain(conditions_of(&found));
            for (what, first, cells, declared) in rows.chain([executed_of(&found)]) {
                let name = format!("{}: {what}", handlers.name);
                let cells = first.into_iter().chain(cells).collect();
                table.push(row(laboratory, name, cells, declared));
            }
        }
        Ok(())
    })
}

/// A row: what it is about, its first cells, one for each number of modified events, and what it should be.
type Cells = (&'static str, [Cell; 2], Vec<Cell>, Declared);

fn nothing() -> [Cell; 2] {
    [Cell::nothing(), Cell::nothing()]
}

/// A cell for each number of modified events, with the published number.
fn with_published(
    found: &FlaggedRow,
    of: impl Fn(&Totals) -> Cell,
    published: impl Iterator<Item = f64>,
) -> Vec<Cell> {
    found.reused.iter().map(of).zip(published).map(|(cell, it)| cell.published(it)).collect()
}

fn times_of(handlers: &Handlers, found: &FlaggedRow) -> Vec<Cells> {
    let Flagged { saved: published, seconds: published_seconds, .. } = search();
    let alone = found.scratch.seconds();
    let rounds = Cell::measured(handlers.rounds.into(), Unit::Plain, 0);
    let first = [rounds, seconds(alone, *published_seconds)];
    let of = |totals: &Totals| percent(saved(alone, totals.seconds()));
    let savings = with_published(found, of, published.iter().copied());
    let of = |totals: &Totals| times(alone / totals.seconds());
    let faster = published.iter().map(|saved| 100.0 / (100.0 - saved));
    let faster = with_published(found, of, faster);
    let mut rows = vec![
        ("time saved", first, savings, Declared::Uncompared),
        ("times as fast", nothing(), faster, Declared::Uncompared),
    ];
    if let Some(share) = handlers.share {
        let share = Cell::measured(share, Unit::Plain, 2).published(published_share());
        let cells = found.reused.iter().map(|_| Cell::nothing()).collect();
        rows.push(("share of the time", [Cell::nothing(), share], cells, Declared::Uncompared));
    }
    rows
}

/// The right side of each condition by the left one: it holds if that is more than one.
fn conditions_of(found: &FlaggedRow) -> [Cells; 2] {
    let of = |totals: &Totals| {
        let ratio = totals.reckoning().and_then(|it| Some(it.gain()? / it.cost()?));
        ratio.map_or(Cell::nothing(), times)
    };
    let own = found.reused.iter().map(of).collect();
    let of = |totals: &Totals| {
        let ratio = totals.reckoning().and_then(|it| Some(it.thesis_gain()? / it.thesis_cost()?));
        ratio.map_or(Cell::nothing().unit(Unit::Times).decimals(2), times)
    };
    let published = (1..).zip(search().modified);
    let published = published.map(|(column, q)| AODV_BREAKDOWN.gain_by_cost(column, search(), *q));
    let thesis = with_published(found, of, published);
    [
        ("condition", nothing(), own, Declared::Uncompared),
        ("condition of the thesis", nothing(), thesis, Declared::Uncompared),
    ]
}

fn executed_of(found: &FlaggedRow) -> Cells {
    let all = [&found.scratch].into_iter().chain(&found.reused);
    let cell = |(totals, printed): (&Totals, &u64)| {
        Cell::compared(totals.mean_executed()).published(*printed)
    };
    let mut cells = all.zip(AODV_BREAKDOWN.executed).map(cell);
    let first = [Cell::nothing(), cells.next().unwrap_or(Cell::nothing())];
    ("executed events", first, cells.collect(), Declared::Different(FEWER_EVENTS))
}

/// Table 8.6, with costly handlers.
pub(super) fn sequence_table(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
) -> Result<(), Halt> {
    tell(table);
    let [_, costly] = calibrated(laboratory)?;
    let all: Vec<&'static Sequence> = SEQUENCES.iter().filter(|it| it.table == "8.6").collect();
    // The first version is C or B; the thesis says of both that they are much the same.
    let long = laboratory.runs_long();
    let (run, skipped) =
        all.into_iter().enumerate().partition::<Vec<_>, _>(|(place, _)| long || place % 2 == 0);
    slowed_table(laboratory, table, &costly.words, run.into_iter().map(|(_, it)| it))?;
    for (_, sequence) in skipped {
        let nothing = (1..table.titles().len()).map(|_| Cell::nothing()).collect();
        table.push(Row::not_run(
            sequence.name,
            nothing,
            &Declared::Different(OTHER_STATES),
            "--long",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 78 %, as the thesis says of Table 8.2.
    #[test]
    fn the_published_share_is_that_of_the_text() {
        assert!((published_share() - 0.7814).abs() < 1e-4, "{}", published_share());
    }

    #[test]
    fn handlers_that_do_more_have_a_larger_share() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        let cost = Cost { handlers: 1.0, rest: 3.0 };
        assert_eq!([0, 2, 8].map(|rounds| cost.share(rounds, 1.0)), [0.25, 0.5, 0.75]);
    }
}
