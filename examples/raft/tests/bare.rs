//! Clusters of `raftbare` without the adapter: as many states as with it, and the same fault.

use std::collections::{BTreeSet, VecDeque};

use raftbare::{
    Action, ClusterConfig, Log, LogEntries, LogEntry, LogIndex, LogPosition, Message, Node, NodeId,
    Term,
};

/// Three nodes, and all messages that were sent and did not arrive yet, in order.
#[derive(Clone)]
struct Cluster {
    nodes: Vec<Node>,
    sent: VecDeque<(u64, Message)>,
}

impl Cluster {
    fn new() -> Self {
        let voters = (0..3).map(NodeId::new).collect();
        let config = ClusterConfig { voters, ..ClusterConfig::new() };
        let log = Log::new(config, LogEntries::new(LogPosition::ZERO));
        let nodes = (0..3).map(|id| Node::restart(NodeId::new(id), Term::ZERO, None, log.clone()));
        let mut cluster = Self { nodes: nodes.collect(), sent: VecDeque::new() };
        (0..3).for_each(|node| cluster.at(node, |_| {}));
        cluster
    }

    /// Does something at a node, and sends what it wants to be sent.
    fn at(&mut self, node: u64, does: impl FnOnce(&mut Node)) {
        let node = &mut self.nodes[node as usize];
        does(node);
        for action in std::mem::take(node.actions_mut()) {
            match action {
                Action::BroadcastMessage(message) => {
                    let others = (0..3).filter(|&id| id != node.id().get());
                    self.sent.extend(others.map(|id| (id, message.clone())));
                }
                Action::SendMessage(to, message) => self.sent.push_back((to.get(), message)),
                _ => {}
            }
        }
    }

    fn time_out(&mut self, node: u64) {
        self.at(node, Node::handle_election_timeout);
    }

    /// All there is to know: what nodes and messages print of themselves. Of those that have equally much of its log, a
    /// leader may count any to the majority; which it counts does not count here.
    fn content(&self) -> String {
        let nodes = self.nodes.iter().map(|node| {
            let printed = format!("{node:?}");
            printed.split(", quorum:").next().expect("there is a beginning").to_owned()
        });
        let mut sent: Vec<String> = self.sent.iter().map(|sent| format!("{sent:?}")).collect();
        sent.sort();
        nodes.chain(sent).collect()
    }

    /// The clusters that one event makes of this one: a timeout, a command or the arrival of a message.
    fn next(&self) -> Vec<Self> {
        let mut next = Vec::new();
        let mut after = |event: &dyn Fn(&mut Self)| {
            let mut cluster = self.clone();
            event(&mut cluster);
            next.push(cluster);
        };
        for node in 0..3 {
            after(&|cluster| cluster.time_out(node));
            let leads = self.nodes[node as usize].role().is_leader();
            let mut entries = self.nodes[node as usize].log().entries().iter();
            if leads && !entries.any(|entry| entry == LogEntry::Command) {
                after(&|cluster| {
                    cluster.at(node, |node| {
                        node.propose_command();
                    });
                });
            }
        }
        for place in 0..self.sent.len() {
            after(&|cluster| {
                let (to, message) = cluster.sent.remove(place).expect("it is there");
                cluster.at(to, |node| node.handle_message(message));
            });
        }
        next
    }

    /// The latest message between two nodes arrives.
    fn deliver(&mut self, from: u64, to: u64) {
        let is_it = |(at, message): &(u64, Message)| *at == to && message.from().get() == from;
        let place = self.sent.iter().rposition(is_it).expect("there is such a message");
        let (_, message) = self.sent.remove(place).expect("it is there");
        self.at(to, |node| node.handle_message(message));
    }
}

/// Section 5.4.1 of the paper on Raft: of two logs the one is more up to date whose last entry has the later term, and only
/// with equal terms the longer one. `raftbare` 0.2.2 compares lengths alone, in `handle_request_vote_call`.
#[test]
fn a_long_log_of_an_old_term_wins_over_what_is_committed() {
    let mut cluster = Cluster::new();
    // Node 0 leads in term 1, and nobody gets what it appends.
    cluster.time_out(0);
    cluster.deliver(0, 1);
    cluster.deliver(1, 0);
    cluster.at(0, |node| assert!(!node.propose_command().is_invalid()));
    // Node 1 leads in term 2, and commits the entry that says so.
    cluster.time_out(1);
    cluster.deliver(1, 2);
    cluster.deliver(2, 1);
    cluster.deliver(1, 2);
    cluster.deliver(2, 1);
    let first = LogIndex::new(1);
    assert_eq!(cluster.nodes[1].commit_index(), first);
    assert_eq!(cluster.nodes[1].log().entries().get_term(first), Some(Term::new(2)));
    // Node 0 hears of term 2, and stands for election twice; node 2, in between, once.
    cluster.sent.retain(|(to, message)| *to == 2 || message.from().get() == 2);
    cluster.deliver(0, 2);
    cluster.deliver(2, 0);
    cluster.time_out(0);
    cluster.time_out(2);
    cluster.time_out(0);
    // Node 2 has what is committed, and votes for node 0, which has not.
    cluster.deliver(0, 2);
    cluster.deliver(2, 0);
    assert!(cluster.nodes[0].role().is_leader());
    assert_eq!(cluster.nodes[0].log().entries().get_term(first), Some(Term::new(1)));
    // Node 2 is made to give up what was committed, and node 0 commits another entry in its place.
    for _ in 0..6 {
        if cluster.nodes[0].commit_index() < first {
            cluster.deliver(0, 2);
            cluster.deliver(2, 0);
        }
    }
    assert!(cluster.nodes[0].commit_index() >= first);
    assert_eq!(cluster.nodes[0].log().entries().get_term(first), Some(Term::new(1)));
    assert_eq!(cluster.nodes[1].log().entries().get_term(first), Some(Term::new(2)));
}

/// Breadth-first over clones of nodes. `check` with `loss=off` and `reboot=off` visits as many states at each depth, although
/// there a state is only what is seen of a node.
#[test]
fn there_are_as_many_states_as_with_the_adapter() {
    let first = Cluster::new();
    let mut seen = BTreeSet::from([first.content()]);
    let mut level = vec![first];
    let mut counts = Vec::new();
    for _ in 0..=6 {
        counts.push(level.len());
        let next = level.iter().flat_map(Cluster::next);
        level = next.filter(|cluster| seen.insert(cluster.content())).collect();
    }
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_raft"))
        .args("check raft --set loss=off --set reboot=off --max-depth 6 --json".split(' '))
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["states_per_depth"], serde_json::json!(counts));
}
