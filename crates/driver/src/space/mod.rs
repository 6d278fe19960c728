//! `DriverSpace`: every sequence of calls of a driver, as a space.

mod describe;
mod execute;
mod judge;
mod native;
mod save;
mod states;
mod verify;

use std::{cell::RefCell, time::Duration};

use everypath_explore::{EventId, EventText, Guided, Measured, Related, Space, StateId, Step};
use everypath_model::{NEVER_STUCK, panics};
use rustc_hash::FxHashMap;

use self::{
    native::{Event, Machine, Native, Path},
    states::States,
};
use crate::{
    DrivenSpace, Driver, DriverError, DriverOptions,
    observation::{Observations, UNSERIALISABLE},
};

/// The name of an assertion that every driver has.
///
/// ```
/// assert_eq!(everypath_driver::NO_CALL_PANICS, "no call panics");
/// ```
pub const NO_CALL_PANICS: &str = "no call panics";
/// The name of the assertion that calls made twice do the same.
///
/// ```
/// assert_eq!(everypath_driver::CALLS_DETERMINISTIC, "calls are deterministic");
/// ```
pub const CALLS_DETERMINISTIC: &str = "calls are deterministic";

/// How many values of states that wait to be expanded are kept; others are made again.
const KEPT_MAX: usize = 1 << 16;

/// The places of assertions that are not the driver's own.
#[derive(Clone, Copy)]
struct Places {
    results: usize,
    deadlock: usize,
    panics: usize,
    deterministic: usize,
}

/// Every sequence of calls of a [`Driver`]. A state is an observation of the value, with its
/// reference; an event is a call with its arguments.
///
/// ```
/// use everypath_driver::{Driver, DriverOptions, DriverSpace};
/// use everypath_explore::{Judged, Options, explore};
///
/// let list = Driver::new(Vec::<u8>::new)
///     .call("push", 1..=2, |list, value| list.push(value))
///     .call("pop", (), |list, ()| list.pop().expect("it is not empty"));
/// let mut space = DriverSpace::new(&list, DriverOptions::default()).unwrap();
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let finding = found.finding().unwrap();
/// assert_eq!(space.assertions()[finding.assertion], "no call panics");
/// assert_eq!(finding.trace.steps.len(), 1);
/// ```
pub struct DriverSpace<'a, T, M = ()> {
    machine: Machine<'a, T, M>,
    options: DriverOptions,
    states: States,
    values: Box<dyn Observations<T>>,
    /// None if there is no reference.
    models: Option<Box<dyn Observations<M>>>,
    assertions: Vec<String>,
    places: Places,
    /// By event: whether it is disabled.
    disabled: Vec<bool>,
    /// The violated assertions of the states that violate any.
    verdicts: FxHashMap<u32, u64>,
    /// What was found when calls were made twice.
    explanations: FxHashMap<u32, String>,
    /// The values of states that wait to be expanded.
    kept: FxHashMap<u32, Native<T, M>>,
    path: RefCell<Path<T, M>>,
    /// For the values with which others are compared.
    other_path: Path<T, M>,
    scratch: Option<Native<T, M>>,
    flaw: Option<String>,
    executions: u64,
    verified: u64,
    time: Duration,
}

impl<T: 'static, M: 'static> Driver<T, M> {
    /// The space of the driver.
    ///
    /// # Errors
    /// If it cannot be explored.
    pub fn space(&self, options: DriverOptions) -> Result<DriverSpace<'_, T, M>, DriverError> {
        DriverSpace::new(self, options)
    }
}

impl<'a, T: 'static, M: 'static> DriverSpace<'a, T, M> {
    /// The space of a driver.
    ///
    /// # Errors
    /// If the driver is invalid, its constructor panics, or two new values differ.
    pub fn new(driver: &'a Driver<T, M>, options: DriverOptions) -> Result<Self, DriverError> {
        driver.validate()?;
        let machine = Machine { driver };
        let events = events(driver);
        let (mut values, first) = begun(driver)?;
        let mut models = driver.reference.observing.as_ref().map(|observing| observing());
        let value = values.number(&first.value);
        let model = models.as_mut().map_or(0, |models| models.number(&first.model));
        let mut assertions = driver.assertions();
        let results = assertions.iter().position(|name| name == crate::driver::RESULTS_AGREE);
        let mut places = Places {
            results: results.unwrap_or_default(),
            deadlock: assertions.len(),
            panics: assertions.len(),
            deterministic: 0,
        };
        if options.deadlock {
            assertions.push(NEVER_STUCK.to_owned());
            places.panics += 1;
        }
        places.deterministic = places.panics + 1;
        assertions.extend([NO_CALL_PANICS, CALLS_DETERMINISTIC].map(str::to_owned));
        let mut space = Self {
            machine,
            states: States::new(events, value, model),
            values,
            models,
            assertions,
            places,
            disabled: Vec::new(),
            verdicts: FxHashMap::default(),
            explanations: FxHashMap::default(),
            kept: FxHashMap::default(),
            path: RefCell::default(),
            other_path: Path::default(),
            scratch: None,
            flaw: None,
            executions: 0,
            verified: 0,
            time: Duration::ZERO,
            options,
        };
        space.disabled = space.all_disabled();
        let violated = space.judged(&first);
        if violated != 0 {
            space.verdicts.insert(0, violated);
        }
        space.kept.insert(0, first);
        Ok(space)
    }

    /// By event: whether a pattern excludes it.
    fn all_disabled(&self) -> Vec<bool> {
        let excluded = |text: &EventText| self.options.disabled.iter().any(|it| it.matches(text));
        self.states.events().iter().map(|&event| excluded(&self.event_words(event))).collect()
    }

    fn event(&self, event: EventId) -> Event {
        self.states.events()[index(event.0)]
    }
}

/// Every call with each of its arguments.
fn events<T, M>(driver: &Driver<T, M>) -> Vec<Event> {
    let mut events = Vec::new();
    for (call, it) in (0..).zip(&driver.calls) {
        events.extend((0..).zip(&it.arguments).map(|(argument, _)| Event { call, argument }));
    }
    events
}

type Begun<T, M> = (Box<dyn Observations<T>>, Native<T, M>);

/// A new value, compared with a second one.
fn begun<T: 'static, M: 'static>(driver: &Driver<T, M>) -> Result<Begun<T, M>, DriverError> {
    let machine = Machine { driver };
    let begun = panics::catch(|| {
        let mut values = (driver.observing)();
        let (first, second) = (machine.make(), machine.make());
        let is_same = values.number(&first.value) == values.number(&second.value);
        let different = (!is_same).then(|| (values.text(&first.value), values.text(&second.value)));
        (values, first, different)
    });
    match begun {
        Ok((values, first, None)) => Ok((values, first)),
        Ok((.., Some((first, second)))) => Err(DriverError::Nondeterministic { first, second }),
        Err(panic) => Err(match panic.message.strip_prefix(UNSERIALISABLE) {
            Some(what) => DriverError::Unserialisable { what: what.to_owned() },
            None => DriverError::Constructor { panic: panic.to_string() },
        }),
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("ids are places in a list")
}

fn narrow(state: StateId) -> u32 {
    u32::try_from(state.0).expect("states are numbered with 32 bits")
}

impl<T: 'static, M: 'static> Space for DriverSpace<'_, T, M> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        states.push(StateId(0));
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        for (source, &state) in (0..).zip(states) {
            if self.flaw.is_none() && !self.states.is_failed(narrow(state)) {
                self.expand_one(source, narrow(state), steps);
            }
        }
    }

    fn contains(&self, state: StateId) -> bool {
        state.0 < self.states.len() as u64
    }

    fn event_kinds(&self) -> Vec<String> {
        self.machine.driver.calls.iter().map(|call| kind(&call.name)).collect()
    }

    fn event_kind(&self, event: EventId) -> usize {
        self.event(event).call as usize
    }

    fn flaw(&self) -> Option<&str> {
        self.flaw.as_deref()
    }
}

/// The kind of the events of a call: patterns know no underscores.
fn kind(name: &str) -> String {
    name.replace('_', "-")
}

impl<T: 'static, M: 'static> Measured for DriverSpace<'_, T, M> {
    fn handler_executions(&self) -> u64 {
        self.executions
    }

    fn handler_time(&self) -> Duration {
        self.time
    }

    fn bytes(&self) -> usize {
        let models = self.models.as_ref().map_or(0, |models| models.bytes());
        let kept = self.kept.capacity() * (size_of::<Native<T, M>>() + 8);
        self.states.bytes() + self.values.bytes() + models + kept
    }

    fn is_full(&self) -> bool {
        // A batch of states has far fewer successors than are left then.
        self.states.len().max(self.values.len()) > (u32::MAX - (1 << 28)) as usize
    }
}

impl<T: 'static, M: 'static> DrivenSpace for DriverSpace<'_, T, M> {
    fn executions_verified(&self) -> Option<u64> {
        Some(self.verified)
    }

    fn run_as_code(&self, run: &everypath_explore::Trace) -> Option<String> {
        self.as_code(run)
    }
}

impl<T: 'static, M: 'static> Guided for DriverSpace<'_, T, M> {}
impl<T: 'static, M: 'static> Related for DriverSpace<'_, T, M> {}
