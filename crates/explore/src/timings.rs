//! The time of each operation of a search.

use std::time::Duration;

/// Where the time was spent. Most of it is an estimate from a sample of the expanded states, scaled to
/// the whole; execution and reading are measured every time. All of it adds up to the whole.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore};
///
/// let options = Options::default().timings(true);
/// let found = explore(&mut ModelSpace::new(Counter), &options, &mut ()).unwrap();
/// let timings = found.timings.expect("they were asked for");
/// println!("{:?} for assertions, {:?} for the store", timings.assertion, timings.store());
/// let parts: std::time::Duration = timings.operations().into_iter().map(|(_, time)| time).sum();
/// assert_eq!(parts + timings.measuring, timings.total());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timings {
    /// Finding enabled events, and naming the states they lead to.
    pub expansion: Duration,
    /// Shuffling enabled events.
    pub shuffling: Duration,
    /// Executing handlers whose results were not memoised.
    pub execution: Duration,
    /// Evaluating assertions and goals.
    pub assertion: Duration,
    /// Fingerprints of states, and what a relation compares first. Exact states need none: their
    /// numbers, which belong to the expansion, identify them.
    pub hashing: Duration,
    /// Looking states up.
    pub search: Duration,
    /// Storing new states.
    pub insertion: Duration,
    /// Computing ranks.
    pub ranking: Duration,
    /// Putting states into the frontier and taking them out: sorting and packing included.
    pub frontier: Duration,
    /// Reading what is kept of earlier explorations, before and during this one.
    pub reading: Duration,
    /// Looking up steps that were read.
    pub look_up: Duration,
    /// Everything else: counting, limits, progress, checkpoints.
    pub other: Duration,
    /// The approximate cost of measuring.
    pub measuring: Duration,
}

impl Timings {
    /// The operations with their names, without measuring.
    ///
    /// ```
    /// use everypath_explore::Timings;
    ///
    /// let names: Vec<&str> = Timings::default().operations().map(|(name, _)| name).into();
    /// assert_eq!(names[..3], ["expansion", "shuffling", "execution"]);
    /// ```
    #[must_use]
    pub fn operations(&self) -> [(&'static str, Duration); 12] {
        [
            ("expansion", self.expansion),
            ("shuffling", self.shuffling),
            ("execution", self.execution),
            ("assertion", self.assertion),
            ("hashing", self.hashing),
            ("search", self.search),
            ("insertion", self.insertion),
            ("ranking", self.ranking),
            ("frontier", self.frontier),
            ("reading", self.reading),
            ("look_up", self.look_up),
            ("other", self.other),
        ]
    }

    /// Hashing, search and insertion.
    #[must_use]
    pub fn store(&self) -> Duration {
        self.hashing + self.search + self.insertion
    }

    /// The whole time: all operations, and measuring.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.operations().iter().map(|(_, time)| *time).sum::<Duration>() + self.measuring
    }

    /// Adds the time of the search before, in the same space. What was read is counted by the space,
    /// since before the first search.
    pub(crate) fn follows(&mut self, before: &Self) {
        for (time, earlier) in [
            (&mut self.expansion, before.expansion),
            (&mut self.shuffling, before.shuffling),
            (&mut self.execution, before.execution),
            (&mut self.assertion, before.assertion),
            (&mut self.hashing, before.hashing),
            (&mut self.search, before.search),
            (&mut self.insertion, before.insertion),
            (&mut self.ranking, before.ranking),
            (&mut self.frontier, before.frontier),
            (&mut self.look_up, before.look_up),
            (&mut self.other, before.other),
            (&mut self.measuring, before.measuring),
        ] {
            *time += earlier;
        }
        self.reading = self.reading.max(before.reading);
    }
}
