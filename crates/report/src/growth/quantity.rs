//! Quantities: what of a state can grow, read from the words of the state.

use std::fmt;

use everypath_explore::{PartText, StateText};

use crate::value::Value;

/// The names of the parts of a state that are not those of nodes or observers.
const NETWORK: &str = "network";
const TIMERS: &str = " timers";
/// The longest number in a text that counts as a number: longer ones are digests.
const DIGITS_MAX: usize = 15;

/// What of a state can grow. The paths are those of stories: `n2.next_id`, `n1.log[…].term`.
///
/// ```
/// use everypath_report::Quantity;
///
/// let packets = Quantity::Packets { from: "n0".to_owned(), to: "n1".to_owned() };
/// assert_eq!(packets.to_string(), "packets from n0 to n1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// The packets in flight from one node to another.
    Packets {
        /// Their sender.
        from: String,
        /// Their addressee.
        to: String,
    },
    /// The elements of a collection.
    Elements {
        /// Where it is.
        path: String,
    },
    /// The characters of a text.
    Characters {
        /// Where it is.
        path: String,
    },
    /// A number; of several, and of negative ones, the largest in size.
    Number {
        /// Where it is.
        path: String,
    },
    /// A number in packets; of several, the largest.
    Carried {
        /// Where it is in the message.
        path: String,
    },
    /// The timers of a node that are set.
    Timers {
        /// The node.
        node: String,
    },
}

impl Quantity {
    /// The sort of quantity, for programs.
    #[must_use]
    pub fn sort(&self) -> &'static str {
        match self {
            Self::Packets { .. } => "packets",
            Self::Elements { .. } => "elements",
            Self::Characters { .. } => "characters",
            Self::Number { .. } => "number",
            Self::Carried { .. } => "number-in-packets",
            Self::Timers { .. } => "timers",
        }
    }

    /// Where it is, for programs: a path, a node, or a link such as `n0→n1`.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Packets { from, to } => format!("{from}→{to}"),
            Self::Elements { path }
            | Self::Characters { path }
            | Self::Number { path }
            | Self::Carried { path } => path.clone(),
            Self::Timers { node } => node.clone(),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packets { from, to } => write!(f, "packets from {from} to {to}"),
            Self::Elements { path } => write!(f, "elements of `{path}`"),
            Self::Characters { path } => write!(f, "characters of `{path}`"),
            Self::Number { path } => write!(f, "`{path}`"),
            Self::Carried { path } => write!(f, "`{path}` in packets"),
            Self::Timers { node } => write!(f, "timers of {node}"),
        }
    }
}

/// One packet in words, taken apart.
pub(crate) struct PacketText<'a> {
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    pub(crate) message: &'a str,
}

impl<'a> PacketText<'a> {
    /// Takes apart what the space says of a packet: `Data(1) n0→n1`.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let (message, link) = text.rsplit_once(' ')?;
        let (from, to) = link.split_once('→')?;
        Some(Self { from, to, message })
    }

    /// The name with which the message begins, such as that of its variant.
    pub(crate) fn kind(&self) -> &'a str {
        leading_word(self.message)
    }
}

/// The name with which a value begins, such as that of its variant.
pub(crate) fn leading_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// A node or another part as paths begin with it: without the role of the node.
pub(crate) fn short(part: &str) -> &str {
    part.split_once(" (").map_or(part, |(node, _)| node)
}

/// Whether a part holds the timers of a node; if so, of which.
pub(crate) fn timers_of(part: &str) -> Option<&str> {
    part.strip_suffix(TIMERS).map(short)
}

/// Whether a part holds the packets in flight.
pub(crate) fn is_network(part: &str) -> bool {
    part == NETWORK
}

/// Whether code can read a quantity in a state by the fields that its path names, without looking into wrappers,
/// variants or collections.
pub(crate) fn is_read_by_fields(quantity: &Quantity, state: &StateText) -> bool {
    let (Quantity::Elements { path } | Quantity::Number { path }) = quantity else { return false };
    let mut names = path.split('.');
    let first = names.next();
    let part = state.parts.iter().find(|(name, _)| Some(short(name)) == first);
    let Some((_, PartText::Value(text))) = part else { return false };
    let whole = Value::parse(text);
    let found = names.try_fold(&whole, |value, name| match value {
        Value::Struct { fields, .. } => {
            fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
        }
        _ => None,
    });
    match (found, quantity) {
        (Some(Value::Atom(text)), Quantity::Number { .. }) => text.parse::<i128>().is_ok(),
        (Some(Value::List(_) | Value::Set(_) | Value::Map { .. }), Quantity::Elements { .. }) => {
            true
        }
        _ => false,
    }
}

/// Lists all quantities of a state, some of them several times.
pub(crate) fn quantities(state: &StateText) -> Vec<(Quantity, u64)> {
    let mut seen = Seen { quantities: Vec::new(), carried: false };
    for (name, part) in &state.parts {
        match part {
            PartText::Value(text) => seen.look_into(short(name), &Value::parse(text)),
            PartText::Bag(packets) if is_network(name) => seen.look_at_packets(packets),
            PartText::Bag(timers) => {
                if let Some(node) = timers_of(name) {
                    let many = timers.len() as u64;
                    seen.quantities.push((Quantity::Timers { node: node.to_owned() }, many));
                    let path = format!("timers of {node}");
                    timers.iter().for_each(|timer| seen.look_into(&path, &Value::parse(timer)));
                }
            }
        }
    }
    seen.quantities
}

/// What was seen of a state.
struct Seen {
    quantities: Vec<(Quantity, u64)>,
    /// Whether it is the content of a packet that is looked at.
    carried: bool,
}

impl Seen {
    fn look_at_packets(&mut self, packets: &[String]) {
        let mut links: Vec<((&str, &str), u64)> = Vec::new();
        let packets: Vec<_> = packets.iter().filter_map(|text| PacketText::of(text)).collect();
        for packet in &packets {
            let link = (packet.from, packet.to);
            match links.iter_mut().find(|(other, _)| *other == link) {
                Some((_, many)) => *many += 1,
                None => links.push((link, 1)),
            }
        }
        for ((from, to), many) in links {
            let (from, to) = (from.to_owned(), to.to_owned());
            self.quantities.push((Quantity::Packets { from, to }, many));
        }
        self.carried = true;
        for packet in packets {
            self.look_into(packet.kind(), &Value::parse(packet.message));
        }
        self.carried = false;
    }

    fn look_into(&mut self, path: &str, value: &Value) {
        match value {
            Value::Atom(text) => self.look_at_text(path, text),
            Value::Struct { fields, .. } => {
                fields.iter().for_each(|(field, value)| {
                    self.look_into(&format!("{path}.{field}"), value);
                });
            }
            // A wrapper adds nothing to the path, as in stories.
            Value::Tuple { items, .. } if items.len() == 1 => self.look_into(path, &items[0]),
            Value::Tuple { items, .. } => {
                for (place, item) in items.iter().enumerate() {
                    self.look_into(&format!("{path}.{place}"), item);
                }
            }
            Value::List(items) | Value::Set(items) => {
                self.count(path, items.len());
                items.iter().for_each(|item| self.look_into(&format!("{path}[…]"), item));
            }
            Value::Map { entries, .. } => {
                self.count(path, entries.len());
                for (key, value) in entries {
                    self.look_into(&format!("{path} keys"), key);
                    self.look_into(&format!("{path}[…]"), value);
                }
            }
        }
    }

    fn look_at_text(&mut self, path: &str, text: &str) {
        if text.starts_with('"') {
            let path = path.to_owned();
            let characters = text.chars().count().saturating_sub(2) as u64;
            self.quantities.push((Quantity::Characters { path }, characters));
        } else if let Some(number) = largest_number(text) {
            let path = path.to_owned();
            let carried = self.carried;
            let quantity =
                if carried { Quantity::Carried { path } } else { Quantity::Number { path } };
            self.quantities.push((quantity, number));
        }
    }

    fn count(&mut self, path: &str, elements: usize) {
        if !self.carried {
            let path = path.to_owned();
            self.quantities.push((Quantity::Elements { path }, elements as u64));
        }
    }
}

/// The largest number in a text that is not a number as a whole, as a `Debug` by hand may print it. The numbers of
/// nodes are not counted: `n12` is a name.
fn largest_number(text: &str) -> Option<u64> {
    let mut largest = None;
    let mut before = ' ';
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if !character.is_ascii_digit() {
            before = character;
            rest = &rest[character.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
        let is_name = before.is_alphanumeric() || before == '_';
        if !is_name && end <= DIGITS_MAX {
            largest = largest.max(rest[..end].replace('_', "").parse().ok());
        }
        before = '0';
        rest = &rest[end..];
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(parts: &[(&str, PartText)]) -> Vec<String> {
        let parts = parts.iter().map(|(name, part)| ((*name).to_owned(), part.clone())).collect();
        let all = quantities(&StateText { parts });
        all.into_iter().map(|(quantity, number)| format!("{quantity}: {number}")).collect()
    }

    fn bag(values: &[&str]) -> PartText {
        PartText::Bag(values.iter().map(|&value| value.to_owned()).collect())
    }

    #[test]
    fn quantities_have_the_paths_of_stories() {
        let state =
            "Sender(S { next: 7, at: (1, -2), log: [E { term: 3 }], of: {4: Some(5)}, on: Idle })";
        assert_eq!(
            all(&[("n0 (sender)", PartText::Value(state.to_owned()))]),
            [
                "`n0.next`: 7",
                "`n0.at.0`: 1",
                "`n0.at.1`: 2",
                "elements of `n0.log`: 1",
                "`n0.log[…].term`: 3",
                "elements of `n0.of`: 1",
                "`n0.of keys`: 4",
                "`n0.of[…]`: 5",
            ]
        );
    }

    #[test]
    fn packets_are_counted_by_link_and_looked_into_by_kind() {
        let packets = ["Data { seq: 3 } n0→n1", "Data { seq: 1 } n0→n1", "D0 #4 n1→n0", "odd"];
        assert_eq!(
            all(&[("network", bag(&packets)), ("links down", bag(&["n0–n1"]))]),
            [
                "packets from n0 to n1: 2",
                "packets from n1 to n0: 1",
                "`Data.seq` in packets: 3",
                "`Data.seq` in packets: 1",
                "`D0` in packets: 4",
            ]
        );
    }

    #[test]
    fn timers_and_texts_count() {
        let timers = ("n1 (client) timers", bag(&["Retry(4)", "Ping"]));
        let memory = ("said", PartText::Value("\"hello\"".to_owned()));
        assert_eq!(
            all(&[timers, memory]),
            ["timers of n1: 2", "`timers of n1`: 4", "characters of `said`: 5"]
        );
    }

    #[test]
    fn numbers_are_found_in_texts_of_any_form() {
        assert_eq!(largest_number("n0 seq 12 hops 3 via n99"), Some(12));
        assert_eq!([largest_number("Idle"), largest_number("n7"), largest_number("v2")], [None; 3]);
        assert_eq!(largest_number("-5"), Some(5));
        assert_eq!(largest_number("1234567890123456"), None);
    }
}
