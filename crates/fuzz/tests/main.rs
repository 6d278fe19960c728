//! All integration tests of this crate, in one binary: one link instead of one per file.

extern crate everypath_model as everypath;

mod command;
mod observers;
mod slice;
mod time;
mod timers;
