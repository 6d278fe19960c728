//! Worlds and events in words and as digests, the same as those of the usual engine.

use std::{fmt, time::Duration};

use everypath_explore::{
    Described, EventId, EventPattern, EventText, HistoryText, OperationText, PartText, StateId,
    StateText,
};
use everypath_model::{
    Ignored, Nodes, ObservedStep, Protocol,
    history::{ToldHistory, ToldOperation},
    link_text,
    panics::Panic,
    shown,
};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    space::PlainSpace,
    steps::matches,
    world::{Breakage, FaultsLeft, Left, Node},
};

impl fmt::Display for Breakage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Panicked { message, place: Ignored(place) } = self;
        Panic { message: message.clone(), place: place.clone(), part: None }.fmt(f)
    }
}

/// The content of a world, as states are written.
#[derive(Serialize)]
struct Content<'a, S, T> {
    nodes: Vec<Result<(&'a S, &'a [T]), &'a Breakage>>,
    faults: FaultsLeft,
    packets: Vec<Vec<u8>>,
}

impl<P: Protocol> PlainSpace<'_, P> {
    /// The content of a world: equal bytes for equal content, and the same bytes as those of the
    /// usual engine.
    fn content(&self, state: StateId) -> Vec<u8> {
        let world = self.world(state);
        let nodes = world.nodes.iter().map(|node| match node {
            Node::Running { state, timers } => Ok((state, timers.set.as_slice())),
            Node::Broken(breakage) => Err(breakage),
        });
        let packets = world.flight.iter().map(written);
        let mut packets: Vec<Vec<u8>> = packets.collect();
        if self.flight.is_multiset() {
            packets.sort_unstable();
        }
        let content = Content { nodes: nodes.collect(), faults: world.left, packets };
        let mut bytes = written(&content);
        if !self.links.is_empty() {
            let down = world.links.down.iter().fold(0_u128, |set, &link| set | 1 << link);
            let links: (Left, Left, u128) = (world.links.failures, world.links.returns, down);
            bytes.extend(written(&links));
        }
        for left in &world.timeouts {
            bytes.extend(left.to_le_bytes());
        }
        if self.required.is_some() {
            bytes.push(u8::from(world.happened));
        }
        if world.memories.is_empty() {
            return bytes;
        }
        let memories: Vec<&[u8]> = world.memories.iter().map(|it| it.bytes.as_slice()).collect();
        written(&(memories, bytes))
    }
}

fn written(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("states and messages can be written")
}

impl<P: Protocol> Described for PlainSpace<'_, P> {
    fn event_text(&self, _: StateId, event: EventId) -> EventText {
        let happened = self.happened(event);
        let (event, decisions) = (happened.event::<P>(), happened.decisions());
        EventText {
            node: Some(happened.node.0),
            kind: happened.kind.name().to_owned(),
            parameters: event.parameters(&decisions),
            sentence: event.sentence(&decisions, |node| self.name_of(node)),
        }
    }

    fn state_text(&self, state: StateId) -> StateText {
        let world = self.world(state);
        let mut parts = Vec::new();
        for (node, content) in self.scenario.topology.nodes().zip(&world.nodes) {
            let name = self.name_of(node);
            match content {
                Node::Running { state, timers } => {
                    let timers = PartText::Bag(timers.set.iter().map(shown).collect());
                    parts.push((name.clone(), PartText::Value(shown(state))));
                    parts.push((format!("{name} timers"), timers));
                }
                Node::Broken(_) => parts.push((name, PartText::Value("Panicked".to_owned()))),
            }
        }
        for (observer, memory) in self.scenario.observers.iter().zip(&world.memories) {
            if observer.is_shown {
                parts.push((observer.name.clone(), PartText::Value(memory.memory.text())));
            }
        }
        let packets = world
            .flight
            .iter()
            .map(|packet| format!("{} {}→{}", shown(&packet.message), packet.from, packet.to));
        parts.push(("network".to_owned(), PartText::Bag(packets.collect())));
        if !self.links.is_empty() {
            let down = world.links.down.iter().map(|&link| link_text(self.links[link]));
            parts.push(("links down".to_owned(), PartText::Bag(down.collect())));
        }
        if self.required.is_some() {
            let text = if world.happened { "has happened" } else { "has not happened" };
            parts.push(("required event".to_owned(), PartText::Value(text.to_owned())));
        }
        StateText { parts }
    }

    fn time_before(&self, event: EventId) -> Option<Duration> {
        let clock = self.clock.as_ref()?;
        Some(Duration::from_nanos(clock.unit * u64::from(self.happened(event).after)))
    }

    fn histories(&self, run: &[(StateId, EventId, StateId)]) -> Vec<HistoryText> {
        let steps = run.iter().map(|&(before, event, after)| {
            (self.world(before), self.happened(event), self.world(after))
        });
        let steps = steps.take_while(|(.., after)| after.broken().is_none());
        let steps: Vec<_> = steps.collect();
        let told = self.scenario.histories.iter().map(|history| {
            history.tell(|observe| {
                for (before, event, after) in &steps {
                    let event = event.event();
                    let (before, after) = (self.read(before), self.read(after));
                    let (before, after) = (Nodes::new(&before), Nodes::new(&after));
                    observe(&ObservedStep { before, event: &event, after });
                }
            })
        });
        told.map(history_text).collect()
    }

    fn matches(&self, _: StateId, event: EventId, pattern: &EventPattern) -> bool {
        matches::<P>(pattern, self.happened(event))
    }

    fn digest(&self, state: StateId) -> u64 {
        xxh3_64(&self.content(state))
    }
}

/// A history as the search knows it.
fn history_text(ToldHistory { name, operations, reasons }: ToldHistory) -> HistoryText {
    let operations = operations.into_iter();
    let operations = operations.map(|ToldOperation { client, operation, invoked, answered }| {
        OperationText { client: client.0, operation, invoked, answered }
    });
    HistoryText { name, operations: operations.collect(), reasons }
}
