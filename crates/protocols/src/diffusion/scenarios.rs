//! Scenarios of directed diffusion.

use std::time::Duration;

use everypath_model::{
    Budget, Event, EventKind, LinkModel, NodeId, Parameters, Profile, Scenario, Shape, Topology,
};

use super::{
    Area, Command, Diffusion, Kind, NodeState, Place, Preset, Rules, Subscription, Task, Timer,
    parameters::rules,
    properties::{gradients, is_fed, reinforced, reinforcements, remembered},
};
use crate::{aodv::ListOrder, work::work};

/// Directed diffusion of the paper, of the thesis, or hardened.
#[must_use]
pub fn diffusion(parameters: &mut Parameters) -> Scenario<Diffusion> {
    let rules = rules(parameters, Preset::Published, false);
    scenario(parameters, Setting::of(rules))
        .about("Directed diffusion: are there loops of reinforced gradients?")
        .max_depth(12)
}

/// The thesis's first counterexample.
#[must_use]
pub fn diffusion_1(parameters: &mut Parameters) -> Scenario<Diffusion> {
    scenario(parameters, Setting::of(Rules::jsim())).about(
        "J-Sim's directed diffusion, whose data caches forget: counterexample 1 of Sobeih's thesis",
    )
}

/// The thesis's second counterexample.
#[must_use]
pub fn diffusion_2(parameters: &mut Parameters) -> Scenario<Diffusion> {
    scenario(parameters, Setting { forget: false, ..Setting::of(Rules::jsim()) })
        .about(
            "J-Sim's directed diffusion, whose nodes reboot: counterexample 2 of Sobeih's thesis",
        )
        .require("reboot")
        .max_depth(20)
}

/// Directed diffusion without loops.
#[must_use]
pub fn diffusion_hardened(parameters: &mut Parameters) -> Scenario<Diffusion> {
    let rules = rules(parameters, Preset::Hardened, false);
    scenario(parameters, Setting::of(rules))
        .about("Directed diffusion with labels that prevent loops of reinforced gradients")
        .max_depth(12)
}

/// Directed diffusion on four nodes, with two events that take different paths, and no faults.
#[must_use]
pub fn diffusion_crossing(parameters: &mut Parameters) -> Scenario<Diffusion> {
    let rules = rules(parameters, Preset::Published, true);
    let setting = Setting {
        shape: Shape::Links(vec![(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]),
        loss: Budget::Off,
        reboot: Budget::Off,
        interests: Budget::AtMost(1),
        events: 1,
        exploratory_every: 1,
        forget: false,
        expire: false,
        ..Setting::of(rules)
    };
    scenario(parameters, setting)
        .about("Directed diffusion, two events on different paths and no faults: a loop of reinforced gradients")
        .max_depth(16)
}

/// The property that must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    /// There are no loops of reinforced gradients.
    Loop,
    /// Every reinforced path begins at a source.
    Disruption,
}

/// The differences between the scenarios.
struct Setting {
    rules: Rules,
    shape: Shape,
    nodes: usize,
    sinks: usize,
    sources: usize,
    tasks: usize,
    property: Property,
    loss: Budget,
    reboot: Budget,
    /// How often each sink sends its interest.
    interests: Budget,
    /// How many events the environment shows to each source.
    events: u32,
    /// One in this many events is exploratory.
    exploratory_every: u32,
    /// Whether data caches forget.
    forget: bool,
    /// Whether lifetimes of gradients end.
    expire: bool,
}

impl Setting {
    /// The thesis's setting.
    fn of(rules: Rules) -> Self {
        Self {
            rules,
            shape: Shape::Chain,
            nodes: 4,
            sinks: 1,
            sources: 1,
            tasks: 1,
            property: Property::Loop,
            loss: Budget::Unlimited,
            reboot: Budget::Unlimited,
            interests: Budget::Unlimited,
            events: 0,
            exploratory_every: 12,
            forget: true,
            expire: true,
        }
    }
}

impl Setting {
    /// The setting of the parameters, and its topology.
    fn given(mut self, parameters: &mut Parameters) -> (Self, Topology) {
        self.nodes = parameters.number("nodes", self.nodes, 2..=64, "how many nodes there are");
        let shape = self.shape.clone();
        let topology = parameters.topology("topology", self.nodes, shape, "the topology");
        let mut count = |name, default, about| parameters.number(name, default, 1..=64, about);
        self.sinks = count("sinks", self.sinks, "how many sinks there are: the first nodes");
        self.sources = count(
            "sources",
            self.sources,
            "how many nodes are in the area of interest: the last ones",
        );
        self.tasks = count(
            "tasks",
            self.tasks,
            "how many kinds of events there are; each sink is interested in one, in turn",
        );
        if self.sinks + self.sources > self.nodes {
            parameters.reject("sinks", format!("there are only {} nodes", self.nodes));
            (self.sinks, self.sources) = (1, 1);
        }
        if self.tasks > self.sinks {
            parameters.reject("tasks", format!("there are only {} sinks to ask", self.sinks));
        }
        self.property = parameters.choice(
            "property",
            self.property,
            &[("loop", Property::Loop), ("disruption", Property::Disruption)],
            "the property: reinforced gradients form no loop, or each reinforced path begins at a source",
        );
        self.loss = parameters.budget("loss", self.loss, "how often packets are lost");
        self.reboot = parameters.budget("reboot", self.reboot, "how often nodes reboot");
        self.forget =
            parameters.flag("forget", self.forget, "whether data caches forget, while exploring");
        self.expire = parameters.flag(
            "expire",
            self.expire,
            "whether lifetimes of gradients end, while exploring",
        );
        self.interests = parameters.budget(
            "interests",
            self.interests,
            "how often each sink sends its interest, while exploring",
        );
        self.events = parameters.number(
            "events",
            self.events,
            0..=1000,
            "how many events each source is shown, while exploring",
        );
        self.exploratory_every = parameters.number(
            "exploratory-every",
            self.exploratory_every,
            1..=1000,
            "one in this many events is sent along all gradients, not only the reinforced ones",
        );
        (self, topology)
    }

    /// The sources. In the published runs the source has the same place in chains of any length.
    fn area(&self, thesis: bool) -> std::ops::RangeInclusive<usize> {
        let last = if thesis { (self.nodes - 1).min(3) } else { self.nodes - 1 };
        (last + 1).saturating_sub(self.sources)..=last
    }

    /// The tasks of the sinks; nodes are in a row.
    fn subscriptions(&self, thesis: bool) -> Vec<Subscription> {
        let area = self.area(thesis);
        let area = Area { from: place(*area.start()), to: place(*area.end()) };
        let task = |sink| Task { kind: Kind((sink % self.tasks) as u8), area };
        let sinks = 0..self.sinks;
        sinks.map(|sink| Subscription { sink: NodeId::from(sink), task: task(sink) }).collect()
    }
}

fn place(node: usize) -> Place {
    Place { x: node as u32, y: 0 }
}

fn scenario(parameters: &mut Parameters, setting: Setting) -> Scenario<Diffusion> {
    let (setting, topology) = setting.given(parameters);
    let thesis = parameters.profile() == Profile::Thesis;
    let protocol = Diffusion {
        order: if thesis { ListOrder::Learnt } else { ListOrder::Sorted },
        subscriptions: setting.subscriptions(thesis),
        interests_max: match setting.interests {
            Budget::Off => Some(0),
            Budget::AtMost(most) => Some(most),
            Budget::Unlimited => None,
        },
        events_max: setting.events,
        exploratory_every: setting.exploratory_every,
        ..Diffusion::new(setting.rules.clone(), (0..setting.nodes).map(place).collect())
    };
    let mut scenario = Scenario::new(protocol, topology)
        .role_names(Diffusion::role_name)
        .loss(setting.loss)
        .reboot(setting.reboot)
        .max_depth(5 * setting.nodes as u32 - 5)
        .handler_work(work(parameters));
    if setting.rules.refresh {
        scenario = scenario.assume("sinks ask again when the environment says so", |_, event| {
            !matches!(event, Event::Timer { timer: Timer::Refresh(_), .. })
        });
    }
    if !setting.forget {
        scenario = scenario.assume("data are never forgotten", |_, event| {
            !matches!(event, Event::Timer { timer: Timer::Forget(..), .. })
        });
    }
    if !setting.expire {
        scenario = scenario.assume("no gradient reaches the end of its lifetime", |_, event| {
            !matches!(event, Event::Timer { timer: Timer::Expire(..), .. })
        });
    }
    if thesis {
        scenario = published(scenario);
    }
    let scenario = simulated(parameters, scenario, &setting.area(thesis));
    asked(scenario, setting.property)
}

/// The assertion and the rankings.
fn asked(scenario: Scenario<Diffusion>, property: Property) -> Scenario<Diffusion> {
    let scenario = match property {
        Property::Loop => {
            scenario.assert_loop_free("no reinforced path leads in a circle", |_| true)
        }
        Property::Disruption => {
            scenario.assert_always("every reinforced path begins at a source", is_fed)
        }
    };
    scenario
        .ranking("dd-1", gradients)
        .ranking("dd-2", |world| (reinforced(world), gradients(world)))
        .ranking("dd-3", reinforcements)
        .ranking("dd-4", |world| (reinforcements(world), gradients(world)))
        .ranking("dd-5", remembered)
        .ranking("dd-6", |world| (remembered(world), gradients(world)))
        .routing_rankings(|_| true)
}

/// The thesis's order of events, its equality of states, and a last node whose data cache never
/// forgets.
fn published(mut scenario: Scenario<Diffusion>) -> Scenario<Diffusion> {
    let early = [EventKind::Lose, EventKind::Command, EventKind::Deliver, EventKind::Timer];
    let order = &mut scenario.event_order;
    order.retain(|kind| !early.contains(kind));
    order.splice(..0, early);
    let last = NodeId::from(scenario.topology.len() - 1);
    scenario
        .early_timers(|timer| matches!(timer, Timer::Forget(..)))
        .timer_order(place_of)
        .canonical(as_sets)
        .assume("the last node never forgets data", move |_, event| {
            !matches!(event, Event::Timer { node, timer: Timer::Forget(..) } if *node == last)
        })
}

/// Data in the order of arrival, gradients in the order of interests.
fn place_of(state: &NodeState, timer: &Timer) -> u64 {
    let place = match timer {
        Timer::Forget(event, rate) => {
            state.data.iter().position(|seen| (seen.data.event, seen.data.rate) == (*event, *rate))
        }
        Timer::Expire(task, neighbour) => state
            .gradients()
            .position(|(other, gradient)| (other, gradient.neighbour) == (*task, *neighbour)),
        Timer::Resend(_) | Timer::Refresh(_) => None,
    };
    place.map_or(u64::MAX, |place| place as u64)
}

/// Lists as sets.
fn as_sets(state: &NodeState) -> NodeState {
    let mut state = state.clone();
    state.data.sort_unstable();
    state.interests.iter_mut().for_each(|entry| entry.gradients.sort_unstable());
    state.interests.sort_unstable();
    state
}

/// A simulation: the sinks send interests, and the sources sense events at intervals.
fn simulated(
    parameters: &mut Parameters,
    scenario: Scenario<Diffusion>,
    sources: &std::ops::RangeInclusive<usize>,
) -> Scenario<Diffusion> {
    let interval = parameters.duration(
        "interval",
        Duration::from_secs(5),
        "how often each source senses an event, in a simulation",
    );
    if interval.is_zero() {
        parameters.reject("interval", "events would be sensed endlessly; give more than 0s");
    }
    let every = Some(interval).filter(|interval| !interval.is_zero());
    let loss_rate = parameters.number(
        "loss-rate",
        0.0,
        0.0..=1.0,
        "the share of packets that simulated links lose",
    );
    let subscriptions = scenario.protocol.subscriptions.clone();
    let mut kinds: Vec<Kind> = subscriptions.iter().map(|it| it.task.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    scenario.simulation(|mut run| {
        for Subscription { sink, task } in subscriptions {
            run = run.job(sink, Command::Ask(task), Duration::from_secs(1), None);
        }
        for source in sources.clone() {
            for kind in &kinds {
                let (source, command) = (NodeId::from(source), Command::Sense(*kind));
                run = run.job(source, command, Duration::from_secs(2), every);
            }
        }
        run.message_bytes(Diffusion::message_bytes)
            .link(LinkModel::default().loss(loss_rate))
            .duration(Duration::from_secs(600))
            .measure("delivery ratio", "", |run| {
                run.count("data delivered") as f64 / run.count("deliveries wanted") as f64
            })
            .measure("delay", "s", |run| run.mean("delay"))
            .measure_count("interest transmissions")
            .measure_count("data transmissions")
            .measure_count("positive reinforcements")
            .measure_count("negative reinforcements")
    })
}
