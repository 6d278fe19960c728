//! The code that knows the types of a protocol: all of it is compiled once for each protocol, and all else once.

mod any_scenario;
mod builder;
mod built;
mod captures;
mod described;
mod film;
mod log_tail;
mod network_view;
mod observing;
mod outline;
mod playback;

pub use builder::scenario;
