//! Comparison of a run with a recorded one, line by line.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

/// Where a run first differs from a recorded one.
///
/// ```
/// use std::io::Write;
/// use everypath_capture::Comparison;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.jsonl");
/// std::fs::write(&path, "one\ntwo\n")?;
/// let mut comparison = Comparison::with(&path)?;
/// comparison.write_all(b"one\nthree\n")?;
/// let difference = comparison.difference()?.unwrap();
/// assert_eq!((difference.line, &difference.recorded[..], &difference.now[..]), (2, "two", "three"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogDifference {
    /// The number of the line.
    pub line: u64,
    /// What was recorded; empty if the record ends before.
    pub recorded: String,
    /// What happens now.
    pub now: String,
}

/// Takes the place of the file that an [`EventLog`](crate::EventLog) is written to, and compares each
/// line with that of a file instead.
///
/// ```
/// # mod recorded { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/recorded.rs")); }
/// # use recorded::{header, scenario};
/// use std::{fs::File, io::Write};
/// use everypath_capture::{Capture, Comparison, EventLog};
/// use everypath_sim::{Limits, Simulation};
///
/// fn log<W: Write>(out: W) -> std::io::Result<W> {
///     let mut log = EventLog::new(out, &header(), Vec::new());
///     let run = Simulation::observed(&scenario(), 1, 0, &mut log)
///         .and_then(|simulation| simulation.run(&Limits::default()));
///     Box::new(log).finish(&run)
/// }
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.jsonl");
/// log(File::create(&path)?)?;
/// // The same scenario under the same seed does the same.
/// assert_eq!(log(Comparison::with(&path)?)?.difference()?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Comparison {
    recorded: BufReader<File>,
    lines: u64,
    difference: Option<LogDifference>,
}

impl Comparison {
    /// With what was recorded in a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn with(path: &Path) -> io::Result<Self> {
        Ok(Self { recorded: BufReader::new(File::open(path)?), lines: 0, difference: None })
    }

    /// The first difference, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read any more.
    pub fn difference(mut self) -> io::Result<Option<LogDifference>> {
        if self.difference.is_none() {
            let recorded = self.next_line()?;
            if !recorded.is_empty() {
                self.differ(recorded, String::new());
            }
        }
        Ok(self.difference)
    }

    fn next_line(&mut self) -> io::Result<String> {
        self.lines += 1;
        let mut recorded = Vec::new();
        self.recorded.read_until(b'\n', &mut recorded)?;
        Ok(String::from_utf8_lossy(&recorded).into_owned())
    }

    fn differ(&mut self, recorded: String, now: String) {
        let [recorded, now] = [recorded, now].map(|line| line.trim_end().to_owned());
        self.difference = Some(LogDifference { line: self.lines, recorded, now });
    }
}

impl Write for Comparison {
    /// Takes whole lines, as a log writes them.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for now in String::from_utf8_lossy(bytes).split_inclusive('\n') {
            if self.difference.is_none() {
                let recorded = self.next_line()?;
                if recorded != now {
                    self.differ(recorded, now.to_owned());
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
