//! Spaces that are written down whole: small random graphs with everything a space can have.

use std::{
    fmt,
    io::{self, Read, Write},
};

use everypath_explore::{
    Described, EventId, EventText, Guided, Judged, Measured, PartText, Related, Saved, Space,
    StateId, StateText, Step, Trace, Verdict,
};
use proptest::prelude::*;

/// How many assertions, goals and kinds of events a graph has.
pub const ASSERTIONS: usize = 2;
pub const GOALS: usize = 4;
pub const KINDS: u64 = 3;

/// One state with all that a search may ask of it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// A label and where it leads.
    pub edges: Vec<(u64, usize)>,
    pub verdict: u64,
    pub verdict_at_end: u64,
    pub goals: u64,
    /// Whether a violation here does not count.
    pub uncounted: bool,
    pub pruned: bool,
    pub ranks: [i64; 3],
    /// What the relation compares: a key that must be equal, and a set that must be included.
    pub key: u64,
    pub set: u64,
}

#[derive(Clone, Default)]
pub struct Graph {
    pub initial: Vec<usize>,
    pub nodes: Vec<Node>,
}

/// One line for a state, without what is not unusual.
impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "from {:?}", self.initial)?;
        for (at, node) in self.nodes.iter().enumerate() {
            write!(f, "{at}: {:?} ranks {:?}", node.edges, node.ranks)?;
            let numbers = [
                ("verdict", node.verdict),
                ("at end", node.verdict_at_end),
                ("goals", node.goals),
                ("uncounted", node.uncounted.into()),
                ("pruned", node.pruned.into()),
                ("key", node.key),
                ("set", node.set),
            ];
            for (name, number) in numbers.into_iter().filter(|(_, number)| *number != 0) {
                write!(f, ", {name} {number}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Graph {
    /// The edges that a search may take out of a state.
    pub fn edges(&self, state: usize) -> &[(u64, usize)] {
        let node = &self.nodes[state];
        if node.pruned { &[] } else { &node.edges }
    }

    /// A large graph that a number determines.
    pub fn scattered(states: u64, edges: u64, seed: u64) -> Self {
        let node = |state: u64| {
            let number = |what: u64| mix(mix(seed ^ state) ^ what);
            let edges = (0..number(0) % (edges + 1))
                .map(|edge| (edge, (number(100 + edge) % states) as usize));
            Node {
                edges: edges.collect(),
                // Rare enough for a long search, frequent enough for several violations.
                verdict: if state > 0 && number(1).is_multiple_of(300) { 1 } else { 0 },
                verdict_at_end: if number(2).is_multiple_of(40) { 2 } else { 0 },
                goals: if number(3).is_multiple_of(100) { 1 << (number(4) % 4) } else { 0 },
                pruned: state > 0 && number(5).is_multiple_of(50),
                ranks: [6, 7, 8].map(|what| (number(what) % 5) as i64),
                key: number(9) % 7,
                ..Node::default()
            }
        };
        Self { initial: vec![0], nodes: (0..states).map(node).collect() }
    }

    /// A line of states.
    pub fn chain(states: usize) -> Self {
        let edges = |state: usize| (state + 1 < states).then_some((0, state + 1));
        let node = |state| Node { edges: edges(state).into_iter().collect(), ..Node::default() };
        Self { initial: vec![0], nodes: (0..states).map(node).collect() }
    }

    /// Rows of states from each of which one can go right, down, left and up; the last is unsafe.
    pub fn grid(width: usize, height: usize) -> Self {
        let mut nodes = Vec::new();
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let at = y * width + x;
            let edges = [
                (x + 1 < width).then(|| (0, at + 1)),
                (y + 1 < height).then(|| (1, at + width)),
                (x > 0).then(|| (2, at - 1)),
                (y > 0).then(|| (3, at.wrapping_sub(width))),
            ];
            nodes.push(Node { edges: edges.into_iter().flatten().collect(), ..Node::default() });
        }
        nodes.last_mut().unwrap().verdict = 1;
        Self { initial: vec![0], nodes }
    }

    /// Whether a trace is a run from an initial state through safe ones.
    pub fn assert_is_run(&self, trace: &Trace) {
        assert!(self.initial.contains(&index(trace.initial)), "starts at {:?}", trace.initial);
        for (before, step) in trace.transitions() {
            assert!(!self.breaks(index(before)), "a run ends where it is unsafe");
            let edge = (step.event.0, index(step.state));
            assert!(self.edges(index(before)).contains(&edge), "no edge {before:?} to {step:?}");
        }
    }

    /// Whether a state violates an assertion, and that counts. Others are explored like safe ones.
    pub fn breaks(&self, state: usize) -> bool {
        self.nodes[state].verdict != 0 && !self.nodes[state].uncounted
    }

    /// Whether a trace is a run that ends in a violation that counts.
    pub fn assert_is_violation(&self, trace: &Trace, assertion: usize) {
        self.assert_is_run(trace);
        let last = index(trace.last());
        let node = &self.nodes[last];
        let at_end = node.verdict == 0 && !node.pruned && self.edges(last).is_empty();
        let verdict = if at_end { node.verdict_at_end } else { node.verdict };
        assert!(verdict >> assertion & 1 == 1 && !node.uncounted, "{last} violates nothing");
    }
}

/// Scrambles a number.
pub fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Ids use both of their halves.
pub fn id(state: usize) -> StateId {
    let state = state as u64;
    StateId(((state % 3) << 32) | (state / 3))
}

pub fn index(state: StateId) -> usize {
    ((state.0 & 0xffff_ffff) * 3 + (state.0 >> 32)) as usize
}

/// A graph as a space, which notes what it is asked.
pub struct GraphSpace<'a> {
    pub graph: &'a Graph,
    /// Which states were expanded, in order.
    pub expanded: Vec<usize>,
    /// Which states were judged, in order.
    pub judged: Vec<usize>,
    /// After how many judged states the relation turns out to be unsound.
    pub unsound_after: Option<usize>,
    executions: u64,
}

impl<'a> GraphSpace<'a> {
    pub fn new(graph: &'a Graph) -> Self {
        Self { graph, expanded: Vec::new(), judged: Vec::new(), unsound_after: None, executions: 0 }
    }

    fn node(&self, state: StateId) -> &'a Node {
        &self.graph.nodes[index(state)]
    }
}

/// Equal keys and an included set.
pub const INCLUSION: usize = 0;

impl Space for GraphSpace<'_> {
    fn initial(&mut self, states: &mut Vec<StateId>) {
        states.extend(self.graph.initial.iter().map(|&state| id(state)));
    }

    fn expand(&mut self, states: &[StateId], steps: &mut Vec<Step>) {
        for (source, &state) in (0..).zip(states) {
            self.expanded.push(index(state));
            let edges = self.graph.edges(index(state));
            self.executions += edges.len() as u64;
            steps.extend(edges.iter().map(|&(label, target)| Step {
                source,
                event: EventId(label),
                target: id(target),
            }));
        }
    }

    fn contains(&self, state: StateId) -> bool {
        state.0 >> 32 < 3 && index(state) < self.graph.nodes.len()
    }

    fn event_kinds(&self) -> Vec<String> {
        (0..KINDS).map(|kind| format!("kind{kind}")).collect()
    }

    fn event_kind(&self, event: EventId) -> usize {
        (event.0 % KINDS) as usize
    }
}

impl Judged for GraphSpace<'_> {
    fn assertions(&self) -> Vec<String> {
        (0..ASSERTIONS).map(|assertion| format!("assertion {assertion}")).collect()
    }

    fn verdict(&mut self, state: StateId) -> Verdict {
        self.judged.push(index(state));
        Verdict(self.node(state).verdict)
    }

    fn verdict_at_end(&mut self, state: StateId) -> Verdict {
        assert!(self.graph.edges(index(state)).is_empty() && !self.node(state).pruned);
        Verdict(self.node(state).verdict_at_end)
    }

    fn counts(&mut self, state: StateId) -> bool {
        !self.node(state).uncounted
    }

    fn goals(&self) -> Vec<String> {
        (0..GOALS).map(|goal| format!("goal {goal}")).collect()
    }

    fn goals_reached(&mut self, state: StateId) -> u64 {
        self.node(state).goals
    }

    fn is_pruned(&mut self, state: StateId) -> bool {
        self.node(state).pruned
    }
}

impl Guided for GraphSpace<'_> {
    fn rankings(&self) -> Vec<String> {
        vec!["one number".to_owned(), "two numbers".to_owned()]
    }

    fn rank(&mut self, state: StateId, ranking: usize, rank: &mut Vec<i64>) {
        let ranks = self.node(state).ranks;
        rank.extend_from_slice(if ranking == 0 { &ranks[..1] } else { &ranks[1..] });
    }

    fn parts(&self, state: StateId, parts: &mut Vec<u64>) {
        let node = self.node(state);
        parts.extend([node.key, 1000 + node.set, 2000 + index(state) as u64 % 5]);
    }
}

impl Related for GraphSpace<'_> {
    fn relations(&self) -> Vec<String> {
        vec!["inclusion".to_owned()]
    }

    fn relation_refusal(&self, _: usize) -> Option<String> {
        let unsound = self.unsound_after.is_some_and(|after| self.judged.len() > after);
        unsound.then(|| "an assertion reads it".to_owned())
    }

    fn relation_key(&mut self, state: StateId, _: usize) -> u64 {
        self.node(state).key
    }

    fn relation_signature(&mut self, state: StateId, _: usize) -> u64 {
        // Not all of it, so that the sets themselves must be compared.
        let set = self.node(state).set;
        (set & 1) | (set >> 2 & 1) << 60
    }

    fn is_simulated_by(&mut self, state: StateId, other: StateId, _: usize) -> bool {
        let (state, other) = (self.node(state), self.node(other));
        state.key == other.key && state.set & !other.set == 0
    }
}

impl Described for GraphSpace<'_> {
    fn event_text(&self, _: StateId, event: EventId) -> EventText {
        EventText {
            node: None,
            kind: format!("kind{}", event.0 % KINDS),
            parameters: vec![("label".to_owned(), event.0.to_string())],
            sentence: format!("event {}", event.0),
        }
    }

    fn state_text(&self, state: StateId) -> StateText {
        let value = PartText::Value(index(state).to_string());
        StateText { parts: vec![("state".to_owned(), value)] }
    }

    fn digest(&self, state: StateId) -> u64 {
        mix(index(state) as u64)
    }
}

impl Measured for GraphSpace<'_> {
    fn handler_executions(&self) -> u64 {
        self.executions
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl Saved for GraphSpace<'_> {
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.executions.to_le_bytes())
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes)?;
        self.executions = u64::from_le_bytes(bytes);
        Ok(())
    }
}

/// Mostly nothing, sometimes some of the lowest bits.
fn seldom(percent: u32, bits: u32) -> impl Strategy<Value = u64> {
    prop_oneof![100 - percent => Just(0), percent => 1..1_u64 << bits]
}

/// Random graphs: 1 to 40 states with 0 to 4 edges each.
pub fn graphs() -> impl Strategy<Value = Graph> {
    let edges = prop::collection::vec((0..6_u64, 0..40_usize), 0..=4);
    let verdicts = (seldom(10, 2), seldom(30, 2), seldom(15, GOALS as u32));
    let flags = (prop::bool::weighted(0.1), prop::bool::weighted(0.07));
    let ranks = [-2..3_i64, -2..3, -2..3];
    let node = (edges, verdicts, flags, ranks).prop_map(
        |(edges, (verdict, verdict_at_end, goals), (uncounted, pruned), ranks)| Node {
            edges,
            verdict,
            verdict_at_end,
            goals,
            uncounted,
            pruned,
            ranks,
            ..Node::default()
        },
    );
    let nodes = prop::collection::vec(node, 1..=40);
    (prop::collection::vec(0..40_usize, 1..=3), nodes).prop_map(|(mut initial, mut nodes)| {
        let states = nodes.len();
        initial.iter_mut().for_each(|state| *state %= states);
        let edges = nodes.iter_mut().flat_map(|node| &mut node.edges);
        edges.for_each(|(_, target)| *target %= states);
        Graph { initial, nodes }
    })
}

/// How many elements a set has at most in graphs with a relation.
const ELEMENTS: u32 = 4;

/// Random graphs in which a state simulates those with the same key and a smaller set: a rule
/// needs some elements, removes some and adds some, so more elements never disable anything.
pub fn related_graphs() -> impl Strategy<Value = Graph> {
    let sets = 1_usize << ELEMENTS;
    let set = || 0..1_u64 << ELEMENTS;
    let few = || prop_oneof![Just(0_u64), Just(0), (0..ELEMENTS).prop_map(|bit| 1 << bit)];
    let rule = (few(), few(), set(), 0..6_usize);
    let key = (prop::collection::vec(rule, 0..=4), seldom(8, 2), -2..3_i64);
    let keys = prop::collection::vec(key, 1..=6);
    (keys, 0..6_usize, 0..sets).prop_map(move |(keys, first, first_set)| {
        let node = |at: usize| {
            let (key, set) = (at / sets, (at % sets) as u64);
            let (rules, verdict, rank) = &keys[key];
            let enabled = (0..).zip(rules).filter(|(_, (needed, ..))| needed & !set == 0);
            let edges = enabled.map(|(label, (_, removed, added, target))| {
                (label, target % keys.len() * sets + (set & !removed | added) as usize)
            });
            Node {
                edges: edges.collect(),
                verdict: *verdict,
                ranks: [*rank, i64::from(set.count_ones()), set as i64],
                key: key as u64,
                set,
                ..Node::default()
            }
        };
        let initial = vec![first % keys.len() * sets + first_set];
        Graph { initial, nodes: (0..keys.len() * sets).map(node).collect() }
    })
}
