//! Changes of code that the user declares, against the prints of code.

use std::{collections::BTreeSet, path::Path};

use everypath_explore::EventPattern;
use everypath_model::EventKind;
use everypath_network::DeclaredChanges;

use crate::{
    arguments::earlier::ChangeArguments,
    error::{CliError, unknown, unused},
    scenarios::outline::Outline,
};

/// Code and events that are treated as changed, or code as unchanged, whatever its print says: names of code, and patterns of
/// events.
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

    /// The patterns of events among what is declared as modified: those that begin with a kind of event. A name of code
    /// may be one as well, and then means the same.
    pub(crate) fn events(&self) -> Vec<EventPattern> {
        let is_kind = |kind: &str| EventKind::ALL.iter().any(|known| known.name() == kind);
        let patterns = self.modified.iter().filter_map(|text| text.parse::<EventPattern>().ok());
        patterns.filter(|pattern| pattern.kind.as_deref().is_some_and(is_kind)).collect()
    }

    /// Refuses names of code that does not exist, unless they are patterns of events that do. Code exists if the file
    /// knows it, or if every protocol has it. An empty file knows nothing, so any name may be right.
    pub(crate) fn ensure_known<'n>(
        &self,
        scenario: &Outline,
        known: impl Iterator<Item = &'n str>,
        is_met: impl Fn(&EventPattern) -> bool,
    ) -> Result<(), CliError> {
        let mut names: BTreeSet<&str> = known.collect();
        if names.is_empty() {
            return Ok(());
        }
        names.extend(&scenario.starting_code);
        let met: Vec<String> =
            self.events().into_iter().filter(is_met).map(|pattern| pattern.to_string()).collect();
        let modified = self.modified.iter().filter(|&text| {
            let pattern = text.parse::<EventPattern>().map(|pattern| pattern.to_string());
            !pattern.is_ok_and(|pattern| met.contains(&pattern))
        });
        let declared = DeclaredChanges::new(modified.cloned().collect(), self.unmodified.clone());
        match declared.unmatched(names.iter().copied()) {
            None => Ok(()),
            Some(pattern) => Err(unknown("code or event", pattern, names.iter().copied())),
        }
    }
}
