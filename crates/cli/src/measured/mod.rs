//! What simulated runs have measured, in words and in JSON.

pub(crate) mod interval;
pub(crate) mod watched;
