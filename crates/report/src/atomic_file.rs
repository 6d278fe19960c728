//! Files that are written whole or not at all.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// Writes a file under a temporary name beside its place and then moves it there: a reader sees
/// the old file or the new one, never a part.
///
/// # Errors
/// If the file cannot be written; what was there before is then still there.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    stream_atomically(path, |out| out.write_all(content)).map(drop)
}

/// Whether a file could be written by now, as [`write_atomically`] does it. Nothing is: a file that
/// is there stays as it is, and none is left behind.
///
/// # Errors
/// Why not: there is no such folder, nothing can be put into it, or something else than a file has
/// the name.
pub fn ensure_writable(path: &Path) -> io::Result<()> {
    ensure_file(path)?;
    NamedTempFile::new_in(folder_of(path)).map(drop)
}

/// A folder is no place for a file, and a device must not be replaced by one.
fn ensure_file(path: &Path) -> io::Result<()> {
    let refuse = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => refuse("it is a folder"),
        Ok(found) if !found.is_file() => refuse("it is not an ordinary file"),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
            refuse("it names a folder that does not exist")
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file that is written bit by bit under a temporary name beside its place, and is there only once
/// it is [kept](Self::keep). Else nothing of it remains.
///
/// ```
/// use std::io::Write;
/// use everypath_report::AtomicFile;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("log");
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "one line")?;
/// assert!(!path.exists());
/// file.keep()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "one line\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn create(path: &Path) -> io::Result<Self> {
        ensure_file(path)?;
        let out = BufWriter::new(NamedTempFile::new_in(folder_of(path))?);
        Ok(Self { path: path.to_owned(), out })
    }

    /// Puts the file to its place; how many bytes it has.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is then still there.
    pub fn keep(self) -> io::Result<u64> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        let bytes = file.as_file().metadata()?.len();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary file is private; a result is as readable as any other file.
            fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644))?;
        }
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(bytes)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Like [`write_atomically`], for content that is made while it is written; how many bytes it has.
pub(crate) fn stream_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    let mut file = AtomicFile::create(path)?;
    write(&mut file)?;
    file.keep()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What would be refused, and what is refused when it is tried.
    fn check(path: &Path, expect: Option<&str>) {
        let refusals = [ensure_writable(path), write_atomically(path, b"new")];
        for refusal in refusals.map(Result::err) {
            let refusal = refusal.map(|error| error.to_string());
            let fits = match (&refusal, expect) {
                (Some(refusal), Some(expect)) => refusal.contains(expect),
                (refusal, expect) => refusal.is_none() && expect.is_none(),
            };
            assert!(fits, "{}: {refusal:?}, not {expect:?}", path.display());
        }
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("file"), "old").unwrap();
        check(folder.path(), Some("it is a folder"));
        check(&place("none/file"), Some("No such file or directory"));
        check(&place("none/"), Some("it names a folder that does not exist"));
        check(&place("file/below"), Some("Not a directory"));
        #[cfg(unix)]
        check(Path::new("/dev/null"), Some("it is not an ordinary file"));
        ensure_writable(&place("file")).unwrap();
        ensure_writable(&place("other")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
        assert_eq!(fs::read(place("file")).unwrap(), b"old");
        check(&place("file"), None);
        check(&place("other"), None);
        assert_eq!(fs::read(place("file")).unwrap(), b"new");
    }
}
