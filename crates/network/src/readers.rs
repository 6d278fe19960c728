//! Readers of the network: the assertions, goals, prunings and assumptions that have read the
//! packets.

use std::cell::Cell;

use crate::setup::Setup;

/// The parts of a scenario that have read the network: by sort, one mark each.
pub(crate) struct Readers {
    pub(crate) assertions: Vec<Cell<bool>>,
    pub(crate) goals: Vec<Cell<bool>>,
    pub(crate) prunings: Vec<Cell<bool>>,
    pub(crate) assumptions: Vec<Cell<bool>>,
    /// By assumption: how often it excluded an event that those before it allow.
    pub(crate) excluded: Vec<Cell<u64>>,
    /// By pruning: how often it pruned a state that those before it do not prune.
    pub(crate) pruned: Vec<Cell<u64>>,
}

impl Readers {
    pub(crate) fn new(setup: &Setup) -> Self {
        let none = |names: &[String]| vec![Cell::new(false); names.len()];
        Self {
            assertions: none(&setup.assertions),
            goals: none(&setup.goals),
            prunings: none(&setup.prunings),
            assumptions: none(&setup.assumptions),
            excluded: vec![Cell::new(0); setup.assumptions.len()],
            pruned: vec![Cell::new(0); setup.prunings.len()],
        }
    }

    /// The first part that has read the network: its sort and its name.
    pub(crate) fn first<'a>(&self, setup: &'a Setup) -> Option<(&'static str, &'a str)> {
        let sorts = [
            ("assertion", &self.assertions, &setup.assertions),
            ("goal", &self.goals, &setup.goals),
            ("pruning", &self.prunings, &setup.prunings),
            ("assumption", &self.assumptions, &setup.assumptions),
        ];
        sorts.into_iter().find_map(|(sort, marks, names)| {
            let place = marks.iter().position(Cell::get)?;
            Some((sort, names[place].as_str()))
        })
    }
}
