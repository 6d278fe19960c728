//! Small random protocols: what a node does is looked up in a table, so that a test can both run
//! it through its handlers and read off the table what they must do.

use std::{
    cell::Cell,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use everypath_model::{
    Audience, Budget, Capacity, Code, Event, EventKind, NetworkKind, Node, NodeId, Profile,
    Protocol, Scenario, Start, Topology, Trigger, World,
};
use everypath_network::{NetworkSpace, SpaceOptions};
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::{select, subsequence},
    test_runner::FileFailurePersistence,
};

pub const STATES: u32 = 3;
pub const MESSAGES: u32 = 2;
pub const TIMERS: u8 = 2;

thread_local! {
    /// How long every handler waits before it does anything.
    pub static SLOWNESS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// How many random protocols a test tries. One that fails is printed, and its seed is kept beside
/// the test, so that the next run starts with it.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource(
            "proptest-regressions",
        ))),
        ..ProptestConfig::default()
    }
}

/// One thing that a handler does. Messages and the next state are shifted by the sum of all
/// answers so far, so that every choice is seen.
#[derive(Clone, Debug)]
pub enum Action {
    /// To one of the neighbours, counted around; without any, nothing is sent. With late
    /// addressing, to one of all nodes.
    Send {
        neighbour: usize,
        message: u32,
    },
    /// To where the message that is being handled came from; otherwise nothing is sent.
    Reply {
        message: u32,
    },
    Broadcast {
        message: u32,
    },
    Set(u8),
    Cancel(u8),
    /// On the answer 0 the handler returns at once.
    Choose {
        options: u32,
    },
    Panic,
}

/// What a handler does, and the state in which it leaves the node.
#[derive(Clone, Debug)]
pub struct Program {
    pub actions: Vec<Action>,
    pub next: u32,
}

/// What a handler is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    Start,
    Restart,
    Message { from: u32, message: u32 },
    Undeliverable { message: u32 },
    Timer(u8),
    Command(u8),
}

/// A protocol as a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Looked up by node, state and input, counted around.
    pub programs: Vec<Program>,
    /// By state, counted around: the commands that can be given.
    pub commands: Vec<Vec<u8>>,
    pub late: Option<Late>,
}

/// Who receives packets.
#[derive(Clone, Debug)]
pub struct Late {
    pub nodes: u32,
    /// Looked up by the sender's state and the packet, counted around.
    pub receivers: Vec<Vec<u32>>,
}

impl Late {
    /// The answers, as far as they name nodes that are there.
    fn new(nodes: usize, mut receivers: Vec<Vec<u32>>) -> Self {
        let nodes = nodes as u32;
        receivers.iter_mut().for_each(|answer| answer.retain(|&node| node < nodes));
        Self { nodes, receivers }
    }

    pub fn receivers_of(&self, state: u32, (from, to, message): (u32, u32, u32)) -> &[u32] {
        let at = ((state * self.nodes + from) * self.nodes + to) * MESSAGES + message;
        &self.receivers[at as usize % self.receivers.len()]
    }
}

impl Table {
    pub fn program(&self, node: u32, state: u32, input: Input) -> &Program {
        let column = match input {
            Input::Start => 0,
            Input::Restart => 1,
            Input::Message { message, .. } => 2 + message,
            Input::Undeliverable { message } => {
                // From the other end of the table.
                let at = (node * STATES + state) * MESSAGES + message;
                return &self.programs[self.programs.len() - 1 - at as usize % self.programs.len()];
            }
            Input::Timer(timer) => 4 + u32::from(timer),
            Input::Command(command) => 6 + u32::from(command),
        };
        let at = (node * STATES + state) * 8 + column;
        &self.programs[at as usize % self.programs.len()]
    }

    pub fn commands_in(&self, state: u32) -> &[u8] {
        &self.commands[state as usize % self.commands.len()]
    }

    /// To whom a node can send.
    pub fn addressees(&self, neighbours: &[u32]) -> Vec<u32> {
        match &self.late {
            Some(late) => (0..late.nodes).collect(),
            None => neighbours.to_vec(),
        }
    }

    /// Runs a program through the effects that a handler is given.
    fn run(&self, me: NodeId, state: u32, input: Input, fx: &mut Start<'_, Self>) -> u32 {
        let slowness = SLOWNESS.get();
        if !slowness.is_zero() {
            std::thread::sleep(slowness);
        }
        let Program { actions, next } = self.program(me.0, state, input);
        let mut shift = 0;
        for action in actions {
            match *action {
                Action::Send { neighbour, message } => {
                    let neighbours: Vec<u32> = fx.neighbours().iter().map(|it| it.0).collect();
                    let addressees = self.addressees(&neighbours);
                    if !addressees.is_empty() {
                        let to = addressees[neighbour % addressees.len()];
                        fx.send(NodeId(to), (message + shift) % MESSAGES);
                    }
                }
                Action::Reply { message } => {
                    if let Input::Message { from, .. } = input {
                        fx.send(NodeId(from), (message + shift) % MESSAGES);
                    }
                }
                Action::Broadcast { message } => fx.broadcast((message + shift) % MESSAGES),
                Action::Set(timer) => fx.set_timer(timer, Duration::from_secs(1)),
                Action::Cancel(timer) => fx.cancel_timer(&timer),
                Action::Choose { options } => match fx.choose(options) {
                    0 => break,
                    answer => shift += answer,
                },
                Action::Panic => panic!("the table says so"),
            }
        }
        (next + shift) % STATES
    }
}

impl Protocol for Table {
    type State = u32;
    type Message = u32;
    type Timer = u8;
    type Command = u8;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        self.run(me, 0, Input::Start, fx)
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &u32) -> u32 {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        self.run(me, *before, Input::Restart, fx)
    }

    fn on_message(&self, node: &mut Node<'_, Self>, NodeId(from): NodeId, &message: &u32) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.run(me, *state, Input::Message { from, message }, fx);
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, _: NodeId, &message: &u32) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.run(me, *state, Input::Undeliverable { message }, fx);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u8) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.run(me, *state, Input::Timer(*timer), fx);
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &u8) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.run(me, *state, Input::Command(*command), fx);
    }

    fn code(&self, _: NodeId, trigger: Trigger<'_, Self>) -> Option<Code> {
        use everypath_model::Input as On;
        let (name, input) = match trigger {
            Trigger::Start => ("start", Input::Start),
            Trigger::Restart => ("restart", Input::Restart),
            Trigger::On(On::Message { message: &message, .. }) => {
                ("message", Input::Message { from: 0, message })
            }
            Trigger::On(On::Undeliverable { message: &message, .. }) => {
                ("undeliverable", Input::Undeliverable { message })
            }
            Trigger::On(On::Timer(&timer)) => ("timer", Input::Timer(timer)),
            Trigger::On(On::Command(&command)) => ("command", Input::Command(command)),
        };
        let places = (0..3).flat_map(|node| (0..STATES).map(move |state| (node, state)));
        let programs =
            places.map(|(node, state)| format!("{:?}", self.program(node, state, input)));
        let mut print = DefaultHasher::new();
        programs.for_each(|program| program.hash(&mut print));
        Some(Code { name, print: print.finish() })
    }

    fn commands(&self, _: NodeId, state: &u32) -> Vec<u8> {
        self.commands_in(*state).to_vec()
    }
}

/// An assumption: no event of this kind at a node in this state while so many packets are in
/// flight, and perhaps while the first link is down. With no packets, the network is not even looked
/// at.
#[derive(Clone, Debug)]
pub struct Forbidden {
    pub kind: EventKind,
    pub state: u32,
    pub packets: usize,
    pub severed: bool,
}

/// An assertion about the network, which looks at it only while the last node is in one state.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub state: u32,
    pub message: u32,
    pub most: usize,
}

/// Which nodes hear broadcasts.
#[derive(Clone, Debug)]
pub enum Heard {
    All,
    AtMost(u32),
    /// One of several sets of nodes, looked up by the sender, counted around. Those that are not its
    /// neighbours do not hear it.
    OneOf(Vec<Vec<Vec<u32>>>),
}

impl Heard {
    /// The sets that are given for a sender, in no particular order.
    pub fn given(sets: &[Vec<Vec<u32>>], sender: u32, neighbours: &[u32]) -> Vec<Vec<u32>> {
        let mut given = sets[sender as usize % sets.len()].clone();
        given.iter_mut().for_each(|set| set.retain(|node| neighbours.contains(node)));
        given
    }

    /// The audience. One that is larger than every neighbourhood would be refused.
    fn audience(&self, topology: &Topology) -> Audience {
        let neighbours = topology.nodes().map(|node| topology.neighbours(node).len() as u32);
        match self.clone() {
            Self::All => Audience::All,
            Self::AtMost(most) => Audience::AtMost(most.min(neighbours.max().unwrap_or(0))),
            Self::OneOf(sets) => Audience::one_of(move |sender, neighbours| {
                let neighbours: Vec<u32> = neighbours.iter().map(|node| node.0).collect();
                let given = Self::given(&sets, sender.0, &neighbours).into_iter();
                given.map(|set| set.into_iter().map(NodeId).collect()).collect()
            }),
        }
    }
}

/// A table and all that surrounds it.
#[derive(Clone, Debug)]
pub struct Case {
    pub table: Table,
    pub nodes: usize,
    pub edges: Vec<(u32, u32)>,
    pub network: NetworkKind,
    /// The capacity of links, where they can have it.
    pub capacity: Capacity,
    pub heard: Heard,
    pub profile: Profile,
    pub loss: Budget,
    pub duplication: Budget,
    pub reboot: Budget,
    pub link_failure: Budget,
    pub link_return: Budget,
    pub event_order: Vec<EventKind>,
    pub forbidden: Option<Forbidden>,
    /// The sum of the nodes' states must never be this.
    pub never_sum: Option<u32>,
    /// Not so many packets of that kind.
    pub crowd: Option<Crowd>,
    /// The last node must not be in this state while the first link is down.
    pub severed: Option<u32>,
}

impl Case {
    /// Two nodes, no faults, nothing asserted.
    pub fn of(table: Table, network: NetworkKind, profile: Profile) -> Self {
        Self {
            table,
            nodes: 2,
            edges: vec![(0, 1)],
            network,
            capacity: Capacity::Unlimited,
            heard: Heard::All,
            profile,
            loss: Budget::Off,
            duplication: Budget::Off,
            reboot: Budget::Off,
            link_failure: Budget::Off,
            link_return: Budget::Off,
            event_order: EventKind::ALL.to_vec(),
            forbidden: None,
            never_sum: None,
            crowd: None,
            severed: None,
        }
    }

    /// How many audiences the broadcasts at the start have together, at most.
    fn audiences_at_start(&self) -> usize {
        let sets = match &self.heard {
            Heard::All => 1,
            Heard::AtMost(_) => 4,
            Heard::OneOf(sets) => sets.iter().map(Vec::len).max().unwrap_or(1),
        };
        let is_broadcast = |action: &&Action| matches!(action, Action::Broadcast { .. });
        let broadcasts = |node| {
            let program = self.table.program(node, 0, Input::Start);
            program.actions.iter().filter(is_broadcast).count() as u32
        };
        (0..self.nodes as u32).map(|node| sets.pow(broadcasts(node))).product()
    }

    /// The capacity of links.
    pub fn room(&self) -> Capacity {
        match (self.network, self.capacity) {
            _ if self.table.late.is_some() => Capacity::Unlimited,
            (NetworkKind::Inbox(_), _) => Capacity::Unlimited,
            (NetworkKind::Unordered, Capacity::OldestLost(most)) => Capacity::NewestLost(most),
            (_, capacity) => capacity,
        }
    }

    pub fn topology(&self) -> Topology {
        Topology::edges(self.nodes, &self.edges).expect("the edges are among the nodes")
    }

    pub fn first_link(&self) -> (u32, u32) {
        let first = self.topology().links().next();
        first.map(|(a, b)| (a.0, b.0)).expect("there is a link")
    }

    pub fn scenario(&self) -> Scenario<Table> {
        self.scenario_of(self.table.clone(), |&state| state)
    }

    /// The scenario with a protocol that does what the table says, given the state of the table in
    /// each of its own.
    pub fn scenario_of<P: Protocol<Message = u32, Timer = u8, Command = u8>>(
        &self,
        protocol: P,
        value: fn(&P::State) -> u32,
    ) -> Scenario<P> {
        let (one, other) = self.first_link();
        let severed = move |world: &World<'_, P>| !world.is_up(NodeId(other), NodeId(one));
        let sum = move |world: &World<'_, P>| -> u32 {
            world.nodes().map(|(_, state)| value(state)).sum()
        };
        let mut scenario = Scenario::new(protocol, self.topology())
            .network(self.network)
            .capacity(self.room())
            .audience(self.heard.audience(&self.topology()))
            .loss(self.loss)
            .duplication(self.duplication)
            .reboot(self.reboot)
            .link_failure(self.link_failure)
            .link_return(self.link_return)
            .ranking("sum", move |world| i64::from(sum(world)))
            .ranking("packets", |world| world.packets().len() as i64)
            .ranking("timers and then packets in some states", move |world| {
                let (_, state) = world.nodes().next().expect("there is a node");
                let timers = world.timers(NodeId(0)).len() as i64;
                let packets = if value(state) == 1 { world.packets().len() as i64 } else { 0 };
                (timers, packets)
            });
        scenario.event_order.clone_from(&self.event_order);
        if let Some(Forbidden { kind, state, packets, severed: only }) = self.forbidden {
            scenario = scenario.assume("the table's", move |world, event: &Event<'_, P>| {
                let applies = event.kind() == kind && value(world.node(event.node())) == state;
                let applies = applies && (!only || severed(world));
                !(applies && (packets == 0 || world.packets().len() >= packets))
            });
        }
        if let Some(late) = self.table.late.clone() {
            scenario = scenario.receivers(move |state, packet| {
                let ends = (packet.from.0, packet.to.0, *packet.message);
                late.receivers_of(value(state), ends)
                    .iter()
                    .map(|&node| NodeId(node))
                    .collect::<Vec<_>>()
            });
        }
        if let Some(never) = self.never_sum {
            scenario = scenario.assert_always("sum", move |world| sum(world) != never);
        }
        if let Some(Crowd { state, message, most }) = self.crowd {
            let last = NodeId::from(self.nodes - 1);
            scenario = scenario.assert_always("crowd", move |world| {
                let alike = |packet: &everypath_model::Packet<'_, P>| *packet.message == message;
                value(world.node(last)) != state || world.packets().filter(alike).count() <= most
            });
        }
        if let Some(state) = self.severed {
            let last = NodeId::from(self.nodes - 1);
            scenario = scenario.assert_always("severed", move |world| {
                value(world.node(last)) != state || !severed(world)
            });
        }
        scenario
    }

    pub fn space<'a>(&self, scenario: &'a Scenario<Table>) -> NetworkSpace<'a> {
        let options = SpaceOptions::default().profile(self.profile);
        NetworkSpace::new(scenario, options).expect("the scenario is small")
    }
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        40 => (0..3usize, 0..MESSAGES)
            .prop_map(|(neighbour, message)| Action::Send { neighbour, message }),
        14 => (0..MESSAGES).prop_map(|message| Action::Reply { message }),
        10 => (0..MESSAGES).prop_map(|message| Action::Broadcast { message }),
        20 => (0..TIMERS).prop_map(Action::Set),
        10 => (0..TIMERS).prop_map(Action::Cancel),
        12 => (1..=3u32).prop_map(|options| Action::Choose { options }),
        1 => Just(Action::Panic),
    ]
}

fn table() -> impl Strategy<Value = Table> {
    let program =
        (vec(action(), 0..=3), 0..STATES).prop_map(|(actions, next)| Program { actions, next });
    let commands = subsequence(std::vec![0u8, 1], 0..=2);
    (vec(program, 1..40), vec(commands, 1..=3)).prop_map(|(programs, commands)| Table {
        programs,
        commands,
        late: None,
    })
}

fn budget() -> impl Strategy<Value = Budget> {
    prop_oneof![
        4 => Just(Budget::Off),
        3 => (0..=2u32).prop_map(Budget::AtMost),
        2 => Just(Budget::Unlimited),
    ]
}

fn capacity() -> impl Strategy<Value = Capacity> {
    prop_oneof![
        4 => Just(Capacity::Unlimited),
        1 => (1..=3u32).prop_map(Capacity::NewestLost),
        1 => (1..=3u32).prop_map(Capacity::OldestLost),
    ]
}

fn forbidden() -> impl Strategy<Value = Forbidden> {
    (select(EventKind::ALL.to_vec()), 0..STATES, 0..4usize, any::<bool>())
        .prop_map(|(kind, state, packets, severed)| Forbidden { kind, state, packets, severed })
}

fn crowd() -> impl Strategy<Value = Crowd> {
    (0..STATES, 0..MESSAGES, 1..6usize).prop_map(|(state, message, most)| Crowd {
        state,
        message,
        most,
    })
}

pub fn heard() -> impl Strategy<Value = Heard> {
    let sets = vec(subsequence(std::vec![0u32, 1, 2], 0..=3), 1..=2);
    prop_oneof![
        3 => Just(Heard::All),
        1 => (1..=2u32).prop_map(Heard::AtMost),
        1 => vec(sets, 1..=3).prop_map(Heard::OneOf),
    ]
}

/// Any case.
pub fn case() -> impl Strategy<Value = Case> {
    let edges = (2..=3usize).prop_flat_map(|nodes| {
        let all = if nodes == 2 { std::vec![(0, 1)] } else { std::vec![(0, 1), (0, 2), (1, 2)] };
        let most = all.len();
        (Just(nodes), subsequence(all, 1..=most))
    });
    let larger = [3, 255].map(NetworkKind::inbox);
    let network = select([&NetworkKind::EXAMPLES[..], &larger].concat());
    let network = (network, capacity());
    let profile = select(Profile::ALL.to_vec());
    let event_order = Just(EventKind::ALL.to_vec()).prop_shuffle();
    let surroundings = (edges, network, heard(), profile, event_order);
    let link_failure = prop_oneof![3 => Just(Budget::Off), 2 => budget()];
    let faults = (budget(), budget(), budget(), link_failure, budget());
    let late = option::weighted(0.3, vec(subsequence(std::vec![0u32, 1, 2], 0..=3), 1..20));
    let properties = (
        option::of(forbidden()),
        option::weighted(0.4, 3..=6u32),
        option::of(crowd()),
        option::weighted(0.3, 0..STATES),
    );
    let any = (table(), late, surroundings, faults, properties).prop_map(
        |(
            table,
            late,
            ((nodes, edges), (network, capacity), heard, profile, event_order),
            (loss, duplication, reboot, link_failure, link_return),
            (forbidden, never_sum, crowd, severed),
        )| Case {
            table: Table {
                late: late
                    .filter(|_| matches!(network, NetworkKind::Unordered | NetworkKind::GlobalList))
                    .map(|receivers| Late::new(nodes, receivers)),
                ..table
            },
            nodes,
            edges,
            network,
            capacity,
            heard,
            profile,
            loss,
            duplication,
            reboot,
            link_failure,
            link_return,
            event_order,
            forbidden,
            never_sum,
            crowd,
            severed,
        },
    );
    any.prop_filter("too many initial states", |case| case.audiences_at_start() <= 64)
}
