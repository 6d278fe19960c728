//! Scenario files with pieces moved, doubled, cut out or replaced by noise: each is run or refused with a reason, none makes
//! the command panic, and the schema allows those that are run.

use std::{fs, path::Path, process::Output};

use tempfile::TempDir;

use crate::{
    command::{code, complaint, out, run_in},
    damage::splices,
    schema::assert_fits,
};

const SPLICES: u64 = 150;

#[test]
fn a_damaged_file_is_run_or_refused() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let folder = TempDir::new().unwrap();
    fs::copy(examples.join("backbone.csv"), folder.path().join("backbone.csv")).unwrap();
    let (mut run, mut refused) = (0, 0);
    for name in ["backbone.toml", "manet.toml", "sensors.toml"] {
        let text = fs::read_to_string(examples.join(name)).unwrap();
        // Points of a sweep are files without it. The run is too short for a warm-up.
        let text = text.split("[sweep]").next().unwrap();
        let is_kept = |line: &&str| !line.starts_with('#') && !line.starts_with("warm-up");
        let text: String = text.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect();
        assert_eq!(code(&simulate(folder.path(), text.as_bytes())), 0, "{name}, undamaged");
        for (seed, damaged) in splices(text.as_bytes(), SPLICES) {
            let output = simulate(folder.path(), &damaged);
            let said = format!("{name}, splice with seed {seed}: {}", complaint(&output));
            match code(&output) {
                0 => {
                    let text = String::from_utf8(damaged).expect("what is run is text");
                    assert_fits("scenario.schema.json", &toml::from_str(&text).unwrap());
                    run += 1;
                }
                2 => {
                    assert!(out(&output).is_empty() && complaint(&output).len() > 20, "{said}");
                    assert!(!said.contains("panicked"), "{said}");
                    refused += 1;
                }
                _ => panic!("{said}"),
            }
        }
    }
    assert!(run > 5 && refused > 200, "{run} run, {refused} refused");
}

fn simulate(folder: &Path, file: &[u8]) -> Output {
    fs::write(folder.join("scenario.toml"), file).unwrap();
    let arguments = ["simulate", "scenario.toml", "--replications", "1", "--duration", "1us"];
    run_in(folder, &arguments)
}
