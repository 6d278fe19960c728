//! Playback of given events, with times.

mod effects;
mod lateness;
mod least;
mod moment;
mod perform;
mod world;

use std::time::Duration;

use everypath_model::{
    Decisions, Event, EventKind, NodeId, Protocol, Scenario, World, WorldSnapshot,
};
use thiserror::Error;

pub use self::lateness::{Lateness, lateness};
use self::world::PlayedWorld;
use crate::{Observer, clock::Nanoseconds};

/// One event of a run that is given.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Decisions, Event, NodeId, Packet};
/// use everypath_sim::TimedEvent;
///
/// let packet = Packet { from: NodeId(0), to: NodeId(1), message: &1 };
/// let event: Event<'_, Coin> = Event::Deliver { node: NodeId(1), packet };
/// let arrival = TimedEvent { event, decisions: Decisions::default() };
/// assert!(arrival.decisions.choices.is_empty());
/// ```
pub struct TimedEvent<'a, P: Protocol> {
    /// The event.
    pub event: Event<'a, P>,
    /// The choices of its handler, and who hears its broadcasts.
    pub decisions: Decisions,
}

/// The start of a run that is given.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Decisions, Event, NodeId, Packet, Scenario, Topology};
/// use everypath_sim::{StartFrom, TimedEvent, play};
///
/// // The coin of n0 shows 1, that of n1 shows 0.
/// let scenario = Scenario::new(Coin, Topology::chain(2));
/// let sides = [1, 0].map(|side| Decisions { choices: vec![side], ..Decisions::default() });
/// let packet = Packet { from: NodeId(0), to: NodeId(1), message: &1 };
/// let event = Event::Deliver { node: NodeId(1), packet };
/// let arrival = TimedEvent { event, decisions: Decisions::default() };
/// let played = play(&scenario, &StartFrom::Start(&sides), &[arrival], &mut (), |_, _| {});
/// assert!(played.is_ok());
/// ```
pub enum StartFrom<'a, P: Protocol> {
    /// All nodes start, at time 0; each with these decisions.
    Start(&'a [Decisions]),
    /// In a world of a simulated run, at its time.
    World(&'a WorldSnapshot<P>),
}

/// The time of an event of a run that was given.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use std::time::Duration;
/// use everypath_model::{Decisions, Event, NodeId, Packet, Scenario, Topology};
/// use everypath_sim::{StartFrom, TimedEvent, play};
///
/// let scenario = Scenario::new(Coin, Topology::chain(2));
/// let packet = Packet { from: NodeId(0), to: NodeId(1), message: &0 };
/// let event = Event::Deliver { node: NodeId(1), packet };
/// let arrival = TimedEvent { event, decisions: Decisions::default() };
/// let sides = [0, 0].map(|side| Decisions { choices: vec![side], ..Decisions::default() });
/// let playback = play(&scenario, &StartFrom::Start(&sides), &[arrival], &mut (), |_, _| {}).unwrap();
/// let played = playback.events[0];
/// assert_eq!(played.late, Duration::ZERO);
/// assert!(played.time > Duration::from_millis(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Played {
    /// At this moment.
    pub time: Duration,
    /// By how much later than it would by itself: a timer has fired after it was due, a packet was
    /// held up.
    pub late: Duration,
}

/// A timer that is still set though it should have fired.
///
/// ```
/// # use everypath_model::{Never, Node, NodeId, Protocol, Start};
/// # struct Impatient;
/// # impl Protocol for Impatient {
/// #     type State = ();
/// #     type Message = u8;
/// #     type Timer = ();
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) {
/// #         node.set_timer((), Duration::ZERO);
/// #         node.broadcast(7);
/// #     }
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u8) {}
/// # }
/// use std::time::Duration;
/// use everypath_model::{Decisions, Event, Packet, Scenario, Topology};
/// use everypath_sim::{StartFrom, TimedEvent, play};
///
/// // The timers of both nodes are due at once, and a packet arrives first.
/// let scenario = Scenario::new(Impatient, Topology::chain(2));
/// let packet = Packet { from: NodeId(0), to: NodeId(1), message: &7 };
/// let event = Event::Deliver { node: NodeId(1), packet };
/// let arrival = TimedEvent { event, decisions: Decisions::default() };
/// let playback = play(&scenario, &StartFrom::Start(&[]), &[arrival], &mut (), |_, _| {}).unwrap();
/// assert_eq!(playback.overdue.len(), 2);
/// assert_eq!(playback.overdue[0].late, playback.events[0].time);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overdue {
    /// The node.
    pub node: NodeId,
    /// The timer, as it prints.
    pub timer: String,
    /// By how much.
    pub late: Duration,
}

/// A run that was given, with times.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Decisions, Scenario, Topology};
/// use everypath_sim::{StartFrom, play};
///
/// let scenario = Scenario::new(Coin, Topology::chain(2));
/// let sides = [0, 0].map(|side| Decisions { choices: vec![side], ..Decisions::default() });
/// // The nodes start, and nothing else happens.
/// let playback = play(&scenario, &StartFrom::Start(&sides), &[], &mut (), |_, _| {}).unwrap();
/// assert!(playback.events.is_empty() && playback.overdue.is_empty());
/// assert_eq!(playback.panic, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Playback {
    /// When each event took place.
    pub events: Vec<Played>,
    /// Which timers should have fired by the end, in the order of nodes.
    pub overdue: Vec<Overdue>,
    /// The message of the handler of the last event that was played, if it panicked.
    pub panic: Option<String>,
}

/// An error of a playback.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Decisions, Event, NodeId, Packet, Scenario, Topology};
/// use everypath_sim::{StartFrom, TimedEvent, PlaybackError, play};
///
/// // No node has sent a 9.
/// let scenario = Scenario::new(Coin, Topology::chain(2));
/// let packet = Packet { from: NodeId(0), to: NodeId(1), message: &9 };
/// let event = Event::Deliver { node: NodeId(1), packet };
/// let arrival = TimedEvent { event, decisions: Decisions::default() };
/// let sides = [0, 0].map(|side| Decisions { choices: vec![side], ..Decisions::default() });
/// let played = play(&scenario, &StartFrom::Start(&sides), &[arrival], &mut (), |_, _| {});
/// assert!(matches!(played, Err(PlaybackError::Impossible { event: 1, .. })));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaybackError {
    /// An event needs a packet, a timer or a link that is not there.
    #[error("event {event} cannot happen: {what}")]
    Impossible {
        /// Which, from 1.
        event: usize,
        /// What is missing.
        what: String,
    },
    /// A node panicked when it started.
    #[error("{node} panicked when it started: {message}")]
    Start {
        /// Which.
        node: NodeId,
        /// The message of the panic.
        message: String,
    },
}

/// Plays a run whose events are given, such as a counterexample of an exploration, at times that are
/// plausible, and shows it to an observer; `seen` is shown the world before the first event and
/// after each.
///
/// Events take place in the given order. A packet takes as long as its link says, or longer; a timer
/// fires when it is due, or at once if something later has happened by then. A command is given, and
/// a node reboots, as soon as what comes before has happened. What is lost or duplicated, and links
/// that fail or come back, do so between the events around them. Links keep any number of packets
/// waiting, and lose none by themselves.
///
/// ```
/// # use everypath_model::{Never, Node, Protocol, Start};
/// # struct Greeting;
/// # impl Protocol for Greeting {
/// #     type State = u32;
/// #     type Message = u8;
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) -> u32 { node.broadcast(7); 0 }
/// #     fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &u8) { *node.state += 1; }
/// # }
/// use std::time::Duration;
/// use everypath_model::{Decisions, Event, LinkModel, NodeId, Packet, Scenario, Topology};
/// use everypath_sim::{StartFrom, TimedEvent, play};
///
/// let link = LinkModel::default().delay(Duration::from_millis(3));
/// let greeting = Scenario::new(Greeting, Topology::chain(2)).simulation(|run| run.link(link));
/// let packet = Packet { from: NodeId(0), to: NodeId(1), message: &7 };
/// let event = Event::Deliver { node: NodeId(1), packet };
/// let arrival = TimedEvent { event, decisions: Decisions::default() };
/// let mut greeted = 0;
/// let playback = play(&greeting, &StartFrom::Start(&[]), &[arrival], &mut (), |_, world| {
///     greeted = *world.node(NodeId(1));
/// });
/// assert_eq!(greeted, 1);
/// assert!(playback.unwrap().events[0].time >= Duration::from_millis(3));
/// ```
///
/// # Errors
/// If an event needs a packet, a timer or a link that is not there, or a node panics when it starts.
pub fn play<P: Protocol>(
    scenario: &Scenario<P>,
    from: &StartFrom<'_, P>,
    events: &[TimedEvent<'_, P>],
    observer: &mut impl Observer<P>,
    mut seen: impl FnMut(usize, &World<'_, P>),
) -> Result<Playback, PlaybackError> {
    let first = rehearse(scenario, from, events)?;
    let times = spread(&first, events);
    let mut played = PlayedWorld::begin(scenario, from, false, observer)?;
    seen(0, &World::new(&played));
    let mut panic = None;
    for (place, &time) in times.iter().enumerate() {
        played.now = time;
        panic = played.perform(&events[place], observer).map_err(|what| impossible(place, what))?;
        if panic.is_none() {
            seen(place + 1, &World::new(&played));
        }
    }
    let lates = first.iter().map(|&(_, late)| late);
    let events = times.iter().zip(lates).map(|(&time, late)| Played {
        time: Duration::from_nanos(time),
        late: Duration::from_nanos(late),
    });
    Ok(Playback { events: events.collect(), overdue: played.overdue(), panic })
}

fn impossible(place: usize, what: String) -> PlaybackError {
    PlaybackError::Impossible { event: place + 1, what }
}

/// Plays a run for its times alone: when each event takes place if it does so as early as it can, and
/// how much later that is than it would by itself. It ends with a handler that panics.
fn rehearse<P: Protocol>(
    scenario: &Scenario<P>,
    from: &StartFrom<'_, P>,
    events: &[TimedEvent<'_, P>],
) -> Result<Vec<(Nanoseconds, Nanoseconds)>, PlaybackError> {
    let mut played = PlayedWorld::begin(scenario, from, false, &mut ())?;
    let mut times = Vec::new();
    for (place, timed) in events.iter().enumerate() {
        let (late, panic) = played.soonest(place, timed)?;
        times.push((played.now, late));
        if panic.is_some() {
            break;
        }
    }
    Ok(times)
}

impl<P: Protocol> PlayedWorld<'_, P> {
    /// Lets an event take place as early as it can: how much later that is than it would by itself, and the message
    /// of its handler if it panicked.
    fn soonest(
        &mut self,
        place: usize,
        timed: &TimedEvent<'_, P>,
    ) -> Result<(Nanoseconds, Option<String>), PlaybackError> {
        let due = self.due(&timed.event).map_err(|what| impossible(place, what))?;
        let mut late = 0;
        if let Some((due, within)) = due {
            late = self.now.saturating_sub(due.at.saturating_add(within));
            self.now = self.now.max(due.at);
            self.waited((&due, within), true);
        }
        let panic = self.perform(timed, &mut ()).map_err(|what| impossible(place, what))?;
        Ok((late, panic))
    }
}

/// Moves events that no handler notices to the middle between those around them, evenly if there
/// are several.
fn spread<P: Protocol>(
    times: &[(Nanoseconds, Nanoseconds)],
    events: &[TimedEvent<'_, P>],
) -> Vec<Nanoseconds> {
    let mut spread: Vec<Nanoseconds> = times.iter().map(|&(time, _)| time).collect();
    let mut place = 0;
    while place < spread.len() {
        let silent = events[place..spread.len()].iter().take_while(|timed| is_silent(&timed.event));
        let len = silent.count();
        if let Some(&next) = spread.get(place + len) {
            let (before, parts) = (spread[place], len as u64 + 1);
            for (number, time) in (1_u64..).zip(&mut spread[place..place + len]) {
                let part = u128::from(next - before) * u128::from(number) / u128::from(parts);
                *time = before + u64::try_from(part).expect("a part of a span is no longer");
            }
        }
        place += len + 1;
    }
    spread
}

fn is_silent<P: Protocol>(event: &Event<'_, P>) -> bool {
    matches!(
        event.kind(),
        EventKind::Lose | EventKind::Duplicate | EventKind::LinkDown | EventKind::LinkUp
    )
}
