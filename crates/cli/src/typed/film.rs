//! Filming a run, for its page.

use std::time::Duration;

use everypath_model::{Event, Packet, Protocol, Scenario, Topology};
use everypath_plot::{Film, FilmedFlight, FilmedMove, FilmedNode, layout};
use everypath_sim::{Fate, FrameFate, Observer, Run, Sending, movements, radio_range};

/// The largest number of packets on a page: with them it has a few megabytes.
const FLIGHTS_MAX: usize = 20_000;

/// Where to draw nodes without positions, if not in a ring.
pub(crate) fn places(topology: &Topology) -> Option<Vec<(f64, f64)>> {
    let links = topology.links().map(|(a, b)| (a.index(), b.index()));
    layout(topology.len(), &links.collect::<Vec<_>>())
}

/// An observer that films.
pub(crate) struct Camera {
    film: Film,
    /// When each sending left, in seconds.
    left: Vec<f64>,
    is_full: bool,
}

impl Camera {
    pub(crate) fn new<P: Protocol>(scenario: &Scenario<P>, seed: u64, replication: u32) -> Self {
        let topology = &scenario.topology;
        let node = |node| FilmedNode { name: format!("{node}"), role: scenario.role(node) };
        let moves = movements(scenario, seed, replication).into_iter().map(|it| FilmedMove {
            node: it.node.0,
            time: (it.begin.as_secs_f64(), it.end.as_secs_f64()),
            from: (it.from.x, it.from.y),
            to: (it.to.x, it.to.y),
        });
        let film = Film {
            nodes: topology.nodes().map(node).collect(),
            links: topology.links().map(|(a, b)| (a.0, b.0)).collect(),
            places: places(topology).unwrap_or_default(),
            range: scenario.simulation.field.as_ref().map(|field| radio_range(&field.radio)),
            moves: moves.collect(),
            ..Film::default()
        };
        Self { film, left: Vec::new(), is_full: false }
    }

    /// The film of the finished run.
    pub(crate) fn developed(self, run: &Run) -> Film {
        self.developed_between(Duration::ZERO, run.elapsed)
    }

    /// The film from one moment to another; its time begins at the first.
    pub(crate) fn developed_between(self, begin: Duration, end: Duration) -> Film {
        let Self { mut film, is_full, .. } = self;
        film.end = end.as_secs_f64();
        if !is_full {
            film.flights_until = film.end;
        }
        let begin = begin.as_secs_f64();
        for time in [&mut film.end, &mut film.flights_until] {
            *time -= begin;
        }
        let moves = film.moves.iter_mut().map(|it| &mut it.time);
        for (from, to) in moves.chain(film.flights.iter_mut().map(|it| &mut it.time)) {
            *from -= begin;
            *to -= begin;
        }
        film
    }

    fn take(&mut self, from: u32, to: u32, time: (f64, f64), message: String, lost: bool) {
        if self.film.flights.len() == FLIGHTS_MAX && !self.is_full {
            self.is_full = true;
            self.film.flights_until = time.0;
        }
        if !self.is_full {
            self.film.flights.push(FilmedFlight { from, to, time, message, lost });
        }
    }

    fn left_at(&self, sending: u64) -> Option<f64> {
        self.left.get(usize::try_from(sending).ok()?).copied()
    }
}

impl<P: Protocol> Observer<P> for Camera {
    fn sent(&mut self, time: Duration, sending: &Sending<'_, P>) {
        let place = usize::try_from(sending.number).expect("sendings are counted from 0");
        if self.left.len() <= place {
            self.left.resize(place + 1, 0.0);
        }
        self.left[place] = time.as_secs_f64();
    }

    fn packet(&mut self, time: Duration, _: u64, packet: Packet<'_, P>, _: usize, fate: Fate) {
        if !matches!(fate, Fate::Arrives(_)) {
            let time = (time.as_secs_f64(), time.as_secs_f64());
            self.take(packet.from.0, packet.to.0, time, format!("{:?}", packet.message), true);
        }
    }

    fn frame(&mut self, time: Duration, frame: &Sending<'_, P>, fate: FrameFate<'_>) {
        if let (FrameFate::Unheard { .. } | FrameFate::Dropped, Some(to)) = (fate, frame.to) {
            let now = time.as_secs_f64();
            let time = (self.left_at(frame.number).unwrap_or(now), now);
            self.take(frame.from.0, to.0, time, format!("{:?}", frame.message), true);
        }
    }

    fn event(&mut self, time: Duration, event: &Event<'_, P>, sending: Option<u64>) {
        // Only a played run loses packets by events.
        if let Event::Lose { packet } = event {
            let now = time.as_secs_f64();
            let message = format!("{:?}", packet.message);
            self.take(packet.from.0, packet.to.0, (now, now), message, true);
        }
        if let (Event::Deliver { node, packet }, Some(sending)) = (event, sending) {
            let now = time.as_secs_f64();
            let left = self.left_at(sending).unwrap_or(now);
            let message = format!("{:?}", packet.message);
            self.take(packet.from.0, node.0, (left, now), message, false);
        }
    }
}
