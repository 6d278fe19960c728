//! Commands in a page of documentation, and what they print, but for times, rates and memory.

use std::fmt;

/// A command and what it prints.
#[derive(Debug)]
pub struct Session {
    pub command: String,
    pub shown: String,
}

impl fmt::Display for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "$ {}\n{}", self.command, self.shown)
    }
}

/// The lines up to the end of a block.
pub fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    lines.take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

/// The commands of a block, with what they print.
pub fn sessions(block: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), sessions.last_mut()) {
            (Some(command), _) => {
                sessions.push(Session { command: command.to_owned(), shown: String::new() });
            }
            (None, Some(session)) => session.shown += &format!("{line}\n"),
            (None, None) => panic!("a console block begins with a command, not with {line:?}"),
        }
    }
    sessions
}

/// Whether a page shows what was printed: `…` alone in a line stands for any lines.
pub fn matches(shown: &str, printed: &str) -> bool {
    let shown: Vec<String> = shown.lines().map(timeless).collect();
    let printed: Vec<String> = printed.lines().map(timeless).collect();
    lines_match(&shown, &printed)
}

fn lines_match(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| line == first && lines_match(rest, others)),
    }
}

/// A line without what differs from machine to machine: times, rates, memory and the numbers of threads.
fn timeless(line: &str) -> String {
    for title in ["memory ", "time "] {
        // A measure can be called a time too, but its line is a row of a table.
        if line.starts_with(title) && !line.contains('±') {
            return title.to_owned();
        }
    }
    if let Some((result, _)) = line.split_once("; finished in ") {
        return result.to_owned();
    }
    let words: Vec<&str> = line.split(' ').collect();
    // A panic names its thread by a number, too.
    if let ["thread", name, .., "panicked", "at", place] = words[..] {
        return format!("thread {name} panicked at {place}");
    }
    let is_rate = |place: usize| words[place + 1..].starts_with(&["million", "per", "second"]);
    let is_time = |place: usize| {
        place > 0
            && words[place - 1] == "in"
            && words.get(place + 1).is_some_and(|word| ["s,", "s;"].contains(word))
    };
    let words = (0..words.len()).map(|place| match words[place].parse::<f64>() {
        Ok(_) if is_rate(place) || is_time(place) => "#",
        _ => words[place],
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn times_may_differ_and_lines_may_be_left_out() {
    let printed = "a\nb\nc\ntime      0.010 s\n12 events in 0.100 s, 7.0 million per second\n";
    assert!(matches(printed, printed));
    assert!(matches("a\n…\n12 events in 3.000 s, 1.5 million per second\n", printed));
    assert!(matches("…\nc\ntime      9.000 s\n…\n", printed));
    assert!(!matches("a\nc\n…\n", printed));
    assert!(!matches("a\n…\n13 events in 0.100 s, 7.0 million per second\n", printed));
    assert!(!matches("a\n", printed));
    let failed = "thread 'one' (17) panicked at src/lib.rs:1:2:\n0 passed; finished in 0.04s\n";
    assert!(matches(
        "thread 'one' panicked at src/lib.rs:1:2:\n0 passed; finished in 1s\n",
        failed
    ));
    assert!(!matches("thread 'one' panicked at src/lib.rs:1:3:\n…\n", failed));
}
