//! The command line for drivers of data structures of other projects.

use everypath_structures_example::{
    array_deque, bi_map, circular_buffer, forgetful_ring, index_map, keyed_queue, linked_map,
    lru_cache, range_map, slab, slab_by_content, slot_map,
};

everypath::main!(
    array_deque,
    bi_map,
    circular_buffer,
    forgetful_ring,
    index_map,
    keyed_queue,
    linked_map,
    lru_cache,
    range_map,
    slab,
    slab_by_content,
    slot_map
);
