//! The interface between commands and a scenario, implemented with its types.

use std::{any::Any, io, ops::ControlFlow, time::Duration};

use everypath_capture::{Capture, Comparison, EventLog, LogHeader};
use everypath_explore::Trace;
use everypath_model::{Measure, Protocol};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};
use everypath_plain::{PlainError, PlainOptions, PlainSpace, WholeSpace};
use everypath_sim::{
    Answer, Lateness, Limits, Paired, Plan, Question, Replications, Run, SimError, Simulation,
    VariantError, movements,
};

use super::{
    built::{Built, Start},
    log_tail, network_view, observing, outline, playback,
};
use crate::{
    error::CliError,
    scenarios::{
        any_scenario::{
            AnyScenario, LogTail, NetworkView, Observers, Origins, PlayedRun, RunNumber, Seen,
            Timing, WatchPairs,
        },
        outline::Outline,
        start::{Moment, StartFacts},
    },
};

impl<P: Protocol> AnyScenario for Built<P> {
    fn origins(&self) -> &Origins {
        &self.origins
    }

    fn outline(&self) -> Outline {
        outline::of(&self.scenario)
    }

    fn roles(&self) -> Vec<String> {
        self.scenario.topology.nodes().map(|node| self.scenario.role(node)).collect()
    }

    fn measures(&self) -> &[Measure] {
        &self.scenario.simulation.measures
    }

    fn timing(&self) -> Timing {
        let setup = &self.scenario.simulation;
        let (duration, warm_up) = (setup.duration, setup.warm_up);
        Timing { duration, warm_up, replications: setup.replications }
    }

    fn set_timing(&mut self, timing: Timing) {
        let setup = &mut self.scenario.simulation;
        setup.duration = timing.duration;
        setup.warm_up = timing.warm_up;
        setup.replications = timing.replications;
    }

    fn start(&self) -> Option<StartFacts> {
        self.start.as_ref().map(|start| StartFacts {
            moment: start.moment,
            timers: start.world.nodes.iter().map(|node| node.timers.len()).sum(),
            packets: start.world.packets.len(),
            links: start.world.topology.links().count(),
            down: start.world.down.len(),
        })
    }

    fn start_at(&mut self, moment: Moment) -> Result<(), SimError> {
        let mut run = Simulation::new(&self.scenario, moment.seed, moment.replication)?;
        run.run_before(moment.time)?;
        let world = run.snapshot()?;
        drop(run);
        self.scenario.put_into(&world);
        self.start = Some(Start { moment, world });
        Ok(())
    }

    fn space(&self, options: SpaceOptions) -> Result<NetworkSpace<'_>, SpaceError> {
        match &self.start {
            None => NetworkSpace::new(&self.scenario, options),
            Some(start) => NetworkSpace::starting_in(&self.scenario, &start.world, options),
        }
    }

    fn plain_space(&self, options: PlainOptions) -> Result<Box<dyn WholeSpace + '_>, PlainError> {
        let start = self.start.as_ref().map(|start| &start.world);
        Ok(Box::new(PlainSpace::new(&self.scenario, start, options)?))
    }

    fn run(&self, number: RunNumber, limits: &Limits<'_>) -> Result<Run, SimError> {
        Simulation::new(&self.scenario, number.seed, number.replication)?.run(limits)
    }

    fn replicate(
        &self,
        plan: &Plan<'_>,
        enough: &mut dyn FnMut(&[Run]) -> ControlFlow<()>,
    ) -> Result<Replications, SimError> {
        plan.replicate(&self.scenario, enough)
    }

    fn compare(
        &self,
        variant: &dyn AnyScenario,
        plan: &Plan<'_>,
        watch: &mut WatchPairs<'_>,
    ) -> Result<Paired, VariantError> {
        let variant = (variant as &dyn Any).downcast_ref::<Self>();
        let variant = variant.expect("variants of one scenario have one protocol");
        plan.compare(&self.scenario, &variant.scenario, watch)
    }

    fn ask(
        &self,
        plan: &Plan<'_>,
        question: &Question,
        enough: &mut dyn FnMut(bool) -> ControlFlow<()>,
    ) -> Result<Answer, SimError> {
        plan.ask(&self.scenario, question, enough)
    }

    fn observe(
        &self,
        number: RunNumber,
        limits: &Limits<'_>,
        observers: &Observers,
    ) -> Result<Seen, CliError> {
        observing::observe(self, number, limits, observers)
    }

    fn log_tail(&self, number: RunNumber) -> Result<LogTail, SimError> {
        log_tail::of(self, number)
    }

    fn log_again(
        &self,
        header: &LogHeader,
        limits: &Limits<'_>,
        recorded: Comparison,
        ended: &mut dyn FnMut(&mut Result<Run, SimError>) -> ControlFlow<()>,
    ) -> io::Result<Option<Comparison>> {
        let LogHeader { seed, replication, .. } = *header;
        let movements = movements(&self.scenario, seed, replication);
        let mut again = Box::new(EventLog::new(recorded, header, movements));
        let mut result = observing::observed(&self.scenario, seed, replication, &mut *again)
            .and_then(|simulation| simulation.run(limits));
        if ended(&mut result).is_break() {
            return Ok(None);
        }
        again.finish(&result).map(Some)
    }

    fn network_at(&self, number: RunNumber, at: Duration) -> Result<NetworkView, SimError> {
        network_view::at(&self.scenario, number, at)
    }

    fn play(&self, space: &mut NetworkSpace<'_>, run: &Trace, log: bool) -> PlayedRun {
        playback::play_run(self, space, run, log)
    }

    fn lateness(&self, space: &mut NetworkSpace<'_>, run: &Trace) -> Option<Lateness> {
        playback::lateness_of(self, space, run)
    }
}
