//! `Driven`: what commands and tests need of a driver, without its types.

use std::time::Duration;

use everypath_explore::{EventPattern, Explorable, StateId, Trace, compile_searches};

use crate::{Driver, DriverError, DriverSpace};

/// How many calls are made twice, to find some that are not deterministic.
///
/// ```
/// use everypath_driver::{DriverOptions, Repetition};
///
/// assert_eq!(DriverOptions::default().repetition, Repetition::Share);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repetition {
    /// The first thousand, and then one in 97.
    #[default]
    Share,
    /// All of them. Moreover, wherever a call leads to a state that is known, every call is made on
    /// both values. If they do not do the same, the observation misses something: an error.
    All,
    /// None of them.
    Nothing,
}

/// What is looked for in the space of a driver.
///
/// ```
/// use everypath_driver::DriverOptions;
///
/// let options = DriverOptions { deadlock: true, ..DriverOptions::default() };
/// assert!(options.disabled.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct DriverOptions {
    /// The calls that are not made.
    pub disabled: Vec<EventPattern>,
    /// Whether it is a violation if no guard holds.
    pub deadlock: bool,
    /// How many calls are made twice.
    pub repetition: Repetition,
}

/// A call in words.
///
/// ```
/// let driver = everypath_driver::Driver::new(|| 0_u8)
///     .call("add", 1..=3, |sum, value| *sum = sum.wrapping_add(value));
/// let call = &everypath_driver::Driven::calls(&driver)[0];
/// assert_eq!((call.name.as_str(), call.arguments.join("; ")), ("add", "1; 2; 3".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallText {
    /// The name.
    pub name: String,
    /// Its arguments, one text for each combination.
    pub arguments: Vec<String>,
    /// Whether it is made only where a guard holds.
    pub is_guarded: bool,
    /// Whether its result is compared with that of a reference.
    pub is_compared: bool,
}

/// A condition in the code that calls execute, and how often it held and did not.
///
/// ```
/// use everypath_driver::BranchText;
///
/// let branch = BranchText { method: "pop".into(), condition: "self.top != null".into(), held: 3, failed: 0 };
/// assert_eq!((branch.taken(), branch.never()), (1, Some("`self.top != null` in `pop` always holds".into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchText {
    /// The method with the condition.
    pub method: String,
    /// The condition.
    pub condition: String,
    /// How often it held.
    pub held: u64,
    /// How often it did not.
    pub failed: u64,
}

impl BranchText {
    /// How many of its two branches were taken.
    #[must_use]
    pub fn taken(&self) -> u64 {
        u64::from(self.held > 0) + u64::from(self.failed > 0)
    }

    /// Which branch was never taken, in words.
    #[must_use]
    pub fn never(&self) -> Option<String> {
        let what = match (self.held, self.failed) {
            (0, 0) => "was not evaluated",
            (0, _) => "never holds",
            (_, 0) => "always holds",
            _ => return None,
        };
        Some(format!("`{}` in `{}` {what}", self.condition, self.method))
    }
}

/// The time that a space has spent on each of its tasks.
///
/// ```
/// use std::time::Duration;
/// use everypath_driver::Phases;
///
/// let phases = Phases { executing: Duration::from_secs(2), comparing: Duration::from_secs(1), ..Phases::default() };
/// assert_eq!(phases.total(), Duration::from_secs(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Executing calls, and undoing them.
    pub executing: Duration,
    /// Looking states up.
    pub comparing: Duration,
    /// Merging states, to execute calls on many at once.
    pub merging: Duration,
    /// Evaluating invariants.
    pub judging: Duration,
}

impl Phases {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.executing + self.comparing + self.merging + self.judging
    }
}

/// A space in which events are calls.
///
/// ```
/// use everypath_driver::{Driven, Driver, DriverOptions};
///
/// let driver = Driver::new(|| 0_u8).call("add", 1..=2, |sum, value| *sum += value);
/// let space = driver.open(DriverOptions::default()).unwrap();
/// assert_eq!(space.executions_verified(), Some(0));
/// ```
pub trait DrivenSpace: Explorable {
    /// How many calls were compared with a second execution; none if calls cannot but be deterministic.
    fn executions_verified(&self) -> Option<u64> {
        None
    }

    /// The conditions in the code that calls execute, if that is known.
    fn branches(&self) -> Option<Vec<BranchText>> {
        None
    }

    /// The time spent on each task, if it is measured.
    fn phases(&self) -> Option<Phases> {
        None
    }

    /// A digest of what a state is without its data, if states have references beside data.
    fn shape(&self, state: StateId) -> Option<u64> {
        let _ = state;
        None
    }

    /// What execution has cost, where there is more to say than how many calls were executed: a name and a text for each
    /// fact.
    fn costs(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A run as the lines of a test in Rust, where possible.
    fn run_as_code(&self, run: &Trace) -> Option<String> {
        let _ = run;
        None
    }
}

compile_searches!(Box<dyn DrivenSpace + '_>);

/// A subject of checks whose events are calls, without its types: a [`Driver`], or another that
/// makes a space of its own. Commands and tests need no more than this.
///
/// ```
/// use everypath_driver::{Driven, Driver, DriverOptions};
/// use everypath_explore::{Options, explore};
///
/// fn states(driven: &dyn Driven) -> u64 {
///     let mut space = driven.open(DriverOptions::default()).unwrap();
///     explore(&mut space, &Options::default(), &mut ()).unwrap().states_visited
/// }
/// let clock = Driver::new(|| 0_u8).call("tick", (), |hour, ()| *hour = (*hour + 1) % 12);
/// assert_eq!(states(&clock), 12);
/// ```
pub trait Driven: Send + Sync {
    /// What is driven, in one line.
    fn about(&self) -> &str;
    /// The bound on the number of calls, if there is one.
    fn max_depth(&self) -> Option<u32>;
    /// The calls.
    fn calls(&self) -> Vec<CallText>;
    /// The names of what is asserted.
    fn assertions(&self) -> Vec<String>;
    /// Refuses what cannot be explored, where that is known without a space.
    ///
    /// # Errors
    /// If it cannot be explored.
    fn validate(&self) -> Result<(), DriverError>;
    /// Its space.
    ///
    /// # Errors
    /// If it cannot be explored.
    fn open(&self, options: DriverOptions) -> Result<Box<dyn DrivenSpace + '_>, DriverError>;
}

impl<T: 'static, M: 'static> Driven for Driver<T, M> {
    fn about(&self) -> &str {
        &self.about
    }

    fn max_depth(&self) -> Option<u32> {
        self.max_depth
    }

    fn calls(&self) -> Vec<CallText> {
        let text = |call: &crate::call::Call<T, M>| CallText {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            is_guarded: call.guard.is_some(),
            is_compared: call.is_compared,
        };
        self.calls.iter().map(text).collect()
    }

    fn assertions(&self) -> Vec<String> {
        self.assertions()
    }

    fn validate(&self) -> Result<(), DriverError> {
        self.validate()
    }

    fn open(&self, options: DriverOptions) -> Result<Box<dyn DrivenSpace + '_>, DriverError> {
        Ok(Box::new(DriverSpace::new(self, options)?))
    }
}
