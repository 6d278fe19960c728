//! Long runs of the command: killed, interrupted, gone on with.

use crate::command;

use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

use command::{assert_refused, code, complaint, json, refuses, run_in};
use serde_json::Value;
use tempfile::TempDir;

/// A search that takes a few seconds: long enough to be killed in the middle.
const SEARCH: [&str; 9] = [
    "check",
    "arq",
    "--set",
    "network=list",
    "--set",
    "numbered=false",
    "--max-depth",
    "44",
    "--json",
];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    run_in(folder, &[&SEARCH[..], arguments].concat())
}

/// What was found, without what depends on time and on how it was asked for.
fn found(output: &Output) -> Value {
    assert_eq!(code(output), 0, "{}", complaint(output));
    let mut found = json(output);
    let fields = found.as_object_mut().expect("it is an object");
    // How often assumptions excluded something is not known of what was saved.
    let otherwise = ["seconds", "checkpoint", "bytes_per_state", "store", "workers", "assumptions"];
    for field in otherwise {
        fields.remove(field).expect("the field is there");
    }
    found
}

/// Starts a search that saves itself all the time.
fn start(folder: &Path, search: &[&str]) -> Child {
    start_saving_every("20ms", folder, search)
}

/// Starts a search that saves itself so often.
fn start_saving_every(time: &str, folder: &Path, search: &[&str]) -> Child {
    let saves = ["--checkpoint", "run.checkpoint", "--checkpoint-every", time];
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.args(search).args(saves).current_dir(folder).stdout(Stdio::piped());
    command.spawn().expect("the command can be started")
}

/// Waits until a search has saved itself.
fn wait_for_checkpoint(search: &mut Child, folder: &Path) {
    while !folder.join("run.checkpoint").exists() {
        let ended = search.try_wait().expect("it can be asked");
        assert!(ended.is_none(), "the search has ended before it was saved");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a search has saved itself, presses Ctrl-C, and gives what it then says.
#[cfg(unix)]
fn interrupt(mut search: Child, folder: &Path) -> Output {
    wait_for_checkpoint(&mut search, folder);
    let id = search.id().to_string();
    let pressed = Command::new("kill").args(["-INT", &id]).status().expect("it can be started");
    assert!(pressed.success());
    search.wait_with_output().expect("it ends")
}

/// Waits until a search has saved itself, and kills it without warning.
fn kill_after_first_checkpoint(mut search: Child, folder: &Path) {
    wait_for_checkpoint(&mut search, folder);
    search.kill().expect("it can be killed");
    let status = search.wait().expect("it ends");
    assert_eq!(status.code(), None, "it was killed, not finished");
}

#[test]
fn a_search_that_was_killed_goes_on_to_the_same_answer() {
    let folder = TempDir::new().unwrap();
    kill_after_first_checkpoint(start(folder.path(), &SEARCH), folder.path());
    let resumed = run(folder.path(), &["--resume", "run.checkpoint", "--workers", "2"]);
    let whole = run(folder.path(), &[]);
    assert_eq!(found(&resumed), found(&whole));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    // A killed process may leave the file that it was about to move into place, until the next save, and leaves the one that
    // was locked.
    assert!((2..=3).contains(&left.len()), "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_search_that_was_interrupted_says_so_and_goes_on_to_the_same_answer() {
    let folder = TempDir::new().unwrap();
    let interrupted = interrupt(start(folder.path(), &SEARCH), folder.path());
    assert_eq!(code(&interrupted), 3, "{}", complaint(&interrupted));
    let found_so_far = json(&interrupted);
    assert_eq!(
        (&found_so_far["ended"], &found_so_far["verdict"], &found_so_far["checkpoint"]),
        (&"interrupted".into(), &"inconclusive".into(), &"run.checkpoint".into())
    );
    assert!(found_so_far["states_waiting"].as_u64().unwrap() > 0);
    let resumed = run(folder.path(), &["--resume", "run.checkpoint"]);
    assert_eq!(found(&resumed), found(&run(folder.path(), &[])));
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_it_has_found() {
    for strategy in ["bfs", "dfs"] {
        let folder = TempDir::new().unwrap();
        // The error is near, and the end is nowhere.
        let search = ["check", "arq-erroneous", "--keep-going", "--max-depth", "1000", "--json"];
        let search = [&search[..], &["--strategy", strategy]].concat();
        // By then it is found, even where others take most of the machine.
        let running = start_saving_every("2s", folder.path(), &search);
        let interrupted = interrupt(running, folder.path());
        let found = json(&interrupted);
        assert_eq!((&found["ended"], &found["complete"]), (&"interrupted".into(), &false.into()));
        assert!(found["states_waiting"].as_u64().unwrap() > 0);
        // A violation had been found before: that is what the exit code tells.
        assert_eq!((code(&interrupted), &found["verdict"]), (1, &"violated".into()));
        assert!(!found["counterexample"]["steps"].as_array().unwrap().is_empty());
        assert!(folder.path().join("arq-erroneous.trace.json").exists());
    }
}

#[test]
fn a_search_that_was_stopped_goes_on_to_the_same_answer() {
    let folder = TempDir::new().unwrap();
    for (states, arguments) in [
        ("1000", &["--checkpoint", "run.checkpoint"][..]),
        ("90000", &["--checkpoint", "run.checkpoint", "--resume", "run.checkpoint"]),
    ] {
        let stopped = run(folder.path(), &[arguments, &["--max-states", states]].concat());
        assert_eq!(code(&stopped), 3);
    }
    let resumed = run(folder.path(), &["--resume", "run.checkpoint"]);
    assert_eq!(found(&resumed), found(&run(folder.path(), &[])));
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let folder = TempDir::new().unwrap();
    let stop = ["--max-states", "1000", "--checkpoint", "run.checkpoint"];
    assert_eq!(code(&run(folder.path(), &stop)), 3);
    let refused = |arguments: &[&str], words: &str| {
        assert_refused(&run(folder.path(), arguments), &[words]);
    };
    // Whoever knows of it, what differs is named.
    for (option, difference) in [
        (&["--keep-going"][..], "going false, but this run has true"),
        (&["--each-assertion"], "assertion false, but this run has true"),
        (&["--set", "loss=3"], "parameter loss unlimited, but this run has 3"),
        (&["--profile", "thesis"], "profile standard, but this run has thesis"),
        (&["--strategy", "dfs"], "strategy bfs, but this run has dfs"),
        (&["--add", "current"], "add next, but this run has current"),
        (&["--shuffle", "1"], "shuffle none, but this run has 1"),
        (&["--store", "fingerprint"], "store Exact, but this run has Fingerprint"),
        (&["--disable", "lose"], "disable [], but this run has [\"lose\"]"),
        (&["--require", "lose"], "require [], but this run has [\"lose\"]"),
        (&["--verify-determinism"], "verified part a share, but this run has all"),
        (&["--deadlock"], "it was saved with another list of assertions"),
    ] {
        refused(&[&["--resume", "run.checkpoint"], option].concat(), difference);
    }
    let nowhere = [&SEARCH[..], &["--resume", "nowhere"]].concat();
    refuses(&nowhere, &["cannot read the checkpoint nowhere"]);
    let path = folder.path().join("run.checkpoint");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    refused(&["--resume", "run.checkpoint"], "cut off");
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    std::fs::write(&path, changed).unwrap();
    refused(&["--resume", "run.checkpoint"], "checksum");
    std::fs::write(&path, "something else").unwrap();
    refused(&["--resume", "run.checkpoint"], "not a checkpoint of Everypath");
}

/// Waits until a process has the right to write a file.
fn wait_for_lock(search: &mut Child, lock: &Path) {
    while std::fs::read(lock).map_or(true, |holder| holder.is_empty()) {
        assert!(search.try_wait().expect("it can be asked").is_none(), "it has ended before");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn two_searches_are_not_saved_in_one_file() {
    let folder = TempDir::new().unwrap();
    let small = [&SEARCH[..6], &["--max-depth", "3", "--checkpoint", "run.checkpoint"]].concat();
    let mut first = start(folder.path(), &SEARCH);
    wait_for_lock(&mut first, &folder.path().join("run.checkpoint.lock"));
    let second = run_in(folder.path(), &small);
    assert_refused(&second, &["run.checkpoint is in use", "name another file"]);
    // To read it is no trouble.
    wait_for_checkpoint(&mut first, folder.path());
    let reading = run(folder.path(), &["--resume", "run.checkpoint", "--max-states", "1"]);
    assert_eq!(code(&reading), 3, "{}", complaint(&reading));

    // However it ends, others may go on.
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    let second = run_in(folder.path(), &small);
    assert_eq!(code(&second), 0, "{}", complaint(&second));
    assert!(!folder.path().join("run.checkpoint.lock").exists(), "nothing is left behind");
}

#[test]
fn a_memo_is_read_and_not_written_while_another_check_uses_it() {
    let folder = TempDir::new().unwrap();
    let memo = folder.path().join("run.memo");
    let check = |depth: &'static str| {
        let small = [&SEARCH[..6], &["--max-depth", depth, "--memo", "run.memo"]].concat();
        let told = run_in(folder.path(), &[&small[..], &["--json"]].concat());
        assert_eq!(code(&told), 0, "{}", complaint(&told));
        (json(&told), small)
    };
    check("3");
    let known = std::fs::read(&memo).unwrap();

    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.args(SEARCH).args(["--memo", "run.memo"]);
    let mut first = command.current_dir(folder.path()).stdout(Stdio::null()).spawn().unwrap();
    wait_for_lock(&mut first, &folder.path().join("run.memo.lock"));
    let (second, small) = check("9");
    let told = &second["memo"];
    assert_eq!((&told["in_use"], &told["bytes"]), (&true.into(), &Value::Null));
    assert!(told["recalled"].as_u64() > Some(0) && told["missing"].as_u64() > Some(0), "{told}");
    let text = command::out(&run_in(folder.path(), &small));
    assert!(text.contains("; not written, since another check is using it\n"), "{text}");
    assert_eq!(std::fs::read(&memo).unwrap(), known, "it is as it was");

    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    let (second, _) = check("9");
    assert_eq!(second["memo"]["in_use"], false);
    assert!(std::fs::read(&memo).unwrap().len() > known.len());
    assert!(!folder.path().join("run.memo.lock").exists(), "nothing is left behind");
}
