//! # Data structures of other projects, driven
//!
//! One file for each crate: how a value is made, which calls are made on it, what is observed of it,
//! and the reference with which it is compared. `cargo run -p everypath-structures-example -- list`
//! lists them.

mod array_deque;
mod bi_map;
mod circular_buffer;
mod forgetful_ring;
mod index_map;
mod keyed_queue;
mod linked_map;
mod lru_cache;
mod range_map;
mod slab;
mod slot_map;

pub use array_deque::array_deque;
pub use bi_map::bi_map;
pub use circular_buffer::circular_buffer;
pub use forgetful_ring::forgetful_ring;
pub use index_map::index_map;
pub use keyed_queue::keyed_queue;
pub use linked_map::linked_map;
pub use lru_cache::lru_cache;
pub use range_map::range_map;
pub use slab::{slab, slab_by_content};
pub use slot_map::slot_map;
