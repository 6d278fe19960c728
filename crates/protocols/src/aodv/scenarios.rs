//! AODV as scenarios.

use everypath_model::{
    Budget, Event, EventKind, NodeId, Packet, Parameters, Profile, Rank, Scenario, Topology, World,
};

use super::{
    Aodv, ListOrder, Message, RouterState, Rules, Timer,
    properties::{disorder, is_loop_free, is_ordered, replies, valid_routes, valid_routes_to},
};

/// What the thesis found in J-Sim's AODV.
#[must_use]
pub fn aodv_1(parameters: &mut Parameters) -> Scenario<Aodv> {
    thesis(parameters, Rules::jsim())
        .about("AODV that does not wait after a reboot: the thesis's counterexample 1")
}

/// What the thesis found when it put in an error.
#[must_use]
pub fn aodv_2(parameters: &mut Parameters) -> Scenario<Aodv> {
    thesis(parameters, Rules { increment_on_invalidation: false, ..Rules::jsim() })
        .about("AODV that does not raise the number of an invalid route: counterexample 2")
        .require("timer:Expire")
}

/// What the thesis found when it put in another error.
#[must_use]
pub fn aodv_3(parameters: &mut Parameters) -> Scenario<Aodv> {
    thesis(parameters, Rules { remove_expired: true, ..Rules::jsim() })
        .about("AODV that removes routes instead of making them invalid: counterexample 3")
        .require("timer:Expire")
}

fn thesis(parameters: &mut Parameters, rules: Rules) -> Scenario<Aodv> {
    let nodes = parameters.number("nodes", 3, 2..=64, "how many nodes there are");
    let topology = Topology::chain(nodes);
    let thesis = parameters.profile() == Profile::Thesis;
    let destinations = vec![NodeId::from(nodes - 1)];
    let order = if thesis { ListOrder::Learnt } else { ListOrder::Sorted };
    let late = rules.late_addressing;
    let protocol = Aodv { order, destinations: destinations.clone(), ..Aodv::new(rules) };
    let mut scenario =
        Scenario::new(protocol, topology.clone()).loss(Budget::Unlimited).reboot(Budget::Unlimited);
    if late {
        scenario =
            scenario.receivers(move |state, packet| late_receivers(&topology, state, packet));
    }
    if thesis {
        use EventKind::{Command, Deliver, Duplicate, Lose, Reboot};
        scenario.event_order = vec![Command, Deliver, Reboot, Lose, Duplicate, EventKind::Timer];
        scenario = scenario.timer_order(place_of).canonical(sorted);
    }
    ask(scenario, destinations)
}

/// The assertions and rankings.
fn ask(scenario: Scenario<Aodv>, destinations: Vec<NodeId>) -> Scenario<Aodv> {
    let first = destinations[0];
    let sought = destinations.clone();
    scenario
        .assertion("routes get fresher or shorter from hop to hop", move |world| {
            destinations.iter().all(|&destination| is_ordered(world, destination))
        })
        .ranking("aodv-1", valid_routes)
        .ranking("aodv-2", move |world| disorder(world, first))
        .ranking("aodv-3", move |world| (valid_routes_to(world, &sought), valid_routes(world)))
        .ranking("aodv-4", replies)
        .ranking("aodv-5", |world| (replies(world), valid_routes(world)))
}

/// Who receives a packet now, if the network layer looks up the next hop of a reply when it is
/// delivered.
fn late_receivers(
    topology: &Topology,
    sender: &RouterState,
    packet: Packet<'_, Aodv>,
) -> Vec<NodeId> {
    let Message::Reply(_) = packet.message else {
        return vec![packet.to];
    };
    let next = sender.routes.valid(packet.to).map(|route| route.next);
    let mut receivers: Vec<NodeId> = next.into_iter().chain([packet.to]).collect();
    receivers.sort_unstable();
    receivers.dedup();
    receivers.retain(|&receiver| topology.are_neighbours(packet.from, receiver));
    receivers
}

/// The order in which the thesis tries timers: requests in the order in which they were seen, then
/// routes.
fn place_of(state: &RouterState, timer: &Timer) -> u64 {
    match timer {
        Timer::Forget(request) => {
            state.seen.iter().position(|seen| seen == request).map_or(u64::MAX, |at| at as u64)
        }
        _ => u64::MAX,
    }
}

/// A router with its lists as sets.
fn sorted(state: &RouterState) -> RouterState {
    let mut state = state.clone();
    state.seen.sort_unstable();
    state.routes.0.sort_unstable();
    state.discoveries.sort_unstable();
    state
}
