//! The end of the log of a run.

use std::{collections::VecDeque, io};

use everypath_model::Protocol;
use everypath_sim::{LastEvent, Limits, Log, Observer, SimError};

use super::{built::Built, observing::observed};
use crate::scenarios::any_scenario::{LogTail, RunNumber};

/// How many lines of the log of a violating run are shown.
const LINES: usize = 20;

/// Repeats a run that violates an assertion, for the end of its log.
pub(super) fn of<P: Protocol>(
    built: &Built<P>,
    RunNumber { seed, replication }: RunNumber,
) -> Result<LogTail, SimError> {
    let (mut log, mut last) = (Log::new(Tail::default()), LastEvent::default());
    let limits = Limits::default().violation(true);
    let mut observers: Vec<&mut dyn Observer<P>> = vec![&mut log, &mut last];
    observed(&built.scenario, seed, replication, &mut observers)?.run(&limits)?;
    let Tail { lines, lines_before, .. } = log.finish().expect("a list can be written to");
    Ok(LogTail { lines: lines.into(), lines_before, event: last.0 })
}

/// Keeps the last lines that are written.
#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
    lines_before: u64,
    unfinished: Vec<u8>,
}

impl io::Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.unfinished.push(byte);
                continue;
            }
            if self.lines.len() == LINES {
                self.lines.pop_front();
                self.lines_before += 1;
            }
            self.lines.push_back(String::from_utf8_lossy(&self.unfinished).into_owned());
            self.unfinished.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_tail_is_the_last_lines() {
        let mut tail = Tail::default();
        (0..50).for_each(|number| writeln!(tail, "line {number}").unwrap());
        assert_eq!((tail.lines.len(), tail.lines_before), (LINES, 30));
        assert_eq!((tail.lines[0].as_str(), tail.lines[19].as_str()), ("line 30", "line 49"));
    }
}
