//! Specifications: objects as one client alone would see them.

use crate::Data;

/// An object whose operations take effect one after the other: what a history is compared with.
///
/// The type is the state of the object. Most objects have one answer to each operation and write [`apply`](Self::apply)
/// alone; one with several possible answers writes [`outcomes`](Self::outcomes), too.
///
/// ```
/// use everypath_model::{data, history::Specification};
/// # extern crate everypath_model as everypath;
///
/// /// A ticket machine.
/// #[data]
/// struct Tickets(u32);
///
/// impl Specification for Tickets {
///     type Operation = ();
///     type Answer = u32;
///
///     fn apply(&mut self, (): &()) -> u32 {
///         self.0 += 1;
///         self.0
///     }
/// }
/// assert_eq!(Tickets(4).outcomes(&()), [(5, Tickets(5))]);
/// ```
pub trait Specification: Data + Ord {
    /// What a client can ask for.
    type Operation: Data + Ord;
    /// What it is answered.
    type Answer: Data + Ord;

    /// Lets an operation take effect. The result is its answer.
    fn apply(&mut self, operation: &Self::Operation) -> Self::Answer;

    /// Each answer that an operation may have in this state, with the state after it. Where there is none, the operation
    /// cannot take effect now: it waits for another one.
    fn outcomes(&self, operation: &Self::Operation) -> Vec<(Self::Answer, Self)> {
        let mut after = self.clone();
        let answer = after.apply(operation);
        vec![(answer, after)]
    }

    /// Whether an operation changes no state, ever. Memories are smaller if reads say so.
    fn only_reads(&self, operation: &Self::Operation) -> bool {
        let _ = operation;
        false
    }
}

/// The states in which an operation with this answer may leave the object.
pub(super) fn states_after<S: Specification>(
    state: &S,
    operation: &S::Operation,
    answer: &S::Answer,
) -> impl Iterator<Item = S> {
    let outcomes = state.outcomes(operation).into_iter();
    outcomes.filter(move |(possible, _)| possible == answer).map(|(_, after)| after)
}
