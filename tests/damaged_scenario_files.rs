//! Scenario files with pieces moved, doubled, cut out or replaced by noise: each is run or refused with a reason, and none
//! makes the command panic.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::{
    command::{code, complaint, out, run_in},
    damage::splices,
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
        // A sweep is made of points; what is damaged here is one of them.
        let text = text.split("[sweep]").next().unwrap();
        let text =
            text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        for (seed, damaged) in splices(text.as_bytes(), SPLICES) {
            fs::write(folder.path().join("damaged.toml"), &damaged).unwrap();
            let arguments = ["simulate", "damaged.toml", "--replications", "1"];
            let arguments = [&arguments[..], &["--duration", "1us", "--no-time"]].concat();
            let output = run_in(folder.path(), &arguments);
            let said = format!("{name}, splice with seed {seed}: {}", complaint(&output));
            match code(&output) {
                0 => run += 1,
                2 => {
                    assert!(out(&output).is_empty() && complaint(&output).len() > 20, "{said}");
                    assert!(!said.contains("panicked"), "{said}");
                    refused += 1;
                }
                _ => panic!("{said}"),
            }
        }
    }
    assert!(run > 20 && refused > 200, "{run} run, {refused} refused");
}
