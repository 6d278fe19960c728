//! A scenario or driver without its types, for commands and reports.

use everypath_driver::Driven;
use everypath_explore::{Space, Trace};
use everypath_model::{EventKind, Parameters, Profile, panics};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_plain::{PlainOptions, Time, WholeSpace};
use everypath_sim::Lateness;

use super::{
    any_scenario::{AnyScenario, Origins},
    outline::Outline,
    start::StartFacts,
    used_file::UsedFile,
};
use crate::error::CliError;

/// A scenario with the parameters it was made of, without its types.
pub(crate) struct Subject<'a> {
    pub(crate) name: String,
    pub(crate) parameters: &'a Parameters,
    pub(crate) scenario: Outline,
    /// The file that gave more than its name and parameters, if there was one.
    pub(crate) file: Option<&'a UsedFile>,
    /// A digest of the content of that file, and of the files that it names.
    pub(crate) settings: Option<&'a str>,
    /// Where its exploration starts, if not at its own start.
    pub(crate) start: Option<StartFacts>,
    /// Whether time counts in its plain space.
    pub(super) time: Time,
    /// The same with its types.
    pub(super) made: Made<'a>,
}

/// A scenario or driver with its types.
#[derive(Clone, Copy)]
pub(crate) enum Made<'a> {
    Scenario(&'a dyn AnyScenario),
    Driver(&'a dyn Driven),
}

impl dyn AnyScenario {
    /// The scenario without its types, as it is now.
    pub(crate) fn subject(&self) -> Subject<'_> {
        let Origins { name, parameters, file, settings } = self.origins();
        Subject {
            name: name.clone(),
            parameters,
            scenario: self.outline(),
            file: file.as_ref(),
            settings: settings.as_deref(),
            start: self.start(),
            time: Time::Any,
            made: Made::Scenario(self),
        }
    }
}

impl<'a> Subject<'a> {
    /// The same, with time that counts or not.
    pub(crate) fn with_time(self, time: Time) -> Self {
        Self { time, ..self }
    }

    /// Whether its events are calls of a driver.
    pub(crate) fn is_driver(&self) -> bool {
        matches!(self.made, Made::Driver(_))
    }

    /// The scenario as a space.
    pub(crate) fn space(&self, options: SpaceOptions) -> Result<NetworkSpace<'a>, CliError> {
        let Made::Scenario(scenario) = self.made else {
            return Err(CliError::NotAScenario { name: self.name.clone() });
        };
        let space = scenario.space(options);
        space.map_err(|error| CliError::Space { scenario: self.name.clone(), error })
    }

    /// The scenario as a space of whole worlds. What the usual space refuses is refused in its words.
    pub(crate) fn plain_space(
        &self,
        options: SpaceOptions,
    ) -> Result<Box<dyn WholeSpace + 'a>, CliError> {
        let usual = self.space(options.clone())?;
        let Made::Scenario(scenario) = self.made else {
            return Err(CliError::NotAScenario { name: self.name.clone() });
        };
        let possible = usual.event_kinds();
        let SpaceOptions { profile, disabled, required, deadlock, timers, .. } = options;
        let kinds =
            EventKind::ALL.into_iter().filter(|it| possible.iter().any(|kind| kind == it.name()));
        let kinds = kinds.collect();
        let plain =
            PlainOptions { profile, disabled, required, deadlock, kinds, timers, time: self.time };
        let space = scenario.plain_space(plain);
        space.map_err(|error| CliError::Plain { scenario: self.name.clone(), error })
    }

    /// How late something must be for a run of the scenario; nothing if that is unknown.
    pub(crate) fn lateness(&self, space: &mut NetworkSpace<'_>, run: &Trace) -> Option<Lateness> {
        match self.made {
            Made::Scenario(scenario) => scenario.lateness(space, run),
            Made::Driver(_) => None,
        }
    }

    /// Its name, with the semantics if they are not the usual ones.
    pub(crate) fn title(&self) -> String {
        let mark = match self.parameters.profile() {
            Profile::Standard => "",
            Profile::Thesis => " (thesis profile: the published semantics)",
        };
        format!("{}{mark}", self.name)
    }

    /// Does something with a space. The space catches panics of handlers and assertions; those of
    /// all other user code are caught here.
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
