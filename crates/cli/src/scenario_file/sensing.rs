//! `[sensing]`: targets, how they move, how often and from how far they are sensed.

use everypath_model::Sensing;

use super::{
    Parts, Section,
    field::{UNTRACED, mobility, placed},
    radio::EXTENT,
    traffic::{RHYTHM_KEYS, rhythm},
};
use crate::error::CliError;

pub(super) const SENSING_KEYS: [&str; 13] = [
    "targets",
    "range",
    "begin",
    "every",
    "poisson",
    "on",
    "off",
    "mobility",
    "area",
    "positions",
    "speeds",
    "pause",
    "turn",
];

/// Any of these says how targets move.
const MOBILITY_KEYS: [&str; 6] = ["mobility", "area", "positions", "speeds", "pause", "turn"];

/// The number of targets, if the section gives it.
pub(super) fn targets(section: Section<'_>) -> Result<Option<usize>, CliError> {
    section.only_one("targets", "positions")?;
    let targets = section.whole("targets", 1..=1_000_000)?.map(|targets| targets as usize);
    Ok(targets.or(placed(section)?))
}

/// Replaces the targets of the scenario by those of the file.
pub(super) fn apply(top: Section<'_>, scenario: &mut Parts<'_>) -> Result<(), CliError> {
    let Some(section) = top.below("sensing", &SENSING_KEYS)? else { return Ok(()) };
    if !scenario.senses {
        let what = "the nodes of this scenario sense nothing";
        let help = "remove it: there is no command for a node that senses a target".to_owned();
        return Err(top.error("sensing", what, Some(help)));
    }
    let is_said = |keys: &[&str]| keys.iter().any(|key| section.get(key).is_some());
    let own = scenario.sensing.as_ref();
    let said_mobility = match is_said(&MOBILITY_KEYS) {
        true => Some(mobility(section, &UNTRACED, None)?),
        false => own.map(|own| own.mobility.clone()),
    };
    let said_rhythm = match is_said(&RHYTHM_KEYS) {
        true => Some(rhythm(section)?),
        false => own.map(|own| own.rhythm),
    };
    let range = section.number("range", EXTENT)?.or(own.map(|own| own.range));
    // The scenario was made for this number.
    let count = own.map(|own| own.targets).or(targets(section)?);
    let begin = section.duration("begin")?.or(own.map(|own| own.begin)).unwrap_or_default();
    let sensing = Sensing {
        targets: section.needed("targets", count, "say how many targets there are")?,
        mobility: section.needed("mobility", said_mobility, "say how targets move")?,
        range: section.needed("range", range, "say from how far a target is sensed, in metres")?,
        begin,
        rhythm: section.needed("every", said_rhythm, "say how often a target is sensed")?,
    };
    if let Err(error) = sensing.validate() {
        return Err(top.error("sensing", error, None));
    }
    *scenario.sensing = Some(sensing);
    Ok(())
}
