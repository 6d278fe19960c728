//! Searches that are killed at random moments go on to the same answer.
//!
//! `EVERYPATH_KILLS=200 cargo test -p everypath-cli --test limits kills` kills so many; `EVERYPATH_KILLS_SEED`
//! repeats a campaign, as far as time repeats itself.

use std::{
    env,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Test, program, signal};

pub const TESTS: &[Test] = &[
    ("kills_at_random_moments_change_no_answer", kills_at_random_moments_change_no_answer),
    ("signals_end_a_run_with_its_answer", signals_end_a_run_with_its_answer),
];

/// How many kills there are if nobody says.
const KILLS: u64 = 12;

const SEARCHES: [&[&str]; 6] = [
    &[],
    &["--workers", "2"],
    &["--strategy", "dfs"],
    &["--strategy", "dfs-r"],
    &["--strategy", "best", "--ranking", "heard"],
    &["--store", "fingerprint", "--keep-going"],
];

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// Numbers that look random, by Marsaglia's shifts.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

fn search(folder: &Path, options: &[&str], more: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(["check", "gossip", "--json"]).args(options).args(more).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What was found, without what depends on time and on how it was asked for.
fn answer(output: &Output) -> Value {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{complaint}");
    let mut told: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let fields = told.as_object_mut().expect("it is an object");
    for field in ["seconds", "checkpoint", "bytes_per_state", "store", "workers"] {
        fields.remove(field).expect("the field is there");
    }
    told
}

/// Runs a search to its end, and kills it so many times before.
fn kill(options: &[&str], kills: u64, draws: &mut Draws) {
    let folder = TempDir::new().expect("a folder can be made");
    let started = Instant::now();
    let whole = answer(&search(folder.path(), options, &[]).output().expect("it can be started"));
    let time = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX).max(20);
    let saves = ["--checkpoint", "run.checkpoint", "--checkpoint-every", "50ms"];
    let goes_on = [&saves[..], &["--resume", "run.checkpoint"]].concat();
    let (mut done, mut missed) = (0, 0);
    while done < kills {
        let more =
            if folder.path().join("run.checkpoint").exists() { &goes_on } else { &saves[..] };
        let run = search(folder.path(), options, more).spawn().expect("it can be started");
        thread::sleep(Duration::from_millis(draws.below(time)));
        let name = ["KILL", "TERM", "HUP"][draws.below(3) as usize];
        signal(name, &run);
        let output = run.wait_with_output().expect("it ends");
        match output.status.code() {
            // It was over before, and begins anew.
            Some(0) => {
                missed += 1;
                assert!(missed < 100 + 20 * kills, "{options:?} is over too soon to be killed");
                assert_eq!(answer(&output), whole, "{options:?}");
                let _ = std::fs::remove_file(folder.path().join("run.checkpoint"));
                continue;
            }
            None => {}
            code => assert!(code == Some(3) && name != "KILL", "{name}: {code:?}"),
        }
        done += 1;
    }
    let more: &[&str] = match folder.path().join("run.checkpoint").exists() {
        true => &["--resume", "run.checkpoint"],
        false => &[],
    };
    let end = search(folder.path(), options, more).output().expect("it can be started");
    assert_eq!(answer(&end), whole, "{options:?}");
    println!("  {options:?}: killed {done} times, over before {missed} times, the same answer");
}

fn kills_at_random_moments_change_no_answer() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970");
    let seed = number("EVERYPATH_KILLS_SEED").unwrap_or(now.as_nanos() as u64);
    println!("  EVERYPATH_KILLS_SEED={seed}");
    let mut draws = Draws(seed | 1);
    let kills = number("EVERYPATH_KILLS").unwrap_or(KILLS);
    let searches = SEARCHES.len() as u64;
    for (place, options) in (0..).zip(SEARCHES) {
        // They share the kills evenly.
        let own = kills * (place + 1) / searches - kills * place / searches;
        kill(options, own, &mut draws);
    }
}

fn signals_end_a_run_with_its_answer() {
    for name in ["INT", "TERM", "HUP"] {
        let folder = TempDir::new().expect("a folder can be made");
        let options = ["--max-depth", "none", "--set", "most=9"];
        let saves = ["--checkpoint", "run.checkpoint", "--checkpoint-every", "50ms"];
        let run = search(folder.path(), &options, &saves).spawn().expect("it can be started");
        while !folder.path().join("run.checkpoint").exists() {
            thread::sleep(Duration::from_millis(5));
        }
        signal(name, &run);
        let output = run.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(3), "{name}: {:?}", output.status);
        let told: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(told["ended"], "interrupted", "{name}");
        assert_eq!(told["checkpoint"], "run.checkpoint", "{name}");
        let left = std::fs::read_dir(folder.path()).expect("it is there");
        let left: Vec<_> = left.map(|it| it.expect("it is there").file_name()).collect();
        let temporary = |name: &&std::ffi::OsString| name.to_string_lossy().contains("tmp");
        assert!(!left.iter().any(|name| temporary(&name)), "{name}: {left:?}");
    }
    for name in ["TERM", "HUP"] {
        let run = Command::new(program())
            .args([
                "simulate",
                "gossip",
                "--replications",
                "1000000",
                "--duration",
                "100s",
                "--json",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be started");
        thread::sleep(Duration::from_millis(1500));
        signal(name, &run);
        let output = run.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(3), "{name}: {:?}", output.status);
    }
}
