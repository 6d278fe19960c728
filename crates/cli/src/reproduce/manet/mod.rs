//! The experiments of Kojima, Nagashima and Tsuchiya on route discovery (`docs/references.md`).

mod explorations;
mod patterns;
mod published;

use std::{collections::BTreeSet, time::Duration};

use self::{
    explorations::{Found, Prepared, with_scenario},
    patterns::PACKETS,
    published::{
        AT_BEGINNING, AUDIENCES, FIVE_NODES, FORWARDER, LOOPS, PublishedRow, PublishedSearch,
        SEARCHES,
    },
};
use super::{
    cell::Cell,
    laboratory::{Halt, Laboratory, TAKES_LONG},
    listed::Listed,
    table::{Declared, MadeTable, Row},
    value::Unit,
};

/// The tables of the article.
pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "002/2",
        others: &[],
        title: "audiences of a broadcast, of two nodes at most",
        seconds: 1,
        long_seconds: None,
        make: audiences,
    },
    Listed {
        id: "002/4",
        others: &["002/5", "002/6", "002/7", "002/8", "002/9"],
        title: "patterns of routes when a trial begins",
        seconds: 1,
        long_seconds: None,
        make: beginnings,
    },
    Listed {
        id: "002/10",
        others: &[],
        title: "the pattern of a forwarder after a packet",
        seconds: 2,
        long_seconds: None,
        make: changes,
    },
    Listed {
        id: "002/11",
        others: &["002/12", "002/13"],
        title: "three trials",
        seconds: 2,
        long_seconds: None,
        make: searches,
    },
    Listed {
        id: "002/14",
        others: &[],
        title: "three trials of five nodes",
        seconds: 0,
        long_seconds: Some(30),
        make: five_nodes,
    },
    Listed {
        id: "002/15",
        others: &[],
        title: "the first loop with routes that are discarded",
        seconds: 1,
        long_seconds: None,
        make: loops,
    },
];

/// How often each search is made, for its mean time.
const REPEAT: u32 = 3;

/// The columns of searches.
const SEARCHED: [&str; 7] =
    ["explored", "instances", "each", "states", "distinct", "time", "memory"];

/// Why states are others.
const OTHER_MODEL: &str = "the article's model is not printed, and has other states: a broadcast is many steps there, and one here";
const REDUCED: &str = "--quick explores fewer nodes";

/// The ways to explore three trials.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    ByPatterns,
    Full,
    Cut,
}

impl Way {
    const ALL: [Self; 3] = [Self::ByPatterns, Self::Full, Self::Cut];

    fn name(self) -> &'static str {
        match self {
            Self::ByPatterns => "last trial by patterns",
            Self::Full => "all trials",
            Self::Cut => "all trials cut at the last",
        }
    }

    fn run(self, prepared: &Prepared<'_>) -> Result<Found, Halt> {
        match self {
            Self::ByPatterns => prepared.by_patterns(),
            Self::Full => prepared.full(),
            Self::Cut => prepared.cut(),
        }
    }

    fn published(self, row: &'static PublishedRow) -> Option<&'static PublishedSearch> {
        match self {
            Self::ByPatterns => Some(&row.by_patterns),
            Self::Full => Some(&row.full),
            Self::Cut => None,
        }
    }
}

/// How many nodes there are at most, and with `--quick`, where everything is explored.
const NODES: u32 = 4;
const QUICK_NODES: u32 = 3;

fn most_nodes(laboratory: &Laboratory<'_>) -> u32 {
    if laboratory.is_quick() { QUICK_NODES } else { NODES }
}

fn audiences(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.columns(["nodes", "audiences"]);
    let (known, published) = AUDIENCES;
    for nodes in 2..=5 {
        laboratory.tell("audiences")?;
        let words = format!("route-discovery --set nodes={nodes}");
        let found = with_scenario(laboratory.entries(), &words, |prepared| {
            prepared.first_events().map_err(Halt::from)
        })?;
        let is_known = nodes == known;
        let cell = Cell::compared(found).maybe_published(is_known.then_some(published));
        let declared = if is_known { Declared::Exact } else { Declared::Uncompared };
        table.push(Row::new(nodes.to_string(), vec![cell], declared));
    }
    Ok(())
}

fn beginnings(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    let nodes = most_nodes(laboratory);
    table.note(format!("With {nodes} nodes."));
    table.columns(["trial", "forwarder", "destination"]);
    for (trial, published) in (1..).zip(AT_BEGINNING) {
        laboratory.tell("beginnings of trials")?;
        let words = format!("route-discovery --set nodes={nodes} --set trials={trial}");
        let found = with_scenario(laboratory.entries(), &words, patterns::beginning)?;
        let cells = found.iter().zip(published);
        let cells = cells
            .map(|(own, published)| Cell::compared(listed(own)).published(published.join(" ")));
        table.push(Row::new(format!("{trial}"), cells.collect(), Declared::Exact));
    }
    Ok(())
}

fn changes(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    let nodes = most_nodes(laboratory);
    table.note(format!(
        "With {nodes} nodes, as in Tables 4 to 6 and 10. What never happens has no value of ours."
    ));
    let packets = PACKETS.map(|(kind, trial)| format!("{} {trial}", kind.to_lowercase()));
    table.columns(["before".to_owned()].into_iter().chain(packets));
    laboratory.tell("changes of patterns")?;
    let words = format!("route-discovery --set nodes={nodes}");
    let found = with_scenario(laboratory.entries(), &words, patterns::changes)?;
    for (before, published) in FORWARDER {
        let cell = |(packet, published): (usize, Option<&'static str>)| {
            let after = found.get(&(before.to_owned(), packet));
            match (after, published) {
                (Some(after), published) => {
                    Cell::compared(listed(after)).maybe_published(published)
                }
                (None, Some(published)) => Cell::only_published(published),
                (None, None) => Cell::nothing(),
            }
        };
        let cells: Vec<Cell> = published.into_iter().enumerate().map(cell).collect();
        let happens = cells.iter().any(|cell| cell.agrees().is_some());
        let declared = if happens { Declared::Exact } else { Declared::Uncompared };
        table.push(Row::new(before, cells, declared));
    }
    Ok(())
}

fn searches(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note(laboratory.means_of(laboratory.repeat(REPEAT)));
    table.columns(SEARCHED);
    for row in &SEARCHES {
        for way in Way::ALL {
            let name = format!("{} nodes, {}", row.nodes, way.name());
            let published = way.published(row);
            let declared = match published {
                Some(_) => Declared::Different(OTHER_MODEL),
                None => Declared::Uncompared,
            };
            if row.nodes > most_nodes(laboratory) {
                let cells = vec![Cell::nothing(); 6];
                table.push(Row::not_run(name, cells, &declared, REDUCED));
                continue;
            }
            let words = format!("route-discovery --set nodes={}", row.nodes);
            let found = repeated(laboratory, &name, &words, |prepared| way.run(prepared))?;
            table.push(Row::new(name, found.row(row.instances, published), declared));
        }
    }
    Ok(())
}

fn five_nodes(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note("All trials are explored with the reductions `obsolete` and `audiences`: unreduced, they do not fit into the memory of the machine here, either.");
    table.columns(SEARCHED);
    let row = &FIVE_NODES;
    let reduced = (Way::Full, ", reduced", " --reduce obsolete,audiences");
    for (way, how, options) in [(Way::ByPatterns, "", ""), reduced] {
        let published = way.published(row);
        let name = format!("{} nodes, {}{how}", row.nodes, way.name());
        let declared = Declared::Different(OTHER_MODEL);
        if !laboratory.runs_long() {
            table.push(Row::not_run(name, way.unknown(row), &declared, TAKES_LONG));
            continue;
        }
        laboratory.tell(&name)?;
        let words = format!("route-discovery --set nodes={}{options}", row.nodes);
        let found = with_scenario(laboratory.entries(), &words, |prepared| way.run(prepared))?;
        table.push(Row::new(name, found.row(row.instances, published), declared));
    }
    Ok(())
}

fn loops(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note(laboratory.means_of(laboratory.repeat(REPEAT)));
    table.columns(["nodes", "steps", "states", "time", "memory"]);
    for (nodes, published) in &LOOPS {
        let words = format!("route-discovery-expiring --set nodes={nodes}");
        let name = nodes.to_string();
        let found = repeated(laboratory, &name, &words, |prepared| prepared.full())?;
        let steps = found.steps.map_or(Cell::nothing(), |steps| Cell::shown(steps as u64));
        let [states, time, memory] = found.cells(Some(published));
        let cells = vec![steps, states, time, memory];
        table.push(Row::new(name, cells, Declared::Different(OTHER_MODEL)));
    }
    Ok(())
}

/// Runs a search several times, for its mean time.
fn repeated(
    laboratory: &mut Laboratory<'_>,
    name: &str,
    words: &str,
    run: impl Fn(&Prepared<'_>) -> Result<Found, Halt>,
) -> Result<Found, Halt> {
    let mut time = Duration::ZERO;
    let repeat = laboratory.repeat(REPEAT);
    let mut last = Found::default();
    for _ in 0..repeat {
        laboratory.tell(name)?;
        last = with_scenario(laboratory.entries(), words, &run)?;
        time += last.time;
    }
    Ok(Found { time: time / repeat, ..last })
}

impl Way {
    /// What was published of a search that is not made.
    fn unknown(self, row: &'static PublishedRow) -> Vec<Cell> {
        let instances = match self {
            Self::ByPatterns => Cell::only_published(row.instances),
            Self::Full | Self::Cut => Cell::nothing(),
        };
        let [states, time, memory] = match self.published(row) {
            Some(it) => [
                Cell::only_published(it.states),
                Cell::only_published(it.seconds).unit(Unit::Seconds).decimals(3),
                Cell::only_published(it.bytes()).unit(Unit::Bytes),
            ],
            None => [Cell::nothing(), Cell::nothing(), Cell::nothing()],
        };
        vec![instances, Cell::nothing(), states, Cell::nothing(), time, memory]
    }
}

impl Found {
    /// The cells of a search in parts, or of a full one.
    fn row(&self, instances: u64, published: Option<&PublishedSearch>) -> Vec<Cell> {
        let [states, time, memory] = self.cells(published);
        let instances = match (self.instances.len() as u64, published) {
            (0, _) => Cell::nothing(),
            (own, Some(_)) => Cell::compared(own).published(instances),
            (own, None) => Cell::shown(own),
        };
        vec![instances, self.each(), states, Cell::shown(self.distinct), time, memory]
    }

    /// States, time and memory, with what was published.
    fn cells(&self, published: Option<&PublishedSearch>) -> [Cell; 3] {
        let states = Cell::compared(self.states).maybe_published(published.map(|it| it.states));
        let time = Cell::measured(self.time.as_secs_f64(), Unit::Seconds, 3);
        let memory = Cell::measured(self.bytes as f64, Unit::Bytes, 0);
        [
            states,
            time.maybe_published(published.map(|it| it.seconds)),
            memory.maybe_published(published.map(|it| it.bytes())),
        ]
    }

    /// The sizes of the instances.
    fn each(&self) -> Cell {
        match (self.instances.iter().min(), self.instances.iter().max()) {
            (Some(least), Some(most)) if least == most => Cell::shown(*most),
            (Some(least), Some(most)) => Cell::shown(format!("{least} to {most}")),
            _ => Cell::nothing(),
        }
    }
}

/// Some patterns in a cell.
fn listed(patterns: &BTreeSet<String>) -> String {
    patterns.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}
