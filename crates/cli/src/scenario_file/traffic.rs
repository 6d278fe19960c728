//! `[traffic]` and `[[flows]]`: which nodes send data to which, and when.

use everypath_formats::{
    Limits,
    flows::{self, Flow as ListedFlow},
    read_file,
};
use everypath_model::{Flow, NodeId, Rhythm};

use super::{
    Parts, Section,
    keys::{
        Key, Keys, Rule,
        Takes::{Duration, Text, Whole},
        key,
    },
    named_file::{NamedFile, unreadable},
};
use crate::error::CliError;

pub(super) static TRAFFIC: Keys = Keys {
    name: "traffic",
    groups: &[&[key("file", Text, "the name of a flow list, relative to this file")]],
    rules: &[&[Rule::All(&["file"], "name a flow list; single flows are [[flows]]")]],
};

pub(super) static FLOW: Keys = Keys {
    name: "flows",
    groups: &[
        &[
            key("from", Whole(0..=u64::MAX), "the node that sends"),
            key("to", Whole(0..=u64::MAX), "the node that receives"),
            key("begin", Duration, "the time of the first packet; default 0 s"),
            key("end", Duration, "the time from which no packet is sent; never by default"),
        ],
        RHYTHM,
    ],
    rules: &[&[Rule::All(&["from", "to"], "a flow leads from one node to another")], RHYTHM_RULES],
};

/// How often a packet is sent, or a target sensed.
pub(super) const RHYTHM: &[Key] = &[
    key(
        "every",
        Duration,
        "the interval between packets, or stimuli of a target; without a rhythm there is only one",
    ),
    key("poisson", Duration, "the mean of exponential intervals"),
    key("on", Duration, "the mean of exponential times with packets at intervals of `every`"),
    key("off", Duration, "the mean of exponential times without packets"),
];

pub(super) const RHYTHM_RULES: &[Rule] = &[
    Rule::NotBoth("poisson", "every"),
    Rule::NotBoth("poisson", "on"),
    Rule::Needs("on", "off", "say how long it is off, in the mean"),
    Rule::Needs("off", "on", "say how long it is on, in the mean"),
    Rule::Needs("on", "every", "say how often it sends while it is on"),
];

/// The flow list that the section names, and the payload of its packets in bytes.
pub(super) fn flow_list(
    section: Section<'_>,
    files: &mut Vec<NamedFile>,
) -> Result<(Vec<ListedFlow>, u32), CliError> {
    let path = section.source.beside(section.text("file").expect("a rule requires it"));
    files.push(NamedFile { table: section.name(), path: path.clone() });
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
        let item = section.get(key).expect("a rule requires it");
        section.node(key, item, nodes)
    };
    let (from, to): (NodeId, NodeId) = (node("from")?, node("to")?);
    if from == to {
        return Err(section.error("to", format!("a flow leads from {from} to itself"), None));
    }
    let (begin, end) = (section.duration("begin").unwrap_or_default(), section.duration("end"));
    if let Some(end) = end.filter(|end| *end <= begin) {
        let what = format!("it ends at {end:?}, before it begins, at {begin:?}");
        return Err(section.error("end", what, None));
    }
    Ok(Flow::new(from, to, begin).rhythm(rhythm(section)?).end(end))
}

/// How often a packet is sent, or a target sensed.
pub(super) fn rhythm(section: Section<'_>) -> Result<Rhythm, CliError> {
    let is_zero = |key: &&str| section.duration(key).is_some_and(|it| it.is_zero());
    if let Some(key) = ["every", "poisson", "on"].into_iter().find(is_zero) {
        return Err(section.error(key, "time would stand still; give more than 0 s", None));
    }
    let [every, poisson, on, off] =
        ["every", "poisson", "on", "off"].map(|key| section.duration(key));
    Ok(match (every, poisson, on.zip(off)) {
        (Some(every), _, Some((on, off))) => Rhythm::OnOff { on, off, every },
        (Some(every), ..) => Rhythm::Every(every),
        (None, Some(mean), _) => Rhythm::Poisson(mean),
        (None, None, _) => Rhythm::Once,
    })
}

/// Replaces the flows of the scenario.
pub(super) fn apply(
    top: Section<'_>,
    list: Option<&[ListedFlow]>,
    scenario: &mut Parts<'_>,
) -> Result<(), CliError> {
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
        None => {
            let flows = top.each_below("flows").into_iter();
            flows.map(|section| flow(section, nodes)).collect::<Result<_, _>>()?
        }
    };
    let ends = scenario.flows.iter().flat_map(|flow| [flow.from, flow.to]);
    if let Some(stranger) = ends.max().filter(|node| node.index() >= nodes) {
        let what = format!("a flow names {stranger}, but there are {nodes} nodes, from n0 on");
        return Err(top.error(key, what, Some("give more `nodes`, or another list".to_owned())));
    }
    Ok(())
}
