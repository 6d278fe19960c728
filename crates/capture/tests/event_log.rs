//! Event logs of AODV, over links and by radio: what they say is what was counted, causes are
//! causes, and damage is noticed.

use crate::run;

use std::{collections::BTreeMap, fs, time::Duration};

use everypath_capture::{
    Capture, Comparison, EventLog, LogError, LogFile, LogHeader, LoggedSetting,
};
use everypath_model::{Never, Node, NodeId, Protocol, Readings, Scenario, Start, Topology};
use everypath_protocols::aodv::aodv_repaired;
use everypath_sim::{Run, SimError, movements};
use proptest::prelude::*;
use serde_json::Value;

use run::{SEED, contended, field, grid, run, scenario};

fn header() -> LogHeader {
    LogHeader {
        scenario: "aodv".to_owned(),
        setting: LoggedSetting::default(),
        profile: "standard".to_owned(),
        parameters: BTreeMap::new(),
        seed: SEED,
        replication: 0,
        duration_ns: 0,
        nodes: 9,
        roles: Vec::new(),
        links: Vec::new(),
        range: None,
    }
}

/// The log of a run, and what the run has come to.
fn logged<P: Protocol>(scenario: &Scenario<P>) -> (Vec<u8>, Result<Run, SimError>) {
    let movements = movements(scenario, SEED, 0);
    let mut log = Box::new(EventLog::new(Vec::new(), &header(), movements));
    let result = run(scenario, &mut *log);
    (log.finish(&result).unwrap(), result)
}

fn lines(log: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(log).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn count(lines: &[Value], kind: &str) -> u64 {
    lines.iter().filter(|line| line["kind"] == kind).count() as u64
}

/// Time does not run backwards, numbers are those of the lines, and every cause is of a kind that can
/// be one, at the node where it must be.
fn assert_causal(lines: &[Value]) {
    for (place, line) in lines.iter().enumerate() {
        assert_eq!(line["line"], place + 1);
    }
    for (before, line) in lines.iter().skip(1).zip(&lines[2..]) {
        assert!(before["ns"].as_u64() <= line["ns"].as_u64(), "{line}");
    }
    for line in &lines[1..] {
        let kind = line["kind"].as_str().unwrap();
        let Some(cause) = line["cause"].as_u64() else {
            assert!(["start", "move", "command", "finish"].contains(&kind), "{line}");
            continue;
        };
        let cause = &lines[usize::try_from(cause).unwrap() - 1];
        assert!(cause["line"].as_u64() < line["line"].as_u64(), "{line}");
        let of = cause["kind"].as_str().unwrap();
        match kind {
            "deliver" => {
                assert_eq!(of, "send");
                assert_eq!((&cause["node"], &cause["message"]), (&line["from"], &line["message"]));
                assert!(cause["to"].is_null() || cause["to"] == line["to"], "{line}");
            }
            "miss" => assert_eq!((of, &cause["node"]), ("send", &line["from"])),
            "lose" => assert_eq!((of, &cause["node"]), ("send", &line["node"])),
            "drop" if line["name"].is_null() => assert_eq!(of, "send"),
            "undeliverable" => assert_eq!((of, &cause["to"]), ("send", &line["to"])),
            _ => {
                let handled = ["start", "command", "deliver", "undeliverable", "timer"];
                assert!(handled.contains(&of), "{line} because of {cause}");
                assert_eq!(cause["node"], line["node"], "{line}");
            }
        }
    }
}

#[test]
fn a_log_tells_what_was_counted_and_why() {
    for (scenario, by_radio) in [(grid(), false), (field(), true), (contended(), true)] {
        let (log, result) = logged(&scenario);
        let (run, lines) = (result.unwrap(), lines(&log));
        assert_causal(&lines);
        assert_eq!(count(&lines, "deliver"), run.packets.delivered);
        let events = ["deliver", "undeliverable", "timer", "command"];
        assert_eq!(events.map(|kind| count(&lines, kind)).iter().sum::<u64>(), run.events);
        let lost = lines.iter().filter(|line| line["kind"] == "lose").count() as u64;
        assert!(lost >= run.packets.lost && run.packets.lost > 0, "{lost}, {:?}", run.packets);
        let queue_full = lines.iter().filter(|line| line["reason"] == "queue-full").count() as u64;
        assert_eq!(queue_full, run.packets.dropped);
        assert_eq!(queue_full > 0, !by_radio);
        for (name, counted) in &run.counters {
            let by = |line: &Value| line["by"].as_u64().unwrap_or(1);
            let of_name = lines.iter().filter(|line| {
                line["name"] == *name && ["count", "drop"].contains(&line["kind"].as_str().unwrap())
            });
            assert_eq!(of_name.map(by).sum::<u64>(), *counted, "{name}");
        }
        // Each transmission that the protocol counts is one `send`, however many hear it; only what
        // jitter holds back at the end is missing.
        let sends = |word: &str| {
            let is_it = |line: &&Value| {
                line["kind"] == "send" && line["message"].as_str().unwrap().starts_with(word)
            };
            lines.iter().filter(is_it).count() as u64
        };
        for (word, name) in [("RREQ", "RREQ transmissions"), ("DATA", "data transmissions")] {
            assert!(run.count(name) > 3, "{name}");
            assert!(run.count(name) - sends(word) <= 3, "{name}");
        }
        assert_eq!(count(&lines, "move") > 9, by_radio);
        let of_radio = ["out-of-range", "retry-limit"];
        let is_of_radio = |line: &Value| of_radio.iter().any(|reason| line["reason"] == *reason);
        assert_eq!(lines.iter().any(is_of_radio), by_radio);
    }
}

#[test]
fn drops_by_the_protocol_have_reasons() {
    let (log, result) = logged(&field().simulation(|run| run.duration(Duration::from_secs(40))));
    let (lines, run) = (lines(&log), result.unwrap());
    let drops = lines.iter().filter(|line| line["kind"] == "drop" && !line["name"].is_null());
    let reasons: Vec<&str> = drops.map(|line| line["reason"].as_str().unwrap()).collect();
    let counted = run.count("data dropped") + run.count("data without a route");
    assert_eq!(reasons.len() as u64, counted);
    for reason in ["the next hop is out of reach", "too many packets wait for routes"] {
        assert!(reasons.contains(&reason), "{reason} is not in {reasons:?}");
    }
}

/// Panics on command.
struct Fragile;

impl Protocol for Fragile {
    type State = ();
    type Message = Never;
    type Timer = Never;
    type Command = u8;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn on_command(&self, _: &mut Node<'_, Self>, &n: &u8) {
        assert!(n < 3, "too much");
    }
}

#[test]
fn a_run_that_fails_leaves_a_log_up_to_there() {
    let second = Duration::from_secs(1);
    let scenario = Scenario::new(Fragile, Topology::chain(1))
        .simulation(|run| run.job(NodeId(0), 2, second, None).job(NodeId(0), 3, 2 * second, None));
    let (log, result) = logged(&scenario);
    let lines = lines(&log);
    assert!(result.is_err());
    assert_eq!((lines.len(), &lines[3]["command"]), (5, &"3".into()));
    assert_eq!(
        (&lines[4]["ending"], &lines[4]["ns"]),
        (&"failed".into(), &2_000_000_000_u64.into())
    );
    assert!(lines[4]["error"].as_str().unwrap().contains("too much"));
}

#[test]
fn late_addressing_keeps_causes() {
    let given = [("nodes", "5"), ("loss-rate", "0.05")];
    let (log, result) = logged(&scenario(aodv_repaired, &given));
    let lines = lines(&log);
    assert!(result.unwrap().packets.delivered > 50);
    for line in lines.iter().filter(|line| line["kind"] == "deliver") {
        let cause = &lines[usize::try_from(line["cause"].as_u64().unwrap()).unwrap() - 1];
        assert_eq!((&cause["kind"], &cause["message"]), (&"send".into(), &line["message"]));
        assert_eq!(cause["node"], line["from"]);
    }
}

#[test]
fn a_run_that_is_the_same_compares_equal_and_another_differs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let (log, _) = logged(&field());
    fs::write(&path, &log).unwrap();
    let read = LogFile::read(&path).unwrap();
    assert_eq!((read.header, read.end.ending.as_str()), (header(), "finished"));
    assert_eq!(read.end.line as usize, lines(&log).len());
    let compare = |log: &[u8]| {
        let mut comparison = Comparison::with(&path).unwrap();
        for line in log.split_inclusive(|byte| *byte == b'\n') {
            std::io::Write::write_all(&mut comparison, line).unwrap();
        }
        comparison.difference().unwrap()
    };
    assert_eq!(logged(&field()).0, log);
    assert_eq!(compare(&log), None);
    let (other, _) = logged(&grid());
    let difference = compare(&other).unwrap();
    assert_eq!(difference.line, 2);
    assert!(difference.recorded.contains("move") && difference.now.contains("start"));
    let difference = compare(&log[..log.len() / 2]).unwrap();
    assert!(difference.line > 100, "{difference:?}");
}

#[test]
fn what_is_not_a_log_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let (log, _) = logged(&grid());
    let text = String::from_utf8(log).unwrap();
    let half = &text[..text.len() / 2];
    let whole_lines = &half[..=half.rfind('\n').unwrap()];
    let cases = [
        (String::new(), "is not an event log of Everypath"),
        ("{}\n".to_owned(), "is not an event log of Everypath"),
        (text.replace("\"version\":2,", "\"version\":7,"), "of version 7"),
        (text.replace("\"seed\":3", "\"seed\":4"), "its checksum does not match"),
        (text.replace("\"seed\":3", "\"seed\":\"x\""), "1: damaged"),
        (half.to_owned(), "it was cut off"),
        (whole_lines.to_owned(), "it was cut off"),
        (text[..60].to_owned(), "it was cut off"),
        (text.trim_end().to_owned(), "its checksum does not match"),
    ];
    for (content, words) in cases {
        fs::write(&path, &content).unwrap();
        let error = LogFile::read(&path).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(matches!(LogFile::read(folder.path()), Err(LogError::Read { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    /// A log with a bit changed, or cut off anywhere, is refused.
    #[test]
    fn damage_is_noticed(at in any::<prop::sample::Index>(), bit in 0..9_u32) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut scenario = grid();
        scenario.simulation.duration = Duration::from_millis(5600);
        let (mut log, _) = logged(&scenario);
        let at = at.index(log.len());
        match bit {
            8 => log.truncate(at),
            bit => log[at] ^= 1 << bit,
        }
        fs::write(&path, &log).unwrap();
        let error = LogFile::read(&path).unwrap_err();
        prop_assert!(!error.to_string().is_empty());
    }
}
