//! The tables as text and as JSON.

use std::collections::BTreeSet;

use everypath_report::Table;
use serde_json::{Value, json};

use super::{
    Tables,
    laboratory::Found,
    patterns::PACKETS,
    published::{AT_BEGINNING, AUDIENCES, FORWARDER, Printed, PublishedSearch},
};
use crate::output::numbers::{counted, grouped, size};

/// What stands for nothing in a cell.
const NONE: &str = "-";

impl Printed {
    /// In text, with a unit.
    fn to_text(self, unit: &str) -> String {
        let (sign, number) = match self {
            Self::Exactly(number) => ("", number),
            Self::Below(number) => ("< ", number),
            Self::Above(number) => ("> ", number),
        };
        let number = if number < 1.0 { number.to_string() } else { grouped(number as u64) };
        format!("{sign}{number}{unit}")
    }

    fn to_json(self) -> Value {
        match self {
            Self::Exactly(number) => json!(number),
            Self::Below(number) => json!({ "below": number }),
            Self::Above(number) => json!({ "above": number }),
        }
    }
}

impl PublishedSearch {
    fn to_json(&self) -> Value {
        json!({
            "seconds": self.seconds.to_json(),
            "states": self.states.to_json(),
            "megabytes": self.megabytes.to_json(),
        })
    }
}

impl Found {
    fn to_json(&self) -> Value {
        json!({
            "instances": (!self.instances.is_empty()).then_some(self.instances.len()),
            "largest_instance": self.instances.iter().max(),
            "smallest_instance": self.instances.iter().min(),
            "states": self.states,
            "distinct_states": self.distinct,
            "events": self.events,
            "seconds": self.time.as_secs_f64(),
            "bytes": self.bytes,
            "steps": self.steps,
        })
    }

    /// States, time and memory, with what was published.
    fn cells(&self, published: Option<&PublishedSearch>) -> [String; 3] {
        let beside = |own: String, printed: Option<(Printed, &str)>| match printed {
            Some((printed, unit)) => format!("{own} ({})", printed.to_text(unit)),
            None => own,
        };
        [
            beside(grouped(self.states), published.map(|it| (it.states, ""))),
            beside(
                format!("{:.3} s", self.time.as_secs_f64()),
                published.map(|it| (it.seconds, " s")),
            ),
            beside(size(self.bytes as u64), published.map(|it| (it.megabytes, " MB"))),
        ]
    }

    /// The sizes of the instances.
    fn each(&self) -> String {
        match (self.instances.iter().min(), self.instances.iter().max()) {
            (Some(least), Some(most)) if least == most => grouped(*most),
            (Some(least), Some(most)) => format!("{} to {}", grouped(*least), grouped(*most)),
            _ => NONE.to_owned(),
        }
    }
}

impl Tables {
    pub(in crate::reproduce) fn to_text(&self) -> String {
        let mut text = format!(
            "Means of {}. In brackets: what the article of Kojima, Nagashima and Tsuchiya has, by SPIN on a machine of its time.\nIts model is not printed, and has other states: in Tables 11 to 15, compare rows with each other.\n",
            counted(self.repeat.into(), "run")
        );
        let nodes = self.nodes;
        let beginnings =
            format!("Tables 4 to 9: patterns of routes when a trial begins, {nodes} nodes");
        let changes = format!(
            "Tables 4 to 6 and 10: the pattern of a forwarder after a packet, {nodes} nodes (-: never happens)"
        );
        let tables = [
            ("Table 2: audiences of a broadcast, of two nodes at most", self.audience_table()),
            (&*beginnings, self.beginning_table()),
            (&*changes, self.change_table()),
            ("Tables 11 to 13: three trials", self.search_table()),
            ("Table 15: the first loop with routes that are discarded", self.loop_table()),
        ];
        for (title, table) in tables {
            text.push_str(&format!("\n{title}\n\n{}", table.to_text()));
        }
        text
    }

    fn audience_table(&self) -> Table {
        let mut table = Table::new(["nodes", "audiences"]);
        let (known, published) = AUDIENCES;
        for &(nodes, audiences) in &self.audiences {
            let beside = if nodes == known { format!(" ({published})") } else { String::new() };
            table.push([nodes.to_string(), format!("{audiences}{beside}")]);
        }
        table
    }

    fn beginning_table(&self) -> Table {
        let mut table = Table::new(["trial", "forwarder", "destination"]);
        for ((trial, found), published) in (1..).zip(&self.beginnings).zip(AT_BEGINNING) {
            let cell = |place: usize| {
                format!("{} ({})", listed(&found[place]), published[place].join(" "))
            };
            table.push([format!("{trial}"), cell(0), cell(1)]);
        }
        table
    }

    fn change_table(&self) -> Table {
        let packets = PACKETS.map(|(kind, trial)| format!("{} {trial}", kind.to_lowercase()));
        let mut table = Table::new(["before".to_owned()].into_iter().chain(packets));
        for (before, published) in FORWARDER {
            let cells = published.into_iter().enumerate().map(|(packet, published)| {
                let found = self.changes.get(&(before.to_owned(), packet));
                let own = found.map_or(NONE.to_owned(), listed);
                match published {
                    Some(published) => format!("{own} ({published})"),
                    None => own,
                }
            });
            table.push([before.to_owned()].into_iter().chain(cells));
        }
        table
    }

    fn search_table(&self) -> Table {
        let titles = ["explored", "instances", "each", "states", "distinct", "time", "memory"];
        let mut table = Table::new(titles);
        for (row, way, found) in &self.searches {
            let published = way.published(row);
            let instances = match (found.instances.len(), published) {
                (0, _) => NONE.to_owned(),
                (own, Some(_)) => format!("{own} ({})", row.instances),
                (own, None) => own.to_string(),
            };
            let [states, time, memory] = found.cells(published);
            table.push([
                format!("{} nodes, {}", row.nodes, way.name()),
                instances,
                found.each(),
                states,
                grouped(found.distinct),
                time,
                memory,
            ]);
        }
        table
    }

    fn loop_table(&self) -> Table {
        let mut table = Table::new(["nodes", "steps", "states", "time", "memory"]);
        for (nodes, published, found) in &self.loops {
            let steps = found.steps.map_or(NONE.to_owned(), |steps| steps.to_string());
            let [states, time, memory] = found.cells(Some(published));
            table.push([nodes.to_string(), steps, states, time, memory]);
        }
        table
    }

    pub(in crate::reproduce) fn to_json(&self) -> Value {
        let audiences = self.audiences.iter().map(|&(nodes, audiences)| {
            let (known, published) = AUDIENCES;
            let published = (nodes == known).then_some(published);
            json!({ "nodes": nodes, "audiences": audiences, "published": published })
        });
        let beginnings = (1..).zip(&self.beginnings).zip(AT_BEGINNING);
        let beginnings = beginnings.map(|((trial, [forwarder, destination]), published)| {
            json!({
                "trial": trial,
                "forwarder": forwarder,
                "destination": destination,
                "published": { "forwarder": published[0], "destination": published[1] },
            })
        });
        let changes = FORWARDER.iter().flat_map(|(before, published)| {
            PACKETS.iter().enumerate().map(move |(packet, (kind, trial))| {
                json!({
                    "before": before,
                    "packet": kind.to_lowercase(),
                    "trial": trial,
                    "after": self.changes.get(&((*before).to_owned(), packet)),
                    "published": published[packet],
                })
            })
        });
        let searches = self.searches.iter().map(|(row, way, found)| {
            let published = way.published(row);
            json!({
                "table": row.table,
                "nodes": row.nodes,
                "explored": way.name(),
                "published": published.map(PublishedSearch::to_json),
                "published_instances":
                    (published.is_some() && !found.instances.is_empty()).then_some(row.instances),
                "found": found.to_json(),
            })
        });
        let loops = self.loops.iter().map(|(nodes, published, found)| {
            json!({ "nodes": nodes, "published": published.to_json(), "found": found.to_json() })
        });
        json!({
            "repeat": self.repeat,
            "nodes": self.nodes,
            "audiences": audiences.collect::<Vec<_>>(),
            "beginnings": beginnings.collect::<Vec<_>>(),
            "changes": changes.collect::<Vec<_>>(),
            "searches": searches.collect::<Vec<_>>(),
            "loops": loops.collect::<Vec<_>>(),
        })
    }
}

/// Some patterns in a cell.
fn listed(patterns: &BTreeSet<String>) -> String {
    patterns.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}
