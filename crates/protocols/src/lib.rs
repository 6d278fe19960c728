//! # Protocols that come with Everypath
//!
//! Each protocol is a module with its assertions, rankings and scenarios. Like a user's protocol,
//! it uses the model layer alone.
//!
//! - [`aodv`]: ad-hoc on-demand distance vector routing, after the standard, ns-3 and Sobeih's
//!   thesis.
//! - [`arq`]: stop-and-wait automatic repeat request, correct and erroneous: two roles, each a stack
//!   of two components.
//! - [`diffusion`]: directed diffusion, as published, after the thesis, and without loops.
//! - [`distance_vector`]: distance vector routing after RIP, with and without split horizon.
//! - [`route_discovery`]: the route discovery of a reactive protocol among mobile nodes, with
//!   several trials.
//! - [`two_phase_commit`]: atomic commitment, patient and impatient: two roles, stable storage,
//!   choices.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

extern crate everypath_model as everypath;

pub mod aodv;
pub mod arq;
pub mod diffusion;
pub mod distance_vector;
pub mod route_discovery;
pub mod two_phase_commit;
mod work;
