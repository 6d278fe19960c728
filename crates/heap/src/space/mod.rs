//! `SubjectSpace`: a subject as a space for the explorer.

mod described;
mod execute;
mod expand;
mod judged;
mod portable;
mod saved;

use std::{sync::Arc, time::Duration};

use everypath_driver::DriverOptions;
use everypath_explore::{EventId, Guided, Measured, Related, Space, StateId, Step};
use rustc_hash::FxHashMap;

pub use self::portable::BytesError;
use self::{described::kind, expand::Results};
use crate::{
    Code, Counters, Coverage, Fault, Matching, Mode, Outline, Reason, Role, Settings, SubjectError,
    cells::Transforms,
    classes::Classes,
    compiled::Compiled,
    delta::{level::LevelMachine, shape::ShapeMachine},
    layout::{Layout, Misfit, shape_of},
    mixed::Mixed,
    settings::{CALLS_MAX, validate},
    shapes::{FAULT, Shapes, Template},
    store::Store,
    tracked::Tracked,
};

/// A call: a method with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: usize,
    pub(crate) guard: Option<usize>,
    pub(crate) arguments: Vec<i32>,
    /// The place of the method among those that are called.
    kind: usize,
}

/// The tables of a space: what all modes of execution share.
pub(crate) struct Tables {
    pub(crate) classes: Classes,
    pub(crate) shapes: Shapes,
    pub(crate) store: Store,
    pub(crate) transforms: Transforms,
}

/// The shape of states that stand for a fault: the reason and the method are its data.
pub(crate) const FAULT_SHAPE: u32 = 0;

/// A subject as a space for the explorer.
///
/// A state is known to searches by its shape and by its number, in the order of discovery. A call that ends in a flaw
/// leads to a state of its own, which violates the last assertion.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::{Options, Space, explore};
/// use everypath_heap::{Settings, SubjectSpace};
///
/// let mut space = SubjectSpace::new(stack::stack::Code, &Settings::new(5)).unwrap();
/// let found = explore(&mut space, &Options::default().max_depth(5), &mut ()).unwrap();
/// assert_eq!(found.states_visited, 3906);
/// assert_eq!(space.calls(), ["push(1)", "push(2)", "push(3)", "push(4)", "push(5)", "pop()"]);
/// assert_eq!(space.shapes(), 6);
/// let mut initial = Vec::new();
/// space.initial(&mut initial);
/// // The root, of class 0, with a null reference.
/// assert_eq!(space.linearised(initial[0]), [0, 0]);
/// ```
pub struct SubjectSpace {
    code: Arc<dyn Compiled>,
    outline: Arc<Outline>,
    settings: Settings,
    calls: Vec<Call>,
    invariants: Vec<usize>,
    tables: Tables,
    machines: Machines,
    results: Results,
    counters: Counters,
    /// The violated assertions of states that violate some.
    violating: FxHashMap<u32, u64>,
    /// With matching by shape: the state that was met first, by shape.
    first_of: Vec<u32>,
    initial: StateId,
    /// Whether it is a violation if no guard holds.
    deadlock: bool,
    /// States that were numbered by the last expansion.
    new: Vec<u32>,
}

/// The machines of a space, and what they use.
pub(crate) struct Machines {
    pub(crate) tracked: Tracked,
    /// Evaluates invariants, so that they do not count as covered branches.
    judge: Tracked,
    mixed: Mixed,
    by_shape: ShapeMachine,
    by_level: LevelMachine,
    pub(crate) template: Template,
}

/// No state yet.
const NO_STATE: u32 = u32::MAX;

impl SubjectSpace {
    /// The space of a subject.
    ///
    /// # Errors
    /// If the subject is too large, has no calls, or cannot be started.
    pub fn new(
        code: impl Code + Send + Sync + 'static,
        settings: &Settings,
    ) -> Result<Self, SubjectError> {
        let outline = Arc::new(code.outline());
        Self::with_options(Arc::new(code), outline, settings, &DriverOptions::default())
    }

    /// The same, without some calls, and with deadlocks as violations.
    pub(crate) fn with_options(
        code: Arc<dyn Compiled>,
        outline: Arc<Outline>,
        settings: &Settings,
        options: &DriverOptions,
    ) -> Result<Self, SubjectError> {
        validate(&outline)?;
        let mut calls = calls(&outline, settings)?;
        let is_disabled = |call: &Call| {
            let text = call.text(&outline);
            options.disabled.iter().any(|pattern| pattern.matches(&text))
        };
        calls.retain(|call| !is_disabled(call));
        if calls.is_empty() {
            let (subject, bound) = (outline.name.clone(), settings.values);
            return Err(SubjectError::NoCalls { subject, bound });
        }
        let classes = Classes::new(&outline);
        let sites = outline.sites.len();
        let machines = Machines {
            tracked: Tracked::new(&classes, sites),
            judge: Tracked::new(&classes, sites),
            mixed: Mixed::default(),
            by_shape: ShapeMachine::new(&classes),
            by_level: LevelMachine::new(&classes),
            template: Template { shape: FAULT_SHAPE, ..Template::default() },
        };
        let mut shapes = Shapes::default();
        shapes.intern(&[FAULT], 2);
        shapes.public(FAULT_SHAPE);
        let store = Store::new(Layout::START);
        let mut space = Self {
            invariants: outline
                .with_role(Role::Invariant)
                .filter(|_| settings.invariants)
                .collect(),
            tables: Tables { classes, shapes, store, transforms: Transforms::default() },
            code,
            outline,
            settings: *settings,
            calls,
            machines,
            results: Results::default(),
            counters: Counters::default(),
            violating: FxHashMap::default(),
            first_of: Vec::new(),
            initial: StateId(0),
            deadlock: options.deadlock,
            new: Vec::new(),
        };
        space.initial = space.start()?;
        Ok(space)
    }

    /// Builds the initial state.
    fn start(&mut self) -> Result<StateId, SubjectError> {
        let root = &mut self.machines.tracked;
        root.heap.cells.push(0);
        root.heap.base = 1;
        let refuse = |fault: Fault| SubjectError::Start {
            subject: self.outline.name.clone(),
            reason: fault_text(&self.outline, fault),
        };
        root.heap.allocate(0, 0, &self.tables.classes);
        if let Some(start) = self.outline.with_role(Role::Start).next() {
            let bound = [self.settings.bound as i32];
            let arguments = &bound[..self.outline.methods[start].parameters.len()];
            root.run(&*self.code, start, arguments).map_err(refuse)?;
        }
        let transforms = &mut self.tables.transforms;
        let heap = &self.machines.tracked.heap;
        let made = transforms.of(heap, u32::MAX, &self.tables.classes, &mut self.tables.shapes);
        let values: Vec<i32> =
            made.data.iter().map(|&cell| heap.cells[usize::from(cell)]).collect();
        let shape = made.shape;
        let state = self.intern_values(shape, &values);
        self.machines.tracked.coverage = Coverage::new(self.outline.sites.len());
        Ok(state)
    }

    /// The state with a shape and data.
    fn intern_values(&mut self, shape: u32, values: &[i32]) -> StateId {
        let united = values.iter().fold(0, |united, value| united | value);
        let layout = self.tables.store.layout();
        if layout.slots() < values.len() {
            self.widen(Misfit::Slots(values.len()));
            return self.intern_values(shape, values);
        }
        if !layout.fits(united) {
            self.widen(Misfit::Value(united));
            return self.intern_values(shape, values);
        }
        let mut row = vec![0; layout.words];
        row[0] = shape.into();
        values.iter().enumerate().for_each(|(slot, &value)| layout.set(&mut row, slot, value));
        let (number, is_new) = self.tables.store.intern(&row);
        if is_new {
            self.note_new(shape, number);
            self.judge_new();
        }
        self.named(shape, number)
    }

    /// The id of a state.
    #[inline(always)]
    fn named(&mut self, shape: u32, number: u32) -> StateId {
        StateId(u64::from(self.tables.shapes.public(shape)) << 32 | u64::from(number))
    }

    fn note_new(&mut self, shape: u32, number: u32) {
        self.new.push(number);
        if let Matching::Shape { .. } = self.settings.matching {
            let shape = shape as usize;
            if self.first_of.len() <= shape {
                self.first_of.resize(shape + 1, NO_STATE);
            }
            if self.first_of[shape] == NO_STATE {
                self.first_of[shape] = number;
            }
        }
    }

    /// Chooses a layout in which something fits, and packs all states into it.
    fn widen(&mut self, misfit: Misfit) {
        let Tables { store, shapes, .. } = &mut self.tables;
        let wider = store.layout().widened(misfit);
        store.repack(wider, |shape| shapes.slots(shape));
    }

    /// The row of a state.
    fn row(&self, state: StateId) -> &[u64] {
        self.tables.store.row(state.0 as u32)
    }

    /// The shape of a state, laid out, unless the state stands for a fault.
    fn template(&self, state: StateId) -> Option<Template> {
        let shape = shape_of(self.row(state));
        let mut template = Template::default();
        let tokens = self.tables.shapes.tokens(shape);
        template.lay_out(shape, tokens, &self.tables.classes)?;
        Some(template)
    }

    /// The fault that a state stands for.
    fn fault(&self, state: StateId) -> Option<(Reason, Option<usize>)> {
        let row = self.row(state);
        if shape_of(row) != FAULT_SHAPE {
            return None;
        }
        let layout = self.tables.store.layout();
        let reason = *Reason::ALL.get(layout.get(row, 0) as usize)?;
        Some((reason, usize::try_from(layout.get(row, 1) - 1).ok()))
    }

    /// What was counted.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How often each branch was taken.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.machines.tracked.coverage.clone()
    }

    /// All calls, in words.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        self.calls.iter().map(|call| self.call_text(call)).collect()
    }

    /// How many shapes were met.
    #[must_use]
    pub fn shapes(&self) -> usize {
        self.tables.shapes.len() - 1
    }

    /// Its classes, methods and branches.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// A fault in words.
fn fault_text(outline: &Outline, fault: Fault) -> String {
    let method = fault.method().and_then(|at| outline.methods.get(at));
    method.map_or_else(
        || fault.reason.to_string(),
        |method| format!("in `{}`, {}", method.name, fault.reason),
    )
}

/// All calls for a bound, in the order of their methods and arguments, or shuffled.
fn calls(outline: &Outline, settings: &Settings) -> Result<Vec<Call>, SubjectError> {
    let values = settings.values_as_number();
    let (mut calls, mut count) = (Vec::new(), 0_u64);
    let is_wanted = |at: &usize| {
        settings.only.is_none_or(|only| only.contains(&&outline.methods[*at].name[..]))
    };
    for method in outline.with_role(Role::Call).filter(is_wanted) {
        let it = &outline.methods[method];
        count = count.saturating_add(it.argument_count(values));
        if count > CALLS_MAX {
            continue;
        }
        let kind = outline.with_role(Role::Call).position(|it| it == method).unwrap_or(0);
        let call = |arguments| Call { method, guard: it.guard, arguments, kind };
        calls.extend(it.arguments(values).into_iter().map(call));
    }
    if count > CALLS_MAX {
        return Err(SubjectError::Calls { calls: count });
    }
    if calls.is_empty() {
        let (subject, bound) = (outline.name.clone(), settings.values);
        return Err(SubjectError::NoCalls { subject, bound });
    }
    if let Matching::Shape { seed } = settings.matching {
        shuffle(&mut calls, seed);
    }
    Ok(calls)
}

/// Shuffles a list by a seed.
fn shuffle<T>(list: &mut [T], seed: u64) {
    use rand_pcg::{
        Pcg64,
        rand_core::{Rng, SeedableRng},
    };
    let mut random = Pcg64::seed_from_u64(seed);
    for at in (1..list.len()).rev() {
        let other = ((u128::from(random.next_u64()) * (at as u128 + 1)) >> 64) as usize;
        list.swap(at, other);
    }
}

impl Space for SubjectSpace {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        states.push(self.initial);
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        self.expand_all(states, steps);
    }

    fn contains(&self, state: StateId) -> bool {
        let number = state.0 as u32;
        (number as usize) < self.tables.store.len()
            && self.tables.shapes.known_public(shape_of(self.tables.store.row(number)))
                == Some((state.0 >> 32) as u32)
    }

    fn event_kinds(&self) -> Vec<String> {
        let calls = self.outline.with_role(Role::Call);
        calls.map(|method| kind(&self.outline.methods[method].name)).collect()
    }

    fn event_kind(&self, event: EventId) -> usize {
        self.calls[event.0 as usize].kind
    }

    fn batch(&self) -> Option<usize> {
        match self.settings.mode {
            Mode::Delta(crate::Merge::Level) => Some(usize::MAX),
            Mode::Delta(crate::Merge::Shape) => {
                Some((BATCH_CALLS / self.calls.len()).clamp(1, BATCH_STATES))
            }
            _ => None,
        }
    }

    fn skips(&self) -> Option<&'static str> {
        match self.settings.matching {
            Matching::Exact => None,
            Matching::Shape { .. } => Some("of the states of each shape only one was explored"),
        }
    }
}

/// How many states delta execution by shape takes at a time, and how many calls on them: what they lead to is kept until
/// all were made.
const BATCH_STATES: usize = 1024;
const BATCH_CALLS: usize = 1 << 18;

impl Measured for SubjectSpace {
    fn handler_executions(&self) -> u64 {
        self.counters.paths
    }

    fn handler_time(&self) -> Duration {
        self.counters.executing
    }

    fn bytes(&self) -> usize {
        self.tables.store.bytes() + self.tables.shapes.bytes() + self.results.bytes()
    }

    fn bytes_soon(&self) -> usize {
        self.tables.store.bytes_soon()
    }

    fn is_full(&self) -> bool {
        self.tables.store.len() >= (u32::MAX - (1 << 24)) as usize
    }
}

impl Guided for SubjectSpace {}
impl Related for SubjectSpace {}
