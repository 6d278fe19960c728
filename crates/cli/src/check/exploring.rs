//! The steps of a check: earlier counterexamples first, then the search, then the report and the saved files.

use std::{io::Read, path::Path, time::Instant};

use everypath_explore::{Exploration, Options, Refusal, ResumeError, Space, explore, resume};
use everypath_network::{NetworkSpace, Reductions};
use everypath_report::{CHECKPOINT, open_sealed};

use super::{
    files::{Locks, ensure_files},
    findings::Teller,
    regressions::Earlier,
    report::Report,
    spec::CheckSpec,
    watcher::Watcher,
};
use crate::{
    error::{CliError, unused},
    kept::identity::{self, Identity, Keeper},
    output::{Outcome, print, print_json},
    running::{interrupt, watchdog},
    scenarios::subject::Subject,
};

/// Explores a scenario, and reports the findings.
pub(super) fn explore_all(built: &Subject<'_>, spec: &CheckSpec) -> Result<Outcome, CliError> {
    let kept = spec.memo.memo.as_deref().into_iter().chain(spec.graph.source());
    spec.memo.changes.ensure_used(kept)?;
    ensure_files(built, spec)?;
    let locks = Locks::take(spec)?;
    let mut check = Check::prepare(built, spec)?;
    let found = match check.replay_earlier()? {
        Some(found) => found,
        None => check.search()?,
    };
    interrupt::forget();
    watchdog::watch(None);
    check.conclude(&found, &locks)
}

/// A check under way.
struct Check<'a> {
    built: &'a Subject<'a>,
    spec: &'a CheckSpec,
    space: NetworkSpace<'a>,
    options: Options,
    /// The counterexamples of earlier versions, with `--regressions`.
    earlier: Option<Earlier>,
    /// Why the memo is started from scratch, if it is.
    memo_anew: Option<String>,
    /// The checkpoint to resume from.
    saved: Option<Box<dyn Read>>,
    watcher: Watcher,
}

impl<'a> Check<'a> {
    fn prepare(built: &'a Subject<'a>, spec: &'a CheckSpec) -> Result<Self, CliError> {
        let search = &spec.search;
        let earlier = spec.regressions.open(search)?;
        // Earlier counterexamples are runs of the scenario itself.
        let own = search.space_options();
        let mut space = built.space(match earlier {
            Some(_) => own.reductions(Reductions::NONE),
            None => own,
        })?;
        let options = search.options(&space, built.scenario.max_depth)?;
        let mut memo_anew = None;
        if let Some(opened) = spec.memo.open(built)? {
            space.remember_with(opened.memo);
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
            let memo = space.take_memo();
            *space = built.space(spec.search.space_options())?;
            memo.into_iter().for_each(|memo| space.remember_with(memo));
            let time = &mut options.limits.time;
            *time = time.map(|most| most.saturating_sub(started.elapsed()));
        }
        Ok(found)
    }

    /// Searches, or resumes a search.
    fn search(&mut self) -> Result<Exploration, CliError> {
        let Self { built, spec, space, options, saved, watcher, .. } = self;
        let search = &spec.search;
        if let (true, Some(_)) = (spec.graph.graph.is_some(), space.reduction_counts()) {
            return Err(unused("--graph", "reductions, which change where steps lead"));
        }
        spec.graph.open(built, space, &search.conditions, &spec.memo)?;
        let found = built.guarded(|| match saved {
            Some(saved) => resume(space, options, watcher, saved),
            None => Ok(explore(space, options, watcher)?),
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

    /// Reports the findings, and saves the memo and the graph for the next check.
    fn conclude(self, found: &Exploration, locks: &Locks) -> Result<Outcome, CliError> {
        let Self { built, spec, mut space, options, mut earlier, watcher, .. } = self;
        let verified = space.verified_executions();
        let teller = Teller { built, spec, options: &options };
        let findings = built.guarded(|| teller.tell(&mut space, found, earlier.as_mut()))?;
        let before = earlier.as_ref().filter(|it| it.found.is_none());
        let before = before.map_or(0, |earlier| earlier.handler_executions);
        let remembered =
            spec.memo.save(built, &space, found, before, locks.memo.as_ref(), self.memo_anew)?;
        let compared = spec.memo.verify_reuse;
        let reused = spec.graph.save(built, &mut space, found, compared, locks.graph.as_ref())?;
        let report = Report {
            built,
            space: &space,
            options: &options,
            spec,
            found,
            verified,
            findings: &findings,
            saved: watcher.saved(),
            remembered: remembered.as_ref(),
            earlier: earlier.as_ref(),
            reused: reused.as_ref(),
        };
        watcher.clear();
        match spec.output.json {
            true => print_json(&report.to_json()),
            false => print(&report.to_text()),
        }
        Ok(report.outcome())
    }
}

/// An error if a flaw of the scenario makes the findings unreliable.
fn unless_flawed(space: &NetworkSpace<'_>) -> Result<(), CliError> {
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
