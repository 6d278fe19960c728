//! The specification and the results of simulated runs: shared by all commands that simulate.

pub(crate) mod estimates;
pub(crate) mod interval;
pub(crate) mod picture;
pub(crate) mod recorded;
pub(crate) mod spec;
pub(crate) mod watched;
