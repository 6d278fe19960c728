//! AODV by hand for a chain of three nodes, as small as it can be written: what the scenario `aodv-1`
//! is, for checkers that take plain models.
//!
//! Node 2 is the destination. Lists are kept sorted, and equal packets in flight are one event, as in
//! the scenario.

/// A packet in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packet {
    from: u8,
    to: u8,
    content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Content {
    /// The origin with its number and the request's id; the newest number known, 0 for none.
    Request { origin: u8, origin_number: u8, id: u8, number: u8, hops: u8 },
    /// It is addressed to the origin of the request, and found its way when it arrives.
    Reply { number: u8, hops: u8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Route {
    number: u8,
    /// Its length and first hop, if it can be used.
    way: Option<(u8, u8)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    number: u8,
    next_request: u8,
    seeks: bool,
    seen: Vec<(u8, u8)>,
    routes: [Option<Route>; NODES as usize],
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    nodes: [Node; NODES as usize],
    /// Sorted.
    packets: Vec<Packet>,
}

/// What can happen; packets and requests by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    Seek(u8),
    Arrives(u8, u8),
    IsLost(u8),
    Reboots(u8),
    Forget(u8, u8),
    Expire(u8),
}

const NODES: u8 = 3;
const DESTINATION: u8 = NODES - 1;

fn are_neighbours(a: u8, b: u8) -> bool {
    a.abs_diff(b) == 1
}

impl Node {
    fn new() -> Self {
        Self { number: 2, next_request: 1, seeks: false, seen: Vec::new(), routes: [None; 3] }
    }

    fn way(&self, to: u8) -> Option<(u8, u8)> {
        self.routes[to as usize].and_then(|route| route.way)
    }

    fn number(&self, to: u8) -> u8 {
        self.routes[to as usize].map_or(0, |route| route.number)
    }

    /// Takes a route that is offered if it is better.
    fn take(&mut self, to: u8, number: u8, hops: u8, next: u8) -> bool {
        let better = self.routes[to as usize].is_none_or(|route| {
            let shorter = route.way.is_none_or(|(own, _)| hops < own);
            number > route.number || number == route.number && shorter
        });
        if better {
            self.routes[to as usize] = Some(Route { number, way: Some((hops, next)) });
        }
        better
    }
}

impl State {
    /// Nobody knows anything.
    pub fn initial() -> Self {
        Self { nodes: std::array::from_fn(|_| Node::new()), packets: Vec::new() }
    }

    /// Something that always holds: without a property there is nothing to check.
    pub fn numbers_are_small(&self) -> bool {
        self.nodes.iter().all(|node| node.number < 200)
    }

    /// What can happen.
    pub fn enabled(&self, events: &mut Vec<Event>) {
        for at in 0..NODES {
            let node = &self.nodes[at as usize];
            let routed = node.way(DESTINATION).is_some();
            if at != DESTINATION && !routed {
                events.push(Event::Seek(at));
            }
            events.push(Event::Reboots(at));
            events.extend((0..node.seen.len() as u8).map(|place| Event::Forget(at, place)));
            if routed {
                events.push(Event::Expire(at));
            }
        }
        for (place, packet) in (0..).zip(&self.packets) {
            if place > 0 && self.packets[place as usize - 1] == *packet {
                continue;
            }
            events.push(Event::IsLost(place));
            match packet.content {
                Content::Request { .. } => events.push(Event::Arrives(packet.to, place)),
                Content::Reply { .. } => {
                    let next =
                        self.nodes[packet.from as usize].way(packet.to).map(|(_, next)| next);
                    let other = next.filter(|&next| next != packet.to);
                    for at in [Some(packet.to), other].into_iter().flatten() {
                        if are_neighbours(packet.from, at) {
                            events.push(Event::Arrives(at, place));
                        }
                    }
                }
            }
        }
    }

    /// What an enabled event leads to.
    pub fn after(&self, event: Event) -> Self {
        let mut next = self.clone();
        match event {
            Event::Seek(at) => next.seek(at),
            Event::Arrives(at, place) => {
                let packet = next.packets.remove(place as usize);
                next.receive(at, packet);
            }
            Event::IsLost(place) => {
                next.packets.remove(place as usize);
            }
            Event::Reboots(at) => next.nodes[at as usize] = Node::new(),
            Event::Forget(at, place) => {
                next.nodes[at as usize].seen.remove(place as usize);
            }
            Event::Expire(at) => {
                let number = self.nodes[at as usize].number(DESTINATION) + 1;
                next.nodes[at as usize].routes[DESTINATION as usize] =
                    Some(Route { number, way: None });
            }
        }
        next
    }

    fn seek(&mut self, at: u8) {
        let node = &mut self.nodes[at as usize];
        if node.seeks {
            return;
        }
        node.seeks = true;
        let number = node.number(DESTINATION);
        node.routes[DESTINATION as usize].get_or_insert(Route { number: 0, way: None });
        let id = node.next_request;
        node.next_request += 1;
        node.number += 2;
        let origin_number = node.number;
        self.broadcast(at, Content::Request { origin: at, origin_number, id, number, hops: 0 });
    }

    fn receive(&mut self, at: u8, Packet { from, to, content }: Packet) {
        let node = &mut self.nodes[at as usize];
        match content {
            Content::Request { origin, origin_number, id, number, hops } => {
                let Err(place) = node.seen.binary_search(&(origin, id)) else { return };
                if origin == at {
                    return;
                }
                node.seen.insert(place, (origin, id));
                node.take(origin, origin_number, hops + 1, from);
                let own = node.number(DESTINATION);
                if at == DESTINATION {
                    let newest = node.number.max(number) + 1;
                    node.number = newest + (newest & 1);
                    let number = node.number;
                    self.send(at, origin, Content::Reply { number, hops: 0 });
                } else if let Some((hops, _)) = node.way(DESTINATION).filter(|_| own >= number) {
                    self.send(at, origin, Content::Reply { number: own, hops });
                } else {
                    let (number, hops) = (own.max(number), hops + 1);
                    self.broadcast(
                        at,
                        Content::Request { origin, origin_number, id, number, hops },
                    );
                }
            }
            Content::Reply { number, hops } => {
                if node.take(DESTINATION, number, hops + 1, from) {
                    node.seeks = false;
                    if to != at && node.way(to).is_some() {
                        self.send(at, to, Content::Reply { number, hops: hops + 1 });
                    }
                }
            }
        }
    }

    fn broadcast(&mut self, from: u8, content: Content) {
        for to in (0..NODES).filter(|&to| are_neighbours(from, to)) {
            self.send(from, to, content);
        }
    }

    fn send(&mut self, from: u8, to: u8, content: Content) {
        let packet = Packet { from, to, content };
        let place = self.packets.partition_point(|other| *other < packet);
        self.packets.insert(place, packet);
    }
}
