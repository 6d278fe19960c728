//! `simulate --replay`: run a counterexample with times.

use std::{fmt::Write as _, path::Path, time::Duration};

use everypath_explore::{StateId, Trace};
use everypath_model::{Packet, Parameters, Protocol, World};
use everypath_network::{NetworkSpace, OwnedEvent};
use everypath_report::{
    PageTable, RunPage, Story, StoryStep, TraceFile, escape_controls, write_atomically,
};
use everypath_sim::{Log, Observer, Overdue, Playback, Played, StartFrom, TimedEvent, play};
use serde_json::{Value, json};

use crate::{
    arguments::SimulateArguments,
    error::CliError,
    output::{Outcome, Printer, bad, good, indented, numbers::counted, print, print_json, unsure},
    replay::{Broken, rebuild, run_again, start_line},
    scenarios::{entry::Built, subject::Subject},
    simulate::moment,
    traces::story_json::StepJson,
    typed::film::Camera,
};

pub(crate) fn play_in<P: Protocol>(
    build: impl FnOnce(Parameters) -> Result<Built<P>, CliError>,
    trace: &TraceFile,
    file: &Path,
    arguments: &SimulateArguments,
) -> Result<Outcome, CliError> {
    let (built, options) = rebuild(build, trace, file)?;
    let subject = &built.subject();
    let mut space = subject.space(options)?;
    let run = run_again(subject, &mut space, trace, file)?;
    let broken = subject.guarded(|| Broken::by(&mut space, &run, trace))?;
    let starts = space.choices_at_start(run.initial).unwrap_or_default();
    let start = built.start.as_ref().map(|start| start.moment);
    let (seed, replication) = start.map_or((0, 0), |start| (start.seed, start.replication));
    let mut camera = Camera::new(&built.scenario, seed, replication);
    let mut log = arguments.log.then(|| Log::new(Printer::default()));
    let mut observers: Vec<&mut dyn Observer<P>> = vec![&mut camera];
    observers.extend(log.as_mut().map(|log| log as &mut dyn Observer<P>));
    let playback = compared(&built, &space, &run, &starts, &mut observers)
        .map_err(|what| CliError::Unplayable { path: file.to_owned(), what });
    if let Some(log) = log {
        log.finish().expect("what cannot be printed is told in the end");
        print("\n");
    }
    let playback = playback?;
    let story = subject.guarded(|| Story::tell(&space, &run))?;
    let told = Told { built: subject, trace, file, story: &story, playback: &playback, broken };
    let page = arguments.pictures.page();
    if !arguments.json {
        print(&told.to_text());
    }
    if let Some(path) = page {
        let text = told.page(camera).to_html();
        write_atomically(path, text.as_bytes())
            .map_err(|error| CliError::Plot { path: path.to_owned(), error })?;
    }
    if arguments.json {
        let mut value = told.to_json(space.start_digest());
        value["written"] =
            json!(page.iter().map(|path| path.display().to_string()).collect::<Vec<_>>());
        print_json(&value);
    } else {
        page.iter().for_each(|path| print(&format!("drew {}\n", path.display())));
    }
    Ok(if told.broken.violated { Outcome::Violation } else { Outcome::Fine })
}

/// Plays a run and compares every world on the way with that of the exploration.
fn compared<P: Protocol>(
    built: &Built<P>,
    space: &NetworkSpace<'_>,
    run: &Trace,
    starts: &[Vec<u32>],
    observer: &mut impl Observer<P>,
) -> Result<Playback, String> {
    let beginning = match &built.start {
        Some(start) => StartFrom::World(&start.world),
        None => StartFrom::Start(starts),
    };
    let transitions = run.transitions();
    let events: Vec<OwnedEvent<P>> =
        transitions.map(|(before, step)| space.event_of(before, step.event)).collect();
    let cues: Vec<TimedEvent<'_, P>> = run
        .transitions()
        .zip(&events)
        .map(|((before, step), event)| TimedEvent {
            event: event.event(),
            choices: space.choices_in(before, step.event),
        })
        .collect();
    let later = run.steps.iter().map(|step| step.state);
    let states: Vec<StateId> = std::iter::once(run.initial).chain(later).collect();
    let mut difference = None;
    let playback = play(&built.scenario, &beginning, &cues, observer, |step, world| {
        // What comes of a handler that fails can be compared with nothing.
        let recorded = space.world_of(states[step]);
        let differs = recorded.and_then(|recorded| differs(&recorded.world(), world));
        if let (None, Some(what)) = (&difference, differs) {
            difference = Some(format!("after step {step}, {what}"));
        }
    });
    let playback = playback.map_err(|error| error.to_string())?;
    match (difference, &playback.panic) {
        (Some(difference), _) => Err(difference),
        (None, Some(panic)) if playback.events.len() < cues.len() => {
            Err(format!("the handler of step {} panicked: {panic}", playback.events.len()))
        }
        (None, _) => Ok(playback),
    }
}

/// In what a world differs from the recorded one, if it does.
fn differs<P: Protocol>(recorded: &World<'_, P>, world: &World<'_, P>) -> Option<String> {
    for (node, state) in recorded.nodes() {
        if world.node(node) != state {
            return Some(format!("{node} is {:?} instead of {state:?}", world.node(node)));
        }
        let (timers, found) = (recorded.timers(node), world.timers(node));
        if timers != found {
            return Some(format!("the timers of {node} are {found:?} instead of {timers:?}"));
        }
    }
    let changed =
        recorded.topology().links().find(|&(a, b)| recorded.is_up(a, b) != world.is_up(a, b));
    if let Some((one, other)) = changed {
        return Some(format!("the link between {one} and {other} is another"));
    }
    let mut rest: Vec<Packet<'_, P>> = world.packets().collect();
    for packet in recorded.packets() {
        let same = |other: &Packet<'_, P>| {
            (other.from, other.to, other.message) == (packet.from, packet.to, packet.message)
        };
        match rest.iter().position(same) {
            Some(place) => drop(rest.swap_remove(place)),
            None => return Some(format!("{} is not on its way", described(packet))),
        }
    }
    rest.first().map(|&packet| format!("{} is on its way", described(packet)))
}

fn described<P: Protocol>(Packet { from, to, message }: Packet<'_, P>) -> String {
    format!("{message:?} from {from} to {to}")
}

/// What is said of a run that was played.
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
    fn page(&self, camera: Camera) -> RunPage {
        let Self { built, trace, playback, .. } = self;
        let begin = built.start.map_or(Duration::ZERO, |start| start.moment.time);
        let end = playback.events.last().map_or(begin, |last| last.time);
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
            film: Some(camera.developed_between(begin, end)),
        }
    }

    fn to_json(&self, digest: Option<u64>) -> Value {
        let Self { built, trace, playback, broken, .. } = self;
        let steps = self.story.steps.iter().zip(&playback.events);
        let steps: Vec<Value> = steps
            .map(|(step, played)| {
                let mut step = json!(StepJson(step));
                step["simulated_seconds"] = json!(played.time.as_secs_f64());
                step["late_seconds"] = json!(played.late.as_secs_f64());
                step
            })
            .collect();
        let overdue: Vec<Value> = playback
            .overdue
            .iter()
            .map(|it| {
                json!({
                    "node": it.node.0,
                    "timer": it.timer,
                    "late_seconds": it.late.as_secs_f64(),
                })
            })
            .collect();
        json!({
            "scenario": built.name,
            "profile": built.parameters.profile().name(),
            "parameters": built.values(),
            "used": built.used_json(),
            "replayed": self.file.display().to_string(),
            "start": built.start.map(|start| start.to_json(digest)),
            "verdict": if broken.violated { "violated" } else { "holds" },
            "assertion": trace.assertion,
            "explanation": broken.explanation,
            "steps": steps,
            "overdue": overdue,
        })
    }
}

/// A span of time in words, to the microsecond if it is longer than that.
fn span(span: Duration) -> String {
    let rounded = match span.as_nanos() {
        0..1_000 => span,
        nanoseconds => {
            let microseconds = u64::try_from(nanoseconds / 1000).unwrap_or(u64::MAX);
            Duration::from_micros(microseconds)
        }
    };
    format!("{rounded:?}")
}
