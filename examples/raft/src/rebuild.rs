//! Rebuilds a node of `raftbare` from plain data.
//!
//! A node can be created with a term, a vote and a log; it gets the rest of its knowledge only from
//! timeouts and messages. So it is led through a short history of these that ends in the state of
//! the replica. The result is compared each time, so that a handler never runs on a different
//! state.

use raftbare::{
    Actions, ClusterConfig, Log, LogEntries, LogIndex, Message, MessageHeader, MessageSeqNo, Node,
    NodeId, Term,
};

use crate::{
    log::{Entry, Position, bare_entries, position},
    replica::{Progress, Replica, Role},
};

/// Longer than any log: a candidate with so long a log gets every vote, and a leader ignores a
/// reply with so long a log.
const FAR: Position = Position { term: 0, index: u64::MAX };

/// The nodes of a cluster, as seen by one of them.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) me: u32,
    pub(crate) nodes: u32,
}

impl Place {
    fn others(self) -> impl Iterator<Item = u32> {
        (0..self.nodes).filter(move |&node| node != self.me)
    }

    /// A node that starts from its saved state.
    pub(crate) fn restart(self, term: u64, vote: Option<u32>, log: &[Entry]) -> Node {
        let voters = (0..self.nodes).map(|node| NodeId::new(node.into())).collect();
        let config = ClusterConfig { voters, ..ClusterConfig::new() };
        let log = Log::new(config, bare_entries(Position::default(), log));
        let vote = vote.map(|node| NodeId::new(node.into()));
        Node::restart(NodeId::new(self.me.into()), Term::new(term), vote, log)
    }

    /// A node with the knowledge of a replica.
    ///
    /// # Panics
    /// If no history leads to the replica: then no run does either, or this module is wrong.
    pub(crate) fn node(self, replica: &Replica) -> Node {
        let Replica { term, vote, ref log, commit, seqno, ref role } = *replica;
        let mut life = match role {
            Role::Follower => self.follower(term, vote, log, commit, seqno),
            Role::Candidate { votes } => {
                let mut life = if term == 2 && seqno == 2 {
                    let mut life = self.begin(0, None, log);
                    life.time_out();
                    life
                } else {
                    let vote = if seqno == 1 && commit == 0 { None } else { self.others().next() };
                    self.follower(term - 1, vote, log, commit, seqno - 1)
                };
                life.time_out();
                votes.iter().filter(|&&node| node != self.me).for_each(|&node| life.elect(node));
                life
            }
            Role::Leader { followers } => self.leader(term, log, commit, seqno, followers),
        };
        *life.node.actions_mut() = Actions::default();
        assert_eq!(Replica::of(&life.node), *replica, "the node cannot be rebuilt");
        life.node
    }

    fn begin(self, term: u64, vote: Option<u32>, log: &[Entry]) -> Life {
        Life { node: self.restart(term, vote, log) }
    }

    fn follower(
        self,
        term: u64,
        vote: Option<u32>,
        log: &[Entry],
        commit: u64,
        seqno: u64,
    ) -> Life {
        match (seqno, vote) {
            (0, _) if commit == 0 => self.begin(term, vote, log),
            (0, Some(leader)) => {
                let mut life = self.begin(term, vote, log);
                life.follow(leader, term, log, commit);
                life
            }
            (1, None) if commit == 0 => {
                let mut life = self.begin(term - 2, None, log);
                life.time_out();
                life.hear_of(term);
                life
            }
            // It was leader in the first term, and has just learnt of the second.
            (2.., None) if term == 2 => {
                let majority = self.others().take(self.nodes as usize / 2);
                let followers: Vec<Progress> = majority
                    .map(|node| Progress { node, matched: commit, seqno: commit.min(1) })
                    .collect();
                let mut life = self.leader(1, log, commit, seqno, &followers);
                life.hear_of(term);
                life
            }
            (_, None) => {
                let leader = self.others().next();
                let mut life = self.follower(term - 1, leader, log, commit, seqno);
                life.hear_of(term);
                life
            }
            // It was a candidate or leader, and now has another leader.
            (_, Some(leader)) => {
                let mut life = self.begin(term - 2, None, &[]);
                life.time_out();
                if seqno > 1 {
                    self.others().for_each(|node| life.elect(node));
                    life.beat(seqno - 2);
                }
                life.hear_of(term);
                life.forget_log(leader, term);
                life.follow(leader, term, log, commit);
                life
            }
        }
    }

    fn leader(
        self,
        term: u64,
        log: &[Entry],
        commit: u64,
        seqno: u64,
        followers: &[Progress],
    ) -> Life {
        let before = log.iter().position(|entry| *entry == Entry::Term(term));
        let before = before.expect("a leader begins its term in its log");
        let known = if commit > before as u64 { 0 } else { commit };
        let leader = if known == 0 { None } else { self.others().next() };
        let mut life = self.follower(term - 1, leader, &log[..before], known, 0);
        life.time_out();
        self.others().for_each(|node| life.elect(node));
        let mut sent = 2;
        for &Progress { node, matched, seqno } in followers {
            if seqno > 0 && matched == 0 {
                life.answer(node, seqno, FAR);
            } else if seqno > 0 && matched <= before as u64 {
                // The leader sends the missing entries.
                life.answer(node, seqno, position(log, matched));
                sent += 1;
            }
        }
        for index in before as u64 + 1..=log.len() as u64 {
            if index > before as u64 + 1 {
                life.node.propose_command();
                life.forget_actions();
                sent += 1;
            }
            for follower in followers.iter().filter(|it| it.matched == index) {
                life.answer(follower.node, follower.seqno, Position { term, index });
            }
        }
        life.beat(seqno.checked_sub(sent).expect("a leader has sent what it did"));
        life
    }
}

/// A node during its history. Its actions are not carried out.
struct Life {
    node: Node,
}

impl Life {
    fn forget_actions(&mut self) {
        *self.node.actions_mut() = Actions::default();
    }

    fn hear(&mut self, message: Message) {
        self.node.handle_message(message);
        self.forget_actions();
    }

    fn time_out(&mut self) {
        self.forget_actions();
        self.node.handle_election_timeout();
        self.forget_actions();
    }

    /// A leader sends this many heartbeats.
    fn beat(&mut self, times: u64) {
        for _ in 0..times {
            self.node.heartbeat();
            self.forget_actions();
        }
    }

    /// A vote arrives; a node that is leader already ignores it.
    fn elect(&mut self, from: u32) {
        let header = header(from, self.node.current_term().get(), 0);
        self.hear(Message::RequestVoteReply { header, vote_granted: true });
    }

    /// A message with a later term arrives.
    fn hear_of(&mut self, term: u64) {
        let from = self.node.id().get() as u32;
        let header = header(from, term, 0);
        self.hear(Message::RequestVoteReply { header, vote_granted: false });
    }

    /// A leader reports that the first entry is of another term.
    fn forget_log(&mut self, leader: u32, term: u64) {
        let previous = Position { term: u64::MAX, index: 1 };
        self.hear_entries(leader, term, 0, LogEntries::new(previous.bare()));
    }

    /// A leader sends its whole log.
    fn follow(&mut self, leader: u32, term: u64, log: &[Entry], commit: u64) {
        self.hear_entries(leader, term, commit, bare_entries(Position::default(), log));
    }

    fn hear_entries(&mut self, leader: u32, term: u64, commit: u64, entries: LogEntries) {
        let header = header(leader, term, 0);
        let commit_index = LogIndex::new(commit);
        self.hear(Message::AppendEntriesCall { header, commit_index, entries });
    }

    /// A follower reports the end of its log.
    fn answer(&mut self, from: u32, seqno: u64, last: Position) {
        let header = header(from, self.node.current_term().get(), seqno);
        self.hear(Message::AppendEntriesReply { header, last_position: last.bare() });
    }
}

/// The header of a message.
pub(crate) fn header(from: u32, term: u64, seqno: u64) -> MessageHeader {
    let from = NodeId::new(from.into());
    MessageHeader { from, term: Term::new(term), seqno: MessageSeqNo::new(seqno) }
}
