//! Every command of a page prints what the page shows, but for times, rates and memory; and its
//! pictures are those that its commands draw.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::transcript::{Page, block, is_update};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");

/// Runs the commands of a page in an empty folder, which is returned.
fn run(page: &str, at_least: usize) -> TempDir {
    run_in(TempDir::new().unwrap(), page, at_least)
}

/// Runs the commands of a page in a folder, which is returned.
fn run_in(folder: TempDir, page: &str, at_least: usize) -> TempDir {
    let page = Page {
        path: &Path::new(DOCS).join(page),
        name: "everypath",
        program: env!("CARGO_BIN_EXE_everypath"),
        // Pixels are a feature.
        is_printed: |line| cfg!(feature = "png") || !line.ends_with(".png"),
    };
    page.run_in(folder.path(), at_least);
    folder
}

/// The pictures of a page are those that its commands have drawn in a folder.
fn assert_drawn(folder: &Path, page: &str, pictures: usize) {
    let mut compared = 0;
    for picture in fs::read_dir(Path::new(DOCS).join(page)).unwrap() {
        let picture = picture.unwrap();
        let drawn = fs::read_to_string(folder.join(picture.file_name()));
        let kept = fs::read_to_string(picture.path()).unwrap();
        if let (Ok(drawn), true) = (&drawn, is_update()) {
            fs::write(picture.path(), drawn).unwrap();
        } else {
            assert!(
                drawn.is_ok_and(|drawn| drawn == kept),
                "{} is not what the page's command draws; EVERYPATH_UPDATE=1 renews it",
                picture.path().display()
            );
        }
        compared += 1;
    }
    assert_eq!(compared, pictures);
}

#[test]
fn delta_shows_what_is_printed() {
    run("delta.md", 5);
}

#[test]
fn exploring_shows_what_is_printed_and_drawn() {
    let folder = run("exploring.md", 20);
    assert_drawn(folder.path(), "exploring", 2);
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
fn transport_shows_what_is_printed() {
    run("transport.md", 3);
}

#[test]
fn mobility_shows_what_is_printed_and_drawn() {
    let folder = run("mobility.md", 25);
    assert_drawn(folder.path(), "mobility", 1);
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
fn instances_shows_what_is_printed() {
    run("instances.md", 5);
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
