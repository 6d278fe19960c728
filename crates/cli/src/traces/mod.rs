//! A run that was found or recorded: as a chart, as a test, as JSON, and executed again.

pub(crate) mod as_test;
pub(crate) mod chart;
pub(crate) mod rebuild;
pub(crate) mod story_json;
