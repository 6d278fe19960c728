//! `check`: explore every path.

pub(crate) mod regressions;
pub(crate) mod report;
pub(crate) mod vacuity;
pub(crate) mod watcher;

use std::{
    io::Read,
    path::{Path, PathBuf},
    time::Instant,
};

use everypath_explore::{
    Exploration, Options, Refusal, ResumeError, Space, Trace, explore, resume, shrink,
};
use everypath_model::{DETERMINISTIC, Protocol};
use everypath_network::NetworkSpace;
use everypath_report::{CHECKPOINT, FileIdentity, FileLock, Origin, Story, TraceFile, open_sealed};
use everypath_sim::SimError;

use crate::{
    arguments::CheckArguments,
    check::{
        regressions::{Earlier, FoundBy},
        report::Report,
        watcher::Watcher,
    },
    error::CliError,
    kept::identity::{self, Identity, Keeper},
    output::{Outcome, Target, complain, ensure_unread, ensure_writable, print, print_json},
    running::{interrupt, watchdog},
    scenario_file::{Setting, Source},
    scenarios::{
        entry::{self, Built, Entry},
        subject::Subject,
        used::{UsedFile, folder_of},
    },
    searching::plan::{LongRunArguments, Plan},
    sweep::entry_of,
    traces::{
        as_test::as_test,
        chart::{ChartFile, draw},
    },
};

/// Checks what is named: a scenario, or a file that describes one.
pub(crate) fn check_named(
    entries: &[Box<dyn Entry>],
    arguments: &CheckArguments,
) -> Result<Outcome, CliError> {
    let which = &arguments.which;
    if !entry::is_file(&which.scenario) {
        return entry::find(entries, &which.scenario)?.check(arguments, None);
    }
    let (source, table) = Source::read(Path::new(&which.scenario))?;
    let setting = Setting::read(&source, &table, &which.set)?;
    setting.ensure_one("`check`", which.profile.into())?;
    entry_of(entries, &setting)?.check(&setting.completed_check(arguments), Some(&setting))
}

pub(crate) fn check<P: Protocol>(
    built: Built<P>,
    arguments: &CheckArguments,
) -> Result<Outcome, CliError> {
    let built = match arguments.start.moment() {
        None => built,
        Some(moment) => match built.starting_at(moment) {
            // A finding about the protocol, and no mistake of the caller's.
            Err(error @ CliError::Simulation { error: SimError::HandlerPanicked { .. }, .. }) => {
                complain(error);
                return Ok(Outcome::Violation);
            }
            built => built?,
        },
    };
    explored(&built.subject(), arguments)
}

fn explored(built: &Subject<'_>, arguments: &CheckArguments) -> Result<Outcome, CliError> {
    let conditions = arguments.conditions.with_required(built)?;
    let arguments = &CheckArguments { conditions, ..arguments.clone() };
    arguments.memo.changes.ensure_used(arguments)?;
    ensure_files(built, arguments)?;
    // Let go of when the check is over, or the process is.
    let _checkpoint = checkpoint_lock(&arguments.long_run)?;
    let memo_lock = arguments.memo.lock()?;
    let graph_lock = arguments.graph.lock()?;
    let plan = Plan {
        search: &arguments.search,
        conditions: &arguments.conditions,
        limits: &arguments.limits,
        long_run: &arguments.long_run,
        profile: built.parameters.profile(),
        scenario_max_depth: built.scenario.max_depth,
        timings: arguments.output.stats,
        // What is found around earlier counterexamples is made shorter, whatever the strategy.
        no_shrink: arguments.output.no_shrink && arguments.regressions.folder().is_none(),
    };
    let mut earlier = arguments.regressions.open(arguments)?;
    let mut space = built.space(plan.space_options())?;
    let mut options = plan.options(&space)?;
    let mut memo_anew = None;
    if let Some(opened) = arguments.memo.open(built)? {
        space.remember_with(opened.memo);
        memo_anew = opened.anew;
    }
    interrupt::flag();
    watchdog::watch(arguments.limits.max_time);
    let resumed = arguments.long_run.resume.as_deref();
    let saved = resumed.map(|path| open_checkpoint(built, path)).transpose()?;
    let identity = || Identity::of(built).needed(Keeper::Checkpoint);
    let mut watcher = Watcher::new(!arguments.output.json, &arguments.long_run, identity);
    let mut found_before = None;
    if let Some(earlier) = &mut earlier {
        // The search may not be needed, but it is refused all the same.
        options.validate(&space).map_err(|refusal| CliError::Refused { refusal })?;
        let started = Instant::now();
        let replayed = built.guarded(|| earlier.replay(built, &mut space, &options, &mut watcher));
        unless_flawed(&space)?;
        found_before = replayed??;
        if found_before.is_none() {
            // What a search finds first depends on what its space has met before: this one has met nothing.
            let memo = space.take_memo();
            space = built.space(plan.space_options())?;
            memo.into_iter().for_each(|memo| space.remember_with(memo));
            let time = &mut options.limits.time;
            *time = time.map(|most| most.saturating_sub(started.elapsed()));
        }
    }
    if found_before.is_none() {
        arguments.graph.open(built, &mut space, arguments)?;
    }
    let found = match (found_before, saved) {
        (Some(found), _) => Ok(Ok(found)),
        (None, saved) => built.guarded(|| match saved {
            Some(mut saved) => resume(&mut space, &options, &mut watcher, &mut saved),
            None => Ok(explore(&mut space, &options, &mut watcher)?),
        }),
    };
    let found = match found {
        // What is wrong with the scenario is a better reason than what came of it.
        Err(panicked) => return Err(unless_flawed(&space).err().unwrap_or(panicked)),
        Ok(found) => found,
    };
    let found = found.map_err(|error| match (error, resumed) {
        (ResumeError::Refused(refusal), _) => CliError::Refused { refusal },
        (ResumeError::Different(difference), path) => {
            CliError::OtherSearch { path: path.unwrap_or(Path::new("")).to_owned(), difference }
        }
        (damaged, path) => {
            let path = path.unwrap_or(Path::new("")).to_owned();
            CliError::Resume { path, what: damaged.to_string() }
        }
    })?;
    interrupt::forget();
    watchdog::watch(None);
    let verified = space.verified_executions();
    let told = built.guarded(|| {
        Findings::tell(&mut space, &found, &options, built, arguments, earlier.as_mut())
    });
    let findings = told?;
    let before = earlier.as_ref().filter(|it| it.found.is_none());
    let before = before.map_or(0, |earlier| earlier.handler_executions);
    let remembered =
        arguments.memo.save(built, &space, &found, before, memo_lock.as_ref(), memo_anew)?;
    let compared = arguments.memo.verify_reuse;
    let reused = arguments.graph.save(built, &mut space, &found, compared, graph_lock.as_ref())?;
    let report = Report {
        built,
        space: &space,
        options: &options,
        arguments,
        found: &found,
        verified,
        findings: &findings,
        saved: watcher.saved(),
        remembered: remembered.as_ref(),
        earlier: earlier.as_ref(),
        reused: reused.as_ref(),
    };
    watcher.clear();
    if arguments.output.json {
        print_json(&report.to_json());
    } else {
        print(&report.to_text());
    }
    Ok(report.outcome())
}

/// An error if something about the scenario makes all that was found unreliable.
fn unless_flawed(space: &NetworkSpace<'_>) -> Result<(), CliError> {
    match space.flaw() {
        Some(flaw) => Err(CliError::Refused { refusal: Refusal::Flaw { what: flaw.to_owned() } }),
        None => Ok(()),
    }
}

/// The right to write the checkpoint, if one is named: a search that another one overwrites now and then is not saved.
fn checkpoint_lock(long_run: &LongRunArguments) -> Result<Option<FileLock>, CliError> {
    let Some(path) = &long_run.checkpoint else { return Ok(None) };
    match FileLock::take(path) {
        Ok(Some(lock)) => Ok(Some(lock)),
        Ok(None) => Err(CliError::InUse { path: path.clone() }),
        Err(error) => {
            Err(CliError::Unwritable { option: "--checkpoint", path: path.clone(), error })
        }
    }
}

/// A search that was saved, of this scenario and by this program.
fn open_checkpoint(built: &Subject<'_>, path: &Path) -> Result<impl Read + use<>, CliError> {
    let identity = Identity::of(built).needed(Keeper::Checkpoint);
    open_sealed(&CHECKPOINT, path, &identity).map_err(|error| {
        let why = "what it has asked of the states that were visited, such as assertions and assumptions, may have changed since";
        let remedy = "go on with the program that has saved it, or start the search anew, without --resume";
        identity::refusal(error, why, remedy)
    })
}

/// Whether all files that are to be written can be, and do not get in each other's way.
fn ensure_files(built: &Subject<'_>, arguments: &CheckArguments) -> Result<(), CliError> {
    let LongRunArguments { checkpoint, resume, .. } = &arguments.long_run;
    // To go on with a search and to save it in the same file is what is usually wanted.
    let goes_on = |path: &&Path| {
        let same = |it: &PathBuf| FileIdentity::of(it).is_same_as(&FileIdentity::of(path));
        checkpoint.as_ref().is_some_and(same)
    };
    let read: Vec<&Path> = resume.as_deref().into_iter().filter(|path| !goes_on(path)).collect();
    ensure_unread(targets(arguments), &read)?;
    ensure_writable(targets(arguments))?;
    if arguments.output.trace.is_none() {
        let trace = default_trace(&built.name);
        let default = FileIdentity::of(&trace);
        let mut taken = targets(arguments).map(|(option, path)| (option, FileIdentity::of(path)));
        if let Some((option, _)) = taken.find(|(_, file)| file.is_same_as(&default)) {
            let other = "--trace, by default,";
            return Err(CliError::SameFile { option, other, path: trace });
        }
    }
    Ok(())
}

/// Where a counterexample is saved if nobody says.
fn default_trace(scenario: &str) -> PathBuf {
    format!("{scenario}.trace.json").into()
}

/// The files that the user has named to be written.
fn targets(arguments: &CheckArguments) -> impl Iterator<Item = Target<'_>> {
    let CheckArguments { long_run, memo, graph, output, .. } = arguments;
    let checkpoint = long_run.checkpoint.as_deref().map(|path| ("--checkpoint", path));
    let trace = output.trace.as_deref().map(|path| ("--trace", path));
    let files = checkpoint.into_iter().chain(memo.target()).chain(graph.target()).chain(trace);
    files.chain(output.charts.iter().map(ChartFile::target))
}

/// What was found, in words and in files.
pub(crate) struct Findings {
    /// The first violation of each assertion.
    pub(crate) counterexamples: Vec<Counterexample>,
    /// By goal: how it is reached, if it is.
    pub(crate) witnesses: Vec<Option<Story>>,
}

/// A violation in words and in a file.
pub(crate) struct Counterexample {
    pub(crate) assertion: String,
    pub(crate) explanation: Option<String>,
    pub(crate) story: Story,
    /// How many steps it had before it was made shorter.
    pub(crate) steps_found: usize,
    /// Where it was saved, if it could be.
    pub(crate) file: Option<PathBuf>,
    /// Where it was drawn.
    pub(crate) charts: Vec<String>,
    /// The same as a test, if that was asked for.
    pub(crate) test: Option<String>,
}

impl Findings {
    fn tell(
        space: &mut NetworkSpace<'_>,
        found: &Exploration,
        options: &Options,
        built: &Subject<'_>,
        arguments: &CheckArguments,
        mut earlier: Option<&mut Earlier>,
    ) -> Self {
        let shortest = match earlier.as_ref().and_then(|earlier| earlier.found) {
            None => options.strategy.finds_shortest(),
            // It is to be known again.
            Some(FoundBy::Replay { .. }) => true,
            Some(FoundBy::Neighbourhood { .. }) => false,
        };
        let shrinks = !shortest && !arguments.output.no_shrink;
        let mut counterexamples = Vec::new();
        for (number, finding) in (1..).zip(&found.findings) {
            let trace = if shrinks {
                let required = options.required_on_path.as_ref();
                shrink(space, &finding.trace, finding.assertion, required, &interrupt::happened)
            } else {
                finding.trace.clone()
            };
            let steps_found = finding.trace.steps.len();
            counterexamples.push(Counterexample::save(
                space,
                (finding.assertion, &trace),
                number,
                steps_found,
                built,
                arguments,
                earlier.as_deref_mut(),
            ));
        }
        let mut witnesses: Vec<Option<Story>> = space.goals().iter().map(|_| None).collect();
        for witness in &found.witnesses {
            witnesses[witness.goal] = Some(Story::tell(space, &witness.trace));
        }
        Self { counterexamples, witnesses }
    }
}

impl Counterexample {
    fn save(
        space: &NetworkSpace<'_>,
        (assertion, trace): (usize, &Trace),
        number: usize,
        steps_found: usize,
        built: &Subject<'_>,
        arguments: &CheckArguments,
        earlier: Option<&mut Earlier>,
    ) -> Self {
        let Subject { name, parameters, .. } = built;
        let explanation = space.explain(trace.last(), assertion);
        let assertion = space.assertions()[assertion].clone();
        let conditions = &arguments.conditions;
        let origin = Origin {
            scenario: name.clone(),
            profile: parameters.profile().name().to_owned(),
            parameters: built.values(),
            // A run to a handler that does two things can only be run again if that is looked for.
            verify_determinism: conditions.verify_determinism || assertion == DETERMINISTIC,
            disabled: conditions.disable.iter().map(ToString::to_string).collect(),
            required: conditions.require.as_ref().map(ToString::to_string),
            deadlock: conditions.deadlock,
            start: match (&built.start, space.start_digest()) {
                (Some(start), Some(digest)) => Some(start.moment.record(digest)),
                _ => None,
            },
            files: Vec::new(),
            replaced: built.file.map(UsedFile::replaced_keys).unwrap_or_default(),
        };
        let mut recorded = TraceFile::record(space, trace, origin, &assertion);
        if let Some(earlier) = earlier {
            recorded.files = built.recorded_files(&earlier.folder);
            earlier.keep(&recorded);
        }
        let file = arguments.output.trace.clone();
        let file = file.unwrap_or_else(|| default_trace(name));
        let file = numbered(file, number);
        recorded.files = built.recorded_files(folder_of(&file));
        let file = match recorded.write(&file) {
            Ok(()) => Some(file),
            // What was found is worth more than the file.
            Err(error) => {
                complain(error.into());
                None
            }
        };
        let story = Story::tell(space, trace);
        let broken = Some((assertion.as_str(), explanation.as_deref()));
        // Charts show the first counterexample.
        let charts = if number == 1 { arguments.output.charts.as_slice() } else { &[] };
        let charts = draw(charts, &story, built, broken);
        let test = arguments.output.as_test.then(|| as_test(built, &recorded));
        Self { assertion, explanation, story, steps_found, file, charts, test }
    }
}

/// A file for the first of several, or beside it for the others: `x.trace.json`, `x.2.trace.json`.
fn numbered(file: PathBuf, number: usize) -> PathBuf {
    if number == 1 {
        return file;
    }
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("trace.json");
    let name = match name.split_once('.') {
        Some((stem, extension)) => format!("{stem}.{number}.{extension}"),
        None => format!("{name}.{number}"),
    };
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_counterexamples_lie_beside_the_first() {
        assert_eq!(numbered("a/x.trace.json".into(), 1), PathBuf::from("a/x.trace.json"));
        assert_eq!(numbered("a/x.trace.json".into(), 2), PathBuf::from("a/x.2.trace.json"));
        assert_eq!(numbered("trace".into(), 3), PathBuf::from("trace.3"));
    }
}
