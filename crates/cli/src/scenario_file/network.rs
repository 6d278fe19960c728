//! `[topology]` and `[links]`: which nodes are linked, and the properties of links.

use std::path::Path;

use everypath_formats::{
    Limits, NamedTopology, edge_list,
    graphml::{self, Directed},
    read_file,
};
use everypath_model::{Area, Bursts, LinkModel, Loss, Topology};
use everypath_sim::{Stream, generators};

use super::{
    Section, Value,
    named_file::{NamedFile, named_file, unreadable},
};
use crate::error::CliError;

pub(super) const TOPOLOGY_KEYS: [&str; 10] =
    ["file", "format", "generator", "nodes", "seed", "area", "range", "alpha", "beta", "links"];

pub(super) const LINK_KEYS: [&str; 4] = ["bandwidth", "delay", "loss", "queue"];

const BURST_KEYS: [&str; 4] = ["good", "bad", "to-bad", "to-good"];

#[derive(Clone, Copy)]
enum TopologyFormat {
    EdgeList,
    GraphMl,
}

/// The topology that a section names.
pub(super) fn topology(
    section: Section<'_>,
    files: &mut Vec<NamedFile>,
) -> Result<NamedTopology, CliError> {
    use TopologyFormat::{EdgeList, GraphMl};
    let formats = [("edge-list", EdgeList), ("graphml", GraphMl)];
    let by_extension = |extension: &str| match extension {
        "graphml" | "xml" => Some(GraphMl),
        "csv" | "txt" | "edges" => Some(EdgeList),
        _ => None,
    };
    section.only_one("file", "generator")?;
    if let Some(generator) = section.word("generator", &GENERATORS)? {
        return generated(section, generator);
    }
    if let Some(odd) = TOPOLOGY_KEYS[2..].iter().find(|key| section.get(key).is_some()) {
        let help = Some("remove it, or give `generator` instead of `file`".to_owned());
        return Err(section.error(odd, "it has no effect with a file", help));
    }
    let named = named_file(section, "file", &formats, by_extension, files)?;
    let help = "name an edge list or a file in GraphML, or a `generator`";
    let (path, format) = section.needed("file", named, help)?;
    let limits = Limits::default();
    let read = |path: &Path| match format {
        EdgeList => read_file(path, |file| edge_list::read_topology(file, &limits)),
        GraphMl => read_file(path, |file| graphml::read_topology(file, Directed::Refused, &limits)),
    };
    read(&path).map_err(|error| unreadable(section, "file", &error))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Generator {
    Geometric,
    Waxman,
    BarabasiAlbert,
}

const GENERATORS: [(&str, Generator); 3] = [
    ("geometric", Generator::Geometric),
    ("waxman", Generator::Waxman),
    ("barabasi-albert", Generator::BarabasiAlbert),
];

/// A random topology: the same for all runs.
fn generated(section: Section<'_>, generator: Generator) -> Result<NamedTopology, CliError> {
    let keys: &[&str] = match generator {
        Generator::Geometric => &["nodes", "seed", "area", "range"],
        Generator::Waxman => &["nodes", "seed", "area", "alpha", "beta"],
        Generator::BarabasiAlbert => &["nodes", "seed", "links"],
    };
    let fits = |key: &&&str| **key == "generator" || keys.contains(*key);
    if let Some(odd) = TOPOLOGY_KEYS.iter().find(|key| section.get(key).is_some() && !fits(key)) {
        let help = Some(format!("keys with an effect: {}", keys.join(", ")));
        return Err(section.error(odd, "it has no effect with this generator", help));
    }
    let number = |key: &'static str, range| {
        let found = section.number(key, range)?;
        section.needed(key, found, &format!("this generator needs {}", keys.join(", ")))
    };
    let whole = |key: &'static str| {
        let found = section.whole(key, 1..=1_000_000)?;
        let found =
            section.needed(key, found, &format!("this generator needs {}", keys.join(", ")))?;
        Ok::<_, CliError>(found as usize)
    };
    let area = || {
        let found = section.pair("area", &(1e-3..=1e9), "width and height in metres")?;
        let help = format!("this generator needs {}", keys.join(", "));
        let (width, height) = section.needed("area", found, &help)?;
        Ok::<_, CliError>(Area { width, height })
    };
    let nodes = whole("nodes")?;
    let seed = section.whole("seed", 0..=u64::MAX)?.unwrap_or(1);
    let stream = &mut Stream::new(seed, 0, "topology");
    let topology = match generator {
        Generator::Geometric => {
            let range = number("range", 1e-3..=1e9)?;
            generators::random_geometric(nodes, area()?, range, stream).map(|it| it.topology)
        }
        Generator::Waxman => {
            let (alpha, beta) = (number("alpha", 0.0..=1.0)?, number("beta", 1e-6..=1e6)?);
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
pub(super) fn apply_links(section: Section<'_>, link: &mut LinkModel) -> Result<(), CliError> {
    if let Some(item) = section.get("bandwidth") {
        link.bandwidth_bps = match &item.value {
            Value::Text(word) if word == "unlimited" => None,
            _ => {
                let expected = "a whole number of bits per second from 1 on, or \"unlimited\"";
                let number = section.as_whole("bandwidth", item, 1..=u64::MAX);
                Some(number.map_err(|_| section.refuse("bandwidth", item, expected))?)
            }
        };
    }
    link.delay = section.duration("delay")?.unwrap_or(link.delay);
    if let Some(queue) = section.whole("queue", 0..=1_000_000_000)? {
        link.queue = usize::try_from(queue).expect("it is in the range");
    }
    if let Some(item) = section.get("loss") {
        link.loss = match &item.value {
            Value::Table(table) => {
                let bursts =
                    Section::new(section.source, "links.loss", table, item.at, &BURST_KEYS)?;
                let probability = |key: &str| {
                    let found = bursts.number(key, 0.0..=1.0)?;
                    bursts.needed(
                        key,
                        found,
                        "bursts of losses need all four: good, bad, to-bad, to-good",
                    )
                };
                Loss::Bursts(Bursts {
                    good_loss: probability("good")?,
                    bad_loss: probability("bad")?,
                    to_bad: probability("to-bad")?,
                    to_good: probability("to-good")?,
                })
            }
            _ => section.as_number("loss", item, 0.0..=1.0)?.into(),
        };
    }
    Ok(())
}
