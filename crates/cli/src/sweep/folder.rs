//! The results folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use everypath_report::{FileLock, write_atomically};

use super::{
    Study,
    record::{FORMAT, Record},
};
use crate::{error::CliError, kept::identity};

/// A folder of results. As long as it is open, no other process can open it.
pub(crate) struct Folder {
    path: PathBuf,
    /// Locked; the system releases the lock however the process ends.
    _lock: FileLock,
}

/// How many runs of a folder were not used.
#[derive(Clone, Copy, Default)]
pub(crate) struct Left {
    /// Of another program, or of another version of Everypath.
    pub(crate) program: u64,
    /// Of this program, under other settings.
    pub(crate) settings: u64,
}

/// The run of a file.
#[derive(Clone, Copy)]
pub(crate) struct RunKey<'a> {
    pub(crate) hash: &'a str,
    pub(crate) seed: u64,
    pub(crate) replication: u32,
}

impl Folder {
    /// Opens a folder, which is created if necessary.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        let failed = |error: io::Error| unwritten(path, error);
        fs::create_dir_all(path.join("runs")).map_err(failed)?;
        let manifest = path.join("manifest.json");
        match FileLock::take(&manifest) {
            Ok(Some(lock)) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Ok(None) => Err(CliError::ResultsInUse { path: path.to_owned() }),
            Err(error) => Err(unwritten(&manifest, error)),
        }
    }

    fn run_file(&self, key: RunKey<'_>) -> PathBuf {
        let RunKey { hash, seed, replication } = key;
        self.path.join("runs").join(format!("{hash}-s{seed}-r{replication:04}.json"))
    }

    /// A kept run, if there is one.
    pub(crate) fn kept(&self, key: RunKey<'_>) -> Result<Option<Record>, CliError> {
        let path = self.run_file(key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CliError::DamagedRun { path, what: error.to_string() }),
        };
        let damaged =
            |what: &str| CliError::DamagedRun { path: path.clone(), what: what.to_owned() };
        let record: Record =
            serde_json::from_slice(&bytes).map_err(|error| damaged(&error.to_string()))?;
        let is_it = record.format == FORMAT
            && (record.hash.as_str(), record.seed) == (key.hash, key.seed)
            && record.replication == key.replication;
        if is_it { Ok(Some(record)) } else { Err(damaged("its name is that of another run")) }
    }

    /// How many runs belong to no point of a study, and so were not used: those of another program, and those with other
    /// settings.
    pub(crate) fn left(&self, study: &Study) -> Result<Left, CliError> {
        let runs = self.path.join("runs");
        let listed = fs::read_dir(&runs).map_err(|error| unwritten(&runs, error))?;
        let program = identity::program();
        let mut left = Left::default();
        for file in listed.flatten().map(|entry| entry.path()) {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let Some((hash, _)) = name.split_once("-s").filter(|_| name.ends_with(".json")) else {
                continue;
            };
            if study.points.iter().any(|point| point.hash == hash) {
                continue;
            }
            let kept = fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            match kept {
                Some(Record { program: other, .. }) if other == program => left.settings += 1,
                _ => left.program += 1,
            }
        }
        Ok(left)
    }

    /// Keeps a run.
    pub(crate) fn keep(&self, record: &Record) -> Result<(), CliError> {
        let key = RunKey { hash: &record.hash, seed: record.seed, replication: record.replication };
        let text = serde_json::to_string_pretty(record).expect("a record is plain data") + "\n";
        self.put(&self.run_file(key), &text)
    }

    /// Writes a file of this name. Returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<PathBuf, CliError> {
        let path = self.path.join(name);
        self.put(&path, text)?;
        Ok(path)
    }

    fn put(&self, path: &Path, text: &str) -> Result<(), CliError> {
        write_atomically(path, text.as_bytes()).map_err(|error| unwritten(path, error))
    }
}

fn unwritten(path: &Path, error: io::Error) -> CliError {
    CliError::Results { path: path.to_owned(), error }
}
