//! Event logs: any bytes are read or refused.

#![no_main]

mod file;

use everypath_capture::LogFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = file::with(bytes);
    if LogFile::read(&path).is_ok() {
        assert!(LogFile::is_one(&path));
    }
});
