//! Scenarios and drivers by name, and what they have made, without types.

pub(crate) mod any_scenario;
pub(crate) mod checked_space;
pub(crate) mod driver;
pub(crate) mod entry;
mod log_header;
pub(crate) mod outline;
pub(crate) mod spec;
pub(crate) mod start;
pub(crate) mod subject;
pub(crate) mod used;
pub(crate) mod used_file;
