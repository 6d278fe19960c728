//! What the compiler refuses, and what it says: one file each in `compile_fail/`, with the message
//! beside it. After a deliberate change, `TRYBUILD=overwrite cargo test --test compile_fail` writes
//! the messages anew.

#[test]
fn mistakes_are_refused_with_a_message_that_can_be_read() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
