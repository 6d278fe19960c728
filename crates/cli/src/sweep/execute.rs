//! Runs all that is missing, on several threads.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

use everypath_sim::{Ending, Estimate, SimError};

use super::{
    Precise, StudyPoint,
    folder::{Folder, RunKey},
    record::{FORMAT, Kind, Packets, Record, quantities},
};
use crate::{error::CliError, kept::identity, output::Line, running::interrupt};

/// How often each point is run, and how.
pub(crate) struct Execution<'a> {
    pub(crate) points: &'a [StudyPoint],
    pub(crate) seed: u64,
    pub(crate) workers: u32,
    pub(crate) precise: Option<&'a Precise>,
    pub(crate) folder: Option<&'a Folder>,
}

/// What came of it.
pub(crate) struct Executed {
    /// For each point its runs, in the order of replications.
    pub(crate) runs: Vec<Vec<Record>>,
    /// How many were made now, and how many were there before.
    pub(crate) made: usize,
    pub(crate) kept: usize,
    pub(crate) stopped: bool,
}

/// Runs of one point that one thread makes one after the other.
struct Batch {
    point: usize,
    replications: std::ops::Range<u32>,
}

impl Execution<'_> {
    /// For each point, how many batches there are before it. Without a precision each run is for itself; with one, it is
    /// known after each run whether there is another.
    fn batches_before(&self) -> Vec<u64> {
        let batches = |point: &StudyPoint| match self.precise {
            Some(_) => 1,
            None => u64::from(point.prepared.replications()),
        };
        let add = |sum: &mut u64, count: u64| Some(std::mem::replace(sum, *sum + count));
        self.points.iter().map(batches).scan(0, add).collect()
    }

    /// The batch of a number; nothing, if there are fewer.
    fn batch(&self, number: u64, before: &[u64]) -> Option<Batch> {
        let point = before.partition_point(|before| *before <= number).checked_sub(1)?;
        let runs = self.points[point].prepared.replications();
        let place = u32::try_from(number - before[point]).ok()?;
        match self.precise {
            Some(_) if place == 0 => Some(Batch { point, replications: 0..runs }),
            None if place < runs => Some(Batch { point, replications: place..place + 1 }),
            Some(_) | None => None,
        }
    }

    /// # Errors
    /// That of the first run in order that failed.
    pub(crate) fn execute(&self, line: Line) -> Result<Executed, CliError> {
        let batches_before = self.batches_before();
        let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let most: usize =
            self.points.iter().map(|point| point.prepared.replications() as usize).sum();
        let shared = Mutex::new(Shared { line, most, done: Vec::new(), errors: Vec::new() });
        let work = || {
            while !failed.load(Ordering::Relaxed) && !interrupt::happened() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(batch) = self.batch(number, &batches_before) else { break };
                if let Err(error) = self.run_batch(&batch, &shared) {
                    failed.store(true, Ordering::Relaxed);
                    shared.lock().expect("no thread panics").errors.push((number, error));
                }
            }
        };
        interrupt::flag();
        thread::scope(|scope| {
            (1..self.workers).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let shared = shared.into_inner().expect("no thread panics");
        let first = shared.errors.into_iter().min_by_key(|(number, _)| *number);
        if let Some((_, error)) = first {
            return Err(error);
        }
        let mut executed = Executed {
            runs: self.points.iter().map(|_| Vec::new()).collect(),
            made: 0,
            kept: 0,
            stopped: interrupt::happened(),
        };
        for Done { point, record, is_kept } in shared.done {
            *(if is_kept { &mut executed.kept } else { &mut executed.made }) += 1;
            executed.runs[point].push(record);
        }
        for runs in &mut executed.runs {
            runs.sort_by_key(|record| record.replication);
        }
        Ok(executed)
    }

    fn run_batch(&self, batch: &Batch, shared: &Mutex<Shared>) -> Result<(), CliError> {
        let mut so_far: Vec<Record> = Vec::new();
        for replication in batch.replications.clone() {
            let point = &self.points[batch.point];
            let key = RunKey { hash: &point.hash, seed: self.seed, replication };
            let kept = self.folder.map_or(Ok(None), |folder| folder.kept(key))?;
            let is_kept = kept.is_some();
            let record = match kept {
                Some(record) => record,
                None => match self.run(point, replication)? {
                    Some(record) => record,
                    None => return Ok(()),
                },
            };
            so_far.push(record.clone());
            let mut shared = shared.lock().expect("no thread panics");
            shared.done.push(Done { point: batch.point, record, is_kept });
            let (done, most) = (shared.done.len(), shared.most);
            shared.line.update(|| format!("run {done} of at most {most}"));
            if self.precise.is_some_and(|precise| precise.is_reached(&so_far)) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes a run and keeps it; nothing, if it was stopped.
    fn run(&self, point: &StudyPoint, replication: u32) -> Result<Option<Record>, CliError> {
        let failed = |error: SimError| CliError::Simulation {
            help: (!point.words.is_empty()).then(|| format!("it was the point {}", point.words)),
            scenario: point.prepared.name().to_owned(),
            error,
        };
        let run = point.prepared.run(self.seed, replication, interrupt::flag()).map_err(failed)?;
        if run.ending == Ending::Stopped {
            return Ok(None);
        }
        let record = Record {
            format: FORMAT.to_owned(),
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            program: identity::program(),
            scenario: point.prepared.name().to_owned(),
            hash: point.hash.clone(),
            parameters: point.prepared.parameters(),
            used: point.prepared.used_json(),
            swept: point.swept.clone(),
            seed: self.seed,
            replication,
            simulated_seconds: run.elapsed.as_secs_f64(),
            events: run.events,
            packets: Packets {
                sent: run.packets.sent,
                delivered: run.packets.delivered,
                lost: run.packets.lost,
                dropped: run.packets.dropped,
            },
            violation: run.violation.as_ref().map(|it| it.assertion.clone()),
            results: quantities(&run),
        };
        self.folder.map_or(Ok(()), |folder| folder.keep(&record))?;
        Ok(Some(record))
    }
}

/// What all threads write.
struct Shared {
    line: Line,
    /// How many runs there are at most.
    most: usize,
    done: Vec<Done>,
    /// With the number of the batch.
    errors: Vec<(u64, CliError)>,
}

struct Done {
    point: usize,
    record: Record,
    is_kept: bool,
}

impl Precise {
    /// Whether runs of one point are enough.
    fn is_reached(&self, runs: &[Record]) -> bool {
        if runs.len() < everypath_sim::Precision::RUNS_MIN as usize {
            return false;
        }
        let wanted = |name: &str| self.of.as_ref().is_none_or(|of| of == name);
        let mut estimates = estimates(runs).into_iter().filter(|it| wanted(&it.name)).peekable();
        estimates.peek().is_some() && estimates.all(|it| it.precision() <= self.share)
    }
}

/// What the runs of a point tell about the measures of the scenario.
pub(crate) fn estimates(runs: &[Record]) -> Vec<Estimate> {
    let Some(first) = runs.first() else { return Vec::new() };
    let measures = first.results.iter().filter(|it| it.kind == Kind::Measure);
    let estimate = |(place, it): (usize, &super::record::Quantity)| {
        let value = |run: &Record| run.results[place].value.unwrap_or(f64::NAN);
        let values: Vec<f64> = runs.iter().map(value).collect();
        Estimate::of(&it.name, &it.unit, &values)
    };
    measures.enumerate().map(estimate).collect()
}
