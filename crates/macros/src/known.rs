//! Macros, attributes and derives that depend on nothing but their input.
//!
//! Others may read files or variables, depend on their line, or make up names.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::UseTree;

/// Macros of the standard library, without `include*`, `env`, `option_env`, `file`, `line`,
/// `column` and `asm`.
const MACROS: [&str; 33] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "is_x86_feature_detected",
    "macro_rules",
    "main",
    "matches",
    "module_path",
    "offset_of",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "addr_of",
];

/// Attributes of the language, of Everypath and of serde.
const ATTRIBUTES: [&str; 33] = [
    "allow",
    "automatically_derived",
    "cfg",
    "clippy",
    "cold",
    "composite",
    "core",
    "data",
    "default",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "everypath",
    "expect",
    "forbid",
    "handlers",
    "ignore",
    "inline",
    "macro_export",
    "macro_use",
    "must_use",
    "non_exhaustive",
    "ports",
    "repr",
    "roles",
    "rustfmt",
    "serde",
    "should_panic",
    "std",
    "test",
    "track_caller",
    "warn",
];

const DERIVATIONS: [&str; 11] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
];

/// Keywords after which a `!` and a group are not a macro call.
const KEYWORDS: [&str; 11] =
    ["return", "if", "while", "match", "in", "break", "else", "move", "let", "yield", "const"];

/// The crates of known names.
const SOURCES: [&str; 9] =
    ["std", "core", "alloc", "everypath", "everypath_model", "serde", "crate", "self", "super"];

/// The prefix of attributes and derives in the collection of macros.
const MARK: char = '#';

/// Whether a macro is known. Only unknown attributes and derives are collected.
pub(crate) fn is_known(name: &str) -> bool {
    MACROS.contains(&name)
}

/// Collects called macros that are not defined in place, unknown attributes and derives, and calls
/// that depend on their line.
pub(crate) fn collect_macros(tokens: TokenStream, macros: &mut BTreeSet<String>) {
    let mut defined = BTreeSet::new();
    let mut called = BTreeSet::new();
    collect(tokens, &mut called, &mut defined);
    macros.extend(called.difference(&defined).cloned());
}

fn collect(tokens: TokenStream, called: &mut BTreeSet<String>, defined: &mut BTreeSet<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |place: usize, letter: char| matches!(trees.get(place), Some(TokenTree::Punct(punct)) if punct.as_char() == letter);
    for (place, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(name) if name == "caller" => {
                called.insert(format!("{MARK}caller"));
            }
            TokenTree::Ident(name) if is_punct(place + 1, '!') => match trees.get(place + 2) {
                Some(TokenTree::Ident(new)) if name == "macro_rules" => {
                    defined.insert(new.to_string());
                }
                Some(TokenTree::Group(_)) if !KEYWORDS.iter().any(|word| name == word) => {
                    called.insert(name.to_string());
                }
                _ => {}
            },
            TokenTree::Group(group) => {
                let after_mark = (place > 0 && is_punct(place - 1, '#'))
                    || (place > 1 && is_punct(place - 1, '!') && is_punct(place - 2, '#'));
                if after_mark && group.delimiter() == Delimiter::Bracket {
                    collect_attribute(group.stream(), called);
                }
                collect(group.stream(), called, defined);
            }
            _ => {}
        }
    }
}

/// Collects the unknown parts of an attribute.
fn collect_attribute(attribute: TokenStream, called: &mut BTreeSet<String>) {
    let mut trees = attribute.into_iter();
    let Some(TokenTree::Ident(name)) = trees.next() else { return };
    let inner = trees.next().and_then(|tree| match tree {
        TokenTree::Group(group) => Some(parts(group.stream())),
        _ => None,
    });
    let inner = inner.unwrap_or_default();
    if name == "derive" {
        for path in inner {
            // The last name of the path.
            let last = path.into_iter().filter_map(|tree| match tree {
                TokenTree::Ident(ident) => Some(ident.to_string()),
                _ => None,
            });
            let unknown = last.last().filter(|last| !DERIVATIONS.contains(&last.as_str()));
            called.extend(unknown.map(|last| format!("{MARK}derive {last}")));
        }
    } else if name == "cfg_attr" {
        inner.into_iter().skip(1).for_each(|part| collect_attribute(part, called));
    } else if !ATTRIBUTES.iter().any(|known| name == known) {
        called.insert(format!("{MARK}{name}"));
    }
}

/// Splits tokens at commas.
fn parts(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![Vec::new()];
    for tree in tokens {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(Vec::new()),
            other => parts.last_mut().expect("there is one").push(other),
        }
    }
    parts.into_iter().map(|part| part.into_iter().collect()).collect()
}

/// Whether a `use` gives a known name to a foreign item.
pub(crate) fn is_hidden_by(tree: &UseTree) -> bool {
    fn hides(tree: &UseTree) -> bool {
        let is_one = |name: &str| {
            MACROS.contains(&name) || ATTRIBUTES.contains(&name) || DERIVATIONS.contains(&name)
        };
        match tree {
            UseTree::Path(path) => hides(&path.tree),
            UseTree::Group(group) => group.items.iter().any(hides),
            UseTree::Name(name) => is_one(&name.ident.to_string()),
            UseTree::Rename(rename) => is_one(&rename.rename.to_string()),
            UseTree::Glob(_) => false,
        }
    }
    match tree {
        UseTree::Path(path) if SOURCES.iter().any(|known| path.ident == known) => false,
        UseTree::Group(group) => group.items.iter().any(is_hidden_by),
        other => hides(other),
    }
}
