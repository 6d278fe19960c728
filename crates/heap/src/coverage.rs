//! `Coverage`: how often each branch of a subject was taken.

/// How often each branch was taken, by site and outcome.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_explore::{Options, explore};
/// use everypath_heap::{Settings, SubjectSpace};
///
/// let mut space = SubjectSpace::new(stack::stack::Code, &Settings::new(2)).unwrap();
/// explore(&mut space, &Options::default().max_depth(2), &mut ()).unwrap();
/// let coverage = space.coverage();
/// // `pop` finds a stack that is empty once, and one that is not twice. Invariants do not count.
/// assert_eq!((coverage.of(0), coverage.covered()), ((2, 1), 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By site: how often the condition did not hold, and how often it did.
    taken: Vec<[u64; 2]>,
}

impl Coverage {
    pub(crate) fn new(sites: usize) -> Self {
        Self { taken: vec![[0; 2]; sites] }
    }

    #[inline(always)]
    pub(crate) fn note(&mut self, site: usize, holds: bool, times: u64) {
        if let Some(taken) = self.taken.get_mut(site) {
            taken[usize::from(holds)] += times;
        }
    }

    /// How often the condition at a site held, and how often it did not.
    ///
    /// # Panics
    /// If there is no such site.
    #[must_use]
    pub fn of(&self, site: usize) -> (u64, u64) {
        (self.taken[site][1], self.taken[site][0])
    }

    /// How many branches were taken.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.taken.as_flattened().iter().filter(|&&times| times > 0).count()
    }

    pub(crate) fn counts(&self) -> &[u64] {
        self.taken.as_flattened()
    }

    /// Adds counts, which must be as many.
    pub(crate) fn add(&mut self, counts: &[u64]) {
        self.taken
            .as_flattened_mut()
            .iter_mut()
            .zip(counts)
            .for_each(|(taken, more)| *taken += more);
    }
}
