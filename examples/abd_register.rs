//! A register on several replicas, after Attiya, Bar-Noy and Dolev: it behaves like one register
//! (it is linearizable), and can be read and written as long as most replicas are up.
//!
//! A client works in two phases. It asks all replicas for the newest value that they know, and waits
//! for most of them. Then it stores a value at most replicas: its own with a newer stamp or, if it
//! reads, the one that it has found. Without this write-back, a value that was read once may be gone
//! for the next reader. A replica that forgets its value in a reboot breaks the register, too.
//!
//! cargo run --release --example abd_register -- check abd-register --relation simulated --reduce obsolete
//! cargo run --release --example abd_register -- check abd-register --set write-back=false
//! cargo run --release --example abd_register -- check abd-register --set memory=volatile
//! cargo run --release --example abd_register -- simulate abd-register
//!
//! In the simulation, a hop takes 1.0512 ms: 1 ms, and 51.2 µs for 64 bytes at 10 Mbit/s. An
//! operation takes four of them.

use everypath::history::{Register, RegisterAnswer, RegisterOperation};
use everypath::prelude::*;

struct Abd {
    replicas: u8,
    /// How many operations each client has.
    operations: u8,
    /// Whether replicas keep their values in a reboot. The error: they do not.
    stable: bool,
    /// Whether reads store what they have found. The error: they do not.
    write_back: bool,
}

/// A value and its stamp: of two, the one with the larger stamp is newer.
#[data]
#[derive(Copy, Default)]
struct Stamped {
    time: u8,
    writer: u8,
    value: u8,
}

/// What a client does. It keeps no more of a phase than the next one needs.
#[data]
enum Phase {
    Idle,
    Asking { command: Command, replies: u8, newest: Stamped },
    Storing { read: Option<u8>, replies: u8 },
}

#[data]
enum State {
    Replica(Stamped),
    /// The round grows with each phase.
    Client {
        begun: u8,
        round: u8,
        phase: Phase,
    },
}

/// Each has the round of its client.
#[data]
enum Message {
    Ask(u8),
    Newest(u8, Stamped),
    Store(u8, Stamped),
    Stored(u8),
}

#[data]
enum Command {
    Read,
    Write(u8),
}

impl Protocol for Abd {
    type State = State;
    type Message = Message;
    type Timer = Never;
    type Command = Command;

    fn start(&self, node: &mut Start<'_, Self>) -> State {
        match node.id.0 < self.replicas.into() {
            true => State::Replica(Stamped::default()),
            false => State::Client { begun: 0, round: 0, phase: Phase::Idle },
        }
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &State) -> State {
        if self.stable { before.clone() } else { self.start(node) }
    }

    fn commands(&self, me: NodeId, state: &State) -> Vec<Command> {
        match state {
            State::Client { begun, phase: Phase::Idle, .. } if *begun < self.operations => {
                // No other client writes this value, nor does this one again.
                let value = (me.0 as u8 - self.replicas) * self.operations + begun + 1;
                vec![Command::Read, Command::Write(value)]
            }
            _ => Vec::new(),
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Command) {
        let (state, mut node) = node.split();
        if let State::Client { begun, round, phase: phase @ Phase::Idle } = state {
            (*begun, *round) = (*begun + 1, *round + 1);
            let (command, newest) = (command.clone(), Stamped::default());
            *phase = Phase::Asking { command, replies: 0, newest };
            node.broadcast(Message::Ask(*round));
            node.begin("operation", 0);
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Message) {
        let (writer, most) = (node.id.0 as u8, self.replicas / 2 + 1);
        let (state, mut node) = node.split();
        let (round, phase, replies) = match (state, message) {
            (State::Replica(stamped), Message::Ask(round)) => {
                return node.send(from, Message::Newest(*round, *stamped));
            }
            (State::Replica(stamped), Message::Store(round, newer)) => {
                *stamped = *newer.max(stamped);
                return node.send(from, Message::Stored(*round));
            }
            (State::Client { round, phase, .. }, Message::Newest(of, stamped)) if of == round => {
                let Phase::Asking { replies, newest, .. } = phase else { return };
                *newest = *stamped.max(newest);
                *replies += 1;
                let replies = *replies;
                (round, phase, replies)
            }
            (State::Client { round, phase, .. }, Message::Stored(of)) if of == round => {
                let Phase::Storing { replies, .. } = phase else { return };
                *replies += 1;
                let replies = *replies;
                (round, phase, replies)
            }
            _ => return,
        };
        if replies < most {
            return;
        }
        *round += 1;
        let store = match phase {
            Phase::Asking { command: Command::Write(value), newest, .. } => {
                Some((None, Stamped { time: newest.time + 1, writer, value: *value }))
            }
            Phase::Asking { newest, .. } if self.write_back => Some((Some(newest.value), *newest)),
            _ => None,
        };
        *phase = store.map_or(Phase::Idle, |(read, _)| Phase::Storing { read, replies: 0 });
        match store {
            Some((_, stamped)) => node.broadcast(Message::Store(*round, stamped)),
            None => node.end("operation", 0),
        }
    }
}

impl State {
    fn phase(&self) -> Option<&Phase> {
        if let Self::Client { phase, .. } = self { Some(phase) } else { None }
    }
}

fn abd_register(ask: &mut Parameters) -> Scenario<Abd> {
    let replicas = ask.number("replicas", 3, 1..=9, "how many nodes keep the value");
    let clients = ask.number("clients", 2, 1..=9, "how many nodes read and write");
    let operations = ask.number("operations", 2, 1..=20, "how many operations a client has");
    let memory = [("stable", true), ("volatile", false)];
    let stable = ask.choice("memory", true, &memory, "what replicas keep their values in");
    let write_back = ask.flag("write-back", true, "whether reads store what they have found");
    let reboot = ask.budget("reboot", Budget::AtMost(1), "how often replicas reboot");
    let (first, nodes) = (u32::from(replicas), u32::from(replicas) + clients);
    let links = (0..first).flat_map(|one| (first..nodes).map(move |other| (one, other)));
    let topology = Topology::edges(nodes as usize, &links.collect::<Vec<_>>());
    Scenario::new(Abd { replicas, operations, stable, write_back }, topology.expect("they exist"))
        .about("A register on replicas, of which most are asked and told")
        .reboot(reboot)
        .role_names(move |_, node| if node.0 < first { "replica" } else { "client" })
        .assume(
            "clients do not reboot",
            move |_, event| !matches!(event, Event::Reboot { node } if node.0 >= first),
        )
        .obsolete(|state, packet| match (state, packet.message) {
            (State::Client { round, .. }, Message::Newest(of, _) | Message::Stored(of)) => {
                of < round
            }
            _ => false,
        })
        .history("register", Register(0), |record, step| {
            let node = step.event.node();
            let [before, after] = [step.before, step.after].map(|nodes| nodes.node(node).phase());
            let ends = before != after && after == Some(&Phase::Idle);
            match (step.event, before) {
                (Event::Command { command: Command::Read, .. }, _) => {
                    record.invoke(node, RegisterOperation::Read);
                }
                (Event::Command { command: Command::Write(value), .. }, _) => {
                    record.invoke(node, RegisterOperation::Write(*value));
                }
                (_, Some(Phase::Storing { read, .. })) if ends => {
                    record
                        .answer(node, read.map_or(RegisterAnswer::Written, RegisterAnswer::Value));
                }
                (Event::Deliver { packet, .. }, Some(Phase::Asking { newest, .. })) if ends => {
                    let Message::Newest(_, stamped) = packet.message else { return };
                    record.answer(node, RegisterAnswer::Value(stamped.max(newest).value));
                }
                _ => {}
            }
        })
        .assert_linearizable("the replicas are like one register")
        .simulation(|run| {
            let (read, write) = (Duration::from_millis(100), Duration::from_millis(70));
            run.job(NodeId(first), Command::Write(1), Duration::ZERO, write)
                .job(NodeId(first + 1), Command::Read, Duration::ZERO, read)
                .measure("time of an operation", "s", |run| run.mean("operation"))
        })
}

everypath::main!(abd_register);
