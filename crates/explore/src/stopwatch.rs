//! A stopwatch for the parts of a search.

use std::time::{Duration, Instant};

use crate::exploration::Timings;

/// An operation of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Expansion,
    Assertion,
    Store,
    Ranking,
    Frontier,
}

/// Measures consecutive operations, if it is switched on.
pub(crate) struct Stopwatch {
    on: bool,
    last: Instant,
    laps: u64,
    spent: [Duration; 5],
}

impl Stopwatch {
    pub(crate) fn new(on: bool) -> Self {
        Self { on, last: Instant::now(), laps: 0, spent: [Duration::ZERO; 5] }
    }

    /// Starts a lap. The time since the last lap belongs to no operation.
    #[inline]
    pub(crate) fn start(&mut self) {
        if self.on {
            self.last = Instant::now();
            self.laps += 1;
        }
    }

    /// Ends a lap: the time since the last one belongs to this operation.
    #[inline]
    pub(crate) fn lap(&mut self, operation: Operation) {
        if self.on {
            let now = Instant::now();
            self.spent[operation as usize] += now - self.last;
            self.last = now;
            self.laps += 1;
        }
    }

    pub(crate) fn timings(&self, execution: Duration) -> Option<Timings> {
        let spent = |operation: Operation| self.spent[operation as usize];
        self.on.then(|| Timings {
            expansion: spent(Operation::Expansion).saturating_sub(execution),
            execution,
            assertion: spent(Operation::Assertion),
            store: spent(Operation::Store),
            ranking: spent(Operation::Ranking),
            frontier: spent(Operation::Frontier),
            measuring: lap_cost() * u32::try_from(self.laps).unwrap_or(u32::MAX),
        })
    }
}

/// The time that one reading of the clock takes.
fn lap_cost() -> Duration {
    const LOOKS: u32 = 10_000;
    let start = Instant::now();
    for _ in 0..LOOKS {
        std::hint::black_box(Instant::now());
    }
    start.elapsed() / LOOKS
}
