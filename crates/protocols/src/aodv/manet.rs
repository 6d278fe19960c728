//! AODV among moving nodes on a field, as in comparisons of radio simulators.

use std::time::Duration;

use everypath_model::{
    Area, Budget, Event, Field, Flow, IdealRadio, Mobility, Parameters, Radio, Rhythm, Scenario,
    SimulationSetup, Topology,
};

use super::{
    Aodv, Preset, Rules, Timer, Times,
    patience::is_late_enough,
    traffic::{measured, payload},
};

/// Routers with the rules and times of a preset on a field, with hellos, rate limits and measures.
///
/// Without a simulation, nodes have no links there; an exploration starts from a simulated world.
#[must_use]
pub fn on_field(preset: Preset, nodes: usize, field: Field, flows: &[Flow]) -> Scenario<Aodv> {
    let times = Times { buffer_time: Some(Duration::from_secs(30)), ..preset.times() };
    let times = Times { jitter: Duration::from_millis(10), ..times };
    let rules = Rules { ..preset.rules() };
    let protocol = Aodv { times, ..Aodv::new(rules) };
    Scenario::new(protocol, Topology::unlinked(nodes))
        .configuration(Aodv::configuration)
        .shown_hops()
        .simulation(|run| {
            let run = run.field(field).wire(Aodv::datagram).message_bytes(Aodv::message_bytes);
            measured(flows.iter().cloned().fold(run, SimulationSetup::flow))
        })
}

/// The largest number of nodes.
const NODES_MAX: usize = 20_000;

/// AODV among nodes that move at random.
#[must_use]
pub fn manet(parameters: &mut Parameters) -> Scenario<Aodv> {
    let preset = parameters.choice(
        "rules",
        Preset::Rfc3561,
        &[("rfc3561", Preset::Rfc3561), ("ns3", Preset::Ns3)],
        "the AODV of the standard or of ns-3",
    );
    let nodes = parameters.number("nodes", 50, 2..=NODES_MAX, "how many nodes there are");
    let flows = parameters.number(
        "flows",
        20.min(nodes),
        1..=NODES_MAX,
        "how many nodes send packets: each to the node half of all nodes further on",
    );
    if flows > nodes {
        parameters.reject("flows", format!("there are only {nodes} nodes; give fewer"));
    }
    let range = parameters.number("range", 250.0, 1.0..=1e6, "the range of a radio, in metres");
    let degree = parameters.number(
        "degree",
        8.0,
        0.1..=1e4,
        "the mean number of neighbours of a node, except at the edges; it determines the area",
    );
    let side = ((nodes as f64 - 1.0) * std::f64::consts::PI * range * range / degree).sqrt();
    let area = Area { width: side, height: side };
    let slowest = parameters.number("slowest", 1.0, 0.01..=1e4, "the smallest speed, in m/s");
    let fastest = parameters.number("fastest", 20.0, 0.01..=1e4, "the largest speed, in m/s");
    if slowest > fastest {
        parameters.reject("slowest", format!("it is above the largest speed, {fastest} m/s"));
    }
    let pause = parameters.duration("pause", Duration::ZERO, "how long nodes pause at each point");
    let interval = parameters.duration(
        "interval",
        Duration::from_millis(250),
        "how often each sender sends a packet",
    );
    if interval.is_zero() {
        parameters.reject("interval", "packets would be sent endlessly; give more than 0s");
    }
    let mobility = match parameters.choice(
        "mobility",
        "waypoint",
        &[("waypoint", "waypoint"), ("walk", "walk"), ("static", "static")],
        "how nodes move: to random points, in random directions, or not at all",
    ) {
        "static" => Mobility::Uniform(area),
        "walk" => {
            let turn = Duration::from_secs(10);
            Mobility::Walk { area, speeds: (slowest, fastest.max(slowest)), turn }
        }
        _ => Mobility::Waypoint { area, speeds: (slowest, fastest.max(slowest)), pause },
    };
    let payload = payload(parameters);
    let radio = Radio::Ideal(IdealRadio::default().range(range));
    // They start one after the other, after the first hellos.
    let flow = |source: usize| {
        let (from, to) = (source.into(), ((source + nodes.div_ceil(2)) % nodes).into());
        let begin = Duration::from_secs(5) + Duration::from_secs(5) * source as u32 / flows as u32;
        let rhythm = Rhythm::Every(interval.max(Duration::from_nanos(1)));
        Flow::new(from, to, begin).rhythm(rhythm)
    };
    let flows: Vec<Flow> = (0..flows.min(nodes)).map(flow).collect();
    let mut scenario = on_field(preset, nodes, Field::new(mobility, radio), &flows);
    scenario.protocol.payload_bytes = payload;
    let scenario = explored(scenario, parameters);
    scenario
        .about("AODV among randomly moving nodes: how many packets arrive, how fast, at what cost?")
        .simulation(|run| run.duration(Duration::from_secs(200)))
}

/// Properties and faults for an exploration from a simulated world. Nodes do not move then; failing
/// and returning links take the place of movement.
fn explored(mut scenario: Scenario<Aodv>, parameters: &mut Parameters) -> Scenario<Aodv> {
    let mut budget = |name, about| parameters.budget(name, Budget::Off, about);
    scenario = scenario
        .loss(budget("loss", "how often packets are lost, while exploring"))
        .reboot(budget("reboot", "how often nodes reboot, while exploring"))
        .link_failure(budget("link-failure", "how often links fail, while exploring"))
        .link_return(budget("link-return", "how often failed links come back, while exploring"));
    let about = "whether senders look for missing routes, while exploring";
    if parameters.flag("seek", false, about) {
        let flows = &scenario.simulation.flows;
        scenario.protocol.sources = flows.len();
        scenario.protocol.destinations = flows.iter().map(|flow| flow.to).collect();
    }
    let patient = parameters.choice(
        "timers",
        true,
        &[("any", false), ("patient", true)],
        "when timers fire, while exploring: at any moment, or the long ones only as late as the standard intends",
    );
    let about = "whether lifetimes of routes end, while exploring";
    let expire = parameters.flag("expire", false, about);
    if patient {
        scenario =
            scenario.assume("timers that the standard makes long wait long enough", is_late_enough);
    }
    if !expire {
        scenario = scenario.assume("no route reaches the end of its lifetime", |_, event| {
            !matches!(event, Event::Timer { timer: Timer::Expire(_), .. })
        });
    }
    let everywhere = |_| true;
    scenario
        .assert_loop_free("no route leads in a circle", everywhere)
        .routing_rankings(everywhere)
        .max_depth(6)
}
