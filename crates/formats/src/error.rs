//! Errors in files: the place, the problem and the remedy.

use std::{
    error::Error,
    fmt, io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// An error in a file, and its place. It prints as `moves.tcl:12: …`.
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
    /// The file, if known.
    pub file: Option<PathBuf>,
    /// The line, counted from 1, if the problem has one.
    pub line: Option<u64>,
    /// The problem and its remedy.
    pub problem: Problem,
}

/// The problem of a file. Each message has a remedy.
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
    /// The operating system cannot read it.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A file without content.
    #[error("there is no {0} in it; is it the right file, and complete?")]
    Empty(&'static str),
    /// Bytes that are not text.
    #[error("this is not UTF-8 text; unpack or convert the file first")]
    NotText,
    /// A line or an XML element that is too long.
    #[error(
        "a line or an element is longer than {0} bytes; is it the right file? If so, raise the limit"
    )]
    Long(usize),
    /// More entries than the limit.
    #[error("there are more than {limit} {what}; cut the file down, or raise the limit")]
    TooMany {
        /// The kind of entry.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Text that cannot be parsed.
    #[error("cannot read `{found}`; {expected}")]
    Unreadable {
        /// The text.
        found: String,
        /// What is valid there.
        expected: String,
    },
    /// A missing part.
    #[error("{what} is missing; {remedy}")]
    Missing {
        /// The part.
        what: String,
        /// The remedy.
        remedy: String,
    },
    /// A repeated part.
    #[error("{0} is given twice; leave one of them out")]
    Twice(String),
    /// Times out of order.
    #[error("{who} goes back in time, from {before} s to {time} s; sort by time")]
    Backwards {
        /// The node or flow.
        who: String,
        /// The earlier entry's time.
        before: f64,
        /// The later entry's time.
        time: f64,
    },
    /// Two places at one moment.
    #[error("{who} is at two places at {time} s; leave one of them out")]
    TwoPlaces {
        /// The node.
        who: String,
        /// The time.
        time: f64,
    },
    /// An unknown node.
    #[error("there is no node `{name}`; {remedy}")]
    UnknownNode {
        /// Its name.
        name: String,
        /// The remedy.
        remedy: String,
    },
    /// An unknown column of a table.
    #[error("there is no column `{name}`; {remedy}")]
    UnknownColumn {
        /// Its name.
        name: String,
        /// The remedy.
        remedy: String,
    },
    /// A link from a node to itself.
    #[error("node `{0}` is linked to itself; remove the link")]
    Loop(String),
    /// Malformed XML.
    #[error("this is not well-formed XML: {0}; repair the file, or write it again")]
    Xml(String),
}

impl FormatError {
    pub(crate) fn at(line: u64, problem: impl Into<Problem>) -> Self {
        Self { file: None, line: Some(line), problem: problem.into() }
    }

    pub(crate) fn whole(problem: impl Into<Problem>) -> Self {
        Self { file: None, line: None, problem: problem.into() }
    }

    /// The same error with the name of the file.
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
    /// The error for a text that cannot be parsed; it quotes the beginning of a long text.
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
