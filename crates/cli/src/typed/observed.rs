//! Simulated runs that somebody watches.

use everypath_model::{Protocol, Scenario};
use everypath_sim::{Observer, SimError, Simulation};

/// A run with an observer, which is called through a trait object: else each protocol has a simulator for each of seven kinds of
/// observers, and not two.
pub(crate) fn observed<'a, P: Protocol>(
    scenario: &'a Scenario<P>,
    seed: u64,
    replication: u32,
    observer: &'a mut dyn Observer<P>,
) -> Result<Simulation<'a, P, &'a mut dyn Observer<P>>, SimError> {
    Simulation::observed(scenario, seed, replication, observer)
}
