//! All integration tests of this crate, in one binary: one link instead of one per file.

mod event_log;
mod ns2_trace;
mod packet_capture;
mod run;
