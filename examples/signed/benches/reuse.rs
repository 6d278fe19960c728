//! What it saves to remember what handlers did: checks from scratch, that write a memo, and that read one, of the same version or of
//! one in which a handler was another.
//!
//! `cargo bench -p everypath-signed`. The checks of a scenario take turns, and the fastest of each kind counts, in CPU time. What a memo is
//! read from and written to is memory; the command line has a file besides.

use std::time::Duration;

use cpu_time::ProcessTime;
use everypath::{
    Parameters, Protocol, Scenario,
    explore::{Exploration, Measured, Options, Stop, Strategy, explore},
    network::{Memo, MemoCounts, NetworkSpace, SpaceOptions, Verification},
    protocols::aodv::aodv,
};
use everypath_raft::raft;
use everypath_signed::generals;

/// How often each check is made: once, if it is only to be seen that it can be.
fn turns() -> usize {
    if std::env::args().any(|argument| argument == "--test") { 1 } else { 9 }
}

type Settings<'s> = &'s [(&'static str, &'s str)];

/// What is checked, and with which handlers changed.
struct Row<'r> {
    name: &'r str,
    settings: Settings<'r>,
    options: Options,
    changes: &'r [&'r str],
}

/// A check: what it found, what it took, and what is remembered of it.
struct Checked {
    found: Exploration,
    counts: MemoCounts,
    time: Duration,
    memo: Vec<u8>,
}

fn check<P: Protocol>(scenario: &Scenario<P>, options: &Options, memo: Option<&[u8]>) -> Checked {
    let started = ProcessTime::now();
    // What is measured is one execution of each.
    let verification = Verification::Nothing;
    let space_options = SpaceOptions::default().verification(verification);
    let options = options.clone().semantics(space_options.semantics()).stop(Stop::Never);
    let mut space = NetworkSpace::new(scenario, space_options).expect("it can be explored");
    if let Some(mut bytes) = memo {
        let known = if bytes.is_empty() { Ok(Memo::default()) } else { Memo::read(&mut bytes) };
        space.remember_with(known.expect("it was written like this"));
    }
    let found = explore(&mut space, &options, &mut ()).expect("the options go together");
    let mut memo = Vec::new();
    let mut counts = MemoCounts::default();
    if let Some(known) = space.memo() {
        counts = known.counts();
        if counts.missing + counts.outdated > 0 {
            let written = known.write(&mut memo, found.handler_executions, space.handler_time());
            written.expect("memory can be written to");
        }
    }
    Checked { found, counts, time: started.elapsed(), memo }
}

/// A memo of a version in which one handler had another print.
fn changed(memo: &[u8], handler: &str) -> Vec<u8> {
    let mut memo = memo.to_vec();
    let place = memo.windows(handler.len()).position(|name| name == handler.as_bytes());
    let print = place.expect("the handler was executed") + handler.len();
    memo[print] ^= 1;
    memo
}

fn compare<P: Protocol>(build: impl Fn(&mut Parameters) -> Scenario<P>, row: &Row<'_>) {
    let scenario = build(&mut Parameters::with(row.settings.iter().copied()));
    let check = |memo: Option<&[u8]>| check(&scenario, &row.options, memo);
    let scratch = check(None);
    let first = check(Some(&[]));
    let memos = row.changes.iter().map(|handler| changed(&first.memo, handler));
    let memos: Vec<Vec<u8>> = [Vec::new(), first.memo.clone()].into_iter().chain(memos).collect();
    let names = ["first, empty memo", "same version"].map(str::to_owned).into_iter();
    let names = names.chain(row.changes.iter().map(|handler| format!("{handler} changed")));
    let mut kinds: Vec<(String, Checked)> =
        names.zip(&memos).map(|(name, memo)| (name, check(Some(memo)))).collect();
    let mut fastest = scratch.time;
    for _ in 1..turns() {
        fastest = fastest.min(check(None).time);
        for ((_, best), memo) in kinds.iter_mut().zip(&memos) {
            let again = check(Some(memo));
            if again.time < best.time {
                *best = again;
            }
        }
    }
    let Exploration { counts, handler_executions, .. } = &scratch.found;
    println!(
        "\n{}: {} events, {} executions, {:.1} ms from scratch",
        row.name,
        counts.events,
        handler_executions,
        fastest.as_secs_f64() * 1e3,
    );
    for (name, Checked { found, counts, time, .. }) in &kinds {
        assert_eq!(found.states_visited, scratch.found.states_visited, "{name}");
        println!(
            "  {name:24} {:8.1} ms, {:5.2} times as fast; {:6} recalled, {:6} executed{}",
            time.as_secs_f64() * 1e3,
            fastest.as_secs_f64() / time.as_secs_f64(),
            counts.recalled,
            found.handler_executions,
            if counts.given_up { "; given up" } else { "" },
        );
    }
}

/// Checks a network with what a smaller one has taught, and tells how much that was.
fn teach<P: Protocol>(
    build: impl Fn(&mut Parameters) -> Scenario<P>,
    name: &str,
    [small, large]: [Settings<'_>; 2],
    options: &Options,
) {
    // That executing takes long is said so that looking is not given up.
    let mut memo = Vec::new();
    let written = Memo::default().write(&mut memo, 1, Duration::from_secs(1));
    written.expect("memory can be written to");
    let small = build(&mut Parameters::with(small.iter().copied()));
    let taught = check(&small, options, Some(&memo));
    let large = build(&mut Parameters::with(large.iter().copied()));
    let same = small.configuration_text() == large.configuration_text();
    assert!(same, "{name}: handlers of the one do not do the same as those of the other");
    let (fresh, reused) =
        (check(&large, options, None), check(&large, options, Some(&taught.memo)));
    assert_eq!(reused.found.states_visited, fresh.found.states_visited, "{name}");
    let (all, recalled) = (fresh.found.handler_executions, reused.counts.recalled);
    println!(
        "{name}: {recalled} of {all} executions ({:.0} %) were taught by {}",
        100.0 * recalled as f64 / all as f64,
        taught.found.handler_executions,
    );
}

fn main() {
    let depth = |depth| Options::default().max_depth(depth);
    let walks =
        |walks, depth| Options::default().strategy(Strategy::RandomWalk { walks }).max_depth(depth);
    let loyal: Settings<'_> = &[("generals", "7"), ("traitors", "0"), ("tolerated", "5")];
    let traitor: Settings<'_> = &[("generals", "5"), ("tolerated", "3")];
    let changes: &[&str] = &["timer:Round", "message:Order", "message:Relay"];
    for (name, settings, options) in [
        ("7 generals, SM(5), depth 4", loyal, depth(4)),
        ("7 generals, SM(5), depth 5", loyal, depth(5)),
        ("5 generals, SM(3), a traitor, depth 5", traitor, depth(5)),
    ] {
        compare(generals, &Row { name, settings, options, changes });
    }
    let quiet: Settings<'_> = &[("loss", "off"), ("reboot", "off")];
    let changes: &[&str] = &["message:Vote", "message:AskVote"];
    for (name, settings, options) in
        [("raft, depth 8", &[][..], depth(8)), ("raft, 3000 walks", quiet, walks(3000, 40))]
    {
        compare(raft, &Row { name, settings, options, changes });
    }
    let options = depth(12);
    compare(
        aodv,
        &Row { name: "aodv, depth 12", settings: &[], options, changes: &["timer", "message"] },
    );
    println!();
    for (name, nodes) in [("aodv, 3 teach 4, depth 10", "4"), ("aodv, 3 teach 5, depth 10", "5")] {
        let settings: [&[_]; 2] = [&[("nodes", "3")], &[("nodes", nodes)]];
        teach(aodv, name, settings, &depth(10));
    }
    for (name, generals_number) in
        [("4 generals teach 5, depth 8", "5"), ("4 generals teach 6, depth 8", "6")]
    {
        let settings: [&[_]; 2] = [&[("generals", "4")], &[("generals", generals_number)]];
        teach(generals, name, settings, &depth(8));
    }
}
