//! The handlers: loyal generals verify, sign and forward orders; traitors execute commands.

use std::collections::{BTreeMap, BTreeSet};

use everypath::prelude::*;

use crate::{
    chain::{Chain, Order},
    keys::Keyring,
};

/// The commander.
pub const COMMANDER: NodeId = NodeId(0);

/// The version of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The algorithm of Lamport, Shostak and Pease.
    Correct,
    /// An error: signatures are not verified.
    Unverified,
    /// An error: one general may sign twice.
    RepeatedSigners,
    /// An error: lieutenants decide one round too early.
    OneRoundLess,
}

/// Agreement by signed messages.
#[derive(Debug)]
pub struct Generals {
    /// How many generals there are.
    pub generals: u32,
    /// The number of tolerated traitors: the m of SM(m).
    pub tolerated: u32,
    /// The traitors.
    pub traitors: BTreeSet<NodeId>,
    /// The version, with or without an error.
    pub version: Version,
    /// The length of a round.
    pub round: Duration,
    /// All keys. They are the same in every network.
    pub keys: Keyring,
}

/// The state of a general.
#[data]
pub struct State {
    /// The present round, from 1.
    pub round: u32,
    /// The orders that it has accepted; for a loyal commander, its own.
    pub orders: BTreeSet<Order>,
    /// Its decision.
    pub decision: Option<Order>,
    /// For a traitor: the orders that it has received, and may sign later.
    pub held: BTreeMap<Order, Chain>,
    /// For a traitor: the orders that it has sent, with their receivers.
    pub sent: BTreeSet<(Order, NodeId)>,
}

/// A message between generals.
#[data]
pub enum Message {
    /// The commander's order, with its signature.
    Order(Chain),
    /// An order that a lieutenant forwards, with its signature.
    Relay(Chain),
}

impl Message {
    /// The order in it, with its signatures.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        match self {
            Self::Order(chain) | Self::Relay(chain) => chain,
        }
    }
}

/// The one timer of a lieutenant.
#[data]
pub enum Timer {
    /// A round is over.
    Round,
}

/// A command to a traitor.
#[data]
pub enum Command {
    /// A commander gives an order to one lieutenant.
    Give(Order, NodeId),
    /// A lieutenant forwards an order to one other, with its own signature.
    Pass(Order, NodeId),
    /// The same, but it signs twice.
    PassSignedTwice(Order, NodeId),
    /// A lieutenant forges an order of the commander, and sends it to one other.
    Forge(Order, NodeId),
}

impl Generals {
    /// Everything that handlers read; the number of generals is not part of it.
    pub(crate) fn configuration(&self) -> String {
        let Self { tolerated, traitors, version, round, .. } = self;
        format!("{tolerated}, {traitors:?}, {version:?}, {round:?}")
    }

    /// Whether a general is loyal.
    #[must_use]
    pub fn is_loyal(&self, general: NodeId) -> bool {
        !self.traitors.contains(&general)
    }

    /// Whether a general is one of those that must agree.
    #[must_use]
    pub fn must_agree(&self, general: NodeId) -> bool {
        general != COMMANDER && self.is_loyal(general)
    }

    fn rounds(&self) -> u32 {
        match self.version {
            Version::OneRoundLess => self.tolerated,
            _ => self.tolerated + 1,
        }
    }

    /// Whether an order is accepted.
    fn is_acceptable(&self, me: NodeId, chain: &Chain) -> bool {
        let begins = chain.signatures.first().is_some_and(|first| first.by == COMMANDER);
        let repeats = self.version != Version::RepeatedSigners && !chain.is_by_different_generals();
        let is_genuine = self.version == Version::Unverified || chain.is_genuine(&self.keys);
        begins && !chain.has(me) && !repeats && is_genuine
    }

    fn hear(&self, node: &mut Node<'_, Self>, chain: &Chain) {
        if !self.is_loyal(node.id) {
            node.state.held.entry(chain.order).or_insert_with(|| chain.clone());
            return;
        }
        node.count("chains verified");
        let signatures = u32::try_from(chain.signatures.len()).unwrap_or(u32::MAX);
        // A late order could not be forwarded in time.
        let is_late = signatures < node.state.round || node.state.decision.is_some();
        if !self.is_acceptable(node.id, chain) || is_late || !node.state.orders.insert(chain.order)
        {
            return;
        }
        if signatures <= self.tolerated {
            node.count("orders passed on");
            node.broadcast(Message::Relay(chain.signed(node.id, &self.keys)));
        }
    }

    /// A traitor sends an order to one lieutenant.
    fn deceive(node: &mut Node<'_, Self>, to: NodeId, message: Message) {
        node.state.sent.insert((message.chain().order, to));
        node.send(to, message);
    }
}

#[handlers]
impl Protocol for Generals {
    type State = State;
    type Message = Message;
    type Timer = Timer;
    type Command = Command;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        let me = node.id;
        let mut state = State {
            round: 1,
            orders: BTreeSet::new(),
            decision: None,
            held: BTreeMap::new(),
            sent: BTreeSet::new(),
        };
        if self.must_agree(me) {
            node.set_timer(Timer::Round, self.round);
        } else if self.is_loyal(me) {
            let order = Order::ALL[node.choose(2) as usize];
            state.orders.insert(order);
            node.broadcast(Message::Order(Chain::new(order).signed(me, &self.keys)));
        }
        state
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match message {
            Message::Order(chain) => {
                if from == COMMANDER && chain.signatures.len() == 1 {
                    self.hear(node, chain);
                }
            }
            Message::Relay(chain) => {
                if node.id != COMMANDER && chain.signatures.len() > 1 {
                    self.hear(node, chain);
                }
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        match timer {
            Timer::Round => {
                node.state.round += 1;
                if node.state.round <= self.rounds() {
                    node.set_timer(Timer::Round, self.round);
                } else {
                    // No order or two: the commander is a traitor.
                    let is_clear = node.state.orders.len() == 1;
                    let order = node.state.orders.first().copied().filter(|_| is_clear);
                    node.state.decision = Some(order.unwrap_or(Order::Retreat));
                }
            }
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Command) {
        let (me, keys) = (node.id, &self.keys);
        match command {
            Command::Give(order, to) => {
                let chain = Chain::new(*order).signed(me, keys);
                Self::deceive(node, *to, Message::Order(chain));
            }
            Command::Pass(order, to) => {
                if let Some(chain) = node.state.held.get(order) {
                    let chain = chain.signed(me, keys);
                    Self::deceive(node, *to, Message::Relay(chain));
                }
            }
            Command::PassSignedTwice(order, to) => {
                if let Some(chain) = node.state.held.get(order) {
                    let chain = chain.signed(me, keys).signed(me, keys);
                    Self::deceive(node, *to, Message::Relay(chain));
                }
            }
            Command::Forge(order, to) => {
                let chain = Chain::new(*order).forged(COMMANDER, me, keys).signed(me, keys);
                Self::deceive(node, *to, Message::Relay(chain));
            }
        }
    }

    fn commands(&self, me: NodeId, state: &State) -> Vec<Command> {
        if self.is_loyal(me) {
            return Vec::new();
        }
        let others = (1..self.generals).map(NodeId).filter(|&other| other != me);
        let deceits = others.flat_map(|to| Order::ALL.map(|order| (order, to)));
        let new = deceits.filter(|deceit| !state.sent.contains(deceit));
        let commands = new.flat_map(|(order, to)| match state.held.get(&order) {
            _ if me == COMMANDER => vec![Command::Give(order, to)],
            None => vec![Command::Forge(order, to)],
            // Generals that have signed the order know it.
            Some(chain) if chain.has(to) => Vec::new(),
            Some(_) => vec![Command::Pass(order, to), Command::PassSignedTwice(order, to)],
        });
        commands.collect()
    }
}
