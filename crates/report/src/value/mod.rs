//! Values read back from their `Debug` output: parsed into a tree, printed, compared.
//!
//! [`Value::parse`] understands the compact form (`{:?}`) of derived `Debug`. A part that it does
//! not understand, because a `Debug` was written by hand, becomes an atom: parsing never fails,
//! never loses text, and printing the tree gives back the text it was read from.
//!
//! [`changes`] is the difference of two such texts, as a protocol designer wants to read it;
//! [`Value::leaves`] is what one of them holds, line by line.

use std::fmt;

mod changes;
mod leaves;
mod parser;

pub use changes::{Change, ChangeKind, changes};
pub use leaves::Leaf;

/// What a `Debug` printed, as a tree.
///
/// ```
/// use everypath_report::value::Value;
///
/// let text = "Sender { bit: true, queue: [Data(1), Data(2)] }";
/// let value = Value::parse(text);
/// let Value::Struct { name, fields, .. } = &value else { panic!("not a struct") };
/// assert_eq!(name, "Sender");
/// assert_eq!(fields[0], ("bit".to_owned(), Value::Atom("true".to_owned())));
/// assert_eq!(value.to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number, a string or character with its quotes, a name that stands alone, or text in a
    /// form that is not understood.
    Atom(String),
    /// `Name { field: value }`.
    Struct {
        /// The name of the struct or variant.
        name: String,
        /// The fields, in order.
        fields: Vec<(String, Value)>,
        /// Whether there are fields that were not printed: `Name { field: value, .. }`.
        more: bool,
    },
    /// `Name(value, value)`, or `(value, value)` without a name.
    Tuple {
        /// The name of the struct or variant; empty for a plain tuple.
        name: String,
        /// The elements, in order.
        items: Vec<Value>,
    },
    /// `[value, value]`.
    List(Vec<Value>),
    /// `{value, value}`, and `{}`, which may be a map as well.
    Set(Vec<Value>),
    /// `{key: value}`.
    Map {
        /// The keys and their values, as printed.
        entries: Vec<(Value, Value)>,
        /// Whether there are entries that were not printed: `{key: value, ..}`.
        more: bool,
    },
}

impl Value {
    /// Reads what a `Debug` printed in its compact form. Every text is some value.
    ///
    /// ```
    /// use everypath_report::value::Value;
    ///
    /// assert_eq!(Value::parse("[1]"), Value::List(vec![Value::Atom("1".to_owned())]));
    /// // A text in no known form is kept as it is.
    /// assert_eq!(Value::parse("<<odd>>"), Value::Atom("<<odd>>".to_owned()));
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        parser::parse(text)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(text) => f.write_str(text),
            Self::Struct { name, fields, more } => write_struct(f, name, fields, *more),
            Self::Tuple { name, items } => {
                write!(f, "{name}(")?;
                write_separated(f, items, |f, item| item.fmt(f))?;
                // Rust prints a lone element so, to distinguish it from an expression in parentheses.
                f.write_str(if name.is_empty() && items.len() == 1 { ",)" } else { ")" })
            }
            Self::List(items) => {
                f.write_str("[")?;
                write_separated(f, items, |f, item| item.fmt(f))?;
                f.write_str("]")
            }
            Self::Set(items) => {
                f.write_str("{")?;
                write_separated(f, items, |f, item| item.fmt(f))?;
                f.write_str("}")
            }
            Self::Map { entries, more } => {
                f.write_str("{")?;
                write_separated(f, entries, |f, (key, value)| write!(f, "{key}: {value}"))?;
                f.write_str(if *more { ", ..}" } else { "}" })
            }
        }
    }
}

fn write_struct(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    fields: &[(String, Value)],
    more: bool,
) -> fmt::Result {
    write!(f, "{name} {{ ")?;
    write_separated(f, fields, |f, (field, value)| write!(f, "{field}: {value}"))?;
    f.write_str(match (more, fields.is_empty()) {
        (true, true) => ".. }",
        (true, false) => ", .. }",
        (false, _) => " }",
    })
}

fn write_separated<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod random {
    //! Random values and texts for the properties of this module.

    use proptest::{collection::vec, prelude::*};

    use super::Value;

    const NAME: &str = "[A-Za-z_][A-Za-z0-9_]{0,6}";

    fn leaf() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<i64>().prop_map(|number| format!("{number:?}")),
            any::<f64>().prop_map(|number| format!("{number:?}")),
            any::<String>().prop_map(|text| format!("{text:?}")),
            any::<char>().prop_map(|character| format!("{character:?}")),
            NAME,
        ]
        .prop_map(Value::Atom)
    }

    fn node(name: &'static str, inner: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
        let fields = vec((name, inner.clone()), 1..5);
        let entries = vec((inner.clone(), inner.clone()), 1..5);
        prop_oneof![
            (name, fields, any::<bool>()).prop_map(|(name, fields, more)| Value::Struct {
                name,
                fields,
                more
            }),
            (prop_oneof![name, ""], vec(inner.clone(), 0..4))
                .prop_map(|(name, items)| Value::Tuple { name, items }),
            vec(inner.clone(), 0..6).prop_map(Value::List),
            vec(inner, 0..5).prop_map(Value::Set),
            (entries, any::<bool>()).prop_map(|(entries, more)| Value::Map { entries, more }),
        ]
    }

    /// A value such as derived `Debug` can print.
    pub(crate) fn value() -> impl Strategy<Value = Value> {
        leaf().prop_recursive(5, 60, 5, |inner| node(NAME, inner.boxed()))
    }

    /// One of so few values that two of them often have much in common.
    pub(crate) fn value_among_few() -> impl Strategy<Value = Value> {
        "[01]".prop_map(Value::Atom).prop_recursive(3, 12, 3, |inner| node("[AB]", inner.boxed()))
    }

    /// Text that looks like a value at first, and often is not one.
    pub(crate) fn almost_a_value() -> impl Strategy<Value = String> {
        let pieces = [
            "A", "b", "1", "-2.5", "\"", "'", "\\", "\"x, y\"", "'}'", ", ", ",", ": ", ":", " ",
            " { ", " }", "{", "}", "[", "]", "(", ")", "..", ", ..", "é",
        ];
        vec(prop::sample::select(pieces.to_vec()), 0..40).prop_map(|pieces| pieces.concat())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_tree_that_is_printed_is_read_back(value in random::value()) {
            prop_assert_eq!(Value::parse(&value.to_string()), value);
        }

        #[test]
        fn a_text_that_is_read_is_printed_back(text in any::<String>()) {
            prop_assert_eq!(Value::parse(&text).to_string(), text);
        }

        #[test]
        fn a_text_that_is_almost_a_value_is_printed_back(text in random::almost_a_value()) {
            prop_assert_eq!(Value::parse(&text).to_string(), text);
        }
    }
}
