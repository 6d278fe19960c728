//! The nodes of route discovery, by the tables of the article: which routes a node has, and which
//! it has after a message.

use everypath_model::{Did, Node, NodeId, Protocol, Recorder};
use everypath_protocols::route_discovery::{
    Entry, Expire, Message, RouteDiscovery, SOURCE, Table, Timer,
};

const NODES: u32 = 4;
const NEIGHBOUR: NodeId = NodeId(2);

fn protocol() -> RouteDiscovery {
    RouteDiscovery { nodes: NODES, trials: Some(3), expire: Expire::Off }
}

/// The trials whose request and whose reply made the routes of a node; 0 if there is no route.
type Pattern = (u32, u32);

fn table((request, reply): Pattern) -> Table {
    let entry = |number| (number > 0).then_some(Entry { number, next: NEIGHBOUR, hops: 0 });
    Table { to_source: entry(request), to_destination: entry(reply), trials: 0 }
}

fn pattern(table: &Table) -> Pattern {
    let number = |entry: &Option<Entry>| entry.as_ref().map_or(0, |entry| entry.number);
    (number(&table.to_source), number(&table.to_destination))
}

/// The pattern after a message from a neighbour, and what the node sent.
fn after(me: NodeId, before: Pattern, message: &Message) -> (Pattern, Vec<(u32, Message)>) {
    let neighbours: Vec<NodeId> = (0..NODES).map(NodeId).filter(|&node| node != me).collect();
    let mut effects = Recorder::new(me, &neighbours);
    let mut state = table(before);
    protocol().on_message(&mut Node::new(me, &mut state, &mut effects), NEIGHBOUR, message);
    let sent = effects.did.into_iter().filter_map(|did| match did {
        Did::Sent { to, message } => Some((to.0, message)),
        _ => None,
    });
    (pattern(&state), sent.collect())
}

fn request(number: u32) -> Message {
    Message::Request { number, hops: 1 }
}

fn reply(number: u32) -> Message {
    Message::Reply { number, hops: 1 }
}

const RT1: Pattern = (0, 0);
const RT2: Pattern = (1, 0);
const RT3: Pattern = (1, 1);
const RT4: Pattern = (2, 0);
const RT5: Pattern = (2, 1);
const RT6: Pattern = (2, 2);

#[test]
fn a_forwarder_goes_from_pattern_to_pattern() {
    // After a request and a reply of the first trial, of the second, and a request of the third. By
    // the article, no reply of the second trial comes to a node without a request of it.
    let rows = [
        (RT1, RT2, RT1, RT4, Some(RT1), (3, 0)),
        (RT2, RT2, RT3, RT4, None, (3, 0)),
        (RT3, RT3, RT3, RT5, None, (3, 1)),
        (RT4, RT4, RT5, RT4, Some(RT6), (3, 0)),
        (RT5, RT5, RT5, RT5, Some(RT6), (3, 1)),
        (RT6, RT6, RT6, RT6, Some(RT6), (3, 2)),
    ];
    let me = NodeId(1);
    for (from, request_1, reply_1, request_2, reply_2, third) in rows {
        let goes = |message: &Message, to: Pattern| {
            let (found, sent) = after(me, from, message);
            assert_eq!(found, to, "{from:?} {message:?}");
            // What changes nothing is discarded. A request goes on to all, a reply goes back.
            let expected: Vec<(u32, Message)> = match *message {
                _ if found == from => Vec::new(),
                Message::Request { number, .. } => {
                    [0, 2, 3].map(|to| (to, Message::Request { number, hops: 2 })).into()
                }
                Message::Reply { number, .. } => {
                    vec![(NEIGHBOUR.0, Message::Reply { number, hops: 2 })]
                }
            };
            assert_eq!(sent, expected, "{from:?} {message:?}");
        };
        goes(&request(1), request_1);
        goes(&reply(1), reply_1);
        goes(&request(2), request_2);
        reply_2.into_iter().for_each(|to| goes(&reply(2), to));
        goes(&request(3), third);
        assert_eq!(after(me, third, &reply(3)).0, (3, 3));
    }
}

#[test]
fn the_destination_answers_what_is_newer() {
    let me = NodeId(NODES - 1);
    for from in [RT1, RT2, RT4, (3, 0)] {
        for number in 1..=3 {
            let (found, sent) = after(me, from, &request(number));
            if number > from.0 {
                assert_eq!(found, (number, 0));
                assert_eq!(sent, [(NEIGHBOUR.0, Message::Reply { number, hops: 0 })]);
            } else {
                assert_eq!((found, sent), (from, Vec::new()));
            }
        }
    }
}

#[test]
fn the_source_takes_newer_replies_and_no_requests() {
    for number in 1..=3 {
        assert_eq!(after(SOURCE, RT1, &request(number)), (RT1, Vec::new()));
        for before in 0..=3 {
            let (found, sent) = after(SOURCE, (0, before), &reply(number));
            assert_eq!((found, sent), ((0, before.max(number)), Vec::new()));
        }
    }
}

/// What is called obsolete changes nothing.
#[test]
fn obsolete_messages_are_discarded() {
    let nodes = (0..NODES).map(NodeId);
    for me in nodes {
        for before in (0..4).flat_map(|request| (0..4).map(move |reply| (request, reply))) {
            for message in (1..4).flat_map(|number| [request(number), reply(number)]) {
                if protocol().is_obsolete(me, &table(before), &message) {
                    assert_eq!(after(me, before, &message), (before, Vec::new()));
                }
            }
        }
    }
}

#[test]
fn the_source_tries_as_often_as_it_may() {
    let mut state = Table::default();
    let neighbours = [NodeId(1), NodeId(2), NodeId(3)];
    for trial in 1..=3 {
        let mut effects = Recorder::new(SOURCE, &neighbours);
        protocol().on_timer(&mut Node::new(SOURCE, &mut state, &mut effects), &Timer::Seek);
        let sets = effects.did.iter().any(|did| matches!(did, Did::Set { timer: Timer::Seek, .. }));
        assert_eq!((state.trials, sets), (trial, trial < 3));
    }
}
