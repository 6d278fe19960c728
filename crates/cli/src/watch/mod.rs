//! `watch`: check the program after every build.

use std::{
    env,
    ffi::OsString,
    fs,
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    sync::Once,
    thread::{self, JoinHandle},
    time::{Duration, SystemTime},
};

use everypath_model::Parameters;
use everypath_report::escape_controls;

use crate::{
    arguments::check::WatchArguments,
    check::{
        regressions::{RegressionSpec, RegressionsReport},
        report::json::CheckReport,
        spec::CheckSpec,
    },
    error::CliError,
    output::{
        Outcome, bad, good,
        numbers::{brief, counted, grouped},
        print, print_json, unsure,
    },
    running::interrupt,
    scenarios::{
        driver::Built,
        entry::{self, Entry},
    },
    searching::verdict::Verdict,
};

/// How often to look for a new version.
const EVERY: Duration = Duration::from_millis(200);

/// When a file was written and its length: these change when it is built again.
type Stamp = (SystemTime, u64);

fn stamp(program: &Path) -> Option<Stamp> {
    let found = fs::metadata(program).ok()?;
    Some((found.modified().ok()?, found.len()))
}

/// Checks the program's scenario, and again after every build of the program.
pub(crate) fn watch(
    entries: &[Box<dyn Entry>],
    arguments: &WatchArguments,
) -> Result<Outcome, CliError> {
    if arguments.check.instances.are_used() {
        let why = "each version is checked with a memo and earlier counterexamples, which instances do not use";
        return Err(CliError::NotTogether { option: "--cut", other: "`watch`", why });
    }
    let entry = entry::find(entries, &arguments.check.which.scenario)?;
    let is_driver = matches!(entry.build_any(Parameters::new()), Ok(Built::Driver(_)));
    let program = env::current_exe().map_err(|error| CliError::NoProgram { error })?;
    let words = words_of_check(arguments, is_driver);
    interrupt::flag();
    let (mut checked, mut last, mut before) = (0, None, None);
    let mut outcome = Outcome::Fine;
    while !interrupt::happened() && arguments.versions.is_none_or(|most| checked < most) {
        let now = stamp(&program);
        // While the build writes the program, it does not exist or still grows.
        if now.is_none() || now == last {
            thread::sleep(EVERY);
            continue;
        }
        thread::sleep(EVERY);
        if stamp(&program) != now {
            continue;
        }
        let Some(version) = Version::checked(&program, &words, now) else { continue };
        (checked, last) = (checked + 1, now);
        outcome = version.outcome();
        if arguments.check.output.json {
            print_json(&version.report);
        } else {
            print(&version.to_text(checked, before.as_ref()));
        }
        before = Some(version);
    }
    Ok(outcome)
}

/// The arguments of the same check: those of this call, with JSON, with a memo, and with a folder for counterexamples
/// where that is possible.
fn words_of_check(arguments: &WatchArguments, is_driver: bool) -> Vec<OsString> {
    let mut words = env::args_os().skip(1).skip_while(|word| word != "watch").skip(1);
    let mut kept = vec![OsString::from("check")];
    while let Some(word) = words.next() {
        match word.as_encoded_bytes() {
            b"--json" => {}
            b"--versions" => drop(words.next()),
            other if other.starts_with(b"--versions=") => {}
            _ => kept.push(word),
        }
    }
    kept.push("--json".into());
    // A driver has no handlers to memoise.
    if arguments.check.memo.memo.is_none() && !is_driver {
        // The user did not name it, so it is renewed without asking.
        let memo = format!("{}.memo", arguments.check.which.scenario);
        kept.extend(["--memo", &memo, "--renew-memo"].map(OsString::from));
    }
    let given = &arguments.check.regressions;
    let search = CheckSpec::new(&arguments.check, None).search;
    let possible = RegressionSpec::refusal(&search).is_none();
    if given.regressions.is_none() && (possible || given.neighbourhood.is_some()) {
        let folder = format!("{}.regressions", arguments.check.which.scenario);
        kept.extend(["--regressions", &folder].map(OsString::from));
    }
    kept
}

/// The result of checking one version.
struct Version {
    code: Option<i32>,
    /// What it printed; `None` if that is not a report.
    report: Option<CheckReport>,
    /// Its standard error.
    complaint: String,
}

impl Version {
    /// Checks a version; `None` if there is a newer one before it is done, or if the user ends it.
    fn checked(program: &Path, words: &[OsString], now: Option<Stamp>) -> Option<Self> {
        let started = Command::new(program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        // The build may be replacing it just now.
        let mut child = started.ok()?;
        let (out, complaint) = (read(child.stdout.take()), read(child.stderr.take()));
        let code = loop {
            if let Ok(Some(status)) = child.try_wait() {
                break status.code();
            }
            if interrupt::happened() {
                // Ctrl-C reaches it too, other signals do not.
                ask_to_end(&child);
            } else if stamp(program) != now {
                end(&mut child);
                return None;
            }
            thread::sleep(EVERY / 10);
        };
        let [out, complaint] = [out, complaint].map(|it| it.join().unwrap_or_default());
        Some(Self { code, report: serde_json::from_str(&out).ok(), complaint })
    }

    fn outcome(&self) -> Outcome {
        match self.code {
            Some(0) => Outcome::Fine,
            Some(1) => Outcome::Violation,
            Some(3) => Outcome::Stopped,
            Some(4) => Outcome::Vacuous,
            _ => Outcome::BadInput,
        }
    }

    /// The verdict in a few words.
    fn verdict(&self) -> String {
        let Some(report) = &self.report else { return "cannot be checked".to_owned() };
        match report.verdict {
            Verdict::Holds => match report.vacuity.as_deref().unwrap_or_default() {
                [] => "holds".to_owned(),
                [first, ..] if first.is_total() => "holds, but nothing ever happens".to_owned(),
                warnings => format!("holds, with {}", counted(warnings.len() as u64, "warning")),
            },
            Verdict::Violated => {
                let broken = report.counterexample.as_ref();
                let steps = broken.map_or(0, |it| it.steps.len());
                let assertion = broken.map_or("a goal is never reached", |it| &it.assertion);
                format!("violated in {}: {assertion}", counted(steps as u64, "step"))
            }
            Verdict::Inconclusive if report.complete => {
                "inconclusive: a goal was not reached within the search".to_owned()
            }
            Verdict::Inconclusive => "inconclusive".to_owned(),
        }
    }

    fn to_text(&self, number: u64, before: Option<&Self>) -> String {
        let verdict = self.verdict();
        let coloured = match self.outcome() {
            Outcome::Fine => good(&verdict),
            Outcome::Violation | Outcome::BadInput => bad(&verdict),
            Outcome::Stopped | Outcome::Vacuous => unsure(&verdict),
        };
        let mut text = format!("version {number}: {coloured}");
        if let Some(before) = before.map(Self::verdict).filter(|before| *before != verdict) {
            text.push_str(&format!(" (before: {before})"));
        }
        text.push('\n');
        match &self.report {
            None => text.push_str(&self.complaint),
            Some(report) => {
                text.push_str(&summary(report, before.and_then(|it| it.report.as_ref())));
            }
        }
        text
    }
}

/// The numbers of a check beside those of the one before, what changed, and its counterexample.
fn summary(report: &CheckReport, before: Option<&CheckReport>) -> String {
    let states = |report: &CheckReport| grouped(report.states_visited);
    let was = before.map(states).filter(|was| *was != states(report));
    let was = was.map(|was| format!(" (before: {was})")).unwrap_or_default();
    let mut text = format!(
        "  {}{was} in {} s; {} executed",
        counted(report.states_visited, "state"),
        brief(report.seconds),
        counted(report.handler_executions, "handler"),
    );
    if let Some(memo) = &report.memo {
        text.push_str(&format!(", {} taken from {}", grouped(memo.recalled), memo.file));
    }
    text.push('\n');
    if let Some(memo) = &report.memo {
        if let Some(why) = &memo.started_anew {
            text.push_str(&format!("  memo started from scratch: {why}\n"));
        }
        if !memo.changed.is_empty() {
            text.push_str(&format!("  changed: {}\n", memo.changed.join(", ")));
        }
    }
    let earlier = report.regressions.as_ref().map(RegressionsReport::to_brief_text);
    text.push_str(&earlier.unwrap_or_default());
    let steps = report.counterexample.iter().flat_map(|it| &it.steps);
    for (place, step) in (1..).zip(steps) {
        let sentence = escape_controls(&step.sentence, &[]);
        text.push_str(&format!("  {place:>3}  {sentence}\n"));
    }
    text
}

/// Reads all output of a process while it runs.
fn read(from: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut from) = from {
            let _ = from.read_to_string(&mut text);
        }
        text
    })
}

/// Asks our child process to end, once: it does so as if the user had asked.
fn ask_to_end(child: &Child) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    });
}

/// Kills our child process.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
