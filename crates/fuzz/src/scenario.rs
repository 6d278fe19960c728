//! Random scenarios as plain data, from which a scenario of Everypath can be made.

use everypath_model::{
    Audience, Budget, Capacity, Event, EventKind, NetworkKind, NodeId, Packet, Scenario, Topology,
    World,
};

use crate::{
    conditions::{Conditions, Pattern},
    dice::Dice,
    formula::{Formula, Number, View, Vocabulary, Which},
    oracle::Oracle,
    protocol::{Local, TIMERS, Table, Tabled, Timer, WORDS},
};

/// The names of the kinds of events.
pub const KINDS: [&str; 9] = [
    "command",
    "deliver",
    "timer",
    "lose",
    "duplicate",
    "reboot",
    "undeliverable",
    "link-down",
    "link-up",
];

/// The order of delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In any.
    Unordered,
    /// In that of sending, between two nodes.
    Fifo,
    /// In that of sending, for each receiver.
    List,
    /// In that of sending, for each receiver, of whose packets only this many are kept.
    Inbox(u8),
}

impl Order {
    /// Whether a packet more in flight neither delays nor displaces others for good.
    #[must_use]
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::Unordered | Self::Inbox(1))
    }
}

/// How many packets there can be from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// This many.
    pub most: usize,
    /// Whether the oldest is lost if there is one more, not the newest.
    pub oldest: bool,
}

impl Room {
    fn draw(dice: &mut Dice, order: Order) -> Self {
        let oldest = order != Order::Unordered && dice.percent(50);
        Self { most: dice.pick(&[1, 1, 2, 3]), oldest }
    }

    fn capacity(self) -> Capacity {
        let most = self.most as u32;
        if self.oldest { Capacity::OldestLost(most) } else { Capacity::NewestLost(most) }
    }
}

/// Which nodes hear broadcasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hearers {
    /// All neighbours.
    All,
    /// Any set of at most this many neighbours.
    AtMost(usize),
    /// By sender: one of several sets of neighbours.
    OneOf(Vec<Vec<Vec<usize>>>),
}

impl Hearers {
    fn draw(dice: &mut Dice, nodes: usize, links: &[(usize, usize)]) -> Self {
        let neighbours = |node| {
            let ends = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
            ends.filter(|&(one, _)| one == node).map(|(_, other)| other).collect::<Vec<usize>>()
        };
        let most = (0..nodes).map(|node| neighbours(node).len()).max().unwrap_or(0);
        match dice.below(5) {
            0 if most > 0 => Self::AtMost(dice.between(1, most)),
            1 => {
                let mut sets = |node| {
                    let count = dice.between(1, 3);
                    dice.several(count, |dice| {
                        neighbours(node).into_iter().filter(|_| dice.percent(50)).collect()
                    })
                };
                Self::OneOf((0..nodes).map(&mut sets).collect())
            }
            _ => Self::All,
        }
    }

    fn audience(&self) -> Audience {
        match self.clone() {
            Self::All => Audience::All,
            Self::AtMost(most) => Audience::AtMost(most as u32),
            Self::OneOf(sets) => Audience::one_of(move |sender, _| {
                let sets = sets[sender.index()].iter();
                sets.map(|set| set.iter().copied().map(NodeId::from).collect()).collect()
            }),
        }
    }
}

/// How often a fault may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// At most this often.
    Times(u32),
    /// Without limit.
    Always,
}

impl Allowed {
    /// Whether it is never allowed.
    #[must_use]
    pub fn is_never(self) -> bool {
        self == Self::Times(0)
    }
}

/// The faults, each with how often it may happen.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// Packets that are lost.
    pub loss: Allowed,
    /// Packets that are duplicated.
    pub duplication: Allowed,
    /// Nodes that reboot.
    pub reboot: Allowed,
    /// Links that fail.
    pub failure: Allowed,
    /// Links that come back.
    pub comeback: Allowed,
}

/// A named condition on worlds.
#[derive(Clone, Debug)]
pub struct Said {
    /// Its name.
    pub name: String,
    /// Its formula.
    pub formula: Formula,
    /// Whether it panics instead of not holding.
    pub panics: bool,
}

/// A bound: one number is at most another.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Its name.
    pub name: String,
    /// This number …
    pub number: Number,
    /// … is at most that one.
    pub most: Number,
}

/// An assumption: events of a kind, or at a node, happen only where a formula holds.
#[derive(Clone, Debug)]
pub struct Assumed {
    /// Its name.
    pub name: String,
    /// The kind, by its name; any if there is none.
    pub kind: Option<&'static str>,
    /// The node; any if there is none.
    pub node: Option<usize>,
    /// The formula.
    pub only_if: Formula,
}

/// The receivers of packets, by sender, its value, addressee and message.
#[derive(Clone, Debug)]
pub struct Receivers {
    nodes: usize,
    answers: Vec<Vec<usize>>,
}

impl Receivers {
    fn draw(dice: &mut Dice, nodes: usize, values: u8) -> Self {
        let mut answers = Vec::new();
        for _ in 0..nodes * usize::from(values) {
            for addressee in 0..nodes {
                for _ in 0..WORDS {
                    let answer = match dice.below(10) {
                        0 => Vec::new(),
                        1..5 => vec![addressee],
                        _ => {
                            let count = dice.between(1, 2);
                            dice.several(count, |dice| dice.below(nodes))
                        }
                    };
                    answers.push(answer);
                }
            }
        }
        Self { nodes, answers }
    }

    /// The receivers of a packet while its sender has this value.
    #[must_use]
    pub fn of(&self, from: usize, value: u8, to: usize, word: usize) -> &[usize] {
        let values = self.answers.len() / (self.nodes * self.nodes * WORDS);
        let sender = from * values + usize::from(value);
        &self.answers[(sender * self.nodes + to) * WORDS + word]
    }
}

/// Settings that only change the order of a search.
#[derive(Clone, Debug)]
pub struct Preferences {
    /// A number for each value and timer.
    pub timers: Option<Vec<u64>>,
    /// The timer that is tried after the commands.
    pub early: Option<usize>,
    /// The order of the kinds of events.
    pub kinds: Option<Vec<EventKind>>,
    /// Whether the canonical form of a state is the state itself.
    pub canonical: bool,
}

/// A random protocol with a random scenario.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its seed.
    pub seed: u64,
    /// How many nodes there are.
    pub nodes: usize,
    /// The links, the smaller number first, in order.
    pub links: Vec<(usize, usize)>,
    /// The order of delivery.
    pub order: Order,
    /// The capacity of links, if it is limited.
    pub room: Option<Room>,
    /// The nodes that hear broadcasts.
    pub hearers: Hearers,
    /// The table of the nodes.
    pub table: Table,
    /// The receivers of packets, if not the addressees.
    pub receivers: Option<Receivers>,
    /// The fault budgets.
    pub faults: Faults,
    /// The nodes that may reboot, if not all may.
    pub rebooting: Option<Vec<usize>>,
    /// Timers that may fire a limited number of times, and how often.
    pub timeouts: Vec<(Pattern, u32)>,
    /// Invariants.
    pub assertions: Vec<Said>,
    /// Bounds.
    pub bounds: Vec<Bound>,
    /// Assertions at ends.
    pub ends: Vec<Said>,
    /// Goals.
    pub goals: Vec<Said>,
    /// Prunings.
    pub prunings: Vec<Said>,
    /// Assumptions.
    pub assumptions: Vec<Assumed>,
    /// A ranking.
    pub ranking: Number,
    /// The order of the search.
    pub preferences: Preferences,
}

impl Case {
    /// The case of a seed. Most cases in which hardly anything happens are drawn again.
    #[must_use]
    pub fn draw(seed: u64) -> Self {
        const ATTEMPTS: usize = 8;
        const FEW: u64 = 12;
        let mut dice = Dice::new(seed, 1);
        let mut case = Self::draw_any(seed, &mut dice);
        for _ in 1..ATTEMPTS {
            let truth = Oracle::new(&case, &Conditions::default()).explore(Some(6), 50..=500);
            if truth.all_states() >= FEW || dice.percent(5) {
                break;
            }
            case = Self::draw_any(seed, &mut dice);
        }
        case
    }

    fn draw_any(seed: u64, dice: &mut Dice) -> Self {
        let nodes = dice.pick(&[1, 2, 2, 2, 2, 3, 3, 3]);
        let pairs = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)));
        let links: Vec<(usize, usize)> = pairs.filter(|_| dice.percent(85)).collect();
        let inbox = Order::Inbox(dice.pick(&[1, 1, 2, 3, 255]));
        let orders = [Order::Unordered, Order::Unordered, Order::Fifo, Order::List, inbox];
        let order = dice.pick(&orders);
        let hearers = Hearers::draw(dice, nodes, &links);
        let late = matches!(order, Order::Unordered | Order::List) && dice.percent(30);
        let table = Table::draw(dice, nodes, &links, late);
        let receivers = late.then(|| Receivers::draw(dice, nodes, table.values));
        let holds_all = late || matches!(order, Order::Inbox(_));
        let room = dice.perhaps(35, |dice| Room::draw(dice, order)).filter(|_| !holds_all);
        let faults = draw_faults(dice);
        let timeouts = draw_timeouts(dice, nodes);
        let rebooting = dice.perhaps(40, |dice| dice.several(2, |dice| dice.below(nodes)));
        let rebooting = rebooting.filter(|_| !faults.reboot.is_never());
        let vocabulary = Vocabulary {
            nodes,
            values: table.values,
            disks: table.disks,
            words: table.words,
            packets: dice.percent(60),
        };
        let panics = if dice.percent(10) { 50 } else { 0 };
        let said = |dice: &mut Dice, what: &str, count: usize| -> Vec<Said> {
            let one = |number| Said {
                name: format!("{what} {number}"),
                formula: vocabulary.formula(dice, 0),
                panics: what == "assertion" && dice.percent(panics),
            };
            (0..count).map(one).collect()
        };
        let counts: Vec<usize> = [3, 2, 3, 2].iter().map(|&most| dice.below(most + 1)).collect();
        let mut assertions = said(dice, "assertion", counts[0]);
        // Most random conditions are violated soon; rarely violated ones allow long searches.
        for rare in &mut assertions {
            if dice.percent(60) {
                let [one, other] = [vocabulary.formula(dice, 1), vocabulary.formula(dice, 1)];
                let both = Formula::Either(Box::new([one, other]));
                rare.formula = Formula::Either(Box::new([rare.formula.clone(), both]));
            }
        }
        let ends = if dice.percent(40) { said(dice, "end", counts[1]) } else { Vec::new() };
        let goals = said(dice, "goal", counts[2]);
        let prunings = if dice.percent(25) { said(dice, "pruning", counts[3]) } else { Vec::new() };
        let bounds = (0..dice.pick(&[0, 0, 1, 2]))
            .map(|number| Bound {
                name: format!("bound {number}"),
                number: vocabulary.number(dice),
                most: Number::Of(dice.between(1, 4) as i64),
            })
            .collect();
        let assumptions = (0..dice.pick(&[0, 0, 0, 1, 2]))
            .map(|number| Assumed {
                name: format!("assumption {number}"),
                kind: dice.perhaps(80, |dice| dice.pick(&KINDS)),
                node: dice.perhaps(40, |dice| dice.below(nodes)),
                only_if: vocabulary.formula(dice, 0),
            })
            .collect();
        let ranking = vocabulary.number(dice);
        let preferences = draw_preferences(dice);
        let mut case = Self {
            seed,
            nodes,
            links,
            order,
            room,
            hearers,
            table,
            receivers,
            faults,
            rebooting,
            timeouts,
            assertions,
            bounds,
            ends,
            goals,
            prunings,
            assumptions,
            ranking,
            preferences,
        };
        case.let_it_start(dice);
        case
    }

    /// Negates most conditions that would end a search at its start.
    fn let_it_start(&mut self, dice: &mut Dice) {
        let conditions = Conditions::default();
        let initial = Oracle::new(self, &conditions).initial();
        let nodes = self.nodes;
        let worlds: Vec<_> = initial.iter().filter_map(|state| state.view(self)).collect();
        let holds = |said: &Said| worlds.iter().all(|world| said.formula.holds(nodes, world));
        let never = |said: &Said| worlds.iter().all(|world| !said.formula.holds(nodes, world));
        let breaks: Vec<bool> = self.assertions.iter().map(|said| !holds(said)).collect();
        let prunes: Vec<bool> = self.prunings.iter().map(|said| !never(said)).collect();
        let assertions = self.assertions.iter_mut().zip(breaks);
        for (said, turned) in assertions.chain(self.prunings.iter_mut().zip(prunes)) {
            if turned && dice.percent(85) {
                said.formula = Formula::Not(Box::new(said.formula.clone()));
            }
        }
    }

    /// Whether two nodes are neighbours.
    #[must_use]
    pub fn are_linked(&self, a: usize, b: usize) -> bool {
        self.links.contains(&(a.min(b), a.max(b)))
    }

    /// Whether a packet more in flight neither delays nor displaces others for good.
    #[must_use]
    pub fn is_harmless(&self) -> bool {
        self.order.is_harmless() && self.room.is_none()
    }

    /// Whether links can fail.
    #[must_use]
    pub fn links_fail(&self) -> bool {
        !self.faults.failure.is_never()
    }

    /// Whether any formula may read packets in flight.
    #[must_use]
    pub fn speaks_of_packets(&self) -> bool {
        let said = self.assertions.iter().chain(&self.goals).chain(&self.prunings);
        let formulas = said.map(|said| &said.formula);
        let assumed = self.assumptions.iter().map(|assumed| &assumed.only_if);
        formulas.chain(assumed).any(Formula::speaks_of_packets)
            || self.bounds.iter().any(|bound| bound.number.speaks_of_packets())
    }
}

fn draw_faults(dice: &mut Dice) -> Faults {
    let mut allowed = |never: usize| match dice.percent(never) {
        true => Allowed::Times(0),
        false => {
            dice.pick(&[Allowed::Times(1), Allowed::Times(1), Allowed::Times(2), Allowed::Always])
        }
    };
    Faults {
        loss: allowed(50),
        duplication: allowed(70),
        reboot: allowed(65),
        failure: allowed(70),
        comeback: allowed(40),
    }
}

fn draw_timeouts(dice: &mut Dice, nodes: usize) -> Vec<(Pattern, u32)> {
    let mut timeouts: Vec<(Pattern, u32)> = Vec::new();
    for _ in 0..dice.pick(&[0, 0, 1, 1, 2, 3]) {
        let timers = Pattern {
            kind: Some("timer"),
            node: dice.perhaps(40, |dice| dice.below(nodes)),
            about: dice.perhaps(50, |dice| dice.pick(&["Tick", "Tock", "[0]", "n1"]).to_owned()),
        };
        if timeouts.iter().all(|(other, _)| *other != timers) {
            timeouts.push((timers, dice.between(1, 3) as u32));
        }
    }
    timeouts
}

fn draw_preferences(dice: &mut Dice) -> Preferences {
    Preferences {
        timers: dice.perhaps(20, |dice| dice.several(3 * TIMERS, Dice::number)),
        early: dice.perhaps(20, |dice| dice.below(TIMERS)),
        kinds: dice.perhaps(20, |dice| {
            let mut kinds = EventKind::ALL.to_vec();
            (1..kinds.len()).for_each(|last| kinds.swap(last, dice.below(last + 1)));
            kinds
        }),
        canonical: dice.percent(10),
    }
}

/// A world of Everypath, as formulas read it.
struct Seen<'a, 'w>(&'a World<'w, Tabled>);

impl View for Seen<'_, '_> {
    fn value(&self, node: usize) -> u8 {
        self.0.node(NodeId::from(node)).value
    }

    fn disk(&self, node: usize) -> u8 {
        self.0.node(NodeId::from(node)).disk
    }

    fn is_set(&self, node: usize, timer: usize) -> bool {
        self.0.timers(NodeId::from(node)).contains(&Timer::ALL[timer])
    }

    fn packets(&self, which: &Which) -> usize {
        if which.is_any() {
            return self.0.packets().len();
        }
        let is_one = |packet: &Packet<'_, Tabled>| {
            which.has(packet.from.index(), packet.to.index(), packet.message.word())
        };
        self.0.packets().filter(is_one).count()
    }

    fn is_up(&self, a: usize, b: usize) -> bool {
        self.0.is_up(NodeId::from(a), NodeId::from(b))
    }
}

/// The relation in which equal worlds cover each other.
pub const EQUAL_WORLDS: &str = "equal worlds";
/// The relation in which a world covers those with fewer packets.
pub const FEWER_PACKETS: &str = "fewer packets";

impl Case {
    /// The scenario, for Everypath.
    #[must_use]
    pub fn scenario(&self) -> Scenario<Tabled> {
        let nodes = self.nodes;
        let edges: Vec<(u32, u32)> =
            self.links.iter().map(|&(a, b)| (a as u32, b as u32)).collect();
        let topology = Topology::edges(nodes, &edges).expect("the links are between nodes");
        let faults = self.faults;
        let mut scenario = Scenario::new(Tabled(self.table.clone()), topology)
            .network(match self.order {
                Order::Unordered => NetworkKind::Unordered,
                Order::Fifo => NetworkKind::FifoPerLink,
                Order::List => NetworkKind::GlobalList,
                Order::Inbox(capacity) => NetworkKind::inbox(capacity),
            })
            .capacity(self.room.map_or(Capacity::Unlimited, Room::capacity))
            .audience(self.hearers.audience())
            .loss(budget(faults.loss))
            .duplication(budget(faults.duplication))
            .reboot(budget(faults.reboot))
            .link_failure(budget(faults.failure))
            .link_return(budget(faults.comeback));
        if let Some(nodes) = &self.rebooting {
            scenario = scenario.reboot_of(nodes.iter().copied().map(NodeId::from));
        }
        for (timers, most) in &self.timeouts {
            scenario = scenario.timeouts_of(&timers.to_string(), Budget::AtMost(*most));
        }
        if let Some(receivers) = self.receivers.clone() {
            scenario = scenario.receivers(move |sender: &Local, packet| {
                let Packet { from, to, message } = packet;
                let all = receivers.of(from.index(), sender.value, to.index(), message.word());
                all.iter().copied().map(NodeId::from).collect::<Vec<_>>()
            });
        }
        for Said { name, formula, panics } in self.assertions.clone() {
            scenario = scenario.assert_always(&name, move |world| {
                let holds = formula.holds(nodes, &Seen(world));
                assert!(holds || !panics, "an assertion that panics");
                holds
            });
        }
        for Bound { name, number, most } in self.bounds.clone() {
            let number = move |world: &World<'_, Tabled>| number.of(nodes, &Seen(world));
            scenario =
                scenario.assert_at_most(&name, number, move |world| most.of(nodes, &Seen(world)));
        }
        for Said { name, formula, .. } in self.ends.clone() {
            scenario =
                scenario.assert_at_end(&name, move |world| formula.holds(nodes, &Seen(world)));
        }
        for Said { name, formula, .. } in self.goals.clone() {
            scenario =
                scenario.assert_reachable(&name, move |world| formula.holds(nodes, &Seen(world)));
        }
        for Said { name, formula, .. } in self.prunings.clone() {
            scenario = scenario.prune(&name, move |world| formula.holds(nodes, &Seen(world)));
        }
        for Assumed { name, kind, node, only_if } in self.assumptions.clone() {
            scenario = scenario.assume(&name, move |world, event: &Event<'_, Tabled>| {
                let is_meant = kind.is_none_or(|kind| kind == event.kind().name())
                    && node.is_none_or(|node| node == event.node().index());
                !is_meant || only_if.holds(nodes, &Seen(world))
            });
        }
        self.with_preferences(scenario)
    }

    fn with_preferences(&self, mut scenario: Scenario<Tabled>) -> Scenario<Tabled> {
        let nodes = self.nodes;
        let Preferences { timers, early, kinds, canonical } = self.preferences.clone();
        if let Some(numbers) = timers {
            scenario = scenario.timer_order(move |state: &Local, timer| {
                numbers[usize::from(state.value) * TIMERS + *timer as usize]
            });
        }
        if let Some(early) = early {
            scenario = scenario.early_timers(move |timer| *timer as usize == early);
        }
        if let Some(kinds) = kinds {
            scenario.event_order = kinds;
        }
        if canonical {
            scenario = scenario.canonical(Clone::clone);
        }
        let ranking = self.ranking.clone();
        scenario = scenario
            .ranking("a number", move |world: &World<'_, Tabled>| ranking.of(nodes, &Seen(world)));
        scenario
            .relation(EQUAL_WORLDS, |world| (node_states(world), flying(world)), |_, _| true)
            .relation(FEWER_PACKETS, node_states, |world, other| {
                let (fewer, mut more) = (flying(world), flying(other));
                fewer.into_iter().all(|packet| {
                    let place = more.iter().position(|other| *other == packet);
                    place.map(|place| more.remove(place)).is_some()
                })
            })
    }
}

/// The states and timers of all nodes.
fn node_states(world: &World<'_, Tabled>) -> Vec<(Local, Vec<Timer>)> {
    world.nodes().map(|(node, state)| (state.clone(), world.timers(node).to_vec())).collect()
}

/// The packets in flight, sorted.
fn flying(world: &World<'_, Tabled>) -> Vec<(NodeId, NodeId, usize)> {
    let packets = world.packets();
    let mut all: Vec<_> =
        packets.map(|packet| (packet.from, packet.to, packet.message.word())).collect();
    all.sort_unstable();
    all
}

fn budget(allowed: Allowed) -> Budget {
    match allowed {
        Allowed::Times(0) => Budget::Off,
        Allowed::Times(times) => Budget::AtMost(times),
        Allowed::Always => Budget::Unlimited,
    }
}
