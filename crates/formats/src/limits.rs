//! Limits on the size of files.

use crate::{FormatError, Problem};

/// Limits on the size of a file. Files are read piece by piece, so memory depends on the content
/// that is kept, not on the size of the file.
///
/// ```
/// use everypath_formats::{Limits, Problem, edge_list};
///
/// let limits = Limits::default().nodes(2);
/// let error = edge_list::read_topology("a b\nb c\n".as_bytes(), &limits).unwrap_err();
/// assert!(matches!(error.problem, Problem::TooMany { what: "nodes", limit: 2 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest number of nodes.
    pub nodes: usize,
    /// The largest number of legs, links or flows in all.
    pub entries: usize,
    /// The largest size of a line or an XML element, in bytes.
    pub line_bytes: usize,
}

impl Default for Limits {
    /// 100 000 nodes; 20 million entries, which take about a gigabyte as legs; 64 MiB.
    fn default() -> Self {
        Self { nodes: 100_000, entries: 20_000_000, line_bytes: 64 << 20 }
    }
}

everypath_model::setters!(Limits { nodes: usize, entries: usize, line_bytes: usize });

impl Limits {
    pub(crate) fn check_nodes(&self, line: u64, nodes: usize) -> Result<(), FormatError> {
        check(line, "nodes", nodes, self.nodes)
    }

    pub(crate) fn check_entries(
        &self,
        line: u64,
        what: &'static str,
        entries: usize,
    ) -> Result<(), FormatError> {
        check(line, what, entries, self.entries)
    }
}

fn check(line: u64, what: &'static str, number: usize, limit: usize) -> Result<(), FormatError> {
    if number > limit {
        return Err(FormatError::at(line, Problem::TooMany { what, limit }));
    }
    Ok(())
}
