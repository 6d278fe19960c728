//! What handlers did, in a file: a later check need not execute them again.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use everypath_explore::{Exploration, Measured};
use everypath_network::{Memo, MemoCounts, NetworkSpace};
use everypath_report::{
    FileKind, FileLock, MEMO, SealedFileError, Trouble, open_sealed, write_sealed,
};
use serde_json::{Value, json};

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
    /// Whether it is started anew if it is damaged or of something else.
    renew_memo: bool,
    /// Whether what is in it is executed all the same.
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

    /// The right to write the file, if it is named and no other process has it.
    pub(crate) fn lock(&self) -> Result<Option<FileLock>, CliError> {
        self.memo.as_deref().map_or(Ok(None), |path| lock(&MEMO, path))
    }

    /// What the file knows of a protocol; nothing, if there is no file yet, or it is started anew.
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
        self.changes.ensure_known(&built.scenario, opened.memo.names())?;
        opened.memo = opened.memo.with_changes(self.changes.declared());
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

    /// A file that cannot be used is started anew if it says nothing of use to any run of this program. If it can be
    /// of use to another run, it is for the user to say which of them is meant.
    fn anew(&self, error: SealedFileError, identity: &Identity) -> Result<Opened, CliError> {
        let why = match identity::mismatch(error) {
            Mismatch::Program => match identity.untold() {
                Some(untold) => {
                    format!(
                        "the program was built anew, and whether {untold} has changed cannot be told"
                    )
                }
                None => "the program was built anew, and can now tell what `self` is".to_owned(),
            },
            Mismatch::Other(error) if self.renew_memo && is_memo(&error.trouble) => error.reason(),
            Mismatch::Other(error) => return Err(error.into()),
        };
        match self.changes.unmodified.is_empty() {
            true => Ok(Opened { memo: Memo::default(), anew: Some(why) }),
            false => {
                Err(unused("--unmodified", format!("a memo of which nothing is taken: {why}")))
            }
        }
    }

    /// Writes what is known now, if there is anything new and no other process is about to write. Handlers may have
    /// been executed before the search.
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
                // What was found is worth more than the file.
                Err(error) => complain(error.into()),
            }
        }
        Ok(Some(remembered))
    }
}

/// Whether a file that cannot be used was a memo once, and may be replaced by another one.
fn is_memo(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Write { .. } | Trouble::Read(_) | Trouble::Foreign => false,
        Trouble::Version(_) | Trouble::Truncated | Trouble::Changed => true,
        Trouble::Content(_) | Trouble::Identity { .. } => true,
    }
}

/// The right to write a file, if no other process has it.
pub(crate) fn lock(kind: &'static FileKind, path: &Path) -> Result<Option<FileLock>, CliError> {
    FileLock::take(path).map_err(|error| SealedFileError::unwritten(kind, path, error).into())
}

/// What a file knows.
#[derive(Default)]
pub(crate) struct Opened {
    pub(crate) memo: Memo,
    /// Why the file is started anew, if it is.
    pub(crate) anew: Option<String>,
}

/// How much was remembered.
pub(crate) struct Remembered {
    path: PathBuf,
    known: usize,
    counts: MemoCounts,
    executions: u64,
    changed: BTreeMap<String, u64>,
    /// What was taken for unchanged although its print differs.
    trusted: BTreeMap<String, u64>,
    /// Whether all that was found was executed all the same.
    verified: bool,
    /// How large the file is that was written, if one was.
    bytes: Option<u64>,
    /// Whether there is something that was not in the file.
    has_new: bool,
    /// Whether another process had the right to write the file.
    in_use: bool,
    /// Why nothing was taken from the file that was there, if so.
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
            true => format!("{found} found in {path}, repeated, and the same"),
            false => format!("{found} taken from {path}, {} made", grouped(*executions)),
        };
        if let Some(why) = &self.anew {
            text.push_str(&format!("; started anew: {why}"));
        }
        for (what, which) in [("changed since", changed), ("taken for unchanged", trusted)] {
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

    pub(crate) fn to_json(&self) -> Value {
        let MemoCounts { recalled, missing, outdated, looking, given_up, .. } = self.counts;
        json!({
            "file": self.path.display().to_string(),
            "known": self.known,
            "recalled": recalled,
            "missing": missing,
            "outdated": outdated,
            "changed": self.changed.keys().collect::<Vec<_>>(),
            "trusted": self.trusted.keys().collect::<Vec<_>>(),
            "seconds": looking.as_secs_f64(),
            "given_up": given_up,
            "verified": self.verified,
            "bytes": self.bytes,
            "in_use": self.in_use,
            "started_anew": self.anew,
        })
    }
}
