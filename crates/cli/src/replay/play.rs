//! `simulate --replay`: run a counterexample with times.

use std::{collections::BTreeMap, fmt::Write as _, path::Path, time::Duration};

use everypath_plot::{Film, PageTable, RunPage};
use everypath_report::{Story, StoryStep, TraceFile, escape_controls, span, write_atomically};
use everypath_sim::{Overdue, Playback, Played};
use serde::Serialize;

use crate::{
    arguments::published::ProfileName,
    error::CliError,
    output::{
        Outcome, bad, ensure_unread, ensure_writable, good, indented,
        numbers::{counted, moment},
        print, print_json, unsure,
    },
    scenarios::{
        driver::Built, entry::Entry, start::StartReport, subject::Subject, used::UsedReport,
    },
    searching::verdict::Verdict,
    traces::{
        rebuild::{Broken, rebuild, run_again, start_line},
        story_json::StepReport,
    },
};

/// A counterexample to play, and its output.
pub(crate) struct PlaySpec<'a> {
    pub(crate) file: &'a Path,
    /// The file for a page of it.
    pub(crate) page: Option<&'a Path>,
    pub(crate) log: bool,
    pub(crate) json: bool,
}

/// Runs a counterexample with plausible times.
pub(crate) fn play(entries: &[Box<dyn Entry>], spec: &PlaySpec<'_>) -> Result<Outcome, CliError> {
    let PlaySpec { file, page, log, json } = *spec;
    let target = page.map(|path| ("--report", path));
    ensure_unread(target, &[file])?;
    ensure_writable(target)?;
    let trace = &TraceFile::read(file)?;
    let (built, options) = rebuild(entries, trace, file)?;
    let Built::Scenario(built) = built else {
        return Err(CliError::NotAScenario { name: trace.scenario.clone() });
    };
    let subject = &built.subject();
    let mut space = subject.space(options)?;
    let run = run_again(subject, &mut space, trace, file)?;
    let broken = subject.guarded(|| Broken::by(&mut space, &run, trace))?;
    let played = built.play(&mut space, &run, log);
    let playback = played.playback;
    let playback =
        &playback.map_err(|what| CliError::Unplayable { path: file.to_owned(), what })?;
    let story = &subject.guarded(|| Story::tell(&space, &run))?;
    let told = Told { built: subject, trace, file, story, playback, broken };
    if !json {
        print(&told.to_text());
    }
    if let Some(path) = page {
        let text = told.page(played.film).to_html();
        write_atomically(path, text.as_bytes())
            .map_err(|error| CliError::Plot { path: path.to_owned(), error })?;
    }
    if json {
        print_json(&told.to_json(space.start_digest(), page));
    } else {
        page.iter().for_each(|path| print(&format!("drew {}\n", path.display())));
    }
    Ok(if told.broken.violated { Outcome::Violation } else { Outcome::Fine })
}

/// The report on a played run.
struct Told<'a> {
    built: &'a Subject<'a>,
    trace: &'a TraceFile,
    file: &'a Path,
    story: &'a Story,
    playback: &'a Playback,
    broken: Broken,
}

impl Told<'_> {
    fn steps(&self) -> impl Iterator<Item = (&StoryStep, &Played)> {
        self.story.steps.iter().zip(&self.playback.events)
    }

    fn to_text(&self) -> String {
        let Self { built, trace, playback, broken, .. } = self;
        let steps = counted(self.story.steps.len() as u64, "step");
        let mut text = format!(
            "{}: {steps} with times, every state as recorded\n{}\n",
            built.name,
            start_line(built.start)
        );
        let width = self.story.steps.len().to_string().len().max(2);
        for (number, (step, played)) in (1..).zip(self.steps()) {
            let Played { time, late, .. } = *played;
            let late = match late {
                Duration::ZERO => String::new(),
                late => format!("  {}", unsure(format!("[{} late]", span(late)))),
            };
            let (whole, part) = (time.as_secs(), time.subsec_nanos());
            let sentence = escape_controls(&step.event.sentence, &[]);
            let _ = writeln!(text, "{number:>width$}  {whole:>4}.{part:09}  {sentence}{late}");
        }
        let verdict = if broken.violated {
            let more = broken.explanation.as_deref().map(indented).unwrap_or_default();
            format!("broken, as recorded: {}{more}", bad(&trace.assertion))
        } else {
            format!("{}: {}", good("no longer broken"), trace.assertion)
        };
        let _ = writeln!(text, "\n{verdict}");
        for Overdue { node, timer, late, .. } in &playback.overdue {
            let late = span(*late);
            let _ = writeln!(text, "overdue: timer {timer} at {node}, by {late}");
        }
        text
    }

    /// A page with the steps and a film of them.
    fn page(&self, film: Option<Film>) -> RunPage {
        let Self { built, trace, .. } = self;
        let start = built.start.map(|start| ("start".to_owned(), start.to_text()));
        let facts = [
            ("about", built.scenario.about.clone()),
            ("counterexample", self.file.display().to_string()),
            ("broken", trace.assertion.clone()),
        ];
        let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value));
        let row = |(number, (step, played)): (u64, (&StoryStep, &Played))| {
            let late = match played.late {
                Duration::ZERO => String::new(),
                late => span(late),
            };
            // The first column is the one that reads from the left.
            let what = format!("{number}  {}", step.event.sentence);
            vec![what, moment(played.time), late]
        };
        let steps = PageTable {
            title: "what happens".to_owned(),
            titles: ["", "time", "late"].map(str::to_owned).to_vec(),
            rows: (1..).zip(self.steps()).map(row).collect(),
        };
        RunPage {
            title: built.title(),
            facts: facts.chain(start).chain(built.used_facts()).collect(),
            parameters: built.values().into_iter().collect(),
            tables: vec![steps],
            pictures: Vec::new(),
            film,
        }
    }

    fn to_json(&self, digest: Option<u64>, page: Option<&Path>) -> PlayedReport {
        let Self { built, trace, playback, broken, .. } = self;
        PlayedReport {
            scenario: built.name.clone(),
            profile: built.parameters.profile().into(),
            parameters: built.values(),
            used: built.used(),
            replayed: self.file.display().to_string(),
            start: built.start.and_then(|start| start.report(digest)),
            verdict: if broken.violated { Verdict::Violated } else { Verdict::Holds },
            assertion: trace.assertion.clone(),
            explanation: broken.explanation.clone(),
            steps: self.steps().map(PlayedStep::from).collect(),
            overdue: playback.overdue.iter().map(OverdueReport::from).collect(),
            written: page.iter().map(|path| path.display().to_string()).collect(),
        }
    }
}

/// A counterexample with times.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Replayed"))]
pub(crate) struct PlayedReport {
    /// The name of the scenario.
    scenario: String,
    /// The semantics of runs.
    profile: ProfileName,
    /// The values of all parameters that have an effect.
    parameters: BTreeMap<String, String>,
    /// The network, the traffic and the files that were really used.
    used: UsedReport,
    /// The file of the counterexample.
    replayed: String,
    /// The moment of a simulated run from which it starts; null if that is the scenario's own start.
    start: Option<StartReport>,
    /// Whether its end violates the assertion.
    #[cfg_attr(test, schemars(extend("enum" = ["violated", "holds"])))]
    verdict: Verdict,
    /// The assertion that it is recorded to violate.
    assertion: String,
    /// More on the reason, such as the message of a panic; null if there is none.
    explanation: Option<String>,
    /// The steps, with times.
    steps: Vec<PlayedStep>,
    /// The timers that should have fired before the end and have not.
    overdue: Vec<OverdueReport>,
    /// The files that were written.
    written: Vec<String>,
}

/// A step with its time.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PlayedStep"))]
struct PlayedStep {
    #[serde(flatten)]
    step: StepReport,
    /// When it happened.
    #[cfg_attr(test, schemars(range(min = 0)))]
    simulated_seconds: f64,
    /// How much later than by itself: a timer that was due before, a packet that was held up.
    #[cfg_attr(test, schemars(range(min = 0)))]
    late_seconds: f64,
}

impl From<(&StoryStep, &Played)> for PlayedStep {
    fn from((step, played): (&StoryStep, &Played)) -> Self {
        Self {
            step: step.into(),
            simulated_seconds: played.time.as_secs_f64(),
            late_seconds: played.late.as_secs_f64(),
        }
    }
}

/// A timer that should have fired.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Overdue"))]
struct OverdueReport {
    /// The node of the timer.
    node: u32,
    /// The timer.
    timer: String,
    /// How long ago it was due.
    #[cfg_attr(test, schemars(range(min = 0)))]
    late_seconds: f64,
}

impl From<&Overdue> for OverdueReport {
    fn from(overdue: &Overdue) -> Self {
        let Overdue { node, timer, late, .. } = overdue;
        Self { node: node.0, timer: timer.clone(), late_seconds: late.as_secs_f64() }
    }
}
