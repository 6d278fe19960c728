//! Random formulas about worlds.

use crate::{dice::Dice, protocol::TIMERS};

/// A world as formulas read it; nodes, messages and timers are numbers.
pub trait View {
    /// The value of a node.
    fn value(&self, node: usize) -> u8;
    /// The content of a node's stable storage.
    fn disk(&self, node: usize) -> u8;
    /// Whether a timer is set at a node.
    fn is_set(&self, node: usize, timer: usize) -> bool;
    /// How many matching packets are in flight.
    fn packets(&self, which: &Which) -> usize;
    /// Whether a link joins two nodes and is up.
    fn is_up(&self, a: usize, b: usize) -> bool;
}

/// A pattern of packets; `None` matches anything.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// The sender.
    pub from: Option<usize>,
    /// The receiver.
    pub to: Option<usize>,
    /// The message.
    pub word: Option<usize>,
}

impl Which {
    /// Whether it matches a packet.
    #[must_use]
    pub fn has(&self, from: usize, to: usize, word: usize) -> bool {
        self.from.is_none_or(|it| it == from)
            && self.to.is_none_or(|it| it == to)
            && self.word.is_none_or(|it| it == word)
    }

    /// Whether it matches all packets.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.word.is_none()
    }
}

/// A formula about a world.
#[derive(Clone, Debug)]
pub enum Formula {
    /// The node has this value.
    Value(usize, u8),
    /// Its stable storage has this content.
    Disk(usize, u8),
    /// Its timer is set.
    Set(usize, usize),
    /// At least this many matching packets are in flight.
    Packets(Which, usize),
    /// The two nodes are linked, and the link is up.
    Up(usize, usize),
    /// One number is at most another.
    AtMost(Number, Number),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    Both(Box<[Formula; 2]>),
    /// Disjunction.
    Either(Box<[Formula; 2]>),
}

/// A number read from a world.
#[derive(Clone, Debug)]
pub enum Number {
    /// A constant.
    Of(i64),
    /// The sum of all values.
    Values,
    /// How many timers are set.
    Timers,
    /// How many matching packets are in flight.
    Packets(Which),
    /// The content of a node's stable storage.
    Disk(usize),
}

/// The vocabulary of formulas.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of values.
    pub values: u8,
    /// The number of contents of stable storage.
    pub disks: u8,
    /// The number of messages.
    pub words: usize,
    /// Whether they may read packets.
    pub packets: bool,
}

impl Vocabulary {
    /// A random formula.
    pub fn formula(&self, dice: &mut Dice, depth: usize) -> Formula {
        let node = dice.below(self.nodes);
        if depth < 2 && dice.percent(45) {
            let part = |dice: &mut Dice| self.formula(dice, depth + 1);
            return match dice.below(3) {
                0 => Formula::Not(Box::new(part(dice))),
                1 => Formula::Both(Box::new([part(dice), part(dice)])),
                _ => Formula::Either(Box::new([part(dice), part(dice)])),
            };
        }
        match dice.below(8) {
            0..3 => Formula::Value(node, dice.below(self.values.into()) as u8),
            3 => Formula::Disk(node, dice.below(self.disks.into()) as u8),
            4 => Formula::Set(node, dice.below(TIMERS)),
            5 => Formula::Up(node, dice.below(self.nodes)),
            6 => Formula::AtMost(self.number(dice), self.number(dice)),
            _ if self.packets => Formula::Packets(self.which(dice), dice.between(1, 3)),
            _ => Formula::Value(node, dice.below(self.values.into()) as u8),
        }
    }

    /// A random number.
    pub fn number(&self, dice: &mut Dice) -> Number {
        match dice.below(5) {
            0 => Number::Of(dice.below(4) as i64),
            1 => Number::Values,
            2 => Number::Timers,
            3 if self.packets => Number::Packets(self.which(dice)),
            _ => Number::Disk(dice.below(self.nodes)),
        }
    }

    fn which(&self, dice: &mut Dice) -> Which {
        Which {
            from: dice.perhaps(25, |dice| dice.below(self.nodes)),
            to: dice.perhaps(25, |dice| dice.below(self.nodes)),
            word: dice.perhaps(40, |dice| dice.below(self.words)),
        }
    }
}

impl Formula {
    /// Whether it holds in a world with this many nodes.
    pub fn holds(&self, nodes: usize, view: &impl View) -> bool {
        match self {
            Self::Value(node, value) => view.value(*node) == *value,
            Self::Disk(node, disk) => view.disk(*node) == *disk,
            Self::Set(node, timer) => view.is_set(*node, *timer),
            Self::Packets(which, least) => view.packets(which) >= *least,
            Self::Up(a, b) => view.is_up(*a, *b),
            Self::AtMost(number, bound) => number.of(nodes, view) <= bound.of(nodes, view),
            Self::Not(part) => !part.holds(nodes, view),
            Self::Both(parts) => parts.iter().all(|part| part.holds(nodes, view)),
            Self::Either(parts) => parts.iter().any(|part| part.holds(nodes, view)),
        }
    }

    /// Whether it may read the packets in flight.
    #[must_use]
    pub fn speaks_of_packets(&self) -> bool {
        match self {
            Self::Packets(..) => true,
            Self::AtMost(number, bound) => number.speaks_of_packets() || bound.speaks_of_packets(),
            Self::Not(part) => part.speaks_of_packets(),
            Self::Both(parts) | Self::Either(parts) => parts.iter().any(Self::speaks_of_packets),
            Self::Value(..) | Self::Disk(..) | Self::Set(..) | Self::Up(..) => false,
        }
    }
}

impl Number {
    /// Its value in a world with this many nodes.
    pub fn of(&self, nodes: usize, view: &impl View) -> i64 {
        match self {
            Self::Of(number) => *number,
            Self::Values => (0..nodes).map(|node| i64::from(view.value(node))).sum(),
            Self::Timers => {
                let timers = (0..nodes).flat_map(|node| (0..TIMERS).map(move |it| (node, it)));
                timers.filter(|&(node, timer)| view.is_set(node, timer)).count() as i64
            }
            Self::Packets(which) => view.packets(which) as i64,
            Self::Disk(node) => i64::from(view.disk(*node)),
        }
    }

    /// Whether it may read the packets in flight.
    #[must_use]
    pub fn speaks_of_packets(&self) -> bool {
        matches!(self, Self::Packets(_))
    }
}
