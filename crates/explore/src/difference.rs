//! Whether one search is another that was saved.

use thiserror::Error;

/// What is to be the same in a search that goes on and in the one that was saved: each fact by its
/// name, in the same order.
pub type Facts = Vec<(String, String)>;

/// How long a fact is at most to be shown.
const SHOWN_MAX: usize = 60;

/// In what a search differs from one that was saved.
///
/// ```
/// use everypath_explore::Difference;
///
/// let fact = |value: &str| vec![("max-depth".to_owned(), value.to_owned())];
/// let difference = Difference::between(&fact("10"), &fact("12")).unwrap();
/// assert_eq!(difference.to_string(), "it was saved with max-depth 10, but this run has 12");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
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

impl Difference {
    /// The first difference between facts, if there is one.
    #[must_use]
    pub fn between(saved: &Facts, now: &Facts) -> Option<Self> {
        let names = |facts: &Facts| facts.iter().map(|(what, _)| what.clone()).collect::<Vec<_>>();
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
