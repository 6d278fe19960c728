//! `[field]`: the places of nodes, their mobility and their radio.

use std::time::Duration;

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
    Item, Parts, Section, Value,
    named_file::{NamedFile, named_file, unreadable},
    radio::{ENERGY_KEYS, EXTENT, RADIO_KEYS, energy, radio},
};
use crate::error::CliError;

pub(super) const FIELD_KEYS: [&str; 8] =
    ["mobility", "area", "positions", "speeds", "pause", "turn", "trace", "format"];

/// The range of coordinates that make sense, in metres.
const METRES: std::ops::RangeInclusive<f64> = -1e9..=1e9;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Fixed,
    Uniform,
    Waypoint,
    Walk,
    Trace,
}

const KINDS: [(&str, Kind); 5] = [
    ("fixed", Kind::Fixed),
    ("uniform", Kind::Uniform),
    ("waypoint", Kind::Waypoint),
    ("walk", Kind::Walk),
    ("trace", Kind::Trace),
];

/// The kinds of mobility without a trace.
pub(super) const UNTRACED: [(&str, Kind); 4] = [KINDS[0], KINDS[1], KINDS[2], KINDS[3]];

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
fn kind(section: Section<'_>, kinds: &[(&str, Kind)]) -> Result<Kind, CliError> {
    let given = section.word("mobility", kinds)?;
    let kind = match given {
        Some(kind) => kind,
        None if section.get("trace").is_some() => Kind::Trace,
        None if section.get("positions").is_some() => Kind::Fixed,
        None => {
            let words: Vec<String> = kinds.iter().map(|(word, _)| format!("{word:?}")).collect();
            let help =
                format!("give the mobility of {}: one of {}", movers(section), words.join(", "));
            return section.needed("mobility", None, &help);
        }
    };
    let name = KINDS.iter().find(|(_, other)| *other == kind).map_or("", |(word, _)| word);
    let fits = |key: &str| key == "mobility" || keys_of(kind).contains(&key);
    match FIELD_KEYS.iter().find(|key| section.get(key).is_some() && !fits(key)) {
        None => Ok(kind),
        Some(odd) => {
            let what = format!("it has no effect with mobility = {name:?}");
            let help = format!("remove it; keys with an effect: {}", keys_of(kind).join(", "));
            Err(section.error(odd, what, Some(help)))
        }
    }
}

#[derive(Clone, Copy)]
enum TraceFormat {
    Ns2,
    BonnMotion(Dimensions),
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
    use TraceFormat::{BonnMotion, Ns2, Sumo};
    if kind(section, &KINDS)? != Kind::Trace {
        return Ok(None);
    }
    let formats = [
        ("ns2", Ns2),
        ("bonnmotion", BonnMotion(Dimensions::Two)),
        ("bonnmotion-3d", BonnMotion(Dimensions::Three)),
        ("sumo", Sumo),
    ];
    let by_extension = |extension: &str| match extension {
        "tcl" | "ns_movements" => Some(Ns2),
        "movements" => Some(BonnMotion(Dimensions::Two)),
        "xml" => Some(Sumo),
        _ => None,
    };
    let named = named_file(section, "trace", &formats, by_extension, files)?;
    let (path, format) =
        section.needed("trace", named, "name the file with the movements of nodes")?;
    let limits = Limits::default();
    let always = |paths| Trace { paths, absences: Vec::new() };
    let trace = match format {
        Ns2 => read_file(path, |file| ns2::read_movements(file, &limits)).map(always),
        BonnMotion(dimensions) => {
            read_file(path, |file| bonnmotion::read_movements(file, dimensions, &limits))
                .map(always)
        }
        Sumo => read_file(path, |file| sumo::read_vehicles(file, &limits)).map(on_the_road),
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
pub(super) fn placed(section: Section<'_>) -> Result<Option<usize>, CliError> {
    if section.get("positions").is_none() {
        return Ok(None);
    }
    positions(section).map(|positions| Some(positions.len()))
}

fn positions(section: Section<'_>) -> Result<Vec<Position>, CliError> {
    const EXPECTED: &str = "a list of points, each [x, y] or [x, y, z] in metres";
    let point = |item: &Item| match &item.value {
        Value::List(numbers) if (2..=3).contains(&numbers.len()) => {
            let number = |place: usize| match numbers.get(place) {
                Some(item) => section.as_number("positions", item, METRES),
                None => Ok(0.0),
            };
            Ok(Position { x: number(0)?, y: number(1)?, z: number(2)? })
        }
        _ => Err(section.refuse("positions", item, EXPECTED)),
    };
    section.list("positions", || EXPECTED.to_owned())?.iter().map(point).collect()
}

/// Whose mobility a section describes.
fn movers(section: Section<'_>) -> &'static str {
    if section.name == "sensing" { "targets" } else { "nodes" }
}

/// The mobility of a section, of one of these kinds.
pub(super) fn mobility(
    section: Section<'_>,
    kinds: &[(&str, Kind)],
    trace: Option<&Trace>,
) -> Result<Mobility, CliError> {
    let movers = movers(section);
    let area = || {
        let found = section.pair("area", &EXTENT, "width and height in metres")?;
        let help = format!("say where {movers} are: `area = [1000, 1000]` in metres");
        let (width, height) = section.needed("area", found, &help)?;
        Ok::<_, CliError>(Area { width, height })
    };
    let speeds = || {
        let found = section.pair("speeds", &EXTENT, "the smallest and the largest, in m/s")?;
        let help = format!("say how fast {movers} move: `speeds = [1, 20]` in m/s");
        section.needed("speeds", found, &help)
    };
    Ok(match kind(section, kinds)? {
        Kind::Trace => Mobility::Paths(trace.map_or_else(Vec::new, |it| it.paths.clone())),
        Kind::Fixed => Mobility::Paths(positions(section)?.into_iter().map(Path::at).collect()),
        Kind::Uniform => Mobility::Uniform(area()?),
        Kind::Waypoint => Mobility::Waypoint {
            area: area()?,
            speeds: speeds()?,
            pause: section.duration("pause")?.unwrap_or_default(),
        },
        Kind::Walk => Mobility::Walk {
            area: area()?,
            speeds: speeds()?,
            turn: section.duration("turn")?.unwrap_or(Duration::from_secs(10)),
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
    if let Some(section) = top.below("field", &FIELD_KEYS)? {
        let mobility = mobility(section, &KINDS, trace)?;
        let was = field.as_ref().map(|field| (field.radio, field.energy));
        let (radio, energy) = was.unwrap_or((Radio::Ideal(IdealRadio::default()), None));
        *field = Some(Field::new(mobility, radio).energy(energy));
        scenario.outages.extend(trace.iter().flat_map(|it| &it.absences));
    }
    if let Some(section) = top.below("radio", &RADIO_KEYS)? {
        let Some(field) = field else {
            let what = "the nodes of this scenario talk over links, not by radio".to_owned();
            let help = "put them on a field: give [field]".to_owned();
            return Err(top.source.error(section.at, what, Some(help)));
        };
        field.radio = radio(section, field.radio)?;
    }
    if let Some(section) = top.below("energy", &ENERGY_KEYS)? {
        let Some(field) = field else {
            let what = "nodes that talk over links need no energy".to_owned();
            let help = "put them on a field: give [field]".to_owned();
            return Err(top.source.error(section.at, what, Some(help)));
        };
        field.energy = Some(energy(section, field.energy)?);
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
