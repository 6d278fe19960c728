//! Nodes that diffuse, as transcripts: who receives what, and what it remembers then.

use crate::transcripts;

use everypath_model::{NodeId, Topology};
use everypath_protocols::diffusion::{
    Area, Command, Data, Diffusion, EventId, Kind, Label, Message, Place, Rate, Reinforcement,
    Rules, Subscription, Task, Timer,
};
use transcripts::Net;

fn place(x: u32) -> Place {
    Place { x, y: 0 }
}

/// What happens from one node to another.
fn task(kind: u8, from: u32, to: u32) -> Task {
    Task { kind: Kind(kind), area: Area { from: place(from), to: place(to) } }
}

/// Nodes in a row that want to know such things.
fn net(rules: Rules, topology: Topology, wanted: &[(u32, Task)]) -> Net<Diffusion> {
    let places = (0..topology.len() as u32).map(place).collect();
    let subscriptions =
        wanted.iter().map(|&(sink, task)| Subscription { sink: NodeId(sink), task }).collect();
    Net::new(Diffusion { subscriptions, ..Diffusion::new(rules, places) }, topology)
}

/// Node 0 wants to know of the last node.
fn one(rules: Rules, topology: Topology) -> (Net<Diffusion>, Task) {
    let last = topology.len() as u32 - 1;
    let task = task(0, last, last);
    (net(rules, topology, &[(0, task)]), task)
}

/// Two ways from the source to the sink: 3-1-0 and 3-2-0.
fn diamond() -> Topology {
    Topology::edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]).unwrap()
}

fn gradients(net: &Net<Diffusion>, node: u32) -> String {
    let gradients = net.nodes[node as usize].gradients();
    let gradients: Vec<String> = gradients.map(|(_, gradient)| format!("{gradient:?}")).collect();
    gradients.join(", ")
}

fn event(number: u32) -> EventId {
    EventId { kind: Kind(0), origin: NodeId(3), number }
}

fn exploratory(number: u32, hops: u8) -> Message {
    Message::Data(Data { event: event(number), place: place(3), rate: Rate::Exploratory, hops })
}

#[test]
fn an_interest_goes_out_data_come_back_and_their_path_is_reinforced() {
    let (mut net, task) = one(Rules::published(), Topology::chain(3));
    assert_eq!(
        net.command(0, Command::Ask(task)).run(),
        [
            "n0→n1 INTEREST A at (2,0)",
            "n1→n0 INTEREST A at (2,0)",
            "n1→n2 INTEREST A at (2,0)",
            "n2→n1 INTEREST A at (2,0)",
            "n2→n1 DATA A n2/0 exploratory",
            "n1→n0 DATA A n2/0 exploratory",
            "n1→n2 DATA A n2/0 exploratory",
            "n0→n1 POSREINFORCE A of n2",
            "n0→n1 DATA A n2/0 exploratory",
            "n1→n2 POSREINFORCE A of n2",
        ]
    );
    assert_eq!(gradients(&net, 0), "to n1 exploratory");
    assert_eq!(gradients(&net, 1), "to n0 reinforced for n2, to n2 exploratory");
    assert_eq!(gradients(&net, 2), "to n1 reinforced for n2");
    // The next event is not exploratory: it takes the path.
    let path = ["n2→n1 DATA A n2/1 reinforced", "n1→n0 DATA A n2/1 reinforced"];
    assert_eq!(net.command(2, Command::Sense(Kind(0))).run(), path);
}

#[test]
fn an_interest_is_not_passed_on_again_for_a_while() {
    let (mut net, task) = one(Rules::published(), Topology::chain(3));
    net.command(0, Command::Ask(task)).run();
    let again = net.fire(0, Timer::Refresh(task)).run();
    assert_eq!(again, ["n0→n1 INTEREST A at (2,0)"], "n1 has passed it on a short time ago");
    net.fire(1, Timer::Resend(task)).fire(0, Timer::Refresh(task));
    assert_eq!(net.run().len(), 3, "n1 passes it on, n2 does not yet");
    // J-Sim passes it on as long as there is no gradient.
    let (mut net, task) = one(Rules::jsim(), Topology::chain(3));
    net.command(0, Command::Ask(task)).run();
    assert_eq!(net.command(0, Command::Ask(task)).run().len(), 1);
    net.fire(1, Timer::Expire(task, NodeId(0))).fire(1, Timer::Expire(task, NodeId(2)));
    assert!(net.nodes[1].interests.is_empty(), "an interest without gradients is no interest");
    assert_eq!(net.command(0, Command::Ask(task)).run().len(), 3);
}

#[test]
fn data_that_were_seen_are_dropped_until_they_are_forgotten() {
    let (mut net, task) = one(Rules::published(), Topology::chain(4));
    net.command(0, Command::Ask(task)).run();
    assert!(net.deliver(2, 1, exploratory(0, 0)).run().is_empty());
    net.fire(1, Timer::Forget(event(0), Rate::Exploratory));
    assert!(!net.deliver(2, 1, exploratory(0, 0)).run().is_empty());
}

#[test]
fn data_without_a_gradient_are_dropped() {
    let (mut net, task) = one(Rules::published(), Topology::chain(4));
    assert!(net.deliver(2, 1, exploratory(0, 0)).run().is_empty(), "no interest");
    assert!(net.command(3, Command::Sense(Kind(0))).run().is_empty(), "no interest yet");
    net.command(0, Command::Ask(task)).run();
    assert!(net.command(3, Command::Sense(Kind(1))).run().is_empty(), "another kind");
    assert!(net.command(1, Command::Sense(Kind(0))).run().is_empty(), "another place");
}

#[test]
fn of_two_paths_one_is_reinforced_and_takes_the_data() {
    let (mut net, task) = one(Rules::published(), diamond());
    let transcript = net.command(0, Command::Ask(task)).run();
    let reinforced: Vec<_> = transcript.iter().filter(|it| it.contains("POSREINFORCE")).collect();
    assert_eq!(reinforced, ["n0→n1 POSREINFORCE A of n3", "n1→n3 POSREINFORCE A of n3"]);
    let path = ["n3→n1 DATA A n3/1 reinforced", "n1→n0 DATA A n3/1 reinforced"];
    assert_eq!(net.command(3, Command::Sense(Kind(0))).run(), path);
}

#[test]
fn a_neighbour_that_is_always_late_is_reinforced_negatively() {
    let rules = Rules { negative_window: Some(2), ..Rules::published() };
    let (mut net, task) = one(rules, diamond());
    net.command(0, Command::Ask(task)).run();
    // Two events come first from n2.
    net.deliver(2, 0, exploratory(1, 0));
    assert_eq!(net.nodes[0].upstream.len(), 2, "n2 is reinforced as well");
    net.deliver(2, 0, exploratory(2, 0));
    let transcript = net.run();
    let degraded: Vec<_> = transcript.iter().filter(|it| it.contains("NEGREINFORCE")).collect();
    assert_eq!(degraded, ["n0→n1 NEGREINFORCE A of n3", "n1→n3 NEGREINFORCE A of n3"]);
    assert!(!gradients(&net, 1).contains("reinforced"), "{}", gradients(&net, 1));
    assert!(gradients(&net, 2).contains("to n0 reinforced for n3"), "{}", gradients(&net, 2));
}

#[test]
fn a_node_that_loses_its_last_reinforced_gradient_informs_its_senders() {
    let (mut net, task) = one(Rules::published(), Topology::chain(4));
    net.command(0, Command::Ask(task)).run();
    assert_eq!(
        net.fire(1, Timer::Expire(task, NodeId(0))).run(),
        ["n1→n2 NEGREINFORCE A of n3", "n2→n3 NEGREINFORCE A of n3"]
    );
    assert_eq!(gradients(&net, 3), "to n2 exploratory");
}

#[test]
fn two_sinks_are_served_and_one_relays_for_the_other() {
    let wanted = task(0, 3, 3);
    let mut net = net(Rules::published(), Topology::chain(4), &[(0, wanted), (1, wanted)]);
    net.command(0, Command::Ask(wanted)).command(1, Command::Ask(wanted)).run();
    let path = [
        "n3→n2 DATA A n3/1 reinforced",
        "n2→n1 DATA A n3/1 reinforced",
        "n1→n0 DATA A n3/1 reinforced",
    ];
    assert_eq!(net.command(3, Command::Sense(Kind(0))).run(), path);
}

#[test]
fn tasks_and_sources_are_distinguished() {
    let (heat, noise) = (task(0, 2, 3), task(1, 3, 3));
    let mut net = net(Rules::published(), Topology::chain(4), &[(0, heat), (1, noise)]);
    net.command(0, Command::Ask(heat)).command(1, Command::Ask(noise)).run();
    assert_eq!(
        net.command(3, Command::Sense(Kind(1))).run(),
        ["n3→n2 DATA B n3/2 reinforced", "n2→n1 DATA B n3/2 reinforced"]
    );
    assert_eq!(
        net.command(2, Command::Sense(Kind(0))).run(),
        ["n2→n1 DATA A n2/1 reinforced", "n1→n0 DATA A n2/1 reinforced"]
    );
}

#[test]
fn tasks_that_overlap_each_get_their_path() {
    for rules in [Rules::published(), Rules::hardened()] {
        let (wide, narrow) = (task(0, 2, 3), task(0, 3, 3));
        let mut net = net(rules, Topology::chain(4), &[(0, wide), (0, narrow)]);
        net.command(0, Command::Ask(wide)).command(0, Command::Ask(narrow)).run();
        net.protocol.exploratory_every = 1;
        net.command(3, Command::Sense(Kind(0))).run();
        for node in 1..=3 {
            let entries = &net.nodes[node].interests;
            let flows = entries.iter().filter(|entry| entry.flows(NodeId(3))).count();
            assert_eq!(flows, 2, "n{node}: {entries:?}");
        }
        net.protocol.exploratory_every = 12;
        let path = [
            "n3→n2 DATA A n3/3 reinforced",
            "n2→n1 DATA A n3/3 reinforced",
            "n1→n0 DATA A n3/3 reinforced",
        ];
        assert_eq!(net.command(3, Command::Sense(Kind(0))).run(), path, "each event once");
    }
}

#[test]
fn a_reboot_takes_caches_but_not_the_numbers_of_events() {
    let (mut net, task) = one(Rules::published(), Topology::chain(3));
    net.command(0, Command::Ask(task)).run();
    net.reboot(2).reboot(0);
    assert!(net.nodes[2].interests.is_empty() && net.nodes[2].data.is_empty());
    assert!(net.is_set(0, &Timer::Refresh(task)), "a sink goes on asking");
    net.fire(1, Timer::Resend(task)).fire(0, Timer::Refresh(task));
    assert!(net.run().contains(&"n2→n1 DATA A n2/1 exploratory".to_owned()));
}

#[test]
fn j_sims_sink_takes_no_interests_and_one_datum_at_a_time() {
    let (mut net, task) = one(Rules::jsim(), Topology::chain(3));
    net.command(0, Command::Ask(task)).run();
    assert!(net.nodes[0].interests.is_empty());
    assert_eq!(net.nodes[0].data.len(), 1);
    let place = place(2);
    let event = EventId { kind: Kind(0), origin: NodeId(2), number: 0 };
    let data = Message::Data(Data { event, place, rate: Rate::Reinforced, hops: 0 });
    net.deliver(1, 0, data.clone());
    assert_eq!(net.nodes[0].data.len(), 1);
    net.fire(0, Timer::Forget(event, Rate::Exploratory)).deliver(1, 0, data);
    assert_eq!(format!("{:?}", net.nodes[0].data), "[A n2/0 reinforced from n1]");
    assert!(net.run().is_empty(), "reinforced data are not reinforced");
}

/// What a node wants that an event has reached in so many hops.
fn reinforcement(task: Task, number: u32, hops: u8) -> Message {
    Message::Reinforce(Reinforcement { task, origin: NodeId(3), number, hops })
}

#[test]
fn labels_refuse_what_is_older_or_not_nearer() {
    let (mut net, task) = one(Rules::hardened(), Topology::chain(4));
    net.command(0, Command::Ask(task)).run();
    assert_eq!(net.nodes[1].labels, [Label { event: event(0), hops: 2 }]);
    let reinforced = |net: &Net<Diffusion>| gradients(net, 1);
    let before = reinforced(&net);
    assert_eq!(before, "to n0 reinforced for n3, to n2 exploratory");
    // n2 has heard of the event after fewer hops, or after as many.
    for hops in [1, 2] {
        net.deliver(2, 1, reinforcement(task, 0, hops));
        assert_eq!(reinforced(&net), before);
    }
    net.deliver(2, 1, reinforcement(task, 0, 3));
    assert_eq!(reinforced(&net), "to n0 reinforced for n3, to n2 reinforced for n3");
    // A newer event takes the place of the older one, which counts no more.
    net.deliver(2, 1, exploratory(7, 2)).deliver(0, 1, reinforcement(task, 7, 3));
    assert_eq!(reinforced(&net), before);
    net.deliver(2, 1, reinforcement(task, 0, 9));
    assert_eq!(reinforced(&net), before);
    // Of what it has not heard, it cannot tell.
    net.deliver(2, 1, reinforcement(task, 8, 9));
    assert_eq!(reinforced(&net), before);
}

#[test]
fn labels_outlive_caches_and_reboots() {
    let (mut net, task) = one(Rules::hardened(), Topology::chain(4));
    net.command(0, Command::Ask(task)).run();
    let label = net.nodes[2].labels.clone();
    assert_eq!(label, [Label { event: event(0), hops: 1 }]);
    net.reboot(2).deliver(1, 2, Message::Interest { task, lifetime: Default::default() });
    // The thesis's loop: n2 has forgotten the event and takes it from n1, then n1 reinforces it.
    net.deliver(1, 2, exploratory(0, 3)).deliver(1, 2, reinforcement(task, 0, 2));
    assert_eq!(net.nodes[2].labels, label);
    assert!(!net.run().iter().any(|line| line.starts_with("n2→n1 POSREINFORCE")));
    assert!(gradients(&net, 2).contains("to n1 reinforced"), "{}", gradients(&net, 2));
}
