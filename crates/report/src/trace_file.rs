//! Trace files: runs in JSON.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use everypath_explore::{Described, EventText, Trace};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::write_atomically;

const FORMAT: &str = "everypath-trace";
const VERSION: u64 = 1;
/// How much of an assertion's name is in the name of a file.
const NAME_MAX: usize = 40;

/// The ending of the names of trace files.
pub const TRACE_ENDING: &str = ".trace.json";

/// A run from an initial state to a violation, with all that is needed to run it again. States
/// are recorded as digests of their content.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../explore/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore, replay};
/// use everypath_report::{Origin, TraceFile};
/// # let origin = Origin {
/// #     scenario: "counter".into(), profile: "standard".into(), parameters: Default::default(),
/// #     verify_determinism: false, disabled: Vec::new(), required: None, deadlock: false, start: None,
/// #     files: Vec::new(), replaced: Default::default(),
/// # };
/// # let folder = tempfile::tempdir()?;
///
/// let mut space = ModelSpace::new(Counter);
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let trace = &found.finding().unwrap().trace;
/// let file = TraceFile::record(&space, trace, origin, "never seven");
/// let path = folder.path().join(file.file_name());
/// file.write(&path).unwrap();
///
/// let read = TraceFile::read(&path).unwrap();
/// let (initial, digests) = read.digests().unwrap();
/// let steps = read.steps.iter().map(|step| &step.event).zip(digests);
/// assert!(replay(&mut ModelSpace::new(Counter), initial, steps).is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceFile {
    /// The scenario it is a run of.
    pub scenario: String,
    /// Under which profile.
    pub profile: String,
    /// With which values of all parameters.
    pub parameters: BTreeMap<String, String>,
    /// Whether handlers were executed twice.
    pub verify_determinism: bool,
    /// The patterns of disabled events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disabled: Vec<String>,
    /// Which event the run had to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<String>,
    /// Whether deadlocks were violations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlock: bool,
    /// Which simulated run had come to its initial state, if it does not begin at the scenario's own
    /// start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<SimulatedStart>,
    /// The scenario file that said more than a name and parameters, if there was one, and then the files that
    /// it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<RecordedFile>,
    /// The parameters that have no effect, each with the keys of the scenario file that have replaced it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replaced: BTreeMap<String, Vec<String>>,
    /// The assertion that the last state violates.
    pub assertion: String,
    /// The digest of the initial state.
    pub initial: String,
    /// What happened.
    pub steps: Vec<RecordedStep>,
}

/// A file with a digest of its content.
///
/// ```
/// use everypath_report::RecordedFile;
///
/// let file = RecordedFile { path: "../arq.toml".into(), digest: "00c0ffee00c0ffee".into() };
/// assert_eq!(file.digest.len(), 16);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Where it is, seen from the folder of the trace.
    pub path: String,
    /// The digest of its content: of a scenario file, of what it says.
    pub digest: String,
}

/// A moment of a simulated run.
///
/// ```
/// use everypath_report::SimulatedStart;
///
/// // Five seconds into the first run under seed 1.
/// let digest = "00c0ffee00c0ffee".to_owned();
/// let start = SimulatedStart { nanoseconds: 5_000_000_000, seed: 1, replication: 0, digest };
/// assert_eq!(start.nanoseconds / 1_000_000_000, 5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedStart {
    /// When, since the start of the run.
    pub nanoseconds: u64,
    /// The seed of the run.
    pub seed: u64,
    /// Its number.
    pub replication: u32,
    /// The digest of the world at that moment, links included.
    pub digest: String,
}

/// The origin of a run: the scenario and all settings.
///
/// ```
/// use std::collections::BTreeMap;
/// use everypath_report::Origin;
///
/// let origin = Origin {
///     scenario: "arq".into(),
///     profile: "standard".into(),
///     parameters: BTreeMap::from([("nodes".into(), "2".into())]),
///     verify_determinism: false,
///     disabled: Vec::new(),
///     required: None,
///     deadlock: false,
///     start: None,
///     files: Vec::new(),
///     replaced: BTreeMap::new(),
/// };
/// assert_eq!(origin.parameters["nodes"], "2");
/// ```
#[derive(Clone, Debug)]
pub struct Origin {
    /// The scenario.
    pub scenario: String,
    /// The profile it was run under.
    pub profile: String,
    /// The values of all its parameters.
    pub parameters: BTreeMap<String, String>,
    /// Whether handlers were executed twice.
    pub verify_determinism: bool,
    /// The patterns of disabled events.
    pub disabled: Vec<String>,
    /// Which event the run had to have.
    pub required: Option<String>,
    /// Whether deadlocks were violations.
    pub deadlock: bool,
    /// Which simulated run had come to its initial state, if it does not begin at the scenario's own
    /// start.
    pub start: Option<SimulatedStart>,
    /// The scenario file and those that it names, seen from the folder of the trace.
    pub files: Vec<RecordedFile>,
    /// The parameters that have no effect, each with the keys of the scenario file that have replaced it.
    pub replaced: BTreeMap<String, Vec<String>>,
}

/// One step of a recorded run.
///
/// ```
/// use everypath_explore::EventText;
/// use everypath_report::RecordedStep;
///
/// let event = EventText {
///     node: Some(0),
///     kind: "timer".into(),
///     parameters: Vec::new(),
///     sentence: "n0's timer fires".into(),
/// };
/// let step = RecordedStep { event, digest: "00c0ffee00c0ffee".into() };
/// assert_eq!(step.event.kind, "timer");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedStep {
    /// What happened.
    #[serde(flatten)]
    pub event: EventText,
    /// The digest of the state it led to.
    pub digest: String,
}

/// A text as a part of a name: its letters and digits, small, and something between its words.
///
/// ```
/// assert_eq!(everypath_report::slug("At most 1 leader, ever!", "-"), "at-most-1-leader-ever");
/// ```
#[must_use]
pub fn slug(text: &str, between: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join(between)
}

/// The paths of all runs in a folder, in the order of their names; none if there is no folder yet.
///
/// ```
/// use everypath_report::traces_in;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("lost.trace.json"), "{}")?;
/// std::fs::write(folder.join("notes.txt"), "")?;
/// assert_eq!(traces_in(folder)?, [folder.join("lost.trace.json")]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the folder cannot be read.
pub fn traces_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut files = paths.collect::<io::Result<Vec<_>>>()?;
    let ending = TRACE_ENDING.as_bytes();
    files.retain(|file| {
        file.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(ending))
    });
    files.sort_unstable();
    Ok(files)
}

/// A file that is not a trace, or not a whole one.
///
/// ```
/// use everypath_report::{TraceFile, TraceFileError};
///
/// let read = TraceFile::read("no such file".as_ref());
/// assert!(matches!(read, Err(TraceFileError::Read { .. })));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceFileError {
    /// It cannot be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It is not JSON, as when it was cut off.
    #[error("{path} is not a whole JSON file ({error}); was it cut off?")]
    Json {
        /// The file.
        path: PathBuf,
        /// Where it breaks.
        error: serde_json::Error,
    },
    /// It is JSON, but not a trace file.
    #[error("{path} is not a trace file of Everypath")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It was written by another version.
    #[error(
        "{path} is a trace file of version {found}, and this program reads version {VERSION}; record it again with `check`"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it names.
        found: Value,
    },
    /// Its content does not match its checksum.
    #[error(
        "{path} was changed after it was written: its checksum does not match; record it again with `check`"
    )]
    Checksum {
        /// The file.
        path: PathBuf,
    },
    /// It lacks something.
    #[error("{path} is a damaged trace file: {error}")]
    Content {
        /// The file.
        path: PathBuf,
        /// The missing part.
        error: serde_json::Error,
    },
    /// It cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// The form in the file: what it is, and a checksum over the rest.
#[derive(Serialize)]
struct Envelope<'a> {
    format: &'a str,
    version: u64,
    checksum: String,
    trace: &'a TraceFile,
}

impl TraceFile {
    /// Records a run.
    #[must_use]
    pub fn record(space: &impl Described, trace: &Trace, origin: Origin, assertion: &str) -> Self {
        let digest = |state| format!("{:016x}", space.digest(state));
        let steps = trace.transitions().map(|(before, step)| RecordedStep {
            event: space.event_text(before, step.event),
            digest: digest(step.state),
        });
        Self {
            scenario: origin.scenario,
            profile: origin.profile,
            parameters: origin.parameters,
            verify_determinism: origin.verify_determinism,
            disabled: origin.disabled,
            required: origin.required,
            deadlock: origin.deadlock,
            start: origin.start,
            files: origin.files,
            replaced: origin.replaced,
            assertion: assertion.to_owned(),
            initial: digest(trace.initial),
            steps: steps.collect(),
        }
    }

    /// A digest of what happens and what it violates, whatever states it leads to: the same for the same run in
    /// another version of the protocol.
    #[must_use]
    pub fn run_digest(&self) -> u64 {
        let events: Vec<&EventText> = self.steps.iter().map(|step| &step.event).collect();
        let start = self.start.as_ref().map(|it| (it.nanoseconds, it.seed, it.replication));
        let run = (&self.scenario, &self.profile, &self.parameters, start, &self.assertion, events);
        let mut bytes = serde_json::to_vec(&run).expect("a trace can be written");
        bytes.extend(self.files.iter().flat_map(|file| file.digest.bytes()));
        xxh3_64(&bytes)
    }

    /// Its name among others: the assertion that it violates, and a digest.
    #[must_use]
    pub fn file_name(&self) -> String {
        let mut name = slug(&self.assertion, "-");
        name.truncate(NAME_MAX);
        let name = name.trim_end_matches('-');
        let name = if name.is_empty() { "assertion" } else { name };
        format!("{name}-{:016x}{TRACE_ENDING}", self.run_digest())
    }

    /// The digests as numbers; `None` if one is invalid.
    #[must_use]
    pub fn digests(&self) -> Option<(u64, Vec<u64>)> {
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let steps = self.steps.iter().map(|step| number(&step.digest)).collect::<Option<_>>()?;
        Some((number(&self.initial)?, steps))
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written; a file that was there before is then still there.
    pub fn write(&self, path: &Path) -> Result<(), TraceFileError> {
        let envelope =
            Envelope { format: FORMAT, version: VERSION, checksum: self.checksum(), trace: self };
        let mut text = serde_json::to_string_pretty(&envelope).expect("a trace can be written");
        text.push('\n');
        write_atomically(path, text.as_bytes())
            .map_err(|error| TraceFileError::Write { path: path.to_owned(), error })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a whole, unchanged trace of this version.
    pub fn read(path: &Path) -> Result<Self, TraceFileError> {
        let own = || path.to_owned();
        let text = fs::read_to_string(path)
            .map_err(|error| TraceFileError::Read { path: own(), error })?;
        let mut json: Value = serde_json::from_str(&text)
            .map_err(|error| TraceFileError::Json { path: own(), error })?;
        if json.get("format") != Some(&Value::from(FORMAT)) {
            return Err(TraceFileError::Foreign { path: own() });
        }
        let found = json.get("version").cloned().unwrap_or(Value::Null);
        if found != VERSION {
            return Err(TraceFileError::Version { path: own(), found });
        }
        let trace: Self = serde_json::from_value(json["trace"].take())
            .map_err(|error| TraceFileError::Content { path: own(), error })?;
        if json["checksum"] != trace.checksum() {
            return Err(TraceFileError::Checksum { path: own() });
        }
        Ok(trace)
    }

    fn checksum(&self) -> String {
        let content = serde_json::to_vec(self).expect("a trace can be written");
        format!("{:016x}", xxh3_64(&content))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever a file holds, reading it ends in words.
        #[test]
        fn anything_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..300), text in ".{0,200}") {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x.trace.json");
            let json = format!(r#"{{"format":"{FORMAT}","version":{VERSION},"checksum":"","trace":{{"steps":[{{"digest":"{}"}}]}}}}"#, text.replace(['"', '\\'], ""));
            for content in [bytes.as_slice(), text.as_bytes(), json.as_bytes()] {
                fs::write(&path, content).unwrap();
                prop_assert!(!TraceFile::read(&path).unwrap_err().to_string().is_empty());
            }
        }
    }
}
