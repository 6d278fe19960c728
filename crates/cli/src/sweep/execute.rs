//! Makes all missing runs, on several threads.

use std::{borrow::Borrow, ops::ControlFlow, sync::Mutex};

use everypath_sim::{Ending, Estimate, Limits, Precision, SimError, try_in_order};

use super::{
    StudyPoint,
    folder::{Folder, RunKey},
    record::{FORMAT, Kind, Packets, Record, quantities},
};
use crate::{
    error::CliError,
    kept::identity,
    running::{interrupt, progress::Line},
    scenarios::any_scenario::RunNumber,
};

/// How often each point is run, and how.
pub(crate) struct Execution<'a> {
    pub(crate) points: &'a [StudyPoint],
    pub(crate) seed: u64,
    pub(crate) workers: u32,
    pub(crate) precision: Option<&'a Precision>,
    pub(crate) folder: Option<&'a Folder>,
}

/// The runs of all points.
pub(crate) struct Executed {
    /// For each point its runs, in the order of replications.
    pub(crate) runs: Vec<Vec<Record>>,
    /// How many were made now, and how many were kept from before.
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
    /// For each point the number of batches before it, and at the end the number of all. Without a precision each run is a
    /// batch; with one, each point is, because each run decides whether there is another.
    fn batches_before(&self) -> Vec<u64> {
        let batches = |point: &StudyPoint| match self.precision {
            Some(_) => 1,
            None => u64::from(point.scenario.timing().replications),
        };
        let add = |sum: &mut u64, count: u64| Some(std::mem::replace(sum, *sum + count));
        self.points.iter().map(batches).chain([0]).scan(0, add).collect()
    }

    /// The batch of a number.
    fn batch(&self, number: u64, before: &[u64]) -> Batch {
        let points = &before[..self.points.len()];
        let point = points.partition_point(|before| *before <= number) - 1;
        let runs = self.points[point].scenario.timing().replications;
        let place = (number - before[point]) as u32;
        let replications = if self.precision.is_some() { 0..runs } else { place..place + 1 };
        Batch { point, replications }
    }

    /// # Errors
    /// That of the first failed run, in order.
    pub(crate) fn execute(&self, line: Line) -> Result<Executed, CliError> {
        let before = self.batches_before();
        let runs = self.points.iter().map(|point| point.scenario.timing().replications as usize);
        let progress = Mutex::new(Progress { line, done: 0, most: runs.sum() });
        let mut executed = Executed {
            runs: self.points.iter().map(|_| Vec::new()).collect(),
            made: 0,
            kept: 0,
            stopped: false,
        };
        try_in_order(
            before.last().copied().unwrap_or(0),
            self.workers,
            Some(interrupt::flag()),
            |number, _| {
                let batch = self.batch(number, &before);
                self.run_batch(&batch, &progress).map(|done| (batch.point, done))
            },
            |(point, done)| {
                executed.add(point, done);
                ControlFlow::Continue(())
            },
        )?;
        executed.stopped = interrupt::happened();
        Ok(executed)
    }

    /// The runs of a batch, or those that were made before the user stopped it.
    fn run_batch(&self, batch: &Batch, progress: &Mutex<Progress>) -> Result<Vec<Done>, CliError> {
        let point = &self.points[batch.point];
        let mut done: Vec<Done> = Vec::new();
        for replication in batch.replications.clone() {
            let key = RunKey { hash: &point.hash, seed: self.seed, replication };
            let kept = self.folder.map_or(Ok(None), |folder| folder.kept(key))?;
            let is_kept = kept.is_some();
            let record = match kept {
                Some(record) => record,
                None => match self.run(point, replication)? {
                    Some(record) => record,
                    None => break,
                },
            };
            done.push(Done { record, is_kept });
            progress.lock().expect("no thread panics").another();
            if self.precision.is_some_and(|precision| is_reached(precision, &done)) {
                break;
            }
        }
        Ok(done)
    }

    /// Makes a run and keeps it; `None` if it was stopped.
    fn run(&self, point: &StudyPoint, replication: u32) -> Result<Option<Record>, CliError> {
        let name = &point.scenario.origins().name;
        let failed = |error: SimError| CliError::Simulation {
            help: (!point.words.is_empty()).then(|| format!("it was the point {}", point.words)),
            scenario: name.clone(),
            error,
        };
        let number = RunNumber { seed: self.seed, replication };
        let limits = Limits::default().stop(interrupt::flag());
        let run = point.scenario.run(number, &limits).map_err(failed)?;
        if run.ending == Ending::Stopped {
            return Ok(None);
        }
        let subject = point.scenario.subject();
        let record = Record {
            format: FORMAT.to_owned(),
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            program: identity::program(),
            scenario: name.clone(),
            hash: point.hash.clone(),
            parameters: subject.values(),
            used: subject.used(),
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

impl Executed {
    /// Adds runs of a point.
    fn add(&mut self, point: usize, done: Vec<Done>) {
        for Done { record, is_kept } in done {
            *(if is_kept { &mut self.kept } else { &mut self.made }) += 1;
            self.runs[point].push(record);
        }
    }
}

/// The progress of all threads together.
struct Progress {
    line: Line,
    done: usize,
    /// The largest number of runs.
    most: usize,
}

impl Progress {
    /// Another run is done.
    fn another(&mut self) {
        self.done += 1;
        let Self { done, most, .. } = *self;
        self.line.update(|| format!("run {done} of at most {most}"));
    }
}

struct Done {
    record: Record,
    is_kept: bool,
}

/// Whether the runs of one point are precise enough.
fn is_reached(precision: &Precision, done: &[Done]) -> bool {
    if done.len() < Precision::RUNS_MIN as usize {
        return false;
    }
    let wanted = |name: &str| precision.of.as_ref().is_none_or(|of| of == name);
    let runs: Vec<&Record> = done.iter().map(|it| &it.record).collect();
    let mut estimates = estimates(&runs).into_iter().filter(|it| wanted(&it.name)).peekable();
    estimates.peek().is_some() && estimates.all(|it| it.precision() <= precision.share)
}

/// The measures of the scenario over the runs of a point.
pub(crate) fn estimates<R: Borrow<Record>>(runs: &[R]) -> Vec<Estimate> {
    let Some(first) = runs.first() else { return Vec::new() };
    let measures = first.borrow().results.iter().filter(|it| it.kind == Kind::Measure);
    let estimate = |(place, it): (usize, &super::record::Quantity)| {
        let value = |run: &R| run.borrow().results[place].value.unwrap_or(f64::NAN);
        let values: Vec<f64> = runs.iter().map(value).collect();
        Estimate::of(&it.name, &it.unit, &values)
    };
    measures.enumerate().map(estimate).collect()
}
