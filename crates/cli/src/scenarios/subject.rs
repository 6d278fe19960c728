//! A scenario without its types, as commands and reports know it.

use std::{any::type_name, time::Duration};

use everypath_model::{
    Condition, Faults, Field, LinkModel, NetworkKind, Parameters, Part, Profile, Protocol,
    Scenario, Topology, Trigger, WarmUp, panics,
};
use everypath_network::{NetworkSpace, SpaceOptions};

use crate::{
    error::CliError,
    scenarios::{
        entry::Built,
        start::{Start, StartFacts},
        used::UsedFile,
    },
};

/// What can be explored: a scenario behind its types.
pub(crate) trait Explorable: Sync {
    /// The scenario as a space.
    fn space(&self, options: SpaceOptions) -> Result<NetworkSpace<'_>, CliError>;
}

impl<P: Protocol> Explorable for Built<P> {
    fn space(&self, options: SpaceOptions) -> Result<NetworkSpace<'_>, CliError> {
        let space = match &self.start {
            None => NetworkSpace::new(&self.scenario, options),
            Some(start) => NetworkSpace::starting_in(&self.scenario, &start.world, options),
        };
        space.map_err(|error| CliError::Space { scenario: self.name.clone(), error })
    }
}

/// A scenario with the parameters it was made of, without its types.
pub(crate) struct Subject<'a> {
    pub(crate) name: String,
    pub(crate) parameters: &'a Parameters,
    pub(crate) scenario: Outline,
    /// The file that said more than its name and parameters, if there was one.
    pub(crate) file: Option<&'a UsedFile>,
    /// A digest of what that file said, and of the files that it names.
    pub(crate) settings: Option<&'a str>,
    /// From where it is explored, if not from its own start.
    pub(crate) start: Option<StartFacts>,
    /// What has its types.
    explorable: &'a dyn Explorable,
}

/// What a scenario says, but for code. Parts of one sort are listed by name.
pub(crate) struct Outline {
    /// The name of the protocol's type.
    pub(crate) protocol: &'static str,
    /// What `self` of the protocol is made of, if the scenario says so.
    pub(crate) configuration: Option<String>,
    /// Whether a value of the protocol's type holds anything.
    pub(crate) holds_nothing: bool,
    /// The names of the code that starts and restarts nodes.
    pub(crate) starting_code: Vec<&'static str>,
    pub(crate) about: String,
    pub(crate) topology: Topology,
    pub(crate) network: NetworkKind,
    pub(crate) faults: Faults,
    pub(crate) max_depth: Option<u32>,
    pub(crate) required: Option<String>,
    pub(crate) assumptions: Vec<String>,
    pub(crate) assertions: Vec<String>,
    pub(crate) end_assertions: Vec<String>,
    pub(crate) goals: Vec<String>,
    pub(crate) prunings: Vec<String>,
    pub(crate) relations: Vec<String>,
    pub(crate) rankings: Vec<String>,
    pub(crate) simulation: SimulationOutline,
}

/// The set-up of a simulation, but for code.
pub(crate) struct SimulationOutline {
    pub(crate) duration: Duration,
    pub(crate) replications: u32,
    pub(crate) warm_up: WarmUp,
    pub(crate) field: Option<Field>,
    pub(crate) link: LinkModel,
    /// How many directions of links have values of their own.
    pub(crate) own_links: usize,
    pub(crate) flows: usize,
    /// Whether nodes can send data to each other.
    pub(crate) sends_data: bool,
    pub(crate) measures: Vec<String>,
    /// What can go down.
    pub(crate) outages: Vec<Part>,
}

impl Outline {
    fn of<P: Protocol>(scenario: &Scenario<P>) -> Self {
        let named =
            |conditions: &[Condition<P>]| conditions.iter().map(|it| it.name.clone()).collect();
        let setup = &scenario.simulation;
        let code = |node| {
            let triggers = [Trigger::Start, Trigger::Restart];
            triggers.map(|trigger| scenario.protocol.code(node, trigger))
        };
        let code = scenario.topology.nodes().flat_map(code).flatten();
        Self {
            protocol: type_name::<P>(),
            configuration: scenario.configuration_text(),
            holds_nothing: size_of::<P>() == 0,
            starting_code: code.map(|code| code.name).collect(),
            about: scenario.about.clone(),
            topology: scenario.topology.clone(),
            network: scenario.network,
            faults: scenario.faults,
            max_depth: scenario.max_depth,
            required: scenario.required.clone(),
            assumptions: scenario.assumptions.iter().map(|it| it.name.clone()).collect(),
            assertions: named(&scenario.assertions),
            end_assertions: named(&scenario.end_assertions),
            goals: named(&scenario.goals),
            prunings: named(&scenario.prunings),
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
}

impl<P: Protocol> Built<P> {
    /// The scenario without its types, as it is now.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject {
            name: self.name.clone(),
            parameters: &self.parameters,
            scenario: Outline::of(&self.scenario),
            file: self.file.as_ref(),
            settings: self.settings.as_deref(),
            start: self.start.as_ref().map(Start::facts),
            explorable: self,
        }
    }
}

impl<'a> Subject<'a> {
    /// The scenario as a space.
    pub(crate) fn space(&self, options: SpaceOptions) -> Result<NetworkSpace<'a>, CliError> {
        self.explorable.space(options)
    }

    /// Its name, with the semantics if they are not the usual ones.
    pub(crate) fn title(&self) -> String {
        let mark = match self.parameters.profile() {
            Profile::Standard => "",
            Profile::Thesis => " (thesis profile: the published semantics)",
        };
        format!("{}{mark}", self.name)
    }

    /// Does something with a space. Panics of handlers and assertions are caught in it; those of
    /// all other code of the user's come up to here.
    pub(crate) fn guarded<T>(&self, run: impl FnOnce() -> T) -> Result<T, CliError> {
        panics::catch(run).map_err(|panic| CliError::Panicked {
            scenario: self.name.clone(),
            panic: panic.to_string(),
            what: panic.part.unwrap_or_else(|| {
                "the code around its handlers, which compares, prints or serialises data".to_owned()
            }),
        })
    }
}
