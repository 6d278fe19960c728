//! Files of what happens in the first run of `simulate`.

use std::path::{Path, PathBuf};

use clap::Args;
use everypath_capture::{Capture, EventLog, LogHeader};
use everypath_model::{Protocol, Radio};
use everypath_report::AtomicFile;
use everypath_sim::{Limits, Simulation, movements};

use crate::{check::values, entry::Built, error::CliError, output::Target};

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files of the first run")]
pub(crate) struct CaptureArguments {
    /// Write all that happens, a line of JSON each, with what caused it; `replay` runs it again
    #[arg(long, value_name = "FILE")]
    event_log: Option<PathBuf>,
}

/// A file that is being written.
struct Written<P: Protocol> {
    option: &'static str,
    path: PathBuf,
    capture: Box<dyn Capture<P, AtomicFile>>,
}

impl CaptureArguments {
    /// What is to be written where.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target<'_>> {
        let files = [("--event-log", &self.event_log)];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }

    /// Runs the first replication once more, and writes what was asked for. How the run ends is
    /// part of what is written; what fails in it is told by the runs that are measured.
    pub(crate) fn capture<P: Protocol>(
        &self,
        built: &Built<P>,
        seed: u64,
        limits: &Limits<'_>,
    ) -> Result<(), CliError> {
        let mut files = self.begin(built, seed)?;
        if files.is_empty() {
            return Ok(());
        }
        let mut observers: Vec<_> = files.iter_mut().map(|file| &mut file.capture).collect();
        let result = Simulation::observed(&built.scenario, seed, 0, &mut observers)
            .and_then(|simulation| simulation.run(limits));
        for Written { option, path, capture } in files {
            capture
                .finish(&result)
                .and_then(AtomicFile::keep)
                .map_err(|error| CliError::Capture { option, path, error })?;
        }
        Ok(())
    }

    fn begin<P: Protocol>(&self, built: &Built<P>, seed: u64) -> Result<Vec<Written<P>>, CliError> {
        let mut files = Vec::new();
        let mut add = |option, path: &Path, capture: Box<dyn Capture<P, AtomicFile>>| {
            files.push(Written { option, path: path.to_owned(), capture });
        };
        if let Some(path) = &self.event_log {
            let header = header(built, seed, 0);
            let movements = movements(&built.scenario, seed, 0);
            add(
                "--event-log",
                path,
                Box::new(EventLog::new(create("--event-log", path)?, &header, movements)),
            );
        }
        Ok(files)
    }
}

fn create(option: &'static str, path: &Path) -> Result<AtomicFile, CliError> {
    AtomicFile::create(path).map_err(|error| CliError::Capture {
        option,
        path: path.to_owned(),
        error,
    })
}

/// What is needed to run a replication of a scenario again.
pub(crate) fn header<P: Protocol>(built: &Built<P>, seed: u64, replication: u32) -> LogHeader {
    let Built { name, parameters, scenario } = built;
    let topology = &scenario.topology;
    let roles = topology.nodes().map(|node| scenario.protocol.role(node).to_owned());
    let roles: Vec<String> = roles.collect();
    LogHeader {
        scenario: name.clone(),
        profile: parameters.profile().name().to_owned(),
        parameters: values(parameters),
        seed,
        replication,
        duration_ns: u64::try_from(scenario.timing.duration.as_nanos()).unwrap_or(u64::MAX),
        nodes: topology.len(),
        roles: if roles.iter().all(String::is_empty) { Vec::new() } else { roles },
        links: topology.links().map(|(a, b)| (a.0, b.0)).collect(),
        range: scenario.timing.field.as_ref().map(|field| match field.radio {
            Radio::Ideal(radio) => radio.range,
        }),
    }
}
