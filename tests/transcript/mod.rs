//! Commands in a page of documentation, and what they print, but for times, rates and memory.
//!
//! With `EVERYPATH_UPDATE=1` a page that shows something else is rewritten instead of refused.

#![allow(dead_code, reason = "the tutorial runs its commands itself")]

use std::{env, fmt, fs, path::Path, process::Command};

/// Whether pages and pictures are to be rewritten.
pub fn is_update() -> bool {
    env::var_os("EVERYPATH_UPDATE").is_some()
}

/// A page whose console blocks show a program.
pub struct Page<'a> {
    pub path: &'a Path,
    /// What the page calls the program.
    pub name: &'a str,
    pub program: &'a str,
    /// Whether this build of the program can print a line that the page shows.
    pub is_printed: fn(&str) -> bool,
}

impl Page<'_> {
    /// Runs all commands in a folder; each prints what the page shows.
    pub fn run_in(&self, folder: &Path, at_least: usize) {
        let text = fs::read_to_string(self.path).unwrap();
        let (mut lines, mut commands) = (text.lines(), Vec::new());
        while let Some(line) = lines.next() {
            if line == "```console" {
                commands.extend(sessions(&block(&mut lines)));
            }
        }
        assert!(commands.len() >= at_least, "{} shows too few commands", self.path.display());
        let mut differences = Vec::new();
        for session in commands {
            let printed = self.printed(&session.command, folder);
            let is_printed = |line: &&str| (self.is_printed)(line);
            let shown: String =
                session.shown.lines().filter(is_printed).map(|line| format!("{line}\n")).collect();
            if !matches(&shown, &printed) {
                differences.push((session, printed));
            }
        }
        settle(self.path, &differences);
    }

    fn printed(&self, command: &str, folder: &Path) -> String {
        let words = words(command);
        assert_eq!(words[0], self.name, "the page shows a command that no test runs: {command}");
        let mut program = Command::new(self.program);
        program.args(&words[1..]).current_dir(folder).env("NO_COLOR", "1");
        let output = program.output().unwrap();
        let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        let printed = String::from_utf8(said).unwrap().replace(self.program, self.name);
        format!("{}\n", printed.trim_end())
    }
}

/// Fails with what commands print now, or puts it into the page.
pub fn settle(page: &Path, differences: &[(Session, String)]) {
    if is_update() && !differences.is_empty() {
        let mut text = fs::read_to_string(page).unwrap();
        for (session, printed) in differences {
            let shown = renewed(&session.shown, printed);
            let now = Session { command: session.command.clone(), shown };
            text = text.replacen(&session.to_string(), &now.to_string(), 1);
        }
        return fs::write(page, text).unwrap();
    }
    let differences = differences.iter().map(|(session, printed)| {
        Session { command: session.command.clone(), shown: printed.clone() }.to_string()
    });
    let differences: Vec<String> = differences.collect();
    assert!(
        differences.is_empty(),
        "{} shows something else than these commands print; EVERYPATH_UPDATE=1 rewrites it:\n\n{}",
        page.display(),
        differences.join("\n")
    );
}

/// The words of a command: what is between quotation marks is one.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

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

/// What a page shows in place of what it showed: as many lines before, between and behind its `…` as before.
/// Lines between two `…` are those that differ least.
fn renewed(shown: &str, printed: &str) -> String {
    let shown: Vec<&str> = shown.lines().collect();
    let parts: Vec<&[&str]> = shown.split(|line| *line == "…").collect();
    let lines: Vec<&str> = printed.lines().collect();
    let last = parts.len() - 1;
    if last == 0 {
        return printed.to_owned();
    }
    let (mut text, mut from) = (Vec::new(), 0);
    for (place, part) in parts.iter().enumerate() {
        let most = lines.len().saturating_sub(part.len()).max(from);
        let alike = |start: usize| {
            let pairs = part.iter().zip(&lines[start.min(lines.len())..]);
            pairs.filter(|(old, new)| timeless(old) == timeless(new)).count()
        };
        let start = match place {
            0 => 0,
            place if place == last => most,
            _ => (from..=most).max_by_key(|&start| (alike(start), usize::MAX - start)).unwrap(),
        };
        from = (start + part.len()).min(lines.len());
        text.extend_from_slice(&lines[start.min(from)..from]);
        if place < last {
            text.push("…");
        }
    }
    text.iter().map(|line| format!("{line}\n")).collect()
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

#[test]
fn a_page_is_renewed_around_what_it_leaves_out() {
    let printed = "a\nb\nc 2\nd\ne 2\n";
    assert_eq!(renewed("a\nb\n", printed), printed);
    assert_eq!(renewed("a 1\n…\ne 1\n", printed), "a\n…\ne 2\n");
    assert_eq!(renewed("…\nc 1\nd\n…\n", printed), "…\nc 2\nd\n…\n");
    assert_eq!(renewed("…\n", printed), "…\n");
    assert_eq!(renewed("a\n…\n", ""), "…\n");
}
