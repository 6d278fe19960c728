//! A ring with an error, to show what is found: it does not look whether it is full.

use std::collections::VecDeque;

use everypath::{Driver, Parameters};
use serde::Serialize;

const PLACES: usize = 3;

/// A queue in an array.
#[derive(Clone, Default, Serialize)]
pub struct Ring {
    places: [u8; PLACES],
    first: usize,
    length: usize,
}

impl Ring {
    fn push(&mut self, value: u8) {
        self.places[(self.first + self.length) % PLACES] = value;
        self.length += 1;
    }

    fn pop(&mut self) -> Option<u8> {
        let value = (self.length > 0).then(|| self.places[self.first])?;
        self.first = (self.first + 1) % PLACES;
        self.length -= 1;
        Some(value)
    }
}

/// Against the queue of the standard library.
pub fn forgetful_ring(_: &mut Parameters) -> Driver<Ring, VecDeque<u8>> {
    Driver::new(Ring::default)
        .about("a ring of three places that does not look whether it is full")
        .constructor("Ring::default()")
        .against(VecDeque::new)
        .both("push", 1..=2, Ring::push, |queue, value| queue.push_back(value))
        .both("pop", (), |ring, ()| ring.pop(), |queue, ()| queue.pop_front())
        .max_depth(8)
}
