//! Serialised values in words: JSON, spaced and without quotes around keys, as `Debug` prints maps.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Serializer, ser::Formatter};

/// A value in words, unless JSON cannot express it: its keys are only strings and numbers.
pub(crate) fn text(value: &impl Serialize) -> Option<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Spaced::default())).ok()?;
    String::from_utf8(bytes).ok()
}

#[derive(Default)]
struct Spaced {
    is_key: bool,
}

impl Formatter for Spaced {
    fn begin_array_value<W: Write + ?Sized>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.is_key = true;
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn end_object_key<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_key = false;
        Ok(())
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }

    fn begin_string<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        if self.is_key { Ok(()) } else { to.write_all(b"\"") }
    }

    fn end_string<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        self.begin_string(to)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn maps_and_lists_are_spaced() {
        let map = BTreeMap::from([(1, vec!["a", "b"]), (2, vec![])]);
        assert_eq!(text(&map).unwrap(), r#"{1: ["a", "b"], 2: []}"#);
        assert_eq!(text(&BTreeMap::from([((1, 2), 3)])), None);
    }
}
