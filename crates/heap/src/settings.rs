//! `Settings`: the bound, the mode of execution, and when two states are the same.

use thiserror::Error;

use crate::{Outline, Role, classes};

/// How calls are executed. All modes find the same states.
///
/// ```
/// use everypath_heap::{Merge, Mode};
///
/// assert_eq!(Mode::named("delta"), Some(Mode::Delta(Merge::Shape)));
/// assert_eq!(Mode::LazyDirty.name(), "lazy-dirty");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Directly on the cells of a state, with an undo log.
    #[default]
    Tracked,
    /// On native objects: the whole heap is translated, and translated back.
    Eager,
    /// On native objects: a field is translated when it is read first, and translated back if it was.
    Lazy,
    /// As `Lazy`, but only what was written is translated back.
    LazyDirty,
    /// On many states at once.
    Delta(Merge),
}

/// Which states are executed together in delta execution.
///
/// ```
/// use everypath_heap::{Merge, Mode};
///
/// assert_eq!(Mode::Delta(Merge::Level).name(), "delta-level");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Merge {
    /// Those with the same shape: references are the same in all, only data differ. Fast.
    #[default]
    Shape,
    /// All of a level, as published: references differ as well. Counts the published paths.
    Level,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 6] = [
        Self::Tracked,
        Self::Eager,
        Self::Lazy,
        Self::LazyDirty,
        Self::Delta(Merge::Shape),
        Self::Delta(Merge::Level),
    ];

    /// Whether cells are translated to native objects and back.
    pub(crate) fn translates(self) -> bool {
        matches!(self, Self::Eager | Self::Lazy | Self::LazyDirty)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tracked => "tracked",
            Self::Eager => "eager",
            Self::Lazy => "lazy",
            Self::LazyDirty => "lazy-dirty",
            Self::Delta(Merge::Shape) => "delta",
            Self::Delta(Merge::Level) => "delta-level",
        }
    }

    /// The mode with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// When two states are treated as the same.
///
/// ```
/// use everypath_heap::Matching;
///
/// assert_eq!(Matching::default(), Matching::Exact);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Matching {
    /// If their heaps are isomorphic.
    #[default]
    Exact,
    /// If their heaps are isomorphic without all data. The first state of each shape is kept, so states
    /// are missed. Which ones depends on the order of the calls, which the seed determines.
    Shape {
        /// The seed.
        seed: u64,
    },
}

/// The settings of a space.
///
/// ```
/// use everypath_heap::{Matching, Merge, Mode, Settings};
///
/// let settings = Settings::new(5).mode(Mode::Delta(Merge::Shape)).matching(Matching::Shape { seed: 1 });
/// assert_eq!((settings.bound, settings.values), (5, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The bound: by convention both the number of calls in a sequence and the range of their values.
    pub bound: u32,
    /// The bound for ranges of arguments alone.
    pub values: u32,
    /// How calls are executed.
    pub mode: Mode,
    /// When two states are treated as the same.
    pub matching: Matching,
    /// Whether guards are evaluated for all states of a set before the call is executed once for those
    /// where they hold. Otherwise each path of a guard continues into the call.
    pub united_guards: bool,
    /// The methods that are called, if not all.
    pub only: Option<&'static [&'static str]>,
    /// Whether invariants are evaluated.
    pub invariants: bool,
}

impl Settings {
    /// The usual settings for a bound.
    #[must_use]
    pub fn new(bound: u32) -> Self {
        let (mode, matching) = (Mode::default(), Matching::default());
        Self {
            bound,
            values: bound,
            mode,
            matching,
            united_guards: true,
            only: None,
            invariants: true,
        }
    }

    /// The bound for ranges of arguments, as subjects compute with it.
    pub(crate) fn values_as_number(&self) -> i32 {
        i32::try_from(self.values).unwrap_or(i32::MAX)
    }

    /// Sets the bound for ranges of arguments.
    #[must_use]
    pub fn values(mut self, values: u32) -> Self {
        self.values = values;
        self
    }

    /// Sets the mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets when two states are treated as the same.
    #[must_use]
    pub fn matching(mut self, matching: Matching) -> Self {
        self.matching = matching;
        self
    }

    /// Sets the methods that are called.
    #[must_use]
    pub fn only(mut self, methods: &'static [&'static str]) -> Self {
        self.only = Some(methods);
        self
    }

    /// Sets whether invariants are evaluated.
    #[must_use]
    pub fn invariants(mut self, evaluated: bool) -> Self {
        self.invariants = evaluated;
        self
    }

    /// Sets whether guards are evaluated for all states before calls.
    #[must_use]
    pub fn united_guards(mut self, united: bool) -> Self {
        self.united_guards = united;
        self
    }
}

/// The largest number of calls in a state.
pub(crate) const CALLS_MAX: u64 = 1 << 16;

/// Why a subject cannot be explored.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_heap::{Settings, SubjectSpace};
///
/// let error = SubjectSpace::new(stack::stack::Code, &Settings::new(100_000)).err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "100001 calls in every state are too many: at most 65536 are possible; choose smaller ranges"
/// );
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubjectError {
    /// The ranges of arguments are too large.
    #[error(
        "{calls} calls in every state are too many: at most {CALLS_MAX} are possible; choose smaller ranges"
    )]
    Calls {
        /// The number of calls.
        calls: u64,
    },
    /// No method can be called.
    #[error("`{subject}` has no call for bound {bound}: mark a method with `#[call]`")]
    NoCalls {
        /// The subject.
        subject: String,
        /// The bound.
        bound: u32,
    },
    /// The subject has too much of something.
    #[error("`{subject}` has {count} {what}; at most {most} are possible")]
    TooMany {
        /// The subject.
        subject: String,
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// How many are possible.
        most: usize,
    },
    /// The initial state cannot be built.
    #[error("the initial state of `{subject}` cannot be built: {reason}")]
    Start {
        /// The subject.
        subject: String,
        /// Why.
        reason: String,
    },
}

/// Refuses outlines that are too large.
pub(crate) fn validate(outline: &Outline) -> Result<(), SubjectError> {
    let fields = outline.classes.iter().map(|class| class.fields.len()).max().unwrap_or(0);
    let counts = [
        ("classes", outline.classes.len(), classes::CLASSES_MAX),
        ("fields in a class", fields, classes::FIELDS_MAX),
        ("methods", outline.methods.len(), u16::MAX as usize - 1),
        ("invariants", outline.with_role(Role::Invariant).count(), 62),
    ];
    let excess = counts.into_iter().find(|(_, count, most)| count > most);
    match excess {
        Some((what, count, most)) => {
            let subject = outline.name.clone();
            Err(SubjectError::TooMany { subject, what, count, most })
        }
        None => Ok(()),
    }
}
