//! `Searched`: the searches of a space, compiled once in the crate of the space.

use std::io::Read;

use crate::{
    EventPattern, Explorable, Exploration, Neighbourhood, Options, Refusal, ResumeError, Trace,
    Watch,
};

/// A space whose searches are compiled in its own crate.
///
/// A generic search is compiled by the crate that calls it. In tests and in the release profile, the command line is
/// built with little optimisation: a search that it compiled itself took 2.2 times as long in tests.
/// [`compile_searches!`](crate::compile_searches) implements the trait.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{Ended, ModelSpace, Options, Searched};
///
/// let found = ModelSpace::new(Counter).explore(&Options::default(), &mut ()).unwrap();
/// assert_eq!(found.ended, Ended::Violation);
/// ```
pub trait Searched: Explorable {
    /// [Explores](crate::explore()) the space.
    ///
    /// # Errors
    /// If the options cannot be combined in this space.
    fn explore(&mut self, options: &Options, watch: &mut dyn Watch)
    -> Result<Exploration, Refusal>;

    /// [Resumes](crate::resume()) a saved search.
    ///
    /// # Errors
    /// If the saved search is damaged or another one, or cannot be resumed with these options.
    fn resume(
        &mut self,
        options: &Options,
        watch: &mut dyn Watch,
        saved: &mut dyn Read,
    ) -> Result<Exploration, ResumeError>;

    /// [Explores the neighbourhood](crate::explore_neighbourhood) of runs.
    fn explore_neighbourhood(
        &mut self,
        runs: &[Trace],
        around: Neighbourhood,
        watch: &mut dyn Watch,
    ) -> Exploration;

    /// [Shrinks](crate::shrink()) a run that violates an assertion.
    fn shrink(
        &mut self,
        trace: &Trace,
        assertion: usize,
        required_on_path: Option<&EventPattern>,
        enough: &dyn Fn() -> bool,
    ) -> Trace;
}

/// Implements [`Searched`](trait@crate::Searched) for a type of spaces, and so compiles their searches in this crate.
#[macro_export]
macro_rules! compile_searches {
    ($space:ty $(, $parameter:ident: $bound:path)?) => {
        impl $(<$parameter: $bound>)? $crate::Searched for $space {
            fn explore(
                &mut self,
                options: &$crate::Options,
                watch: &mut dyn $crate::Watch,
            ) -> ::std::result::Result<$crate::Exploration, $crate::Refusal> {
                $crate::explore(self, options, watch)
            }

            fn resume(
                &mut self,
                options: &$crate::Options,
                watch: &mut dyn $crate::Watch,
                saved: &mut dyn ::std::io::Read,
            ) -> ::std::result::Result<$crate::Exploration, $crate::ResumeError> {
                $crate::resume(self, options, watch, saved)
            }

            fn explore_neighbourhood(
                &mut self,
                runs: &[$crate::Trace],
                around: $crate::Neighbourhood,
                watch: &mut dyn $crate::Watch,
            ) -> $crate::Exploration {
                $crate::explore_neighbourhood(self, runs, around, watch)
            }

            fn shrink(
                &mut self,
                trace: &$crate::Trace,
                assertion: usize,
                required_on_path: ::std::option::Option<&$crate::EventPattern>,
                enough: &dyn Fn() -> bool,
            ) -> $crate::Trace {
                $crate::shrink(self, trace, assertion, required_on_path, enough)
            }
        }
    };
}

compile_searches!(crate::ModelSpace<M>, M: crate::Model);
