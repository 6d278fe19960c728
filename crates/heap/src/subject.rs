//! `Subject`: a subject without type parameters, and its spaces.

use std::sync::Arc;

use everypath_driver::{DrivenSpace, DriverOptions};
use everypath_explore::StateId;

use crate::{Code, Counters, Coverage, Outline, Settings, SubjectError, SubjectSpace};

/// A subject, ready to be explored.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::{Options, explore};
/// use everypath_heap::{HeapSpace, Mode, Settings, Subject};
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
    code: Arc<dyn MakeSpace>,
}

/// Makes a space of some code.
trait MakeSpace: Send + Sync {
    fn space(&self, settings: &Settings, options: &DriverOptions)
    -> Result<AnySpace, SubjectError>;
}

impl<C: Code + Clone + Send + Sync + 'static> MakeSpace for C {
    fn space(
        &self,
        settings: &Settings,
        options: &DriverOptions,
    ) -> Result<AnySpace, SubjectError> {
        Ok(Box::new(SubjectSpace::with_options(self.clone(), settings, options)?))
    }
}

impl Subject {
    /// The subject of some code.
    pub fn new(code: impl Code + Clone + Send + Sync + 'static) -> Self {
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
    pub fn space(&self, settings: &Settings) -> Result<AnySpace, SubjectError> {
        self.space_with(settings, &DriverOptions::default())
    }

    /// The same, with what is looked for.
    pub(crate) fn space_with(
        &self,
        settings: &Settings,
        options: &DriverOptions,
    ) -> Result<AnySpace, SubjectError> {
        self.code.space(settings, options)
    }
}

/// A space of heaps: what the explorer needs, and what is special about heaps.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::Space;
/// use everypath_heap::{HeapSpace, Settings};
///
/// let mut space = stack::stack::subject().space(&Settings::new(3)).unwrap();
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// assert_eq!(space.calls(), ["push(1)", "push(2)", "push(3)", "pop()"]);
/// // The root, of class 0, with a null reference.
/// assert_eq!(space.linearised(initial[0]), [0, 0]);
/// ```
pub trait HeapSpace: DrivenSpace {
    /// What was counted.
    fn counters(&self) -> Counters;

    /// How often each branch was taken.
    fn coverage(&self) -> Coverage;

    /// All calls, in words.
    fn calls(&self) -> Vec<String>;

    /// How many shapes were met.
    fn shapes(&self) -> usize;

    /// The walk over a state, depth-first from the root: for an object met first its class (and the length of an
    /// array) and its fields; for a reference 0 or the number of its object; for a datum its value. Equal walks are
    /// isomorphic heaps.
    fn linearised(&self, state: StateId) -> Vec<i32>;
}

/// A space of any subject.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::{Options, explore};
/// use everypath_heap::{HeapSpace, Settings};
///
/// let mut space = stack::stack::subject().space(&Settings::new(3)).unwrap();
/// explore(&mut space, &Options::default().max_depth(3), &mut ()).unwrap();
/// assert_eq!(space.shapes(), 4);
/// ```
pub type AnySpace = Box<dyn HeapSpace>;
