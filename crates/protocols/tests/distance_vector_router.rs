//! The router, clause by clause of RFC 2453: what it is told, and what it does then.

use std::time::Duration;

use everypath_model::{Did, Node, NodeId, Protocol, Recorder};
use everypath_protocols::distance_vector::{
    DistanceVector, Entry, INFINITY, Message, RouterState, SplitHorizon, Timer,
};

/// Node 1 between nodes 0 and 2, and what it did last.
struct One {
    protocol: DistanceVector,
    state: RouterState,
    did: Vec<Did<Message, Timer>>,
}

const ME: NodeId = NodeId(1);
const NEIGHBOURS: [NodeId; 2] = [NodeId(0), NodeId(2)];

/// As it comes up; its own network is not announced.
fn one(split_horizon: SplitHorizon) -> One {
    let protocol = DistanceVector { split_horizon, ..DistanceVector::new(vec![NodeId(9)]) };
    up(protocol)
}

fn up(protocol: DistanceVector) -> One {
    let mut fx = Recorder::new(ME, &NEIGHBOURS);
    let state = protocol.start(&mut Node::new(ME, &mut (), &mut fx));
    let did = fx.did;
    One { protocol, state, did }
}

impl One {
    fn hears(&mut self, from: u32, entries: &[(u32, u8)]) -> &mut Self {
        let entry = |&(node, metric): &(u32, u8)| Entry { destination: NodeId(node), metric };
        self.receives(from, Message::Response(entries.iter().map(entry).collect()))
    }

    fn receives(&mut self, from: u32, message: Message) -> &mut Self {
        let mut fx = Recorder::new(ME, &NEIGHBOURS);
        self.protocol.on_message(
            &mut Node::new(ME, &mut self.state, &mut fx),
            NodeId(from),
            &message,
        );
        self.did = fx.did;
        self
    }

    fn fires(&mut self, timer: Timer) -> &mut Self {
        let mut fx = Recorder::new(ME, &NEIGHBOURS);
        self.protocol.on_timer(&mut Node::new(ME, &mut self.state, &mut fx), &timer);
        self.did = fx.did;
        self
    }

    fn routes(&self) -> String {
        format!("{:?}", self.state.routes)
    }

    fn sent(&self) -> Vec<String> {
        let sent = self.did.iter().filter_map(|deed| match deed {
            Did::Sent { to, message } => Some(format!("→{to} {message:?}")),
            _ => None,
        });
        sent.collect()
    }

    /// The timers that were set, in seconds, and those that were cancelled.
    fn timers(&self) -> Vec<String> {
        let timers = self.did.iter().filter_map(|deed| match deed {
            Did::Set { timer, after } => Some(format!("{timer:?} in {} s", after.as_secs())),
            Did::Cancelled { timer } => Some(format!("no {timer:?}")),
            _ => None,
        });
        timers.collect()
    }
}

/// 3.8 and 3.9.1: updates every 30 seconds; who comes up asks for the whole table.
#[test]
fn who_comes_up_asks() {
    let node = one(SplitHorizon::Off);
    assert_eq!(node.sent(), ["→n0 REQUEST", "→n2 REQUEST"]);
    assert_eq!(node.timers(), ["Update in 30 s"]);
    assert_eq!(node.routes(), "[]");
    let quiet = DistanceVector { asks: false, ..DistanceVector::new(vec![ME]) };
    let node = up(quiet);
    assert!(node.sent().is_empty());
    // A network that a node is attached to has the metric 1.
    assert_eq!(node.routes(), "[n1 metric 1 via n1]");
}

/// 3.9.1: the whole table is sent to whoever asks, with split horizon.
#[test]
fn who_is_asked_answers() {
    for (split_horizon, answer) in [
        (SplitHorizon::Off, vec!["→n0 RESPONSE n7 metric 3 n9 metric 4"]),
        (SplitHorizon::Simple, vec!["→n0 RESPONSE n7 metric 3"]),
        (SplitHorizon::PoisonedReverse, vec!["→n0 RESPONSE n7 metric 3 n9 unreachable"]),
    ] {
        let mut node = one(split_horizon);
        assert!(node.receives(0, Message::Request).sent().is_empty(), "it knows nothing");
        node.hears(2, &[(7, 2)]).hears(0, &[(9, 3)]).receives(0, Message::Request);
        assert_eq!(node.sent(), answer, "{split_horizon:?}");
    }
}

/// 3.9.2: the cost of the hop is added; a new route is told at once, and times out after 180 s.
#[test]
fn a_new_route_is_learnt_and_announced() {
    let mut node = one(SplitHorizon::PoisonedReverse);
    node.hears(2, &[(9, 3)]);
    assert_eq!(node.routes(), "[n9 metric 4 via n2]");
    assert_eq!(node.sent(), ["→n0 RESPONSE n9 metric 4", "→n2 RESPONSE n9 unreachable"]);
    assert_eq!(node.timers(), ["Timeout(n9) in 180 s", "no Garbage(n9)", "Trigger in 3 s"]);
}

/// 3.9.2: entries with metrics below 1 or above 16 are ignored, and no route is made to what cannot
/// be reached.
#[test]
fn what_is_invalid_or_unreachable_makes_no_route() {
    let mut node = one(SplitHorizon::Off);
    node.hears(
        2,
        &[(5, 0), (6, INFINITY + 1), (7, INFINITY), (8, INFINITY - 1), (9, INFINITY - 2)],
    );
    assert_eq!(node.routes(), "[n9 metric 15 via n2]");
}

/// 3.9.2: a better route replaces the old one, an equal one from elsewhere does not.
#[test]
fn only_what_is_better_replaces_a_route() {
    let mut node = one(SplitHorizon::Off);
    node.hears(2, &[(9, 3)]).hears(0, &[(9, 3)]);
    assert_eq!(node.routes(), "[n9 metric 4 via n2]");
    assert!(node.timers().is_empty(), "another's route is no news of this one");
    node.hears(0, &[(9, 2)]);
    assert_eq!(node.routes(), "[n9 metric 3 via n0 pending]");
    node.hears(2, &[(9, INFINITY)]);
    assert_eq!(node.routes(), "[n9 metric 3 via n0 pending]");
}

/// 3.9.2: what the next hop says is believed, be it worse; and it makes the route last.
#[test]
fn the_next_hop_is_believed() {
    let mut node = one(SplitHorizon::Off);
    node.hears(2, &[(9, 3)]).hears(2, &[(9, 3)]);
    assert_eq!(node.timers(), ["Timeout(n9) in 180 s"]);
    assert!(node.sent().is_empty());
    node.hears(2, &[(9, 7)]);
    assert_eq!(node.routes(), "[n9 metric 8 via n2 pending]");
    assert_eq!(node.timers(), ["Timeout(n9) in 180 s", "no Garbage(n9)"]);
}

/// 3.8 and 3.9.2: a route that is told to be broken is kept for 120 s, and announced as such.
#[test]
fn a_route_that_is_broken_is_deleted_in_the_end() {
    let mut node = one(SplitHorizon::Off);
    node.hears(2, &[(9, 3)]).fires(Timer::Trigger).hears(2, &[(9, INFINITY)]);
    assert_eq!(node.routes(), "[n9 unreachable via n2]");
    assert_eq!(node.sent(), ["→n0 RESPONSE n9 unreachable", "→n2 RESPONSE n9 unreachable"]);
    assert_eq!(node.timers(), ["no Timeout(n9)", "Garbage(n9) in 120 s", "Trigger in 3 s"]);
    // The deletion is started only once.
    assert!(node.hears(2, &[(9, INFINITY)]).timers().is_empty());
    assert_eq!(node.fires(Timer::Garbage(NodeId(9))).routes(), "[]");
}

/// 3.8: a route that times out is deleted in the same way, unless a new one replaces it meanwhile.
#[test]
fn a_route_that_times_out_can_be_replaced() {
    let mut node = one(SplitHorizon::Off);
    node.hears(2, &[(9, 3)]).fires(Timer::Trigger).fires(Timer::Timeout(NodeId(9)));
    assert_eq!(node.routes(), "[n9 unreachable via n2]");
    assert_eq!(node.sent(), ["→n0 RESPONSE n9 unreachable", "→n2 RESPONSE n9 unreachable"]);
    node.hears(0, &[(9, 14)]);
    assert_eq!(node.routes(), "[n9 metric 15 via n0 pending]");
    assert_eq!(node.timers(), ["Timeout(n9) in 180 s", "no Garbage(n9)"]);
}

/// 3.10.1: after a triggered update, changes wait, and are then told together; nothing is told if
/// nothing has changed, or if an update has told all meanwhile.
#[test]
fn triggered_updates_hold_off() {
    let mut node = one(SplitHorizon::Simple);
    node.hears(2, &[(7, 1)]);
    assert_eq!(node.sent(), ["→n0 RESPONSE n7 metric 2"]);
    assert!(node.hears(2, &[(8, 1)]).sent().is_empty());
    assert!(node.hears(0, &[(9, 1)]).sent().is_empty());
    node.fires(Timer::Trigger);
    assert_eq!(node.sent(), ["→n0 RESPONSE n8 metric 2", "→n2 RESPONSE n9 metric 2"]);
    assert_eq!(node.timers(), ["Trigger in 3 s"]);
    node.fires(Timer::Trigger);
    assert!(node.sent().is_empty() && node.timers().is_empty());
    node.hears(2, &[(6, 1)]).hears(2, &[(5, 1)]).fires(Timer::Update);
    assert_eq!(
        node.sent(),
        [
            "→n0 RESPONSE n5 metric 2 n6 metric 2 n7 metric 2 n8 metric 2",
            "→n2 RESPONSE n9 metric 2"
        ]
    );
    assert_eq!(node.timers(), ["Update in 30 s"]);
    assert!(node.fires(Timer::Trigger).sent().is_empty());
}

/// Without triggered updates changes wait for the next update.
#[test]
fn without_triggered_updates_changes_wait() {
    let mut node = one(SplitHorizon::Off);
    node.protocol.triggered = false;
    assert!(node.hears(2, &[(9, 1)]).sent().is_empty());
    assert_eq!(node.fires(Timer::Update).sent().len(), 2);
    assert_eq!(node.routes(), "[n9 metric 2 via n2]");
}

/// A smaller infinity is reached sooner, and announced as the standard's.
#[test]
fn infinity_can_be_nearer() {
    let mut node = one(SplitHorizon::Off);
    node.protocol.infinity = 5;
    node.hears(2, &[(8, 3), (9, 4)]);
    assert_eq!(node.routes(), "[n8 metric 4 via n2]");
    node.fires(Timer::Trigger).hears(2, &[(8, 4)]);
    assert_eq!(node.sent()[0], "→n0 RESPONSE n8 unreachable");
}

/// 3.6: 20 bytes for each entry, and the headers of RIP, UDP and IP.
#[test]
fn messages_have_the_sizes_of_the_standard() {
    let entry = Entry { destination: ME, metric: 1 };
    assert_eq!(Message::Request.bytes(), 52);
    assert_eq!(Message::Response(vec![entry; 3]).bytes(), 92);
    assert_eq!(one(SplitHorizon::Off).protocol.times.hold_off, Duration::from_secs(3));
}
