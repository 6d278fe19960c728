//! An order with the signatures of all through whose hands it went.

use std::fmt;

use everypath::{NodeId, data};
use serde::{Deserialize, Serialize};

use crate::keys::{Keyring, Signature};

/// What a commander can want.
#[data]
#[derive(Copy)]
pub enum Order {
    /// To attack.
    Attack,
    /// To retreat. It is also what is done if there is no clear order.
    Retreat,
}

impl Order {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Attack, Self::Retreat];
}

/// A signature, and whose it is said to be.
#[data]
#[derive(Copy)]
pub struct Signed {
    /// Who is said to have signed.
    pub by: NodeId,
    /// The signature of the order and of all signatures before this one.
    pub signature: Signature,
}

/// An order, signed by one after the other.
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
    /// What is ordered.
    pub order: Order,
    /// The signatures, the first one first.
    pub signatures: Vec<Signed>,
}

impl Chain {
    /// An order that nobody has signed.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self { order, signatures: Vec::new() }
    }

    /// The same, with one signature more.
    #[must_use]
    pub fn signed(&self, by: NodeId, keys: &Keyring) -> Self {
        self.forged(by, by, keys)
    }

    /// The same, with one signature more that is said to be somebody's, but is another's.
    #[must_use]
    pub fn forged(&self, by: NodeId, forger: NodeId, keys: &Keyring) -> Self {
        let mut text = text_of(self.order);
        self.signatures.iter().for_each(|signed| add(&mut text, signed));
        let mut chain = self.clone();
        chain.signatures.push(Signed { by, signature: keys.sign(forger, &text) });
        chain
    }

    /// Whether every signature is of whom it is said to be.
    #[must_use]
    pub fn is_genuine(&self, keys: &Keyring) -> bool {
        let mut text = text_of(self.order);
        self.signatures.iter().all(|signed| {
            let is_genuine = keys.verify(signed.by, &text, &signed.signature);
            add(&mut text, signed);
            is_genuine
        })
    }

    /// Whether somebody is among those who are said to have signed.
    #[must_use]
    pub fn has(&self, general: NodeId) -> bool {
        self.signatures.iter().any(|signed| signed.by == general)
    }

    /// Whether nobody is said to have signed twice.
    #[must_use]
    pub fn is_by_different_generals(&self) -> bool {
        let all = self.signatures.iter().enumerate();
        all.into_iter().all(|(place, signed)| {
            self.signatures[..place].iter().all(|earlier| earlier.by != signed.by)
        })
    }
}

/// As those do who have written of it, v:0:i; with the beginning of each signature, to tell chains apart.
impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.order)?;
        let mut all = self.signatures.iter();
        all.try_for_each(|Signed { by, signature }| write!(f, ":{}#{signature:?}", by.0))
    }
}

/// What the first general signs.
fn text_of(order: Order) -> Vec<u8> {
    match order {
        Order::Attack => b"attack".to_vec(),
        Order::Retreat => b"retreat".to_vec(),
    }
}

/// What the next one signs besides.
fn add(text: &mut Vec<u8>, signed: &Signed) {
    text.extend(signed.by.0.to_le_bytes());
    text.extend(signed.signature.bytes());
}
