//! Scenarios explored in our own semantics.

use everypath_explore::{Exploration, Judged, Options, explore};
use everypath_model::{Parameters, Protocol, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions, Verification};

/// A scenario with some parameters given.
pub fn scenario<P: Protocol>(
    build: fn(&mut Parameters) -> Scenario<P>,
    given: &[(&str, &str)],
) -> Scenario<P> {
    let mut parameters = Parameters::with(given.iter().copied());
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    scenario
}

/// What is found, with the names of the broken assertions.
pub fn explored<P: Protocol>(
    scenario: &Scenario<P>,
    options: &Options,
) -> (Exploration, Vec<String>) {
    let required = scenario.required.as_ref().map(|event| event.parse().unwrap());
    let space_options = SpaceOptions::default().required(required).verification(Verification::All);
    let mut space = NetworkSpace::new(scenario, space_options).unwrap();
    let found = explore(&mut space, options, &mut ()).unwrap();
    let broken = found.findings.iter().map(|finding| space.assertions()[finding.assertion].clone());
    let broken = broken.collect();
    (found, broken)
}

/// The length of the run that was found.
pub fn steps(found: &Exploration) -> usize {
    found.finding().map_or(0, |finding| finding.trace.steps.len())
}
