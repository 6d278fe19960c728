//! AODV simulated: static chains, on which all can be counted by hand.

use everypath_model::{Parameters, Scenario};
use everypath_protocols::aodv::{Aodv, aodv};
use everypath_sim::{Limits, Replications, replicate};

fn simulate(nodes: usize, given: &[(&str, &str)]) -> Replications {
    let nodes = nodes.to_string();
    // Not at the moment of a hello, and so that nothing is in flight in the end.
    let always = [("nodes", nodes.as_str()), ("begin", "5.5s")];
    let given = given.iter().copied().chain(always);
    let mut parameters = Parameters::with(given);
    let scenario: Scenario<Aodv> = aodv(&mut parameters);
    parameters.finish().unwrap();
    replicate(&scenario, 1, 1, &Limits::default(), &mut ()).unwrap()
}

fn measures(nodes: usize, given: &[(&str, &str)]) -> [f64; 3] {
    let given: Vec<_> = given.iter().copied().chain([("interval", "300ms")]).collect();
    let results = simulate(nodes, &given);
    let names = ["delivery ratio", "RREQ transmissions", "RREP transmissions"];
    names.map(|name| results.measure(name).unwrap().mean)
}

/// How often a request is transmitted until it has reached a node so many hops away: rings of 1, 3,
/// 5 and 7 hops that end before it are transmitted by as many nodes as they have hops, the first
/// that does not by as many as there are on the way.
fn transmissions(hops: u32) -> u32 {
    [1, 3, 5, 7].into_iter().filter(|ring| *ring < hops).sum::<u32>() + hops
}

#[test]
fn the_closed_form_is_the_published_one() {
    assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(transmissions), [1, 3, 4, 8, 9, 15, 16, 24]);
}

/// Every node knows its neighbours, so the last but one answers, and tells the last.
#[test]
fn with_hellos_the_last_but_one_answers() {
    for nodes in 3..=10 {
        let found = measures(nodes, &[("rules", "ns3"), ("hello", "always")]);
        let (hops, replies) = (nodes as u32 - 2, nodes as f64 - 1.0);
        assert_eq!(found, [1.0, f64::from(transmissions(hops)), replies], "{nodes} nodes");
    }
}

/// Who has no route says no hello, so the destination itself answers.
#[test]
fn without_hellos_the_destination_answers() {
    for rules in ["rfc3561", "ns3"] {
        for nodes in 3..=9 {
            let found = measures(nodes, &[("rules", rules)]);
            let hops = nodes as u32 - 1;
            let expected = [1.0, f64::from(transmissions(hops)), f64::from(hops)];
            assert_eq!(found, expected, "{nodes} nodes, {rules}");
        }
    }
}

/// The first packet waits for the rings that fail, 80 ms for each hop and two more; a packet takes
/// 1 ms and the time of its 540 bytes at 10 Mbit/s for each hop.
#[test]
fn the_first_packet_waits_for_the_rings_that_fail() {
    for (nodes, failed_ms) in [(3, 0.0), (4, 240.0), (6, 640.0), (8, 1200.0), (10, 1920.0)] {
        let given = [("rules", "ns3"), ("hello", "always"), ("interval", "55s")];
        let results = simulate(nodes, &given);
        let measured = results.measure("delay").unwrap().mean * 1000.0;
        let hop_ms = |bytes: f64| 1.0 + bytes * 8.0 / 10_000.0;
        let (hops, links) = (nodes as f64 - 2.0, nodes as f64 - 1.0);
        // The request of 52 bytes goes to the last but one, and the reply of 48 bytes back.
        let search_ms = hops * (hop_ms(52.0) + hop_ms(48.0));
        let expected = failed_ms + search_ms + links * hop_ms(540.0);
        assert!((measured - expected).abs() < 0.001, "{nodes} nodes: {measured}, {expected}");
    }
}
