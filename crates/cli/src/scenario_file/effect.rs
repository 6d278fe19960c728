//! Which parameters a scenario file leaves without effect.
//!
//! A table of a file replaces a part of the scenario, whatever parameters that part was made of. Nobody lists
//! which these are: the scenario is made with another value of each parameter, and if that changes the scenario
//! but not what the file makes of it, the file has replaced all that the parameter says.

use std::time::Duration;

use everypath_model::{
    Job, Parameter, ParameterKind, Parameters, Protocol, Recorder, Scenario, Stimulus, panics,
    parse_duration,
};

use crate::{
    error::CliError,
    scenario_file::{REPLACING, Setting},
};

/// A parameter of which a scenario file has replaced all that it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) parameter: String,
    /// The keys of the file that have replaced it.
    pub(crate) keys: Vec<&'static str>,
}

impl Replaced {
    /// By what it was replaced, as it is written in the file.
    pub(crate) fn by(&self) -> String {
        let written = |key: &&str| match *key {
            "duration" => "`duration`".to_owned(),
            "flows" | "faults" => format!("[[{key}]]"),
            key => format!("[{key}]"),
        };
        let keys: Vec<String> = self.keys.iter().map(written).collect();
        match keys.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "the file".to_owned(),
        }
    }
}

/// The parameters that the file of a setting leaves without effect. `made` is the scenario with the file in it.
pub(crate) fn replaced<P: Protocol>(
    build: impl Fn(Parameters) -> Result<Scenario<P>, CliError>,
    setting: &Setting,
    declared: &[Parameter],
    made: &Scenario<P>,
) -> Result<Vec<Replaced>, CliError> {
    let keys: Vec<&'static str> = REPLACING.into_iter().filter(|key| setting.has(key)).collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let plain = build(setting.parameters())?;
    let trial = Trial { build, setting, made, plain };
    let of = |parameter: &Parameter| {
        let value = trial.replaced_value(parameter)?;
        let by = |key: &&'static str| trial.is_replaced_by(key, &parameter.name, &value);
        let keys = keys.iter().copied().filter(by).collect();
        Some(Replaced { parameter: parameter.name.clone(), keys })
    };
    Ok(declared.iter().filter_map(of).collect())
}

struct Trial<'a, P: Protocol, B> {
    build: B,
    setting: &'a Setting,
    /// The scenario with the file in it, and without.
    made: &'a Scenario<P>,
    plain: Scenario<P>,
}

impl<P: Protocol, B: Fn(Parameters) -> Result<Scenario<P>, CliError>> Trial<'_, P, B> {
    /// Another value of the parameter that changes the scenario but not what the file makes of it: if there is
    /// one, and no other value changes that.
    fn replaced_value(&self, parameter: &Parameter) -> Option<String> {
        let mut replaced = None;
        for value in other_values(parameter) {
            let given = self.setting.parameters_with(&parameter.name, &value);
            let Ok(mut other) = (self.build)(given) else { continue };
            let says_something = !is_same(&self.plain, &other);
            let is_made = self.setting.apply(&mut other).is_ok();
            if !is_made || !is_same(self.made, &other) {
                return None;
            }
            if says_something {
                replaced = Some(value);
            }
        }
        replaced
    }

    /// Whether the parameter has an effect again if the file does not have this key.
    fn is_replaced_by(&self, key: &'static str, name: &str, value: &str) -> bool {
        let built = [
            (self.build)(self.setting.parameters()),
            (self.build)(self.setting.parameters_with(name, value)),
        ];
        let [Ok(mut one), Ok(mut other)] = built else { return false };
        let applied = [&mut one, &mut other].map(|it| self.setting.apply_without(key, it).is_ok());
        applied == [true, true] && !is_same(&one, &other)
    }
}

/// Some other values that a parameter takes.
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

/// Whether two scenarios are the same as far as can be told: functions, such as what an assertion asks, cannot be
/// compared, nor can a protocol that does not tell its configuration.
fn is_same<P: Protocol>(one: &Scenario<P>, other: &Scenario<P>) -> bool {
    let (here, there) = (&one.simulation, &other.simulation);
    one.topology == other.topology
        && one.network == other.network
        && one.faults == other.faults
        && one.max_depth == other.max_depth
        && one.event_order == other.event_order
        && one.required == other.required
        && one.configuration_text() == other.configuration_text()
        && (here.link, &here.links, &here.field) == (there.link, &there.links, &there.field)
        && (here.duration, here.warm_up) == (there.duration, there.warm_up)
        && here.replications == there.replications
        && (&here.sensing, &here.outages) == (&there.sensing, &there.outages)
        && (&here.flows, given(one)) == (&there.flows, given(other))
        && names(one) == names(other)
        && starts(one) == starts(other)
}

/// How many nodes are asked how they start: those at the beginning differ if any do.
const STARTED: usize = 64;

/// How nodes start, and which commands they can get then: what a protocol shows of itself that does not tell its
/// configuration, and of what the environment wants of it.
fn starts<P: Protocol>(scenario: &Scenario<P>) -> Vec<Option<String>> {
    let Scenario { protocol, topology, .. } = scenario;
    let start = |me| {
        let mut fx = Recorder::<P>::new(me, topology.neighbours(me));
        let state = protocol.bring_up(me, None, &mut fx);
        format!("{state:?} {:?} {:?}", fx.did, protocol.commands(me, &state))
    };
    let nodes = topology.nodes().take(STARTED);
    nodes.map(|me| panics::catch(|| start(me)).ok()).collect()
}

/// The commands that are given, and what a node does that senses something.
fn given<P: Protocol>(scenario: &Scenario<P>) -> String {
    let setup = &scenario.simulation;
    let sensed =
        setup.stimulus_command.as_ref().map(|command| command(Stimulus { target: 0, number: 0 }));
    let job = |job: Job<P>| {
        format!("{:?} {:?} {:?} {:?} {:?}", job.node, job.command, job.begin, job.rhythm, job.end)
    };
    format!("{:?} {sensed:?}", setup.all_jobs().map(job).collect::<Vec<_>>())
}

/// The names of all that is assumed, asserted and measured.
fn names<P: Protocol>(scenario: &Scenario<P>) -> Vec<&str> {
    let conditions =
        [&scenario.assertions, &scenario.end_assertions, &scenario.goals, &scenario.prunings];
    let conditions = conditions.into_iter().flatten().map(|it| it.name.as_str());
    let assumptions = scenario.assumptions.iter().map(|it| it.name.as_str());
    let measures = scenario.simulation.measures.iter().map(|it| it.name.as_str());
    let rankings = scenario.all_rankings().map(|it| it.name.as_str());
    conditions.chain(assumptions).chain(measures).chain(rankings).collect()
}
