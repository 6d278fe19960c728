//! `Subject`: a subject, ready to be explored.

use std::sync::Arc;

use everypath_driver::DriverOptions;

use crate::{Code, Outline, Settings, SubjectError, SubjectSpace, compiled::Compiled};

/// A subject, ready to be explored.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::{Options, explore};
/// use everypath_heap::{Mode, Settings, Subject};
///
/// let subjects: Vec<Subject> = vec![stack::stack::subject()];
/// for subject in &subjects {
///     let mut space = subject.space(&Settings::new(3).mode(Mode::Tracked)).unwrap();
///     let found = explore(&mut space, &Options::default().max_depth(3), &mut ()).unwrap();
///     assert_eq!((subject.name(), subject.about()), ("stack", "A stack of numbers."));
///     assert_eq!((found.states_visited, space.counters().executions), (40, 13 * 4));
/// }
/// ```
#[derive(Clone)]
pub struct Subject {
    outline: Arc<Outline>,
    code: Arc<dyn Compiled>,
}

impl Subject {
    /// The subject of some code.
    pub fn new(code: impl Code + Send + Sync + 'static) -> Self {
        Self { outline: Arc::new(code.outline()), code: Arc::new(code) }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.outline.name
    }

    /// The first line of its documentation.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.outline.about
    }

    /// Its classes, methods and branches.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Its space.
    ///
    /// # Errors
    /// If the subject is too large, has no calls, or cannot be started.
    pub fn space(&self, settings: &Settings) -> Result<SubjectSpace, SubjectError> {
        self.space_with(settings, &DriverOptions::default())
    }

    /// The same, with what is looked for.
    pub(crate) fn space_with(
        &self,
        settings: &Settings,
        options: &DriverOptions,
    ) -> Result<SubjectSpace, SubjectError> {
        SubjectSpace::with_options(
            Arc::clone(&self.code),
            Arc::clone(&self.outline),
            settings,
            options,
        )
    }
}
