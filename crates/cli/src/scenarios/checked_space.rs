//! The spaces that commands explore: networks, and those in which events are calls.

use std::time::Duration;

use everypath_driver::{BranchText, DrivenSpace};
use everypath_explore::{Searched, Trace};
use everypath_network::{NetworkSpace, Reductions, SpaceOptions};
use everypath_plain::WholeSpace;

use super::{
    driver,
    subject::{Made, Subject},
};
use crate::error::CliError;

/// A space that a command explores. The space of a network is known by its type, so that nothing
/// of a search is called through a table; all others are boxed.
pub(crate) trait CheckedSpace<'a>: Searched + Sized {
    /// The space of a subject.
    fn open(built: &Subject<'a>, options: SpaceOptions) -> Result<Self, CliError>;

    /// The space as that of a network, if it is one.
    fn network(&self) -> Option<&NetworkSpace<'a>>;

    /// The same, to be changed.
    fn network_mut(&mut self) -> Option<&mut NetworkSpace<'a>>;

    /// How many executions were compared with a second one; none if they cannot but be deterministic.
    fn verified_executions(&self) -> Option<u64>;

    /// The conditions in the code that calls execute, if that is known.
    fn branches(&self) -> Option<Vec<BranchText>> {
        None
    }

    /// What execution has cost beyond a number of executions, where there is more to say.
    fn costs(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The unit of time, if time counts.
    fn unit(&self) -> Option<Duration> {
        None
    }

    /// The run of the subject itself that a run of a reduced space represents.
    fn unreduced(&mut self, run: &Trace) -> Trace;

    /// A run as lines of Rust, where possible.
    fn run_as_code(&self, run: &Trace) -> Option<String>;
}

impl<'a> CheckedSpace<'a> for NetworkSpace<'a> {
    fn open(built: &Subject<'a>, options: SpaceOptions) -> Result<Self, CliError> {
        built.space(options)
    }

    fn network(&self) -> Option<&NetworkSpace<'a>> {
        Some(self)
    }

    fn network_mut(&mut self) -> Option<&mut NetworkSpace<'a>> {
        Some(self)
    }

    fn verified_executions(&self) -> Option<u64> {
        Some(self.verified_executions())
    }

    fn unreduced(&mut self, run: &Trace) -> Trace {
        let found = self.unreduced(run);
        found.expect("what reductions rely on was verified on every step of the run")
    }

    fn run_as_code(&self, _: &Trace) -> Option<String> {
        None
    }
}

/// The space of whole worlds.
pub(crate) type PlainSpace<'a> = Box<dyn WholeSpace + 'a>;

impl<'a> CheckedSpace<'a> for PlainSpace<'a> {
    fn open(built: &Subject<'a>, options: SpaceOptions) -> Result<Self, CliError> {
        built.plain_space(options.reductions(Reductions::NONE))
    }

    fn unit(&self) -> Option<Duration> {
        (**self).unit()
    }

    fn network(&self) -> Option<&NetworkSpace<'a>> {
        None
    }

    fn network_mut(&mut self) -> Option<&mut NetworkSpace<'a>> {
        None
    }

    fn verified_executions(&self) -> Option<u64> {
        Some(0)
    }

    fn unreduced(&mut self, run: &Trace) -> Trace {
        run.clone()
    }

    fn run_as_code(&self, _: &Trace) -> Option<String> {
        None
    }
}

/// The space of a driver, or of another subject whose events are calls.
pub(crate) type CallSpace<'a> = Box<dyn DrivenSpace + 'a>;

impl<'a> CheckedSpace<'a> for CallSpace<'a> {
    fn open(built: &Subject<'a>, options: SpaceOptions) -> Result<Self, CliError> {
        match built.made {
            Made::Driver(driver) => driver::open(&built.name, driver, &options),
            Made::Scenario(_) => unreachable!("a scenario has the space of a network"),
        }
    }

    fn network(&self) -> Option<&NetworkSpace<'a>> {
        None
    }

    fn network_mut(&mut self) -> Option<&mut NetworkSpace<'a>> {
        None
    }

    fn verified_executions(&self) -> Option<u64> {
        self.executions_verified()
    }

    fn branches(&self) -> Option<Vec<BranchText>> {
        (**self).branches()
    }

    fn costs(&self) -> Vec<(&'static str, String)> {
        (**self).costs()
    }

    fn unreduced(&mut self, run: &Trace) -> Trace {
        run.clone()
    }

    fn run_as_code(&self, run: &Trace) -> Option<String> {
        (**self).run_as_code(run)
    }
}
