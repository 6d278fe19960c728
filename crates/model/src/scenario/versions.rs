//! Versions of a scenario, and handlers that take longer.

use std::hint::black_box;

use super::Scenario;
use crate::Protocol;

/// Versions and costs.
impl<P: Protocol> Scenario<P> {
    /// Declares the scenario as a version of another one, by name: with the same topology, faults and
    /// events, and other handlers. Then a check can use the steps of a graph of any of these versions
    /// (`check --graph`) if the user says which events differ (`--modified`).
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let polite = Scenario::new(Greeting, Topology::chain(2)).version_of("greeting");
    /// assert_eq!(polite.version_of.as_deref(), Some("greeting"));
    /// ```
    #[must_use]
    pub fn version_of(mut self, scenario: &str) -> Self {
        self.version_of = Some(scenario.to_owned());
        self
    }

    /// Declares that parameters distinguish versions of the scenario: their values decide what
    /// handlers do, and nothing else. What [`version_of`](Self::version_of) says of graphs holds for
    /// two values of such a parameter, too.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::chain(2)).versions_by(["words"]);
    /// assert_eq!(scenario.version_parameters, ["words"]);
    /// ```
    #[must_use]
    pub fn versions_by<N: Into<String>>(mut self, parameters: impl IntoIterator<Item = N>) -> Self {
        self.version_parameters.extend(parameters.into_iter().map(Into::into));
        self
    }

    /// Makes every handler take longer while it is explored, by this many rounds of arithmetic of
    /// about a nanosecond each: for experiments with costs. It changes no result.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let slow = Scenario::new(Greeting, Topology::chain(2)).handler_work(100_000);
    /// slow.work();
    /// ```
    #[must_use]
    pub fn handler_work(mut self, rounds: u32) -> Self {
        self.handler_work = rounds;
        self
    }

    /// Does the work that every handler does besides its own.
    pub fn work(&self) {
        let mut sum = u64::from(self.handler_work);
        for round in 0..self.handler_work {
            // Each round needs the one before.
            sum = black_box(sum.rotate_left(5) ^ u64::from(round));
        }
        black_box(sum);
    }
}
