//! Follows both tutorials to the letter, in crates outside this workspace: every block of Rust must be part of its stage
//! in the tutorial's folder, every stage is built, every command is run, `cargo test` among them, and what it prints must
//! be what the tutorial shows, but for times, rates and memory.
//!
//! If the output has changed for a good reason, `EVERYPATH_UPDATE=1 cargo test --test all tutorial`
//! puts the new one into the tutorial.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use crate::{
    transcript::{Session, block, matches, sessions, settle},
    users_cargo,
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What the tutorial consists of, in its order.
#[derive(Debug)]
enum Part {
    /// From here on the crate's library, or its program, is this file.
    Stage(String),
    /// A part of that file.
    Rust(String),
    /// Commands.
    Console(Vec<Session>),
}

// One test for both: readers share a folder of kept counterexamples.
#[test]
fn every_command_prints_what_the_tutorials_show() {
    follow("tutorial", &["test", "list", "check", "compare", "watch", "simulate", "replay"]);
    follow("second-tutorial", &["test", "check", "--timed"]);
}

/// Does all that a tutorial says, and sees that it shows some words of commands.
fn follow(name: &'static str, words: &[&str]) {
    let tutorial = Path::new(ROOT).join(format!("docs/{name}.md"));
    let parts = parse(&fs::read_to_string(&tutorial).unwrap());
    let mut reader = Reader::new(name);
    let mut differences = Vec::new();
    for part in parts {
        match part {
            Part::Stage(file) => reader.begin_stage(&file),
            Part::Rust(block) => reader.find(&block),
            Part::Console(sessions) => {
                for session in sessions {
                    let printed = reader.run(&session.command);
                    if !matches(&session.shown, &printed) {
                        differences.push((session, printed));
                    }
                }
            }
        }
    }
    settle(&tutorial, &differences);
    for word in words {
        assert!(reader.commands.contains(word), "docs/{name}.md should show `{word}`");
    }
}

#[test]
fn the_first_stage_is_quoted_in_full() {
    let tutorial = fs::read_to_string(Path::new(ROOT).join("docs/tutorial.md")).unwrap();
    let quoted = parse(&tutorial)
        .into_iter()
        .skip_while(|part| !matches!(part, Part::Stage(_)))
        .skip(1)
        .take_while(|part| !matches!(part, Part::Stage(_)))
        .filter_map(|part| match part {
            Part::Rust(block) => Some(block),
            _ => None,
        });
    let whole = fs::read_to_string(Path::new(ROOT).join("docs/tutorial/stage1.rs")).unwrap();
    assert_eq!(quoted.collect::<Vec<_>>().join("\n"), whole);
}

/// Does what a reader does.
struct Reader {
    /// The tutorial, whose folder has the source of the stages.
    tutorial: &'static str,
    /// Where the reader works; it is deleted at the end.
    _home: tempfile::TempDir,
    directory: PathBuf,
    /// The text of the present stage from the end of the last block on.
    rest: String,
    stage: String,
    offline: bool,
    /// All that was run, for a look at what was left out.
    commands: String,
}

impl Reader {
    fn new(tutorial: &'static str) -> Self {
        let home = tempfile::tempdir().unwrap();
        // A reader has seen no test fail before.
        let _ = fs::remove_dir_all(users_cargo::target().join("everypath"));
        Self {
            tutorial,
            directory: home.path().to_owned(),
            _home: home,
            rest: String::new(),
            stage: String::new(),
            offline: true,
            commands: String::new(),
        }
    }

    fn begin_stage(&mut self, file: &str) {
        file.clone_into(&mut self.stage);
        let folder = Path::new(ROOT).join("docs").join(self.tutorial);
        self.rest = fs::read_to_string(folder.join(file)).unwrap();
        let source = if file == "main.rs" { "src/main.rs" } else { "src/lib.rs" };
        fs::write(self.directory.join(source), &self.rest).unwrap();
        self.build();
    }

    /// Builds from the crates that this workspace was built from, and asks the network only if
    /// one of them is gone.
    fn build(&mut self) {
        if self.command("cargo", &["build"]).status.success() {
            return;
        }
        self.offline = false;
        let built = self.command("cargo", &["build"]);
        assert!(built.status.success(), "{} does not build:\n{}", self.stage, errors(&built));
    }

    fn find(&mut self, block: &str) {
        let place = self.rest.find(block).unwrap_or_else(|| {
            panic!("this is not in {}, or not in this order:\n\n{block}", self.stage)
        });
        self.rest.drain(..place + block.len());
    }

    fn run(&mut self, command: &str) -> String {
        self.commands.push_str(command);
        let words = command.split(' ').map(|word| if word == "../everypath" { ROOT } else { word });
        let words: Vec<&str> = words.collect();
        if let ["cd", folder] = words[..] {
            self.directory.push(folder);
            self.enter_crate();
            return String::new();
        }
        let output = self.command(words[0], &words[1..]);
        let out = String::from_utf8(output.stdout.clone()).unwrap();
        // The compiler's warnings go to the standard error too.
        let printed = if out.is_empty() { errors(&output) } else { out };
        // A reader's crate has a target folder of its own.
        let printed =
            printed.trim_end().replace(&users_cargo::target().display().to_string(), "target");
        if printed.is_empty() { printed } else { printed + "\n" }
    }

    /// Takes the versions of this workspace, so that nothing has to be fetched or built twice,
    /// and keeps the crate out of any workspace around it.
    fn enter_crate(&self) {
        fs::copy(Path::new(ROOT).join("Cargo.lock"), self.directory.join("Cargo.lock")).unwrap();
        let manifest = self.directory.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        fs::write(manifest, format!("{text}\n[workspace]\n")).unwrap();
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Output {
        assert_eq!(program, "cargo", "a reader needs no other program");
        users_cargo::cargo(&self.directory)
            .args(arguments)
            .env("CARGO_NET_OFFLINE", self.offline.to_string())
            .env("NO_COLOR", "1")
            .env_remove("RUST_BACKTRACE")
            .output()
            .unwrap()
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn parse(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        parts.push(match (line, comment) {
            (_, Some(file)) => Part::Stage(file.to_owned()),
            ("```rust", _) => Part::Rust(block(&mut lines)),
            ("```console", _) => Part::Console(sessions(&block(&mut lines))),
            _ => continue,
        });
    }
    parts
}
