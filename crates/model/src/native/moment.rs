//! Histories of native nodes: a moment in the life of a node knows the one before and the input.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, Weak,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use serde::{Deserialize, Serialize};

use super::{
    Native, Opaque,
    answers::Answers,
    keeper::{Held, Holder, Keeper},
};
use crate::{Input, NodeId};

/// A node after one of its handlers.
pub(super) struct Moment<N: Native> {
    pub(super) origin: Origin<N>,
    /// Whether nodes like this one can be copied.
    pub(super) copies: bool,
    /// The node, if it is at hand.
    node: Mutex<Option<Held<N::Node>>>,
    last_use: AtomicU64,
}

/// How a node became what it is.
pub(super) enum Origin<N: Native> {
    /// Unknown: it has always been at hand, and can be copied.
    Unknown,
    /// It started, or restarted with what was seen before.
    Start { before: Option<N::Seen>, answers: Answers },
    /// It had an input.
    After { before: Arc<Moment<N>>, input: OwnInput<N>, answers: Answers },
}

/// An input that owns its content.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) enum OwnInput<N: Native> {
    Message { from: NodeId, message: N::Message },
    Undeliverable { to: NodeId, message: N::Message },
    Timer(N::Timer),
    Command(N::Command),
}

impl<N: Native> OwnInput<N> {
    pub(super) fn of(input: Input<'_, Opaque<N>>) -> Self {
        match input {
            Input::Message { from, message } => Self::Message { from, message: message.clone() },
            Input::Undeliverable { to, message } => {
                Self::Undeliverable { to, message: message.clone() }
            }
            Input::Timer(timer) => Self::Timer(timer.clone()),
            Input::Command(command) => Self::Command(command.clone()),
        }
    }

    pub(super) fn input(&self) -> Input<'_, Opaque<N>> {
        match self {
            Self::Message { from, message } => Input::Message { from: *from, message },
            Self::Undeliverable { to, message } => Input::Undeliverable { to: *to, message },
            Self::Timer(timer) => Input::Timer(timer),
            Self::Command(command) => Input::Command(command),
        }
    }

    /// The input in words.
    fn describe(&self) -> String {
        match self {
            Self::Message { from, message } => format!("{message:?} from {from}"),
            Self::Undeliverable { to, message } => format!("{message:?} back from {to}"),
            Self::Timer(timer) => format!("timer {timer:?}"),
            Self::Command(command) => format!("command {command:?}"),
        }
    }
}

impl<N: Native> Moment<N> {
    /// A moment whose node is not at hand.
    pub(super) fn new(origin: Origin<N>, copies: bool) -> Self {
        Self { origin, copies, node: Mutex::new(None), last_use: AtomicU64::new(0) }
    }

    /// A moment with a node that stays at hand, whatever a keeper does.
    pub(super) fn with_own(origin: Origin<N>, copies: bool, node: N::Node) -> Self {
        let moment = Self::new(origin, copies);
        *moment.node() = Some(Held::own(node));
        moment
    }

    fn node(&self) -> MutexGuard<'_, Option<Held<N::Node>>> {
        self.node.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the node, if it is at hand.
    pub(super) fn take(&self) -> Option<N::Node> {
        self.node().take().map(|held| held.node)
    }

    /// The node, if it is at hand: a copy or, where that is impossible, the node itself. A node that
    /// cannot be made again is never taken.
    pub(super) fn copy_or_take(&self) -> Option<N::Node> {
        let mut node = self.node();
        let copy = if self.copies { N::copy(&node.as_ref()?.node) } else { None };
        match self.origin {
            Origin::Unknown => copy,
            _ => copy.or_else(|| node.take().map(|held| held.node)),
        }
    }

    /// Keeps a node at hand, to the extent that a keeper allows.
    pub(super) fn keep(self: &Arc<Self>, node: N::Node, keeper: &Keeper) {
        if let Some(held) = keeper.hold(node) {
            *self.node() = Some(held);
            self.was_used(keeper);
        }
    }

    /// Notes that the node was used, if it is still at hand.
    pub(super) fn was_used(self: &Arc<Self>, keeper: &Keeper) {
        let is_kept = !matches!(self.origin, Origin::Unknown) && self.holds();
        if is_kept {
            let weak: Weak<Self> = Arc::downgrade(self);
            keeper.used(weak);
        }
    }

    /// All moments up to this one, the first one first.
    pub(super) fn life(&self) -> Vec<&Self> {
        let mut life = vec![self];
        let mut last = self;
        while let Origin::After { before, .. } = &last.origin {
            last = before;
            life.push(last);
        }
        life.reverse();
        life
    }

    /// The inputs that led here, in words.
    pub(super) fn describe(&self) -> String {
        let inputs = self.life().into_iter().map(|moment| match &moment.origin {
            Origin::Unknown => "a copied node".to_owned(),
            Origin::Start { before: None, .. } => "start".to_owned(),
            Origin::Start { before: Some(_), .. } => "restart".to_owned(),
            Origin::After { input, .. } => input.describe(),
        });
        inputs.collect::<Vec<_>>().join(", ")
    }
}

impl<N: Native> Holder for Moment<N> {
    fn last_use(&self) -> &AtomicU64 {
        &self.last_use
    }

    fn holds(&self) -> bool {
        self.node().is_some()
    }

    fn let_go(&self) {
        // Outside of the lock: dropping a node is code of its crate.
        drop(self.take());
        self.last_use.store(0, Relaxed);
    }
}

/// A life can be long, so it is not dropped recursively.
impl<N: Native> Drop for Moment<N> {
    fn drop(&mut self) {
        let mut origin = std::mem::replace(&mut self.origin, Origin::Unknown);
        while let Origin::After { before, .. } = origin {
            let Some(mut moment) = Arc::into_inner(before) else { return };
            origin = std::mem::replace(&mut moment.origin, Origin::Unknown);
        }
    }
}
