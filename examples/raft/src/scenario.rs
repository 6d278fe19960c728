//! The scenario: a cluster, its faults and its assertions.

use everypath::{Opaque, prelude::*};

use crate::{
    protocol::{Command, Raft},
    safety,
};

/// A cluster with a fixed configuration.
pub fn raft(ask: &mut Parameters) -> Scenario<Opaque<Raft>> {
    let nodes = ask.number("nodes", 3, 2..=7, "how many nodes the cluster has");
    let proposals =
        ask.number("proposals", 1, 0..=100, "how many commands `check` puts into a log");
    let loss = ask.budget("loss", Budget::AtMost(1), "how often a message is lost");
    let duplication = ask.budget("duplication", Budget::Off, "how often a message is duplicated");
    let reboot = ask.budget("reboot", Budget::AtMost(1), "how often a node reboots");
    let forget_vote = ask.flag("forget-vote", false, "restart without the saved vote: an error");
    let election = ask.duration(
        "election",
        Duration::from_millis(150),
        "the shortest election timeout; the longest is almost twice as long",
    );
    let heartbeat =
        ask.duration("heartbeat", Duration::from_millis(50), "the time between heartbeats");
    let draws = ask.number(
        "draws",
        1,
        1..=1000,
        "the number of election timeouts from which a node draws one; each is a branch in `check`",
    );
    let interval =
        ask.duration("interval", Duration::from_millis(100), "the time between two proposals");
    let protocol = Raft { nodes, proposals, forget_vote, election, heartbeat, draws };
    let topology = Topology::full_mesh(nodes as usize);
    let everyone = topology.nodes();
    Scenario::new(Opaque(protocol), topology)
        .configuration(|raft| format!("{:?}", raft.0))
        .about("Raft as the crate raftbare does it")
        .network(NetworkKind::Unordered)
        .loss(loss)
        .duplication(duplication)
        .reboot(reboot)
        .max_depth(9)
        .assert_always("at most one leader in a term", safety::one_leader_per_term)
        .assert_always("logs match", safety::logs_match)
        .assert_always("a leader has all that is committed", safety::leaders_are_complete)
        .assert_always("what is committed stays", safety::commits_agree)
        .ranking("danger", safety::danger)
        .simulation(|run| {
            let run = run
                .measure_count("elections")
                .measure("time to elect", "s", |run| run.mean("time to elect"))
                .measure("time to commit", "s", |run| run.mean("time to commit"));
            everyone
                .fold(run, |run, node| run.job(node, Command::Propose, interval, Some(interval)))
        })
}
