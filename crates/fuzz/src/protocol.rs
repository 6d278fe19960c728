//! Random protocols: a table of reactions by state and input, drawn from a seed.

use std::time::Duration;

use everypath_model::{Ignored, Node, NodeId, Protocol, Start, data};

use crate::dice::Dice;

/// The state of a node.
#[data]
pub struct Local {
    /// Lost in a reboot.
    pub value: u8,
    /// Kept on stable storage.
    pub disk: u8,
    /// How often a handler was executed; ignored.
    pub seen: Ignored<u32>,
}

/// A message, with an ignored number.
#[data]
#[derive(Copy)]
pub enum Message {
    /// A question.
    Ask(Ignored<u32>),
    /// An answer.
    Tell(Ignored<u32>),
    /// A third.
    Stop(Ignored<u32>),
}

/// The timers of a node.
#[data]
#[derive(Copy)]
pub enum Timer {
    /// One.
    Tick,
    /// Another.
    Tock,
}

/// A command.
#[data]
#[derive(Copy)]
pub enum Command {
    /// One thing.
    Go,
    /// Another.
    Halt,
}

/// How many messages, timers and commands there are at most.
pub const WORDS: usize = 3;
/// How many timers a node has.
pub const TIMERS: usize = 2;
/// How many commands there are.
pub const COMMANDS: usize = 2;

impl Message {
    /// The message with a number.
    #[must_use]
    pub fn of(word: usize, seen: u32) -> Self {
        match word {
            0 => Self::Ask(Ignored(seen)),
            1 => Self::Tell(Ignored(seen)),
            _ => Self::Stop(Ignored(seen)),
        }
    }

    /// Its number.
    #[must_use]
    pub fn word(&self) -> usize {
        match self {
            Self::Ask(_) => 0,
            Self::Tell(_) => 1,
            Self::Stop(_) => 2,
        }
    }
}

impl Timer {
    /// All of them, by number.
    pub const ALL: [Self; TIMERS] = [Self::Tick, Self::Tock];
}

impl Command {
    /// All of them, by number.
    pub const ALL: [Self; COMMANDS] = [Self::Go, Self::Halt];
}

/// One action of a handler; nodes, messages and timers are numbers.
#[derive(Clone, Debug)]
pub enum Action {
    /// It sends a message to a node.
    Send(usize, usize),
    /// The same, with jitter.
    SendWithin(usize, usize),
    /// It sends a message to all neighbours.
    Broadcast(usize),
    /// It sets a timer.
    Set(usize),
    /// It prolongs a timer.
    Prolong(usize),
    /// It unsets a timer.
    Cancel(usize),
    /// It measures something.
    Count,
}

/// A reaction of a handler.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// Its first actions, in order.
    pub actions: Vec<Action>,
    /// Its continuation.
    pub then: Then,
}

/// The continuation of a handler.
#[derive(Clone, Debug)]
pub enum Then {
    /// It ends with this value and this content of stable storage.
    Become(u8, u8),
    /// It panics.
    Panic,
    /// It chooses among these reactions.
    Choose(Vec<Reaction>),
}

/// The input of a handler; nodes, messages, timers and commands are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The node starts.
    Start,
    /// The node starts again.
    Restart,
    /// A message has come from a node.
    Message(usize, usize),
    /// A message to a node has come back.
    Undeliverable(usize, usize),
    /// A timer has fired.
    Timer(usize),
    /// A command was given.
    Command(usize),
}

/// The table of a protocol.
#[derive(Clone, Debug)]
pub struct Table {
    nodes: usize,
    /// How many values a node can have.
    pub values: u8,
    /// How many contents its stable storage can have.
    pub disks: u8,
    /// How many messages are in use.
    pub words: usize,
    /// The reactions by node, value, storage and input.
    reactions: Vec<Reaction>,
    /// The accepted commands by node, value and storage.
    commands: Vec<Vec<usize>>,
}

/// Probabilities, in per cent.
struct Habits {
    acts: usize,
    sends: usize,
    panics: usize,
    chooses: usize,
    strays: usize,
}

impl Table {
    /// Draws a table for this many nodes with these `links`; with `anywhere`, messages can be
    /// addressed to any node.
    #[must_use]
    pub fn draw(dice: &mut Dice, nodes: usize, links: &[(usize, usize)], anywhere: bool) -> Self {
        let (values, disks) = (dice.between(1, 3) as u8, dice.between(1, 2) as u8);
        let words = dice.between(1, WORDS);
        let mut table =
            Self { nodes, values, disks, words, reactions: Vec::new(), commands: Vec::new() };
        let habits = Habits {
            acts: dice.between(30, 75),
            sends: dice.between(25, 85),
            panics: if dice.percent(25) { 3 } else { 0 },
            chooses: dice.pick(&[0, 4, 15]),
            strays: if dice.percent(10) { 5 } else { 0 },
        };
        let asks = dice.between(5, 40);
        for node in 0..nodes {
            let others: Vec<usize> = (0..nodes)
                .filter(|&other| anywhere || links.contains(&(node.min(other), node.max(other))))
                .collect();
            for _ in 0..table.per_node() {
                let reaction = table.draw_reaction(dice, &habits, &others, 0);
                table.reactions.push(reaction);
            }
            for _ in 0..table.states() {
                let accepted = (0..COMMANDS).filter(|_| dice.percent(asks)).collect();
                table.commands.push(accepted);
            }
        }
        table
    }

    fn draw_reaction(
        &self,
        dice: &mut Dice,
        habits: &Habits,
        others: &[usize],
        depth: usize,
    ) -> Reaction {
        let mut actions = Vec::new();
        while actions.len() < 3 && dice.percent(habits.acts) {
            actions.push(self.draw_action(dice, habits, others));
        }
        let then = if dice.percent(habits.panics) {
            Then::Panic
        } else if depth < 2 && dice.percent(habits.chooses) {
            let ways = dice.between(1, 3);
            let way = |dice: &mut Dice| self.draw_reaction(dice, habits, others, depth + 1);
            Then::Choose(dice.several(ways, way))
        } else {
            let value = dice.below(self.values.into()) as u8;
            Then::Become(value, dice.below(self.disks.into()) as u8)
        };
        Reaction { actions, then }
    }

    fn draw_action(&self, dice: &mut Dice, habits: &Habits, others: &[usize]) -> Action {
        let (word, timer) = (dice.below(self.words), dice.below(TIMERS));
        if dice.percent(habits.sends) {
            // A message to a node that is not a neighbour is an error of the protocol.
            let to = match others {
                [] => return Action::Broadcast(word),
                _ if dice.percent(habits.strays) => dice.below(self.nodes),
                others => dice.pick(others),
            };
            return match dice.below(8) {
                0 | 1 => Action::Broadcast(word),
                2 => Action::SendWithin(to, word),
                _ => Action::Send(to, word),
            };
        }
        match dice.below(8) {
            0..3 => Action::Set(timer),
            3 => Action::Prolong(timer),
            4 => Action::Count,
            _ => Action::Cancel(timer),
        }
    }

    /// How many states a node can be in.
    fn states(&self) -> usize {
        usize::from(self.values) * usize::from(self.disks)
    }

    /// How many different inputs there are.
    fn inputs(&self) -> usize {
        2 + 2 * self.nodes * WORDS + TIMERS + COMMANDS
    }

    fn per_node(&self) -> usize {
        self.states() * self.inputs()
    }

    fn state(&self, value: u8, disk: u8) -> usize {
        usize::from(value) * usize::from(self.disks) + usize::from(disk)
    }

    fn place(&self, node: usize, value: u8, disk: u8, input: Input) -> usize {
        let packets = self.nodes * WORDS;
        let (value, input) = match input {
            Input::Start => (0, 0),
            // Only stable storage survives.
            Input::Restart => (0, 1),
            Input::Message(from, word) => (value, 2 + from * WORDS + word),
            Input::Undeliverable(to, word) => (value, 2 + packets + to * WORDS + word),
            Input::Timer(timer) => (value, 2 + 2 * packets + timer),
            Input::Command(command) => (value, 2 + 2 * packets + TIMERS + command),
        };
        node * self.per_node() + self.state(value, disk) * self.inputs() + input
    }

    /// The reaction of a node in this state to an input.
    #[must_use]
    pub fn reaction(&self, node: usize, value: u8, disk: u8, input: Input) -> &Reaction {
        &self.reactions[self.place(node, value, disk, input)]
    }

    /// The commands that a node in this state accepts.
    #[must_use]
    pub fn commands(&self, node: usize, value: u8, disk: u8) -> &[usize] {
        &self.commands[node * self.states() + self.state(value, disk)]
    }

    /// Replaces a reaction.
    pub fn replace(&mut self, node: usize, value: u8, disk: u8, input: Input, by: Reaction) {
        let place = self.place(node, value, disk, input);
        self.reactions[place] = by;
    }
}

/// The message of a panic in the table.
pub const PANIC: &str = "the table says so";

/// The protocol of a table.
pub struct Tabled(pub Table);

impl Tabled {
    fn react(
        &self,
        me: NodeId,
        before: Option<&Local>,
        input: Input,
        fx: &mut Start<'_, Self>,
    ) -> Local {
        let (value, disk) = before.map_or((0, 0), |before| (before.value, before.disk));
        let seen = before.map_or(0, |before| *before.seen) + 1;
        let mut reaction = self.0.reaction(me.index(), value, disk, input);
        loop {
            reaction.actions.iter().for_each(|action| act(action, seen, fx));
            reaction = match &reaction.then {
                Then::Become(value, disk) => {
                    return Local { value: *value, disk: *disk, seen: Ignored(seen) };
                }
                Then::Panic => panic!("{PANIC}"),
                Then::Choose(ways) => &ways[fx.choose(ways.len() as u32) as usize],
            };
        }
    }
}

fn act(action: &Action, seen: u32, fx: &mut Start<'_, Tabled>) {
    const WHILE: Duration = Duration::from_millis(5);
    match *action {
        Action::Send(to, word) => fx.send(NodeId::from(to), Message::of(word, seen)),
        Action::SendWithin(to, word) => {
            fx.send_within(NodeId::from(to), Message::of(word, seen), WHILE);
        }
        Action::Broadcast(word) => fx.broadcast(Message::of(word, seen)),
        // The second timer runs longer.
        Action::Set(timer) => fx.set_timer(Timer::ALL[timer], WHILE * (timer as u32 + 1)),
        Action::Prolong(timer) => fx.prolong_timer(Timer::ALL[timer], WHILE * (timer as u32 + 1)),
        Action::Cancel(timer) => fx.cancel_timer(&Timer::ALL[timer]),
        Action::Count => fx.count("reactions"),
    }
}

impl Protocol for Tabled {
    type State = Local;
    type Message = Message;
    type Timer = Timer;
    type Command = Command;

    fn start(&self, node: &mut Start<'_, Self>) -> Local {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        self.react(me, None, Input::Start, fx)
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &Local) -> Local {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        self.react(me, Some(before), Input::Restart, fx)
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.react(me, Some(state), Input::Message(from.index(), message.word()), fx);
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &Message) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.react(me, Some(state), Input::Undeliverable(to.index(), message.word()), fx);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.react(me, Some(state), Input::Timer(*timer as usize), fx);
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Command) {
        let me = node.id;
        let (state, mut fx) = node.split();
        let fx = &mut fx;
        *state = self.react(me, Some(state), Input::Command(*command as usize), fx);
    }

    fn commands(&self, me: NodeId, state: &Local) -> Vec<Command> {
        let accepted = self.0.commands(me.index(), state.value, state.disk);
        accepted.iter().map(|&command| Command::ALL[command]).collect()
    }
}
