//! Scenario files: any text is a scenario or refused with a reason, and none makes the reader panic.

#![no_main]

mod file;

use everypath::{cli, protocols::aodv::manet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let entries = [cli::scenario("manet", manet)];
    if let Err(error) = cli::read_scenario_file(&entries, &file::with(bytes)) {
        assert!(!error.is_empty() && !error.contains("panicked"), "{error}");
    }
});
