//! Files that a scenario file names.

use std::path::PathBuf;

use clap::ValueEnum;
use everypath_formats::FormatError;

use super::{Section, keys::Takes};
use crate::{arguments::search::words, error::CliError};

/// A file that a table names.
pub(crate) struct NamedFile {
    pub(crate) table: &'static str,
    pub(crate) path: PathBuf,
}

/// A file that a section names under a key, and its format.
pub(super) fn named_file<T: ValueEnum>(
    section: Section<'_>,
    key: &str,
    by_extension: impl Fn(&str) -> Option<T>,
    files: &mut Vec<NamedFile>,
) -> Result<Option<(PathBuf, T)>, CliError> {
    let Some(name) = section.text(key) else { return Ok(None) };
    let path = section.source.beside(name);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = section.word("format").or_else(|| extension.and_then(by_extension));
    let Some(format) = format else {
        let help = format!("give `format`, {}", Takes::Words(words::<T>));
        return Err(section.error(key, "its extension does not say its format", Some(help)));
    };
    files.push(NamedFile { table: section.name(), path: path.clone() });
    Ok(Some((path, format)))
}

/// A named file could not be read.
pub(super) fn unreadable(section: Section<'_>, key: &str, error: &FormatError) -> CliError {
    section.error(key, error, None)
}
