//! Running instances, one or several at a time.

use std::{
    ops::ControlFlow,
    sync::{
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use everypath_explore::{
    ExploredPart, Options, Progress, Refusal, Space, Start, Starts, Trace, Watch,
};
use everypath_network::NetworkSpace;
use everypath_network::explore_part;

use super::{
    answer::{Answer, Found, PartAnswer, Run},
    digests::Seen,
    trunk::{Instance, InstanceStart},
};
use crate::{
    check::spec::CheckSpec,
    error::CliError,
    output::numbers::{counted, grouped},
    running::{STACK_BYTES, interrupt, progress::Line},
    scenarios::subject::Subject,
};

/// The time between looks at the progress of all threads.
const EVERY: Duration = Duration::from_millis(100);

/// What all instances have in common.
pub(super) struct Runner<'a> {
    pub(super) built: &'a Subject<'a>,
    pub(super) spec: &'a CheckSpec,
    pub(super) options: &'a Options,
    /// Whether the scenario gives the starts, so that they are to be judged.
    pub(super) is_covering: bool,
    pub(super) union: bool,
    /// When the whole run began.
    pub(super) started: Instant,
}

/// Which instances are run, and how.
pub(super) struct Order {
    /// Their places.
    pub(super) places: Vec<usize>,
    pub(super) jobs: u32,
    /// Whether none is run after the first that is violated.
    pub(super) first: bool,
}

/// The progress of all threads.
struct Shared {
    /// How many instances were taken.
    taken: AtomicUsize,
    /// No instance behind this one is needed.
    last: AtomicUsize,
    /// The states of instances that are over, or under way.
    states: AtomicU64,
}

/// Follows one of several instances.
struct InstanceWatch<'a> {
    shared: &'a Shared,
    place: usize,
    /// How many of its states are counted.
    counted: u64,
}

impl Watch for InstanceWatch<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let new = progress.states_visited.saturating_sub(self.counted);
        self.shared.states.fetch_add(new, Ordering::Relaxed);
        self.counted += new;
        let is_needed = self.place <= self.shared.last.load(Ordering::Relaxed);
        if interrupt::happened() || !is_needed {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Runner<'_> {
    /// Runs instances, and passes on each answer as soon as it is there. The answers do not depend on the
    /// number of threads; their order does.
    pub(super) fn run(
        &self,
        instances: &[Instance],
        order: &Order,
        line: &mut Line,
        mut done: impl FnMut(usize, PartAnswer),
    ) -> Result<(), CliError> {
        let shared = Shared {
            taken: AtomicUsize::new(0),
            last: AtomicUsize::new(usize::MAX),
            states: AtomicU64::new(0),
        };
        let mut failed: Option<(usize, CliError)> = None;
        thread::scope(|scope| {
            let (send, answers) = mpsc::channel();
            for job in 0..order.jobs.min(order.places.len().max(1) as u32) {
                let (send, shared) = (send.clone(), &shared);
                let name = format!("instances-{}", job + 1);
                let builder = thread::Builder::new().name(name).stack_size(STACK_BYTES);
                let work = move || self.work(instances, order, shared, |it| send.send(it).is_ok());
                // Without memory for another thread, there are fewer.
                if builder.spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            drop(send);
            let mut over = 0;
            loop {
                match answers.recv_timeout(EVERY) {
                    Ok((place, Ok(answer))) => {
                        over += 1;
                        if order.first && answer.answer.is_violated() {
                            shared.last.fetch_min(place, Ordering::Relaxed);
                        }
                        done(place, answer);
                    }
                    Ok((place, Err(error))) => {
                        // Of several errors, the first in order.
                        shared.last.fetch_min(place, Ordering::Relaxed);
                        if failed.as_ref().is_none_or(|(other, _)| place < *other) {
                            failed = Some((place, error));
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                let states = shared.states.load(Ordering::Relaxed);
                line.update(|| {
                    let all = counted(order.places.len() as u64, "instance");
                    format!("{} of {all} done, {} states", grouped(over), grouped(states))
                });
            }
        });
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Runs the next instance, until there is none.
    fn work(
        &self,
        instances: &[Instance],
        order: &Order,
        shared: &Shared,
        send: impl Fn((usize, Result<PartAnswer, CliError>)) -> bool,
    ) {
        while let Some(&place) = order.places.get(shared.taken.fetch_add(1, Ordering::Relaxed)) {
            let is_needed = place <= shared.last.load(Ordering::Relaxed);
            if interrupt::happened() || !is_needed {
                return;
            }
            let mut watch = InstanceWatch { shared, place, counted: 0 };
            let explore = || self.explore(place, &instances[place].starts, &mut watch);
            let answer = self.built.guarded(explore).and_then(|answer| answer);
            if !send((place, answer)) {
                return;
            }
        }
    }

    /// Explores from some starts, in a space of their own.
    pub(super) fn explore(
        &self,
        place: usize,
        starts: &[InstanceStart],
        watch: &mut dyn Watch,
    ) -> Result<PartAnswer, CliError> {
        let Self { built, spec, options, .. } = self;
        let mut space = built.space(spec.search.space_options())?;
        let mut options = (*options).clone();
        let time = &mut options.limits.time;
        *time = time.map(|most| most.saturating_sub(self.started.elapsed()));
        let decoded = built.guarded(|| {
            let decoded = starts.iter().map(|start| {
                Ok(Start { depth: start.depth, state: space.decode_whole(&start.bytes)? })
            });
            decoded.collect::<Result<Vec<Start>, everypath_network::DecodeError>>()
        })?;
        let starts = decoded.map_err(|error| CliError::Unreadable {
            what: format!("a start of an instance cannot be read back: {error}"),
            help: Some("the states of a protocol must be written and read without loss".to_owned()),
        })?;
        let from = match self.is_covering {
            true => Starts::Given(&starts),
            false => Starts::Reached(&starts),
        };
        let part =
            built.guarded(|| explore_part(&mut space, &options, watch, from, &mut |_, _, _| false));
        let part = flawless(&space, part)?;
        Ok(self.answer(place, &space, &part, &starts))
    }

    fn answer(
        &self,
        place: usize,
        space: &NetworkSpace<'_>,
        part: &ExploredPart,
        starts: &[Start],
    ) -> PartAnswer {
        let found = |what, trace: &Trace| {
            let start = starts.iter().position(|start| start.state == trace.initial);
            let run = Run::record(space, trace);
            Found { what, instance: Some(place), start: start.unwrap_or_default(), run }
        };
        let violations = part.found.findings.iter();
        let goals = part.found.witnesses.iter();
        PartAnswer {
            answer: Answer::of(&part.found, self.spec.search.limits.memory),
            violations: violations.map(|it| found(it.assertion, &it.trace)).collect(),
            goals: goals.map(|it| found(it.goal, &it.trace)).collect(),
            seen: self.union.then(|| Seen::of(space, part)),
        }
    }
}

/// The part of a search, unless the scenario is flawed: that explains more than a panic that it caused.
pub(super) fn flawless(
    space: &NetworkSpace<'_>,
    part: Result<Result<ExploredPart, Refusal>, CliError>,
) -> Result<ExploredPart, CliError> {
    let part = part.map_err(|panicked| unless_flawed(space).err().unwrap_or(panicked))?;
    part.map_err(|refusal| CliError::Refused { refusal })
}

/// An error if a flaw of the scenario makes the findings unreliable.
pub(super) fn unless_flawed(space: &NetworkSpace<'_>) -> Result<(), CliError> {
    match space.flaw() {
        Some(flaw) => Err(CliError::Refused { refusal: Refusal::Flaw { what: flaw.to_owned() } }),
        None => Ok(()),
    }
}
