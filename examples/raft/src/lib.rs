//! The crate `raftbare`, an implementation of Raft that does no I/O, as an Everypath protocol.
//!
//! ```console
//! cargo run --release -p everypath-raft -- check raft
//! cargo run --release -p everypath-raft -- check raft --set forget-vote=true
//! cargo run --release -p everypath-raft -- simulate raft
//! ```
//!
//! The page `docs/raft.md` explains the assertions and the findings.

mod log;
mod protocol;
mod replica;
mod safety;
mod scenario;

pub use log::{Entry, Position};
pub use protocol::{Command, Message, Raft, Saved, Server, State, Timer};
pub use replica::{Progress, Replica, Role};
pub use scenario::raft;
