//! Memoised executions of handlers, in a file: a later check need not execute them again.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use everypath_explore::{EventPattern, Exploration, Measured};
use everypath_network::{DeclaredChanges, Memo, MemoCounts, NetworkSpace};
use everypath_report::{
    FileKind, FileLock, MEMO, SealedFileError, Trouble, open_sealed, write_sealed,
};
use serde::{Deserialize, Serialize};

use super::{
    changes::CodeChanges,
    identity::{self, Identity, Keeper, Mismatch},
};
use crate::{
    arguments::earlier::MemoArguments,
    error::{CliError, unused},
    output::{
        Target, complain,
        numbers::{counted, grouped, size},
    },
    scenarios::subject::Subject,
};

/// Which memo is used, and how.
pub(crate) struct MemoSpec {
    pub(crate) memo: Option<PathBuf>,
    /// Whether it is started from scratch if it is damaged or belongs to something else.
    renew_memo: bool,
    /// Whether its executions are repeated and compared.
    pub(crate) verify_reuse: bool,
    pub(crate) changes: CodeChanges,
}

impl From<&MemoArguments> for MemoSpec {
    fn from(arguments: &MemoArguments) -> Self {
        Self {
            memo: arguments.memo.clone(),
            renew_memo: arguments.renew_memo,
            verify_reuse: arguments.verify_reuse,
            changes: (&arguments.changes).into(),
        }
    }
}

impl MemoSpec {
    /// The file that will be written.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        self.memo.as_deref().map(|path| ("--memo", path))
    }

    /// The lock on the file, if it is named and no other process holds it.
    pub(crate) fn lock(&self) -> Result<Option<FileLock>, CliError> {
        self.memo.as_deref().map_or(Ok(None), |path| lock(&MEMO, path))
    }

    /// Opens the memo of a protocol; it is empty if there is no file yet, or if it is started from scratch.
    pub(crate) fn open(&self, built: &Subject<'_>) -> Result<Option<Opened>, CliError> {
        let Some(path) = &self.memo else {
            return Ok(None);
        };
        let identity = Identity::of(built);
        let mut opened =
            match self.read(path, &identity) {
                Err(CliError::Sealed(SealedFileError {
                    trouble: Trouble::Read(error), ..
                })) if error.kind() == io::ErrorKind::NotFound => Opened::default(),
                opened => opened?,
            };
        let events = self.changes.events();
        let handled = |event: &EventPattern| {
            let code = DeclaredChanges::default().handling(vec![event.clone()]);
            opened.memo.names().any(|name| code.says_modified(name))
        };
        self.changes.ensure_known(&built.scenario, opened.memo.names(), handled)?;
        opened.memo = opened.memo.with_changes(self.changes.declared().handling(events));
        if self.verify_reuse {
            opened.memo = opened.memo.verifying();
        }
        Ok(Some(opened))
    }

    fn read(&self, path: &Path, identity: &Identity) -> Result<Opened, CliError> {
        let mut content = match open_sealed(&MEMO, path, &identity.needed(Keeper::Memo)) {
            Ok(content) => content,
            Err(error) => return self.anew(error, identity),
        };
        match Memo::read(&mut content) {
            Ok(memo) => Ok(Opened { memo, anew: None }),
            Err(error) => {
                let trouble = Trouble::Content(error.to_string());
                self.anew(SealedFileError { kind: &MEMO, path: path.to_owned(), trouble }, identity)
            }
        }
    }

    /// Starts a file from scratch if no run of this program can use it. If another run can use it, the user must decide
    /// which one is meant.
    fn anew(&self, error: SealedFileError, identity: &Identity) -> Result<Opened, CliError> {
        let why = match identity::mismatch(error) {
            Mismatch::Program => match identity.incomparable() {
                Some(incomparable) => {
                    format!(
                        "the program was built again, and whether {incomparable} has changed is unknown"
                    )
                }
                None => "the program was built again, and now knows what `self` is".to_owned(),
            },
            Mismatch::Other(error) if self.renew_memo && is_memo(&error.trouble) => error.reason(),
            Mismatch::Other(error) => return Err(error.into()),
        };
        match self.changes.unmodified.is_empty() {
            true => Ok(Opened { memo: Memo::default(), anew: Some(why) }),
            false => Err(unused("--unmodified", format!("a memo of which nothing is used: {why}"))),
        }
    }

    /// Writes the memo, if there is anything new and no other process holds the lock. Handlers may have been executed
    /// before the search.
    pub(crate) fn save(
        &self,
        built: &Subject<'_>,
        space: &NetworkSpace<'_>,
        found: &Exploration,
        executed_before: u64,
        lock: Option<&FileLock>,
        anew: Option<String>,
    ) -> Result<Option<Remembered>, CliError> {
        let (Some(path), Some(memo)) = (&self.memo, space.memo()) else { return Ok(None) };
        if let Some(what) = memo.contradiction() {
            return Err(CliError::WrongMemo { path: path.clone(), what: what.to_owned() });
        }
        let MemoCounts { missing, outdated, .. } = memo.counts();
        let executions = found.handler_executions + executed_before;
        let mut remembered = Remembered::new(path, memo, executions, self.verify_reuse);
        remembered.in_use = lock.is_none();
        remembered.anew = anew;
        remembered.has_new = missing + outdated > 0;
        if remembered.has_new && !remembered.in_use {
            let identity = Identity::of(built).needed(Keeper::Memo);
            let content = |out: &mut dyn io::Write| {
                memo.write(out, found.handler_executions, space.handler_time())
            };
            match write_sealed(&MEMO, path, &identity, &content) {
                Ok(bytes) => remembered.bytes = Some(bytes),
                // The findings are worth more than the file.
                Err(error) => complain(error.into()),
            }
        }
        Ok(Some(remembered))
    }
}

/// Whether an unusable file was a memo, and may be replaced.
fn is_memo(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Write { .. } | Trouble::Read(_) | Trouble::Foreign => false,
        Trouble::Version(_) | Trouble::Truncated | Trouble::Changed => true,
        Trouble::Content(_) | Trouble::Identity { .. } => true,
    }
}

/// Locks a file, if no other process holds the lock.
pub(crate) fn lock(kind: &'static FileKind, path: &Path) -> Result<Option<FileLock>, CliError> {
    FileLock::take(path).map_err(|error| SealedFileError::unwritten(kind, path, error).into())
}

/// A memo from a file.
#[derive(Default)]
pub(crate) struct Opened {
    pub(crate) memo: Memo,
    /// Why the file is started from scratch, if it is.
    pub(crate) anew: Option<String>,
}

/// How much of a memo was used.
pub(crate) struct Remembered {
    path: PathBuf,
    known: usize,
    counts: MemoCounts,
    executions: u64,
    changed: BTreeMap<String, u64>,
    /// Code that was treated as unchanged although its print differs.
    trusted: BTreeMap<String, u64>,
    /// Whether all executions that were found were repeated.
    verified: bool,
    /// The size of the written file, if one was written.
    bytes: Option<u64>,
    /// Whether there are executions that were not in the file.
    has_new: bool,
    /// Whether another process held the lock on the file.
    in_use: bool,
    /// Why an existing file was not used, if so.
    anew: Option<String>,
}

impl Remembered {
    fn new(path: &Path, memo: &Memo, executions: u64, verified: bool) -> Self {
        Self {
            path: path.to_owned(),
            known: memo.len(),
            counts: memo.counts(),
            executions,
            changed: memo.changed().clone(),
            trusted: memo.trusted().clone(),
            verified,
            bytes: None,
            has_new: false,
            in_use: false,
            anew: None,
        }
    }

    /// In words.
    pub(crate) fn to_text(&self) -> String {
        let Self { path, counts, executions, changed, trusted, .. } = self;
        let path = path.display();
        let found = counted(counts.recalled, "execution");
        let mut text = match self.verified {
            true => format!("{found} found in {path}, repeated, identical"),
            false => format!("{found} taken from {path}, {} made", grouped(*executions)),
        };
        if let Some(why) = &self.anew {
            text.push_str(&format!("; started from scratch: {why}"));
        }
        for (what, which) in [("changed since", changed), ("treated as unchanged", trusted)] {
            if !which.is_empty() {
                let names: Vec<&str> = which.keys().map(String::as_str).collect();
                text.push_str(&format!("; {what}: {}", names.join(", ")));
            }
        }
        if counts.given_up {
            text.push_str("; given up, since looking takes longer than executing");
        }
        if let Some(bytes) = self.bytes {
            text.push_str(&format!("; written: {}", size(bytes)));
        }
        if self.has_new && self.in_use {
            text.push_str("; not written, since another check is using it");
        }
        text
    }

    pub(crate) fn report(&self) -> MemoReport {
        let MemoCounts { recalled, missing, outdated, looking, given_up, .. } = self.counts;
        MemoReport {
            file: self.path.display().to_string(),
            known: self.known,
            recalled,
            missing,
            outdated,
            changed: self.changed.keys().cloned().collect(),
            trusted: self.trusted.keys().cloned().collect(),
            seconds: looking.as_secs_f64(),
            given_up,
            verified: self.verified,
            bytes: self.bytes,
            in_use: self.in_use,
            started_anew: self.anew.clone(),
        }
    }
}

/// The use of the executions of earlier checks.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Memo", deny_unknown_fields))]
pub(crate) struct MemoReport {
    /// The path of the file.
    pub(crate) file: String,
    /// How many executions are known now.
    known: usize,
    /// How many executions were found in the file and not repeated.
    pub(crate) recalled: u64,
    /// How many executions were not found.
    missing: u64,
    /// How many executions were found whose code has changed since.
    outdated: u64,
    /// The code that has changed, where an execution of it was looked up.
    pub(crate) changed: Vec<String>,
    /// The code that was treated as unchanged although its text differs, with `--unmodified`.
    trusted: Vec<String>,
    /// The time to look up executions and to store new ones.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: f64,
    /// Whether look-ups were given up because executing is faster.
    given_up: bool,
    /// Whether all executions that were found were repeated, with identical results.
    verified: bool,
    /// The size of the written file; null if there was nothing new, or if the file was in use.
    bytes: Option<u64>,
    /// Whether another check was using the file, so that it was read but not written.
    in_use: bool,
    /// Why nothing was taken from an existing file, so that it was started from scratch; null if it was used, or if there was
    /// none.
    pub(crate) started_anew: Option<String>,
}
