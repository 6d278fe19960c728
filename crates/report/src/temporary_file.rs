//! Temporary files, beside the ones that they are to replace.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::xxh3_64;

use crate::destination::{folder_of, is_at};

/// Longer names get no longer: a file system takes 255 bytes.
const NAME_BYTES_MAX: usize = 200;

/// A file beside another that it is to replace. It vanishes unless it does.
///
/// As long as it is written it is locked, so that one of a process that was killed is recognised: the next process that writes to
/// the same place next removes it.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    pub(crate) file: File,
    path: PathBuf,
    is_kept: bool,
}

impl TemporaryFile {
    /// A new file beside a target, which others can read if they could read the target, or any new file.
    pub(crate) fn beside(target: &Path) -> io::Result<Self> {
        let mut number = 0;
        loop {
            let path = name(target, number);
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    let this = Self { file, path, is_kept: false };
                    // Where there are no locks, no process removes anything either.
                    let _ = this.file.lock();
                    // In between, it may have been mistaken for one that was left.
                    if !is_at(&this.file, &this.path) {
                        continue;
                    }
                    if let Ok(replaced) = fs::metadata(target) {
                        this.file.set_permissions(replaced.permissions())?;
                    }
                    while remove_leftover(&name(target, number + 1)) {
                        number += 1;
                    }
                    return Ok(this);
                }
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                Err(_) if remove_leftover(&path) => {}
                Err(_) => number += 1,
            }
        }
    }

    /// Puts it to its place.
    pub(crate) fn replace(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.is_kept && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// `.votes.memo.everypath.tmp`; if another process is writing that, `.votes.memo.everypath-1.tmp`.
fn name(target: &Path, number: u32) -> PathBuf {
    let target_name = target.file_name().unwrap_or_default();
    let bytes = target_name.as_encoded_bytes();
    let mut name = OsString::from(".");
    if bytes.len() <= NAME_BYTES_MAX {
        name.push(target_name);
    } else {
        name.push(format!("{:016x}", xxh3_64(bytes)));
    }
    name.push(match number {
        0 => ".everypath.tmp".to_owned(),
        number => format!(".everypath-{number}.tmp"),
    });
    folder_of(target).join(name)
}

/// Removes what a killed process has left; whether there was such a thing.
fn remove_leftover(path: &Path) -> bool {
    // Not what a link leads to.
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let Ok(file) = File::options().read(true).write(true).open(path) else { return false };
    file.try_lock().is_ok() && is_at(&file, path) && fs::remove_file(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
        let mut names: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_killed_processes_have_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("memo");
        let others = [".memo.tmp", ".memo.everypath.tmp.old", ".trace.everypath.tmp", "memo.tmp"];
        others.iter().for_each(|name| fs::write(folder.path().join(name), "mine").unwrap());
        // Nobody holds them.
        (0..3).for_each(|number| fs::write(name(&target, number), "half").unwrap());
        let being_written = TemporaryFile::beside(&target).unwrap();
        let mut expected: Vec<&str> = [&others[..], &[".memo.everypath.tmp"]].concat();
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
        // What is being written stays.
        let other = TemporaryFile::beside(&target).unwrap();
        assert!(names(folder.path()).contains(&".memo.everypath-1.tmp".to_owned()));
        assert!(is_at(&being_written.file, &name(&target, 0)));
        drop((being_written, other));
        assert_eq!(names(folder.path()).len(), others.len());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_of_such_a_name_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("memo");
        let precious = folder.path().join("precious");
        fs::write(&precious, "all").unwrap();
        std::os::unix::fs::symlink(&precious, name(&target, 0)).unwrap();
        let file = TemporaryFile::beside(&target).unwrap();
        file.replace(&target).unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"all");
        assert_eq!(names(folder.path()), [".memo.everypath.tmp", "memo", "precious"]);
    }

    #[test]
    fn long_names_are_no_trouble() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("n".repeat(255));
        TemporaryFile::beside(&target).unwrap().replace(&target).unwrap();
        assert!(target.exists());
    }
}
