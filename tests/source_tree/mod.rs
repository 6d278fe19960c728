//! Files of the repository, found by walking through its folders.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// All files with an ending below a folder, without hidden folders and those with the given names.
pub fn files(folder: &Path, ending: &str, except: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !except.contains(&&name[..]) {
                found.extend(files(&path, ending, except));
            }
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}
