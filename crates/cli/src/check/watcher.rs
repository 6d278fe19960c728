//! The progress line and the checkpoints of a search.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use everypath_explore::{DepthSample, Described, Progress, Watch, WriteSearch};
use everypath_report::{CHECKPOINT, Growth, write_sealed};

use crate::{output::complain, running::progress::Line, searching::spec::Checkpoint};

/// After which time it is first looked for what grows. A search that is over by then does not pay for it.
const FIRST_SAMPLE: Duration = Duration::from_secs(5);

/// Follows a search.
pub(crate) struct Watcher {
    line: Line,
    started: Instant,
    /// How long after the start it is next looked for what grows.
    next_sample: Duration,
    keeper: Option<Keeper>,
}

/// Saves a search regularly.
struct Keeper {
    path: PathBuf,
    identity: BTreeMap<String, String>,
    every: Duration,
    last: Instant,
    /// The size of the last checkpoint in bytes.
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
        Self {
            line: Line::new(visible),
            started: Instant::now(),
            next_sample: FIRST_SAMPLE,
            keeper,
        }
    }

    /// Removes the progress line when the search is over.
    pub(crate) fn clear(&self) {
        self.line.clear();
    }

    /// The path and the size of the checkpoint, if one was saved.
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

    fn wants_sample(&mut self) -> bool {
        self.line.is_visible() && self.started.elapsed() >= self.next_sample
    }

    fn sampled(&mut self, sample: &[DepthSample], space: &dyn Described) {
        let growth = Growth::of(sample, space).and_then(|growth| growth.in_short());
        self.line.note(growth.map_or(String::new(), |growth| format!("; {growth}")));
        // Ever more seldom: the sample of a long search takes long.
        self.next_sample = self.started.elapsed() * 2;
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
        // Measured from the end of saving: otherwise a large search would do nothing but save.
        keeper.last = Instant::now();
    }
}
