//! Protocols of several roles: the attribute `roles` sends everything to the right one.

use std::{collections::HashMap, hash::Hash, time::Duration};

use everypath::{Data, Did, Node, NodeId, Protocol, Recorder, Start, data, panics, roles};

const WAIT: Duration = Duration::from_secs(1);

#[data]
enum Packet {
    Data(u32),
    Ack(u32),
}

/// Sends numbers; its timer and its receiver's have the same type and value.
struct Sender {
    first: u32,
}

impl Protocol for Sender {
    type State = u32;
    type Message = Packet;
    type Timer = u8;
    type Command = String;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.set_timer(1, WAIT);
        self.first
    }

    fn restart(&self, _: &mut Start<'_, Self>, before: &u32) -> u32 {
        before + 100
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &Packet) {
        if *message == Packet::Ack(*node.state) {
            *node.state += 1;
            node.cancel_timer(&1);
        }
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &Packet) {
        *node.state += 50;
        node.send(to, message.clone());
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &u8) {
        node.broadcast(Packet::Data(*node.state));
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &String) {
        *node.state += node.choose(u32::try_from(command.len()).unwrap());
    }

    fn commands(&self, _: NodeId, next: &u32) -> Vec<String> {
        vec![format!("skip from {next}")]
    }
}

/// Acknowledges. Its types have no order, which only timers need.
struct Receiver;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
struct Unordered(Vec<u32>);

impl Protocol for Receiver {
    type State = Unordered;
    type Message = Packet;
    type Timer = u8;
    type Command = Unordered;

    fn start(&self, _: &mut Start<'_, Self>) -> Unordered {
        Unordered::default()
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Packet) {
        if let Packet::Data(number) = message {
            node.state.0.push(*number);
            node.send(from, Packet::Ack(*number));
            node.count("received");
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, _: &u8) {
        node.state.0.clear();
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Unordered) {
        node.state.clone_from(command);
        node.set_timer(1, WAIT);
    }
}

/// Node 0 sends, all others receive.
#[roles]
struct Arq {
    bulk_sender: Sender,
    receiver: Receiver,
}

impl Arq {
    fn role_of(&self, me: NodeId) -> ArqRole {
        if me == NodeId(0) { ArqRole::BulkSender } else { ArqRole::Receiver }
    }
}

const ARQ: Arq = Arq { bulk_sender: Sender { first: 7 }, receiver: Receiver };
const SENDER: NodeId = NodeId(0);
const RECEIVER: NodeId = NodeId(1);

/// Runs one handler at a node and gives back the new state with all that was done.
fn run(
    me: NodeId,
    state: ArqState,
    handler: impl FnOnce(&mut ArqState, &mut Recorder<'_, Arq>),
) -> (ArqState, Vec<Did<Packet, ArqTimer>>) {
    let neighbours = [if me == SENDER { RECEIVER } else { SENDER }];
    let mut state = state;
    let mut fx = Recorder::with_choices(me, &neighbours, vec![3]);
    handler(&mut state, &mut fx);
    (state, fx.did)
}

fn sender(next: u32) -> ArqState {
    ArqState::BulkSender(next)
}

fn receiver(numbers: &[u32]) -> ArqState {
    ArqState::Receiver(Unordered(numbers.to_vec()))
}

#[test]
fn each_node_starts_in_its_role() {
    let mut fx = Recorder::new(SENDER, &[RECEIVER]);
    assert_eq!(ARQ.start(&mut Node::new(SENDER, &mut (), &mut fx)), sender(7));
    let (timer, after) = (ArqTimer::BulkSender(1), WAIT);
    assert_eq!(fx.did, [Did::Set { timer, after }]);

    let mut fx = Recorder::new(RECEIVER, &[SENDER]);
    assert_eq!(ARQ.start(&mut Node::new(RECEIVER, &mut (), &mut fx)), receiver(&[]));
    assert_eq!(fx.did, []);
}

#[test]
fn a_restart_shows_a_role_its_own_state_before() {
    let mut fx = Recorder::new(SENDER, &[RECEIVER]);
    assert_eq!(ARQ.restart(&mut Node::new(SENDER, &mut (), &mut fx), &sender(8)), sender(108));
    let forgotten = ARQ.restart(&mut Node::new(RECEIVER, &mut (), &mut fx), &receiver(&[8]));
    assert_eq!(forgotten, receiver(&[]));
    assert_eq!(fx.did, []);
}

#[test]
fn a_message_is_handled_by_the_role_of_the_node() {
    let (state, did) = run(SENDER, sender(7), |state, fx| {
        ARQ.on_message(&mut Node::new(SENDER, state, fx), RECEIVER, &Packet::Ack(7));
    });
    assert_eq!(state, sender(8));
    let timer = ArqTimer::BulkSender(1);
    assert_eq!(did, [Did::Cancelled { timer }]);

    let (state, did) = run(RECEIVER, receiver(&[]), |state, fx| {
        ARQ.on_message(&mut Node::new(RECEIVER, state, fx), SENDER, &Packet::Data(7));
    });
    assert_eq!(state, receiver(&[7]));
    let sent = Did::Sent { to: SENDER, message: Packet::Ack(7) };
    assert_eq!((did.len(), &did[0]), (2, &sent));
}

#[test]
fn what_comes_back_is_handled_by_the_role_of_the_node() {
    let message = Packet::Data(7);
    let (state, did) = run(SENDER, sender(7), |state, fx| {
        ARQ.on_undeliverable(&mut Node::new(SENDER, state, fx), RECEIVER, &message);
    });
    assert_eq!(state, sender(57));
    assert_eq!(did, [Did::Sent { to: RECEIVER, message: Packet::Data(7) }]);

    let (state, did) = run(RECEIVER, receiver(&[7]), |state, fx| {
        ARQ.on_undeliverable(&mut Node::new(RECEIVER, state, fx), SENDER, &Packet::Ack(7));
    });
    assert_eq!((state, did), (receiver(&[7]), Vec::new()), "as a rule, nothing happens");
}

#[test]
fn a_timer_is_handled_by_the_role_of_the_node() {
    let (state, did) = run(SENDER, sender(9), |state, fx| {
        ARQ.on_timer(&mut Node::new(SENDER, state, fx), &ArqTimer::BulkSender(1));
    });
    assert_eq!(state, sender(9));
    let message = Packet::Data(9);
    let to = RECEIVER;
    assert_eq!(did, [Did::Sent { to, message }]);

    let (state, did) = run(RECEIVER, receiver(&[9]), |state, fx| {
        ARQ.on_timer(&mut Node::new(RECEIVER, state, fx), &ArqTimer::Receiver(1));
    });
    assert_eq!((state, did), (receiver(&[]), vec![]));
}

#[test]
fn a_command_is_handled_by_the_role_of_the_node() {
    let (state, did) = run(SENDER, sender(7), |state, fx| {
        let command = ArqCommand::BulkSender("skip".to_owned());
        ARQ.on_command(&mut Node::new(SENDER, state, fx), &command);
        assert_eq!(fx.options, [4]);
    });
    assert_eq!((state, did), (sender(10), vec![]));

    let (state, did) = run(RECEIVER, receiver(&[]), |state, fx| {
        let command = ArqCommand::Receiver(Unordered(vec![5]));
        ARQ.on_command(&mut Node::new(RECEIVER, state, fx), &command);
    });
    assert_eq!(state, receiver(&[5]));
    let (timer, after) = (ArqTimer::Receiver(1), WAIT);
    assert_eq!(did, [Did::Set { timer, after }]);
}

#[test]
fn a_command_to_another_role_is_refused() {
    let error = panics::catch(|| {
        run(RECEIVER, receiver(&[5]), |state, fx| {
            let command = ArqCommand::BulkSender("skip".to_owned());
            ARQ.on_command(&mut Node::new(RECEIVER, state, fx), &command);
        })
    });
    let expect = "\"skip\" was given to a node of another role, in state Receiver(Unordered([5]))";
    let error = error.unwrap_err();
    assert_eq!(error.message, expect);
}

#[test]
fn each_role_offers_its_own_commands() {
    let skip = ArqCommand::BulkSender("skip from 3".to_owned());
    assert_eq!(ARQ.commands(SENDER, &sender(3)), [skip]);
    assert_eq!(ARQ.commands(RECEIVER, &receiver(&[])), []);
}

#[test]
fn accessors_give_the_state_of_one_role_only() {
    assert_eq!(sender(7).bulk_sender(), Some(&7));
    assert_eq!(sender(7).receiver(), None);
    assert_eq!(receiver(&[1]).receiver(), Some(&Unordered(vec![1])));
    assert_eq!(receiver(&[1]).bulk_sender(), None);
}

#[test]
fn roles_are_called_by_their_fields() {
    assert_eq!(ARQ.role(SENDER), "bulk sender");
    assert_eq!(ARQ.role(RECEIVER), "receiver");
    assert_eq!(ARQ.role(NodeId(2)), "receiver");
}

#[test]
fn a_state_prints_with_its_role_and_timers_and_commands_without() {
    assert_eq!(format!("{:?}", sender(7)), "BulkSender(7)");
    assert_eq!(format!("{:?}", ArqTimer::Receiver(1)), "1");
    let command = ArqCommand::Receiver(Unordered(vec![5]));
    assert_eq!(format!("{command:?}"), "Unordered([5])");
}

#[test]
fn equal_timers_of_two_roles_are_two_timers() {
    let timers = [ArqTimer::BulkSender(1), ArqTimer::Receiver(1)];
    let numbered: HashMap<_, _> = timers.iter().zip(0..).collect();
    assert_eq!(numbered.len(), 2);
    assert!(timers[0] < timers[1]);
}

#[test]
fn what_the_attribute_generates_can_be_written_to_a_file() {
    fn check<T: Data>(value: T) {
        let bytes = postcard::to_stdvec(&value).unwrap();
        assert_eq!(postcard::from_bytes::<T>(&bytes).unwrap(), value);
    }
    check(sender(7));
    check(receiver(&[1, 2]));
    check(ArqTimer::Receiver(1));
    check(ArqCommand::BulkSender("skip".to_owned()));
}

/// The smallest protocol, to be a role under names that are hard to generate code for.
struct Idle;

impl Protocol for Idle {
    type State = ();
    type Message = Packet;
    type Timer = everypath::Never;
    type Command = everypath::Never;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Packet) {}
}

#[roles]
struct Odd {
    r#loop: Idle,
    node_2: Idle,
    other: Idle,
}

impl Odd {
    fn role_of(&self, me: NodeId) -> OddRole {
        match me {
            NodeId(0) => OddRole::Loop,
            NodeId(1) => OddRole::Node2,
            _ => OddRole::Other,
        }
    }
}

#[test]
fn keywords_numbers_and_one_protocol_in_many_roles_are_fine() {
    let odd = Odd { r#loop: Idle, node_2: Idle, other: Idle };
    let names: Vec<&str> = (0..3).map(|node| odd.role(NodeId(node))).collect();
    assert_eq!(names, ["loop", "node 2", "other"]);
    let state = odd.start(&mut Node::new(NodeId(0), &mut (), &mut Recorder::new(NodeId(0), &[])));
    assert_eq!(state.r#loop(), Some(&()));
    assert_eq!((state.node_2(), state.other()), (None, None));
}
