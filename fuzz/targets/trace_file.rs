//! Trace files: any bytes are read or refused, and what was read is written and read again as it is.

#![no_main]

mod file;

use everypath_report::TraceFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = file::with(bytes);
    if let Ok(trace) = TraceFile::read(&path) {
        trace.write(&path).expect("it can be written");
        let again = TraceFile::read(&path).expect("what was written can be read");
        assert_eq!(trace.run_digest(), again.run_digest());
    }
});
