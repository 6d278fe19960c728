//! Ed25519 keys and signatures, with a key per node that follows from its number.

use std::fmt;

use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use everypath::NodeId;
use serde::{Deserialize, Serialize};

/// The largest number of generals.
pub const GENERALS_MAX: u32 = 16;

/// A signature as plain data, in two halves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Signature([[u8; 32]; 2]);

impl Signature {
    /// Its 64 bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        let (first, second) = bytes.split_at_mut(32);
        first.copy_from_slice(&self.0[0]);
        second.copy_from_slice(&self.0[1]);
        bytes
    }
}

impl From<[u8; 64]> for Signature {
    fn from(bytes: [u8; 64]) -> Self {
        let mut halves = [[0; 32]; 2];
        halves[0].copy_from_slice(&bytes[..32]);
        halves[1].copy_from_slice(&bytes[32..]);
        Self(halves)
    }
}

/// Shows its beginning, which is enough to distinguish it.
impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[0][..2].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The keys of all generals. The protocol decides who signs with which.
pub struct Keyring(Vec<(SigningKey, VerifyingKey)>);

impl Default for Keyring {
    /// The keys are the same in every network, however many generals there are.
    fn default() -> Self {
        let key = |number: u32| {
            let mut secret = *b"a general's key: no secret. ....";
            secret[28..].copy_from_slice(&number.to_le_bytes());
            let key = SigningKey::from_bytes(&secret);
            let public = key.verifying_key();
            (key, public)
        };
        Self((0..GENERALS_MAX).map(key).collect())
    }
}

impl Keyring {
    /// A general signs a text.
    ///
    /// ```
    /// use everypath::NodeId;
    /// use everypath_signed::Keyring;
    ///
    /// let keys = Keyring::default();
    /// let signature = keys.sign(NodeId(1), b"attack");
    /// assert!(keys.verify(NodeId(1), b"attack", &signature));
    /// assert!(!keys.verify(NodeId(2), b"attack", &signature));
    /// assert!(!keys.verify(NodeId(1), b"retreat", &signature));
    /// ```
    #[must_use]
    pub fn sign(&self, by: NodeId, text: &[u8]) -> Signature {
        self.0[by.index()].0.sign(text).to_bytes().into()
    }

    /// Whether a general has signed a text.
    #[must_use]
    pub fn verify(&self, by: NodeId, text: &[u8], signature: &Signature) -> bool {
        let signature = ed25519_dalek::Signature::from_bytes(&signature.bytes());
        let key = self.0.get(by.index());
        key.is_some_and(|(_, public)| public.verify_strict(text, &signature).is_ok())
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keyring")
    }
}
