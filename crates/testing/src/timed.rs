//! Scenarios in tests in which time counts.

use std::fmt::Display;

use everypath_explore::Trace;
use everypath_model::{Parameters, Protocol};
use everypath_network::{SpaceOptions, Verification};
use everypath_plain::{PlainOptions, PlainSpace, Time, WholeSpace};
use everypath_report::Surroundings;

use crate::{
    scenario::{Builder, Built},
    subject::sealed::{Buildable, CheckedSpace, Explored},
};

/// A function that makes a scenario whose packets and timers take their time.
pub struct TimedBuilder<P: Protocol>(pub(crate) Builder<P>);

/// A scenario whose packets and timers take their time.
pub struct TimedBuilt<P: Protocol>(Built<P>);

impl<P: Protocol> Buildable for TimedBuilder<P> {
    type Built = TimedBuilt<P>;

    fn set(&mut self, name: &str, value: &dyn Display) {
        self.0.set(name, value);
    }

    #[track_caller]
    fn build(&self) -> TimedBuilt<P> {
        TimedBuilt(self.0.build())
    }
}

impl<P: Protocol> Explored for TimedBuilt<P> {
    type Space<'a> = Box<dyn WholeSpace + 'a>;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn parameters(&self) -> &Parameters {
        self.0.parameters()
    }

    fn max_depth(&self) -> Option<u32> {
        self.0.max_depth()
    }

    fn links(&self) -> Vec<(u32, u32)> {
        self.0.links()
    }

    fn surroundings(&self) -> Surroundings {
        self.0.surroundings()
    }

    #[track_caller]
    fn space(&self, options: &SpaceOptions) -> Box<dyn WholeSpace + '_> {
        let name = self.name();
        assert!(
            options.verification != Verification::All,
            "{name}: `verify_determinism` has no use with `timed`, which executes no handler twice to compare; use it in a check without time"
        );
        let SpaceOptions { disabled, required, deadlock, timers, .. } = options.clone();
        let own = PlainOptions { disabled, required, deadlock, timers, ..PlainOptions::default() };
        let options = PlainOptions { time: Time::Counted, ..own };
        let space = PlainSpace::new(&self.0.scenario, None, options);
        Box::new(space.unwrap_or_else(|error| panic!("{name}: {error}")))
    }

    fn replayed_by(&self) -> (&'static str, &'static str) {
        self.0.replayed_by()
    }
}

impl CheckedSpace for Box<dyn WholeSpace + '_> {
    fn unreduced(&mut self, run: &Trace) -> Trace {
        run.clone()
    }

    /// It is not tried what assertions look at.
    fn empty_assertions(&self) -> Vec<String> {
        Vec::new()
    }

    fn run_as_code(&self, _: &Trace) -> Option<String> {
        None
    }
}
