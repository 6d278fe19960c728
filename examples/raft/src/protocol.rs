//! The handlers: each makes a node of `raftbare`, gives it the event, and carries out its actions.

use everypath::prelude::*;
use raftbare::{Action, Actions, LogIndex};

use crate::{
    log::{Entry, Position, bare_entries, entries_of},
    rebuild::{Place, header},
    replica::{Replica, Role},
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

/// The state of a node: volatile and saved.
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
    fn place(&self, me: NodeId) -> Place {
        Place { me: me.0, nodes: self.nodes }
    }

    /// Gives a message to a node.
    fn hear(&self, node: &mut Node<'_, Self>, message: raftbare::Message) {
        let mut raft = self.place(node.id).node(&node.state.running);
        raft.handle_message(message);
        self.perform(node, raft);
    }

    /// Carries out the actions of a node, and stores its state.
    fn perform(&self, node: &mut Node<'_, Self>, mut raft: raftbare::Node) {
        let actions: Actions = std::mem::take(raft.actions_mut());
        let (led, before) = (node.state.running.leads(), node.state.running.commit);
        node.state.running = Replica::of(&raft);
        if node.state.running.leads() && !led {
            node.count("elections");
            node.end("time to elect", 0);
        }
        if node.state.running.leads() {
            let now = node.state.running.commit;
            (before + 1..=now).for_each(|index| node.end("time to commit", index));
        }
        for action in actions {
            match action {
                Action::SetElectionTimeout => {
                    let after = self.timeout(node);
                    node.set_timer(Timer::Election, after);
                }
                Action::SaveCurrentTerm => node.state.saved.term = node.state.running.term,
                Action::SaveVotedFor => node.state.saved.vote = node.state.running.vote,
                Action::AppendLogEntries(entries) => {
                    let log = &mut node.state.saved.log;
                    log.truncate(entries.prev_position().index.get() as usize);
                    log.extend(entries_of(&entries));
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
    fn timeout(&self, node: &mut Node<'_, Self>) -> Duration {
        if let Role::Leader { .. } = node.state.running.role {
            return self.heartbeat;
        }
        let draw = if self.draws > 1 { node.choose(self.draws) } else { 0 };
        let place = f64::from(draw * self.nodes + node.id.0);
        self.election.mul_f64(1.0 + place / f64::from(self.draws * self.nodes))
    }

    fn come_up(&self, node: &mut Start<'_, Self>, saved: Saved) -> State {
        let raft = self.place(node.id).restart(saved.term, saved.vote, &saved.log);
        let mut idle = raft.clone();
        *idle.actions_mut() = Actions::default();
        let mut state = State { running: Replica::of(&idle), saved };
        self.perform(&mut node.with_state(&mut state), raft);
        state
    }
}

#[handlers]
impl Protocol for Raft {
    type State = State;
    type Message = Message;
    type Timer = Timer;
    type Command = Command;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        node.begin("time to elect", 0);
        self.come_up(node, Saved { term: 0, vote: None, log: Vec::new() })
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &State) -> State {
        let mut saved = before.saved.clone();
        if self.forget_vote {
            saved.vote = None;
        }
        self.come_up(node, saved)
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match message {
            Message::AskVote { term, seqno, last } => {
                let header = header(from.0, *term, *seqno);
                let last_position = last.bare();
                let call = raftbare::Message::RequestVoteCall { header, last_position };
                self.hear(node, call);
            }
            Message::Vote { term, seqno, granted } => {
                let header = header(from.0, *term, *seqno);
                let vote_granted = *granted;
                let reply = raftbare::Message::RequestVoteReply { header, vote_granted };
                self.hear(node, reply);
            }
            Message::Append { term, seqno, commit, previous, entries } => {
                let header = header(from.0, *term, *seqno);
                let commit_index = LogIndex::new(*commit);
                let entries = bare_entries(*previous, entries);
                let call = raftbare::Message::AppendEntriesCall { header, commit_index, entries };
                self.hear(node, call);
            }
            Message::Appended { term, seqno, last } => {
                let header = header(from.0, *term, *seqno);
                let last_position = last.bare();
                let reply = raftbare::Message::AppendEntriesReply { header, last_position };
                self.hear(node, reply);
            }
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Timer) {
        match timer {
            Timer::Election => {
                let mut raft = self.place(node.id).node(&node.state.running);
                raft.handle_election_timeout();
                self.perform(node, raft);
            }
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Command) {
        match command {
            // A simulation gives the command to every node; the leader executes it.
            Command::Propose if !node.state.running.leads() => {}
            Command::Propose => {
                let mut raft = self.place(node.id).node(&node.state.running);
                let position = raft.propose_command();
                node.begin("time to commit", position.index.get());
                self.perform(node, raft);
            }
        }
    }

    fn commands(&self, _: NodeId, state: &State) -> Vec<Command> {
        let commands = state.running.log.iter().filter(|entry| **entry == Entry::Command).count();
        let can = state.running.leads() && commands < self.proposals as usize;
        if can { vec![Command::Propose] } else { Vec::new() }
    }
}
