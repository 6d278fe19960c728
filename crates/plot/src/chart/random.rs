//! Runs for tests: by hand, and random ones with texts that are hard on markup.

use everypath_explore::{EventText, PartText, StateText};
use everypath_report::{Story, StoryStep};
use proptest::{collection::vec, prelude::*};

use super::SequenceChart;

/// A run of a network that is kept as a plain list.
#[derive(Clone, Debug)]
pub(super) struct Run {
    roles: Vec<String>,
    in_flight: Vec<(u32, u32, String)>,
    down: Vec<String>,
    value: String,
    pub(super) story: Story,
}

impl Run {
    pub(super) fn new(roles: &[&str]) -> Self {
        let roles = roles.iter().map(|&role| role.to_owned()).collect();
        let story =
            Story { initial: StateText::default(), steps: Vec::new(), histories: Vec::new() };
        let (in_flight, down) = (Vec::new(), Vec::new());
        let mut run = Self { roles, in_flight, down, value: "Idle".to_owned(), story };
        run.story.initial = run.state();
        run
    }

    pub(super) fn chart<'a>(
        &'a self,
        title: &'a str,
        broken: Option<&'a str>,
        links: &'a [(u32, u32)],
    ) -> SequenceChart<'a> {
        SequenceChart { story: &self.story, title, broken, links }
    }

    /// How many packets are in flight.
    pub(super) fn waiting(&self) -> usize {
        self.in_flight.len()
    }

    fn state(&self) -> StateText {
        let name = |(number, role): (usize, &String)| match role.as_str() {
            "" => format!("n{number}"),
            role => format!("n{number} ({role})"),
        };
        let names = self.roles.iter().enumerate().map(name);
        let mut parts: Vec<_> =
            names.map(|name| (name, PartText::Value(self.value.clone()))).collect();
        let packets = self.in_flight.iter();
        let packets = packets.map(|(from, to, message)| format!("{message} n{from}→n{to}"));
        parts.push(("network".to_owned(), PartText::Bag(packets.collect())));
        parts.push(("links down".to_owned(), PartText::Bag(self.down.clone())));
        StateText { parts }
    }

    /// Puts a packet into the initial state.
    pub(super) fn put(&mut self, from: u32, to: u32, message: &str) {
        self.in_flight.push((from, to, message.to_owned()));
        self.story.initial = self.state();
    }

    pub(super) fn event(&mut self, kind: &str, node: u32, parameters: &[(&str, &str)]) {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let event = EventText {
            node: Some(node),
            kind: kind.to_owned(),
            parameters: parameters.iter().map(own).collect(),
            sentence: format!("{kind} at n{node} {parameters:?}"),
        };
        let changes = self.story.last().changes_to(&self.state());
        self.story.steps.push(StoryStep { changes, ..StoryStep::new(event) });
    }

    /// Something happens at a node, which sends.
    pub(super) fn happen(
        &mut self,
        kind: &str,
        node: u32,
        parameters: &[(&str, &str)],
        sent: &[(u32, u32, &str)],
    ) {
        let own = |&(from, to, message): &(u32, u32, &str)| (from, to, message.to_owned());
        self.in_flight.extend(sent.iter().map(own));
        self.event(kind, node, parameters);
    }

    pub(super) fn deliver(&mut self, from: u32, to: u32, message: &str, sent: &[(u32, u32, &str)]) {
        self.take("deliver", from, to, message, sent);
    }

    pub(super) fn lose(&mut self, from: u32, to: u32, message: &str) {
        self.take("lose", from, to, message, &[]);
    }

    pub(super) fn duplicate(&mut self, from: u32, to: u32, message: &str) {
        let (sender, receiver) = (format!("n{from}"), format!("n{to}"));
        let parameters = [("from", sender.as_str()), ("to", &receiver), ("message", message)];
        self.happen("duplicate", to, &parameters, &[(from, to, message)]);
    }

    /// A link fails.
    pub(super) fn fail(&mut self, one: u32, other: u32) {
        let link = format!("n{one}–n{other}");
        self.down.push(link.clone());
        self.happen("link-down", one, &[("link", &link)], &[]);
    }

    pub(super) fn take(
        &mut self,
        kind: &str,
        from: u32,
        to: u32,
        message: &str,
        sent: &[(u32, u32, &str)],
    ) {
        let packet = (from, to, message.to_owned());
        let place = self.in_flight.iter().position(|other| *other == packet);
        self.in_flight.remove(place.expect("the packet is in flight"));
        let (sender, receiver) = (format!("n{from}"), format!("n{to}"));
        let parameters = [("from", sender.as_str()), ("to", &receiver), ("message", message)];
        let node = if kind == "undeliverable" { from } else { to };
        self.happen(kind, node, &parameters, sent);
    }

    /// One step, as random numbers have it: what happens, where, what is sent to whom.
    fn random_step(&mut self, (what, which, target): (u8, usize, u32), message: &str) {
        let nodes = self.roles.len() as u32;
        let node = which as u32 % nodes;
        let chosen = self.in_flight.get(which % self.in_flight.len().max(1)).cloned();
        let sent = [(node, target % nodes, message)];
        match (what, chosen) {
            (0..4, Some((from, to, old))) => {
                let answer = [(to, target % nodes, message)];
                self.deliver(from, to, &old, &answer[..usize::from(what % 2)]);
            }
            (4, Some((from, to, old))) => self.lose(from, to, &old),
            (5, Some((from, to, old))) => self.duplicate(from, to, &old),
            (6, _) => self.happen("reboot", node, &[], &[]),
            (9, Some((from, to, old))) => {
                let answer = [(from, target % nodes, message)];
                self.take("undeliverable", from, to, &old, &answer[..usize::from(which % 2 == 0)]);
            }
            (10, _) if node > 0 => self.fail(node - 1, node),
            (7, _) => self.happen("command", node, &[("command", message)], &sent),
            _ => self.happen("timer", node, &[("timer", message)], &sent),
        }
    }
}

/// Texts that are hard on markup, and some that are not.
pub(crate) fn nasty() -> impl Strategy<Value = String> {
    let hard = [
        "</script><script>alert(1)</script>",
        "<!--",
        "]]>",
        "&amp;",
        "\"'`",
        "a; b # c %% d: e",
        "end",
        "\u{0}\u{1b}[0m\u{7f}",
        "\u{ffff}\u{2028}",
        "→ n7→n9",
        "漢字 👩‍👩‍👧 é\u{301}",
        "\n\r\t",
        "",
        "A { very: \"long\", message: [1, 2, 3, 4, 5, 6, 7, 8, 9], of: (\"many\", \"fields\") }",
    ];
    prop_oneof![
        prop::sample::select(hard.to_vec()).prop_map(str::to_owned),
        any::<String>(),
        "[A-Z][a-z]{1,8}",
    ]
}

/// A run of a few nodes and steps.
pub(super) fn run() -> impl Strategy<Value = Run> {
    let step = ((0..11_u8, any::<usize>(), any::<u32>()), nasty());
    (vec(nasty(), 1..9), nasty(), vec(step, 0..40)).prop_map(|(roles, value, steps)| {
        let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
        let mut run = Run::new(&roles);
        run.value = value;
        run.put(0, (roles.len() - 1) as u32, "Initial");
        for (numbers, message) in &steps {
            run.random_step(*numbers, message);
        }
        run
    })
}
