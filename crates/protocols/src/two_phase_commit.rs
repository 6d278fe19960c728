//! Two-phase commit: all participants commit a transaction, or none does.
//!
//! The coordinator asks all to prepare. A participant that votes yes may neither commit nor abort
//! by itself: it repeats its vote until it hears the decision. If all vote yes in time they commit;
//! otherwise they abort. Votes and decisions survive a reboot; an undecided coordinator then
//! aborts. A participant of the impatient variant commits when no decision comes.
//!
//! Expected simulation results: each of 2 participants refuses one time in two, so 1/4 of the
//! transactions, one per run, are committed. The decision takes two hops, 2.1024 ms.

use std::{collections::BTreeSet, time::Duration};

use everypath_model::{
    Budget, LinkModel, Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology, data,
    handlers, roles,
};

/// The messages between the coordinator and its participants.
#[data]
pub enum Message {
    /// Asks for a vote.
    Prepare,
    /// A vote: yes or no.
    Vote(bool),
    /// The decision: commit or, if false, abort.
    Decision(bool),
}
use Message::{Decision, Prepare, Vote};

/// The state of a node.
#[data]
pub enum State {
    /// The coordinator waits for votes.
    Open {
        /// The participants that have voted yes.
        agree: BTreeSet<NodeId>,
    },
    /// A participant has not been asked.
    Working,
    /// A participant has voted yes.
    Prepared,
    /// The node commits or, if false, aborts.
    Decided(bool),
}
use State::{Decided, Open, Prepared, Working};

/// The timer of both roles: no vote or decision came in time.
#[data]
pub struct Timeout;

const COORDINATOR: NodeId = NodeId(0);
const PATIENCE: Duration = Duration::from_millis(10);

/// The node that asks and decides.
pub struct Coordinator;

impl Coordinator {
    fn decide(&self, node: &mut Node<'_, Self>, commit: bool) {
        *node.state = Decided(commit);
        node.broadcast(Decision(commit));
        node.cancel_timer(&Timeout);
        node.end("time to decide", 0);
        node.sample("committed", f64::from(commit));
    }
}

#[handlers]
impl Protocol for Coordinator {
    type State = State;
    type Message = Message;
    type Timer = Timeout;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        node.begin("time to decide", 0);
        node.broadcast(Prepare);
        node.set_timer(Timeout, PATIENCE);
        Open { agree: BTreeSet::new() }
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &State) -> State {
        let mut state = before.clone();
        if let Open { .. } = state {
            self.decide(&mut node.with_state(&mut state), false);
        }
        state
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match (&mut *node.state, message) {
            (Open { agree }, Vote(true)) => {
                agree.insert(from);
                if agree.len() == node.neighbours().len() {
                    self.decide(node, true);
                }
            }
            (Open { .. }, _) => self.decide(node, false),
            (&mut Decided(commit), _) => node.send(from, Decision(commit)),
            (Working | Prepared, _) => unreachable!("these are states of a participant"),
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Timeout) {
        self.decide(node, false);
    }
}

/// A node that votes and obeys.
pub struct Participant {
    /// The error: to commit when no decision comes.
    pub impatient: bool,
}

#[handlers]
impl Protocol for Participant {
    type State = State;
    type Message = Message;
    type Timer = Timeout;
    type Command = Never;

    fn start(&self, _: &mut Start<'_, Self>) -> State {
        Working
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &State) -> State {
        if *before == Prepared {
            node.set_timer(Timeout, PATIENCE);
        }
        before.clone()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        match (&*node.state, message) {
            (Working, Prepare) => match node.choose(2) {
                0 => {
                    *node.state = Decided(false);
                    node.send(from, Vote(false));
                }
                _ => {
                    *node.state = Prepared;
                    node.send(from, Vote(true));
                    node.set_timer(Timeout, PATIENCE);
                }
            },
            (Working | Prepared, Decision(commit)) => {
                *node.state = Decided(*commit);
                node.cancel_timer(&Timeout);
            }
            _ => {}
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &Timeout) {
        if self.impatient {
            *node.state = Decided(true);
        } else {
            node.send(COORDINATOR, Vote(true));
            node.set_timer(Timeout, PATIENCE);
        }
    }
}

/// Two-phase commit: node 0 coordinates, all others participate.
#[roles]
pub struct Commit {
    /// The node that asks and decides.
    pub coordinator: Coordinator,
    /// A node that votes and obeys.
    pub participant: Participant,
}

impl Commit {
    fn role_of(&self, me: NodeId) -> CommitRole {
        if me == COORDINATOR { CommitRole::Coordinator } else { CommitRole::Participant }
    }
}

/// A participant that has voted yes waits for the decision.
#[must_use]
pub fn two_phase_commit(parameters: &mut Parameters) -> Scenario<Commit> {
    scenario(parameters, false).about("A participant that has voted yes waits for the decision")
}

/// A participant that has voted yes commits when no decision comes.
#[must_use]
pub fn two_phase_commit_impatient(parameters: &mut Parameters) -> Scenario<Commit> {
    scenario(parameters, true)
        .about("A participant that has voted yes commits when no decision comes")
}

fn scenario(ask: &mut Parameters, impatient: bool) -> Scenario<Commit> {
    let participants = ask.number("participants", 2, 1..=16, "how many participants must agree");
    let reboot = ask.budget("reboot", Budget::AtMost(2), "how often nodes reboot");
    let rate =
        ask.number("loss-rate", 0.0, 0.0..=1.0, "the share of packets that simulated links lose");
    let protocol = Commit { coordinator: Coordinator, participant: Participant { impatient } };
    // A run is one transaction, so there are many runs.
    Scenario::new(protocol, Topology::star(1 + participants))
        .configuration(|commit| format!("impatient: {}", commit.participant.impatient))
        .loss(Budget::Unlimited)
        .reboot(reboot)
        .assert_always("all who have decided have decided the same", |world| {
            let mut decisions = world.nodes().filter_map(|(_, state)| match state {
                CommitState::Coordinator(Decided(commit)) => Some(commit),
                CommitState::Participant(Decided(commit)) => Some(commit),
                _ => None,
            });
            decisions.next().is_none_or(|first| decisions.all(|other| other == first))
        })
        .max_depth(20)
        .simulation(|run| {
            run.link(LinkModel::default().loss(rate))
                .duration(Duration::from_secs(1))
                .replications(1000)
                .measure("share committed", "", |run| run.mean("committed"))
                .measure("time to decide", "s", |run| run.mean("time to decide"))
        })
}
