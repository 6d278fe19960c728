//! `[field]`: the places of nodes, their mobility and their radio.

use std::time::Duration;

use clap::ValueEnum;
use everypath_formats::{
    Limits,
    bonnmotion::{self, Dimensions},
    ns2, read_file,
    sumo::{self, Vehicle},
};
use everypath_model::{
    Area, Downtime, Field, IdealRadio, Mobility, NodeId, Outage, Part, Path, Position, Radio,
};

use super::{
    Parts, Section,
    keys::{
        Key, Keys,
        Takes::{self, Duration as Time, List, Number, Text, Words},
        key,
    },
    named_file::{NamedFile, named_file, unreadable},
    radio::{AN_AREA, EXTENT, energy, radio},
};
use crate::{
    arguments::search::{word, words},
    error::CliError,
};

pub(super) static FIELD: Keys = Keys {
    name: "field",
    groups: &[
        &[key("mobility", Words(kinds), "the mobility of nodes")],
        MOVEMENT,
        &[
            key("trace", Text, "the name of a file with movements, relative to this file"),
            key(
                "format",
                Words(words::<TraceFormat>),
                "the format; by default that of the extension",
            ),
        ],
    ],
    rules: &[],
};

/// The keys for all that moves.
pub(super) const MOVEMENT: &[Key] = &[
    key("area", AN_AREA, "the width and the height, in metres"),
    key("positions", Takes::list(&A_POINT, POINTS), "the list of places, in metres"),
    key(
        "speeds",
        Takes::pair(&Number(EXTENT), "two numbers in a list: the smallest and the largest, in m/s"),
        "the smallest and the largest speed, in metres per second",
    ),
    key("pause", Time, "the stay at each point of random waypoint; default 0 s"),
    key("turn", Time, "the time between two turns of a random walk; default 10 s"),
];

const POINTS: &str = "a list of points, each [x, y] or [x, y, z] in metres";
const A_POINT: Takes = List { of: &Number(-1e9..=1e9), count: 2..=3, form: POINTS };

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Fixed,
    Uniform,
    Waypoint,
    Walk,
    Trace,
}

/// The kinds of mobility.
pub(super) fn kinds() -> Vec<String> {
    words::<Kind>()
}

/// The keys of each kind, besides `mobility`.
fn keys_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Fixed => &["positions"],
        Kind::Uniform => &["area"],
        Kind::Waypoint => &["area", "speeds", "pause"],
        Kind::Walk => &["area", "speeds", "turn"],
        Kind::Trace => &["trace", "format"],
    }
}

/// The kind of mobility: as given, or as its keys imply.
fn kind(section: Section<'_>) -> Result<Kind, CliError> {
    let implied = || {
        let implying = [("trace", Kind::Trace), ("positions", Kind::Fixed)];
        implying.into_iter().find(|(key, _)| section.has(key)).map(|(_, kind)| kind)
    };
    let kind = section.word("mobility").or_else(implied);
    let help =
        format!("give the mobility of {}: {}", movers(section), section.expected("mobility"));
    let kind = section.needed("mobility", kind, &help)?;
    let is_of_mobility = |key: &str| key != "mobility" && FIELD.find(key).is_some();
    section.refuse_unused(
        |key| !is_of_mobility(key) || keys_of(kind).contains(&key),
        format_args!("it has no effect with mobility = {:?}", word(&kind)),
        &format!("remove it; keys with an effect: {}", keys_of(kind).join(", ")),
    )?;
    Ok(kind)
}

#[derive(Clone, Copy, ValueEnum)]
enum TraceFormat {
    Ns2,
    Bonnmotion,
    #[value(name = "bonnmotion-3d")]
    Bonnmotion3d,
    Sumo,
}

/// How nodes move, and when they are absent.
pub(super) struct Trace {
    pub(super) paths: Vec<Path>,
    absences: Vec<Outage>,
}

/// The trace that the section names, if it does.
pub(super) fn trace(
    section: Section<'_>,
    files: &mut Vec<NamedFile>,
) -> Result<Option<Trace>, CliError> {
    use TraceFormat::{Bonnmotion, Bonnmotion3d, Ns2, Sumo};
    if kind(section)? != Kind::Trace {
        return Ok(None);
    }
    let by_extension = |extension: &str| match extension {
        "tcl" | "ns_movements" => Some(Ns2),
        "movements" => Some(Bonnmotion),
        "xml" => Some(Sumo),
        _ => None,
    };
    let named = named_file(section, "trace", by_extension, files)?;
    let (path, format) =
        section.needed("trace", named, "name the file with the movements of nodes")?;
    let limits = Limits::default();
    let always = |paths| Trace { paths, absences: Vec::new() };
    let bonnmotion = |dimensions| {
        read_file(&path, |file| bonnmotion::read_movements(file, dimensions, &limits)).map(always)
    };
    let trace = match format {
        Ns2 => read_file(&path, |file| ns2::read_movements(file, &limits)).map(always),
        Bonnmotion => bonnmotion(Dimensions::Two),
        Bonnmotion3d => bonnmotion(Dimensions::Three),
        Sumo => read_file(&path, |file| sumo::read_vehicles(file, &limits)).map(on_the_road),
    };
    trace.map(Some).map_err(|error| unreadable(section, "trace", &error))
}

/// Vehicles are down while they are not on the road.
fn on_the_road(vehicles: Vec<Vehicle>) -> Trace {
    let mut absences = Vec::new();
    for (node, vehicle) in vehicles.iter().enumerate() {
        let mut away = Some(Duration::ZERO);
        for presence in &vehicle.presences {
            if let Some(down) = away.filter(|down| *down < presence.from) {
                let downtime = Downtime::Given { down, up: Some(presence.from) };
                absences.push(Outage { part: Part::Node(NodeId::from(node)), downtime });
            }
            away = presence.until;
        }
        if let Some(down) = away {
            let downtime = Downtime::Given { down, up: None };
            absences.push(Outage { part: Part::Node(NodeId::from(node)), downtime });
        }
    }
    Trace { paths: vehicles.into_iter().map(|vehicle| vehicle.path).collect(), absences }
}

/// The number of given places, if there are any.
pub(super) fn placed(section: Section<'_>) -> Option<usize> {
    section.get("positions").map(|_| section.list("positions").len())
}

fn positions(section: Section<'_>) -> impl Iterator<Item = Position> {
    section.list("positions").iter().map(|point| {
        let number = |place: usize| {
            let number = point.value.as_list().and_then(|numbers| numbers.get(place));
            number.and_then(|item| item.value.as_number()).unwrap_or_default()
        };
        Position { x: number(0), y: number(1), z: number(2) }
    })
}

/// Whose mobility a section describes.
fn movers(section: Section<'_>) -> &'static str {
    if section.name() == "sensing" { "targets" } else { "nodes" }
}

/// The mobility of a section.
pub(super) fn mobility(section: Section<'_>, trace: Option<&Trace>) -> Result<Mobility, CliError> {
    let movers = movers(section);
    let area = || {
        let help = format!("say where {movers} are: `area = [1000, 1000]` in metres");
        let (width, height) = section.needed("area", section.pair("area"), &help)?;
        Ok::<_, CliError>(Area { width, height })
    };
    let speeds = || {
        let help = format!("say how fast {movers} move: `speeds = [1, 20]` in m/s");
        section.needed("speeds", section.pair("speeds"), &help)
    };
    Ok(match kind(section)? {
        Kind::Trace => Mobility::Paths(trace.map_or_else(Vec::new, |it| it.paths.clone())),
        Kind::Fixed => Mobility::Paths(positions(section).map(Path::at).collect()),
        Kind::Uniform => Mobility::Uniform(area()?),
        Kind::Waypoint => Mobility::Waypoint {
            area: area()?,
            speeds: speeds()?,
            pause: section.duration("pause").unwrap_or_default(),
        },
        Kind::Walk => Mobility::Walk {
            area: area()?,
            speeds: speeds()?,
            turn: section.duration("turn").unwrap_or(Duration::from_secs(10)),
        },
    })
}

/// Puts nodes on the field of the file.
pub(super) fn apply(
    top: Section<'_>,
    trace: Option<&Trace>,
    scenario: &mut Parts<'_>,
) -> Result<(), CliError> {
    let field = &mut *scenario.field;
    if let Some(section) = top.below("field") {
        let mobility = mobility(section, trace)?;
        let was = field.as_ref().map(|field| (field.radio, field.energy));
        let (radio, energy) = was.unwrap_or((Radio::Ideal(IdealRadio::default()), None));
        *field = Some(Field::new(mobility, radio).energy(energy));
        scenario.outages.extend(trace.iter().flat_map(|it| &it.absences));
    }
    if let Some(section) = top.below("radio") {
        let Some(field) = field else {
            let what = "the nodes of this scenario talk over links, not by radio".to_owned();
            let help = "put them on a field: give [field]".to_owned();
            return Err(top.source.error(section.at, what, Some(help)));
        };
        field.radio = radio(section, field.radio)?;
    }
    if let Some(section) = top.below("energy") {
        let Some(field) = field else {
            let what = "nodes that talk over links need no energy".to_owned();
            let help = "put them on a field: give [field]".to_owned();
            return Err(top.source.error(section.at, what, Some(help)));
        };
        field.energy = Some(energy(section, field.energy));
    }
    if field.is_some()
        && let Some(links) = top.get("links")
    {
        let what = "`links`: on a field there are no links".to_owned();
        let help = "say in [radio] how nodes hear each other".to_owned();
        return Err(top.source.error(links.at, what, Some(help)));
    }
    Ok(())
}
