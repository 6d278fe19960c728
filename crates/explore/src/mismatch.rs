//! Mismatches between a search and the checkpoint from which it is to be resumed.

use thiserror::Error;

/// The facts that must be equal in a checkpoint and in the search that resumes it: names and
/// values, in the same order.
pub type Identity = Vec<(String, String)>;

/// The length up to which a fact is shown.
const SHOWN_MAX: usize = 60;

/// The difference between a search and a checkpoint.
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
    /// A fact differs.
    #[error("it was saved with {what} {saved}, but this run has {now}")]
    Shown {
        /// The name of the fact.
        what: String,
        /// Its value in the checkpoint.
        saved: String,
        /// Its value now.
        now: String,
    },
    /// A fact differs that is too long to be shown.
    #[error("it was saved with another {what}")]
    Long {
        /// The name of the fact.
        what: String,
    },
    /// The two do not have the same facts.
    #[error("it is of another kind")]
    Kind,
}

impl Mismatch {
    /// The first difference, if there is one.
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

/// Why a checkpoint does not fit its space.
///
/// ```
/// use everypath_explore::{Misfit, ResumeError};
///
/// let error = ResumeError::from(Misfit::State);
/// assert_eq!(error.to_string(), "it names a state that does not exist");
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// Its counts do not fit the space.
    #[error("its counts do not fit the scenario")]
    Counts,
    /// It names a state that the space does not have.
    #[error("it names a state that does not exist")]
    State,
    /// It names a depth that it has not reached.
    #[error("it names a level that does not exist")]
    Level,
    /// One of its levels has a wrong length.
    #[error("one of its levels has a wrong number of states")]
    LevelLength,
    /// It has a finding in a state that the space does not have.
    #[error("it has a finding in a state that does not exist")]
    Finding,
    /// It has a finding that cannot be reached.
    #[error("no run leads to one of its findings")]
    Run,
}
