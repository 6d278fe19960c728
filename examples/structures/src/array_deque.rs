//! `arraydeque` 0.5.1: a double-ended queue in an array.

use std::collections::VecDeque;

use arraydeque::{ArrayDeque, Wrapping};
use everypath::{Driver, Parameters};

const MOST: usize = 4;
type Ring = ArrayDeque<u8, MOST, Wrapping>;

/// The elements, and where in the array they begin: calls behave otherwise at its end.
fn layout(ring: &Ring) -> (Vec<u8>, usize, usize) {
    let (first, second) = ring.as_slices();
    let begin = first.as_ptr().addr() - std::ptr::from_ref(ring).addr();
    (ring.iter().copied().collect(), second.len(), begin)
}

fn push_back(queue: &mut VecDeque<u8>, value: u8) -> Option<u8> {
    queue.push_back(value);
    if queue.len() > MOST { queue.pop_front() } else { None }
}

fn push_front(queue: &mut VecDeque<u8>, value: u8) -> Option<u8> {
    queue.push_front(value);
    if queue.len() > MOST { queue.pop_back() } else { None }
}

/// A ring of four places that overwrites the element at the other end if it is full.
pub fn array_deque(_: &mut Parameters) -> Driver<Ring, VecDeque<u8>> {
    let within = |ring: &Ring, at: &usize| *at < ring.len();
    // A clone begins at another place, so values are made again.
    Driver::uncloned(Ring::new, layout)
        .about("arraydeque 0.5.1: a double-ended queue in an array, which wraps around")
        .against(VecDeque::new)
        .both("push_back", 1..=2, |it, value| it.push_back(value), push_back)
        .both("push_front", 1..=2, |it, value| it.push_front(value), push_front)
        .both("pop_back", (), |it, ()| it.pop_back(), |it, ()| it.pop_back())
        .both("pop_front", (), |it, ()| it.pop_front(), |it, ()| it.pop_front())
        .both("remove", 0..MOST, |it, at| it.remove(at), |it, at| it.remove(at))
        .both_if(
            "swap",
            (0..MOST, 0..MOST),
            move |it, (a, b)| within(it, a) && within(it, b),
            |it, (a, b)| it.swap(a, b),
            |it, (a, b)| it.swap(a, b),
        )
        .both(
            "swap_remove_back",
            0..MOST,
            |it, at| it.swap_remove_back(at),
            |it, at| it.swap_remove_back(at),
        )
        .both(
            "swap_remove_front",
            0..MOST,
            |it, at| it.swap_remove_front(at),
            |it, at| it.swap_remove_front(at),
        )
        .both(
            "retain",
            1..=2,
            |it, value| it.retain(|it| *it != value),
            |it, value| it.retain(|it| *it != value),
        )
        .agree("elements", |it| it.iter().copied().collect(), VecDeque::clone)
}
