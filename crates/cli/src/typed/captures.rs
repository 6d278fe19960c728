//! Files of the events of a run.

use std::{io, path::Path};

use everypath_capture::{Capture, EventLog, Ns2Trace, PacketCapture};
use everypath_model::Protocol;
use everypath_report::AtomicFile;
use everypath_sim::{Run, SimError, movements};

use super::built::Built;
use crate::{
    error::CliError,
    scenarios::any_scenario::{CaptureFile, CaptureForm, RunNumber},
};

/// A file that is being written.
pub(super) struct Written<'a, P: Protocol> {
    file: &'a CaptureFile,
    pub(super) capture: Box<dyn Capture<P, AtomicFile> + 'a>,
}

impl<P: Protocol> Written<'_, P> {
    /// Writes the rest, now that the run has ended in this way.
    pub(super) fn finish(self, result: &Result<Run, SimError>) -> Result<(), CliError> {
        let Self { file, capture } = self;
        let kept = capture.finish(result).and_then(AtomicFile::keep);
        kept.map_err(|error| unwritten(file, error))?;
        Ok(())
    }
}

/// Begins to write files of a run.
pub(super) fn begin<'a, P: Protocol>(
    built: &'a Built<P>,
    number: RunNumber,
    files: &'a [CaptureFile],
) -> Result<Vec<Written<'a, P>>, CliError> {
    let begun = |file| Ok(Written { file, capture: capture(built, number, file)? });
    files.iter().map(begun).collect()
}

fn capture<'a, P: Protocol>(
    built: &'a Built<P>,
    RunNumber { seed, replication }: RunNumber,
    file: &CaptureFile,
) -> Result<Box<dyn Capture<P, AtomicFile> + 'a>, CliError> {
    let (scenario, option) = (&built.scenario, file.option);
    let is_wired = scenario.simulation.wire.is_some();
    if !is_wired && !matches!(file.form, CaptureForm::EventLog(_)) {
        return Err(CliError::Unwired { option, scenario: built.origins.name.clone() });
    }
    let to = AtomicFile::create(&file.path).map_err(|error| unwritten(file, error))?;
    Ok(match &file.form {
        CaptureForm::EventLog(header) => {
            Box::new(EventLog::new(to, header, movements(scenario, seed, replication)))
        }
        CaptureForm::Packets => {
            let capture = PacketCapture::new(to, scenario);
            Box::new(capture.map_err(|error| unwritten(file, error))?)
        }
        CaptureForm::Ns2 => Box::new(Ns2Trace::new(to, scenario)),
    })
}

fn unwritten(CaptureFile { option, path, .. }: &CaptureFile, error: io::Error) -> CliError {
    let help = Path::is_file(path).then_some("the previous file is still there");
    CliError::Capture { option, path: path.clone(), error, help }
}
