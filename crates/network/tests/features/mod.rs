//! What a scenario or the options of a space add: events that never happen or must, ends, goals,
//! prunings, bounds; fingerprints; and which states stand for which others.

mod case;
mod fingerprints;
mod instances;
mod refusals;
mod relations;
mod searches;
mod walk;
