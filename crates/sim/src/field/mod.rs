//! Nodes with radios on a field.

mod air;
mod contention;
mod dcf;
mod delivery;
mod energy;
mod exchange;
mod frame;
mod medium;
mod medium_context;
mod medium_event;
mod movement;
mod neighbourhood;
mod places;
mod propagation;
mod receiver;
mod roaming;
mod segment;
mod station;
mod supply;
mod trajectory;
mod transmission;
mod travel;

pub use movement::{Movement, movements, radio_range};

pub(crate) use air::{Air, Settled};
pub(crate) use frame::{Frame, Hearing, OutgoingFrame};
pub(crate) use medium::Medium;
pub(crate) use trajectory::Trajectories;
