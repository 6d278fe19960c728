//! Locks on files that one process uses at a time.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::destination::{Destination, is_at};

/// The right to replace a file, which one process has at a time, until it lets go of it or ends, however that
/// happens. It is a lock on a small file beside it, since the file itself is [replaced](crate::write_atomically).
///
/// ```
/// use everypath_report::FileLock;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.memo");
/// let mine = FileLock::take(&path)?;
/// assert!(mine.is_some());
/// assert!(FileLock::take(&path)?.is_none(), "it is in use");
/// drop(mine);
/// assert!(FileLock::take(&path)?.is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    /// Locked; nothing where there are no locks.
    file: Option<File>,
}

impl FileLock {
    /// Takes the right to replace a file, unless another process has it. Where a file system knows no locks, it is
    /// given to everyone: the file is whole in any case.
    ///
    /// # Errors
    /// If nothing can be put beside the file, or it is a device or a pipe, which cannot be replaced.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        // Beside what a link leads to, so that all links to it have one lock.
        let mut name = Destination::file(path)?.into_os_string();
        name.push(".lock");
        let path = PathBuf::from(name);
        loop {
            let options = File::options().write(true).create(true).truncate(false).open(&path);
            let mut file = options?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Some(Self { path, file: None }));
                }
                other => other?,
            }
            // The previous owner may have removed the file after it was opened here: another one is the lock by now.
            if is_at(&file, &path) {
                file.set_len(0)?;
                write!(file, "{}", std::process::id())?;
                return Ok(Some(Self { path, file: Some(file) }));
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // While it is still locked. Where it is unknown whether a file is still the one at its place, it stays.
        if self.file.is_some() && cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        thread,
    };

    use super::*;

    #[test]
    fn one_has_it_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (holders, taken) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let Some(lock) = FileLock::take(&path).unwrap() else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::SeqCst);
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(taken.into_inner() > 0);
        #[cfg(unix)]
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
        let nowhere = folder.path().join("no").join("where");
        assert!(FileLock::take(&nowhere).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn all_links_to_a_file_have_one_lock_and_a_device_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::os::unix::fs::symlink("file", &link).unwrap();
        let lock = FileLock::take(&link).unwrap();
        assert!(lock.is_some() && FileLock::take(&file).unwrap().is_none());
        let refusal = FileLock::take(Path::new("/dev/null")).unwrap_err();
        assert_eq!(refusal.to_string(), "it is not an ordinary file");
    }
}
