//! Changes of code that the user declares, against the prints of code.

use std::{collections::BTreeSet, path::Path};

use everypath_network::DeclaredChanges;

use crate::{
    arguments::earlier::ChangeArguments,
    error::{CliError, unknown, unused},
    scenarios::outline::Outline,
};

/// Names of code that is treated as changed, or as unchanged, whatever its print says.
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
    /// Refuses declared changes if none of these files can be read: they are about its content.
    pub(crate) fn ensure_used<'f>(
        &self,
        mut files: impl Iterator<Item = &'f Path>,
    ) -> Result<(), CliError> {
        let modified = (!self.modified.is_empty()).then_some("--modified");
        let given = modified.or((!self.unmodified.is_empty()).then_some("--unmodified"));
        match given {
            Some(option) if !files.any(Path::exists) => {
                Err(unused(option, "no existing file of --memo or --graph: everything is executed"))
            }
            _ => Ok(()),
        }
    }

    /// The changes for the network crate.
    pub(crate) fn declared(&self) -> DeclaredChanges {
        DeclaredChanges::new(self.modified.clone(), self.unmodified.clone())
    }

    /// Refuses names of code that does not exist. Code exists if the file knows it, or if every protocol has it. An empty
    /// file knows nothing, so any name may be right.
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
