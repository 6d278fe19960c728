//! Every search against the plainest procedure there is, on random graphs.

mod exact;
mod graph;
mod truth;
