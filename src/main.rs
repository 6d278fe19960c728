//! The command `everypath`, with the bundled protocols.

use everypath::protocols::{
    aodv::{
        aodv, aodv_1, aodv_2, aodv_3, aodv_feedback, aodv_ns3, aodv_repaired, aodv_rfc3561,
        aodv_silence, manet,
    },
    arq::{arq, arq_erroneous},
    diffusion::{
        diffusion, diffusion_1, diffusion_2, diffusion_crossing, diffusion_field,
        diffusion_hardened,
    },
    distance_vector::{
        distance_vector, distance_vector_plain, distance_vector_split, distance_vector_triangle,
    },
    route_discovery::{route_discovery, route_discovery_expiring},
    two_phase_commit::{two_phase_commit, two_phase_commit_impatient},
};
use everypath::structures::drivers::{
    binheap, bst, deque, disjset, fibheap, heaparray, linkedlist, queue, stack, treemap, trie,
    ubstack, vector,
};

everypath::main!(@by run_bundled:
    arq,
    arq_erroneous,
    two_phase_commit,
    two_phase_commit_impatient,
    aodv,
    aodv_1,
    aodv_2,
    aodv_3,
    aodv_ns3,
    aodv_repaired,
    aodv_feedback,
    aodv_silence,
    aodv_rfc3561,
    manet,
    diffusion,
    diffusion_1,
    diffusion_2,
    diffusion_crossing,
    diffusion_hardened,
    diffusion_field,
    distance_vector,
    distance_vector_plain,
    distance_vector_split,
    distance_vector_triangle,
    route_discovery,
    route_discovery_expiring,
    binheap,
    bst,
    deque,
    disjset,
    fibheap,
    heaparray,
    linkedlist,
    queue,
    stack,
    treemap,
    trie,
    ubstack,
    vector
);
