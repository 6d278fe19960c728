//! The syntax of a scenario file: values, each with its position.

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use everypath_model::{Profile, parse_duration};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::error::CliError;

/// A value and its position, in bytes from the start of the file.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) value: Value,
    pub(crate) at: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Whole(i64),
    Real(f64),
    Flag(bool),
    List(Vec<Item>),
    Table(Table),
}

/// Keys and values, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table(pub(crate) Vec<Entry>);

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// The position of the key.
    pub(crate) at: usize,
    pub(crate) item: Item,
}

impl Table {
    /// The content of a file that only names a scenario.
    pub(crate) fn naming(scenario: &str, profile: Profile) -> Self {
        let mut table = Self::default();
        for (key, word) in [("scenario", scenario), ("profile", profile.name())] {
            table.set(&[key], Item { value: Value::Text(word.to_owned()), at: 0 });
        }
        table
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Item> {
        self.0.iter().find(|entry| entry.key == key).map(|entry| &entry.item)
    }

    /// Puts a value at a path of keys, and creates missing tables.
    pub(crate) fn set(&mut self, path: &[&str], item: Item) {
        let Some((key, rest)) = path.split_first() else { return };
        let at = item.at;
        let place = match self.0.iter().position(|entry| entry.key == *key) {
            Some(place) => place,
            None => {
                let item = Item { value: Value::Table(Self::default()), at };
                self.0.push(Entry { key: (*key).to_owned(), at, item });
                self.0.len() - 1
            }
        };
        let found = &mut self.0[place].item;
        match (rest, &mut found.value) {
            ([], _) => *found = item,
            (rest, Value::Table(table)) => table.set(rest, item),
            (rest, _) => {
                let mut table = Self::default();
                table.set(rest, item);
                *found = Item { value: Value::Table(table), at };
            }
        }
    }

    /// Removes a value.
    pub(crate) fn remove(&mut self, key: &str) {
        self.0.retain(|entry| entry.key != key);
    }
}

impl Value {
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_duration(&self) -> Option<Duration> {
        parse_duration(self.as_text()?)
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        match *self {
            Self::Real(number) => Some(number),
            Self::Whole(number) => Some(number as f64),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn as_whole(&self) -> Option<u64> {
        match *self {
            Self::Whole(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Item]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// In the form of a parameter, or of a cell of a table.
    pub(crate) fn to_plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// In a canonical form, independent of the spelling and the order of keys in the file.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(items) => {
                f.write_str("[")?;
                for (place, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if place > 0 { ", " } else { "" }, item.value)?;
                }
                f.write_str("]")
            }
            Self::Table(table) => write!(f, "{table}"),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entries: Vec<&Entry> = self.0.iter().collect();
        entries.sort_by(|one, other| one.key.cmp(&other.key));
        f.write_str("{")?;
        for (place, entry) in entries.into_iter().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            write!(f, "{comma}{} = {}", entry.key, entry.item.value)?;
        }
        f.write_str("}")
    }
}

/// A file, to report positions of errors in it.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    text: String,
}

impl Source {
    /// Reads a file: the source, and its content.
    pub(crate) fn read(path: &Path) -> Result<(Self, Table), CliError> {
        let text = std::fs::read_to_string(path).map_err(|error| CliError::ScenarioFile {
            what: format!("{}: cannot be read: {error}", path.display()),
            help: Some(
                "name a file in TOML; `docs/scenario-files.md` describes its keys".to_owned(),
            ),
        })?;
        let source = Self { path: path.to_owned(), text };
        let table = source.parse()?;
        Ok((source, table))
    }

    /// In place of a file, for a scenario that is named on the command line.
    pub(crate) fn none() -> Self {
        Self { path: PathBuf::new(), text: String::new() }
    }

    fn parse(&self) -> Result<Table, CliError> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, format!("this is not TOML: {}", error.message().trim()), None)
        })?;
        self.table(table.get_ref())
    }

    fn table(&self, table: &DeTable<'_>) -> Result<Table, CliError> {
        let entries = table.iter().map(|(key, value)| {
            let (key, at) = (key.get_ref().clone().into_owned(), key.span().start);
            Ok(Entry { key, at, item: self.item(value)? })
        });
        entries.collect::<Result<_, CliError>>().map(Table)
    }

    fn item(&self, value: &Spanned<DeValue<'_>>) -> Result<Item, CliError> {
        let at = value.span().start;
        let unreadable = |what: &str| self.error(at, format!("{what} cannot be used here"), None);
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.clone().into_owned()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map(Value::Whole)
                .map_err(|_| unreadable("a whole number of more than 63 bits"))?,
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(number) if number.is_finite() => Value::Real(number),
                _ => return Err(unreadable("a number that is not finite")),
            },
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(_) => return Err(unreadable("a date or a time of day")),
            DeValue::Array(items) => {
                Value::List(items.iter().map(|item| self.item(item)).collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => Value::Table(self.table(table)?),
        };
        Ok(Item { value, at })
    }

    /// An error at a position of the file.
    pub(crate) fn error(&self, at: usize, what: String, help: Option<String>) -> CliError {
        let what = match self.place(at) {
            Some(place) => format!("{place}: {what}"),
            None => what,
        };
        CliError::ScenarioFile { what, help }
    }

    /// The file, the line and the column, counted from 1.
    pub(crate) fn place(&self, at: usize) -> Option<String> {
        if self.path.as_os_str().is_empty() {
            return None;
        }
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        Some(format!("{}:{line}:{column}", self.path.display()))
    }

    /// A file that this one names, relative to its own folder.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.path.parent().map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
    }
}
