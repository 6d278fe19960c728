//! Leaves of a value: its fields as a list of paths.

use super::Value;

/// One thing that a value holds.
///
/// ```
/// use everypath_report::value::{Leaf, Value};
///
/// let leaves = Value::parse("Timer { left: 3 }").leaves();
/// let left = Leaf { path: "left".to_owned(), value: "3".to_owned(), is_name: false };
/// assert_eq!(leaves[1], left);
/// assert!(leaves[0].is_name);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Where: `sender.bit`; empty for the value itself.
    pub path: String,
    /// What: a text, or the name of the struct whose fields follow.
    pub value: String,
    /// Whether it is only the name of the struct whose fields follow.
    pub is_name: bool,
}

impl Value {
    /// What the value holds, in the order of the text. Structs are looked into, and wrappers around
    /// them; lists, sets, maps and variants with a plain content are given whole.
    ///
    /// ```
    /// use everypath_report::value::Value;
    ///
    /// let value = Value::parse("Sender(Arq { bit: 1, packet: Some(Data { number: 3 }) })");
    /// let leaves = value.leaves();
    /// let shown = leaves.iter().filter(|leaf| !leaf.is_name);
    /// let shown: Vec<_> = shown.map(|leaf| format!("{}: {}", leaf.path, leaf.value)).collect();
    /// assert_eq!(shown, ["bit: 1", "packet.number: 3"]);
    /// assert_eq!((leaves[0].path.as_str(), leaves[0].value.as_str()), ("", "Sender(Arq)"));
    /// assert_eq!(Value::parse("Waiting(7)").leaves()[0].value, "Waiting(7)");
    /// ```
    #[must_use]
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves("", &mut leaves);
        leaves
    }

    fn collect_leaves(&self, path: &str, leaves: &mut Vec<Leaf>) {
        let Some((name, fields)) = self.wrapped_fields() else {
            let value = self.to_string();
            return leaves.push(Leaf { path: path.to_owned(), value, is_name: false });
        };
        leaves.push(Leaf { path: path.to_owned(), value: name, is_name: true });
        for (field, value) in fields {
            let path = if path.is_empty() { field.clone() } else { format!("{path}.{field}") };
            value.collect_leaves(&path, leaves);
        }
    }

    /// The fields of a struct, also within wrappers, with the names around them.
    fn wrapped_fields(&self) -> Option<(String, &[(String, Self)])> {
        match self {
            Self::Struct { name, fields, .. } => Some((name.clone(), fields)),
            Self::Tuple { name, items } if items.len() == 1 => {
                let (inner, fields) = items[0].wrapped_fields()?;
                Some((format!("{name}({inner})"), fields))
            }
            _ => None,
        }
    }
}
