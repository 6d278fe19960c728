//! The keys of a scenario file: what they take, what they are, and which of them go together.
//!
//! Files are checked against these tables ([`Section::check`](super::Section::check)), and the schema of scenario files
//! is generated from them.

use std::{fmt, ops::RangeInclusive};

use super::Value;

/// The keys of a table.
pub(super) struct Keys {
    /// The prefix of the keys in messages, such as `radio`; empty outside of tables.
    pub(super) name: &'static str,
    /// In groups, some of which several tables share.
    pub(super) groups: &'static [&'static [Key]],
    pub(super) rules: &'static [&'static [Rule]],
}

impl Keys {
    pub(super) fn all(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.groups.iter().copied().flatten()
    }

    pub(super) fn find(&self, name: &str) -> Option<&'static Key> {
        self.all().find(|key| key.name == name)
    }
}

pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    /// A description: a noun without a full stop.
    pub(super) about: &'static str,
}

pub(super) const fn key(name: &'static str, takes: Takes, about: &'static str) -> Key {
    Key { name, takes, about }
}

/// The values that a key takes.
pub(super) enum Takes {
    /// Any text.
    Text,
    /// Exactly this text.
    Word(&'static str),
    /// One of a few texts.
    Words(fn() -> Vec<String>),
    Duration,
    Number(RangeInclusive<f64>),
    Whole(RangeInclusive<u64>),
    List {
        of: &'static Takes,
        count: RangeInclusive<usize>,
        /// In words.
        form: &'static str,
    },
    OneOf {
        all: &'static [Takes],
        /// In words.
        form: &'static str,
    },
    Table(&'static Keys),
    /// Tables with the same keys, each of which is written as `[[key]]`.
    Tables(&'static Keys),
    /// A table with keys of a scenario.
    Parameters,
    /// A table that the module `sweep` reads.
    Sweep,
}

impl Takes {
    /// A list of any length.
    pub(super) const fn list(of: &'static Self, form: &'static str) -> Self {
        Self::List { of, count: 0..=usize::MAX, form }
    }

    /// A list of two numbers.
    pub(super) const fn pair(of: &'static Self, form: &'static str) -> Self {
        Self::List { of, count: 2..=2, form }
    }

    /// The keys of the tables among the values.
    pub(super) fn keys(&self) -> Option<&'static Keys> {
        match self {
            Self::Table(keys) | Self::Tables(keys) => Some(keys),
            Self::OneOf { all, .. } => all.iter().find_map(Self::keys),
            _ => None,
        }
    }

    /// Whether the key takes the value; items of lists and keys of tables are not looked at.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        match self {
            Self::Text => value.as_text().is_some(),
            Self::Word(word) => value.as_text() == Some(word),
            Self::Words(words) => value.as_text().is_some_and(|it| words().iter().any(|w| w == it)),
            Self::Duration => value.as_duration().is_some(),
            Self::Number(range) => value.as_number().is_some_and(|it| range.contains(&it)),
            Self::Whole(range) => value.as_whole().is_some_and(|it| range.contains(&it)),
            Self::List { count, .. } => value.as_list().is_some_and(|it| count.contains(&it.len())),
            Self::OneOf { all, .. } => all.iter().any(|takes| takes.accepts(value)),
            Self::Table(_) | Self::Parameters => matches!(value, Value::Table(_)),
            Self::Tables(_) => value.as_list().is_some(),
            Self::Sweep => true,
        }
    }
}

/// The values in words, after "it takes".
impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("a text"),
            Self::List { form, .. } | Self::OneOf { form, .. } => f.write_str(form),
            Self::Word(word) => write!(f, "{word:?}"),
            Self::Words(words) => {
                let words: Vec<String> = words().iter().map(|word| format!("{word:?}")).collect();
                write!(f, "one of {}", words.join(", "))
            }
            Self::Duration => {
                f.write_str("a duration such as \"10ms\" (units: ns, us, ms, s, m, h)")
            }
            Self::Number(range) => write!(f, "a number from {} to {}", range.start(), range.end()),
            Self::Whole(range) => match *range.end() {
                // More than the largest number in a file.
                u64::MAX => write!(f, "a whole number from {} on", range.start()),
                most => write!(f, "a whole number from {} to {most}", range.start()),
            },
            Self::Table(keys) => write!(f, "a table: write it as [{}]", keys.name),
            Self::Tables(keys) => write!(f, "tables: write each as [[{}]]", keys.name),
            Self::Parameters => f.write_str("a table: write it as [parameters]"),
            Self::Sweep => f.write_str("a table: write it as [sweep]"),
        }
    }
}

/// Which keys go together. The last text of a rule is the remedy.
pub(super) enum Rule {
    /// All of these are required.
    All(&'static [&'static str], &'static str),
    /// At least one of these is required.
    Any(&'static [&'static str], &'static str),
    /// The first requires the second.
    Needs(&'static str, &'static str, &'static str),
    /// The first cannot be combined with the second.
    NotBoth(&'static str, &'static str),
}
