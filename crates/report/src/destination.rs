//! Destination of a path: a file, through links or not, or something that is never replaced.

use std::{
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
};

/// More links than these, one to the next, lead nowhere. (The limit of Linux.)
const LINKS_MAX: usize = 40;

/// The destination of what is written to a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// A file, there already or not. No link: it can be replaced.
    File(PathBuf),
    /// A device or a pipe, which is written to as it is.
    Stream(PathBuf),
    /// What the standard error of this process goes to: a pipe or a file.
    StandardError,
}

impl Destination {
    /// The destination of a path.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) => Self::existing(path, &found),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
                refuse("it names a folder that does not exist")
            }
            Err(_) => Ok(Self::File(end_of_links(path)?)),
        }
    }

    /// A file that can be written, replaced and read again.
    ///
    /// # Errors
    /// If it is not a file.
    pub(crate) fn file(path: &Path) -> io::Result<PathBuf> {
        match Self::of(path)? {
            Self::File(path) => Ok(path),
            Self::Stream(_) | Self::StandardError => refuse("it is not an ordinary file"),
        }
    }

    fn existing(path: &Path, found: &Metadata) -> io::Result<Self> {
        if found.is_dir() {
            return refuse("it is a folder");
        }
        if is_character_device(found) {
            return Ok(Self::Stream(path.to_owned()));
        }
        // On a terminal, which is a device, results may stand beside anything. In a file or a pipe they
        // would be mixed up, or lost with the file that is replaced.
        if is_stream_of(found, standard_output()) {
            return refuse("the standard output goes there, and with it the results");
        }
        if is_stream_of(found, standard_error()) {
            return Ok(Self::StandardError);
        }
        if is_pipe(found) {
            return Ok(Self::Stream(path.to_owned()));
        }
        if !found.is_file() {
            return refuse("it is not an ordinary file");
        }
        let end = end_of_links(path)?;
        match fs::symlink_metadata(&end) {
            Ok(_) => Ok(Self::File(end)),
            // Open somewhere, and removed since: `/dev/fd/3` still leads there.
            Err(_) => refuse("it leads to a file that has no name any more"),
        }
    }
}

fn refuse<T>(why: &str) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Where links lead, one after the other, whether there is something or not.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            // No link, or nothing.
            Err(_) => return Ok(path),
        }
    }
    refuse("it is a link that leads in circles")
}

/// Which file a path leads to, however it is written.
///
/// ```
/// use everypath_report::FileIdentity;
///
/// # let folder = tempfile::tempdir()?;
/// # let place = |name: &str| folder.path().join(name);
/// let memo = FileIdentity::of(&place("memo"));
/// assert!(memo.is_same_as(&FileIdentity::of(&place("./memo"))));
/// assert!(!memo.is_same_as(&FileIdentity::of(&place("trace"))));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileIdentity {
    /// Its folder without links, and its name.
    place: Option<PathBuf>,
    /// How the file system knows it, if it is there.
    known_as: Option<(u64, u64)>,
}

impl FileIdentity {
    /// Of what a path leads to, which need not be there.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let found = fs::metadata(path).ok();
        if found.as_ref().is_some_and(is_character_device) {
            // What is written to a terminal or to `/dev/null` replaces nothing.
            return Self { place: None, known_as: None };
        }
        let end = end_of_links(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder_of(&end);
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let place = end.file_name().map(|name| folder.join(name));
        Self { place, known_as: found.as_ref().and_then(known_as) }
    }

    /// Whether writing to one is writing to the other.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.place.is_some() && self.place == other.place)
            || (self.known_as.is_some() && self.known_as == other.known_as)
    }
}

/// Whether an open file is the one that is at this place.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let opened = file.metadata().ok().as_ref().and_then(known_as);
    // Where it cannot be found out, it is assumed.
    !cfg!(unix) || opened.is_some() && opened == fs::metadata(path).ok().as_ref().and_then(known_as)
}

fn is_stream_of(found: &Metadata, stream: Option<File>) -> bool {
    let stream = stream.and_then(|stream| stream.metadata().ok());
    let stream = stream.as_ref().and_then(known_as);
    stream.is_some() && stream == known_as(found)
}

/// Device and number, as a file system knows a file.
#[cfg(unix)]
fn known_as(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn known_as(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(unix)]
fn is_character_device(found: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&found.file_type())
}

#[cfg(not(unix))]
fn is_character_device(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn is_pipe(found: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn standard_output() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(unix)]
pub(crate) fn standard_error() -> Option<File> {
    use std::os::fd::AsFd;
    io::stderr().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn standard_output() -> Option<File> {
    None
}

#[cfg(not(unix))]
pub(crate) fn standard_error() -> Option<File> {
    None
}
