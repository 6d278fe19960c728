//! `--as-test`: a run as a test in Rust.

use std::fmt::Write as _;

use everypath_model::Profile;
use everypath_report::{TraceFile, slug};

use crate::scenarios::subject::Subject;

/// A test that makes a run and asserts its violation, or a line that says why there is none.
pub(crate) fn as_test(built: &Subject<'_>, trace: &TraceFile) -> String {
    let why = if trace.start.is_some() {
        "its run starts in a simulated world"
    } else if built.file.is_some() {
        "it is a run of a scenario file"
    } else if built.parameters.profile() != Profile::Standard {
        "it is a run under the profile `thesis`"
    } else {
        return test(built, trace);
    };
    format!("// There is no such test: {why}.\n")
}

fn test(built: &Subject<'_>, trace: &TraceFile) -> String {
    let mut text = format!(
        "#[test]\nfn {}() {{\n    everypath::testing::replay({})\n",
        identifier(&trace.assertion),
        built.name.replace('-', "_"),
    );
    let given = built.parameters.declared().iter().filter(|it| it.value != it.default);
    for parameter in given {
        let _ = writeln!(text, "        .set({:?}, {:?})", parameter.name, parameter.value);
    }
    if let Some(event) = &trace.required {
        let _ = writeln!(text, "        .require({event:?})");
    }
    if trace.deadlock {
        text += "        .never_stuck()\n";
    }
    text += "        .steps([\n";
    for step in &trace.steps {
        let _ = writeln!(text, "            {:?},", step.event.sentence);
    }
    let _ = write!(text, "        ])\n        .assert_violates({:?});\n}}\n", trace.assertion);
    text
}

/// A name for a function.
fn identifier(words: &str) -> String {
    let name = slug(words, "_");
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("broken_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_become_names_of_functions() {
        assert_eq!(identifier("at most one leader, ever"), "at_most_one_leader_ever");
        assert_eq!(identifier("2 is enough"), "broken_2_is_enough");
    }
}
