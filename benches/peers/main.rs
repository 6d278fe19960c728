//! Everypath beside Stateright: the same states of ARQ and of AODV, found breadth-first by one thread
//! each.
//!
//! `cargo bench --bench peers`, with `-- --rounds 20` for more than ten rounds. Every exploration is a
//! process of its own, so that its CPU time and its peak of memory are its alone; contestants take
//! turns, so that a busy machine slows all of them. Counts must agree before times are printed.

mod aodv;
mod arq;
mod arq_structure;
mod contestants;

use std::{
    env, fs, iter,
    process::Command,
    time::{Duration, Instant},
};

use contestants::{Bound, Counts, SUBJECTS, Subject};
use cpu_time::ProcessTime;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let after =
        |name: &str| arguments.iter().position(|argument| argument == name).map(|at| at + 1);
    let number = |at: usize| -> u32 {
        let given = arguments.get(at).and_then(|argument| argument.parse().ok());
        given.unwrap_or_else(|| panic!("`{}` takes a number", arguments[at - 1]))
    };
    if let Some(at) = after("--explore") {
        Sample::of(number(at) as usize, number(at + 1) as usize, number(at + 2)).print();
        return;
    }
    let short = arguments.iter().any(|argument| argument == "--test");
    let rounds = after("--rounds").map_or(10, number).max(1) as usize;
    for (subject, what) in SUBJECTS.iter().enumerate() {
        if short {
            compare(subject, &what.short, 1);
        } else {
            compare(subject, &what.full, rounds);
        }
    }
}

/// One exploration, measured.
#[derive(Clone, Copy)]
struct Sample {
    counts: Counts,
    cpu: Duration,
    wall: Duration,
    /// Nothing on systems that do not tell.
    peak_kib: Option<u64>,
}

impl Sample {
    /// Measures an exploration in this process.
    fn of(subject: usize, contestant: usize, depth: u32) -> Self {
        let (cpu, wall) = (ProcessTime::now(), Instant::now());
        let counts = (SUBJECTS[subject].contestants[contestant].explore)(depth);
        Self { counts, cpu: cpu.elapsed(), wall: wall.elapsed(), peak_kib: peak_kib() }
    }

    /// Measures an exploration in a new process.
    fn of_process(subject: usize, contestant: usize, depth: u32) -> Self {
        let numbers = [subject, contestant, depth as usize].map(|number| number.to_string());
        let output = Command::new(env::current_exe().expect("this program has a file"))
            .arg("--explore")
            .args(numbers)
            .output()
            .expect("this program can be started again");
        let name = SUBJECTS[subject].contestants[contestant].name;
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        Self::parse(&String::from_utf8_lossy(&output.stdout))
    }

    fn print(&self) {
        let Counts { states, events } = self.counts;
        let (cpu, wall) = (self.cpu.as_micros(), self.wall.as_micros());
        println!("{states} {events} {cpu} {wall} {}", self.peak_kib.unwrap_or(0));
    }

    fn parse(printed: &str) -> Self {
        let numbers: Vec<u64> =
            printed.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let &[states, events, cpu, wall, peak_kib] = numbers.as_slice() else {
            panic!("five numbers, not `{printed}`");
        };
        Self {
            counts: Counts { states, events },
            cpu: Duration::from_micros(cpu),
            wall: Duration::from_micros(wall),
            peak_kib: (peak_kib > 0).then_some(peak_kib),
        }
    }
}

/// The most memory that this process has had, where the system tells.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn compare(subject: usize, bound: &Bound, rounds: usize) {
    let Subject { name, contestants, .. } = &SUBJECTS[subject];
    let mut samples: Vec<Vec<Sample>> = contestants.iter().map(|_| Vec::new()).collect();
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let contestant = (round + turn) % contestants.len();
            let sample = Sample::of_process(subject, contestant, bound.depth);
            assert_eq!(sample.counts, bound.counts, "{}", contestants[contestant].name);
            samples[contestant].push(sample);
        }
    }
    let Counts { states, events } = bound.counts;
    println!(
        "{name} to depth {}: all found {states} states by {events} events (rounds: {rounds})",
        bound.depth
    );
    println!("In parentheses: times what {} takes", contestants[0].name);
    print_table(&SUBJECTS[subject], &samples);
}

/// Sorts what the samples of one contestant say.
fn sorted(samples: &[Sample], read: impl Fn(&Sample) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = samples.iter().map(read).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn print_table(subject: &Subject, samples: &[Vec<Sample>]) {
    let best = |values: Vec<f64>| values[0];
    let median = |values: Vec<f64>| values[values.len() / 2];
    let cpu = |sample: &Sample| sample.cpu.as_secs_f64();
    let wall = |sample: &Sample| sample.wall.as_secs_f64();
    let memory = |sample: &Sample| sample.peak_kib.map_or(f64::NAN, |kib| kib as f64 / 1024.0);
    let rows: Vec<[f64; 5]> = samples
        .iter()
        .map(|samples| {
            [
                best(sorted(samples, cpu)),
                median(sorted(samples, cpu)),
                best(sorted(samples, wall)),
                median(sorted(samples, wall)),
                median(sorted(samples, memory)),
            ]
        })
        .collect();
    let heads = ["CPU s, best", "CPU s, median", "wall s, best", "wall s, median", "peak MiB"];
    let print = |name: &str, cells: [String; 5]| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>16}")).collect();
        println!("| {name:<25} | {} |", cells.join(" | "));
    };
    print("", heads.map(str::to_owned));
    println!("|{}", "-|".repeat(1 + heads.len()));
    for (contestant, row) in iter::zip(subject.contestants, &rows) {
        let cell = |column: usize| {
            let value = row[column];
            let digits = if column == 4 { 1 } else { 3 };
            format!("{value:.digits$} ({:.2})", value / rows[0][column])
        };
        print(contestant.name, std::array::from_fn(cell));
    }
}
