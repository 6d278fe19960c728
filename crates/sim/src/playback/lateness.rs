//! How late packets and timers must be for a given run.

use std::time::Duration;

use everypath_model::{Budget, Protocol, Scenario};

use super::{PlaybackError, StartFrom, TimedEvent, least::Waits, world::PlayedWorld};
/// The longest run whose lateness is computed: bounds grow with the square of its length.
const EVENTS_MAX: usize = 400;

/// How late something must be for a run, at least.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Decisions, Scenario, Topology};
/// use everypath_sim::{StartFrom, lateness};
///
/// // A run without events needs nothing to be late.
/// let scenario = Scenario::new(Coin, Topology::chain(2));
/// let sides = [0, 0].map(|side| Decisions { choices: vec![side], ..Decisions::default() });
/// let needed = lateness(&scenario, &StartFrom::Start(&sides), &[]).unwrap().unwrap();
/// assert!(needed.largest.is_zero() && needed.events.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lateness {
    /// The largest lateness in the run: there are no times for its events with which it would be smaller.
    pub largest: Duration,
    /// By event: how late it is if all take place as early as they can without exceeding that.
    pub events: Vec<Duration>,
}

/// How late packets and timers must be, at least, for a run whose events are given, such as a counterexample of an
/// exploration. Nothing, if the run is too long or has too many packets on busy links to find that out exactly.
///
/// A packet is late if it arrives after its link has sent and delivered it, with those that were sent before it, and after
/// its jitter (`send_within`). A timer is
/// late if it fires after its duration; so is one that is still set then, until it is unset or the run ends. A packet
/// that is still in flight at the end is late then if the scenario loses no packets. Handlers take no time. Of equal
/// packets, the one that arrives first is meant.
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
/// #         node.set_timer((), Duration::from_millis(3));
/// #         node.broadcast(7);
/// #     }
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &u8) {}
/// #     fn on_timer(&self, _: &mut Node<'_, Self>, _: &()) {}
/// # }
/// use std::time::Duration;
/// use everypath_model::{Decisions, Event, LinkModel, Packet, Scenario, Topology};
/// use everypath_sim::{StartFrom, TimedEvent, lateness};
///
/// // A packet takes 1 ms, and arrives after a timer of 3 ms has fired.
/// let link = LinkModel::default().bandwidth_bps(None);
/// let scenario = Scenario::new(Impatient, Topology::chain(2)).simulation(|run| run.link(link));
/// let fires: Event<'_, Impatient> = Event::Timer { node: NodeId(0), timer: &() };
/// let packet = Packet { from: NodeId(0), to: NodeId(1), message: &7 };
/// let arrives = Event::Deliver { node: NodeId(1), packet };
/// let run = [fires, arrives].map(|event| TimedEvent { event, decisions: Decisions::default() });
/// let needed = lateness(&scenario, &StartFrom::Start(&[]), &run).unwrap().unwrap();
/// assert_eq!(needed.largest, Duration::from_millis(2));
/// assert_eq!(needed.events, [Duration::ZERO, Duration::from_millis(2)]);
/// ```
///
/// # Errors
/// If an event needs a packet, a timer or a link that is not there, or a node panics when it starts.
pub fn lateness<P: Protocol>(
    scenario: &Scenario<P>,
    from: &StartFrom<'_, P>,
    events: &[TimedEvent<'_, P>],
) -> Result<Option<Lateness>, PlaybackError> {
    if events.len() > EVENTS_MAX {
        return Ok(None);
    }
    let mut played = PlayedWorld::begin(scenario, from, true, &mut ())?;
    for (place, timed) in events.iter().enumerate() {
        played.event = Some(place + 1);
        let (_, panic) = played.soonest(place, timed)?;
        if panic.is_some() {
            break;
        }
    }
    played.wait_at_end();
    let PlayedWorld { waits, event, .. } = &played;
    let soonest = waits.iter().map(|wait| wait.reached.saturating_sub(wait.due.at));
    let most = soonest.max().unwrap_or(0);
    let taken = event.unwrap_or(0);
    let Some((largest, times)) = (Waits { events: taken, waits }).least(most) else {
        return Ok(None);
    };
    let late = |event: usize| {
        let wait = waits.iter().find(|wait| wait.is_due && wait.until == event);
        let late = wait.map_or(0, |wait| times[event].saturating_sub(wait.bound(&times)));
        Duration::from_nanos(late)
    };
    let events = (1..=taken).map(late).collect();
    Ok(Some(Lateness { largest: Duration::from_nanos(largest), events }))
}

impl<P: Protocol> PlayedWorld<'_, P> {
    /// What is still set or in flight at the end of the run waits until then.
    fn wait_at_end(&mut self) {
        let timers = self.timers.iter().flat_map(|timers| timers.values());
        let mut due: Vec<_> = timers.map(|due| (due.clone(), 0)).collect();
        if self.scenario.faults.loss == Budget::Off {
            let passages = self.packets.iter().map(|way| &way.passage);
            due.extend(passages.map(|passage| (passage.arrives.clone(), passage.within)));
        }
        due.iter().for_each(|(due, within)| self.waited((due, *within), false));
    }
}
