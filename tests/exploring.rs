//! Every command of `docs/exploring.md` prints what the page shows, but for times, rates and memory.

mod transcript;

use std::{path::Path, process::Command};

use tempfile::TempDir;
use transcript::{Session, block, matches, sessions};

/// The commands of the page, in its order.
fn commands() -> Vec<Session> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/exploring.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut lines = page.lines();
    let mut commands = Vec::new();
    while let Some(line) = lines.next() {
        if line == "```console" {
            commands.extend(sessions(&block(&mut lines)));
        }
    }
    commands
}

#[test]
fn every_command_prints_what_the_page_shows() {
    let program = env!("CARGO_BIN_EXE_everypath");
    let folder = TempDir::new().unwrap();
    let commands = commands();
    assert!(commands.len() >= 20, "the page shows commands");
    let mut differences = String::new();
    for session in &commands {
        let arguments = session.command.strip_prefix("everypath ").unwrap_or_else(|| {
            panic!("the page shows a command that no test runs: {}", session.command)
        });
        let output = Command::new(program)
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        let printed = String::from_utf8(said).unwrap().replace(program, "everypath");
        let printed = format!("{}\n", printed.trim_end());
        if !matches(&session.shown, &printed) {
            let shown = Session { command: session.command.clone(), shown: printed };
            differences += &shown.to_string();
        }
    }
    assert!(
        differences.is_empty(),
        "the page shows something else than these commands print:\n\n{differences}"
    );
}
