//! The steps of a check: earlier counterexamples first, then the search, then the report and the saved files.

use std::{io::Read, path::Path, time::Instant};

use everypath_explore::{Exploration, Options, Refusal, ResumeError, Space};
use everypath_network::{NetworkSpace, Reductions};
use everypath_report::{CHECKPOINT, open_sealed};

use super::{
    cross_check::cross_check,
    files::{Locks, ensure_files},
    findings::Teller,
    growth::{Largeness, STATES_COMPARED},
    regressions::Earlier,
    report::Report,
    space_picture,
    spec::CheckSpec,
    trial::{self, Tried},
    watcher::Watcher,
};
use crate::{
    arguments::trial::EngineName,
    error::{CliError, unused},
    kept::identity::{self, Identity, Keeper},
    output::{Outcome, complain, print, print_json},
    running::{interrupt, watchdog},
    scenarios::{
        checked_space::{CallSpace, CheckedSpace, PlainSpace},
        subject::Subject,
    },
};

/// Explores a scenario or a driver, and reports the findings.
pub(super) fn explore_all(built: &Subject<'_>, spec: &CheckSpec) -> Result<Outcome, CliError> {
    match spec.trial.engine {
        _ if built.is_driver() => explore_in::<CallSpace<'_>>(built, spec),
        _ if spec.time.timed => explore_in::<PlainSpace<'_>>(built, spec),
        EngineName::Plain => explore_in::<PlainSpace<'_>>(built, spec),
        EngineName::Usual => explore_in::<NetworkSpace<'_>>(built, spec),
    }
}

/// The same, in a space of this type.
fn explore_in<'a, S: CheckedSpace<'a>>(
    built: &'a Subject<'a>,
    spec: &'a CheckSpec,
) -> Result<Outcome, CliError> {
    let kept = spec.memo.memo.as_deref().into_iter().chain(spec.graph.source());
    spec.memo.changes.ensure_used(kept)?;
    ensure_files(built, spec)?;
    let locks = Locks::take(spec)?;
    let mut check = Check::<S>::prepare(built, spec)?;
    let mut found = match check.replay_earlier()? {
        Some(found) => found,
        None => check.search()?,
    };
    let tried = check.try_it(&mut found)?;
    interrupt::forget();
    watchdog::watch(None);
    check.conclude(&mut found, &tried, &locks)
}

/// A check under way.
struct Check<'a, S> {
    built: &'a Subject<'a>,
    spec: &'a CheckSpec,
    space: S,
    options: Options,
    /// The counterexamples of earlier versions, with `--regressions`.
    earlier: Option<Earlier>,
    /// Why the memo is started from scratch, if it is.
    memo_anew: Option<String>,
    /// The checkpoint to resume from.
    saved: Option<Box<dyn Read>>,
    watcher: Watcher,
}

impl<'a, S: CheckedSpace<'a>> Check<'a, S> {
    fn prepare(built: &'a Subject<'a>, spec: &'a CheckSpec) -> Result<Self, CliError> {
        let search = &spec.search;
        let earlier = spec.regressions.open(search)?;
        // Earlier counterexamples are runs of the scenario itself.
        let own = trial::space_options(spec);
        let mut space = S::open(
            built,
            match earlier {
                Some(_) => own.reductions(Reductions::NONE),
                None => own,
            },
        )?;
        trial::ensure_has_data(space.network(), spec)?;
        search.conditions.ensure_verifiable(&space, &built.name)?;
        let options = search.options(&space, built.scenario.max_depth)?;
        let options = options.note_covered(spec.trial.verify_relation);
        let options = options.note_events(space_picture::events_noted(spec));
        let options = options.sample(spec.output.why_large.then_some(STATES_COMPARED));
        let mut memo_anew = None;
        if let (Some(opened), Some(network)) = (spec.memo.open(built)?, space.network_mut()) {
            network.remember_with(opened.memo);
            memo_anew = opened.anew;
        }
        interrupt::flag();
        watchdog::watch(search.limits.time);
        let saved = search.long_run.resume.as_deref();
        let saved = saved.map(|path| open_checkpoint(built, path)).transpose()?;
        let identity = || Identity::of(built).needed(Keeper::Checkpoint);
        let checkpoint = search.long_run.checkpoint.as_ref();
        let watcher = Watcher::new(!spec.output.json, checkpoint, identity);
        Ok(Self { built, spec, space, options, earlier, memo_anew, saved, watcher })
    }

    /// Replays earlier counterexamples. Returns the finding, if there is one.
    fn replay_earlier(&mut self) -> Result<Option<Exploration>, CliError> {
        let Self { built, spec, space, options, watcher, .. } = self;
        let Some(earlier) = &mut self.earlier else { return Ok(None) };
        // Invalid options are refused even if no search is needed.
        options.validate(space).map_err(|refusal| CliError::Refused { refusal })?;
        let started = Instant::now();
        let replayed = built.guarded(|| earlier.replay(built, space, options, watcher));
        unless_flawed(space)?;
        let found = replayed??;
        if found.is_none() {
            // The first finding of a search depends on what its space has met before: give it a new space.
            let memo = space.network_mut().and_then(NetworkSpace::take_memo);
            *space = S::open(built, trial::space_options(spec))?;
            if let (Some(memo), Some(network)) = (memo, space.network_mut()) {
                network.remember_with(memo);
            }
            let time = &mut options.limits.time;
            *time = time.map(|most| most.saturating_sub(started.elapsed()));
        }
        Ok(found)
    }

    /// Searches, or resumes a search.
    fn search(&mut self) -> Result<Exploration, CliError> {
        let Self { built, spec, space, options, saved, watcher, .. } = self;
        let search = &spec.search;
        if let Some(network) = space.network_mut() {
            if spec.graph.graph.is_some() && network.reduction_counts().is_some() {
                return Err(unused("--graph", "reductions, which change where steps lead"));
            }
            spec.graph.open(built, network, &search.conditions, &spec.memo)?;
        }
        let found = built.guarded(|| match saved {
            Some(saved) => space.resume(options, watcher, saved),
            None => Ok(space.explore(options, watcher)?),
        });
        // A flaw of the scenario explains more than the panic that it caused.
        let found = found.map_err(|panicked| unless_flawed(space).err().unwrap_or(panicked))?;
        let path = search.long_run.resume.as_deref().unwrap_or(Path::new("")).to_owned();
        found.map_err(|error| match error {
            ResumeError::Refused(refusal) => CliError::Refused { refusal },
            ResumeError::Different(difference) => CliError::OtherSearch { path, difference },
            damaged => CliError::Resume { path, what: damaged.to_string() },
        })
    }

    /// Tries what the search has relied on, to the extent that it is asked for.
    fn try_it(&mut self, found: &mut Exploration) -> Result<Tried, CliError> {
        let Self { built, spec, space, options, watcher, .. } = self;
        let mut tried = Tried::default();
        if let (Some(relation), Some(_)) = (options.relation, spec.trial.verify_relation) {
            let trial = built.guarded(|| trial::relation(space, relation, found))?;
            if trial.failure.is_some() {
                found.incomplete = found.incomplete.or(Some(trial::NO_SIMULATION));
            }
            tried.relation = Some(trial);
        }
        if spec.trial.verify_ignored {
            tried.ignored = Some(space.network().and_then(NetworkSpace::ignored_comparisons));
        }
        if spec.trial.cross_check {
            tried.engines = Some(cross_check(built, spec, options, (space, found), watcher)?);
        }
        Ok(tried)
    }

    /// Reports the findings, and saves the memo and the graph for the next check.
    fn conclude(
        self,
        found: &mut Exploration,
        tried: &Tried,
        locks: &Locks,
    ) -> Result<Outcome, CliError> {
        let Self { built, spec, mut space, options, mut earlier, watcher, .. } = self;
        let verified = space.verified_executions();
        let teller = Teller { built, spec, options: &options };
        let drawn =
            built.guarded(|| space_picture::draw(&mut space, built, spec, &options, found))?;
        let (drawn, undrawn) = match drawn.transpose() {
            Ok(path) => (path, None),
            Err(error) => (None, Some(error)),
        };
        let findings = built.guarded(|| teller.tell(&mut space, found, earlier.as_mut()))?;
        discount(found, &findings.too_late);
        let found = &*found;
        let largeness = built
            .guarded(|| Largeness::of(&mut space, built, spec, &options, found))?
            .filter(|_| earlier.as_ref().is_none_or(|earlier| earlier.found.is_none()));
        let before = earlier.as_ref().filter(|it| it.found.is_none());
        let before = before.map_or(0, |earlier| earlier.handler_executions);
        let (mut remembered, mut reused) = (None, None);
        if let Some(network) = space.network_mut() {
            let (memo, graph) = (locks.memo.as_ref(), locks.graph.as_ref());
            remembered = spec.memo.save(built, network, found, before, memo, self.memo_anew)?;
            reused = spec.graph.save(built, network, found, spec.memo.verify_reuse, graph)?;
        }
        let report = Report {
            built,
            space: &space,
            network: space.network(),
            options: &options,
            spec,
            found,
            verified,
            branches: space.branches(),
            costs: space.costs(),
            findings: &findings,
            largeness: largeness.as_ref(),
            saved: watcher.saved(),
            remembered: remembered.as_ref(),
            earlier: earlier.as_ref(),
            reused: reused.as_ref(),
            tried,
            drawn: drawn.as_deref(),
            unit: space.unit(),
        };
        watcher.clear();
        match spec.output.json {
            true => print_json(&report.to_json()),
            false => print(&report.to_text()),
        }
        let outcome = report.outcome();
        match undrawn {
            Some(error) if matches!(outcome, Outcome::Fine) => return Err(error),
            // The finding is worth more than the picture.
            Some(error) => complain(error),
            None => {}
        }
        Ok(outcome)
    }
}

/// Does not count some findings. The search has looked for no others, so it has not seen everything.
fn discount(found: &mut Exploration, too_late: &[usize]) {
    let mut place = 0..;
    found.findings.retain(|_| !too_late.contains(&place.next().expect("it does not end")));
    if !too_late.is_empty() {
        found.incomplete = found.incomplete.or(Some(TOO_LATE));
    }
}

/// Why a search is incomplete that has found only what is not counted.
const TOO_LATE: &str = "counterexamples need packets or timers that are too late (--max-late), and no others were looked for";

/// An error if a flaw of the scenario makes the findings unreliable.
fn unless_flawed(space: &impl Space) -> Result<(), CliError> {
    match space.flaw() {
        Some(flaw) => Err(CliError::Refused { refusal: Refusal::Flaw { what: flaw.to_owned() } }),
        None => Ok(()),
    }
}

/// Opens a checkpoint of this scenario and this program.
fn open_checkpoint(built: &Subject<'_>, path: &Path) -> Result<Box<dyn Read>, CliError> {
    let identity = Identity::of(built).needed(Keeper::Checkpoint);
    match open_sealed(&CHECKPOINT, path, &identity) {
        Ok(saved) => Ok(Box::new(saved)),
        Err(error) => {
            let why = "the code that was evaluated in visited states, such as assertions and assumptions, may have changed";
            let remedy = "resume with the program that has saved it, or start the search from scratch, without --resume";
            Err(identity::refusal(error, why, remedy))
        }
    }
}
