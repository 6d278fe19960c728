//! # The plain engine
//!
//! A [`PlainSpace`] is the space of a scenario as a general-purpose checker has it: a state is a
//! whole world, which is cloned for each step and compared whole; handlers are executed every time.
//! Nothing is memoised, and no part of a state is shared with another.
//!
//! It is here to be compared with. The usual space of a scenario, `NetworkSpace`, gives each part of
//! a state a number and executes a handler once for each input. Both must visit the same states by
//! the same events in the same order. This crate links nothing of the other.

#![deny(clippy::print_stdout)]

mod clock;
mod describe;
mod event;
mod execute;
mod flight;
mod judge;
mod relate;
mod space;
mod steps;
mod timed;
mod timers;
mod world;

pub use space::{PlainError, PlainOptions, PlainSpace, Time, WholeSpace};
