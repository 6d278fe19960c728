//! What counts as the same value, and what is written to a file.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use everypath::{Data, Ignored, Never, NodeId, Outgoing, component::Incoming, data};

#[data]
#[derive(Default)]
struct State {
    sequence: u32,
    sent: Ignored<u64>,
    routes: BTreeMap<NodeId, Option<u8>>,
}

#[data]
enum Packet<T> {
    Data { body: T },
    Ack(bool),
    Hello,
}

fn state(sequence: u32, sent: u64) -> State {
    State { sequence, sent: Ignored(sent), ..State::default() }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The value after a way through each of the two formats that files have.
fn written_and_read<T: Data>(value: &T) -> [T; 2] {
    let bytes = postcard::to_stdvec(value).unwrap();
    let text = serde_json::to_string(value).unwrap();
    [postcard::from_bytes(&bytes).unwrap(), serde_json::from_str(&text).unwrap()]
}

#[test]
fn states_that_differ_only_in_what_is_ignored_are_one_state() {
    let (few, many) = (state(1, 3), state(1, 400));
    assert_eq!(few, many);
    assert_eq!(hash(&few), hash(&many));
    assert_eq!(few.cmp(&many), Ordering::Equal);
    assert_eq!(HashSet::from([few, many]).len(), 1);
}

#[test]
fn states_that_differ_elsewhere_are_two() {
    let (first, second) = (state(1, 3), state(2, 3));
    assert_ne!(first, second);
    assert_ne!(hash(&first), hash(&second));
    assert_eq!(first.cmp(&second), Ordering::Less);
}

#[test]
fn what_is_ignored_can_be_without_equality() {
    let mut mean = Ignored(0.5_f64);
    *mean += 1.0;
    assert_eq!(mean.0.to_bits(), 1.5_f64.to_bits());
    assert_eq!(Ignored(f64::NAN), Ignored(f64::NAN));
}

#[test]
fn what_is_ignored_prints_the_same_whatever_it_is() {
    assert_eq!(format!("{:?}", state(1, 3)), "State { sequence: 1, sent: _, routes: {} }");
}

#[test]
fn what_is_ignored_is_not_in_a_file_and_comes_back_as_its_default() {
    let (few, many) = (state(1, 3), state(1, 400));
    assert_eq!(postcard::to_stdvec(&few).unwrap(), postcard::to_stdvec(&many).unwrap());
    assert_eq!(serde_json::to_string(&many).unwrap(), r#"{"sequence":1,"sent":null,"routes":{}}"#);
    for read in written_and_read(&many) {
        assert_eq!(read, many);
        assert_eq!(*read.sent, 0);
    }
}

#[test]
fn data_comes_back_from_a_file_as_it_was() {
    fn check<T: Data>(value: T) {
        let expect = format!("{value:?}");
        for read in written_and_read(&value) {
            assert_eq!(read, value);
            assert_eq!(format!("{read:?}"), expect);
        }
    }
    check(Packet::Data { body: "x".to_owned() });
    check(Packet::<u8>::Ack(true));
    check(Packet::<u8>::Hello);
    check(NodeId(7));
    check(Outgoing::To(NodeId(1), 2_u8));
    check(Outgoing::ToAll(2_u8));
    check(Outgoing::ToWithin(NodeId(1), 2_u8, Duration::from_millis(3)));
    check(Outgoing::ToAllWithin(2_u8, Duration::from_millis(3)));
    check(Incoming::Message { from: NodeId(1), message: 2_u8 });
    check(Incoming::Undeliverable { to: NodeId(1), message: 2_u8 });
    check(State {
        routes: BTreeMap::from([(NodeId(1), None), (NodeId(2), Some(3))]),
        ..state(1, 0)
    });
}

#[test]
fn the_order_of_data_is_that_of_its_declaration() {
    let packets =
        [Packet::Data { body: 1 }, Packet::Data { body: 2 }, Packet::Ack(false), Packet::Hello];
    assert!(packets.is_sorted());
}

#[test]
fn nothing_can_be_read_as_a_value_of_the_type_without_one() {
    assert!(postcard::from_bytes::<Never>(&[0]).is_err());
    assert!(serde_json::from_str::<Never>("null").is_err());
}

#[test]
fn a_node_prints_the_same_alone_and_within_a_state() {
    assert_eq!(NodeId(3).to_string(), "n3");
    assert_eq!(format!("{:?}", Some(NodeId(3))), "Some(n3)");
}
