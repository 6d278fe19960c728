//! Every command of `docs/signed.md` prints what the page shows, but for times, rates and memory.

#[path = "../../../tests/transcript/mod.rs"]
mod transcript;

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;
use transcript::{Session, block, matches, sessions};

#[test]
fn the_page_shows_what_is_printed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/signed.md");
    let page = fs::read_to_string(page).unwrap();
    let (mut lines, mut commands) = (page.lines(), Vec::new());
    while let Some(line) = lines.next() {
        if line == "```console" {
            commands.extend(sessions(&block(&mut lines)));
        }
    }
    assert!(commands.len() >= 4, "the page shows commands");
    let folder = TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_signed");
    let mut differences = String::new();
    for Session { command, shown } in commands {
        let arguments = command.strip_prefix("signed ").unwrap_or_else(|| {
            panic!("the page shows a command that no test runs: {command}");
        });
        let output = Command::new(program)
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap().replace(program, "signed");
        let printed = format!("{}\n", printed.trim_end());
        if !matches(&shown, &printed) {
            differences += &Session { command, shown: printed }.to_string();
        }
    }
    assert!(
        differences.is_empty(),
        "the page shows something else than these commands print:\n\n{differences}"
    );
}
