//! The commands on the README do what it says.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// The lines behind `$ ` in the blocks marked `console`.
fn commands() -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let mut inside = false;
    let mut commands = Vec::new();
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            commands.push(command.to_owned());
        }
    }
    commands
}

#[test]
fn every_command_works_as_printed() {
    let folder = TempDir::new().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    std::fs::create_dir(folder.path().join("examples")).unwrap();
    let manet = Path::new("examples").join("manet.toml");
    std::fs::copy(examples.join("manet.toml"), folder.path().join(manet)).unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_everypath"));
    let mut seen = 0;
    for command in commands() {
        if command == "./test" {
            // That is what runs this test.
            continue;
        }
        let arguments = command
            .strip_prefix("cargo run --release -- ")
            .unwrap_or_else(|| panic!("the README shows a command that no test runs: {command}"));
        let output = Command::new(&program)
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let finding = ["check arq-erroneous", "check manet", "replay"];
        let finds = finding.iter().any(|beginning| arguments.starts_with(beginning));
        assert_eq!(output.status.code(), Some(i32::from(finds)), "{command}: {output:?}");
        seen += 1;
    }
    assert!(seen >= 5, "the README shows commands");
}

/// "Both … reach the same efficiency to the last digit."
#[test]
fn simulations_of_both_variants_print_the_same() {
    let results = |scenario: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
            .args(["simulate", scenario, "--set", "loss-rate=0.1"])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().skip(1).map(str::to_owned);
        lines.filter(|line| !line.contains("million per second")).collect::<Vec<_>>()
    };
    let correct = results("arq");
    assert!(correct.iter().any(|line| line.starts_with("efficiency  ")), "{correct:?}");
    assert_eq!(correct, results("arq-erroneous"));
}
