//! `[topology]` and `[links]`: which nodes are linked, and the properties of links.

use std::path::Path;

use clap::ValueEnum;
use everypath_formats::{
    Limits, NamedTopology, edge_list,
    graphml::{self, Directed},
    read_file,
};
use everypath_model::{Area, Bursts, LinkModel, Loss, Topology};
use everypath_sim::{Stream, generators};

use super::{
    Section,
    keys::{
        Keys, Rule,
        Takes::{Duration, Number, OneOf, Table, Text, Whole, Word, Words},
        key,
    },
    named_file::{NamedFile, named_file, unreadable},
    radio::{AN_AREA, EXTENT, QUEUE},
};
use crate::{arguments::search::words, error::CliError};

pub(super) static TOPOLOGY: Keys = Keys {
    name: "topology",
    groups: &[&[
        key("file", Text, "the name of an edge list or a file in GraphML, relative to this file"),
        key(
            "format",
            Words(words::<TopologyFormat>),
            "the format; by default that of the extension",
        ),
        key("generator", Words(words::<Generator>), "the model of a random topology"),
        key("nodes", Whole(1..=1_000_000), "the number of nodes"),
        key("seed", Whole(0..=u64::MAX), "the seed of the topology, which is the same in all runs"),
        key("area", AN_AREA, "the width and the height, in metres"),
        key("range", Number(EXTENT), "the largest distance of linked nodes, in metres"),
        key(
            "alpha",
            Number(0.0..=1.0),
            "the probability of a link between nodes at the same place",
        ),
        key(
            "beta",
            Number(1e-6..=1e6),
            "the distance at which it is smaller by a factor of e, as a share of the diagonal",
        ),
        key("links", Whole(1..=1_000_000), "the number of links of each further node"),
    ]],
    rules: &[&[
        Rule::NotBoth("file", "generator"),
        Rule::Any(
            &["file", "generator"],
            "name an edge list or a file in GraphML, or a `generator`",
        ),
        Rule::Needs("generator", "nodes", "say how many nodes there are"),
    ]],
};

pub(super) static LINK: Keys = Keys {
    name: "links",
    groups: &[&[
        key(
            "bandwidth",
            OneOf {
                all: &[Whole(1..=u64::MAX), Word("unlimited")],
                form: "a whole number of bits per second from 1 on, or \"unlimited\"",
            },
            "the bandwidth in bits per second",
        ),
        key("delay", Duration, "the propagation delay"),
        key(
            "loss",
            OneOf {
                all: &[Number(0.0..=1.0), Table(&BURSTS)],
                form: "a number from 0 to 1, or a table with the keys good, bad, to-bad, to-good",
            },
            "the probability of losing a packet, or a model of bursts (Gilbert-Elliott)",
        ),
        key("duplication", Number(0.0..=1.0), "the probability that a packet arrives twice"),
        key("queue", QUEUE, "the largest number of packets that wait"),
    ]],
    rules: &[],
};

static BURSTS: Keys = Keys {
    name: "links.loss",
    groups: &[&[
        key("good", Number(0.0..=1.0), "the probability of losing a packet in the good state"),
        key("bad", Number(0.0..=1.0), "the probability of losing a packet in the bad state"),
        key("to-bad", Number(0.0..=1.0), "the probability of leaving the good state, per packet"),
        key("to-good", Number(0.0..=1.0), "the probability of leaving the bad state, per packet"),
    ]],
    rules: &[&[Rule::All(
        &["good", "bad", "to-bad", "to-good"],
        "bursts of losses need all four: good, bad, to-bad, to-good",
    )]],
};

#[derive(Clone, Copy, ValueEnum)]
enum TopologyFormat {
    EdgeList,
    #[value(name = "graphml")]
    GraphMl,
}

/// The topology that a section names.
pub(super) fn topology(
    section: Section<'_>,
    files: &mut Vec<NamedFile>,
) -> Result<NamedTopology, CliError> {
    use TopologyFormat::{EdgeList, GraphMl};
    let by_extension = |extension: &str| match extension {
        "graphml" | "xml" => Some(GraphMl),
        "csv" | "txt" | "edges" => Some(EdgeList),
        _ => None,
    };
    if let Some(generator) = section.word("generator") {
        return generated(section, generator);
    }
    section.refuse_unused(
        |key| ["file", "format"].contains(&key),
        "it has no effect with a file",
        "remove it, or give `generator` instead of `file`",
    )?;
    let named = named_file(section, "file", by_extension, files)?;
    let (path, format) = named.expect("a rule requires it");
    let limits = Limits::default();
    let read = |path: &Path| match format {
        EdgeList => read_file(path, |file| edge_list::read_topology(file, &limits)),
        GraphMl => read_file(path, |file| graphml::read_topology(file, Directed::Refused, &limits)),
    };
    read(&path).map_err(|error| unreadable(section, "file", &error))
}

#[derive(Clone, Copy, ValueEnum)]
enum Generator {
    Geometric,
    Waxman,
    BarabasiAlbert,
}

/// A random topology: the same for all runs.
fn generated(section: Section<'_>, generator: Generator) -> Result<NamedTopology, CliError> {
    let keys: &[&str] = match generator {
        Generator::Geometric => &["nodes", "seed", "area", "range"],
        Generator::Waxman => &["nodes", "seed", "area", "alpha", "beta"],
        Generator::BarabasiAlbert => &["nodes", "seed", "links"],
    };
    section.refuse_unused(
        |key| key == "generator" || keys.contains(&key),
        "it has no effect with this generator",
        &format!("keys with an effect: {}", keys.join(", ")),
    )?;
    let why = format!("this generator needs {}", keys.join(", "));
    let number = |key: &str| section.needed(key, section.number(key), &why);
    let whole = |key: &str| section.needed(key, section.whole(key), &why).map(|it| it as usize);
    let area = || {
        let (width, height) = section.needed("area", section.pair("area"), &why)?;
        Ok::<_, CliError>(Area { width, height })
    };
    let nodes = whole("nodes")?;
    let stream = &mut Stream::new(section.whole("seed").unwrap_or(1), 0, "topology");
    let topology = match generator {
        Generator::Geometric => {
            let range = number("range")?;
            generators::random_geometric(nodes, area()?, range, stream).map(|it| it.topology)
        }
        Generator::Waxman => {
            let (alpha, beta) = (number("alpha")?, number("beta")?);
            generators::waxman(nodes, area()?, alpha, beta, stream).map(|it| it.topology)
        }
        Generator::BarabasiAlbert => generators::barabasi_albert(nodes, whole("links")?, stream),
    };
    let topology = topology.map_err(|error| section.error("generator", error, None))?;
    Ok(NamedTopology { topology, names: Vec::new(), links: Vec::new() })
}

/// In the form of the parameter `topology` of a scenario.
pub(super) fn as_shape(topology: &Topology) -> String {
    let links: Vec<String> = topology.links().map(|(a, b)| format!("{}-{}", a.0, b.0)).collect();
    links.join(",")
}

/// Sets how links treat packets.
pub(super) fn apply_links(section: Section<'_>, link: &mut LinkModel) {
    if let Some(item) = section.get("bandwidth") {
        link.bandwidth_bps = item.value.as_whole();
    }
    link.delay = section.duration("delay").unwrap_or(link.delay);
    link.duplication = section.number("duplication").unwrap_or(link.duplication);
    link.queue = section.whole("queue").map_or(link.queue, |queue| queue as usize);
    if let Some(bursts) = section.below("loss") {
        let probability = |key: &str| bursts.number(key).expect("a rule requires it");
        link.loss = Loss::Bursts(Bursts {
            good_loss: probability("good"),
            bad_loss: probability("bad"),
            to_bad: probability("to-bad"),
            to_good: probability("to-good"),
        });
    } else if let Some(loss) = section.number("loss") {
        link.loss = loss.into();
    }
}
