//! The parts of a scenario that a scenario file can change, and those that can be compared.

use everypath_model::{Job, Protocol, Recorder, Scenario, Stimulus, panics};

use crate::{
    error::CliError,
    scenario_file::{Parts, Setting, effect::Description},
};

/// Applies a file to a scenario, without one of its keys.
pub(super) fn apply<P: Protocol>(
    setting: &Setting,
    without: Option<&str>,
    scenario: &mut Scenario<P>,
) -> Result<(), CliError> {
    let setup = &mut scenario.simulation;
    let parts = Parts {
        topology: &scenario.topology,
        duration: &mut setup.duration,
        warm_up: &mut setup.warm_up,
        link: &mut setup.link,
        links: &mut setup.links,
        field: &mut setup.field,
        sensing: &mut setup.sensing,
        outages: &mut setup.outages,
        flows: &mut setup.flows,
        measures: &mut setup.measures,
        sends_data: setup.data_command.is_some(),
        senses: setup.stimulus_command.is_some(),
    };
    setting.apply(without, parts)?;
    scenario.validate().map_err(|error| setting.scenario_error(&error))
}

/// The parts of a scenario that can be compared. Functions, such as assertions, cannot be compared, nor can a protocol
/// without a configuration.
pub(super) fn description<P: Protocol>(scenario: &Scenario<P>) -> Description {
    let setup = &scenario.simulation;
    Description {
        topology: scenario.topology.clone(),
        network: scenario.network,
        capacity: scenario.capacity,
        faults: scenario.faults,
        rebooting: scenario.rebooting.clone(),
        timeouts: scenario.timeouts.clone(),
        max_depth: scenario.max_depth,
        event_order: scenario.event_order.clone(),
        required: scenario.required.clone(),
        configuration: scenario.configuration_text(),
        link: setup.link,
        links: setup.links.clone(),
        field: setup.field.clone(),
        duration: setup.duration,
        warm_up: setup.warm_up,
        replications: setup.replications,
        sensing: setup.sensing.clone(),
        outages: setup.outages.clone(),
        flows: setup.flows.clone(),
        given: panics::catch(|| given(scenario)).ok(),
        names: names(scenario),
        starts: starts(scenario),
    }
}

/// How many nodes are started for a comparison: the first ones differ if any do.
const STARTED: usize = 64;

/// How nodes start, and which commands they can get then: these show differences of a protocol without a
/// configuration, and of its environment.
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

/// The given commands, and those of nodes that sense something.
fn given<P: Protocol>(scenario: &Scenario<P>) -> String {
    let setup = &scenario.simulation;
    let sensed =
        setup.stimulus_command.as_ref().map(|command| command(Stimulus { target: 0, number: 0 }));
    let job = |job: Job<P>| {
        format!("{:?} {:?} {:?} {:?} {:?}", job.node, job.command, job.begin, job.rhythm, job.end)
    };
    format!("{:?} {sensed:?}", setup.all_jobs().map(job).collect::<Vec<_>>())
}

/// The names of assumptions, assertions and measures.
fn names<P: Protocol>(scenario: &Scenario<P>) -> Vec<String> {
    let conditions =
        [&scenario.assertions, &scenario.end_assertions, &scenario.goals, &scenario.prunings];
    let conditions = conditions.into_iter().flatten().map(|it| it.name.as_str());
    let assumptions = scenario.assumptions.iter().map(|it| it.name.as_str());
    let measures = scenario.simulation.measures.iter().map(|it| it.name.as_str());
    let rankings = scenario.all_rankings().map(|it| it.name.as_str());
    let all = conditions.chain(assumptions).chain(measures).chain(rankings);
    all.map(str::to_owned).collect()
}
