//! What can be wrong with a file.

use std::{
    error::Error,
    fmt, io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// What is wrong with a file, and where. It prints as `moves.tcl:12: …`.
///
/// ```
/// use everypath_formats::{Limits, Problem, edge_list};
///
/// let error = edge_list::read_topology("a b\nb b\n".as_bytes(), &Limits::default()).unwrap_err();
/// assert_eq!(error.line, Some(2));
/// assert!(matches!(error.problem, Problem::Loop(_)));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct FormatError {
    /// The file, if it is known.
    pub file: Option<PathBuf>,
    /// The line, counted from 1, if the problem has one.
    pub line: Option<u64>,
    /// What is wrong, and what to do about it.
    pub problem: Problem,
}

/// What can be wrong with a file. Each says what to do about it.
///
/// ```
/// use everypath_formats::{Limits, Problem, edge_list};
///
/// let error = edge_list::read_topology("".as_bytes(), &Limits::default()).unwrap_err();
/// assert!(matches!(error.problem, Problem::Empty(_)));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The operating system could not read it.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Nothing in it.
    #[error("there is no {0} in it; is it the right file, and complete?")]
    Empty(&'static str),
    /// Bytes that are no text.
    #[error("this is not UTF-8 text; unpack or convert the file first")]
    NotText,
    /// A line, or an element of XML, that is longer than any sensible one.
    #[error(
        "a line or an element is longer than {0} bytes; is it the right file? Else raise the limit"
    )]
    Long(usize),
    /// More than it is sensible to read.
    #[error("there are more than {limit} {what}; cut the file down, or raise the limit")]
    TooMany {
        /// More of what.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Something that does not belong there.
    #[error("cannot read `{found}`; {expected}")]
    Unreadable {
        /// What stands there.
        found: String,
        /// What could.
        expected: String,
    },
    /// Something that is not there.
    #[error("{what} is missing; {remedy}")]
    Missing {
        /// What is not there.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// Something that is there twice.
    #[error("{0} is given twice; leave one of them out")]
    Twice(String),
    /// Time that does not go on.
    #[error("{who} goes back in time, from {before} s to {time} s; sort by time")]
    Backwards {
        /// Who does.
        who: String,
        /// The time before.
        before: f64,
        /// The time that comes after it in the file.
        time: f64,
    },
    /// Two places at one moment.
    #[error("{who} is at two places at {time} s; leave one of them out")]
    TwoPlaces {
        /// Who is.
        who: String,
        /// When.
        time: f64,
    },
    /// A node that nobody has heard of.
    #[error("there is no node `{name}`; {remedy}")]
    UnknownNode {
        /// How it is called.
        name: String,
        /// What to do.
        remedy: String,
    },
    /// A link from a node to itself.
    #[error("node `{0}` is linked to itself; leave the link out")]
    Loop(String),
    /// XML that is none.
    #[error("this is not well-formed XML: {0}; mend the file, or write it anew")]
    Xml(String),
}

impl FormatError {
    pub(crate) fn at(line: u64, problem: impl Into<Problem>) -> Self {
        Self { file: None, line: Some(line), problem: problem.into() }
    }

    pub(crate) fn whole(problem: impl Into<Problem>) -> Self {
        Self { file: None, line: None, problem: problem.into() }
    }

    /// The same in a file of this name.
    ///
    /// ```
    /// use everypath_formats::{Limits, ns2};
    ///
    /// let error = ns2::read_movements(&b"$node_(0) set X_ far\n"[..], &Limits::default()).unwrap_err();
    /// assert_eq!(
    ///     error.in_file("moves.tcl").to_string(),
    ///     "moves.tcl:1: cannot read `far`; a coordinate is a number of metres between -1e12 and 1e12"
    /// );
    /// ```
    #[must_use]
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Self {
        self.file = Some(file.as_ref().to_owned());
        self
    }
}

impl Problem {
    /// Of a piece of text that is no such thing. Of a long one only the beginning is told.
    pub(crate) fn unreadable(found: &str, expected: impl Into<String>) -> Self {
        const SHOWN_MAX: usize = 60;
        let mut shown: String = found.chars().take(SHOWN_MAX).collect();
        if shown.len() < found.len() {
            shown.push('…');
        }
        Self::Unreadable { found: shown, expected: expected.into() }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, Some(line)) => write!(f, "line {line}: ")?,
            (None, None) => {}
        }
        fmt::Display::fmt(&self.problem, f)
    }
}

impl Error for FormatError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Error::source(&self.problem)
    }
}
