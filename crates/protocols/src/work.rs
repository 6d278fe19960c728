//! The parameter that makes handlers take longer, for the laboratory of published experiments.

use everypath_model::{Parameters, Profile};

/// How many rounds of arithmetic every handler does besides its own work. Only the thesis profile has
/// the parameter: its experiments depend on what handlers cost.
pub(crate) fn work(parameters: &mut Parameters) -> u32 {
    match parameters.profile() {
        Profile::Standard => 0,
        Profile::Thesis => parameters.number(
            "work",
            0,
            0..=100_000_000,
            "how many rounds of arithmetic of about a nanosecond every handler does besides its own work",
        ),
    }
}
