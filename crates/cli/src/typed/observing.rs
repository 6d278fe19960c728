//! Simulated runs with observers.

use everypath_model::{Protocol, Scenario};
use everypath_sim::{Limits, Log, Observer, SimError, Simulation};

use super::{
    built::Built,
    captures::{self, Written},
    film::Camera,
};
use crate::{
    error::CliError,
    output::Printer,
    scenarios::any_scenario::{Observers, RunNumber, Seen},
};

/// A run with an observer, which is called through a trait object: otherwise each protocol would have a simulator for
/// each of seven kinds of observers instead of two.
pub(super) fn observed<'a, P: Protocol>(
    scenario: &'a Scenario<P>,
    seed: u64,
    replication: u32,
    observer: &'a mut dyn Observer<P>,
) -> Result<Simulation<'a, P, &'a mut dyn Observer<P>>, SimError> {
    Simulation::observed(scenario, seed, replication, observer)
}

/// Makes a run once, with all its observers. Its end is part of the written files; its failure is reported by the
/// measured runs, unless its log was printed.
pub(super) fn observe<P: Protocol>(
    built: &Built<P>,
    number: RunNumber,
    limits: &Limits<'_>,
    wanted: &Observers,
) -> Result<Seen, CliError> {
    let RunNumber { seed, replication } = number;
    let mut files: Vec<Written<'_, P>> = captures::begin(built, number, &wanted.files)?;
    let mut log = wanted.log.then(|| Log::new(Printer::default()));
    let mut camera = wanted.film.then(|| Camera::new(&built.scenario, seed, replication));
    let mut observers: Vec<&mut dyn Observer<P>> = Vec::new();
    for file in &mut files {
        observers.push(&mut *file.capture);
    }
    observers.extend(log.as_mut().map(|log| log as &mut dyn Observer<P>));
    observers.extend(camera.as_mut().map(|camera| camera as &mut dyn Observer<P>));
    let result = observed(&built.scenario, seed, replication, &mut observers)
        .and_then(|simulation| simulation.run(limits));
    drop(observers);
    if let Some(log) = log {
        log.finish().expect("failed prints are reported at the end");
    }
    for file in files {
        file.finish(&result)?;
    }
    Ok(match (result, camera) {
        (Err(error), _) => Seen { film: None, failed: Some(error) },
        (Ok(run), camera) => {
            Seen { film: camera.map(|camera| camera.developed(&run)), failed: None }
        }
    })
}
