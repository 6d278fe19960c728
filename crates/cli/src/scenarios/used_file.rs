//! The scenario file that was used, and the files that it names.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

use everypath_capture::LoggedFile;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    error::CliError,
    scenario_file::{Replaced, Setting, Source},
};

/// A file with a digest of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadFile {
    pub(crate) path: PathBuf,
    pub(crate) digest: String,
}

/// The scenario file that gave more than a name and parameters.
#[derive(Clone, Debug)]
pub(crate) struct UsedFile {
    /// Its digest is that of its content, however it is written.
    pub(crate) file: ReadFile,
    /// The files that it names, each with the table that names it.
    pub(crate) named: Vec<(&'static str, ReadFile)>,
    pub(crate) replaced: Vec<Replaced>,
    /// Its keys outside of tables, and its tables.
    keys: Vec<String>,
}

/// The keys of a file that an exploration does not use.
const SIMULATED: [&str; 3] = ["duration", "replications", "measurements"];
/// The keys that it uses only if it starts from a simulated run.
const RUN: [&str; 8] =
    ["seed", "links", "radio", "energy", "sensing", "traffic", "flows", "faults"];

impl UsedFile {
    /// The file of a setting, unless it is a name on the command line.
    pub(crate) fn of(setting: &Setting, replaced: Vec<Replaced>) -> Result<Option<Self>, CliError> {
        let Some(path) = setting.file() else { return Ok(None) };
        let digest = |bytes: &[u8]| format!("{:016x}", xxh3_64(bytes));
        let named = setting.files.iter().map(|named| {
            let read = fs::read(&named.path).map_err(|error| unreadable(&named.path, &error))?;
            Ok((named.table, ReadFile { path: named.path.clone(), digest: digest(&read) }))
        });
        let named = named.collect::<Result<_, CliError>>()?;
        let said = digest(setting.canonical().as_bytes());
        let file = ReadFile { path: path.to_owned(), digest: said };
        Ok(Some(Self { file, named, replaced, keys: setting.keys() }))
    }

    /// The file, then those that it names.
    pub(crate) fn all(&self) -> impl Iterator<Item = &ReadFile> {
        std::iter::once(&self.file).chain(self.named.iter().map(|(_, file)| file))
    }

    /// Its keys that an exploration does not use.
    pub(crate) fn unexplored(&self, from_simulation: bool) -> Vec<&str> {
        let keys = self.keys.iter().map(String::as_str);
        let of_run = |key: &str| !from_simulation && RUN.contains(&key);
        keys.filter(|key| SIMULATED.contains(key) || of_run(key)).collect()
    }

    /// The file that a table names.
    pub(super) fn named_by(&self, table: &str) -> Option<&ReadFile> {
        self.named.iter().find(|(other, _)| *other == table).map(|(_, file)| file)
    }

    /// The parameters that it replaces, with the keys that do.
    pub(crate) fn replaced_keys(&self) -> BTreeMap<String, Vec<String>> {
        let keys = |it: &Replaced| it.keys.iter().map(|key| (*key).to_owned()).collect();
        self.replaced.iter().map(|it| (it.parameter.clone(), keys(it))).collect()
    }
}

fn unreadable(path: &Path, error: &io::Error) -> CliError {
    CliError::ScenarioFile {
        what: format!("{}: cannot be read: {error}", path.display()),
        help: None,
    }
}

impl ReadFile {
    pub(super) fn to_text(&self) -> String {
        format!("{} (digest {})", self.path.display(), self.digest)
    }

    pub(super) fn report(&self) -> FileReport {
        FileReport { file: self.path.display().to_string(), digest: self.digest.clone() }
    }

    /// Its path relative to a folder.
    pub(crate) fn seen_from(&self, folder: &Path) -> LoggedFile {
        let path = seen_from(folder, &self.path).display().to_string();
        LoggedFile { path, digest: self.digest.clone() }
    }
}

/// A file that was read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "File"))]
pub(crate) struct FileReport {
    /// The path of the file.
    file: String,
    /// A digest of its content.
    digest: String,
}

/// The path of a file relative to a folder: the folder joined with this path is the file.
pub(crate) fn seen_from(folder: &Path, file: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // The folder may not exist yet.
    let from = folder.canonicalize().or_else(|_| std::path::absolute(folder));
    let (Ok(from), Ok(to)) = (from, file.canonicalize()) else { return file.to_owned() };
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return to;
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

/// The scenario file of a recorded run, as recorded.
pub(crate) struct Recorded<'a> {
    /// The file with the record.
    pub(crate) by: &'a Path,
    /// The scenario file and those that it names, seen from there, with their digests.
    pub(crate) files: Vec<(&'a str, &'a str)>,
    pub(crate) parameters: &'a BTreeMap<String, String>,
    pub(crate) replaced: &'a BTreeMap<String, Vec<String>>,
}

impl Recorded<'_> {
    /// Reads the scenario file, if there was one: it must not have changed since.
    pub(crate) fn setting(&self) -> Result<Option<Setting>, CliError> {
        let Some((first, _)) = self.files.first() else { return Ok(None) };
        let (source, table) = Source::read(&folder_of(self.by).join(first))?;
        let setting = Setting::recorded(&source, &table, self.parameters, self.replaced)?;
        let used = UsedFile::of(&setting, Vec::new())?;
        let now = used.iter().flat_map(UsedFile::all);
        let changed = self.files.iter().zip(now).find(|((_, was), is)| *was != is.digest);
        match changed {
            None => Ok(Some(setting)),
            Some(((_, was), is)) => Err(CliError::OtherFile {
                path: self.by.to_owned(),
                file: is.path.clone(),
                was: (*was).to_owned(),
                is: is.digest.clone(),
            }),
        }
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}
