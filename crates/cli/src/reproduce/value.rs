//! Numbers in tables: ours, and published ones.

use serde::Serialize;

use crate::output::numbers::{decimal, grouped, size};

/// A number, or something else that a cell has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum Value {
    /// How many there are.
    Count(u64),
    /// Any number.
    Number(f64),
    /// Less than this.
    Below {
        /// The bound.
        below: f64,
    },
    /// More than this.
    Above {
        /// The bound.
        above: f64,
    },
    /// Words.
    Words(String),
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl From<String> for Value {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

/// What a number counts, and how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Unit {
    /// Nothing but itself.
    Plain,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Millions of bytes, where a document has them.
    Megabytes,
    /// Per cent.
    Percent,
    /// How many times as much.
    Times,
}

impl Value {
    /// For readers, with this many decimals if it is not whole.
    pub(super) fn to_text(&self, unit: Unit, decimals: usize) -> String {
        let number = |number: f64| match unit {
            Unit::Bytes => size(number as u64),
            Unit::Megabytes => format!("{} MB", signed(number, decimals)),
            Unit::Percent => format!("{number:+.decimals$} %"),
            Unit::Seconds => format!("{} s", signed(number, decimals)),
            Unit::Times => format!("{} ×", signed(number, decimals)),
            Unit::Plain => signed(number, decimals),
        };
        match self {
            Self::Count(count) if unit == Unit::Plain => grouped(*count),
            Self::Count(count) => number(*count as f64),
            Self::Number(it) => number(*it),
            Self::Below { below } => format!("< {}", number(*below)),
            Self::Above { above } => format!("> {}", number(*above)),
            Self::Words(words) => words.clone(),
        }
    }
}

fn signed(number: f64, decimals: usize) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    format!("{sign}{}", decimal(number.abs(), decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_well() {
        let text = |value: Value, unit, decimals| value.to_text(unit, decimals);
        assert_eq!(text(Value::from(4699), Unit::Plain, 2), "4,699");
        assert_eq!(text(Value::from(0.06981), Unit::Plain, 4), "0.0698");
        assert_eq!(text(Value::from(-4.25), Unit::Plain, 1), "-4.2");
        assert_eq!(text(Value::from(-4.25), Unit::Percent, 0), "-4 %");
        assert_eq!(text(Value::from(12.5), Unit::Percent, 1), "+12.5 %");
        assert_eq!(text(Value::Below { below: 0.01 }, Unit::Seconds, 2), "< 0.01 s");
        assert_eq!(text(Value::Above { above: 4.1e8 }, Unit::Plain, 0), "> 410,000,000");
        assert_eq!(text(Value::from(3_u64 << 20), Unit::Bytes, 0), "3.0 MiB");
        assert_eq!(text(Value::from(75.569), Unit::Megabytes, 3), "75.569 MB");
        assert_eq!(text(Value::from(2.0), Unit::Times, 1), "2.0 ×");
    }
}
