//! Limits hold, whatever a protocol does.
//!
//! This is a program with protocols that misbehave, and the tests that run it: without a test harness, so
//! that it can be both.

// The attributes name the facade.
extern crate everypath_model as everypath;

#[path = "limits/hog.rs"]
mod hog;
#[path = "limits/memory.rs"]
mod memory;

use std::{
    env, fs,
    process::{Command, ExitCode, Output},
};

use everypath_cli::scenario;

/// A test, with its name.
type Test = (&'static str, fn());

fn main() -> ExitCode {
    let commands = ["check", "simulate", "compare"];
    if env::args().nth(1).is_some_and(|word| commands.contains(&word.as_str())) {
        let code = everypath_cli::run(vec![scenario("hog", hog::hog)]);
        eprintln!("{}", peak().unwrap_or_default());
        return code;
    }
    let tests = memory::TESTS;
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| name.contains(it));
    for (name, test) in tests.iter().filter(|(name, _)| is_wanted(name)) {
        println!("test {name} ...");
        test();
    }
    ExitCode::SUCCESS
}

/// What the system says of the most memory that this process has had, on Linux.
fn peak() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("VmHWM:")).map(str::to_owned)
}

/// Runs this program with its protocols.
fn run(arguments: &[&str]) -> Output {
    let program = env::current_exe().expect("it has a name");
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder.path()).output().expect("it can be started")
}
