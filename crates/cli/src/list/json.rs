//! The types of the JSON of `list` and `show`.

use everypath_driver::CallText;
use everypath_model::{Faults, Parameters, TimeoutBudget};
use serde::Serialize;

use crate::scenarios::{
    driver::Built,
    entry::{Entry, about},
    subject::Subject,
};

/// What `everypath list --json` prints.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "List"))]
pub(crate) struct EntriesReport {
    /// The scenarios, drivers and subjects, in the order in which the program lists them.
    scenarios: Vec<EntryReport>,
}

/// A scenario, driver or subject as it is listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Entry"))]
struct EntryReport {
    /// Its name on the command line.
    name: String,
    /// Whether it is a protocol or calls; null if it cannot be made.
    kind: Option<EntryKind>,
    /// What it is, in a sentence.
    about: String,
}

/// What is listed.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum EntryKind {
    /// A protocol and its environment; it can be simulated.
    Scenario,
    /// Calls on a Rust type, or on a subject.
    Driver,
}

impl EntriesReport {
    pub(super) fn new(entries: &[Box<dyn Entry>]) -> Self {
        let entry = |entry: &dyn Entry| {
            let built = entry.build_any(Parameters::new()).ok();
            let kind = built.map(|built| match built {
                Built::Scenario(_) => EntryKind::Scenario,
                Built::Driver(_) => EntryKind::Driver,
            });
            EntryReport { name: entry.name().to_owned(), kind, about: about(entry) }
        };
        Self { scenarios: entries.iter().map(|it| entry(it.as_ref())).collect() }
    }
}

/// What `everypath show` prints of a scenario.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Scenario"))]
pub(crate) struct ScenarioReport {
    /// The name of the scenario.
    scenario: String,
    /// What it is, in a sentence.
    about: String,
    /// How many nodes it has.
    nodes: usize,
    /// The links, each as a pair of node numbers.
    links: Vec<[u32; 2]>,
    /// The order of delivery.
    network: String,
    /// How many packets can be in flight from one node to another: unlimited, or a number; with
    /// `:oldest` where the oldest is lost if there is one more, not the newest.
    capacity: String,
    /// How often each fault can happen.
    faults: FaultsReport,
    /// The nodes that can reboot; null if all can.
    reboot_of: Option<Vec<u32>>,
    /// How often timers can fire, where that is limited.
    timeouts: Vec<TimeoutsReport>,
    /// The default bound of an exploration; null if there is none.
    max_depth: Option<u32>,
    /// The event that a run must contain for its violations to count; null if there is none.
    required: Option<String>,
    /// The parameters.
    parameters: Vec<ParameterReport>,
    /// The names of its assumptions.
    assumptions: Vec<String>,
    /// The names of its observers.
    observers: Vec<String>,
    /// The names of its assertions about every state and every step.
    assertions: Vec<String>,
    /// The names of its assertions about ends.
    end_assertions: Vec<String>,
    /// The names of its goals.
    goals: Vec<String>,
    /// The names of its prunings.
    prunings: Vec<String>,
    /// The names of its relations.
    relations: Vec<String>,
    /// The names of its rankings.
    rankings: Vec<String>,
    /// The names of its measures, with units.
    measures: Vec<String>,
}

/// How often each fault can happen: off, a number, or unlimited.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Faults"))]
struct FaultsReport {
    /// Losses of packets.
    loss: String,
    /// Duplications of packets.
    duplication: String,
    /// Reboots of nodes.
    reboot: String,
    /// Failures of links.
    link_failure: String,
    /// Returns of failed links.
    link_return: String,
}

/// How often some timers can fire.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Timeouts"))]
struct TimeoutsReport {
    /// Which timers: a pattern of events.
    timers: String,
    /// How often: off, a number, or unlimited.
    most: String,
}

impl From<&TimeoutBudget> for TimeoutsReport {
    fn from(budget: &TimeoutBudget) -> Self {
        Self { timers: budget.timers.clone(), most: budget.most.to_string() }
    }
}

impl From<Faults> for FaultsReport {
    fn from(faults: Faults) -> Self {
        Self {
            loss: faults.loss.to_string(),
            duplication: faults.duplication.to_string(),
            reboot: faults.reboot.to_string(),
            link_failure: faults.link_failure.to_string(),
            link_return: faults.link_return.to_string(),
        }
    }
}

/// A parameter, set by `--set NAME=VALUE`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Parameter"))]
struct ParameterReport {
    /// Its name.
    name: String,
    /// The values that it takes, in words.
    takes: String,
    /// Its value where none is given.
    default: String,
    /// Its value now.
    value: String,
    /// What it means.
    about: String,
}

/// The parameters of a scenario or driver.
fn parameters_of(parameters: &Parameters) -> Vec<ParameterReport> {
    let declared = parameters.declared().iter().map(|parameter| ParameterReport {
        name: parameter.name.clone(),
        takes: parameter.kind.to_string(),
        default: parameter.default.clone(),
        value: parameter.value.clone(),
        about: parameter.about.clone(),
    });
    declared.collect()
}

impl From<&Subject<'_>> for ScenarioReport {
    fn from(Subject { name, parameters, scenario, .. }: &Subject<'_>) -> Self {
        Self {
            scenario: name.to_string(),
            about: scenario.about.to_string(),
            nodes: scenario.topology.len(),
            links: scenario.topology.links().map(|(a, b)| [a.0, b.0]).collect(),
            network: scenario.network.to_string(),
            capacity: scenario.capacity.to_string(),
            faults: scenario.faults.into(),
            reboot_of: scenario.rebooting.as_ref().map(|all| all.iter().map(|it| it.0).collect()),
            timeouts: scenario.timeouts.iter().map(TimeoutsReport::from).collect(),
            max_depth: scenario.max_depth,
            required: scenario.required.clone(),
            parameters: parameters_of(parameters),
            assumptions: scenario.assumptions.clone(),
            observers: scenario.observers.clone(),
            assertions: scenario.assertions.clone(),
            end_assertions: scenario.end_assertions.clone(),
            goals: scenario.goals.clone(),
            prunings: scenario.prunings.clone(),
            relations: scenario.relations.clone(),
            rankings: scenario.rankings.clone(),
            measures: scenario.simulation.measures.clone(),
        }
    }
}

/// What `everypath show` prints of a driver or subject.
///
/// Fields are added in later versions, never removed or given another meaning.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Driver"))]
pub(crate) struct DriverReport {
    /// The name of the driver.
    driver: String,
    /// What it drives, in a sentence.
    about: String,
    /// The default bound on the number of calls; null if there is none.
    max_depth: Option<u32>,
    /// The parameters.
    parameters: Vec<ParameterReport>,
    /// The calls.
    calls: Vec<CallReport>,
    /// The names of its assertions.
    assertions: Vec<String>,
}

/// One call of a driver, with all its arguments.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Call"))]
struct CallReport {
    /// Its name.
    name: String,
    /// The arguments with which it is called, one text for each combination.
    arguments: Vec<String>,
    /// Whether it is called only where a guard holds.
    guarded: bool,
    /// Whether its results are compared with those of a reference.
    compared: bool,
}

impl DriverReport {
    pub(super) fn new(built: &Subject<'_>, calls: &[CallText]) -> Self {
        let Subject { name, parameters, scenario, .. } = built;
        let call = |call: &CallText| CallReport {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            guarded: call.is_guarded,
            compared: call.is_compared,
        };
        Self {
            driver: name.to_string(),
            about: scenario.about.to_string(),
            max_depth: scenario.max_depth,
            parameters: parameters_of(parameters),
            calls: calls.iter().map(call).collect(),
            assertions: scenario.assertions.clone(),
        }
    }
}
