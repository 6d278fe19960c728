//! Nodes that talk by radio.

mod air;
mod movement;
mod neighbourhood;
mod roaming;
mod trajectory;

pub use movement::{Movement, movements};

pub(crate) use air::{Air, Frame, Hearing, Settled};
