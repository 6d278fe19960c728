//! A file line by line, with a limit on the length of a line.

use std::io::{BufRead, Read};

use crate::{FormatError, Limits, Problem};

/// The lines of a file, numbered from 1.
pub(crate) struct Lines<R> {
    input: R,
    longest: usize,
    number: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R, limits: &Limits) -> Self {
        Self { input, longest: limits.line_bytes, number: 0, buffer: Vec::new() }
    }

    /// The next line that is neither blank nor a comment, without the blanks around it.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &str)>, FormatError> {
        loop {
            if !self.fill()? {
                return Ok(None);
            }
            let line = self.buffer.trim_ascii_start();
            if !line.is_empty() && !line.starts_with(b"#") {
                break;
            }
        }
        match str::from_utf8(&self.buffer) {
            Ok(text) => Ok(Some((self.number, text.trim()))),
            Err(_) => Err(FormatError::at(self.number, Problem::NotText)),
        }
    }

    /// Reads a line; false at the end of the file.
    fn fill(&mut self) -> Result<bool, FormatError> {
        self.number += 1;
        self.buffer.clear();
        let most = u64::try_from(self.longest).unwrap_or(u64::MAX).saturating_add(1);
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer);
        let read = read.map_err(|error| FormatError::at(self.number, error))?;
        if self.buffer.len() > self.longest {
            return Err(FormatError::at(self.number, Problem::Long(self.longest)));
        }
        // The byte order mark that some programs put before UTF-8 text.
        if self.number == 1 && self.buffer.starts_with(b"\xef\xbb\xbf") {
            self.buffer.drain(..3);
        }
        Ok(read > 0)
    }
}
