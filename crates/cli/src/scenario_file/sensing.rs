//! `[sensing]`: targets, how they move, how often and from how far they are sensed.

use everypath_model::Sensing;

use super::{
    Parts, Section,
    field::{MOVEMENT, kinds, mobility, placed},
    keys::{
        Key, Keys, Rule,
        Takes::{Duration, Number, Whole, Words},
        key,
    },
    radio::EXTENT,
    traffic::{RHYTHM, RHYTHM_RULES, rhythm},
};
use crate::error::CliError;

pub(super) static SENSING: Keys = Keys {
    name: "sensing",
    groups: &[
        &[
            key(
                "targets",
                Whole(1..=1_000_000),
                "the number of targets, and the parameter `targets`",
            ),
            key(
                "range",
                Number(EXTENT),
                "the distance from which a node senses a target, in metres",
            ),
            key("begin", Duration, "the time from which targets are sensed"),
        ],
        RHYTHM,
        &[key("mobility", Words(untraced), "the mobility of targets")],
        MOVEMENT,
    ],
    rules: &[&[Rule::NotBoth("targets", "positions")], RHYTHM_RULES],
};

/// Targets have no trace.
fn untraced() -> Vec<String> {
    kinds().into_iter().filter(|kind| kind != "trace").collect()
}

/// The number of targets, if the section gives it.
pub(super) fn targets(section: Section<'_>) -> Option<usize> {
    let targets = section.whole("targets").map(|targets| targets as usize);
    targets.or_else(|| placed(section))
}

/// Replaces the targets of the scenario by those of the file.
pub(super) fn apply(top: Section<'_>, scenario: &mut Parts<'_>) -> Result<(), CliError> {
    let Some(section) = top.below("sensing") else { return Ok(()) };
    if !scenario.senses {
        let what = "the nodes of this scenario sense nothing";
        let help = "remove it: there is no command for a node that senses a target".to_owned();
        return Err(top.error("sensing", what, Some(help)));
    }
    let has = |keys: &[Key]| keys.iter().any(|key| section.has(key.name));
    let own = scenario.sensing.as_ref();
    let said_mobility = match has(MOVEMENT) || section.has("mobility") {
        true => Some(mobility(section, None)?),
        false => own.map(|own| own.mobility.clone()),
    };
    let said_rhythm = match has(RHYTHM) {
        true => Some(rhythm(section)?),
        false => own.map(|own| own.rhythm),
    };
    let range = section.number("range").or(own.map(|own| own.range));
    // The scenario was made for this number.
    let count = own.map(|own| own.targets).or_else(|| targets(section));
    let begin = section.duration("begin").or(own.map(|own| own.begin)).unwrap_or_default();
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
