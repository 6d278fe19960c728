//! `[traffic]` and `[[flows]]`: which nodes send data to which, and when.

use std::time::Duration;

use everypath_formats::{
    Limits,
    flows::{self, Flow as ListedFlow},
    read_file,
};
use everypath_model::{Flow, NodeId, Rhythm};

use super::{
    Parts, Section,
    named_file::{NamedFile, unreadable},
};
use crate::error::CliError;

pub(super) const TRAFFIC_KEYS: [&str; 1] = ["file"];

pub(super) const FLOW_KEYS: [&str; 8] =
    ["from", "to", "begin", "end", "every", "poisson", "on", "off"];

/// The keys of a rhythm.
pub(super) const RHYTHM_KEYS: [&str; 4] = ["every", "poisson", "on", "off"];

/// The flow list that the section names, and the payload of its packets in bytes.
pub(super) fn flow_list(
    section: Section<'_>,
    files: &mut Vec<NamedFile>,
) -> Result<(Vec<ListedFlow>, u32), CliError> {
    let name = section.text("file", "the name of a flow list, relative to this file")?;
    let name = section.needed("file", name, "name a flow list; single flows are [[flows]]")?;
    let path = section.source.beside(name);
    files.push(NamedFile { table: section.name, path: path.clone() });
    // The number of nodes is known later.
    let list = read_file(&path, |file| flows::read_flows(file, usize::MAX, &Limits::default()))
        .map_err(|error| unreadable(section, "file", &error))?;
    let mut sizes: Vec<u32> = list.iter().map(|flow| flow.bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    match sizes[..] {
        [bytes] => Ok((list, bytes)),
        [] => {
            let what = format!("{}: it has no flows", path.display());
            Err(section.error("file", what, None))
        }
        [one, other, ..] => {
            let what = format!(
                "{}: some packets carry {one} bytes and some {other}; a protocol sends data of one size",
                path.display()
            );
            Err(section.error("file", what, Some("make them equal".to_owned())))
        }
    }
}

/// One flow of the file.
fn flow(section: Section<'_>, nodes: usize) -> Result<Flow, CliError> {
    let node = |key: &str| {
        let most = nodes.saturating_sub(1) as u64;
        let found = section.whole(key, 0..=most)?;
        let node = section.needed(key, found, "a flow leads from one node to another")?;
        Ok::<_, CliError>(NodeId::from(node as usize))
    };
    let (from, to) = (node("from")?, node("to")?);
    if from == to {
        return Err(section.error("to", format!("a flow leads from {from} to itself"), None));
    }
    let (begin, end) = (section.duration("begin")?.unwrap_or_default(), section.duration("end")?);
    if let Some(end) = end.filter(|end| *end <= begin) {
        let what = format!("it ends at {end:?}, before it begins, at {begin:?}");
        return Err(section.error("end", what, None));
    }
    Ok(Flow::new(from, to, begin).rhythm(rhythm(section)?).end(end))
}

/// How often a packet is sent, or a target sensed.
pub(super) fn rhythm(section: Section<'_>) -> Result<Rhythm, CliError> {
    let positive = |key: &str| match section.duration(key)? {
        Some(Duration::ZERO) => {
            Err(section.error(key, "time would stand still; give more than 0 s", None))
        }
        duration => Ok(duration),
    };
    section.only_one("poisson", "every")?;
    let (every, poisson) = (positive("every")?, positive("poisson")?);
    match (positive("on")?, section.duration("off")?) {
        (None, None) => Ok(match (every, poisson) {
            (Some(every), _) => Rhythm::Every(every),
            (None, Some(mean)) => Rhythm::Poisson(mean),
            (None, None) => Rhythm::Once,
        }),
        (Some(on), Some(off)) => {
            section.only_one("poisson", "on")?;
            let every = section.needed("every", every, "say how often it sends while it is on")?;
            Ok(Rhythm::OnOff { on, off, every })
        }
        (Some(_), None) => section.needed("off", None, "say how long it is off, in the mean"),
        (None, Some(_)) => section.needed("on", None, "say how long it is on, in the mean"),
    }
}

/// Replaces the flows of the scenario.
pub(super) fn apply(
    top: Section<'_>,
    list: Option<&[ListedFlow]>,
    scenario: &mut Parts<'_>,
) -> Result<(), CliError> {
    top.only_one("traffic", "flows")?;
    let key = if list.is_some() { "traffic" } else { "flows" };
    if top.get(key).is_none() {
        return Ok(());
    }
    if !scenario.sends_data {
        let what = "the scenario has no command by which a node sends data to another";
        let help = "remove it: the parameters decide what its nodes send".to_owned();
        return Err(top.error(key, what, Some(help)));
    }
    let nodes = scenario.topology.len();
    let listed = |flow: &ListedFlow| {
        let rhythm = Rhythm::Every(flow.interval);
        Flow::new(flow.from, flow.to, flow.begin).rhythm(rhythm).end(flow.end)
    };
    *scenario.flows = match list {
        Some(list) => list.iter().map(listed).collect(),
        None => top
            .each_below("flows", &FLOW_KEYS)?
            .into_iter()
            .map(|section| flow(section, nodes))
            .collect::<Result<_, _>>()?,
    };
    let ends = scenario.flows.iter().flat_map(|flow| [flow.from, flow.to]);
    if let Some(stranger) = ends.max().filter(|node| node.index() >= nodes) {
        let what = format!("a flow names {stranger}, but there are {nodes} nodes, from n0 on");
        return Err(top.error(key, what, Some("give more `nodes`, or another list".to_owned())));
    }
    Ok(())
}
