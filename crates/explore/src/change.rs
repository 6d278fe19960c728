//! Differences between two states, in words.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::{PartText, StateText};

/// The change of one part of a state.
///
/// ```
/// use everypath_explore::{PartChange, PartText, StateText};
///
/// let state = |value: &str| StateText {
///     parts: vec![("n0".to_owned(), PartText::Value(value.to_owned()))],
/// };
/// let change = PartChange::Value { before: Some("Idle".to_owned()), after: "Busy".to_owned() };
/// assert_eq!(state("Idle").changes_to(&state("Busy")), [("n0".to_owned(), change)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartChange {
    /// The value differs, or there was no value before.
    Value {
        /// The value before.
        before: Option<String>,
        /// The value after.
        after: String,
    },
    /// Values have left the bag or come into it.
    Bag {
        /// The values that have left.
        gone: Vec<String>,
        /// The values that have come.
        come: Vec<String>,
    },
    /// The part no longer exists.
    Gone,
}

impl StateText {
    /// The parts that differ in another state, with their names.
    ///
    /// ```
    /// use everypath_explore::{PartChange, PartText, StateText};
    ///
    /// let bag = |values: &[&str]| PartText::Bag(values.iter().map(|&it| it.to_owned()).collect());
    /// let state = |values| StateText { parts: vec![("network".to_owned(), bag(values))] };
    /// let changes = state(&["a", "b", "a"]).changes_to(&state(&["a", "b", "c"]));
    /// let change = PartChange::Bag { gone: vec!["a".to_owned()], come: vec!["c".to_owned()] };
    /// assert_eq!(changes, [("network".to_owned(), change)]);
    /// ```
    #[must_use]
    pub fn changes_to(&self, after: &Self) -> Vec<(String, PartChange)> {
        let changed = after.parts.iter().filter_map(|(name, part)| {
            Some((name.clone(), PartChange::between(self.part(name), part)?))
        });
        let gone = self.parts.iter().filter(|(name, _)| after.part(name).is_none());
        changed.chain(gone.map(|(name, _)| (name.clone(), PartChange::Gone))).collect()
    }

    fn part(&self, name: &str) -> Option<&PartText> {
        self.parts.iter().find(|(other, _)| other == name).map(|(_, part)| part)
    }

    /// Applies changes. Values that come into a bag are appended.
    ///
    /// ```
    /// use everypath_explore::{PartText, StateText};
    ///
    /// let state = |value: &str| StateText {
    ///     parts: vec![("n0".to_owned(), PartText::Value(value.to_owned()))],
    /// };
    /// let mut shown = state("Idle");
    /// shown.apply(&state("Idle").changes_to(&state("Busy")));
    /// assert_eq!(shown, state("Busy"));
    /// ```
    pub fn apply(&mut self, changes: &[(String, PartChange)]) {
        for (name, change) in changes {
            let place = self.parts.iter().position(|(other, _)| other == name);
            if *change == PartChange::Gone {
                self.parts.retain(|(other, _)| other != name);
                continue;
            }
            let place = place.unwrap_or_else(|| {
                self.parts.push((name.clone(), PartText::Bag(Vec::new())));
                self.parts.len() - 1
            });
            let part = &mut self.parts[place].1;
            match (part, change) {
                (PartText::Bag(values), PartChange::Bag { gone, come }) => {
                    for value in gone {
                        if let Some(place) = values.iter().position(|other| other == value) {
                            values.remove(place);
                        }
                    }
                    values.extend_from_slice(come);
                }
                (part, PartChange::Bag { come, .. }) => *part = PartText::Bag(come.clone()),
                (part, PartChange::Value { after, .. }) => *part = PartText::Value(after.clone()),
                (_, PartChange::Gone) => unreachable!("handled above"),
            }
        }
    }
}

impl PartChange {
    /// The change of a part, if it has changed.
    fn between(before: Option<&PartText>, after: &PartText) -> Option<Self> {
        match (before, after) {
            (Some(PartText::Value(before)), PartText::Value(after)) if before == after => None,
            (Some(PartText::Value(before)), PartText::Value(after)) => {
                Some(Self::Value { before: Some(before.clone()), after: after.clone() })
            }
            (_, PartText::Value(after)) => Some(Self::Value { before: None, after: after.clone() }),
            (Some(PartText::Bag(before)), PartText::Bag(after)) => {
                let (gone, come) = bag_difference(before, after);
                let own = |values: Vec<&String>| values.into_iter().cloned().collect();
                let changed = !gone.is_empty() || !come.is_empty();
                changed.then(|| Self::Bag { gone: own(gone), come: own(come) })
            }
            (_, PartText::Bag(after)) => Some(Self::Bag { gone: Vec::new(), come: after.clone() }),
        }
    }
}

/// The values that have left a bag, and those that have come into it. The time is linear in the
/// sizes of both bags: a run of thousands of steps can have as many packets in flight.
///
/// ```
/// let (gone, come) = everypath_explore::bag_difference(&["a", "b", "a"], &["c", "a", "b"]);
/// assert_eq!((gone, come), (vec![&"a"], vec![&"c"]));
/// ```
pub fn bag_difference<'a, T: Eq + Hash>(
    before: &'a [T],
    after: &'a [T],
) -> (Vec<&'a T>, Vec<&'a T>) {
    let same = |(one, other): &(&T, &T)| one == other;
    let start = before.iter().zip(after).take_while(same).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    let (before, after) = (&before[..before.len() - end], &after[..after.len() - end]);
    (lacking(before, after), lacking(after, before))
}

/// The multiset difference: the values that are not among the others.
fn lacking<'a, T: Eq + Hash>(values: &'a [T], others: &[T]) -> Vec<&'a T> {
    let mut left: FxHashMap<&T, usize> = FxHashMap::default();
    for other in others {
        *left.entry(other).or_default() += 1;
    }
    let mut is_there = |value: &T| match left.get_mut(value) {
        Some(times) if *times > 0 => {
            *times -= 1;
            true
        }
        _ => false,
    };
    values.iter().filter(|value| !is_there(value)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn state() -> impl Strategy<Value = StateText> {
        let value = (0..3_u8).prop_map(|value| PartText::Value(value.to_string()));
        let bag = vec(0..4_u8, 0..7);
        let bag = bag.prop_map(|bag| PartText::Bag(bag.iter().map(u8::to_string).collect()));
        let part = prop::option::weighted(0.8, prop_oneof![value, bag]);
        vec(part, 4).prop_map(|parts| {
            let parts = parts.into_iter().enumerate();
            let parts = parts.filter_map(|(name, part)| Some((format!("part {name}"), part?)));
            StateText { parts: parts.collect() }
        })
    }

    /// A state without the order of its values.
    fn sorted(mut state: StateText) -> StateText {
        state.parts.sort_by(|one, other| one.0.cmp(&other.0));
        for (_, part) in &mut state.parts {
            if let PartText::Bag(values) = part {
                values.sort();
            }
        }
        state
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn changes_lead_from_before_to_after(before in state(), after in state()) {
            prop_assert_eq!(before.changes_to(&before), []);
            let mut changed = before.clone();
            changed.apply(&before.changes_to(&after));
            prop_assert_eq!(sorted(changed), sorted(after));
        }

        /// No value has both left and come.
        #[test]
        fn no_more_changes_than_needed(before in vec(0..4_u8, 0..9), after in vec(0..4_u8, 0..9)) {
            let times = |list: &[u8], one| list.iter().filter(|&&other| other == one).count();
            let (gone, come) = bag_difference(&before, &after);
            for value in 0..4 {
                let excess = |of: &[u8], over: &[u8]| times(of, value).saturating_sub(times(over, value));
                prop_assert_eq!(gone.iter().filter(|it| ***it == value).count(), excess(&before, &after));
                prop_assert_eq!(come.iter().filter(|it| ***it == value).count(), excess(&after, &before));
            }
        }
    }
}
