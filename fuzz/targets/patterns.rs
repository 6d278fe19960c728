//! What users write on the command line: event patterns, budgets, networks, topologies; text becomes one, or an error.

#![no_main]

use everypath::{Budget, NetworkKind, Shape, explore::EventPattern};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let errors = [
        text.parse::<EventPattern>().err().map(|error| error.to_string()),
        text.parse::<Budget>().err().map(|error| error.to_string()),
        text.parse::<NetworkKind>().err().map(|error| error.to_string()),
        text.parse::<Shape>().err().map(|error| error.to_string()),
    ];
    assert!(errors.into_iter().flatten().all(|error| !error.is_empty()));
});
