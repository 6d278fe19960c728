//! Scenarios of distance vector routing.

use std::time::Duration;

use everypath_model::{
    Budget, LinkModel, NetworkKind, NodeId, Parameters, Scenario, Shape, Topology,
};

use super::{
    DistanceVector, INFINITY, SplitHorizon, Times,
    patience::is_late_enough,
    properties::{is_counting, is_right, is_settled},
};

/// RIP after the standard.
#[must_use]
pub fn distance_vector(parameters: &mut Parameters) -> Scenario<DistanceVector> {
    scenario(parameters, Setting { asks: true, ..Setting::default() })
        .about("RIP after RFC 2453, with poisoned reverse, on a chain: are there routing loops?")
        .max_depth(30)
}

/// Without split horizon.
#[must_use]
pub fn distance_vector_plain(parameters: &mut Parameters) -> Scenario<DistanceVector> {
    scenario(parameters, Setting { split_horizon: SplitHorizon::Off, ..Setting::default() })
        .about(
            "RIP without split horizon, a chain and a link that fails: two nodes count to infinity",
        )
        .max_depth(16)
}

/// With split horizon on a chain.
#[must_use]
pub fn distance_vector_split(parameters: &mut Parameters) -> Scenario<DistanceVector> {
    scenario(parameters, Setting { split_horizon: SplitHorizon::Simple, ..Setting::default() })
        .about("RIP with split horizon, a chain and a link that fails: no node counts to infinity")
        .max_depth(30)
}

/// With split horizon on a triangle.
#[must_use]
pub fn distance_vector_triangle(parameters: &mut Parameters) -> Scenario<DistanceVector> {
    let setting = Setting {
        split_horizon: SplitHorizon::Simple,
        shape: Shape::Links(vec![(0, 1), (0, 2), (1, 2), (2, 3)]),
        nodes: 4,
        ..Setting::default()
    };
    scenario(parameters, setting)
        .about("RIP with split horizon, a triangle and a link to it that fails: three nodes count to infinity")
        .max_depth(20)
}

/// The differences between the scenarios.
struct Setting {
    split_horizon: SplitHorizon,
    asks: bool,
    shape: Shape,
    nodes: usize,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            split_horizon: SplitHorizon::PoisonedReverse,
            asks: false,
            shape: Shape::Chain,
            nodes: 3,
        }
    }
}

impl Setting {
    /// The protocol and the topology of the parameters.
    fn given(self, parameters: &mut Parameters) -> (DistanceVector, Topology) {
        let nodes = parameters.number("nodes", self.nodes, 2..=64, "how many nodes there are");
        let about = "the topology";
        let topology = parameters.topology("topology", nodes, self.shape, about);
        let about = "how many nodes announce their networks: the last ones";
        let announced = parameters.number("destinations", 1, 1..=64, about);
        if announced > nodes {
            parameters.reject("destinations", format!("there are only {nodes} nodes"));
        }
        let destinations = (nodes.saturating_sub(announced)..nodes).map(NodeId::from).collect();
        let split_horizon = parameters.choice(
            "split-horizon",
            self.split_horizon,
            &SplitHorizon::WORDS,
            "how a node announces routes to the neighbour that they lead through: as to all, not at all, or as broken (RFC 2453, 3.4.3)",
        );
        let about = "whether changes are announced at once (3.4.4), not only with the next update";
        let triggered = parameters.flag("triggered", true, about);
        let about = "whether a starting node asks its neighbours for all routes (3.9.1)";
        let asks = parameters.flag("requests", self.asks, about);
        let infinity = parameters.number(
            "infinity",
            INFINITY,
            3..=INFINITY,
            "the smallest metric that means unreachable (3.6: 16)",
        );
        let times = times(parameters);
        let protocol =
            DistanceVector { split_horizon, triggered, asks, infinity, destinations, times };
        (protocol, topology)
    }
}

fn times(parameters: &mut Parameters) -> Times {
    let standard = Times::default();
    let mut duration = |name, default, about| parameters.duration(name, default, about);
    let times = Times {
        update: duration(
            "update",
            standard.update,
            "the interval between full updates, in a simulation (3.8)",
        ),
        timeout: duration(
            "timeout",
            standard.timeout,
            "how long a route lasts without news, in a simulation (3.8)",
        ),
        garbage: duration(
            "garbage",
            standard.garbage,
            "how long a broken route is announced, in a simulation (3.8)",
        ),
        hold_off: duration(
            "hold-off",
            standard.hold_off,
            "the least time between triggered updates, in a simulation (3.10.1: 1 to 5 s at random)",
        ),
    };
    if times.update.is_zero() {
        parameters.reject("update", "updates would be sent endlessly; give more than 0s");
    }
    times
}

fn scenario(parameters: &mut Parameters, setting: Setting) -> Scenario<DistanceVector> {
    let (protocol, topology) = setting.given(parameters);
    let network = parameters.network("network", NetworkKind::FifoPerLink, "the order of delivery");
    let is_patient = parameters.choice(
        "timers",
        true,
        &[("any", false), ("patient", true)],
        "when timers fire: at any moment, or only as late as the standard intends",
    );
    let mut budget = |name, default, about| parameters.budget(name, default, about);
    let mut scenario = Scenario::new(protocol, topology)
        .network(network)
        .loss(budget("loss", Budget::Off, "how often packets are lost"))
        .reboot(budget("reboot", Budget::Off, "how often nodes reboot"))
        .link_failure(budget("link-failure", Budget::AtMost(1), "how often links fail"))
        .link_return(budget("link-return", Budget::Off, "how often failed links come back"));
    if is_patient {
        let protocol = scenario.protocol.clone();
        scenario = scenario.assume("timers wait long enough", move |world, event| {
            is_late_enough(&protocol, world, event)
        });
    }
    simulated(parameters, asked(scenario))
}

/// The assertions, goals and rankings.
fn asked(scenario: Scenario<DistanceVector>) -> Scenario<DistanceVector> {
    let (protocol, same) = (scenario.protocol.clone(), scenario.protocol.clone());
    scenario
        .assert_loop_free("no route leads in a circle", |_| true)
        .assert_always("nobody counts to infinity", |world| !is_counting(world))
        .assert_always("what has settled is right", move |world| {
            !is_settled(&protocol, world) || is_right(&protocol, world)
        })
        .assert_reachable("all routes are there and settled", move |world| {
            let all = world
                .nodes()
                .all(|(_, state)| state.routes.usable().count() == same.destinations.len());
            all && is_settled(&same, world)
        })
        .routing_rankings(|_| true)
}

/// A simulation: all nodes start at once.
fn simulated(
    parameters: &mut Parameters,
    scenario: Scenario<DistanceVector>,
) -> Scenario<DistanceVector> {
    let loss = parameters.number(
        "loss-rate",
        0.0,
        0.0..=1.0,
        "the share of packets that simulated links lose",
    );
    scenario.simulation(|run| {
        run.link(LinkModel::default().loss(loss))
            .duration(Duration::from_secs(600))
            .wire(|_, from, to, message| message.datagram(from, to))
            .message_bytes(|_, message| message.bytes())
            .measure("time to a route", "s", |run| run.mean("time to a route"))
            .measure_count("route changes")
            .measure_count("responses")
    })
}
