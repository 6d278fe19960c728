//! A table or figure as its document lists it.

use super::{
    laboratory::{Halt, Laboratory},
    table::MadeTable,
};

/// A table or figure, and how it is made.
pub(crate) struct Listed {
    /// The id of the document, a slash, and the number: `000/4.2`, or `000/figure-6.1` for a figure.
    pub(crate) id: &'static str,
    /// Other ids that name it, where it makes several published tables at once.
    pub(crate) others: &'static [&'static str],
    pub(crate) title: &'static str,
    /// About how many seconds it takes on a machine of today, without `--long`.
    pub(crate) seconds: u32,
    /// The same with `--long`, if it has rows that only run then.
    pub(crate) long_seconds: Option<u32>,
    /// Fills the table, row by row: what is there stays if the user stops it.
    pub(crate) make: fn(&mut Laboratory<'_>, &mut MadeTable) -> Result<(), Halt>,
}

impl Listed {
    /// All ids that name it.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &'static str> {
        [self.id].into_iter().chain(self.others.iter().copied())
    }
}
