//! All integration tests of this crate, in one binary: one link instead of one per file.

extern crate everypath_model as everypath;

mod bursts;
mod capacity;
mod closed_forms;
mod contention;
mod duplication;
mod energy;
mod field;
mod generators;
mod lateness;

mod measuring;
mod observers;
mod outages;
mod queueing;
mod radios;
mod rhythms;
mod semantics;
mod sensing;
mod sliding_window;
mod stop_and_wait;
mod talkers;
mod validation;
