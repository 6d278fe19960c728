//! Mismatches between a search and the checkpoint from which it is to be resumed.

use thiserror::Error;

/// What is to be the same in a search that goes on and in the one that was saved: each fact by its
/// name, in the same order.
pub type Identity = Vec<(String, String)>;

/// How long a fact is at most to be shown.
const SHOWN_MAX: usize = 60;

/// In what a search does not match one that was saved.
///
/// ```
/// use everypath_explore::Mismatch;
///
/// let fact = |value: &str| vec![("max-depth".to_owned(), value.to_owned())];
/// let mismatch = Mismatch::between(&fact("10"), &fact("12")).unwrap();
/// assert_eq!(mismatch.to_string(), "it was saved with max-depth 10, but this run has 12");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// In a fact that can be shown.
    #[error("it was saved with {what} {saved}, but this run has {now}")]
    Shown {
        /// Which.
        what: String,
        /// What it was.
        saved: String,
        /// What it is.
        now: String,
    },
    /// In a fact that is too long to be shown.
    #[error("it was saved with another {what}")]
    Long {
        /// Which.
        what: String,
    },
    /// They have not even the same facts.
    #[error("it is of another kind")]
    Kind,
}

impl Mismatch {
    /// The first difference between facts, if there is one.
    #[must_use]
    pub fn between(saved: &Identity, now: &Identity) -> Option<Self> {
        let names =
            |facts: &Identity| facts.iter().map(|(what, _)| what.clone()).collect::<Vec<_>>();
        if names(saved) != names(now) {
            return Some(Self::Kind);
        }
        let (before, after) = saved.iter().zip(now).find(|(saved, now)| saved != now)?;
        let (what, saved, now) = (before.0.clone(), before.1.clone(), after.1.clone());
        Some(if saved.len().max(now.len()) <= SHOWN_MAX {
            Self::Shown { what, saved, now }
        } else {
            Self::Long { what }
        })
    }
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
