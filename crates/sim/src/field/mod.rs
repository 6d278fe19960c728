//! Nodes that talk by radio.

mod air;
mod neighbourhood;
mod roaming;
mod trajectory;

pub(crate) use air::{Air, Frame, Hearing, Settled};
