//! All integration tests of this crate but one, in one binary: one link instead of one per file.

extern crate everypath_model as everypath;

mod compile_fail;
mod components;
mod data;
mod data_display;
mod medium;
mod names;
mod native;
mod roles;
mod routing;
mod transport;
