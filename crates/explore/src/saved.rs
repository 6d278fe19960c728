//! Searches that can be put aside and gone on with.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{Exploration, Limits, Options, Refusal, Space, Watch, frontier, levels, limits::Guard};

/// What precedes a saved search.
#[derive(Serialize, Deserialize)]
struct Head {
    /// A number computed from the options that matter.
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

/// The same number for options that differ in nothing but what a search may use and measures.
fn digest(options: &Options) -> u64 {
    let unlimited =
        Options { limits: Limits::default(), timings: false, workers: 0, ..options.clone() };
    xxh3_64(format!("{unlimited:?}").as_bytes())
}

/// Lets bytes pass and computes a number from them, by which damage is noticed.
struct Summed<T> {
    bytes: T,
    sum: Xxh3,
}

impl<T> Summed<T> {
    fn new(bytes: T) -> Self {
        Self { bytes, sum: Xxh3::new() }
    }
}

impl Write for Summed<&mut dyn Write> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.bytes.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes.flush()
    }
}

impl Read for Summed<&mut dyn Read> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}

/// Writes a search: what it knows, then what its space has learned, then the sum of both.
pub(crate) fn write(
    out: &mut dyn Write,
    options: &Options,
    elapsed: Duration,
    state: &impl Serialize,
    space: &impl Space,
) -> io::Result<()> {
    let mut out = Summed::new(out);
    write_value(&mut out, &Head { options: digest(options), elapsed })?;
    write_value(&mut out, state)?;
    space.save(&mut out)?;
    out.bytes.write_all(&out.sum.digest().to_le_bytes())
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

/// What a search knew; the space learns what it had learned.
fn read_rest<T: DeserializeOwned>(
    saved: &mut Summed<&mut dyn Read>,
    space: &mut impl Space,
) -> Result<T, ResumeError> {
    let state = read_value(saved)?;
    space.restore(saved).map_err(damaged)?;
    let mut sum = [0; 8];
    saved.bytes.read_exact(&mut sum).map_err(damaged)?;
    if u64::from_le_bytes(sum) != saved.sum.digest() {
        return Err(damaged("it is not what was saved: some of its bytes have changed"));
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
    let mut saved = Summed::new(saved);
    let head: Head = read_value(&mut saved)?;
    if head.options != digest(options) {
        return Err(damaged("it was saved by a search with other options"));
    }
    let mut guard = Guard::new(options.limits, watch);
    guard.resume(head.elapsed);
    let found = if options.goes_by_levels() {
        let state = read_rest(&mut saved, space)?;
        options.validate(space)?;
        levels::resume(space, options, &mut guard, state).map_err(damaged)?
    } else {
        let state = read_rest(&mut saved, space)?;
        options.validate(space)?;
        frontier::resume(space, options, &mut guard, state).map_err(damaged)?
    };
    Ok(found.unless_refused()?)
}
