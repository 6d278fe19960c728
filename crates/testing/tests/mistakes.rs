//! The mistakes that new users make, each as a small protocol, and what they are told.
//!
//! | mistake | test |
//! | --- | --- |
//! | a wrong scenario name | `unknown_names_and_values_are_refused_with_a_remedy` in `tests/command_line.rs` |
//! | a missing handler | `a_handler_that_is_missing_is_named` |
//! | `on_command` without `commands` | `commands_that_are_never_offered_are_no_success` |
//! | a handler that is not deterministic | `a_handler_that_is_not_deterministic_is_a_violation` |
//! | a counter without bound in the state | `numbers_that_grow_have_their_path` in `growth.rs` |
//! | an assertion that reads the time | `an_assertion_that_reads_the_time_is_refused` |
//! | a send to a node that does not exist, to a stranger, to itself | `a_wrong_send_names_the_line` |
//! | a wrong topology | `a_wrong_topology_says_what_is_wrong` |
//! | a type without `#[data]` | `crates/model/tests/compile_fail/memory_without_data.rs` |
//! | a forgotten `cancel_timer` | `a_forgotten_timer_fires_late` |
//! | a giant state | `a_giant_state_is_only_large` |
//! | an infinite loop in a handler | `code_that_does_not_return_is_named` in `crates/cli/tests/limits/watchdog.rs` |
//! | a panic, an index, an overflow in a handler | `what_panics_in_a_handler_is_a_violation` |
//! | a panic in an assertion, or in another part of a scenario | `a_panic_in_an_assertion_is_no_error_of_the_protocol`, and `mistakes_of_a_protocol_are_reported` in `tests/user_crate.rs` |
//! | duplicate names | `what_is_declared_twice_points_into_the_user_s_file`, and `scenarios_of_the_same_name_are_refused` in `tests/user_crate.rs` |
//! | a wrong `--set` key, value, syntax | `a_wrong_parameter_is_refused_with_a_remedy`, and `tests/command_line.rs` |
//! | a bad scenario file | `tests/damaged_scenario_files.rs` |
//! | floats, hash maps in a state | `floats_in_data.rs` and `hash_maps_in_data.rs` in `crates/model/tests/compile_fail` |
//! | an `Ignored` that decides | `an_ignored_value_that_decides_is_found` |
//! | options that do nothing | `tests/searching.rs` |

extern crate everypath_model as everypath;

use std::{
    fs,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use everypath_model::{
    Ignored, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology, data,
    panics::{Panic, catch},
};
use everypath_testing::check;

/// What the one handler of a protocol does.
type Act = fn(&mut Node<'_, Mistaken>);

/// Two nodes. The first has a timer and greets the second, which acts.
struct Mistaken(Act);

#[data]
#[derive(Default)]
struct State {
    count: u32,
    waiting: bool,
    bulk: Vec<u64>,
    seen: Ignored<u32>,
}

#[data]
struct Alarm;

#[data]
struct Order;

impl Protocol for Mistaken {
    type State = State;
    type Message = u32;
    type Timer = Alarm;
    type Command = Order;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        if node.id == NodeId(0) {
            node.send(NodeId(1), 3);
        }
        State::default()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &u32) {
        (self.0)(node);
    }
}

fn with(act: Act) -> impl Fn(&mut Parameters) -> Scenario<Mistaken> + 'static {
    move |_| {
        Scenario::new(Mistaken(act), Topology::chain(2))
            .assert_always("counts are small", |world| world.node(NodeId(1)).count < 10)
    }
}

/// What a failing test says, and the place of the panic.
fn failure(test: impl FnOnce()) -> (String, String) {
    let Panic { message, place, .. } = catch(test).expect_err("it fails");
    (message, place.expect("the place is known"))
}

#[track_caller]
fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

/// What a check of a protocol says that acts so.
fn told(act: Act) -> String {
    failure(|| check(with(act)).assert_holds()).0
}

#[test]
fn a_handler_that_is_missing_is_named() {
    let text = told(|node| node.set_timer(Alarm, Duration::from_secs(1)));
    assert_says(
        &text,
        &[
            "VIOLATED in 2 steps",
            "\nbroken: no handler panics\n",
            "timer Alarm fired at n1, but the protocol has no `on_timer` handler",
        ],
    );
}

#[test]
fn commands_that_are_never_offered_are_no_success() {
    /// It does nothing unless it is told to.
    struct Idle;
    impl Protocol for Idle {
        type State = ();
        type Message = u32;
        type Timer = Alarm;
        type Command = Order;
        fn start(&self, _: &mut Start<'_, Self>) {}
        fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u32) {}
        fn on_command(&self, node: &mut Node<'_, Self>, _: &Order) {
            node.broadcast(1);
        }
    }
    let scenario = |_: &mut Parameters| {
        Scenario::new(Idle, Topology::chain(2))
            .assert_always("little is in flight", |world| world.packets().count() < 9)
    };
    let (text, _) = failure(|| check(scenario).assert_holds());
    assert_says(&text, &["nothing ever happens, so nothing was checked"]);
}

#[test]
fn a_handler_that_is_not_deterministic_is_a_violation() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let text = told(|node| node.state.count = CALLS.fetch_add(1, Ordering::Relaxed) % 5);
    assert_says(&text, &["VIOLATED in 1 step", "\nbroken: handlers are deterministic\n", "n1"]);
}

#[test]
fn an_assertion_that_reads_the_time_is_refused() {
    let scenario = |_: &mut Parameters| {
        let started = Instant::now();
        Scenario::new(Mistaken(|_| ()), Topology::chain(2)).assert_always("soon", move |world| {
            world.nodes().count() > 9 || started.elapsed().as_nanos().is_multiple_of(2)
        })
    };
    // It may answer the same twice in a row.
    let texts: Vec<String> = (0..50)
        .filter_map(|_| catch(|| check(scenario).assert_holds()).err())
        .map(|failed| failed.message)
        .collect();
    let words = "the assertion `soon`";
    assert!(texts.iter().any(|text| text.contains(words)), "{words} is never named: {texts:?}");
}

#[test]
fn a_wrong_send_names_the_line() {
    for (act, words) in [
        ((|node| node.send(NodeId(7), 1)) as Act, "n1 sends 1 to n7"),
        (|node| node.send(node.id, 1), "n1 sends 1 to n1"),
    ] {
        let text = told(act);
        assert_says(&text, &["VIOLATED in 1 step", words, "mistakes.rs:"]);
    }
}

#[test]
fn a_wrong_topology_says_what_is_wrong() {
    let empty = |_: &mut Parameters| Scenario::new(Mistaken(|_| ()), Topology::star(0));
    let (text, _) = failure(|| check(empty).assert_holds());
    assert_says(&text, &["has no nodes"]);
    let error = Topology::edges(2, &[(0, 5)]).map(drop).unwrap_err().to_string();
    assert_says(&error, &["5"]);
}

#[test]
fn a_forgotten_timer_fires_late() {
    /// Asks, and waits for the answer or its timer; the answer does not cancel the timer.
    struct Forgetful;
    impl Protocol for Forgetful {
        type State = State;
        type Message = u32;
        type Timer = Alarm;
        type Command = Order;
        fn start(&self, node: &mut Start<'_, Self>) -> State {
            if node.id == NodeId(0) {
                node.set_timer(Alarm, Duration::from_secs(1));
                node.send(NodeId(1), 1);
            }
            State { waiting: node.id == NodeId(0), ..State::default() }
        }
        fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, _: &u32) {
            if node.state.waiting {
                node.state.waiting = false;
            } else {
                node.send(from, 2);
            }
        }
        fn on_timer(&self, node: &mut Node<'_, Self>, _: &Alarm) {
            assert!(node.state.waiting, "nobody waits any more");
            node.state.waiting = false;
        }
    }
    let scenario = |_: &mut Parameters| Scenario::new(Forgetful, Topology::chain(2));
    let (text, _) = failure(|| check(scenario).assert_holds());
    assert_says(&text, &["VIOLATED in 3 steps", "nobody waits any more", "timer Alarm"]);
}

#[test]
fn a_giant_state_is_only_large() {
    let scenario = with(|node| node.state.bulk = vec![node.state.count.into(); 100_000]);
    check(scenario).assert_holds();
}

#[test]
fn what_panics_in_a_handler_is_a_violation() {
    for (act, words) in [
        ((|_| panic!("that was not expected")) as Act, "that was not expected"),
        (|node| node.state.count = [1, 2][node.state.count as usize + 2], "index out of bounds"),
        (|node| node.state.count -= 1, "attempt to subtract with overflow"),
    ] {
        let text = told(act);
        assert_says(
            &text,
            &[
                "VIOLATED in 1 step",
                "\nbroken: no handler panics\n",
                "at n1: ",
                words,
                "mistakes.rs:",
            ],
        );
    }
}

#[test]
fn a_panic_in_an_assertion_is_no_error_of_the_protocol() {
    let scenario = |_: &mut Parameters| {
        Scenario::new(Mistaken(|_| ()), Topology::chain(2))
            .assert_always("the third counts", |world| world.node(NodeId(2)).count == 0)
    };
    let (text, _) = failure(|| check(scenario).assert_holds());
    assert_says(
        &text,
        &[
            "\nbroken: the third counts\n",
            "the assertion itself panicked: there is no node n2: the network has n0 to n1, at ",
            "mistakes.rs:",
        ],
    );
}

#[test]
fn what_is_declared_twice_points_into_the_user_s_file() {
    let twice = |parameters: &mut Parameters| {
        parameters.flag("on", true, "whether it is on");
        parameters.flag("on", true, "whether it is on");
        with(|_| ())(parameters)
    };
    let (text, place) = failure(|| check(twice).set("on", false).assert_holds());
    assert_says(&text, &["parameter `on` is declared twice"]);
    assert_says(&place, &["mistakes.rs:"]);

    let outside = |parameters: &mut Parameters| {
        parameters.number("nodes", 1, 2..=9, "how many nodes there are");
        with(|_| ())(parameters)
    };
    let (text, place) = failure(|| check(outside).assert_holds());
    assert_says(&text, &["the default of parameter `nodes` is not in its range"]);
    assert_says(&place, &["mistakes.rs:"]);

    let same = |parameters: &mut Parameters| {
        with(|_| ())(parameters).assert_always("counts are small", |_| true)
    };
    let (text, _) = failure(|| check(same).assert_holds());
    assert_says(&text, &["`counts are small`"]);
}

#[test]
fn a_wrong_parameter_is_refused_with_a_remedy() {
    let scenario = |parameters: &mut Parameters| {
        parameters.number("nodes", 2, 2..=9, "how many nodes there are");
        with(|_| ())(parameters)
    };
    let (text, _) = failure(|| check(scenario).set("noddes", 3).assert_holds());
    assert_says(&text, &["did you mean `nodes`?"]);
    let (text, _) = failure(|| check(scenario).set("nodes", 10).assert_holds());
    assert_says(&text, &["10", "nodes", "9"]);
}

#[test]
fn an_ignored_value_that_decides_is_found() {
    /// The answer depends on what is ignored.
    struct Moody;
    impl Protocol for Moody {
        type State = State;
        type Message = u32;
        type Timer = Alarm;
        type Command = Order;
        fn start(&self, node: &mut Start<'_, Self>) -> State {
            node.broadcast(node.id.0);
            State { seen: Ignored(3), ..State::default() }
        }
        fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &u32) {
            node.state.count = if *node.state.seen > 2 { 1 } else { 2 };
        }
    }
    let scenario = |_: &mut Parameters| {
        Scenario::new(Moody, Topology::chain(2))
            .assert_always("counts are small", |world| world.node(NodeId(1)).count < 10)
    };
    let (text, _) = failure(|| check(scenario).max_depth(8).assert_holds());
    assert_says(
        &text,
        &[
            "\nbroken: handlers are deterministic\n",
            "does something else when the ignored values differ",
            "seen: Ignored(3)",
        ],
    );
}

#[test]
fn this_table_names_tests_that_exist() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let own = fs::read_to_string(file_here(root)).unwrap();
    let rows = own.lines().take_while(|line| line.starts_with("//!"));
    let rows: Vec<&str> = rows.filter(|line| line.starts_with("//! | ")).skip(2).collect();
    assert!(rows.len() >= 20, "{rows:?}");
    for row in rows {
        let where_to = row.rsplit('|').nth(1).unwrap();
        let names: Vec<&str> = where_to.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{row}");
        let files: Vec<&str> = names.iter().copied().filter(|name| name.contains('.')).collect();
        let folder = files.iter().copied().find(|name| name.starts_with("crates/"));
        let mut text = own.clone();
        for file in &files {
            let beside = format!("crates/testing/tests/{file}");
            let folder = folder
                .and_then(|it| it.strip_suffix('/'))
                .unwrap_or("crates/model/tests/compile_fail");
            let paths = [(*file).to_owned(), beside, format!("{folder}/{file}")];
            let read =
                paths.iter().find_map(|path| fs::read_to_string(format!("{root}{path}")).ok());
            text += &read.unwrap_or_else(|| panic!("{file} does not exist"));
        }
        for test in names.iter().filter(|name| !name.contains(['.', '/'])) {
            assert!(
                text.contains(&format!("fn {test}(")) || row.contains(&format!("| {test}")),
                "{test}"
            );
        }
    }
}

fn file_here(root: &str) -> String {
    format!("{root}crates/testing/tests/mistakes.rs")
}
