//! What goes on beside a search: the line that tells how far it is, and its checkpoints.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use everypath_explore::{Progress, Watch, WriteSearch};
use everypath_report::{CHECKPOINT, write_sealed};

use crate::{output::complain, running::progress::Line, searching::spec::Checkpoint};

/// Follows a search.
pub(crate) struct Watcher {
    line: Line,
    keeper: Option<Keeper>,
}

/// Saves a search now and then.
struct Keeper {
    path: PathBuf,
    identity: BTreeMap<String, String>,
    every: Duration,
    last: Instant,
    /// How many bytes the last checkpoint has.
    saved: Option<u64>,
}

impl Watcher {
    pub(crate) fn new(
        visible: bool,
        checkpoint: Option<&Checkpoint>,
        identity: impl FnOnce() -> BTreeMap<String, String>,
    ) -> Self {
        let keeper = checkpoint.map(|Checkpoint { path, every }| Keeper {
            path: path.clone(),
            identity: identity(),
            every: *every,
            last: Instant::now(),
            saved: None,
        });
        Self { line: Line::new(visible), keeper }
    }

    /// The search is over: nothing more to tell.
    pub(crate) fn clear(&self) {
        self.line.clear();
    }

    /// Where the search was saved and how many bytes that took, if it was.
    pub(crate) fn saved(&self) -> Option<(&Path, u64)> {
        self.keeper.as_ref().and_then(|keeper| Some((keeper.path.as_path(), keeper.saved?)))
    }
}

impl Watch for Watcher {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.line.progress(progress)
    }

    fn concluding(&mut self) {
        self.line.concluding();
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| at_end || keeper.last.elapsed() >= keeper.every)
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        let Some(keeper) = &mut self.keeper else { return };
        match write_sealed(&CHECKPOINT, &keeper.path, &keeper.identity, search) {
            Ok(bytes) => keeper.saved = Some(bytes),
            // The search itself is worth more than the file.
            Err(error) => self.line.suspend(|| complain(error.into())),
        }
        // Counted from the end, so that saving a large search does not become all that is done.
        keeper.last = Instant::now();
    }
}
