//! ns-2 movement traces, as `setdest`, BonnMotion and SUMO write them.

mod course;
mod read;
mod statement;
mod write;

pub use read::read_movements;
pub use write::write_movements;
