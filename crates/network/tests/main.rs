//! All integration tests of this crate, in one binary: one link instead of one per file.

extern crate everypath_model as everypath;

mod audiences;
mod brute_force;
mod capacity;
#[path = "../../../tests/damage/mod.rs"]
mod damage;
mod features;
mod findings;
mod graph;
mod graph_choices;
mod histories;
mod mailboxes;
mod memo;
mod native;
mod observers;
mod oracle;
mod outcome_text;
mod portable;
mod reductions;
mod regressions;
mod resume;
mod table;
mod timeouts;
mod timer_order;
mod verification;
