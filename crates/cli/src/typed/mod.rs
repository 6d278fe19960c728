//! The code with the types of a protocol: compiled once for each protocol, unlike all other code.

mod any_scenario;
mod builder;
mod built;
mod captures;
mod described;
mod driver;
mod film;
mod log_tail;
mod network_view;
mod observing;
mod outline;
mod playback;

pub use builder::{Listed, entry, scenario};
