//! A coordinator and its participants commit a transaction all together, or not at all.
//!
//! The coordinator asks all to prepare. Who votes yes may from then on neither commit nor abort by
//! itself: it repeats its vote until it hears the decision. If all vote yes in time they commit,
//! else they abort. Votes and decisions survive a reboot; an undecided coordinator aborts then.
//! The impatient variant does not wait for ever: by now, it thinks, all others have committed.
//!
//! ```console
//! cargo run --release --example two_phase_commit -- check two-phase-commit
//! cargo run --release --example two_phase_commit -- check two-phase-commit-impatient
//! cargo run --release --example two_phase_commit -- simulate two-phase-commit
//! ```
//!
//! What to expect of the last: each of 2 participants refuses one time in two, so 1/4 of the
//! transactions, one per run, are committed. The decision takes two hops, 2.1024 ms.

use everypath::prelude::*;
use std::collections::BTreeSet;

#[data]
enum Message {
    Prepare,
    Vote { yes: bool },
    Decision { commit: bool },
}

#[data]
enum State {
    /// At the coordinator: these have voted yes.
    Open(BTreeSet<NodeId>),
    Working,
    Prepared,
    Decided { commit: bool },
}
use State::{Decided, Open, Prepared, Working};

#[data]
struct Timeout;

const COORDINATOR: NodeId = NodeId(0);
const PATIENCE: Duration = Duration::from_millis(10);

struct Coordinator;

impl Coordinator {
    fn decide(&self, state: &mut State, commit: bool, fx: &mut impl Effects<Self>) {
        *state = Decided { commit };
        fx.broadcast(Message::Decision { commit });
        fx.cancel_timer(&Timeout);
        fx.end("time to decide", 0);
        fx.sample("committed", f64::from(commit));
    }
}

impl Protocol for Coordinator {
    type State = State;
    type Message = Message;
    type Timer = Timeout;
    type Command = Never;

    fn start(&self, _: NodeId, fx: &mut impl Effects<Self>) -> State {
        fx.begin("time to decide", 0);
        fx.broadcast(Message::Prepare);
        fx.set_timer(Timeout, PATIENCE);
        Open(BTreeSet::new())
    }

    fn restart(&self, _: NodeId, before: &State, fx: &mut impl Effects<Self>) -> State {
        let mut state = before.clone();
        if let Open(_) = before {
            self.decide(&mut state, false, fx);
        }
        state
    }

    fn on_message(
        &self,
        _: NodeId,
        state: &mut State,
        from: NodeId,
        message: &Message,
        fx: &mut impl Effects<Self>,
    ) {
        match (&mut *state, message) {
            (Open(votes), Message::Vote { yes: true }) => {
                votes.insert(from);
                if votes.len() == fx.neighbours().len() {
                    self.decide(state, true, fx);
                }
            }
            (Open(_), _) => self.decide(state, false, fx),
            (&mut Decided { commit }, _) => fx.send(from, Message::Decision { commit }),
            _ => unreachable!("a coordinator does not prepare"),
        }
    }

    fn on_timer(&self, _: NodeId, state: &mut State, _: &Timeout, fx: &mut impl Effects<Self>) {
        self.decide(state, false, fx);
    }
}

struct Participant {
    /// The error: to commit when no decision comes.
    impatient: bool,
}

impl Protocol for Participant {
    type State = State;
    type Message = Message;
    type Timer = Timeout;
    type Command = Never;

    fn start(&self, _: NodeId, _: &mut impl Effects<Self>) -> State {
        Working
    }

    fn restart(&self, _: NodeId, before: &State, fx: &mut impl Effects<Self>) -> State {
        if *before == Prepared {
            fx.set_timer(Timeout, PATIENCE);
        }
        before.clone()
    }

    fn on_message(
        &self,
        me: NodeId,
        state: &mut State,
        _: NodeId,
        message: &Message,
        fx: &mut impl Effects<Self>,
    ) {
        match (&*state, message) {
            (Working, Message::Prepare) => {
                let yes = fx.choose(2) == 1;
                *state = if yes { Prepared } else { Decided { commit: false } };
                fx.send(COORDINATOR, Message::Vote { yes });
                if yes {
                    fx.begin("time blocked", me.0.into());
                    fx.set_timer(Timeout, PATIENCE);
                }
            }
            (Working | Prepared, &Message::Decision { commit }) => {
                *state = Decided { commit };
                fx.end("time blocked", me.0.into());
                fx.cancel_timer(&Timeout);
            }
            _ => {}
        }
    }

    fn on_timer(&self, _: NodeId, state: &mut State, _: &Timeout, fx: &mut impl Effects<Self>) {
        if self.impatient {
            *state = Decided { commit: true };
        } else {
            fx.send(COORDINATOR, Message::Vote { yes: true });
            fx.set_timer(Timeout, PATIENCE);
        }
    }
}

#[roles]
struct TwoPhaseCommit {
    coordinator: Coordinator,
    participant: Participant,
}

impl TwoPhaseCommit {
    fn role_of(&self, me: NodeId) -> TwoPhaseCommitRole {
        if me == COORDINATOR {
            TwoPhaseCommitRole::Coordinator
        } else {
            TwoPhaseCommitRole::Participant
        }
    }
}

fn two_phase_commit(parameters: &mut Parameters) -> Scenario<TwoPhaseCommit> {
    scenario(parameters, false).about("Who has voted yes waits for the decision")
}

fn two_phase_commit_impatient(parameters: &mut Parameters) -> Scenario<TwoPhaseCommit> {
    scenario(parameters, true).about("Who has voted yes commits when no decision comes")
}

fn scenario(ask: &mut Parameters, impatient: bool) -> Scenario<TwoPhaseCommit> {
    let participants = ask.number("participants", 2, 1..=16, "how many must agree");
    let reboot = ask.budget("reboot", Budget::AtMost(2), "how often a node reboots");
    let rate = ask.number("loss-rate", 0.0, 0.0..=1.0, "the share that simulated links lose");
    let protocol =
        TwoPhaseCommit { coordinator: Coordinator, participant: Participant { impatient } };
    let mut scenario = Scenario::new(protocol, Topology::star(1 + participants))
        .loss(Budget::Unlimited)
        .reboot(reboot)
        .assertion("all who have decided have decided the same", |world| {
            let mut decisions = world.nodes().filter_map(|(_, state)| match state {
                TwoPhaseCommitState::Coordinator(Decided { commit })
                | TwoPhaseCommitState::Participant(Decided { commit }) => Some(commit),
                _ => None,
            });
            decisions.next().is_none_or(|first| decisions.all(|other| other == first))
        })
        .max_depth(14)
        .link(LinkTiming { loss: rate, ..LinkTiming::default() })
        .duration(Duration::from_secs(1))
        .measure("share committed", "", |run| run.mean("committed"))
        .measure("time to decide", "s", |run| run.mean("time to decide"))
        .measure("time blocked", "s", |run| run.mean("time blocked"));
    // A run is one transaction.
    scenario.timing.replications = 1000;
    scenario
}

everypath::main!(two_phase_commit, two_phase_commit_impatient);
