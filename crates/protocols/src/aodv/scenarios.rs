//! AODV as scenarios.

use std::time::Duration;

use everypath_model::{
    Budget, Event, EventKind, LinkTiming, NodeId, Packet, Parameters, Profile, Readings, Scenario,
    Shape, Topology,
};

use super::{
    Aodv, Command, ListOrder, Message, Preset, RouterState, Rules, Timer,
    parameters::rules,
    patience::is_late_enough,
    properties::{disorder, is_ordered, replies, valid_routes, valid_routes_to},
};

/// AODV as the standard, the thesis or ns-3 has it.
#[must_use]
pub fn aodv(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = rules(parameters, Preset::Rfc3561, false);
    let setting = Setting { patient: true, property: Property::Loop, ..Setting::of(rules) };
    scenario(parameters, setting)
        .about("AODV as RFC 3561 (or J-Sim, or ns-3) has it: does any route lead in a circle?")
        .max_depth(8)
}

/// AODV with the thesis's first error: nobody waits after a reboot.
#[must_use]
pub fn aodv_1(parameters: &mut Parameters) -> Scenario<Aodv> {
    scenario(parameters, Setting::of(Rules::jsim()))
        .about("J-Sim's AODV, which does not wait after a reboot: the thesis's counterexample 1")
}

/// AODV with the thesis's second error.
#[must_use]
pub fn aodv_2(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { increment_on_invalidation: false, ..Rules::jsim() };
    scenario(parameters, Setting::of(rules))
        .about("J-Sim's AODV, without raising the number of an invalid route: counterexample 2")
        .require("timer:Expire")
}

/// AODV with the thesis's third error.
#[must_use]
pub fn aodv_3(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { remove_expired: true, ..Rules::jsim() };
    scenario(parameters, Setting::of(rules))
        .about("J-Sim's AODV, removing routes instead of making them invalid: counterexample 3")
        .require("timer:Expire")
}

/// J-Sim's AODV without its errors.
#[must_use]
pub fn aodv_repaired(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = Rules { wait_after_reboot: true, ..Rules::jsim() };
    scenario(parameters, Setting { patient: true, ..Setting::of(rules) })
        .about("J-Sim's AODV, with the wait after a reboot that it lacks")
        .max_depth(14)
}

/// ns-3's AODV on four nodes.
#[must_use]
pub fn aodv_ns3(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = rules(parameters, Preset::Ns3, true);
    let shape = Shape::Links(vec![(0, 1), (0, 2), (1, 2), (1, 3)]);
    scenario(parameters, Setting { shape, nodes: 4, ..Setting::with_links(rules) })
        .about("ns-3's AODV, four nodes and a link that fails: a route that leads in a circle")
        .max_depth(14)
}

/// The standard to the letter, on three nodes.
#[must_use]
pub fn aodv_rfc3561(parameters: &mut Parameters) -> Scenario<Aodv> {
    let rules = rules(parameters, Preset::Rfc3561, true);
    let setting = Setting {
        shape: Shape::Ring,
        sought: 2,
        link_return: Budget::AtMost(1),
        ..Setting::with_links(rules)
    };
    scenario(parameters, setting)
        .about("RFC 3561 to the letter, three nodes and a link that fails and comes back: a route that leads in a circle")
        .max_depth(14)
}

/// What must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    /// Routes get fresher or shorter from hop to hop.
    Order,
    /// No route leads in a circle.
    Loop,
}

/// What distinguishes the scenarios.
struct Setting {
    rules: Rules,
    shape: Shape,
    nodes: usize,
    /// To how many nodes routes are sought.
    sought: usize,
    property: Property,
    /// Whether the long timers of the standard are taken to be long enough.
    patient: bool,
    loss: Budget,
    reboot: Budget,
    link_failure: Budget,
    link_return: Budget,
    /// How often each node asks for a route.
    requests: Budget,
    /// How many packets each node sends.
    packets: u32,
    /// How many nodes ask and send.
    sources: usize,
    /// Whether lifetimes end.
    expire: bool,
}

impl Setting {
    /// The thesis's setting.
    fn of(rules: Rules) -> Self {
        Self {
            rules,
            shape: Shape::Chain,
            nodes: 3,
            sought: 1,
            property: Property::Order,
            patient: false,
            loss: Budget::Unlimited,
            reboot: Budget::Unlimited,
            link_failure: Budget::Off,
            link_return: Budget::Off,
            requests: Budget::Unlimited,
            packets: 0,
            sources: 64,
            expire: true,
        }
    }

    /// A link fails, and nothing else goes wrong: two nodes ask once.
    fn with_links(rules: Rules) -> Self {
        Self {
            property: Property::Loop,
            patient: true,
            loss: Budget::Off,
            reboot: Budget::Off,
            link_failure: Budget::AtMost(1),
            requests: Budget::AtMost(1),
            sources: 2,
            expire: false,
            ..Self::of(rules)
        }
    }

    /// The setting that the parameters ask for, and its topology.
    fn given(mut self, parameters: &mut Parameters) -> (Self, Topology) {
        self.nodes = parameters.number("nodes", self.nodes, 2..=64, "how many nodes there are");
        let shape = self.shape.clone();
        let topology = parameters.topology("topology", self.nodes, shape, "who is whose neighbour");
        self.sought = parameters.number(
            "destinations",
            self.sought,
            1..=64,
            "to how many nodes routes are sought: the last ones",
        );
        if self.sought > self.nodes {
            parameters.reject("destinations", format!("there are only {} nodes", self.nodes));
        }
        self.property = parameters.choice(
            "property",
            self.property,
            &[("order", Property::Order), ("loop", Property::Loop)],
            "what must hold: that routes get fresher or shorter from hop to hop, or only that none leads in a circle",
        );
        self.patient = parameters.choice(
            "timers",
            self.patient,
            &[("any", false), ("patient", true)],
            "when timers fire: at any moment, or those that the standard makes long only when all is over that they wait for",
        );
        let about = "whether lifetimes of routes end, while exploring";
        self.expire = parameters.flag("expire", self.expire, about);
        self.faults_given(parameters);
        self.requests = parameters.budget(
            "requests",
            self.requests,
            "how often each node asks for a route, while exploring",
        );
        self.sources = parameters.number(
            "sources",
            self.sources,
            1..=64,
            "how many nodes ask for routes and send packets, while exploring: the first ones",
        );
        self.packets = parameters.number(
            "packets",
            self.packets,
            0..=1000,
            "how many packets of data each node sends, while exploring",
        );
        (self, topology)
    }

    fn faults_given(&mut self, parameters: &mut Parameters) {
        self.loss = parameters.budget("loss", self.loss, "how often packets are lost");
        self.reboot = parameters.budget("reboot", self.reboot, "how often nodes reboot");
        // J-Sim's router is not told what could not be delivered, so its links do not fail.
        if !self.rules.late_addressing {
            let about = "how often links fail";
            self.link_failure = parameters.budget("link-failure", self.link_failure, about);
            let about = "how often links that have failed come back";
            self.link_return = parameters.budget("link-return", self.link_return, about);
        }
    }
}

fn scenario(parameters: &mut Parameters, setting: Setting) -> Scenario<Aodv> {
    let (setting, topology) = setting.given(parameters);
    let first = setting.nodes.saturating_sub(setting.sought);
    let destinations: Vec<NodeId> = (first..setting.nodes).map(NodeId::from).collect();
    let thesis = parameters.profile() == Profile::Thesis;
    let late = setting.rules.late_addressing;
    let protocol = Aodv {
        order: if thesis { ListOrder::Learnt } else { ListOrder::Sorted },
        destinations: destinations.clone(),
        sources: setting.sources,
        requests_max: match setting.requests {
            Budget::Off => Some(0),
            Budget::AtMost(most) => Some(most),
            Budget::Unlimited => None,
        },
        packets_max: setting.packets,
        traced: setting.packets > 0,
        ..Aodv::new(setting.rules)
    };
    let mut scenario = Scenario::new(protocol, topology.clone())
        .loss(setting.loss)
        .reboot(setting.reboot)
        .link_failure(setting.link_failure)
        .link_return(setting.link_return)
        .max_depth(5 * setting.nodes as u32);
    scenario = if late {
        scenario.receivers(move |state, packet| late_receivers(&topology, state, packet))
    } else {
        simulated(parameters, scenario)
    };
    if setting.patient {
        scenario =
            scenario.assume("timers that the standard makes long wait long enough", is_late_enough);
    }
    if !setting.expire {
        scenario = scenario.assume("no route reaches the end of its lifetime", |_, event| {
            !matches!(event, Event::Timer { timer: Timer::Expire(_), .. })
        });
    }
    if thesis {
        scenario = published(scenario);
    }
    asked(scenario, destinations, setting.property)
}

/// The assertions and rankings.
fn asked(
    mut scenario: Scenario<Aodv>,
    destinations: Vec<NodeId>,
    property: Property,
) -> Scenario<Aodv> {
    let first = destinations[0];
    let (sought, everywhere) = (destinations.clone(), destinations);
    scenario = match property {
        Property::Order => scenario
            .assertion("routes get fresher or shorter from hop to hop", move |world| {
                everywhere.iter().all(|&destination| is_ordered(world, destination))
            }),
        Property::Loop => scenario.loop_free("no route leads in a circle", move |destination| {
            everywhere.contains(&destination)
        }),
    };
    if scenario.protocol.traced {
        scenario = scenario.assertion("no packet of data comes to a node twice", |world| {
            world.nodes().all(|(_, state)| !state.revisited)
        });
    }
    scenario
        .assertion("next hops are neighbours", |world| {
            world.nodes().all(|(node, state)| {
                let is_near = |next| world.topology().are_neighbours(node, next);
                state.routes.all_valid().all(|route| is_near(route.next))
            })
        })
        .ranking("aodv-1", valid_routes)
        .ranking("aodv-2", move |world| disorder(world, first))
        .ranking("aodv-3", move |world| (valid_routes_to(world, &sought), valid_routes(world)))
        .ranking("aodv-4", replies)
        .ranking("aodv-5", |world| (replies(world), valid_routes(world)))
        .routing_rankings()
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

/// What the thesis does differently: the order in which events are tried, and which states are the
/// same.
fn published(mut scenario: Scenario<Aodv>) -> Scenario<Aodv> {
    let late = [EventKind::Reboot, EventKind::Lose, EventKind::Duplicate, EventKind::Timer];
    let order = &mut scenario.event_order;
    order.retain(|kind| !late.contains(kind));
    order.extend(late);
    scenario.timer_order(place_of).canonical(as_sets).relation(
        "hashed",
        |world| {
            let nodes: Vec<RouterState> = world.nodes().map(|(_, state)| hashed(state)).collect();
            let packet =
                |packet: Packet<'_, Aodv>| (packet.from, packet.to, packet.message.clone());
            (nodes, world.packets().map(packet).collect::<Vec<_>>())
        },
        |_, _| true,
    )
}

/// Requests in the order in which they were seen, then routes.
fn place_of(state: &RouterState, timer: &Timer) -> u64 {
    let place = match timer {
        Timer::Forget(request) => state.seen.iter().position(|seen| seen == request),
        _ => None,
    };
    place.map_or(u64::MAX, |place| place as u64)
}

/// What the thesis tells states of a router apart by: not by what it is looking for.
fn hashed(state: &RouterState) -> RouterState {
    RouterState { discoveries: Vec::new(), ..state.clone() }
}

/// The same, with lists as sets.
fn as_sets(state: &RouterState) -> RouterState {
    let mut state = hashed(state);
    state.seen.sort_unstable();
    state.routes.0.sort_unstable();
    state
}

/// A simulation: node 0 sends packets to the last node.
fn simulated(parameters: &mut Parameters, scenario: Scenario<Aodv>) -> Scenario<Aodv> {
    let interval = parameters.duration(
        "interval",
        Duration::from_millis(250),
        "how often node 0 sends a packet to the last node, in a simulation",
    );
    let begin =
        parameters.duration("begin", Duration::from_secs(5), "when it begins to, in a simulation");
    if interval.is_zero() {
        parameters.reject("interval", "packets would be sent without end; give more than 0s");
    }
    let loss_rate = parameters.number(
        "loss-rate",
        0.0,
        0.0..=1.0,
        "the share of packets that simulated links lose",
    );
    let last = NodeId::from(scenario.topology.len() - 1);
    let count = |name: &'static str| move |run: &dyn Readings| run.count(name) as f64;
    scenario
        .link(LinkTiming { loss: loss_rate, ..LinkTiming::default() })
        .duration(Duration::from_secs(60))
        .job(NodeId(0), Command::Send(last), begin, Some(interval).filter(|every| !every.is_zero()))
        .measure("delivery ratio", "", |run| {
            run.count("data delivered") as f64 / run.count("data sent") as f64
        })
        .measure("delay", "s", |run| run.mean("delay"))
        .measure("RREQ transmissions", "", count("RREQ transmissions"))
        .measure("RREP transmissions", "", count("RREP transmissions"))
        .measure("RERR transmissions", "", count("RERR transmissions"))
}
