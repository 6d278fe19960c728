//! Code that does not return is named, and ends with the run.

use std::{
    process::{Child, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{Test, command, run, signal};

pub const TESTS: &[Test] = &[
    ("code_that_does_not_return_is_named", code_that_does_not_return_is_named),
    ("deep_recursion_has_room", deep_recursion_has_room),
];

fn start(arguments: &[&str]) -> Child {
    let mut command = command(arguments);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it can be started")
}

/// Waits for a run that never ends by itself; what it says then.
fn ended(run: Child) -> String {
    let Output { status, stdout, stderr } = run.wait_with_output().expect("it ends");
    let [told, complaint] = [stdout, stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert_eq!(status.code(), Some(3), "{told}{complaint}");
    complaint
}

fn code_that_does_not_return_is_named() {
    let started = Instant::now();
    let limited = start(&["check", "stuck", "--max-time", "1s"]);
    let asserting = start(&["check", "stuck", "--set", "part=assertion", "--max-time", "1s"]);
    let simulated = start(&["simulate", "stuck", "--duration", "1s"]);
    let interrupted = start(&["check", "stuck"]);
    // Long enough for the first message, which comes before anybody has asked for the end.
    thread::sleep(Duration::from_secs(13));
    for run in [&simulated, &interrupted] {
        signal("TERM", run);
    }
    let handler = "the handler of n1 for `deliver Hi(1)` has been running for 10 s";
    for (run, words) in [
        (limited, [handler, "--max-time is over: the program ends without an answer"]),
        (
            asserting,
            ["the assertion `all is well` has been running for 10 s", "--max-time is over"],
        ),
        (
            simulated,
            [
                "the handler of n1 for `deliver`, event 1 of its run, has been running for 10 s",
                "it was asked to end",
            ],
        ),
        (interrupted, [handler, "it was asked to end: the program ends without an answer"]),
    ] {
        let complaint = ended(run);
        for word in words {
            assert!(complaint.contains(word), "`{word}` is not in: {complaint}");
        }
    }
    assert!(started.elapsed() < Duration::from_secs(100), "{:?}", started.elapsed());
}

fn deep_recursion_has_room() {
    // More than the eight megabytes that the first thread of a process has on most systems.
    let output = run(&["check", "deep", "--set", "depth=40000"]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{complaint}");
}
