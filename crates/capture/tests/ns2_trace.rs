//! Traces in ns-2's format, read back by a parser that knows nothing but the columns.

use crate::run;

use std::collections::{BTreeMap, BTreeSet};

use everypath_capture::{Capture, Ns2Trace};
use everypath_model::Readings;
use everypath_sim::Run;

use run::{contended, field, grid, run};

/// A line, after the columns of ns-2's manual.
#[derive(Debug)]
struct Line {
    event: char,
    time: f64,
    node: u32,
    reason: String,
    number: u64,
    traffic: String,
    bytes: u64,
    /// To whom and from whom this hop is.
    hop: (String, u32),
    source: i64,
    destination: i64,
    ttl: u8,
    kind: String,
}

fn parse(line: &str) -> Line {
    let words: Vec<&str> = line.split_whitespace().collect();
    let bare = |place: usize| words[place].trim_matches(['[', ']', '_', '(', ')']);
    let end = |place: usize| bare(place).split(':').next().unwrap().parse().unwrap();
    assert_eq!((words.len(), words[3], words[12]), (18, "RTR", "-------"), "{line}");
    assert_eq!((words[8], words[11]), ("[0", "800]"), "{line}");
    Line {
        event: words[0].parse().unwrap(),
        time: words[1].parse().unwrap(),
        node: bare(2).parse().unwrap(),
        reason: words[4].to_owned(),
        number: words[5].parse().unwrap(),
        traffic: words[6].to_owned(),
        bytes: words[7].parse().unwrap(),
        hop: (words[9].to_owned(), u32::from_str_radix(words[10], 16).unwrap()),
        source: end(13),
        destination: end(14),
        ttl: words[15].parse().unwrap(),
        kind: bare(17).to_owned(),
    }
}

fn traced(
    scenario: &everypath_model::Scenario<everypath_protocols::aodv::Aodv>,
) -> (Run, Vec<Line>) {
    let mut trace = Box::new(Ns2Trace::new(Vec::new(), scenario));
    let result = run(scenario, &mut *trace);
    let text = String::from_utf8(trace.finish(&result).unwrap()).unwrap();
    (result.unwrap(), text.lines().map(parse).collect())
}

#[test]
fn a_trace_adds_up_to_what_was_counted() {
    for (scenario, by_radio) in [(grid(), false), (field(), true)] {
        let (run, lines) = traced(&scenario);
        let count =
            |is_it: &dyn Fn(&Line) -> bool| lines.iter().filter(|line| is_it(line)).count() as u64;
        assert_eq!(count(&|line| line.event == 'r'), run.packets.delivered);
        let lost = if by_radio { "CBK" } else { "ERR" };
        let coming_back = count(&|line| line.reason == lost) - run.packets.lost;
        assert!(coming_back <= u64::from(by_radio), "what is lost last may not be back yet");
        assert_eq!(count(&|line| line.reason == "IFQ"), run.packets.dropped);
        let sent = |kind: &str| {
            count(&|line| "sf".contains(line.event) && line.kind == kind)
                + count(&|line| {
                    line.reason == "IFQ" && line.kind == kind && line.hop.0 != "ffffffff"
                })
        };
        assert!(run.count("data transmissions") > 20);
        assert_eq!(sent("DATA"), run.count("data transmissions"));
        assert_eq!(sent("REPLY"), run.count("RREP transmissions"));
        // What jitter holds back at the end is counted and not sent.
        if by_radio {
            for (kind, name) in
                [("REQUEST", "RREQ transmissions"), ("HELLO", "HELLO transmissions")]
            {
                assert!(run.count(name) - sent(kind) <= 9, "{name}");
            }
        }
    }
}

#[test]
fn columns_fit_together() {
    for scenario in [field(), contended()] {
        let (_, lines) = traced(&scenario);
        columns_fit(&lines);
    }
}

fn columns_fit(lines: &[Line]) {
    let mut places: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
    for (before, line) in lines.iter().zip(&lines[1..]) {
        assert!(before.time <= line.time);
    }
    for line in lines {
        let Line { event, hop: (to, from), .. } = line;
        match event {
            's' => assert_eq!((line.node, i64::from(line.node)), (*from, line.source), "{line:?}"),
            'f' => assert!(line.node == *from && line.source != i64::from(line.node), "{line:?}"),
            'r' => {
                assert!(*to == "ffffffff" || *to == format!("{:x}", line.node), "{line:?}");
                assert_ne!(line.node, *from);
            }
            'D' => assert_ne!(line.reason, "---"),
            _ => panic!("{line:?}"),
        }
        match line.traffic.as_str() {
            "cbr" => {
                assert_eq!((line.bytes, line.kind.as_str()), (540, "DATA"));
                places.entry(line.number).or_default().insert(line.node);
            }
            "AODV" => assert_eq!(to == "ffffffff", line.destination == -1, "{line:?}"),
            _ => panic!("{line:?}"),
        }
        assert!(line.ttl > 0);
    }
    // A packet of data keeps its number from hop to hop.
    assert!(places.values().any(|nodes| nodes.len() > 2));
    let first = lines.iter().find(|line| line.kind == "HELLO").unwrap();
    assert_eq!((first.bytes, first.ttl, first.destination), (48, 1, -1));
}
