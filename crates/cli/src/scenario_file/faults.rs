//! `[[faults]]`: nodes and links that are down for a time.

use everypath_model::{Downtime, NodeId, Outage, Part, Topology};

use super::{Item, Parts, Section, Value};
use crate::error::CliError;

pub(super) const FAULT_KEYS: [&str; 6] =
    ["nodes", "links", "down", "up", "to-failure", "to-repair"];

const NODES: &str = "a list of nodes such as [0, 3], or \"all\"";
const LINKS: &str = "a list of links such as [[0, 1], [1, 2]], or \"all\"";

fn node(section: Section<'_>, key: &str, item: &Item, nodes: usize) -> Result<NodeId, CliError> {
    let most = nodes.saturating_sub(1) as u64;
    Ok(NodeId::from(section.as_whole(key, item, 0..=most)? as usize))
}

/// The nodes or links of a section.
fn parts(section: Section<'_>, topology: &Topology, on_field: bool) -> Result<Vec<Part>, CliError> {
    section.only_one("nodes", "links")?;
    let nodes = topology.len();
    if let Some(item) = section.get("nodes") {
        return match &item.value {
            Value::Text(word) if word == "all" => Ok(topology.nodes().map(Part::Node).collect()),
            Value::List(items) => items
                .iter()
                .map(|item| node(section, "nodes", item, nodes).map(Part::Node))
                .collect(),
            _ => Err(section.refuse("nodes", item, NODES)),
        };
    }
    let why = "say what is down: `nodes`, or `links`";
    let item = section.needed("nodes", section.get("links"), why)?;
    if on_field {
        let help = "let nodes be down instead".to_owned();
        return Err(section.error("links", "on a field there are no links", Some(help)));
    }
    let link = |item: &Item| match &item.value {
        Value::List(ends) if ends.len() == 2 => {
            let end = |place: usize| node(section, "links", &ends[place], nodes);
            let (one, other) = (end(0)?, end(1)?);
            if !topology.are_neighbours(one, other) {
                let what = format!("`{}`: {one} and {other} are not linked", section.path("links"));
                return Err(section.source.error(item.at, what, None));
            }
            Ok(Part::Link(one, other))
        }
        _ => Err(section.refuse("links", item, LINKS)),
    };
    match &item.value {
        Value::Text(word) if word == "all" => {
            Ok(topology.links().map(|(one, other)| Part::Link(one, other)).collect())
        }
        Value::List(items) => items.iter().map(link).collect(),
        _ => Err(section.refuse("links", item, LINKS)),
    }
}

fn downtime(section: Section<'_>) -> Result<Downtime, CliError> {
    section.only_one("down", "to-failure")?;
    section.only_one("up", "to-repair")?;
    if let Some(to_failure) = section.duration("to-failure")? {
        if to_failure.is_zero() {
            let what = "it would fail all the time; give more than 0 s";
            return Err(section.error("to-failure", what, None));
        }
        let to_repair = section.duration("to-repair")?;
        let why = "say how long it is down, in the mean";
        return Ok(Downtime::Random {
            to_failure,
            to_repair: section.needed("to-repair", to_repair, why)?,
        });
    }
    let why = "say when it fails: `down`, or `to-failure` and `to-repair` in the mean";
    let down = section.needed("down", section.duration("down")?, why)?;
    let up = section.duration("up")?;
    if let Some(up) = up.filter(|up| *up < down) {
        let what = format!("it is back at {up:?}, before it is down, at {down:?}");
        return Err(section.error("up", what, None));
    }
    Ok(Downtime::Given { down, up })
}

/// Adds the faults to the scenario.
pub(super) fn apply(top: Section<'_>, scenario: &mut Parts<'_>) -> Result<(), CliError> {
    let on_field = scenario.field.is_some();
    let sections = top.each_below("faults", &FAULT_KEYS)?;
    for section in sections {
        let downtime = downtime(section)?;
        let parts = parts(section, scenario.topology, on_field)?;
        scenario.outages.extend(parts.into_iter().map(|part| Outage { part, downtime }));
    }
    Ok(())
}
