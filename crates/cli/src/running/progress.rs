//! The progress line of a run.

use std::{
    cell::Cell,
    io::{self, IsTerminal, Write},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use everypath_explore::{Progress, Watch};
use everypath_report::escape_controls;
use terminal_size::{Width, terminal_size_of};

use super::interrupt;
use crate::output::numbers::{counted, grouped, size};

/// A line on the standard error that shows the progress of a run; only a terminal shows it.
pub(crate) struct Line {
    visible: bool,
    text: String,
    /// What is said after the progress of a search.
    note: String,
    turns: usize,
    shown: Instant,
    /// The number of its columns on the screen.
    drawn: Cell<usize>,
}

/// The time between updates of the line: short enough to look alive.
const REFRESH: Duration = Duration::from_millis(200);

/// The spinner before the text.
const WHEEL: [char; 8] = ['⠋', '⠙', '⠸', '⢰', '⣠', '⣄', '⡆', '⠇'];

impl Line {
    pub(crate) fn new(visible: bool) -> Self {
        Self {
            visible: visible && io::stderr().is_terminal(),
            text: String::new(),
            note: String::new(),
            turns: 0,
            shown: Instant::now(),
            drawn: Cell::new(0),
        }
    }

    /// Whether somebody can see it.
    pub(crate) fn is_visible(&self) -> bool {
        self.visible
    }

    /// Sets what is said after the progress of a search.
    pub(crate) fn note(&mut self, note: String) {
        self.note = note;
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        let drawn = self.drawn.take();
        if drawn > 0 {
            put(&format!("\r{:drawn$}\r", ""));
        }
    }

    /// Removes the line while something else is printed.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        let is_drawn = self.drawn.get() > 0;
        self.clear();
        print();
        if is_drawn {
            self.draw();
        }
    }

    pub(crate) fn update(&mut self, text: impl FnOnce() -> String) {
        if self.shown.elapsed() >= REFRESH {
            self.shown = Instant::now();
            self.show(&text());
        }
    }

    fn show(&mut self, text: &str) {
        self.text = escape_controls(text, &[]).into_owned();
        self.turns += 1;
        self.draw();
    }

    fn draw(&self) {
        if self.visible {
            let columns = terminal_size_of(io::stderr()).map_or(80, |(Width(width), _)| width);
            let (line, columns) =
                drawn(self.turns, &self.text, usize::from(columns), self.drawn.get());
            put(&line);
            self.drawn.set(columns);
        }
    }
}

/// The characters that replace the line by a text, and the number of its columns. One column stays free: a full line
/// is wrapped, and cannot be replaced.
fn drawn(turns: usize, text: &str, columns: usize, before: usize) -> (String, usize) {
    let room = columns.saturating_sub(1);
    let wheel = WHEEL[turns % WHEEL.len()];
    let line: String = [wheel, ' '].into_iter().chain(text.chars()).take(room).collect();
    let width = before.min(room);
    (format!("\r{line:width$}"), line.chars().count())
}

fn put(text: &str) {
    let mut to = io::stderr().lock();
    let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
}

/// The progress of a search.
pub(crate) fn progress_text(progress: &Progress) -> String {
    if progress.states_visited == 0 {
        // A walk stores none.
        return format!("{}, {}", counted(progress.events, "event"), size(progress.bytes as u64));
    }
    let rate = progress.events as f64 / progress.elapsed.as_secs_f64().max(1e-9) / 1e6;
    let share = progress
        .level_share
        .map_or(String::new(), |share| format!(" ({:.0} % expanded)", share * 100.0));
    format!(
        "depth {}{share}: {}, {} waiting, {} ({rate:.1} million/s), {}",
        progress.depth,
        counted(progress.states_visited, "state"),
        grouped(progress.states_waiting),
        counted(progress.events, "event"),
        size(progress.bytes as u64),
    )
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Watch for Line {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if interrupt::happened() {
            return ControlFlow::Break(());
        }
        let note = self.note.clone();
        self.update(|| progress_text(progress) + &note);
        ControlFlow::Continue(())
    }

    fn concluding(&mut self) {
        self.show("the search is over: building the runs to its findings");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_covers_the_one_before_and_is_never_wrapped() {
        assert_eq!(drawn(0, "depth 3", 80, 0), ("\r⠋ depth 3".to_owned(), 9));
        assert_eq!(drawn(8, "depth", 80, 9), ("\r⠋ depth  ".to_owned(), 7));
        assert_eq!(drawn(1, "depth 3", 6, 9), ("\r⠙ dep".to_owned(), 5));
        assert_eq!(drawn(1, "depth 3", 0, 9), ("\r".to_owned(), 0));
    }

    #[test]
    fn what_is_not_shown_prints_nothing() {
        let mut line = Line::new(false);
        line.show("depth 3");
        line.suspend(|| ());
        assert_eq!(line.drawn.get(), 0);
    }
}
