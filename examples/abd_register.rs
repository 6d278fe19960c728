//! A register on several replicas, after Attiya, Bar-Noy and Dolev: it is linearizable, and can be
//! read and written as long as most replicas are up. A client asks all replicas for the newest value
//! that they know, and waits for most of them. Then it stores a value at most replicas: its own with
//! a newer stamp or, if it reads, the one that it has found. Without this write-back, what was read
//! once may be gone for the next reader; and replicas must keep their values in a reboot. `alike` says
//! which worlds mean the same: it is a simulation preorder (--verify-relation tries it).
//!
//! cargo run --release --example abd_register -- check abd-register --relation alike --reduce obsolete
//! To find the errors, add --set write-back=false or --set stable=false.
//! In a simulation, an operation takes four hops of 1.0512 ms: 1 ms, and 51.2 µs for 64 bytes.

use everypath::history::{Register, RegisterAnswer::*, RegisterOperation, RegisterOperation::*};
use everypath::prelude::*;

#[derive(Clone, Copy)]
struct Abd {
    replicas: u8,
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

#[data]
enum Phase {
    Idle,
    Asking(RegisterOperation<u8>),
    Storing(RegisterOperation<u8>),
}

/// A replica has the newest value that it knows, and so has a client, which has rounds, too.
#[data]
struct State {
    newest: Stamped,
    begun: u8,
    round: u8,
    replies: u8,
    phase: Phase,
}

#[data]
enum What {
    Ask,
    Newest(Stamped),
    Store(Stamped),
    Stored,
}

impl Protocol for Abd {
    type State = State;
    /// Belongs to a round of a client.
    type Message = (u8, What);
    type Timer = Never;
    type Command = RegisterOperation<u8>;

    fn start(&self, _: &mut Start<'_, Self>) -> State {
        let newest = Stamped::default();
        State { newest, begun: 0, round: 0, replies: 0, phase: Phase::Idle }
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &State) -> State {
        if self.stable { before.clone() } else { self.start(node) }
    }

    fn commands(&self, me: NodeId, state: &State) -> Vec<RegisterOperation<u8>> {
        let is_client = me.0 >= self.replicas.into();
        if !is_client || state.phase != Phase::Idle || state.begun == self.operations {
            return Vec::new();
        }
        // No other client writes this value, nor does this one again.
        vec![Read, Write((me.0 as u8 - self.replicas) * self.operations + state.begun + 1)]
    }

    fn on_command(&self, node: &mut Node<'_, Self>, operation: &RegisterOperation<u8>) {
        if !self.commands(node.id, node.state).is_empty() {
            node.state.begun += 1;
            node.begin("operation", 0);
            self.enter(node, Phase::Asking(operation.clone()), Stamped::default());
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &(u8, What)) {
        let &(round, ref what) = message;
        if let What::Newest(stamped) | What::Store(stamped) = what
            && (from.0 >= self.replicas.into() || round == node.state.round)
        {
            node.state.newest = *stamped.max(&node.state.newest);
        }
        match what {
            What::Ask => node.send(from, (round, What::Newest(node.state.newest))),
            What::Store(_) => node.send(from, (round, What::Stored)),
            What::Newest(_) | What::Stored if round == node.state.round => {
                node.state.replies += 1;
                let newest = node.state.newest;
                match node.state.phase {
                    _ if node.state.replies <= self.replicas / 2 => {}
                    Phase::Asking(Write(value)) => {
                        let own = Stamped { time: newest.time + 1, writer: node.id.0 as u8, value };
                        self.enter(node, Phase::Storing(Write(value)), own);
                    }
                    Phase::Asking(Read) if self.write_back => {
                        self.enter(node, Phase::Storing(Read), newest);
                    }
                    _ => self.enter(node, Phase::Idle, newest),
                }
            }
            What::Newest(_) | What::Stored => {}
        }
    }
}

impl Abd {
    fn enter(&self, node: &mut Node<'_, Self>, phase: Phase, newest: Stamped) {
        let round = node.state.round + 1;
        match phase {
            Phase::Idle => node.end("operation", 0),
            Phase::Asking(_) => node.broadcast((round, What::Ask)),
            Phase::Storing(_) => node.broadcast((round, What::Store(newest))),
        }
        *node.state = State { newest, begun: node.state.begun, round, replies: 0, phase };
    }

    /// What can follow from a world. Replicas have no names. What is left of earlier rounds makes no
    /// difference, but for values that are newer than those of replicas, or may be again.
    fn outlook(self, world: &World<'_, Self>) -> impl std::hash::Hash + Eq + use<> {
        let (mut replicas, mut clients) = (Vec::new(), Vec::new());
        for (node, state) in world.nodes() {
            if node.0 >= self.replicas.into() {
                clients.push(state.clone());
                continue;
            }
            let own = world.packets().filter(|it| it.from == node || it.to == node);
            let matters = own.filter_map(|it| match (it.from.max(it.to), it.message) {
                (client, (round, _)) if *round == world.node(client).round => {
                    Some((Some(client), it.message.1.clone()))
                }
                (_, (_, What::Store(stored))) if *stored > state.newest || !self.stable => {
                    Some((None, What::Store(*stored)))
                }
                _ => None,
            });
            let mut matters: Vec<_> = matters.collect();
            matters.sort();
            replicas.push((state.newest, matters));
        }
        replicas.sort();
        (replicas, clients)
    }
}

fn abd_register(ask: &mut Parameters) -> Scenario<Abd> {
    let replicas = ask.number("replicas", 3, 1..=9, "how many nodes keep the value");
    let operations = ask.number("operations", 2, 1..=20, "how many operations a client has");
    let stable = ask.flag("stable", true, "whether replicas keep their values in a reboot");
    let write_back = ask.flag("write-back", true, "whether reads store what they have found");
    let reboot = ask.budget("reboot", Budget::AtMost(1), "how often replicas reboot");
    let (first, nodes) = (u32::from(replicas), u32::from(replicas) + 2);
    let links = (0..first).flat_map(|one| (first..nodes).map(move |other| (one, other)));
    let topology = Topology::edges(nodes as usize, &links.collect::<Vec<_>>()).expect("all exist");
    let abd = Abd { replicas, operations, stable, write_back };
    Scenario::new(abd, topology)
        .about("A register on replicas, of which most are asked")
        .reboot(reboot)
        .assume(
            "clients stay up",
            move |_, event| !matches!(event, Event::Reboot { node } if node.0 >= first),
        )
        .relation("alike", move |world| abd.outlook(world), |_, _| true)
        .obsolete(|state, packet| packet.message.0 < state.round)
        .history("register", Register(0), |record, step| {
            let node = step.event.node();
            let after = step.after.node(node);
            match (&step.before.node(node).phase, &after.phase) {
                (Phase::Idle, Phase::Asking(operation)) => record.invoke(node, operation.clone()),
                (Phase::Storing(Write(_)), Phase::Idle) => record.answer(node, Written),
                (Phase::Idle, _) | (_, Phase::Asking(_) | Phase::Storing(_)) => {}
                _ => record.answer(node, Value(after.newest.value)),
            }
        })
        .assert_linearizable("the replicas are like one register")
        .simulation(|run| {
            let rhythm = Some(Duration::from_millis(100));
            run.job(NodeId(first), Write(1), Duration::ZERO, rhythm)
                .job(NodeId(first + 1), Read, Duration::ZERO, rhythm)
                .measure("time of an operation", "s", |run| run.mean("operation"))
        })
}

everypath::main!(abd_register);
