//! `[radio]` and `[energy]`: how nodes on a field hear each other, and their energy.

use std::ops::RangeInclusive;

use clap::ValueEnum;
use everypath_model::{
    DcfRadio, Energy, IdealRadio, PathLoss, Power, Propagation, PropagationDelay, Radio,
    SharedRadio,
};

use super::{
    Section,
    keys::{
        Key, Keys,
        Takes::{self, Duration, Number, Whole, Words},
        key,
    },
};
use crate::{
    arguments::search::{word, words},
    error::CliError,
};

/// The range of distances in metres, or speeds in metres per second, that make sense.
pub(super) const EXTENT: RangeInclusive<f64> = 1e-3..=1e9;

pub(super) const AN_AREA: Takes =
    Takes::pair(&Number(EXTENT), "two numbers in a list: width and height in metres");

pub(super) const QUEUE: Takes = Whole(0..=1_000_000_000);

const A_RATE: Takes = Whole(1..=u64::MAX);
const SLOTS: Takes = Whole(0..=u32::MAX as u64 - 1);
const DECIBELS: Takes = Number(-1000.0..=1000.0);
const WATTS: Takes = Number(0.0..=1e6);

pub(super) static RADIO: Keys = Keys {
    name: "radio",
    groups: &[
        &[
            key(
                "kind",
                Words(words::<Kind>),
                "the kind of radio: no interference, a shared medium, or the DCF of 802.11b",
            ),
            key("range", Number(EXTENT), "the distance at which a node is received, in metres"),
            key("bandwidth", A_RATE, "the bandwidth in bits per second"),
            key("delay", Duration, "the time from the end of a transmission to its reception"),
            key("queue", QUEUE, "the largest number of frames that wait at a node"),
            key("sense-range", Number(EXTENT), "the distance at which a node is sensed, in metres"),
            key("data-rate", A_RATE, "the rate of frames to one node, in bits per second"),
            key("basic-rate", A_RATE, "the rate of broadcasts, in bits per second"),
            key("tries", Whole(1..=1000), "the largest number of transmissions of a frame"),
            key("window-min", SLOTS, "the smallest contention window, in slots"),
            key("window-max", SLOTS, "the largest contention window, in slots"),
            key(
                "capture-db",
                Number(1e-3..=1000.0),
                "how much stronger than an overlapping frame a received frame is, in dB",
            ),
            key("propagation", Words(words::<Path>), "the model of propagation"),
        ],
        POWER,
    ],
    rules: &[],
};

/// The keys of propagation by power.
const POWER: &[Key] = &[
    key("transmit-dbm", DECIBELS, "the power of transmissions, in dBm"),
    key("gain-db", DECIBELS, "the gain of both antennas together, in dB; default 0"),
    key("reception-dbm", DECIBELS, "the smallest power that is received, in dBm"),
    key("sense-dbm", DECIBELS, "the smallest power that is sensed, in dBm"),
    key("frequency", Number(1.0..=1e15), "the frequency in hertz"),
    key(
        "heights",
        Takes::pair(&Number(EXTENT), "two numbers in a list: of both antennas, in metres"),
        "the height of the sending and of the receiving antenna, in metres",
    ),
    key("exponent", Number(1e-3..=100.0), "the path loss exponent"),
    key("reference", Number(EXTENT), "the reference distance, in metres"),
    key("reference-loss-db", DECIBELS, "the path loss at the reference distance, in dB"),
];

pub(super) static ENERGY: Keys = Keys {
    name: "energy",
    groups: &[&[
        key("transmit", WATTS, "the power while a node transmits, in watts"),
        key("receive", WATTS, "the power while a node receives, in watts"),
        key("idle", WATTS, "the power while a node is idle, in watts"),
        key("initial", Number(1e-9..=1e15), "the energy of a node at the start, in joules"),
    ]],
    rules: &[],
};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Ideal,
    Shared,
    Dcf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Path {
    Disc,
    FreeSpace,
    TwoRay,
    LogDistance,
}

/// The radio of the section. Keys that are not given keep their values, if the kind is the same.
pub(super) fn radio(section: Section<'_>, was: Radio) -> Result<Radio, CliError> {
    let kind_was = match was {
        Radio::Ideal(_) => Kind::Ideal,
        Radio::Shared(_) => Kind::Shared,
        Radio::Dcf(_) => Kind::Dcf,
    };
    let kind = section.word("kind").unwrap_or(kind_was);
    section.refuse_unused(
        |key| match kind {
            Kind::Ideal | Kind::Shared => {
                ["kind", "range", "bandwidth", "delay", "queue"].contains(&key)
            }
            Kind::Dcf => key != "bandwidth",
        },
        format_args!("it has no effect with kind = {:?}", word(&kind)),
        "remove it, or give another `kind`",
    )?;
    let queue = section.whole("queue").map(|queue| queue as usize);
    let (range, delay) = (section.number("range"), section.duration("delay"));
    let bandwidth = section.whole("bandwidth");
    Ok(match (kind, was) {
        (Kind::Ideal, was) => {
            let was = match was {
                Radio::Ideal(was) => was,
                _ => IdealRadio::default(),
            };
            let radio = was.range(range.unwrap_or(was.range)).delay(delay.unwrap_or(was.delay));
            let bandwidth = bandwidth.unwrap_or(was.bandwidth_bps);
            Radio::Ideal(radio.bandwidth_bps(bandwidth).queue(queue.unwrap_or(was.queue)))
        }
        (Kind::Shared, was) => {
            let was = match was {
                Radio::Shared(was) => was,
                _ => SharedRadio::default(),
            };
            let delay = delay.map_or(was.delay, PropagationDelay::Constant);
            let bandwidth = bandwidth.unwrap_or(was.bandwidth_bps);
            let radio = was.range(range.unwrap_or(was.range)).delay(delay);
            Radio::Shared(radio.bandwidth_bps(bandwidth).queue(queue.unwrap_or(was.queue)))
        }
        (Kind::Dcf, was) => {
            let was = match was {
                Radio::Dcf(was) => was,
                _ => DcfRadio::default(),
            };
            let small = |key: &str| section.whole(key).map(|number| number as u32);
            Radio::Dcf(
                was.propagation(propagation(section, was.propagation)?)
                    .delay(delay.map_or(was.delay, PropagationDelay::Constant))
                    .capture_db(section.number("capture-db").or(was.capture_db))
                    .data_bps(section.whole("data-rate").unwrap_or(was.data_bps))
                    .basic_bps(section.whole("basic-rate").unwrap_or(was.basic_bps))
                    .tries(small("tries").unwrap_or(was.tries))
                    .window_min(small("window-min").unwrap_or(was.window_min))
                    .window_max(small("window-max").unwrap_or(was.window_max))
                    .queue(queue.unwrap_or(was.queue)),
            )
        }
    })
}

/// How far a signal is received and sensed.
fn propagation(section: Section<'_>, was: Propagation) -> Result<Propagation, CliError> {
    let path = section.word("propagation");
    let of_power = ["transmit-dbm", "gain-db", "reception-dbm", "sense-dbm"];
    let keys: Vec<&str> = match path {
        None | Some(Path::Disc) => vec!["range", "sense-range"],
        Some(Path::FreeSpace) => [&of_power[..], &["frequency"]].concat(),
        Some(Path::TwoRay) => [&of_power[..], &["frequency", "heights"]].concat(),
        Some(Path::LogDistance) => {
            [&of_power[..], &["exponent", "reference", "reference-loss-db"]].concat()
        }
    };
    let is_of_propagation = |key: &str| {
        ["range", "sense-range"].contains(&key) || POWER.iter().any(|it| it.name == key)
    };
    section.refuse_unused(
        |key| !is_of_propagation(key) || keys.contains(&key),
        "it has no effect with this propagation",
        &format!("keys with an effect: {}", keys.join(", ")),
    )?;
    let why = format!("this propagation needs {}", keys.join(", "));
    let needed = |key: &str| section.needed(key, section.number(key), &why);
    let loss = match path {
        None if !section.has("range") && !section.has("sense-range") => return Ok(was),
        None | Some(Path::Disc) => {
            let reception = needed("range")?;
            let sense = section.number("sense-range").unwrap_or(reception);
            return Ok(Propagation::Disc { reception, sense });
        }
        Some(Path::FreeSpace) => PathLoss::FreeSpace { frequency_hz: needed("frequency")? },
        Some(Path::TwoRay) => {
            let heights = section.pair("heights");
            PathLoss::TwoRayGround {
                frequency_hz: needed("frequency")?,
                heights: section.needed("heights", heights, "say how high the antennas are")?,
            }
        }
        Some(Path::LogDistance) => PathLoss::LogDistance {
            exponent: needed("exponent")?,
            reference: needed("reference")?,
            reference_loss_db: needed("reference-loss-db")?,
        },
    };
    Ok(Propagation::Power(Power {
        transmit_dbm: needed("transmit-dbm")?,
        gain_db: section.number("gain-db").unwrap_or(0.0),
        loss,
        reception_dbm: needed("reception-dbm")?,
        sense_dbm: needed("sense-dbm")?,
    }))
}

/// The energy of nodes. Keys that are not given keep their values.
pub(super) fn energy(section: Section<'_>, was: Option<Energy>) -> Energy {
    let was = was.unwrap_or_default();
    was.transmit_w(section.number("transmit").unwrap_or(was.transmit_w))
        .receive_w(section.number("receive").unwrap_or(was.receive_w))
        .idle_w(section.number("idle").unwrap_or(was.idle_w))
        .initial_j(section.number("initial").unwrap_or(was.initial_j))
}
