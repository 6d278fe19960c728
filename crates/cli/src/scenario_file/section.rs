//! A table of a scenario file, and the values of its keys.

use std::{fmt::Display, time::Duration};

use clap::ValueEnum;
use everypath_model::{NodeId, did_you_mean, nearest};

use super::{
    document::{Item, Source, Table, Value},
    keys::{Key, Keys, Rule, Takes},
};
use crate::error::CliError;

/// A table and the keys that it can have.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    pub(super) source: &'a Source,
    keys: &'static Keys,
    table: &'a Table,
    /// Its position.
    pub(super) at: usize,
}

/// Checking.
impl<'a> Section<'a> {
    pub(super) fn new(source: &'a Source, keys: &'static Keys, table: &'a Table) -> Self {
        Self { source, keys, table, at: 0 }
    }

    /// Refuses unknown keys, values that a key does not take, and keys that do not go together; also in the tables of this
    /// one.
    pub(super) fn check(self) -> Result<(), CliError> {
        for entry in &self.table.0 {
            let Some(key) = self.keys.find(&entry.key) else {
                let help = did_you_mean(&entry.key, self.keys.all().map(|key| key.name));
                let what = format!("there is no key `{}`", self.path(&entry.key));
                return Err(self.source.error(entry.at, what, Some(help)));
            };
            self.check_value(key, &key.takes, &entry.item)?;
        }
        self.keys.rules.iter().copied().flatten().try_for_each(|rule| self.check_rule(rule))
    }

    fn check_value(self, key: &Key, takes: &Takes, item: &Item) -> Result<(), CliError> {
        let refused = || match key.takes {
            Takes::Text => Err(self.refuse(key.name, item, key.about)),
            _ => Err(self.refuse(key.name, item, takes)),
        };
        match (takes, &item.value) {
            (Takes::OneOf { all, .. }, _) => match all.iter().find(|it| it.accepts(&item.value)) {
                Some(takes) => self.check_value(key, takes, item),
                None => refused(),
            },
            _ if !takes.accepts(&item.value) => refused(),
            (Takes::List { of, .. }, Value::List(items)) => {
                items.iter().try_for_each(|item| self.check_value(key, of, item))
            }
            (Takes::Table(keys), Value::Table(table)) => self.inner(keys, table, item.at).check(),
            (Takes::Tables(keys), Value::List(items)) => {
                items.iter().try_for_each(|item| match &item.value {
                    Value::Table(table) => self.inner(keys, table, item.at).check(),
                    _ => Err(self.refuse(key.name, item, takes)),
                })
            }
            (Takes::Parameters, Value::Table(table)) => table.0.iter().try_for_each(|entry| {
                let (Value::List(_) | Value::Table(_)) = entry.item.value else { return Ok(()) };
                let path = format!("{}.{}", key.name, entry.key);
                Err(self.refuse(&path, &entry.item, "a text, a number, true or false"))
            }),
            _ => Ok(()),
        }
    }

    fn check_rule(self, rule: &Rule) -> Result<(), CliError> {
        let has = |key: &str| self.has(self.known(key).name);
        let missing = |key: &str, why: &str| self.needed(key, None::<()>, why);
        match rule {
            Rule::All(keys, why) => match keys.iter().find(|key| !has(key)) {
                Some(key) => missing(key, why),
                None => Ok(()),
            },
            Rule::Any(keys, why) if !keys.iter().any(|key| has(key)) => missing(keys[0], why),
            Rule::Needs(one, other, why) if has(one) && !has(other) => missing(other, why),
            Rule::NotBoth(one, other) if has(one) && has(other) => {
                let what = format!("it cannot be combined with `{}`", self.path(other));
                Err(self.error(one, what, Some("remove one of them".to_owned())))
            }
            Rule::Any(..) | Rule::Needs(..) | Rule::NotBoth(..) => Ok(()),
        }
    }

    fn inner(self, keys: &'static Keys, table: &'a Table, at: usize) -> Self {
        Self { source: self.source, keys, table, at }
    }
}

/// Errors.
impl Section<'_> {
    /// The prefix of its keys in messages, such as `radio`.
    pub(super) fn name(&self) -> &'static str {
        self.keys.name
    }

    /// A key with its prefix.
    pub(super) fn path(&self, key: &str) -> String {
        if self.name().is_empty() { key.to_owned() } else { format!("{}.{key}", self.name()) }
    }

    /// The error for a value that the key does not take.
    pub(super) fn refuse(&self, key: &str, item: &Item, expected: impl Display) -> CliError {
        let mut value = item.value.to_string();
        if value.chars().count() > 60 {
            value = value.chars().take(57).collect::<String>() + "…";
        }
        let what = format!("`{}` is {value}; it takes {expected}", self.path(key));
        let help = self.keys.find(key).and_then(|key| help(key, &item.value));
        self.source.error(item.at, what, help)
    }

    /// An error at a key, or at the section if the key is missing.
    pub(super) fn error(&self, key: &str, what: impl Display, help: Option<String>) -> CliError {
        let at = self.get(key).map_or(self.at, |item| item.at);
        self.source.error(at, format!("`{}`: {what}", self.path(key)), help)
    }

    /// Requires a key.
    pub(super) fn needed<T>(&self, key: &str, found: Option<T>, why: &str) -> Result<T, CliError> {
        found.ok_or_else(|| {
            let what = format!("the key `{}` is missing", self.path(key));
            self.source.error(self.at, what, Some(why.to_owned()))
        })
    }

    /// Refuses a key that has no effect: the first for which `has_effect` is false.
    pub(super) fn refuse_unused(
        &self,
        has_effect: impl Fn(&str) -> bool,
        what: impl Display,
        help: &str,
    ) -> Result<(), CliError> {
        let given = self.keys.all().map(|key| key.name).filter(|key| self.has(key));
        match given.into_iter().find(|key| !has_effect(key)) {
            Some(key) => Err(self.error(key, what, Some(help.to_owned()))),
            None => Ok(()),
        }
    }
}

/// The remedy for a wrong value: the word that was probably meant, or the description of the key.
fn help(key: &Key, value: &Value) -> Option<String> {
    match &key.takes {
        Takes::Words(words) => {
            let (words, given) = (words(), value.to_plain());
            let near = nearest(&given, words.iter().map(String::as_str))?;
            Some(format!("did you mean \"{near}\"?"))
        }
        // Its description is already in the message.
        Takes::Text => None,
        takes if takes.keys().is_some() => None,
        _ => Some(format!("`{}` is {}", key.name, key.about)),
    }
}

/// Values, which have been checked.
///
/// # Panics
/// If the table of keys does not have the key, or has it with other values: the reader and the table disagree.
impl<'a> Section<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&'a Item> {
        self.table.get(self.known(key).name)
    }

    /// Whether a key is given.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// The values that a key takes.
    pub(super) fn expected(&self, key: &str) -> &'static Takes {
        &self.known(key).takes
    }

    fn known(&self, name: &str) -> &'static Key {
        let key = self.keys.find(name);
        key.unwrap_or_else(|| panic!("`{}` is not a known key", self.path(name)))
    }

    fn as_kind<T>(&self, key: &str, convert: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        self.get(key).map(|item| convert(&item.value).expect("the values of a file are checked"))
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.as_kind(key, Value::as_text)
    }

    /// One of a few words.
    pub(super) fn word<T: ValueEnum>(&self, key: &str) -> Option<T> {
        self.as_kind(key, |value| T::from_str(value.as_text()?, false).ok())
    }

    pub(super) fn duration(&self, key: &str) -> Option<Duration> {
        self.as_kind(key, Value::as_duration)
    }

    pub(super) fn number(&self, key: &str) -> Option<f64> {
        self.as_kind(key, Value::as_number)
    }

    pub(super) fn whole(&self, key: &str) -> Option<u64> {
        self.as_kind(key, Value::as_whole)
    }

    /// A list, empty if the key is missing.
    pub(super) fn list(&self, key: &str) -> &'a [Item] {
        self.as_kind(key, Value::as_list).unwrap_or_default()
    }

    /// Two numbers in a list.
    pub(super) fn pair(&self, key: &str) -> Option<(f64, f64)> {
        self.as_kind(key, |value| match value.as_list()? {
            [one, other] => one.value.as_number().zip(other.value.as_number()),
            _ => None,
        })
    }

    /// A node of a scenario with this many.
    pub(super) fn node(&self, key: &str, item: &Item, nodes: usize) -> Result<NodeId, CliError> {
        let known = Takes::Whole(0..=nodes.saturating_sub(1) as u64);
        match item.value.as_whole().filter(|_| known.accepts(&item.value)) {
            Some(node) => Ok(NodeId::from(node as usize)),
            None => Err(self.refuse(key, item, known)),
        }
    }

    /// The table under a key, if there is one.
    pub(super) fn below(&self, key: &str) -> Option<Self> {
        let keys = self.expected(key).keys().expect("it takes a table");
        match self.get(key)? {
            Item { value: Value::Table(table), at } => Some(self.inner(keys, table, *at)),
            _ => None,
        }
    }

    /// The tables under a key that has several.
    pub(super) fn each_below(&self, key: &str) -> Vec<Self> {
        let keys = self.expected(key).keys().expect("it takes tables");
        let inner = |item: &'a Item| match &item.value {
            Value::Table(table) => Some(self.inner(keys, table, item.at)),
            _ => None,
        };
        self.list(key).iter().filter_map(inner).collect()
    }
}
