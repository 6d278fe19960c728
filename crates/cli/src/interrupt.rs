//! Ctrl-C ends a run cleanly.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C raises this flag instead of ending the process; a second one ends it.
pub(crate) fn flag() -> &'static AtomicBool {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        // If no handler can be installed, Ctrl-C ends the process as ever.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(3);
            }
        });
    });
    &INTERRUPTED
}

pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// What comes now can be interrupted anew: a Ctrl-C that has ended a search does not end what is
/// made of its findings.
pub(crate) fn forget() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}

/// From now on a file that becomes larger than the user may have is a write that fails, as on a full disk, and not the end
/// of the process.
pub(crate) fn survive_large_files() {
    #[cfg(unix)]
    {
        let unread = std::sync::Arc::new(AtomicBool::new(false));
        // If that is not possible, it ends as ever.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, unread);
    }
}
