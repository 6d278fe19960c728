//! `Bounded`: a subject with its settings, as commands and tests explore it.

use everypath_driver::{
    BranchText, CallText, Driven, DrivenSpace, DriverError, DriverOptions, Phases,
};
use everypath_explore::{Judged, StateId};
use everypath_model::Parameters;

use crate::{
    Counters, Matching, Merge, Mode, Role, Settings, Site, Subject, SubjectError, SubjectSpace,
};

/// The largest bound that a parameter accepts: with it, one argument still has few enough values.
const BOUND_MAX: u32 = 10_000;

/// A subject with its settings: what `everypath::main!` lists, and what tests check.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_driver::{Driven, DriverOptions};
/// use everypath_explore::{Options, explore};
/// use everypath_heap::Bounded;
/// use everypath_model::Parameters;
///
/// fn stack(parameters: &mut Parameters) -> Bounded {
///     stack::stack::subject().with(4, parameters)
/// }
///
/// let mut parameters = Parameters::with([("n", "3"), ("mode", "delta")]);
/// let stack = stack(&mut parameters);
/// assert_eq!((stack.max_depth(), stack.calls()[0].arguments.len()), (Some(3), 3));
/// let mut space = stack.open(DriverOptions::default()).unwrap();
/// let found = explore(&mut space, &Options::default().max_depth(3), &mut ()).unwrap();
/// assert_eq!(found.states_visited, 40);
/// ```
pub struct Bounded {
    subject: Subject,
    settings: Settings,
}

impl Subject {
    /// The subject with settings.
    #[must_use]
    pub fn bounded(self, settings: &Settings) -> Bounded {
        Bounded { subject: self, settings: *settings }
    }

    /// The subject with settings from parameters: `n`, the bound; `values`, if their range is another; `mode`; `matching`
    /// and its `seed`.
    #[must_use]
    pub fn with(self, default_bound: u32, parameters: &mut Parameters) -> Bounded {
        self.bounded(&Settings::from_parameters(default_bound, parameters))
    }
}

impl Settings {
    fn from_parameters(default_bound: u32, parameters: &mut Parameters) -> Self {
        let range = 1..=BOUND_MAX;
        let about = "how many calls there are in a sequence";
        let bound = parameters.number("n", default_bound, range.clone(), about);
        let about = "the bound for ranges of arguments, as a rule the same as n";
        let values = parameters.number("values", bound, range, about);
        let modes = Mode::ALL.map(|mode| (mode.name(), mode));
        let about = "how calls are executed; all modes find the same states";
        let mode = parameters.choice("mode", Mode::default(), &modes, about);
        let ways = [("exact", false), ("shape", true)];
        let about = "when two states are the same: if their heaps are isomorphic, or if these are so without all data";
        let by_shape = parameters.choice("matching", false, &ways, about);
        let settings = Self::new(bound).values(values).mode(mode);
        if !by_shape {
            return settings;
        }
        let about = "the order of the calls, which decides what matching by shape misses";
        let seed = parameters.number("seed", 1, 0..=u64::MAX, about);
        settings.matching(Matching::Shape { seed })
    }
}

impl Bounded {
    /// Its subject.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// An error of a subject as one of those that commands know.
fn other(error: SubjectError) -> DriverError {
    DriverError::Other(error.to_string())
}

impl DrivenSpace for SubjectSpace {
    fn branches(&self) -> Option<Vec<BranchText>> {
        let coverage = self.coverage();
        let sites = self.outline().sites.iter().enumerate().filter(|(_, site)| site.is_called);
        let text = |(at, site): (usize, &Site)| {
            let (held, failed) = coverage.of(at);
            let (method, condition) = (site.method.clone(), site.condition.clone());
            BranchText { method, condition, held, failed }
        };
        Some(sites.map(text).collect())
    }

    fn phases(&self) -> Option<Phases> {
        let Counters { executing, comparing, merging, judging, .. } = self.counters();
        Some(Phases { executing: executing.saturating_sub(merging), comparing, merging, judging })
    }

    fn shape(&self, state: StateId) -> Option<u64> {
        Some(self.shape_digest(state))
    }

    fn costs(&self) -> Vec<(&'static str, String)> {
        costs(&self.counters(), self.settings().mode)
    }
}

/// What was counted, where it says something about the mode.
fn costs(counters: &Counters, mode: Mode) -> Vec<(&'static str, String)> {
    let share = |part: u64, of: u64| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
    let mut costs = Vec::new();
    if mode.translates() {
        let fields = |count| each(count, counters.executions);
        costs.push((
            "fields",
            format!(
                "{} translated and {} written back in each call, as a mean",
                fields(counters.translated),
                fields(counters.written_back)
            ),
        ));
    }
    if mode == Mode::Delta(Merge::Level) {
        costs.push((
            "accesses",
            format!(
                "{} had one value in all states; {} of those of standard execution saved",
                share(counters.constant_accesses, counters.accesses),
                share(counters.saved_accesses, counters.standard_accesses),
            ),
        ));
        let constants = share(counters.merged_constants, counters.merged_fields);
        costs.push(("merged", format!("{constants} of the fields of merged objects constant")));
    }
    let unchanged = share(counters.unchanged, counters.executions);
    costs.push((
        "look-ups",
        format!("not needed after {unchanged} of the calls, which wrote nothing"),
    ));
    costs
}

/// A mean with one decimal.
fn each(count: u64, of: u64) -> String {
    format!("{:.1}", count as f64 / of.max(1) as f64)
}

impl Driven for Bounded {
    fn about(&self) -> &str {
        self.subject.about().trim_end_matches('.')
    }

    fn max_depth(&self) -> Option<u32> {
        Some(self.settings.bound)
    }

    fn calls(&self) -> Vec<CallText> {
        let outline = self.subject.outline();
        let values = self.settings.values_as_number();
        let text = |method: usize| {
            let method = &outline.methods[method];
            let words = |arguments: Vec<i32>| {
                arguments.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
            };
            CallText {
                name: method.name.clone(),
                arguments: method.arguments(values).into_iter().map(words).collect(),
                is_guarded: method.guard.is_some(),
                is_compared: false,
            }
        };
        outline.with_role(Role::Call).map(text).collect()
    }

    fn assertions(&self) -> Vec<String> {
        let space = self.subject.space(&self.settings);
        space.map_or_else(|_| Vec::new(), |space| space.assertions())
    }

    fn validate(&self) -> Result<(), DriverError> {
        self.subject.space(&self.settings).map(|_| ()).map_err(other)
    }

    fn open(&self, options: DriverOptions) -> Result<Box<dyn DrivenSpace + '_>, DriverError> {
        let space = self.subject.space_with(&self.settings, &options).map_err(other)?;
        Ok(Box::new(space))
    }
}
