//! Limits hold, whatever a protocol does.
//!
//! This is a program with protocols that misbehave, and the tests that run it: without a test harness, so
//! that it can be both.

// The attributes name the facade.
extern crate everypath_model as everypath;

#[path = "limits/gossip.rs"]
mod gossip;
#[path = "limits/hog.rs"]
mod hog;
#[cfg(unix)]
#[path = "limits/kills.rs"]
mod kills;
#[path = "limits/memory.rs"]
mod memory;
#[path = "limits/stuck.rs"]
mod stuck;
#[cfg(unix)]
#[path = "limits/watchdog.rs"]
mod watchdog;

use std::{
    env, fs,
    path::PathBuf,
    process::{Child, Command, ExitCode, Output, Stdio},
};

use everypath_cli::scenario;
use libtest_mimic::{Arguments, Trial};

/// A test, with its name.
type Test = (&'static str, fn());

fn main() -> ExitCode {
    let commands = ["check", "simulate", "compare"];
    if env::args().nth(1).is_some_and(|word| commands.contains(&word.as_str())) {
        let code = everypath_cli::run(vec![
            scenario("hog", hog::hog),
            scenario("gossip", gossip::gossip),
            scenario("stuck", stuck::stuck),
            scenario("deep", stuck::deep),
        ]);
        eprintln!("{}", peak().unwrap_or_default());
        return code;
    }
    let mut tests = memory::TESTS.to_vec();
    #[cfg(unix)]
    tests.extend(kills::TESTS.iter().chain(watchdog::TESTS));
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    // One after the other: they measure memory and time.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// What the system says of the most memory that this process has had, on Linux.
fn peak() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("VmHWM:")).map(str::to_owned)
}

/// This program.
fn program() -> PathBuf {
    env::current_exe().expect("it has a name")
}

/// This program with its protocols, in a folder for what it writes.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs this program with its protocols.
fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    command(arguments).current_dir(folder.path()).output().expect("it can be started")
}

/// Sends a signal to a process that was started here.
#[cfg(unix)]
fn signal(name: &str, process: &Child) {
    let id = process.id().to_string();
    let sent = Command::new("kill").args([&format!("-{name}"), &id]).stderr(Stdio::null()).status();
    // It fails if the process has ended.
    sent.expect("it can be started");
}
