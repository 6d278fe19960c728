//! Names and prints of handler code: they show which code has changed, and which never ran.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// A piece of a protocol's code: a handler, or the part of one that handles one kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its name, such as `timer:Expire`.
    pub name: &'static str,
    /// A digest of the code and of all that it uses. While it stays the same, the same input has
    /// the same outcome.
    pub print: u64,
}

impl Code {
    /// The code of a part: `timer:Expire` of the part `sender` becomes `sender/timer:Expire`.
    #[must_use]
    pub fn within(self, part: &'static str) -> Self {
        Self { name: name_within(part, self.name), ..self }
    }

    /// This code together with other code that it may trigger: its name, and a print of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        // The finalizer of SplitMix64: every bit counts, and so does the order.
        let mut print =
            self.print.rotate_left(29) ^ other.print.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        print = (print ^ (print >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        print = (print ^ (print >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self { print: print ^ (print >> 31), ..self }
    }
}

/// Code of a whole, made of the code of its parts.
#[doc(hidden)]
impl Code {
    /// All of these, under one name.
    #[must_use]
    pub fn of_all(name: &'static str, parts: &[Self]) -> Self {
        parts.iter().fold(Self { name, print: 0 }, |all, &part| all.and(part))
    }

    /// The code for a signal from outside. Given for each part: its name, whether it has an outer
    /// port, and its code for signals.
    #[must_use]
    pub fn of_signals(parts: &[(&'static str, bool, Self)]) -> Self {
        let mut entered = parts.iter().filter(|(_, is_entered, _)| *is_entered);
        match (entered.next(), entered.next()) {
            (Some((part, _, code)), None) => code.within(part),
            _ => Self { name: SIGNAL, print: 0 },
        }
    }
}

/// The name of code that handles signals.
const SIGNAL: &str = "signal";

/// The names of a composite's code whose execution can be observed. Given for each part: its name,
/// whether it has an outer port, and the names of its code.
#[doc(hidden)]
#[must_use]
pub fn names_of_parts(parts: &[(&'static str, bool, Vec<&'static str>)]) -> Vec<&'static str> {
    if parts.iter().any(|(_, _, names)| names.is_empty()) {
        return Vec::new();
    }
    let has = |part: &[&str], name| part.iter().any(|own| handler_of(own) == name);
    let starts = |name| parts.iter().any(|(_, _, names)| names.contains(&name)).then_some(name);
    let entered: Vec<_> = parts.iter().filter(|(_, is_entered, _)| *is_entered).collect();
    let shared = (entered.len() > 1 && entered.iter().any(|(_, _, names)| has(names, SIGNAL)))
        .then_some(SIGNAL);
    let own = parts.iter().flat_map(|(part, is_entered, names)| {
        let is_alone = *is_entered && entered.len() == 1;
        let own = names.iter().filter(move |name| match handler_of(name) {
            "start" | "restart" => false,
            SIGNAL => is_alone,
            _ => true,
        });
        own.map(|name| name_within(part, name))
    });
    ["start", "restart"].into_iter().filter_map(starts).chain(shared).chain(own).collect()
}

/// The handler of some code, without its part: `timer` for `sender/timer:Expire`.
fn handler_of(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.split(':').next().unwrap_or(name)
}

/// The name of a part's code. A protocol has few names, so each is leaked once.
pub(crate) fn name_within(part: &'static str, name: &'static str) -> &'static str {
    type Names = BTreeMap<(&'static str, &'static str), &'static str>;
    static NAMES: Mutex<Names> = Mutex::new(Names::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.entry((part, name)).or_insert_with(|| format!("{part}/{name}").leak())
}

/// The names of a part's code.
#[must_use]
pub fn names_within(part: &'static str, names: Vec<&'static str>) -> Vec<&'static str> {
    names.into_iter().map(|name| name_within(part, name)).collect()
}
