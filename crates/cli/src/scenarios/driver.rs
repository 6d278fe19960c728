//! Drivers, and other subjects whose events are calls: made by name, without their types.

use everypath_driver::{CallText, Driven, DrivenSpace, DriverOptions, Repetition};
use everypath_model::{Capacity, Faults, LinkModel, NetworkKind, Parameters, Topology, WarmUp};
use everypath_network::{SpaceOptions, Verification};
use everypath_plain::Time;

use super::{
    any_scenario::{AnyScenario, Origins},
    outline::{Outline, SimulationOutline},
    subject::{Made, Subject},
};
use crate::error::CliError;

/// A driver with its origins.
pub(crate) struct BuiltDriver {
    pub(crate) origins: Origins,
    pub(crate) driver: Box<dyn Driven>,
}

/// What an entry has made.
pub(crate) enum Built {
    Scenario(Box<dyn AnyScenario>),
    Driver(Box<BuiltDriver>),
}

impl Built {
    pub(crate) fn origins(&self) -> &Origins {
        match self {
            Self::Scenario(scenario) => scenario.origins(),
            Self::Driver(driver) => &driver.origins,
        }
    }

    pub(crate) fn about(&self) -> String {
        match self {
            Self::Scenario(scenario) => scenario.outline().about,
            Self::Driver(driver) => driver.driver.about().to_owned(),
        }
    }

    /// Without its types, as it is now.
    pub(crate) fn subject(&self) -> Subject<'_> {
        match self {
            Self::Scenario(scenario) => scenario.subject(),
            Self::Driver(driver) => driver.subject(),
        }
    }
}

impl BuiltDriver {
    pub(crate) fn new(name: String, parameters: Parameters, driver: Box<dyn Driven>) -> Self {
        let origins = Origins { name, parameters, file: None, settings: None };
        Self { origins, driver }
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            name: self.origins.name.clone(),
            parameters: &self.origins.parameters,
            scenario: outline(&*self.driver),
            file: None,
            settings: None,
            start: None,
            time: Time::Any,
            made: Made::Driver(&*self.driver),
        }
    }
}

/// A driver as an outline: it has calls instead of a network.
fn outline(driver: &dyn Driven) -> Outline {
    Outline {
        calls: Some(driver.calls()),
        protocol: "driver",
        configuration: None,
        holds_nothing: false,
        starting_code: Vec::new(),
        about: driver.about().to_owned(),
        version_of: None,
        version_parameters: Vec::new(),
        topology: Topology::unlinked(0),
        network: NetworkKind::Unordered,
        has_receivers: false,
        capacity: Capacity::Unlimited,
        faults: Faults::default(),
        rebooting: None,
        timeouts: Vec::new(),
        max_depth: driver.max_depth(),
        required: None,
        assumptions: Vec::new(),
        assertions: driver.assertions(),
        observers: Vec::new(),
        end_assertions: Vec::new(),
        goals: Vec::new(),
        prunings: Vec::new(),
        cuts: Vec::new(),
        starts: Vec::new(),
        relations: Vec::new(),
        rankings: Vec::new(),
        simulation: SimulationOutline {
            duration: std::time::Duration::ZERO,
            replications: 0,
            warm_up: WarmUp::None,
            field: None,
            link: LinkModel::default(),
            own_links: 0,
            flows: 0,
            sends_data: false,
            measures: Vec::new(),
            outages: Vec::new(),
        },
    }
}

/// The space of a driver. Options that it cannot have were refused before.
pub(super) fn open<'a>(
    name: &str,
    driver: &'a dyn Driven,
    options: &SpaceOptions,
) -> Result<Box<dyn DrivenSpace + 'a>, CliError> {
    let options = DriverOptions {
        disabled: options.disabled.clone(),
        deadlock: options.deadlock,
        repetition: match options.verification {
            Verification::All => Repetition::All,
            Verification::Nothing => Repetition::Nothing,
            _ => Repetition::Share,
        },
    };
    let opened = driver.open(options);
    opened.map_err(|error| CliError::Driver { name: name.to_owned(), error })
}

/// A call with its arguments in a few words.
pub(crate) fn call_text(call: &CallText) -> String {
    let CallText { name, arguments, .. } = call;
    match arguments.as_slice() {
        [] => name.clone(),
        [only] => format!("{name}({only})"),
        [first, .., last] => {
            format!("{name}({first}) to {name}({last}): {} calls", arguments.len())
        }
    }
}
