//! Many seeds, one after the other or on several threads.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{Difference, check_seed, tally::Tally};

/// Which seeds, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The first seed; the others follow.
    pub from: u64,
    /// How many; as many as there is time for, if nothing is said.
    pub count: Option<u64>,
    /// How long; until all are done, if nothing is said.
    pub time: Option<Duration>,
    /// On how many threads.
    pub jobs: usize,
}

/// What a campaign came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was compared.
    pub tally: Tally,
    /// What differs, by seed.
    pub differences: Vec<Difference>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Is told how far a campaign is, and of each difference at once.
pub trait Follow: Sync {
    /// So much was compared by now.
    fn progress(&self, done: &Outcome);
    /// This differs.
    fn differs(&self, difference: &Difference);
}

/// Nobody is told.
impl Follow for () {
    fn progress(&self, _: &Outcome) {}
    fn differs(&self, _: &Difference) {}
}

impl Campaign {
    /// Goes through the seeds until all are done, the time is over, or it is to stop.
    pub fn run(&self, stop: &AtomicBool, follow: &impl Follow) -> Outcome {
        let started = Instant::now();
        let next = AtomicU64::new(0);
        let outcome = Mutex::new(Outcome::default());
        let is_over = || {
            stop.load(Ordering::Relaxed) || self.time.is_some_and(|most| started.elapsed() >= most)
        };
        let work = || {
            while !is_over() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if self.count.is_some_and(|count| number >= count) {
                    break;
                }
                let mut tally = Tally::default();
                let compared = check_seed(self.from.wrapping_add(number), &mut tally);
                let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                outcome.tally.merge(&tally);
                outcome.elapsed = started.elapsed();
                if let Err(difference) = compared {
                    follow.differs(&difference);
                    outcome.differences.push(difference);
                }
                follow.progress(&outcome);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let mut outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcome.differences.sort_by_key(|difference| difference.seed);
        outcome
    }
}
