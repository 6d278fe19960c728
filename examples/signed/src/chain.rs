//! Orders with a chain of signatures.

use std::fmt;

use everypath::{NodeId, data};
use serde::{Deserialize, Serialize};

use crate::keys::{Keyring, Signature};

/// The order of a commander.
#[data]
#[derive(Copy)]
pub enum Order {
    /// Attack.
    Attack,
    /// Retreat; also the default without a clear order.
    Retreat,
}

impl Order {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::Attack, Self::Retreat];
}

/// A signature and its alleged signer.
#[data]
#[derive(Copy)]
pub struct Signed {
    /// The alleged signer.
    pub by: NodeId,
    /// The signature of the order and of all signatures before this one.
    pub signature: Signature,
}

/// An order with a chain of signatures.
///
/// ```
/// use everypath::NodeId;
/// use everypath_signed::{Chain, Keyring, Order};
///
/// let keys = Keyring::default();
/// let chain = Chain::new(Order::Attack).signed(NodeId(0), &keys).signed(NodeId(2), &keys);
/// assert!(chain.is_genuine(&keys));
/// let other = Chain { order: Order::Retreat, ..chain };
/// assert!(!other.is_genuine(&keys));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Chain {
    /// The order.
    pub order: Order,
    /// The signatures, the first one first.
    pub signatures: Vec<Signed>,
}

impl Chain {
    /// An order without signatures.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self { order, signatures: Vec::new() }
    }

    /// The same with another signature.
    #[must_use]
    pub fn signed(&self, by: NodeId, keys: &Keyring) -> Self {
        self.forged(by, by, keys)
    }

    /// The same with a forged signature: it names one general, but is another's.
    #[must_use]
    pub fn forged(&self, by: NodeId, forger: NodeId, keys: &Keyring) -> Self {
        let mut text = text_of(self.order);
        self.signatures.iter().for_each(|signed| add(&mut text, signed));
        let mut chain = self.clone();
        chain.signatures.push(Signed { by, signature: keys.sign(forger, &text) });
        chain
    }

    /// Whether every signature is genuine.
    #[must_use]
    pub fn is_genuine(&self, keys: &Keyring) -> bool {
        let mut text = text_of(self.order);
        self.signatures.iter().all(|signed| {
            let is_genuine = keys.verify(signed.by, &text, &signed.signature);
            add(&mut text, signed);
            is_genuine
        })
    }

    /// Whether a general is among the alleged signers.
    #[must_use]
    pub fn has(&self, general: NodeId) -> bool {
        self.signatures.iter().any(|signed| signed.by == general)
    }

    /// Whether all alleged signers are different.
    #[must_use]
    pub fn is_by_different_generals(&self) -> bool {
        let all = self.signatures.iter().enumerate();
        all.into_iter().all(|(place, signed)| {
            self.signatures[..place].iter().all(|earlier| earlier.by != signed.by)
        })
    }
}

/// As in the literature, v:0:i, with the beginning of each signature to distinguish chains.
impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.order)?;
        let mut all = self.signatures.iter();
        all.try_for_each(|Signed { by, signature }| write!(f, ":{}#{signature:?}", by.0))
    }
}

/// The text that the first general signs.
fn text_of(order: Order) -> Vec<u8> {
    match order {
        Order::Attack => b"attack".to_vec(),
        Order::Retreat => b"retreat".to_vec(),
    }
}

/// The text that the next general signs in addition.
fn add(text: &mut Vec<u8>, signed: &Signed) {
    text.extend(signed.by.0.to_le_bytes());
    text.extend(signed.signature.bytes());
}
