//! A run as a test in Rust.

use std::fmt::Write as _;

use crate::slug;

/// A run as a test in Rust, which replays it.
///
/// ```
/// use everypath_report::ReplayTest;
///
/// let test = ReplayTest {
///     subject: "old-lock",
///     replay: "replay",
///     steps: "steps",
///     settings: vec![".never_stuck()".to_owned()],
///     events: vec!["command Lock at n1".to_owned()],
///     assertion: "one holder",
/// };
/// assert_eq!(test.to_text(), "#[test]
/// fn one_holder() {
///     everypath::testing::replay(old_lock)
///         .never_stuck()
///         .steps([
///             \"command Lock at n1\",
///         ])
///         .assert_violates(\"one holder\");
/// }
/// ");
/// ```
pub struct ReplayTest<'a> {
    /// The name of the scenario or driver.
    pub subject: &'a str,
    /// The function of the test library that replays it.
    pub replay: &'a str,
    /// The method that takes the events.
    pub steps: &'a str,
    /// Calls of methods before that, with their dots.
    pub settings: Vec<String>,
    /// The events in words.
    pub events: Vec<String>,
    /// The violated assertion.
    pub assertion: &'a str,
}

impl ReplayTest<'_> {
    /// The test.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { subject, replay, steps, settings, events, assertion } = self;
        let function = subject.replace('-', "_");
        let name = function_name(assertion);
        let mut text =
            format!("#[test]\nfn {name}() {{\n    everypath::testing::{replay}({function})\n");
        for setting in settings {
            let _ = writeln!(text, "        {setting}");
        }
        let _ = writeln!(text, "        .{steps}([");
        for event in events {
            let _ = writeln!(text, "            {event:?},");
        }
        let _ = write!(text, "        ])\n        .assert_violates({assertion:?});\n}}\n");
        text
    }
}

/// A text as the name of a function.
///
/// ```
/// use everypath_report::function_name;
///
/// assert_eq!(function_name("at most one leader, ever"), "at_most_one_leader_ever");
/// assert_eq!(function_name("2 is enough"), "broken_2_is_enough");
/// ```
#[must_use]
pub fn function_name(words: &str) -> String {
    let name = slug(words, "_");
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("broken_{name}"),
    }
}
