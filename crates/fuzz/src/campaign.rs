//! Campaigns: many seeds, on one or several threads.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{Difference, check_seed, tally::Tally};

/// The seeds and limits of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The first seed; the others follow.
    pub from: u64,
    /// How many seeds; without limit if `None`.
    pub count: Option<u64>,
    /// The time limit; none if `None`.
    pub time: Option<Duration>,
    /// The number of threads.
    pub jobs: usize,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The comparisons.
    pub tally: Tally,
    /// The differences, by seed.
    pub differences: Vec<Difference>,
    /// The elapsed time.
    pub elapsed: Duration,
}

/// Observes the progress of a campaign, and each difference at once.
pub trait Follow: Sync {
    /// Reports the comparisons so far.
    fn progress(&self, done: &Outcome);
    /// Reports a difference.
    fn differs(&self, difference: &Difference);
}

/// Observes nothing.
impl Follow for () {
    fn progress(&self, _: &Outcome) {}
    fn differs(&self, _: &Difference) {}
}

impl Campaign {
    /// Runs the seeds until all are done, the time is over, or it is stopped.
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
