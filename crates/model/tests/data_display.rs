//! `#[data(display)]`: values print by their `Display`, alone and within others.

use std::fmt;

use everypath_model::{Data, Ignored, data, shown};

#[data(display)]
enum Message {
    Data { bit: bool, number: u32 },
    Ack(bool),
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data { bit, number } => write!(f, "D{} #{number}", u8::from(*bit)),
            Self::Ack(bit) => write!(f, "A{}", u8::from(*bit)),
        }
    }
}

#[data(display)]
struct Stamped<T: Copy>
where
    T: fmt::Display,
{
    at: u32,
    value: T,
}

impl<T: Copy + fmt::Display> fmt::Display for Stamped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.value, self.at)
    }
}

#[data]
struct State {
    queue: Vec<Message>,
    last: Option<Stamped<u8>>,
    mean: Ignored<f64>,
}

fn is_data<T: Data>(value: &T) -> String {
    shown(value)
}

#[test]
fn values_print_by_their_display() {
    assert_eq!(is_data(&Message::Data { bit: false, number: 3 }), "D0 #3");
    let state = State {
        queue: vec![Message::Ack(true)],
        last: Some(Stamped { at: 7, value: 2 }),
        mean: Ignored(0.5),
    };
    assert_eq!(is_data(&state), "State { queue: [A1], last: Some(2@7), mean: _ }");
}

#[test]
fn they_are_compared_and_written_as_other_data_are() {
    let (one, other) = (Message::Ack(true), Message::Data { bit: true, number: 1 });
    assert!(one != other && one.clone() == one && other < one);
    let bytes = postcard::to_stdvec(&one).unwrap();
    assert_eq!(postcard::from_bytes::<Message>(&bytes), Ok(one));
}
