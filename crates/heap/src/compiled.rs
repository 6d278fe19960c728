//! `Compiled`: a subject for every machine. All else is compiled once for all subjects.

use crate::{
    Code,
    delta::{level::LevelMachine, shape::ShapeMachine},
    mixed,
    outline::Runs,
    tracked::Tracked,
};

/// The methods of a subject, compiled for each machine.
pub(crate) trait Compiled:
    Runs<Tracked> + for<'a> Runs<mixed::Run<'a>> + Runs<ShapeMachine> + Runs<LevelMachine> + Send + Sync
{
}

impl<C: Code + Send + Sync> Compiled for C {}
