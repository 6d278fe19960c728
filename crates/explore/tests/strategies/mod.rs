//! Every search against the plainest procedure there is, on random graphs.

mod exact;
mod graph;
mod noted;
mod published;
mod refusals;
mod related;
mod saving;
mod shrinking;
mod ties;
mod truth;
