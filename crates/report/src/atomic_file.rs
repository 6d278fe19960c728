//! Files that are written whole or not at all.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::{
    destination::{Destination, standard_error},
    temporary_file::TemporaryFile,
};

/// Writes a file under a temporary name beside its place and then moves it there: a reader sees
/// the old file or the new one, never a part. If it is a link, it stays one, and what it leads to is replaced.
/// A device or a pipe is not replaced, but written to.
///
/// ```
/// use everypath_report::write_atomically;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("report.txt");
/// write_atomically(&path, b"first")?;
/// write_atomically(&path, b"second")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "second");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the file cannot be written; what was there before is then still there.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    stream_atomically(path, |out| out.write_all(content)).map(drop)
}

/// Whether a file could be written by now, as [`write_atomically`] does it. Nothing is: a file that
/// is there stays as it is, and none is left behind.
///
/// ```
/// use everypath_report::ensure_writable;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("report.txt");
/// ensure_writable(&path)?;
/// assert!(!path.exists(), "nothing is written yet");
/// assert!(ensure_writable(&folder.path().join("no such folder/report.txt")).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Why not: there is no such folder, nothing can be put into it, or the name is that of something that can neither be
/// replaced nor written to.
pub fn ensure_writable(path: &Path) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::File(target) => TemporaryFile::beside(&target).map(drop),
        // To open a pipe is to wait for its reader, who waits for what comes then.
        Destination::Stream(_) | Destination::StandardError => Ok(()),
    }
}

/// A file that is written bit by bit under a temporary name beside its place, and is there only once
/// it is [kept](Self::keep). Otherwise nothing of it remains.
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
    out: BufWriter<Sink>,
    place: Place,
}

/// The destination of what is written.
#[derive(Debug)]
enum Place {
    /// It replaces a file.
    Beside { temporary: TemporaryFile, target: PathBuf },
    /// It is there already.
    Straight,
}

impl AtomicFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let (file, place) = match Destination::of(path)? {
            Destination::File(target) => {
                let temporary = TemporaryFile::beside(&target)?;
                (temporary.file.try_clone()?, Place::Beside { temporary, target })
            }
            Destination::Stream(path) => (File::options().write(true).open(path)?, Place::Straight),
            Destination::StandardError => {
                let closed = || io::Error::other("there is no standard error");
                (standard_error().ok_or_else(closed)?, Place::Straight)
            }
        };
        Ok(Self { out: BufWriter::new(Sink { file, written: 0, failed: None }), place })
    }

    /// Puts the file to its place; how many bytes it has.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is then still there.
    pub fn keep(self) -> io::Result<u64> {
        let Self { out, place } = self;
        let Sink { file, written, .. } =
            out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Place::Beside { temporary, target } = place {
            file.sync_all()?;
            temporary.replace(&target)?;
        }
        Ok(written)
    }

    /// Why a write failed, if one did and the system has said so.
    fn failure(&self) -> Option<io::Error> {
        self.out.get_ref().failed.map(io::Error::from_raw_os_error)
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

/// A file that knows how much was written to it, and why no more.
#[derive(Debug)]
struct Sink {
    file: File,
    written: u64,
    /// What the system has said, as it calls it.
    failed: Option<i32>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.file.write(bytes);
        match &result {
            Ok(count) => self.written += *count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => self.failed = self.failed.or(error.raw_os_error()),
        }
        result
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Like [`write_atomically`], for content that is made while it is written; how many bytes it has.
pub(crate) fn stream_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    let mut file = AtomicFile::create(path)?;
    // The writer of the content may know of a failed write only that it failed.
    write(&mut file).map_err(|error| file.failure().unwrap_or(error))?;
    file.keep()
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        ensure_writable(&place("file")).unwrap();
        ensure_writable(&place("other")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
        assert_eq!(fs::read(place("file")).unwrap(), b"old");
        check(&place("file"), None);
        check(&place("other"), None);
        assert_eq!(fs::read(place("file")).unwrap(), b"new");
    }
    /// What the encoder of a checkpoint says when a write fails.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_says_why_a_write_failed() {
        let vague = |out: &mut dyn Write| {
            out.write_all(&[0; 100_000]).map_err(|_| io::Error::other("the buffer is full"))
        };
        let error = stream_atomically(Path::new("/dev/full"), vague).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{error}");
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::{
            fs::{FileTypeExt, PermissionsExt, symlink},
            net::UnixListener,
        };

        use super::*;

        #[test]
        fn a_link_stays_one_and_what_it_leads_to_is_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let place = |name: &str| folder.path().join(name);
            fs::create_dir(place("there")).unwrap();
            fs::write(place("there/file"), "old").unwrap();
            symlink("there/file", place("link")).unwrap();
            symlink("link", place("link to link")).unwrap();
            symlink("there/new", place("link to nothing")).unwrap();
            for (link, end) in [("link to link", "there/file"), ("link to nothing", "there/new")] {
                check(&place(link), None);
                assert!(fs::symlink_metadata(place(link)).unwrap().is_symlink(), "{link}");
                assert_eq!(fs::read(place(end)).unwrap(), b"new");
            }
            symlink("circle", place("circle")).unwrap();
            check(&place("circle"), Some("oo many levels of symbolic links"));
            assert_eq!(fs::read_dir(place("there")).unwrap().count(), 2, "nothing is left behind");
        }

        #[test]
        fn what_is_no_file_is_never_replaced() {
            let folder = tempfile::tempdir().unwrap();
            check(Path::new("/dev/null"), None);
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            let socket = folder.path().join("socket");
            let _listener = UnixListener::bind(&socket).unwrap();
            check(&socket, Some("it is not an ordinary file"));
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            ensure_writable(&pipe).unwrap();
            let (written, read) = std::thread::scope(|scope| {
                let reader = scope.spawn(|| fs::read(&pipe).unwrap());
                (write_atomically(&pipe, b"new"), reader.join().unwrap())
            });
            written.unwrap();
            assert_eq!(read, b"new");
            assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        }

        #[test]
        fn a_file_that_is_replaced_keeps_its_permissions() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            for mode in [0o600, 0o640, 0o666] {
                fs::write(&path, "old").unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
                check(&path, None);
                assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
            }
        }
    }
}
