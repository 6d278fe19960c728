//! What can be checked: scenarios and drivers.

/// What a check explores: a scenario, or a driver.
pub trait Subject: sealed::Buildable {}

impl<S: sealed::Buildable> Subject for S {}

pub(crate) mod sealed {
    use std::fmt::Display;

    use everypath_explore::{Searched, Trace};
    use everypath_model::Parameters;
    use everypath_network::SpaceOptions;
    use everypath_report::Surroundings;

    /// A function that makes a subject, and the parameters that a test gives it.
    pub trait Buildable {
        type Built: Explored;

        fn set(&mut self, name: &str, value: &dyn Display);
        /// Makes the subject; panics if a parameter does not exist or the subject is invalid.
        #[track_caller]
        fn build(&self) -> Self::Built;
    }

    /// A subject and its parameters.
    pub trait Explored {
        type Space<'a>: CheckedSpace
        where
            Self: 'a;

        fn name(&self) -> &str;
        fn parameters(&self) -> &Parameters;
        /// Its own bound on the length of runs.
        fn max_depth(&self) -> Option<u32>;
        /// The links of its network, if it has one.
        fn links(&self) -> Vec<(u32, u32)>;
        /// What it says that remedies against growth depend on.
        fn surroundings(&self) -> Surroundings;
        /// The space; panics if it cannot be explored.
        #[track_caller]
        fn space(&self, options: &SpaceOptions) -> Self::Space<'_>;
        /// The name of the library function that replays a run, and that of its method that takes
        /// events.
        fn replayed_by(&self) -> (&'static str, &'static str);
    }

    /// A space of a subject.
    pub trait CheckedSpace: Searched {
        /// The run of the subject itself, if reductions have changed the space.
        fn unreduced(&mut self, run: &Trace) -> Trace;
        /// The assertions that look at nothing.
        fn empty_assertions(&self) -> Vec<String>;
        /// A run as lines of Rust, where possible.
        fn run_as_code(&self, run: &Trace) -> Option<String>;
    }
}
