//! Visited states, as each engine and each kind of store keeps them.

mod bit_table;
mod compact_set;
mod covers;
mod depth_map;
mod exact_set;
mod fingerprint_set;
mod lookup_workers;
mod state_set;

pub(crate) use self::{
    bit_table::BitTable,
    depth_map::{DepthMap, Status},
    lookup_workers::Crew,
    state_set::StateSet,
};
