//! Leader election on a one-way ring, after Chang and Roberts.
//!
//! A candidate sends its identity round. A node forwards a greater one than its own. Instead of a
//! smaller one it sends its own, unless it has done so already. A node whose identity comes back is
//! the leader, and announces it. Only the greatest can ever come back, whatever is lost or reboots.
//!
//! The careless variant compares only if it is a candidate itself. If all are candidates at once,
//! as in the simulation, that has no effect; an exploration lets them become candidates one after
//! the other.
//!
//! ```console
//! cargo run --release --example leader_election -- check leader-election
//! cargo run --release --example leader_election -- check leader-election-careless
//! cargo run --release --example leader_election -- simulate leader-election --set nodes=8
//! cargo run --release --example leader_election -- simulate leader-election --set order=rising
//! ```
//!
//! Expected results of n simultaneous candidates: n (n + 1) / 2 candidacies if identities fall
//! along the ring (36 for 8 nodes), 2 n - 1 if they rise; n hops of 1.0512 ms until the leader
//! knows, and as many until all know.

use everypath::prelude::*;

struct Election {
    nodes: u32,
    falling: bool,
    /// The error: to compare identities only if the node is a candidate itself.
    careless: bool,
}

#[data]
struct State {
    stands: bool,
    leader: Option<u32>,
}

#[data]
enum Message {
    Candidate(u32),
    Elected(u32),
}

#[data]
enum Command {
    Stand,
}

impl Election {
    fn identity(&self, me: NodeId) -> u32 {
        if self.falling { self.nodes - me.0 } else { me.0 + 1 }
    }

    fn pass_on(&self, node: &mut Node<'_, Self>, message: Message) {
        if matches!(message, Message::Candidate(_)) {
            node.count("candidacies");
        }
        node.send(NodeId((node.id.0 + 1) % self.nodes), message);
    }

    fn stand(&self, node: &mut Node<'_, Self>) {
        *node.state = State { stands: true, leader: None };
        self.pass_on(node, Message::Candidate(self.identity(node.id)));
    }
}

impl Protocol for Election {
    type State = State;
    type Message = Message;
    type Timer = Never;
    type Command = Command;

    fn start(&self, _: &mut Start<'_, Self>) -> State {
        State { stands: false, leader: None }
    }

    fn commands(&self, _: NodeId, state: &State) -> Vec<Command> {
        let idle = !state.stands && state.leader.is_none();
        if idle { vec![Command::Stand] } else { Vec::new() }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, _: &Command) {
        node.begin("time to elect", 0);
        node.begin("time until all know", 0);
        self.stand(node);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &Message) {
        let mine = self.identity(node.id);
        match *message {
            Message::Candidate(other) if other == mine => {
                node.count("elections");
                node.end("time to elect", 0);
                *node.state = State { stands: false, leader: Some(mine) };
                self.pass_on(node, Message::Elected(mine));
            }
            Message::Candidate(other) if other > mine || (self.careless && !node.state.stands) => {
                self.pass_on(node, message.clone());
            }
            Message::Candidate(_) if !node.state.stands => self.stand(node),
            Message::Candidate(_) => {}
            Message::Elected(leader) if leader == mine => node.end("time until all know", 0),
            Message::Elected(leader) => {
                *node.state = State { stands: false, leader: Some(leader) };
                self.pass_on(node, message.clone());
            }
        }
    }
}

fn leader_election(parameters: &mut Parameters) -> Scenario<Election> {
    scenario(parameters, false)
        .about("The node with the greatest identity on the ring becomes leader")
}

fn leader_election_careless(parameters: &mut Parameters) -> Scenario<Election> {
    scenario(parameters, true).about("A node that is not a candidate forwards every candidate")
}

fn scenario(ask: &mut Parameters, careless: bool) -> Scenario<Election> {
    let nodes = ask.number("nodes", 3, 2..=64, "how many nodes are on the ring");
    let orders = [("falling", true), ("rising", false)];
    let falling = ask.choice("order", true, &orders, "the order of identities along the ring");
    let loss = ask.budget("loss", Budget::AtMost(1), "how often a message is lost");
    let reboot = ask.budget("reboot", Budget::AtMost(1), "how often a node forgets everything");
    let topology = Topology::ring(nodes as usize);
    let everyone = topology.nodes();
    Scenario::new(Election { nodes, falling, careless }, topology)
        .loss(loss)
        .reboot(reboot)
        .assert_always("everyone who knows a leader knows the same one", |world| {
            let mut leaders = world.nodes().filter_map(|(_, state)| state.leader);
            leaders.next().is_none_or(|first| leaders.all(|other| other == first))
        })
        .simulation(|run| {
            let run = run
                .measure("candidacies per election", "", |run| {
                    run.count("candidacies") as f64 / run.count("elections") as f64
                })
                .measure("time to elect", "s", |run| run.mean("time to elect"))
                .measure("time until all know", "s", |run| run.mean("time until all know"));
            everyone.fold(run, |run, node| {
                run.job(node, Command::Stand, Duration::ZERO, Some(Duration::from_millis(300)))
            })
        })
}

everypath::main!(leader_election, leader_election_careless);
