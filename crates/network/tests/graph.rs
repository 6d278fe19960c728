//! The graph of one version is used for the next, and changes nothing but what is executed: over random
//! protocols and random changes of them.

use crate::damage;
use crate::outcome_text;
use crate::table;

use std::{collections::BTreeSet, time::Duration};

use everypath_explore::{
    Described, EventPattern, Exploration, Judged, Measured, Options, Portable, RankBy, RankingPart,
    Space, Stop, Strategy, explore,
};
use everypath_model::{Budget, EventKind, NetworkKind, Profile};
use everypath_network::{Changes, Graph, GraphCounts, GraphError, NetworkSpace, SpaceOptions};
use proptest::{prelude::*, sample::Index};
use table::{Action, Case, Program, SLOWNESS, Table, case, cases};

const DEPTH: u32 = 4;

/// What an exploration came to, and the graph that it has written.
struct Explored {
    /// What does not depend on the order of states within a level.
    told: String,
    /// What does not depend on any order.
    verdict: (u64, BTreeSet<usize>),
    /// All but times and bytes.
    all: String,
    /// Every step, by the content of its states and its event.
    steps: BTreeSet<[Vec<u8>; 3]>,
    executions: u64,
    counts: GraphCounts,
    graph: Vec<u8>,
    /// How many states the graph has.
    known: usize,
}

/// What to do with graphs.
#[derive(Clone, Copy, Default)]
struct Use<'a> {
    reads: Option<&'a [u8]>,
    writes: bool,
    verifies: bool,
    disabled: Option<&'a str>,
    /// Which events are said to be modified.
    modified: Option<&'a str>,
    /// If not the usual one.
    depth: Option<u32>,
    /// The print of the assertions.
    print: Option<u64>,
    /// Whether the handler of every event is executed.
    every_event: bool,
}

fn patterns(text: Option<&str>) -> Vec<EventPattern> {
    text.iter().map(|it| it.parse().unwrap()).collect()
}

fn explored(case: &Case, uses: Use<'_>) -> Explored {
    explored_by(&Strategy::BreadthFirst, case, uses)
}

fn explored_by(strategy: &Strategy, case: &Case, uses: Use<'_>) -> Explored {
    let scenario = case.scenario();
    let disabled = patterns(uses.disabled);
    let options = SpaceOptions::default().profile(case.profile).disabled(disabled);
    let options = options.every_event(uses.every_event);
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    if uses.verifies {
        space.verify_graph();
    }
    if let Some(print) = uses.print {
        space.print_assertions(print);
    }
    if let Some(bytes) = uses.reads {
        let events: Vec<EventPattern> = patterns(uses.modified);
        space.read_graph(bytes, Changes { events: &events, ..Changes::FOUND }).unwrap();
    }
    if uses.writes {
        space.record_graph();
    }
    let semantics = SpaceOptions::default().profile(case.profile).semantics();
    let max_depth = Some(uses.depth.unwrap_or(DEPTH));
    let strategy = strategy.clone();
    let options = Options::default()
        .strategy(strategy)
        .semantics(semantics)
        .stop(Stop::Never)
        .max_depth(max_depth);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let (mut graph, mut counts) = (Vec::new(), GraphCounts::default());
    if let Some(used) = space.graph() {
        assert_eq!((used.contradiction(), used.trouble()), (None, None));
        counts = used.counts();
    }
    if uses.writes {
        space.finish_graph();
        space.write_graph(&mut graph).unwrap();
    }
    let violated = found.findings.iter().map(|finding| finding.assertion);
    let verdict = (found.states_visited, violated.collect());
    // That one counts the events of its last round.
    if uses.reads.is_some() && options.strategy != Strategy::IterativeDeepening {
        let GraphCounts { events, hits, misses, modified, .. } = counts;
        assert_eq!(events, found.counts.events, "each explored event is counted, and no other");
        assert_eq!(events, hits + misses + modified);
        assert!(counts.kept_hits <= hits && counts.whole_events <= hits, "{counts:?}");
    }
    let known = space.graph().map_or(0, Graph::len);
    let all = outcome_text::told(&space, &found);
    let told = told(&space, &found, case.profile);
    let steps = steps(&mut space);
    let executions = found.handler_executions;
    Explored { told, verdict, all, steps, executions, counts, graph, known }
}

/// Counts, and how long the shortest violations are; in the published semantics, also which.
fn told(
    space: &(impl Judged + Described + Measured),
    found: &Exploration,
    profile: Profile,
) -> String {
    let mut findings: Vec<_> = found
        .findings
        .iter()
        .map(|finding| {
            let run = finding.trace.transitions();
            let sentences = run.map(|(before, step)| space.event_text(before, step.event).sentence);
            let sentences: Vec<String> = sentences.collect();
            let run = (profile == Profile::Thesis).then(|| sentences.clone());
            (finding.assertion, sentences.len(), run)
        })
        .collect();
    findings.sort_unstable();
    let numbers = (found.ended, found.states_visited, &found.counts, found.depth);
    format!("{numbers:#?} {findings:#?}")
}

/// Every step within the bound, found without any search; the first ones, if there are many.
fn steps(space: &mut NetworkSpace<'_>) -> BTreeSet<[Vec<u8>; 3]> {
    let mut level = Vec::new();
    space.initial(&mut level);
    let mut all = BTreeSet::new();
    for _ in 0..DEPTH {
        let mut next = BTreeSet::new();
        if all.len() > 1000 {
            break;
        }
        for state in level {
            let mut steps = Vec::new();
            space.expand(&[state], &mut steps);
            for step in steps {
                let event = space.encode_event(state, step.event);
                if all.insert([space.encode(state), event, space.encode(step.target)]) {
                    next.insert(step.target);
                }
            }
        }
        level = next.into_iter().collect();
    }
    all
}

/// How many events of a search within the bound a pattern describes, counted without any search.
fn described(case: &Case, pattern: &str) -> u64 {
    let pattern: EventPattern = pattern.parse().unwrap();
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let (mut level, mut steps) = (Vec::new(), Vec::new());
    space.initial(&mut level);
    let mut seen: BTreeSet<_> = level.iter().copied().collect();
    let mut number = 0;
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for state in level {
            steps.clear();
            space.expand(&[state], &mut steps);
            for step in &steps {
                number += u64::from(space.matches(state, step.event, &pattern));
                if seen.insert(step.target) {
                    next.push(step.target);
                }
            }
        }
        level = next;
    }
    number
}

/// What a search counts that reuses the graph of a less deep one.
#[derive(Default)]
struct Counted {
    hits: u64,
    modified: u64,
    executed: u64,
    /// Those of the executed events that have a handler.
    handled: u64,
    /// All events that have a handler.
    all_handled: u64,
}

/// The same by a search of a few lines, in the published semantics: the first `known` levels were
/// explored before.
fn counted(case: &Case, known: u32, modified: &str) -> Counted {
    let modified: EventPattern = modified.parse().unwrap();
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let kinds = space.event_kinds();
    let has_handler = |kind: &str| !["lose", "duplicate", "link-down", "link-up"].contains(&kind);
    let (mut level, mut steps) = (Vec::new(), Vec::new());
    space.initial(&mut level);
    level.retain(|&state| space.verdict(state).is_safe());
    let mut seen: BTreeSet<_> = level.iter().copied().collect();
    let mut sum = Counted::default();
    for depth in 1..=DEPTH {
        let mut next = Vec::new();
        for state in level {
            steps.clear();
            space.expand(&[state], &mut steps);
            // Equal packets have equal events: one that leads to a violation hides the others.
            let hidden: Vec<_> = steps
                .iter()
                .filter(|step| !space.verdict(step.target).is_safe())
                .map(|step| step.event)
                .collect();
            for step in &steps {
                let is_modified = space.matches(state, step.event, &modified);
                let is_safe = space.verdict(step.target).is_safe();
                let is_new = is_safe && depth < DEPTH && seen.insert(step.target);
                let is_hit = depth <= known && !is_modified && !hidden.contains(&step.event);
                let executed = u64::from(!is_hit || is_new);
                let handled = u64::from(has_handler(&kinds[space.event_kind(step.event)]));
                sum.hits += u64::from(is_hit);
                sum.modified += u64::from(is_modified);
                sum.executed += executed;
                sum.handled += executed * handled;
                sum.all_handled += handled;
                if is_new {
                    next.push(step.target);
                }
            }
        }
        level = next;
    }
    sum
}

fn write(case: &Case) -> Explored {
    explored(case, Use { writes: true, ..Use::default() })
}

fn never_panics(table: &Table) -> bool {
    let actions = table.programs.iter().flat_map(|program| &program.actions);
    !actions.into_iter().any(|action| matches!(action, Action::Panic))
}

proptest! {
    #![proptest_config(cases(100))]

    /// The four modes.
    #[test]
    fn the_same_version_executes_nothing(case in case()) {
        let fresh = explored(&case, Use::default());
        let written = write(&case);
        prop_assert_eq!(&written.told, &fresh.told);
        prop_assert_eq!(&written.steps, &fresh.steps);
        for (writes, verifies) in [(false, false), (true, false), (false, true)] {
            let reads = Some(written.graph.as_slice());
            let read = explored(&case, Use { reads, writes, verifies, ..Use::default() });
            prop_assert_eq!(&read.told, &fresh.told);
            prop_assert_eq!(&read.steps, &fresh.steps);
            prop_assert_eq!(read.counts.modified, 0);
            if never_panics(&case.table) && !verifies {
                prop_assert_eq!(read.executions, 0);
            }
            if never_panics(&case.table) && writes {
                prop_assert_eq!(read.known, written.known, "there is nothing to add");
            }
        }
    }

    /// Handlers that do something else, or other commands: handlers that are added or removed.
    #[test]
    fn the_next_version_is_explored_as_if_it_were_the_first(
        case in case(),
        which in any::<Index>(),
        next in 0..table::STATES,
        commands in proptest::option::of(proptest::collection::vec(0..2_u8, 0..2)),
        writes in any::<bool>(),
        verifies in any::<bool>(),
        strategy in prop::sample::select(vec![
            Strategy::BreadthFirst,
            Strategy::DepthFirst,
            Strategy::IterativeDeepening,
            Strategy::RandomWalk { walks: 10 },
        ]),
    ) {
        let before = write(&case);
        let mut changed = case.clone();
        let programs = &mut changed.table.programs;
        let place = which.index(programs.len());
        programs[place] = Program { actions: Vec::new(), next };
        if let Some(commands) = commands {
            let all = &mut changed.table.commands;
            let place = which.index(all.len());
            all[place] = commands;
        }
        let fresh = explored_by(&strategy, &changed, Use::default());
        let reads = Some(before.graph.as_slice());
        let uses = Use { reads, writes, verifies, ..Use::default() };
        let reused = explored_by(&strategy, &changed, uses);
        // Packets of an unordered network are tried in the order of their numbers, which the file gives.
        let by_number = case.profile == Profile::Standard && strategy != Strategy::BreadthFirst;
        if !by_number {
            prop_assert_eq!(&reused.told, &fresh.told);
        } else if !matches!(strategy, Strategy::RandomWalk { .. }) {
            prop_assert_eq!(&reused.verdict, &fresh.verdict);
        }
        prop_assert_eq!(&reused.steps, &fresh.steps);
        prop_assert!(verifies || reused.executions <= fresh.executions);
        if writes {
            // And back again.
            let fresh = explored(&case, Use::default());
            let reads = Some(reused.graph.as_slice());
            let back = explored(&case, Use { reads, ..Use::default() });
            prop_assert_eq!(&back.told, &fresh.told);
            prop_assert_eq!(&back.steps, &fresh.steps);
        }
    }

    /// Events that are left out in one version, and not in the other.
    #[test]
    fn events_are_added_and_removed(
        case in case(),
        kind in prop::sample::select(vec!["timer", "timer:1", "command@0", "lose", "deliver:1", "@1"]),
    ) {
        let scenario = case.scenario();
        let disabled = vec![kind.parse().unwrap()];
        let options = SpaceOptions::default().profile(case.profile).disabled(disabled);
        prop_assume!(NetworkSpace::new(&scenario, options).is_ok());
        for (then, now) in [(Some(kind), None), (None, Some(kind))] {
            let before = explored(&case, Use { writes: true, disabled: then, ..Use::default() });
            let fresh = explored(&case, Use { disabled: now, ..Use::default() });
            let reads = Some(before.graph.as_slice());
            let reused = explored(&case, Use { reads, disabled: now, ..Use::default() });
            prop_assert_eq!(&reused.told, &fresh.told);
            prop_assert_eq!(&reused.steps, &fresh.steps);
            if case.profile == Profile::Standard && fresh.verdict.1.is_empty() {
                let modified = reused.counts.modified;
                let added = if then.is_some() { described(&case, kind) } else { 0 };
                prop_assert_eq!(modified, added, "what was added, and nothing else");
            }
        }
    }

    /// An event that is said to be modified counts as such whether it was in the file or not, and no other
    /// event does, also if the same code handles it.
    #[test]
    fn events_are_counted_as_what_they_are_said_to_be(
        case in case(),
        kind in prop::sample::select(vec!["deliver@0", "timer@1", "command@0", "lose", "reboot@1"]),
        depth in 1..=DEPTH,
    ) {
        let mut case = Case { profile: Profile::Standard, link_failure: Budget::Off, ..case };
        // Who receives a packet is known of single events only.
        case.table.late = None;
        (case.never_sum, case.crowd, case.severed) = (None, None, None);
        let fresh = explored(&case, Use::default());
        // The count beside it expands states that violate an assertion.
        prop_assume!(fresh.verdict.1.is_empty());
        let before = explored(&case, Use { writes: true, depth: Some(depth), ..Use::default() });
        let reads = Some(before.graph.as_slice());
        let reused = explored(&case, Use { reads, modified: Some(kind), ..Use::default() });
        prop_assert_eq!(&reused.told, &fresh.told);
        let GraphCounts { misses, modified, .. } = reused.counts;
        prop_assert_eq!(modified, described(&case, kind));
        if depth == DEPTH && never_panics(&case.table) {
            prop_assert_eq!(misses, 0);
        }
    }

    /// Event by event: the events that the thesis executes are those that a search of a few lines
    /// counts, and with a handler executed for every event these are the executions.
    #[test]
    fn executed_events_are_those_of_a_search_of_a_few_lines(
        case in case(),
        kind in prop::sample::select(vec!["deliver", "deliver@0", "timer", "command@0", "lose"]),
        depth in 1..=DEPTH,
    ) {
        let mut case = Case { profile: Profile::Thesis, ..case };
        // Who receives a packet is known of single events only.
        case.table.late = None;
        prop_assume!(never_panics(&case.table));
        let before = explored(&case, Use { writes: true, depth: Some(depth), ..Use::default() });
        let reads = Some(before.graph.as_slice());
        let uses = Use { reads, modified: Some(kind), ..Use::default() };
        let reused = explored(&case, uses);
        let expected = counted(&case, depth, kind);
        let GraphCounts { hits, modified, .. } = reused.counts;
        prop_assert_eq!([hits, modified, reused.counts.executed()], [expected.hits, expected.modified, expected.executed]);
        let every_event = explored(&case, Use { every_event: true, ..uses });
        prop_assert_eq!(&every_event.told, &reused.told);
        prop_assert_eq!(every_event.executions - reused.executions, expected.handled);
        let scratch = explored(&case, Use { every_event: true, ..Use::default() });
        let fresh = explored(&case, Use::default());
        prop_assert_eq!(&scratch.told, &fresh.told);
        prop_assert_eq!(scratch.executions - fresh.executions, expected.all_handled);
    }

    /// With the same print, states that are known need not be judged; the findings are the same.
    #[test]
    fn assertions_with_the_same_print_are_not_evaluated_again(
        case in case(),
        which in any::<Index>(),
        next in 0..table::STATES,
        kind in prop::sample::select(vec![None, Some("deliver@0"), Some("timer")]),
    ) {
        let print = Some(7);
        let before = explored(&case, Use { writes: true, print, ..Use::default() });
        let reads = Some(before.graph.as_slice());
        let mut changed = case.clone();
        let place = which.index(changed.table.programs.len());
        changed.table.programs[place] = Program { actions: Vec::new(), next };
        let fresh = explored(&changed, Use::default());
        let reused = explored(&changed, Use { reads, print, modified: kind, ..Use::default() });
        prop_assert_eq!(&reused.told, &fresh.told);
        prop_assert_eq!(reused.counts.unjudged, reused.counts.hits);
        for other in [None, Some(8)] {
            let judged = explored(&changed, Use { reads, print: other, ..Use::default() });
            prop_assert_eq!(&judged.told, &fresh.told);
            prop_assert_eq!(judged.counts.unjudged, 0);
        }
    }

    /// Bytes that are no graph are refused, then or when they are needed, and never make the reader fail.
    #[test]
    fn damaged_bytes_are_refused(
        case in case(),
        at in any::<Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let fresh = write(&case);
        let mut bytes = fresh.graph;
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        let scenario = case.scenario();
        let mut space = case.space(&scenario);
        let read = space.read_graph(bytes.as_slice(), Changes::FOUND);
        if read.is_ok() {
            let semantics = SpaceOptions::default().profile(case.profile);
            let options = Options::default().semantics(semantics.semantics()).max_depth(DEPTH).stop(Stop::Never);
            let found = explore(&mut space, &options, &mut ()).unwrap();
            if cut {
                // What was there before the cut is right.
                prop_assert_eq!(told(&space, &found, case.profile), fresh.told);
            }
        }
    }
}

/// Two nodes that send something to each other.
fn pair() -> Case {
    let programs =
        vec![Program { actions: vec![Action::Broadcast { message: 1 }, Action::Set(0)], next: 1 }];
    let table = Table { programs, commands: vec![vec![0]], late: None };
    Case::of(table, NetworkKind::Unordered, Profile::Standard)
}

/// A graph whose bytes were changed is refused, or what can be read of it is used; no search fails, and none asks for
/// more memory than there is.
#[test]
fn forged_graphs_are_refused_or_used() {
    let case = pair();
    let scenario = case.scenario();
    let bytes = write(&case).graph;
    let options = Options::default().max_depth(DEPTH);
    let used = damage::taken(&bytes, 2000, |forged| {
        let mut space = case.space(&scenario);
        if space.read_graph(forged, Changes::FOUND).is_err() {
            return false;
        }
        let found = explore(&mut space, &options, &mut ()).unwrap();
        found.findings.iter().for_each(|finding| {
            for (before, step) in finding.trace.transitions() {
                space.event_text(before, step.event);
            }
        });
        true
    });
    assert!(used > 0, "some changes do not matter");
}

#[test]
fn a_graph_of_another_network_is_refused() {
    let written = write(&pair());
    let other = Case { network: NetworkKind::FifoPerLink, ..pair() };
    let scenario = other.scenario();
    let mut space = other.space(&scenario);
    let read = space.read_graph(written.graph.as_slice(), Changes::FOUND);
    let Err(GraphError::Different(difference)) = read else { panic!("{read:?}") };
    assert_eq!(
        difference.to_string(),
        "it was saved with network unordered, but this run has fifo"
    );
}

#[test]
fn what_is_declared_to_be_modified_is_executed_again() {
    let case = pair();
    let written = write(&case);
    let scenario = case.scenario();
    let options = Options::default().max_depth(DEPTH);
    let executions = |code: &'static [&'static str], events: &[EventPattern]| {
        let mut space = case.space(&scenario);
        let changes = Changes { code: &|name, _, _| code.contains(&name), events };
        space.read_graph(written.graph.as_slice(), changes).unwrap();
        let found = explore(&mut space, &options, &mut ()).unwrap();
        let graph = space.graph().unwrap();
        (found.handler_executions, graph.counts(), graph.changed().concat())
    };
    let (none, counts, changed) = executions(&[], &[]);
    assert_eq!((none, counts.misses, counts.modified, changed.as_str()), (0, 0, 0, ""));
    assert_eq!((counts.hits, counts.part_states), (counts.whole_events, 0));
    let said = [executions(&["timer"], &[]), executions(&[], &["timer:0".parse().unwrap()])];
    for ((some, counts, changed), code) in said.into_iter().zip(["timer", ""]) {
        assert_eq!(changed, code);
        assert!(some > 0 && some < written.executions, "{some} of {}", written.executions);
        assert!(counts.modified > 0 && counts.hits > 0 && counts.misses == 0, "{counts:?}");
        assert!(counts.left_out > 0, "{counts:?}");
    }
}

/// The steps of a file are used event by event: in states with a modified event, the others are
/// believed without asking whether they are still possible. Comparing finds that they are not.
#[test]
fn known_events_beside_modified_ones_are_not_executed() {
    let case = pair();
    let assume = |forbids| {
        let is_forbidden = move |kind| forbids && kind == EventKind::Command;
        case.scenario().assume("what is possible", move |_, event| !is_forbidden(event.kind()))
    };
    let then = assume(false);
    let mut space = case.space(&then);
    space.record_graph();
    explore(&mut space, &Options::default().max_depth(DEPTH), &mut ()).unwrap();
    space.finish_graph();
    let mut graph = Vec::new();
    space.write_graph(&mut graph).unwrap();
    let now = assume(true);
    let wrong = |modified: &[EventPattern]| {
        let mut space = case.space(&now);
        space.read_graph(graph.as_slice(), Changes { events: modified, ..Changes::FOUND }).unwrap();
        let (mut states, mut steps) = (Vec::new(), Vec::new());
        space.initial(&mut states);
        space.expand(&states, &mut steps);
        let graph = space.graph().unwrap();
        (graph.counts().part_states, graph.contradiction().map(str::to_owned))
    };
    let (parts, wrongly) = wrong(&["timer".parse().unwrap()]);
    assert_eq!(parts, 1, "the timers of the first state are modified, its commands are not");
    assert!(wrongly.is_some(), "commands were taken from the file");
    let modified = ["timer", "command"].map(|kind| kind.parse().unwrap());
    assert_eq!(wrong(&modified), (1, None), "nothing was taken from it");
}

/// A step that leads elsewhere than the file says is found by executing it again.
#[test]
fn reuse_can_be_verified() {
    let case = pair();
    let written = write(&case);
    let mut other = pair();
    other.table.programs[0].next = 2;
    let scenario = other.scenario();
    let mut space = other.space(&scenario);
    space.verify_graph();
    let changes = Changes { code: &|name, _, _| name == "start", events: &[] };
    space.read_graph(written.graph.as_slice(), changes).unwrap();
    let options = Options::default().max_depth(DEPTH);
    explore(&mut space, &options, &mut ()).unwrap();
    let graph = space.graph().unwrap();
    assert!(graph.contradiction().is_some(), "{:?}", graph.counts());
}

/// Nothing of it could be used, so it is as if it were not there.
#[test]
fn a_graph_is_not_read_if_all_code_is_said_to_be_modified() {
    let case = pair();
    let written = write(&case);
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let changes = Changes { code: &|_, _, _| true, events: &[] };
    space.read_graph(written.graph.as_slice(), changes).unwrap();
    let options = Options::default().max_depth(DEPTH).stop(Stop::Never);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let graph = space.graph().unwrap();
    let mut counts = graph.counts();
    assert!(std::mem::take(&mut counts.all_modified));
    assert_eq!(counts, GraphCounts::default());
    assert_eq!(graph.reckoning(&found), None);
    assert_eq!(outcome_text::told(&space, &found), explored(&case, Use::default()).all);
}

/// Every node sends, sets timers and loses; enough states for whatever is measured on samples.
fn busy() -> Case {
    let send = |message: u32| Action::Broadcast { message };
    let program = |actions: Vec<Action>, next: u32| Program { actions, next };
    let programs = vec![
        program(vec![send(1), Action::Set(0)], 1),
        program(vec![send(0), Action::Set(1), Action::Choose { options: 2 }], 2),
        program(vec![Action::Reply { message: 0 }, Action::Cancel(0)], 0),
        program(vec![Action::Reply { message: 1 }], 1),
        program(Vec::new(), 2),
    ];
    let table = Table { programs, commands: vec![vec![0], vec![1]], late: None };
    let pair = Case::of(table, NetworkKind::Unordered, Profile::Standard);
    let (nodes, edges) = (3, vec![(0, 1), (1, 2)]);
    Case { nodes, edges, loss: Budget::Unlimited, never_sum: Some(6), ..pair }
}

/// Searches that leave states out find what the numbers of states make them find. These may not depend on how long
/// anything takes.
#[test]
fn how_long_handlers_take_changes_nothing() {
    let case = busy();
    let by = |place| RankBy(vec![RankingPart::Named(place)]);
    let strategies = [
        Strategy::BreadthFirst,
        Strategy::BestFirst(by(1)),
        Strategy::BiasedRandom(by(0)),
        Strategy::Beam { rank_by: by(1), width: 50 },
        Strategy::RandomWalk { walks: 100 },
    ];
    let depth = Some(6);
    let written = [Duration::ZERO, Duration::from_millis(1)].map(|slowness| {
        SLOWNESS.set(slowness);
        explored(&case, Use { writes: true, depth, ..Use::default() }).graph
    });
    assert_eq!(written[0], written[1], "the file is the same, byte by byte");
    let reads = Some(written[0].as_slice());
    let changed = |slowness: Duration, strategy: &Strategy| {
        SLOWNESS.set(slowness);
        let modified = Some("timer:1");
        explored_by(strategy, &case, Use { reads, modified, depth, ..Use::default() })
    };
    for strategy in strategies {
        let fast = changed(Duration::ZERO, &strategy);
        let slow = changed(Duration::from_millis(1), &strategy);
        assert!(fast.counts.whole_states > 0 && fast.executions > 0, "{:?}", fast.counts);
        let untimed = |mut counts: GraphCounts| {
            counts.loading = Duration::ZERO;
            counts
        };
        assert_eq!(untimed(fast.counts), untimed(slow.counts), "{strategy:?}");
        assert_eq!(fast.all, slow.all, "{strategy:?}");
    }
    SLOWNESS.set(Duration::ZERO);
}
