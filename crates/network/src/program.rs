//! A digest of the running program.

use std::{
    fs::File,
    io::{self, Read},
    sync::OnceLock,
};

use xxhash_rust::xxh3::Xxh3;

/// A digest of the running program, byte by byte; if it cannot be read, a number that no other run
/// has.
///
/// ```
/// // It does not change while the program runs.
/// assert_eq!(everypath_network::program_print(), everypath_network::program_print());
/// ```
#[must_use]
pub fn program_print() -> u64 {
    static PRINT: OnceLock<u64> = OnceLock::new();
    *PRINT.get_or_init(|| {
        digest().unwrap_or_else(|_| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let now = now.map_or(0, |now| now.as_nanos() as u64);
            now ^ u64::from(std::process::id()) << 40
        })
    })
}

fn digest() -> io::Result<u64> {
    // If this link exists, it leads to the running program even if another build has replaced it.
    let running = File::open("/proc/self/exe");
    let mut file = running.or_else(|_| File::open(std::env::current_exe()?))?;
    let mut sum = Xxh3::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(sum.digest()),
            read => sum.update(&chunk[..read]),
        }
    }
}
