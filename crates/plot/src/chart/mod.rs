//! Sequence charts: who sent what to whom, and when.
//!
//! A story knows its states and events only as text. Nodes are the parts called `n0`, `n1 (role)`,
//! …; packets in flight are the values of the part `network`. A packet's way is followed from the
//! step in which it comes into the network to that in which it arrives or is lost; among equal
//! packets, the first that was sent is the first that ends.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use everypath_explore::{EventText, PartChange, PartText, StateText};
use everypath_report::{
    Story, StoryStep,
    value::{Leaf, Value},
};

mod html;
mod mermaid;
#[cfg(test)]
pub(crate) mod random;
mod svg;

/// A story as a picture: a sequence chart, a page that steps through it, or a diagram for Markdown.
///
/// ```
/// use everypath_explore::StateText;
/// use everypath_plot::SequenceChart;
/// use everypath_report::Story;
///
/// let story = Story { initial: StateText::default(), steps: Vec::new(), histories: Vec::new() };
/// let chart = SequenceChart { story: &story, title: "nothing happens", broken: None, links: &[] };
/// assert!(chart.to_mermaid().starts_with("sequenceDiagram"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SequenceChart<'a> {
    /// The run.
    pub story: &'a Story,
    /// Its title.
    pub title: &'a str,
    /// The assertion that its last state violates, if one is.
    pub broken: Option<&'a str>,
    /// The pairs of neighbours, for the page. If there are none, pairs of nodes that exchange packets are
    /// drawn instead.
    pub links: &'a [(u32, u32)],
}

/// A run as nodes and the ways of packets between them.
struct Chart {
    /// The nodes in order; one without a number if the space has no nodes.
    nodes: Vec<Node>,
    /// Every packet that was ever in flight, in the order of sending.
    flights: Vec<Flight>,
    /// What happened in each step, from step 1.
    happenings: Vec<Happening>,
    /// The roles and paths at which the name of a struct says something: there is also another.
    telling: BTreeSet<(String, String)>,
}

/// A lifeline.
struct Node {
    /// Its number, where there are nodes.
    number: Option<u32>,
    name: String,
    role: String,
}

/// The way of one packet through the network; nodes are indices into those of the chart.
struct Flight {
    from: usize,
    /// Where it arrived; until then, whom it is addressed to.
    to: usize,
    message: String,
    /// The step that brought it into the network; 0 if it was there initially.
    sent: usize,
    end: End,
    /// The flight it was split off from, if the network made it.
    copy_of: Option<usize>,
}

/// How a packet's way ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Arrived { step: usize },
    Lost { step: usize },
    InFlight,
}

/// What one step is in a picture.
enum Happening {
    /// A packet arrives.
    Arrival { flight: usize, label: String },
    /// A packet is lost.
    Loss { flight: usize, label: String },
    /// A packet comes back to its sender.
    Return { flight: usize, label: String },
    /// The network duplicates a packet.
    Copy { flight: usize, label: String },
    /// A link fails or comes back.
    Link { ends: (usize, usize), kind: String, label: String },
    /// Something happens at one node, or at none in particular.
    Mark { node: Option<usize>, kind: String, label: String },
}

/// One part of a state as it is shown: paths and values.
struct Card {
    title: String,
    lines: Vec<(String, String)>,
}

/// A packet as read from a text: sender, receiver, message.
type PacketText<'a> = (u32, u32, &'a str);

impl Chart {
    fn of(story: &Story) -> Self {
        let nodes = nodes(story);
        let mut followed = Follower {
            nodes: &nodes,
            flights: Vec::new(),
            waiting: HashMap::new(),
            shown: HashMap::new(),
        };
        followed.compare(&[], packets_of(&story.initial), None, 0);
        let shows_network = story.initial.parts.iter().any(|(name, _)| name == NETWORK);
        let mut happenings = Vec::new();
        for (number, step) in (1..).zip(&story.steps) {
            happenings.push(followed.happening(&step.event, number));
            if shows_network {
                let (gone, come) = network_change(step);
                followed.compare(&gone, come, packet_of(&step.event), number);
            }
        }
        let flights = followed.flights;
        Self { nodes, flights, happenings, telling: telling(story) }
    }

    /// A state as cards: one for each node, in order, then whatever else there is but the network.
    fn cards(&self, state: &StateText) -> Vec<Card> {
        let title = |node: &Node| Card { title: node.title(), lines: Vec::new() };
        let mut cards: Vec<Card> = self.nodes.iter().map(title).collect();
        for (name, part) in &state.parts {
            let node = PartName::read(name);
            let place = node.as_ref().and_then(|node| place(&self.nodes, node.number));
            match (place, node) {
                (Some(place), Some(node)) => {
                    let label = node.what.unwrap_or_default();
                    cards[place].lines.extend(self.lines(name, part, label));
                }
                _ if self.has_no_nodes() => {
                    let label = if state.parts.len() > 1 { name } else { "" };
                    cards[0].lines.extend(self.lines(name, part, label));
                }
                _ if name == NETWORK || name == LINKS_DOWN => {}
                _ => cards.push(Card { title: name.clone(), lines: self.lines(name, part, "") }),
            }
        }
        cards
    }

    /// A part of a state as paths and values.
    fn lines(&self, name: &str, part: &PartText, label: &str) -> Vec<(String, String)> {
        let path = |leaf: &str| match (label, leaf) {
            ("", path) | (path, "") => path.to_owned(),
            (label, path) => format!("{label}.{path}"),
        };
        match part {
            PartText::Bag(values) if values.is_empty() => Vec::new(),
            PartText::Bag(values) => vec![(label.to_owned(), values.join(", "))],
            PartText::Value(value) => {
                let leaves = leaves(value, role_in(name)).into_iter();
                let telling = |leaf: &Leaf| {
                    !leaf.is_name || self.telling.contains(&(kind_of(name), leaf.path.clone()))
                };
                leaves.filter(telling).map(|leaf| (path(&leaf.path), leaf.value)).collect()
            }
        }
    }

    /// Whether the one lifeline stands for a whole state.
    fn has_no_nodes(&self) -> bool {
        self.nodes.iter().all(|node| node.number.is_none())
    }

    /// The packets still in flight when the run is over.
    fn in_flight(&self) -> impl Iterator<Item = (usize, &Flight)> {
        self.flights.iter().enumerate().filter(|(_, flight)| flight.end == End::InFlight)
    }

    /// Every pair of nodes between which a packet ever was.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let pairs = self.flights.iter().filter(|flight| flight.from != flight.to);
        let mut pairs: Vec<_> =
            pairs.map(|flight| (flight.from.min(flight.to), flight.from.max(flight.to))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

impl Node {
    fn title(&self) -> String {
        if self.role.is_empty() {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.role)
        }
    }
}

/// The name of the part that holds the packets in flight.
const NETWORK: &str = "network";
/// The part of a state that names the links that are down.
const LINKS_DOWN: &str = "links down";

/// A part's name, if it belongs to a node: `n0`, `n0 (role)`, `n0 (role) timers`.
struct PartName<'a> {
    number: u32,
    role: &'a str,
    /// What of the node it is, unless its state.
    what: Option<&'a str>,
}

impl<'a> PartName<'a> {
    fn read(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix('n')?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, rest) = rest.split_at(digits);
        let number = number.parse().ok()?;
        let (role, rest) = match rest.strip_prefix(" (") {
            Some(rest) => rest.rsplit_once(')')?,
            None => ("", rest),
        };
        match rest {
            "" => Some(Self { number, role, what: None }),
            _ => Some(Self { number, role, what: Some(rest.strip_prefix(' ')?) }),
        }
    }
}

fn node_number(text: &str) -> Option<u32> {
    text.strip_prefix('n')?.parse().ok()
}

fn place(nodes: &[Node], number: u32) -> Option<usize> {
    nodes.binary_search_by_key(&Some(number), |node| node.number).ok()
}

/// What a story changes, part by part, in all steps.
fn changes(story: &Story) -> impl Iterator<Item = &(String, PartChange)> {
    story.steps.iter().flat_map(|step| &step.changes)
}

/// All nodes that a story names anywhere, with their roles.
fn nodes(story: &Story) -> Vec<Node> {
    let mut roles: BTreeMap<u32, &str> = BTreeMap::new();
    let initial = story.initial.parts.iter().map(|(name, _)| name);
    for name in initial.chain(changes(story).map(|(name, _)| name)) {
        if let Some(PartName { number, role, .. }) = PartName::read(name) {
            roles.insert(number, role);
        }
    }
    let events = || story.steps.iter().map(|step| &step.event);
    let come = story.steps.iter().flat_map(|step| network_change(step).1);
    let ends = packets_of(&story.initial).into_iter().chain(come);
    let ends = ends.chain(events().filter_map(packet_of)).map(|(from, to, _)| (from, to));
    let links = events().filter_map(|event| link_of(parameter(event, "link")?));
    let ends = ends.chain(links).flat_map(|(from, to)| [from, to]);
    for number in ends.chain(events().filter_map(|event| event.node)) {
        roles.entry(number).or_default();
    }
    if roles.is_empty() {
        return vec![Node { number: None, name: "model".to_owned(), role: String::new() }];
    }
    let node = |(number, role): (u32, &str)| Node {
        number: Some(number),
        name: format!("n{number}"),
        role: role.to_owned(),
    };
    roles.into_iter().map(node).collect()
}

/// The packets that a state has in flight.
fn packets_of(state: &StateText) -> Vec<PacketText<'_>> {
    let values = state.parts.iter().find_map(|(name, part)| match part {
        PartText::Bag(values) if name == NETWORK => Some(values.as_slice()),
        _ => None,
    });
    packets(values.unwrap_or_default()).collect()
}

/// The packets that leave the network in a step, and those that come into it.
fn network_change(step: &StoryStep) -> (Vec<PacketText<'_>>, Vec<PacketText<'_>>) {
    let change = step.changes.iter().find_map(|(name, change)| match change {
        PartChange::Bag { gone, come } if name == NETWORK => Some((gone, come)),
        _ => None,
    });
    change.map_or_else(Default::default, |(gone, come)| {
        (packets(gone).collect(), packets(come).collect())
    })
}

fn packets(values: &[String]) -> impl Iterator<Item = PacketText<'_>> {
    values.iter().filter_map(|text| {
        let (message, ends) = text.rsplit_once(' ')?;
        let (from, to) = ends.split_once('→')?;
        Some((node_number(from)?, node_number(to)?, message))
    })
}

/// The links that a state says are down.
fn links_down(state: &StateText) -> impl Iterator<Item = (u32, u32)> {
    let values = state.parts.iter().find_map(|(name, part)| match part {
        PartText::Bag(values) if name == LINKS_DOWN => Some(values),
        _ => None,
    });
    values.into_iter().flatten().filter_map(|text| link_of(text))
}

/// The ends of a link.
fn link_of(text: &str) -> Option<(u32, u32)> {
    let (one, other) = text.split_once('–')?;
    Some((node_number(one)?, node_number(other)?))
}

fn parameter<'a>(event: &'a EventText, name: &str) -> Option<&'a str> {
    event.parameters.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
}

/// The packet that an event is about.
fn packet_of(event: &EventText) -> Option<PacketText<'_>> {
    let number = |name| parameter(event, name).and_then(node_number);
    Some((number("from")?, number("to")?, parameter(event, "message")?))
}

/// Follows packets from step to step.
struct Follower<'a> {
    nodes: &'a [Node],
    flights: Vec<Flight>,
    /// By packet: its flights that have not ended, in the order of sending.
    waiting: HashMap<PacketText<'a>, VecDeque<usize>>,
    /// By packet: how often the state has it in flight.
    shown: HashMap<PacketText<'a>, usize>,
}

impl<'a> Follower<'a> {
    fn happening(&mut self, event: &'a EventText, step: usize) -> Happening {
        let choices = parameter(event, "choices").map(|choices| format!(", choosing {choices}"));
        let heard = parameter(event, "audience").map(|heard| format!(", {heard}"));
        let decided: String = choices.into_iter().chain(heard).collect();
        match (event.kind.as_str(), packet_of(event)) {
            ("deliver", Some(packet)) => {
                let flight = self.end(packet, step, End::Arrived { step });
                if let Some(node) = event.node.and_then(|number| place(self.nodes, number)) {
                    // It may have been addressed to another.
                    self.flights[flight].to = node;
                }
                Happening::Arrival { flight, label: format!("{}{decided}", packet.2) }
            }
            ("lose", Some(packet)) => {
                let flight = self.end(packet, step, End::Lost { step });
                Happening::Loss { flight, label: format!("{} lost", packet.2) }
            }
            ("undeliverable", Some(packet)) => {
                let flight = self.end(packet, step, End::Lost { step });
                Happening::Return { flight, label: format!("{} undeliverable{decided}", packet.2) }
            }
            ("duplicate", Some(packet)) => {
                let original = self.waiting.get(&packet).and_then(|it| it.front().copied());
                let flight = self.send(packet, step, original);
                Happening::Copy { flight, label: format!("{} duplicated", packet.2) }
            }
            (kind @ ("link-down" | "link-up"), _) => {
                let text = parameter(event, "link").unwrap_or_default();
                let verb = if kind == "link-down" { "fails" } else { "comes back" };
                let label = format!("link {text} {verb}");
                let ends = link_of(text).and_then(|(one, other)| {
                    Some((place(self.nodes, one)?, place(self.nodes, other)?))
                });
                match ends {
                    Some(ends) => Happening::Link { ends, kind: kind.to_owned(), label },
                    None => Happening::Mark { node: None, kind: kind.to_owned(), label },
                }
            }
            (kind, _) => {
                let label = match (kind, parameter(event, kind)) {
                    ("timer" | "command", Some(what)) => format!("{kind} {what}{decided}"),
                    ("reboot", _) => format!("reboots{decided}"),
                    _ => event.sentence.clone(),
                };
                let node = match event.node {
                    Some(number) => place(self.nodes, number),
                    None => self.nodes[0].number.is_none().then_some(0),
                };
                Happening::Mark { node, kind: kind.to_owned(), label }
            }
        }
    }

    /// A packet comes into the network.
    fn send(&mut self, packet: PacketText<'a>, sent: usize, copy_of: Option<usize>) -> usize {
        let place = |number| place(self.nodes, number).expect("every node that is named is known");
        let (from, to, message) = packet;
        let (from, to) = (place(from), place(to));
        let message = message.to_owned();
        let flight = self.flights.len();
        self.flights.push(Flight { from, to, message, sent, end: End::InFlight, copy_of });
        self.waiting.entry(packet).or_default().push_back(flight);
        flight
    }

    /// The first of the packets that are equal to this one ends. One that no state has shown was
    /// there before the step, at least.
    fn end(&mut self, packet: PacketText<'a>, step: usize, end: End) -> usize {
        if self.waiting.get(&packet).is_none_or(VecDeque::is_empty) {
            self.send(packet, step - 1, None);
        }
        let waiting = self.waiting.entry(packet).or_default();
        let flight = waiting.pop_front().expect("one was sent");
        self.flights[flight].end = end;
        flight
    }

    /// What a state has in flight beyond what is known was sent in its step; what it lacks has
    /// vanished. Only the packets that have left the network or come into it, and the one that the
    /// event is about, can make a difference.
    fn compare(
        &mut self,
        gone: &[PacketText<'a>],
        come: Vec<PacketText<'a>>,
        about: Option<PacketText<'a>>,
        step: usize,
    ) {
        for packet in gone {
            let shown = self.shown.entry(*packet).or_default();
            *shown = shown.saturating_sub(1);
        }
        for packet in &come {
            *self.shown.entry(*packet).or_default() += 1;
        }
        let touched = come.iter().chain(gone).copied().chain(about);
        for packet in touched {
            let shown = self.shown.get(&packet).copied().unwrap_or(0);
            let waiting = self.waiting.get(&packet).map_or(0, VecDeque::len);
            if waiting < shown {
                self.send(packet, step, None);
            }
            for _ in shown..waiting {
                // In a mailbox, the oldest is displaced.
                let flight = self.waiting.get_mut(&packet).and_then(VecDeque::pop_front);
                self.flights[flight.expect("it waits")].end = End::Lost { step };
            }
        }
    }
}

/// What a node's state holds. A variant that only repeats the node's role is skipped.
fn leaves(value: &str, role: &str) -> Vec<Leaf> {
    match Value::parse(value) {
        Value::Tuple { name, items }
            if items.len() == 1 && !role.is_empty() && name.eq_ignore_ascii_case(role) =>
        {
            items[0].leaves()
        }
        value => value.leaves(),
    }
}

fn role_in(name: &str) -> &str {
    PartName::read(name).map_or("", |name| name.role)
}

/// What parts have in common whose values can be compared: the states of all nodes with a role are
/// of one kind; any other part is of its own.
fn kind_of(name: &str) -> String {
    match PartName::read(name) {
        Some(PartName { role, what: None, .. }) => format!("n ({role})"),
        _ => name.to_owned(),
    }
}

/// The kinds of parts and the paths at which a run shows the name of a struct and also something
/// else.
fn telling(story: &Story) -> BTreeSet<(String, String)> {
    let mut first: BTreeMap<(String, String), Leaf> = BTreeMap::new();
    let mut telling = BTreeSet::new();
    let initial = story.initial.parts.iter().filter_map(|(name, part)| match part {
        PartText::Value(value) => Some((name, value)),
        PartText::Bag(_) => None,
    });
    let later = changes(story).filter_map(|(name, change)| match change {
        PartChange::Value { after, .. } => Some((name, after)),
        PartChange::Bag { .. } | PartChange::Gone => None,
    });
    for (name, value) in initial.chain(later) {
        for leaf in leaves(value, role_in(name)) {
            let key = (kind_of(name), leaf.path.clone());
            let other = first.entry(key.clone()).or_insert_with(|| leaf.clone());
            if other.value != leaf.value && (other.is_name || leaf.is_name) {
                telling.insert(key);
            }
        }
    }
    telling
}

#[cfg(test)]
mod tests {
    use super::{random::Run, *};

    fn ends(run: &Run) -> Vec<(String, usize, Option<usize>)> {
        let chart = Chart::of(&run.story);
        let end = |flight: &Flight| match flight.end {
            End::Arrived { step } => Some(step),
            End::Lost { .. } | End::InFlight => None,
        };
        chart.flights.iter().map(|it| (it.message.clone(), it.sent, end(it))).collect()
    }

    #[test]
    fn equal_packets_end_in_the_order_in_which_they_were_sent() {
        let mut run = Run::new(&["sender", "receiver"]);
        run.put(0, 1, "D");
        run.happen("timer", 0, &[("timer", "T")], &[(0, 1, "D")]);
        run.deliver(0, 1, "D", &[(1, 0, "A")]);
        run.deliver(0, 1, "D", &[]);
        let expect = [("D", 0, Some(2)), ("D", 1, Some(3)), ("A", 2, None)]
            .map(|(m, s, e)| (m.into(), s, e));
        assert_eq!(ends(&run), expect);
    }

    #[test]
    fn an_arrow_ends_where_the_packet_was_received() {
        let mut run = Run::new(&["", "", ""]);
        run.put(0, 2, "far");
        run.deliver(0, 2, "far", &[]);
        run.story.steps[0].event.node = Some(1);
        let chart = Chart::of(&run.story);
        assert_eq!((chart.flights[0].from, chart.flights[0].to), (0, 1));
        assert!(run.chart("late", None, &[]).to_mermaid().contains("n0->>n1: 1. far"));
    }

    #[test]
    fn decisions_are_named_beside_what_happens() {
        let mut run = Run::new(&["", "", ""]);
        let decided = [("timer", "T"), ("choices", "[1]"), ("audience", "heard by n1")];
        run.happen("timer", 0, &decided, &[(0, 1, "D")]);
        run.happen("reboot", 2, &[("audience", "heard by n1; heard by no node")], &[]);
        let diagram = run.chart("audiences", None, &[]).to_mermaid();
        for label in [
            "1. timer T, choosing [1], heard by n1",
            "2. reboots, heard by n1#59; heard by no node",
        ] {
            assert!(diagram.contains(label), "{label} is not in {diagram}");
        }
    }

    #[test]
    fn the_oldest_packet_of_a_mailbox_is_displaced() {
        let mut run = Run::new(&["", ""]);
        run.put(0, 1, "D");
        // The copy takes the place of the original.
        run.event("duplicate", 1, &[("from", "n0"), ("to", "n1"), ("message", "D")]);
        let chart = Chart::of(&run.story);
        let ends: Vec<bool> = chart.flights.iter().map(|it| it.end == End::InFlight).collect();
        assert_eq!(ends, [false, true]);
    }

    #[test]
    fn a_link_fails_at_both_its_ends() {
        let mut run = Run::new(&["", "", ""]);
        run.put(0, 2, "D");
        run.fail(0, 2);
        run.take("undeliverable", 0, 2, "D", &[]);
        let chart = Chart::of(&run.story);
        assert!(matches!(chart.happenings[0], Happening::Link { ends: (0, 2), .. }));
        assert!(matches!(chart.happenings[1], Happening::Return { flight: 0, .. }));
        assert!(chart.flights[0].end == End::Lost { step: 2 });
        let diagram = run.chart("links", None, &[]).to_mermaid();
        assert!(diagram.contains("Note over n0,n2: 1. link n0–n2 fails"), "{diagram}");
        assert!(diagram.contains("n0-xn2: 2. D undeliverable (sent initially)"), "{diagram}");
        let page = run.chart("links", None, &[(0, 1), (0, 2)]).to_html();
        for part in [r#""down":[[0,2]]"#, r#""nodes":[0,2]"#, r#""kind":"lost""#, r#""nodes":[0]"#]
        {
            assert!(page.contains(part), "{part} is not in {page}");
        }
    }

    #[test]
    fn names_of_parts_tell_nodes() {
        let read = |name| PartName::read(name).map(|it| (it.number, it.role, it.what));
        assert_eq!(read("n0"), Some((0, "", None)));
        assert_eq!(read("n12 (a (b))"), Some((12, "a (b)", None)));
        assert_eq!(read("n1 (sender) timers"), Some((1, "sender", Some("timers"))));
        assert_eq!(read("n1 timers"), Some((1, "", Some("timers"))));
        for other in ["network", "n", "nx", "n1x", "n99999999999", "state"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn the_name_of_a_struct_is_shown_where_nodes_differ_in_it() {
        let shown = |states: [&str; 2]| {
            let mut story = Run::new(&["", ""]).story;
            let value = |value: &str| PartText::Value(value.to_owned());
            for (part, state) in story.initial.parts.iter_mut().zip(states) {
                part.1 = value(state);
            }
            story.initial.parts.push(("required event".to_owned(), value("yet to come")));
            let lines = Chart::of(&story).cards(&story.initial).remove(0).lines;
            lines.into_iter().map(|(path, value)| format!("{path}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(shown(["Node { bit: 0 }", "Node { bit: 1 }"]), ["bit=0"]);
        assert_eq!(shown(["Node { bit: 0 }", "Other { bit: 1 }"]), ["=Node", "bit=0"]);
        assert_eq!(shown(["Node { bit: 0 }", "Idle"]), ["=Node", "bit=0"]);
    }

    #[test]
    fn a_packet_that_no_state_has_shown_was_there_before_the_step() {
        let mut run = Run::new(&["", ""]);
        run.story.initial.parts.clear();
        run.happen("command", 0, &[("command", "Go")], &[]);
        run.event("deliver", 1, &[("from", "n0"), ("to", "n1"), ("message", "Hello")]);
        for step in &mut run.story.steps {
            step.changes.clear();
        }
        assert_eq!(ends(&run), [("Hello".to_owned(), 1, Some(2))]);
    }
}
