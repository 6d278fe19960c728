//! The breadth-first search on plain models whose spaces are known in closed form, and what it
//! says when it is stopped before its end.

use std::{ops::ControlFlow, time::Duration};

use everypath_explore::{
    Described, Ended, Exploration, Limit, Limits, Model, ModelAssertion, ModelSpace, Options,
    Progress, Semantics, Stop, Watch, explore, memory_taken,
};

/// Bits that can be set one by one and never cleared: a hypercube, walked from its lowest corner.
struct Hypercube {
    bits: u32,
    initial: Vec<u32>,
    /// A state with these bits is not safe.
    forbidden: Option<u32>,
}

impl Hypercube {
    fn new(bits: u32) -> Self {
        Self { bits, initial: vec![0], forbidden: None }
    }
}

impl Model for Hypercube {
    type State = u32;
    type Action = u32;

    fn initial(&self) -> Vec<u32> {
        self.initial.clone()
    }

    fn actions(&self, _: &u32) -> Vec<u32> {
        (0..self.bits).collect()
    }

    fn next(&self, state: &u32, bit: &u32) -> Option<u32> {
        (state >> bit & 1 == 0).then_some(state | 1 << bit)
    }

    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        let lacks = |model: &Self, state: &u32| match model.forbidden {
            Some(bits) => state & bits != bits,
            None => true,
        };
        vec![ModelAssertion::new("true", |_, _| true), ModelAssertion::new("lacks bits", lacks)]
    }
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

fn walk_through(model: Hypercube, options: Options) -> Exploration {
    explore(&mut ModelSpace::new(model), &options, &mut ()).unwrap()
}

/// What holds however a search ended.
fn assert_adds_up(found: &Exploration) {
    assert_eq!(found.states_visited, found.states_per_depth().iter().sum::<u64>());
    assert!(found.states_waiting <= found.states_visited);
    assert!(found.counts.unsafe_events <= found.counts.events);
    assert_eq!(found.states_waiting == 0, found.ended.is_complete());
}

#[test]
fn the_levels_of_a_hypercube_are_binomial_coefficients() {
    for bits in 0..=10 {
        for semantics in [Semantics::Exact, Semantics::Published] {
            let options = Options::default().semantics(semantics);
            let found = walk_through(Hypercube::new(bits), options);
            let levels: Vec<u64> =
                (0..=u64::from(bits)).map(|depth| binomial(bits.into(), depth)).collect();
            assert_eq!(found.states_per_depth(), levels);
            assert_eq!(found.states_visited, 1 << bits);
            // Each of its edges once.
            assert_eq!(found.counts.events, (u64::from(bits) << bits) / 2);
            assert_eq!(found.handler_executions, u64::from(bits) << bits);
            assert_eq!((found.ended, found.depth), (Ended::Exhausted, bits));
            assert!(found.findings.is_empty());
            assert_adds_up(&found);
        }
    }
}

#[test]
fn a_depth_bound_cuts_the_hypercube() {
    for most in 0..10_u32 {
        let options = Options::default().max_depth(most);
        let found = walk_through(Hypercube::new(10), options.clone());
        let levels = (0..=u64::from(most)).map(|depth| binomial(10, depth));
        assert_eq!(found.states_per_depth(), levels.collect::<Vec<_>>());
        // A state with `depth` bits has `10 - depth` edges upwards.
        let events = (0..u64::from(most)).map(|depth| binomial(10, depth) * (10 - depth));
        assert_eq!(found.counts.events, events.clone().sum::<u64>());
        assert_eq!((found.ended, found.depth), (Ended::Depth, most));
        assert_adds_up(&found);

        let published = options.semantics(Semantics::Published);
        let found = walk_through(Hypercube::new(10), published);
        let levels = (0..u64::from(most).max(1)).map(|depth| binomial(10, depth));
        assert_eq!(found.states_per_depth(), levels.collect::<Vec<_>>(), "the last is not stored");
        assert_eq!(found.counts.events, events.sum::<u64>(), "but executed");
        assert_eq!((found.ended, found.depth), (Ended::Depth, most));
        assert_adds_up(&found);
    }
}

#[test]
fn beyond_the_last_level_there_is_nothing() {
    for semantics in [Semantics::Exact, Semantics::Published] {
        let options = Options::default().max_depth(4).semantics(semantics);
        let found = walk_through(Hypercube::new(3), options);
        assert_eq!((found.ended, found.depth), (Ended::Exhausted, 3));
        assert_eq!(found.states_visited, 8);
    }
}

#[test]
fn the_first_violation_is_a_shortest_one() {
    let forbidden = Some(0b101_1000);
    let found = walk_through(Hypercube { forbidden, ..Hypercube::new(8) }, Options::default());
    assert_eq!((found.ended, found.counts.unsafe_events), (Ended::Violation, 1));
    assert_adds_up(&found);
    // Bits 3, 4 and 6 come together when the pair (3, 4) is expanded, the nineteenth of 28. By then
    // all triples with bit 0, 1 or 2 are known, and (3, 4, 5).
    assert_eq!(found.states_per_depth(), [1, 8, 28, 46 + 1]);
    assert_eq!(found.states_waiting, 28 - 19 + 47);
    assert_eq!(found.counts.events, 8 + 8 * 7 + 18 * 6 + 5);
    let finding = found.finding().unwrap().clone();
    assert_eq!((finding.assertion, finding.trace.steps.len()), (1, 3));
}

#[test]
fn a_trace_is_a_run() {
    let model = Hypercube { forbidden: Some(0b111_1000), ..Hypercube::new(9) };
    let mut space = ModelSpace::new(model);
    let finding =
        explore(&mut space, &Options::default(), &mut ()).unwrap().finding().unwrap().clone();
    assert_eq!(*space.state(finding.trace.initial), 0);
    assert_eq!(*space.state(finding.trace.last()), 0b111_1000);
    for (before, step) in finding.trace.transitions() {
        let bit: u32 = space.event_text(before, step.event).sentence.parse().unwrap();
        assert_eq!(*space.state(step.state), space.state(before) | 1 << bit);
    }
}

#[test]
fn a_search_that_keeps_going_does_not_expand_what_violates() {
    // Without the states that contain two given bits, the levels lose a smaller hypercube.
    let model = Hypercube { forbidden: Some(0b11), ..Hypercube::new(7) };
    let found = walk_through(model, Options::default().stop(Stop::Never));
    let level =
        |depth: u64| binomial(7, depth) - depth.checked_sub(2).map_or(0, |d| binomial(5, d));
    assert_eq!(found.states_per_depth(), (0..=6).map(level).collect::<Vec<_>>());
    // Into each of the 2^5 violating states lead two edges from safe ones: the last bit set was
    // one of the two.
    assert_eq!(found.counts.unsafe_events, 2 << 5);
    assert_eq!(found.ended, Ended::Exhausted);
    assert_eq!(found.finding().unwrap().trace.steps.len(), 2);
    assert_adds_up(&found);
}

#[test]
fn a_violation_at_the_start_is_a_trace_without_steps() {
    let model = || Hypercube { initial: vec![0b01, 0b10], forbidden: Some(0b10), bits: 3 };
    let found = walk_through(model(), Options::default());
    let trace = found.finding().unwrap().trace.clone();
    assert!(trace.steps.is_empty());
    assert_eq!((found.ended, found.counts.events, found.depth), (Ended::Violation, 0, 0));
    assert_eq!((found.states_visited, found.states_waiting), (1, 1), "the safe one before it");

    let found = walk_through(model(), Options::default().stop(Stop::Never));
    assert_eq!(found.finding().unwrap().clone().trace, trace);
    assert_eq!(found.states_per_depth(), [1, 1], "001 and 101");
    assert_eq!(
        (found.ended, found.counts.events, found.counts.unsafe_events),
        (Ended::Exhausted, 3, 2)
    );
}

#[test]
fn equal_initial_states_are_one() {
    let model = Hypercube { initial: vec![0, 0, 0], ..Hypercube::new(2) };
    assert_eq!(walk_through(model, Options::default()).states_per_depth(), [1, 2, 1]);
}

#[test]
fn without_an_initial_state_there_is_nothing() {
    for max_depth in [None, Some(0), Some(3)] {
        let model = Hypercube { initial: Vec::new(), ..Hypercube::new(2) };
        let found = walk_through(model, Options::default().max_depth(max_depth));
        assert_eq!(found.ended, Ended::Exhausted);
        assert_eq!((found.states_visited, found.counts.events, found.depth), (0, 0, 0));
        assert!(found.states_per_depth().is_empty());
    }
}

fn limited(limits: Limits) -> Exploration {
    walk_through(Hypercube::new(14), Options::default().limits(limits))
}

#[test]
fn a_limit_on_states_ends_the_search() {
    for most in [1, 2, 1_000, 16_383] {
        let found = limited(Limits::default().states(most));
        assert_eq!(found.ended, Ended::Limit(Limit::States));
        assert!(found.states_visited >= most);
        assert!(found.states_waiting > 0);
        assert_adds_up(&found);
    }
    let found = limited(Limits::default().states(16_385));
    assert_eq!((found.ended, found.states_visited), (Ended::Exhausted, 16_384));
}

#[test]
fn a_limit_on_bytes_ends_the_search() {
    let found = limited(Limits::default().bytes(100_000));
    assert_eq!(found.ended, Ended::Limit(Limit::Bytes));
    assert!(found.bytes < 1_000_000, "{}", found.bytes);
    assert_adds_up(&found);
    // What counts is what the process takes, where that is known.
    if let Some(taken) = memory_taken() {
        let found = limited(Limits::default().bytes(taken + (1 << 30)));
        assert_eq!(found.ended, Ended::Exhausted);
    }
}

#[test]
fn a_limit_on_time_ends_the_search() {
    let found = limited(Limits::default().time(Duration::ZERO));
    assert_eq!(found.ended, Ended::Limit(Limit::Time));
    assert_eq!((found.states_per_depth().as_slice(), found.counts.events), ([1].as_slice(), 0));
    assert_eq!(found.states_waiting, 1);
    assert_adds_up(&found);
}

/// Stops a search when it has seen so much progress, and checks that it is progress.
struct Stopwatch {
    calls_left: u32,
    last: Progress,
}

impl Watch for Stopwatch {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        assert!(progress.states_visited >= self.last.states_visited);
        assert!(progress.events >= self.last.events);
        assert!(progress.depth >= self.last.depth);
        assert!(progress.elapsed >= self.last.elapsed);
        assert!(progress.states_waiting <= progress.states_visited);
        self.last = *progress;
        match self.calls_left.checked_sub(1) {
            Some(left) => {
                self.calls_left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

#[test]
fn a_watcher_can_end_the_search() {
    for calls_left in [0, 1, 5, 20] {
        let mut watch = Stopwatch { calls_left, last: Progress::default() };
        let mut space = ModelSpace::new(Hypercube::new(14));
        let found = explore(&mut space, &Options::default(), &mut watch).unwrap();
        assert_eq!(found.ended, Ended::Interrupted);
        assert_eq!(found.states_visited, watch.last.states_visited);
        assert_eq!(found.states_waiting, watch.last.states_waiting);
        assert_eq!(found.counts.events, watch.last.events);
        assert_adds_up(&found);
    }
}

#[test]
fn a_watcher_that_continues_changes_nothing() {
    let mut watch = Stopwatch { calls_left: u32::MAX, last: Progress::default() };
    let found =
        explore(&mut ModelSpace::new(Hypercube::new(12)), &Options::default(), &mut watch).unwrap();
    assert_eq!((found.ended, found.states_visited), (Ended::Exhausted, 1 << 12));
    assert_eq!(watch.last.depth, 12);
}

#[test]
fn what_was_found_before_a_limit_is_kept() {
    let model = Hypercube { forbidden: Some(0b11), ..Hypercube::new(14) };
    let limits = Limits::default().states(500);
    let found = walk_through(model, Options::default().limits(limits).stop(Stop::Never));
    assert_eq!(found.ended, Ended::Limit(Limit::States));
    assert_eq!(found.finding().unwrap().trace.steps.len(), 2);
    assert_adds_up(&found);
}

/// Two jugs of three and of five litres, a tap and a drain.
struct Jugs;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Pour {
    FillSmall,
    FillLarge,
    EmptySmall,
    EmptyLarge,
    SmallIntoLarge,
    LargeIntoSmall,
}

impl Model for Jugs {
    type State = (u32, u32);
    type Action = Pour;

    fn initial(&self) -> Vec<(u32, u32)> {
        vec![(0, 0)]
    }

    fn actions(&self, _: &(u32, u32)) -> Vec<Pour> {
        use Pour::{EmptyLarge, EmptySmall, FillLarge, FillSmall, LargeIntoSmall, SmallIntoLarge};
        vec![FillSmall, FillLarge, EmptySmall, EmptyLarge, SmallIntoLarge, LargeIntoSmall]
    }

    fn next(&self, &(small, large): &(u32, u32), pour: &Pour) -> Option<(u32, u32)> {
        Some(match pour {
            Pour::FillSmall => (3, large),
            Pour::FillLarge => (small, 5),
            Pour::EmptySmall => (0, large),
            Pour::EmptyLarge => (small, 0),
            Pour::SmallIntoLarge => {
                let poured = small.min(5 - large);
                (small - poured, large + poured)
            }
            Pour::LargeIntoSmall => {
                let poured = large.min(3 - small);
                (small + poured, large - poured)
            }
        })
    }

    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        vec![ModelAssertion::new("never four litres", |_, &(_, large)| large != 4)]
    }
}

#[test]
fn four_litres_take_six_pourings() {
    let mut space = ModelSpace::new(Jugs);
    let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
    let trace = found.finding().unwrap().clone().trace;
    let contents = trace.steps.iter().map(|step| *space.state(step.state));
    let known = [(0, 5), (3, 2), (0, 2), (2, 0), (2, 5), (3, 4)];
    assert_eq!(contents.collect::<Vec<_>>(), known, "the only way in six");
    let five = Options::default().max_depth(5);
    let found = explore(&mut ModelSpace::new(Jugs), &five, &mut ()).unwrap();
    assert!(found.findings.is_empty());
}

#[test]
fn the_jugs_have_sixteen_contents() {
    struct Unasserted;
    impl Model for Unasserted {
        type State = (u32, u32);
        type Action = Pour;
        fn initial(&self) -> Vec<(u32, u32)> {
            Jugs.initial()
        }
        fn actions(&self, state: &(u32, u32)) -> Vec<Pour> {
            Jugs.actions(state)
        }
        fn next(&self, state: &(u32, u32), pour: &Pour) -> Option<(u32, u32)> {
            Jugs.next(state, pour)
        }
    }
    // In every one of them at least one jug is full or empty: 24 minus the 2 by 4 inner ones.
    let found = explore(&mut ModelSpace::new(Unasserted), &Options::default(), &mut ()).unwrap();
    assert_eq!((found.ended, found.states_visited), (Ended::Exhausted, 16));
    assert_eq!(found.counts.events, 16 * 6);
}
