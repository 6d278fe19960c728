//! A scenario that was made, with the types of its protocol behind it.

use std::{any::Any, ops::ControlFlow, path::PathBuf, time::Duration};

use everypath_capture::{Comparison, LogHeader};
use everypath_explore::Trace;
use everypath_model::{Measure, NodeId, Parameters, WarmUp};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};
use everypath_plain::{PlainError, PlainOptions, WholeSpace};
use everypath_plot::{Film, PlacedNode, PlottedHop};
use everypath_sim::{
    Answer, Lateness, Limits, Paired, Plan, Playback, Question, Replications, Run, SimError,
    VariantError,
};

use super::{
    outline::Outline,
    start::{Moment, StartFacts},
    used_file::UsedFile,
};
use crate::error::CliError;

/// The origins of a scenario: its name, parameters and file.
pub(crate) struct Origins {
    pub(crate) name: String,
    pub(crate) parameters: Parameters,
    /// The file that gave more than its name and parameters, if there was one.
    pub(crate) file: Option<UsedFile>,
    /// A digest of the content of that file, and of the files that it names.
    pub(crate) settings: Option<String>,
}

/// How long and how often a scenario is simulated.
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) duration: Duration,
    pub(crate) warm_up: WarmUp,
    pub(crate) replications: u32,
}

/// One simulated run: the seed and the number of its random numbers.
#[derive(Clone, Copy)]
pub(crate) struct RunNumber {
    pub(crate) seed: u64,
    pub(crate) replication: u32,
}

/// The output of a run besides its measurements.
#[derive(Default)]
pub(crate) struct Observers {
    /// Files of its events, each in its own format.
    pub(crate) files: Vec<CaptureFile>,
    /// Whether its events are printed.
    pub(crate) log: bool,
    /// Whether it is filmed.
    pub(crate) film: bool,
}

impl Observers {
    /// Whether there is no such output.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.log && !self.film
    }
}

/// A file of the events of a run.
pub(crate) struct CaptureFile {
    pub(crate) option: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) form: CaptureForm,
}

/// The format of such a file.
pub(crate) enum CaptureForm {
    /// Lines of JSON, the first of which is this.
    EventLog(Box<LogHeader>),
    /// A packet capture.
    Packets,
    /// The format of ns-2.
    Ns2,
}

/// The results of observing a run.
#[derive(Default)]
pub(crate) struct Seen {
    /// The film, if the run finished.
    pub(crate) film: Option<Film>,
    /// Why it did not.
    pub(crate) failed: Option<SimError>,
}

/// The end of the log of a run.
pub(crate) struct LogTail {
    pub(crate) lines: Vec<String>,
    /// The number of lines before these.
    pub(crate) lines_before: u64,
    /// The last event and its node; none at the start.
    pub(crate) event: Option<(NodeId, String)>,
}

/// The network of a run at one moment.
pub(crate) struct NetworkView {
    pub(crate) nodes: Vec<PlacedNode>,
    pub(crate) links: Vec<(usize, usize)>,
    pub(crate) hops: Vec<PlottedHop>,
    /// Whether places are those on a field.
    pub(crate) is_to_scale: bool,
}

/// A run that was played with times.
pub(crate) struct PlayedRun {
    /// Its events with their times, or how it differs from the recorded run.
    pub(crate) playback: Result<Playback, String>,
    pub(crate) film: Option<Film>,
}

/// Receives the pairs of runs so far.
pub(crate) type WatchPairs<'a> = dyn FnMut(&[(Run, Run)]) + 'a;

/// The interface between commands and a scenario, for any protocol.
pub(crate) trait AnyScenario: Any + Send + Sync {
    fn origins(&self) -> &Origins;
    /// Its content, except code.
    fn outline(&self) -> Outline;
    /// The role of each node.
    fn roles(&self) -> Vec<String>;
    fn measures(&self) -> &[Measure];
    fn timing(&self) -> Timing;
    fn set_timing(&mut self, timing: Timing);

    /// Where its exploration starts, if not at its own start.
    fn start(&self) -> Option<StartFacts>;
    /// Sets the start of its exploration to a moment of a simulated run.
    fn start_at(&mut self, moment: Moment) -> Result<(), SimError>;
    /// The scenario as a space.
    fn space(&self, options: SpaceOptions) -> Result<NetworkSpace<'_>, SpaceError>;
    /// The scenario as a space of whole worlds.
    fn plain_space(&self, options: PlainOptions) -> Result<Box<dyn WholeSpace + '_>, PlainError>;

    /// One run.
    fn run(&self, number: RunNumber, limits: &Limits<'_>) -> Result<Run, SimError>;
    /// Several runs, until there are enough.
    fn replicate(
        &self,
        plan: &Plan<'_>,
        enough: &mut dyn FnMut(&[Run]) -> ControlFlow<()>,
    ) -> Result<Replications, SimError>;
    /// Runs in pairs with another variant of the same scenario.
    fn compare(
        &self,
        variant: &dyn AnyScenario,
        plan: &Plan<'_>,
        watch: &mut WatchPairs<'_>,
    ) -> Result<Paired, VariantError>;
    /// In how many runs something happens, until there are enough.
    fn ask(
        &self,
        plan: &Plan<'_>,
        question: &Question,
        enough: &mut dyn FnMut(bool) -> ControlFlow<()>,
    ) -> Result<Answer, SimError>;

    /// One run with all its observers.
    fn observe(
        &self,
        number: RunNumber,
        limits: &Limits<'_>,
        observers: &Observers,
    ) -> Result<Seen, CliError>;
    /// Repeats a run up to the violation of an assertion, for the end of its log.
    fn log_tail(&self, number: RunNumber) -> Result<LogTail, SimError>;
    /// One run, logged like another and compared with it line by line. The result of the run can be changed before
    /// its last line is written.
    fn log_again(
        &self,
        header: &LogHeader,
        limits: &Limits<'_>,
        recorded: Comparison,
        ended: &mut dyn FnMut(&mut Result<Run, SimError>) -> ControlFlow<()>,
    ) -> std::io::Result<Option<Comparison>>;
    /// The network of a run at one moment.
    fn network_at(&self, number: RunNumber, at: Duration) -> Result<NetworkView, SimError>;
    /// Plays a found run with plausible times; its events are printed if a log is wanted.
    fn play(&self, space: &mut NetworkSpace<'_>, run: &Trace, log: bool) -> PlayedRun;
    /// How late something must be for a found run; nothing if that is unknown.
    fn lateness(&self, space: &mut NetworkSpace<'_>, run: &Trace) -> Option<Lateness>;
}
