//! The format of printed JSON: indented, and without control characters that a terminal would obey.

use std::io::{self, Write};

use everypath_report::is_control;
use serde_json::ser::{Formatter, PrettyFormatter};

/// Writes JSON with line breaks. Control characters beyond ASCII, which JSON allows in strings, are escaped as those in ASCII are.
#[derive(Default)]
pub(crate) struct Printable(PrettyFormatter<'static>);

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find(is_control) {
            out.write_all(&rest.as_bytes()[..at])?;
            let control = rest[at..].chars().next().unwrap_or_default();
            // All of them are below U+10000.
            write!(out, "\\u{:04x}", u32::from(control))?;
            rest = &rest[at + control.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Serializer, Value, json};

    use super::*;

    #[test]
    fn it_is_the_same_json_without_control_characters() {
        let value = json!({
            "\u{9b}2K": ["plain", "a\u{7f}b\u{202e}c\n\u{1b}", []],
            "deep": { "none": {}, "number": 1.5 },
        });
        let mut written = Vec::new();
        value
            .serialize(&mut Serializer::with_formatter(&mut written, Printable::default()))
            .unwrap();
        let text = String::from_utf8(written).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(!text.replace('\n', "").contains(is_control), "{text:?}");
        let plain = json!({ "a": [1, { "b": null }], "c": "→" });
        let mut written = Vec::new();
        plain
            .serialize(&mut Serializer::with_formatter(&mut written, Printable::default()))
            .unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), format!("{plain:#}"));
    }
}
