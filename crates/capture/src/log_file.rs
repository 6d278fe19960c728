//! Event logs in files.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

/// The format that the first line of an event log names.
pub const LOG_FORMAT: &str = "everypath-log";
const VERSION: u64 = 2;
/// The key of the checksum, which covers everything before its value.
pub(crate) const CHECKSUM_KEY: &str = r#","checksum":""#;

/// The header of an event log: all that is needed to repeat its run.
///
/// ```
/// use everypath_capture::{LogHeader, LoggedSetting};
///
/// let header = LogHeader {
///     scenario: "arq".to_owned(),
///     setting: LoggedSetting::default(),
///     profile: "standard".to_owned(),
///     parameters: [("loss-rate".to_owned(), "0.1".to_owned())].into(),
///     seed: 1,
///     replication: 0,
///     duration_ns: 10_000_000_000,
///     nodes: 2,
///     roles: vec!["sender".to_owned(), "receiver".to_owned()],
///     links: vec![(0, 1)],
///     range: None,
/// };
/// assert_eq!(header.roles.len(), header.nodes);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LogHeader {
    /// The scenario.
    pub scenario: String,
    /// The additions of a scenario file, if there was one.
    #[serde(flatten)]
    pub setting: LoggedSetting,
    /// The profile it was run under.
    #[cfg_attr(test, schemars(extend("enum" = ["standard", "thesis"])))]
    pub profile: String,
    /// The values of its parameters, but for those that a scenario file has replaced.
    pub parameters: BTreeMap<String, String>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Which of the independent runs under that seed.
    pub replication: u32,
    /// How much time was to be simulated, in nanoseconds.
    pub duration_ns: u64,
    /// How many nodes there are.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub nodes: usize,
    /// The roles of the nodes; empty if they have none.
    pub roles: Vec<String>,
    /// Who is whose neighbour; of no meaning on a field.
    pub links: Vec<(u32, u32)>,
    /// On a field: how far nodes are heard, in metres.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub range: Option<f64>,
}

/// The additions of a scenario file to a scenario, and the set-up of a field.
///
/// ```
/// use everypath_capture::LoggedSetting;
///
/// // Nodes on a field, without a scenario file.
/// let setting = LoggedSetting { radio: Some("ideal".to_owned()), ..LoggedSetting::default() };
/// assert_eq!((setting.file, setting.flows), (None, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoggedSetting {
    /// The scenario file that said more, if there was one; its digest is of what it says.
    pub file: Option<LoggedFile>,
    /// The files that it names.
    pub files: Vec<LoggedFile>,
    /// The parameters that have no effect, each with the keys of the file that have replaced it.
    pub replaced: BTreeMap<String, Vec<String>>,
    /// On a field: how nodes move.
    #[cfg_attr(
        test,
        schemars(extend("enum" = ["trace", "paths", "fixed", "uniform", "waypoint", "walk", null]))
    )]
    pub mobility: Option<String>,
    /// On a field: the kind of radio.
    #[cfg_attr(test, schemars(extend("enum" = ["ideal", "shared", "dcf", null])))]
    pub radio: Option<String>,
    /// How many flows there are.
    pub flows: usize,
}

/// A file with a digest of its content.
///
/// ```
/// use everypath_capture::LoggedFile;
///
/// let file = LoggedFile { path: "../moves.tcl".into(), digest: "00c0ffee00c0ffee".into() };
/// assert_eq!(file.digest.len(), 16);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "File"))]
pub struct LoggedFile {
    /// Where it is, seen from the folder of the log.
    pub path: String,
    /// The digest of its content.
    pub digest: String,
}

/// The header of an event log: all that is needed to repeat its run.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Header"))]
pub(crate) struct FirstLine<H> {
    /// The number of the line.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    line: u64,
    /// The format of the file.
    #[cfg_attr(test, schemars(extend("const" = LOG_FORMAT)))]
    format: String,
    /// The version of the format.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    version: u64,
    #[serde(flatten)]
    header: H,
}

impl LogHeader {
    /// The first line of a log, without its end.
    pub(crate) fn to_json(&self) -> String {
        let first =
            FirstLine { line: 1, format: LOG_FORMAT.to_owned(), version: VERSION, header: self };
        serde_json::to_string(&first).expect("a header can be written")
    }
}

/// How the run of a log ended.
///
/// ```
/// use everypath_capture::LogEnd;
///
/// let end = LogEnd { line: 12, ns: 1_000_000_000, ending: "finished".into(), events: Some(2) };
/// assert_eq!(end.ending, "finished");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LogEnd {
    /// The number of the last line.
    pub line: u64,
    /// The time at which it ended, in nanoseconds.
    pub ns: u64,
    /// `finished`, `event limit`, `stopped`, `violated` or `failed`.
    pub ending: String,
    /// How many events were handled, unless it failed.
    pub events: Option<u64>,
}

/// A file that is not an event log, or not a whole one.
///
/// ```
/// use everypath_capture::{LogError, LogFile};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.jsonl");
/// std::fs::write(&path, "something else\n")?;
/// assert!(matches!(LogFile::read(&path), Err(LogError::Foreign { .. })));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogError {
    /// It cannot be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Its first line is not that of a log.
    #[error("{path} is not an event log of Everypath")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It was written by another version.
    #[error(
        "{path}:1: an event log of version {found}, and this program reads version {VERSION}; record it again with `simulate --event-log`"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it names.
        found: Value,
    },
    /// A line lacks something.
    #[error("{path}:{line}: damaged: {error}; record it again with `simulate --event-log`")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line.
        line: u64,
        /// The missing part.
        error: serde_json::Error,
    },
    /// It has no end.
    #[error(
        "{path}:{line}: the log ends here, without the line that says how the run ended: it was cut off; record it again with `simulate --event-log`"
    )]
    Cut {
        /// The file.
        path: PathBuf,
        /// Its last line.
        line: u64,
    },
    /// Its content does not match its checksum.
    #[error(
        "{path} was changed after it was written: its checksum does not match; record it again with `simulate --event-log`"
    )]
    Checksum {
        /// The file.
        path: PathBuf,
    },
}

/// An event log that was found to be whole and unchanged.
///
/// ```
/// # mod recorded { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/recorded.rs")); }
/// # use recorded::{header, scenario};
/// use std::fs::File;
/// use everypath_capture::{Capture, EventLog, LogFile};
/// use everypath_sim::{Limits, Simulation};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.jsonl");
/// let mut log = EventLog::new(File::create(&path)?, &header(), Vec::new());
/// let run = Simulation::observed(&scenario(), 1, 0, &mut log)
///     .and_then(|simulation| simulation.run(&Limits::default()));
/// Box::new(log).finish(&run)?;
///
/// assert!(LogFile::is_one(&path));
/// let read = LogFile::read(&path).unwrap();
/// assert_eq!((read.header, &read.end.ending[..]), (header(), "finished"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LogFile {
    /// The header.
    pub header: LogHeader,
    /// How it ended.
    pub end: LogEnd,
}

impl LogFile {
    /// Whether a file claims to be an event log; one that cannot be read does not.
    #[must_use]
    pub fn is_one(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        let mut start = [0; 64];
        let Ok(read) = io::Read::read(&mut BufReader::new(file), &mut start) else { return false };
        String::from_utf8_lossy(&start[..read]).contains(LOG_FORMAT)
    }

    /// Reads a log from end to end, and uses nothing of it before the checksum matches.
    ///
    /// # Errors
    /// If it is not a whole, unchanged log of this version.
    pub fn read(path: &Path) -> Result<Self, LogError> {
        let own = || path.to_owned();
        let unreadable = |error| LogError::Read { path: own(), error };
        let mut lines = BufReader::new(File::open(path).map_err(unreadable)?);
        let mut first = Vec::new();
        lines.read_until(b'\n', &mut first).map_err(unreadable)?;
        let header = read_header(path, &first)?;
        let mut checksum = Xxh3::new();
        let (mut number, mut previous) = (1, first);
        loop {
            let mut line = Vec::new();
            lines.read_until(b'\n', &mut line).map_err(unreadable)?;
            if line.is_empty() {
                break;
            }
            checksum.update(&previous);
            (number, previous) = (number + 1, line);
        }
        let last = String::from_utf8_lossy(&previous);
        let cut = || LogError::Cut { path: own(), line: number };
        let place = last.rfind(CHECKSUM_KEY).ok_or_else(cut)? + CHECKSUM_KEY.len();
        let (content, found) = last.split_at(place);
        checksum.update(content.as_bytes());
        let end: LogEnd = match serde_json::from_str(&last) {
            Ok(end) => end,
            Err(error) if error.is_eof() => return Err(cut()),
            Err(error) => return Err(LogError::Damaged { path: own(), line: number, error }),
        };
        if found != format!("{:016x}\"}}\n", checksum.digest()) {
            return Err(LogError::Checksum { path: own() });
        }
        Ok(Self { header, end })
    }
}

fn read_header(path: &Path, line: &[u8]) -> Result<LogHeader, LogError> {
    let own = || path.to_owned();
    let Ok(json) = serde_json::from_slice::<Value>(line) else {
        // Of a log that was cut off in its first line, the beginning is left.
        let begins = String::from_utf8_lossy(line).contains(LOG_FORMAT);
        return Err(if begins {
            LogError::Cut { path: own(), line: 1 }
        } else {
            LogError::Foreign { path: own() }
        });
    };
    if json.get("format") != Some(&Value::from(LOG_FORMAT)) {
        return Err(LogError::Foreign { path: own() });
    }
    let found = json.get("version").cloned().unwrap_or(Value::Null);
    if found != VERSION {
        return Err(LogError::Version { path: own(), found });
    }
    let first: FirstLine<LogHeader> = serde_json::from_value(json)
        .map_err(|error| LogError::Damaged { path: own(), line: 1, error })?;
    Ok(first.header)
}
