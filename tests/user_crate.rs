//! A user's own crate outside this workspace: the program of the README has the whole command
//! line, and a protocol with mistakes gets them told.

use crate::{schema, users_cargo};

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use schema::assert_fits;
use serde_json::{Value, json};
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A crate that depends on Everypath by path.
struct UserCrate {
    folder: TempDir,
}

impl UserCrate {
    fn new(name: &str, program: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\neverypath = {{ path = \"{ROOT}\" }}\n\n[workspace]\n"
        );
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.path().join("src/main.rs"), program).unwrap();
        // The same versions as in this workspace, which are there already.
        fs::copy(Path::new(ROOT).join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
        Self { folder }
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = users_cargo::cargo(self.folder.path());
        command.args(arguments);
        command
    }

    /// What a user types: `cargo run -- …`.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = self.cargo(&["run", "--quiet", "--"]);
        let Output { status, stdout, stderr } = command.args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }
}

/// The program in the README.
fn readme_program() -> String {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let (_, after) = readme.split_once("```rust,no_run\n").expect("the README shows a program");
    after.split_once("```").expect("the block ends").0.to_owned()
}

/// The tests of that program.
fn readme_tests() -> String {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let (_, after) = readme.split_once("```rust,ignore\n").expect("the README shows tests");
    after.split_once("```").expect("the block ends").0.to_owned()
}

#[test]
fn the_readme_s_tests_pass_and_fail_as_tests_do() {
    let program = format!("{}\n{}", readme_program(), readme_tests());
    let user = UserCrate::new("gossip-tested", &program);
    let passed = user.cargo(&["test", "--quiet"]).output().unwrap();
    assert!(passed.status.success(), "{}", String::from_utf8_lossy(&passed.stdout));
    let said = String::from_utf8(passed.stdout).unwrap();
    assert!(said.contains("3 passed"), "{said}");

    let mistaken = program.replace("Topology::ring", "Topology::chain");
    fs::write(user.folder.path().join("src/main.rs"), mistaken).unwrap();
    let failed = user.cargo(&["test", "--quiet", "one_lost_packet"]).output().unwrap();
    assert!(!failed.status.success());
    let said = String::from_utf8(failed.stdout).unwrap();
    for words in [
        "gossip: VIOLATED in ",
        "is lost",
        "broken: when all is quiet, all know the largest",
        "replay: EVERYPATH_REPLAY=",
        "cargo test tests::one_lost_packet_does_not_matter_on_a_ring",
    ] {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
}

#[test]
fn sixty_lines_and_one_macro_have_the_whole_command_line() {
    let program = readme_program();
    assert!(program.lines().count() <= 60, "{} lines", program.lines().count());
    let user = UserCrate::new("gossip", &program);

    let (code, out, _) = user.run(&["list"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("gossip  the largest number spreads over a ring\n"), "{out}");

    // Only the bundled program links `reproduce`.
    let reproduces = |program: &Path| {
        let words = b"Kojima, Nagashima and Tsuchiya";
        fs::read(program).unwrap().windows(words.len()).any(|bytes| bytes == words)
    };
    assert!(reproduces(Path::new(env!("CARGO_BIN_EXE_everypath"))));
    assert!(!reproduces(&users_cargo::program("gossip")));

    // A ring has two ways around; a chain of two has not.
    let (code, out, _) = user.run(&["check", "gossip"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("HOLDS in every reachable state"), "{out}");
    let (code, out, _) = user.run(&["check", "gossip", "--set", "nodes=2"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("is lost"), "{out}");

    let (code, out, _) = user.run(&["replay", "gossip.trace.json"]);
    assert_eq!(code, 1);
    assert!(out.contains("broken, as recorded: when all is quiet"), "{out}");

    let (code, out, _) = user.run(&["simulate", "gossip"]);
    assert_eq!(code, 0);
    assert!(out.contains("learnt"), "{out}");

    // A user who asks for no features has plain errors and SVG.
    let (code, out, error) = user.run(&["check", "gosip"]);
    assert_eq!((code, out.as_str()), (2, ""));
    let plain = "  × there is no scenario `gosip`\n  help: did you mean `gossip`?\n\n";
    assert_eq!(error, plain);
    let (code, out, error) = user.run(&["simulate", "gossip", "--plot", "gossip.png"]);
    assert_eq!((code, out.as_str()), (2, ""));
    let error = error.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    for words in ["built without the feature `png`", "for SVG drawings", "cargo run --features png"]
    {
        assert!(error.contains(words), "`{words}` is not in {error}");
    }
    let (code, out, error) = user.run(&["simulate", "gossip", "--plot", "pictures"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("drew pictures/network.svg") && !out.contains(".png"), "{out}");
}

/// Nothing that a terminal would obey, and no line that says what only the tool may say.
fn assert_harmless(printed: &str) {
    let is_obeyed = |c: char| c.is_control() && c != '\n';
    assert!(!printed.contains(is_obeyed), "{printed:?}");
    for line in printed.lines() {
        let is_forged = line.trim_start().starts_with("HOLDS");
        assert!(!is_forged || line.starts_with("     "), "{line:?} of {printed:?}");
    }
}

#[test]
fn what_a_protocol_prints_has_no_power_over_the_terminal() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/bad_protocols.rs"));
    let user = UserCrate::new("bad-protocols", &program.unwrap());
    for (arguments, expected) in [
        (&["check", "forges"][..], 1),
        (&["check", "forges", "--show-states", "--stats", "--keep-going"], 1),
        (&["check", "forges", "--each-assertion"], 1),
        (&["replay", "forges.trace.json"], 1),
        (&["simulate", "--replay", "forges.trace.json", "--log"], 1),
        (&["simulate", "forges", "--log", "--replications", "1"], 0),
        (&["simulate", "forges", "--duration", "1s", "--replications", "1"], 1),
        (&["show", "forges"], 0),
    ] {
        let (code, out, error) = user.run(arguments);
        assert_eq!(code, expected, "{arguments:?}: {out}{error}");
        assert!(
            format!("{out}{error}").contains(r"\u{1b}[2K\rHOLDS"),
            "{arguments:?}: {out}{error}"
        );
        assert_harmless(&out);
        assert_harmless(&error);
    }
    let (_, out, _) = user.run(&["check", "forges", "--json"]);
    assert!(!out.contains(|c: char| c.is_control() && c != '\n'), "{out:?}");
    let told: Value = serde_json::from_str(&out).unwrap();
    let sentence = told["counterexample"]["steps"][0]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("\u{1b}[2K\rHOLDS\n\u{9b}1AHOLDS in"), "{sentence:?}");
}

/// In JSON, the first counterexample is told twice; nowhere is it twice in memory, nor as a tree.
#[cfg(target_os = "linux")]
#[test]
fn a_long_run_takes_as_much_memory_in_json_as_in_text() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/counting.rs"));
    let user = UserCrate::new("counting", &program.unwrap());
    assert!(user.cargo(&["build", "--quiet"]).status().unwrap().success());
    let is_enough = |kilobytes: u64, form: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"")]);
        command.arg(users_cargo::program("counting"));
        command.args(["check", "counting", "--set", "steps=20000"]).args(form);
        command.current_dir(user.folder.path()).output().unwrap().status.code() == Some(1)
    };
    let mut limits = (0..30).map(|step| 40_000 + step * 10_000);
    let least = limits.find(|limit| is_enough(*limit, &[])).expect("it does not take that much");
    assert!(is_enough(least * 5 / 4, &["--json"]), "in words {least} kB were enough");
}

#[test]
fn a_program_whose_panics_cannot_be_caught_is_refused() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/bad_protocols.rs"));
    let user = UserCrate::new("aborts", &program.unwrap());
    // How a program panics is settled where it is linked: what it depends on need not be built anew.
    let built = user.cargo(&["rustc", "--quiet", "--", "-C", "panic=abort"]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut program = Command::new(users_cargo::program("aborts"));
    let said = program.args(["check", "panics"]).current_dir(user.folder.path()).output().unwrap();
    assert_eq!((said.status.code(), said.stdout.len()), (Some(2), 0));
    let error = String::from_utf8(said.stderr).unwrap();
    assert!(error.contains("built with `panic = \"abort\"`"), "{error}");
    assert!(error.contains("remove `panic = \"abort\"` from the profile"), "{error}");
}

#[test]
fn mistakes_of_a_protocol_are_reported() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/bad_protocols.rs"));
    let user = UserCrate::new("bad-protocols", &program.unwrap());

    let (code, out, _) = user.run(&["check", "panics"]);
    assert_eq!(code, 1, "{out}");
    for words in [
        "VIOLATED in 4 steps",
        " 4  3 from n1 arrives at n0",
        "broken: no handler panics",
        "at n0: index out of bounds: the len is 3 but the index is 3, at src/main.rs:",
    ] {
        assert!(out.contains(words), "`{words}` is not in {out}");
    }
    let (code, out, _) = user.run(&["check", "panics", "--keep-going", "--json"]);
    assert_eq!(code, 1);
    assert!(out.contains("\"complete\": true"), "{out}");
    let (code, out, error) = user.run(&["simulate", "panics"]);
    assert_eq!((code, out.as_str()), (1, ""));
    let error = error.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    assert!(
        error.contains("the handler of n0 for `deliver 3 from n1` panicked: index out of"),
        "{error}"
    );
    assert!(error.contains("`check panics` looks for the shortest run to a panic"), "{error}");

    // The place of a panic is no part of the state: the trace survives an edit above it.
    let program = user.folder.path().join("src/main.rs");
    let source = fs::read_to_string(&program).unwrap();
    fs::write(&program, format!("// One more line.\n{source}")).unwrap();
    let (code, out, _) = user.run(&["replay", "panics.trace.json"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("at n0: index out of bounds"), "{out}");

    let (code, out, _) = user.run(&["check", "remembers", "--verify-determinism"]);
    assert_eq!(code, 1, "{out}");
    for words in [
        "VIOLATED in 1 step,",
        "broken: handlers are deterministic",
        "end in different states: 0 and 1",
    ] {
        assert!(out.contains(words), "`{words}` is not in {out}");
    }
    let (code, out, _) = user.run(&["replay", "remembers.trace.json"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("broken, as recorded: handlers are deterministic"), "{out}");
    let (code, out, _) = user.run(&["check", "panics", "--verify-determinism", "--max-depth", "3"]);
    assert_eq!(code, 0, "{out}");

    let (code, out, _) = user.run(&["check", "ignores"]);
    assert_eq!(code, 1, "{out}");
    let (code, out, error) = user.run(&["replay", "ignores.trace.json"]);
    assert_eq!(code, 1, "{out}{error}");

    let blamed = |part: &str, options: &[&str]| {
        let set = format!("part={part}");
        let (code, out, error) =
            user.run(&[&["check", "careless", "--set", &set], options].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{part}");
        error.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "")
    };
    let by_rank = ["--strategy", "best", "--ranking", "best of all"];
    let related = ["--relation", "all for one"];
    for (part, options, name) in [
        ("assumption", &[][..], "the assumption `all is well`"),
        ("goal", &[], "the goal `all gets well`"),
        ("pruning", &[], "the pruning `all was well`"),
        ("ranking", &by_rank, "the ranking `best of all`"),
        ("key", &related, "the relation `all for one`"),
        ("relation", &related, "the relation `all for one`"),
    ] {
        let error = blamed(part, options);
        let words =
            format!("scenario `careless`: {name} panicked: who heard twice?, at src/main.rs:");
        assert!(error.contains(&words), "{part}: {error}");
    }
    let (code, out, _) = user.run(&["check", "careless", "--set", "part=assertion"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("broken: all stays well\n"), "{out}");
    assert!(out.contains("the assertion itself panicked: who heard twice?"), "{out}");

    let (code, _, error) = user.run(&["check", "falls-over"]);
    assert_eq!(code, 2);
    assert!(error.contains("the scenario has no nodes"), "{error}");
}

#[test]
fn goals_ends_bounds_and_prunings_are_reported() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/ping_pong.rs"));
    let user = UserCrate::new("ping-pong", &program.unwrap());
    let check = |arguments: &[&str], expected: i32| {
        let (code, text, error) = user.run(&[&["check", "ping-pong"], arguments].concat());
        assert_eq!(code, expected, "{text}{error}");
        let (_, out, _) = user.run(&[&["check", "ping-pong", "--json"], arguments].concat());
        let found: Value = serde_json::from_str(&out).expect("the output is JSON");
        assert_fits("check.schema.json", &found);
        (text, found)
    };

    let (text, found) = check(&[], 0);
    assert!(text.contains("\nreached: as many as hoped arrive (in 5 steps)\n"), "{text}");
    assert_eq!(found["goals"][1]["reached"], true);
    assert_eq!(found["goals"][1]["steps"].as_array().unwrap().len(), 5);
    assert_eq!((&found["states_ending"], &found["states_pruned"]), (&1.into(), &0.into()));

    let (text, found) = check(&["--set", "hoped=6"], 1);
    assert!(text.contains("VIOLATED: 1 goal never reached on any run\n"), "{text}");
    assert!(text.contains("\nnever reached: as many as hoped arrive\n"), "{text}");
    assert_eq!((&found["verdict"], &found["counterexample"]), (&"violated".into(), &Value::Null));
    let (text, _) = check(&["--set", "hoped=6", "--max-states", "2"], 3);
    assert!(text.contains("\nnot reached so far: as many as hoped arrive\n"), "{text}");

    let (text, _) = check(&["--set", "loss=1"], 1);
    assert!(text.contains("\nbroken: five arrive in the end\n"), "{text}");
    let (code, out, _) = user.run(&["replay", "ping-pong.trace.json"]);
    assert_eq!(code, 1);
    assert!(out.contains("broken, as recorded: five arrive in the end"), "{out}");

    // Behind a state that is pruned nothing is known, not even that it is an end.
    let pruned = ["--set", "pruned=3", "--set", "hoped=2"];
    let (_, found) = check(&pruned, 0);
    assert_eq!((&found["states_ending"], &found["states_pruned"]), (&0.into(), &1.into()));

    for ranking in ["margin", "five arrive at most", "margin,novelty"] {
        check(&["--strategy", "best", "--ranking", ranking], 0);
    }
    let (_, found) = check(&["--strategy", "dfs", "--relation", "more have arrived"], 0);
    assert_eq!(found["relation"], "more have arrived");
    let (code, _, error) = user.run(&["check", "ping-pong", "--strategy", "walk"]);
    assert_eq!(code, 2);
    assert!(error.contains("a walk would never end"), "{error}");

    let (_, out, _) = user.run(&["show", "ping-pong", "--json"]);
    let shown: Value = serde_json::from_str(&out).expect("the output is JSON");
    for (field, names) in [
        ("assertions", json!(["five arrive at most"])),
        ("end_assertions", json!(["five arrive in the end"])),
        ("goals", json!(["one arrives", "as many as hoped arrive"])),
        ("prunings", json!(["enough have arrived"])),
        ("relations", json!(["more have arrived"])),
        ("rankings", json!(["five arrive at most", "margin"])),
    ] {
        assert_eq!(shown[field], names, "{field}");
    }
}

#[test]
fn scenarios_of_the_same_name_are_refused() {
    let program = "
        mod one { pub use super::idle as twin; }
        mod two { pub use super::idle as twin; }
        use everypath::prelude::*;
        struct Idle;
        impl Protocol for Idle {
            type State = ();
            type Message = ();
            type Timer = Never;
            type Command = Never;
            fn start(&self, _: &mut Start<'_, Self>) {}
            fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &()) {}
        }
        pub fn idle(_: &mut Parameters) -> Scenario<Idle> { Scenario::new(Idle, Topology::chain(1)) }
        everypath::main!(one::twin, two::twin);
    ";
    let user = UserCrate::new("twins", program);
    let (code, _, error) = user.run(&["list"]);
    assert_eq!(code, 2);
    assert!(error.contains("two scenarios are called `twin`"), "{error}");
    fs::write(user.folder.path().join("src/main.rs"), program.replace(", two::twin", "")).unwrap();
    let (code, out, _) = user.run(&["check", "twin"]);
    assert_eq!(code, 0);
    assert!(out.contains("nothing is asserted: only panics were looked for"), "{out}");
}

impl UserCrate {
    /// The source with a piece of it replaced.
    fn edit(&self, old: &str, new: &str) {
        let program = self.folder.path().join("src/main.rs");
        let source = fs::read_to_string(&program).unwrap();
        assert_eq!(source.matches(old).count(), 1, "{old}");
        fs::write(&program, source.replace(old, new)).unwrap();
    }

    /// What a check tells of itself, but for times and how often handlers were executed; how often that was; and
    /// what was taken from a memo.
    fn checked(&self, arguments: &[&str]) -> (Value, u64, Value) {
        let (_, out, error) = self.run(&[&["check", "votes", "--json"], arguments].concat());
        let mut told: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}"));
        assert_fits("check.schema.json", &told);
        let executions = told["handler_executions"].take().as_u64().unwrap();
        let memo = told["memo"].take();
        for differs in ["seconds", "bytes_per_state", "store", "handler_executions_verified"] {
            told[differs].take();
        }
        (told, executions, memo)
    }

    /// Checks with a memo and without: the same, but for what is executed.
    fn checked_both_ways(&self, arguments: &[&str]) -> (u64, u64, Value) {
        let (fresh, all, _) = self.checked(arguments);
        let (told, executions, memo) =
            self.checked(&[arguments, ["--memo", "votes.memo"].as_slice()].concat());
        assert_eq!(told, fresh);
        (all, executions, memo)
    }
}

/// Not in `tests/vacuity`: what that is built with links code that is not Rust, so its handlers have no prints.
#[test]
fn code_that_is_never_executed_is_reported() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/evolving.rs"));
    let user = UserCrate::new("unmet", &program.unwrap());
    user.edit("                node.set_timer(Timer::Again, Duration::from_secs(1));\n", "");
    let (code, out, error) = user.run(&["check", "votes"]);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("code never executed: `timer:Again`"), "{out}");
    let (_, out, _) = user.run(&["check", "votes", "--json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let unmet = json!({"kind": "code-never-executed", "name": "timer:Again", "count": 0});
    assert!(told["vacuity"].as_array().unwrap().contains(&unmet), "{}", told["vacuity"]);
    let (code, ..) = user.run(&["check", "votes", "--strict"]);
    assert_eq!(code, 4);
}

/// The graph of one version serves the next one that is built.
#[test]
fn steps_whose_handlers_have_not_changed_are_taken_from_a_graph() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/evolving.rs"));
    let user = UserCrate::new("steps", &program.unwrap());
    let checked = |options: &[&str]| {
        let graph = ["--graph", "votes.graph"];
        let (mut told, executions, _) = user.checked(&[graph.as_slice(), options].concat());
        let graph = told["graph"].take();
        let (mut fresh, all, _) = user.checked(&[]);
        // How often assumptions exclude something is not known of what is taken from a graph.
        for field in ["assumptions", "vacuity"] {
            told[field].take();
            fresh[field].take();
        }
        assert_eq!(told, fresh);
        (executions, all, graph)
    };
    let (executions, all, graph) = checked(&[]);
    assert_eq!((executions, &graph["hits"]), (all, &json!(0)));
    let (executions, _, graph) = checked(&["--graph-use", "read"]);
    assert_eq!((executions, &graph["misses"], &graph["changed"]), (0, &json!(0), &json!([])));

    // It does the same, but that is not known.
    user.edit("const ROUNDS: u32 = 2;", "const ROUNDS: u32 = 1 + 1;");
    let (executions, all, graph) = checked(&["--graph-use", "read"]);
    assert_eq!((&graph["changed"], &graph["misses"]), (&json!(["timer:Again"]), &json!(0)));
    assert!(0 < executions && executions < all, "{executions} of {all}");
    assert!(graph["whole_states"].as_u64().unwrap() > 0, "{graph}");
    let (executions, _, graph) =
        checked(&["--graph-use", "read", "--unmodified", "timer:Again", "--verify-reuse"]);
    assert!(executions > 0 && graph["changed"] == json!([]), "{graph}");
    let (_, _, graph) = checked(&["--graph-use", "read", "--modified", "message:*"]);
    assert_eq!(graph["changed"], json!(["message:Ask", "message:Vote", "timer:Again"]));

    // It does something else.
    user.edit("(me.0 + round) % 2 == 0", "(me.0 + round) % 2 == 1");
    let (executions, all, graph) = checked(&[]);
    assert_eq!(graph["changed"], json!(["message:Ask", "timer:Again"]));
    assert!(executions < all && graph["hits"].as_u64().unwrap() > 0, "{graph}");

    // An assumption has no print: whether it is another cannot be told.
    user.edit(".loss(", ".assume(\"nothing\", |_, _| true).loss(");
    let refused = || {
        let (code, _, error) = user.run(&["check", "votes", "--graph", "votes.graph"]);
        assert_eq!(code, 2, "{error}");
        error.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
    };
    let words = refused();
    let why = "was written by another build of this program: whether an assumption has changed is unknown";
    assert!(words.contains(why), "{words}");
    fs::remove_file(user.folder.path().join("votes.graph")).unwrap();
    checked(&[]);
    user.edit("|_, _| true", "|world, _| world.packets().len() < 1000");
    let words = refused();
    assert!(words.contains(why), "{words}");
}

/// A check of the next version executes only what has changed, and finds what a check from scratch finds.
#[test]
fn only_handlers_that_have_changed_are_executed_again() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/evolving.rs"));
    let user = UserCrate::new("evolving", &program.unwrap());

    let (all, executions, memo) = user.checked_both_ways(&[]);
    // A memo does not look at timers that are set, so that it saves something at once.
    assert!(0 < executions && executions <= all, "{executions} of {all}");
    assert_eq!((&memo["outdated"], &memo["changed"]), (&json!(0), &json!([])));
    let (_, executions, _) = user.checked_both_ways(&[]);
    assert_eq!(executions, 0, "nothing has changed");

    // What is said about code is no code.
    user.edit("/// How often is asked.", "/// How often is asked: twice.");
    user.edit("    fn on_timer", "\n    // A comment.\n    fn on_timer");
    let (_, executions, _) = user.checked_both_ways(&[]);
    assert_eq!(executions, 0);

    // One arm uses this number.
    user.edit("const ROUNDS: u32 = 2;", "const ROUNDS: u32 = 1 + 1;");
    let (_, executions, memo) = user.checked_both_ways(&[]);
    assert_eq!(memo["changed"], json!(["timer:Again"]));
    assert_eq!(memo["outdated"], json!(executions));

    // One arm calls this function.
    user.edit("(me.0 + round) % 2 == 0", "(me.0 + round) % 2 == 1");
    let (all, executions, memo) = user.checked_both_ways(&[]);
    assert_eq!(memo["changed"], json!(["message:Ask"]));
    assert!(executions < all, "{executions} of {all}");

    // What has changed can be said, too. There is nothing to execute, but for what is said to have changed.
    let said = |options: &[&str]| {
        let (told, executions, memo) =
            user.checked(&[["--memo", "votes.memo"].as_slice(), options].concat());
        assert_eq!(told, user.checked(&[]).0);
        (executions, memo)
    };
    let (executions, memo) = said(&["--modified", "timer:*"]);
    assert_eq!(memo["changed"], json!(["timer:Again", "timer:Begin"]));
    assert!(executions > 0 && memo["outdated"] == json!(executions), "{memo}");
    user.edit("1 + 1;", "1 + 1 + 0;");
    let (executions, memo) = said(&["--unmodified", "timer:Again", "--verify-reuse"]);
    assert_eq!(
        (memo["trusted"].clone(), memo["changed"].clone()),
        (json!(["timer:Again"]), json!([]))
    );
    assert!(executions > 0, "all is verified");
    let (executions, _) = said(&["--unmodified", "timer:A*n"]);
    assert_eq!(executions, 0);
    let (executions, memo) = said(&[]);
    assert!(executions > 0 && memo["changed"] == json!(["timer:Again"]), "nothing was made of it");
    for (option, name, near) in [
        ("--modified", "timer:Agian", "did you mean `timer:Again`?"),
        ("--unmodified", "command*", "there are: "),
    ] {
        let (code, _, error) = user.run(&["check", "votes", "--memo", "votes.memo", option, name]);
        assert_eq!(code, 2, "{error}");
        assert!(
            error.contains("there is no code")
                && error.contains(&format!("`{name}`"))
                && error.contains(near),
            "{error}"
        );
    }
    let (code, _, error) = user.run(&["check", "votes", "--modified", "start"]);
    assert!(
        code == 2
            && error
                .contains("--modified has no effect with no existing file of --memo or --graph"),
        "{error}"
    );

    // What all handlers of timers do before.
    user.edit("        node.state.asked = true;\n", "");
    let (_, _, memo) = user.checked_both_ways(&[]);
    let changed = memo["changed"].as_array().unwrap();
    assert!(changed.contains(&json!("timer:Begin")), "{memo}");
    let (code, out, _) = user.run(&["check", "votes", "--memo", "votes.memo"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("broken: whoever has votes has asked"), "{out}");
    assert!(out.contains("taken from votes.memo"), "{out}");

    // A larger network: what some nodes do, the smaller one has taught.
    let (all, executions, _) = user.checked_both_ways(&["--set", "nodes=4", "--max-depth", "6"]);
    assert!(executions < all, "{executions} of {all}");

    // What is reused can be compared with what is done. Here the configuration does not say all that a handler reads.
    let verify = ["--memo", "votes.memo", "--verify-reuse"];
    let (code, out, error) = user.run(&[["check", "votes"].as_slice(), &verify].concat());
    assert_eq!(code, 1, "{out}{error}");
    assert!(out.contains("found in votes.memo, repeated, identical"), "{out}");
    user.edit("struct Votes;", "struct Votes {\n    first: u32,\n}");
    user.edit("Ask { round: 1 }", "Ask { round: self.first }");
    user.edit("Scenario::new(Votes,", "Scenario::new(Votes { first },");
    user.edit(
        "    let most =",
        "    let first = parameters.number(\"first\", 1, 1..=9, \"the first round\");\n    let most =",
    );
    user.checked_both_ways(&[]);
    let (code, _, error) =
        user.run(&[["check", "votes", "--set", "first=3"].as_slice(), &verify].concat());
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("timer Begin at n0 does something else"), "{error}");

    // A file that is damaged, or of something else, is refused and stays.
    let memo = user.folder.path().join("votes.memo");
    let whole = fs::read(&memo).unwrap();
    fs::write(&memo, &whole[..whole.len() / 2]).unwrap();
    let (code, _, error) = user.run(&["check", "votes", "--memo", "votes.memo"]);
    let error = error.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("votes.memo is not a whole memo: it was cut off"), "{error}");
    assert_eq!(fs::read(&memo).unwrap(), whole[..whole.len() / 2]);
}

/// An error that was found once is looked for first in every later version, and near it.
#[test]
fn an_error_that_comes_back_is_found_where_it_was() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/evolving.rs"));
    let user = UserCrate::new("relapsing", &program.unwrap());
    let folder = ["--regressions", "earlier"];
    let check = || {
        let (told, ..) = user.checked(&folder);
        let runs = told["regressions"]["runs"].as_array().unwrap();
        let verdicts = runs.iter().map(|run| run["verdict"].as_str().unwrap().to_owned());
        (verdicts.collect::<Vec<_>>(), told)
    };

    user.edit("        node.state.asked = true;\n", "");
    let (verdicts, told) = check();
    assert!(verdicts.is_empty() && told["verdict"] == "violated", "{told}");

    // Repaired: the run is possible, and violates nothing. The search is the same as without the folder.
    user.edit(
        "        match timer {\n",
        "        node.state.asked = true;\n        match timer {\n",
    );
    let (verdicts, mut repaired) = check();
    assert_eq!(verdicts, ["holds"]);
    assert_eq!(repaired["regressions"]["ended"], "depth");
    repaired["regressions"].take();
    assert_eq!(repaired, user.checked(&[]).0);

    // Other states on the same way: a field is new.
    user.edit("    asked: bool,", "    asked: bool,\n    seen: u32,");
    user.edit("asked: false }", "asked: false, seen: 0 }");
    assert_eq!(check().0, ["holds"]);

    // Another error, near the first: a vote against makes a node forget.
    user.edit(
        "node.state.no += 1,",
        "{\n                node.state.no += 1;\n                node.state.asked = false;\n            }",
    );
    let (verdicts, told) = check();
    assert_eq!(verdicts, ["holds"]);
    assert_eq!(told["verdict"], "violated");
    let found = &told["regressions"]["found"];
    assert_eq!((&found["by"], &found["events"]), (&json!("neighbourhood"), &json!(2)));
    assert_eq!(told["regressions"]["added"].as_array().unwrap().len(), 1);
    let (code, out, _) = user.run(&["replay", "votes.trace.json"]);
    assert_eq!(code, 1, "{out}");

    // Both are kept: the new one is violated by being run, and told.
    let (code, out, _) = user.run(&[["check", "votes"].as_slice(), &folder].concat());
    assert_eq!(code, 1, "{out}");
    for words in [
        "2 earlier counterexamples in earlier:",
        "  still violated by ",
        "  no longer violated by ",
    ] {
        assert!(out.contains(words), "`{words}` is not in {out}");
    }

    // What a counterexample violates is not asserted any more, or its messages are others.
    user.edit("\"whoever has votes has asked\"", "\"all who have votes have asked\"");
    user.edit(
        "{\n                node.state.no += 1;\n                node.state.asked = false;\n            }",
        "node.state.no += 1,",
    );
    assert_eq!(check().0, ["unasserted", "unasserted"]);
    user.edit("    Vote { yes: bool },", "    Vote { yes: bool, late: bool },");
    user.edit(
        "{ yes: opinion(node.id, *round) }",
        "{ yes: opinion(node.id, *round), late: false }",
    );
    user.edit("Vote { yes: true }", "Vote { yes: true, .. }");
    user.edit("Vote { yes: false }", "Vote { yes: false, .. }");
    let (verdicts, told) = check();
    assert_eq!(verdicts, ["parted", "parted"]);
    let run = &told["regressions"]["runs"][0];
    assert_eq!(run["replayed"], json!(2));
    assert!(run["reason"].as_str().unwrap().starts_with("step 3, `Vote { yes: "), "{run}");
}

/// A process that does not outlive its test, however that ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// While it watches, a handler is edited and built: the new verdict is told, and what has changed.
#[test]
fn every_version_that_is_built_is_checked() {
    let program = fs::read_to_string(Path::new(ROOT).join("tests/user_crate/evolving.rs"));
    let user = UserCrate::new("watched", &program.unwrap());
    let build = || assert!(user.cargo(&["build", "--quiet"]).status().unwrap().success());
    build();
    let watching = Command::new(users_cargo::program("watched"))
        .args(["watch", "votes", "--versions", "4"])
        .current_dir(user.folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut watching = Ended(watching.unwrap());
    let mut lines = BufReader::new(watching.0.stdout.take().unwrap()).lines();
    let mut told = |beginning: &str| {
        lines.by_ref().map(Result::unwrap).find(|line| line.trim().starts_with(beginning)).unwrap()
    };
    assert_eq!(told("version 1"), "version 1: holds");
    assert!(told("187 states").ends_with(" taken from votes.memo"));
    user.edit("        node.state.asked = true;\n", "");
    build();
    let broken = "violated in 3 steps: whoever has votes has asked";
    assert_eq!(told("version 2"), format!("version 2: {broken} (before: holds)"));
    assert!(told("changed").contains("timer:Begin"));
    assert!(told("1  ").contains("Begin"));
    user.edit(
        "        match timer {\n",
        "        node.state.asked = true;\n        match timer {\n",
    );
    build();
    assert_eq!(told("version 3"), format!("version 3: holds (before: {broken})"));
    assert!(told("1 earlier counterexample").ends_with(": no longer violate anything"));
    user.edit("        node.state.asked = true;\n", "");
    build();
    assert_eq!(told("version 4"), format!("version 4: {broken} (before: holds)"));
    assert!(told("still violated by").ends_with(".trace.json"));
    assert!(user.folder.path().join("votes.regressions").is_dir());
    assert_eq!(watching.0.wait().unwrap().code(), Some(1));
}
