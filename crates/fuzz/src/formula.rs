//! What is said of worlds: drawn from a seed, and asked of whatever can be looked at.

use crate::{dice::Dice, protocol::TIMERS};

/// A world, as far as formulas look at it; nodes, messages and timers by number.
pub trait View {
    /// The value of a node.
    fn value(&self, node: usize) -> u8;
    /// What is on a node's stable storage.
    fn disk(&self, node: usize) -> u8;
    /// Whether a timer is set at a node.
    fn is_set(&self, node: usize, timer: usize) -> bool;
    /// How many such packets are in flight.
    fn packets(&self, which: &Which) -> usize;
    /// Whether a link joins two nodes and is up.
    fn is_up(&self, a: usize, b: usize) -> bool;
}

/// Some packets: all that are from here, to there, and say this, as far as it is said.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// From whom.
    pub from: Option<usize>,
    /// To whom.
    pub to: Option<usize>,
    /// What they say.
    pub word: Option<usize>,
}

impl Which {
    /// Whether a packet is one of them.
    #[must_use]
    pub fn has(&self, from: usize, to: usize, word: usize) -> bool {
        self.from.is_none_or(|it| it == from)
            && self.to.is_none_or(|it| it == to)
            && self.word.is_none_or(|it| it == word)
    }

    /// Whether all packets are.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.word.is_none()
    }
}

/// A question to a world.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Has the node this value?
    Value(usize, u8),
    /// Has it this on stable storage?
    Disk(usize, u8),
    /// Is its timer set?
    Set(usize, usize),
    /// Are so many such packets in flight, at least?
    Packets(Which, usize),
    /// Are these two linked, and is the link up?
    Up(usize, usize),
    /// Is one number at most another?
    AtMost(Number, Number),
    /// Is it not so?
    Not(Box<Formula>),
    /// Are both so?
    Both(Box<[Formula; 2]>),
    /// Is one of them so?
    Either(Box<[Formula; 2]>),
}

/// A number that a world has.
#[derive(Clone, Debug)]
pub enum Number {
    /// Always the same.
    Of(i64),
    /// The sum of all values.
    Values,
    /// How many timers are set.
    Timers,
    /// How many such packets are in flight.
    Packets(Which),
    /// What is on the stable storage of a node.
    Disk(usize),
}

/// What formulas can speak of.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// So many nodes.
    pub nodes: usize,
    /// So many values.
    pub values: u8,
    /// So many contents of stable storage.
    pub disks: u8,
    /// So many messages.
    pub words: usize,
    /// Whether they may speak of packets.
    pub packets: bool,
}

impl Vocabulary {
    /// A formula.
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

    /// A number.
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
    /// Whether it is so in a world of so many nodes.
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

    /// Whether it may look at the packets in flight.
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
    /// The number in a world of so many nodes.
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

    /// Whether it may look at the packets in flight.
    #[must_use]
    pub fn speaks_of_packets(&self) -> bool {
        matches!(self, Self::Packets(_))
    }
}
