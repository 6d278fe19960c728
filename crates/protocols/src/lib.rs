//! # Protocols that come with Everypath
//!
//! One folder each, with the protocol, its assertions and rankings, and its scenarios. They are
//! written as a user's own would be: against the model layer alone.
//!
//! - [`aodv`]: ad-hoc on-demand distance vector routing, as the standard, ns-3 and Sobeih's thesis have it.
//! - [`arq`]: stop-and-wait automatic repeat request, correct and erroneous: two roles, each a stack
//!   of two components.
//! - [`diffusion`]: directed diffusion, as published, as the thesis has it, and without circles.
//! - [`distance_vector`]: distance vector routing after RIP, with and without split horizon.
//! - [`two_phase_commit`]: atomic commitment, patient and impatient: two roles, stable storage,
//!   choices.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

extern crate everypath_model as everypath;

pub mod aodv;
pub mod arq;
pub mod diffusion;
pub mod distance_vector;
pub mod two_phase_commit;
