//! The options of a check that make no sense for a driver.

use everypath_model::Profile;

use super::spec::CheckSpec;
use crate::{
    arguments::time::TimersName, arguments::trial::EngineName, error::CliError,
    searching::spec::SearchSpec,
};

/// Refuses options that need a network, a protocol or time.
pub(super) fn refuse_unsuited(spec: &CheckSpec) -> Result<(), CliError> {
    let handlers = "it keeps what handlers of a protocol did, and a driver has none";
    let worlds = "both engines are for networks of nodes";
    let given = [
        (spec.memo.memo.is_some(), "--memo", handlers),
        (spec.graph.graph.is_some(), "--graph", handlers),
        (spec.trial.engine == EngineName::Plain, "--engine plain", worlds),
        (spec.trial.cross_check, "--cross-check", worlds),
        (
            spec.trial.verify_ignored,
            "--verify-ignored",
            "what its observation skips is compared anyway",
        ),
        (spec.time.max_late.is_some(), "--max-late", "calls take no time"),
        (spec.time.timed, "--timed", "calls take no time"),
        (spec.time.timers == TimersName::Ordered, "--timers", "calls have no timers"),
        (spec.start.is_some(), "--from-simulation", "calls take no time and are not simulated"),
    ];
    refuse(given)?;
    refuse_search(&spec.search)
}

/// The same, for the options of any search.
pub(crate) fn refuse_search(search: &SearchSpec) -> Result<(), CliError> {
    refuse([
        (
            search.method.reduce.is_some(),
            "--reduce",
            "reductions are about packets and the numbers in them; let the observation skip what does not matter",
        ),
        (
            search.conditions.every_event,
            "--every-event",
            "a driver executes the call of every event in any case",
        ),
        (
            search.conditions.require.is_some(),
            "--require",
            "a state does not remember the calls before it; observe what matters of them",
        ),
        (
            search.profile != Profile::Standard,
            "--profile",
            "the published semantics are those of networks",
        ),
    ])
}

fn refuse<const N: usize>(given: [(bool, &'static str, &'static str); N]) -> Result<(), CliError> {
    match given.into_iter().find(|(given, ..)| *given) {
        Some((_, option, why)) => Err(CliError::NotForDrivers { option, why }),
        None => Ok(()),
    }
}
