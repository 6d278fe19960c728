//! Changes between two values.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
};

use super::Value;

/// Lists that still differ in more elements than this, after their common start and end are
/// taken away, are compared position by position: an alignment takes time and memory in the
/// product of the lengths.
const ALIGNED_MAX: usize = 200;

/// One difference between two values.
///
/// ```
/// use everypath_report::value::changes;
///
/// let changed = changes("Arq { bit: 0, sent: 1 }", "Arq { bit: 1, sent: 1 }");
/// assert_eq!(changed[0].path, "bit");
/// assert_eq!(changed[0].to_string(), "bit: 0 → 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// Where: `sender.bit`, `routes[n2].hops`, `queue[3]`. Empty if the whole value changed.
    ///
    /// The index into a list is that after the change; for what was removed, that before it. A set
    /// has no indices: the path of an element is that of the set.
    pub path: String,
    /// What.
    pub kind: ChangeKind,
}

/// What happened at one place of a value.
///
/// ```
/// use everypath_report::value::{ChangeKind, changes};
///
/// let changed = changes("[1, 2]", "[1, 2, 3]");
/// assert_eq!(changed[0].kind, ChangeKind::Added { value: "3".to_owned() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It became another value.
    Changed {
        /// What it was.
        from: String,
        /// What it is.
        to: String,
    },
    /// It was not there before.
    Added {
        /// What it is.
        value: String,
    },
    /// It is no longer there.
    Removed {
        /// What it was.
        value: String,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match &self.kind {
            ChangeKind::Changed { from, to } => write!(f, "{from} → {to}"),
            ChangeKind::Added { value } => write!(f, "added {value}"),
            ChangeKind::Removed { value } => write!(f, "removed {value}"),
        }
    }
}

/// What changed between two texts printed by `Debug`, in the order of the text.
///
/// Fields are compared by name, maps by key, sets by element. Lists are aligned, so that taking
/// the first of a queue is one removal. A wrapper around one element, such as `Some` or the role
/// of a node, adds nothing to the path. A variant that became another one is one change.
///
/// ```
/// use everypath_report::value::changes;
///
/// let lines = |before, after| -> Vec<String> {
///     changes(before, after).iter().map(ToString::to_string).collect()
/// };
/// assert_eq!(
///     lines(
///         "Sender(Arq { bit: 0, queue: [7, 8, 9], phase: Idle })",
///         "Sender(Arq { bit: 1, queue: [8, 9], phase: Waiting(3) })",
///     ),
///     ["bit: 0 → 1", "queue[0]: removed 7", "phase: Idle → Waiting(3)"],
/// );
/// ```
#[must_use]
pub fn changes(before: &str, after: &str) -> Vec<Change> {
    Value::parse(before).changes_to(&Value::parse(after))
}

impl Value {
    /// What changed from this value to another; see [`changes`].
    #[must_use]
    pub fn changes_to(&self, after: &Self) -> Vec<Change> {
        let mut found = Found::default();
        found.compare(self, after);
        found.changes
    }

    /// Whether a comparison of the two looks inside them, rather than at them as a whole.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Struct { name, more, .. },
                Self::Struct { name: other_name, more: other_more, .. },
            ) => (name, more) == (other_name, other_more),
            (Self::Tuple { name, items }, Self::Tuple { name: other_name, items: other_items }) => {
                name == other_name && items.len() == other_items.len()
            }
            (Self::Map { more, .. }, Self::Map { more: other, .. }) => more == other,
            (Self::Map { more, .. }, Self::Set(items))
            | (Self::Set(items), Self::Map { more, .. }) => items.is_empty() && !more,
            (Self::List(_), Self::List(_)) | (Self::Set(_), Self::Set(_)) => true,
            _ => false,
        }
    }
}

/// The changes found so far, and where the comparison is.
#[derive(Default)]
struct Found {
    path: String,
    changes: Vec<Change>,
}

impl Found {
    fn compare(&mut self, before: &Value, after: &Value) {
        if before == after {
            return;
        }
        if !before.is_like(after) {
            return self.changed(before, after);
        }
        match (before, after) {
            (Value::Struct { fields: before, .. }, Value::Struct { fields: after, .. }) => {
                self.compare_keyed(before, after, |field| format!(".{field}"));
            }
            (Value::Tuple { items: before, .. }, Value::Tuple { items: after, .. }) => {
                self.compare_tuples(before, after);
            }
            (Value::List(before), Value::List(after)) => self.compare_lists(before, after),
            (Value::Set(before), Value::Set(after)) => self.compare_sets(before, after),
            // One of the two may be `{}`, which reads as a set.
            _ => self.compare_keyed(entries(before), entries(after), |key| format!("[{key}]")),
        }
    }

    fn compare_tuples(&mut self, before: &[Value], after: &[Value]) {
        if let ([before], [after]) = (before, after) {
            return self.compare(before, after);
        }
        for (index, (before, after)) in before.iter().zip(after).enumerate() {
            self.within(&format!(".{index}"), |found| found.compare(before, after));
        }
    }

    fn compare_keyed<K: fmt::Display>(
        &mut self,
        before: &[(K, Value)],
        after: &[(K, Value)],
        segment: impl Fn(&K) -> String,
    ) {
        let pairs =
            pair_by_text(before.iter().map(|(key, _)| key), after.iter().map(|(key, _)| key));
        for pair in pairs {
            let key = match pair {
                Pair::Both(index, _) | Pair::Before(index) => &before[index].0,
                Pair::After(index) => &after[index].0,
            };
            self.within(&segment(key), |found| match pair {
                Pair::Both(old, new) => found.compare(&before[old].1, &after[new].1),
                Pair::Before(old) => found.removed(&before[old].1),
                Pair::After(new) => found.added(&after[new].1),
            });
        }
    }

    fn compare_sets(&mut self, before: &[Value], after: &[Value]) {
        for pair in pair_by_text(before.iter(), after.iter()) {
            match pair {
                Pair::Both(..) => {}
                Pair::Before(old) => self.removed(&before[old]),
                Pair::After(new) => self.added(&after[new]),
            }
        }
    }

    fn compare_lists(&mut self, before: &[Value], after: &[Value]) {
        for pair in align(before, after) {
            let (Pair::Before(index) | Pair::After(index) | Pair::Both(_, index)) = pair;
            self.within(&format!("[{index}]"), |found| match pair {
                Pair::Both(old, new) => found.compare(&before[old], &after[new]),
                Pair::Before(old) => found.removed(&before[old]),
                Pair::After(new) => found.added(&after[new]),
            });
        }
    }

    fn within(&mut self, segment: &str, compare: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        let first = self.path.is_empty();
        self.path.push_str(match segment.strip_prefix('.') {
            Some(name) if first => name,
            _ => segment,
        });
        compare(self);
        self.path.truncate(length);
    }

    fn push(&mut self, kind: ChangeKind) {
        let path = self.path.clone();
        self.changes.push(Change { path, kind });
    }

    fn changed(&mut self, before: &Value, after: &Value) {
        let (from, to) = (before.to_string(), after.to_string());
        self.push(ChangeKind::Changed { from, to });
    }

    fn added(&mut self, value: &Value) {
        let value = value.to_string();
        self.push(ChangeKind::Added { value });
    }

    fn removed(&mut self, value: &Value) {
        let value = value.to_string();
        self.push(ChangeKind::Removed { value });
    }
}

fn entries(value: &Value) -> &[(Value, Value)] {
    match value {
        Value::Map { entries, .. } => entries,
        _ => &[],
    }
}

/// What an index before and an index after have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    /// They are the same thing, changed or not.
    Both(usize, usize),
    /// There only before.
    Before(usize),
    /// There only after.
    After(usize),
}

/// Pairs what prints the same; the second `x` before with the second `x` after. First comes what
/// was there before, in its order.
fn pair_by_text<K: fmt::Display>(
    before: impl Iterator<Item = K>,
    after: impl Iterator<Item = K>,
) -> Vec<Pair> {
    let mut by_text: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut is_new = Vec::new();
    for (index, key) in after.enumerate() {
        by_text.entry(key.to_string()).or_default().push_back(index);
        is_new.push(true);
    }
    let mut pairs = Vec::new();
    for (old, key) in before.enumerate() {
        let partner = by_text.get_mut(&key.to_string());
        pairs.push(match partner.and_then(VecDeque::pop_front) {
            Some(new) => {
                is_new[new] = false;
                Pair::Both(old, new)
            }
            None => Pair::Before(old),
        });
    }
    let new = (0..is_new.len()).filter(|&index| is_new[index]);
    pairs.extend(new.map(Pair::After));
    pairs
}

/// Pairs the elements of two lists in order. What they have in common at the start and at the end
/// is skipped.
fn align(before: &[Value], after: &[Value]) -> Vec<Pair> {
    let shorter = before.len().min(after.len());
    let start = (0..shorter).take_while(|&index| before[index] == after[index]).count();
    let end = (0..shorter - start)
        .take_while(|&index| before[before.len() - 1 - index] == after[after.len() - 1 - index])
        .count();
    let before = &before[start..before.len() - end];
    let after = &after[start..after.len() - end];
    let pairs = if before.len().max(after.len()) <= ALIGNED_MAX {
        pair_around(&best_matches(before, after), before.len(), after.len())
    } else {
        pair_by_position(before.len(), after.len())
    };
    pairs
        .into_iter()
        .map(|pair| match pair {
            Pair::Both(old, new) => Pair::Both(old + start, new + start),
            Pair::Before(old) => Pair::Before(old + start),
            Pair::After(new) => Pair::After(new + start),
        })
        .collect()
}

fn pair_by_position(before: usize, after: usize) -> Vec<Pair> {
    let shorter = before.min(after);
    let both = (0..shorter).map(|index| Pair::Both(index, index));
    let rest = (shorter..before).map(Pair::Before);
    both.chain(rest).chain((shorter..after).map(Pair::After)).collect()
}

/// The pairs that a best alignment matches, in order. An equal pair counts as much as three of the
/// same form, for it costs the reader no line at all; a pair of two forms does not count.
fn best_matches(before: &[Value], after: &[Value]) -> Vec<(usize, usize)> {
    let score = |old: usize, new: usize| match (&before[old], &after[new]) {
        (old, new) if old == new => 3,
        (old, new) if old.is_like(new) => 1,
        _ => 0_u32,
    };
    let width = after.len() + 1;
    let cell = |old: usize, new: usize| old * width + new;
    let mut best = vec![0_u32; (before.len() + 1) * width];
    for old in (0..before.len()).rev() {
        for new in (0..after.len()).rev() {
            best[cell(old, new)] = (score(old, new) + best[cell(old + 1, new + 1)])
                .max(best[cell(old + 1, new)])
                .max(best[cell(old, new + 1)]);
        }
    }
    let (mut old, mut new) = (0, 0);
    let mut matches = Vec::new();
    while old < before.len() && new < after.len() {
        let gain = score(old, new);
        if best[cell(old, new)] == gain + best[cell(old + 1, new + 1)] {
            matches.extend((gain > 0).then_some((old, new)));
            (old, new) = (old + 1, new + 1);
        } else if best[cell(old + 1, new)] >= best[cell(old, new + 1)] {
            old += 1;
        } else {
            new += 1;
        }
    }
    matches
}

/// Adds to the matches what lies between them: changed if there is as much after as before,
/// removed and added otherwise.
fn pair_around(matches: &[(usize, usize)], before: usize, after: usize) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let (mut old, mut new) = (0, 0);
    for &(next_old, next_new) in matches.iter().chain([&(before, after)]) {
        if next_old - old == next_new - new {
            pairs.extend((old..next_old).zip(new..next_new).map(|(old, new)| Pair::Both(old, new)));
        } else {
            pairs.extend((old..next_old).map(Pair::Before));
            pairs.extend((new..next_new).map(Pair::After));
        }
        if next_old < before && next_new < after {
            pairs.push(Pair::Both(next_old, next_new));
        }
        (old, new) = (next_old + 1, next_new + 1);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::random;

    fn check(before: &str, after: &str, expect: &[&str]) {
        let lines: Vec<String> = changes(before, after).iter().map(ToString::to_string).collect();
        assert_eq!(lines, expect, "from {before}\nto   {after}");
    }

    #[test]
    fn equal_values_have_no_changes() {
        check("S { a: [1, 2] }", "S { a: [1, 2] }", &[]);
        check("{1, 2}", "{2, 1}", &[]);
        check("{1: a, 2: b}", "{2: b, 1: a}", &[]);
    }

    #[test]
    fn a_changed_leaf_is_one_line() {
        check("1", "2", &["1 → 2"]);
        check("S { a: 1, b: 2 }", "S { a: 1, b: 3 }", &["b: 2 → 3"]);
        check(
            "EndState { source: (), sender: S { bit: 0 } }",
            "EndState { source: (), sender: S { bit: 1 } }",
            &["sender.bit: 0 → 1"],
        );
        check("S { at: (1, 2) }", "S { at: (1, 3) }", &["at.1: 2 → 3"]);
        check("P(1, 2)", "P(3, 4)", &["0: 1 → 3", "1: 2 → 4"]);
    }

    #[test]
    fn wrappers_do_not_hide_leaves() {
        check(
            "Sender(EndState { source: A { sent: 1 }, sender: B { bit: 0 } })",
            "Sender(EndState { source: A { sent: 2 }, sender: B { bit: 1 } })",
            &["source.sent: 1 → 2", "sender.bit: 0 → 1"],
        );
        check("S { a: Some(Id(1)) }", "S { a: Some(Id(2)) }", &["a: 1 → 2"]);
        check("(S { a: 1 },)", "(S { a: 2 },)", &["a: 1 → 2"]);
    }

    #[test]
    fn another_variant_is_one_change() {
        check(
            "S { phase: Idle, n: 0 }",
            "S { phase: Waiting { bit: 0 }, n: 0 }",
            &["phase: Idle → Waiting { bit: 0 }"],
        );
        check(
            "Sender(S { a: 1 })",
            "Receiver(S { a: 2 })",
            &["Sender(S { a: 1 }) → Receiver(S { a: 2 })"],
        );
        check("A { x: 1 }", "B { x: 1 }", &["A { x: 1 } → B { x: 1 }"]);
        check("P(1, 2)", "P(1)", &["P(1, 2) → P(1)"]);
        check("S { a: 1, .. }", "S { a: 1 }", &["S { a: 1, .. } → S { a: 1 }"]);
    }

    #[test]
    fn fields_come_and_go() {
        check("S { a: 1, b: 2 }", "S { b: 2, c: 3 }", &["a: removed 1", "c: added 3"]);
    }

    #[test]
    fn lists_are_aligned() {
        check("S { q: [1, 2, 3] }", "S { q: [2, 3] }", &["q[0]: removed 1"]);
        check("S { q: [1, 2] }", "S { q: [1, 2, 3] }", &["q[2]: added 3"]);
        check("[1, 2, 3]", "[2, 3, 4]", &["[0]: removed 1", "[2]: added 4"]);
        check(
            "[D(1), D(2), D(3)]",
            "[D(2), D(3), D(4)]",
            &["[0]: removed D(1)", "[2]: added D(4)"],
        );
        check("[1, 2, 3]", "[1, 9, 3]", &["[1]: 2 → 9"]);
        check("[1, 2, 3]", "[3, 2, 1]", &["[0]: 1 → 3", "[2]: 3 → 1"]);
        check(
            "[1, 2]",
            "[7, 8, 9, 2]",
            &["[0]: removed 1", "[0]: added 7", "[1]: added 8", "[2]: added 9"],
        );
        check("[]", "[7]", &["[0]: added 7"]);
        check("[1, 2]", "[7, 1, 8, 2, 9]", &["[0]: added 7", "[2]: added 8", "[4]: added 9"]);
    }

    #[test]
    fn what_has_the_same_form_is_compared_inside_a_list() {
        check("[S { a: 1, b: 1 }]", "[S { a: 2, b: 1 }]", &["[0].a: 1 → 2"]);
        check(
            "[S { a: 1 }, S { a: 2 }]",
            "[S { a: 7 }, S { a: 8 }, S { a: 9 }]",
            &["[0].a: 1 → 7", "[1].a: 2 → 8", "[2]: added S { a: 9 }"],
        );
        check("[Ack, S { a: 1 }]", "[S { a: 2 }]", &["[0]: removed Ack", "[0].a: 1 → 2"]);
    }

    #[test]
    fn maps_are_compared_by_key() {
        check(
            "S { routes: {n1: R { hops: 1 }, n2: R { hops: 3 }} }",
            "S { routes: {n2: R { hops: 2 }, n3: R { hops: 1 }} }",
            &[
                "routes[n1]: removed R { hops: 1 }",
                "routes[n2].hops: 3 → 2",
                "routes[n3]: added R { hops: 1 }",
            ],
        );
        check("{}", "{1: 2}", &["[1]: added 2"]);
        check("{1: 2}", "{}", &["[1]: removed 2"]);
        check("{1: 2, ..}", "{1: 2}", &["{1: 2, ..} → {1: 2}"]);
    }

    #[test]
    fn sets_are_compared_by_element() {
        check("S { seen: {1, 2} }", "S { seen: {2, 3} }", &["seen: removed 1", "seen: added 3"]);
        check("{1, 1}", "{1}", &["removed 1"]);
        check("{1}", "{1: 2}", &["{1} → {1: 2}"]);
    }

    #[test]
    fn long_lists_lose_what_they_share_at_both_ends_first() {
        let list = |numbers: std::ops::Range<u32>| format!("{:?}", numbers.collect::<Vec<_>>());
        check(&list(0..5000), &list(1..5000), &["[0]: removed 0"]);
        check(&list(0..5000), &list(0..5001), &["[5000]: added 5000"]);
    }

    #[test]
    fn lists_that_are_too_long_to_align_are_compared_by_position() {
        let size = u32::try_from(ALIGNED_MAX).unwrap();
        let shifted = |size: u32| {
            let before = format!("{:?}", (0..size).collect::<Vec<_>>());
            let after = format!("{:?}", (1..=size).collect::<Vec<_>>());
            changes(&before, &after).len()
        };
        assert_eq!(shifted(size), 2);
        assert_eq!(shifted(size + 1), ALIGNED_MAX + 1);
        let long = |first: u32| format!("{:?}", (first..300).collect::<Vec<_>>());
        let all = changes(&long(0), &long(1).replace("299", "0"));
        assert_eq!(all.last().unwrap().to_string(), "[299]: removed 299");
    }

    /// The elements of braces in the order of their text, for their order is no change.
    fn sorted(value: &Value) -> Value {
        let by_text = |items: &[Value]| {
            let mut items: Vec<Value> = items.iter().map(sorted).collect();
            items.sort_by_key(ToString::to_string);
            items
        };
        let all = |items: &[Value]| items.iter().map(sorted).collect();
        match value {
            Value::Atom(_) => value.clone(),
            Value::Set(items) => Value::Set(by_text(items)),
            Value::List(items) => Value::List(all(items)),
            Value::Tuple { name, items } => Value::Tuple { name: name.clone(), items: all(items) },
            Value::Struct { name, fields, more } => {
                let mut fields: Vec<_> =
                    fields.iter().map(|(field, value)| (field.clone(), sorted(value))).collect();
                fields.sort_by_key(|(field, _)| field.clone());
                Value::Struct { name: name.clone(), fields, more: *more }
            }
            Value::Map { entries, more } => {
                let mut entries: Vec<_> =
                    entries.iter().map(|(key, value)| (sorted(key), sorted(value))).collect();
                entries.sort_by_key(|(key, _)| key.to_string());
                Value::Map { entries, more: *more }
            }
        }
    }

    /// What a list is after the changes that were found at its top, all by whole elements.
    fn replay(before: &[u8], found: &[Change]) -> Vec<u8> {
        let index =
            |change: &Change| change.path[1..change.path.len() - 1].parse::<usize>().unwrap();
        let mut list: Vec<Option<u8>> = before.iter().copied().map(Some).collect();
        for change in found {
            if let ChangeKind::Removed { .. } = change.kind {
                list[index(change)] = None;
            }
        }
        let mut list: Vec<u8> = list.into_iter().flatten().collect();
        for change in found {
            match &change.kind {
                ChangeKind::Removed { .. } => {}
                ChangeKind::Added { value } => list.insert(index(change), value.parse().unwrap()),
                ChangeKind::Changed { to, .. } => list[index(change)] = to.parse().unwrap(),
            }
        }
        list
    }

    proptest! {
        #[test]
        fn no_difference_is_missed(
            before in random::value_among_few(),
            after in random::value_among_few(),
        ) {
            prop_assert_eq!(before.changes_to(&before), []);
            if sorted(&before) != sorted(&after) {
                prop_assert_ne!(before.changes_to(&after), []);
            }
        }

        #[test]
        fn the_changes_of_a_list_lead_from_before_to_after(
            before in prop::collection::vec(0..6_u8, 0..12),
            after in prop::collection::vec(0..6_u8, 0..12),
        ) {
            let found = changes(&format!("{before:?}"), &format!("{after:?}"));
            prop_assert_eq!(replay(&before, &found), after);
        }

        #[test]
        fn any_two_texts_can_be_compared(
            before in random::almost_a_value(),
            after in random::almost_a_value(),
        ) {
            prop_assert_eq!(changes(&before, &before), []);
            let _ = changes(&before, &after);
        }
    }
}
