//! Files of what happens in the first run of `simulate`.

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use everypath_capture::{Capture, EventLog, LogHeader, LoggedSetting, Ns2Trace, PacketCapture};
use everypath_model::Protocol;
use everypath_report::AtomicFile;
use everypath_sim::{Plan, movements, radio_range};

use crate::{
    error::CliError,
    output::Target,
    scenarios::{entry::Built, used::folder_of},
    typed::observed::observed,
};

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files of the first run")]
pub(crate) struct CaptureArguments {
    /// Write all that happens, a line of JSON each, with what caused it; `replay` runs it again
    #[arg(long, value_name = "FILE")]
    event_log: Option<PathBuf>,
    /// Write what nodes send and receive as a packet capture (pcapng), an interface for each node
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// Write what nodes send, receive and lose as ns-2 writes traces of wireless networks
    #[arg(long, value_name = "FILE")]
    ns2_trace: Option<PathBuf>,
}

/// A file that is being written.
struct Written<'a, P: Protocol> {
    option: &'static str,
    path: PathBuf,
    capture: Box<dyn Capture<P, AtomicFile> + 'a>,
}

impl CaptureArguments {
    /// What is to be written where.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target<'_>> {
        let files = [
            ("--event-log", &self.event_log),
            ("--pcap", &self.pcap),
            ("--ns2-trace", &self.ns2_trace),
        ];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }

    /// Runs the first replication once more, and writes what was asked for. How the run ends is
    /// part of what is written; what fails in it is told by the runs that are measured.
    pub(crate) fn capture<P: Protocol>(
        &self,
        built: &Built<P>,
        plan: &Plan<'_>,
    ) -> Result<(), CliError> {
        let Plan { seed, first, ref limits, .. } = *plan;
        let mut files = self.begin(built, seed, first)?;
        if files.is_empty() {
            return Ok(());
        }
        let mut observers: Vec<_> = files.iter_mut().map(|file| &mut file.capture).collect();
        let result = observed(&built.scenario, seed, first, &mut observers)
            .and_then(|simulation| simulation.run(limits));
        for Written { option, path, capture } in files {
            capture
                .finish(&result)
                .and_then(AtomicFile::keep)
                .map_err(|error| failed(option, &path, error))?;
        }
        Ok(())
    }

    fn begin<'a, P: Protocol>(
        &self,
        built: &'a Built<P>,
        seed: u64,
        replication: u32,
    ) -> Result<Vec<Written<'a, P>>, CliError> {
        let mut files = Vec::new();
        let mut add = |option, path: &Path, capture: Box<dyn Capture<P, AtomicFile> + 'a>| {
            files.push(Written { option, path: path.to_owned(), capture });
        };
        let scenario = &built.scenario;
        let ensure_wire = |option| match &scenario.simulation.wire {
            Some(_) => Ok(()),
            None => Err(CliError::Unwired { option, scenario: built.name.clone() }),
        };
        if let Some(path) = &self.event_log {
            let option = "--event-log";
            let setting = built.subject().logged_setting(folder_of(path));
            let header = header(built, setting, seed, replication);
            let movements = movements(scenario, seed, replication);
            let log = EventLog::new(create(option, path)?, &header, movements);
            add(option, path, Box::new(log));
        }
        if let Some(path) = &self.pcap {
            let option = "--pcap";
            ensure_wire(option)?;
            let capture = PacketCapture::new(create(option, path)?, scenario);
            let capture = capture.map_err(|error| failed(option, path, error))?;
            add(option, path, Box::new(capture));
        }
        if let Some(path) = &self.ns2_trace {
            let option = "--ns2-trace";
            ensure_wire(option)?;
            add(option, path, Box::new(Ns2Trace::new(create(option, path)?, scenario)));
        }
        Ok(files)
    }
}

fn create(option: &'static str, path: &Path) -> Result<AtomicFile, CliError> {
    AtomicFile::create(path).map_err(|error| failed(option, path, error))
}

fn failed(option: &'static str, path: &Path, error: io::Error) -> CliError {
    let help = path.is_file().then_some("what was there before is still there");
    CliError::Capture { option, path: path.to_owned(), error, help }
}

/// What is needed to run a replication of a scenario again.
pub(crate) fn header<P: Protocol>(
    built: &Built<P>,
    setting: LoggedSetting,
    seed: u64,
    replication: u32,
) -> LogHeader {
    let Built { name, parameters, scenario, .. } = built;
    let topology = &scenario.topology;
    let roles = topology.nodes().map(|node| scenario.role(node));
    let roles: Vec<String> = roles.collect();
    LogHeader {
        scenario: name.clone(),
        setting,
        profile: parameters.profile().name().to_owned(),
        parameters: built.subject().values(),
        seed,
        replication,
        duration_ns: u64::try_from(scenario.simulation.duration.as_nanos()).unwrap_or(u64::MAX),
        nodes: topology.len(),
        roles: if roles.iter().all(String::is_empty) { Vec::new() } else { roles },
        links: topology.links().map(|(a, b)| (a.0, b.0)).collect(),
        range: scenario.simulation.field.as_ref().map(|field| radio_range(&field.radio)),
    }
}
