//! A brute-force explorer, by the rules of `docs/modelling.md` and `docs/exploring.md`.
//!
//! It knows nothing of Everypath but the tables of a case. Worlds are plain lists and sets; nothing
//! is shared, packed or memoised.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use crate::{
    conditions::{Conditions, Pattern},
    formula::{View, Which},
    protocol::{Action, Input, Reaction, Then},
    scenario::{Allowed, Case, Hearers, KINDS, Order, Said},
};

/// The built-in assertion.
pub const NO_PANIC: &str = "no handler panics";
/// The assertion that there is no deadlock.
pub const NEVER_STUCK: &str = "something can always happen";

/// The largest bound on the length of runs, since many cases count for ever.
const DEPTH_MAX: u32 = 40;

const WORDS: [&str; 3] = ["Ask", "Tell", "Stop"];
const TIMERS: [&str; 2] = ["Tick", "Tock"];
const COMMANDS: [&str; 2] = ["Go", "Halt"];

/// A node: running, or broken by a panic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Running { value: u8, disk: u8, timers: BTreeSet<usize> },
    Panicked(Why),
}

/// Why a handler panics.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    Told,
    NoNeighbour { to: usize, word: usize },
}

/// A packet in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Flying {
    from: usize,
    to: usize,
    word: usize,
}

/// The remaining fault budget; `None` without a limit.
type StillAllowed = Option<u32>;

/// A world, with the parts of its past that matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    nodes: Vec<Node>,
    flight: Vec<Flying>,
    down: BTreeSet<(usize, usize)>,
    losses: StillAllowed,
    duplications: StillAllowed,
    reboots: StillAllowed,
    timeouts: Vec<u32>,
    failures: StillAllowed,
    comebacks: StillAllowed,
    happened: bool,
}

/// An event, as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Happening {
    /// The name of its kind.
    pub kind: &'static str,
    /// Its node.
    pub node: usize,
    /// Its parameters.
    pub parameters: Vec<(String, String)>,
}

/// A state as text: named parts, sorted where order has no meaning.
pub type Reading = BTreeMap<String, Vec<String>>;

/// How a handler ended.
struct Ending {
    choices: Vec<u32>,
    /// The nodes that hear each broadcast, if not all neighbours do.
    audiences: Vec<Vec<usize>>,
    sent: Vec<Flying>,
    result: Result<Left, Why>,
}

/// A message that a handler sends.
#[derive(Clone, Copy)]
enum Sent {
    One(Flying),
    Broadcast(usize),
}

/// The result of a handler.
#[derive(Clone)]
struct Left {
    value: u8,
    disk: u8,
    /// The timers that it set or unset, in order.
    timers: Vec<(usize, bool)>,
}

/// The truth about a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The bound on the length of runs; `None` without one.
    pub bound: Option<u32>,
    /// The number of worlds by depth.
    pub states: Vec<u64>,
    /// The number of events to each depth.
    pub events: Vec<u64>,
    /// Those of them that lead to explored worlds.
    pub safe_events: Vec<u64>,
    /// By kind: events, and worlds in which at least one can happen.
    pub kinds: BTreeMap<&'static str, (u64, u64)>,
    /// Events to a world that breaks an assertion.
    pub unsafe_events: u64,
    /// The same, and ends, without the required event.
    pub without_required: u64,
    /// Worlds without an enabled event.
    pub ends: u64,
    /// Pruned worlds.
    pub pruned: u64,
    /// For each violated assertion: how often, and after how few events.
    pub violations: BTreeMap<String, (u64, u32)>,
    /// For each reached goal: after how few events.
    pub goals: BTreeMap<String, u32>,
}

impl Truth {
    /// All worlds.
    #[must_use]
    pub fn all_states(&self) -> u64 {
        self.states.iter().sum()
    }

    /// All events.
    #[must_use]
    pub fn all_events(&self) -> u64 {
        self.events.iter().sum()
    }

    /// Whether there are worlds at the bound.
    #[must_use]
    pub fn reaches_bound(&self) -> bool {
        self.at_bound(&self.states) > 0
    }

    /// Safe events to the bound.
    #[must_use]
    pub fn deepest_events(&self) -> u64 {
        self.at_bound(&self.safe_events)
    }

    fn at_bound(&self, counts: &[u64]) -> u64 {
        self.bound.and_then(|bound| counts.get(bound as usize)).copied().unwrap_or(0)
    }

    fn violated(&mut self, name: &str, depth: u32) {
        self.violations.entry(name.to_owned()).or_insert((0, depth)).0 += 1;
    }
}

/// A case under conditions, to be explored.
pub struct Oracle<'a> {
    case: &'a Case,
    conditions: &'a Conditions,
}

/// A state with its links.
pub struct Linked<'a>(&'a Case, &'a State);

impl View for Linked<'_> {
    fn value(&self, node: usize) -> u8 {
        self.1.value(node)
    }

    fn disk(&self, node: usize) -> u8 {
        match self.1.nodes[node] {
            Node::Running { disk, .. } => disk,
            Node::Panicked(_) => unreachable!("{NOT_ASKED}"),
        }
    }

    fn is_set(&self, node: usize, timer: usize) -> bool {
        matches!(&self.1.nodes[node], Node::Running { timers, .. } if timers.contains(&timer))
    }

    fn packets(&self, which: &Which) -> usize {
        self.1.flight.iter().filter(|it| which.has(it.from, it.to, it.word)).count()
    }

    fn is_up(&self, a: usize, b: usize) -> bool {
        self.0.are_linked(a, b) && !self.1.is_down(a, b)
    }
}

const NOT_ASKED: &str = "nothing is asked of a world with a broken node";

impl State {
    /// The state for formulas, unless a handler has panicked in it.
    #[must_use]
    pub fn view<'a>(&'a self, case: &'a Case) -> Option<Linked<'a>> {
        (!Oracle::has_panicked(self)).then_some(Linked(case, self))
    }

    fn value(&self, node: usize) -> u8 {
        match self.nodes[node] {
            Node::Running { value, .. } => value,
            Node::Panicked(_) => unreachable!("{NOT_ASKED}"),
        }
    }

    fn is_down(&self, a: usize, b: usize) -> bool {
        self.down.contains(&(a.min(b), a.max(b)))
    }
}

impl<'a> Oracle<'a> {
    /// A case under conditions.
    #[must_use]
    pub fn new(case: &'a Case, conditions: &'a Conditions) -> Self {
        Self { case, conditions }
    }

    /// Explores all runs of at most `bound` events, or a smaller bound: it stops at a sufficient
    /// number of worlds, and never exceeds the limit.
    #[must_use]
    pub fn explore(&self, bound: Option<u32>, worlds: RangeInclusive<usize>) -> Truth {
        let mut truth = Truth { bound, ..Truth::default() };
        let mut known: BTreeSet<State> = BTreeSet::new();
        let mut level = Vec::new();
        for state in self.initial() {
            if self.judge(&mut truth, &state, 0) && known.insert(state.clone()) {
                level.push(state);
            }
        }
        truth.states.push(level.len() as u64);
        let mut depth = 0;
        while truth.bound != Some(depth) && !level.is_empty() {
            let before = truth.clone();
            depth += 1;
            truth.events.resize(depth as usize + 1, 0);
            truth.safe_events.resize(depth as usize + 1, 0);
            let mut next = Vec::new();
            for state in level {
                self.expand(&mut truth, &state, depth, &mut |state| {
                    if known.insert(state.clone()) {
                        next.push(state);
                    }
                });
                if known.len() > *worlds.end() {
                    return Truth { bound: Some(depth - 1), ..before };
                }
            }
            level = next;
            truth.states.push(level.len() as u64);
            let enough = depth == DEPTH_MAX || known.len() >= *worlds.start();
            if enough && !level.is_empty() {
                truth.bound = Some(depth);
            }
        }
        truth
    }

    /// Judges a reached world; returns whether it is stored and explored.
    fn judge(&self, truth: &mut Truth, state: &State, depth: u32) -> bool {
        let broken = self.broken(state);
        if !broken.is_empty() {
            if !self.counts(state) {
                truth.without_required += 1;
            } else {
                truth.unsafe_events += u64::from(depth > 0);
                broken.iter().for_each(|name| truth.violated(name, depth));
                return false;
            }
        }
        for goal in &self.case.goals {
            if self.holds(goal, state) {
                truth.goals.entry(goal.name.clone()).or_insert(depth);
            }
        }
        true
    }

    /// Takes all steps out of a world to `depth`.
    fn expand(
        &self,
        truth: &mut Truth,
        state: &State,
        depth: u32,
        reached: &mut impl FnMut(State),
    ) {
        if self.is_pruned(state) {
            truth.pruned += 1;
            return;
        }
        let steps = self.steps(state);
        for kind in KINDS {
            let events = steps.iter().filter(|(event, _)| event.kind == kind).count() as u64;
            if events > 0 {
                let count = truth.kinds.entry(kind).or_default();
                *count = (count.0 + events, count.1 + 1);
            }
        }
        if steps.is_empty() {
            truth.ends += 1;
            let broken = self.broken_at_end(state);
            if !broken.is_empty() && !self.counts(state) {
                truth.without_required += 1;
            } else {
                broken.iter().for_each(|name| truth.violated(name, depth - 1));
            }
        }
        truth.events[depth as usize] += steps.len() as u64;
        for (_, next) in steps {
            if self.judge(truth, &next, depth) {
                truth.safe_events[depth as usize] += 1;
                reached(next);
            }
        }
    }

    fn holds(&self, said: &Said, state: &State) -> bool {
        said.formula.holds(self.case.nodes, &Linked(self.case, state))
    }

    fn has_panicked(state: &State) -> bool {
        state.nodes.iter().any(|node| matches!(node, Node::Panicked(_)))
    }

    /// The assertions that a world breaks.
    fn broken(&self, state: &State) -> Vec<String> {
        if Self::has_panicked(state) {
            return vec![NO_PANIC.to_owned()];
        }
        let said = self.case.assertions.iter().filter(|said| !self.holds(said, state));
        let view = Linked(self.case, state);
        let bounds = self.case.bounds.iter().filter(|bound| {
            bound.number.of(self.case.nodes, &view) > bound.most.of(self.case.nodes, &view)
        });
        said.map(|said| said.name.clone()).chain(bounds.map(|bound| bound.name.clone())).collect()
    }

    /// The assertions that a world breaks by being an end.
    fn broken_at_end(&self, state: &State) -> Vec<String> {
        let said = self.case.ends.iter().filter(|said| !self.holds(said, state));
        let stuck = self.conditions.deadlock.then(|| NEVER_STUCK.to_owned());
        said.map(|said| said.name.clone()).chain(stuck).collect()
    }

    /// Whether a violation counts; a panic always does.
    fn counts(&self, state: &State) -> bool {
        self.conditions.required.is_none() || state.happened || Self::has_panicked(state)
    }

    fn is_pruned(&self, state: &State) -> bool {
        !Self::has_panicked(state)
            && self.case.prunings.iter().any(|pruning| self.holds(pruning, state))
    }

    /// Whether a world violates an assertion in a way that counts.
    #[must_use]
    pub fn violates(&self, state: &State, assertion: &str) -> bool {
        let at_end = || {
            !Self::has_panicked(state)
                && !self.is_pruned(state)
                && self.steps(state).is_empty()
                && self.broken_at_end(state).iter().any(|name| name == assertion)
        };
        self.counts(state) && (self.broken(state).iter().any(|name| name == assertion) || at_end())
    }

    /// Whether a world reaches a goal.
    #[must_use]
    pub fn reaches(&self, state: &State, goal: &str) -> bool {
        let goals = &mut self.case.goals.iter();
        !Self::has_panicked(state) && goals.any(|said| said.name == goal && self.holds(said, state))
    }

    /// The initial worlds: all combinations of choices at the start of nodes. Where packets displace each
    /// other, several combinations can make one world.
    #[must_use]
    pub fn initial(&self) -> Vec<State> {
        let faults = &self.case.faults;
        let left = |allowed| match allowed {
            Allowed::Times(times) => Some(times),
            Allowed::Always => None,
        };
        let mut all = vec![State {
            nodes: Vec::new(),
            flight: Vec::new(),
            down: BTreeSet::new(),
            losses: left(faults.loss),
            duplications: left(faults.duplication),
            reboots: left(faults.reboot),
            timeouts: self.case.timeouts.iter().map(|&(_, most)| most).collect(),
            failures: left(faults.failure),
            comebacks: left(faults.comeback),
            happened: false,
        }];
        for node in 0..self.case.nodes {
            let mut ways = BTreeSet::new();
            let asleep = Node::Running { value: 0, disk: 0, timers: BTreeSet::new() };
            for ending in self.handle(node, &asleep, Input::Start) {
                let sent = if ending.result.is_ok() { ending.sent.clone() } else { Vec::new() };
                ways.insert((after(&asleep, Input::Start, &ending), sent));
            }
            all = all
                .into_iter()
                .flat_map(|state| ways.iter().map(move |way| (state.clone(), way.clone())))
                .map(|(mut state, (way, sent))| {
                    state.nodes.push(way);
                    self.send(&mut state, sent);
                    state
                })
                .collect();
        }
        let mut known = BTreeSet::new();
        all.retain(|state| known.insert(state.clone()));
        all
    }

    /// All steps out of a world.
    #[must_use]
    pub fn steps(&self, state: &State) -> Vec<(Happening, State)> {
        if Self::has_panicked(state) || self.is_pruned(state) {
            return Vec::new();
        }
        let mut steps = Vec::new();
        for node in 0..self.case.nodes {
            self.local_steps(state, node, &mut steps);
        }
        self.packet_steps(state, &mut steps);
        self.link_steps(state, &mut steps);
        steps.retain(|(event, _)| {
            !self.conditions.disabled.iter().any(|pattern| means(pattern, event))
                && self.is_assumed(state, event)
        });
        for (event, next) in &mut steps {
            let required = self.conditions.required.as_ref();
            next.happened |= required.is_some_and(|pattern| means(pattern, event));
        }
        steps
    }

    fn is_assumed(&self, state: &State, event: &Happening) -> bool {
        self.case.assumptions.iter().all(|assumed| {
            let is_meant = assumed.kind.is_none_or(|kind| kind == event.kind)
                && assumed.node.is_none_or(|node| node == event.node);
            !is_meant || assumed.only_if.holds(self.case.nodes, &Linked(self.case, state))
        })
    }

    /// Commands, timers and reboots.
    fn local_steps(&self, state: &State, node: usize, steps: &mut Vec<(Happening, State)>) {
        let Node::Running { value, disk, timers } = &state.nodes[node] else { return };
        for &command in self.case.table.commands(node, *value, *disk) {
            let parameters = vec![("command".to_owned(), COMMANDS[command].to_owned())];
            let event = Happening { kind: "command", node, parameters };
            self.handled(state, event, node, Input::Command(command), steps);
        }
        for &timer in timers {
            let parameters = vec![("timer".to_owned(), TIMERS[timer].to_owned())];
            let event = Happening { kind: "timer", node, parameters };
            let mut fired = Vec::new();
            self.handled(state, event, node, Input::Timer(timer), &mut fired);
            for (event, mut next) in fired {
                let timeouts = self.case.timeouts.iter().zip(&mut next.timeouts);
                let mut limits = timeouts.filter(|((timers, _), _)| means(timers, &event));
                if limits.all(|(_, left)| left.checked_sub(1).map(|less| *left = less).is_some()) {
                    steps.push((event, next));
                }
            }
        }
        let may_reboot = self.case.rebooting.as_ref().is_none_or(|nodes| nodes.contains(&node));
        if state.reboots != Some(0) && may_reboot {
            let mut rebooted = state.clone();
            spend(&mut rebooted.reboots);
            let event = Happening { kind: "reboot", node, parameters: Vec::new() };
            self.handled(&rebooted, event, node, Input::Restart, steps);
        }
    }

    /// The steps of a handler's execution, one for each combination of choices.
    fn handled(
        &self,
        state: &State,
        event: Happening,
        node: usize,
        input: Input,
        steps: &mut Vec<(Happening, State)>,
    ) {
        for ending in self.handle(node, &state.nodes[node], input) {
            let mut event = event.clone();
            if !ending.choices.is_empty() {
                event.parameters.push(("choices".to_owned(), format!("{:?}", ending.choices)));
            }
            if !ending.audiences.is_empty() {
                let heard: Vec<String> = ending.audiences.iter().map(|all| heard_by(all)).collect();
                event.parameters.push(("audience".to_owned(), heard.join("; ")));
            }
            let mut next = state.clone();
            next.nodes[node] = after(&state.nodes[node], input, &ending);
            if ending.result.is_ok() {
                self.send(&mut next, ending.sent);
            }
            steps.push((event, next));
        }
    }

    /// The possible audiences of a node's broadcasts.
    fn audiences(&self, node: usize) -> BTreeSet<Vec<usize>> {
        let neighbours: Vec<usize> =
            (0..self.case.nodes).filter(|&to| self.case.are_linked(node, to)).collect();
        match &self.case.hearers {
            Hearers::All => [neighbours].into(),
            Hearers::OneOf(sets) => sets[node].iter().cloned().collect(),
            Hearers::AtMost(most) => {
                let mut subsets = vec![Vec::new()];
                for node in neighbours {
                    let with = |set: &Vec<usize>| [&set[..], &[node]].concat();
                    let larger: Vec<_> = subsets.iter().map(with).collect();
                    subsets.extend(larger);
                }
                subsets.into_iter().filter(|set| set.len() <= *most).collect()
            }
        }
    }

    /// Executes a handler with every combination of choices and audiences.
    fn handle(&self, node: usize, at: &Node, input: Input) -> Vec<Ending> {
        let Node::Running { value, disk, .. } = at else { return Vec::new() };
        let reaction = self.case.table.reaction(node, *value, *disk, input);
        let mut endings = Vec::new();
        self.follow(node, reaction, &[], &[], &[], &mut endings);
        endings
    }

    fn follow(
        &self,
        node: usize,
        reaction: &Reaction,
        choices: &[u32],
        sent: &[Sent],
        timers: &[(usize, bool)],
        endings: &mut Vec<Ending>,
    ) {
        let (mut sent, mut timers) = (sent.to_vec(), timers.to_vec());
        let mut ends = |result: Result<Left, Why>, sent: &[Sent]| {
            for (audiences, sent) in self.heard(node, sent) {
                let (choices, result) = (choices.to_vec(), result.clone());
                endings.push(Ending { choices, audiences, sent, result });
            }
        };
        for action in &reaction.actions {
            match *action {
                Action::Send(to, word) | Action::SendWithin(to, word) => {
                    if self.case.receivers.is_none() && !self.case.are_linked(node, to) {
                        return ends(Err(Why::NoNeighbour { to, word }), &[]);
                    }
                    sent.push(Sent::One(Flying { from: node, to, word }));
                }
                Action::Broadcast(word) => sent.push(Sent::Broadcast(word)),
                Action::Set(timer) | Action::Prolong(timer) => timers.push((timer, true)),
                Action::Cancel(timer) => timers.push((timer, false)),
                Action::Count => {}
            }
        }
        match &reaction.then {
            Then::Become(value, disk) => {
                ends(Ok(Left { value: *value, disk: *disk, timers }), &sent);
            }
            Then::Panic => ends(Err(Why::Told), &[]),
            Then::Choose(ways) => {
                for (choice, way) in (0..).zip(ways) {
                    let choices = [choices, &[choice]].concat();
                    self.follow(node, way, &choices, &sent, &timers, endings);
                }
            }
        }
    }

    /// The packets of messages, for every combination of audiences of the broadcasts among them.
    fn heard(&self, node: usize, sent: &[Sent]) -> Vec<(Vec<Vec<usize>>, Vec<Flying>)> {
        let mut all = vec![(Vec::new(), Vec::new())];
        for sending in sent {
            match *sending {
                Sent::One(packet) => all.iter_mut().for_each(|(_, packets)| packets.push(packet)),
                Sent::Broadcast(word) => {
                    let mut longer = Vec::new();
                    for (audiences, packets) in all {
                        for audience in self.audiences(node) {
                            let new = audience.iter().map(|&to| Flying { from: node, to, word });
                            let packets = packets.iter().copied().chain(new).collect();
                            let is_decided = self.case.hearers != Hearers::All;
                            let heard = is_decided.then_some(audience.clone());
                            let audiences = audiences.iter().cloned().chain(heard).collect();
                            longer.push((audiences, packets));
                        }
                    }
                    all = longer;
                }
            }
        }
        all
    }

    /// Puts packets in flight, in order.
    fn send(&self, state: &mut State, sent: Vec<Flying>) {
        for packet in sent {
            if self.has_room(state, packet) {
                state.flight.push(packet);
            } else if self.case.room.is_some_and(|room| room.oldest) {
                // Packets of one link stay in the order in which they were sent.
                let same = |it: &Flying| (it.from, it.to) == (packet.from, packet.to);
                let oldest = state.flight.iter().position(same).expect("a full link has packets");
                state.flight.remove(oldest);
                state.flight.push(packet);
            }
        }
        self.sort(state);
    }

    /// Whether one more packet finds room beside those to the same node from the same node.
    fn has_room(&self, state: &State, packet: Flying) -> bool {
        let beside = state.flight.iter().filter(|it| (it.from, it.to) == (packet.from, packet.to));
        self.case.room.is_none_or(|room| beside.count() < room.most)
    }

    /// Puts the packets in flight into the order in which they are compared, and displaces those
    /// that find no place in a mailbox: the oldest.
    fn sort(&self, state: &mut State) {
        match self.case.order {
            Order::Unordered => state.flight.sort_unstable(),
            // Only the order between the same two nodes matters.
            Order::Fifo => state.flight.sort_by_key(|packet| (packet.from, packet.to)),
            Order::List => {}
            Order::Inbox(capacity) => {
                state.flight.sort_by_key(|packet| packet.to);
                let all = state.flight.clone();
                let later = |place: usize| {
                    let newer = all[place + 1..].iter();
                    newer.filter(|packet| packet.to == all[place].to).count()
                };
                let kept = (0..all.len()).filter(|&place| later(place) < usize::from(capacity));
                state.flight = kept.map(|place| all[place]).collect();
            }
        }
    }

    /// The nodes that can receive a packet now.
    fn receivers(&self, state: &State, packet: Flying) -> BTreeSet<usize> {
        match &self.case.receivers {
            None => [packet.to].into(),
            Some(receivers) => {
                let value = state.value(packet.from);
                receivers.of(packet.from, value, packet.to, packet.word).iter().copied().collect()
            }
        }
    }

    /// The places of packets that can be next: in an unordered network, one of several equal
    /// packets; in a queue, the first.
    fn next_ones(&self, state: &State) -> Vec<usize> {
        let places = 0..state.flight.len();
        let is_next = |&place: &usize| {
            let packet = state.flight[place];
            let before = &state.flight[..place];
            match self.case.order {
                Order::Unordered => !before.contains(&packet),
                Order::Fifo => {
                    !before.iter().any(|it| (it.from, it.to) == (packet.from, packet.to))
                }
                Order::Inbox(_) => !before.iter().any(|it| it.to == packet.to),
                Order::List => true,
            }
        };
        places.filter(is_next).collect()
    }

    /// Events of packets.
    fn packet_steps(&self, state: &State, steps: &mut Vec<(Happening, State)>) {
        // In a list, the first that can be received, lost, … at a node.
        let mut served = BTreeSet::new();
        let mut is_first = |kind: &'static str, node: usize| {
            let first = served.insert((kind, node));
            first || self.case.order != Order::List
        };
        for place in self.next_ones(state) {
            let packet = state.flight[place];
            let receivers = self.receivers(state, packet);
            let is_down = |&node: &usize| state.is_down(packet.from, node);
            let parameters = vec![
                ("from".to_owned(), format!("n{}", packet.from)),
                ("to".to_owned(), format!("n{}", packet.to)),
                ("message".to_owned(), format!("{}(_)", WORDS[packet.word])),
            ];
            let event = |kind, node| Happening { kind, node, parameters: parameters.clone() };
            let mut without = state.clone();
            without.flight.remove(place);
            for &node in receivers.iter().filter(|node| !is_down(node)) {
                if is_first("deliver", node) {
                    let input = Input::Message(packet.from, packet.word);
                    self.handled(&without, event("deliver", node), node, input, steps);
                }
            }
            if receivers.iter().any(is_down) && is_first("undeliverable", packet.from) {
                let input = Input::Undeliverable(packet.to, packet.word);
                let event = event("undeliverable", packet.from);
                self.handled(&without, event, packet.from, input, steps);
            }
            let waits = !receivers.is_empty() && receivers.iter().all(is_down);
            if !waits && state.losses != Some(0) && is_first("lose", packet.to) {
                let mut next = without.clone();
                spend(&mut next.losses);
                steps.push((event("lose", packet.to), next));
            }
            if !waits && state.duplications != Some(0) && is_first("duplicate", packet.to) {
                let mut next = state.clone();
                if self.has_room(state, packet) {
                    next.flight.insert(place + 1, packet);
                    self.sort(&mut next);
                }
                spend(&mut next.duplications);
                steps.push((event("duplicate", packet.to), next));
            }
        }
    }

    /// Links that fail and come back.
    fn link_steps(&self, state: &State, steps: &mut Vec<(Happening, State)>) {
        if !self.case.links_fail() {
            return;
        }
        for &(a, b) in &self.case.links {
            let parameters = vec![("link".to_owned(), format!("n{a}–n{b}"))];
            let mut next = state.clone();
            if next.down.remove(&(a, b)) {
                if state.comebacks != Some(0) {
                    spend(&mut next.comebacks);
                    steps.push((Happening { kind: "link-up", node: a, parameters }, next));
                }
            } else if state.failures != Some(0) {
                next.down.insert((a, b));
                spend(&mut next.failures);
                steps.push((Happening { kind: "link-down", node: a, parameters }, next));
            }
        }
    }

    /// A world as text.
    #[must_use]
    pub fn reading(&self, state: &State) -> Reading {
        let mut reading = Reading::new();
        for (number, node) in state.nodes.iter().enumerate() {
            match node {
                Node::Running { value, disk, timers } => {
                    let text = format!("Local {{ value: {value}, disk: {disk}, seen: _ }}");
                    reading.insert(format!("n{number}"), vec![text]);
                    let timers = timers.iter().map(|&timer| TIMERS[timer].to_owned()).collect();
                    reading.insert(format!("n{number} timers"), timers);
                }
                Node::Panicked(_) => {
                    reading.insert(format!("n{number}"), vec!["Panicked".to_owned()]);
                }
            }
        }
        let mut packets: Vec<String> = state
            .flight
            .iter()
            .map(|packet| format!("{}(_) n{}→n{}", WORDS[packet.word], packet.from, packet.to))
            .collect();
        packets.sort_unstable();
        reading.insert("network".to_owned(), packets);
        if self.case.links_fail() && !self.case.links.is_empty() {
            let down = state.down.iter().map(|(a, b)| format!("n{a}–n{b}")).collect();
            reading.insert("links down".to_owned(), down);
        }
        if self.conditions.required.is_some() {
            let has = if state.happened { "has happened" } else { "has not happened" };
            reading.insert("required event".to_owned(), vec![has.to_owned()]);
        }
        reading
    }
}

fn spend(left: &mut StillAllowed) {
    if let Some(times) = left {
        *times -= 1;
    }
}

fn heard_by(audience: &[usize]) -> String {
    match audience {
        [] => "heard by no node".to_owned(),
        nodes => {
            let nodes: Vec<String> = nodes.iter().map(|node| format!("n{node}")).collect();
            format!("heard by {}", nodes.join(", "))
        }
    }
}

/// A node after a handler has ended.
fn after(before: &Node, input: Input, ending: &Ending) -> Node {
    let Left { value, disk, timers: changes } = match &ending.result {
        Ok(done) => done,
        Err(why) => return Node::Panicked(why.clone()),
    };
    let mut timers = match (before, input) {
        (Node::Running { timers, .. }, Input::Timer(fired)) => {
            timers.iter().copied().filter(|&timer| timer != fired).collect()
        }
        // A starting node has no timers.
        (_, Input::Start | Input::Restart) | (Node::Panicked(_), _) => BTreeSet::new(),
        (Node::Running { timers, .. }, _) => timers.clone(),
    };
    for &(timer, set) in changes {
        if set {
            timers.insert(timer)
        } else {
            timers.remove(&timer)
        };
    }
    Node::Running { value: *value, disk: *disk, timers }
}

/// Whether a pattern matches an event.
fn means(pattern: &Pattern, event: &Happening) -> bool {
    pattern.kind.is_none_or(|kind| kind == event.kind)
        && pattern.node.is_none_or(|node| node == event.node)
        && pattern
            .about
            .as_ref()
            .is_none_or(|about| event.parameters.iter().any(|(_, value)| value.contains(about)))
}
