//! The values of the arguments of a call.

use std::{
    fmt::Debug,
    ops::{Range, RangeInclusive},
};

/// A type of argument: small values that are copied, printed and shared.
///
/// ```
/// fn takes(_: impl everypath_driver::Argument) {}
/// takes((1_u8, "a"));
/// ```
pub trait Argument: Clone + Debug + Send + Sync + 'static {}

impl<A: Clone + Debug + Send + Sync + 'static> Argument for A {}

/// The values that an argument of a call takes: `()` for none, a range, a list, or a tuple of these,
/// which means every combination.
///
/// ```
/// use everypath_driver::Values;
///
/// assert_eq!(().all(), [()]);
/// assert_eq!((1..=3).all(), [1, 2, 3]);
/// assert_eq!(["a", "b"].all(), ["a", "b"]);
/// assert_eq!((1..3, [true, false]).all(), [(1, true), (1, false), (2, true), (2, false)]);
/// assert_eq!((0..=u64::MAX, 0..=9).count(), u128::MAX);
/// ```
pub trait Values {
    /// The argument.
    type Value: Argument;

    /// How many values there are, at most.
    fn count(&self) -> u128;

    /// The values in their order.
    fn all(self) -> Vec<Self::Value>;
}

impl Values for () {
    type Value = ();

    fn count(&self) -> u128 {
        1
    }

    fn all(self) -> Vec<()> {
        vec![()]
    }
}

/// The number of elements of an iterator, where known.
fn length(elements: &impl Iterator) -> u128 {
    elements.size_hint().1.map_or(u128::MAX, |most| most as u128)
}

impl<V: Argument> Values for RangeInclusive<V>
where
    Self: Iterator<Item = V>,
{
    type Value = V;

    fn count(&self) -> u128 {
        length(self)
    }

    fn all(self) -> Vec<V> {
        self.collect()
    }
}

impl<V: Argument> Values for Range<V>
where
    Self: Iterator<Item = V>,
{
    type Value = V;

    fn count(&self) -> u128 {
        length(self)
    }

    fn all(self) -> Vec<V> {
        self.collect()
    }
}

impl<V: Argument> Values for Vec<V> {
    type Value = V;

    fn count(&self) -> u128 {
        self.len() as u128
    }

    fn all(self) -> Vec<V> {
        self
    }
}

impl<V: Argument, const N: usize> Values for [V; N] {
    type Value = V;

    fn count(&self) -> u128 {
        N as u128
    }

    fn all(self) -> Vec<V> {
        self.into()
    }
}

impl<V: Argument> Values for &[V] {
    type Value = V;

    fn count(&self) -> u128 {
        self.len() as u128
    }

    fn all(self) -> Vec<V> {
        self.to_vec()
    }
}

impl<A: Values, B: Values> Values for (A, B) {
    type Value = (A::Value, B::Value);

    fn count(&self) -> u128 {
        self.0.count().saturating_mul(self.1.count())
    }

    fn all(self) -> Vec<Self::Value> {
        let second = self.1.all();
        let with = |a: A::Value| second.iter().map(move |b| (a.clone(), b.clone()));
        self.0.all().into_iter().flat_map(with).collect()
    }
}

impl<A: Values, B: Values, C: Values> Values for (A, B, C) {
    type Value = (A::Value, B::Value, C::Value);

    fn count(&self) -> u128 {
        self.0.count().saturating_mul(self.1.count()).saturating_mul(self.2.count())
    }

    fn all(self) -> Vec<Self::Value> {
        let pairs = ((self.0, self.1), self.2).all();
        pairs.into_iter().map(|((a, b), c)| (a, b, c)).collect()
    }
}

impl<A: Values, B: Values, C: Values, D: Values> Values for (A, B, C, D) {
    type Value = (A::Value, B::Value, C::Value, D::Value);

    fn count(&self) -> u128 {
        let last = self.2.count().saturating_mul(self.3.count());
        self.0.count().saturating_mul(self.1.count()).saturating_mul(last)
    }

    fn all(self) -> Vec<Self::Value> {
        let pairs = ((self.0, self.1), (self.2, self.3)).all();
        pairs.into_iter().map(|((a, b), (c, d))| (a, b, c, d)).collect()
    }
}
