//! Sealed files: checkpoints, memos, graphs and parts, with identity and checksum.
//!
//! A file is: a line that says what it is; the version of the format; the identity, as JSON after
//! its length; the content; the length of all that; a checksum of all that. Numbers are little-endian.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use everypath_explore::{Checksummed, WriteSearch};
use thiserror::Error;

use crate::{atomic_file::stream_atomically, destination::Destination};

/// A kind of file, and the words for it in messages.
///
/// ```
/// use everypath_report::{CHECKPOINT, MEMO, open_sealed, write_sealed};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("arq.checkpoint");
/// # let identity = Default::default();
/// write_sealed(&CHECKPOINT, &path, &identity, &|out| out.write_all(b"a search")).unwrap();
/// // A checkpoint is not a memo.
/// assert!(open_sealed(&MEMO, &path, &identity).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct FileKind {
    /// The line that it begins with.
    magic: &'static [u8],
    version: u32,
    name: &'static str,
    /// The thing that it holds the state of.
    subject: &'static str,
    /// Which files are of the kind.
    origin: &'static str,
    /// The remedy if it cannot be used.
    remedy: &'static str,
}

/// A search that was interrupted.
pub const CHECKPOINT: FileKind = FileKind {
    magic: b"everypath-checkpoint\n",
    version: 4,
    name: "checkpoint",
    subject: "search",
    origin: "a file that an interrupted search has saved",
    remedy: "start over",
};

/// Memoised executions.
pub const MEMO: FileKind = FileKind {
    magic: b"everypath-memo\n",
    version: 3,
    name: "memo",
    subject: "protocol",
    origin: "a file that a search with `--memo` has written, or a new one",
    remedy: "delete it, and it is made again",
};

/// The steps between states.
pub const GRAPH: FileKind = FileKind {
    magic: b"everypath-graph\n",
    version: 4,
    name: "graph",
    subject: "scenario",
    origin: "a file that a search with `--graph` has written, or a new one",
    remedy: "delete it, and it is made again",
};

/// The answer of one share of an exploration that was cut into instances.
pub const PART: FileKind = FileKind {
    magic: b"everypath-part\n",
    version: 1,
    name: "part",
    subject: "search",
    origin: "a file that `check --share` has written",
    remedy: "run its share again",
};

/// The part of an identity that follows from others, and is long: what a protocol says of `self`.
pub const CONFIGURATION: &str = "configuration";
/// What the names of parameters begin with, which a profile or a scenario may decide.
pub const PARAMETER: &str = "parameter ";

/// The length and the checksum at the end.
const TRAILER_BYTES: u64 = 16;
/// How much of a file is read at once.
const CHUNK_BYTES: usize = 1 << 16;

/// The error of writing or reading a sealed file.
///
/// ```
/// use everypath_report::{MEMO, Trouble, open_sealed};
///
/// let error = open_sealed(&MEMO, "no such file".as_ref(), &Default::default()).err().unwrap();
/// assert!(matches!(error.trouble, Trouble::Read(_)));
/// assert!(error.reason().starts_with("cannot read the memo no such file"));
/// ```
#[derive(Debug, Error)]
#[error("{}", self.words())]
pub struct SealedFileError {
    /// Of which kind the file is, or was to be.
    pub kind: &'static FileKind,
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub trouble: Trouble,
}

/// The kind of an error with a sealed file.
///
/// ```
/// use everypath_report::{GRAPH, Trouble, open_sealed};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("arq.graph");
/// std::fs::write(&path, "something else")?;
/// let error = open_sealed(&GRAPH, &path, &Default::default()).err().unwrap();
/// assert!(matches!(error.trouble, Trouble::Foreign));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub enum Trouble {
    /// It cannot be written.
    Write {
        /// Why not.
        error: io::Error,
        /// Whether there was one before, which is then still there.
        is_there: bool,
    },
    /// It cannot be read.
    Read(io::Error),
    /// It is something else.
    Foreign,
    /// It was written by another version, which it names.
    Version(u32),
    /// It has not as many bytes as were written.
    Truncated,
    /// Its content does not match its checksum.
    Changed,
    /// It does not say of what it is.
    Content(String),
    /// It is of something else.
    Identity {
        /// Of what it is.
        saved: BTreeMap<String, String>,
        /// Of what it should be.
        now: BTreeMap<String, String>,
    },
}

/// A part of an identity in which a file and this run differ.
///
/// ```
/// use everypath_report::Differing;
///
/// let differing = Differing { key: "max-depth", saved: Some("30"), now: None };
/// assert_ne!(differing.saved, differing.now);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differing<'a> {
    /// What it is called.
    pub key: &'a str,
    /// What it is in the file, if it is there.
    pub saved: Option<&'a str>,
    /// What it is now, if it is anything.
    pub now: Option<&'a str>,
}

/// The parts in which two identities differ, by name.
///
/// ```
/// use std::collections::BTreeMap;
/// use everypath_report::differing;
///
/// let identity = |nodes: &str| {
///     BTreeMap::from([("scenario", "arq"), ("nodes", nodes)].map(|(key, it)| (key.into(), it.into())))
/// };
/// let (saved, now) = (identity("3"), identity("4"));
/// let keys: Vec<&str> = differing(&saved, &now).map(|it| it.key).collect();
/// assert_eq!(keys, ["nodes"]);
/// ```
pub fn differing<'a>(
    saved: &'a BTreeMap<String, String>,
    now: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = Differing<'a>> {
    let keys: BTreeSet<&str> = saved.keys().chain(now.keys()).map(String::as_str).collect();
    let differing = |key| Differing {
        key,
        saved: saved.get(key).map(String::as_str),
        now: now.get(key).map(String::as_str),
    };
    keys.into_iter().map(differing).filter(|it| it.saved != it.now)
}

impl SealedFileError {
    /// Of a file that could not be written.
    #[must_use]
    pub fn unwritten(kind: &'static FileKind, path: &Path, error: io::Error) -> Self {
        let trouble = Trouble::Write { error, is_there: path.is_file() };
        Self { kind, path: path.to_owned(), trouble }
    }

    fn words(&self) -> String {
        let (reason, remedy) = self.parts();
        if remedy.is_empty() { reason } else { format!("{reason}; {remedy}") }
    }

    /// What is wrong, without what to do about it.
    #[must_use]
    pub fn reason(&self) -> String {
        self.parts().0
    }

    /// What is wrong, and what to do about it, if something can be done.
    fn parts(&self) -> (String, String) {
        let Self { kind, path, trouble } = self;
        let FileKind { version, name, subject, origin, remedy, .. } = kind;
        let path = path.display();
        match trouble {
            Trouble::Write { error, is_there } => {
                let still = if *is_there { "what was there before is still there" } else { "" };
                (format!("cannot write the {name} {path}: {error}"), still.to_owned())
            }
            Trouble::Read(error) => {
                (format!("cannot read the {name} {path}: {error}"), (*remedy).to_owned())
            }
            Trouble::Foreign => {
                (format!("{path} is not a {name} of Everypath"), format!("name {origin}"))
            }
            Trouble::Version(found) => (
                format!(
                    "{path} is a {name} of version {found}, and this program reads version {version}"
                ),
                format!("use the program that wrote it, or {remedy}"),
            ),
            Trouble::Truncated => (
                format!("{path} is not a whole {name}: it was cut off"),
                format!("copy it again, or {remedy}"),
            ),
            Trouble::Changed => (
                format!("{path} was changed after it was written: its checksum does not match"),
                format!("copy it again, or {remedy}"),
            ),
            Trouble::Content(error) => {
                (format!("{path} is a damaged {name}: {error}"), (*remedy).to_owned())
            }
            Trouble::Identity { saved, now } => {
                // What others follow from comes first.
                let follows = |key: &str| (key == CONFIGURATION, key.starts_with(PARAMETER));
                let differs = differing(saved, now).min_by_key(|it| follows(it.key));
                let differs = differs.map_or(String::new(), |it| {
                    format!(
                        ": it was saved {}, but this run {}",
                        with(it.key, it.saved),
                        has(it.now)
                    )
                });
                (
                    format!("{path} is a {name} of another {subject}{differs}"),
                    format!("make them the same, or {remedy}"),
                )
            }
        }
    }
}

/// `with max-depth 30`, `without max-depth`.
fn with(key: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("with {key} {value}"),
        None => format!("without {key}"),
    }
}

fn has(value: Option<&str>) -> String {
    value.map_or("has none".to_owned(), |value| format!("has {value}"))
}

/// Puts something into a file, whole or not at all; how many bytes that has. The identity says what
/// must be the same for it to be used and the content itself does not know: the scenario's name, its
/// parameters.
///
/// ```
/// # use std::{collections::BTreeMap, io::Read};
/// use everypath_report::{CHECKPOINT, open_sealed, write_sealed};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("arq.checkpoint");
/// let identity = BTreeMap::from([("scenario".to_owned(), "arq".to_owned())]);
/// // A `Watch` is given what writes the search.
/// write_sealed(&CHECKPOINT, &path, &identity, &|out| out.write_all(b"a search")).unwrap();
/// let mut search = String::new();
/// open_sealed(&CHECKPOINT, &path, &identity).unwrap().read_to_string(&mut search).unwrap();
/// assert_eq!(search, "a search");
/// ```
///
/// # Errors
/// If it cannot be written. A file that was there before is then still there.
pub fn write_sealed(
    kind: &'static FileKind,
    path: &Path,
    identity: &BTreeMap<String, String>,
    content: &WriteSearch<'_>,
) -> Result<u64, SealedFileError> {
    let write = |out: &mut dyn Write| {
        let mut out = Checksummed::new(out);
        let identity = serde_json::to_vec(identity)?;
        let len = u32::try_from(identity.len()).map_err(io::Error::other)?;
        out.write_all(kind.magic)?;
        out.write_all(&kind.version.to_le_bytes())?;
        out.write_all(&len.to_le_bytes())?;
        out.write_all(&identity)?;
        content(&mut out)?;
        let len = out.len();
        out.write_all(&len.to_le_bytes())?;
        let sum = out.sum();
        out.beyond().write_all(&sum.to_le_bytes())
    };
    // What was written to a device or a pipe could not be read again.
    Destination::file(path)
        .and_then(|_| stream_atomically(path, write))
        .map_err(|error| SealedFileError::unwritten(kind, path, error))
}

/// Opens a file for the content in it.
///
/// ```
/// use std::{collections::BTreeMap, io::Read};
/// use everypath_report::{MEMO, open_sealed, write_sealed};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("arq.memo");
/// let arq = BTreeMap::from([("protocol".to_owned(), "arq".to_owned())]);
/// write_sealed(&MEMO, &path, &arq, &|out| out.write_all(b"executions")).unwrap();
/// let mut content = Vec::new();
/// open_sealed(&MEMO, &path, &arq).unwrap().read_to_end(&mut content)?;
/// assert_eq!(content, b"executions");
/// assert!(open_sealed(&MEMO, &path, &BTreeMap::new()).is_err(), "it is of another protocol");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If it is not a whole, unchanged file of this kind and version, or the identity is another.
pub fn open_sealed(
    kind: &'static FileKind,
    path: &Path,
    identity: &BTreeMap<String, String>,
) -> Result<impl Read + use<>, SealedFileError> {
    open(kind, path, identity).map_err(|trouble| SealedFileError {
        kind,
        path: path.to_owned(),
        trouble,
    })
}

/// Opens a file of anything: the identity, and the content.
///
/// ```
/// use std::{collections::BTreeMap, io::Read};
/// use everypath_report::{PART, open_any_sealed, write_sealed};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("arq.part-1-of-2");
/// let arq = BTreeMap::from([("scenario".to_owned(), "arq".to_owned())]);
/// write_sealed(&PART, &path, &arq, &|out| out.write_all(b"an answer")).unwrap();
/// let (identity, mut content) = open_any_sealed(&PART, &path).unwrap();
/// let mut answer = String::new();
/// content.read_to_string(&mut answer)?;
/// assert_eq!((&identity["scenario"][..], &answer[..]), ("arq", "an answer"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If it is not a whole, unchanged file of this kind and version.
pub fn open_any_sealed(
    kind: &'static FileKind,
    path: &Path,
) -> Result<(BTreeMap<String, String>, impl Read + use<>), SealedFileError> {
    open_any(kind, path).map_err(|trouble| SealedFileError { kind, path: path.to_owned(), trouble })
}

fn open(
    kind: &FileKind,
    path: &Path,
    identity: &BTreeMap<String, String>,
) -> Result<impl Read + use<>, Trouble> {
    let (saved, content) = open_any(kind, path)?;
    if saved != *identity {
        return Err(Trouble::Identity { saved, now: identity.clone() });
    }
    Ok(content)
}

fn open_any(
    kind: &FileKind,
    path: &Path,
) -> Result<(BTreeMap<String, String>, impl Read + use<>), Trouble> {
    let mut opened = File::open(path).and_then(Opened::new).map_err(Trouble::Read)?;
    if let Some(trouble) = opened.check(kind).map_err(Trouble::Read)? {
        return Err(trouble);
    }
    let found = opened.identity().map_err(Trouble::Read)?;
    let saved: BTreeMap<String, String> =
        serde_json::from_slice(&found).map_err(|error| Trouble::Content(error.to_string()))?;
    Ok((saved, opened.content().map_err(Trouble::Read)?))
}

/// A file that may be of some kind.
struct Opened {
    file: BufReader<File>,
    len: u64,
}

impl Opened {
    fn new(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file: BufReader::with_capacity(CHUNK_BYTES, file), len })
    }

    /// What is wrong with it. Reads the file once from the beginning to the end, and then the beginning again: what comes next is the length of the identity.
    fn check(&mut self, kind: &FileKind) -> io::Result<Option<Trouble>> {
        let mut magic = Vec::new();
        self.file.by_ref().take(kind.magic.len() as u64).read_to_end(&mut magic)?;
        if !kind.magic.starts_with(&magic) {
            return Ok(Some(Trouble::Foreign));
        }
        let identity_at = kind.magic.len() as u64 + 4;
        if self.len < identity_at + 4 + TRAILER_BYTES {
            return Ok(Some(Trouble::Truncated));
        }
        let found = self.number()?;
        if found != kind.version {
            return Ok(Some(Trouble::Version(found)));
        }
        self.file.rewind()?;
        let mut content = Checksummed::new(&mut self.file);
        let end = self.len - TRAILER_BYTES;
        io::copy(&mut (&mut content).take(end), &mut io::sink())?;
        let mut trailer = [[0; 8]; 2];
        content.read_exact(&mut trailer[0])?;
        let sum = content.sum();
        content.read_exact(&mut trailer[1])?;
        let [len, expected] = trailer.map(u64::from_le_bytes);
        if len != end {
            return Ok(Some(Trouble::Truncated));
        }
        if sum != expected {
            return Ok(Some(Trouble::Changed));
        }
        self.file.seek(SeekFrom::Start(identity_at))?;
        Ok(None)
    }

    fn number(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.file.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn identity(&mut self) -> io::Result<Vec<u8>> {
        let len = self.number()?;
        let mut identity = Vec::new();
        self.file.by_ref().take(len.into()).read_to_end(&mut identity)?;
        Ok(identity)
    }

    /// What comes next, to where the content ends.
    fn content(mut self) -> io::Result<io::Take<BufReader<File>>> {
        let end = self.len - TRAILER_BYTES;
        let start = self.file.stream_position()?;
        Ok(self.file.take(end.saturating_sub(start)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn identity(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    /// A folder with a checkpoint in it.
    fn saved(pairs: &[(&str, &str)], search: &[u8]) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search");
        let bytes =
            write_sealed(&CHECKPOINT, &path, &identity(pairs), &|out| out.write_all(search));
        assert_eq!(bytes.unwrap(), fs::metadata(&path).unwrap().len());
        (folder, path)
    }

    fn opened(path: &Path, pairs: &[(&str, &str)]) -> Result<Vec<u8>, SealedFileError> {
        let mut search = Vec::new();
        open_sealed(&CHECKPOINT, path, &identity(pairs))?.read_to_end(&mut search).unwrap();
        Ok(search)
    }

    /// What is said of a file, after its name.
    fn refusal(path: &Path, pairs: &[(&str, &str)]) -> String {
        let error = opened(path, pairs).unwrap_err().to_string();
        let (_, words) = error.split_once(&path.display().to_string()).expect("it names the file");
        words.to_owned()
    }

    const ARQ: &[(&str, &str)] = &[("max-depth", "30"), ("scenario", "arq")];

    #[test]
    fn a_search_comes_out_as_it_went_in() {
        let long: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        for search in [&[], b"a".as_slice(), &long] {
            let (_folder, path) = saved(ARQ, search);
            assert_eq!(opened(&path, ARQ).unwrap(), search);
        }
        let (_folder, path) = saved(&[], b"a");
        assert_eq!(opened(&path, &[]).unwrap(), b"a");
    }

    #[test]
    fn what_differs_is_named() {
        let (_folder, path) = saved(ARQ, b"a");
        let words = |found: &str| {
            format!(
                " is a checkpoint of another search: {found}; make them the same, or start over"
            )
        };
        assert_eq!(
            refusal(&path, &[("max-depth", "40"), ("scenario", "arq")]),
            words("it was saved with max-depth 30, but this run has 40")
        );
        assert_eq!(
            refusal(&path, &[("scenario", "arq")]),
            words("it was saved with max-depth 30, but this run has none")
        );
        assert_eq!(
            refusal(&path, &[("max-depth", "30"), ("scenario", "arq"), ("seed", "7")]),
            words("it was saved without seed, but this run has 7")
        );
    }

    #[test]
    fn each_trouble_has_its_own_words() {
        let (folder, path) = saved(ARQ, b"a search");
        let whole = fs::read(&path).unwrap();
        let words = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            refusal(&path, ARQ)
        };
        assert_eq!(
            words(b"{}"),
            " is not a checkpoint of Everypath; name a file that an interrupted search has saved"
        );
        let cut_off = " is not a whole checkpoint: it was cut off; copy it again, or start over";
        for len in [0, 5, CHECKPOINT.magic.len(), CHECKPOINT.magic.len() + 30, whole.len() - 1] {
            assert_eq!(words(&whole[..len]), cut_off);
        }
        let mut changed = whole.clone();
        changed[whole.len() - 20] ^= 1;
        assert_eq!(
            words(&changed),
            " was changed after it was written: its checksum does not match; copy it again, or start over"
        );
        let mut newer = whole.clone();
        newer[CHECKPOINT.magic.len()] = 9;
        assert_eq!(
            words(&newer),
            " is a checkpoint of version 9, and this program reads version 4; use the program that wrote it, or start over"
        );
        let missing = folder.path().join("missing");
        assert!(refusal(&missing, ARQ).ends_with("; start over"), "{}", refusal(&missing, ARQ));
    }

    #[test]
    fn a_failed_write_destroys_nothing() {
        let (folder, path) = saved(ARQ, b"a search");
        let half = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
        };
        let error = write_sealed(&CHECKPOINT, &path, &identity(ARQ), &half).unwrap_err();
        let (text, still) = (error.to_string(), "what was there before is still there");
        assert!(text.ends_with(&format!("no space left; {still}")), "{text}");
        assert_eq!(opened(&path, ARQ).unwrap(), b"a search");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
        let nowhere = folder.path().join("nowhere").join("search");
        assert!(matches!(
            write_sealed(&CHECKPOINT, &nowhere, &identity(ARQ), &|_| Ok(())),
            Err(SealedFileError { trouble: Trouble::Write { is_there: false, .. }, .. })
        ));
        let new = folder.path().join("new");
        let error = write_sealed(&CHECKPOINT, &new, &identity(ARQ), &half).unwrap_err();
        assert!(error.to_string().ends_with("no space left"), "there was none: {error}");
        let device = Path::new("/dev/null");
        let error = write_sealed(&CHECKPOINT, device, &identity(ARQ), &|_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("it is not an ordinary file"), "{error}");
    }
}
