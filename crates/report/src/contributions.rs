//! What the states of a space differ in: how much each part contributes to their number.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write,
};

use everypath_explore::{DepthSample, Described, PartText, StateText};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::{
    Table, grouped,
    growth::{PacketText, is_network, short, timers_of},
    value::Value,
};

/// How many values of parts are kept at most: of states with many parts, fewer states are compared.
const VALUES_MAX: usize = 4_000_000;
/// How many rows a text has.
const ROWS_MAX: usize = 20;

/// What each part of the states contributes to their number.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../explore/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, Stop, explore};
/// use everypath_report::Contributions;
///
/// let mut space = ModelSpace::new(Counter);
/// let options = Options::default().max_depth(3).stop(Stop::Never).sample(100);
/// let found = explore(&mut space, &options, &mut ()).unwrap();
/// let contributions = Contributions::of(&found.sample, &space);
/// // The states have one part, without which they are all the same.
/// let only = &contributions.parts[0];
/// assert_eq!((only.values, only.states_without), (contributions.states, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contributions {
    /// How many states were compared.
    pub states: u64,
    /// How many of them differ in what is shown. The others differ from one of these in remaining fault budgets, or in
    /// the order of packets on several links.
    pub states_shown: u64,
    /// The parts of states, those first that contribute most.
    pub parts: Vec<Contribution>,
}

/// What one part of the states contributes to their number.
///
/// ```
/// use everypath_report::Contribution;
///
/// /// Whether states differ there at all.
/// fn differ(contribution: &Contribution) -> bool {
///     contribution.values > 1
/// }
/// # let _ = differ;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contribution {
    /// The part: a node, a field, the packets on a link, the memory of an observer.
    pub part: String,
    /// How many different values it has.
    pub values: u64,
    /// How many states there would be if it were the same in all.
    pub states_without: u64,
}

impl Contributions {
    /// Compares the states of a sample.
    #[must_use]
    pub fn of(sample: &[DepthSample], space: &dyn Described) -> Self {
        let states: Vec<_> = sample.iter().flat_map(|at| &at.states).collect();
        let Some(last) = states.last() else { return Self::default() };
        let parts = parts_of(&space.state_text(**last)).len().max(1);
        let step = states.len().div_ceil((VALUES_MAX / parts).max(1));
        let mut columns = Columns::default();
        for &&state in states.iter().step_by(step) {
            columns.add(&space.state_text(state));
        }
        columns.contributions()
    }

    /// As a table, with a title; the parts that contribute nothing are not in it.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut table = Table::new(["states differ in", "values", "states without it"]);
        let shown: Vec<_> = self.parts.iter().filter(|part| part.values > 1).collect();
        for part in shown.iter().take(ROWS_MAX) {
            table.push([part.part.clone(), grouped(part.values), grouped(part.states_without)]);
        }
        if self.states_shown < self.states {
            let rest = "fault budgets left, or the order of packets".to_owned();
            table.push([rest, String::new(), grouped(self.states_shown)]);
        }
        let mut text = format!("{} states were compared\n\n", grouped(self.states));
        text += &table.to_text();
        if shown.len() > ROWS_MAX {
            let _ = writeln!(text, "and {} more", shown.len() - ROWS_MAX);
        }
        text
    }
}

/// The values of all parts in all states, as digests.
#[derive(Default)]
struct Columns {
    states: usize,
    /// By part: the digest of its value in each state, with the part's name; 0 where it is missing.
    parts: BTreeMap<String, Vec<u64>>,
}

impl Columns {
    fn add(&mut self, state: &StateText) {
        for (part, value) in parts_of(state) {
            let seed = xxh3_64(part.as_bytes());
            let column = self.parts.entry(part).or_default();
            column.resize(self.states + 1, 0);
            // Several values of a part, such as the packets on a link, count together and in their order.
            let last = &mut column[self.states];
            *last = xxh3_64_with_seed(value.as_bytes(), seed ^ *last);
        }
        self.states += 1;
    }

    fn contributions(mut self) -> Contributions {
        let states = self.states;
        self.parts.values_mut().for_each(|column| column.resize(states, 0));
        let is_single = |part: &str| !part.ends_with(WHOLE);
        let mut all = vec![0_u64; states];
        for (_, column) in self.parts.iter().filter(|(part, _)| is_single(part)) {
            add_to(&mut all, column);
        }
        // The parts of a whole, such as the fields of a node, are in the rows above as well.
        let mut parts: Vec<Contribution> = self
            .parts
            .iter()
            .map(|(part, column)| {
                let mut rest = all.clone();
                for (own, own_column) in &self.parts {
                    if own == part && is_single(part) || is_part_of(own, part) {
                        subtract_from(&mut rest, own_column);
                    }
                }
                let part = part.strip_suffix(WHOLE).unwrap_or(part).to_owned();
                let (values, states_without) = (distinct(column), distinct(&rest));
                Contribution { part, values, states_without }
            })
            .collect();
        // What has no fields is one part.
        let wholes: BTreeMap<String, u64> =
            parts.iter().map(|it| (it.part.clone(), it.states_without)).collect();
        parts.retain(|it| {
            let whole = it.part.strip_suffix(VARIANT).and_then(|whole| wholes.get(whole));
            whole != Some(&it.states_without)
        });
        parts.sort_by_key(|part| part.states_without);
        Contributions { states: states as u64, states_shown: distinct(&all), parts }
    }
}

fn add_to(sums: &mut [u64], column: &[u64]) {
    sums.iter_mut().zip(column).for_each(|(sum, value)| *sum = sum.wrapping_add(*value));
}

fn subtract_from(sums: &mut [u64], column: &[u64]) {
    sums.iter_mut().zip(column).for_each(|(sum, value)| *sum = sum.wrapping_sub(*value));
}

fn distinct(values: &[u64]) -> u64 {
    values.iter().collect::<HashSet<_>>().len() as u64
}

/// Marks a part that consists of others.
const WHOLE: &str = "\0";
/// Marks the name of a struct or variant whose fields are parts of their own.
const VARIANT: &str = " (variant)";
const PACKETS: &str = "packets";

/// Whether a single part belongs to a whole.
fn is_part_of(single: &str, whole: &str) -> bool {
    let Some(whole) = whole.strip_suffix(WHOLE) else { return false };
    single.strip_prefix(whole).is_some_and(|rest| match whole {
        PACKETS => rest.starts_with(" from "),
        _ => rest.is_empty() || rest.starts_with('.') || rest == VARIANT,
    })
}

/// The parts of a state with their values: each node and its fields, its timers, the packets on each link, and all
/// else.
fn parts_of(state: &StateText) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    for (name, part) in &state.parts {
        match part {
            PartText::Value(text) => {
                let whole = short(name);
                let leaves = Value::parse(text).leaves();
                parts.push((format!("{whole}{WHOLE}"), text.clone()));
                for leaf in leaves {
                    let dot = if leaf.path.is_empty() { "" } else { "." };
                    let is_variant = leaf.is_name || leaf.path.is_empty();
                    let variant = if is_variant { VARIANT } else { "" };
                    parts.push((format!("{whole}{dot}{}{variant}", leaf.path), leaf.value));
                }
            }
            PartText::Bag(packets) if is_network(name) => {
                parts.push((format!("{PACKETS}{WHOLE}"), packets.join(", ")));
                for packet in packets.iter().filter_map(|text| PacketText::of(text)) {
                    let link = format!("{PACKETS} from {} to {}", packet.from, packet.to);
                    parts.push((link, packet.message.to_owned()));
                }
            }
            PartText::Bag(values) => {
                let name = timers_of(name).map_or(name.clone(), |node| format!("timers of {node}"));
                parts.push((name, values.join(", ")));
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn compared(states: &[StateText]) -> Contributions {
        let mut columns = Columns::default();
        states.iter().for_each(|state| columns.add(state));
        columns.contributions()
    }

    fn state(node: &str, packets: &[String]) -> StateText {
        let node = ("n0 (a)".to_owned(), PartText::Value(node.to_owned()));
        StateText { parts: vec![node, ("network".to_owned(), PartText::Bag(packets.to_vec()))] }
    }

    fn row<'a>(all: &'a Contributions, part: &str) -> &'a Contribution {
        all.parts.iter().find(|it| it.part == part).unwrap_or_else(|| panic!("no {part}: {all:?}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The numbers are those of sets of whatever is left when a part is removed.
        #[test]
        fn each_part_counts_as_if_it_were_removed(
            states in prop::collection::vec((0..4_u8, 0..3_u8, 0..3_usize), 1..40)
        ) {
            let texts: Vec<StateText> = states
                .iter()
                .map(|(a, b, packets)| state(&format!("S {{ a: {a}, b: {b} }}"), &vec!["D n0→n1".to_owned(); *packets]))
                .collect();
            let all = compared(&texts);
            fn count<T: std::hash::Hash + Eq>(of: impl Iterator<Item = T>) -> u64 {
                of.collect::<HashSet<_>>().len() as u64
            }
            prop_assert_eq!(all.states_shown, count(states.iter()));
            let a = row(&all, "n0.a");
            prop_assert_eq!(a.values, count(states.iter().map(|it| it.0)));
            prop_assert_eq!(a.states_without, count(states.iter().map(|it| (it.1, it.2))));
            let node = row(&all, "n0");
            prop_assert_eq!(node.values, count(states.iter().map(|it| (it.0, it.1))));
            prop_assert_eq!(node.states_without, count(states.iter().map(|it| it.2)));
            let packets = row(&all, "packets");
            prop_assert_eq!(packets.values, count(states.iter().map(|it| it.2)));
            prop_assert_eq!(packets.states_without, count(states.iter().map(|it| (it.0, it.1))));
        }
    }

    #[test]
    fn a_node_without_fields_is_one_row() {
        let all = compared(&[state("1", &[]), state("2", &[])]);
        assert_eq!(row(&all, "n0").states_without, 1);
        assert_eq!(all.parts.iter().filter(|it| it.part == "n0").count(), 1);
    }

    #[test]
    fn equal_texts_of_different_states_are_counted_apart() {
        let all = compared(&[state("1", &[]), state("1", &[])]);
        assert_eq!((all.states, all.states_shown), (2, 1));
        assert!(all.to_text().contains("\nfault budgets left, or the order of packets "));
    }
}
