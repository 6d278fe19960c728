//! A file with given bytes, for readers that open files.

use std::{fs, path::PathBuf, sync::OnceLock};

use tempfile::TempDir;

/// Writes the bytes to the one file of this process.
pub fn with(bytes: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| TempDir::new().expect("there is a temporary folder"));
    let path = folder.path().join("file");
    fs::write(&path, bytes).expect("it can be written");
    path
}
