//! Byzantine agreement with Ed25519 signatures: the algorithm SM(m) of Lamport, Shostak and Pease.
//!
//! ```console
//! cargo run --release -p everypath-signed -- check generals
//! cargo run --release -p everypath-signed -- check generals --set version=one-round-less
//! cargo run --release -p everypath-signed -- simulate generals
//! ```
//!
//! The page `docs/signed.md` explains the assertions, and how much time memoising such handlers
//! saves.

mod chain;
mod keys;
mod protocol;
mod safety;
mod scenario;

pub use chain::{Chain, Order, Signed};
pub use keys::{GENERALS_MAX, Keyring, Signature};
pub use protocol::{COMMANDER, Command, Generals, Message, State, Timer, Version};
pub use scenario::generals;
