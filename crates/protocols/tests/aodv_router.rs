//! The router, as transcripts: who receives what, and what it knows then.

use crate::transcripts;

use everypath_model::{Node, NodeId, Protocol, Topology};
use everypath_protocols::aodv::{
    Aodv, Blacklist, Command, Data, Hello, Message, NeighbourRoutes, ReplyNumber, ReverseRoute,
    Rules, SequenceNumber, Timer,
};
use transcripts::Net;

/// The standard without what only takes room in a transcript.
fn standard() -> Rules {
    Rules { expanding_ring: false, hello: Hello::Off, gratuitous_reply: false, ..Rules::rfc3561() }
}

fn net(rules: Rules, topology: Topology) -> Net<Aodv> {
    Net::new(Aodv::new(rules), topology)
}

impl Net<Aodv> {
    fn seek(&mut self, node: u32, destination: u32) -> &mut Self {
        self.command(node, Command::Seek(NodeId(destination)))
    }

    fn send(&mut self, node: u32, destination: u32) -> &mut Self {
        self.command(node, Command::Send(NodeId(destination)))
    }

    /// The link layer could not deliver a message.
    fn come_back(&mut self, node: u32, to: u32, message: &Message) -> &mut Self {
        let (me, to) = (NodeId(node), NodeId(to));
        self.act(me, |aodv, state, fx| {
            aodv.on_undeliverable(&mut Node::new(me, state, fx), to, message)
        });
        self
    }

    /// What is in flight gets lost.
    fn lose(&mut self) -> &mut Self {
        self.flying.clear();
        self
    }

    fn routes(&self, node: u32) -> String {
        format!("{:?}", self.nodes[node as usize].routes)
    }
}

/// The packet of data of node 0 with this number, some hops after it was sent.
fn data(number: u32, destination: u32) -> Message {
    Message::Data(Data {
        source: NodeId(0),
        destination: NodeId(destination),
        number,
        ttl: 60,
        visited: Vec::new(),
    })
}

#[test]
fn a_request_goes_out_and_the_answer_leaves_routes() {
    let mut net = net(standard(), Topology::chain(3));
    assert_eq!(
        net.seek(0, 2).run(),
        [
            "n0→n1 RREQ n0/1 seq 2 hops 0 for n2",
            "n1→n0 RREQ n0/1 seq 2 hops 1 for n2",
            "n1→n2 RREQ n0/1 seq 2 hops 1 for n2",
            "n2→n1 RREP n2 seq 1 hops 0 for n0",
            "n1→n0 RREP n2 seq 1 hops 1 for n0",
        ]
    );
    assert_eq!(net.routes(0), "[n1 hops 1 via n1, n2 seq 1 hops 2 via n1]");
    assert_eq!(net.routes(1), "[n0 seq 2 hops 1 via n0, n2 seq 1 hops 1 via n2 used by n0]");
    assert_eq!(net.routes(2), "[n0 seq 2 hops 2 via n1, n1 hops 1 via n1]");
}

#[test]
fn a_node_with_a_fresh_route_answers_and_tells_the_destination() {
    let rules = Rules { gratuitous_reply: true, ..standard() };
    let mut net = net(rules, Topology::chain(4));
    net.seek(1, 3).run();
    assert_eq!(
        net.seek(0, 3).run(),
        [
            "n0→n1 RREQ n0/1 seq 2 hops 0 for n3",
            "n1→n0 RREP n3 seq 1 hops 2 for n0",
            "n1→n2 RREP n0 seq 2 hops 1 for n3",
            "n2→n3 RREP n0 seq 2 hops 2 for n3",
        ]
    );
    assert!(net.routes(3).starts_with("[n0 seq 2 hops 3 via n2"), "{}", net.routes(3));
}

#[test]
fn a_stale_route_is_no_answer() {
    let mut net = net(standard(), Topology::chain(4));
    net.seek(1, 3).run();
    net.seek(0, 3).run();
    net.fire(0, Timer::Expire(NodeId(3)));
    assert!(net.routes(0).contains("n3 seq 2 invalid"), "{}", net.routes(0));
    let transcript = net.seek(0, 3).run();
    assert_eq!(transcript[0], "n0→n1 RREQ n0/2 seq 3 hops 0 for n3 seq 2");
    assert_eq!(transcript[2], "n1→n2 RREQ n0/2 seq 3 hops 1 for n3 seq 2", "its number is too old");
    assert!(transcript.contains(&"n3→n2 RREP n3 seq 2 hops 0 for n0".to_owned()));
    assert!(net.routes(0).contains("n3 seq 2 hops 3 via n1"), "{}", net.routes(0));
}

#[test]
fn a_request_is_answered_once_until_it_is_forgotten() {
    let mut net = net(standard(), Topology::ring(4));
    let transcript = net.seek(0, 2).run();
    let replies = transcript.iter().filter(|line| line.starts_with("n2→n1 RREP")).count();
    assert_eq!(replies, 1, "the copy by way of n3 is dropped: {transcript:#?}");
    let request = net.nodes[2].seen[0];
    net.fire(2, Timer::Forget(request));
    assert!(net.nodes[2].seen.is_empty());
}

#[test]
fn requests_go_farther_and_farther_and_are_given_up() {
    let rules = Rules { expanding_ring: true, ..standard() };
    // The destination is not there: node 3 has no links.
    let mut net = net(rules, Topology::edges(4, &[(0, 1), (1, 2)]).unwrap());
    let retry = Timer::Retry(NodeId(3));
    let reached = |transcript: Vec<String>| transcript.iter().any(|line| line.starts_with("n1→n2"));
    assert!(!reached(net.send(0, 3).run()), "one hop");
    assert_eq!(net.nodes[0].waiting.len(), 1);
    // 3, 5, 7 hops, all the way, and twice again.
    for _ in 0..6 {
        assert!(reached(net.fire(0, retry.clone()).run()));
    }
    assert_eq!(net.nodes[0].next_request, 8);
    assert!(net.fire(0, retry.clone()).run().is_empty());
    assert!(net.nodes[0].discoveries.is_empty() && net.nodes[0].waiting.is_empty());
    assert!(!net.is_set(0, &retry));
}

#[test]
fn data_waits_for_its_route() {
    let mut net = net(standard(), Topology::chain(3));
    net.send(0, 2).send(0, 2);
    let transcript = net.run();
    assert_eq!(transcript.iter().filter(|line| line.contains("RREQ")).count(), 3, "one request");
    assert_eq!(
        transcript[transcript.len() - 4..],
        [
            "n0→n1 DATA n0→n2 no 0",
            "n0→n1 DATA n0→n2 no 1",
            "n1→n2 DATA n0→n2 no 0",
            "n1→n2 DATA n0→n2 no 1",
        ]
    );
    assert_eq!(net.send(0, 2).run(), ["n0→n1 DATA n0→n2 no 2", "n1→n2 DATA n0→n2 no 2"]);
}

#[test]
fn a_lost_neighbour_is_announced_to_those_who_use_it() {
    let rules = Rules { hello: Hello::Always, ..standard() };
    let mut net = net(rules, Topology::chain(4));
    net.fire(3, Timer::Hello).run();
    assert!(net.routes(2).contains("n3 seq 1 hops 1 via n3"));
    net.seek(0, 3).run();
    assert_eq!(
        net.fire(2, Timer::Miss(NodeId(3))).run(),
        ["n2→n1 RERR n3 seq 2", "n1→n0 RERR n3 seq 2"]
    );
    for node in 0..3 {
        assert!(net.routes(node).contains("n3 seq 2 invalid"), "{}", net.routes(node));
    }
    net.fire(1, Timer::Remove(NodeId(3)));
    assert!(!net.routes(1).contains("n3"));
}

#[test]
fn announcements_of_others_next_hops_are_not_for_me() {
    let mut net = net(standard(), Topology::ring(4));
    net.seek(0, 2).run();
    let before = net.routes(0);
    let via: u32 = if before.contains("n2 seq 1 hops 2 via n1") { 3 } else { 1 };
    let lie = Message::Unreachable(everypath_protocols::aodv::Unreachable {
        destinations: vec![(NodeId(2), SequenceNumber(9))],
        repaired: false,
    });
    net.flying.push_back((NodeId(via), NodeId(0), lie));
    net.run();
    assert_eq!(net.routes(0), before);
}

#[test]
fn data_without_a_route_is_answered_by_an_error() {
    let mut net = net(standard(), Topology::chain(3));
    net.seek(0, 2).run();
    net.fire(1, Timer::Expire(NodeId(2)));
    assert_eq!(net.send(0, 2).run(), ["n0→n1 DATA n0→n2 no 0", "n1→n0 RERR n2 seq 3"]);
    assert!(net.routes(0).contains("n2 seq 3 invalid"), "{}", net.routes(0));
}

#[test]
fn a_rebooted_node_keeps_quiet() {
    let mut net = net(standard(), Topology::chain(3));
    net.seek(0, 2).run();
    net.reboot(1);
    // It learns, but passes nothing on, and tells who routes through it.
    assert_eq!(net.seek(2, 0).run(), ["n2→n1 RREQ n2/1 seq 2 hops 0 for n0 seq 2"]);
    assert_eq!(net.routes(1), "[n2 seq 2 hops 1 via n2]");
    assert_eq!(
        net.send(0, 2).run(),
        ["n0→n1 DATA n0→n2 no 0", "n1→n0 RERR n2 seq 2", "n1→n2 RERR n2 seq 2"]
    );
    assert!(net.send(1, 0).run().is_empty());
    assert_eq!(net.fire(1, Timer::Wake).run()[0], "n1→n0 RREQ n1/1 seq 2 hops 0 for n0");
    assert!(net.nodes[1].waiting.is_empty());
}

#[test]
fn a_break_near_the_destination_is_repaired() {
    let rules = Rules { local_repair: true, hello: Hello::Always, ..standard() };
    // 0 - 1 - 2 - 3, and a detour 2 - 4 - 3.
    let links = [(0, 1), (1, 2), (2, 3), (2, 4), (3, 4)];
    let mut net = net(rules, Topology::edges(5, &links).unwrap());
    net.seek(0, 3).run();
    net.send(0, 3).run();
    net.come_back(2, 3, &data(1, 3));
    // Of the request, the copy to the lost neighbour gets lost as well.
    net.flying.retain(|(from, to, _)| (*from, *to) != (NodeId(2), NodeId(3)));
    let transcript = net.run();
    assert!(transcript.contains(&"n2→n4 RREQ n2/1 seq 2 hops 0 for n3 seq 2".to_owned()));
    assert!(transcript.contains(&"n2→n4 DATA n0→n3 no 1".to_owned()), "{transcript:#?}");
    assert!(transcript.contains(&"n2→n1 RERR repaired n3 seq 2".to_owned()), "it is longer now");
    assert!(transcript.contains(&"n1→n0 RERR repaired n3 seq 1".to_owned()), "so users are told");
    assert!(net.routes(1).contains("n3 seq 1 hops 2 via n2"), "{}", net.routes(1));
}

#[test]
fn a_repair_that_fails_is_announced() {
    let rules = Rules { local_repair: true, ..standard() };
    let mut net = net(rules, Topology::chain(4));
    net.seek(0, 3).run();
    net.come_back(2, 3, &data(0, 3));
    assert!(net.routes(2).contains("n3 seq 2 in repair"), "{}", net.routes(2));
    net.lose();
    assert_eq!(
        net.fire(2, Timer::Retry(NodeId(3))).run(),
        ["n2→n1 RERR n3 seq 2", "n1→n0 RERR n3 seq 2"]
    );
    assert!(net.nodes[2].waiting.is_empty());
}

/// A packet comes back after its route has changed: there is nothing to repair.
#[test]
fn a_route_that_has_changed_is_not_repaired() {
    let rules = Rules { local_repair: true, ..standard() };
    let mut net = net(rules, Topology::ring(4));
    net.seek(0, 2).run();
    let via = net.nodes[0].routes.valid(NodeId(2)).unwrap().next;
    let other = 4 - via.0;
    let Message::Data(own) = data(0, 2) else { unreachable!() };
    net.come_back(0, other, &Message::Data(Data { source: NodeId(other), ..own }));
    let expected = format!("n2 seq 1 hops 2 via {via}");
    assert!(net.routes(0).contains(&expected), "{}", net.routes(0));
    assert!(net.nodes[0].waiting.is_empty() && net.flying.is_empty());
}

/// A packet of another comes back while the node seeks the destination itself: it waits as well.
#[test]
fn a_packet_that_comes_back_waits_if_a_route_is_being_sought() {
    let mut net = net(standard(), Topology::chain(4));
    net.seek(0, 3).run();
    net.fire(1, Timer::Expire(NodeId(3))).send(1, 3).lose();
    net.come_back(1, 2, &data(0, 3));
    let sources: Vec<NodeId> = net.nodes[1].waiting.iter().map(|data| data.source).collect();
    assert_eq!(sources, [NodeId(1), NodeId(0)]);
}

#[test]
fn the_destinations_number_by_each_rule() {
    let number = |rule, wanted: Option<u32>| {
        let mut net = net(Rules { reply_number: rule, ..standard() }, Topology::chain(2));
        net.nodes[1].number = SequenceNumber(6);
        net.seek(0, 1);
        if let Some((_, _, Message::Request(request))) = net.flying.front_mut() {
            request.number = wanted.map(SequenceNumber);
        }
        net.run();
        net.nodes[1].number.0
    };
    for (rule, none, older, next, newer) in [
        (ReplyNumber::Newest, 6, 6, 7, 9),
        (ReplyNumber::IfNext, 6, 6, 7, 6),
        (ReplyNumber::NextEven, 8, 8, 8, 10),
    ] {
        let wanted = [None, Some(5), Some(7), Some(9)].map(|wanted| number(rule, wanted));
        assert_eq!(wanted, [none, older, next, newer], "{rule:?}");
    }
}

#[test]
fn ns3_overwrites_reverse_routes() {
    for (reverse_route, expected) in [
        (ReverseRoute::IfFresher, "n0 seq 2 hops 1 via n0"),
        (ReverseRoute::Always, "n0 seq 2 hops 2 via n2"),
    ] {
        let rules = Rules { reverse_route, neighbour_routes: NeighbourRoutes::Off, ..standard() };
        let mut net = net(rules, Topology::ring(3));
        net.seek(0, 2).run();
        // An older request of the same origin by another way.
        let message = Message::Request(everypath_protocols::aodv::Request {
            request: everypath_protocols::aodv::RequestId { origin: NodeId(0), id: 9 },
            origin_number: SequenceNumber(1),
            destination: NodeId(1),
            number: None,
            hops: 1,
            ttl: 1,
            gratuitous: false,
            destination_only: false,
        });
        net.flying.push_back((NodeId(2), NodeId(1), message));
        net.run();
        assert!(net.routes(1).contains(expected), "{}", net.routes(1));
    }
}

#[test]
fn ns3_drops_requests_of_its_own_next_hop() {
    for (drops, received) in [(false, 2), (true, 1)] {
        let rules =
            Rules { drop_request_of_next_hop: drops, intermediate_reply: false, ..standard() };
        let mut net = net(rules, Topology::chain(3));
        net.seek(0, 2).run();
        net.fire(1, Timer::Expire(NodeId(2))).seek(1, 2);
        net.flying.retain(|(_, to, _)| *to == NodeId(0));
        assert_eq!(net.run().len(), received, "n0 passes it on, or not");
    }
}

#[test]
fn ns3_does_not_raise_numbers_nor_believe_them() {
    let rules = Rules { expanding_ring: false, hello: Hello::Off, ..Rules::ns3() };
    let mut net = net(rules, Topology::chain(3));
    net.seek(0, 2).run();
    net.fire(1, Timer::Expire(NodeId(2)));
    assert!(net.routes(1).contains("n2 seq 1 invalid"), "{}", net.routes(1));
    net.send(0, 2).run();
    assert!(net.routes(0).contains("n2 seq 1 invalid"), "{}", net.routes(0));
}

#[test]
fn ns3_makes_one_hop_routes_of_any_packet() {
    let mut longer = net(Rules { hello: Hello::Off, ..Rules::ns3() }, Topology::ring(3));
    let route = everypath_protocols::aodv::Route {
        destination: NodeId(1),
        number: SequenceNumber(8),
        known: true,
        hops: 2,
        next: NodeId(2),
        standing: everypath_protocols::aodv::Standing::Valid,
        precursors: Vec::new(),
    };
    longer.nodes[0].routes.0.push(route.clone());
    longer.seek(1, 0).run();
    // The request itself then gives the number.
    assert!(longer.routes(0).contains("n1 seq 2 hops 1 via n1"), "{}", longer.routes(0));

    let mut kept = net(standard(), Topology::ring(3));
    kept.nodes[0].routes.0.push(route);
    kept.seek(1, 0).run();
    assert!(kept.routes(0).contains("n1 seq 8 hops 2 via n2"), "{}", kept.routes(0));
}

#[test]
fn who_does_not_acknowledge_a_reply_is_not_listened_to() {
    let rules = Rules { blacklist: Blacklist::Acknowledged, ..standard() };
    let mut net = net(rules, Topology::chain(2));
    assert_eq!(
        net.seek(0, 1).run(),
        [
            "n0→n1 RREQ n0/1 seq 2 hops 0 for n1",
            "n1→n0 RREP n1 seq 1 hops 0 for n0, to be acknowledged",
            "n0→n1 RREP-ACK",
        ]
    );
    let unacknowledged = Timer::Unacknowledged(NodeId(0));
    assert!(!net.is_set(1, &unacknowledged), "all is well");

    net.fire(0, Timer::Expire(NodeId(1))).seek(0, 1);
    let request = net.flying.pop_front().unwrap().2;
    net.deliver(0, 1, request);
    net.lose().fire(1, unacknowledged);
    assert_eq!(net.nodes[1].blacklist, [NodeId(0)]);
    let before = net.nodes[1].clone();
    assert_eq!(net.fire(0, Timer::Retry(NodeId(1))).run().len(), 1, "no answer");
    assert_eq!(net.nodes[1], before, "nothing is learnt either");
    net.fire(1, Timer::Pardon(NodeId(0)));
    assert_eq!(net.fire(0, Timer::Retry(NodeId(1))).run().len(), 3);
}

#[test]
fn a_reply_that_cannot_be_delivered_tells_of_a_link_that_goes_one_way() {
    for (blacklist, listed) in [(Blacklist::Feedback, vec![NodeId(1)]), (Blacklist::Off, vec![])] {
        let mut net = net(Rules { blacklist, ..standard() }, Topology::chain(3));
        net.seek(0, 2);
        let (_, _, request) = net.flying.pop_front().unwrap();
        net.deliver(0, 1, request);
        let (.., request) = net.flying.pop_back().unwrap();
        net.lose();
        net.deliver(1, 2, request);
        let (_, to, reply) = net.flying.pop_front().unwrap();
        net.come_back(2, to.0, &reply);
        assert_eq!(net.nodes[2].blacklist, listed);
        assert!(net.routes(2).contains("n0 seq 3 invalid"), "{}", net.routes(2));
    }
}

#[test]
fn without_feedback_nothing_is_learnt_from_what_comes_back() {
    for (link_feedback, expected) in [(false, "n2 seq 1 hops 2"), (true, "n2 seq 2 invalid")] {
        let mut net = net(Rules { link_feedback, ..standard() }, Topology::chain(3));
        net.seek(0, 2).run();
        net.come_back(0, 1, &data(0, 2));
        assert!(net.routes(0).contains(expected), "{}", net.routes(0));
    }
}

#[test]
fn requests_that_are_too_many_wait_for_the_next_second() {
    let rules = Rules { requests_per_second: Some(2), ..standard() };
    let mut net = net(rules, Topology::edges(5, &[(0, 1)]).unwrap());
    for destination in 2..5 {
        net.seek(0, destination);
    }
    assert_eq!(net.flying.len(), 2);
    assert_eq!(net.nodes[0].discoveries.len(), 3);
    let retry = Timer::Retry(NodeId(4));
    assert!(!net.is_set(0, &retry), "nothing was sent that could be answered");
    net.lose().fire(0, Timer::Second);
    assert_eq!(net.run()[0], "n0→n1 RREQ n0/3 seq 4 hops 0 for n4");
    assert!(net.is_set(0, &retry) && net.is_set(0, &Timer::Second));
    net.fire(0, Timer::Second);
    assert!(!net.is_set(0, &Timer::Second), "nothing was sent in this second");
}

#[test]
fn announcements_that_are_too_many_are_not_made() {
    let rules = Rules { errors_per_second: Some(1), ..standard() };
    let mut net = net(rules, Topology::chain(3));
    net.seek(0, 2).run();
    net.fire(1, Timer::Expire(NodeId(2)));
    for (number, received) in [(0, 1), (1, 0)] {
        net.flying.push_back((NodeId(0), NodeId(1), data(number, 2)));
        let transcript = net.run();
        let errors = transcript.iter().filter(|line| line.contains("RERR")).count();
        assert_eq!(errors, received, "{transcript:?}");
    }
    net.fire(1, Timer::Second).flying.push_back((NodeId(0), NodeId(1), data(2, 2)));
    assert_eq!(net.run().last().unwrap(), "n1→n0 RERR n2 seq 5");
}

#[test]
fn a_packet_that_has_waited_too_long_is_dropped() {
    let mut net = net(standard(), Topology::chain(3));
    net.protocol.times.buffer_time = Some(std::time::Duration::from_secs(30));
    net.send(0, 2).send(0, 2).fire(0, Timer::Drop(NodeId(0), 0));
    let transcript = net.run();
    assert!(transcript.contains(&"n1→n2 DATA n0→n2 no 1".to_owned()), "{transcript:?}");
    assert!(!transcript.iter().any(|line| line.contains("no 0")), "{transcript:?}");
    assert!(!net.is_set(0, &Timer::Drop(NodeId(0), 1)), "it has left");
}

#[test]
fn a_buffer_that_is_full_loses_the_oldest() {
    let mut net = net(standard(), Topology::chain(3));
    net.protocol.times.buffer_packets = 2;
    net.send(0, 2).send(0, 2).send(0, 2);
    let numbers: Vec<u32> = net.nodes[0].waiting.iter().map(|data| data.number).collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn a_request_that_only_the_destination_may_answer() {
    let rules = Rules { intermediate_reply: false, ..standard() };
    let mut net = net(rules, Topology::chain(4));
    net.seek(1, 3).run();
    let transcript = net.seek(0, 3).run();
    assert!(transcript.iter().any(|line| line.starts_with("n3→n2 RREP")), "{transcript:?}");
}

/// J-Sim with everything that the thesis describes but does not explore.
fn jsim() -> Rules {
    let hello = Hello::Always;
    Rules { hello, errors: true, link_feedback: true, late_addressing: false, ..Rules::jsim() }
}

#[test]
fn jsims_hellos_make_no_routes_and_silence_breaks_none() {
    let mut jsims = net(jsim(), Topology::chain(3));
    jsims.seek(0, 2).run();
    let routes = jsims.routes(0);
    jsims.nodes[1].was_heard = false;
    let hellos = jsims.fire(1, Timer::Hello).run();
    assert_eq!(hellos, ["n1→n0 HELLO seq 2", "n1→n2 HELLO seq 2"]);
    assert_eq!((jsims.nodes[0].neighbours.as_slice(), jsims.routes(0)), (&[NodeId(1)][..], routes));
    let routes = jsims.routes(0);
    assert!(jsims.fire(0, Timer::Miss(NodeId(1))).run().is_empty());
    assert_eq!((jsims.nodes[0].neighbours.as_slice(), jsims.routes(0)), (&[][..], routes));
    // Draft 11 demands what this rule says.
    let mut drafts = net(Rules { silence_breaks_link: true, ..jsim() }, Topology::chain(3));
    drafts.seek(0, 2).run();
    drafts.nodes[1].was_heard = false;
    drafts.fire(1, Timer::Hello).run();
    drafts.fire(0, Timer::Miss(NodeId(1)));
    assert!(drafts.routes(0).contains("n2 seq 5 invalid"), "{}", drafts.routes(0));
}

#[test]
fn jsim_announces_broken_links_to_all_neighbours() {
    let mut net = net(jsim(), Topology::chain(4));
    net.seek(0, 3).run();
    assert_eq!(
        net.come_back(2, 3, &data(0, 3)).run(),
        [
            "n2→n1 RERR n3 seq 5",
            "n2→n3 RERR n3 seq 5",
            "n1→n0 RERR n3 seq 5",
            "n1→n2 RERR n3 seq 5"
        ]
    );
    for node in 0..3 {
        assert!(net.routes(node).contains("n3 seq 5 invalid"), "{}", net.routes(node));
    }
}

#[test]
fn jsim_repairs_in_the_second_half_of_the_way() {
    let after = |node: u32, next: u32, ttl| {
        let mut net = net(Rules { local_repair: true, ..jsim() }, Topology::chain(5));
        net.seek(0, 4).run();
        let Message::Data(sent) = data(0, 4) else { unreachable!() };
        net.come_back(node, next, &Message::Data(Data { ttl, ..sent }));
        (net.routes(node).contains("in repair"), net.nodes[node as usize].waiting.len())
    };
    // Node 1 is one hop from the source and three from the destination; node 3, the other way round.
    assert_eq!(after(1, 2, 63), (false, 0));
    assert_eq!(after(3, 4, 61), (true, 1));
}
