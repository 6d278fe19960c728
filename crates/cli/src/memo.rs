//! What handlers did, in a file: a later check need not execute them again.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use everypath_explore::{Exploration, Space};
use everypath_model::{Protocol, Trigger};
use everypath_network::{DeclaredChanges, Memo, MemoCounts, NetworkSpace};
use everypath_report::{
    FileKind, FileLock, MEMO, SealedFileError, Trouble, open_sealed, write_sealed,
};
use serde_json::{Value, json};

use crate::{
    arguments::CheckArguments,
    entry::Built,
    error::{CliError, remedy},
    numbers::{counted, grouped, size},
    output::{Target, complain},
    search::parameters_of,
};

/// What is used of earlier checks.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct MemoArguments {
    /// Take what handlers do from this file as far as their code has not changed since, and add what is new
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) memo: Option<PathBuf>,
    /// Execute all the same what is in the files, and end with an error if a handler does something else
    #[arg(long, requires = "earlier")]
    pub(crate) verify_reuse: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArguments,
}

/// What the user knows better than prints of code.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Earlier checks")]
pub(crate) struct ChangeArguments {
    /// Take code of this name for changed, e.g. 'timer*', and execute it again; a name that there is not is answered by
    /// those that there are; can be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) modified: Vec<String>,
    /// Take code of this name for unchanged although it is not the same text, at your own risk:
    /// --verify-reuse proves it; can be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) unmodified: Vec<String>,
}

impl ChangeArguments {
    /// Whether there is a file that they are about.
    pub(crate) fn ensure_used(&self, arguments: &CheckArguments) -> Result<(), CliError> {
        let modified = (!self.modified.is_empty()).then_some("--modified");
        let given = modified.or((!self.unmodified.is_empty()).then_some("--unmodified"));
        let mut files = arguments.memo.memo.as_deref().into_iter().chain(arguments.graph.source());
        match given {
            Some(option) if !files.any(Path::exists) => Err(CliError::Unused {
                option: option.to_owned(),
                with:
                    "no file of --memo or --graph that is there to be read: everything is executed"
                        .to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// What they say.
    pub(crate) fn declared(&self) -> DeclaredChanges {
        DeclaredChanges::new(self.modified.clone(), self.unmodified.clone())
    }

    /// Whether they are about code that there is: all that something is known of, and what the protocol has in any
    /// case. As long as nothing is known, any name may be right.
    pub(crate) fn ensure_known<'n, P: Protocol>(
        &self,
        protocol: &P,
        known: impl Iterator<Item = &'n str>,
    ) -> Result<(), CliError> {
        let mut names: BTreeSet<&str> = known.collect();
        if names.is_empty() {
            return Ok(());
        }
        let always = [Trigger::Start, Trigger::Restart].map(|it| protocol.code(it));
        names.extend(always.into_iter().flatten().map(|code| code.name));
        match self.declared().unmatched(names.iter().copied()) {
            None => Ok(()),
            Some(pattern) => {
                let help = remedy(pattern, names.iter().copied());
                Err(CliError::Unknown { what: "code", name: pattern.to_owned(), help })
            }
        }
    }
}

impl MemoArguments {
    /// The file that will be written.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        self.memo.as_deref().map(|path| ("--memo", path))
    }

    /// The right to write the file, if it is named and no other process has it.
    pub(crate) fn lock(&self) -> Result<Option<FileLock>, CliError> {
        self.memo.as_deref().map_or(Ok(None), |path| lock(&MEMO, path))
    }

    /// What the file knows of a protocol; nothing, if there is no file yet.
    pub(crate) fn open<P: Protocol>(&self, built: &Built<P>) -> Result<Option<Memo>, CliError> {
        let Some(path) = &self.memo else {
            return Ok(None);
        };
        let mut content = match open_sealed(&MEMO, path, &identity(built)) {
            Ok(content) => content,
            Err(SealedFileError { trouble: Trouble::Read(error), .. })
                if error.kind() == io::ErrorKind::NotFound =>
            {
                return Ok(Some(Memo::default()));
            }
            Err(error) => return Err(error.into()),
        };
        let damaged = |error: io::Error| SealedFileError {
            kind: &MEMO,
            path: path.clone(),
            trouble: Trouble::Content(error.to_string()),
        };
        let memo = Memo::read(&mut content).map_err(damaged)?;
        self.changes.ensure_known(&built.scenario.protocol, memo.names())?;
        let memo = memo.with_changes(self.changes.declared());
        Ok(Some(if self.verify_reuse { memo.verifying() } else { memo }))
    }

    /// Writes what is known now, if there is anything new and no other process is about to write. Handlers may have
    /// been executed before the search.
    pub(crate) fn save<P: Protocol>(
        &self,
        built: &Built<P>,
        space: &NetworkSpace<'_, P>,
        found: &Exploration,
        executed_before: u64,
        lock: Option<&FileLock>,
    ) -> Result<Option<Remembered>, CliError> {
        let (Some(path), Some(memo)) = (&self.memo, space.memo()) else { return Ok(None) };
        if let Some(what) = memo.contradiction() {
            return Err(CliError::WrongMemo { path: path.clone(), what: what.to_owned() });
        }
        let MemoCounts { missing, outdated, .. } = memo.counts();
        let executions = found.handler_executions + executed_before;
        let mut remembered = Remembered::new(path, memo, executions, self.verify_reuse);
        remembered.in_use = lock.is_none();
        remembered.has_new = missing + outdated > 0;
        if remembered.has_new && !remembered.in_use {
            let content = |out: &mut dyn io::Write| {
                memo.write(out, found.handler_executions, space.handler_time())
            };
            match write_sealed(&MEMO, path, &identity(built), &content) {
                Ok(bytes) => remembered.bytes = Some(bytes),
                // What was found is worth more than the file.
                Err(error) => complain(error.into()),
            }
        }
        Ok(Some(remembered))
    }
}

/// The right to write a file, if no other process has it.
pub(crate) fn lock(kind: &'static FileKind, path: &Path) -> Result<Option<FileLock>, CliError> {
    FileLock::take(path).map_err(|error| {
        SealedFileError { kind, path: path.to_owned(), trouble: Trouble::Write(error) }.into()
    })
}

/// What must be the same for what handlers did to be relied on, besides their code.
fn identity<P: Protocol>(built: &Built<P>) -> BTreeMap<String, String> {
    let protocol = ("protocol".to_owned(), std::any::type_name::<P>().to_owned());
    match built.scenario.protocol.configuration() {
        Some(text) => BTreeMap::from([protocol, ("configuration".to_owned(), text)]),
        None => parameters_of(built).chain([protocol]).collect(),
    }
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
        let MemoCounts { recalled, missing, outdated, looking, given_up } = self.counts;
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
        })
    }
}
