//! What a search relies on is looked at twice: handlers, closures, and data that is written and read
//! back. What is wrong with them is told by name, before a verdict relies on it.

use std::{
    collections::HashMap,
    fmt,
    hash::{Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use everypath_explore::{
    Described, Exploration, Judged, Options, RankBy, RankingPart, Refusal, StoreKind, Strategy,
    explore,
};
use everypath_model::{Data, Ignored, Never, Node, NodeId, Protocol, Scenario, Start, Topology};
use everypath_network::{NetworkSpace, SpaceOptions, Verification};
use serde::{Deserialize, Serialize};

/// One node that goes from state to state, by two commands.
struct Holder<S> {
    start: fn() -> S,
    next: fn(&S, u8) -> S,
}

impl<S: Data> Protocol for Holder<S> {
    type State = S;
    type Message = Never;
    type Timer = Never;
    type Command = u8;

    fn start(&self, _: &mut Start<'_, Self>) -> S {
        (self.start)()
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn commands(&self, _: NodeId, _: &S) -> Vec<u8> {
        vec![1, 2]
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &u8) {
        *node.state = (self.next)(node.state, *command);
    }
}

fn holder<S: Data>(start: fn() -> S, next: fn(&S, u8) -> S) -> Scenario<Holder<S>> {
    Scenario::new(Holder { start, next }, Topology::chain(1)).max_depth(6)
}

fn with(verification: Verification) -> SpaceOptions {
    SpaceOptions::default().verification(verification)
}

fn options(strategy: Strategy) -> Options {
    Options::default().strategy(strategy).max_depth(6)
}

/// What is wrong with a scenario, whatever the strategy and the store.
fn flaw<P: Protocol>(scenario: &Scenario<P>) -> String {
    let found = |options: &Options| {
        let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
        match explore(&mut space, options, &mut ()) {
            Err(Refusal::Flaw { what }) => what,
            other => panic!("it is not found: {:?}", other.map(|found| found.ended)),
        }
    };
    let plain = found(&options(Strategy::BreadthFirst));
    let cause = |what: &str| what.split(" (found after").next().unwrap().to_owned();
    for other in [
        options(Strategy::DepthFirst),
        options(Strategy::RandomWalk { walks: 100 }),
        options(Strategy::BreadthFirst).store(StoreKind::Fingerprint),
    ] {
        assert_eq!(cause(&found(&other)), cause(&plain));
    }
    plain
}

fn assert_says(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "`{words}` is not in: {text}");
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Skipped {
    shown: u8,
    #[serde(skip)]
    kept: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Inner {
    value: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Flattened {
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct LeftOut {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    seldom: Option<u8>,
    value: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Measured(f64);

impl Eq for Measured {}

impl Hash for Measured {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.to_bits().hash(hasher);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mapped(HashMap<u32, u8>);

impl Hash for Mapped {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.len().hash(hasher);
    }
}

#[test]
fn what_serialisation_loses_is_reported_before_a_search_relies_on_it() {
    let skipped = holder(
        || Skipped { shown: 0, kept: 0 },
        |state, by| Skipped { shown: state.shown, kept: (state.kept + by) % 4 },
    );
    let told = flaw(&skipped);
    assert_says(
        &told,
        &[
            "a state of n0, a `all::verification::Skipped`, differs when it is read back",
            "Skipped { shown: 0, kept: 1 } becomes Skipped { shown: 0, kept: 0 }",
            "wrap fields that do not count in `Ignored`",
            "no violation was found by then",
        ],
    );
    let flattened = holder(
        || Flattened { inner: Inner { value: 0 } },
        |state, by| Flattened { inner: Inner { value: (state.inner.value + by) % 4 } },
    );
    assert_says(
        &flaw(&flattened),
        &["`all::verification::Flattened`, cannot be written", "flatten"],
    );
    let left_out = holder(
        || LeftOut { seldom: Some(1), value: 0 },
        |state, by| LeftOut { seldom: None, value: (state.value + by) % 4 },
    );
    assert_says(&flaw(&left_out), &["`all::verification::LeftOut`", "skip_serializing_if"]);
}

#[test]
fn data_that_is_not_equal_to_itself_or_written_in_two_ways_is_reported() {
    let measured = holder(|| Measured(0.0), |state, by| Measured(state.0 / f64::from(by - 1)));
    assert_says(&flaw(&measured), &["is not equal to itself: Measured(NaN)"]);
    let mapped = holder(
        || Mapped((0..20).map(|key| (key, 0)).collect()),
        |state, by| {
            let mut next = state.clone();
            let value = next.0.entry(u32::from(by)).or_default();
            *value = (*value + 1) % 3;
            next
        },
    );
    assert_says(&flaw(&mapped), &["is written differently each time", "use BTreeMap"]);
}

#[test]
fn handlers_that_are_trusted_do_not_make_data_reliable() {
    let skipped = holder(
        || Skipped { shown: 0, kept: 1 },
        |state, by| Skipped { shown: state.shown, kept: (state.kept + by) % 4 },
    );
    let mut space = NetworkSpace::new(&skipped, with(Verification::Nothing)).unwrap();
    let refused = explore(&mut space, &options(Strategy::BreadthFirst), &mut ()).unwrap_err();
    assert_says(&refused.to_string(), &["differs when it is read back"]);
}

/// Says something else each time it is asked.
fn moody() -> impl Fn() -> u32 + Clone + Send + Sync + 'static {
    let asked = Arc::new(AtomicU32::new(0));
    move || asked.fetch_add(1, Ordering::Relaxed)
}

fn counter() -> Scenario<Holder<u32>> {
    holder(|| 0, |state, by| (state + u32::from(by)) % 5)
}

#[test]
fn closures_that_answer_differently_are_named() {
    let say = moody();
    let told = |scenario: &Scenario<Holder<u32>>, options: &Options| {
        let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
        let refused = explore(&mut space, options, &mut ()).unwrap_err();
        assert!(matches!(refused, Refusal::Flaw { .. }), "{refused}");
        let mut trusting = NetworkSpace::new(scenario, with(Verification::Nothing)).unwrap();
        explore(&mut trusting, options, &mut ()).expect("it is trusted");
        refused.to_string()
    };
    let plain = options(Strategy::BreadthFirst);
    let ask = say.clone();
    let scenario = counter().assert_always("all is well", move |_| ask().is_multiple_of(2));
    assert_says(
        &told(&scenario, &plain),
        &[
            "the assertion `all is well` answers differently when it is asked again about the same world",
            "it reads a clock, a random source or something else outside the world",
        ],
    );
    let ask = say.clone();
    let scenario = counter().assert_reachable("home", move |_| ask() % 2 == 1);
    assert_says(&told(&scenario, &plain), &["the goal `home` answers differently"]);
    let ask = say.clone();
    let scenario = counter().prune("enough", move |_| ask() % 2 == 1);
    assert_says(&told(&scenario, &plain), &["the pruning `enough` answers differently"]);
    let ask = say.clone();
    let scenario = counter().assume("calm", move |_, _| ask().is_multiple_of(2));
    assert_says(&told(&scenario, &plain), &["the assumption `calm` answers differently"]);
    let ask = say.clone();
    let scenario = counter().ranking("best", move |_| i64::from(ask()));
    let own = scenario.all_rankings().position(|ranking| ranking.name == "best").unwrap();
    let by_rank = options(Strategy::BestFirst(RankBy(vec![RankingPart::Named(own)])));
    assert_says(&told(&scenario, &by_rank), &["the ranking `best` answers differently"]);
    let related = plain.clone().relation(1);
    let ask = say.clone();
    let scenario = counter().relation("alike", move |_| ask(), |_, _| false);
    assert_says(&told(&scenario, &related), &["the relation `alike` answers differently"]);
    let ask = say.clone();
    let scenario = counter().relation("alike", |_| 0_u32, move |_, _| ask() % 2 == 1);
    assert_says(&told(&scenario, &related), &["the relation `alike` answers differently"]);
}

/// Offers another command each time, or one that depends on what is ignored.
struct Offers {
    by_ignored: bool,
    asked: AtomicU32,
}

impl Protocol for Offers {
    type State = (u8, Ignored<u32>);
    type Message = Never;
    type Timer = Never;
    type Command = u32;

    fn start(&self, _: &mut Start<'_, Self>) -> Self::State {
        (0, Ignored(7))
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn commands(&self, _: NodeId, (_, ignored): &Self::State) -> Vec<u32> {
        vec![if self.by_ignored { **ignored } else { self.asked.fetch_add(1, Ordering::Relaxed) }]
    }

    fn on_command(&self, _: &mut Node<'_, Self>, _: &u32) {}
}

#[test]
fn commands_that_are_others_when_asked_again_are_reported() {
    let offers = |by_ignored| {
        let offers = Offers { by_ignored, asked: AtomicU32::new(0) };
        flaw(&Scenario::new(offers, Topology::chain(1)))
    };
    assert_says(&offers(false), &["`commands` of n0 answers differently when it is asked again"]);
    let words = "`commands` of n0 decides by ignored values: in states that differ only in these, it lists different commands; the states are (0, Ignored(7)) and (0, Ignored(0))";
    assert_says(&offers(true), &[words]);
}

/// A number that counts, and one that does not.
type Counted = (u32, Ignored<u32>);

fn found<P: Protocol>(scenario: &Scenario<P>) -> (Exploration, Option<(String, String)>) {
    let mut space = NetworkSpace::new(scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &options(Strategy::BreadthFirst), &mut ()).unwrap();
    let told = found.finding().map(|finding| {
        let why = space.explain(finding.trace.last(), finding.assertion).unwrap_or_default();
        (space.assertions()[finding.assertion].clone(), why)
    });
    (found, told)
}

#[test]
fn a_handler_that_decides_by_what_is_ignored_is_found() {
    // What is read back has the default, and this has not.
    let scenario =
        holder(|| (0, Ignored(3)), |&(_, seen): &Counted, _| (if *seen > 2 { 1 } else { 2 }, seen));
    let (_, told) = found(&scenario);
    let (assertion, why) = told.expect("it is found");
    assert_eq!(assertion, "handlers are deterministic");
    let words = "at n0: does something else when the ignored values differ: two executions end in different states: (1, _) and (2, _); the states are (0, Ignored(3)) and (0, Ignored(0))";
    assert_eq!(why, words);

    // This has the default at first, and another when it is come to again.
    let scenario = holder(
        || (0, Ignored(0)),
        |&(value, seen): &Counted, command| match command {
            1 => (value, Ignored(*seen + 1)),
            _ => (if *seen > 0 { 1 } else { 2 }, seen),
        },
    );
    let (_, told) = found(&scenario);
    let (assertion, why) = told.expect("it is found");
    assert_eq!(assertion, "handlers are deterministic");
    let words = "the states are (0, Ignored(0)) and (0, Ignored(1))";
    assert_says(&why, &["does something else when the ignored values differ", words]);
}

#[test]
fn what_was_executed_is_executed_again_when_a_state_is_come_to_with_other_ignored_values() {
    // The first command decides, and is executed before the second has led back with another value.
    let scenario = holder(
        || (0, Ignored(0)),
        |&(value, seen): &Counted, command| match command {
            1 => (if *seen > 0 { 1 } else { 2 }, Ignored(0)),
            _ => (value, Ignored(*seen + 1)),
        },
    );
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let refused = explore(&mut space, &options(Strategy::BreadthFirst), &mut ()).unwrap_err();
    assert_says(
        &refused.to_string(),
        &[
            "in the state (0, _) of n0, command 1 at n0 does something else when the ignored values differ",
            "the states are (0, Ignored(0)) and (0, Ignored(1))",
        ],
    );
}

/// What is found only when every visit is tried names both states, too.
#[test]
fn verifying_ignored_values_names_both_states() {
    // The state 0 is reached again with a value of 4, which no other state has.
    let scenario = holder(
        || (0, Ignored(0)),
        |&(value, seen): &Counted, command| match command {
            1 => (if *seen == 4 { 3 } else { value }, seen),
            _ => ((value + 1) % 4, Ignored(*seen + 1)),
        },
    );
    let all = SpaceOptions::default().verify_ignored(true);
    let mut space = NetworkSpace::new(&scenario, all).unwrap();
    let found = explore(&mut space, &options(Strategy::BreadthFirst), &mut ());
    let why = match found {
        Err(refused) => refused.to_string(),
        Ok(found) => {
            let finding = found.finding().expect("it is found");
            space.explain(finding.trace.last(), finding.assertion).unwrap_or_default()
        }
    };
    assert_says(
        &why,
        &[
            "does something else when the ignored values differ",
            "; the states are (0, Ignored(0)) and (0, Ignored(4))",
        ],
    );
}

#[test]
fn what_is_ignored_may_differ_if_nothing_depends_on_it() {
    let scenario = holder(
        || (0, Ignored(5)),
        |&(value, seen): &Counted, by| ((value + u32::from(by)) % 4, Ignored(*seen * 2 + 1)),
    );
    let (found, told) = found(&scenario);
    assert_eq!((found.states_visited, told), (4, None));
}

/// A node that counts to many by ones and by hundreds, and misbehaves in large numbers.
fn many(misbehaves: bool) -> Scenario<Holder<(u32, u32)>> {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let well = |&(one, other): &(u32, u32), command: u8| match command {
        1 => ((one + 1) % 60, other),
        _ => (one, (other + 1) % 60),
    };
    let badly = |&(one, other): &(u32, u32), command: u8| match command {
        1 if one > 40 => ((one + ASKED.fetch_add(1, Ordering::Relaxed)) % 60, other),
        1 => ((one + 1) % 60, other),
        _ => (one, (other + 1) % 60),
    };
    holder(|| (0, 0), if misbehaves { badly } else { well })
}

#[test]
fn of_many_executions_the_first_are_verified_and_then_a_share_by_content() {
    let scenario = many(false);
    let everything = Options::default();
    let counted = |verification| {
        let mut space = NetworkSpace::new(&scenario, with(verification)).unwrap();
        let found = explore(&mut space, &everything, &mut ()).unwrap();
        assert_eq!((found.states_visited, found.handler_executions), (3600, 7201));
        space.verified_executions()
    };
    let share = counted(Verification::Share);
    assert_eq!(counted(Verification::Share), share, "it does not depend on time");
    let expected = 4096 + (7201 - 4096) / 16;
    assert!(share.abs_diff(expected) < 100, "{share}");
    assert_eq!([counted(Verification::All), counted(Verification::Nothing)], [7201, 0]);

    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let dfs = Options::default().strategy(Strategy::DepthFirst);
    explore(&mut space, &dfs, &mut ()).unwrap();
    let of_another_order = space.verified_executions();
    assert!(of_another_order.abs_diff(expected) < 100, "{of_another_order}");

    let scenario = many(true);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &everything, &mut ()).unwrap();
    let finding = found.finding().expect("it is found in the share");
    assert_eq!(space.assertions()[finding.assertion], "handlers are deterministic");
}

/// Cannot be shown.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Shy(u8);

impl fmt::Debug for Shy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => panic!("do not look"),
            2 => Err(fmt::Error),
            value => write!(f, "Shy({value})"),
        }
    }
}

#[test]
fn a_state_that_cannot_be_shown_costs_its_text_only() {
    let scenario = holder(|| Shy(0), |state, by| Shy((state.0 + by) % 4))
        .assert_always("never three", |world| world.node(NodeId(0)).0 != 3);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, &options(Strategy::BreadthFirst), &mut ()).unwrap();
    let trace = &found.finding().expect("a violation is one all the same").trace;
    assert_eq!(trace.steps.len(), 2);
    let states = [trace.initial].into_iter().chain(trace.steps.iter().map(|step| step.state));
    let texts: Vec<String> = states.map(|state| format!("{:?}", space.state_text(state))).collect();
    assert_says(&texts[0], &["Shy(0)"]);
    let hidden = [
        "<Debug of all::verification::Shy panicked: do not look>",
        "<Debug of all::verification::Shy failed>",
    ];
    assert!(hidden.iter().any(|hidden| texts[1].contains(hidden)), "{}", texts[1]);
    assert_says(&texts[2], &["Shy(3)"]);
}
