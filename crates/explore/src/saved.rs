//! Searches that can be put aside and gone on with.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::{
    Exploration, Options, Refusal, Space, Strategy, Watch, explore::goes_by_levels, frontier,
    levels, limits::Guard,
};

/// What precedes a saved search.
#[derive(Serialize, Deserialize)]
struct Head {
    /// Whether the search goes by levels.
    by_levels: bool,
    /// Time that has passed.
    elapsed: Duration,
}

/// A search that cannot be gone on with.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The options do not go together.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What was saved cannot be read, or belongs to another search.
    #[error("{0}")]
    Damaged(String),
}

fn damaged(what: impl ToString) -> ResumeError {
    ResumeError::Damaged(what.to_string())
}

/// Writes a search: what it knows, then what its space has learned.
pub(crate) fn write(
    out: &mut dyn Write,
    by_levels: bool,
    elapsed: Duration,
    state: &impl Serialize,
    space: &impl Space,
) -> io::Result<()> {
    write_value(out, &Head { by_levels, elapsed })?;
    write_value(out, state)?;
    space.save(out)
}

fn write_value(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    postcard::to_io(value, out).map(drop).map_err(io::Error::other)
}

fn read_value<T: DeserializeOwned>(input: &mut dyn Read) -> Result<T, ResumeError> {
    // Where texts and byte strings would go; a search has none.
    let mut scratch = [0; 16];
    let read = postcard::from_io::<T, _>((input, &mut scratch));
    read.map(|(value, _)| value).map_err(damaged)
}

/// Goes on with a search that a [`Watch`] has saved, to the same result as if it had never been
/// interrupted. The space must be new and of the same model, the options the same but for limits.
///
/// # Errors
/// If the options do not go together, or what was saved is damaged or of another search.
pub fn resume(
    space: &mut impl Space,
    options: &Options,
    watch: &mut dyn Watch,
    saved: &mut dyn Read,
) -> Result<Exploration, ResumeError> {
    let Head { by_levels, elapsed } = read_value(saved)?;
    if by_levels != (options.strategy == Strategy::BreadthFirst && goes_by_levels(options)) {
        return Err(damaged("it was saved by a search with another strategy"));
    }
    let mut guard = Guard::new(options.limits, watch);
    guard.resume(elapsed);
    let found = if by_levels {
        let state = read_value(saved)?;
        space.restore(saved).map_err(damaged)?;
        options.validate(space)?;
        levels::resume(space, options, &mut guard, state).map_err(damaged)?
    } else {
        let state = read_value(saved)?;
        space.restore(saved).map_err(damaged)?;
        options.validate(space)?;
        frontier::resume(space, options, &mut guard, state).map_err(damaged)?
    };
    match found.refusal {
        Some(refusal) => Err(refusal.into()),
        None => Ok(found),
    }
}
