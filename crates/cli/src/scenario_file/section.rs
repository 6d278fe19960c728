//! A table of a scenario file, and the values of its keys.

use std::{fmt::Display, ops::RangeInclusive, time::Duration};

use everypath_model::{did_you_mean, nearest, parse_duration};

use super::document::{Item, Source, Table, Value};
use crate::error::CliError;

/// A table whose keys are all known.
#[derive(Clone, Copy)]
pub(crate) struct Section<'a> {
    pub(crate) source: &'a Source,
    /// The prefix of its keys in messages, such as `radio`.
    pub(crate) name: &'static str,
    table: &'a Table,
    /// Its position.
    pub(crate) at: usize,
}

/// The form of a duration.
pub(crate) const A_DURATION: &str = "a duration such as \"10ms\" (units: ns, us, ms, s, m, h)";

impl<'a> Section<'a> {
    /// A table with no keys but these.
    pub(crate) fn new(
        source: &'a Source,
        name: &'static str,
        table: &'a Table,
        at: usize,
        keys: &[&'static str],
    ) -> Result<Self, CliError> {
        let section = Self { source, name, table, at };
        match table.0.iter().find(|entry| !keys.contains(&entry.key.as_str())) {
            None => Ok(section),
            Some(stranger) => {
                let help = did_you_mean(&stranger.key, keys.iter().copied());
                let what = format!("there is no key `{}`", section.path(&stranger.key));
                Err(source.error(stranger.at, what, Some(help)))
            }
        }
    }

    /// The table under a key, if there is one.
    pub(crate) fn below(
        self,
        key: &'static str,
        keys: &[&'static str],
    ) -> Result<Option<Self>, CliError> {
        let Some(item) = self.get(key) else { return Ok(None) };
        match &item.value {
            Value::Table(table) => Self::new(self.source, key, table, item.at, keys).map(Some),
            _ => Err(self.refuse(key, item, "a table: write it as [".to_owned() + key + "]")),
        }
    }

    /// The tables under a key that has several.
    pub(crate) fn each_below(
        self,
        key: &'static str,
        keys: &[&'static str],
    ) -> Result<Vec<Self>, CliError> {
        let expected = || format!("tables: write each as [[{key}]]");
        self.list(key, expected)?
            .iter()
            .map(|item| match &item.value {
                Value::Table(table) => Self::new(self.source, key, table, item.at, keys),
                _ => Err(self.refuse(key, item, expected())),
            })
            .collect()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Item> {
        self.table.get(key)
    }

    /// A key with its prefix.
    pub(crate) fn path(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// The error for a value that the key does not accept.
    pub(crate) fn refuse(&self, key: &str, item: &Item, expected: impl Display) -> CliError {
        let mut value = item.value.to_string();
        if value.chars().count() > 60 {
            value = value.chars().take(57).collect::<String>() + "…";
        }
        let what = format!("`{}` is {value}; it takes {expected}", self.path(key));
        self.source.error(item.at, what, None)
    }

    /// An error at a key, or at the section if the key is missing.
    pub(crate) fn error(&self, key: &str, what: impl Display, help: Option<String>) -> CliError {
        let at = self.get(key).map_or(self.at, |item| item.at);
        self.source.error(at, format!("`{}`: {what}", self.path(key)), help)
    }

    /// Requires a key.
    pub(crate) fn needed<T>(&self, key: &str, found: Option<T>, why: &str) -> Result<T, CliError> {
        found.ok_or_else(|| {
            let what = format!("the key `{}` is missing", self.path(key));
            self.source.error(self.at, what, Some(why.to_owned()))
        })
    }

    /// Refuses two keys that exclude each other.
    pub(crate) fn only_one(&self, one: &str, other: &str) -> Result<(), CliError> {
        if self.get(one).is_some() && self.get(other).is_some() {
            let what = format!("it cannot be combined with `{}`", self.path(other));
            return Err(self.error(one, what, Some("remove one of them".to_owned())));
        }
        Ok(())
    }

    pub(crate) fn text(&self, key: &str, expected: &str) -> Result<Option<&'a str>, CliError> {
        self.get(key)
            .map(|item| match &item.value {
                Value::Text(text) => Ok(text.as_str()),
                _ => Err(self.refuse(key, item, expected)),
            })
            .transpose()
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(
        &self,
        key: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, CliError> {
        let Some(item) = self.get(key) else { return Ok(None) };
        let names = || words.iter().map(|(word, _)| *word);
        let text = item.value.to_plain();
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(Some(*value));
        }
        let quoted: Vec<String> = names().map(|word| format!("{word:?}")).collect();
        let expected = format!("one of {}", quoted.join(", "));
        let what = format!("`{}` is {}; it takes {expected}", self.path(key), item.value);
        let help = nearest(&text, names()).map(|near| format!("did you mean \"{near}\"?"));
        Err(self.source.error(item.at, what, help))
    }

    pub(crate) fn duration(&self, key: &str) -> Result<Option<Duration>, CliError> {
        self.get(key).map(|item| self.as_duration(key, item)).transpose()
    }

    pub(crate) fn as_duration(&self, key: &str, item: &Item) -> Result<Duration, CliError> {
        match &item.value {
            Value::Text(text) => parse_duration(text),
            _ => None,
        }
        .ok_or_else(|| self.refuse(key, item, A_DURATION))
    }

    /// A number in a range.
    pub(crate) fn number(
        &self,
        key: &str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, CliError> {
        self.get(key).map(|item| self.as_number(key, item, range)).transpose()
    }

    pub(crate) fn as_number(
        &self,
        key: &str,
        item: &Item,
        range: RangeInclusive<f64>,
    ) -> Result<f64, CliError> {
        let number = match item.value {
            Value::Real(number) => Some(number),
            Value::Whole(number) => Some(number as f64),
            _ => None,
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            self.refuse(key, item, format_args!("a number from {least} to {most}"))
        })
    }

    /// A whole number in a range.
    pub(crate) fn whole(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, CliError> {
        self.get(key).map(|item| self.as_whole(key, item, range)).transpose()
    }

    pub(crate) fn as_whole(
        &self,
        key: &str,
        item: &Item,
        range: RangeInclusive<u64>,
    ) -> Result<u64, CliError> {
        let number = match item.value {
            Value::Whole(number) => u64::try_from(number).ok(),
            _ => None,
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let expected = match *most {
                // The largest number in a file.
                u64::MAX => format!("a whole number from {least} on"),
                most => format!("a whole number from {least} to {most}"),
            };
            self.refuse(key, item, expected)
        })
    }

    /// A list, empty if the key is missing.
    pub(crate) fn list(
        &self,
        key: &str,
        expected: impl FnOnce() -> String,
    ) -> Result<&'a [Item], CliError> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Item { value: Value::List(items), .. }) => Ok(items),
            Some(item) => Err(self.refuse(key, item, expected())),
        }
    }

    /// Two numbers in a list.
    pub(crate) fn pair(
        &self,
        key: &str,
        range: &RangeInclusive<f64>,
        what: &str,
    ) -> Result<Option<(f64, f64)>, CliError> {
        let Some(item) = self.get(key) else { return Ok(None) };
        match &item.value {
            Value::List(items) if items.len() == 2 => {
                let number = |place: usize| self.as_number(key, &items[place], range.clone());
                Ok(Some((number(0)?, number(1)?)))
            }
            _ => Err(self.refuse(key, item, format_args!("two numbers in a list: {what}"))),
        }
    }
}
