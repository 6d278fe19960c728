//! `compare`: the cost of several searches.

mod comparison;
mod difference_report;
mod differences;
pub(crate) mod json;
mod operations;
mod report;
mod searches;
mod spec;

use std::{
    marker::PhantomData,
    ops::ControlFlow,
    sync::{Mutex, MutexGuard, PoisonError},
};

use everypath_driver::BranchText;
use everypath_explore::{Ended, Exploration, Learnt, Progress, Strategy, Watch, memory_taken};
use everypath_model::Profile;
use everypath_network::NetworkSpace;
use everypath_sim::{Workers, try_in_order};

use crate::{
    arguments::compare::{CompareArguments, ComparedArguments, Quantity},
    check::driver::refuse_search,
    error::{CliError, unused},
    output::{Outcome, complain, ensure_writable, print, print_json},
    running::{
        STACK_BYTES, interrupt,
        progress::{Line, progress_text},
        watchdog,
    },
    scenarios::{
        checked_space::{CallSpace, CheckedSpace},
        entry::{self, Entry},
        subject::Subject,
    },
    searching::{learning::learnt_from, spec::Method, verdict::outcome},
};
use comparison::{Compared, Run};
use differences::{Pair, pairs};
use report::{Report, write_plot};
use searches::{ComparedSearch, searches};
use spec::CompareSpec;

/// Compares searches of a scenario.
pub(crate) fn compare(
    entries: &[Box<dyn Entry>],
    arguments: &CompareArguments,
) -> Result<Outcome, CliError> {
    let mut spec = CompareSpec::from(arguments);
    let built = entry::find(entries, &spec.scenario.name)?.build_any(spec.scenario.parameters())?;
    let built = &built.subject();
    spec.conditions.require_own(built)?;
    ensure_measured(&spec)?;
    ensure_writable(spec.output.plot.as_deref().map(|path| ("--plot", path)))?;
    let asked = &arguments.compared;
    let learnt = learnt_from(entries, built, &asked.learn_from)?;
    let (compared, pairs) = match built.is_driver() {
        true => Comparison::<CallSpace<'_>>::made_of(built, &spec, asked, learnt)?,
        false => Comparison::<NetworkSpace<'_>>::made_of(built, &spec, asked, learnt)?,
    };
    interrupt::forget();
    tell(Report { built, spec: &spec, compared: &compared, pairs: &pairs, plot: None })
}

/// Draws and prints the measurements.
fn tell(mut report: Report<'_>) -> Result<Outcome, CliError> {
    let output = &report.spec.output;
    if let Some(path) = &output.plot {
        // The measurements are worth more than their picture.
        let written = write_plot(path, &report.to_plot()).map_err(complain);
        report.plot = written.is_ok().then_some(path);
    }
    match (output.json, output.csv) {
        (true, _) => print_json(&report.to_json()),
        (_, true) => print(&report.to_csv()),
        _ => print(&report.to_text()),
    }
    Ok(if report.is_complete() { Outcome::Fine } else { Outcome::Stopped })
}

/// Refuses to print or draw what is not measured, and to measure what is not printed.
fn ensure_measured(spec: &CompareSpec) -> Result<(), CliError> {
    if spec.output.stats && spec.output.no_time {
        return Err(unused("--stats", "--no-time"));
    }
    if spec.output.stats && spec.output.csv && !spec.against.is_empty() {
        return Err(unused("--stats", "--csv --against, which has a line for each difference"));
    }
    let drawn = |quantity| spec.output.plot_of.contains(&quantity);
    if drawn(Quantity::Time) && spec.output.no_time {
        return Err(unused("--plot-of time", "--no-time"));
    }
    if drawn(Quantity::Space) && spec.scenario.profile == Profile::Standard {
        return Err(unused("--plot-of space", "--profile standard"));
    }
    Ok(())
}

/// Searches of one scenario or driver, and how they are run, in spaces of this type.
struct Comparison<'a, S> {
    built: &'a Subject<'a>,
    spec: &'a CompareSpec,
    space: PhantomData<fn() -> S>,
}

/// One run: its search and its method.
struct Task<'a> {
    number: usize,
    place: usize,
    /// Of the run, if its search draws.
    drawn: Option<u64>,
    search: &'a ComparedSearch,
    method: Method,
}

impl<'a, S: CheckedSpace<'a>> Comparison<'a, S> {
    /// Prepares all searches and makes their runs; also the searches whose differences are wanted.
    fn made_of(
        built: &'a Subject<'a>,
        spec: &'a CompareSpec,
        asked: &ComparedArguments,
        learnt: Option<Learnt>,
    ) -> Result<(Vec<Compared>, Vec<Pair>), CliError> {
        let comparison = Self { built, spec, space: PhantomData };
        let mut compared = comparison.prepare(asked, learnt)?;
        let pairs = pairs(&compared, &spec.against)?;
        interrupt::flag();
        comparison.run(&mut compared)?;
        Ok((compared, pairs))
    }

    /// All searches; one that `check` would refuse is an error.
    fn prepare(
        &self,
        asked: &ComparedArguments,
        learnt: Option<Learnt>,
    ) -> Result<Vec<Compared>, CliError> {
        let scenario = &self.built.scenario;
        let mut compared = Vec::new();
        for mut search in searches(asked, &scenario.rankings)? {
            search.method.learnt.clone_from(&learnt);
            // One seed is enough: which options can be combined does not depend on it.
            let seeds = self.seeds(&search);
            let spec = self.spec.search(search.seeded(seeds[0]));
            if self.built.is_driver() {
                refuse_search(&spec)?;
            }
            let space = S::open(self.built, spec.space_options())?;
            spec.conditions.ensure_verifiable(&space, &self.built.name)?;
            if space.branches().is_none() && self.draws(Quantity::Branches) {
                return Err(unused("--plot-of branches", "code whose branches are not known"));
            }
            let options = spec.options(&space, scenario.max_depth);
            let options = options.map_err(|error| search.blamed(error))?;
            options
                .validate(&space)
                .map_err(|refusal| search.blamed(CliError::Refused { refusal }))?;
            compared.push(Compared { planned: seeds.len(), search, options, runs: Vec::new() });
        }
        Ok(compared)
    }

    fn draws(&self, quantity: Quantity) -> bool {
        self.spec.output.plot_of.contains(&quantity) && self.spec.output.plot.is_some()
    }

    /// The seed of each run of a search.
    fn seeds(&self, search: &ComparedSearch) -> Vec<Option<u64>> {
        if search.draws() {
            let seeds = self.spec.seeds.clone().unwrap_or_default();
            seeds.numbers.into_iter().map(Some).collect()
        } else {
            vec![None; self.spec.repeat as usize]
        }
    }

    /// Makes all runs, or as many as possible until the user stops it.
    fn run(&self, compared: &mut [Compared]) -> Result<(), CliError> {
        let searches: Vec<ComparedSearch> = compared.iter().map(|it| it.search.clone()).collect();
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (place, search) in searches.iter().enumerate() {
            for seed in self.seeds(search) {
                let number = tasks.len();
                let method = search.seeded(seed);
                tasks.push(Task { number, place, drawn: seed, search, method });
            }
        }
        for (task, run) in tasks.iter().zip(self.made(&tasks)?) {
            compared[task.place].runs.extend(run);
        }
        Ok(())
    }

    /// The runs that were made, in the order of the tasks; of several errors, the first.
    fn made(&self, tasks: &[Task<'_>]) -> Result<Vec<Option<Run>>, CliError> {
        let output = &self.spec.output;
        let line = Mutex::new(Line::new(!output.json && !output.csv));
        let workers = Workers { threads: self.spec.jobs, stack_bytes: Some(STACK_BYTES) };
        let mut made = Vec::new();
        let stopped = try_in_order(
            tasks.len() as u64,
            workers,
            Some(interrupt::flag()),
            |number, _| {
                let task = &tasks[number as usize];
                let about = format!("run {} of {}, {}", number + 1, tasks.len(), task.search.name);
                self.make(task, &mut Follower { line: &line, about })
            },
            |run| {
                made.push(run);
                ControlFlow::Continue(())
            },
        );
        locked(&line).clear();
        stopped.map(|_| made)
    }

    /// One run; `None` if the user has stopped it.
    fn make(&self, task: &Task<'_>, follower: &mut Follower<'_>) -> Result<Option<Run>, CliError> {
        let spec = self.spec.search(task.method.clone());
        let mut space = S::open(self.built, spec.space_options())?;
        let mut options = spec.options(&space, self.built.scenario.max_depth)?;
        if let (Some(most), Some(taken)) = (&mut options.limits.bytes, memory_taken()) {
            // The process may still hold memory that earlier runs have freed; this run uses it again. Only
            // the first run starts with no more than the program itself.
            *most = if task.number == 0 { *most } else { taken.max(*most) };
        }
        watchdog::watch(options.limits.time);
        let found = self.built.guarded(|| space.explore(&options, follower))?;
        let found = found.map_err(|refusal| task.search.blamed(CliError::Refused { refusal }))?;
        if found.ended == Ended::Interrupted {
            return Ok(None);
        }
        Ok(Some(Run {
            drawn: task.drawn,
            shuffle: task.method.shuffle,
            seed: task.method.seed,
            outcome: outcome(&found, space.goals().len()),
            ended: found.ended,
            events: found.counts.events,
            states_visited: found.states_visited,
            states_waiting: found.states_waiting,
            space: space_of(&found, &options.strategy),
            depth: found.depth,
            steps_found: found.finding().map(|finding| finding.trace.steps.len()),
            branches: space.branches().map(|branches| branches.iter().map(BranchText::taken).sum()),
            seconds: found.elapsed.as_secs_f64(),
            timings: found.timings,
        }))
    }
}

/// The states in memory: visited ones, and those in the list of states to be explored, which a
/// recursive procedure does not have.
fn space_of(found: &Exploration, strategy: &Strategy) -> u64 {
    match strategy {
        Strategy::DepthFirstRecursive => found.states_visited,
        _ => found.states_visited + found.states_waiting,
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Follows a run on the line that all runs share.
struct Follower<'a> {
    line: &'a Mutex<Line>,
    about: String,
}

impl Watch for Follower<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if interrupt::happened() {
            return ControlFlow::Break(());
        }
        let Self { line, about } = self;
        locked(line).update(|| format!("{about}: {}", progress_text(progress)));
        ControlFlow::Continue(())
    }
}
