//! Nodes on a one-way ring elect the one with the greatest identity, as Chang and Roberts do it.
//!
//! A candidate sends its identity round. A node passes on a greater one than its own. Instead of a
//! smaller one it sends its own, unless it has done so already. Whose identity comes back leads,
//! and says so to all. Only the greatest can ever come back, whatever is lost or reboots.
//!
//! The careless variant compares only if it stands for election itself. As long as all stand at
//! once, as in the simulation, nobody notices; an exploration lets them stand one after the other.
//!
//! ```console
//! cargo run --release --example leader_election -- check leader-election
//! cargo run --release --example leader_election -- check leader-election-careless
//! cargo run --release --example leader_election -- simulate leader-election --set nodes=8
//! cargo run --release --example leader_election -- simulate leader-election --set order=rising
//! ```
//!
//! What to expect of n nodes that stand at once: n (n + 1) / 2 candidacies if identities fall along
//! the ring (36 for 8 nodes), 2 n - 1 if they rise; n hops of 1.0512 ms until the leader knows, and
//! as many until all know.

use everypath::prelude::*;

struct Election {
    nodes: u32,
    falling: bool,
    /// The error: to compare identities only if one's own stands for election.
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
    scenario(parameters, false).about("The greatest identity that goes round the ring leads")
}

fn leader_election_careless(parameters: &mut Parameters) -> Scenario<Election> {
    scenario(parameters, true).about("Who does not stand for election passes every candidate on")
}

fn scenario(ask: &mut Parameters, careless: bool) -> Scenario<Election> {
    let nodes = ask.number("nodes", 3, 2..=64, "how many nodes are on the ring");
    let orders = [("falling", true), ("rising", false)];
    let falling = ask.choice("order", true, &orders, "of identities along the ring");
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
