//! What is written and read: links, devices and pipes, names that are no text, an output that is full, permissions.

#![cfg(unix)]

#[allow(dead_code, reason = "what is refused here was run before")]
use crate::command;

use std::{
    ffi::OsString,
    fs,
    os::unix::{
        ffi::OsStringExt,
        fs::{FileTypeExt, PermissionsExt, symlink},
    },
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use command::{assert_refused, code, complaint, out, refuses, run_in};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_everypath");

/// A search that finds something at once, and one that finds nothing.
const VIOLATED: [&str; 2] = ["check", "arq-erroneous"];
const HOLDS: [&str; 4] = ["check", "arq", "--max-depth", "6"];

fn run_os(folder: &Path, arguments: &[OsString]) -> Output {
    Command::new(PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

/// Runs a line of a shell, in which `$0` is the program.
fn shell(folder: &Path, line: &str) -> Output {
    Command::new("sh").args(["-c", line, PROGRAM]).current_dir(folder).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let mut names: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

/// Whoever runs it: root could replace any link.
#[test]
fn a_link_is_still_a_link_after_its_target_was_written() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::create_dir(place("elsewhere")).unwrap();
    fs::write(place("elsewhere/trace"), "old").unwrap();
    for name in ["trace", "memo", "checkpoint", "chart.svg"] {
        symlink(format!("elsewhere/{name}"), place(name)).unwrap();
    }
    let files = ["--trace", "trace", "--memo", "memo", "--chart", "chart.svg"];
    let files = [&files[..], &["--checkpoint", "checkpoint", "--max-states", "100"]].concat();
    let found = run_in(folder.path(), &[&VIOLATED[..], &files].concat());
    assert_eq!(code(&found), 1, "{}", complaint(&found));
    for name in ["trace", "memo", "chart.svg"] {
        assert!(is_link(&place(name)), "{name}");
        assert!(fs::metadata(place("elsewhere").join(name)).unwrap().len() > 10, "{name}");
    }
    assert_eq!(code(&run_in(folder.path(), &["replay", "trace"])), 1);
    let stopped = [&HOLDS[..], &["--max-states", "20", "--checkpoint", "checkpoint"]].concat();
    assert_eq!(code(&run_in(folder.path(), &stopped)), 3);
    assert!(is_link(&place("checkpoint")));
    let goes_on = [&HOLDS[..], &["--resume", "checkpoint"]].concat();
    assert_eq!(code(&run_in(folder.path(), &goes_on)), 0);
    // Locks and what is being written are beside the targets, and gone.
    assert_eq!(names(folder.path()), ["chart.svg", "checkpoint", "elsewhere", "memo", "trace"]);
    assert_eq!(names(&place("elsewhere")), ["chart.svg", "checkpoint", "memo", "trace"]);
}

#[test]
fn devices_and_pipes_are_written_to_and_never_replaced() {
    let folder = TempDir::new().unwrap();
    let (output, error) = (folder.path().join("output"), folder.path().join("error"));
    symlink("/proc/self/fd/1", &output).unwrap();
    symlink("/proc/self/fd/2", &error).unwrap();
    let log = ["simulate", "arq", "--duration", "10ms", "--replications", "1", "--event-log"];
    // Results go to the standard output: a file that was mixed with them would be no file.
    for (arguments, option) in [(&VIOLATED[..], "--trace"), (&log[..6], "--event-log")] {
        let refused = run_in(folder.path(), &[arguments, &[option, "output"]].concat());
        assert_refused(&refused, &["cannot write output", "the standard output goes there"]);
    }
    let refused = shell(folder.path(), "\"$0\" check arq-erroneous --trace results > results");
    assert!(complaint(&refused).contains("the standard output goes there"));
    // The standard error is no worse a place than any other.
    let said = run_in(folder.path(), &[&log[..], &["error"]].concat());
    assert_eq!(code(&said), 0, "{}", complaint(&said));
    assert!(String::from_utf8(said.stderr).unwrap().starts_with("{\"line\":1,\"format\""));
    assert!(is_link(&output) && is_link(&error));
    // What vanishes cannot be run again.
    let found = run_in(folder.path(), &[&VIOLATED[..], &["--trace", "/dev/null"]].concat());
    assert_eq!(code(&found), 1, "{}", complaint(&found));
    assert!(!out(&found).contains("run it again"), "{}", out(&found));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    for option in ["--checkpoint", "--memo"] {
        let refused = run_in(folder.path(), &[&HOLDS[..], &[option, "/dev/null"]].concat());
        assert_refused(&refused, &["/dev/null", "it is not an ordinary file"]);
    }
    let piped = "mkfifo pipe; cat pipe > got & \"$0\" check arq-erroneous --trace pipe; wait";
    assert_eq!(code(&shell(folder.path(), piped)), 0);
    assert!(fs::metadata(folder.path().join("pipe")).unwrap().file_type().is_fifo());
    assert_eq!(code(&run_in(folder.path(), &["replay", "got"])), 1);
}

#[test]
fn what_could_not_be_printed_is_reported() {
    let folder = TempDir::new().unwrap();
    for line in [
        "check arq --max-depth 6",
        "check arq --max-depth 6 --json",
        "simulate arq --replications 2 --duration 10ms --json",
        "simulate arq --replications 1 --duration 10ms --log",
        "list",
        "show arq",
        "--help",
        "check --help",
        "--version",
    ] {
        let said = shell(folder.path(), &format!("\"$0\" {line} > /dev/full"));
        assert_eq!(code(&said), 2, "{line}");
        assert!(complaint(&said).contains("cannot print: No space left on device"), "{line}");
    }
    // That something was found is known all the same.
    let said = shell(folder.path(), "\"$0\" check arq-erroneous > /dev/full");
    assert_eq!(code(&said), 1);
    assert!(complaint(&said).contains("cannot print: No space left on device"));
    // A reader who has seen enough is none of our business.
    let said = shell(folder.path(), "(\"$0\" check arq --stats --json; echo $? > code) | head -1");
    assert_eq!((complaint(&said).as_str(), out(&said).as_str()), ("", "{\n"));
    assert_eq!(fs::read_to_string(folder.path().join("code")).unwrap(), "0\n");
}

/// A name that is no text.
fn odd(before: &str, after: &str) -> OsString {
    let mut name = OsString::from_vec([before.as_bytes(), b"\xff"].concat());
    name.push(after);
    name
}

#[test]
fn names_that_are_no_text_are_names() {
    let folder = TempDir::new().unwrap();
    let words = |text: &str, name: OsString| -> Vec<OsString> {
        text.split(' ').map(OsString::from).chain([name]).collect()
    };
    let simulate = "simulate aodv --replications 2 --duration 4s --no-time";
    for (arguments, name, expected) in [
        (format!("{simulate} --out"), odd("out", ""), 0),
        (format!("{simulate} --plot"), odd("plot", ""), 0),
        (format!("{simulate} --report"), odd("page", ".html"), 0),
        (format!("{simulate} --pcap"), odd("run", ".pcapng"), 0),
        (format!("{simulate} --event-log"), odd("run", ".jsonl"), 0),
        ("check arq-erroneous --trace".to_owned(), odd("run", ".trace.json"), 1),
        ("check arq-erroneous --chart".to_owned(), odd("run", ".svg"), 1),
        ("check arq --max-depth 6 --memo".to_owned(), odd("arq", ".memo"), 0),
        ("watch arq --max-depth 6 --versions 1 --memo".to_owned(), odd("arq", ".memo"), 0),
        ("compare arq --max-depth 6 --plot".to_owned(), odd("compared", ".svg"), 0),
    ] {
        let said = run_os(folder.path(), &words(&arguments, name.clone()));
        assert_eq!(said.status.code(), Some(expected), "{arguments}: {}", complaint(&said));
        assert!(folder.path().join(&name).exists(), "{arguments}");
    }
    let said = run_os(folder.path(), &words("check", odd("arq", "")));
    assert_eq!(said.status.code(), Some(2));
    // Also if the program itself is called so.
    let program = folder.path().join(odd("everypath", ""));
    symlink(PROGRAM, &program).unwrap();
    for line in ["check arq-erroneous", "simulate arq --duration 10ms --report page.html", "--help"]
    {
        let said = Command::new(&program).args(line.split(' ')).current_dir(folder.path()).output();
        assert!(said.unwrap().status.code().is_some_and(|code| code < 2), "{line}");
    }
}

#[test]
fn new_files_obey_the_umask() {
    let folder = TempDir::new().unwrap();
    for (umask, mode) in [("077", 0o600), ("027", 0o640), ("002", 0o664)] {
        let line = format!(
            "umask {umask}; rm -f trace memo log; \"$0\" check arq-erroneous --trace trace --memo memo; \
             \"$0\" simulate arq --duration 10ms --replications 1 --event-log log"
        );
        assert_eq!(code(&shell(folder.path(), &line)), 0);
        for name in ["trace", "memo", "log"] {
            let found = fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
            assert_eq!(found & 0o777, mode, "{name} under {umask}");
        }
    }
}

#[test]
fn what_a_killed_save_has_left_is_removed_by_the_next() {
    let folder = TempDir::new().unwrap();
    let search = ["check", "arq", "--max-depth", "44", "--checkpoint", "saved"];
    let search = [&search[..], &["--checkpoint-every", "1ms"]].concat();
    let is_being_saved = || names(folder.path()).iter().any(|name| name.ends_with(".tmp"));
    let started = Instant::now();
    // Until one is killed in the middle of a save.
    while !is_being_saved() {
        assert!(started.elapsed() < Duration::from_secs(100), "no save was caught in the act");
        let mut command = Command::new(PROGRAM);
        command.args(&search).current_dir(folder.path()).stdout(Stdio::null());
        let mut running = command.spawn().unwrap();
        while !is_being_saved() && running.try_wait().unwrap().is_none() {}
        running.kill().unwrap();
        running.wait().unwrap();
    }
    assert!(names(folder.path()).contains(&".saved.everypath.tmp".to_owned()));
    let stopped = run_in(folder.path(), &[&search[..6], &["--max-states", "1000"]].concat());
    assert_eq!(code(&stopped), 3, "{}", complaint(&stopped));
    assert_eq!(names(folder.path()), ["saved"]);
}

#[test]
fn one_file_is_not_written_twice_however_it_is_spelt() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::create_dir(place("below")).unwrap();
    fs::write(place("file"), "").unwrap();
    fs::hard_link(place("file"), place("twin")).unwrap();
    symlink("file", place("link")).unwrap();
    symlink(".", place("here")).unwrap();
    for (one, other) in [
        ("new", "./new"),
        ("new", "below/../new"),
        ("new", "here/new"),
        ("file", "twin"),
        ("file", "link"),
        ("link", "here/twin"),
    ] {
        let files = ["--memo", one, "--trace", other];
        let refused = run_in(folder.path(), &[&VIOLATED[..], &files].concat());
        assert_refused(&refused, &["--trace and --memo name the same file", other]);
    }
    let refused =
        run_in(folder.path(), &[&VIOLATED[..], &["--memo", "./arq-erroneous.trace.json"]].concat());
    assert_refused(&refused, &["--memo and --trace, by default, name the same file"]);
    let both = [&VIOLATED[..], &["--memo", "m", "--trace", "t"]].concat();
    assert_eq!(code(&run_in(folder.path(), &both)), 1);
}

#[test]
fn what_is_read_is_not_overwritten() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    let stopped = [&HOLDS[..], &["--max-states", "20", "--checkpoint", "saved"]].concat();
    assert_eq!(code(&run_in(folder.path(), &stopped)), 3);
    let resumed = [&HOLDS[..], &["--resume", "saved"]].concat();
    let refused = run_in(folder.path(), &[&resumed[..], &["--trace", "./saved"]].concat());
    assert_refused(&refused, &["--trace names ./saved, which is an input"]);
    // To save a search where it was is what one wants.
    let goes_on = [&resumed[..], &["--checkpoint", "./saved"]].concat();
    assert_eq!(code(&run_in(folder.path(), &goes_on)), 0);
    assert_eq!(code(&run_in(folder.path(), &[&VIOLATED[..], &["--trace", "t.svg"]].concat())), 1);
    assert_refused(
        &run_in(folder.path(), &["replay", "t.svg", "--chart", "./t.svg"]),
        &["--chart names ./t.svg, which is an input"],
    );
    fs::write(place("links.csv"), "0,1\n1,2\n").unwrap();
    let text = "scenario = \"aodv\"\n[topology]\nformat = \"edge-list\"\nfile = \"links.csv\"\n";
    fs::write(place("net.toml"), text).unwrap();
    for file in ["net.toml", "./links.csv"] {
        let refused = run_in(folder.path(), &["simulate", "net.toml", "--event-log", file]);
        assert_refused(&refused, &["--event-log", "which is an input"]);
    }
    assert_eq!(fs::read_to_string(place("links.csv")).unwrap(), "0,1\n1,2\n");
}

/// What stands in files of others is shown as it is written in Rust.
#[test]
fn files_of_others_have_no_power_over_the_terminal() {
    let folder = TempDir::new().unwrap();
    let erase = r"\u001b[2K\rall is well";
    for text in [
        format!("scenario = \"{erase}\"\n"),
        format!("\"{erase}\" = 1\n"),
        format!("scenario = \"arq\"\n[parameters]\n\"{erase}\" = 1\n"),
        format!("scenario = \"arq\"\n[parameters]\nloss = \"{erase}\"\n"),
    ] {
        fs::write(folder.path().join("evil.toml"), &text).unwrap();
        let refused = run_in(folder.path(), &["simulate", "evil.toml"]);
        assert_refused(&refused, &["evil.toml:", r"\u{1b}[2K\r"]);
        assert!(!refused.stderr.contains(&0x1b) && !refused.stderr.contains(&b'\r'), "{text}");
    }
    fs::write(folder.path().join("empty.toml"), "").unwrap();
    let refused = run_in(folder.path(), &["simulate", "empty.toml"]);
    assert_refused(&refused, &["empty.toml:1:1: the key `scenario` is missing"]);
}

#[test]
fn what_is_too_much_is_refused_at_once() {
    let folder = TempDir::new().unwrap();
    let unknown: String = (0..200_000).map(|number| format!("x{number} = 1\n")).collect();
    let text = format!("scenario = \"arq\"\n[parameters]\n{unknown}");
    fs::write(folder.path().join("many.toml"), text).unwrap();
    let started = Instant::now();
    let refused = run_in(folder.path(), &["simulate", "many.toml"]);
    assert_refused(&refused, &["many.toml:3:", "there is no parameter `x0`"]);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    fs::write(folder.path().join("runs.toml"), "scenario = \"arq\"\nreplications = 4294967295\n")
        .unwrap();
    let refused = run_in(folder.path(), &["simulate", "runs.toml"]);
    assert_refused(&refused, &["runs.toml:2:", "it takes a whole number from 1 to 1000000"]);
    refuses(&["simulate", "arq", "--replications", "1000001"], &["1000001 is not in 1..=1000000"]);
}
