//! Programs of users with scenarios of their own, and the tests that run them.
//!
//! The test is also the program: started with [`AS_PROGRAM`], it has the command line for the scenarios of all modules.

// The attributes name the facade.
extern crate everypath_model as everypath;

mod cuts;
mod drivers;
mod flaws;
mod heaps;
mod readings;
#[path = "../../../../tests/schema/mod.rs"]
mod schema;
mod vacuity;

use std::{
    env,
    path::Path,
    process::{Command, ExitCode, Output},
};

use libtest_mimic::{Arguments, Trial};

const AS_PROGRAM: &str = "EVERYPATH_TEST_AS_PROGRAM";

/// A test, with its name.
type Test = (&'static str, fn());

fn main() -> ExitCode {
    if env::var_os(AS_PROGRAM).is_some() {
        let mut all = cuts::scenarios();
        all.extend(drivers::drivers());
        all.extend(flaws::scenarios());
        all.extend(heaps::heaps());
        all.extend(readings::scenarios());
        all.extend(vacuity::scenarios());
        return everypath_cli::run(all);
    }
    let modules = [
        ("cuts", cuts::TESTS),
        ("drivers", drivers::TESTS),
        ("flaws", flaws::TESTS),
        ("heaps", heaps::TESTS),
        ("readings", readings::TESTS),
        ("vacuity", vacuity::TESTS),
    ];
    let trials = modules.iter().flat_map(|(module, tests)| {
        tests.iter().map(move |&(name, test)| {
            Trial::test(format!("{module}::{name}"), move || {
                test();
                Ok(())
            })
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Runs this program in a folder.
fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    let command = command.args(arguments).env(AS_PROGRAM, "1").env("NO_COLOR", "1");
    command.current_dir(folder).output().unwrap()
}
