//! `check --merge`: joining the answers of part files.

use std::{collections::BTreeMap, path::PathBuf, time::Instant};

use everypath_report::{PART, SealedFileError, Trouble, differing};

use super::{
    answer::Answers,
    conclude::{Whole, conclude},
    digests::Seen,
    part_file::Part,
    run::Runner,
    spec::InstanceSpec,
};
use crate::{
    arguments::{check::CheckArguments, check_of_words, instances::Share},
    check::{check_by, files::ensure_files, spec::CheckSpec},
    error::CliError,
    kept::identity::{self, PROGRAM},
    output::{Outcome, complain, ensure_unread, numbers::counted},
    running::{interrupt, progress::Line, watchdog},
    scenarios::{
        entry::{Entry, is_file},
        subject::Subject,
    },
};

/// A part file that was read.
struct ReadPart {
    path: PathBuf,
    identity: BTreeMap<String, String>,
    part: Part,
}

/// Joins part files of one search. One that cannot be used is named, and costs only its own answers.
pub(super) fn merge(
    entries: &[Box<dyn Entry>],
    arguments: &CheckArguments,
) -> Result<Outcome, CliError> {
    let mut parts = Vec::new();
    for path in &arguments.instances.merge {
        match Part::read(path) {
            Ok((identity, part)) => parts.push(ReadPart { path: path.clone(), identity, part }),
            Err(error) => complain(error.into()),
        }
    }
    // So that nothing depends on the order in which files are named.
    parts.sort_by_key(|it| (it.part.share().of, it.part.share().number));
    let Some(first) = parts.first() else { return Err(CliError::NoParts) };
    ensure_one_search(&parts)?;
    let asked = &arguments.which.scenario;
    let scenario = first.identity.get("scenario").cloned().unwrap_or_default();
    if !asked.is_empty() && !is_file(asked) && *asked != scenario {
        return Err(CliError::PartOf { path: first.path.clone(), scenario, asked: asked.clone() });
    }
    let words = ["everypath"].into_iter().chain(first.part.words.iter().map(String::as_str));
    let mut again = check_of_words(words);
    again.output = arguments.output.clone();
    again.instances.instances = arguments.instances.instances;
    let instances = InstanceSpec::new(&again.instances)?;
    check_by(entries, &again, |built, spec| join(built, spec, &instances, parts))
}

/// Refuses parts of different searches, whatever programs have written them.
fn ensure_one_search(parts: &[ReadPart]) -> Result<(), CliError> {
    let [first, others @ ..] = parts else { return Ok(()) };
    for other in others {
        let mut differences = differing(&other.identity, &first.identity);
        if let Some(it) = differences.find(|it| it.key != PROGRAM) {
            let value = |value: Option<&str>| value.unwrap_or("none").to_owned();
            return Err(CliError::OtherPart {
                path: other.path.clone(),
                first: first.path.clone(),
                key: it.key.to_owned(),
                here: value(it.saved),
                there: value(it.now),
            });
        }
    }
    Ok(())
}

/// Joins the parts that belong to this scenario and this program.
fn join(
    built: &Subject<'_>,
    spec: &CheckSpec,
    instances: &InstanceSpec,
    parts: Vec<ReadPart>,
) -> Result<Outcome, CliError> {
    const WHY: &str = "the code that was evaluated in visited states may have changed";
    const REMEDY: &str = "merge with the program that has written it, or run its share again";
    let started = Instant::now();
    let space = built.space(spec.search.space_options())?;
    let options = spec.search.options(&space, built.scenario.max_depth)?;
    drop(space);
    instances.ensure_possible(spec, &options)?;
    let read: Vec<_> = parts.iter().map(|it| it.path.as_path()).collect();
    let trace = spec.output.trace.as_deref().map(|path| ("--trace", path));
    ensure_unread(trace, &read)?;
    ensure_files(built, spec)?;
    let now = instances.identity(built, spec, &options);
    let (usable, stale): (Vec<ReadPart>, _) = parts.into_iter().partition(|it| it.identity == now);
    for ReadPart { path, identity, .. } in stale {
        let trouble = Trouble::Identity { saved: identity, now: now.clone() };
        complain(identity::refusal(SealedFileError { kind: &PART, path, trouble }, WHY, REMEDY));
    }
    let shares: Vec<Share> = usable.iter().map(|it| it.part.share()).collect();
    let answers = joined(usable)?;
    let missing = why_missing(&answers, &shares);
    interrupt::flag();
    watchdog::watch(spec.search.limits.time);
    let runner = Runner {
        built,
        spec,
        options: &options,
        is_covering: instances.division.is_covering(),
        union: instances.union,
        started,
    };
    let line = Line::new(!spec.output.json);
    conclude(&runner, Whole { instances, answers, missing, part: None }, line)
}

/// The answers of all parts together.
fn joined(parts: Vec<ReadPart>) -> Result<Answers, CliError> {
    let mut from: BTreeMap<usize, PathBuf> = BTreeMap::new();
    let mut known: Vec<(Share, PathBuf)> = Vec::new();
    let mut all: Option<Answers> = None;
    for ReadPart { path, part, .. } in parts {
        let share = part.share();
        if let Some((_, other)) = known.iter().find(|(it, _)| *it == share) {
            let what = format!("share {} of {}", share.number, share.of);
            return Err(CliError::PartTwice { path, other: other.clone(), what });
        }
        known.push((share, path.clone()));
        let answers = part.answers;
        let all = all.get_or_insert_with(|| Answers {
            trunk: answers.trunk.clone(),
            instances: answers.instances.clone(),
            seen: Some(Seen::default()),
            ..Answers::default()
        });
        if (&all.trunk, &all.instances) != (&answers.trunk, &answers.instances) {
            return Err(CliError::OtherTrunk { path });
        }
        for (place, answer) in answers.answers {
            if let Some(other) = from.insert(place, path.clone()) {
                let what = format!("the instance `{}`", all.instances[place].name);
                return Err(CliError::PartTwice { path, other, what });
            }
            all.answers.insert(place, answer);
        }
        all.add_findings(answers.violations, answers.goals, answers.seen.as_ref());
    }
    all.ok_or(CliError::NoParts)
}

/// Which shares are missing or not finished, and what to do about it.
fn why_missing(answers: &Answers, shares: &[Share]) -> Option<String> {
    let missing = answers.missing();
    let of = shares.first()?.of;
    if missing.is_empty() {
        return None;
    }
    if shares.iter().any(|share| share.of != of) {
        return Some("these shares do not make a whole: run the others".to_owned());
    }
    let lacks =
        |number: &u32| missing.iter().any(|&place| Share { number: *number, of }.has(place));
    let say = |number: u32| match shares.iter().any(|share| share.number == number) {
        true => format!(
            "share {number} of {of} was not finished (run it again with --share {number}/{of})"
        ),
        false => format!(
            "share {number} of {of} is not among the files (run it with --share {number}/{of})"
        ),
    };
    let lacking: Vec<u32> = (1..=of).filter(lacks).collect();
    let mut said: Vec<String> = lacking.iter().take(3).copied().map(say).collect();
    if lacking.len() > said.len() {
        said.push(format!("and {} more", counted((lacking.len() - said.len()) as u64, "share")));
    }
    Some(said.join("; "))
}
