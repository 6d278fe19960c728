//! AODV simulated: static networks, on which all can be counted by hand.

use std::time::Duration;

use everypath_model::{NodeId, Parameters, Readings, Scenario, Topology};
use everypath_protocols::aodv::{
    Aodv, Command, Hello, Rules, aodv, aodv_1, aodv_2, aodv_3, aodv_repaired,
};
use everypath_sim::{Ending, Limits, Replications, Simulation, replicate};

type Build = fn(&mut Parameters) -> Scenario<Aodv>;

/// A scenario that begins not at the moment of a hello, and with nothing in flight in the end.
fn scenario(build: Build, nodes: usize, given: &[(&str, &str)]) -> Scenario<Aodv> {
    let nodes = nodes.to_string();
    let always = [("nodes", nodes.as_str()), ("begin", "5.5s")];
    let mut parameters = Parameters::with(given.iter().copied().chain(always));
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    scenario
}

fn simulate(scenario: &Scenario<Aodv>) -> Replications {
    replicate(scenario, 1, 1, &Limits::default(), &mut ()).unwrap()
}

fn measures_of(scenario: &Scenario<Aodv>) -> [f64; 3] {
    let results = simulate(scenario);
    let names = ["delivery ratio", "RREQ transmissions", "RREP transmissions"];
    names.map(|name| results.measure(name).unwrap().mean)
}

fn measures(nodes: usize, given: &[(&str, &str)]) -> [f64; 3] {
    let given: Vec<_> = given.iter().copied().chain([("interval", "300ms")]).collect();
    measures_of(&scenario(aodv, nodes, &given))
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
        let given = [("rules", "ns3"), ("hello", "always"), ("interval", "55s"), ("jitter", "0s")];
        let results = simulate(&scenario(aodv, nodes, &given));
        let measured = results.measure("delay").unwrap().mean * 1000.0;
        let hop_ms = |bytes: f64| 1.0 + bytes * 8.0 / 10_000.0;
        let (hops, links) = (nodes as f64 - 2.0, nodes as f64 - 1.0);
        // The request of 52 bytes goes to the last but one, and the reply of 48 bytes back.
        let search_ms = hops * (hop_ms(52.0) + hop_ms(48.0));
        let expected = failed_ms + search_ms + links * hop_ms(540.0);
        assert!((measured - expected).abs() < 0.001, "{nodes} nodes: {measured}, {expected}");
    }
}

/// With jitter, each hop of the request that is answered may take 10 ms longer: on average, half of
/// that. A chain has one way, so nothing else changes.
#[test]
fn jitter_delays_requests() {
    let delay = |jitter, seed| {
        let given = [("interval", "55s"), ("expanding-ring", "false"), ("jitter", jitter)];
        let scenario = scenario(aodv, 6, &given);
        let results = replicate(&scenario, seed, 40, &Limits::default(), &mut ()).unwrap();
        results.measure("delay").unwrap().mean * 1000.0
    };
    assert!((delay("0s", 1) - delay("0s", 2)).abs() < 1e-9);
    // Four standard errors: of 40 runs with five draws each, 10 ms / sqrt(12) * sqrt(5 / 40) * 4.
    let extra = delay("10ms", 1) - delay("0s", 1);
    assert!((extra - 25.0).abs() < 4.1, "{extra}");
}

/// J-Sim's network layer looks up next hops when replies arrive; its requests go all the way.
#[test]
fn the_thesis_s_routers_can_be_simulated() {
    for build in [aodv_1 as Build, aodv_2, aodv_3, aodv_repaired] {
        for nodes in 3..=9 {
            let found = measures_of(&scenario(build, nodes, &[("interval", "300ms")]));
            let hops = nodes as f64 - 1.0;
            assert_eq!(found, [1.0, hops, hops], "{nodes} nodes");
        }
    }
}

#[test]
fn large_networks_of_all_shapes_deliver() {
    for topology in ["chain", "ring", "star", "mesh", "grid:10"] {
        for rules in ["rfc3561", "ns3", "jsim"] {
            let given = [("rules", rules), ("topology", topology), ("flows", "5")];
            let [ratio, ..] = measures(50, &given);
            assert_eq!(ratio, 1.0, "{topology}, {rules}");
        }
    }
}

/// Node 1 hears node 0, but not the other way round. So node 1 gets every request directly, and
/// answers in vain; the copy by way of node 2 comes too late.
#[test]
fn a_link_that_goes_one_way_is_found_out_by_acknowledgements() {
    for (blacklist, delivered) in [("off", 0.0), ("acknowledged", 1.0)] {
        let given = [("topology", "0-1,0-2,1-2"), ("blacklist", blacklist), ("interval", "300ms")];
        let mut scenario = scenario(aodv, 3, &given);
        scenario.simulation.flows[0].to = NodeId(1);
        let deaf = scenario.simulation.link.loss(1.0);
        scenario.simulation.links.push(((NodeId(1), NodeId(0)), deaf));
        let [ratio, ..] = measures_of(&scenario);
        assert_eq!(ratio, delivered, "{blacklist}");
    }
}

/// Ten routes are sought at once, of which there are none.
#[test]
fn requests_are_limited_by_the_second() {
    let rules = Rules { requests_per_second: Some(3), retries: None, ..Rules::rfc3561() };
    let rules = Rules { expanding_ring: false, hello: Hello::Off, ..rules };
    let topology = Topology::edges(12, &[(0, 1)]).unwrap();
    let mut scenario = Scenario::new(Aodv::new(rules), topology);
    for destination in 2..12 {
        scenario = scenario.simulation(|run| {
            run.job(NodeId(0), Command::Seek(NodeId(destination)), Duration::ZERO, None)
        });
    }
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    for (seconds, own) in [(0.5, 3), (1.5, 6), (2.5, 9), (3.5, 10), (9.5, 10)] {
        simulation.run_until(Duration::from_secs_f64(seconds)).unwrap();
        let run = simulation.result(Ending::Finished).unwrap();
        // Node 1 passes each of them on, which is not limited.
        assert_eq!(run.count("RREQ transmissions"), 2 * own, "after {seconds} s");
    }
}

/// The lifetime of a route that another node answers for is what is left of it there.
#[test]
fn an_answer_for_another_promises_no_more_than_is_left() {
    let rules = Rules { expanding_ring: false, gratuitous_reply: false, ..Rules::rfc3561() };
    let rules = Rules { hello: Hello::Off, ..rules };
    let seek = |scenario: Scenario<Aodv>, node, seconds| {
        scenario.simulation(|run| {
            run.job(NodeId(node), Command::Seek(NodeId(2)), Duration::from_secs(seconds), None)
        })
    };
    // Node 1 learns at about 0 s of a route that the destination promises for 6 s.
    let scenario = Scenario::new(Aodv::new(rules), Topology::chain(3));
    let scenario = seek(seek(scenario, 1, 0), 0, 4);
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    let mut has_route = |milliseconds| {
        simulation.run_until(Duration::from_millis(milliseconds)).unwrap();
        [0, 1].map(|node| simulation.state(NodeId(node)).routes.valid(NodeId(2)).is_some())
    };
    assert_eq!(has_route(5900), [true, true]);
    assert_eq!(has_route(6100), [false, false]);
}
