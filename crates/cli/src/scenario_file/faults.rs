//! `[[faults]]`: nodes and links that are down for a time.

use everypath_model::{Downtime, Outage, Part, Topology};

use super::{
    Item, Parts, Section, Value,
    keys::{
        Keys, Rule,
        Takes::{self, Duration, OneOf, Whole, Word},
        key,
    },
};
use crate::error::CliError;

const NODES: &str = "a list of nodes such as [0, 3], or \"all\"";
const LINKS: &str = "a list of links such as [[0, 1], [1, 2]], or \"all\"";

const NODE: Takes = Whole(0..=u64::MAX);
const LINK: Takes = Takes::pair(&NODE, LINKS);

pub(super) static FAULT: Keys = Keys {
    name: "faults",
    groups: &[&[
        key(
            "nodes",
            OneOf { all: &[Word("all"), Takes::list(&NODE, NODES)], form: NODES },
            "the list of nodes that fail",
        ),
        key(
            "links",
            OneOf { all: &[Word("all"), Takes::list(&LINK, LINKS)], form: LINKS },
            "the list of links that fail, each as its two nodes",
        ),
        key("down", Duration, "the time of the failure"),
        key("up", Duration, "the time of the repair; never by default"),
        key("to-failure", Duration, "the mean of exponential times to a failure"),
        key("to-repair", Duration, "the mean of exponential times to a repair"),
    ]],
    rules: &[&[
        Rule::NotBoth("nodes", "links"),
        Rule::Any(&["nodes", "links"], "say what is down: `nodes`, or `links`"),
        Rule::NotBoth("down", "to-failure"),
        Rule::NotBoth("down", "to-repair"),
        Rule::NotBoth("up", "to-failure"),
        Rule::NotBoth("up", "to-repair"),
        Rule::Any(
            &["down", "to-failure"],
            "say when it fails: `down`, or `to-failure` and `to-repair` in the mean",
        ),
        Rule::Needs("to-failure", "to-repair", "say how long it is down, in the mean"),
    ]],
};

/// The nodes or links of a section.
fn parts(section: Section<'_>, topology: &Topology, on_field: bool) -> Result<Vec<Part>, CliError> {
    let nodes = topology.len();
    let node = |item: &Item| section.node("nodes", item, nodes).map(Part::Node);
    match section.get("nodes").map(|item| &item.value) {
        Some(Value::List(items)) => return items.iter().map(node).collect(),
        Some(_) => return Ok(topology.nodes().map(Part::Node).collect()),
        None => (),
    }
    if on_field {
        let help = "let nodes be down instead".to_owned();
        return Err(section.error("links", "on a field there are no links", Some(help)));
    }
    let link = |item: &Item| {
        let ends = item.value.as_list().expect("the values of a file are checked");
        let end = |place: usize| section.node("links", &ends[place], nodes);
        let (one, other) = (end(0)?, end(1)?);
        if !topology.are_neighbours(one, other) {
            let what = format!("`{}`: {one} and {other} are not linked", section.path("links"));
            return Err(section.source.error(item.at, what, None));
        }
        Ok(Part::Link(one, other))
    };
    match section.get("links").map(|item| &item.value) {
        Some(Value::List(items)) => items.iter().map(link).collect(),
        _ => Ok(topology.links().map(|(one, other)| Part::Link(one, other)).collect()),
    }
}

fn downtime(section: Section<'_>) -> Result<Downtime, CliError> {
    let Some(down) = section.duration("down") else {
        let to_failure = section.duration("to-failure").expect("a rule requires it");
        let to_repair = section.duration("to-repair").expect("a rule requires it");
        if to_failure.is_zero() {
            let what = "it would fail all the time; give more than 0 s";
            return Err(section.error("to-failure", what, None));
        }
        return Ok(Downtime::Random { to_failure, to_repair });
    };
    let up = section.duration("up");
    if let Some(up) = up.filter(|up| *up < down) {
        let what = format!("it is back at {up:?}, before it is down, at {down:?}");
        return Err(section.error("up", what, None));
    }
    Ok(Downtime::Given { down, up })
}

/// Adds the faults to the scenario.
pub(super) fn apply(top: Section<'_>, scenario: &mut Parts<'_>) -> Result<(), CliError> {
    let on_field = scenario.field.is_some();
    for section in top.each_below("faults") {
        let downtime = downtime(section)?;
        let parts = parts(section, scenario.topology, on_field)?;
        scenario.outages.extend(parts.into_iter().map(|part| Outage { part, downtime }));
    }
    Ok(())
}
