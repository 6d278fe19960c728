//! What a simulation hands over to an exploration is what it has come to; and what it does next is
//! among what the exploration can do.

use std::time::Duration;

use everypath_explore::{Described, Judged, Space, StateId, enabled};
use everypath_model::{
    Budget, Downtime, NodeId, Outage, Packet, Parameters, Part, Profile, Protocol, Scenario, World,
};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};
use everypath_protocols::{
    aodv::{aodv, manet},
    arq::arq,
    diffusion::diffusion,
    distance_vector::distance_vector,
};
use everypath_sim::{LastEvent, SimError, Simulation};

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn set(values: &[(&str, &str)]) -> Parameters {
    Parameters::with(values.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())))
}

/// In what two worlds differ: in states, timers, links or packets.
fn difference<P: Protocol>(one: &World<'_, P>, other: &World<'_, P>) -> Option<String> {
    for (node, state) in one.nodes() {
        if other.node(node) != state || other.timers(node) != one.timers(node) {
            return Some(format!(
                "{node}: {state:?} {:?}, and {:?} {:?}",
                one.timers(node),
                other.node(node),
                other.timers(node)
            ));
        }
        for (neighbour, _) in one.nodes().filter(|&(neighbour, _)| neighbour != node) {
            if one.is_up(node, neighbour) != other.is_up(node, neighbour) {
                return Some(format!("the link between {node} and {neighbour}"));
            }
        }
    }
    let packets = |world: &World<'_, P>| {
        let text = |packet: Packet<'_, P>| {
            format!("{:?} from {} to {}", packet.message, packet.from, packet.to)
        };
        let mut packets: Vec<String> = world.packets().map(text).collect();
        packets.sort();
        packets
    };
    let (ours, theirs) = (packets(one), packets(other));
    (ours != theirs).then(|| format!("packets: {ours:?}, and {theirs:?}"))
}

fn initial(space: &mut NetworkSpace<'_>) -> StateId {
    let mut states = Vec::new();
    space.initial(&mut states);
    assert_eq!(states.len(), 1, "a run has come to one world");
    states[0]
}

/// Hands the world of a moment over and compares; then goes on with the simulation, to the next
/// command, and finds each of its events among those that the exploration can do. How many packets
/// were handed over, and how many events were found.
fn hand_over<P: Protocol>(scenario: fn() -> Scenario<P>, at: Duration) -> (usize, usize) {
    let simulated = scenario();
    let mut simulation = Simulation::observed(&simulated, 3, 0, LastEvent::default()).unwrap();
    simulation.run_before(at).unwrap();
    let kept = simulation.snapshot().unwrap();
    assert_eq!(difference(&simulation.world(), &kept.world()), None);
    let mut explored = scenario();
    explored.put_into(&kept);
    let options = SpaceOptions::default();
    let mut space = NetworkSpace::starting_in(&explored, &kept, options.clone()).unwrap();
    let mut state = initial(&mut space);
    let world = simulation.world();
    assert_eq!(difference(&world, &space.world_of(state).unwrap().world()), None);
    // Another space of the same world has the same digests.
    let mut again = NetworkSpace::starting_in(&explored, &kept, options).unwrap();
    let other = initial(&mut again);
    assert_eq!(space.digest(state), again.digest(other));
    assert_eq!(space.start_digest(), again.start_digest());
    let mut found = 0;
    for _ in 0..40 {
        if !simulation.step().unwrap() {
            break;
        }
        let (node, event) = simulation.observer().0.clone().expect("something has happened");
        if event.starts_with("command") {
            break;
        }
        let world = simulation.world();
        let steps = enabled(&mut space, state);
        let same = steps.iter().find(|(step, _)| {
            difference(&world, &space.world_of(step.target).unwrap().world()).is_none()
        });
        let possible =
            || steps.iter().map(|(_, event)| event.sentence.as_str()).collect::<Vec<_>>();
        let (step, _) = same.unwrap_or_else(|| {
            panic!(
                "{at:?} and {found} events after the start, {event} at {node} is none of {:?}",
                possible()
            )
        });
        state = step.target;
        found += 1;
    }
    (kept.packets.len(), found)
}

/// Hands over at many moments: what was found at all of them.
fn at_all<P: Protocol>(scenario: fn() -> Scenario<P>, times: &[u64]) -> (usize, usize) {
    let all = times.iter().map(|&time| hand_over(scenario, ms(time)));
    all.fold((0, 0), |(packets, found), (more, further)| (packets + more, found + further))
}

#[test]
fn the_start_is_what_the_simulation_has_come_to() {
    let (packets, found) = at_all(|| arq(&mut set(&[])), &[0, 1, 2, 5, 33, 100]);
    assert!(packets >= 3 && found >= 100, "{packets} packets, {found} events");
    let aodv = || aodv(&mut set(&[("nodes", "4"), ("timers", "any")]));
    let (packets, found) = at_all(aodv, &[0, 5000, 5101, 5102, 5104, 5106]);
    assert!(found >= 6, "{packets} packets, {found} events");
    let (packets, found) = at_all(|| diffusion(&mut set(&[])), &[0, 1001, 1002, 2001, 2500]);
    assert!(found >= 4, "{packets} packets, {found} events");
    let (packets, found) = at_all(|| distance_vector(&mut set(&[])), &[0, 1, 2, 50]);
    assert!(found >= 4, "{packets} packets, {found} events");
}

fn field() -> Scenario<everypath_protocols::aodv::Aodv> {
    let parameters = [("nodes", "12"), ("flows", "6"), ("degree", "4"), ("mobility", "static")];
    manet(&mut set(&[&parameters[..], &[("timers", "any"), ("expire", "true")]].concat()))
}

#[test]
fn on_a_field_links_are_who_is_within_range() {
    let times: Vec<u64> = (0..40).map(|time| 4990 + 7 * time).collect();
    let (packets, found) = at_all(field, &times);
    assert!(packets >= 20 && found >= 500, "{packets} packets, {found} events");
}

/// Who is out of range can be sent to, and it comes back.
#[test]
fn what_is_sent_out_of_range_comes_back() {
    let scenario =
        || manet(&mut set(&[("nodes", "8"), ("flows", "4"), ("degree", "2"), ("fastest", "60")]));
    let simulated = scenario();
    let mut found = 0;
    for seconds in 6..60 {
        let mut simulation = Simulation::new(&simulated, 1, 0).unwrap();
        simulation.run_before(Duration::from_secs(seconds)).unwrap();
        let kept = simulation.snapshot().unwrap();
        let near = |a: NodeId, b: NodeId| {
            let place = |node| simulation.position(node).unwrap();
            place(a).distance(place(b)) <= 250.0
        };
        for (a, _) in kept.world().nodes() {
            for (b, _) in kept.world().nodes().filter(|&(b, _)| b != a) {
                let reached = kept.packets.iter().any(|it| (it.from, it.to) == (a, b));
                assert!(kept.topology.are_neighbours(a, b) == near(a, b) || reached);
            }
        }
        let mut explored = scenario();
        explored.put_into(&kept);
        let mut space =
            NetworkSpace::starting_in(&explored, &kept, SpaceOptions::default()).unwrap();
        let mut level = vec![initial(&mut space)];
        for _ in 0..2 {
            let mut next = Vec::new();
            for state in level {
                let steps = enabled(&mut space, state);
                found += steps.iter().filter(|(_, event)| event.kind == "undeliverable").count();
                for (step, event) in steps {
                    assert!(space.verdict(step.target).is_safe(), "{}", event.sentence);
                    next.push(step.target);
                }
            }
            level = next;
        }
    }
    assert!(found > 0, "something was sent to a node out of range");
}

#[test]
fn other_worlds_are_refused() {
    let small = arq(&mut set(&[]));
    let kept = Simulation::new(&small, 1, 0).unwrap().snapshot().unwrap();
    let options = SpaceOptions::default().profile(Profile::Thesis);
    let refused = NetworkSpace::starting_in(&small, &kept, options).err();
    assert_eq!(refused, Some(SpaceError::PublishedStart));
    let unlinked = field();
    let mut simulation = Simulation::new(&unlinked, 1, 0).unwrap();
    simulation.run_before(ms(5000)).unwrap();
    let kept = simulation.snapshot().unwrap();
    // It was not put into that world, so its nodes have no links.
    let refused = NetworkSpace::starting_in(&unlinked, &kept, SpaceOptions::default()).err();
    assert_eq!(refused, Some(SpaceError::OtherWorld));
}

#[test]
fn a_node_that_is_down_cannot_be_handed_over_and_links_that_are_down_stay_so() {
    let down = |part: Part| {
        let downtime = Downtime::Given { down: ms(1000), up: Some(ms(2000)) };
        aodv(&mut set(&[("link-return", "1")]))
            .simulation(|run| run.outage(Outage { part, downtime }))
    };
    let node = down(Part::Node(NodeId(1)));
    let mut simulation = Simulation::new(&node, 1, 0).unwrap();
    simulation.run_before(ms(1500)).unwrap();
    let refused = simulation.snapshot().err();
    assert_eq!(refused, Some(SimError::NodeDown { time: ms(1500), node: NodeId(1) }));
    let mut link = down(Part::Link(NodeId(0), NodeId(1)));
    link.faults.loss = Budget::Off;
    let mut simulation = Simulation::new(&link, 1, 0).unwrap();
    simulation.run_before(ms(1500)).unwrap();
    let kept = simulation.snapshot().unwrap();
    assert_eq!(kept.down, [(NodeId(0), NodeId(1))]);
    let mut space = NetworkSpace::starting_in(&link, &kept, SpaceOptions::default()).unwrap();
    let state = initial(&mut space);
    let steps = enabled(&mut space, state);
    let up = steps.iter().find(|(_, event)| event.kind == "link-up");
    let (step, _) = up.expect("a link that is down may come back");
    let is_up = |state| {
        let world = space.world_of::<everypath_protocols::aodv::Aodv>(state).unwrap();
        world.world().is_up(NodeId(0), NodeId(1))
    };
    assert!(!is_up(state) && is_up(step.target));
}
