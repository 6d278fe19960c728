//! Searches that can be put aside and gone on with.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::{
    Checksummed, Difference, Exploration, Facts, Options, RankingPart, Refusal, Space, Stop,
    Strategy, Watch, frontier, levels, limits::Guard,
};

/// What precedes a saved search.
#[derive(Serialize, Deserialize)]
struct Head {
    facts: Facts,
    /// Time that has passed.
    elapsed: Duration,
}

/// Why a search that was saved does not fit its space.
///
/// ```
/// use everypath_explore::{Misfit, ResumeError};
///
/// let error = ResumeError::from(Misfit::State);
/// assert_eq!(error.to_string(), "it names a state that is not there");
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// It has counted what the space does not have.
    #[error("its counts do not fit the scenario")]
    Counts,
    /// It names a state that the space does not have.
    #[error("it names a state that is not there")]
    State,
    /// It names a depth that it has not reached.
    #[error("it names a level that is not there")]
    Level,
    /// It has a level of another length than it says.
    #[error("a level has not as many states as it says")]
    LevelLength,
    /// It has found something in a state that the space does not have.
    #[error("it has found something that is not there")]
    Finding,
    /// It has found something that cannot be reached.
    #[error("there is no run to what it has found")]
    Run,
}

/// A search that cannot be gone on with.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, ResumeError, resume};
///
/// let mut space = ModelSpace::new(Counter);
/// let saved = &mut &b"not a search"[..];
/// let error = resume(&mut space, &Options::default(), &mut (), saved).unwrap_err();
/// assert!(matches!(error, ResumeError::Damaged(_)));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The options do not go together.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What was saved is another search.
    #[error(transparent)]
    Different(#[from] Difference),
    /// What was saved is not what the model does now.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// What was saved cannot be read.
    #[error("{0}")]
    Damaged(String),
}

fn damaged(what: impl ToString) -> ResumeError {
    ResumeError::Damaged(what.to_string())
}

/// What must be the same in the options of a search that goes on: all that decides what it does, and
/// not what it may use or measures. What the model says, its space compares.
fn facts(options: &Options, space: &impl Space) -> Facts {
    let Options { strategy, add, shuffle, store, relation, .. } = options;
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    let number = |number: Option<u64>| or_none(number.map(|number| number.to_string()));
    let part = |part: &RankingPart| match *part {
        RankingPart::Named(ranking) => space.rankings().swap_remove(ranking),
        RankingPart::Novelty => "novelty".to_owned(),
    };
    let ranking = strategy.rank_by().map(|rank_by| rank_by.0.iter().map(part).collect::<Vec<_>>());
    let width = match strategy {
        Strategy::Beam { width, .. } => Some(*width as u64),
        _ => None,
    };
    let required = options.required_on_path.as_ref().map(ToString::to_string);
    let facts = [
        ("strategy", strategy.name().to_owned()),
        ("ranking", or_none(ranking.map(|names| names.join(",")))),
        ("width", number(width)),
        ("add", format!("{add:?}").to_lowercase()),
        ("shuffle", number(*shuffle)),
        ("seed", options.seed.to_string()),
        ("store", format!("{store:?}")),
        ("relation", or_none(relation.map(|relation| space.relations().swap_remove(relation)))),
        ("event required on the path", or_none(required)),
        ("max-depth", number(options.max_depth.map(u64::from))),
        ("each-assertion", (options.stop == Stop::Each).to_string()),
        ("keep-going", (options.stop == Stop::Never).to_string()),
        ("semantics", format!("{:?}", options.semantics).to_lowercase()),
    ];
    facts.map(|(what, said)| (what.to_owned(), said)).into()
}

/// Writes a search: what it knows, then what its space has learned, then the sum of both.
pub(crate) fn write(
    out: &mut dyn Write,
    options: &Options,
    elapsed: Duration,
    state: &impl Serialize,
    space: &impl Space,
) -> io::Result<()> {
    let mut out = Checksummed::new(out);
    let head = Head { facts: facts(options, space), elapsed };
    let head = postcard::to_stdvec(&head).map_err(io::Error::other)?;
    write_value(&mut out, &head.len())?;
    out.write_all(&head)?;
    write_value(&mut out, state)?;
    space.save(&mut out)?;
    let sum = out.sum();
    out.beyond().write_all(&sum.to_le_bytes())
}

fn write_value(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    postcard::to_io(value, out).map(drop).map_err(io::Error::other)
}

fn read_value<T: DeserializeOwned>(input: &mut dyn Read) -> Result<T, ResumeError> {
    // Where texts and byte strings would go; there are none.
    let mut scratch = [0; 16];
    let read = postcard::from_io::<T, _>((input, &mut scratch));
    read.map(|(value, _)| value).map_err(damaged)
}

/// What precedes a search. Memory is needed only as bytes arrive, whatever length they are said to
/// have.
fn read_head(saved: &mut Checksummed<&mut dyn Read>) -> Result<Head, ResumeError> {
    let len: usize = read_value(saved)?;
    let mut bytes = Vec::new();
    saved.take(len as u64).read_to_end(&mut bytes).map_err(damaged)?;
    postcard::from_bytes(&bytes).map_err(damaged)
}

/// What a search knew; the space learns what it had learned.
fn read_rest<T: DeserializeOwned>(
    saved: &mut Checksummed<&mut dyn Read>,
    space: &mut impl Space,
) -> Result<T, ResumeError> {
    let state = read_value(saved)?;
    space.restore(saved).map_err(|error| match error.downcast::<Difference>() {
        Ok(difference) => difference.into(),
        Err(error) => damaged(error),
    })?;
    let mut sum = [0; 8];
    saved.beyond().read_exact(&mut sum).map_err(damaged)?;
    if u64::from_le_bytes(sum) != saved.sum() {
        return Err(damaged("it is not what was saved: some of its bytes have changed"));
    }
    Ok(state)
}

/// Goes on with a search that a [`Watch`] has saved, to the same result as if it had never been
/// interrupted. The space must be new and of the same model, the options the same but for limits.
///
/// ```
/// use everypath_explore::{Exploration, Options, ResumeError, Space, resume};
///
/// /// Goes on with a search in a file.
/// fn go_on(space: &mut impl Space, file: &std::path::Path) -> Result<Exploration, ResumeError> {
///     let bytes = std::fs::read(file).map_err(|error| ResumeError::Damaged(error.to_string()))?;
///     resume(space, &Options::default(), &mut (), &mut &bytes[..])
/// }
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # let mut space = everypath_explore::ModelSpace::new(counter::Counter);
/// assert!(go_on(&mut space, "no-such-file".as_ref()).is_err());
/// ```
///
/// # Errors
/// If the options do not go together, or what was saved is damaged or another search.
pub fn resume(
    space: &mut impl Space,
    options: &Options,
    watch: &mut dyn Watch,
    saved: &mut dyn Read,
) -> Result<Exploration, ResumeError> {
    options.validate_places(space)?;
    let mut saved = Checksummed::new(saved);
    let head = read_head(&mut saved)?;
    if let Some(difference) = Difference::between(&head.facts, &facts(options, space)) {
        return Err(difference.into());
    }
    let mut guard = Guard::new(options.limits, space, watch);
    guard.resume(head.elapsed);
    let found = if options.goes_by_levels() {
        let state = read_rest(&mut saved, space)?;
        options.validate(space)?;
        levels::resume(space, options, &mut guard, state)?
    } else {
        let state = read_rest(&mut saved, space)?;
        options.validate(space)?;
        frontier::resume(space, options, &mut guard, state)?
    };
    Ok(found.unless_refused(space)?)
}
