//! The brute-force oracle: whole worlds, and a successor function written down from the
//! documentation. It interns nothing, remembers nothing and calls no handler: what a handler must
//! do it reads off the table.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use everypath_explore::Verdict;
use everypath_model::{Budget, Capacity, EventKind, NetworkKind, NodeId, Profile, Topology};

use crate::table::{Action, Case, Heard, Input, MESSAGES, Program, STATES};

/// How deep the oracle looks.
const DEPTH: usize = 6;
/// It looks no deeper once a level has this many worlds.
const LEVEL_MAX: usize = 120;

/// A node: its state and its timers, or nothing if its handler panicked.
pub type Node = Option<(u32, BTreeSet<u8>)>;

/// From, to, message.
pub type Packet = (u32, u32, u32);

/// Everything, plainly.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct World {
    pub nodes: Vec<Node>,
    pub packets: Vec<Packet>,
    /// Losses, duplications, reboots, failures and returns of links that are still possible; nothing
    /// means any number.
    pub left: [Option<u32>; 5],
    /// The links that are down.
    pub down: BTreeSet<(u32, u32)>,
}

/// An event as the space describes it: node, kind and parameters.
pub type Label = (u32, &'static str, Vec<(String, String)>);

/// One way in which a handler can go on.
#[derive(Clone)]
pub struct Branch {
    choices: Vec<u32>,
    /// Which nodes hear its broadcasts; nothing if all neighbours hear everything.
    audiences: Vec<Vec<u32>>,
    /// The next state and what was done; nothing, if it panicked.
    result: Option<(u32, Vec<Deed>)>,
}

#[derive(Clone)]
enum Deed {
    Send(u32, u32),
    Broadcast(u32),
    Set(u8),
    Cancel(u8),
}

/// Whether links can fail.
pub fn can_break(case: &Case) -> bool {
    !matches!(case.link_failure, Budget::Off | Budget::AtMost(0))
}

/// The oracle.
pub struct Oracle<'a> {
    pub case: &'a Case,
    topology: Topology,
}

impl<'a> Oracle<'a> {
    pub fn new(case: &'a Case) -> Self {
        Self { case, topology: case.topology() }
    }

    fn neighbours(&self, node: u32) -> Vec<u32> {
        self.topology.neighbours(NodeId(node)).iter().map(|neighbour| neighbour.0).collect()
    }

    /// The possible audiences of a sender: the largest first, then by their nodes.
    fn audiences(&self, sender: u32) -> Vec<Vec<u32>> {
        let neighbours = self.neighbours(sender);
        let mut all = match &self.case.heard {
            Heard::All => vec![neighbours],
            Heard::OneOf(sets) => Heard::given(sets, sender, &neighbours),
            Heard::AtMost(most) => {
                let subset = |bits: u32| {
                    let places = (0..neighbours.len()).filter(move |place| bits >> place & 1 == 1);
                    places.map(|place| neighbours[place]).collect()
                };
                let small = |bits: &u32| bits.count_ones() <= *most;
                (0..1 << neighbours.len()).filter(small).map(subset).collect()
            }
        };
        all.sort_unstable_by_key(|set| (usize::MAX - set.len(), set.clone()));
        all.dedup();
        all
    }

    /// All ways in which a handler can go on: by the answers to its choices, and then by the
    /// audiences of its broadcasts, of which the last changes fastest.
    fn branches(&self, node: u32, state: u32, input: Input) -> Vec<Branch> {
        let executions = self.executions(node, state, input);
        if matches!(self.case.heard, Heard::All) {
            return executions;
        }
        let possible = self.audiences(node);
        let heard = |execution: Branch| {
            let deeds = execution.result.iter().flat_map(|(_, deeds)| deeds);
            let broadcasts = deeds.filter(|deed| matches!(deed, Deed::Broadcast(_))).count();
            let mut branches = vec![execution];
            for _ in 0..broadcasts {
                let longer = |branch: Branch| {
                    possible.iter().map(move |audience| {
                        let audiences =
                            [&branch.audiences[..], std::slice::from_ref(audience)].concat();
                        Branch { audiences, ..branch.clone() }
                    })
                };
                branches = branches.into_iter().flat_map(longer).collect();
            }
            branches
        };
        executions.into_iter().flat_map(heard).collect()
    }

    /// All executions of a handler, by the answers to its choices.
    pub fn executions(&self, node: u32, state: u32, input: Input) -> Vec<Branch> {
        let Program { actions, next } = self.case.table.program(node, state, input);
        let mut branches = Vec::new();
        let mut open = vec![(actions.as_slice(), Vec::new(), Vec::new())];
        while let Some((actions, choices, deeds)) = open.pop() {
            let shift: u32 = choices.iter().sum();
            let Some((action, rest)) = actions.split_first() else {
                let result = Some(((next + shift) % STATES, deeds));
                branches.push(Branch { choices, audiences: Vec::new(), result });
                continue;
            };
            match action {
                Action::Panic => {
                    branches.push(Branch { choices, audiences: Vec::new(), result: None });
                }
                Action::Choose { options } => {
                    // The last answer first, since the stack turns the order round.
                    for answer in (0..*options).rev() {
                        let rest = if answer == 0 { &[] } else { rest };
                        open.push((rest, [choices.as_slice(), &[answer]].concat(), deeds.clone()));
                    }
                }
                plain => {
                    let done = self.deeds(node, input, shift, plain);
                    open.push((rest, choices, [deeds, done].concat()));
                }
            }
        }
        branches
    }

    fn deeds(&self, node: u32, input: Input, shift: u32, action: &Action) -> Vec<Deed> {
        let neighbours = self.neighbours(node);
        let shifted = |message: u32| (message + shift) % MESSAGES;
        match (action, input) {
            (Action::Send { neighbour, message }, _) => {
                let addressees = self.case.table.addressees(&neighbours).into_iter();
                let to = addressees.clone().cycle().nth(*neighbour);
                to.into_iter().map(|to| Deed::Send(to, shifted(*message))).collect()
            }
            (Action::Reply { message }, Input::Message { from, .. }) => {
                vec![Deed::Send(from, shifted(*message))]
            }
            (Action::Broadcast { message }, _) => vec![Deed::Broadcast(shifted(*message))],
            (Action::Set(timer), _) => vec![Deed::Set(*timer)],
            (Action::Cancel(timer), _) => vec![Deed::Cancel(*timer)],
            _ => Vec::new(),
        }
    }

    /// A node of a world after one branch of a handler.
    fn after(&self, mut world: World, node: u32, timers: BTreeSet<u8>, branch: &Branch) -> World {
        world.nodes[node as usize] = branch.result.as_ref().map(|(state, deeds)| {
            let mut timers = timers;
            let mut audiences = branch.audiences.iter().cloned();
            for deed in deeds {
                match *deed {
                    Deed::Send(to, message) => self.send(&mut world, (node, to, message)),
                    Deed::Broadcast(message) => {
                        let audience = audiences.next().unwrap_or_else(|| self.neighbours(node));
                        for to in audience {
                            self.send(&mut world, (node, to, message));
                        }
                    }
                    Deed::Set(timer) => drop(timers.insert(timer)),
                    Deed::Cancel(timer) => drop(timers.remove(&timer)),
                }
            }
            (*state, timers)
        });
        self.canonical(world)
    }

    /// How many packets fit beside those on the link of a packet.
    fn room(&self, world: &World, packet: Packet) -> usize {
        let on_link = world.packets.iter().filter(|it| (it.0, it.1) == (packet.0, packet.1));
        let most = self.case.room().most().map_or(usize::MAX, |most| most as usize);
        most - on_link.count()
    }

    fn send(&self, world: &mut World, packet: Packet) {
        let is_full = self.room(world, packet) == 0;
        if is_full && matches!(self.case.room(), Capacity::OldestLost(_)) {
            let mut packets = world.packets.iter();
            let oldest = packets.position(|it| (it.0, it.1) == (packet.0, packet.1));
            world.packets.remove(oldest.expect("a full link has packets"));
        } else if is_full {
            return;
        }
        world.packets.push(packet);
    }

    /// Worlds that are the same in the documented semantics are made equal.
    pub fn canonical(&self, mut world: World) -> World {
        match self.case.network {
            NetworkKind::Unordered if self.case.profile == Profile::Standard => {
                world.packets.sort_unstable();
            }
            NetworkKind::FifoPerLink => world.packets.sort_by_key(|&(from, to, _)| (from, to)),
            NetworkKind::Inbox(capacity) => {
                world.packets = in_mailboxes(&world.packets, capacity.get().into());
            }
            NetworkKind::Unordered | NetworkKind::GlobalList => {}
        }
        if world.nodes.contains(&None) {
            // What else there is beside a node that panicked is never looked at.
            world.packets.clear();
            world.left = [None; 5];
            world.down.clear();
        }
        world
    }

    /// All links, the smaller end first.
    pub fn links(&self) -> Vec<(u32, u32)> {
        self.topology.links().map(|(a, b)| (a.0, b.0)).collect()
    }

    /// What is left of all budgets at first.
    pub fn left(&self) -> [Option<u32>; 5] {
        let Case { loss, duplication, reboot, link_failure, link_return, .. } = self.case;
        [loss, duplication, reboot, link_failure, link_return].map(|budget| match *budget {
            Budget::Off => Some(0),
            Budget::AtMost(times) => Some(times),
            Budget::Unlimited => None,
        })
    }

    pub fn initial(&self) -> Vec<World> {
        let mut worlds = vec![World {
            nodes: vec![Some((0, BTreeSet::new())); self.case.nodes],
            packets: Vec::new(),
            left: self.left(),
            down: BTreeSet::new(),
        }];
        for node in 0..self.case.nodes as u32 {
            let branches = self.branches(node, 0, Input::Start);
            let all = worlds.into_iter().flat_map(|world| {
                let start = |branch| self.after(world.clone(), node, BTreeSet::new(), branch);
                branches.iter().map(start).collect::<Vec<_>>()
            });
            worlds = all.collect();
        }
        worlds
    }

    /// Of the packets that a node can receive, or that are addressed to it, the places of those
    /// that can be next.
    fn foremost(&self, world: &World, mine: impl Fn(&Packet) -> bool) -> Vec<usize> {
        let packets = &world.packets;
        // In a mailbox, a packet waits for those before it, even if they cannot be received.
        let waits = |at: usize| {
            matches!(self.case.network, NetworkKind::Inbox(_))
                && packets[..at].iter().any(|packet| packet.1 == packets[at].1)
        };
        let mine: Vec<usize> =
            (0..packets.len()).filter(|&at| mine(&packets[at]) && !waits(at)).collect();
        let first_of = |same: fn(&Packet, &Packet) -> bool| -> Vec<usize> {
            let earlier = |at: usize| mine.iter().copied().take_while(move |&it| it < at);
            let first = |&at: &usize| !earlier(at).any(|it| same(&packets[it], &packets[at]));
            mine.iter().copied().filter(first).collect()
        };
        match (self.case.network, self.case.profile) {
            (NetworkKind::Unordered, Profile::Thesis) | (NetworkKind::Inbox(_), _) => mine,
            (NetworkKind::Unordered, Profile::Standard) => first_of(|a, b| a == b),
            (NetworkKind::FifoPerLink, _) => first_of(|a, b| (a.0, a.1) == (b.0, b.1)),
            (NetworkKind::GlobalList, _) => mine.into_iter().take(1).collect(),
        }
    }

    /// Who receives a packet, over links that are up, and over links that are down.
    fn receivers(&self, world: &World, packet: &Packet) -> [Vec<u32>; 2] {
        let all = match &self.case.table.late {
            None => vec![packet.1],
            Some(late) => {
                let (state, _) = world.nodes[packet.0 as usize].as_ref().expect("it runs");
                late.receivers_of(*state, *packet).to_vec()
            }
        };
        let link = |node: u32| (node.min(packet.0), node.max(packet.0));
        let (down, up) = all.into_iter().partition(|&node| world.down.contains(&link(node)));
        [up, down]
    }

    /// Whether a packet can be lost or duplicated at a node.
    fn can_suffer(&self, world: &World, node: u32, packet: &Packet) -> bool {
        let [up, down] = self.receivers(world, packet);
        packet.1 == node && (!up.is_empty() || down.is_empty())
    }

    /// All steps out of a world in which no node has panicked, node by node and kind by kind.
    pub fn successors(&self, world: &World) -> Vec<(Label, World)> {
        let mut steps = Vec::new();
        for node in 0..self.case.nodes as u32 {
            for &kind in &self.case.event_order {
                if self.assumed(world, node, kind) {
                    steps.extend(self.steps_of_kind(world, node, kind));
                }
            }
        }
        steps
    }

    fn assumed(&self, world: &World, node: u32, kind: EventKind) -> bool {
        let (state, _) = world.nodes[node as usize].as_ref().expect("it runs");
        self.case.forbidden.as_ref().is_none_or(|forbidden| {
            forbidden.kind != kind
                || forbidden.state != *state
                || world.packets.len() < forbidden.packets
                || (forbidden.severed && !world.down.contains(&self.case.first_link()))
        })
    }

    fn steps_of_kind(&self, world: &World, node: u32, kind: EventKind) -> Vec<(Label, World)> {
        let (state, timers) = world.nodes[node as usize].as_ref().expect("it runs");
        let suffering =
            || self.foremost(world, |packet| self.can_suffer(world, node, packet)).into_iter();
        let mut steps = Vec::new();
        match kind {
            EventKind::Command => {
                for &command in self.case.table.commands_in(*state) {
                    steps.extend(self.handle(world, node, Input::Command(command), timers));
                }
            }
            EventKind::Timer => {
                for &timer in timers {
                    let mut others = timers.clone();
                    others.remove(&timer);
                    steps.extend(self.handle(world, node, Input::Timer(timer), &others));
                }
            }
            EventKind::Reboot => {
                if let Some(world) = spend(world, 2) {
                    steps.extend(self.handle(&world, node, Input::Restart, &BTreeSet::new()));
                }
            }
            EventKind::Deliver => {
                let mine = |packet: &Packet| self.receivers(world, packet)[0].contains(&node);
                for at in self.foremost(world, mine) {
                    let mut world = world.clone();
                    let packet @ (from, _, message) = world.packets.remove(at);
                    let input = Input::Message { from, message };
                    let arrivals = self.handle(&world, node, input, timers);
                    steps.extend(arrivals.into_iter().map(|step| about(packet, step)));
                }
            }
            EventKind::Lose => steps.extend(self.faults(world, suffering(), kind, 0)),
            EventKind::Duplicate => steps.extend(self.faults(world, suffering(), kind, 1)),
            EventKind::Undeliverable => {
                let mine = |packet: &Packet| {
                    packet.0 == node && !self.receivers(world, packet)[1].is_empty()
                };
                for at in self.foremost(world, mine) {
                    let mut world = world.clone();
                    let packet = world.packets.remove(at);
                    let input = Input::Undeliverable { message: packet.2 };
                    let returns = self.handle(&world, node, input, timers);
                    steps.extend(returns.into_iter().map(|step| about(packet, step)));
                }
            }
            EventKind::LinkDown | EventKind::LinkUp => {
                let down = kind == EventKind::LinkDown;
                let Some(spent) = spend(world, if down { 3 } else { 4 }) else { return steps };
                for link in self.links() {
                    if link.0 == node && world.down.contains(&link) != down {
                        let mut next = spent.clone();
                        let changed =
                            if down { next.down.insert(link) } else { next.down.remove(&link) };
                        assert!(changed);
                        let words = vec![("link".to_owned(), format!("n{}–n{}", link.0, link.1))];
                        steps.push(((node, kind.name(), words), self.canonical(next)));
                    }
                }
            }
        }
        steps
    }

    /// A handler is called: one step for each of its branches.
    fn handle(
        &self,
        world: &World,
        node: u32,
        input: Input,
        timers: &BTreeSet<u8>,
    ) -> Vec<(Label, World)> {
        let (state, _) = world.nodes[node as usize].as_ref().expect("it runs");
        let branches = self.branches(node, *state, input).into_iter();
        let step = |branch: Branch| {
            let label = label(node, input, &branch);
            (label, self.after(world.clone(), node, timers.clone(), &branch))
        };
        branches.map(step).collect()
    }

    /// Each of some packets is lost or duplicated, if the budget allows it.
    fn faults(
        &self,
        world: &World,
        places: impl Iterator<Item = usize>,
        kind: EventKind,
        which: usize,
    ) -> Vec<(Label, World)> {
        let Some(spent) = spend(world, which) else { return Vec::new() };
        let step = |at: usize| {
            let mut next = spent.clone();
            let packet = next.packets.remove(at);
            if kind == EventKind::Duplicate {
                let copies = self.room(&next, packet).min(2);
                next.packets.splice(at..at, vec![packet; copies]);
            }
            ((packet.1, kind.name(), packet_words(packet)), self.canonical(next))
        };
        places.map(step).collect()
    }

    /// Which assertions a world violates, as the bits of a verdict.
    pub fn verdict(&self, world: &World) -> Verdict {
        let mut bits = Vec::new();
        let mut states = world.nodes.iter().flatten().map(|(state, _)| *state);
        let panicked = world.nodes.contains(&None);
        if let Some(never) = self.case.never_sum {
            bits.push(!panicked && states.clone().sum::<u32>() == never);
        }
        if let Some(crowd) = &self.case.crowd {
            let alike = |packet: &&Packet| packet.2 == crowd.message;
            let count = world.packets.iter().filter(alike).count();
            let applies = states.next_back() == Some(crowd.state);
            bits.push(!panicked && applies && count > crowd.most);
        }
        if let Some(severed) = self.case.severed {
            let last = world.nodes.last().and_then(Option::as_ref).map(|(state, _)| *state);
            let applies = last == Some(severed) && !panicked;
            bits.push(applies && world.down.contains(&self.case.first_link()));
        }
        bits.push(panicked);
        let places = bits.into_iter().enumerate();
        Verdict(places.fold(0, |sum, (bit, violated)| sum | u64::from(violated) << bit))
    }

    /// The ranks of a world by all rankings of the scenario.
    pub fn ranks(&self, world: &World) -> Vec<Vec<i64>> {
        let running = |node: &Node| node.clone().expect("it runs");
        let sum = world.nodes.iter().map(|node| running(node).0).sum::<u32>();
        let packets = world.packets.len() as i64;
        let (state, timers) = running(&world.nodes[0]);
        let shown = if state == 1 { packets } else { 0 };
        vec![vec![i64::from(sum)], vec![packets], vec![timers.len() as i64, shown]]
    }
}

/// How the space describes the call of a handler.
fn label(node: u32, input: Input, Branch { choices, audiences, .. }: &Branch) -> Label {
    let words = |what: &str, value: u8| vec![(what.to_owned(), value.to_string())];
    let (kind, mut words) = match input {
        Input::Start => unreachable!("nodes start before the first event"),
        Input::Restart => ("reboot", Vec::new()),
        // The packet is described by whoever knows all of it.
        Input::Message { .. } => ("deliver", Vec::new()),
        Input::Undeliverable { .. } => ("undeliverable", Vec::new()),
        Input::Timer(timer) => ("timer", words("timer", timer)),
        Input::Command(command) => ("command", words("command", command)),
    };
    if !choices.is_empty() {
        words.push(("choices".to_owned(), format!("{choices:?}")));
    }
    if !audiences.is_empty() {
        let heard: Vec<String> = audiences.iter().map(|audience| heard_by(audience)).collect();
        words.push((AUDIENCE.to_owned(), heard.join("; ")));
    }
    (node, kind, words)
}

/// The name of the parameter of an event that says which nodes heard its broadcasts.
const AUDIENCE: &str = "audience";

fn heard_by(audience: &[u32]) -> String {
    let nodes: Vec<String> = audience.iter().map(|node| format!("n{node}")).collect();
    if nodes.is_empty() {
        "heard by no node".to_owned()
    } else {
        format!("heard by {}", nodes.join(", "))
    }
}

/// The packets in mailboxes, by receiver. The oldest of too many packets are displaced.
fn in_mailboxes(packets: &[Packet], capacity: usize) -> Vec<Packet> {
    let mut mailboxes: BTreeMap<u32, VecDeque<Packet>> = BTreeMap::new();
    for &packet in packets {
        let mailbox = mailboxes.entry(packet.1).or_default();
        if mailbox.len() == capacity {
            mailbox.pop_front();
        }
        mailbox.push_back(packet);
    }
    mailboxes.into_values().flatten().collect()
}

/// A step that is about a packet.
fn about(packet: Packet, ((node, kind, mut words), next): (Label, World)) -> (Label, World) {
    words.splice(..0, packet_words(packet));
    ((node, kind, words), next)
}

fn packet_words((from, to, message): Packet) -> Vec<(String, String)> {
    vec![
        ("from".to_owned(), format!("n{from}")),
        ("to".to_owned(), format!("n{to}")),
        ("message".to_owned(), message.to_string()),
    ]
}

/// The world with one fault less to come, if there is one left.
fn spend(world: &World, which: usize) -> Option<World> {
    let mut spent = world.clone();
    if let Some(times) = &mut spent.left[which] {
        *times = times.checked_sub(1)?;
    }
    Some(spent)
}

/// All that a breadth-first search must find.
pub struct Truth {
    /// The distinct worlds by the length of the shortest run to them, to the depth bound.
    pub levels: Vec<HashSet<World>>,
    pub events: u64,
    pub unsafe_events: u64,
    /// Whether a world at the depth bound is safe, met before or not.
    pub safe_at_bound: bool,
    /// The length of the shortest run that violates an assertion.
    pub shortest: Option<usize>,
    /// All that handlers are executed on: node, state, timers, input, answers.
    pub inputs: HashSet<String>,
}

impl Truth {
    pub fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// New states per depth, as an exploration prints them.
    pub fn counts(&self, levels: usize) -> Vec<u64> {
        let counts = self.levels[..levels].iter();
        let mut counts: Vec<u64> = counts.map(|level| level.len() as u64).collect();
        while counts.last() == Some(&0) {
            counts.pop();
        }
        counts
    }
}

pub fn truth(oracle: &Oracle<'_>) -> Truth {
    let (unsafe_ones, safe): (Vec<_>, Vec<_>) =
        oracle.initial().into_iter().partition(|world| !oracle.verdict(world).is_safe());
    let mut truth = Truth {
        levels: vec![safe.into_iter().collect()],
        events: 0,
        unsafe_events: 0,
        safe_at_bound: false,
        shortest: (!unsafe_ones.is_empty()).then_some(0),
        inputs: HashSet::new(),
    };
    while truth.levels.len() <= DEPTH && truth.levels[truth.depth()].len() <= LEVEL_MAX {
        let mut next = HashSet::new();
        truth.safe_at_bound = false;
        for world in truth.levels[truth.depth()].clone() {
            for (label, successor) in oracle.successors(&world) {
                truth.events += 1;
                if !matches!(label.1, "lose" | "duplicate" | "link-down" | "link-up") {
                    let (at, kind, mut words) = label;
                    // An audience is decided after the execution.
                    words.retain(|(name, _)| name != AUDIENCE);
                    let node = &world.nodes[at as usize];
                    truth.inputs.insert(format!("{node:?} {at} {kind} {words:?}"));
                }
                if !oracle.verdict(&successor).is_safe() {
                    truth.unsafe_events += 1;
                    truth.shortest.get_or_insert(truth.levels.len());
                    continue;
                }
                truth.safe_at_bound = true;
                if !truth.levels.iter().any(|level| level.contains(&successor)) {
                    next.insert(successor);
                }
            }
        }
        truth.levels.push(next);
    }
    truth
}
