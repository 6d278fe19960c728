//! # The report layer
//!
//! What a protocol designer reads when a run is over.
//!
//! ## Values
//!
//! A state, message or timer is known here only as the text that its `Debug` prints. The module
//! [`value`] reads that text back into a tree and says what changed between two of them: a step of
//! a trace is then a few lines such as `lower.bit: 0 → 1`, not two screens to compare by eye.
//!
//! ## What is not here
//!
//! No protocol and no search: nothing in this crate runs anything. It never needs the Rust type
//! behind a value, so it works on a stored trace as well as on a fresh one.

pub mod value;
