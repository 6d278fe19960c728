//! `[radio]` and `[energy]`: how nodes on a field hear each other, and their energy.

use everypath_model::{
    DcfRadio, Energy, IdealRadio, PathLoss, Power, Propagation, PropagationDelay, Radio,
    SharedRadio,
};

use super::Section;
use crate::error::CliError;

pub(super) const RADIO_KEYS: [&str; 22] = [
    "kind",
    "range",
    "bandwidth",
    "delay",
    "queue",
    "sense-range",
    "data-rate",
    "basic-rate",
    "tries",
    "capture-db",
    "propagation",
    "transmit-dbm",
    "gain-db",
    "reception-dbm",
    "sense-dbm",
    "frequency",
    "heights",
    "exponent",
    "reference",
    "reference-loss-db",
    "window-min",
    "window-max",
];

pub(super) const ENERGY_KEYS: [&str; 4] = ["transmit", "receive", "idle", "initial"];

const DISC_KEYS: [&str; 4] = ["range", "bandwidth", "delay", "queue"];

/// The range of distances in metres, or speeds in metres per second, that make sense.
pub(super) const EXTENT: std::ops::RangeInclusive<f64> = 1e-3..=1e9;

const DECIBELS: std::ops::RangeInclusive<f64> = -1000.0..=1000.0;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ideal,
    Shared,
    Dcf,
}

const KINDS: [(&str, Kind); 3] =
    [("ideal", Kind::Ideal), ("shared", Kind::Shared), ("dcf", Kind::Dcf)];

/// The radio of the section. Keys that are not given keep their values, if the kind is the same.
pub(super) fn radio(section: Section<'_>, was: Radio) -> Result<Radio, CliError> {
    let kind_was = match was {
        Radio::Ideal(_) => Kind::Ideal,
        Radio::Shared(_) => Kind::Shared,
        Radio::Dcf(_) => Kind::Dcf,
    };
    let kind = section.word("kind", &KINDS)?.unwrap_or(kind_was);
    let is_disc_key = |key: &&&str| **key == "kind" || DISC_KEYS.contains(*key);
    let is_dcf_key = |key: &&&str| !["bandwidth"].contains(*key);
    let odd = RADIO_KEYS.iter().filter(|key| section.get(key).is_some()).find(|key| match kind {
        Kind::Ideal | Kind::Shared => !is_disc_key(key),
        Kind::Dcf => !is_dcf_key(key),
    });
    if let Some(odd) = odd {
        let word = KINDS.iter().find(|(_, other)| *other == kind).map_or("", |(word, _)| word);
        let help = Some("remove it, or give another `kind`".to_owned());
        return Err(section.error(odd, format!("it has no effect with kind = {word:?}"), help));
    }
    let queue = section.whole("queue", 0..=1_000_000_000)?.map(|queue| queue as usize);
    let (range, delay) = (section.number("range", EXTENT)?, section.duration("delay")?);
    let bandwidth = section.whole("bandwidth", 1..=u64::MAX)?;
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
            let window = |key: &str| section.whole(key, 0..=u64::from(u32::MAX) - 1);
            Radio::Dcf(
                was.propagation(propagation(section, was.propagation)?)
                    .delay(delay.map_or(was.delay, PropagationDelay::Constant))
                    .capture_db(section.number("capture-db", 1e-3..=1000.0)?.or(was.capture_db))
                    .data_bps(section.whole("data-rate", 1..=u64::MAX)?.unwrap_or(was.data_bps))
                    .basic_bps(section.whole("basic-rate", 1..=u64::MAX)?.unwrap_or(was.basic_bps))
                    .tries(
                        section.whole("tries", 1..=1000)?.map_or(was.tries, |tries| tries as u32),
                    )
                    .window_min(window("window-min")?.map_or(was.window_min, |slots| slots as u32))
                    .window_max(window("window-max")?.map_or(was.window_max, |slots| slots as u32))
                    .queue(queue.unwrap_or(was.queue)),
            )
        }
    })
}

#[derive(Clone, Copy)]
enum Path {
    Disc,
    FreeSpace,
    TwoRay,
    LogDistance,
}

/// How far a signal is received and sensed.
fn propagation(section: Section<'_>, was: Propagation) -> Result<Propagation, CliError> {
    let paths = [
        ("disc", Path::Disc),
        ("free-space", Path::FreeSpace),
        ("two-ray", Path::TwoRay),
        ("log-distance", Path::LogDistance),
    ];
    let path = section.word("propagation", &paths)?;
    let of_power = ["transmit-dbm", "gain-db", "reception-dbm", "sense-dbm"];
    let keys: Vec<&str> = match path {
        None | Some(Path::Disc) => vec!["range", "sense-range"],
        Some(Path::FreeSpace) => [&of_power[..], &["frequency"]].concat(),
        Some(Path::TwoRay) => [&of_power[..], &["frequency", "heights"]].concat(),
        Some(Path::LogDistance) => {
            [&of_power[..], &["exponent", "reference", "reference-loss-db"]].concat()
        }
    };
    let all = ["range", "sense-range", "frequency", "heights", "exponent", "reference"];
    let all = [&all[..], &of_power, &["reference-loss-db"]].concat();
    if let Some(odd) = all.iter().find(|key| section.get(key).is_some() && !keys.contains(key)) {
        let help = Some(format!("keys with an effect: {}", keys.join(", ")));
        return Err(section.error(odd, "it has no effect with this propagation", help));
    }
    let needed = |key: &'static str, range| {
        let found = section.number(key, range)?;
        section.needed(key, found, &format!("this propagation needs {}", keys.join(", ")))
    };
    let loss = match path {
        None if section.get("range").is_none() && section.get("sense-range").is_none() => {
            return Ok(was);
        }
        None | Some(Path::Disc) => {
            let reception = needed("range", EXTENT)?;
            let sense = section.number("sense-range", EXTENT)?.unwrap_or(reception);
            return Ok(Propagation::Disc { reception, sense });
        }
        Some(Path::FreeSpace) => {
            PathLoss::FreeSpace { frequency_hz: needed("frequency", EXTENT_HZ)? }
        }
        Some(Path::TwoRay) => {
            let heights = section.pair("heights", &EXTENT, "of both antennas, in metres")?;
            PathLoss::TwoRayGround {
                frequency_hz: needed("frequency", EXTENT_HZ)?,
                heights: section.needed("heights", heights, "say how high the antennas are")?,
            }
        }
        Some(Path::LogDistance) => PathLoss::LogDistance {
            exponent: needed("exponent", 1e-3..=100.0)?,
            reference: needed("reference", EXTENT)?,
            reference_loss_db: needed("reference-loss-db", DECIBELS)?,
        },
    };
    Ok(Propagation::Power(Power {
        transmit_dbm: needed("transmit-dbm", DECIBELS)?,
        gain_db: section.number("gain-db", DECIBELS)?.unwrap_or(0.0),
        loss,
        reception_dbm: needed("reception-dbm", DECIBELS)?,
        sense_dbm: needed("sense-dbm", DECIBELS)?,
    }))
}

const EXTENT_HZ: std::ops::RangeInclusive<f64> = 1.0..=1e15;

/// The energy of nodes. Keys that are not given keep their values.
pub(super) fn energy(section: Section<'_>, was: Option<Energy>) -> Result<Energy, CliError> {
    let was = was.unwrap_or_default();
    let watts = |key: &str| section.number(key, 0.0..=1e6);
    Ok(was
        .transmit_w(watts("transmit")?.unwrap_or(was.transmit_w))
        .receive_w(watts("receive")?.unwrap_or(was.receive_w))
        .idle_w(watts("idle")?.unwrap_or(was.idle_w))
        .initial_j(section.number("initial", 1e-9..=1e15)?.unwrap_or(was.initial_j)))
}
