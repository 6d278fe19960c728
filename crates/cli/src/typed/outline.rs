//! The content of a scenario, except code.

use std::any::type_name;

use everypath_model::{Condition, Protocol, Scenario, Trigger};

use crate::scenarios::outline::{Outline, SimulationOutline};

/// The content of a scenario.
pub(super) fn of<P: Protocol>(scenario: &Scenario<P>) -> Outline {
    let named = |conditions: &[Condition<P>]| conditions.iter().map(|it| it.name.clone()).collect();
    let setup = &scenario.simulation;
    let code = |node| {
        let triggers = [Trigger::Start, Trigger::Restart];
        triggers.map(|trigger| scenario.protocol.code(node, trigger))
    };
    let code = scenario.topology.nodes().flat_map(code).flatten();
    Outline {
        calls: None,
        protocol: type_name::<P>(),
        configuration: scenario.configuration_text(),
        holds_nothing: size_of::<P>() == 0,
        starting_code: code.map(|code| code.name).collect(),
        about: scenario.about.clone(),
        version_of: scenario.version_of.clone(),
        version_parameters: scenario.version_parameters.clone(),
        topology: scenario.topology.clone(),
        network: scenario.network,
        has_receivers: scenario.receivers.is_some(),
        capacity: scenario.capacity,
        faults: scenario.faults,
        rebooting: scenario.rebooting.clone(),
        timeouts: scenario.timeouts.clone(),
        max_depth: scenario.max_depth,
        required: scenario.required.clone(),
        assumptions: scenario.assumptions.iter().map(|it| it.name.clone()).collect(),
        observers: scenario
            .observers
            .iter()
            .filter(|observer| observer.is_shown)
            .map(|observer| observer.name.clone())
            .collect(),
        assertions: named(&scenario.assertions),
        end_assertions: named(&scenario.end_assertions),
        goals: named(&scenario.goals),
        prunings: named(&scenario.prunings),
        cuts: scenario.cuts.iter().map(|it| it.name.clone()).collect(),
        starts: scenario.starts.iter().map(|it| it.name.clone()).collect(),
        relations: scenario.relations.iter().map(|it| it.name.clone()).collect(),
        rankings: scenario.all_rankings().map(|it| it.name.clone()).collect(),
        simulation: SimulationOutline {
            duration: setup.duration,
            replications: setup.replications,
            warm_up: setup.warm_up,
            field: setup.field.clone(),
            link: setup.link,
            own_links: setup.links.len(),
            flows: setup.flows.len(),
            sends_data: setup.data_command.is_some(),
            measures: setup.measures.iter().map(|it| it.name.clone()).collect(),
            outages: setup.outages.iter().map(|outage| outage.part).collect(),
        },
    }
}
