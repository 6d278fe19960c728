//! `--space`: a picture of a small state space, in the order in which the search has visited it.

use std::path::PathBuf;

use everypath_explore::{Explorable, Exploration, Fate, Noted, NotedEvent, Options, StateId};
use everypath_plot::{EventLine, PlottedEvent, PlottedState, SpacePlot};
use everypath_report::{state_lines, write_atomically};
use indexmap::IndexSet;

use super::spec::CheckSpec;
use crate::{
    arguments::{
        search::{StrategyName, word},
        values::{SpaceFile, SpaceForm},
    },
    error::{CliError, unused},
    output::numbers::counted,
    scenarios::subject::Subject,
};

/// The largest number of states in a picture: more are not legible.
const STATES_MAX: usize = 250;
/// The largest number of events in one.
const EVENTS_MAX: usize = 4_000;

/// How many events are noted, if a picture is wanted.
pub(super) fn events_noted(spec: &CheckSpec) -> Option<usize> {
    spec.output.space.as_ref().map(|_| EVENTS_MAX)
}

/// Refuses a picture of a search that does not visit each state once.
pub(super) fn ensure_drawable(spec: &CheckSpec) -> Result<(), CliError> {
    if spec.output.space.is_none() {
        return Ok(());
    }
    if spec.search.long_run.resume.is_some() {
        let why = "what was visited before is not noted";
        return Err(CliError::NotTogether { option: "--resume", other: "--space", why });
    }
    if spec.regressions.folder().is_some() {
        let why = "a counterexample that is found again ends the check before anything is searched";
        return Err(CliError::NotTogether { option: "--regressions", other: "--space", why });
    }
    match spec.search.method.strategy {
        strategy @ (StrategyName::Walk | StrategyName::Deepening) => {
            let again = "which visits the same states again and again";
            Err(unused("--space", format!("--strategy {}, {again}", word(&strategy))))
        }
        _ => Ok(()),
    }
}

/// Draws the space into the file that was named, if one was. The result is its path.
pub(super) fn draw(
    space: &mut impl Explorable,
    built: &Subject<'_>,
    spec: &CheckSpec,
    options: &Options,
    found: &Exploration,
) -> Option<Result<PathBuf, CliError>> {
    let file = spec.output.space.as_ref()?;
    let drawn = drawn(space, built, options, found).and_then(|plot| write(file, &plot));
    Some(drawn.map(|()| file.path.clone()))
}

fn write(file: &SpaceFile, plot: &SpacePlot) -> Result<(), CliError> {
    let picture = match file.form {
        SpaceForm::Svg => plot.to_svg(),
        SpaceForm::Dot => plot.to_dot(),
    };
    let path = file.path.clone();
    write_atomically(&path, picture.as_bytes()).map_err(|error| CliError::Chart { path, error })
}

fn drawn(
    space: &mut impl Explorable,
    built: &Subject<'_>,
    options: &Options,
    found: &Exploration,
) -> Result<SpacePlot, CliError> {
    let none = Noted::default();
    let Noted { expanded, events, more, .. } = found.noted.as_ref().unwrap_or(&none);
    let mut initial = Vec::new();
    space.initial(&mut initial);
    let mut states: IndexSet<StateId> = initial.iter().copied().collect();
    states.extend(events.iter().map(|event| event.step.target));
    if *more || states.len() > STATES_MAX {
        return Err(CliError::TooManyStates { most: STATES_MAX });
    }
    let place = |state: StateId| states.get_index_of(&state).expect("all states are listed");
    let line = |fate| match fate {
        Fate::Kept => EventLine::Tree,
        Fate::Known => EventLine::NonTree,
        Fate::Deepest => EventLine::Deepest,
        Fate::Unsafe => EventLine::Unsafe,
    };
    let plotted_event = |event: &NotedEvent| PlottedEvent {
        from: place(event.from),
        to: place(event.step.target),
        line: line(event.fate),
        text: space.event_text(event.from, event.step.event).sentence,
    };
    let plotted_state = |&state: &StateId| {
        let times = (1..).zip(expanded).filter(|(_, it)| **it == state);
        let numbers: Vec<String> =
            times.map(|(number, _): (usize, _)| number.to_string()).collect();
        let text = state_lines(&space.state_text(state)).join("\n");
        let (number, text) = match numbers.as_slice() {
            [] => (String::new(), text),
            [once] => (once.clone(), text),
            // It was reached again after fewer events.
            [first, ..] => (format!("{first}+"), format!("{}\n{text}", numbers.join(", "))),
        };
        let is_reached_by = |event: &NotedEvent| event.step.target == state;
        let is_unsafe = events.iter().any(|it| it.fate == Fate::Unsafe && is_reached_by(it));
        PlottedState { number, text, is_unsafe }
    };
    Ok(SpacePlot {
        title: built.title(),
        about: format!(
            "{}, --add {}: {}, {}",
            options.strategy.name(),
            format!("{:?}", options.add).to_lowercase(),
            counted(states.len() as u64, "state"),
            counted(events.len() as u64, "event"),
        ),
        initial: initial.iter().map(|&state| place(state)).collect(),
        states: states.iter().map(plotted_state).collect(),
        events: events.iter().map(plotted_event).collect(),
    })
}
