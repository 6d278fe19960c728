//! Playing a found run, with times.

use std::time::Duration;

use everypath_explore::{StateId, Trace, TraceStep};
use everypath_model::{Decisions, Packet, Protocol, World, panics};
use everypath_network::{NetworkSpace, OwnedEvent};
use everypath_sim::{Lateness, Log, Observer, Playback, StartFrom, TimedEvent, lateness, play};

use super::{built::Built, film::Camera};
use crate::{
    output::{Printer, print},
    scenarios::any_scenario::PlayedRun,
};

/// Plays a run, films it, and prints its events if a log is wanted.
pub(super) fn play_run<P: Protocol>(
    built: &Built<P>,
    space: &mut NetworkSpace<'_>,
    run: &Trace,
    log: bool,
) -> PlayedRun {
    let starts = space.decisions_at_start(run.initial).unwrap_or_default();
    let start = built.start.as_ref().map(|start| start.moment);
    let (seed, replication) = start.map_or((0, 0), |start| (start.seed, start.replication));
    let mut camera = Camera::new(&built.scenario, seed, replication);
    let mut log = log.then(|| Log::new(Printer::default()));
    let mut observers: Vec<&mut dyn Observer<P>> = vec![&mut camera];
    observers.extend(log.as_mut().map(|log| log as &mut dyn Observer<P>));
    let playback = compared(built, space, run, &starts, &mut observers);
    drop(observers);
    if let Some(log) = log {
        log.finish().expect("failed prints are reported at the end");
        print("\n");
    }
    let begin = start.map_or(Duration::ZERO, |start| start.time);
    let film = playback.as_ref().ok().map(|playback| {
        let end = playback.events.last().map_or(begin, |last| last.time);
        camera.developed_between(begin, end)
    });
    PlayedRun { playback, film }
}

/// Plays a run and compares every world on the way with that of the exploration.
fn compared<P: Protocol>(
    built: &Built<P>,
    space: &NetworkSpace<'_>,
    run: &Trace,
    starts: &[Decisions],
    observer: &mut impl Observer<P>,
) -> Result<Playback, String> {
    let beginning = beginning(built, starts);
    let events = events_of(space, run);
    let cues = cues(space, run, &events);
    let later = run.steps.iter().map(|step| step.state);
    let states: Vec<StateId> = std::iter::once(run.initial).chain(later).collect();
    let mut difference = None;
    let playback = play(&built.scenario, &beginning, &cues, observer, |step, world| {
        // After a handler that panicked there is nothing to compare.
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

/// How late something must be for a run; nothing if that is unknown, as where a handler reads what only a clock knows
/// and does something else.
pub(super) fn lateness_of<P: Protocol>(
    built: &Built<P>,
    space: &mut NetworkSpace<'_>,
    run: &Trace,
) -> Option<Lateness> {
    let starts = space.decisions_at_start(run.initial).unwrap_or_default();
    let events = events_of(space, run);
    let cues = cues(space, run, &events);
    let beginning = beginning(built, &starts);
    panics::catch(|| lateness(&built.scenario, &beginning, &cues)).ok()?.ok()?
}

/// Where a run starts.
fn beginning<'a, P: Protocol>(built: &'a Built<P>, starts: &'a [Decisions]) -> StartFrom<'a, P> {
    match &built.start {
        Some(start) => StartFrom::World(&start.world),
        None => StartFrom::Start(starts),
    }
}

fn events_of<P: Protocol>(space: &NetworkSpace<'_>, run: &Trace) -> Vec<OwnedEvent<P>> {
    run.transitions().map(|(before, step)| space.event_of(before, step.event)).collect()
}

/// The events of a run with what was decided in them.
fn cues<'a, P: Protocol>(
    space: &NetworkSpace<'_>,
    run: &Trace,
    events: &'a [OwnedEvent<P>],
) -> Vec<TimedEvent<'a, P>> {
    let cue = |((before, step), event): ((StateId, TraceStep), &'a OwnedEvent<P>)| TimedEvent {
        event: event.event(),
        decisions: space.decisions_in(before, step.event),
    };
    run.transitions().zip(events).map(cue).collect()
}

/// How a world differs from the recorded one, if it does.
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
