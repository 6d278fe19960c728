//! Subjects of heaps on the command line: the same commands as for drivers, modes, matching and coverage.

use everypath_cli::{Entry, entry};
use everypath_heap::{Bounded, Mode, subject};
use everypath_model::Parameters;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    Test,
    drivers::{assert_has, json, run, run_in},
    schema::assert_fits,
};

pub const TESTS: &[Test] = &[
    ("they_are_listed_and_shown", they_are_listed_and_shown),
    ("all_modes_tell_the_same", all_modes_tell_the_same),
    ("branches_are_counted", branches_are_counted),
    ("an_error_is_found_replayed_and_shrunk", an_error_is_found_replayed_and_shrunk),
    ("every_strategy_and_store_serves_them", every_strategy_and_store_serves_them),
    ("a_search_is_resumed", a_search_is_resumed),
    ("matching_by_shape_is_inconclusive", matching_by_shape_is_inconclusive),
    ("explorations_are_compared_by_branches", explorations_are_compared_by_branches),
    ("faults_are_findings", faults_are_findings),
    ("bad_input_is_refused", bad_input_is_refused),
];

/// A stack of at most three numbers that counts them.
#[subject(seeded = forgetful_stack)]
pub mod counted_stack {
    struct Stack {
        size: Int,
        top: Ref<Node>,
    }

    struct Node {
        value: Int,
        next: Ref<Node>,
    }

    impl Stack {
        #[call(value in 1..=n, if has_room)]
        fn push_one(self, value: Int) {
            self.top = Node { value, next: self.top };
            self.size += 1;
        }

        fn has_room(self, value: Int) -> Bool {
            if self.size < 3 {
                return true;
            }
            false
        }

        #[call]
        fn pop(self) -> Int {
            if self.top == null {
                return 0;
            }
            let value = self.top.value;
            self.top = self.top.next;
            if !SEEDED || value == 1 {
                self.size -= 1;
            }
            value
        }

        /// The size is the number of nodes.
        #[invariant]
        fn counted(self) -> Bool {
            let mut node = self.top;
            let mut rest = self.size;
            while node != null {
                node = node.next;
                rest -= 1;
            }
            rest == 0
        }
    }
}

/// Every way to go wrong.
#[subject]
pub mod faulty {
    struct Faulty {
        items: Array<Int>,
        me: Ref<Faulty>,
    }

    impl Faulty {
        #[call]
        fn follow(self) {
            self.me = self.me.me;
        }

        #[call]
        fn index(self) {
            self.items = Array::<Int>::new(1);
            self.items[1] = 1;
        }

        #[call]
        fn divide(self) {
            let zero = 0;
            self.items[1 / zero] = 1;
        }

        #[call]
        fn recurse(self) {
            self.recurse();
        }

        #[call]
        fn spin(self) {
            let mut round = 0;
            while round < 2 {
                round = 1 - round;
            }
        }

        #[call]
        fn hoard(self) {
            let mut count = 0;
            while count < 1000000 {
                self.items = Array::<Int>::new(1000);
                count += 1;
            }
        }
    }
}

fn stack(parameters: &mut Parameters) -> Bounded {
    match parameters.flag("seeded", false, "whether it has the seeded error") {
        false => counted_stack::subject().with(4, parameters),
        true => forgetful_stack::subject().with(4, parameters),
    }
}

fn wrong(parameters: &mut Parameters) -> Bounded {
    faulty::subject().with(1, parameters)
}

pub fn heaps() -> Vec<Box<dyn Entry>> {
    vec![entry("counted_stack", stack), entry("faulty", wrong)]
}

fn they_are_listed_and_shown() {
    let (_, text) = run(&["list"]);
    assert_has(&text, &["A stack of at most three numbers that counts them\n"]);
    let (code, text) = run(&["show", "counted-stack", "--set", "n=5", "--set", "matching=shape"]);
    assert_eq!(code, 0, "{text}");
    assert_has(
        &text,
        &[
            "calls       6 calls in each state\nbound       5 calls\n",
            "n = 4 (now 5)\n      how many calls there are in a sequence: a whole number from 1 to 10000",
            "mode = tracked\n",
            "one of tracked, eager, lazy, lazy-dirty, delta, delta-level",
            "matching = exact (now shape)\n",
            "seed = 1\n",
            "push_one(1) to push_one(5): 5 calls, where its guard holds",
            "Assertions\n  The size is the number of nodes\n  no call goes wrong\n",
        ],
    );
}

fn all_modes_tell_the_same() {
    let (_, expected) = json(&["counted-stack"]);
    // 1 + 4 + 16 + 64 stacks; the last have only one call.
    assert_eq!(expected["states_visited"], 85);
    assert_eq!(expected["events"], 21 * 5 + 64);
    for mode in Mode::ALL {
        let set = format!("mode={}", mode.name());
        let (code, told) = json(&["counted-stack", "--set", &set]);
        assert_eq!((code, &told["ended"]), (0, &"exhausted".into()), "{set}");
        for count in ["states_per_depth", "events_per_depth", "kinds", "branches", "violations"] {
            assert_eq!(told[count], expected[count], "{set} {count}");
        }
        let executions = told["handler_executions"].as_u64().unwrap();
        match mode {
            // A level at a time: four calls while there is room, and `pop`, for each level.
            Mode::Delta(everypath_heap::Merge::Level) => assert_eq!(executions, 3 * 4 + 4),
            Mode::Delta(_) => assert!(executions < 169, "{executions}"),
            _ => assert_eq!(executions, 169, "{set}"),
        }
    }
    let (_, text) = run(&["check", "counted-stack", "--set", "mode=delta-level", "--stats"]);
    assert_has(
        &text,
        &[
            "calls     16 executions, one for 10.6 events\n",
            "accesses  ",
            " had one value in all states; ",
            "merged    ",
        ],
    );
    let (_, text) = run(&["check", "counted-stack", "--set", "mode=lazy-dirty", "--stats"]);
    assert_has(&text, &["fields    ", "look-ups  not needed after 0.2 % of the calls"]);
}

fn branches_are_counted() {
    let (code, text) = run(&["check", "counted-stack"]);
    assert_eq!(code, 0, "{text}");
    // The condition of the guard and that of `pop`; the loop of the invariant is not counted.
    assert_has(&text, &["branches  4 of 4 taken\n"]);
    let (_, text) = run(&["check", "counted-stack", "--max-depth", "2"]);
    assert_has(&text, &["branches  3 of 4 taken (--stats names the others)\n"]);
    let (_, text) = run(&["check", "counted-stack", "--max-depth", "2", "--stats"]);
    assert_has(
        &text,
        &["branches that were not taken\n  `self.size < 3` in `has_room` always holds\n"],
    );
    let (_, told) = json(&["counted-stack", "--max-depth", "1"]);
    let expected = serde_json::json!([
        { "method": "has_room", "condition": "self.size < 3", "held": 4, "failed": 0 },
        { "method": "pop", "condition": "self.top == null", "held": 1, "failed": 0 },
    ]);
    assert_eq!(told["branches"], expected);
    assert_eq!(json(&["bounded-stack"]).1["branches"], Value::Null);
}

fn an_error_is_found_replayed_and_shrunk() {
    let folder = TempDir::new().unwrap();
    let seeded = ["check", "counted-stack", "--set", "seeded=true"];
    let (code, text, _) = run_in(folder.path(), &[&seeded[..], &["--as-test"]].concat());
    assert_eq!(code, 1);
    assert_has(
        &text,
        &[
            "counted-stack: VIOLATED in 2 steps, the fewest possible\n",
            "        heap: size: 0 → 1\n",
            " 2  pop() -> 2\n",
            "broken: The size is the number of nodes\n",
            "    everypath::testing::replay_driver(counted_stack)\n        .set(\"seeded\", \"true\")\n",
            "            \"push_one(2)\",\n            \"pop()\",\n",
        ],
    );
    let (code, text, error) = run_in(folder.path(), &["replay", "counted-stack.trace.json"]);
    assert_eq!(code, 1, "{error}");
    assert_has(&text, &["every state as recorded", "broken, as recorded: "]);
    // The first run that depth-first search meets is longer; it is shrunk.
    for mode in ["tracked", "delta"] {
        let set = format!("mode={mode}");
        let deep = ["counted-stack", "--set", "seeded=true", "--set", &set, "--strategy", "dfs"];
        let (code, told) = json(&deep);
        let found = &told["counterexample"];
        assert_eq!((code, found["steps"].as_array().unwrap().len()), (1, 2), "{mode}");
        assert!(found["steps_found"].as_u64().unwrap() >= 2);
    }
    let keep = [&seeded[..], &["--regressions", "kept"]].concat();
    assert_eq!(run_in(folder.path(), &keep).0, 1);
    assert_has(&run_in(folder.path(), &keep).1, &["no search was needed"]);
}

fn every_strategy_and_store_serves_them() {
    for set in ["mode=tracked", "mode=lazy", "mode=delta", "mode=delta-level"] {
        for strategy in ["bfs", "dfs", "dfs-r", "deepening"] {
            let (code, told) = json(&["counted-stack", "--set", set, "--strategy", strategy]);
            assert_eq!((code, &told["states_visited"]), (0, &85.into()), "{set} {strategy}");
        }
        let (code, told) = json(&["counted-stack", "--set", set, "--strategy", "walk"]);
        assert_eq!((code, &told["verdict"]), (3, &"inconclusive".into()), "{set}");
    }
    for option in [["--store", "fingerprint"], ["--store", "bitstate"], ["--workers", "2"]] {
        let (_, told) = json(&[&["counted-stack"], &option[..]].concat());
        assert_eq!(told["states_visited"], 85, "{option:?}");
    }
    let (code, text) = run(&["check", "counted-stack", "--disable", "push-one"]);
    assert_eq!(code, 0, "{text}");
    assert_has(&text, &["states    1 visited"]);
    let (code, text) = run(&["check", "counted-stack", "--disable", "pop", "--deadlock"]);
    assert_eq!(code, 1, "{text}");
    assert_has(&text, &["VIOLATED in 3 steps", "broken: something can always happen"]);
}

fn a_search_is_resumed() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let (_, whole) = json(&["counted-stack", "--set", "n=6"]);
    let begin = ["check", "counted-stack", "--set", "n=6", "--checkpoint", "saved"];
    let (code, text, _) = run(&[&begin[..], &["--max-states", "60"]].concat());
    assert_eq!(code, 3, "{text}");
    let (code, text, error) = run(&[&begin[..4], &["--resume", "saved", "--json"]].concat());
    assert_eq!(code, 0, "{error}");
    let told: Value = serde_json::from_str(&text).unwrap();
    for count in ["states_visited", "events", "states_per_depth", "branches"] {
        assert_eq!(told[count], whole[count], "{count}");
    }
}

fn matching_by_shape_is_inconclusive() {
    for seed in ["seed=1", "seed=2"] {
        let shape = ["counted-stack", "--set", "matching=shape", "--set", seed];
        let (code, told) = json(&shape);
        assert_eq!((code, &told["states_visited"]), (3, &4.into()), "one for each size");
        assert_eq!(told["verdict"], "inconclusive");
        let why = "of the states of each shape only one was explored";
        assert_eq!(told["incomplete_because"], why);
        assert_eq!(json(&shape).1["states_per_depth"], told["states_per_depth"]);
    }
    let (_, text) = run(&["check", "counted-stack", "--set", "matching=shape"]);
    assert_has(&text, &["counted-stack: INCONCLUSIVE: nothing found, but of the states of each"]);
}

fn explorations_are_compared_by_branches() {
    let compare = ["compare", "counted-stack", "--no-time", "--strategies", "bfs,walk/walks=1"];
    let (code, text) = run(&[&compare[..], &["--seeds", "1"]].concat());
    assert_eq!(code, 0, "{text}");
    assert_has(&text, &["branches", "bfs"]);
    let (code, text) = run(&[&compare[..], &["--seeds", "1-5", "--json"]].concat());
    assert_eq!(code, 0, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_fits("compare.schema.json", &told);
    let taken = |search: usize| &told["searches"][search]["branches_taken"];
    assert_eq!(taken(0)["mean"], 4.0);
    // A walk tries all calls in each of its states: those of the first state take two branches.
    let (min, max) = (taken(1)["min"].as_u64().unwrap(), taken(1)["max"].as_u64().unwrap());
    assert!(min >= 2 && max <= 4, "{min} {max}");
    let drawn = ["--plot", "branches.svg", "--plot-of", "branches"];
    let (code, text) = run(&[&compare[..], &drawn].concat());
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(&[&["compare", "bounded-stack"], &drawn[..]].concat());
    assert_eq!(code, 2);
    assert_has(&text, &["--plot-of branches has no effect with code whose branches are not known"]);
    let (_, text) = run(&["compare", "bounded-stack", "--strategies", "bfs", "--csv"]);
    assert!(!text.contains("branches"), "{text}");
}

fn faults_are_findings() {
    let (code, told) = json(&["faulty", "--keep-going"]);
    assert_eq!(code, 1);
    assert_eq!(told["violations"]["no call goes wrong"], 6);
    for (call, why) in [
        ("follow", "in `follow`, a null reference is followed"),
        ("index", "in `index`, an element outside an array is used"),
        ("divide", "in `divide`, a number leaves the range of 32 bits, or is divided by zero"),
        ("recurse", "in `recurse`, calls are nested without end"),
        ("spin", "in `spin`, a loop does not end"),
        ("hoard", "in `hoard`, objects are allocated without end"),
    ] {
        let others = ["follow", "index", "divide", "recurse", "spin", "hoard"];
        let others = others.iter().filter(|other| **other != call);
        let disabled = others.flat_map(|other| ["--disable", other]);
        for mode in ["mode=tracked", "mode=lazy", "mode=delta-level"] {
            let arguments = ["check", "faulty", "--set", mode].into_iter();
            let arguments: Vec<&str> = arguments.chain(disabled.clone()).collect();
            let (code, text) = run(&arguments);
            assert_eq!(code, 1, "{text}");
            assert_has(&text, &["VIOLATED in 1 step", "broken: no call goes wrong", why]);
        }
    }
}

fn bad_input_is_refused() {
    for (options, why) in [
        (&["--set", "n=0"][..], "`0` is not a value of parameter `n`: it takes a whole number"),
        (&["--set", "n=20000"], "it takes a whole number from 1 to 10000"),
        (&["--set", "mode=quick"], "it takes one of tracked, eager, lazy, lazy-dirty, delta"),
        (&["--set", "matching=none"], "it takes one of exact, shape"),
        (&["--set", "seed=3"], "there is no parameter `seed`"),
        (&["--verify-determinism"], "--verify-determinism has no use for `counted-stack`"),
        (&["--trust-handlers"], "--trust-handlers has no use for `counted-stack`: its calls can"),
        (&["--memo", "m"], "--memo is not for drivers"),
        (&["--reduce", "ranks"], "--reduce is not for drivers"),
        (&["--disable", "pop", "--disable", "push-one"], "has no call"),
    ] {
        let (code, text) = run(&[&["check", "counted-stack"], options].concat());
        assert_eq!(code, 2, "{options:?}: {text}");
        assert_has(&text, &[why]);
    }
    let (code, text) = run(&["simulate", "counted-stack"]);
    assert_eq!(code, 2);
    assert_has(&text, &["it has no network, no time"]);
}
