//! Scenario files: the name of a scenario and the set-up of its simulation, in TOML.
//!
//! A file is read in two steps. The parameters and everything else that decides how the scenario is made are read
//! first ([`Setting`]). The rest is applied to the made scenario ([`Setting::apply`]): only then the number of nodes
//! is known.

mod document;
pub(crate) mod effect;
mod faults;
mod field;
mod keys;
mod named_file;
mod network;
mod parts;
mod radio;
mod replaced;
#[cfg(test)]
mod schema;
mod section;
mod sensing;
mod setting;
mod top;
mod traffic;

pub(crate) use document::{Item, Source, Table, Value};
pub(crate) use parts::Parts;
pub(crate) use replaced::Replaced;
pub(crate) use setting::Setting;

use section::Section;
