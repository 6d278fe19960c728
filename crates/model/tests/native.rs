//! Native nodes outside an exploration, as simulations and unit tests use them: each state has its
//! node, or makes it again.

use std::{panic, sync::Arc};

use everypath_model::{
    Did, Keeper, Native, NativeMode, NativeNode, NativeStart, Never, Node, NodeId, Opaque,
    OpaqueState, Protocol, Recorder, data, roles, with_histories,
};

const ME: NodeId = NodeId(0);
const OTHER: NodeId = NodeId(1);

/// A node that adds up what it hears, what it draws and how many neighbours it has.
struct Sum<const COPIES: bool>;

struct Adder(u64);

impl<const COPIES: bool> Native for Sum<COPIES> {
    type Node = Adder;
    type Seen = u64;
    type Message = u64;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut NativeStart<'_, Self>) -> Adder {
        Adder(u64::from(node.choose(3)))
    }

    fn restart(&self, _: &mut NativeStart<'_, Self>, before: &u64) -> Adder {
        Adder(before / 2)
    }

    fn seen(&self, _: NodeId, adder: &Adder) -> u64 {
        adder.0
    }

    fn copy(adder: &Adder) -> Option<Adder> {
        COPIES.then_some(Adder(adder.0))
    }

    fn on_message(&self, node: &mut NativeNode<'_, Self>, from: NodeId, heard: &u64) {
        let neighbours = node.neighbours().len() as u64;
        node.state.0 += heard + neighbours + u64::from(node.choose(2));
        let sum = node.state.0;
        node.send(from, sum);
    }
}

type State<const COPIES: bool> = OpaqueState<Sum<COPIES>>;

/// A start with a choice.
fn start<const COPIES: bool>() -> State<COPIES> {
    let mut effects = Recorder::with_choices(ME, &[OTHER], vec![2]);
    Opaque(Sum::<COPIES>).start(&mut Node::new(ME, &mut (), &mut effects))
}

/// Hears a number, and sends the sum.
fn hear<const COPIES: bool>(state: &mut State<COPIES>, heard: u64) -> u64 {
    let mut effects = Recorder::with_choices(ME, &[OTHER], vec![1]);
    Opaque(Sum::<COPIES>).on_message(&mut Node::new(ME, state, &mut effects), OTHER, &heard);
    match &effects.did[..] {
        [Did::Sent { to: OTHER, message }] => *message,
        did => panic!("it did {did:?}"),
    }
}

fn each_state_has_a_node_of_its_own<const COPIES: bool>() {
    let mut state = start::<COPIES>();
    assert_eq!(hear(&mut state, 10), 14);
    let mut other = state.clone();
    assert_eq!(hear(&mut state, 100), 116);
    assert_eq!(hear(&mut other, 1000), 1016);
    assert_eq!(hear(&mut state, 0), 118);
    assert_eq!((*state, *other), (118, 1016));
}

#[test]
fn clones_of_a_state_have_nodes_of_their_own() {
    each_state_has_a_node_of_its_own::<true>();
    each_state_has_a_node_of_its_own::<false>();
}

#[test]
fn a_reboot_begins_a_new_history() {
    let mut state = start::<false>();
    hear(&mut state, 10);
    let mut effects = Recorder::new(ME, &[OTHER]);
    let protocol = Opaque(Sum::<false>);
    let again = protocol.restart(&mut Node::new(ME, &mut (), &mut effects), &state);
    assert_eq!((*again, again.history().as_str()), (7, "restart"));
}

#[test]
fn histories_are_written_only_on_demand() {
    let mut state = start::<false>();
    hear(&mut state, 10);
    assert_eq!(serde_json::to_string(&state).unwrap(), "14");
    assert_eq!(format!("{state:?}"), "14");
    assert_eq!(with_histories(|| format!("{state:?}")), "14 (after start, 10 from n1)");
    let bytes = with_histories(|| postcard::to_stdvec(&state)).unwrap();
    let mut read: State<false> = with_histories(|| postcard::from_bytes(&bytes)).unwrap();
    assert_eq!(hear(&mut read, 100), 116);
    let mut lost: State<false> = serde_json::from_str("14").unwrap();
    let panicked = panic::catch_unwind(move || hear(&mut lost, 100)).unwrap_err();
    let message = panicked.downcast_ref::<String>().expect("it says why");
    assert!(message.starts_with("the native node of n0 is not at hand"), "{message}");
}

#[test]
fn damaged_histories_are_refused() {
    let state = start::<false>();
    let text = with_histories(|| serde_json::to_string(&state)).unwrap();
    let without = text.replace("Start", "After");
    assert!(with_histories(|| serde_json::from_str::<State<false>>(&without)).is_err());
}

/// More inputs than a stack has frames.
#[test]
fn a_long_life_is_made_again_and_dropped() {
    let mut state = start::<false>();
    for _ in 0..300_000 {
        hear(&mut state, 1);
    }
    let mut other = state.clone();
    hear(&mut state, 1);
    assert_eq!(hear(&mut other, 1), *state);
}

#[test]
fn a_keeper_keeps_no_more_nodes_than_it_may() {
    for (mode, most) in [(NativeMode::Eager, 5), (NativeMode::Cached, 5), (NativeMode::Lazy, 1)] {
        let keeper = Arc::new(Keeper::new(mode, most));
        let mut states = vec![keeper.within(start::<true>)];
        for heard in 0..100 {
            let mut next = states[heard as usize / 3].clone();
            keeper.within(|| hear(&mut next, heard));
            states.push(next);
            assert!(keeper.len() <= most, "{mode:?}");
        }
        let counts = keeper.counts();
        assert_eq!(counts.at_hand + counts.rebuilt, 100, "{mode:?}");
        assert_eq!(keeper.is_empty(), mode == NativeMode::Eager, "{mode:?}");
        drop(states);
        assert!(keeper.is_empty(), "{mode:?}");
    }
}

#[data]
struct Heard(u64);

struct Listener;

impl Protocol for Listener {
    type State = Heard;
    type Message = u64;
    type Timer = Never;
    type Command = Never;

    fn start(&self, _: &mut everypath_model::Start<'_, Self>) -> Heard {
        Heard(0)
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, heard: &u64) {
        node.state.0 = *heard;
    }
}

/// Some nodes are native, others are plain data.
#[roles]
struct Mixed {
    adder: Opaque<Sum<true>>,
    listener: Listener,
}

impl Mixed {
    fn role_of(&self, me: NodeId) -> MixedRole {
        if me == ME { MixedRole::Adder } else { MixedRole::Listener }
    }
}

#[test]
fn a_role_can_be_native() {
    const { assert!(Mixed::NATIVE && !Listener::NATIVE) };
    let mixed = Mixed { adder: Opaque(Sum), listener: Listener };
    let mut effects = Recorder::with_choices(ME, &[OTHER], vec![2, 0]);
    let mut state = mixed.start(&mut Node::new(ME, &mut (), &mut effects));
    mixed.on_message(&mut Node::new(ME, &mut state, &mut effects), OTHER, &10);
    assert_eq!(state.adder().map(|sum| **sum), Some(13));
}
