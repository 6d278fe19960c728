//! The parameters that a scenario file leaves without effect.
//!
//! A table of a file replaces a part of the scenario, whatever parameters that part was made of. There is no list of
//! these parameters: the scenario is made with another value of each parameter. If that changes the scenario, but not
//! the scenario with the file in it, the file has replaced everything that the parameter sets.

use std::time::Duration;

use everypath_model::{
    Capacity, EventKind, Faults, Field, Flow, LinkModel, NetworkKind, NodeId, Outage, Parameter,
    ParameterKind, Parameters, Sensing, TimeoutBudget, Topology, WarmUp, parse_duration,
};

use super::{Replaced, setting::Setting, top::REPLACING};
use crate::error::CliError;

/// The parts of a scenario that can be compared.
#[derive(PartialEq)]
pub(crate) struct Description {
    pub(crate) topology: Topology,
    pub(crate) network: NetworkKind,
    pub(crate) capacity: Capacity,
    pub(crate) faults: Faults,
    pub(crate) rebooting: Option<Vec<NodeId>>,
    pub(crate) timeouts: Vec<TimeoutBudget>,
    pub(crate) max_depth: Option<u32>,
    pub(crate) event_order: Vec<EventKind>,
    pub(crate) required: Option<String>,
    /// The configuration of the protocol.
    pub(crate) configuration: Option<String>,
    pub(crate) link: LinkModel,
    pub(crate) links: Vec<((NodeId, NodeId), LinkModel)>,
    pub(crate) field: Option<Field>,
    pub(crate) duration: Duration,
    pub(crate) warm_up: WarmUp,
    pub(crate) replications: u32,
    pub(crate) sensing: Option<Sensing>,
    pub(crate) outages: Vec<Outage>,
    pub(crate) flows: Vec<Flow>,
    /// The given commands, and those of nodes that sense something.
    pub(crate) given: Option<String>,
    /// The names of assumptions, assertions and measures.
    pub(crate) names: Vec<String>,
    /// How nodes start.
    pub(crate) starts: Vec<Option<String>>,
}

/// A scenario with some parameters, and the same with the file in it, if that is possible.
pub(crate) struct Trial {
    pub(crate) plain: Description,
    pub(crate) made: Option<Description>,
}

/// Makes a scenario from parameters, and applies a file without one of its keys.
pub(crate) type Try<'a> = dyn Fn(Parameters, Option<&str>) -> Result<Trial, CliError> + 'a;

/// The parameters that the file of a setting leaves without effect. `made` is the scenario with the file in it.
pub(crate) fn replaced(
    setting: &Setting,
    declared: &[Parameter],
    made: &Description,
    attempt: &Try<'_>,
) -> Result<Vec<Replaced>, CliError> {
    let keys: Vec<&'static str> = REPLACING.into_iter().filter(|key| setting.has(key)).collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let plain = attempt(setting.parameters(), None)?.plain;
    let search = Search { attempt, setting, made, plain };
    let of = |parameter: &Parameter| {
        let value = search.replaced_value(parameter)?;
        let by = |key: &&'static str| search.is_replaced_by(key, &parameter.name, &value);
        let keys = keys.iter().copied().filter(by).collect();
        Some(Replaced { parameter: parameter.name.clone(), keys })
    };
    Ok(declared.iter().filter_map(of).collect())
}

struct Search<'a> {
    attempt: &'a Try<'a>,
    setting: &'a Setting,
    /// The scenario with the file in it, and without.
    made: &'a Description,
    plain: Description,
}

impl Search<'_> {
    /// Another value of the parameter that changes the scenario but not the scenario with the file: if there is
    /// one, and no other value changes the latter.
    fn replaced_value(&self, parameter: &Parameter) -> Option<String> {
        let mut replaced = None;
        for value in other_values(parameter) {
            let given = self.setting.parameters_with(&parameter.name, &value);
            let Ok(other) = (self.attempt)(given, None) else { continue };
            if other.made.as_ref() != Some(self.made) {
                return None;
            }
            if other.plain != self.plain {
                replaced = Some(value);
            }
        }
        replaced
    }

    /// Whether the parameter has an effect if the file does not have this key.
    fn is_replaced_by(&self, key: &'static str, name: &str, value: &str) -> bool {
        let given = [self.setting.parameters(), self.setting.parameters_with(name, value)];
        let made = given.map(|given| (self.attempt)(given, Some(key)).ok().and_then(|it| it.made));
        matches!(made, [Some(one), Some(other)] if one != other)
    }
}

/// Some other values of a parameter.
fn other_values(parameter: &Parameter) -> Vec<String> {
    let Parameter { kind, default, value, .. } = parameter;
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let mut values: Vec<String> = match kind {
        ParameterKind::Number { least, most, whole } => numbers(value, least, most, *whole),
        ParameterKind::Flag => words(&["true", "false"]),
        ParameterKind::Choice(words) => words.clone(),
        ParameterKind::Duration => {
            let now = parse_duration(value).unwrap_or_default();
            let near = [now * 2, now / 2, Duration::from_secs(1), Duration::from_millis(10)];
            near.map(|time| format!("{time:?}")).to_vec()
        }
        ParameterKind::Budget => words(&["off", "1", "2", "unlimited"]),
        ParameterKind::Shape => words(&["chain", "ring", "star", "mesh"]),
        ParameterKind::Network => words(&["unordered", "fifo", "list", "inbox:1"]),
        ParameterKind::Capacity => words(&["unlimited", "1", "2", "3:oldest"]),
        ParameterKind::Audience => words(&["all", "1", "2"]),
        ParameterKind::NumberOrAny { least, most } => {
            let mut all = numbers(value, least, most, true);
            all.push("any".to_owned());
            all
        }
        _ => Vec::new(),
    };
    values.insert(0, default.clone());
    values.retain(|other| other != value);
    values
}

/// Numbers near one, in a range.
fn numbers(value: &str, least: &str, most: &str, whole: bool) -> Vec<String> {
    let number = |text: &str| text.parse::<f64>().unwrap_or_default();
    let (now, least, most) = (number(value), number(least), number(most));
    let near = [now + 1.0, now - 1.0, now * 2.0, now / 2.0, (now + least) / 2.0];
    let near = near.into_iter().map(|number| if whole { number.round() } else { number });
    near.filter(|number| (least..=most).contains(number)).map(|it| it.to_string()).collect()
}
