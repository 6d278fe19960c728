//! Programs with dynamic data: delta execution against standard execution, and standard execution against hand-written
//! searches with a `HashSet`, as ratios of CPU time and memory measured in one run.
//!
//! `cargo bench -p everypath-structures --bench heap` prints both tables; `-- small` takes the smallest bound of each subject,
//! `-- middle` the second one. Every measurement is a process of its own, so that peaks of memory do not mix.

mod by_hand;

use std::{env, fs, process::Command};

use cpu_time::ProcessTime;
use everypath_explore::{Options, explore};
use everypath_heap::{Merge, Mode, Settings};
use everypath_structures::{named, published::TABLE_4_1};

/// What one process measured.
#[derive(Clone, Copy)]
struct Measured {
    seconds: f64,
    kilobytes: f64,
    states: u64,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &words[..] {
        ["child", how, subject, bound] => child(how, subject, bound.parse().expect("a bound")),
        words if words.contains(&"--test") => compare(0, Some(4)),
        words if words.contains(&"small") => compare(0, None),
        words if words.contains(&"middle") => compare(1, None),
        _ => compare(2, None),
    }
}

/// Measures one search, and prints the result for the parent.
fn child(how: &str, subject: &str, bound: u32) {
    let start = ProcessTime::now();
    let states = match Mode::named(how) {
        Some(mode) => explored(subject, bound, mode),
        None => by_hand::search(subject, bound).expect("it is written by hand"),
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("{seconds} {} {states}", peak_kilobytes());
}

fn explored(subject: &str, bound: u32, mode: Mode) -> u64 {
    let row = TABLE_4_1.iter().find(|row| row.subject == subject).expect("it is in the table");
    let mut settings: Settings = row.settings().values(bound).mode(mode).invariants(false);
    settings.bound = bound;
    let mut space = named(subject).expect("it is a subject").space(&settings).expect("it starts");
    let found = explore(&mut space, &Options::default().max_depth(bound), &mut ());
    found.expect("it can be explored").states_visited
}

fn peak_kilobytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(f64::NAN)
}

/// Runs a measurement three times, and takes the fastest.
fn measure(how: &str, subject: &str, bound: u32) -> Measured {
    let program = env::current_exe().expect("this program has a path");
    let run = |_| {
        let bound = bound.to_string();
        let output = Command::new(&program).args(["child", how, subject, &bound]).output();
        let text =
            String::from_utf8(output.expect("it can be started").stdout).expect("it prints text");
        let numbers: Vec<f64> =
            text.split_whitespace().map(|it| it.parse().expect("a number")).collect();
        Measured { seconds: numbers[0], kilobytes: numbers[1], states: numbers[2] as u64 }
    };
    (0..3).map(run).min_by(|one, other| one.seconds.total_cmp(&other.seconds)).expect("it ran")
}

fn median(ratios: &mut [f64]) -> f64 {
    ratios.sort_by(f64::total_cmp);
    let (low, high) = ((ratios.len() - 1) / 2, ratios.len() / 2);
    (ratios[low] + ratios[high]) / 2.0
}

fn compare(place: usize, bound: Option<u32>) {
    let rows: Vec<_> = TABLE_4_1.iter().skip(place).step_by(3).collect();
    let mut standard = Vec::new();
    println!("standard against delta execution, states of the same shape together (CPU time)\n");
    println!(
        "{:<12}{:>3}{:>12}{:>12}{:>12}{:>9}",
        "subject", "N", "states", "standard", "delta", "ratio"
    );
    let mut ratios = Vec::new();
    for row in &rows {
        let bound = bound.unwrap_or(row.bound);
        let tracked = measure(Mode::Tracked.name(), row.subject, bound);
        let delta = measure(Mode::Delta(Merge::Shape).name(), row.subject, bound);
        assert_eq!(tracked.states, delta.states);
        let ratio = tracked.seconds / delta.seconds;
        println!(
            "{:<12}{bound:>3}{:>12}{:>10.3} s{:>10.3} s{ratio:>8.2}x",
            row.subject, tracked.states, tracked.seconds, delta.seconds
        );
        ratios.push(ratio);
        standard.push((row.subject, bound, tracked));
    }
    println!("{:<12}{:>48.2}x", "median", median(&mut ratios));
    println!("\na search with a `HashSet` written by hand against standard execution\n");
    println!(
        "{:<12}{:>3}{:>12}{:>12}{:>9}{:>12}{:>12}{:>9}",
        "subject", "N", "by hand", "standard", "ratio", "by hand", "standard", "ratio"
    );
    for (subject, bound, tracked) in standard {
        if !by_hand::SUBJECTS.contains(&subject) {
            continue;
        }
        let hand = measure("by-hand", subject, bound);
        assert_eq!(hand.states, tracked.states, "{subject} {bound}");
        println!(
            "{subject:<12}{bound:>3}{:>10.3} s{:>10.3} s{:>8.2}x{:>9.1} MB{:>9.1} MB{:>8.2}x",
            hand.seconds,
            tracked.seconds,
            hand.seconds / tracked.seconds,
            hand.kilobytes / 1024.0,
            tracked.kilobytes / 1024.0,
            tracked.kilobytes / hand.kilobytes
        );
    }
}
