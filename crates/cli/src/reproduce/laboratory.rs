//! What the function of a table is given: the bundled scenarios, the options of the user, and searches.

use std::{fs, io, ops::ControlFlow, path::Path, thread};

use everypath_sim::{Workers, try_in_order};

use super::measured::{Measured, Order, measure, measure_plain};
use crate::{
    arguments::{check_of_words, reproduce::ReproduceArguments, trial::EngineName},
    check::spec::CheckSpec,
    error::CliError,
    output::numbers::counted,
    running::{STACK_BYTES, interrupt, progress::Line},
    scenarios::entry::{self, Entry},
};

/// Why a row is not run.
pub(crate) const TAKES_LONG: &str = "it takes long: `--long` runs it";

/// Why the rest of a table is not made.
pub(crate) enum Halt {
    /// The user stopped it.
    Interrupted,
    /// It cannot be made.
    Failed(CliError),
}

impl From<CliError> for Halt {
    fn from(error: CliError) -> Self {
        Self::Failed(error)
    }
}

/// The scenarios, the options, and the progress line.
pub(crate) struct Laboratory<'a> {
    entries: &'a [Box<dyn Entry>],
    arguments: &'a ReproduceArguments,
    pub(super) line: Line,
    /// The id of the table that is being made.
    table: &'static str,
}

impl<'a> Laboratory<'a> {
    pub(super) fn new(entries: &'a [Box<dyn Entry>], arguments: &'a ReproduceArguments) -> Self {
        Self { entries, arguments, line: Line::new(!arguments.json), table: "" }
    }

    /// From now on, this is the table that is made.
    pub(super) fn begin(&mut self, id: &'static str) {
        self.table = id;
    }

    /// The bundled scenarios.
    pub(crate) fn entries(&self) -> &'a [Box<dyn Entry>] {
        self.entries
    }

    /// Whether the user wants to see only that it works.
    pub(crate) fn is_quick(&self) -> bool {
        self.arguments.quick
    }

    /// Whether rows that take long are run.
    pub(crate) fn runs_long(&self) -> bool {
        self.arguments.long
    }

    /// How often to run a search: as the user says, otherwise once with `--quick`, otherwise by default this often.
    pub(crate) fn repeat(&self, by_default: u32) -> u32 {
        let by_default = if self.is_quick() { 1 } else { by_default };
        self.arguments.repeat.unwrap_or(by_default)
    }

    /// Shows on the progress line what is done now; an error if the user has stopped it.
    pub(crate) fn tell(&mut self, what: &str) -> Result<(), Halt> {
        let table = self.table;
        self.line.update(|| format!("{table}: {what}"));
        if interrupt::happened() { Err(Halt::Interrupted) } else { Ok(()) }
    }

    /// Makes a search in the words of `check`: a scenario and its options.
    pub(crate) fn search(&mut self, words: &str, order: Order<'_>) -> Result<Measured, Halt> {
        self.tell(words)?;
        made(self.entries, words, order, &mut self.line)
    }

    /// Makes several searches on all processors. Their times disturb each other a little.
    pub(crate) fn searches(&mut self, words: &[String]) -> Result<Vec<Measured>, Halt> {
        self.tell(words.first().map_or("", String::as_str))?;
        let workers = Workers { threads: processors(), stack_bytes: Some(STACK_BYTES) };
        let mut all = Vec::new();
        let ended = try_in_order(
            words.len() as u64,
            workers,
            Some(interrupt::flag()),
            |number, _| {
                let words = &words[number as usize];
                // It shows nothing, and ends the search when the user presses Ctrl-C.
                match made(self.entries, words, Order::FROM_SCRATCH, &mut Line::new(false)) {
                    Err(Halt::Failed(error)) => Err(error),
                    Err(Halt::Interrupted) => Ok(None),
                    Ok(found) => Ok(Some(found)),
                }
            },
            |found| {
                all.extend(found);
                ControlFlow::Continue(())
            },
        );
        ended?;
        if all.len() < words.len() { Err(Halt::Interrupted) } else { Ok(all) }
    }

    /// Runs something with a folder for files, which is removed afterwards.
    pub(crate) fn with_folder<T>(
        &mut self,
        run: impl FnOnce(&mut Self, &Path) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let folder = std::env::temp_dir().join(format!("everypath-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
        let result = run(self, &folder);
        // It does no harm if it stays.
        let _ = fs::remove_dir_all(&folder);
        result
    }

    /// "Means of 5 runs."
    pub(crate) fn means_of(&self, runs: u32) -> String {
        format!("Means of {}.", counted(runs.into(), "run"))
    }
}

/// The words of a search by the plain engine.
pub(crate) fn by_plain_engine(words: &str) -> String {
    format!("{words} --engine plain")
}

/// Makes a search in the words of `check`.
fn made(
    entries: &[Box<dyn Entry>],
    words: &str,
    order: Order<'_>,
    line: &mut Line,
) -> Result<Measured, Halt> {
    let words = ["everypath", "check"].into_iter().chain(words.split_whitespace());
    let spec = CheckSpec::new(&check_of_words(words), None);
    let built = entry::find(entries, &spec.scenario.name)?;
    let built = built.build(spec.scenario.parameters())?;
    match spec.trial.engine {
        EngineName::Usual => measure(&built.subject(), &spec.search, order, line),
        EngineName::Plain => measure_plain(&built.subject(), &spec.search, line),
    }
}

fn unwritable(path: &Path, error: io::Error) -> CliError {
    CliError::Unwritable { option: "the folder for graphs", path: path.to_owned(), error }
}

fn processors() -> u32 {
    thread::available_parallelism().map_or(1, |number| number.get() as u32)
}
