//! Files that a scenario file names.

use std::path::PathBuf;

use everypath_formats::FormatError;

use super::Section;
use crate::error::CliError;

/// A file that a table names.
pub(crate) struct NamedFile {
    pub(crate) table: &'static str,
    pub(crate) path: PathBuf,
}

/// A file that a section names under a key, and its format, one of these.
pub(super) fn named_file<T: Copy>(
    section: Section<'_>,
    key: &str,
    formats: &[(&str, T)],
    by_extension: impl Fn(&str) -> Option<T>,
    files: &mut Vec<NamedFile>,
) -> Result<Option<(PathBuf, T)>, CliError> {
    let Some(name) = section.text(key, "the name of a file, relative to this one")? else {
        return Ok(None);
    };
    let path = section.source.beside(name);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = match section.word("format", formats)? {
        Some(format) => format,
        None => extension.and_then(by_extension).ok_or_else(|| {
            let words: Vec<String> = formats.iter().map(|(word, _)| format!("{word:?}")).collect();
            let help = format!("give `format`, one of {}", words.join(", "));
            section.error(key, "its extension does not say its format", Some(help))
        })?,
    };
    files.push(NamedFile { table: section.name, path: path.clone() });
    Ok(Some((path, format)))
}

/// A named file could not be read.
pub(super) fn unreadable(section: Section<'_>, key: &str, error: &FormatError) -> CliError {
    section.error(key, error, None)
}
