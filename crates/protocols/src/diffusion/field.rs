//! Directed diffusion on a field with moving targets.

use std::time::Duration;

use everypath_model::{
    Area as Ground, Energy, Field, IdealRadio, Mobility, NodeId, Parameters, Path, Position, Radio,
    Rhythm, Scenario, Sensing, SimulationSetup, Stimulus, Topology,
};

use super::{
    Area, Command, Diffusion, Identity, Kind, Place, Preset, Rules, Subscription, Task,
    parameters::rules,
};

/// Directed diffusion among sensors on a field.
#[must_use]
pub fn diffusion_field(parameters: &mut Parameters) -> Scenario<Diffusion> {
    let given = rules(parameters, Preset::Published, false);
    let side =
        parameters.number("side", 8, 2..=40, "how many nodes are along each side of the grid");
    let spacing = parameters.number(
        "spacing",
        30.0,
        0.1..=1e5,
        "the distance between neighbours on the grid, in metres",
    );
    let range = parameters.number("range", 45.0, 0.1..=1e6, "the range of a radio, in metres");
    let sinks = parameters.number("sinks", 1, 1..=64, "how many sinks there are: the last nodes");
    let targets = parameters.number(
        "targets",
        1,
        1..=16,
        "how many targets move in the quarter of the field that is farthest from the sinks",
    );
    let sensing_range =
        parameters.number("sensing-range", 40.0, 0.1..=1e6, "the range of a sensor, in metres");
    let interval =
        parameters.duration("interval", Duration::from_millis(500), "how often a target is sensed");
    let fastest =
        parameters.number("speed", 2.0, 0.01..=1e4, "the largest speed of targets, in m/s");
    let suppress = parameters.flag(
        "suppress",
        true,
        "whether simultaneous observations of one target count as one event",
    );
    let flooding = parameters.flag(
        "flooding",
        false,
        "whether every node forwards every event to all, without interests, for comparison",
    );
    if suppress && given.identity == Identity::Rate {
        parameters.reject(
            "suppress",
            "data that are known by their rate have no stimuli; give suppress=false",
        );
    }
    if interval.is_zero() {
        parameters.reject("interval", "targets would be sensed endlessly; give more than 0s");
    }
    if sinks >= side * side {
        parameters.reject("sinks", format!("there are only {} nodes", side * side));
    }
    let identity = if suppress { Identity::Stimulus } else { given.identity };
    let rules = Rules { identity, flooding, sense_at_once: false, ..given };
    let grid = Grid { side, spacing };
    let protocol = grid.protocol(rules, sinks.min(side * side - 1), targets);
    let tasks = protocol.subscriptions.clone();
    let quarter = (side as f64 / 2.0 * spacing).max(1.0);
    let mobility = Mobility::Waypoint {
        area: Ground { width: quarter, height: quarter },
        speeds: (fastest / 2.0, fastest),
        pause: Duration::ZERO,
    };
    let every = Rhythm::Every(interval.max(Duration::from_nanos(1)));
    let sensing = Sensing {
        begin: Duration::from_secs(5),
        ..Sensing::of(targets, mobility, sensing_range, every)
    };
    let radio = IdealRadio::default().range(range).bandwidth_bps(1_600_000);
    let field = Field::new(grid.mobility(), Radio::Ideal(radio)).energy(Energy::default());
    Scenario::new(protocol, Topology::unlinked(side * side))
        .role_names(Diffusion::role_name)
        .about("Directed diffusion among sensors on a field: how much energy does it save?")
        .simulation(|run| {
            let run = run
                .field(field)
                .message_bytes(Diffusion::message_bytes)
                .sensing(sensing)
                .stimulus_command(|Stimulus { target, number }| {
                    Command::Observe(Kind(target as u8), number)
                })
                .duration(Duration::from_secs(200));
            let asking = tasks.into_iter().filter(|_| !flooding);
            measured(asking.fold(run, |run, Subscription { sink, task }| {
                run.job(sink, Command::Ask(task), Duration::from_secs(1), None)
            }))
        })
}

/// Measures of events that several nodes may sense.
fn measured(run: SimulationSetup<Diffusion>) -> SimulationSetup<Diffusion> {
    run.measure_count("events delivered")
        .measure("delay", "s", |run| run.mean("delay"))
        .measure_count("data transmissions")
        .measure("transmissions per event", "", |run| {
            run.count("data transmissions") as f64 / run.count("events delivered") as f64
        })
        .measure("energy per node", "J", |run| run.mean("energy"))
        .measure_count("interest transmissions")
        .measure_count("positive reinforcements")
        .measure_count("negative reinforcements")
}

/// Nodes in rows and columns.
struct Grid {
    side: usize,
    spacing: f64,
}

impl Grid {
    fn nodes(&self) -> impl Iterator<Item = (usize, usize)> {
        let side = self.side;
        (0..side * side).map(move |node| (node % side, node / side))
    }

    fn mobility(&self) -> Mobility {
        let at = |(x, y)| Position::on_ground(x as f64 * self.spacing, y as f64 * self.spacing);
        Mobility::Paths(self.nodes().map(|place| Path::at(at(place))).collect())
    }

    /// The tasks of the sinks: all targets in the quarter that is farthest from them.
    fn protocol(&self, rules: Rules, sinks: usize, targets: usize) -> Diffusion {
        let place = |(x, y)| Place { x: x as u32, y: y as u32 };
        let half = (self.side / 2) as u32;
        let area = Area { from: Place { x: 0, y: 0 }, to: Place { x: half, y: half } };
        let nodes = self.side * self.side;
        let wants = |sink: usize| {
            let task = move |target: usize| Task { kind: Kind(target as u8), area };
            (0..targets)
                .map(move |target| Subscription { sink: NodeId::from(sink), task: task(target) })
        };
        Diffusion {
            subscriptions: (nodes - sinks..nodes).flat_map(wants).collect(),
            counts_stimuli: true,
            ..Diffusion::new(rules, self.nodes().map(place).collect())
        }
    }
}
