//! The handlers: each gives an event to a node of `raftbare`, and carries out its actions.

use everypath::{Native, NativeNode, NativeStart, prelude::*};
use raftbare::{
    Action, ClusterConfig, Log, LogIndex, MessageHeader, MessageSeqNo, Node as RaftNode, Term,
};

use crate::{
    log::{Entry, Position, bare_entries, entries_of},
    replica::Replica,
};

/// Raft, by `raftbare`.
#[derive(Debug)]
pub struct Raft {
    /// How many nodes the cluster has.
    pub nodes: u32,
    /// The largest number of commands in a log.
    pub proposals: u32,
    /// The error: to restart without the saved vote.
    pub forget_vote: bool,
    /// The shortest election timeout.
    pub election: Duration,
    /// The time between two heartbeats.
    pub heartbeat: Duration,
    /// The number of election timeouts from which a node draws one.
    pub draws: u32,
}

/// A node, and the content of its stable storage.
pub struct Server {
    raft: RaftNode,
    saved: Saved,
}

/// What is seen of a node: volatile and saved.
#[data]
pub struct State {
    /// The volatile part, with a copy of the saved one.
    pub running: Replica,
    /// The saved part.
    pub saved: Saved,
}

/// The content of a node's stable storage.
#[data]
pub struct Saved {
    /// The latest known term.
    pub term: u64,
    /// The node it has voted for in this term, or follows.
    pub vote: Option<u32>,
    /// Its log.
    pub log: Vec<Entry>,
}

/// A message between nodes. The number of a call comes back in its reply.
#[data]
pub enum Message {
    /// A candidate asks for a vote.
    AskVote {
        /// Its term.
        term: u64,
        /// The number of the call.
        seqno: u64,
        /// The end of its log.
        last: Position,
    },
    /// A node votes, or reports a later term.
    Vote {
        /// Its term.
        term: u64,
        /// The number of the call.
        seqno: u64,
        /// Whether it votes for the candidate.
        granted: bool,
    },
    /// A leader sends entries of its log, or none: a heartbeat.
    Append {
        /// Its term.
        term: u64,
        /// The number of the call.
        seqno: u64,
        /// The committed index of its log.
        commit: u64,
        /// The position before the entries.
        previous: Position,
        /// The entries.
        entries: Vec<Entry>,
    },
    /// A node reports the end of its log.
    Appended {
        /// Its term.
        term: u64,
        /// The number of the call.
        seqno: u64,
        /// The end of its log.
        last: Position,
    },
}

impl Message {
    fn of(message: &raftbare::Message) -> Self {
        let (term, seqno) = (message.term().get(), message.seqno().get());
        match message {
            raftbare::Message::RequestVoteCall { last_position, .. } => {
                Self::AskVote { term, seqno, last: Position::of(*last_position) }
            }
            raftbare::Message::RequestVoteReply { vote_granted, .. } => {
                Self::Vote { term, seqno, granted: *vote_granted }
            }
            raftbare::Message::AppendEntriesCall { commit_index, entries, .. } => {
                let previous = Position::of(entries.prev_position());
                let entries = entries_of(entries);
                Self::Append { term, seqno, commit: commit_index.get(), previous, entries }
            }
            raftbare::Message::AppendEntriesReply { last_position, .. } => {
                Self::Appended { term, seqno, last: Position::of(*last_position) }
            }
        }
    }
}

/// The one timer of a node.
#[data]
pub enum Timer {
    /// An election timeout; or, at a leader, the time for a heartbeat.
    Election,
}

/// A command of a client.
#[data]
pub enum Command {
    /// Append a command to the log.
    Propose,
}

impl Raft {
    /// Gives a message to a node.
    fn hear(&self, node: &mut NativeNode<'_, Self>, message: raftbare::Message) {
        self.act(node, |raft| raft.handle_message(message));
    }

    /// Gives an event to a node, and carries out its actions.
    fn act(&self, node: &mut NativeNode<'_, Self>, event: impl FnOnce(&mut RaftNode)) {
        let raft = &mut node.state.raft;
        let (led, before) = (raft.role().is_leader(), raft.commit_index().get());
        event(raft);
        if raft.role().is_leader() {
            let now = raft.commit_index().get();
            if !led {
                node.count("elections");
                node.end("time to elect", 0);
            }
            (before + 1..=now).for_each(|index| node.end("time to commit", index));
        }
        self.perform(node);
    }

    /// Carries out the actions of a node.
    fn perform(&self, node: &mut NativeNode<'_, Self>) {
        for action in std::mem::take(node.state.raft.actions_mut()) {
            let Server { raft, saved } = &mut *node.state;
            match action {
                Action::SetElectionTimeout => {
                    let after = self.timeout(node);
                    node.set_timer(Timer::Election, after);
                }
                Action::SaveCurrentTerm => saved.term = raft.current_term().get(),
                Action::SaveVotedFor => saved.vote = raft.voted_for().map(|id| id.get() as u32),
                Action::AppendLogEntries(entries) => {
                    saved.log.truncate(entries.prev_position().index.get() as usize);
                    saved.log.extend(entries_of(&entries));
                }
                Action::BroadcastMessage(message) => node.broadcast(Message::of(&message)),
                Action::SendMessage(to, message) => {
                    node.send(NodeId(to.get() as u32), Message::of(&message));
                }
                Action::InstallSnapshot(to) => {
                    panic!("node {} should get a snapshot, but none was ever taken", to.get())
                }
            }
        }
    }

    /// The election timeout of a node: no two nodes have the same, whatever they draw.
    fn timeout(&self, node: &mut NativeNode<'_, Self>) -> Duration {
        if node.state.raft.role().is_leader() {
            return self.heartbeat;
        }
        let draw = if self.draws > 1 { node.choose(self.draws) } else { 0 };
        let place = f64::from(draw * self.nodes + node.id.0);
        self.election.mul_f64(1.0 + place / f64::from(self.draws * self.nodes))
    }

    /// A node that starts from its saved state.
    fn come_up(&self, node: &mut NativeStart<'_, Self>, saved: Saved) -> Server {
        let id = |node: u32| raftbare::NodeId::new(node.into());
        let config =
            ClusterConfig { voters: (0..self.nodes).map(id).collect(), ..ClusterConfig::new() };
        let log = Log::new(config, bare_entries(Position::default(), &saved.log));
        let vote = saved.vote.map(id);
        let raft = RaftNode::restart(id(node.id.0), Term::new(saved.term), vote, log);
        let mut server = Server { raft, saved };
        self.perform(&mut node.with_state(&mut server));
        server
    }
}

/// The header of a message.
fn header(from: NodeId, term: u64, seqno: u64) -> MessageHeader {
    let from = raftbare::NodeId::new(from.0.into());
    MessageHeader { from, term: Term::new(term), seqno: MessageSeqNo::new(seqno) }
}

#[handlers]
impl Native for Raft {
    type Node = Server;
    type Seen = State;
    type Message = Message;
    type Timer = Timer;
    type Command = Command;

    fn start(&self, node: &mut NativeStart<'_, Self>) -> Server {
        node.begin("time to elect", 0);
        self.come_up(node, Saved { term: 0, vote: None, log: Vec::new() })
    }

    fn restart(&self, node: &mut NativeStart<'_, Self>, before: &State) -> Server {
        let mut saved = before.saved.clone();
        if self.forget_vote {
            saved.vote = None;
        }
        self.come_up(node, saved)
    }

    fn seen(&self, _: NodeId, server: &Server) -> State {
        State { running: Replica::of(&server.raft), saved: server.saved.clone() }
    }

    fn copy(server: &Server) -> Option<Server> {
        Some(Server { raft: server.raft.clone(), saved: server.saved.clone() })
    }

    fn on_message(&self, node: &mut NativeNode<'_, Self>, from: NodeId, message: &Message) {
        match message {
            Message::AskVote { term, seqno, last } => {
                let header = header(from, *term, *seqno);
                let last_position = last.bare();
                let call = raftbare::Message::RequestVoteCall { header, last_position };
                self.hear(node, call);
            }
            Message::Vote { term, seqno, granted } => {
                let header = header(from, *term, *seqno);
                let vote_granted = *granted;
                let reply = raftbare::Message::RequestVoteReply { header, vote_granted };
                self.hear(node, reply);
            }
            Message::Append { term, seqno, commit, previous, entries } => {
                let header = header(from, *term, *seqno);
                let commit_index = LogIndex::new(*commit);
                let entries = bare_entries(*previous, entries);
                let call = raftbare::Message::AppendEntriesCall { header, commit_index, entries };
                self.hear(node, call);
            }
            Message::Appended { term, seqno, last } => {
                let header = header(from, *term, *seqno);
                let last_position = last.bare();
                let reply = raftbare::Message::AppendEntriesReply { header, last_position };
                self.hear(node, reply);
            }
        }
    }

    fn on_timer(&self, node: &mut NativeNode<'_, Self>, timer: &Timer) {
        match timer {
            Timer::Election => self.act(node, RaftNode::handle_election_timeout),
        }
    }

    fn on_command(&self, node: &mut NativeNode<'_, Self>, command: &Command) {
        match command {
            // A simulation gives the command to every node; the leader executes it.
            Command::Propose if !node.state.raft.role().is_leader() => {}
            Command::Propose => {
                let mut index = 0;
                self.act(node, |raft| index = raft.propose_command().index.get());
                node.begin("time to commit", index);
            }
        }
    }

    fn commands(&self, _: NodeId, state: &State) -> Vec<Command> {
        let commands = state.running.log.iter().filter(|entry| **entry == Entry::Command).count();
        let can = state.running.leads() && commands < self.proposals as usize;
        if can { vec![Command::Propose] } else { Vec::new() }
    }
}
