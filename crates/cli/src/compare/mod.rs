//! `compare`: what several searches take.

pub(crate) mod comparison;
pub(crate) mod report;
pub(crate) mod searches;

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use everypath_explore::{
    Ended, Exploration, Progress, Space, Strategy, Watch, explore, memory_taken,
};
use everypath_model::Profile;

use crate::{
    STACK_BYTES,
    arguments::CompareArguments,
    compare::{
        comparison::{Compared, Quantity, Run},
        report::{Report, write_plot},
        searches::{ComparedSearch, searches},
    },
    error::CliError,
    output::{Line, Outcome, complain, ensure_writable, print, print_json, progress_text},
    running::{interrupt, watchdog},
    scenarios::subject::Subject,
    searching::{
        plan::{LongRunArguments, Plan, SearchArguments},
        verdict::outcome,
    },
};

pub(crate) fn compare(
    built: &Subject<'_>,
    arguments: &CompareArguments,
) -> Result<Outcome, CliError> {
    let conditions = arguments.conditions.with_required(built)?;
    let arguments = &CompareArguments { conditions, ..arguments.clone() };
    ensure_drawable(arguments, built.parameters.profile())?;
    ensure_writable(arguments.output.plot.as_deref().map(|path| ("--plot", path)))?;
    let comparison = Comparison { built, arguments, long_run: LongRunArguments::default() };
    let mut compared = comparison.prepare()?;
    interrupt::flag();
    comparison.run(&mut compared)?;
    interrupt::forget();
    let mut report = Report { built, arguments, compared: &compared, plot: None };
    if let Some(path) = &arguments.output.plot {
        // What was measured is worth more than a picture of it.
        let written = write_plot(path, &report.to_plot()).map_err(complain);
        report.plot = written.is_ok().then_some(path);
    }
    let output = &arguments.output;
    match (output.json, output.csv) {
        (true, _) => print_json(&report.to_json()),
        (_, true) => print(&report.to_csv()),
        _ => print(&report.to_text()),
    }
    Ok(if report.is_complete() { Outcome::Fine } else { Outcome::Stopped })
}

/// Whether what is to be drawn is measured.
fn ensure_drawable(arguments: &CompareArguments, profile: Profile) -> Result<(), CliError> {
    let drawn = |quantity| arguments.output.plot_of.contains(&quantity);
    if drawn(Quantity::Time) && arguments.output.no_time {
        return Err(CliError::Unused {
            option: "--plot-of time".to_owned(),
            with: "--no-time".to_owned(),
        });
    }
    if drawn(Quantity::Space) && profile == Profile::Standard {
        let with = "--profile standard".to_owned();
        return Err(CliError::Unused { option: "--plot-of space".to_owned(), with });
    }
    Ok(())
}

/// Searches of one scenario, and how they are run.
struct Comparison<'a> {
    built: &'a Subject<'a>,
    arguments: &'a CompareArguments,
    /// Nothing is saved: a comparison runs what can be run again.
    long_run: LongRunArguments,
}

/// One run: of which search, and what it is told.
struct Task<'a> {
    number: usize,
    place: usize,
    search: &'a ComparedSearch,
    arguments: SearchArguments,
}

impl<'a> Comparison<'a> {
    fn plan<'b>(&'b self, search: &'b SearchArguments) -> Plan<'b> {
        Plan {
            search,
            conditions: &self.arguments.conditions,
            limits: &self.arguments.limits,
            long_run: &self.long_run,
            profile: self.built.parameters.profile(),
            scenario_max_depth: self.built.scenario.max_depth,
            timings: false,
            no_shrink: false,
        }
    }

    /// All searches, none of which `check` would refuse.
    fn prepare(&self) -> Result<Vec<Compared>, CliError> {
        let asked = &self.arguments.compared;
        let searches = searches(asked, &self.built.scenario.rankings)?;
        let mut compared = Vec::new();
        for search in searches {
            // The first seed stands for all: what does not go together does not depend on it.
            let seeds = self.seeds(&search);
            let arguments = search.seeded(seeds[0]);
            let plan = self.plan(&arguments);
            let space = self.built.space(plan.space_options())?;
            let options = plan.options(&space).map_err(|error| search.blamed(error))?;
            options
                .validate(&space)
                .map_err(|refusal| search.blamed(CliError::Refused { refusal }))?;
            compared.push(Compared { planned: seeds.len(), search, options, runs: Vec::new() });
        }
        Ok(compared)
    }

    /// The seed of each run of a search.
    fn seeds(&self, search: &ComparedSearch) -> Vec<Option<u64>> {
        let asked = &self.arguments.compared;
        if search.draws() {
            let seeds = asked.seeds.clone().unwrap_or_default();
            seeds.numbers.into_iter().map(Some).collect()
        } else {
            vec![None; asked.repeat.unwrap_or(1) as usize]
        }
    }

    /// Makes all runs, or those that there is time for until the user stops it.
    fn run(&self, compared: &mut [Compared]) -> Result<(), CliError> {
        let searches: Vec<ComparedSearch> = compared.iter().map(|it| it.search.clone()).collect();
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (place, search) in searches.iter().enumerate() {
            for seed in self.seeds(search) {
                let number = tasks.len();
                tasks.push(Task { number, place, search, arguments: search.seeded(seed) });
            }
        }
        for (task, run) in tasks.iter().zip(self.made(&tasks)?) {
            compared[task.place].runs.extend(run);
        }
        Ok(())
    }

    /// The runs, in the order of the tasks, whoever has made them.
    fn made(&self, tasks: &[Task<'_>]) -> Result<Vec<Option<Run>>, CliError> {
        let output = &self.arguments.output;
        let line = Mutex::new(Line::new(!output.json && !output.csv));
        let next = AtomicUsize::new(0);
        let made = Mutex::new(tasks.iter().map(|_| None).collect::<Vec<_>>());
        let work = || {
            while !interrupt::happened() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(number) else { break };
                let about = format!("run {} of {}, {}", number + 1, tasks.len(), task.search.name);
                let result = self.make(task, &mut Follower { line: &line, about });
                if result.is_err() {
                    // Those that were begun before come to their end: the first error is told.
                    next.store(tasks.len(), Ordering::Relaxed);
                }
                locked(&made)[number] = Some(result);
            }
        };
        match self.arguments.compared.jobs {
            1 => work(),
            jobs => thread::scope(|scope| {
                for _ in 0..jobs {
                    let thread = thread::Builder::new().stack_size(STACK_BYTES);
                    thread.spawn_scoped(scope, work).expect("a thread can be started");
                }
            }),
        }
        locked(&line).clear();
        let made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        made.into_iter().map(|result| result.unwrap_or(Ok(None))).collect()
    }

    /// One run; nothing if the user has stopped it.
    fn make(&self, task: &Task<'_>, follower: &mut Follower<'_>) -> Result<Option<Run>, CliError> {
        let plan = self.plan(&task.arguments);
        let mut space = self.built.space(plan.space_options())?;
        let mut options = plan.options(&space)?;
        if let (Some(most), Some(taken)) = (&mut options.limits.bytes, memory_taken()) {
            // What earlier runs have let go of may still be the process's; this one uses it again. Only the
            // first has to do with what the program itself takes.
            *most = if task.number == 0 { *most } else { taken.max(*most) };
        }
        watchdog::watch(options.limits.time);
        let found = self.built.guarded(|| explore(&mut space, &options, follower))?;
        let found = found.map_err(|refusal| task.search.blamed(CliError::Refused { refusal }))?;
        if found.ended == Ended::Interrupted {
            return Ok(None);
        }
        Ok(Some(Run {
            shuffle: task.arguments.shuffle,
            seed: task.arguments.seed,
            outcome: outcome(&found, space.goals().len()),
            ended: found.ended,
            events: found.counts.events,
            states_visited: found.states_visited,
            states_waiting: found.states_waiting,
            space: space_of(&found, &options.strategy),
            depth: found.depth,
            steps_found: found.finding().map(|finding| finding.trace.steps.len()),
            seconds: found.elapsed.as_secs_f64(),
        }))
    }
}

/// The states that are kept: those that were visited, and those of a list to be explored, which a
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
