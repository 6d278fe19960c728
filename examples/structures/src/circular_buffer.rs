//! `circular-buffer` 1.2.1: a ring that overwrites its oldest element.

use std::collections::VecDeque;

use circular_buffer::CircularBuffer;
use everypath::{Driver, Parameters};

const MOST: usize = 4;
type Ring = CircularBuffer<MOST, u8>;

/// The elements, and where in the array they begin: calls behave otherwise at its end.
fn layout(ring: &Ring) -> (Vec<u8>, usize, usize) {
    let (first, second) = ring.as_slices();
    let begin = first.as_ptr().addr().wrapping_sub(std::ptr::from_ref(ring).addr());
    (ring.to_vec(), second.len(), if first.is_empty() { 0 } else { begin })
}

fn push_back(queue: &mut VecDeque<u8>, value: u8) -> Option<u8> {
    queue.push_back(value);
    if queue.len() > MOST { queue.pop_front() } else { None }
}

fn push_front(queue: &mut VecDeque<u8>, value: u8) -> Option<u8> {
    queue.push_front(value);
    if queue.len() > MOST { queue.pop_back() } else { None }
}

/// A ring of four places.
pub fn circular_buffer(_: &mut Parameters) -> Driver<Ring, VecDeque<u8>> {
    // A clone begins at another place, so values are made again.
    Driver::uncloned(Ring::new, layout)
        .about("circular-buffer 1.2.1: a ring that overwrites its oldest element")
        .against(VecDeque::new)
        .both("push_back", 1..=2, |it, value| it.push_back(value), push_back)
        .both("push_front", 1..=2, |it, value| it.push_front(value), push_front)
        .both("pop_back", (), |it, ()| it.pop_back(), |it, ()| it.pop_back())
        .both("pop_front", (), |it, ()| it.pop_front(), |it, ()| it.pop_front())
        .both("remove", 0..MOST, |it, at| it.remove(at), |it, at| it.remove(at))
        .both("truncate_back", 0..MOST, |it, len| it.truncate_back(len), |it, len| it.truncate(len))
        .both(
            "truncate_front",
            0..MOST,
            |it, len| it.truncate_front(len),
            |it, len| drop(it.drain(..it.len().saturating_sub(len))),
        )
        .both(
            "swap_remove_back",
            0..MOST,
            |it, at| it.swap_remove_back(at),
            |it, at| it.swap_remove_back(at),
        )
        .both(
            "make_contiguous",
            (),
            |it, ()| it.make_contiguous().to_vec(),
            |it, ()| it.iter().copied().collect(),
        )
        .agree("elements", |it| it.iter().copied().collect(), VecDeque::clone)
}
