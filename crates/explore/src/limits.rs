//! Limits, progress and watchers of a search, and the reasons why it ends.

use std::{
    io::{self, Write},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use crate::{DepthSample, Described, Measured, MemoryMeter, Space};

/// Writes a checkpoint.
pub type WriteSearch<'a> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'a;

/// The limits of a run. It ends cleanly when one is reached.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use std::time::Duration;
/// use everypath_explore::{Ended, Limit, Limits, ModelSpace, Options, Stop, explore};
///
/// let limits = Limits::default().states(1000).time(Duration::from_secs(60));
/// let options = Options::default().limits(limits).stop(Stop::Never);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// assert_eq!(found.ended, Ended::Limit(Limit::States));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// States stored.
    pub states: Option<u64>,
    /// Bytes that the process takes. Where the system does not report them: bytes used by the space
    /// and the store.
    pub bytes: Option<u64>,
    /// Time passed.
    pub time: Option<Duration>,
}

setters!(Limits {
    states: impl Into<Option<u64>>,
    bytes: impl Into<Option<u64>>,
    time: impl Into<Option<Duration>>,
});

/// The limit that was reached.
///
/// ```
/// use everypath_explore::{Ended, Limit};
///
/// assert_eq!(Ended::Limit(Limit::Bytes).name(), "max-memory");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// States stored.
    States,
    /// Bytes used.
    Bytes,
    /// Time passed.
    Time,
    /// The space cannot name more states.
    Capacity,
}

/// Why a run ended.
///
/// ```
/// use everypath_explore::{Ended, Limit};
///
/// // After a limit there is more to explore, and the search can be resumed.
/// let ended = Ended::Limit(Limit::Time);
/// assert!(ended.is_stopped() && !ended.is_complete());
/// assert_eq!(ended.name(), "max-time");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// No state was left to expand: everything reachable was visited.
    Exhausted,
    /// Everything within the depth bound was visited; there may be more beyond.
    Depth,
    /// An assertion was violated, and that was enough.
    Violation,
    /// A limit was reached.
    Limit(Limit),
    /// The watcher asked to stop.
    Interrupted,
    /// The search turned out to be unsound, or its model to be faulty.
    Refused,
}

impl Ended {
    /// Continues, unless the model turned out to be faulty.
    #[inline]
    pub(crate) fn unless_flawed(space: &impl Space) -> ControlFlow<Self> {
        match space.flaw() {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(Self::Refused),
        }
    }

    /// The name of the ending in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::Depth => "depth",
            Self::Violation => "violation",
            Self::Limit(Limit::States) => "max-states",
            Self::Limit(Limit::Bytes) => "max-memory",
            Self::Limit(Limit::Time) => "max-time",
            Self::Limit(Limit::Capacity) => "capacity",
            Self::Interrupted => "interrupted",
            Self::Refused => "refused",
        }
    }

    /// Whether everything within the depth bound was visited.
    #[must_use]
    pub fn is_complete(self) -> bool {
        matches!(self, Self::Exhausted | Self::Depth)
    }

    /// Whether the run can be resumed.
    #[must_use]
    pub fn is_stopped(self) -> bool {
        matches!(self, Self::Limit(_) | Self::Interrupted)
    }
}

/// The progress of a run.
///
/// ```
/// use everypath_explore::Progress;
///
/// fn line(progress: &Progress) -> String {
///     format!("{} states, {} waiting", progress.states_visited, progress.states_waiting)
/// }
/// assert_eq!(line(&Progress::default()), "0 states, 0 waiting");
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// States stored.
    pub states_visited: u64,
    /// States stored and not yet expanded.
    pub states_waiting: u64,
    /// Events executed.
    pub events: u64,
    /// The depth of the states being expanded.
    pub depth: u32,
    /// The expanded share of that level, from 0 to 1, if the search goes by levels.
    pub level_share: Option<f64>,
    /// Bytes used by the space and the store.
    pub bytes: usize,
    /// Time passed.
    pub elapsed: Duration,
}

/// Follows a run and may end it. Called every few thousand events.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use std::ops::ControlFlow;
/// use everypath_explore::{Ended, ModelSpace, Options, Progress, Stop, Watch, explore};
///
/// /// Ends a search as soon as it goes beyond a depth.
/// struct Deep(u32);
///
/// impl Watch for Deep {
///     fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
///         if progress.depth > self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
///     }
/// }
///
/// let options = Options::default().stop(Stop::Never);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut Deep(20)).unwrap();
/// assert_eq!(found.ended, Ended::Interrupted);
/// ```
pub trait Watch {
    /// Receives the progress of the run; a break ends the run.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()>;

    /// The search is over, and its traces are built now. That may take as long again.
    fn concluding(&mut self) {}

    /// Whether to save the search now. Asked after [`progress`](Self::progress), and once more if
    /// the search ends before it is complete.
    fn wants_save(&mut self, at_end: bool) -> bool {
        let _ = at_end;
        false
    }

    /// Whether to show a sample of the states that were visited so far. Asked after
    /// [`progress`](Self::progress).
    fn wants_sample(&mut self) -> bool {
        false
    }

    /// Receives a sample of the states that were visited so far, and the space that describes them.
    fn sampled(&mut self, sample: &[DepthSample], space: &dyn Described) {
        let _ = (sample, space);
    }

    /// Saves the search for [`resume`](crate::resume).
    fn save(&mut self, search: &WriteSearch<'_>) {
        let _ = search;
    }
}

/// Does not watch.
impl Watch for () {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// After how many events memory is measured, unless much more of it is used before.
const EVENTS_BETWEEN_MEASURES: u64 = 8192;

/// A run's clock and limits.
pub(crate) struct Guard<'a> {
    limits: Limits,
    started: Instant,
    /// Time that had passed before the checkpoint from which the search is resumed.
    before: Duration,
    /// Whether the search can be saved.
    saves: bool,
    memory: MemoryMeter,
    /// The number of events and of bytes at which memory is measured next.
    next_measure: (u64, usize),
    watch: &'a mut dyn Watch,
}

impl<'a> Guard<'a> {
    /// The guard of a run. It passes the limit on memory to the space.
    pub(crate) fn new(limits: Limits, space: &mut impl Measured, watch: &'a mut dyn Watch) -> Self {
        space.limit_memory(limits.bytes);
        Self {
            limits,
            started: Instant::now(),
            before: Duration::ZERO,
            saves: true,
            memory: MemoryMeter::new(limits.bytes),
            next_measure: (0, 0),
            watch,
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.before.saturating_add(self.started.elapsed())
    }

    /// Sets the time that had passed before the checkpoint.
    pub(crate) fn resume(&mut self, before: Duration) {
        self.before = before;
    }

    /// From now on, only a part of the whole is searched, which is not worth saving.
    pub(crate) fn never_save(&mut self) {
        self.saves = false;
    }

    /// Whether to save the search now.
    pub(crate) fn wants_save(&mut self, at_end: bool) -> bool {
        self.saves && self.watch.wants_save(at_end)
    }

    pub(crate) fn save(&mut self, search: &WriteSearch<'_>) {
        self.watch.save(search);
    }

    /// Whether to show a sample of what was visited now.
    pub(crate) fn wants_sample(&mut self) -> bool {
        self.watch.wants_sample()
    }

    pub(crate) fn sampled(&mut self, sample: &[DepthSample], space: &dyn Described) {
        self.watch.sampled(sample, space);
    }

    /// Traces are built now.
    pub(crate) fn concluding(&mut self) {
        self.watch.concluding();
    }

    /// Whether memory is used up. Measuring takes as long as some steps, so it is not done each
    /// time.
    fn lacks_memory(&mut self, progress: &Progress, soon: impl Fn() -> usize) -> bool {
        let (events, bytes) = self.next_measure;
        if !self.memory.is_limited() || progress.events < events && progress.bytes < bytes {
            return false;
        }
        let bytes = progress.bytes.saturating_add(self.memory.little());
        self.next_measure = (progress.events + EVENTS_BETWEEN_MEASURES, bytes);
        self.memory.is_used_up(soon(), progress.bytes)
    }

    /// Whether the run continues. `soon` is how many bytes more its tables take at once if they are
    /// about to grow.
    pub(crate) fn check(
        &mut self,
        mut progress: Progress,
        soon: impl Fn() -> usize,
    ) -> ControlFlow<Ended> {
        progress.elapsed = self.elapsed();
        let reached = |limit: Option<u64>, used: u64| limit.is_some_and(|most| used >= most);
        if reached(self.limits.states, progress.states_visited) {
            return ControlFlow::Break(Ended::Limit(Limit::States));
        }
        if self.lacks_memory(&progress, soon) {
            return ControlFlow::Break(Ended::Limit(Limit::Bytes));
        }
        // Time before the checkpoint does not count: otherwise a resumed search would make no
        // progress.
        if self.limits.time.is_some_and(|most| self.started.elapsed() >= most) {
            return ControlFlow::Break(Ended::Limit(Limit::Time));
        }
        self.watch.progress(&progress).map_break(|()| Ended::Interrupted)
    }
}
