//! Numbers of states and messages that a protocol only compares.

use crate::{Never, NodeId, Protocol};

/// A value with numbers that a protocol only compares, such as sequence numbers.
///
/// A protocol that only compares its numbers, and makes new ones larger than all others, cannot
/// notice if the numbers 3, 7 and 9 become 1, 2 and 3. With
/// [`numbers_by_rank`](crate::Scenario::numbers_by_rank), an exploration renames them so, and treats
/// states that differ only in such names as one. Zero stays zero.
///
/// ```
/// use everypath_model::Numbered;
///
/// struct Entry {
///     number: u32,
///     hops: u32,
/// }
///
/// impl Numbered for Entry {
///     // Hops are counted, not compared.
///     fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
///         visit(&mut self.number);
///     }
/// }
///
/// let mut table = vec![Some(Entry { number: 7, hops: 1 }), None, Some(Entry { number: 9, hops: 2 })];
/// let mut numbers = Vec::new();
/// table.visit_numbers(&mut |number| numbers.push(*number));
/// assert_eq!(numbers, [7, 9]);
/// # assert_eq!(table[0].as_ref().unwrap().hops, 1);
/// ```
pub trait Numbered {
    /// Visits every such number.
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32));
}

/// Values without such numbers.
macro_rules! unnumbered {
    ($($value:ty),*) => {
        $(impl Numbered for $value {
            fn visit_numbers(&mut self, _: &mut dyn FnMut(&mut u32)) {}
        })*
    };
}
unnumbered!(Never, NodeId, (), bool, char, String);

impl<T: Numbered> Numbered for Option<T> {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        self.iter_mut().for_each(|value| value.visit_numbers(visit));
    }
}

impl<T: Numbered> Numbered for Vec<T> {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        self.iter_mut().for_each(|value| value.visit_numbers(visit));
    }
}

impl<A: Numbered, B: Numbered> Numbered for (A, B) {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        self.0.visit_numbers(visit);
        self.1.visit_numbers(visit);
    }
}

/// Visits the numbers of a value.
type Visit<T> = fn(&mut T, &mut dyn FnMut(&mut u32));

/// Where the numbers of a protocol are.
pub struct Numbers<P: Protocol> {
    /// In states.
    pub state: Visit<P::State>,
    /// In messages.
    pub message: Visit<P::Message>,
    /// In timers.
    pub timer: Visit<P::Timer>,
    /// In commands.
    pub command: Visit<P::Command>,
}

impl<P: Protocol> Numbers<P>
where
    P::State: Numbered,
    P::Message: Numbered,
    P::Timer: Numbered,
    P::Command: Numbered,
{
    /// Those that the types visit.
    pub(crate) fn of_types() -> Self {
        Self {
            state: Numbered::visit_numbers,
            message: Numbered::visit_numbers,
            timer: Numbered::visit_numbers,
            command: Numbered::visit_numbers,
        }
    }
}
