//! Drivers against brute force, seeded errors, and bad input.

mod bad_input;
mod findings;
mod oracle;
mod resume;

use everypath_driver::{Driver, DriverOptions, DriverSpace};
use everypath_explore::{Described, Exploration, Judged, Options, explore};

/// Explores a driver with the default options of a space.
pub(crate) fn explored<T: 'static, M: 'static>(driver: &Driver<T, M>, depth: u32) -> Exploration {
    let mut space = driver.space(DriverOptions::default()).unwrap();
    explore(&mut space, &Options::default().max_depth(depth), &mut ()).unwrap()
}

/// The first finding: the assertion, the calls and the explanation.
pub(crate) fn told<T: 'static, M: 'static>(
    driver: &Driver<T, M>,
    options: DriverOptions,
    depth: u32,
) -> (String, Vec<String>, String) {
    let mut space = driver.space(options).unwrap();
    let options = Options::default().max_depth(depth);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let finding = found.finding().expect("something is found");
    let assertion = space.assertions()[finding.assertion].clone();
    let why = space.explain(finding.trace.last(), finding.assertion).unwrap_or_default();
    (assertion, calls(&space, finding), why)
}

fn calls<T: 'static, M: 'static>(
    space: &DriverSpace<'_, T, M>,
    finding: &everypath_explore::Finding,
) -> Vec<String> {
    let words = finding.trace.transitions().map(|(before, step)| {
        let call = space.event_text(before, step.event).sentence;
        match space.result_text(before, step.event) {
            Some(result) => format!("{call} -> {result}"),
            None => call,
        }
    });
    words.collect()
}
