//! Resuming a search from a checkpoint.

use std::io::Read;

use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{
    Checksummed, Explorable, Exploration, Misfit, Mismatch, Options, Refusal, Saved, Watch,
    frontier, levels,
    limits::Guard,
    saved::{Head, identity},
};

/// Why a search cannot be resumed.
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
    /// The options cannot be combined.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The checkpoint is of another search.
    #[error(transparent)]
    Different(#[from] Mismatch),
    /// The checkpoint does not fit what the model does now.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The checkpoint cannot be read.
    #[error("{0}")]
    Damaged(String),
}

fn damaged(what: impl ToString) -> ResumeError {
    ResumeError::Damaged(what.to_string())
}

fn read_value<T: DeserializeOwned>(input: &mut dyn Read) -> Result<T, ResumeError> {
    // A buffer for texts and byte strings, of which there are none.
    let mut scratch = [0; 16];
    let read = postcard::from_io::<T, _>((input, &mut scratch));
    read.map(|(value, _)| value).map_err(damaged)
}

/// Reads the head of a checkpoint. It allocates memory only as bytes arrive, whatever length the
/// file claims.
fn read_head(saved: &mut Checksummed<&mut dyn Read>) -> Result<Head, ResumeError> {
    let len: usize = read_value(saved)?;
    let mut bytes = Vec::new();
    saved.take(len as u64).read_to_end(&mut bytes).map_err(damaged)?;
    postcard::from_bytes(&bytes).map_err(damaged)
}

/// Reads the state of the engine, and restores the space.
fn read_rest<T: DeserializeOwned>(
    saved: &mut Checksummed<&mut dyn Read>,
    space: &mut impl Saved,
) -> Result<T, ResumeError> {
    let state = read_value(saved)?;
    space.restore(saved).map_err(|error| match error.downcast::<Mismatch>() {
        Ok(mismatch) => mismatch.into(),
        Err(error) => damaged(error),
    })?;
    let mut sum = [0; 8];
    saved.beyond().read_exact(&mut sum).map_err(damaged)?;
    if u64::from_le_bytes(sum) != saved.sum() {
        return Err(damaged("it is damaged: some of its bytes have changed"));
    }
    Ok(state)
}

/// Resumes a search that a [`Watch`] has saved. The result is the same as that of an uninterrupted
/// search. The space must be new and of the same model. The options must be the same, except for
/// limits.
///
/// ```
/// use everypath_explore::{Explorable, Exploration, Options, ResumeError, resume};
///
/// /// Goes on with a search in a file.
/// fn go_on(space: &mut impl Explorable, file: &std::path::Path) -> Result<Exploration, ResumeError> {
///     let bytes = std::fs::read(file).map_err(|error| ResumeError::Damaged(error.to_string()))?;
///     resume(space, &Options::default(), &mut (), &mut &bytes[..])
/// }
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # let mut space = everypath_explore::ModelSpace::new(counter::Counter);
/// assert!(go_on(&mut space, "no-such-file".as_ref()).is_err());
/// ```
///
/// # Errors
/// If the options cannot be combined, or if the checkpoint is damaged or of another search.
pub fn resume(
    space: &mut impl Explorable,
    options: &Options,
    watch: &mut dyn Watch,
    saved: &mut dyn Read,
) -> Result<Exploration, ResumeError> {
    options.validate_places(space)?;
    let mut saved = Checksummed::new(saved);
    let head = read_head(&mut saved)?;
    if let Some(mismatch) = Mismatch::between(&head.identity, &identity(options, space)) {
        return Err(mismatch.into());
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
