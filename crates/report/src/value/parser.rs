//! Parser of `Debug` output.
//!
//! The grammar is the compact form to the letter, spaces included. So whatever it accepts prints
//! as it was written, and whatever it does not accept is kept as an atom: text up to where its
//! surroundings go on, with brackets balanced and quoted text skipped.

use super::Value;

/// Deeper values are atoms. Real states nest some ten deep; the limit keeps a text of a hundred
/// thousand brackets from overflowing the stack.
const DEPTH_MAX: usize = 128;

/// What must follow a value, by what surrounds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing: it is the whole text.
    Text,
    /// A comma, or the bracket that closes.
    Item(&'static str),
    /// A comma: the first element of a plain tuple, which has one even when it is the only one.
    First,
    /// A colon if it is the key of a map; a comma or brace if it is the element of a set.
    Key,
    /// The next field or the closing brace. A comma alone does not end a field: the field's own
    /// text may have some.
    Field,
}

pub(super) fn parse(text: &str) -> Value {
    Parser { text, at: 0, depth: 0 }.value(End::Text).expect("the whole text is at least an atom")
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    fn eat_name(&mut self) -> &'a str {
        let name = leading_name(self.rest());
        self.at += name.len();
        name
    }

    fn is_at(&self, end: End) -> bool {
        let rest = self.rest();
        match end {
            End::Text => rest.is_empty(),
            End::Item(close) => rest.starts_with(", ") || rest.starts_with(close),
            End::First => rest.starts_with(", ") || rest.starts_with(",)"),
            End::Key => [": ", ", ", "}"].iter().any(|end| rest.starts_with(end)),
            End::Field => {
                rest.starts_with(" }")
                    || rest.strip_prefix(", ").is_some_and(|next| {
                        let name = leading_name(next);
                        next.starts_with(".. }")
                            || !name.is_empty() && next[name.len()..].starts_with(": ")
                    })
            }
        }
    }

    fn value(&mut self, end: End) -> Option<Value> {
        let start = self.at;
        if let Some(value) = self.nested()
            && self.is_at(end)
        {
            return Some(value);
        }
        self.at = start;
        self.atom(end)
    }

    fn nested(&mut self) -> Option<Value> {
        if self.depth == DEPTH_MAX {
            return None;
        }
        self.depth += 1;
        let value = self.container();
        self.depth -= 1;
        value
    }

    fn container(&mut self) -> Option<Value> {
        let name = self.eat_name();
        if self.eat("(") {
            self.tuple(name)
        } else if !name.is_empty() {
            self.eat(" { ").then(|| self.fields(name))?
        } else if self.eat("[") {
            self.items("]").map(Value::List)
        } else if self.eat("{") {
            self.braces()
        } else {
            None
        }
    }

    fn items(&mut self, close: &'static str) -> Option<Vec<Value>> {
        if self.eat(close) {
            return Some(Vec::new());
        }
        let first = self.value(End::Item(close))?;
        self.items_after(first, close)
    }

    fn items_after(&mut self, first: Value, close: &'static str) -> Option<Vec<Value>> {
        let mut items = vec![first];
        while !self.eat(close) {
            if !self.eat(", ") {
                return None;
            }
            items.push(self.value(End::Item(close))?);
        }
        Some(items)
    }

    fn tuple(&mut self, name: &str) -> Option<Value> {
        let items = if !name.is_empty() || self.rest().starts_with(')') {
            self.items(")")?
        } else {
            let first = self.value(End::First)?;
            if self.eat(",)") { vec![first] } else { self.items_after(first, ")")? }
        };
        Some(Value::Tuple { name: name.to_owned(), items })
    }

    fn fields(&mut self, name: &str) -> Option<Value> {
        let mut fields = Vec::new();
        let more = loop {
            if self.eat(".. }") {
                break true;
            }
            let field = self.eat_name();
            if field.is_empty() || !self.eat(": ") {
                return None;
            }
            fields.push((field.to_owned(), self.value(End::Field)?));
            if self.eat(" }") {
                break false;
            }
            self.eat(", ");
        };
        Some(Value::Struct { name: name.to_owned(), fields, more })
    }

    fn braces(&mut self) -> Option<Value> {
        if self.eat("}") {
            return Some(Value::Set(Vec::new()));
        }
        let first = self.value(End::Key)?;
        if self.eat(": ") {
            self.entries(first)
        } else {
            self.items_after(first, "}").map(Value::Set)
        }
    }

    fn entries(&mut self, first_key: Value) -> Option<Value> {
        let mut entries = Vec::new();
        let mut key = first_key;
        let more = loop {
            entries.push((key, self.value(End::Item("}"))?));
            if self.eat("}") {
                break false;
            }
            if self.eat(", ..}") {
                break true;
            }
            self.eat(", ");
            key = self.value(End::Key)?;
            if !self.eat(": ") {
                return None;
            }
        };
        Some(Value::Map { entries, more })
    }

    /// Text up to `end`; nothing if its brackets do not match.
    fn atom(&mut self, end: End) -> Option<Value> {
        let start = self.at;
        if end == End::Text {
            self.at = self.text.len();
        }
        let mut open = Vec::new();
        while !(open.is_empty() && self.is_at(end)) {
            let character = self.rest().chars().next()?;
            match character {
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                ')' | ']' | '}' if open.pop() != Some(character) => return None,
                _ => {}
            }
            self.at += quoted_bytes(self.rest()).unwrap_or(character.len_utf8());
        }
        Some(Value::Atom(self.text[start..self.at].to_owned()))
    }
}

fn leading_name(text: &str) -> &str {
    let starts = text.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_');
    let end = text
        .find(|character: char| !character.is_alphanumeric() && character != '_')
        .unwrap_or(text.len());
    if starts { &text[..end] } else { "" }
}

/// How long the string or character is that the text starts with, quotes included. A quote that
/// nothing closes is a character like any other, and so is that of `'a` or `it's`. That of an
/// escape such as `'\u{301}'` can be, too: its brackets match.
fn quoted_bytes(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|first| "\"'".contains(*first))?;
    let inner = &text[1..];
    let length = unescaped(inner, quote)?;
    let is_quoted = quote == '"' || inner[..length].chars().count() == 1;
    is_quoted.then_some(length + 2)
}

/// Where the quote is that no backslash stands before.
fn unescaped(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices();
    while let Some((index, character)) = characters.next() {
        if character == quote {
            return Some(index);
        }
        if character == '\\' {
            characters.next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree with each node under the name of its kind, and atoms in backquotes.
    fn shape(value: &Value) -> String {
        let all = |items: &[Value]| items.iter().map(shape).collect::<Vec<_>>().join(" ");
        let more = |more: bool| if more { " .." } else { "" };
        match value {
            Value::Atom(text) => format!("`{text}`"),
            Value::List(items) => format!("list[{}]", all(items)),
            Value::Set(items) => format!("set[{}]", all(items)),
            Value::Tuple { name, items } => format!("tuple {name}[{}]", all(items)),
            Value::Struct { name, fields, more: m } => {
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(field, value)| format!("{field}={}", shape(value)))
                    .collect();
                format!("struct {name}[{}{}]", fields.join(" "), more(*m))
            }
            Value::Map { entries, more: m } => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| format!("{}={}", shape(key), shape(value)))
                    .collect();
                format!("map[{}{}]", entries.join(" "), more(*m))
            }
        }
    }

    fn check(text: &str, expect: &str) {
        let value = parse(text);
        assert_eq!(shape(&value), expect, "{text}");
        assert_eq!(value.to_string(), text);
    }

    #[test]
    fn leaves() {
        for leaf in [
            "0",
            "-17",
            "2.5",
            "-1e-7",
            "1.7976931348623157e308",
            "NaN",
            "-inf",
            "true",
            "Idle",
            "\"a \\\" b, [c\"",
            "'\\''",
            "'}'",
            "'\\u{301}'",
            "1.5ms",
            "127.0.0.1:80",
            "0..5",
            "",
        ] {
            check(leaf, &format!("`{leaf}`"));
            check(&format!("[{leaf}, 1]"), &format!("list[`{leaf}` `1`]"));
        }
    }

    #[test]
    fn derived_forms() {
        check("S { a: 1, b: Foo(2) }", "struct S[a=`1` b=tuple Foo[`2`]]");
        check("S { a: 1, .. }", "struct S[a=`1` ..]");
        check("S { .. }", "struct S[ ..]");
        check("T(1, U)", "tuple T[`1` `U`]");
        check("(1, 2)", "tuple [`1` `2`]");
        check("(1,)", "tuple [`1`]");
        check("()", "tuple []");
        check("[[], [1]]", "list[list[] list[`1`]]");
        check("{1, 2}", "set[`1` `2`]");
        check("{}", "set[]");
        check("{n1: [2], (3, 4): {}}", "map[`n1`=list[`2`] tuple [`3` `4`]=set[]]");
        check("{1: 2, ..}", "map[`1`=`2` ..]");
        check("Some(\"), (\")", "tuple Some[`\"), (\"`]");
    }

    #[test]
    fn real_debug_output() {
        use std::collections::{BTreeMap, BTreeSet};

        #[derive(Debug)]
        #[allow(dead_code)]
        struct Everything<'a> {
            text: &'a str,
            letters: Vec<char>,
            routes: BTreeMap<u8, Option<(i8, f32)>>,
            seen: BTreeSet<&'a str>,
            bytes: [u8; 2],
            unit: (),
        }
        let value = Everything {
            text: "a: \"b\", {c} 'd'\n",
            letters: vec!['\'', '"', ',', '\u{301}'],
            routes: BTreeMap::from([(1, None), (2, Some((-3, 0.5)))]),
            seen: BTreeSet::from(["x, y", "z"]),
            bytes: [0, 255],
            unit: (),
        };
        check(
            &format!("{value:?}"),
            "struct Everything[text=`\"a: \\\"b\\\", {c} 'd'\\n\"` \
             letters=list[`'\\''` `'\"'` `','` `'\\u{301}'`] \
             routes=map[`1`=`None` `2`=tuple Some[tuple [`-3` `0.5`]]] \
             seen=set[`\"x, y\"` `\"z\"`] bytes=list[`0` `255`] unit=tuple []]",
        );
    }

    #[test]
    fn forms_written_by_hand_are_atoms() {
        check("S { a: <x, y>, b: 1 }", "struct S[a=`<x, y>` b=`1`]");
        check("[a (b, c) d, 5\"]", "list[`a (b, c) d` `5\"`]");
        check("[Foo(1)!, [::1]:80]", "list[`Foo(1)!` `[::1]:80`]");
        check("S { a: it's, b: &'a str }", "struct S[a=`it's` b=`&'a str`]");
        check("(1)", "`(1)`");
        check("S { }", "`S { }`");
        check("[S {a: 1}, 2]", "list[`S {a: 1}` `2`]");
    }

    #[test]
    fn text_that_does_not_balance_is_one_atom() {
        for text in ["[1", "1]", "S { a: (1] }", "{1: 2, 3}", "a, b", "}{", "Foo(1) x"] {
            check(text, &format!("`{text}`"));
        }
    }

    #[test]
    fn nesting_beyond_the_limit_is_kept_as_text() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(parse(&deep).to_string(), deep);
        let open = "Foo(".repeat(10_000);
        assert_eq!(parse(&open), Value::Atom(open));
    }
}
