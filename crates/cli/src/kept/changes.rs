//! What the user knows better than prints of code.

use std::{collections::BTreeSet, path::Path};

use everypath_network::DeclaredChanges;

use crate::{
    arguments::earlier::ChangeArguments,
    error::{CliError, unknown, unused},
    scenarios::outline::Outline,
};

/// Names of code that is taken for changed, or for unchanged, whatever its print says.
pub(crate) struct CodeChanges {
    pub(crate) modified: Vec<String>,
    pub(crate) unmodified: Vec<String>,
}

impl From<&ChangeArguments> for CodeChanges {
    fn from(arguments: &ChangeArguments) -> Self {
        let ChangeArguments { modified, unmodified } = arguments.clone();
        Self { modified, unmodified }
    }
}

impl CodeChanges {
    /// Whether one of these files is there to be read: they are about what is in it.
    pub(crate) fn ensure_used<'f>(
        &self,
        mut files: impl Iterator<Item = &'f Path>,
    ) -> Result<(), CliError> {
        let modified = (!self.modified.is_empty()).then_some("--modified");
        let given = modified.or((!self.unmodified.is_empty()).then_some("--unmodified"));
        match given {
            Some(option) if !files.any(Path::exists) => Err(unused(
                option,
                "no file of --memo or --graph that is there to be read: everything is executed",
            )),
            _ => Ok(()),
        }
    }

    /// What they say.
    pub(crate) fn declared(&self) -> DeclaredChanges {
        DeclaredChanges::new(self.modified.clone(), self.unmodified.clone())
    }

    /// Whether they are about code that there is: all that something is known of, and what the protocol has in any
    /// case. As long as nothing is known, any name may be right.
    pub(crate) fn ensure_known<'n>(
        &self,
        scenario: &Outline,
        known: impl Iterator<Item = &'n str>,
    ) -> Result<(), CliError> {
        let mut names: BTreeSet<&str> = known.collect();
        if names.is_empty() {
            return Ok(());
        }
        names.extend(&scenario.starting_code);
        match self.declared().unmatched(names.iter().copied()) {
            None => Ok(()),
            Some(pattern) => Err(unknown("code", pattern, names.iter().copied())),
        }
    }
}
