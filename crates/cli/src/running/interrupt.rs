//! Ctrl-C ends a run cleanly; so do the signals by which systems end programs.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C raises this flag instead of ending the process; a second one ends it.
pub(crate) fn flag() -> &'static AtomicBool {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(signals::install);
    &INTERRUPTED
}

/// The user, or the system, wants the run to end.
fn asked() {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        std::process::exit(3);
    }
}

pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Lowers the flag: a Ctrl-C that has ended a search does not also end the report of its findings, but
/// a new one does.
pub(crate) fn forget() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}

/// From now on a file that exceeds the user's limit is a failed write, as on a full disk, and does not end the process.
pub(crate) fn survive_large_files() {
    #[cfg(unix)]
    {
        let unread = std::sync::Arc::new(AtomicBool::new(false));
        // If that is not possible, it ends the process.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, unread);
    }
}

#[cfg(unix)]
mod signals {
    use std::{fs, thread};

    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };

    /// If no handler can be installed, signals end the process as usual.
    pub(super) fn install() {
        let ends = [SIGINT, SIGTERM];
        let all = ends.into_iter().chain((!is_ignored(SIGHUP)).then_some(SIGHUP));
        let Ok(mut signals) = Signals::new(all) else { return };
        thread::spawn(move || signals.forever().for_each(|_| super::asked()));
    }

    /// Whether the process was started with a signal ignored, as `nohup` does with the end of a terminal;
    /// false if the system does not say.
    fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
mod signals {
    /// If no handler can be installed, Ctrl-C ends the process as usual.
    pub(super) fn install() {
        let _ = ctrlc::set_handler(super::asked);
    }
}
