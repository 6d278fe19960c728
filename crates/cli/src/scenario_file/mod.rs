//! Scenario files: a scenario by its name, and all that can be said of a simulation of it, in TOML.
//!
//! A file is read in two steps. What decides how the scenario is made, its parameters among it, is read
//! first ([`Setting`]). The rest is put into the scenario once it is there ([`Setting::apply`]): only then it
//! is known how many nodes there are.

mod document;
pub(crate) mod effect;
mod faults;
mod field;
mod named_file;
mod network;
mod parts;
mod radio;
mod replaced;
mod section;
mod sensing;
mod setting;
mod traffic;

pub(crate) use document::{Item, Source, Table, Value};
pub(crate) use parts::Parts;
pub(crate) use replaced::Replaced;
pub(crate) use section::Section;
pub(crate) use setting::Setting;
