//! The handlers: loyal generals verify, sign and pass on; traitors do what they are asked to.

use std::collections::{BTreeMap, BTreeSet};

use everypath::prelude::*;

use crate::{
    chain::{Chain, Order},
    keys::Keyring,
};

/// Who gives the order.
pub const COMMANDER: NodeId = NodeId(0);

/// How lieutenants do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// As Lamport, Shostak and Pease do.
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
    /// How many generals may be traitors without harm: the m of SM(m).
    pub tolerated: u32,
    /// Who are traitors.
    pub traitors: BTreeSet<NodeId>,
    /// With or without an error.
    pub version: Version,
    /// How long a round takes.
    pub round: Duration,
    /// All keys. They are the same in every network.
    pub keys: Keyring,
}

/// What a general knows.
#[data]
pub struct State {
    /// The round that is going on, from 1.
    pub round: u32,
    /// The orders that it has accepted: of a loyal commander, the one that it gave.
    pub orders: BTreeSet<Order>,
    /// What it has decided.
    pub decision: Option<Order>,
    /// Of a traitor: the orders that it was given, to sign them when it pleases.
    pub held: BTreeMap<Order, Chain>,
    /// Of a traitor: which orders it has sent to whom.
    pub sent: BTreeSet<(Order, NodeId)>,
}

/// What generals send each other.
#[data]
pub enum Message {
    /// The commander's order, with its signature.
    Order(Chain),
    /// An order that a lieutenant passes on, with its signature.
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

/// What a traitor can do.
#[data]
pub enum Command {
    /// A commander gives an order to one lieutenant.
    Give(Order, NodeId),
    /// A lieutenant passes an order on to one other, with its own signature.
    Pass(Order, NodeId),
    /// The same, but it signs twice.
    PassSignedTwice(Order, NodeId),
    /// A lieutenant makes up an order of the commander, and passes it on to one other.
    Forge(Order, NodeId),
}

impl Generals {
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

    /// Whether an order is to be believed.
    fn is_acceptable(&self, me: NodeId, chain: &Chain) -> bool {
        let begins = chain.signatures.first().is_some_and(|first| first.by == COMMANDER);
        let repeats = self.version != Version::RepeatedSigners && !chain.is_by_different_generals();
        let is_genuine = self.version == Version::Unverified || chain.is_genuine(&self.keys);
        begins && !chain.has(me) && !repeats && is_genuine
    }

    fn hear(&self, me: NodeId, state: &mut State, chain: &Chain, fx: &mut impl Effects<Self>) {
        if !self.is_loyal(me) {
            state.held.entry(chain.order).or_insert_with(|| chain.clone());
            return;
        }
        fx.count("chains verified");
        let signatures = u32::try_from(chain.signatures.len()).unwrap_or(u32::MAX);
        // Who gets an order late could not pass it on in time.
        let is_late = signatures < state.round || state.decision.is_some();
        if !self.is_acceptable(me, chain) || is_late || !state.orders.insert(chain.order) {
            return;
        }
        if signatures <= self.tolerated {
            fx.count("orders passed on");
            fx.broadcast(Message::Relay(chain.signed(me, &self.keys)));
        }
    }

    /// A traitor sends an order to one lieutenant.
    fn deceive(state: &mut State, to: NodeId, message: Message, fx: &mut impl Effects<Self>) {
        state.sent.insert((message.chain().order, to));
        fx.send(to, message);
    }
}

#[handlers]
impl Protocol for Generals {
    type State = State;
    type Message = Message;
    type Timer = Timer;
    type Command = Command;

    fn start(&self, me: NodeId, fx: &mut impl Effects<Self>) -> State {
        let mut state = State {
            round: 1,
            orders: BTreeSet::new(),
            decision: None,
            held: BTreeMap::new(),
            sent: BTreeSet::new(),
        };
        if self.must_agree(me) {
            fx.set_timer(Timer::Round, self.round);
        } else if self.is_loyal(me) {
            let order = Order::ALL[fx.choose(2) as usize];
            state.orders.insert(order);
            fx.broadcast(Message::Order(Chain::new(order).signed(me, &self.keys)));
        }
        state
    }

    fn on_message(
        &self,
        me: NodeId,
        state: &mut State,
        from: NodeId,
        message: &Message,
        fx: &mut impl Effects<Self>,
    ) {
        match message {
            Message::Order(chain) => {
                if from == COMMANDER && chain.signatures.len() == 1 {
                    self.hear(me, state, chain, fx);
                }
            }
            Message::Relay(chain) => {
                if me != COMMANDER && chain.signatures.len() > 1 {
                    self.hear(me, state, chain, fx);
                }
            }
        }
    }

    fn on_timer(&self, _: NodeId, state: &mut State, timer: &Timer, fx: &mut impl Effects<Self>) {
        match timer {
            Timer::Round => {
                state.round += 1;
                if state.round <= self.rounds() {
                    fx.set_timer(Timer::Round, self.round);
                } else {
                    // No order or two: the commander is a traitor.
                    let is_clear = state.orders.len() == 1;
                    let order = state.orders.first().copied().filter(|_| is_clear);
                    state.decision = Some(order.unwrap_or(Order::Retreat));
                }
            }
        }
    }

    fn on_command(
        &self,
        me: NodeId,
        state: &mut State,
        command: &Command,
        fx: &mut impl Effects<Self>,
    ) {
        let keys = &self.keys;
        match command {
            Command::Give(order, to) => {
                let chain = Chain::new(*order).signed(me, keys);
                Self::deceive(state, *to, Message::Order(chain), fx);
            }
            Command::Pass(order, to) => {
                if let Some(chain) = state.held.get(order) {
                    let chain = chain.signed(me, keys);
                    Self::deceive(state, *to, Message::Relay(chain), fx);
                }
            }
            Command::PassSignedTwice(order, to) => {
                if let Some(chain) = state.held.get(order) {
                    let chain = chain.signed(me, keys).signed(me, keys);
                    Self::deceive(state, *to, Message::Relay(chain), fx);
                }
            }
            Command::Forge(order, to) => {
                let chain = Chain::new(*order).forged(COMMANDER, me, keys).signed(me, keys);
                Self::deceive(state, *to, Message::Relay(chain), fx);
            }
        }
    }

    /// How many generals there are matters to no handler.
    fn configuration(&self) -> Option<String> {
        let Self { tolerated, traitors, version, round, .. } = self;
        Some(format!("{tolerated}, {traitors:?}, {version:?}, {round:?}"))
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
            // Whoever has signed an order need not be told.
            Some(chain) if chain.has(to) => Vec::new(),
            Some(_) => vec![Command::Pass(order, to), Command::PassSignedTwice(order, to)],
        });
        commands.collect()
    }

    fn message_bytes(&self, _: NodeId, message: &Message) -> usize {
        1 + message.chain().signatures.len() * (4 + 64)
    }
}
