//! `Compiled`: the methods of a subject, compiled once for each machine. All else is compiled once for all subjects.

use crate::{
    Code, Fault,
    delta::{
        level::{self, LevelMachine},
        shape::{self, ShapeMachine},
    },
    mixed,
    tracked::Tracked,
};

/// What [`Code::run`] is on each machine.
pub(crate) trait Compiled: Send + Sync {
    fn run_tracked(
        &self,
        machine: &mut Tracked,
        method: usize,
        root: i32,
        arguments: &[i32],
    ) -> Result<i32, Fault>;

    fn run_native(
        &self,
        machine: &mut mixed::Run<'_>,
        method: usize,
        root: i32,
        arguments: &[i32],
    ) -> Result<i32, Fault>;

    fn run_by_shape(
        &self,
        machine: &mut ShapeMachine,
        method: usize,
        root: shape::Value,
        arguments: &[shape::Value],
    ) -> Result<shape::Value, Fault>;

    fn run_by_level(
        &self,
        machine: &mut LevelMachine,
        method: usize,
        root: level::Value,
        arguments: &[level::Value],
    ) -> Result<level::Value, Fault>;
}

impl<C: Code + Send + Sync> Compiled for C {
    fn run_tracked(
        &self,
        machine: &mut Tracked,
        method: usize,
        root: i32,
        arguments: &[i32],
    ) -> Result<i32, Fault> {
        self.run(machine, method, root, arguments)
    }

    fn run_native(
        &self,
        machine: &mut mixed::Run<'_>,
        method: usize,
        root: i32,
        arguments: &[i32],
    ) -> Result<i32, Fault> {
        self.run(machine, method, root, arguments)
    }

    fn run_by_shape(
        &self,
        machine: &mut ShapeMachine,
        method: usize,
        root: shape::Value,
        arguments: &[shape::Value],
    ) -> Result<shape::Value, Fault> {
        self.run(machine, method, root, arguments)
    }

    fn run_by_level(
        &self,
        machine: &mut LevelMachine,
        method: usize,
        root: level::Value,
        arguments: &[level::Value],
    ) -> Result<level::Value, Fault> {
        self.run(machine, method, root, arguments)
    }
}
