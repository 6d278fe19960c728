//! What the compiler refuses, and what it says: one file each in `compile_fail/`, with the message
//! beside it. After a deliberate change, `TRYBUILD=overwrite cargo test --test all compile_fail` writes
//! the messages anew.

use std::process::Command;

/// The messages differ from one compiler to the next; these are of this one. That ports of
/// different contracts do not fit is checked with every compiler, by the documentation of
/// `Component::over`.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn mistakes_are_refused_with_a_message_that_can_be_read() {
    let version = Command::new("rustc").arg("--version").output().expect("there is a compiler");
    let version = String::from_utf8_lossy(&version.stdout);
    if version.starts_with(COMPILER) {
        trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
    } else {
        eprintln!("not compared: the messages are of {COMPILER}x, and this is {version}");
    }
}
