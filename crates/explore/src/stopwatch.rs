//! A stopwatch for the operations of a search, which measures a sample of its expansions.

use std::time::{Duration, Instant};

use crate::{Measured, rng::Rng, timings::Timings};

/// An operation of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Expansion,
    Shuffling,
    Execution,
    Assertion,
    Hashing,
    Search,
    Insertion,
    Ranking,
    Frontier,
    Reading,
    LookUp,
    Other,
}

const OPERATIONS: usize = Operation::Other as usize + 1;

/// The time of each operation.
type Spent = [Duration; OPERATIONS];

/// Of how many states that are expanded alone one is measured: that costs less than 5 % of a search.
pub(crate) const ONE_STATE_IN: usize = 32;
/// Of how many batches of states.
pub(crate) const ONE_BATCH_IN: usize = 4;

/// Measures consecutive operations, if it is switched on.
///
/// A reading of the clock takes about as long as a step of a search, so only some expansions are
/// measured, with all that follows until the next one. The rest of the time is divided as theirs is.
pub(crate) struct Stopwatch {
    on: bool,
    /// Whether the current expansion is measured.
    samples: bool,
    /// On average, one in this many expansions is.
    one_in: usize,
    /// How many expansions are not, until the next one that is.
    skipped: usize,
    rng: Rng,
    begun: Instant,
    last: Instant,
    /// What the space had done before the search.
    before: Inside,
    /// What it had done before the current expansion.
    inside: Inside,
    /// Time in measured expansions.
    sampled: Spent,
    /// Time of rare operations, which are measured every time.
    rare: Spent,
    /// The time of reading the clock in measured expansions, and of one reading.
    measuring: Duration,
    reading: Duration,
}

/// The time of operations within expansions, which the space measures.
#[derive(Clone, Copy, Default)]
struct Inside {
    handlers: Duration,
    reading: Duration,
    look_up: Duration,
}

impl Inside {
    fn of(space: &impl Measured) -> Self {
        Self {
            handlers: space.handler_time(),
            reading: space.reading_time(),
            look_up: space.look_up_time(),
        }
    }

    fn since(self, before: Self) -> Self {
        Self {
            handlers: self.handlers.saturating_sub(before.handlers),
            reading: self.reading.saturating_sub(before.reading),
            look_up: self.look_up.saturating_sub(before.look_up),
        }
    }
}

impl Stopwatch {
    /// For a search whose expansions are measured once in this many, if at all.
    pub(crate) fn new(on: bool, one_in: usize, space: &impl Measured) -> Self {
        let reading = if on { clock_reading() } else { Duration::ZERO };
        let (begun, mut rng) = (now(), Rng::new(0, "stopwatch"));
        Self {
            on,
            samples: false,
            one_in,
            skipped: rng.below(one_in),
            rng,
            begun,
            last: begun,
            before: Inside::of(space),
            inside: Inside::default(),
            sampled: Spent::default(),
            rare: Spent::default(),
            measuring: Duration::ZERO,
            reading,
        }
    }

    /// Whether the current expansion is measured.
    #[inline]
    pub(crate) fn samples(&self) -> bool {
        self.samples
    }

    /// Before an expansion, or a step that is taken long after one.
    #[inline]
    pub(crate) fn start(&mut self, space: &mut impl Measured) {
        if self.on {
            self.choose(space);
        }
    }

    // Away from the paths of searches that are not measured.
    #[cold]
    #[inline(never)]
    fn choose(&mut self, space: &mut impl Measured) {
        self.lap(Operation::Other);
        let chosen = self.skipped == 0;
        if chosen != self.samples {
            space.sample(chosen);
        }
        self.samples = chosen;
        if chosen {
            // Any number of them with the same probability, so that no rhythm of the search matters.
            self.skipped = self.rng.below(2 * self.one_in - 1);
            self.inside = Inside::of(space);
            self.last = now();
        } else {
            self.skipped -= 1;
        }
    }

    /// After an expansion.
    #[inline]
    pub(crate) fn expanded(&mut self, space: &impl Measured) {
        if self.samples {
            self.add_expansion(Inside::of(space));
        }
    }

    #[cold]
    #[inline(never)]
    fn add_expansion(&mut self, inside: Inside) {
        let inside = inside.since(self.inside);
        self.sampled[Operation::LookUp as usize] += inside.look_up;
        self.add(Operation::Expansion, inside.handlers + inside.reading + inside.look_up);
    }

    /// The time since the last lap belongs to this operation.
    #[inline]
    pub(crate) fn lap(&mut self, operation: Operation) {
        if self.samples {
            self.add(operation, Duration::ZERO);
        }
    }

    /// Adds a lap, except for a part of it that is counted elsewhere.
    #[cold]
    #[inline(never)]
    fn add(&mut self, operation: Operation, elsewhere: Duration) {
        let now = now();
        let lap = now.duration_since(self.last).saturating_sub(elsewhere);
        let measuring = self.reading.min(lap);
        self.measuring += measuring;
        self.sampled[operation as usize] += lap - measuring;
        self.last = now;
    }

    /// Before something rare, which is measured every time.
    pub(crate) fn pause(&mut self) -> Option<Instant> {
        self.lap(Operation::Other);
        self.on.then(now)
    }

    /// After something rare.
    pub(crate) fn resume(&mut self, operation: Operation, since: Option<Instant>) {
        if let Some(since) = since {
            self.last = now();
            self.rare[operation as usize] += self.last.duration_since(since);
        }
    }

    /// The time of all operations, at the end of a search.
    pub(crate) fn timings(&mut self, space: &mut impl Measured) -> Option<Timings> {
        if !self.on {
            return None;
        }
        self.lap(Operation::Other);
        space.sample(false);
        // What was read before the search belongs to its cost.
        let total = now().duration_since(self.begun) + self.before.reading;
        let inside = Inside::of(space).since(self.before);
        self.rare[Operation::Execution as usize] = inside.handlers;
        self.rare[Operation::Reading as usize] = self.before.reading + inside.reading;
        // Never more than the rest, however badly a reading of the clock was measured.
        let measuring = self.measuring.min(total / 2);
        let spent = divided(total, &self.rare, &self.sampled, measuring);
        let of = |operation: Operation| spent[operation as usize];
        Some(Timings {
            expansion: of(Operation::Expansion),
            shuffling: of(Operation::Shuffling),
            execution: of(Operation::Execution),
            assertion: of(Operation::Assertion),
            hashing: of(Operation::Hashing),
            search: of(Operation::Search),
            insertion: of(Operation::Insertion),
            ranking: of(Operation::Ranking),
            frontier: of(Operation::Frontier),
            reading: of(Operation::Reading),
            look_up: of(Operation::LookUp),
            other: of(Operation::Other),
            measuring,
        })
    }
}

/// The whole time by operations: what was measured every time, and the rest as it is divided in the
/// sample. All of it together with measuring is the whole.
fn divided(total: Duration, rare: &Spent, sampled: &Spent, measuring: Duration) -> Spent {
    let known: Duration = rare.iter().sum();
    let rest = total.saturating_sub(known + measuring);
    let sample: Duration = sampled.iter().sum();
    let mut spent = *rare;
    let mut given = Duration::ZERO;
    for (time, of_sample) in spent.iter_mut().zip(sampled) {
        let share = rest.as_nanos() * of_sample.as_nanos() / sample.as_nanos().max(1);
        let share = Duration::from_nanos(u64::try_from(share).unwrap_or(u64::MAX));
        *time += share;
        given += share;
    }
    spent[Operation::Other as usize] += rest.saturating_sub(given);
    spent
}

/// The time of one reading of the clock: the least of several means, since another process may have
/// had the processor in the others.
fn clock_reading() -> Duration {
    const READINGS: u32 = 64;
    let mean = || {
        let start = now();
        for _ in 1..READINGS {
            std::hint::black_box(now());
        }
        now().duration_since(start) / READINGS
    };
    (0..16).map(|_| mean()).min().unwrap_or_default()
}

#[cfg(not(test))]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
use tests::now;

#[cfg(test)]
mod tests {
    use std::{cell::Cell, sync::LazyLock};

    use super::*;
    use crate::{
        Described, EventId, EventText, Guided, Judged, Options, RankBy, RankingPart, Related,
        Saved, Space, StateId, StateText, Step, StoreKind, Strategy, Verdict, explore,
    };

    const MICROSECOND: Duration = Duration::from_micros(1);

    thread_local! {
        /// What the clock of these tests shows.
        static SHOWN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

    fn pass(time: Duration) {
        SHOWN.set(SHOWN.get() + time);
    }

    /// A clock that only these tests move. Reading it takes a microsecond.
    pub(super) fn now() -> Instant {
        pass(MICROSECOND);
        *EPOCH + SHOWN.get()
    }

    /// Numbers below a bound, each with steps to others; every operation takes its time.
    #[derive(Default)]
    struct Slow {
        handlers: Duration,
        look_up: Duration,
        samples: bool,
        executed: u64,
        expanded: u64,
        judged: u64,
        hashed: u64,
        ranked: u64,
    }

    const STATES: u64 = 20_000;
    const HANDLER: Duration = Duration::from_micros(70);
    const EXPANSION: Duration = Duration::from_micros(20);
    const LOOK_UP: Duration = Duration::from_micros(9);
    const ASSERTION: Duration = Duration::from_micros(7);
    const FINGERPRINT: Duration = Duration::from_micros(11);
    const RANKING: Duration = Duration::from_micros(5);
    const LOADING: Duration = Duration::from_millis(300);

    impl Space for Slow {
        fn initial(&mut self, states: &mut Vec<StateId>) {
            states.push(StateId(0));
        }

        fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
            for (source, &StateId(state)) in (0..).zip(states) {
                self.expanded += 1;
                pass(EXPANSION + LOOK_UP);
                // A space times this only where it is asked to.
                self.look_up += if self.samples { LOOK_UP } else { Duration::ZERO };
                if state % 10 == 0 {
                    self.executed += 1;
                    self.handlers += HANDLER;
                    pass(HANDLER);
                }
                for event in 1..=3 {
                    let target = StateId((state * 3 + event) % STATES);
                    steps.push(Step { source, event: EventId(event), target });
                }
            }
        }

        fn contains(&self, state: StateId) -> bool {
            state.0 < STATES
        }
    }

    impl Judged for Slow {
        fn verdict(&mut self, _: StateId) -> Verdict {
            self.judged += 1;
            pass(ASSERTION);
            Verdict(0)
        }

        fn assertions(&self) -> Vec<String> {
            vec!["nothing".to_owned()]
        }
    }

    impl Measured for Slow {
        fn handler_time(&self) -> Duration {
            self.handlers
        }

        fn reading_time(&self) -> Duration {
            LOADING
        }

        fn look_up_time(&self) -> Duration {
            self.look_up
        }

        fn sample(&mut self, on: bool) {
            self.samples = on;
        }
    }

    impl Described for Slow {
        fn event_text(&self, _: StateId, _: EventId) -> EventText {
            EventText {
                node: None,
                kind: String::new(),
                parameters: Vec::new(),
                sentence: String::new(),
            }
        }

        fn state_text(&self, _: StateId) -> StateText {
            StateText { parts: Vec::new() }
        }

        fn digest(&self, state: StateId) -> u64 {
            state.0
        }

        fn fingerprint(&mut self, state: StateId) -> u64 {
            self.hashed += 1;
            pass(FINGERPRINT);
            state.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
    }

    impl Guided for Slow {
        fn rankings(&self) -> Vec<String> {
            vec!["slow".to_owned()]
        }

        fn rank(&mut self, state: StateId, _: usize, rank: &mut Vec<i64>) {
            self.ranked += 1;
            pass(RANKING);
            rank.push(-(state.0 as i64));
        }
    }

    impl Related for Slow {}
    impl Saved for Slow {}

    /// The operations that the space performs, with the time that passed in each.
    fn truth(space: &Slow) -> [(&'static str, Duration); 6] {
        let times = |count: u64, each: Duration| each * u32::try_from(count).unwrap();
        [
            ("execution", times(space.executed, HANDLER)),
            ("expansion", times(space.expanded, EXPANSION)),
            ("look_up", times(space.expanded, LOOK_UP)),
            ("assertion", times(space.judged, ASSERTION)),
            ("hashing", times(space.hashed, FINGERPRINT)),
            ("ranking", times(space.ranked, RANKING)),
        ]
    }

    fn told(timings: &Timings, name: &str) -> Duration {
        let rows = timings.operations();
        rows.into_iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}")).1
    }

    #[test]
    fn the_parts_are_those_of_the_whole() {
        let best = Strategy::BestFirst(RankBy(vec![RankingPart::Named(0)]));
        let strategies =
            [Strategy::BreadthFirst, Strategy::DepthFirst, best, Strategy::DepthFirstRecursive];
        for (strategy, store) in strategies.into_iter().flat_map(|strategy| {
            [StoreKind::Exact, StoreKind::Fingerprint].map(|store| (strategy.clone(), store))
        }) {
            let mut space = Slow::default();
            let case = format!("{strategy:?} {store:?}");
            let options = Options::default().strategy(strategy).store(store).timings(true);
            let started = SHOWN.get();
            let found = explore(&mut space, &options, &mut ()).unwrap();
            assert_eq!(found.states_visited, STATES, "{case}");
            let passed = SHOWN.get() - started;
            let timings = found.timings.unwrap();
            let rows: Duration = timings.operations().iter().map(|(_, time)| *time).sum();
            assert_eq!(timings.total(), rows + timings.measuring, "{case}");
            // All that passed within the search, and what was read before it; the clock was also
            // read to know how long that takes.
            let apart = (passed + LOADING).abs_diff(timings.total());
            assert!(apart < Duration::from_millis(3), "{case}: {passed:?} {timings:?}");
            assert_eq!(
                told(&timings, "execution"),
                HANDLER * u32::try_from(space.executed).unwrap()
            );
            assert_eq!(timings.reading, LOADING, "{case}");
            for (name, truth) in truth(&space) {
                // Of 20,000 expansions a thirty-second part is a sample of 600.
                let (told, least) = (told(&timings, name), truth.mul_f64(0.9));
                assert!(
                    least <= told && told <= truth.mul_f64(1.1),
                    "{case}: {name} {told:?} {truth:?}"
                );
            }
            assert!(20 * timings.measuring < timings.total(), "{case}: {timings:?}");
        }
    }

    #[test]
    fn measuring_is_never_more_than_the_rest() {
        for depth in 0..6 {
            let options = Options::default().max_depth(depth).timings(true);
            let found = explore(&mut Slow::default(), &options, &mut ()).unwrap();
            let timings = found.timings.unwrap();
            assert!(2 * timings.measuring <= timings.total(), "{depth}: {timings:?}");
        }
        // A clock that takes longer than all that it measures.
        let mut stopwatch = Stopwatch::new(true, 1, &Slow::default());
        stopwatch.reading = Duration::from_secs(1);
        let mut space = Slow::default();
        for _ in 0..100 {
            stopwatch.start(&mut space);
            stopwatch.expanded(&space);
            stopwatch.lap(Operation::Assertion);
        }
        let timings = stopwatch.timings(&mut space).unwrap();
        assert!(2 * timings.measuring <= timings.total(), "{timings:?}");
    }

    #[test]
    fn a_stopwatch_that_is_off_reads_no_clock() {
        let before = SHOWN.get();
        let mut space = Slow::default();
        let mut stopwatch = Stopwatch::new(false, 1, &space);
        let created = SHOWN.get();
        assert!(created - before <= MICROSECOND);
        stopwatch.start(&mut space);
        stopwatch.expanded(&space);
        stopwatch.lap(Operation::Other);
        let since = stopwatch.pause();
        stopwatch.resume(Operation::Other, since);
        assert_eq!(stopwatch.timings(&mut space), None);
        assert_eq!(SHOWN.get(), created);
    }

    #[test]
    fn what_is_divided_adds_up_to_the_whole() {
        let mut rng = Rng::new(1, "test");
        for _ in 0..1000 {
            let mut draw = |most: usize| {
                let mut spent = Spent::default();
                spent.fill_with(|| Duration::from_nanos(rng.below(most) as u64));
                spent
            };
            let (rare, sampled) = (draw(1000), draw(70));
            let measuring = Duration::from_nanos(13);
            let total = rare.iter().chain(&sampled).sum::<Duration>() * 5 + measuring;
            let spent = divided(total, &rare, &sampled, measuring);
            assert_eq!(spent.iter().sum::<Duration>() + measuring, total);
            assert!(spent.iter().zip(&rare).all(|(all, rare)| all >= rare));
        }
    }
}
