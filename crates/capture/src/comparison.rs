//! Whether a run is the recorded one, line by line.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

/// Where a run first differs from a recorded one.
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
