//! The memory of the process, and the limit on it.

use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use crate::{Ended, Limit};

/// A limit on memory.
///
/// On Linux, it is compared with the resident memory of the process. On other systems, it is
/// compared with the memory that a search counts.
///
/// ```
/// use everypath_explore::MemoryMeter;
///
/// assert!(!MemoryMeter::new(None).is_limited());
/// // A process takes more than one byte.
/// assert!(MemoryMeter::new(Some(1)).is_used_up(0, 4096));
/// ```
#[derive(Debug)]
pub struct MemoryMeter {
    most: Option<u64>,
    process: Option<process::Process>,
}

impl MemoryMeter {
    /// A meter with this limit in bytes, or without a limit.
    #[must_use]
    pub fn new(most: Option<u64>) -> Self {
        Self { most, process: most.and_then(|_| process::Process::open()) }
    }

    /// Whether there is a limit.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.most.is_some()
    }

    /// Whether no more memory may be used: the limit is reached, or will be with `soon` more bytes.
    /// `counted` is used where the system does not report the memory of the process.
    #[must_use]
    pub fn is_used_up(&self, soon: usize, counted: usize) -> bool {
        let taken = || self.process.as_ref().and_then(process::Process::resident);
        self.most.is_some_and(|most| {
            taken().unwrap_or(counted as u64).saturating_add(soon as u64) >= most
        })
    }

    /// A number of bytes that is small beside the limit: after this many, memory is measured again.
    pub(crate) fn little(&self) -> usize {
        usize::try_from(self.most.unwrap_or(u64::MAX) / 128).unwrap_or(usize::MAX)
    }
}

/// The panic payload of an expansion for which there is not enough memory. Returning an error
/// through every function that makes a step would slow down the steps that need no memory.
#[derive(Debug)]
pub struct NoMemory;

/// Runs a search until it ends, or until an expansion finds [no memory](NoMemory): then the limit
/// is reached. The panic is caught here and not at each expansion, which took 1.2 % of a search
/// that expands one state at a time.
pub(crate) fn while_memory_lasts(
    search: impl FnOnce() -> ControlFlow<Ended>,
) -> ControlFlow<Ended> {
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(flow) => flow,
        Err(thrown) if thrown.is::<NoMemory>() => ControlFlow::Break(Ended::Limit(Limit::Bytes)),
        Err(panic) => resume_unwind(panic),
    }
}

/// How many bytes of memory this process takes, where the system reports it: on Linux.
///
/// ```
/// // Systems other than Linux do not report it.
/// assert!(everypath_explore::memory_taken().is_none_or(|bytes| bytes > 0));
/// ```
#[must_use]
pub fn memory_taken() -> Option<u64> {
    process::Process::open()?.resident()
}

/// How many bytes a hash table takes at once if it is about to grow: it allocates another of twice
/// the size and then frees the old one. A list takes only what is put into it: the system moves it
/// without touching it.
#[doc(hidden)]
#[must_use]
pub fn growth(len: usize, capacity: usize, allocated: usize) -> usize {
    let free = capacity.saturating_sub(len);
    if free <= capacity / 16 { 2 * allocated } else { 0 }
}

/// As [`growth`], for a table of the standard library with entries of `entry` bytes.
#[doc(hidden)]
#[must_use]
pub fn map_growth(len: usize, capacity: usize, entry: usize) -> usize {
    growth(len, capacity, map_bytes(capacity, entry))
}

/// About how many bytes a hash table of the standard library takes: each entry has a control byte,
/// and at most seven of eight places are used.
#[doc(hidden)]
#[must_use]
pub fn map_bytes(capacity: usize, entry: usize) -> usize {
    capacity * 8 / 7 * (entry + 1)
}

#[cfg(target_os = "linux")]
mod process {
    use std::{
        fs::{self, File},
        os::unix::fs::FileExt,
    };

    /// The system's data about this process.
    #[derive(Debug)]
    pub(super) struct Process {
        statm: File,
        page_bytes: u64,
    }

    impl Process {
        pub(super) fn open() -> Option<Self> {
            let process = Self { statm: File::open("/proc/self/statm").ok()?, page_bytes: page()? };
            process.resident().map(|_| process)
        }

        /// How many bytes are resident.
        pub(super) fn resident(&self) -> Option<u64> {
            // Seven numbers of at most twenty digits.
            let mut text = [0; 160];
            let len = self.statm.read_at(&mut text, 0).ok()?;
            let text = std::str::from_utf8(&text[..len]).ok()?;
            let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
            Some(pages * self.page_bytes)
        }
    }

    /// The size of a page in bytes, from the pairs of kind and value that the kernel gives each
    /// process at its start.
    fn page() -> Option<u64> {
        const PAGE_BYTES: usize = 6;
        let told = fs::read("/proc/self/auxv").ok()?;
        let words: Vec<usize> = told
            .chunks_exact(size_of::<usize>())
            .filter_map(|bytes| Some(usize::from_ne_bytes(bytes.try_into().ok()?)))
            .collect();
        let pair = words.chunks_exact(2).find(|pair| pair[0] == PAGE_BYTES)?;
        Some(pair[1] as u64)
    }
}

#[cfg(not(target_os = "linux"))]
mod process {
    /// The system says nothing about this process.
    #[derive(Debug)]
    pub(super) enum Process {}

    impl Process {
        pub(super) fn open() -> Option<Self> {
            None
        }

        pub(super) fn resident(&self) -> Option<u64> {
            match *self {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_the_process_takes_is_measured() {
        let before = memory_taken().expect("Linux tells");
        assert!((100 << 10..100 << 30).contains(&before), "{before} bytes");
        let held = vec![1_u8; 64 << 20];
        let taken = memory_taken().expect("Linux tells");
        assert!(taken >= before + (60 << 20), "{before}, then {taken} bytes");
        let meter = MemoryMeter::new(Some(taken + (32 << 20)));
        assert!(!meter.is_used_up(0, usize::MAX));
        assert!(meter.is_used_up(40 << 20, 0));
        drop(held);
    }

    #[test]
    fn without_a_limit_nothing_is_used_up() {
        let meter = MemoryMeter::new(None);
        assert!(!meter.is_limited() && !meter.is_used_up(usize::MAX, usize::MAX));
    }

    #[test]
    fn tables_that_are_nearly_full_are_about_to_grow() {
        assert_eq!(growth(1000, 1792, 4096), 0);
        assert_eq!(growth(1700, 1792, 4096), 8192);
    }
}
