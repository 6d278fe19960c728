//! Counterexamples of earlier versions, in a folder: they are replayed, and their neighbourhood is explored, before the
//! search.

mod folder;
mod record;
mod report;

use std::{
    io,
    path::{Path, PathBuf},
};

use everypath_explore::{
    Ended, Exploration, Judged, Limits, Neighbourhood, Options, Retraced, Searched, Stop, Trace,
    Watch, retrace,
};
use everypath_model::Profile;
use everypath_report::TraceFile;

use crate::{
    arguments::earlier::RegressionArguments,
    error::{CliError, unused},
    kept::identity::Identity,
    output::{complain, numbers::counted},
    scenarios::subject::Subject,
    searching::spec::SearchSpec,
};
use folder::{EarlierRun, read_folder};
pub(crate) use record::RegressionsReport;

/// The default radius of a neighbourhood, in events.
const EVENTS: u32 = 3;
/// The largest number of states in all neighbourhoods: less than a second.
const STATES_MAX: u64 = 100_000;
/// Means that there is no folder.
const NO_FOLDER: &str = "none";

/// Which earlier counterexamples are replayed, and the radius of their neighbourhood.
pub(crate) struct RegressionSpec {
    regressions: Option<PathBuf>,
    neighbourhood: Option<u32>,
}

impl From<&RegressionArguments> for RegressionSpec {
    fn from(arguments: &RegressionArguments) -> Self {
        let RegressionArguments { regressions, neighbourhood } = arguments.clone();
        Self { regressions, neighbourhood }
    }
}

impl RegressionSpec {
    /// The folder, if there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.regressions.as_deref().filter(|folder| *folder != Path::new(NO_FOLDER))
    }

    /// The option that cannot be combined with `--regressions`, if there is one, and the reason.
    pub(crate) fn refusal(search: &SearchSpec) -> Option<(&'static str, &'static str)> {
        [
            (
                search.conditions.stop == Stop::Never,
                ("--keep-going", "a violation that is found before the search ends the check"),
            ),
            (
                search.conditions.stop == Stop::Each,
                ("--each-assertion", "a violation that is found before the search ends the check"),
            ),
            (
                search.long_run.resume.is_some(),
                ("--resume", "a resumed search has already begun: replay them when it begins"),
            ),
            (
                search.profile == Profile::Thesis,
                ("--profile thesis", "the published procedure begins at its start only"),
            ),
        ]
        .into_iter()
        .find_map(|(given, refusal)| given.then_some(refusal))
    }

    /// The counterexamples in the folder, if one is named.
    pub(crate) fn open(&self, search: &SearchSpec) -> Result<Option<Earlier>, CliError> {
        let Some(folder) = self.folder() else {
            return match self.neighbourhood {
                None => Ok(None),
                Some(_) => Err(unused("--neighbourhood", "no folder of --regressions")),
            };
        };
        if let Some((other, why)) = Self::refusal(search) {
            return Err(CliError::NotTogether { option: "--regressions", other, why });
        }
        let runs = read_folder(folder)?;
        ensure_writable(folder)?;
        Ok(Some(Earlier {
            folder: folder.to_owned(),
            events: self.neighbourhood.unwrap_or(EVENTS),
            runs,
            near: None,
            found: None,
            written: Vec::new(),
            handler_executions: 0,
        }))
    }
}

/// Whether counterexamples can be written to a folder, which may not exist yet.
fn ensure_writable(folder: &Path) -> Result<(), CliError> {
    let place = if folder.is_dir() { folder.join("new.trace.json") } else { folder.to_owned() };
    everypath_report::ensure_writable(&place).map_err(|error| CliError::Unwritable {
        option: "--regressions",
        path: folder.to_owned(),
        error,
    })
}

/// The counterexamples of earlier versions, and their results.
pub(crate) struct Earlier {
    pub(crate) folder: PathBuf,
    /// The radius of their neighbourhood.
    pub(crate) events: u32,
    pub(crate) runs: Vec<EarlierRun>,
    /// Their explored neighbourhood, if there is one.
    pub(crate) near: Option<Near>,
    /// How a violation was found before the search.
    pub(crate) found: Option<FoundBy>,
    /// The files that were added to the folder.
    pub(crate) written: Vec<PathBuf>,
    /// How often handlers were executed.
    pub(crate) handler_executions: u64,
}

/// The explored neighbourhood of earlier counterexamples.
pub(crate) struct Near {
    pub(crate) states: u64,
    pub(crate) ended: Ended,
}

/// How a violation was found before the search.
#[derive(Clone, Copy)]
pub(crate) enum FoundBy {
    /// By replaying one of them.
    Replay { run: usize },
    /// This many events away from one of them.
    Neighbourhood { run: usize, events: usize },
}

/// The result of an earlier counterexample.
pub(crate) enum Standing {
    /// Not known yet.
    Waiting,
    /// It violates an assertion: its own, or another one now.
    Violated { assertion: String },
    /// It can be run to its end, and violates nothing.
    Holds,
    /// It can be run to its end, but its assertion no longer exists.
    Unasserted,
    /// It can be run only up to some step.
    Parted { why: String },
    /// It does not belong to this check.
    LeftOut { why: String },
}

impl Earlier {
    /// Replays all of them, and explores their neighbourhood if none violates anything. Returns the finding, if there is
    /// one: then no search is needed.
    pub(crate) fn replay(
        &mut self,
        built: &Subject<'_>,
        space: &mut impl Searched,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Option<Exploration>, CliError> {
        let mut traces: Vec<(usize, Trace)> = Vec::new();
        let mut violated = None;
        let identity = Identity::of(built);
        for (number, run) in self.runs.iter_mut().enumerate() {
            let differs = identity.differs_from(&run.trace);
            if let Some(why) = differs.or_else(|| other_files(built, &run.trace)) {
                run.standing = Standing::LeftOut { why };
                continue;
            }
            let retraced = run_again(space, run, options.max_depth)?;
            let standing = standing(space, &run.trace, &retraced, options.max_depth);
            if matches!(standing, Standing::Violated { .. }) {
                violated = violated.or(Some(traces.len()));
            }
            run.replayed = retraced.trace.steps.len();
            run.standing = standing;
            traces.push((number, retraced.trace));
        }
        let found = match violated {
            Some(which) => {
                let (run, trace) = &traces[which];
                self.found = Some(FoundBy::Replay { run: *run });
                Some(space.explore_neighbourhood(
                    std::slice::from_ref(trace),
                    within(options, 0),
                    watch,
                ))
            }
            None if self.events == 0 || traces.is_empty() => None,
            None => self.look_around(space, &traces, options, watch),
        };
        self.handler_executions = space.handler_executions();
        Ok(found)
    }

    fn look_around(
        &mut self,
        space: &mut impl Searched,
        traces: &[(usize, Trace)],
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Option<Exploration> {
        let runs: Vec<Trace> = traces.iter().map(|(_, trace)| trace.clone()).collect();
        let found = space.explore_neighbourhood(&runs, within(options, self.events), watch);
        self.near = Some(Near { states: found.states_visited, ended: found.ended });
        let trace = &found.finding()?.trace;
        let (run, shared) = traces
            .iter()
            .map(|(run, earlier)| (*run, states_shared(earlier, trace)))
            .rev()
            .max_by_key(|(_, shared)| *shared)?;
        let events = trace.steps.len() - shared;
        self.found = Some(FoundBy::Neighbourhood { run, events });
        Some(found)
    }

    /// Adds a counterexample to the folder, unless it is there.
    pub(crate) fn keep(&mut self, recorded: &TraceFile) {
        let digest = recorded.run_digest();
        if self.runs.iter().any(|run| run.trace.run_digest() == digest) {
            return;
        }
        let path = self.folder.join(recorded.file_name());
        if path.exists() {
            return;
        }
        let made = match std::fs::create_dir(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(CliError::Folder { path: self.folder.clone(), error })
            }
            _ => recorded.write(&path).map_err(CliError::from),
        };
        match made {
            Ok(()) => self.written.push(path),
            // The finding is worth more than the file.
            Err(error) => complain(error),
        }
    }
}

fn within(options: &Options, events: u32) -> Neighbourhood {
    let states = Some(options.limits.states.map_or(STATES_MAX, |most| most.min(STATES_MAX)));
    let limits = if events == 0 { Limits::default() } else { options.limits.states(states) };
    Neighbourhood { events, max_depth: options.max_depth, limits }
}

/// After how many steps a run leaves the states of another for good.
fn states_shared(earlier: &Trace, trace: &Trace) -> usize {
    let known =
        |state| earlier.initial == state || earlier.steps.iter().any(|step| step.state == state);
    trace.steps.iter().rposition(|step| known(step.state)).map_or(0, |place| place + 1)
}

/// Why a counterexample does not belong to this check, if its files differ.
fn other_files(built: &Subject<'_>, trace: &TraceFile) -> Option<String> {
    let files = built.recorded_files(Path::new(""));
    let is_same = trace.files.iter().map(|it| &it.digest).eq(files.iter().map(|it| &it.digest));
    let why = "it is a run of another scenario file, or of one that has changed";
    (!is_same).then(|| why.to_owned())
}

fn run_again(
    space: &mut impl Searched,
    run: &EarlierRun,
    max_depth: Option<u32>,
) -> Result<Retraced, CliError> {
    let damaged = |what| CliError::DamagedTrace { path: run.file.clone(), what };
    let (initial, digests) =
        run.trace.digests().ok_or_else(|| damaged("a digest is not a hexadecimal number"))?;
    let steps = run.trace.steps.iter().map(|step| &step.event).zip(digests);
    retrace(space, initial, steps, max_depth).ok_or_else(|| damaged("the scenario has no start"))
}

fn standing(
    space: &impl Judged,
    recorded: &TraceFile,
    retraced: &Retraced,
    max_depth: Option<u32>,
) -> Standing {
    let names = space.assertions();
    let own = names.iter().position(|name| *name == recorded.assertion);
    let violated = own.filter(|&own| retraced.verdict.violates(own)).or(retraced.verdict.first());
    if let Some(assertion) = violated {
        return Standing::Violated { assertion: names[assertion].clone() };
    }
    let run = retraced.trace.steps.len();
    match recorded.steps.get(run) {
        Some(next) if retraced.divergence.is_some() => Standing::Parted {
            why: format!("step {}, `{}`, cannot happen", run + 1, next.event.sentence),
        },
        Some(_) => Standing::Parted {
            why: format!(
                "a run has at most {} here",
                counted(max_depth.unwrap_or_default().into(), "event")
            ),
        },
        None if own.is_none() => Standing::Unasserted,
        None => Standing::Holds,
    }
}
