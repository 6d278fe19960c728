//! Exploring in parts in this process: all instances, or a share of them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use everypath_explore::Options;
use everypath_report::{FileLock, PART, SealedFileError, Trouble};

use super::{
    answer::{Answers, Found, PartAnswer},
    conclude::{Whole, conclude},
    digests::Seen,
    part_file::{Part, write_part},
    run::{Order, Runner},
    spec::InstanceSpec,
    trunk::Beginning,
};
use crate::{
    arguments::instances::Share,
    check::{files::ensure_files, spec::CheckSpec},
    error::CliError,
    kept::identity,
    output::{Outcome, complain, ensure_writable},
    running::{interrupt, progress::Line, watchdog},
    scenarios::subject::Subject,
};

/// A part file is saved at most this often.
const SAVED_EVERY: Duration = Duration::from_millis(200);
/// Saving takes at most one part in this many of the time.
const SAVED_SHARE: u32 = 20;

/// Explores a scenario in parts.
pub(super) fn explore(
    built: &Subject<'_>,
    spec: &CheckSpec,
    instances: &InstanceSpec,
) -> Result<Outcome, CliError> {
    let started = Instant::now();
    let space = built.space(spec.search.space_options())?;
    let options = spec.search.options(&space, built.scenario.max_depth)?;
    drop(space);
    instances.ensure_possible(spec, &options)?;
    ensure_files(built, spec)?;
    let keeper = Keeper::open(built, spec, instances, &options)?;
    interrupt::flag();
    watchdog::watch(spec.search.limits.time);
    let mut line = Line::new(!spec.output.json);
    let beginning = Beginning::explore(built, spec, instances, &options, &mut line)?;
    let mut work = Work { beginning, spec, instances, keeper, answers: Answers::default() };
    built.guarded(|| work.begin())??;
    let runner = Runner {
        built,
        spec,
        options: &options,
        is_covering: instances.division.is_covering(),
        union: instances.union,
        started,
    };
    let missing = work.run(&runner, &mut line)?;
    let Work { answers, keeper, .. } = work;
    let part = keeper.as_ref().map(|keeper| keeper.path.clone());
    conclude(&runner, Whole { instances, answers, missing, part }, line)
}

/// An exploration in parts under way.
struct Work<'a, 's> {
    beginning: Beginning<'a>,
    spec: &'s CheckSpec,
    instances: &'s InstanceSpec,
    keeper: Option<Keeper>,
    answers: Answers,
}

impl Work<'_, '_> {
    /// Takes the answer of the trunk, and those of an earlier run of the same share.
    fn begin(&mut self) -> Result<(), CliError> {
        let Self { beginning, spec, instances, keeper, answers } = self;
        answers.trunk = beginning.answer(spec);
        answers.instances = beginning.named();
        let union = instances.union;
        answers.seen = union.then(Seen::default);
        let (violations, goals) = beginning.found();
        let seen = union.then(|| beginning.seen());
        answers.add_findings(violations, goals, seen.as_ref());
        let earlier = keeper.as_mut().and_then(|keeper| keeper.earlier.take());
        let Some(earlier) = earlier else { return Ok(()) };
        let earlier = earlier.answers;
        if (&earlier.trunk, &earlier.instances) != (&answers.trunk, &answers.instances) {
            let path = keeper.as_ref().map(|keeper| keeper.path.clone()).unwrap_or_default();
            return Err(CliError::OtherTrunk { path });
        }
        answers.answers.extend(earlier.answers);
        answers.add_findings(earlier.violations, earlier.goals, earlier.seen.as_ref());
        Ok(())
    }

    /// Runs the instances that are asked for and not done. Returns why others are missing.
    fn run(&mut self, runner: &Runner<'_>, line: &mut Line) -> Result<Option<String>, CliError> {
        let complete = self.answers.trunk.as_ref().is_none_or(|trunk| trunk.is_final());
        if !complete {
            return Ok(Some("the trunk was not finished".to_owned()));
        }
        let Self { instances, answers, .. } = self;
        let enough =
            |answers: &Answers| instances.first && answers.all().any(|answer| answer.is_violated());
        let share = instances.share.unwrap_or(Share::ALL);
        let only = instances.only.as_deref();
        let is_asked_for = |place: &usize| {
            let named = &answers.instances[*place];
            let names = || [&named.name].into_iter().chain(&named.equal);
            share.has(*place) && only.is_none_or(|text| names().any(|name| name.contains(text)))
        };
        let asked: Vec<usize> = (0..answers.instances.len()).filter(is_asked_for).collect();
        if let Some(text) = only.filter(|_| asked.is_empty()) {
            return Err(CliError::NoInstance {
                text: text.to_owned(),
                help: known_instances(answers),
            });
        }
        // What was stopped is run again, and then replaced.
        let is_new =
            |place: &usize| answers.answers.get(place).is_none_or(|answer| !answer.is_final());
        let places: Vec<usize> = match enough(answers) {
            true => Vec::new(),
            false => asked.iter().copied().filter(is_new).collect(),
        };
        let order = Order { places, jobs: instances.jobs, first: instances.first };
        let list = Arc::clone(&self.beginning.instances);
        let mut unsaved: Option<CliError> = None;
        let mut in_order = BTreeMap::new();
        let ran = runner.run(&list, &order, line, |place, answer| {
            if order.first {
                in_order.insert(place, answer);
                return;
            }
            self.add(place, answer);
            if let Err(error) = self.save(false) {
                unsaved.get_or_insert(error);
            }
        });
        ran?;
        // Which instances behind the first violated one were run depends on the threads.
        for (place, answer) in in_order {
            let is_violated = answer.answer.is_violated();
            self.add(place, answer);
            if is_violated {
                break;
            }
        }
        // The answer is worth more than the file.
        unsaved.into_iter().chain(self.save(true).err()).for_each(complain);
        Ok(self.why_missing(&asked))
    }

    /// Why instances have no answer.
    fn why_missing(&self, asked: &[usize]) -> Option<String> {
        let Self { instances, answers, .. } = self;
        let missing = answers.missing();
        if missing.is_empty() {
            return None;
        }
        let not_asked = missing.iter().all(|place| !asked.contains(place));
        Some(match (instances.share, &instances.only) {
            (Some(Share { number, of }), _) if not_asked => {
                format!("they are not in share {number} of {of}")
            }
            (None, Some(text)) if not_asked => format!("their names do not contain `{text}`"),
            _ if instances.first && answers.all().any(|answer| answer.is_violated()) => {
                "no more were run after the first violation (--first)".to_owned()
            }
            _ => "the run was stopped before".to_owned(),
        })
    }

    /// Adds the answer of an instance.
    fn add(&mut self, place: usize, answer: PartAnswer) {
        let PartAnswer { answer, violations, goals, seen } = answer;
        self.answers.answers.insert(place, answer);
        let known = [&self.answers.violations, &self.answers.goals].map(Clone::clone);
        let violations = self.whole_runs(violations, &known[0]);
        let goals = self.whole_runs(goals, &known[1]);
        self.answers.add_findings(violations, goals, seen.as_ref());
    }

    /// Puts the run of the trunk in front of runs, where there is a trunk. Those that are not shorter than
    /// a known one of the same are dropped before: going back through the trunk takes time.
    fn whole_runs(&mut self, found: Vec<Found>, known: &[Found]) -> Vec<Found> {
        let Self { beginning, answers, .. } = self;
        if answers.is_covering() {
            return found;
        }
        let whole = |found: Found| {
            let (length, instance, what) = found.rank();
            let depth = beginning.instances[instance?].starts[found.start].depth as usize;
            let rank = (length + depth, instance, what);
            if known.iter().any(|it| it.what == what && it.rank() < rank) {
                return None;
            }
            let before = beginning.run_to(instance?, found.start)?;
            Some(Found { run: found.run.after(before), ..found })
        };
        found.into_iter().filter_map(whole).collect()
    }

    /// Saves the part file if it is time, or at the end.
    fn save(&mut self, at_end: bool) -> Result<(), CliError> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let pause = SAVED_EVERY.max(keeper.took * SAVED_SHARE);
        if !at_end && keeper.saved.elapsed() < pause {
            return Ok(());
        }
        let began = Instant::now();
        self.answers.seen.iter_mut().for_each(Seen::sort);
        let written = write_part(&keeper.path, &keeper.identity, keeper.share, &self.answers);
        keeper.took = began.elapsed();
        keeper.saved = Instant::now();
        written.map(drop).map_err(CliError::from)
    }
}

/// The first names of instances, for a message.
fn known_instances(answers: &Answers) -> String {
    let names = answers.instances.iter().take(5).map(|named| format!("`{}`", named.name));
    let names = names.collect::<Vec<_>>().join(", ");
    let more = if answers.instances.len() > 5 { ", …" } else { "" };
    format!("the instances are {names}{more}; `--instances` prints all")
}

/// The part file of a share.
struct Keeper {
    path: PathBuf,
    share: Share,
    identity: BTreeMap<String, String>,
    /// What an earlier run of the share has saved.
    earlier: Option<Part>,
    saved: Instant,
    /// How long saving took.
    took: Duration,
    _lock: FileLock,
}

impl Keeper {
    /// Opens the part file, if there is a share.
    fn open(
        built: &Subject<'_>,
        spec: &CheckSpec,
        instances: &InstanceSpec,
        options: &Options,
    ) -> Result<Option<Self>, CliError> {
        let (Some(path), Some(share)) = (instances.part_file(&built.name), instances.share) else {
            return Ok(None);
        };
        ensure_writable([("--part", path.as_path())])?;
        let lock = match FileLock::take(&path) {
            Ok(Some(lock)) => lock,
            Ok(None) => return Err(CliError::PartInUse { path }),
            Err(error) => return Err(CliError::Unwritable { option: "--part", path, error }),
        };
        let identity = instances.identity(built, spec, options);
        let earlier = match path.exists() {
            true => Some(earlier(&path, &identity, share)?),
            false => None,
        };
        let (saved, took) = (Instant::now(), Duration::ZERO);
        Ok(Some(Self { path, share, identity, earlier, saved, took, _lock: lock }))
    }
}

/// What an earlier run of the same share has saved. Anything else is not overwritten.
fn earlier(
    path: &Path,
    identity: &BTreeMap<String, String>,
    share: Share,
) -> Result<Part, CliError> {
    const WHY: &str = "the code that was evaluated in visited states may have changed";
    const REMEDY: &str =
        "delete it to run the share from scratch, or name another file with --part";
    let (saved, part) = Part::read(path)?;
    if saved != *identity {
        let trouble = Trouble::Identity { saved, now: identity.clone() };
        let error = SealedFileError { kind: &PART, path: path.to_owned(), trouble };
        return Err(identity::refusal(error, WHY, REMEDY));
    }
    if part.share() != share {
        let Share { number, of } = part.share();
        return Err(CliError::OtherShare { path: path.to_owned(), number, of });
    }
    Ok(part)
}
