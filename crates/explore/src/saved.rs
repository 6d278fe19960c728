//! Searches that can be put aside and gone on with.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{
    Exploration, Limits, Options, Refusal, Space, Strategy, Watch, explore::goes_by_levels,
    frontier, levels, limits::Guard,
};

/// What precedes a saved search.
#[derive(Serialize, Deserialize)]
struct Head {
    /// A number that stands for the options.
    options: u64,
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

/// What is written or read, with a checksum of it: most of a search are numbers, and a wrong one
/// would not be noticed.
struct Summed<'a, T: ?Sized> {
    inner: &'a mut T,
    sum: Xxh3,
}

impl<'a, T: ?Sized> Summed<'a, T> {
    fn new(inner: &'a mut T) -> Self {
        Self { inner, sum: Xxh3::new() }
    }
}

impl<T: Write + ?Sized> Write for Summed<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read + ?Sized> Read for Summed<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}

/// A number that stands for all options but limits, which may be others when a search goes on.
fn number_of(options: &Options) -> u64 {
    let lasting = Options { limits: Limits::default(), timings: false, ..options.clone() };
    xxh3_64(format!("{lasting:?}").as_bytes())
}

/// Writes a search: what it knows, what its space has learned, and a checksum.
pub(crate) fn write(
    out: &mut dyn Write,
    options: &Options,
    elapsed: Duration,
    state: &impl Serialize,
    space: &impl Space,
) -> io::Result<()> {
    let mut out = Summed::new(out);
    write_value(&mut out, &Head { options: number_of(options), elapsed })?;
    write_value(&mut out, state)?;
    space.save(&mut out)?;
    out.inner.write_all(&out.sum.digest().to_le_bytes())
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

/// Reads what follows the head: what the search knew, and what its space had learned.
fn read_rest<T: DeserializeOwned>(
    space: &mut impl Space,
    saved: &mut Summed<'_, dyn Read + '_>,
) -> Result<T, ResumeError> {
    let state = read_value(saved)?;
    space.restore(saved).map_err(damaged)?;
    let mut sum = [0; 8];
    saved.inner.read_exact(&mut sum).map_err(damaged)?;
    if sum != saved.sum.digest().to_le_bytes() {
        return Err(damaged("it was changed after it was saved: its checksum does not fit"));
    }
    Ok(state)
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
    let saved = &mut Summed::new(saved);
    let head: Head = read_value(saved)?;
    if head.options != number_of(options) {
        return Err(damaged("it was saved by a search with other options"));
    }
    let mut guard = Guard::new(options.limits, watch);
    let found = if options.strategy == Strategy::BreadthFirst && goes_by_levels(options) {
        let state = read_rest(space, saved)?;
        guard.resume(head.elapsed);
        options.validate(space)?;
        levels::resume(space, options, &mut guard, state).map_err(damaged)?
    } else {
        let state = read_rest(space, saved)?;
        guard.resume(head.elapsed);
        options.validate(space)?;
        frontier::resume(space, options, &mut guard, state).map_err(damaged)?
    };
    match found.refusal {
        Some(refusal) => Err(refusal.into()),
        None => Ok(found),
    }
}
