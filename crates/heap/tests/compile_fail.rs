//! What `#[subject]` refuses, and what it says: one file each in `compile_fail/`, with the message beside it. After a
//! deliberate change, `TRYBUILD=overwrite cargo test -p everypath-heap --test all compile_fail` writes the messages again.

use std::process::Command;

/// The messages differ from one compiler to the next; these are of this one.
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
