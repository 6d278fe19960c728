//! Cargo for crates of users, outside this workspace: all are built alike in one folder, so that what they depend on is
//! built once.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Where they are built.
pub fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("users")
}

/// One of their programs.
pub fn program(name: &str) -> PathBuf {
    target().join("debug").join(name)
}

/// Cargo in the folder of a user's crate.
pub fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).env("CARGO_TARGET_DIR", target());
    // Nobody debugs them, and they build in half the time without.
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    command
}
