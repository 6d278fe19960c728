//! What tables of Sobeih's thesis have in common: a search per row, fixed or over seeds, or one with more and more nodes.

use super::{
    published::{Chain, Fixed, Range, Sampled},
    searches::{seeded, space, words},
};
use crate::{
    output::numbers::{decimal, grouped},
    reproduce::{
        cell::Cell,
        laboratory::{Halt, Laboratory, TAKES_LONG, by_plain_engine},
        measured::{Measured, Order},
        table::{Declared, MadeTable, Row},
        value::Unit,
    },
};

/// What a table counts as states.
#[derive(Clone, Copy)]
pub(super) enum States {
    /// Those that are stored.
    Stored,
    /// Those that are stored, and those that wait to be explored.
    Space,
}

impl States {
    fn of(self, search: &str, found: &Measured) -> u64 {
        match self {
            Self::Stored => found.states,
            Self::Space => space(search, found),
        }
    }
}

/// Rows of one scenario.
pub(super) struct Part<'a> {
    /// What the names of rows begin with.
    pub(super) name: &'a str,
    /// The scenario and its options, in the words of `check`.
    pub(super) scenario: &'a str,
    pub(super) states: States,
}

/// Why means are not compared.
pub(super) const OTHER_SEEDS: &str = "fewer or more seeds than published";

/// The columns of searches that are compared with JPF.
pub(super) const BESIDE_JPF: [&str; 6] = [
    "search",
    "states",
    "events",
    "time (J-Sim)",
    "plain engine (JPF)",
    "plain : usual (JPF : J-Sim)",
];

/// Rows with more published events are searched by the plain engine with `--long` only.
const PLAIN_EVENTS: u64 = 200_000;

/// What the columns of JPF are.
pub(super) fn note_plain(
    laboratory: &Laboratory<'_>,
    table: &mut MadeTable,
    mut events: impl Iterator<Item = u64>,
) {
    table.note("JPF's times are beside those of the plain engine (`--engine plain`), which works as a general-purpose checker does. It makes the same search: the same states by the same events, or the command ends with an error.");
    if !laboratory.runs_long() && events.any(|events| events > PLAIN_EVENTS) {
        let most = grouped(PLAIN_EVENTS);
        table.note(format!("With more than {most} events it searches with `--long` only."));
    }
}

/// The columns of other searches.
pub(super) const ALONE: [&str; 4] = ["search", "states", "events", "time"];

/// The columns of searches over seeds.
pub(super) const SAMPLED: [&str; 6] =
    ["search", "mean states", "states", "mean events", "events", "mean time"];

/// One search without random numbers.
pub(super) fn fixed(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    part: &Part<'_>,
    row: &Fixed,
    declared: Declared,
) -> Result<(), Halt> {
    let Fixed { search, states, events, jpf_seconds, seconds } = *row;
    let words = format!("{} {}", part.scenario, words(search).unwrap_or_default());
    let found = laboratory.search(&words, Order::FROM_SCRATCH)?;
    let counts = [part.states.of(search, &found), found.counts.events];
    let cells = counted(counts, [states, events]);
    let times = timed(laboratory, &words, &found, events, (seconds, jpf_seconds))?;
    let cells = cells.chain(times).collect();
    table.push(Row::new(format!("{}, {search}", part.name), cells, declared));
    Ok(())
}

/// The same search with some number of nodes.
pub(super) fn chain(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    part: &Part<'_>,
    search: &str,
    row: &Chain,
) -> Result<(), Halt> {
    let Chain { nodes, depth, states, events, jpf_seconds, seconds } = *row;
    let options = words(search).unwrap_or_default();
    let words = format!("{} --set nodes={nodes} --max-depth {depth} {options}", part.scenario);
    let found = laboratory.search(&words, Order::FROM_SCRATCH)?;
    let counts = [part.states.of(search, &found), found.counts.events];
    let cells = counted(counts, [states, events]);
    let times = timed(laboratory, &words, &found, events, (seconds, jpf_seconds))?;
    let cells = cells.chain(times).collect();
    table.push(Row::new(format!("{nodes} nodes"), cells, Declared::Exact));
    Ok(())
}

fn counted(ours: [u64; 2], published: [u64; 2]) -> impl Iterator<Item = Cell> {
    let pairs = ours.into_iter().zip(published);
    pairs.map(|(ours, published)| Cell::compared(ours).published(published))
}

/// Our time, and where that of JPF was published, the time of the plain engine for the same search.
fn timed(
    laboratory: &mut Laboratory<'_>,
    words: &str,
    found: &Measured,
    events: u64,
    (seconds, jpf_seconds): (f64, Option<f64>),
) -> Result<Vec<Cell>, Halt> {
    let time = found.time.as_secs_f64();
    let mut cells = vec![Cell::measured(time, Unit::Seconds, 3).published(seconds)];
    let Some(jpf) = jpf_seconds else { return Ok(cells) };
    let cell = |ours: Option<f64>, unit, decimals, published: f64| match ours {
        Some(ours) => Cell::measured(ours, unit, decimals).published(published),
        None => Cell::only_published(published).unit(unit).decimals(decimals),
    };
    let mut plain_time = None;
    if events <= PLAIN_EVENTS || laboratory.runs_long() {
        let plain = laboratory.search(&by_plain_engine(words), Order::FROM_SCRATCH)?;
        found.ensure_same(&plain, words);
        plain_time = Some(plain.time.as_secs_f64());
    }
    cells.push(cell(plain_time, Unit::Seconds, 3, jpf));
    cells.push(cell(plain_time.map(|it| it / time), Unit::Times, 2, jpf / seconds));
    Ok(cells)
}

/// A search of which nothing was published, and why.
pub(super) fn unpublished(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    part: &Part<'_>,
    search: &str,
    why: &'static str,
) -> Result<(), Halt> {
    let options = words(search).unwrap_or_default();
    let found = laboratory.search(&format!("{} {options}", part.scenario), Order::FROM_SCRATCH)?;
    let cells = vec![
        Cell::shown(part.states.of(search, &found)),
        Cell::shown(found.counts.events),
        Cell::measured(found.time.as_secs_f64(), Unit::Seconds, 3),
    ];
    let name = format!("{}, {search}", part.name);
    table.push(Row::new(name, cells, Declared::NotReproducible(why)));
    Ok(())
}

/// One search over seeds that takes long, and is not run unless asked for.
pub(super) fn sampled_later(part: &Part<'_>, row: &Sampled, declared: &Declared) -> Row {
    let Sampled { search, seconds, states, events } = row;
    let mean = |range: &Range| Cell::only_published(range[2]).decimals(1);
    let cells = vec![
        mean(states),
        Cell::only_published(range(states[0], states[1])),
        mean(events),
        Cell::only_published(range(events[0], events[1])),
        Cell::only_published(seconds[2]).unit(Unit::Seconds).decimals(4),
    ];
    Row::not_run(format!("{}, {search}", part.name), cells, declared, TAKES_LONG)
}

/// One search over seeds, as many as published.
pub(super) fn sampled(
    laboratory: &mut Laboratory<'_>,
    table: &mut MadeTable,
    part: &Part<'_>,
    row: &Sampled,
    published_seeds: u32,
    declared: Declared,
) -> Result<(), Halt> {
    let Sampled { search, seconds, states, events } = row;
    let options = words(search).unwrap_or_default();
    let words = format!("{} {options}", part.scenario);
    let repeat = laboratory.repeat(published_seeds);
    let searches: Vec<String> = (1..=repeat).map(|seed| seeded(&words, seed)).collect();
    let found = laboratory.searches(&searches)?;
    let own_states: Vec<f64> = found.iter().map(|run| part.states.of(search, run) as f64).collect();
    let own_events: Vec<f64> = found.iter().map(|run| run.counts.events as f64).collect();
    let time = found.iter().map(|run| run.time.as_secs_f64()).sum::<f64>() / f64::from(repeat);
    let mean = |values: &[f64], range: &Range| {
        Cell::sampled(values, published_seeds as usize).published(range[2])
    };
    let cells = vec![
        mean(&own_states, states),
        between(&own_states, states),
        mean(&own_events, events),
        between(&own_events, events),
        Cell::measured(time, Unit::Seconds, 4).published(seconds[2]),
    ];
    let name = format!("{}, {search}", part.name);
    table.push(match repeat == published_seeds {
        true => Row::new(name, cells, declared),
        false => Row::reduced(name, cells, &declared, OTHER_SEEDS),
    });
    Ok(())
}

/// The least and the most: of two samples they are never compared.
fn between(values: &[f64], [least, most, _]: &Range) -> Cell {
    let own_least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let own_most = values.iter().copied().fold(0.0, f64::max);
    Cell::shown(range(own_least, own_most)).published(range(*least, *most))
}

fn range(least: f64, most: f64) -> String {
    format!("{} to {}", decimal(least, 0), decimal(most, 0))
}
