//! `--as-test`: a run as a test in Rust.

use everypath_model::Profile;
use everypath_report::{ReplayTest, TraceFile, function_name};

use crate::scenarios::subject::Subject;

/// A test that makes a run and asserts its violation, or a line that says why there is none.
/// A run that can be written as plain code has a second test of that.
pub(crate) fn as_test(built: &Subject<'_>, trace: &TraceFile, code: Option<String>) -> String {
    let why = if trace.start.is_some() {
        "its run starts in a simulated world"
    } else if built.file.is_some() {
        "it is a run of a scenario file"
    } else if built.parameters.profile() != Profile::Standard {
        "it is a run under the profile `thesis`"
    } else {
        return test(built, trace) + &plain(trace, code);
    };
    format!("// There is no such test: {why}.\n")
}

fn test(built: &Subject<'_>, trace: &TraceFile) -> String {
    let given = built.parameters.declared().iter().filter(|it| it.value != it.default);
    let given = given.map(|it| format!(".set({:?}, {:?})", it.name, it.value));
    let required = trace.required.iter().map(|event| format!(".require({event:?})"));
    let deadlock = trace.deadlock.then(|| ".never_stuck()".to_owned());
    let (replay, steps) = match built.is_driver() {
        true => ("replay_driver", "calls"),
        false => ("replay", "steps"),
    };
    let test = ReplayTest {
        subject: &built.name,
        replay,
        steps,
        settings: given.chain(required).chain(deadlock).collect(),
        events: trace.steps.iter().map(|step| step.event.sentence.clone()).collect(),
        assertion: &trace.assertion,
    };
    test.to_text()
}

fn plain(trace: &TraceFile, code: Option<String>) -> String {
    let name = function_name(&trace.assertion);
    code.map_or(String::new(), |code| {
        format!("\n#[test]\nfn {name}_in_plain_calls() {{\n{code}}}\n")
    })
}
