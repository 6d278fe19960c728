//! The command `everypath-fuzz`: compares Everypath with a brute force on random protocols.

use std::{
    process::ExitCode,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Parser;
use everypath_fuzz::{
    Difference,
    campaign::{Campaign, Follow, Outcome},
    scenario::Case,
};
use serde_json::json;

/// Compares Everypath with a brute force on random protocols
///
/// Each seed gives a protocol, a scenario, and several searches. The exit code is 1 if there is a
/// difference.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// The first seed
    #[arg(long, value_name = "FROM", default_value_t = 1)]
    seed: u64,
    /// Number of seeds [default: as many as time allows]
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Time limit, e.g. 90s, 10m or 2h [default: until all are done, or Ctrl-C]
    #[arg(long, value_parser = time)]
    time: Option<Duration>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: usize,
    /// Run this seed alone, and print its scenario
    #[arg(long, value_name = "SEED", conflicts_with_all = ["seed", "count", "time", "jobs"])]
    only: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  everypath-fuzz --count 1000                  the seeds 1 to 1000
  everypath-fuzz --seed 5000 --time 10m        from seed 5000 on, for ten minutes
  everypath-fuzz --jobs 2                      on two threads, until Ctrl-C
  everypath-fuzz --only 167                    this seed alone, with its scenario";

fn time(text: &str) -> Result<Duration, String> {
    let error = || "write a time such as 90s, 10m or 2h".to_owned();
    let digits = text.trim_end_matches(['s', 'm', 'h']);
    let number: u64 = digits.parse().map_err(|_| error())?;
    let seconds = match &text[digits.len()..] {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(error()),
    };
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(error)
}

fn jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=256).contains(number));
    number.ok_or_else(|| "write a number from 1 to 256".to_owned())
}

/// Prints progress to standard error, every few seconds.
struct Progress(Mutex<Instant>);

impl Follow for Progress {
    fn progress(&self, done: &Outcome) {
        const EVERY: Duration = Duration::from_secs(5);
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < EVERY {
            return;
        }
        *last = Instant::now();
        let seconds = done.elapsed.as_secs();
        let (cases, searches) = (done.tally.cases, done.tally.searches);
        let differences = done.differences.len();
        eprintln!("{seconds} s: {cases} protocols, {searches} searches, {differences} differ");
    }

    fn differs(&self, difference: &Difference) {
        eprintln!("\n{difference}\n");
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let campaign = match arguments.only {
        None => Campaign {
            from: arguments.seed,
            count: arguments.count,
            time: arguments.time,
            jobs: arguments.jobs,
        },
        Some(seed) => {
            if !arguments.json {
                println!("{:#?}", Case::draw(seed));
            }
            Campaign { from: seed, count: Some(1), time: None, jobs: 1 }
        }
    };
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let listens = ctrlc::set_handler(move || {
        // A second Ctrl-C ends at once.
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    if let Err(error) = listens {
        eprintln!("Ctrl-C ends this at once, without a result: {error}");
    }
    let outcome = campaign.run(&stop, &Progress(Mutex::new(Instant::now())));
    if arguments.json {
        print_json(&campaign, &outcome);
    } else {
        print_text(&campaign, &outcome);
    }
    match outcome.differences.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn print_text(campaign: &Campaign, outcome: &Outcome) {
    let Outcome { tally, differences, elapsed } = outcome;
    println!("{:>12}  comparisons", "number");
    for (kind, count) in tally.rows() {
        println!("{count:>12}  {kind}");
    }
    for difference in differences {
        println!("\n{difference}");
    }
    println!(
        "\n{} protocols from seed {}, {} searches, {} worlds by brute force, {:.1} s: {} differ",
        tally.cases,
        campaign.from,
        tally.searches,
        tally.states,
        elapsed.as_secs_f64(),
        differences.len()
    );
}

fn print_json(campaign: &Campaign, outcome: &Outcome) {
    let Outcome { tally, differences, elapsed } = outcome;
    let rows: serde_json::Map<String, serde_json::Value> =
        tally.rows().map(|(kind, count)| (kind.to_owned(), count.into())).collect();
    let differences: Vec<_> = differences
        .iter()
        .map(|it| json!({ "seed": it.seed, "options": it.options, "what": it.what }))
        .collect();
    let told = json!({
        "seed": campaign.from,
        "protocols": tally.cases,
        "searches": tally.searches,
        "worlds": tally.states,
        "seconds": elapsed.as_secs_f64(),
        "comparisons": rows,
        "differences": differences,
    });
    println!("{told:#}");
}
