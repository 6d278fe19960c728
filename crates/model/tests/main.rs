//! All integration tests of this crate, in one binary: one link instead of one per file.

extern crate everypath_model as everypath;

mod compile_fail;
mod components;
mod data;
mod forwarding;
mod names;
mod roles;
mod routing;
