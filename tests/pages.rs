//! Every command of a page prints what the page shows, but for times, rates and memory; and its
//! pictures are those that its commands draw.

mod transcript;

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;
use transcript::{Session, block, matches, sessions};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");

/// The commands of a page, in its order.
fn commands(page: &str) -> Vec<Session> {
    let page = fs::read_to_string(Path::new(DOCS).join(page)).unwrap();
    let mut lines = page.lines();
    let mut commands = Vec::new();
    while let Some(line) = lines.next() {
        if line == "```console" {
            commands.extend(sessions(&block(&mut lines)));
        }
    }
    commands
}

/// What a page shows, as this program can do it: pixels are a feature.
fn as_built(shown: &str) -> String {
    let is_drawn = |line: &&str| cfg!(feature = "png") || !line.ends_with(".png");
    shown.lines().filter(is_drawn).map(|line| format!("{line}\n")).collect()
}

/// The words of a command: what is between quotation marks is one.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Runs the commands of a page in an empty folder, which is returned.
fn run(page: &str, at_least: usize) -> TempDir {
    run_in(TempDir::new().unwrap(), page, at_least)
}

/// Runs the commands of a page in a folder, which is returned.
fn run_in(folder: TempDir, page: &str, at_least: usize) -> TempDir {
    let program = env!("CARGO_BIN_EXE_everypath");
    let commands = commands(page);
    assert!(commands.len() >= at_least, "the page shows commands");
    let mut differences = String::new();
    for session in &commands {
        let arguments = session.command.strip_prefix("everypath ").unwrap_or_else(|| {
            panic!("the page shows a command that no test runs: {}", session.command)
        });
        let output = Command::new(program)
            .args(words(arguments))
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let shown = as_built(&session.shown);
        let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        let printed = String::from_utf8(said).unwrap().replace(program, "everypath");
        let printed = format!("{}\n", printed.trim_end());
        if !matches(&shown, &printed) {
            let shown = Session { command: session.command.clone(), shown: printed };
            differences += &shown.to_string();
        }
    }
    assert!(
        differences.is_empty(),
        "the page shows something else than these commands print:\n\n{differences}"
    );
    folder
}

/// The pictures of a page are those that its commands have drawn in a folder.
fn assert_drawn(folder: &Path, page: &str, pictures: usize) {
    let mut compared = 0;
    for picture in fs::read_dir(Path::new(DOCS).join(page)).unwrap() {
        let picture = picture.unwrap();
        let anew = fs::read_to_string(folder.join(picture.file_name()));
        let kept = fs::read_to_string(picture.path()).unwrap();
        assert!(
            anew.is_ok_and(|anew| anew == kept),
            "{} is not what the page's command draws; copy the new one",
            picture.path().display()
        );
        compared += 1;
    }
    assert_eq!(compared, pictures);
}

#[test]
fn exploring_shows_what_is_printed() {
    run("exploring.md", 20);
}

#[test]
fn aodv_shows_what_is_printed_and_drawn() {
    let folder = run("aodv.md", 10);
    assert_drawn(folder.path(), "aodv", 5);
}

#[test]
fn comparing_shows_what_is_printed_and_drawn() {
    let folder = run("comparing.md", 8);
    assert_drawn(folder.path(), "comparing", 2);
}

#[test]
fn routing_shows_what_is_printed_and_drawn() {
    let folder = run("routing.md", 18);
    assert_drawn(folder.path(), "routing", 3);
}

#[test]
fn diffusion_shows_what_is_printed_and_drawn() {
    let folder = run("diffusion.md", 10);
    assert_drawn(folder.path(), "diffusion", 4);
}

#[test]
fn the_hand_over_shows_what_is_printed() {
    run("handover.md", 4);
}

#[test]
fn measuring_shows_what_is_printed() {
    run("measuring.md", 10);
}

#[test]
fn scenario_files_shows_what_is_printed_and_drawn() {
    let folder = TempDir::new().unwrap();
    let examples = folder.path().join("examples");
    fs::create_dir(&examples).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = fs::read_dir(own).unwrap().map(Result::unwrap);
    for file in entries.filter(|entry| entry.path().is_file()) {
        fs::copy(file.path(), examples.join(file.file_name())).unwrap();
    }
    let folder = run_in(folder, "scenario-files.md", 4);
    assert_drawn(&folder.path().join("curves"), "scenario-files", 1);
}

/// The lines in blocks of a language.
fn shown_lines(page: &str, language: &str) -> Vec<String> {
    let page = fs::read_to_string(Path::new(DOCS).join(page)).unwrap();
    let (mut lines, fence) = (page.lines(), format!("```{language}"));
    let mut shown = Vec::new();
    while let Some(line) = lines.next() {
        if line == fence {
            shown.extend(block(&mut lines).lines().map(str::to_owned));
        }
    }
    shown
}

#[test]
fn captures_shows_what_is_printed_written_and_drawn() {
    let folder = run("captures.md", 3);
    assert_drawn(&folder.path().join("pictures"), "captures", 2);
    for (language, file) in [("json", "run.jsonl"), ("text", "run.tr")] {
        let written = fs::read_to_string(folder.path().join(file)).unwrap();
        let shown = shown_lines("captures.md", language);
        assert!(shown.len() >= 2);
        for line in shown {
            assert!(written.lines().any(|other| other == line), "not in {file}: {line}");
        }
    }
}
