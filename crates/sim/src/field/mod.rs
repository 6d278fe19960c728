//! Nodes that talk by radio.

mod air;
mod contention;
mod dcf;
mod energy;
mod frame;
mod happening;
mod medium;
mod movement;
mod neighbourhood;
mod places;
mod propagation;
mod receiver;
mod roaming;
mod trajectory;

pub use movement::{Movement, movements, radio_range};

pub(crate) use air::{Air, Settled};
pub(crate) use frame::{Frame, Hearing, Outgoing};
pub(crate) use medium::Medium;
pub(crate) use trajectory::Trajectories;
